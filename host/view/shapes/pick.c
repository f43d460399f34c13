#include "view/shapes/pick.h"

#include <math.h>

typedef struct vector {
    float x, y, z;
} vector;

typedef struct pick_ray {
    vector origin, direction; /* a unit vector */
} pick_ray;

/* The best so far: a hit has miss 0. */
typedef struct pick_search {
    const float *rows;
    pick_ray ray;
    cab_pick_tolerance tolerance;
    float miss, distance;
    cab_pick pick;
} pick_search;

/* Closest points: t along the ray, s along the segment from 0 to 1, the gap between them. */
typedef struct approach {
    float t, s, gap;
} approach;

static vector add_scaled(vector a, float s, vector b)
{
    return (vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static vector minus(vector a, vector b)
{
    return add_scaled(a, -1, b);
}

static float dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vector place(const float *rows, int node)
{
    const float *x = rows + 4 * (size_t)node;
    return (vector){x[0], x[1], x[2]};
}

static float clamp(float x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static approach approach_of(const pick_ray *ray, vector a, vector b)
{
    vector u = minus(b, a), w = minus(a, ray->origin);
    float along = dot(ray->direction, u), length = dot(u, u), ahead = dot(ray->direction, w);
    float across = length - along * along;
    /* end on: the end that comes first */
    float s = across > 1e-6f * length ? clamp((along * ahead - dot(u, w)) / across) : along < 0;
    float t = ahead + s * along;
    if (t < 0) {
        t = 0;
        s = length > 0 ? clamp(-dot(u, w) / length) : 0;
    }
    vector gap = minus(add_scaled(w, s, u), add_scaled((vector){0, 0, 0}, t, ray->direction));
    return (approach){t, s, sqrtf(dot(gap, gap))};
}

/* Where the ray enters the sphere; t of the nearest point less half of the chord. */
static float enter_sphere(const pick_ray *ray, vector centre, float radius)
{
    vector w = minus(centre, ray->origin);
    float ahead = dot(ray->direction, w);
    vector off = add_scaled(w, -ahead, ray->direction);
    float chord = radius * radius - dot(off, off);
    return chord < 0 ? INFINITY : ahead - sqrtf(chord);
}

/* Where the ray enters the capsule, if it does at all: the side between the ends, or the sphere about one.
 * *s: where along it. */
static float enter_capsule(const pick_ray *ray, vector a, vector b, float radius, float *s)
{
    vector u = minus(b, a), w = minus(a, ray->origin);
    float length = dot(u, u), along = dot(ray->direction, u), offset = dot(w, u);
    /* |w - t d|^2 without what is along u is radius^2: a quadratic in t, times |u|^2 */
    float p = length - along * along, q = length * dot(w, ray->direction) - offset * along;
    float c = length * (dot(w, w) - radius * radius) - offset * offset, root = q * q - p * c;
    if (p > 1e-6f * length && root >= 0) {
        float t = (q - sqrtf(root)) / p;
        *s = (t * along - offset) / length;
        if (*s >= 0 && *s <= 1) return t;
    }
    float first = enter_sphere(ray, a, radius), second = enter_sphere(ray, b, radius);
    *s = second < first;
    return fminf(first, second);
}

static bool is_better(const pick_search *search, float miss, float distance)
{
    return miss < search->miss || (miss == search->miss && distance < search->distance);
}

static void take(pick_search *search, float miss, float distance, cab_pick pick, vector point)
{
    pick.distance = distance;
    pick.point[0] = point.x;
    pick.point[1] = point.y;
    pick.point[2] = point.z;
    search->miss = miss;
    search->distance = distance;
    search->pick = pick;
}

/* The segment from node `from` to node `to` of a strand. */
static void try_segment(pick_search *search, const cab_strand *strand, int from, int to, int index)
{
    const pick_ray *ray = &search->ray;
    vector a = place(search->rows, from), b = place(search->rows, to);
    approach near = approach_of(ray, a, b);
    float room = search->tolerance.width + search->tolerance.spread * near.t, part = near.s;
    if (!(near.gap <= strand->radius + room)) return;
    float miss = 0, distance = near.t;
    vector point = add_scaled(a, near.s, minus(b, a));
    if (near.gap <= strand->radius) {
        /* from nearby: the square of a radius is lost beside that of a distance */
        const pick_ray here = {add_scaled(ray->origin, near.t, ray->direction), ray->direction};
        float enters = near.t + enter_capsule(&here, a, b, strand->radius, &part);
        if (isfinite(enters)) distance = fmaxf(0, enters); /* the eye may be inside */
        point = add_scaled(ray->origin, distance, ray->direction);
    } else {
        miss = (near.gap - strand->radius) / room;
    }
    if (!is_better(search, miss, distance)) return;
    cab_pick pick = {.strand = index, .triangle = -1, .part = part};
    pick.cable = strand->cable == UINT32_MAX ? -1 : (int)strand->cable;
    pick.node = part > 0.5f ? to : from;
    take(search, miss, distance, pick, point);
}

static void try_strand(pick_search *search, const cab_strand *strand, int index)
{
    for (int i = 0; i + 1 < strand->count; i++) {
        int from = strand->first + i * strand->step;
        try_segment(search, strand, from, from + strand->step, index);
    }
}

/* T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997); from both sides. */
static void try_triangle(pick_search *search, const cab_triangle_nodes *triangle, int index)
{
    const pick_ray *ray = &search->ray;
    vector a = place(search->rows, triangle->node[0]);
    vector u = minus(place(search->rows, triangle->node[1]), a),
           v = minus(place(search->rows, triangle->node[2]), a);
    vector p = cross(ray->direction, v), w = minus(ray->origin, a), q = cross(w, u);
    float determinant = dot(u, p);
    if (determinant == 0) return;
    float second = dot(w, p) / determinant, third = dot(ray->direction, q) / determinant;
    float first = 1 - second - third, distance = dot(v, q) / determinant;
    bool inside = first >= 0 && second >= 0 && third >= 0 && distance >= 0;
    if (!inside || !is_better(search, 0, distance)) return;
    int corner = first >= second && first >= third ? 0 : second >= third ? 1 : 2;
    cab_pick pick = {.strand = -1, .triangle = index, .cable = -1, .node = triangle->node[corner]};
    take(search, 0, distance, pick, add_scaled(ray->origin, distance, ray->direction));
}

bool cab_pick_ray(const cab_geometry *geometry, const float *rows, const float origin[3],
                  const float direction[3], cab_pick_tolerance tolerance, cab_pick *pick)
{
    vector d = {direction[0], direction[1], direction[2]};
    float length = sqrtf(dot(d, d));
    pick_search search = {.rows = rows, .tolerance = tolerance, .miss = INFINITY, .distance = INFINITY};
    search.ray = (pick_ray){{origin[0], origin[1], origin[2]}, {d.x / length, d.y / length, d.z / length}};
    for (int i = 0; i < geometry->strand_count; i++) try_strand(&search, &geometry->strands[i], i);
    for (int i = 0; i < geometry->triangle_count; i++) try_triangle(&search, &geometry->triangles[i], i);
    if (isinf(search.miss)) return false;
    *pick = search.pick;
    return true;
}
