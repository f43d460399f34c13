#include "view/draw/marks.h"

#include <math.h>
#include <stddef.h>

#include <cglm/cglm.h>

#include "view/gl/gl.h"

#define LARGEST 3 /* no point of a shape is farther from its place than this many times `width` */

/* Vertex attributes, as in mark.vert. */
enum { PLACE = 0, NORMAL, ALONG, NODES, START, END, SIZE, COLOUR };

#define TURN (2 * GLM_PIf)

/* ---- shapes: their axis is z, their unit is cab_mark.width ---- */

static cab_status add_cone(cab_surface *s, cab_error *error)
{
    const float out = 0.9231f, slope = -0.3846f; /* a unit vector: the normal of a cone 2.4 high */
    const cab_profile profile[] = {
        {0, 0, out, slope, 0}, {1, 2.4f, out, slope, 0}, {1, 2.4f, 0, 1, 0}, {0, 2.4f, 0, 1, 0}};
    return cab_surface_add_lathe(s, profile, 4, 16, TURN, error);
}

static cab_status add_block(cab_surface *s, cab_error *error)
{
    return cab_surface_add_box(s, (vec3){1, 1, 1.5f}, 0.15f, error);
}

static cab_status add_ball(cab_surface *s, cab_error *error)
{
    return cab_surface_add_ball(s, 1, 20, error);
}

/* A part of a ring: `angle` of a whole turn in `sides` steps. `thick` is half its thickness. */
enum { RING_POINTS = 9 };
static cab_status add_ring(cab_surface *s, float radius, float thick, int sides, float angle,
                           cab_error *error)
{
    cab_profile profile[RING_POINTS];
    for (int i = 0; i < RING_POINTS; i++) {
        float a = TURN * (float)i / (RING_POINTS - 1), c = cosf(a), n = sinf(a);
        profile[i] = (cab_profile){radius + thick * c, thick * n, c, n, 0};
    }
    return cab_surface_add_lathe(s, profile, RING_POINTS, sides, angle, error);
}

/* A coil: a ring of several turns that is drawn out along the axis. A spring without length is a ring. */
static cab_status add_spring(cab_surface *s, cab_error *error)
{
    enum { TURNS = 6, SIDES = 20 * TURNS };
    int first = s->vertex_count;
    cab_status status = add_ring(s, 1, 0.16f, SIDES, TURNS * TURN, error);
    for (int i = first; i < s->vertex_count; i++)
        s->vertices[i].along = (float)((i - first) / RING_POINTS) / SIDES;
    return status;
}

static cab_status add_rod(cab_surface *s, cab_error *error)
{
    const cab_profile profile[] = {{0, 0, 0, -1, 0}, {1, 0, 0, -1, 0}, {1, 0, 1, 0, 0},
                                   {1, 0, 1, 0, 1},  {1, 0, 0, 1, 1},  {0, 0, 0, 1, 1}};
    return cab_surface_add_lathe(s, profile, 6, 10, TURN, error);
}

static cab_status add_arrow(cab_surface *s, cab_error *error)
{
    const float slope = 0.3162f,
                out = 0.9487f; /* a unit vector: the normal of a head three times as long as half its width */
    const cab_profile profile[] = {{0, 0, 0, -1, 0},       {1, 0, 0, -1, 0},         {1, 0, 1, 0, 0},
                                   {1, -9, 1, 0, 1},       {1, -9, 0, -1, 1},        {3, -9, 0, -1, 1},
                                   {3, -9, out, slope, 1}, {0.01f, 0, out, slope, 1}};
    return cab_surface_add_lathe(s, profile, 8, 20, TURN, error);
}

/* Most of a ring, and a head at its end, in the direction in which it goes round. */
static cab_status add_arc(cab_surface *s, cab_error *error)
{
    const float thick = 0.055f, slope = 0.3162f, out = 0.9487f;
    const cab_profile head[] = {{0, 0, 0, -1, 0},
                                {3 * thick, 0, 0, -1, 0},
                                {3 * thick, 0, out, slope, 0},
                                {0, 9 * thick, out, slope, 0}};
    cab_status status = add_ring(s, 1, thick, 48, 0.7f * TURN, error);
    int first = s->vertex_count;
    if (!status) status = cab_surface_add_lathe(s, head, 4, 16, TURN, error);
    float c = cosf(0.7f * TURN), n = sinf(0.7f * TURN); /* turns x outwards, and z along the ring */
    const float turn[3][3] = {{c, 0, -n}, {n, 0, c}, {0, -1, 0}};
    if (!status) cab_surface_place(s, first, turn, (vec3){c, n, 0});
    return status;
}

