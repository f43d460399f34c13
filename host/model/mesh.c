#include "model/mesh.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "model/mesh_tree.h"
#include "base/array.h"

#define FLAT 2e-3 /* rad; edges that bend less are none */

/* A mesh while it is worked on: welded corners, triangles with an area. */
typedef struct cab_surface {
    cab_vec3 *point;
    int *corner; /* [3 triangles] */
    int count;
    cab_vec3 *face;         /* [triangles] unit normals */
    cab_vec3 *edge_normal;  /* [3 triangles] of the edge from corner k to k + 1 */
    cab_vec3 *point_normal; /* [points] */
    int *edge;              /* [3 triangles] index of an edge to lie on, -1 = none */
} cab_surface;

/* A triangle's side from corner k to k + 1. */
typedef struct cab_side {
    int low, high; /* points */
    int side;      /* 3 triangle + k */
} cab_side;

static int by_place(const void *x, const void *y)
{
    const double *a = x, *b = y; /* x, y, z, index */
    for (int k = 0; k < 4; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* Equal points become one, the first of them. */
static cab_status weld(const cab_mesh *mesh, double scale, cab_surface *s, cab_error *error)
{
    size_t n = (size_t)mesh->vertex_count;
    double(*order)[4];
    int *same = NULL;
    cab_status status = CAB_NEW(order, n, error);
    if (status == CAB_OK) status = CAB_NEW(same, n, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        s->point[i] = cab_vec3_scale(scale, mesh->vertices[i]);
        order[i][0] = mesh->vertices[i].x;
        order[i][1] = mesh->vertices[i].y;
        order[i][2] = mesh->vertices[i].z;
        order[i][3] = (double)i;
    }
    if (status == CAB_OK) qsort(order, n, sizeof *order, by_place);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        bool equal = i > 0 && order[i][0] == order[i - 1][0] && order[i][1] == order[i - 1][1] &&
                     order[i][2] == order[i - 1][2];
        int own = (int)order[i][3];
        same[own] = equal ? same[(int)order[i - 1][3]] : own;
    }
    for (int i = 0; status == CAB_OK && i < 3 * mesh->triangle_count; i++)
        s->corner[i] = same[mesh->triangles[i]];
    CAB_FREE(order, same);
    return status;
}

static cab_vec3 corner(const cab_surface *s, int triangle, int k)
{
    return s->point[s->corner[3 * triangle + k % 3]];
}

/* Keeps the triangles that have an area, with their normals. */
static void keep_triangles(cab_surface *s, int count)
{
    s->count = 0;
    for (int i = 0; i < count; i++) {
        cab_vec3 a = corner(s, i, 0);
        cab_vec3 u = cab_vec3_sub(corner(s, i, 1), a), v = cab_vec3_sub(corner(s, i, 2), a);
        cab_vec3 n = cab_vec3_cross(u, v);
        double area = cab_vec3_length(n), size = cab_vec3_dot(u, u) + cab_vec3_dot(v, v);
        if (!(area > 1e-9 * size)) continue; /* floats would not tell its normal */
        for (int k = 0; k < 3; k++) s->corner[3 * s->count + k] = s->corner[3 * i + k];
        s->face[s->count++] = cab_vec3_scale(1 / area, n);
    }
}

/* Six times the volume within; its sign says whether normals point out. */
static double volume(const cab_surface *s)
{
    double sum = 0;
    cab_vec3 o = corner(s, 0, 0); /* near the mesh, for rounding */
    for (int i = 0; i < s->count; i++) {
        cab_vec3 a = cab_vec3_sub(corner(s, i, 0), o), b = cab_vec3_sub(corner(s, i, 1), o);
        sum += cab_vec3_dot(a, cab_vec3_cross(b, cab_vec3_sub(corner(s, i, 2), o)));
    }
    return sum;
}

static void turn_over(cab_surface *s)
{
    for (int i = 0; i < s->count; i++) {
        int other = s->corner[3 * i + 1];
        s->corner[3 * i + 1] = s->corner[3 * i + 2];
        s->corner[3 * i + 2] = other;
        s->face[i] = cab_vec3_scale(-1, s->face[i]);
    }
}

static int by_edge(const void *x, const void *y)
{
    const cab_side *a = x, *b = y;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->side < b->side ? -1 : a->side > b->side;
}

static cab_status list_sides(const cab_surface *s, cab_side **out, cab_error *error)
{
    cab_side *side;
    cab_status status = CAB_NEW(side, 3 * (size_t)s->count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < 3 * s->count; i++) {
        int a = s->corner[i], b = s->corner[i - i % 3 + (i + 1) % 3];
        side[i] = (cab_side){a < b ? a : b, a < b ? b : a, i};
    }
    qsort(side, 3 * (size_t)s->count, sizeof *side, by_edge);
    *out = side;
    return CAB_OK;
}

/* How many sides from `first` on are of one edge. */
static int sides_of_edge(const cab_side *side, int first, int count)
{
    int n = 1;
    while (first + n < count && side[first + n].low == side[first].low &&
           side[first + n].high == side[first].high)
        n++;
    return n;
}

/* Two triangles that go along their edge in opposite ways. */
static bool joined(const cab_surface *s, const cab_side *pair, int count)
{
    return count == 2 && s->corner[pair[0].side] != s->corner[pair[1].side];
}

static bool is_watertight(const cab_surface *s, const cab_side *side)
{
    for (int i = 0; i < 3 * s->count;) {
        int n = sides_of_edge(side, i, 3 * s->count);
        if (!joined(s, &side[i], n)) return false;
        i += n;
    }
    return s->count >= 4;
}

/* The unit vector into a side's face, at right angles to it. */
static cab_vec3 into_face(const cab_surface *s, int side)
{
    int triangle = side / 3, k = side % 3;
    cab_vec3 along = cab_vec3_unit(cab_vec3_sub(corner(s, triangle, k + 1), corner(s, triangle, k)));
    return cab_vec3_cross(s->face[triangle], along);
}

/* Can a cable lie across it? Not where it is flat, nor in the valleys of a solid. */
static bool sticks_out(const cab_surface *s, const cab_side *side, int count, bool watertight)
{
    if (!joined(s, side, count)) return true;
    cab_vec3 n = s->face[side[0].side / 3], m = s->face[side[1].side / 3];
    if (cab_vec3_length(cab_vec3_sub(n, m)) < FLAT) return false;
    return !watertight || cab_vec3_dot(n, into_face(s, side[1].side)) < 0;
}

static cab_mesh_edge edge_of(const cab_surface *s, const cab_side *side, int count, int collider)
{
    cab_vec3 a = s->point[side->low], u = cab_vec3_sub(s->point[side->high], a), p = {0, 0, 0}, q = p;
    if (count <= 2) p = into_face(s, side[0].side); /* of three faces and more any direction is free */
    if (count == 2) q = into_face(s, side[1].side);
    return (cab_mesh_edge){.collider = collider,
                           .ax = (float)a.x,
                           .ay = (float)a.y,
                           .az = (float)a.z,
                           .ux = (float)u.x,
                           .uy = (float)u.y,
                           .uz = (float)u.z,
                           .px = (float)p.x,
                           .py = (float)p.y,
                           .pz = (float)p.z,
                           .sx = (float)q.x,
                           .sy = (float)q.y,
                           .sz = (float)q.z};
}

/* Normals of edges, and the edges that cables can lie on. */
static cab_status add_edges(cab_mesh_tables *tables, cab_surface *s, const cab_side *side, int collider,
                            cab_mesh_facts *facts, cab_error *error)
{
    int sides = 3 * s->count, first = tables->edge_count;
    cab_status status = CAB_RESIZE(tables->edge, first + sides, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < sides;) {
        int n = sides_of_edge(side, i, sides);
        cab_vec3 sum = {0, 0, 0};
        for (int k = 0; k < n; k++) sum = cab_vec3_add(sum, s->face[side[i + k].side / 3]);
        for (int k = 0; k < n; k++) {
            s->edge_normal[side[i + k].side] = cab_vec3_unit(sum);
            s->edge[side[i + k].side] = -1;
        }
        if (sticks_out(s, &side[i], n, facts->watertight)) {
            s->edge[side[i].side] = tables->edge_count;
            tables->edge[tables->edge_count++] = edge_of(s, &side[i], n, collider);
        }
        i += n;
    }
    facts->edge_count = tables->edge_count - first;
    return CAB_OK;
}

/* Faces by the angle that they have at the corner. */
static void sum_point_normals(cab_surface *s, int point_count)
{
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < 3; k++) {
            cab_vec3 a = corner(s, i, k);
            cab_vec3 u = cab_vec3_unit(cab_vec3_sub(corner(s, i, k + 1), a));
            cab_vec3 v = cab_vec3_unit(cab_vec3_sub(corner(s, i, k + 2), a));
            double angle = acos(fmax(-1, fmin(1, cab_vec3_dot(u, v))));
            cab_vec3 *sum = &s->point_normal[s->corner[3 * i + k]];
            *sum = cab_vec3_add_scaled(*sum, angle, s->face[i]);
        }
    }
    for (int i = 0; i < point_count; i++) s->point_normal[i] = cab_vec3_unit(s->point_normal[i]);
}

