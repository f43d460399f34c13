#include "view/draw/solids.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include <cglm/cglm.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/body_shape.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "model/sheave.h"
#include "view/gl/gl.h"
#include "view/shapes/surface.h"

enum { PLACE = 0, NORMAL }; /* vertex attributes, as in solid.vert */

/* Faces of a mesh that meet at less than 35 degrees (here in rad) are taken for a round surface: those of a
 * prism of twelve sides (30 degrees) are, those of a prism of six sides (60 degrees) are not. */
#define CREASE 0.61
#define BEVEL 0.06f   /* part of a box's smallest half edge: large enough to be seen */
#define LEVEL 0.9999f /* z of a plane's normal from which on the plane is level, and a part of the ground */

/* A body of many shapes has them from few sides. */
enum { ROUND_SIDES = 96, FEW_SIDES = 24, MANY_SHAPES = 64, MOST_OTHERS = 16 /* as in plane.frag */ };

/* sRGB: colliders are grey; bodies, which move by themselves, are told from them. */
static const vec3 collider_paint = {0.70f, 0.70f, 0.69f}, body_paint = {0.80f, 0.70f, 0.52f};

cab_status cab_solids_create(cab_solids *s, cab_error *error)
{
    *s = (cab_solids){0};
    cab_status status = cab_gl_pass_programs(s->programs, "solid.vert", "solid.frag", "", error);
    if (status) return status;
    s->plane_program = cab_gl_program("plane.vert", "plane.frag", NULL, error);
    if (!s->plane_program) return CAB_ERROR_DEVICE;
    glGenVertexArrays(1, &s->plane_array);
    glGenVertexArrays(1, &s->array);
    glGenBuffers(1, &s->vertices);
    glGenBuffers(1, &s->indices);
    glBindVertexArray(s->array);
    glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    size_t stride = sizeof(cab_surface_vertex);
    cab_gl_attribute(PLACE, 3, GL_FLOAT, stride, offsetof(cab_surface_vertex, place));
    cab_gl_attribute(NORMAL, 3, GL_FLOAT, stride, offsetof(cab_surface_vertex, normal));
    return cab_gl_check("solids", error);
}

/* The rotation matrix (its columns) of a quaternion w, x, y, z of any length. */
static void turn_of(const double q[4], mat3 turn)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    versor v = {(float)(q[1] / length), (float)(q[2] / length), (float)(q[3] / length),
                (float)(q[0] / length)};
    glm_quat_mat3(v, turn);
}

/* Turns a box or a mesh as its definition says, then moves it. */
static void turn_from(cab_surface *surface, int first, const double rotation[4], const vec3 shift)
{
    mat3 turn;
    turn_of(rotation, turn);
    float rows[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) rows[i][k] = turn[k][i];
    cab_surface_place(surface, first, rows, shift);
}

static float bevel_of(const vec3 half)
{
    return BEVEL * fminf(half[0], fminf(half[1], half[2]));
}

static cab_status add_cylinder(cab_surface *surface, const vec3 to, float radius, int sides, cab_error *error)
{
    float bevel = BEVEL * fminf(radius, glm_vec3_norm((float *)to) / 2);
    return cab_surface_add_cylinder(surface, to, radius, bevel, sides, error);
}

/* About the axis from the origin to `to`. */
static cab_status add_sheave(cab_surface *surface, cab_vec3 from, cab_vec3 to, double radius,
                             const cab_groove *groove, int sides, cab_error *error)
{
    cab_sheave sheave = cab_sheave_of(from, to, radius, groove);
    cab_mesh mesh;
    cab_status status = cab_sheave_mesh(&sheave, cab_vec3_sub(to, from), sides, &mesh, error);
    if (!status) status = cab_surface_add_mesh(surface, &mesh, 1, CREASE, error);
    cab_mesh_free(&mesh);
    return status;
}