/* Two crossed bars; mark.vert turns them to face the eye. */
static cab_status add_cross(cab_surface *s, cab_error *error)
{
    const float h = 0.70711f;
    cab_status status = CAB_OK;
    for (int i = 0; !status && i < 2; i++) {
        float sign = i ? -h : h;
        const float turn[3][3] = {{h, -sign, 0}, {sign, h, 0}, {0, 0, 1}};
        int first = s->vertex_count;
        status = cab_surface_add_box(s, (vec3){1, 0.21f, 0.21f}, 0.06f, error);
        if (!status) cab_surface_place(s, first, turn, (vec3){0, 0, 0});
    }
    return status;
}

static const struct {
    cab_status (*add)(cab_surface *surface, cab_error *error);
    bool is_long; /* from start to end; the others are only at their start */
} shapes[CAB_MARK_COUNT] = {
    [CAB_MARK_CONE] = {add_cone, false}, [CAB_MARK_BLOCK] = {add_block, false},
    [CAB_MARK_BALL] = {add_ball, false}, [CAB_MARK_SPRING] = {add_spring, true},
    [CAB_MARK_ROD] = {add_rod, true},    [CAB_MARK_ARROW] = {add_arrow, true},
    [CAB_MARK_ARC] = {add_arc, false},   [CAB_MARK_CROSS] = {add_cross, false},
};

static cab_status make_shapes(cab_marks *m, cab_surface *surface, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; !status && i < CAB_MARK_COUNT; i++) {
        m->shapes[i].first = surface->index_count;
        status = shapes[i].add(surface, error);
        m->shapes[i].count = surface->index_count - m->shapes[i].first;
    }
    return status;
}

/* ---- OpenGL ---- */

static void describe_vertices(void)
{
    size_t stride = sizeof(cab_surface_vertex);
    cab_gl_attribute(PLACE, 3, GL_FLOAT, stride, offsetof(cab_surface_vertex, place));
    cab_gl_attribute(NORMAL, 3, GL_FLOAT, stride, offsetof(cab_surface_vertex, normal));
    cab_gl_attribute(ALONG, 1, GL_FLOAT, stride, offsetof(cab_surface_vertex, along));
}

/* Attributes of the instances, beginning with mark `first`. */
static void describe_instances(size_t first)
{
    size_t stride = sizeof(cab_mark), at = first * stride;
    cab_gl_attribute(NODES, 2, GL_INT, stride, at + offsetof(cab_mark, from));
    cab_gl_attribute(START, 3, GL_FLOAT, stride, at + offsetof(cab_mark, start));
    cab_gl_attribute(END, 3, GL_FLOAT, stride, at + offsetof(cab_mark, end));
    cab_gl_attribute(SIZE, 2, GL_FLOAT, stride, at + offsetof(cab_mark, width));
    cab_gl_attribute(COLOUR, 4, GL_UNSIGNED_BYTE, stride, at + offsetof(cab_mark, colour));
}

static void start_buffers(cab_marks *m, const cab_surface *surface)
{
    glGenVertexArrays(1, &m->array);
    glGenBuffers(1, &m->vertices);
    glGenBuffers(1, &m->indices);
    glGenBuffers(1, &m->instances);
    glBindVertexArray(m->array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof *surface->indices * surface->index_count,
                 surface->indices, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, m->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof *surface->vertices * surface->vertex_count,
                 surface->vertices, GL_STATIC_DRAW);
    describe_vertices();
    for (GLuint i = NODES; i <= COLOUR; i++) glVertexAttribDivisor(i, 1);
}

cab_status cab_marks_create(cab_marks *m, cab_error *error)
{
    *m = (cab_marks){.program = cab_gl_program("mark.vert", "mark.frag", NULL, error)};
    if (!m->program) return CAB_ERROR_DEVICE;
    cab_surface surface = {0};
    cab_status status = make_shapes(m, &surface, error);
    if (!status) start_buffers(m, &surface);
    cab_surface_free(&surface);
    return status ? status : cab_gl_check("marks", error);
}

