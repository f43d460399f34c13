/* What the kernels of cables do, counted by hand: operations, and bytes to and from memory. `clcable bench`
 * turns the sums into shares of what a device can do; tests/test_counts.py compares the operations with what
 * oclgrind --inst-counts reports of small scenes.
 *
 * An addition, multiplication, division or square root is one operation; comparisons, choices and signs are
 * none. Bytes are what a launch must read and write if nothing is left in a cache from the launch before,
 * each item by itself: a particle that two constraints share is read twice. A float4 counts sixteen bytes
 * even if only w is used.
 *
 * The ways lanes and fused keep cables in local memory or in a tile for a whole launch, so state is read and
 * written once a launch. A tile is memory, too: on a GPU, where each has its own, and on a CPU when it is
 * larger than a core's cache. Constants that all equal cables share are not counted.
 *
 * Not counted, so that shares are slightly too low: making candidate lists, pairs that are looked at and do
 * not touch, the end of a substep with fast motion, loads, drag, forces of breakable attachments, measures
 * once a frame, empty lanes; in the direct method junctions, and Newton passes after the first where lengths
 * are still off (in lanes 0.6 of a substep each without bending, 0.4 with it). Colliders are counted as
 * planes.
 *
 * A file that includes this one defines CAB_COST(name, operations, bytes) before. */
/* predict.cl, finish.cl, attach.cl: per particle; attach per moving particle */
CAB_COST(predict, 12, 64)
CAB_COST(finish, 25, 112)
CAB_COST(attach, 6, 68)
/* distance.cl, bending.cl: per constraint, straight at rest; later iterations also read the multiplier */
CAB_COST(distance, 38, 116)
CAB_COST(bending, 72, 192)
CAB_COST(distance_again, 0, 4)
CAB_COST(bending_again, 0, 16)
/* fused.cl: per particle and launch; operations are those of the kernels above */
CAB_COST(fused_launch, 0, 136)
/* lanes.cl: what a launch reads and writes outside the tile, per particle; then in a tile, per particle and
 * substep of the direct method, without and with bending; then XPBD per particle, segment and bending, and
 * the same for iterations after the first. A launch of XPBD makes velocities of steps and steps of them; what
 * measuring takes is counted nowhere. */
CAB_COST(lanes_launch, 0, 128)
CAB_COST(lanes_lengths, 107, 216)
CAB_COST(lanes_bending, 168, 276)
CAB_COST(lanes_xpbd_launch, 6, 88)
CAB_COST(lanes_xpbd, 36, 44)
CAB_COST(lanes_xpbd_distance, 38, 44)
CAB_COST(lanes_xpbd_bend, 71, 12)
CAB_COST(lanes_xpbd_bend_again, 71, 24)
/* constants of a particle where each cable has its own */
CAB_COST(lanes_own, 0, 4 * (CAB_CONSTANTS - 1))
/* direct_motion.cl and direct_bend.cl, once a substep, per particle; direct_bend per bending */
CAB_COST(direct_predict, 43, 116)
CAB_COST(direct_bend, 34, 148)
CAB_COST(direct_gather, 19, 176)
CAB_COST(direct_forward, 27, 96)
CAB_COST(direct_back, 30, 112)
CAB_COST(direct_finish, 33, 196)
/* direct_lengths.cl, each pass, per particle; direct_note and direct_touch only with contact */
CAB_COST(direct_condense, 47, 132)
CAB_COST(direct_substitute, 38, 152)
CAB_COST(direct_note, 0, 32)
CAB_COST(direct_touch, 3, 36)
/* grid.cl: grid_moved per particle */
CAB_COST(moved, 41, 80)
/* narrow.cl and contact.cl, once a substep: contact_rods, _find, _shares, _weight */
CAB_COST(find_segment, 51 + 2, 240 + 128 + 28 + 16)
CAB_COST(find_particle, 0, 12)
CAB_COST(find_pair, 0, 16)
CAB_COST(find_contact, 167 + 6, 196 + 20)
/* contact.cl, each pass: contact_solve, _push, _apply */
CAB_COST(pass_segment, 6, 12 + 48 + 40)
CAB_COST(pass_particle, 6, 52)
CAB_COST(pass_contact, 73 + 26, 208 + 44)
/* collider.cl: collider_find and _weight once a substep, collider_solve each pass */
CAB_COST(near_segment, 0, 32)
CAB_COST(near_pair, 72, 132)
CAB_COST(near_contact, 80, 64)
CAB_COST(near_pass_segment, 0, 16)
CAB_COST(near_pass_contact, 74, 232)
