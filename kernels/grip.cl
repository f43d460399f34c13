/* grip: what a substep leaves of the friction in its contacts. */
#include "grip.h"
#include "xpbd.h"

/* Lists the friction of a segment's contacts; of its pairs that of those that it owns. A segment that is asleep or held while others take
 * their pieces keeps its list. Flags: CAB_FORCE_CABLES, _COLLIDERS */
CAB_KERNEL(contact_grip, global const cab_params *params, global cab_grip *grip,
           global const cab_share *share, global const int *share_start, global const int *share_count,
           global const float *contact, global const int4 *contact_end, global const int *near_start,
           global const int *near_count, global const cab_contact *near_contact,
           global const cab_segment *segment, global const float4 *position)
{
    CAB_ITEM(i);
    if (cab_sleeps(position[segment[i].a].w, position[segment[i].b].w)) return;
    int count = 0, first = share_start[i], shares = argument & CAB_FORCE_CABLES ? share_count[i] : 0;
    int from = near_start[i], nears = argument & CAB_FORCE_COLLIDERS ? near_count[i] : 0;
    global cab_grip *list = grip + CAB_GRIPS * i;
    real units = params->inverse_h * params->inverse_h;
    for (int k = first; k < first + shares && count < CAB_GRIPS; k++) {
        int c = share[k].contact;
        if (share[k].a + share[k].b > 0) continue; /* the other segment owns the pair */
        if (!(contact[cab_contact_index(c, CAB_CONTACT_LAMBDA)] > 0)) continue;
        cab_grip kept = {1 + contact_end[c].z, units * contact[cab_contact_index(c, CAB_CONTACT_FORCE)],
                         units * contact[cab_contact_index(c, CAB_CONTACT_FORCE + 1)],
                         units * contact[cab_contact_index(c, CAB_CONTACT_FORCE + 2)]};
        list[count++] = kept;
    }
    for (int k = from; k < from + nears && count < CAB_GRIPS; k++) {
        cab_contact c = near_contact[k];
        if (!(c.lambda > 0)) continue;
        cab_grip kept = {cab_grip_collider(c.other, c.t), units * c.fx, units * c.fy, units * c.fz};
        list[count++] = kept;
    }
    cab_grip none = {CAB_GRIP_NONE, 0, 0, 0};
    while (count < CAB_GRIPS) list[count++] = none;
}
