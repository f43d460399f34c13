/* planar: scenes of planar bodies and cable joints, a scene to a work-item. Doubles: where a device has none,
 * this file cannot be built, and the host says so before.
 */
#include "../layout.h"
#include "layout.h"
#include "solve.h"

#define CAB_PL_RUN(word)                                                                                     \
    if (CAB_PL_HAS_STAGE(argument, CAB_PL_STAGE_##word)) cab_pl_##word(&v);

/* argument: CAB_PL_ARGUMENT */
CAB_BLOCK_KERNEL(planar, global cab_pl_scene *planar_scene, global cab_pl_motion *planar_motion,
                 global cab_pl_body *planar_body, global const cab_pl_corner *planar_corner,
                 global cab_pl_cable *planar_cable, global cab_pl_joint *planar_joint,
                 global cab_pl_contact *planar_contact, global cab_pl_row *planar_row,
                 global cab_pl_sweep *planar_sweep, global cab_pl_pair *planar_pair,
                 global cab_pl_pair *planar_hit, global cab_pl_pair *planar_split,
                 global cab_pl_unknown *planar_unknown, global cab_pl_island *planar_island,
                 global cab_pr *planar_cell, global int *planar_list, global cab_pl_node *planar_node,
                 global int *planar_chain)
{
    CAB_ITEM(i);
    global cab_pl_scene *scene = planar_scene + i;
    cab_pl_view v;
    v.scene = scene;
    v.motion = planar_motion + scene->body;
    v.body = planar_body + scene->body;
    v.corner = planar_corner + scene->corner;
    v.cable = planar_cable + scene->cable;
    v.joint = planar_joint + scene->joint;
    v.row = planar_row + scene->joint;
    v.sweep = planar_sweep + scene->body;
    v.pair = planar_pair + scene->pair;
    v.hit = planar_hit + scene->joint;
    v.split = planar_split + scene->contact;
    v.unknown = planar_unknown + 3 * scene->body;
    v.island = planar_island + scene->body;
    v.cell = planar_cell + 2 * scene->cell;
    v.order = planar_list + scene->body + 4 * scene->contact + 3 * scene->joint;
    v.end = v.order + scene->bodies + 1;
    v.direct_run = v.end + 2 * (scene->contact_room + scene->joint_room);
    v.direct_touch = v.direct_run + scene->joint_room;
    v.node = planar_node + scene->node;
    v.chain = planar_chain + scene->chain;
    for (int step = CAB_PL_STEPS_OF(argument); step > 0 && !cab_pl_is_frozen(&v); step--) {
        int now = 2 * scene->contact + scene->list * scene->contact_room;
        int before = 2 * scene->contact + (1 - scene->list) * scene->contact_room;
        v.contact = planar_contact + now;
        v.old = planar_contact + before;
        CAB_PL_STAGES(CAB_PL_RUN)
    }
}

CAB_LAYOUT_KERNEL(planar_layout, CAB_PLANAR_LAYOUT)
