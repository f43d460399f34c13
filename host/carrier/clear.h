/* Clear frames: frames of the carrier staged in which nothing can touch anything, however it moves. They are computed in lanes, as if the
 * scene had no contact.
 *
 * A survey tells how far cables are from colliders and from one another. In a frame nothing moves further than a bound: some times what
 * speed, gravity, loads and whatever is led would carry it. While the distances less all bounds since the survey exceed the coming
 * frame's, the frame is clear. When they do not, the survey is made anew, and if that does not help, the frame is computed stage by
 * stage. Everything that this depends on is in a state of the world. */
#ifndef CAB_CLEAR_H
#define CAB_CLEAR_H

#include "world/world.h"

/* Could the frame that has begun be computed in lanes with contact (carrier/near.h), if its substeps were whole? While they are cut, stage
 * by stage, cab_clear_choose() does not ask. If so, the number of pieces is noted for it. */
cab_status cab_clear_could_be_near(cab_world *world, bool *could, cab_error *error);
/* Decides how the frame that has begun is to be computed: world->clear.next. */
cab_status cab_clear_choose(cab_world *world, cab_error *error);
/* Computes it so, unless that is stage by stage; *done tells whether it is done. */
cab_status cab_clear_frame(cab_world *world, bool *done, cab_error *error);
/* What follows a frame that has been chosen and that somebody else has computed (carrier/gang.h), or (not `done`) has tried to. */
cab_status cab_clear_end_frame(cab_world *world, bool done, cab_error *error);
/* Are clear frames possible, by what the scene is? */
cab_status cab_clear_possible(cab_world *world, bool *possible, cab_error *error);

/* Tiles keep the state from one clear frame to the next. Writes it into the buffers of particles; see `settle` in
 * world/carrier.h. */
cab_status cab_clear_give(cab_world *world, bool change, cab_error *error);
/* Reads a part of such a buffer; see `fetch` there. */
cab_status cab_clear_fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                           cab_error *error);
/* Measures: after a clear frame as lanes do, else in the buffers. */
cab_status cab_clear_measure(cab_world *world, cab_errors *rows, int *blocks, cab_error *error);

/* Frees its tables. */
void cab_clear_end(cab_world *world);

/* Surveys the world: fills world->clear from `surveyed` on. need: cables must be so far apart for a clear frame, m; how far they are
 * beyond some times that does not matter. */
cab_status cab_clear_survey(cab_world *world, double need, cab_error *error);

/* What keeps a cable from touching itself in the coming frame. */
typedef struct cab_straightness {
    double cosine; /* of segments with the cable's line, or part by part, must be more at the end, or */
    double turn;   /* when they have turned by this angle */
    int part;      /* segments of a part */
    double margin; /* parts that do not lie on a straight stretch must stay further apart than this, m: */
    double most;   /* two particles come nearer by no more than this, or */
    double more; /* each moves by this more than its speed tells, m, and by what hitting a collider gives, */
    bool hits;   /* where colliders are to be looked at, */
    double time; /* for this long, s */
} cab_straightness;

/* Is every cable that may touch itself so straight, as a whole or part by part? */
cab_status cab_clear_straight(cab_world *world, const cab_straightness *wanted, bool *straight,
                              cab_error *error);

#endif
