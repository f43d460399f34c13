/* Probes: where they are, and what they read. */
#include "world/probes.h"

#include "base/array.h"
#include "base/vec3.h"
#include "model/scene.h"
#include "world/energy.h"
#include "world/world.h"

const cab_probe_quantity cab_probe_quantities[CAB_PROBE_QUANTITIES] = {
    {"tension", "Tension", "N", offsetof(cab_probe_reading, tension)},
    {"moment", "Bending moment", "N m", offsetof(cab_probe_reading, moment)},
    {"torque", "Torque", "N m", offsetof(cab_probe_reading, torque)},
};

double cab_probe_value(const cab_probe_reading *reading, int quantity)
{
    return *(const double *)((const char *)reading + cab_probe_quantities[quantity].at);
}

int cab_world_get_probes(const cab_world *world, cab_probe_info *infos, int capacity)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->placed_probe_count && i < capacity; i++) {
        const cab_placed_probe *probe = &m->placed_probes[i];
        infos[i] = (cab_probe_info){
            .probe = probe->scene_probe, .cable = probe->body, .node = probe->node, .part = probe->part};
        cab_model_probe_name(m, probe, infos[i].name, sizeof infos[i].name);
    }
    return m->placed_probe_count;
}

static cab_vec3 place_of(const cab_model *m, const cab_place_speed *motion, int node)
{
    const double *x = motion[m->node_particle[node]].x;
    return (cab_vec3){x[0], x[1], x[2]};
}

/* Between two vectors; at their ends exactly these. */
static cab_vec3 mix(cab_vec3 a, cab_vec3 b, double part)
{
    if (part == 0) return a;
    return part == 1 ? b : cab_vec3_add(cab_vec3_scale(1 - part, a), cab_vec3_scale(part, b));
}

/* The moments of loads at a probe's end: EI kappa = M x t, with M from what comes after. */
static cab_vec3 loads_at_end(const cab_model *m, const cab_placed_probe *probe, int node, cab_vec3 tangent)
{
    cab_vec3 moment = {0, 0, 0};
    for (int i = 0; i < m->placed_load_count; i++)
        if (m->placed_loads[i].node == node)
            moment = cab_vec3_add(moment, m->scene->loads[m->placed_loads[i].scene_load].moment);
    if (node == m->bodies[probe->body].first_node) moment = cab_vec3_scale(-1, moment);
    return cab_vec3_cross(moment, tangent);
}

/* EI times the vector of curvature at one of the nodes of a probe's segment: that by which bendings are off, over their
 * compliance alpha = cell / EI; what they hold is alpha / h^2. N m */
static cab_vec3 bent_at(const cab_model *m, const cab_placed_probe *probe, int which,
                        const cab_place_speed *motion, cab_vec3 tangent)
{
    const cab_range *range = &probe->bend[which];
    cab_vec3 sum = {0, 0, 0};
    bool any = false;
    for (int i = range->first; i < range->first + range->count; i++) {
        int bending = m->probe_bending[i].bending;
        cab_bend bend;
        if (!cab_bend_of(m, bending, motion, &bend)) continue;
        double h = cab_model_substep_of(m, m->bending[bending].b);
        double stiffness = m->probe_bending[i].share * bend.share / (m->bending[bending].compliance * h * h);
        const cab_vec3 turn = {bend.turn[0], bend.turn[1], bend.turn[2]};
        sum = cab_vec3_add(sum, cab_vec3_scale(stiffness, turn));
        any = true;
    }
    if (any) return sum;
    return loads_at_end(m, probe, probe->node + which, tangent);
}

static cab_probe_reading reading_of(const cab_model *m, const cab_placed_probe *probe,
                                    const cab_place_speed *motion, const float *lambda, const double *torque)
{
    cab_vec3 a = place_of(m, motion, probe->node), b = place_of(m, motion, probe->node + 1);
    cab_vec3 along = cab_vec3_sub(b, a);
    double length = cab_vec3_length(along);
    cab_vec3 tangent = length > 0 ? cab_vec3_scale(1 / length, along) : along;
    cab_vec3 bent =
        mix(bent_at(m, probe, 0, motion, tangent), bent_at(m, probe, 1, motion, tangent), probe->part);
    return (cab_probe_reading){.position = mix(a, b, probe->part),
                               .tension = cab_tension_at(m, probe->node, lambda),
                               .moment = cab_vec3_length(bent),
                               .torque = torque ? torque[probe->node] : 0};
}

static cab_status read_torque(cab_world *world, double **torque, cab_error *error)
{
    cab_status status = CAB_NEW(*torque, world->model->node_count, error);
    return status == CAB_OK ? cab_world_read_torque(world, *torque, error) : status;
}

cab_status cab_world_read_probes(cab_world *world, cab_probe_reading *readings, cab_error *error)
{
    const cab_model *m = world->model;
    cab_place_speed *motion;
    float *lambda = NULL;
    double *torque = NULL;
    if (m->placed_probe_count == 0) return CAB_OK;
    cab_status status = cab_world_read_motion(world, &motion, error);
    if (status == CAB_OK) status = cab_world_read_multipliers(world, &lambda, error);
    if (status == CAB_OK && m->has_twist) status = read_torque(world, &torque, error);
    for (int i = 0; status == CAB_OK && i < m->placed_probe_count; i++)
        readings[i] = reading_of(m, &m->placed_probes[i], motion, lambda, torque);
    CAB_FREE(motion, lambda, torque);
    return status;
}

cab_status cab_probes_list(const cab_world *world, cab_probes *probes, cab_error *error)
{
    *probes = (cab_probes){.count = cab_world_get_probes(world, NULL, 0)};
    cab_status status = CAB_NEW(probes->info, probes->count, error);
    if (status == CAB_OK) status = CAB_NEW(probes->reading, probes->count, error);
    if (status == CAB_OK) cab_world_get_probes(world, probes->info, probes->count);
    if (status != CAB_OK) cab_probes_free(probes);
    return status;
}

void cab_probes_free(cab_probes *probes)
{
    CAB_FREE(probes->info, probes->reading);
    *probes = (cab_probes){0};
}
