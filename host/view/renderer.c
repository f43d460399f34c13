#include "view/renderer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cglm/cglm.h>

#include "model/error.h"
#include "model/scene.h"
#include "view/colour.h"
#include "view/gl.h"
#include "view/ground.h"
#include "view/marks.h"
#include "view/sheets.h"
#include "view/solids.h"
#include "view/target.h"
#include "view/tubes.h"
#include "view/value_range.h"

/* Units that textures are bound to. */
enum { UNIT_ROWS = 0, UNIT_MAP, UNIT_DIRECT, UNIT_AMBIENT };

/* Updates from one look at the rows to the next, where they are drawn on the device. */
enum { READ_EVERY = 20 };

/* The block View of view.glsl, std140. */
typedef struct view_block {
    mat4 view, projection, inverse_view;
    vec4 light, fill, eye, viewport, pixel, value;
} view_block;

struct cab_renderer {
    cab_tubes tubes;
    cab_sheets sheets;
    cab_solids solids;
    cab_marks marks;
    const cab_scene *scene;
    cab_ground ground;
    cab_target target;
    GLuint view_buffer, map;
    GLuint row_buffer, row_texture;
    GLuint compose, empty_array;
    GLint over, top, bottom; /* uniforms of compose */
    float (*rows)[4];
    int node_count;
    float radius;            /* of the thickest cable, m */
    cab_bounds row_bounds;   /* of cables and sheets, when rows were last read */
    cab_bounds solid_bounds; /* of what stands and has an end */
    cab_bounds bounds;       /* of all */
    cab_value_range range;   /* that the colour map shows, where the look has none */
    cab_quantity shown;      /* of that quantity, */
    double shown_at;         /* at that time of the world, s */
    int selected;
    int unread; /* updates since rows were read, where the device draws into row_buffer */
};

cab_look cab_look_default(void)
{
    return (cab_look){.grid = true, .marks = true, .samples = 4, .oversampling = 1, .pieces = 3};
}

static void start_map(cab_renderer *r)
{
    unsigned char map[CAB_MAP_SIZE][4];
    cab_colour_map(map);
    r->map = cab_gl_texture(GL_RGBA8, CAB_MAP_SIZE, 1, GL_LINEAR);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, CAB_MAP_SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, map);
}

static cab_status start_compose(cab_renderer *r, cab_error *error)
{
    r->compose = cab_gl_program("screen.vert", "compose.frag", NULL, error);
    if (!r->compose) return CAB_ERROR_DEVICE;
    cab_gl_sampler(r->compose, "direct_light", UNIT_DIRECT);
    cab_gl_sampler(r->compose, "ambient_light", UNIT_AMBIENT);
    r->over = glGetUniformLocation(r->compose, "over");
    r->top = glGetUniformLocation(r->compose, "background_top");
    r->bottom = glGetUniformLocation(r->compose, "background_bottom");
    return CAB_OK;
}

cab_status cab_renderer_create(cab_renderer **renderer, cab_error *error)
{
    cab_renderer *r = calloc(1, sizeof *r);
    if (!r) return cab_fail_memory(error, "a renderer", sizeof *r);
    r->selected = -1;
    cab_status status = cab_tubes_create(&r->tubes, error);
    if (!status) status = cab_sheets_create(&r->sheets, error);
    if (!status) status = cab_solids_create(&r->solids, error);
    if (!status) status = cab_marks_create(&r->marks, error);
    if (!status) status = cab_ground_create(&r->ground, error);
    if (!status) status = start_compose(r, error);
    start_map(r);
    glGenVertexArrays(1, &r->empty_array);
    glGenBuffers(1, &r->view_buffer);
    glGenBuffers(1, &r->row_buffer);
    glGenTextures(1, &r->row_texture);
    if (!status) status = cab_gl_check("set-up", error);
    if (status) {
        cab_renderer_destroy(r);
        return status;
    }
    *renderer = r;
    return CAB_OK;
}

void cab_renderer_destroy(cab_renderer *r)
{
    if (!r) return;
    cab_tubes_free(&r->tubes);
    cab_sheets_free(&r->sheets);
    cab_solids_free(&r->solids);
    cab_marks_free(&r->marks);
    cab_ground_free(&r->ground);
    cab_target_free(&r->target);
    glDeleteBuffers(1, &r->view_buffer);
    glDeleteBuffers(1, &r->row_buffer);
    glDeleteTextures(1, &r->row_texture);
    glDeleteTextures(1, &r->map);
    glDeleteVertexArrays(1, &r->empty_array);
    if (r->compose) glDeleteProgram(r->compose);
    free(r->rows);
    free(r);
}

