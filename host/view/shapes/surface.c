#include "view/shapes/surface.h"

#include <math.h>
#include <stdlib.h>

#include <cglm/cglm.h>

#include "base/array.h"
#include "base/vec3.h"

static cab_status grow(cab_surface *s, int vertices, int indices, cab_error *error)
{
    cab_status status = cab_array_room(&s->vertices, sizeof *s->vertices, &s->vertex_room,
                                       (long long)s->vertex_count + vertices, "a surface", error);
    if (status) return status;
    return cab_array_room(&s->indices, sizeof *s->indices, &s->index_room,
                          (long long)s->index_count + indices, "a surface", error);
}

static int add_vertex(cab_surface *s, const vec3 place, const vec3 normal, float along)
{
    cab_surface_vertex *v = &s->vertices[s->vertex_count];
    glm_vec3_copy((float *)place, v->place);
    glm_vec3_copy((float *)normal, v->normal);
    v->along = along;
    return s->vertex_count++;
}

static void add_triangle(cab_surface *s, int a, int b, int c)
{
    uint32_t *to = s->indices + s->index_count;
    to[0] = (uint32_t)a;
    to[1] = (uint32_t)b;
    to[2] = (uint32_t)c;
    s->index_count += 3;
}

/* Adds a triangle whose front is where its normals point, unless two corners are at the same place. */
static void add_facing(cab_surface *s, int a, int b, int c)
{
    const cab_surface_vertex *v = s->vertices;
    float *at[3] = {s->vertices[a].place, s->vertices[b].place, s->vertices[c].place};
    vec3 ab, ac, out, normal;
    glm_vec3_sub(at[1], at[0], ab);
    glm_vec3_sub(at[2], at[0], ac);
    ab[2] += v[b].along - v[a].along; /* whatever length a mark has, it is the same side */
    ac[2] += v[c].along - v[a].along;
    glm_vec3_cross(ab, ac, out);
    if (glm_vec3_norm2(out) < 1e-14f * glm_vec3_norm2(ab) * glm_vec3_norm2(ac) || glm_vec3_norm2(ab) == 0 ||
        glm_vec3_norm2(ac) == 0)
        return;
    glm_vec3_add((float *)v[a].normal, (float *)v[b].normal, normal);
    glm_vec3_add(normal, (float *)v[c].normal, normal);
    if (glm_vec3_dot(out, normal) < 0)
        add_triangle(s, a, c, b);
    else
        add_triangle(s, a, b, c);
}

cab_status cab_surface_add_lathe(cab_surface *s, const cab_profile *profile, int count, int sides,
                                 float angle, cab_error *error)
{
    cab_status status = grow(s, count * (sides + 1), 6 * (count - 1) * sides, error);
    if (status) return status;
    int first = s->vertex_count;
    for (int side = 0; side <= sides; side++) {
        float turn = angle * (float)side / (float)sides, cosine = cosf(turn), sine = sinf(turn);
        for (int i = 0; i < count; i++) {
            const cab_profile *p = &profile[i];
            add_vertex(s, (vec3){p->radius * cosine, p->radius * sine, p->height},
                       (vec3){p->normal_radius * cosine, p->normal_radius * sine, p->normal_height},
                       p->along);
        }
    }
    for (int side = 0; side < sides; side++) {
        for (int i = 0; i + 1 < count; i++) {
            int a = first + side * count + i, b = a + count;
            add_facing(s, a, b, a + 1);
            add_facing(s, b, b + 1, a + 1);
        }
    }
    return CAB_OK;
}

/* Half a circle from bottom to top, whose upper half is moved up by `up`. `rings` is even; the point in the
 * middle is there twice. */
static void round_profile(cab_profile *profile, int rings, float radius, float up)
{
    for (int i = 0; i <= rings + 1; i++) {
        int step = i <= rings / 2 ? i : i - 1;
        float angle = GLM_PIf * ((float)step / (float)rings - 0.5f), c = cosf(angle), s = sinf(angle);
        if (step == 0 || step == rings) c = 0;
        profile[i] = (cab_profile){radius * c, radius * s + (i <= rings / 2 ? 0 : up), c, s, 0};
    }
}

