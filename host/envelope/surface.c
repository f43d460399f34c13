#include "envelope/surface.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"
#include "envelope/cubes.h"

/* In cells: no value is nearer to 0, so that points on different edges stay apart and no triangle is without an area. */
#define LEAST 0.01

/* A block with the points behind its ends, which its last cubes end at. */
enum { SIDE = CAB_DISTANCES_SIDE, WIDE = SIDE + 1, WIDE_POINTS = WIDE * WIDE * WIDE };

/* What a block's points own: the vertices on the edges from a point to the three that are ahead of it. */
typedef struct owned {
    int first[CAB_DISTANCES_POINTS];         /* vertex of the point's first edge that has one */
    unsigned char has[CAB_DISTANCES_POINTS]; /* bit k: its edge along axis k has one */
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
    int vertex_room, corner_room;
    int corners;              /* of triangles, that there are */
    float value[WIDE_POINTS]; /* of the block that is looked at */
    int first[WIDE_POINTS];
    unsigned char has[WIDE_POINTS];
    cab_cube_cut cuts[256];
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
    float outside = (float)(CAB_DISTANCES_BAND * field->cell);
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
                    m->value[wide] = off_zero(from ? from->value[here] : outside, field->cell);
                    m->first[wide] = own ? own->first[here] : 0;
                    m->has[wide] = own ? own->has[here] : 0;
                }
    }
}

/* How far ahead a cube's corner lies in the wide block. */
static int step_of(int corner)
{
    return ((corner >> 2) * WIDE + (corner >> 1 & 1)) * WIDE + (corner & 1);
}

/* ---- vertices ---- */

static cab_status add_vertex(march *m, const cab_distances_block *block, const int in[3], int axis,
                             double part, cab_error *error)
{
    cab_mesh *mesh = m->mesh;
    cab_status status = CAB_ROOM(mesh->vertices, m->vertex_room, mesh->vertex_count + 1LL, error);
    if (status) return status;
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = (block->at[k] * SIDE + in[k] + (k == axis ? part : 0)) * m->field->cell;
    mesh->vertices[mesh->vertex_count++] = (cab_vec3){x[0], x[1], x[2]};
    return CAB_OK;
}

static cab_status add_vertices(march *m, int index, cab_error *error)
{
    const cab_distances_block *block = &m->field->blocks[index];
    owned *own = &m->owned[index];
    cab_status status = CAB_OK;
    load(m, block);
    for (int i = 0; i < CAB_DISTANCES_POINTS && !status; i++) {
        const int in[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        int wide = (in[2] * WIDE + in[1]) * WIDE + in[0];
        double here = (double)m->value[wide];
        own->first[i] = m->mesh->vertex_count;
        for (int axis = 0; axis < 3 && !status; axis++) {
            double there = (double)m->value[wide + step_of(1 << axis)];
            if ((here < 0) == (there < 0)) continue;
            own->has[i] |= (unsigned char)(1 << axis);
            status = add_vertex(m, block, in, axis, here / (here - there), error);
        }
    }
    return status;
}

/* ---- triangles ---- */

/* The vertex on an edge of a cube; `wide`: the cube's first point. */
static int vertex_on(const march *m, int wide, int edge)
{
    int owner = wide + step_of(edge % 8);
    unsigned before = m->has[owner] & ((1u << edge / 8) - 1);
    return m->first[owner] + __builtin_popcount(before);
}

static cab_status add_cube(march *m, int wide, cab_error *error)
{
    cab_mesh *mesh = m->mesh;
    unsigned inside = 0;
    for (int corner = 0; corner < 8; corner++)
        inside |= (m->value[wide + step_of(corner)] < 0 ? 1u : 0u) << corner;
    const cab_cube_cut *cut = &m->cuts[inside];
    if (cut->count == 0) return CAB_OK;
    cab_status status = CAB_ROOM(mesh->triangles, m->corner_room, m->corners + 3LL * cut->count, error);
    if (status) return status;
    for (int i = 0; i < cut->count; i++)
        for (int k = 0; k < 3; k++) mesh->triangles[m->corners++] = vertex_on(m, wide, cut->edge[i][k]);
    mesh->triangle_count += cut->count;
    return CAB_OK;
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

cab_status cab_surface_of(cab_distances *field, cab_mesh *mesh, cab_error *error)
{
    march m = {.field = field, .mesh = mesh};
    *mesh = (cab_mesh){0};
    cab_cube_cuts(m.cuts);
    cab_status status = cab_distances_cover(field, error);
    if (!status) status = begin(&m, error);
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