cab_status cab_renderer_load(cab_renderer *r, const cab_scene *scene, const cab_world *world,
                             const cab_look *look, cab_error *error)
{
    cab_geometry geometry;
    cab_status status = cab_geometry_make(world, look->paint, &geometry, error);
    if (status) return status;
    r->range = (cab_value_range){0};
    r->scene = scene;
    r->node_count = cab_world_get_info(world).nodes;
    r->unread = READ_EVERY;
    r->radius = 0;
    for (int i = 0; i < geometry.tube_count; i++) r->radius = fmaxf(r->radius, geometry.tubes[i].radius);
    cab_tubes_load(&r->tubes, &geometry);
    status = cab_sheets_load(&r->sheets, &geometry, r->node_count, error);
    cab_geometry_free(&geometry);
    if (!status) status = cab_solids_load(&r->solids, scene, error);
    if (!status) status = cab_marks_load(&r->marks, scene, world, error);
    if (status) return status;
    size_t bytes = (size_t)r->node_count * sizeof *r->rows;
    free(r->rows);
    r->rows = malloc(bytes);
    if (!r->rows) return cab_fail_memory(error, "what is drawn", bytes);
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    if (r->node_count > most)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%d nodes: this OpenGL draws at most %d", r->node_count,
                        most);
    glBindBuffer(GL_TEXTURE_BUFFER, r->row_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    glBindTexture(GL_TEXTURE_BUFFER, r->row_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, r->row_buffer);
    return cab_gl_check("loading", error);
}

/* By the world's clock, so that a film always looks the same. */
static void follow_values(cab_renderer *r, const cab_world *world, cab_quantity quantity, float lowest,
                          float highest)
{
    double now = cab_world_get_info(world).time;
    if (quantity != r->shown || now < r->shown_at) r->range = (cab_value_range){0};
    cab_value_range_follow(&r->range, lowest, highest, now - r->shown_at);
    r->shown = quantity;
    r->shown_at = now;
}

static void measure_rows(cab_renderer *r, const cab_world *world, cab_quantity quantity)
{
    float lowest = INFINITY, highest = -INFINITY;
    r->row_bounds = cab_bounds_empty();
    for (int i = 0; i < r->node_count; i++) {
        cab_bounds_add(&r->row_bounds, r->rows[i]);
        lowest = fminf(lowest, r->rows[i][3]);
        highest = fmaxf(highest, r->rows[i][3]);
    }
    for (int k = 0; k < 3; k++) {
        r->row_bounds.lo[k] -= r->radius;
        r->row_bounds.hi[k] += r->radius;
    }
    follow_values(r, world, quantity, lowest, highest);
}

void cab_renderer_release(cab_renderer *r, cab_world *world)
{
    cab_world_forget_buffer(world, r->row_buffer);
}

cab_status cab_renderer_read(cab_renderer *r, cab_world *world, const cab_look *look, cab_error *error)
{
    cab_status status = cab_world_draw(world, look->quantity, r->rows[0], error);
    if (status) return status;
    measure_rows(r, world, look->quantity);
    r->unread = 0;
    return CAB_OK;
}

/* Drawn on the device, or by a copy; only the copy passes by here. */
static cab_status update_rows(cab_renderer *r, cab_world *world, const cab_look *look, cab_error *error)
{
    if (cab_world_shares_gl(world)) {
        cab_status status = cab_world_draw_into(world, r->row_buffer, look->quantity, error);
        if (status || ++r->unread < READ_EVERY) return status;
        return cab_renderer_read(r, world, look, error);
    }
    cab_status status = cab_renderer_read(r, world, look, error);
    if (status) return status;
    glBindBuffer(GL_TEXTURE_BUFFER, r->row_buffer);
    glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)r->node_count * (GLsizeiptr)sizeof *r->rows, r->rows);
    return CAB_OK;
}

cab_status cab_renderer_update(cab_renderer *r, cab_world *world, const cab_look *look, cab_error *error)
{
    cab_status status = update_rows(r, world, look, error);
    if (status) return status;
    r->bounds = r->row_bounds;
    r->solid_bounds = cab_bounds_empty();
    cab_solids_update(&r->solids, world, &r->solid_bounds);
    if (!cab_bounds_is_empty(&r->solid_bounds)) {
        cab_bounds_add(&r->bounds, r->solid_bounds.lo);
        cab_bounds_add(&r->bounds, r->solid_bounds.hi);
    }
    status = cab_marks_update(&r->marks, r->scene, world, cab_renderer_rows(r), &r->bounds, error);
    if (status) return status;
    r->ground.floor = cab_solids_floor(&r->solids, &r->ground.height);
    if (!r->ground.floor && !cab_bounds_is_empty(&r->bounds)) r->ground.height = fminf(0, r->bounds.lo[2]);
    return cab_gl_check("update", error);
}

void cab_renderer_take_in(const cab_renderer *r, const cab_look *look, cab_fit *fit)
{
    for (int i = 0; i < r->node_count; i++) cab_fit_add(fit, r->rows[i], r->radius);
    cab_fit_add_box(fit, &r->solid_bounds);
    if (look->marks) cab_marks_take_in(&r->marks, cab_renderer_rows(r), fit);
}

cab_bounds cab_renderer_bounds(const cab_renderer *r)
{
    return r->bounds;
}

const float (*cab_renderer_rows(const cab_renderer *r))[4]
{
    return (const float(*)[4])r->rows;
}

void cab_renderer_range(const cab_renderer *r, float *lowest, float *highest)
{
    *lowest = r->range.lowest;
    *highest = r->range.highest;
}

