/* clcable: a run judges itself. Each frame its figures are held against bounds that follow from the scene. What
 * is beyond what a user would call right is told once, as a warning (an event of the kind CAB_EVENT_WARNING, and
 * through cab_world_def.log); what is beyond sense ends the run as CAB_ERROR_DIVERGED. docs/scene.md, "What a
 * run says of itself", has the bounds.
 */
#ifndef CLCABLE_JUDGE_H
#define CLCABLE_JUDGE_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is judged. */
typedef enum cab_judged {
    CAB_JUDGED_STRETCH = 0, /**< how far a segment's length is off, a share of it; each frame */
    CAB_JUDGED_OVERLAP, /**< how deep two surfaces are in each other, in radii of the thinner cable; each frame */
    CAB_JUDGED_ENERGY, /**< energy that nothing put in, a share of what was in motion; now and then, and when
                          cab_world_measure() is called */
    CAB_JUDGED_SPEED,  /**< of the fastest particle, m/s; each frame */
    CAB_JUDGED_TWIST,  /**< of a cable's moment of twist, in those that a substep resolves; with the energy */
    CAB_JUDGED_COUNT
} cab_judged;

/** A row of the table of judgements. Strings have static storage. */
typedef struct cab_judged_info {
    const char *name; /**< "stretch", "overlap", "energy", "speed", "twist" */
    const char *
        unit; /**< of figure and bound: "of its length", "radii", "of what moved", "m/s", "of what is resolved" */
    const char *bound;  /**< what the bound is, in words */
    const char *change; /**< what to change in the scene */
} cab_judged_info;

/** The row of a judgement; NULL where there is no such one. */
CAB_API const cab_judged_info *cab_judged_info_of(cab_judged judged);

/** What was beyond its bound, of each kind once: at first, and at its worst. */
typedef struct cab_judgement {
    cab_judged judged;
    bool diverged; /**< it ended the run */
    int cable;     /**< at first; of a sheet the number of cables more; -1 = not known */
    int other;     /**< overlap: the other cable, or -2 - i for collider i of the scene; -1 = none */
    int frame;     /**< at whose end it was first beyond, */
    double time;   /**< s, */
    double figure; /**< how much it was then, in the row's unit, */
    double bound;  /**< and what would have been right, at most */
    int worst_frame;
    double worst;   /**< the figure at its worst since */
    char text[256]; /**< a line of plain English: cable, time, figure, bound, what to change */
} cab_judgement;

/** What was beyond its bound so far, in the order of the table. A world that has loaded a state or goes on where
 * another one was judges from there. Fills at most `capacity`; returns how many there are, at most
 * CAB_JUDGED_COUNT. */
CAB_API int cab_world_get_judgements(const cab_world *world, cab_judgement *judgements, int capacity);

#ifdef __cplusplus
}
#endif
#endif
