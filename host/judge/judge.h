/* A run judges itself: see clcable/judge.h. */
#ifndef CAB_JUDGE_H
#define CAB_JUDGE_H

#include <clcable/judge.h>

#include "world/energy.h"

/* Before the first frame, and again where a world goes on from elsewhere: nothing has been judged. */
void cab_judge_start(cab_world *world);
/* After the user has changed what the bounds follow from: gravity, materials, forces. */
void cab_judge_changed(cab_world *world);
/* What the drums hold after this frame, as it was found in the run that a state was saved in. */
void cab_judge_resume_drums(cab_world *world);
void cab_judge_end(cab_world *world);

/* After the measures of a frame. worst_particle: the fastest, worst_distance: the length that is off furthest; -1 =
 * none. CAB_ERROR_DIVERGED when something is beyond sense. */
cab_status cab_judge_frame(cab_world *world, int worst_particle, int worst_distance, cab_error *error);

/* The energy of the frame just done, when somebody has added it up anyway. */
void cab_judge_energy(cab_world *world, const cab_place_speed *motion, const cab_energy *energy);

/* ---- inside ---- */

/* A figure that is beyond its bound. body: -1 = not known; what: a sentence without its end, NULL = none. Tells it
 * where it is the first of its kind. */
typedef struct cab_beyond {
    cab_judged judged;
    int body, other;
    double figure, bound;
    const char *what;
} cab_beyond;
void cab_judge_note(cab_world *world, const cab_beyond *beyond);
/* The same, and the end of the run. */
cab_status cab_judge_stop(cab_world *world, const cab_beyond *beyond, cab_error *error);

/* What follows from the scene (bounds.c): kg of all that can move; how fast the start, gravity, forces and what is
 * led may have made anything by now, m/s; by how much its stiffness lets a length be off, a share of it. */
double cab_judge_mass(cab_world *world);
double cab_judge_speed(cab_world *world);
double cab_judge_elastic(cab_world *world, int distance);

/* Deepest overlap in radii of the thinner cable, between whom (overlap.c). False: none is that deep. */
bool cab_judge_overlap(cab_world *world, double bound, cab_beyond *beyond, cab_error *error);

/* Energy, where it is time (energy.c). */
cab_status cab_judge_energy_frame(cab_world *world, cab_error *error);

#endif