enum { MOST_RINGS = 64 };

static cab_status add_round(cab_surface *s, float radius, float up, int sides, cab_error *error)
{
    cab_profile profile[MOST_RINGS + 2];
    int rings = sides / 2 & ~1;
    if (rings > MOST_RINGS) rings = MOST_RINGS;
    round_profile(profile, rings, radius, up);
    return cab_surface_add_lathe(s, profile, rings + 2, sides, 2 * GLM_PIf, error);
}

cab_status cab_surface_add_ball(cab_surface *s, float radius, int sides, cab_error *error)
{
    return add_round(s, radius, 0, sides, error);
}

void cab_surface_place(cab_surface *s, int first, const float turn[3][3], const float shift[3])
{
    for (int i = first; i < s->vertex_count; i++) {
        cab_surface_vertex *v = &s->vertices[i];
        vec3 place, normal;
        for (int k = 0; k < 3; k++) {
            place[k] = glm_vec3_dot((float *)turn[k], v->place) + shift[k];
            normal[k] = glm_vec3_dot((float *)turn[k], v->normal);
        }
        glm_vec3_copy(place, v->place);
        glm_vec3_copy(normal, v->normal);
    }
}

/* Turns what stands on the z axis from `first` on so that it stands on that through `to`. */
static void stand_on(cab_surface *s, int first, const float to[3])
{
    vec3 axis, x, y;
    glm_vec3_scale((float *)to, 1 / glm_vec3_norm((float *)to), axis);
    glm_vec3_ortho(axis, x);
    glm_vec3_normalize(x);
    glm_vec3_cross(axis, x, y);
    float turn[3][3];
    for (int k = 0; k < 3; k++) {
        turn[k][0] = x[k];
        turn[k][1] = y[k];
        turn[k][2] = axis[k];
    }
    cab_surface_place(s, first, turn, (vec3){0, 0, 0});
}

cab_status cab_surface_add_capsule(cab_surface *s, const float to[3], float radius, int sides,
                                   cab_error *error)
{
    int first = s->vertex_count;
    float length = glm_vec3_norm((float *)to);
    cab_status status = add_round(s, radius, length, sides, error);
    if (!status && length > 0) stand_on(s, first, to);
    return status;
}

cab_status cab_surface_add_cylinder(cab_surface *s, const float to[3], float radius, float bevel, int sides,
                                    cab_error *error)
{
    int first = s->vertex_count;
    float length = glm_vec3_norm((float *)to);
    const cab_profile profile[] = {{0, 0, 0, -1, 0},
                                   {radius - bevel, 0, 0, -1, 0},
                                   {radius, bevel, 1, 0, 0},
                                   {radius, length - bevel, 1, 0, 0},
                                   {radius - bevel, length, 0, 1, 0},
                                   {0, length, 0, 1, 0}};
    cab_status status =
        cab_surface_add_lathe(s, profile, (int)(sizeof profile / sizeof *profile), sides, 2 * GLM_PIf, error);
    if (!status) stand_on(s, first, to);
    return status;
}

/* A corner of the box on the face across `axis`. Bit k of `corner`: on the upper side along axis k. */
static void add_box_vertex(cab_surface *s, const float half[3], float bevel, int corner, int axis)
{
    vec3 place, normal = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        float sign = corner >> k & 1 ? 1 : -1;
        place[k] = sign * (k == axis ? half[k] : half[k] - bevel);
        if (k == axis) normal[k] = sign;
    }
    add_vertex(s, place, normal, 0);
}

static void add_quad(cab_surface *s, int a, int b, int c, int d)
{
    add_facing(s, a, b, c);
    add_facing(s, a, c, d);
}

