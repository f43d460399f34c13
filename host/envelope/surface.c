#include "envelope/surface.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"

/* In cells: no value is nearer to 0, so that points on different edges stay apart and no triangle is without an area. */
#define LEAST 0.01

/* A block with the points behind its ends, which its last cubes end at. */
enum { SIDE = CAB_DISTANCES_SIDE, WIDE = SIDE + 1, WIDE_POINTS = WIDE * WIDE * WIDE };

/* What a block's points own: the vertices on the edges from a point to the seven that are ahead of it in the cubes. Direction d is
 * 1 for x, 2 for y, 4 for z, added up. */
typedef struct owned {
    int first[CAB_DISTANCES_POINTS];         /* vertex of the point's first edge that has one */
    unsigned char has[CAB_DISTANCES_POINTS]; /* bit d - 1: its edge in direction d has one */
} owned;

/* Where a block is, and which. */
typedef struct place {
    int at[3], block;
} place;

typedef struct march {
    const cab_distances *field;
    place *order; /* [count] */
    owned *owned; /* [count] */
    cab_mesh *mesh;
    int vertex_room, triangle_room; /* of numbers, three a triangle */
    int corners;                    /* numbers that there are */
    float value[WIDE_POINTS];       /* of the block that is looked at */
    int first[WIDE_POINTS];
    unsigned char has[WIDE_POINTS];
} march;

static int by_place(const void *a, const void *b)
{
    const int *p = ((const place *)a)->at, *q = ((const place *)b)->at;
    for (int k = 2; k > 0; k--)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return (p[0] > q[0]) - (p[0] < q[0]);
}

static cab_status begin(march *m, cab_error *error)
{
    cab_status status = CAB_NEW(m->order, m->field->count, error);
    if (!status) status = CAB_NEW(m->owned, m->field->count, error);
    if (status) return status;
    for (int i = 0; i < m->field->count; i++) {
        const int *at = m->field->blocks[i].at;
        m->order[i] = (place){{at[0], at[1], at[2]}, i};
    }
    qsort(m->order, (size_t)m->field->count, sizeof *m->order, by_place);
    return CAB_OK;
}

static float off_zero(float value, double cell)
{
    float least = (float)(LEAST * cell);
    return value < 0 ? fminf(value, -least) : fmaxf(value, least);
}

/* Fills the wide block: its own points, and those of the seven blocks ahead. Where there is no block all is outside. */
static void load(march *m, const cab_distances_block *block)
{
    const cab_distances *field = m->field;
    for (int part = 0; part < 8; part++) {
        int ahead[3] = {part & 1, part >> 1 & 1, part >> 2};
        const cab_distances_block *from =
            part ? cab_distances_find(field, block->at[0] + ahead[0], block->at[1] + ahead[1],
                                      block->at[2] + ahead[2])
                 : block;
        const owned *own = from ? &m->owned[from - field->blocks] : NULL;
        int count[3];
        for (int k = 0; k < 3; k++) count[k] = ahead[k] ? 1 : SIDE;
        for (int z = 0; z < count[2]; z++)
            for (int y = 0; y < count[1]; y++)
                for (int x = 0; x < count[0]; x++) {
                    int here = (z * SIDE + y) * SIDE + x;
                    int wide =
                        ((z + SIDE * ahead[2]) * WIDE + y + SIDE * ahead[1]) * WIDE + x + SIDE * ahead[0];
                    m->value[wide] = off_zero(
                        from ? from->value[here] : (float)(CAB_DISTANCES_BAND * field->cell), field->cell);
                    m->first[wide] = own ? own->first[here] : 0;
                    m->has[wide] = own ? own->has[here] : 0;
                }
    }
}

/* How far ahead the point in a direction lies in the wide block. */
static int step_of(int direction)
{
    return ((direction >> 2) * WIDE + (direction >> 1 & 1)) * WIDE + (direction & 1);
}

/* ---- vertices ---- */

static cab_status add_vertex(march *m, const cab_distances_block *block, int x, int y, int z, int direction,
                             double part, cab_error *error)
{
    cab_mesh *mesh = m->mesh;
    cab_status status = CAB_ROOM(mesh->vertices, m->vertex_room, mesh->vertex_count + 1LL, error);
    if (status) return status;
    double cell = m->field->cell;
    mesh->vertices[mesh->vertex_count++] =
        (cab_vec3){(block->at[0] * SIDE + x + part * (direction & 1)) * cell,
                   (block->at[1] * SIDE + y + part * (direction >> 1 & 1)) * cell,
                   (block->at[2] * SIDE + z + part * (direction >> 2)) * cell};
    return CAB_OK;
}

static cab_status add_vertices(march *m, int index, cab_error *error)
{
    const cab_distances_block *block = &m->field->blocks[index];
    owned *own = &m->owned[index];
    cab_status status = CAB_OK;
    load(m, block);
    for (int i = 0; i < CAB_DISTANCES_POINTS && !status; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE), wide = (z * WIDE + y) * WIDE + x;
        float here = m->value[wide];
        own->first[i] = m->mesh->vertex_count;
        for (int d = 1; d < 8 && !status; d++) {
            float there = m->value[wide + step_of(d)];
            if ((here < 0) == (there < 0)) continue;
            own->has[i] |= (unsigned char)(1 << (d - 1));
            status = add_vertex(m, block, x, y, z, d, (double)here / ((double)here - (double)there), error);
        }
    }
    return status;
}

