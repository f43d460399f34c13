#include "view/facts.h"

#include <math.h>
#include <stdio.h>

#include "model/scene.h"
#include "model/vec3.h"

static cab_vec3 place(const double *position, int node)
{
    const double *x = position + 3 * (size_t)node;
    return (cab_vec3){x[0], x[1], x[2]};
}

/* Of the circle through three points: the product of the sides over four times the area. */
static double radius_through(cab_vec3 a, cab_vec3 b, cab_vec3 c)
{
    cab_vec3 u = cab_vec3_sub(b, a), v = cab_vec3_sub(c, b);
    double sides = cab_vec3_length(u) * cab_vec3_length(v) * cab_vec3_distance(a, c);
    double area = 2 * cab_vec3_length(cab_vec3_cross(u, v));
    return area > 0 ? sides / area : INFINITY; /* straight, or on a drum: nodes lie on one another */
}

static void note_tension(cab_facts *facts, double tension, int node, double at)
{
    if (!(tension > facts->tension)) return;
    facts->tension = tension;
    facts->tension_node = node;
    facts->tension_at = at;
}

static void note_bend(cab_facts *facts, double radius, int node, double at)
{
    if (!(radius < facts->bend_radius)) return;
    facts->bend_radius = radius;
    facts->bend_node = node;
    facts->bend_at = at;
}

void cab_facts_of(const cab_scene *scene, const cab_cable_info *cable, const double *position,
                  const double *tension, cab_facts *facts)
{
    const cab_material_def *material = &scene->materials[cable->material];
    int first = cable->first_node, last = first + cable->node_count - 1;
    *facts = (cab_facts){.radius = cable->radius,
                         .rest_length = cable->length,
                         .tension = -INFINITY,
                         .tension_node = first,
                         .bend_radius = INFINITY,
                         .bend_node = -1,
                         .min_bend_radius = material->min_bend_radius};
    snprintf(facts->name, sizeof facts->name, "%s", cable->name);
    snprintf(facts->material, sizeof facts->material, "%s", material->name);
    for (int node = first; node < last; node++) {
        cab_vec3 x = place(position, node), next = place(position, node + 1);
        double segment = cab_vec3_distance(x, next);
        if (node > first)
            note_bend(facts, radius_through(place(position, node - 1), x, next), node, facts->length);
        note_tension(facts, tension[node], node, facts->length + segment / 2);
        facts->length += segment;
    }
    if (facts->length > 0) {
        facts->tension_at /= facts->length;
        facts->bend_at /= facts->length;
    }
    facts->bent_too_far = facts->bend_radius < facts->min_bend_radius;
}