cab_status cab_surface_add_box(cab_surface *s, const float half[3], float bevel, cab_error *error)
{
    cab_status status = grow(s, 24, 6 * (6 + 12) + 3 * 8, error);
    if (status) return status;
    int v = s->vertex_count; /* vertex v + 3 corner + axis is that corner on the face across that axis */
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++) add_box_vertex(s, half, bevel, corner, axis);
    for (int axis = 0; axis < 3; axis++) {
        int u = 1 << (axis + 1) % 3, w = 1 << (axis + 2) % 3;
        for (int up = 0; up < 2; up++) { /* faces */
            int c = up << axis;
            add_quad(s, v + 3 * c + axis, v + 3 * (c + u) + axis, v + 3 * (c + u + w) + axis,
                     v + 3 * (c + w) + axis);
        }
        for (int i = 0; i < 4; i++) { /* edges along the axis, between the faces across the other two */
            int c = (i & 1 ? u : 0) + (i & 2 ? w : 0), d = c + (1 << axis);
            int one = (axis + 1) % 3, two = (axis + 2) % 3;
            add_quad(s, v + 3 * c + one, v + 3 * d + one, v + 3 * d + two, v + 3 * c + two);
        }
    }
    for (int c = 0; c < 8; c++) add_facing(s, v + 3 * c, v + 3 * c + 1, v + 3 * c + 2);
    return CAB_OK;
}

void cab_surface_free(cab_surface *s)
{
    CAB_FREE(s->vertices, s->indices);
    *s = (cab_surface){0};
}

/* ---- meshes ---- */

/* An edge of a triangle. Edges of two triangles are the same when their ends are. */
typedef struct side {
    int low, high;               /* its vertices, the smaller index first */
    int low_corner, high_corner; /* the corners there: 3 triangle + corner */
} side;

typedef struct smoothing {
    int *vertex;  /* [vertices] the first vertex at the same place */
    int *group;   /* [corners] groups of corners that share a normal: a forest, whose roots stand for them */
    vec3 *normal; /* [triangles] a unit vector; 0 = no area */
    vec3 *sum;    /* [corners] of the normals of a group, at its root */
    int *made;    /* [corners] vertex of the surface, at a root; -1 = none yet */
    side *sides;  /* [corners] */
} smoothing;

static int root_of(int *group, int i)
{
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
}

static void unite(int *group, int a, int b)
{
    a = root_of(group, a);
    b = root_of(group, b);
    if (a < b)
        group[b] = a;
    else
        group[a] = b;
}

static const cab_vec3 *sorted_places; /* qsort() has no parameter for it, and only one thread draws */

static int by_place(const void *x, const void *y)
{
    const cab_vec3 *a = &sorted_places[*(const int *)x], *b = &sorted_places[*(const int *)y];
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    if (a->z != b->z) return a->z < b->z ? -1 : 1;
    return *(const int *)x - *(const int *)y;
}

/* Files such as STL repeat a vertex for each triangle. */
static void find_equal(const cab_mesh *mesh, int *order, int *vertex)
{
    for (int i = 0; i < mesh->vertex_count; i++) order[i] = i;
    sorted_places = mesh->vertices;
    qsort(order, (size_t)mesh->vertex_count, sizeof *order, by_place);
    for (int i = 0, first = 0; i < mesh->vertex_count; i++) {
        const cab_vec3 *a = &mesh->vertices[order[first]], *b = &mesh->vertices[order[i]];
        if (a->x != b->x || a->y != b->y || a->z != b->z) first = i;
        vertex[order[i]] = order[first];
    }
}

/* Normal of a triangle, and its angles. */
static void face_normal(const cab_mesh *mesh, int triangle, vec3 normal, float angle[3])
{
    cab_vec3 p[3];
    for (int k = 0; k < 3; k++) p[k] = mesh->vertices[mesh->triangles[3 * triangle + k]];
    cab_vec3 across = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        cab_vec3 u = cab_vec3_sub(p[(k + 1) % 3], p[k]), w = cab_vec3_sub(p[(k + 2) % 3], p[k]);
        across = cab_vec3_cross(u, w);
        angle[k] = (float)atan2(cab_vec3_length(across), cab_vec3_dot(u, w));
    }
    double length = cab_vec3_length(across);
    cab_vec3 unit = {0, 0, 0};
    if (length > 0) unit = (cab_vec3){across.x / length, across.y / length, across.z / length};
    cab_vec3_to_floats(unit, normal);
}

static int by_ends(const void *x, const void *y)
{
    const side *a = x, *b = y;
    if (a->low != b->low) return a->low - b->low;
    if (a->high != b->high) return a->high - b->high;
    return a->low_corner - b->low_corner;
}

