#include "view/shapes/pick.h"

#include <math.h>

#include "base/vec3.h"

typedef struct pick_ray {
    cab_vec3 origin, direction; /* the direction is a unit vector */
} pick_ray;

/* The best find so far. `miss` is 0 for a hit, else the part of the tolerance that was needed. */
typedef struct pick_search {
    const float *rows;
    pick_ray ray;
    cab_pick_tolerance tolerance;
    double miss, distance;
    cab_pick pick;
} pick_search;

/* The closest points of ray and segment: t m along the ray, part s (0 to 1) of the segment; the distance. */
typedef struct approach {
    double t, s, gap;
} approach;

static cab_vec3 place(const float *rows, int node)
{
    return cab_vec3_from_floats(rows + 4 * (size_t)node);
}

static double clamp(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static approach approach_of(const pick_ray *ray, cab_vec3 a, cab_vec3 b)
{
    cab_vec3 u = cab_vec3_sub(b, a), w = cab_vec3_sub(a, ray->origin);
    double along = cab_vec3_dot(ray->direction, u), length = cab_vec3_dot(u, u),
           ahead = cab_vec3_dot(ray->direction, w);
    double across = length - along * along;
    /* a segment along the ray: the end that comes first */
    double s = across > 1e-6 * length ? clamp((along * ahead - cab_vec3_dot(u, w)) / across) : along < 0;
    double t = ahead + s * along;
    if (t < 0) {
        t = 0;
        s = length > 0 ? clamp(-cab_vec3_dot(u, w) / length) : 0;
    }
    cab_vec3 gap = cab_vec3_sub(cab_vec3_add_scaled(w, s, u), cab_vec3_scale(t, ray->direction));
    return (approach){t, s, sqrt(cab_vec3_dot(gap, gap))};
}

/* Where the ray enters the sphere: at its point nearest to the centre, less half of the chord. */
static double enter_sphere(const pick_ray *ray, cab_vec3 centre, double radius)
{
    cab_vec3 w = cab_vec3_sub(centre, ray->origin);
    double ahead = cab_vec3_dot(ray->direction, w);
    cab_vec3 off = cab_vec3_add_scaled(w, -ahead, ray->direction);
    double chord = radius * radius - cab_vec3_dot(off, off);
    return chord < 0 ? INFINITY : ahead - sqrt(chord);
}

/* The distance at which the ray enters the capsule, through its side or through the ball at an end; INFINITY
 * where it does not. *s: where along the capsule, 0 to 1. */
static double enter_capsule(const pick_ray *ray, cab_vec3 a, cab_vec3 b, double radius, double *s)
{
    cab_vec3 u = cab_vec3_sub(b, a), w = cab_vec3_sub(a, ray->origin);
    double length = cab_vec3_dot(u, u), along = cab_vec3_dot(ray->direction, u), offset = cab_vec3_dot(w, u);
    /* the part of w - t d across u has the length `radius`: a quadratic equation in t, here times |u|^2 */
    double p = length - along * along, q = length * cab_vec3_dot(w, ray->direction) - offset * along;
    double c = length * (cab_vec3_dot(w, w) - radius * radius) - offset * offset, root = q * q - p * c;
    if (p > 1e-6 * length && root >= 0) {
        double t = (q - sqrt(root)) / p;
        *s = (t * along - offset) / length;
        if (*s >= 0 && *s <= 1) return t;
    }
    double first = enter_sphere(ray, a, radius), second = enter_sphere(ray, b, radius);
    *s = second < first;
    return fmin(first, second);
}

static bool is_better(const pick_search *search, double miss, double distance)
{
    return miss < search->miss || (miss == search->miss && distance < search->distance);
}

static void take(pick_search *search, double miss, double distance, cab_pick pick, cab_vec3 point)
{
    pick.distance = (float)distance;
    cab_vec3_to_floats(point, pick.point);
    search->miss = miss;
    search->distance = distance;
    search->pick = pick;
}

/* The segment from node `from` to node `to` of a strand. */
static void try_segment(pick_search *search, const cab_strand *strand, int from, int to, int index)
{
    const pick_ray *ray = &search->ray;
    cab_vec3 a = place(search->rows, from), b = place(search->rows, to);
    approach near = approach_of(ray, a, b);
    double room = search->tolerance.width + search->tolerance.spread * near.t, part = near.s;
    if (!(near.gap <= strand->radius + room)) return;
    double miss = 0, distance = near.t;
    cab_vec3 point = cab_vec3_add_scaled(a, near.s, cab_vec3_sub(b, a));
    if (near.gap <= strand->radius) {
        /* from a point nearby: a large distance, squared, would lose a radius in rounding */
        const pick_ray here = {cab_vec3_add_scaled(ray->origin, near.t, ray->direction), ray->direction};
        double enters = near.t + enter_capsule(&here, a, b, strand->radius, &part);
        if (isfinite(enters)) distance = fmax(0, enters); /* the eye may be inside */
        point = cab_vec3_add_scaled(ray->origin, distance, ray->direction);
    } else {
        miss = (near.gap - strand->radius) / room;
    }
    if (!is_better(search, miss, distance)) return;
    cab_pick pick = {.strand = index, .triangle = -1, .part = (float)part};
    pick.cable = strand->cable == UINT32_MAX ? -1 : (int)strand->cable;
    pick.node = part > 0.5 ? to : from;
    take(search, miss, distance, pick, point);
}

static void try_strand(pick_search *search, const cab_strand *strand, int index)
{
    for (int i = 0; i + 1 < strand->count; i++) {
        int from = strand->first + i * strand->step;
        try_segment(search, strand, from, from + strand->step, index);
    }
}

double cab_pick_triangle(cab_vec3 origin, cab_vec3 direction, const cab_vec3 corner[3], double share[3])
{
    cab_vec3 u = cab_vec3_sub(corner[1], corner[0]), v = cab_vec3_sub(corner[2], corner[0]);
    cab_vec3 p = cab_vec3_cross(direction, v), w = cab_vec3_sub(origin, corner[0]), q = cab_vec3_cross(w, u);
    double determinant = cab_vec3_dot(u, p);
    if (determinant == 0) return INFINITY;
    share[1] = cab_vec3_dot(w, p) / determinant;
    share[2] = cab_vec3_dot(direction, q) / determinant;
    share[0] = 1 - share[1] - share[2];
    double distance = cab_vec3_dot(v, q) / determinant;
    bool inside = share[0] >= 0 && share[1] >= 0 && share[2] >= 0 && distance >= 0;
    return inside ? distance : INFINITY;
}

static void try_triangle(pick_search *search, const cab_triangle_nodes *triangle, int index)
{
    const pick_ray *ray = &search->ray;
    double share[3];
    const cab_vec3 place_of[3] = {place(search->rows, triangle->node[0]),
                                  place(search->rows, triangle->node[1]),
                                  place(search->rows, triangle->node[2])};
    double distance = cab_pick_triangle(ray->origin, ray->direction, place_of, share);
    if (isinf(distance) || !is_better(search, 0, distance)) return;
    int corner = share[0] >= share[1] && share[0] >= share[2] ? 0 : share[1] >= share[2] ? 1 : 2;
    cab_pick pick = {.strand = -1, .triangle = index, .cable = -1, .node = triangle->node[corner]};
    take(search, 0, distance, pick, cab_vec3_add_scaled(ray->origin, distance, ray->direction));
}

bool cab_pick_ray(const cab_geometry *geometry, const float *rows, const float origin[3],
                  const float direction[3], cab_pick_tolerance tolerance, cab_pick *pick)
{
    cab_vec3 d = {direction[0], direction[1], direction[2]};
    double length = sqrt(cab_vec3_dot(d, d));
    pick_search search = {.rows = rows, .tolerance = tolerance, .miss = INFINITY, .distance = INFINITY};
    search.ray = (pick_ray){{origin[0], origin[1], origin[2]}, {d.x / length, d.y / length, d.z / length}};
    for (int i = 0; i < geometry->strand_count; i++) try_strand(&search, &geometry->strands[i], i);
    for (int i = 0; i < geometry->triangle_count; i++) try_triangle(&search, &geometry->triangles[i], i);
    if (isinf(search.miss)) return false;
    *pick = search.pick;
    pick->beside = search.miss > 0;
    return true;
}
