#include "view/ui/ui_draw.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "embedded.h"
#include "view/gl/gl.h"
#include "view/ui/ui_style.h"

/* The fonts that are built in: none or one. */
extern const cab_embedded cab_fonts[];
extern const int cab_fonts_count;

enum { POINT = 0, AT, COLOUR }; /* vertex attributes, as in ui.vert */

enum { HINT_SIZE = 400 };

/* Heights of the fonts' lines, points. */
static const float font_heights[CAB_FONT_COUNT] = {15, 13, 18};

/* Ranges of Unicode: Latin, Greek and Cyrillic letters for names, and the signs in units and keys. */
static const nk_rune glyphs[] = {
    0x0020, 0x017F, 0x0391, 0x03C9, 0x0400, 0x045F, 0x2010, 0x2026, 0x2070, 0x208E, 0x2190,
    0x2199, 0x2212, 0x2212, 0x221E, 0x221E, 0x2248, 0x2248, 0x2264, 0x2265, 0,
};

typedef struct vertex {
    float point[2], at[2];
    nk_byte colour[4]; /* sRGB, not multiplied by alpha */
} vertex;

/* Memory of the atlas of glyphs. Its rasteriser leaves a glyph out where it has no memory, and leaves blocks behind,
 * so what failed is remembered and what is there is listed. */
typedef struct block {
    struct block *next, **link; /* where it is linked from */
    max_align_t bytes[];
} block;

typedef struct glyph_memory {
    block *first;
    bool lost; /* there was none */
} glyph_memory;

struct cab_ui {
    struct nk_context context;
    glyph_memory glyphs; /* does not move */
    struct nk_font_atlas atlas;
    struct nk_font *fonts[CAB_FONT_COUNT];
    struct nk_draw_null_texture blank; /* a white place in the atlas of glyphs */
    struct nk_buffer commands, vertices, indices;
    GLuint program, array, vertex_buffer, index_buffer, texture;
    float scale;             /* for which the fonts were made; 0 = not yet */
    int width, height;       /* pixels */
    char hint[2][HINT_SIZE]; /* the hint that is to be shown, and the one that was taken last */
    float hint_y;
    bool started; /* the context is there */
};

static void start_array(cab_ui *ui)
{
    glGenVertexArrays(1, &ui->array);
    glGenBuffers(1, &ui->vertex_buffer);
    glGenBuffers(1, &ui->index_buffer);
    glBindVertexArray(ui->array);
    glBindBuffer(GL_ARRAY_BUFFER, ui->vertex_buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, ui->index_buffer);
    cab_gl_attribute(POINT, 2, GL_FLOAT, sizeof(vertex), offsetof(vertex, point));
    cab_gl_attribute(AT, 2, GL_FLOAT, sizeof(vertex), offsetof(vertex, at));
    cab_gl_attribute(COLOUR, 4, GL_UNSIGNED_BYTE, sizeof(vertex), offsetof(vertex, colour));
    glBindVertexArray(0);
}

cab_status cab_ui_create(cab_ui **ui, cab_error *error)
{
    cab_ui *made = calloc(1, sizeof *made);
    if (!made) return cab_fail_memory(error, "a user interface", sizeof *made);
    nk_buffer_init_default(&made->commands);
    nk_buffer_init_default(&made->vertices);
    nk_buffer_init_default(&made->indices);
    made->program = cab_gl_program("ui.vert", "ui.frag", NULL, error);
    cab_status status = made->program ? CAB_OK : CAB_ERROR_DEVICE;
    if (!status) {
        cab_gl_sampler(made->program, "font", 0);
        start_array(made);
        status = cab_gl_check("the user interface", error);
    }
    if (status) {
        cab_ui_destroy(made);
        return status;
    }
    *ui = made;
    return CAB_OK;
}

/* Nuklear passes what it had before, too, but wants no more than a new block. */
static void *take_block(nk_handle user, void *before, nk_size size)
{
    (void)before;
    glyph_memory *memory = user.ptr;
    block *taken = malloc(sizeof *taken + size);
    memory->lost |= !taken;
    if (!taken) return NULL;
    *taken = (block){.next = memory->first, .link = &memory->first};
    if (taken->next) taken->next->link = &taken->next;
    memory->first = taken;
    return taken->bytes;
}

static void give_block(nk_handle user, void *bytes)
{
    (void)user;
    if (!bytes) return;
    block *given = (block *)((char *)bytes - offsetof(block, bytes));
    *given->link = given->next;
    if (given->next) given->next->link = given->link;
    free(given);
}

