/* Whose surfaces are in each other: looked for only where a measure says that some are. */
#include <math.h>

#include <clcable/facts.h>

#include "base/array.h"
#include "judge/judge.h"

static double radius_of(const cab_world *world, int node)
{
    const cab_model *m = world->model;
    int s = node >= 0 ? m->node_segment[node] : -1;
    return s >= 0 ? m->section[m->distance_origin[s].section].def.radius : world->contact.largest_radius;
}

static void take(const cab_world *world, int cable, const cab_clearance *c, bool collider, cab_beyond *worst)
{
    if (c->node < 0 || !(c->distance < 0)) return;
    double radius = radius_of(world, c->node);
    if (!collider && c->other >= 0) {
        const cab_body *other = &world->model->bodies[c->other];
        radius = fmin(radius, radius_of(world, other->first_node));
    }
    double depth = -c->distance / radius;
    if (!(depth > worst->figure)) return;
    worst->figure = depth;
    worst->body = cable;
    worst->other = collider ? -2 - c->other : c->other;
}

bool cab_judge_overlap(cab_world *world, double bound, cab_beyond *worst, cab_error *error)
{
    const cab_model *m = world->model;
    cab_clearance *cables, *colliders = NULL;
    const char *what = worst->what;
    double deepest = world->measures.penetration_max;
    *worst = (cab_beyond){CAB_JUDGED_OVERLAP, -1, -1, 0, bound, what};
    if (m->cable_count < m->body_count) { /* sheets have no clearances */
        worst->figure = deepest / world->contact.largest_radius;
        return worst->figure > bound;
    }
    cab_status status = CAB_NEW(cables, m->cable_count, error);
    if (!status) status = CAB_NEW(colliders, m->cable_count, error);
    double range = 0.01 * world->contact.smallest_radius;
    if (!status)
        status =
            cab_world_get_clearances(world, range, world->contact.cables ? cables : NULL, colliders, error);
    for (int c = 0; c < m->cable_count && !status; c++) {
        if (world->contact.cables) take(world, c, &cables[c], false, worst);
        if (world->contact.colliders) take(world, c, &colliders[c], true, worst);
    }
    CAB_FREE(cables, colliders);
    return !status && worst->figure > bound;
}