static void put_normal(cab_triangle *t, int part, cab_vec3 n)
{
    t->normal[3 * part] = (float)n.x;
    t->normal[3 * part + 1] = (float)n.y;
    t->normal[3 * part + 2] = (float)n.z;
}

/* The sides of a triangle are those of corners 0-1, 1-2, 2-0; cab_triangle has u = 0-1, v = 0-2, then 1-2. */
static cab_triangle triangle_of(const cab_surface *s, int i)
{
    static const int side[3] = {0, 2, 1};
    cab_vec3 a = corner(s, i, 0), b = corner(s, i, 1), c = corner(s, i, 2);
    cab_triangle t = {.ax = (float)a.x,
                      .ay = (float)a.y,
                      .az = (float)a.z,
                      .ux = (float)(b.x - a.x),
                      .uy = (float)(b.y - a.y),
                      .uz = (float)(b.z - a.z),
                      .vx = (float)(c.x - a.x),
                      .vy = (float)(c.y - a.y),
                      .vz = (float)(c.z - a.z)};
    put_normal(&t, 0, s->face[i]);
    for (int k = 0; k < 3; k++) {
        put_normal(&t, 1 + k, s->edge_normal[3 * i + side[k]]);
        put_normal(&t, 4 + k, s->point_normal[s->corner[3 * i + k]]);
    }
    return t;
}

