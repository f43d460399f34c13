#include "view/draw/renderer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cglm/cglm.h>

#include "base/array.h"
#include "model/scene.h"
#include "view/scale/colour.h"
#include "view/draw/finish.h"
#include "view/gl/gl.h"
#include "view/draw/ground.h"
#include "view/draw/marks.h"
#include "view/draw/shadow.h"
#include "view/draw/sheets.h"
#include "view/draw/solids.h"
#include "view/draw/stripes.h"
#include "view/draw/target.h"
#include "view/draw/tubes.h"
#include "view/scale/value_range.h"
#include "view/draw/view_block.h"

/* Updates from one reading of the rows to the next, where the device writes into the buffer. */
enum { READ_EVERY = 20 };

#define BESIDE 0.25f /* of the extent of cables and sheets: what is so close beside them matters as well */

struct cab_renderer {
    cab_tubes tubes;
    cab_stripes stripes;
    cab_sheets sheets;
    cab_solids solids;
    cab_marks marks;
    const cab_scene *scene;
    cab_ground ground;
    cab_target target;
    cab_shadow shadow;
    cab_finish finish;
    GLuint view_buffers[CAB_PASS_COUNT], map;
    GLuint row_buffer, row_texture;
    float (*rows)[4];
    int node_count;
    cab_bounds row_bounds;   /* of cables and sheets, when rows were last read */
    cab_bounds solid_bounds; /* of bodies, and of colliders that are no planes */
    cab_bounds bounds;       /* of all of these and of marks */
    cab_value_range range;   /* ends of the colour map, where the look does not fix them */
    cab_quantity shown;      /* the quantity that they belong to */
    double shown_at;         /* the world's time when they were last changed, s */
    int selected;
    int unread; /* updates since rows were last read, where the device writes into row_buffer */
};

static void start_map(cab_renderer *r)
{
    unsigned char map[CAB_MAP_SIZE][4];
    cab_colour_map(map);
    r->map = cab_gl_texture(GL_SRGB8_ALPHA8, CAB_MAP_SIZE, 1, GL_LINEAR);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, CAB_MAP_SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, map);
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
    if (!status) status = cab_finish_create(&r->finish, error);
    start_map(r);
    cab_stripes_create(&r->stripes);
    glGenBuffers(CAB_PASS_COUNT, r->view_buffers);
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
    cab_stripes_free(&r->stripes);
    cab_sheets_free(&r->sheets);
    cab_solids_free(&r->solids);
    cab_marks_free(&r->marks);
    cab_ground_free(&r->ground);
    cab_target_free(&r->target);
    cab_shadow_free(&r->shadow);
    cab_finish_free(&r->finish);
    glDeleteBuffers(CAB_PASS_COUNT, r->view_buffers);
    glDeleteBuffers(1, &r->row_buffer);
    glDeleteTextures(1, &r->row_texture);
    glDeleteTextures(1, &r->map);
    CAB_FREE(r->rows, r);
}

/* Makes room for the rows, on the host and in OpenGL. */
static cab_status make_rows(cab_renderer *r, cab_error *error)
{
    size_t bytes = (size_t)r->node_count * sizeof *r->rows;
    free(r->rows);
    r->rows = malloc(bytes ? bytes : 1);
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
    status = cab_tubes_load(&r->tubes, &geometry, error);
    if (!status) status = cab_sheets_load(&r->sheets, &geometry, r->node_count, error);
    cab_geometry_free(&geometry);
    if (!status) status = cab_solids_load(&r->solids, scene, world, error);
    if (!status) status = cab_marks_load(&r->marks, scene, world, error);
    return status ? status : make_rows(r, error);
}

/* By the world's time and not by real time, so that a film always looks the same. */
static void follow_values(cab_renderer *r, double now, cab_quantity quantity, float lowest, float highest)
{
    if (quantity != r->shown || now < r->shown_at) r->range = (cab_value_range){0};
    cab_value_range_follow(&r->range, lowest, highest, now - r->shown_at);
    r->shown = quantity;
    r->shown_at = now;
}

static void measure_rows(cab_renderer *r, double now, cab_quantity quantity)
{
    float lowest = INFINITY, highest = -INFINITY;
    r->row_bounds = cab_bounds_empty();
    for (int i = 0; i < r->node_count; i++) {
        cab_bounds_add(&r->row_bounds, r->rows[i]);
        lowest = fminf(lowest, r->rows[i][3]);
        highest = fmaxf(highest, r->rows[i][3]);
    }
    for (int k = 0; k < 3; k++) {
        r->row_bounds.lo[k] -= r->tubes.thickest;
        r->row_bounds.hi[k] += r->tubes.thickest;
    }
    follow_values(r, now, quantity, lowest, highest);
}

void cab_renderer_release(cab_renderer *r, cab_world *world)
{
    cab_world_forget_buffer(world, r->row_buffer);
}

cab_status cab_renderer_read(cab_renderer *r, cab_world *world, const cab_look *look, cab_error *error)
{
    cab_status status = cab_world_draw(world, look->quantity, r->rows[0], error);
    if (status) return status;
    measure_rows(r, cab_world_get_info(world).time, look->quantity);
    r->unread = 0;
    return CAB_OK;
}

