#include "world/facts.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "model/scene.h"
#include "world/world.h"

static cab_vec3 row(const double *values, int node)
{
    const double *x = values + 3 * (size_t)node;
    return (cab_vec3){x[0], x[1], x[2]};
}

/* The radius of the circle through three points: the product of the sides over four times the area. */
static double radius_through(cab_vec3 a, cab_vec3 b, cab_vec3 c)
{
    cab_vec3 u = cab_vec3_sub(b, a), v = cab_vec3_sub(c, b);
    double sides = cab_vec3_length(u) * cab_vec3_length(v) * cab_vec3_distance(a, c);
    double area = 2 * cab_vec3_length(cab_vec3_cross(u, v));
    return area > 0 ? sides / area : INFINITY; /* straight, or on a drum, where nodes have the same place */
}

static void note_tension(cab_cable_facts *facts, double tension, int node, double at)
{
    if (!(tension > facts->tension)) return;
    facts->tension = tension;
    facts->tension_node = node;
    facts->tension_at = at;
}

static void note_bend(cab_cable_facts *facts, double radius, int node, double at)
{
    if (!(radius < facts->bend_radius)) return;
    facts->bend_radius = radius;
    facts->bend_node = node;
    facts->bend_at = at;
}

/* How far a place is below the line from `start` along `chord`, measured vertically. */
static double depth_below(cab_vec3 place, cab_vec3 start, cab_vec3 chord, cab_vec3 down)
{
    cab_vec3 along = cab_vec3_reject(chord, down), from = cab_vec3_sub(place, start);
    double level2 = cab_vec3_dot(along, along);
    if (!(level2 > 1e-12 * cab_vec3_dot(chord, chord))) return 0; /* vertical line */
    double part = fmin(fmax(cab_vec3_dot(from, along) / level2, 0), 1);
    return cab_vec3_dot(from, down) - part * cab_vec3_dot(chord, down);
}

static void find_sag(const cab_cable_info *cable, const double *position, cab_vec3 gravity,
                     cab_cable_facts *facts)
{
    int first = cable->first_node, last = first + cable->node_count - 1;
    cab_vec3 start = row(position, first), chord = cab_vec3_sub(row(position, last), start);
    cab_vec3 down = cab_vec3_unit(gravity);
    for (int node = first + 1; node < last; node++) {
        double depth = depth_below(row(position, node), start, chord, down);
        if (!(depth > facts->sag)) continue;
        facts->sag = depth;
        facts->sag_node = node;
    }
}

void cab_facts_of(const cab_cable_info *cable, const double *position, const double *velocity,
                  const double *tension, cab_vec3 gravity, cab_cable_facts *facts)
{
    int first = cable->first_node, last = first + cable->node_count - 1;
    *facts = (cab_cable_facts){.rest_length = cable->length,
                               .tension = -INFINITY,
                               .tension_node = first,
                               .bend_radius = INFINITY,
                               .bend_node = -1,
                               .sag_node = -1};
    for (int node = first; node < last; node++) {
        cab_vec3 x = row(position, node), next = row(position, node + 1);
        double segment = cab_vec3_distance(x, next);
        if (node > first)
            note_bend(facts, radius_through(row(position, node - 1), x, next), node, facts->length);
        note_tension(facts, tension[node], node, facts->length + segment / 2);
        facts->length += segment;
    }
    for (int node = first; node <= last; node++)
        facts->speed = fmax(facts->speed, cab_vec3_length(row(velocity, node)));
    find_sag(cable, position, gravity, facts);
    if (facts->length > 0) {
        facts->tension_at /= facts->length;
        facts->bend_at /= facts->length;
    }
}

cab_status cab_world_get_facts(cab_world *world, cab_cable_facts *facts, cab_error *error)
{
    const cab_model *m = world->model;
    size_t rows = (size_t)m->node_count;
    double *values = malloc((7 * rows + 1) * sizeof *values);
    if (!values) return cab_fail_memory(error, "facts of cables", 7 * rows * sizeof *values);
    double *position = values, *velocity = values + 3 * rows, *tension = values + 6 * rows;
    cab_status status = cab_world_read(world, position, velocity, tension, error);
    for (int c = 0; c < m->cable_count && status == CAB_OK; c++) {
        cab_cable_info cable = cab_world_get_cable(world, c);
        cab_facts_of(&cable, position, velocity, tension, m->settings.gravity, &facts[c]);
    }
    free(values);
    return status;
}