static void clear_fonts(cab_ui *ui)
{
    nk_handle user = nk_handle_ptr(&ui->glyphs);
    while (ui->glyphs.first) give_block(user, ui->glyphs.first->bytes);
    ui->glyphs.lost = false;
    ui->scale = 0;
}

void cab_ui_destroy(cab_ui *ui)
{
    if (!ui) return;
    if (ui->started) nk_free(&ui->context);
    clear_fonts(ui);
    nk_buffer_free(&ui->commands);
    nk_buffer_free(&ui->vertices);
    nk_buffer_free(&ui->indices);
    if (ui->program) glDeleteProgram(ui->program);
    glDeleteVertexArrays(1, &ui->array);
    glDeleteBuffers(1, &ui->vertex_buffer);
    glDeleteBuffers(1, &ui->index_buffer);
    glDeleteTextures(1, &ui->texture);
    free(ui);
}

static struct nk_font *add_font(cab_ui *ui, float pixels)
{
    struct nk_font_config config = nk_font_config(pixels);
    config.oversample_h = 2;
    config.oversample_v = 1;
    if (cab_fonts_count == 0) return nk_font_atlas_add_default(&ui->atlas, pixels, &config);
    config.range = glyphs;
    return nk_font_atlas_add_from_memory(&ui->atlas, (void *)cab_fonts[0].text, cab_fonts[0].size, pixels,
                                         &config);
}

