/* The pull of a hand at a rigid body: a member of it that is where the spring pulls to. Kernels: rigid.cl. */
#include "constraint/rigid_hand.h"

#include "base/vec3.h"
#include "model/rigid.h"
#include "world/device.h"

bool cab_rigid_hand_pulls(const cab_model *m)
{
    return m->pull.on && m->pull.node < 0;
}

static cab_rigid_hand hand_of(const cab_world *world)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    const cab_pull *pull = &m->pull;
    const cab_rigid_body *body = &m->rigid[pull->body];
    cab_rigid_hand hand = {
        .particle = body->point, .moving = world->attached.moving_count, .reach = (float)pull->reach};
    double h = cab_model_substep_of(m, body->point), share[CAB_RIGID_POINTS];
    while (b->rigid[hand.slot].body != pull->body) hand.slot++;
    cab_vec3_to_floats(cab_vec3_sub(pull->place, body->pivot), hand.arm);
    cab_rigid_shares(body, pull->place, share);
    for (int k = 0; k < CAB_RIGID_POINTS; k++) hand.share[k] = (float)share[k];
    for (int order = 0; order < 2; order++) {
        double hs = order ? h : 2 * h / 3, spring = (pull->stiffness * hs + pull->damping) * hs;
        *(order ? &hand.mass_first : &hand.mass) = (float)spring;
        *(order ? &hand.kept_first : &hand.kept) = (float)(1 - pull->damping * hs / spring);
    }
    return hand;
}

cab_status cab_rigid_hand_upload(cab_world *world, cab_error *error)
{
    const cab_rigid_hand none = {.slot = -1},
                         hand = cab_rigid_hand_pulls(world->model) ? hand_of(world) : none;
    if (world->model->rigid_count == 0) return CAB_OK;
    return cab_world_upload(world, CAB_BUFFER_rigid_hand, &hand, 1, sizeof hand, error);
}

cab_status cab_rigid_hand_aim(cab_world *world, int substep, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_rigid_hand_aim, 0, 1, substep, 0, error);
}