/* In the collider's own coordinates. */
static cab_status add_shape(cab_surface *surface, const cab_collider_def *def, int sides, cab_error *error)
{
    int first = surface->vertex_count;
    vec3 size;
    cab_status status;
    switch (def->shape) {
    case CAB_SHAPE_SPHERE:
        return cab_surface_add_ball(surface, (float)def->radius, sides, error);
    case CAB_SHAPE_CAPSULE:
        cab_vec3_to_floats(cab_vec3_sub(def->to, def->center), size);
        return cab_surface_add_capsule(surface, size, (float)def->radius, sides, error);
    case CAB_SHAPE_CYLINDER:
        cab_vec3_to_floats(cab_vec3_sub(def->to, def->center), size);
        return add_cylinder(surface, size, (float)def->radius, sides, error);
    case CAB_SHAPE_SHEAVE:
        return add_sheave(surface, def->center, def->to, def->radius, &def->groove, sides, error);
    case CAB_SHAPE_BOX:
        cab_vec3_to_floats(def->half_extents, size);
        status = cab_surface_add_box(surface, size, bevel_of(size), error);
        break;
    default:
        status = cab_surface_add_mesh(surface, &def->mesh, def->scale, CREASE, error);
    }
    if (!status) turn_from(surface, first, def->rotation, (vec3){0, 0, 0});
    return status;
}

/* In the body's own axes. */
static cab_status add_body_shape(cab_surface *surface, const cab_body_shape_def *shape, int sides,
                                 cab_error *error)
{
    static const double none[4] = {1, 0, 0, 0};
    cab_collider_def def = cab_body_shape_collider(shape);
    int first = surface->vertex_count;
    vec3 center;
    cab_vec3_to_floats(def.center, center);
    cab_status status = add_shape(surface, &def, sides, error);
    if (!status) turn_from(surface, first, none, center);
    return status;
}

/* The triangles from `vertex` and `first` on. */
static cab_solid solid_of(const cab_surface *surface, int vertex, int first)
{
    cab_solid solid = {.collider = -1,
                       .body = -1,
                       .first = first,
                       .count = surface->index_count - first,
                       .local = cab_bounds_empty()};
    for (int i = vertex; i < surface->vertex_count; i++)
        cab_bounds_add(&solid.local, surface->vertices[i].place);
    return solid;
}

static cab_status add_solid(cab_solids *s, cab_surface *surface, const cab_collider_def *def, int collider,
                            cab_error *error)
{
    int vertex = surface->vertex_count, first = surface->index_count;
    cab_status status = add_shape(surface, def, ROUND_SIDES, error);
    if (status) return status;
    cab_solid *solid = &s->solids[s->solid_count++];
    *solid = solid_of(surface, vertex, first);
    solid->collider = collider;
    cab_vec3_to_floats(def->center, solid->point);
    return CAB_OK;
}

/* Copies of a body, which come one after the other, share their triangles. */
static cab_status add_bodies(cab_solids *s, cab_surface *surface, const cab_scene *scene,
                             const cab_body_info *infos, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < s->body_count; i++) {
        const cab_body_def *def = &scene->bodies[infos[i].body];
        int vertex = surface->vertex_count, first = surface->index_count;
        if (def->shape_count == 0) continue;
        cab_solid *solid = &s->solids[s->solid_count++];
        if (i > 0 && infos[i - 1].body == infos[i].body) {
            *solid = solid[-1];
            solid->body = i;
            continue;
        }
        int sides = def->shape_count > MANY_SHAPES ? FEW_SIDES : ROUND_SIDES;
        for (int k = 0; k < def->shape_count && !status; k++)
            status = add_body_shape(surface, &def->shapes[k], sides, error);
        if (status) return status;
        *solid = solid_of(surface, vertex, first);
        solid->body = i;
        solid->moves = !cab_body_is_led(def);
    }
    return CAB_OK;
}

static void add_plane(cab_solids *s, const cab_collider_def *def, int collider)
{
    cab_plane plane = {.collider = collider};
    cab_vec3_to_floats(def->center, plane.point);
    cab_vec3_to_floats(def->normal, plane.normal);
    glm_vec3_normalize(plane.normal);
    cab_plane *to = &s->planes[s->plane_count++];
    if (plane.normal[2] < LEVEL) { /* tilted ones come before level ones */
        *to = s->planes[s->tilted_count];
        to = &s->planes[s->tilted_count++];
    }
    *to = plane;
}

static void forget(cab_solids *s)
{
    CAB_FREE(s->solids, s->planes, s->readings);
    cab_surface_free(&s->surface);
    s->surface = (cab_surface){0};
    s->solids = NULL;
    s->planes = NULL;
    s->readings = NULL;
    s->solid_count = s->plane_count = s->tilted_count = s->body_count = 0;
}