static void send_rows(cab_renderer *r)
{
    glBindBuffer(GL_TEXTURE_BUFFER, r->row_buffer);
    glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)r->node_count * (GLsizeiptr)sizeof *r->rows, r->rows);
    cab_spans_measure(&r->tubes.spans, cab_renderer_rows(r));
}

/* Takes the rows: the device writes them into the shared buffer, or they are copied by the host. Shared rows
 * are only read now and then. */
static cab_status update_rows(cab_renderer *r, cab_world *world, const cab_look *look, cab_error *error)
{
    if (cab_world_shares_gl(world)) {
        cab_status status = cab_world_draw_into(world, r->row_buffer, look->quantity, error);
        cab_spans_forget(&r->tubes.spans);
        if (status || ++r->unread < READ_EVERY) return status;
        return cab_renderer_read(r, world, look, error);
    }
    cab_status status = cab_renderer_read(r, world, look, error);
    if (!status) send_rows(r);
    return status;
}

cab_status cab_renderer_update(cab_renderer *r, cab_world *world, const cab_look *look, cab_error *error)
{
    cab_status status = update_rows(r, world, look, error);
    if (!status) status = cab_stripes_update(&r->stripes, world, look, error);
    if (status) return status;
    r->shadow.stale = true;
    r->bounds = r->row_bounds;
    r->solid_bounds = cab_bounds_empty();
    status = cab_solids_update(&r->solids, world, &r->solid_bounds, error);
    if (status) return status;
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

static cab_status take_strands(cab_renderer *r, const cab_sketch *sketch, cab_error *error)
{
    size_t bytes = (size_t)sketch->strand_count * sizeof *sketch->strands;
    cab_geometry geometry = {.strands = malloc(bytes + 1), .strand_count = sketch->strand_count};
    if (!geometry.strands || sketch->short_of_memory) {
        cab_geometry_free(&geometry);
        return cab_fail_memory(error, "what is drawn", bytes);
    }
    if (bytes) memcpy(geometry.strands, sketch->strands, bytes);
    cab_status status = cab_tubes_load(&r->tubes, &geometry, error);
    cab_geometry_free(&geometry);
    return status;
}

cab_status cab_renderer_show(cab_renderer *r, const cab_sketch *sketch, double time, const cab_look *look,
                             cab_error *error)
{
    cab_status status = take_strands(r, sketch, error);
    r->node_count = sketch->row_count;
    if (!status) status = make_rows(r, error);
    if (status) return status;
    if (sketch->row_count) memcpy(r->rows, sketch->rows, (size_t)sketch->row_count * sizeof *r->rows);
    measure_rows(r, time, look->quantity);
    send_rows(r);
    r->shadow.stale = true;
    r->bounds = r->row_bounds;
    r->solid_bounds = cab_bounds_empty();
    r->ground.upright = true;
    r->ground.height = cab_bounds_is_empty(&r->bounds) ? 0 : r->bounds.hi[1];
    return cab_gl_check("a sketch", error);
}

static void take_in_rows(const cab_renderer *r, cab_framing *fit)
{
    for (int i = 0; i < r->node_count; i++) cab_framing_add(fit, r->rows[i], r->tubes.thickest);
}

void cab_renderer_take_in(const cab_renderer *r, const cab_look *look, cab_framing *fit)
{
    take_in_rows(r, fit);
    cab_framing_add_box(fit, &r->solid_bounds);
    if (look->marks) cab_marks_take_in(&r->marks, cab_renderer_rows(r), NULL, fit);
}

void cab_renderer_take_in_moving(const cab_renderer *r, const cab_look *look, cab_framing *fit)
{
    cab_bounds zone = r->row_bounds;
    if (cab_bounds_is_empty(&zone)) {
        cab_renderer_take_in(r, look, fit);
        return;
    }
    float beside = BESIDE * cab_bounds_largest(&zone);
    for (int k = 0; k < 3; k++) zone.lo[k] -= beside, zone.hi[k] += beside;
    take_in_rows(r, fit);
    cab_solids_take_in(&r->solids, &zone, fit);
    if (look->marks) cab_marks_take_in(&r->marks, cab_renderer_rows(r), &zone, fit);
}

const cab_solids *cab_renderer_solids(const cab_renderer *r)
{
    return &r->solids;
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

/* The diagonal of a box, m. */
static float bounds_size(const cab_bounds *b)
{
    return cab_bounds_is_empty(b) ? 0 : glm_vec3_distance((float *)b->lo, (float *)b->hi);
}

/* A box around all that can be seen, and the ground around it: the near and far planes must enclose it. */
static cab_bounds visible_bounds(const cab_renderer *r, const cab_camera *camera)
{
    cab_bounds b = r->bounds;
    float around = camera->distance;
    for (int k = 0; k < 3 && !cab_bounds_is_empty(&b); k++) around = fmaxf(around, b.hi[k] - b.lo[k]);
    for (int side = -4; side <= 4; side += 8) {
        vec3 corner;
        for (int k = 0; k < 3; k++) corner[k] = camera->target[k] + (float)side * around;
        corner[r->ground.upright ? 1 : 2] = r->ground.height;
        cab_bounds_add(&b, corner);
    }
    return b;
}

/* Draws whatever casts shadows, which is drawn in both passes. */
static cab_status draw_casters(cab_renderer *r, cab_pass pass, const cab_spans_view *view, bool flat,
                               cab_error *error)
{
    cab_gl_bind(CAB_UNIT_ROWS, GL_TEXTURE_BUFFER, r->row_texture);
    cab_stripes_bind(&r->stripes);
    cab_status status = cab_tubes_draw(&r->tubes, pass, view, (uint32_t)r->selected, flat, error);
    cab_sheets_draw(&r->sheets, pass);
    cab_solids_draw(&r->solids, pass);
    return status;
}

static cab_status draw_shadows(cab_renderer *r, const cab_camera *camera, const cab_look *look, float aspect,
                               cab_error *error)
{
    cab_shadow *s = &r->shadow;
    cab_status status = cab_shadow_resize(s, look->shadow_size, error);
    if (status) return status;
    float floor =
        r->ground.upright ? r->bounds.lo[2] : r->ground.height; /* a wall is close behind what is drawn */
    cab_shadow_fit(s, cab_key_light, &r->bounds, floor, camera, aspect);
    if (s->stale) {
        cab_view_block block = {0};
        glm_mat4_copy(s->view, block.view);
        glm_mat4_copy(s->projection, block.projection);
        cab_view_block_fill(&block, look, &r->range, s->size, s->size);
        block.eye[3] = 1;
        block.pixel[0] = s->texel;
        cab_view_block_send(&block, r->view_buffers[CAB_PASS_SHADOW]);
        cab_spans_view view = {.pixel = s->texel, .orthographic = true, .error = 0.5f, .longest = 1e9f};
        glm_mat4_mul(s->projection, s->view, view.clip);
        cab_shadow_begin(s);
        status = draw_casters(r, CAB_PASS_SHADOW, &view, look->flat, error);
        cab_shadow_end(s);
    }
    cab_shadow_bind(s);
    return status;
}

/* Sends the uniform block of the camera, and fills in what the tubes need to know of the camera. */
static void set_camera(cab_renderer *r, const cab_camera *camera, const cab_look *look, bool shadows,
                       int width, int height, cab_spans_view *spans)
{
    cab_view_block block = {0};
    cab_bounds bounds = visible_bounds(r, camera);
    cab_camera_matrices(camera, &bounds, (float)width / (float)height, block.view, block.projection);
    cab_view_block_fill(&block, look, &r->range, width, height);
    cab_camera_eye(camera, block.eye);
    block.eye[3] = camera->orthographic ? 1 : 0;
    float at = camera->orthographic ? camera->distance : 1;
    block.pixel[0] = 2 * at * tanf(camera->fov / 2) / (float)height;
    if (shadows) cab_view_block_add_shadow(&block, look, &r->shadow);
    block.value[3] = r->stripes.shown ? 1 : 0;
    cab_view_block_send(&block, r->view_buffers[CAB_PASS_LIGHT]);
    *spans = (cab_spans_view){.pixel = block.pixel[0],
                              .orthographic = camera->orthographic,
                              .error = look->error,
                              .longest = look->quantity == CAB_QUANTITY_NONE ? 1e9f : 8};
    if (r->stripes.shown) spans->longest = 0; /* directors turn from node to node */
    glm_mat4_mul(block.projection, block.view, spans->clip);
    cab_camera_eye(camera, spans->eye);
    cab_camera_axes(camera, spans->forward, NULL, NULL);
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
    cab_spans_view view;
    bool shadows = look->shadow_size > 0 && !cab_bounds_is_empty(&r->bounds);
    cab_status status = cab_renderer_resize(r, look, width, height, error);
    if (!status && shadows) status = draw_shadows(r, camera, look, (float)width / (float)height, error);
    if (status) return status;
    set_camera(r, camera, look, shadows, width * over, height * over, &view);
    cab_target_begin(&r->target);
    glEnable(GL_DEPTH_TEST);
    cab_gl_bind(CAB_UNIT_MAP, GL_TEXTURE_2D, r->map);
    status = draw_casters(r, CAB_PASS_LIGHT, &view, look->flat, error);
    if (status) return status;
    if (look->marks) cab_marks_draw(&r->marks, look->background == CAB_BACKGROUND_DARK);
    cab_ground_draw(&r->ground, camera, &r->bounds, look);
    cab_solids_draw_planes(&r->solids, &r->bounds, cab_ground_step(camera->distance), look);
    cab_target_resolve(&r->target);
    float radius = r->tubes.thickest > 0 ? 6 * r->tubes.thickest : 0.03f * bounds_size(&r->bounds);
    status = cab_finish_draw(&r->finish, &r->target, look, radius, framebuffer, width, height, error);
    return status ? status : cab_gl_check("drawing", error);
}
