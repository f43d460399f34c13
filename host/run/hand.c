/* The pull of a hand: a damped spring from a node to a point, an additional row among the soft attachments
 * (constraint/soft.c). A world whose way takes whole frames uses another way meanwhile. */
#include <math.h>

#include "base/error.h"
#include "base/vec3.h"
#include "carrier/carriers.h"
#include "carrier/plan.h"
#include "model/components.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/device.h"
#include "world/restart.h"
#include "world/sleep.h"

#define REACH 0.3    /* m; the largest pull is k REACH, three times the body's weight */
#define REACTION 0.1 /* s; k = M / REACTION^2, c = k REACTION: half the critical damping of all of M */

static cab_status check(const cab_world *world, int node, cab_vec3 point, double stiffness, cab_error *error)
{
    const cab_model *m = world->model;
    if (node < 0 || node >= m->node_count)
        return cab_fail(error, CAB_ERROR_INPUT, "pull: there is no node %d; expected 0 to %d", node,
                        m->node_count - 1);
    if (!cab_vec3_finite(point))
        return cab_fail(error, CAB_ERROR_INPUT, "pull: expected a point of three finite numbers");
    if (!(stiffness >= 0) || isinf(stiffness))
        return cab_fail(error, CAB_ERROR_INPUT, "pull: expected a stiffness of 0 or more, got %g", stiffness);
    int p = m->node_particle[node], a = m->held[p] >= 0 ? m->held[p] : m->soft[p];
    if (a >= 0)
        return cab_fail(error, CAB_ERROR_INPUT, "pull: node %d is held by %s", node,
                        cab_attachment_pointer(m->scene, m->attachments[a].scene_attachment).text);
    return CAB_OK;
}

/* The mass of the node's body and of all that is joined to it, kg. */
static cab_status mass_of(const cab_model *m, int node, double *mass, cab_error *error)
{
    cab_components c = {0};
    cab_status status = cab_components_find(m, &c, error);
    *mass = 0;
    if (status == CAB_OK) {
        int own = c.of[m->node_particle[node]];
        for (int k = c.start[own]; k < c.start[own + 1]; k++) *mass += m->mass[c.particle[k]];
    }
    cab_components_free(&c);
    return status;
}

/* Makes the tables of the world for the present model->pull; the direct method's factors contain its
 * spring. */
static cab_status rebuild(cab_world *world, bool replan, cab_error *error)
{
    cab_way before = world->way;
    cab_status status = replan ? cab_world_plan(world, error) : CAB_OK;
    if (status == CAB_OK && (world->way != before || world->carrier->springs_in_factors))
        status = cab_world_restart_carrier(world, error);
    return status == CAB_OK ? cab_attached_upload(world, error) : status;
}

/* Marks the world as failed on an error, since its tables are lost. */
static cab_status finish(cab_world *world, cab_status status)
{
    if (status != CAB_OK) world->failed = true;
    return status;
}

static cab_status grab(cab_world *world, cab_pull pull, cab_error *error)
{
    cab_model *m = world->model;
    cab_way wish = m->settings.way;
    if (wish != CAB_WAY_AUTO && cab_carriers[wish]->whole_frames)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "pull: the way \"%s\" cannot pull at a node; expected /method/way \"auto\"",
                        cab_way_name(wish));
    world->hand.way_before = world->way;
    m->pull = pull;
    return finish(world, rebuild(world, world->carrier->whole_frames, error));
}

cab_status cab_world_let_go(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    if (world->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before and cannot go on");
    if (!m->pull.on) return CAB_OK;
    cab_sleep_disturb(world, m->node_particle[m->pull.node]);
    m->pull.on = false;
    return finish(world, rebuild(world, world->way != world->hand.way_before, error));
}

cab_status cab_world_pull(cab_world *world, int node, cab_vec3 point, double stiffness, cab_error *error)
{
    const cab_model *m = world->model;
    double mass = 0;
    if (world->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before and cannot go on");
    cab_status status = check(world, node, point, stiffness, error);
    bool same = m->pull.on && m->pull.node == node && world->hand.asked == stiffness;
    if (status == CAB_OK && !same && stiffness == 0) status = mass_of(m, node, &mass, error);
    if (status != CAB_OK) return status;
    if (!same) {
        double k = stiffness > 0 ? stiffness : mass / (REACTION * REACTION);
        status = cab_world_let_go(world, error);
        if (status == CAB_OK) status = grab(world, (cab_pull){true, node, k, k * REACTION, REACH}, error);
        world->hand.asked = stiffness;
        world->hand.from = point;
    }
    world->hand.to = point;
    if (status == CAB_OK) cab_sleep_disturb(world, m->node_particle[node]);
    return status;
}