static cab_status add_all(cab_solids *s, cab_surface *surface, const cab_scene *scene, const cab_world *world,
                          cab_error *error)
{
    cab_body_info *infos = NULL;
    size_t room = (size_t)scene->collider_count + 1;
    s->body_count = cab_world_get_bodies(world, NULL, 0);
    cab_status status = CAB_NEW(s->solids, room + (size_t)s->body_count, error);
    if (!status) status = CAB_NEW(s->planes, room, error);
    if (!status) status = CAB_NEW(s->readings, s->body_count, error);
    if (!status) status = CAB_NEW(infos, s->body_count, error);
    for (int i = 0; !status && i < scene->collider_count; i++) {
        const cab_collider_def *def = &scene->colliders[i];
        if (def->shape == CAB_SHAPE_PLANE)
            add_plane(s, def, i);
        else
            status = add_solid(s, surface, def, i, error);
    }
    if (!status) {
        cab_world_get_bodies(world, infos, s->body_count);
        status = add_bodies(s, surface, scene, infos, error);
    }
    CAB_FREE(infos);
    return status;
}

cab_status cab_solids_load(cab_solids *s, const cab_scene *scene, const cab_world *world, cab_error *error)
{
    cab_surface *surface = &s->surface;
    forget(s);
    cab_status status = add_all(s, surface, scene, world, error);
    if (!status) {
        glBindVertexArray(s->array);
        glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof *surface->vertices * surface->vertex_count,
                     surface->vertices, GL_STATIC_DRAW);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof *surface->indices * surface->index_count,
                     surface->indices, GL_STATIC_DRAW);
    } else {
        forget(s);
    }
    return status;
}

static void add_placed(cab_bounds *bounds, const cab_solid *solid)
{
    for (int i = 0; i < 8; i++) {
        vec3 corner;
        cab_bounds_corner(&solid->local, i, corner);
        glm_mat4_mulv3((vec4 *)solid->place, corner, 1, corner);
        cab_bounds_add(bounds, corner);
    }
}

void cab_solids_take_in(const cab_solids *s, const cab_bounds *zone, cab_framing *fit)
{
    for (int i = 0; i < s->solid_count; i++) {
        cab_bounds all = cab_bounds_empty(), common;
        add_placed(&all, &s->solids[i]);
        common = cab_bounds_common(&all, zone);
        if (cab_bounds_is_empty(&common)) continue;
        cab_framing_add_box(fit, cab_bounds_largest(&all) > cab_bounds_largest(zone) ? &common : &all);
    }
}

static void put(cab_solid *solid, const double rotation[4], cab_vec3 position, const vec3 point)
{
    mat3 turn;
    vec3 shift;
    turn_of(rotation, turn);
    cab_vec3_to_floats(position, shift);
    glm_vec3_add(shift, (float *)point, shift);
    glm_mat4_identity(solid->place);
    glm_mat4_ins3(turn, solid->place);
    glm_vec3_copy(shift, solid->place[3]);
}

cab_status cab_solids_update(cab_solids *s, cab_world *world, cab_bounds *bounds, cab_error *error)
{
    cab_pose pose;
    vec3 shift;
    cab_status status = cab_world_read_bodies(world, s->readings, error);
    if (status) return status;
    for (int i = 0; i < s->solid_count; i++) {
        cab_solid *solid = &s->solids[i];
        if (solid->body >= 0) {
            const cab_body_reading *body = &s->readings[solid->body];
            put(solid, body->rotation, body->position, solid->point);
        } else {
            if (!cab_world_get_collider(world, solid->collider, &pose)) continue;
            put(solid, pose.rotation, pose.position, solid->point);
        }
        add_placed(bounds, solid);
    }
    for (int i = 0; i < s->plane_count; i++) {
        cab_plane *plane = &s->planes[i];
        if (!cab_world_get_collider(world, plane->collider, &pose)) continue;
        cab_vec3_to_floats(pose.position, shift);
        glm_vec3_add(plane->point, shift, plane->now);
    }
    return CAB_OK;
}

bool cab_solids_floor(const cab_solids *s, float *height)
{
    bool any = false;
    for (int i = s->tilted_count; i < s->plane_count; i++) {
        *height = any ? fmaxf(*height, s->planes[i].now[2]) : s->planes[i].now[2];
        any = true;
    }
    return any;
}