/* The triangles in the order of the tree. */
static cab_status add_tree(cab_mesh_tables *tables, const cab_surface *s, cab_mesh_facts *facts,
                           cab_error *error)
{
    int *order, nodes = 0, first = tables->triangle_count;
    cab_status status = CAB_NEW(order, s->count, error);
    if (status == CAB_OK) status = CAB_RESIZE(tables->node, tables->node_count + 2 * s->count, error);
    if (status == CAB_OK) status = CAB_RESIZE(tables->triangle, first + s->count, error);
    if (status == CAB_OK) status = CAB_RESIZE(tables->triangle_edge, 3 * (first + s->count), error);
    if (status == CAB_OK) {
        cab_mesh_tree tree = {s->point, s->corner, order, tables->node, tables->node_count, first};
        nodes = cab_mesh_tree_build(&tree, s->count);
    }
    for (int i = 0; status == CAB_OK && i < s->count; i++) {
        tables->triangle[first + i] = triangle_of(s, order[i]);
        for (int k = 0; k < 3; k++) tables->triangle_edge[3 * (first + i) + k] = s->edge[3 * order[i] + k];
    }
    free(order);
    facts->root = tables->node_count;
    facts->triangle_count = s->count;
    tables->node_count += nodes;
    tables->triangle_count += s->count;
    return status;
}

static cab_status surface_allocate(cab_surface *s, const cab_mesh *mesh, cab_error *error)
{
    size_t points = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    cab_status status = CAB_NEW(s->point, points, error);
    if (status == CAB_OK) status = CAB_NEW(s->corner, 3 * triangles, error);
    if (status == CAB_OK) status = CAB_NEW(s->face, triangles, error);
    if (status == CAB_OK) status = CAB_NEW(s->edge_normal, 3 * triangles, error);
    if (status == CAB_OK) status = CAB_NEW(s->point_normal, points, error);
    if (status == CAB_OK) status = CAB_NEW(s->edge, 3 * triangles, error);
    return status;
}

cab_status cab_mesh_add(cab_mesh_tables *tables, const cab_mesh *mesh, double scale, int collider,
                        cab_mesh_facts *facts, cab_error *error)
{
    cab_surface s = {0};
    cab_side *side = NULL;
    *facts = (cab_mesh_facts){0};
    cab_status status = surface_allocate(&s, mesh, error);
    if (status == CAB_OK) status = weld(mesh, scale, &s, error);
    if (status == CAB_OK) {
        keep_triangles(&s, mesh->triangle_count);
        if (s.count == 0) status = cab_fail(error, CAB_ERROR_INPUT, "no triangle of the mesh has an area");
    }
    if (status == CAB_OK) status = list_sides(&s, &side, error);
    if (status == CAB_OK) {
        facts->watertight = is_watertight(&s, side);
        facts->turned = facts->watertight && volume(&s) < 0;
    }
    if (status == CAB_OK && facts->turned) {
        turn_over(&s);
        free(side);
        status = list_sides(&s, &side, error);
    }
    if (status == CAB_OK) status = add_edges(tables, &s, side, collider, facts, error);
    if (status == CAB_OK) sum_point_normals(&s, mesh->vertex_count);
    for (int i = 0; status == CAB_OK && i < 3 * s.count; i++)
        facts->extent = fmax(facts->extent, cab_vec3_length(s.point[s.corner[i]]));
    if (status == CAB_OK) status = add_tree(tables, &s, facts, error);
    CAB_FREE(side, s.point, s.corner, s.face, s.edge_normal, s.point_normal, s.edge);
    return status;
}

void cab_mesh_tables_free(cab_mesh_tables *tables)
{
    CAB_FREE(tables->node, tables->triangle, tables->edge, tables->triangle_edge);
    *tables = (cab_mesh_tables){0};
}