static void upload_fonts(cab_ui *ui, const void *pixels, int width, int height)
{
    glActiveTexture(GL_TEXTURE0);
    glDeleteTextures(1, &ui->texture);
    ui->texture = cab_gl_texture(GL_R8, width, height, GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

/* Glyphs are made in the size that they have in pixels; Nuklear is given their height in points. */
static cab_status make_fonts(cab_ui *ui, float scale, cab_error *error)
{
    clear_fonts(ui);
    struct nk_allocator memory = {nk_handle_ptr(&ui->glyphs), take_block, give_block};
    nk_font_atlas_init(&ui->atlas, &memory);
    nk_font_atlas_begin(&ui->atlas);
    for (int i = 0; i < CAB_FONT_COUNT; i++) ui->fonts[i] = add_font(ui, roundf(font_heights[i] * scale));
    int width = 0, height = 0;
    const void *pixels = nk_font_atlas_bake(&ui->atlas, &width, &height, NK_FONT_ATLAS_ALPHA8);
    if (!pixels || ui->glyphs.lost) {
        clear_fonts(ui);
        return cab_fail(error, CAB_ERROR_MEMORY, "glyphs could not be made");
    }
    upload_fonts(ui, pixels, width, height);
    nk_font_atlas_end(&ui->atlas, nk_handle_id((int)ui->texture), &ui->blank);
    nk_font_atlas_cleanup(&ui->atlas);
    for (int i = 0; i < CAB_FONT_COUNT; i++) ui->fonts[i]->handle.height = font_heights[i];
    ui->scale = scale;
    return cab_gl_check("glyphs", error);
}

static cab_status start_context(cab_ui *ui, cab_error *error)
{
    if (!nk_init_default(&ui->context, &ui->fonts[CAB_FONT_TEXT]->handle))
        return cab_fail_memory(error, "a user interface", sizeof ui->context);
    ui->started = true;
    cab_ui_style(&ui->context);
    return CAB_OK;
}

cab_status cab_ui_begin(cab_ui *ui, int width, int height, float scale, cab_error *error)
{
    cab_status status = CAB_OK;
    ui->width = width;
    ui->height = height;
    if (scale != ui->scale) status = make_fonts(ui, scale, error);
    if (!status && !ui->started) status = start_context(ui, error);
    if (!status) nk_style_set_font(&ui->context, &ui->fonts[CAB_FONT_TEXT]->handle);
    return status;
}

struct nk_context *cab_ui_context(cab_ui *ui)
{
    return &ui->context;
}

struct nk_vec2 cab_ui_size(const cab_ui *ui)
{
    return nk_vec2((float)ui->width / ui->scale, (float)ui->height / ui->scale);
}

float cab_ui_scale(const cab_ui *ui)
{
    return ui->scale;
}

const struct nk_user_font *cab_ui_font(const cab_ui *ui, cab_font font)
{
    return &ui->fonts[font]->handle;
}

void cab_ui_set_hint(cab_ui *ui, const char *text, float y)
{
    snprintf(ui->hint[0], HINT_SIZE, "%s", text);
    ui->hint_y = y;
}

const char *cab_ui_take_hint(cab_ui *ui, float *y)
{
    memcpy(ui->hint[1], ui->hint[0], HINT_SIZE);
    ui->hint[0][0] = 0;
    *y = ui->hint_y;
    return ui->hint[1];
}

static void convert(cab_ui *ui)
{
    static const struct nk_draw_vertex_layout_element layout[] = {
        {NK_VERTEX_POSITION, NK_FORMAT_FLOAT, offsetof(vertex, point)},
        {NK_VERTEX_TEXCOORD, NK_FORMAT_FLOAT, offsetof(vertex, at)},
        {NK_VERTEX_COLOR, NK_FORMAT_R8G8B8A8, offsetof(vertex, colour)},
        {NK_VERTEX_LAYOUT_END},
    };
    const struct nk_convert_config config = {
        .global_alpha = 1,
        .line_AA = NK_ANTI_ALIASING_ON,
        .shape_AA = NK_ANTI_ALIASING_ON,
        .circle_segment_count = 32,
        .arc_segment_count = 32,
        .curve_segment_count = 32,
        .null = ui->blank,
        .vertex_layout = layout,
        .vertex_size = sizeof(vertex),
        .vertex_alignment = NK_ALIGNOF(vertex),
    };
    nk_buffer_clear(&ui->commands);
    nk_buffer_clear(&ui->vertices);
    nk_buffer_clear(&ui->indices);
    nk_convert(&ui->context, &ui->commands, &ui->vertices, &ui->indices, &config);
}

/* Does the framebuffer that is bound convert linear light to sRGB? */
static bool is_srgb(GLuint framebuffer)
{
    GLint encoding = GL_LINEAR;
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER,
                                          framebuffer ? GL_COLOR_ATTACHMENT0 : GL_BACK_LEFT,
                                          GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING, &encoding);
    return encoding == GL_SRGB;
}

static void upload(GLenum kind, GLuint buffer, const struct nk_buffer *from)
{
    glBindBuffer(kind, buffer);
    glBufferData(kind, (GLsizeiptr)from->allocated, nk_buffer_memory_const(from), GL_STREAM_DRAW);
}

static void set_scissor(const cab_ui *ui, struct nk_rect clip)
{
    float left = floorf(fmaxf(clip.x * ui->scale, 0)), top = floorf(fmaxf(clip.y * ui->scale, 0));
    float right = ceilf(fminf((clip.x + clip.w) * ui->scale, (float)ui->width));
    float bottom = ceilf(fminf((clip.y + clip.h) * ui->scale, (float)ui->height));
    glScissor((GLint)left, ui->height - (GLint)bottom, (GLsizei)fmaxf(right - left, 0),
              (GLsizei)fmaxf(bottom - top, 0));
}

static void draw_commands(cab_ui *ui)
{
    const struct nk_draw_command *command;
    const char *offset = NULL;
    nk_draw_foreach(command, &ui->context, &ui->commands)
    {
        if (!command->elem_count) continue;
        set_scissor(ui, command->clip_rect);
        glBindTexture(GL_TEXTURE_2D, (GLuint)command->texture.id);
        glDrawElements(GL_TRIANGLES, (GLsizei)command->elem_count, GL_UNSIGNED_INT, offset);
        offset += command->elem_count * sizeof(nk_draw_index);
    }
}

cab_status cab_ui_draw(cab_ui *ui, unsigned framebuffer, cab_error *error)
{
    convert(ui);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, ui->width, ui->height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    bool linear = is_srgb(framebuffer);
    if (linear) glEnable(GL_FRAMEBUFFER_SRGB);
    glUseProgram(ui->program);
    struct nk_vec2 size = cab_ui_size(ui);
    glUniform2f(glGetUniformLocation(ui->program, "size"), size.x, size.y);
    glUniform1i(glGetUniformLocation(ui->program, "linear"), linear);
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(ui->array);
    upload(GL_ARRAY_BUFFER, ui->vertex_buffer, &ui->vertices);
    upload(GL_ELEMENT_ARRAY_BUFFER, ui->index_buffer, &ui->indices);
    draw_commands(ui);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    nk_clear(&ui->context);
    return cab_gl_check("the user interface", error);
}