void cab_solids_draw(const cab_solids *s, cab_pass pass)
{
    if (!s->solid_count) return;
    GLint place = glGetUniformLocation(s->programs[pass], "place");
    GLint paint = glGetUniformLocation(s->programs[pass], "paint"); /* -1, which is passed over, in shadows */
    glUseProgram(s->programs[pass]);
    glBindVertexArray(s->array);
    for (int i = 0; i < s->solid_count; i++) {
        const cab_solid *solid = &s->solids[i];
        glUniform3fv(paint, 1, solid->body >= 0 ? body_paint : collider_paint);
        glUniformMatrix4fv(place, 1, GL_FALSE, solid->place[0]);
        glDrawElements(GL_TRIANGLES, solid->count, GL_UNSIGNED_INT,
                       cab_gl_offset((size_t)solid->first * sizeof(uint32_t)));
    }
}

/* Two axes in the plane, a level one and that of the slope, and its normal. */
static void plane_axes(const cab_plane *plane, mat3 axes)
{
    vec3 up = {0, 0, 1};
    if (fabsf(plane->normal[2]) > LEVEL) glm_vec3_copy((vec3){0, 1, 0}, up);
    glm_vec3_cross(up, (float *)plane->normal, axes[0]);
    glm_vec3_normalize(axes[0]);
    glm_vec3_cross((float *)plane->normal, axes[0], axes[1]);
    glm_vec3_copy((float *)plane->normal, axes[2]);
}

/* Passes on the other planes: what is behind one of them is not drawn. */
static void set_others(const cab_solids *s, int but)
{
    vec4 others[MOST_OTHERS];
    int count = 0;
    for (int i = 0; i < s->plane_count && count < MOST_OTHERS; i++) {
        const cab_plane *p = &s->planes[i];
        if (i != but)
            glm_vec4((float *)p->normal, glm_vec3_dot((float *)p->normal, (float *)p->now), others[count++]);
    }
    glUniform1i(glGetUniformLocation(s->plane_program, "other_count"), count);
    if (count) glUniform4fv(glGetUniformLocation(s->plane_program, "others"), count, others[0]);
}

void cab_solids_draw_planes(const cab_solids *s, const cab_bounds *bounds, float step, const cab_look *look)
{
    if (!s->tilted_count || cab_bounds_is_empty(bounds)) return;
    vec3 middle, extent;
    glm_vec3_center((float *)bounds->lo, (float *)bounds->hi, middle);
    glm_vec3_sub((float *)bounds->hi, (float *)bounds->lo, extent);
    float grey = cab_look_ground_grey(look);
    glUseProgram(s->plane_program);
    glUniform3f(glGetUniformLocation(s->plane_program, "plane_colour"), grey, grey, grey);
    GLint place = glGetUniformLocation(s->plane_program, "middle");
    GLint turn = glGetUniformLocation(s->plane_program, "axes");
    GLint grid = glGetUniformLocation(s->plane_program, "grid");
    glBindVertexArray(s->plane_array);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < s->tilted_count; i++) {
        const cab_plane *plane = &s->planes[i];
        mat3 axes;
        vec3 off, foot;
        plane_axes(plane, axes);
        glm_vec3_sub(middle, (float *)plane->now, off);
        glm_vec3_copy(middle, foot);
        glm_vec3_muladds((float *)plane->normal, -glm_vec3_dot(off, (float *)plane->normal), foot);
        glm_vec3_sub(foot, (float *)plane->now, off);
        glUniform4f(place, foot[0], foot[1], foot[2], 1.4f * glm_vec3_norm(extent));
        glUniformMatrix3fv(turn, 1, GL_FALSE, axes[0]);
        glUniform4f(grid, step, look->grid ? 1 : 0, glm_vec3_dot(off, axes[0]), glm_vec3_dot(off, axes[1]));
        set_others(s, i);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
}

void cab_solids_free(cab_solids *s)
{
    for (int i = 0; i < CAB_PASS_COUNT; i++) glDeleteProgram(s->programs[i]);
    if (s->plane_program) glDeleteProgram(s->plane_program);
    if (s->array) glDeleteVertexArrays(1, &s->array);
    if (s->plane_array) glDeleteVertexArrays(1, &s->plane_array);
    if (s->vertices) glDeleteBuffers(1, &s->vertices);
    if (s->indices) glDeleteBuffers(1, &s->indices);
    forget(s);
    *s = (cab_solids){0};
}