void cab_renderer_select(cab_renderer *r, int cable)
{
    r->selected = cable;
}

/* Everything that can be seen, the ground around the scene included: what near and far must enclose. */
static cab_bounds visible_bounds(const cab_renderer *r, const cab_camera *camera)
{
    cab_bounds b = r->bounds;
    float around = camera->distance;
    for (int k = 0; k < 3 && !cab_bounds_is_empty(&b); k++) around = fmaxf(around, b.hi[k] - b.lo[k]);
    cab_bounds_add(&b,
                   (vec3){camera->target[0] - 4 * around, camera->target[1] - 4 * around, r->ground.height});
    cab_bounds_add(&b,
                   (vec3){camera->target[0] + 4 * around, camera->target[1] + 4 * around, r->ground.height});
    return b;
}

/* A direction of the eye's axes, so that the light stays where it is when the camera turns. */
static void eye_direction(view_block *block, vec3 world, float strength, vec4 to)
{
    vec3 unit;
    glm_vec3_normalize_to(world, unit);
    glm_mat4_mulv3(block->view, unit, 0, to);
    to[3] = strength;
}

static void fill_view(cab_renderer *r, const cab_camera *camera, const cab_look *look, int width, int height)
{
    view_block block;
    cab_bounds bounds = visible_bounds(r, camera);
    cab_camera_matrices(camera, &bounds, (float)width / (float)height, block.view, block.projection);
    glm_mat4_inv(block.view, block.inverse_view);
    eye_direction(&block, (vec3){-0.45f, -0.55f, 0.9f}, 0.95f, block.light);
    eye_direction(&block, (vec3){0, 0, 1}, 0.55f, block.fill);
    cab_camera_eye(camera, block.eye);
    block.eye[3] = camera->orthographic ? 1 : 0;
    glm_vec4_copy((vec4){(float)width, (float)height, 1 / (float)width, 1 / (float)height}, block.viewport);
    float at = camera->orthographic ? camera->distance : 1;
    block.pixel[0] = 2 * at * tanf(camera->fov / 2) / (float)height;
    block.pixel[1] = (float)look->samples;
    bool fixed = look->lowest < look->highest;
    block.value[0] = fixed ? look->lowest : r->range.lowest;
    block.value[1] = fixed ? look->highest : r->range.highest;
    block.value[2] = look->quantity == CAB_QUANTITY_NONE ? 0 : 1;
    glBindBuffer(GL_UNIFORM_BUFFER, r->view_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->view_buffer);
}

static void bind(int unit, GLenum kind, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(kind, texture);
}

/* Linear light, premultiplied. */
static void set_background(const cab_renderer *r, cab_background background)
{
    static const GLfloat top[CAB_BACKGROUND_COUNT][4] = {{0.62f, 0.68f, 0.75f, 1},
                                                         {0.035f, 0.037f, 0.042f, 1}};
    static const GLfloat bottom[CAB_BACKGROUND_COUNT][4] = {{0.83f, 0.84f, 0.85f, 1},
                                                            {0.07f, 0.07f, 0.075f, 1}};
    glUniform4fv(r->top, 1, top[background]);
    glUniform4fv(r->bottom, 1, bottom[background]);
}

static void compose(const cab_renderer *r, const cab_look *look, GLuint framebuffer, int width, int height)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    bind(UNIT_DIRECT, GL_TEXTURE_2D, r->target.direct);
    bind(UNIT_AMBIENT, GL_TEXTURE_2D, r->target.ambient);
    glUseProgram(r->compose);
    glUniform1i(r->over, look->oversampling);
    set_background(r, look->background);
    glBindVertexArray(r->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

cab_status cab_renderer_resize(cab_renderer *r, const cab_look *look, int width, int height, cab_error *error)
{
    int over = look->oversampling;
    return cab_target_resize(&r->target, width * over, height * over, look->samples, error);
}

cab_status cab_renderer_draw(cab_renderer *r, const cab_camera *camera, const cab_look *look,
                             unsigned framebuffer, int width, int height, cab_error *error)
{
    int over = look->oversampling;
    cab_status status = cab_renderer_resize(r, look, width, height, error);
    if (status) return status;
    fill_view(r, camera, look, width * over, height * over);
    cab_target_begin(&r->target);
    glEnable(GL_DEPTH_TEST);
    bind(UNIT_ROWS, GL_TEXTURE_BUFFER, r->row_texture);
    bind(UNIT_MAP, GL_TEXTURE_2D, r->map);
    cab_tubes_draw(&r->tubes, look->pieces, (uint32_t)r->selected);
    cab_sheets_draw(&r->sheets);
    cab_solids_draw(&r->solids);
    bool dark = look->background == CAB_BACKGROUND_DARK;
    if (look->marks) cab_marks_draw(&r->marks, dark);
    cab_ground_draw(&r->ground, camera, &r->bounds, look->grid, dark);
    cab_solids_draw_planes(&r->solids, &r->bounds, cab_ground_step(camera->distance), look->grid, dark);
    cab_target_resolve(&r->target);
    compose(r, look, framebuffer, width, height);
    return cab_gl_check("drawing", error);
}