static void find_sides(const cab_mesh *mesh, const int *vertex, side *sides)
{
    int corners = 3 * mesh->triangle_count;
    for (int i = 0; i < corners; i++) {
        int j = i % 3 == 2 ? i - 2 : i + 1;
        int a = vertex[mesh->triangles[i]], b = vertex[mesh->triangles[j]];
        sides[i] = a < b ? (side){a, b, i, j} : (side){b, a, j, i};
    }
    qsort(sides, (size_t)corners, sizeof *sides, by_ends);
}

/* Puts the corners of two triangles beside an edge into one group at both ends, unless it is a crease. */
static void join_smooth(const cab_mesh *mesh, smoothing *s, float least_cosine)
{
    int corners = 3 * mesh->triangle_count;
    for (int i = 0; i + 1 < corners; i++) {
        const side *a = &s->sides[i], *b = &s->sides[i + 1];
        if (a->low != b->low || a->high != b->high) continue;
        if (glm_vec3_dot(s->normal[a->low_corner / 3], s->normal[b->low_corner / 3]) < least_cosine) continue;
        unite(s->group, a->low_corner, b->low_corner);
        unite(s->group, a->high_corner, b->high_corner);
    }
}

static void make_normals(const cab_mesh *mesh, smoothing *s, double crease)
{
    int corners = 3 * mesh->triangle_count;
    float angle[3];
    for (int t = 0; t < mesh->triangle_count; t++) face_normal(mesh, t, s->normal[t], angle);
    find_sides(mesh, s->vertex, s->sides);
    for (int i = 0; i < corners; i++) s->group[i] = i;
    join_smooth(mesh, s, (float)cos(crease));
    /* weighted by angle, so that it does not matter how a face is cut into triangles */
    for (int t = 0; t < mesh->triangle_count; t++) {
        face_normal(mesh, t, s->normal[t], angle);
        for (int k = 0; k < 3; k++)
            glm_vec3_muladds(s->normal[t], angle[k], s->sum[root_of(s->group, 3 * t + k)]);
    }
}

static void add_smooth(cab_surface *surface, const cab_mesh *mesh, double scale, smoothing *s)
{
    int corners = 3 * mesh->triangle_count;
    for (int i = 0; i < corners; i++) s->made[i] = -1;
    for (int i = 0; i < corners; i++) {
        int root = root_of(s->group, i);
        if (s->made[root] < 0) {
            vec3 place, normal;
            cab_vec3_to_floats(cab_vec3_scale(scale, mesh->vertices[mesh->triangles[i]]), place);
            glm_vec3_normalize_to(s->sum[root], normal);
            s->made[root] = add_vertex(surface, place, normal, 0);
        }
        surface->indices[surface->index_count++] = (uint32_t)s->made[root];
    }
}

cab_status cab_surface_add_mesh(cab_surface *surface, const cab_mesh *mesh, double scale, double crease,
                                cab_error *error)
{
    size_t corners = 3 * (size_t)mesh->triangle_count, vertices = (size_t)mesh->vertex_count;
    size_t room = corners > vertices ? corners : vertices;
    smoothing s = {.vertex = calloc(vertices + 1, sizeof *s.vertex),
                   .group = calloc(room + 1, sizeof *s.group),
                   .normal = calloc(corners / 3 + 1, sizeof *s.normal),
                   .sum = calloc(corners + 1, sizeof *s.sum),
                   .made = calloc(corners + 1, sizeof *s.made),
                   .sides = calloc(corners + 1, sizeof *s.sides)};
    cab_status status = grow(surface, (int)corners, (int)corners, error);
    if (!status && (!s.vertex || !s.group || !s.normal || !s.sum || !s.made || !s.sides))
        status = cab_fail_memory(error, "a mesh", corners * sizeof *s.sides);
    if (!status) {
        find_equal(mesh, s.group, s.vertex);
        make_normals(mesh, &s, crease);
        add_smooth(surface, mesh, scale, &s);
    }
    CAB_FREE(s.vertex, s.group, s.normal, s.sum, s.made, s.sides);
    return status;
}
