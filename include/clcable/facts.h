/* clcable: what became of each cable: length, bend, tension, sag, and what is near it. For reports and
 * limits; computed on the host in doubles from a frame that is read back. */
#ifndef CLCABLE_FACTS_H
#define CLCABLE_FACTS_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A cable in the last frame. Rows are those of cab_world_read(). */
typedef struct cab_cable_facts {
    double rest_length; /**< m, what is on a drum included */
    double length;      /**< m, of the line through the nodes; without what is on a drum */
    double tension;     /**< N, the largest; negative when all is pushed */
    int tension_node;   /**< row where its segment starts */
    double tension_at;  /**< where the middle of the segment is, 0 to 1 of the line's length */
    double bend_radius; /**< m, the smallest, of the circle through a node and its neighbours; INFINITY =
                           straight */
    int bend_node;      /**< row; -1 = straight */
    double bend_at;     /**< 0 to 1 of the line's length */
    double sag;         /**< m, how far its lowest node hangs below the straight line from end to end, along
                           gravity; 0 where none does, where that line is upright, and without gravity */
    int sag_node;       /**< row; -1 = none */
    double speed;       /**< m/s, of its fastest node */
} cab_cable_facts;

/** Reads the last frame.
 *
 * @param facts  [cables]
 * @return CAB_OK, CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_get_facts(cab_world *world, cab_cable_facts *facts, cab_error *error);

/** What comes nearest to a cable. */
typedef struct cab_clearance {
    double distance; /**< m, from surface to surface; negative: overlap. INFINITY: nothing within range */
    int node;        /**< row where the cable's nearest segment starts; -1 = nothing within range */
    double at;       /**< where on that segment, 0 to 1 */
    cab_vec3 place;  /**< there, on the cable's middle line, m */
    int other;       /**< index of the cable or collider */
} cab_clearance;

/** Reads the last frame. Two places of one cable, or of cables that are joined, count where the arc between
 * them is more than 1.5 times the straight way: where the cable turns back, not where it merely goes on.
 * Pairs that never touch (docs/scene.md), such as a collider where the cable is attached to it, do not count,
 * nor does what is of different groups. Inside of a box its nearest face counts. Distances to meshes are
 * exact to 0.1 mm, others as coordinates in floats are.
 *
 * @param range      m, > 0; farther is not looked for. The time goes with its cube where much is near
 * @param cables     [cables] to other cables and itself; may be NULL
 * @param colliders  [cables] to colliders; may be NULL
 * @return CAB_OK, CAB_ERROR_INPUT (range), CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_get_clearances(cab_world *world, double range, cab_clearance *cables,
                                            cab_clearance *colliders, cab_error *error);

#ifdef __cplusplus
}
#endif
#endif