/* ---- triangles ---- */

/* The vertex between two corners of a cube, of which each has the directions of the first, or the other way round. `wide`: the
 * cube's first point. */
static int vertex_between(const march *m, int wide, int corner, int other)
{
    int low = corner < other ? corner : other, direction = corner ^ other;
    int owner = wide + step_of(low);
    unsigned before = m->has[owner] & ((1u << (direction - 1)) - 1);
    return m->first[owner] + __builtin_popcount(before);
}

static cab_status add_triangle(march *m, const int vertex[3], bool turned, cab_error *error)
{
    cab_mesh *mesh = m->mesh;
    cab_status status = CAB_ROOM(mesh->triangles, m->triangle_room, m->corners + 3LL, error);
    if (status) return status;
    int *to = mesh->triangles + m->corners;
    to[0] = vertex[0];
    to[1] = vertex[turned ? 2 : 1];
    to[2] = vertex[turned ? 1 : 2];
    m->corners += 3;
    mesh->triangle_count++;
    return CAB_OK;
}

/* For each set of inside corners of a tetrahedron, bit by bit: the corners, those inside first, in an order that keeps the
 * tetrahedron's handedness. */
static const signed char orders[16][4] = {
    [1] = {0, 1, 2, 3}, [2] = {1, 0, 3, 2}, [4] = {2, 0, 1, 3}, [8] = {3, 0, 2, 1},  [3] = {0, 1, 2, 3},
    [5] = {0, 2, 3, 1}, [9] = {0, 3, 1, 2}, [6] = {1, 2, 0, 3}, [10] = {1, 3, 2, 0}, [12] = {2, 3, 0, 1},
};

/* A tetrahedron by four corners of a cube; right-handed, or `turned`. */
static cab_status add_tetrahedron(march *m, int wide, const int corner[4], bool turned, cab_error *error)
{
    int inside = 0, count = 0;
    for (int i = 0; i < 4; i++)
        if (m->value[wide + step_of(corner[i])] < 0) inside |= 1 << i, count++;
    if (count == 0 || count == 4) return CAB_OK;
    if (count == 3) { /* as the one that is outside would be inside, seen from the other side */
        inside ^= 15;
        turned = !turned;
    }
    int c[4];
    for (int i = 0; i < 4; i++) c[i] = corner[orders[inside][i]];
    if (count != 2) {
        int one[3];
        for (int i = 0; i < 3; i++) one[i] = vertex_between(m, wide, c[0], c[i + 1]);
        return add_triangle(m, one, turned, error);
    }
    int a = vertex_between(m, wide, c[0], c[2]), b = vertex_between(m, wide, c[0], c[3]),
        d = vertex_between(m, wide, c[1], c[3]), e = vertex_between(m, wide, c[1], c[2]);
    cab_status status = add_triangle(m, (int[3]){a, b, d}, turned, error);
    return status ? status : add_triangle(m, (int[3]){a, d, e}, turned, error);
}

/* The ways from a cube's first corner to its last along three edges: a tetrahedron each, and all cubes are cut alike, so that
 * neighbours agree on their common faces. */
static cab_status add_cube(march *m, int wide, cab_error *error)
{
    static const struct {
        int corner[4];
        bool turned;
    } ways[6] = {{{0, 1, 3, 7}, false}, {{0, 2, 6, 7}, false}, {{0, 4, 5, 7}, false},
                 {{0, 2, 3, 7}, true},  {{0, 1, 5, 7}, true},  {{0, 4, 6, 7}, true}};
    int inside = 0;
    for (int corner = 0; corner < 8; corner++) inside += m->value[wide + step_of(corner)] < 0;
    cab_status status = CAB_OK;
    for (int i = 0; i < 6 && !status && inside > 0 && inside < 8; i++)
        status = add_tetrahedron(m, wide, ways[i].corner, ways[i].turned, error);
    return status;
}

static cab_status add_triangles(march *m, int index, cab_error *error)
{
    cab_status status = CAB_OK;
    load(m, &m->field->blocks[index]);
    for (int i = 0; i < CAB_DISTANCES_POINTS && !status; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        status = add_cube(m, (z * WIDE + y) * WIDE + x, error);
    }
    return status;
}

cab_status cab_surface_of(const cab_distances *field, cab_mesh *mesh, cab_error *error)
{
    march m = {.field = field, .mesh = mesh};
    *mesh = (cab_mesh){0};
    cab_status status = begin(&m, error);
    for (int i = 0; i < field->count && !status; i++) status = add_vertices(&m, m.order[i].block, error);
    for (int i = 0; i < field->count && !status; i++) status = add_triangles(&m, m.order[i].block, error);
    CAB_FREE(m.order, m.owned);
    return status;
}

double cab_surface_volume(const cab_mesh *mesh)
{
    double six = 0;
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *t = mesh->triangles + 3 * (size_t)i;
        cab_vec3 from = mesh->vertices[0], a = cab_vec3_sub(mesh->vertices[t[0]], from),
                 b = cab_vec3_sub(mesh->vertices[t[1]], from), c = cab_vec3_sub(mesh->vertices[t[2]], from);
        six += cab_vec3_dot(a, cab_vec3_cross(b, c));
    }
    return six / 6;
}