cab_status cab_marks_load(cab_marks *m, const cab_scene *scene, const cab_world *world, cab_error *error)
{
    m->size = 0;
    return cab_mark_list_start(&m->list, scene, world, error);
}

/* Adds a box of half the width `room` around an end of a mark. */
static void add_end(cab_bounds *bounds, int32_t node, const float shift[3], const float (*rows)[4],
                    float room)
{
    for (int side = -1; side <= 1; side += 2) {
        vec3 place;
        for (int k = 0; k < 3; k++)
            place[k] = shift[k] + (float)side * room + (node >= 0 ? rows[node][k] : 0);
        cab_bounds_add(bounds, place);
    }
}

static void take_in_end(cab_framing *fit, int32_t node, const float shift[3], const float (*rows)[4],
                        const cab_bounds *zone, float radius)
{
    vec3 place;
    for (int k = 0; k < 3; k++) {
        place[k] = shift[k] + (node >= 0 ? rows[node][k] : 0);
        if (zone && (place[k] < zone->lo[k] || place[k] > zone->hi[k])) return;
    }
    cab_framing_add(fit, place, radius);
}

void cab_marks_take_in(const cab_marks *m, const float (*rows)[4], const cab_bounds *zone, cab_framing *fit)
{
    for (int i = 0; i < CAB_MARK_COUNT; i++) {
        for (int k = 0; k < m->list.count[i] && i != CAB_MARK_ROD; k++) {
            const cab_mark *mark = &m->list.marks[i][k];
            take_in_end(fit, mark->from, mark->start, rows, zone, LARGEST * mark->width);
            if (shapes[i].is_long) take_in_end(fit, mark->to, mark->end, rows, zone, mark->width);
        }
    }
}

cab_status cab_marks_update(cab_marks *m, const cab_scene *scene, const cab_world *world,
                            const float (*rows)[4], cab_bounds *bounds, cab_error *error)
{
    if (m->size == 0 && !cab_bounds_is_empty(bounds)) m->size = glm_vec3_distance(bounds->lo, bounds->hi);
    cab_status status = cab_mark_list_make(&m->list, scene, world, m->size, error);
    if (status) return status;
    size_t total = 0, at = 0;
    for (int i = 0; i < CAB_MARK_COUNT; i++) total += (size_t)m->list.count[i];
    glBindBuffer(GL_ARRAY_BUFFER, m->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(total * sizeof(cab_mark)), NULL, GL_STREAM_DRAW);
    for (int i = 0; i < CAB_MARK_COUNT; i++) {
        size_t bytes = (size_t)m->list.count[i] * sizeof(cab_mark);
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)at, (GLsizeiptr)bytes, m->list.marks[i]);
        at += bytes;
        /* as large as in the scene: small marks are drawn larger, which may be cut off */
        for (int k = 0; k < m->list.count[i]; k++) {
            const cab_mark *mark = &m->list.marks[i][k];
            add_end(bounds, mark->from, mark->start, rows, mark->width);
            if (shapes[i].is_long) add_end(bounds, mark->to, mark->end, rows, mark->width);
        }
    }
    return CAB_OK;
}

void cab_marks_draw(const cab_marks *m, bool dark)
{
    size_t first = 0;
    glUseProgram(m->program);
    glUniform1i(glGetUniformLocation(m->program, "dark"), dark);
    GLint facing = glGetUniformLocation(m->program, "facing");
    glBindVertexArray(m->array);
    glBindBuffer(GL_ARRAY_BUFFER, m->instances);
    for (int i = 0; i < CAB_MARK_COUNT; i++) {
        int count = m->list.count[i];
        if (!count) continue;
        describe_instances(first);
        glUniform1i(facing, i == CAB_MARK_CROSS);
        glDrawElementsInstanced(GL_TRIANGLES, m->shapes[i].count, GL_UNSIGNED_INT,
                                cab_gl_offset((size_t)m->shapes[i].first * sizeof(uint32_t)), count);
        first += (size_t)count;
    }
}

void cab_marks_free(cab_marks *m)
{
    if (m->program) glDeleteProgram(m->program);
    if (m->array) glDeleteVertexArrays(1, &m->array);
    const GLuint buffers[3] = {m->vertices, m->indices, m->instances};
    glDeleteBuffers(3, buffers);
    cab_mark_list_free(&m->list);
    *m = (cab_marks){0};
}
