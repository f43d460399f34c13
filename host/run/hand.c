/* The pull of a hand: a damped spring from a node to a point, an additional row among the soft attachments
 * (constraint/soft.c), or from a place of a rigid body (constraint/rigid_hand.c). A world whose way takes whole frames uses another
 * way meanwhile. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "carrier/carriers.h"
#include "carrier/plan.h"
#include "model/components.h"
#include "model/limits.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/device.h"
#include "world/restart.h"
#include "world/sleep.h"

#define REACH 0.3    /* m; the largest pull is k REACH, three times the body's weight */
#define REACTION 0.1 /* s; k = M / REACTION^2, c = k REACTION: half the critical damping of all of M */

static cab_status check_numbers(const cab_world *world, cab_vec3 point, double stiffness, cab_error *error)
{
    if (world->failed)
        return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before and cannot go on");
    if (!cab_vec3_finite(point))
        return cab_fail(error, CAB_ERROR_INPUT, "pull: expected a point of three finite numbers");
    if (!(stiffness >= 0) || isinf(stiffness))
        return cab_fail(error, CAB_ERROR_INPUT, "pull: expected a stiffness of 0 or more, got %g", stiffness);
    return CAB_OK;
}

static cab_status check_node(const cab_model *m, int node, cab_error *error)
{
    if (node < 0 || node >= m->node_count)
        return cab_fail(error, CAB_ERROR_INPUT, "pull: there is no node %d; expected 0 to %d", node,
                        m->node_count - 1);
    int p = m->node_particle[node], a = m->held[p] >= 0 ? m->held[p] : m->soft[p];
    if (a >= 0)
        return cab_fail(error, CAB_ERROR_INPUT, "pull: node %d is held by %s", node,
                        cab_attachment_pointer(m->scene, m->attachments[a].scene_attachment).text);
    return CAB_OK;
}

/* Where in model->rigid a body is that is told as number `told`, and that can be pulled. */
static cab_status find_body(const cab_model *m, int told, int *body, cab_error *error)
{
    char name[CAB_NAME_MAX + 40];
    *body = cab_rigid_told(m, told);
    if (*body < 0)
        return cab_fail(error, CAB_ERROR_INPUT, "pull: there is no body %d; expected 0 to %d", told,
                        cab_model_all_rigid(m) - 1);
    if (*body < m->rigid_count) return CAB_OK;
    cab_rigid_name(m, *body, name, sizeof name);
    return cab_fail(error, CAB_ERROR_INPUT, "pull: no force moves the body \"%s\"", name);
}

static int particle_of(const cab_model *m, const cab_pull *pull)
{
    return pull->node >= 0 ? m->node_particle[pull->node] : m->rigid[pull->body].point;
}

/* The mass of what a particle belongs to and of all that is joined to that, kg. */
static cab_status mass_of(const cab_model *m, int particle, double *mass, cab_error *error)
{
    cab_components c = {0};
    cab_status status = cab_components_find(m, &c, error);
    *mass = 0;
    if (status == CAB_OK) {
        int own = c.of[particle];
        for (int k = c.start[own]; k < c.start[own + 1]; k++) *mass += m->mass[c.particle[k]];
    }
    cab_components_free(&c);
    return status;
}

/* Makes the tables of the world for the present model->pull; the direct method's factors contain its
 * spring at a node. */
static cab_status rebuild(cab_world *world, bool replan, cab_error *error)
{
    cab_way before = world->way;
    cab_status status = replan ? cab_world_plan(world, error) : CAB_OK;
    if (status == CAB_OK &&
        (world->way != before || (world->carrier->springs_in_factors && world->model->pull.node >= 0)))
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
    cab_sleep_disturb(world, particle_of(m, &m->pull));
    m->pull.on = false;
    return finish(world, rebuild(world, world->way != world->hand.way_before, error));
}

/* Pulls to `to` from the next frame on; what is pulled so already goes on. pull: of which only what it pulls at is filled in */
static cab_status pull_at(cab_world *world, cab_pull pull, cab_vec3 to, double stiffness, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_pull *now = &m->pull;
    double mass = 0;
    cab_status status = CAB_OK;
    bool same = now->on && now->node == pull.node && now->body == pull.body &&
                memcmp(&now->place, &pull.place, sizeof pull.place) == 0 && world->hand.asked == stiffness;
    if (!same && stiffness == 0) status = mass_of(m, particle_of(m, &pull), &mass, error);
    if (status == CAB_OK && !same) {
        pull.on = true;
        pull.stiffness = stiffness > 0 ? stiffness : mass / (REACTION * REACTION);
        pull.damping = pull.stiffness * REACTION;
        pull.reach = REACH;
        status = cab_world_let_go(world, error);
        if (status == CAB_OK) status = grab(world, pull, error);
        world->hand.asked = stiffness;
        world->hand.from = to;
    }
    if (status != CAB_OK) return status;
    world->hand.to = to;
    cab_sleep_disturb(world, particle_of(m, &pull));
    return CAB_OK;
}

cab_status cab_world_pull(cab_world *world, int node, cab_vec3 point, double stiffness, cab_error *error)
{
    cab_status status = check_numbers(world, point, stiffness, error);
    if (status == CAB_OK) status = check_node(world->model, node, error);
    return status == CAB_OK ? pull_at(world, (cab_pull){.node = node, .body = -1}, point, stiffness, error)
                            : status;
}

cab_status cab_world_pull_body(cab_world *world, int body, cab_vec3 at, cab_vec3 point, double stiffness,
                               cab_error *error)
{
    const cab_model *m = world->model;
    cab_pull pull = {.node = -1};
    cab_status status = check_numbers(world, point, stiffness, error);
    if (status == CAB_OK && !cab_vec3_finite(at))
        status =
            cab_fail(error, CAB_ERROR_INPUT, "pull: expected a place of the body of three finite numbers");
    if (status == CAB_OK) status = find_body(m, body, &pull.body, error);
    if (status != CAB_OK) return status;
    pull.place = cab_rigid_point(m, &m->rigid[pull.body], at);
    return pull_at(world, pull, point, stiffness, error);
}
