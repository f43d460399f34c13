#include "carrier/lane_launch.h"

/* What a launch must know of the last substep. */
static int solved_flags(const cab_lanes *l)
{
    return (l->solved ? CAB_FRAME_SOLVED : 0) | (l->solved_first ? CAB_FRAME_SOLVED_FIRST : 0);
}

cab_kernel cab_lanes_kernel(const cab_world *world, int kind)
{
    static const cab_kernel kernels[4][CAB_TILE_KIND_COUNT] = {
        {CAB_KERNEL_lanes_lengths, CAB_KERNEL_lanes_bending, CAB_KERNEL_lanes_mixed},
        {CAB_KERNEL_lanes_xpbd_lengths, CAB_KERNEL_lanes_xpbd_bending, CAB_KERNEL_lanes_xpbd_mixed},
        {CAB_KERNEL_lanes_lengths, CAB_KERNEL_lanes_viscous, CAB_KERNEL_lanes_viscous_mixed},
        {CAB_KERNEL_lanes_lengths, CAB_KERNEL_lanes_bending, CAB_KERNEL_lanes_twist}};
    const cab_model *m = world->model;
    bool xpbd = m->settings.method == CAB_METHOD_XPBD;
    return kernels[xpbd ? 1 : cab_model_damps_bending(m) ? 2 : cab_model_twists(m) ? 3 : 0][kind];
}

int cab_lanes_argument(const cab_world *world, int first)
{
    const cab_lanes *l = &world->lanes;
    return CAB_ARGUMENT((world->first_order ? CAB_FRAME_FIRST_ORDER : 0) | solved_flags(l) |
                            (l->backwards ? CAB_FRAME_BACKWARDS : 0),
                        first);
}

void cab_lanes_launched(cab_world *world, int first)
{
    bool direct = world->model->settings.method == CAB_METHOD_DIRECT;
    world->lanes.backwards = !world->lanes.backwards;
    world->lanes.solved = direct;
    world->lanes.solved_first = direct && world->first_order &&
                                (world->params.fused_substeps == 1 || first + 1 == world->params.substeps);
    world->first_order = false;
}

int cab_lanes_take_flags(const cab_world *world)
{
    if (world->model->settings.method == CAB_METHOD_XPBD) return CAB_FRAME_CHAIN;
    return world->first_order ? CAB_FRAME_FIRST_ORDER : 0;
}

int cab_lanes_give_flags(const cab_world *world)
{
    bool xpbd = world->model->settings.method == CAB_METHOD_XPBD;
    return solved_flags(&world->lanes) | (xpbd ? CAB_FRAME_CHAIN : 0);
}
