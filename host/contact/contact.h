/* Contact, the host's side: when to rebuild the candidate lists, how large they are. */
#ifndef CAB_CONTACT_H
#define CAB_CONTACT_H

#include <stdbool.h>

#include <clcable/world.h>

#include "model/model.h"
#include "world/carrier.h"

/* Can anything touch in this scene? */
bool cab_contact_possible(const cab_model *model);

/* Allocates what contact needs; nothing when the scene has none. */
cab_status cab_contact_start(cab_world *world, cab_error *error);
/* Marks the buffers that a state keeps, which depends on whether candidate lists exist. */
void cab_contact_keep(cab_world *world);
void cab_contact_end(cab_world *world);

/* Parameters of kernels that follow from the length of a substep. */
void cab_contact_fill_params(cab_world *world);
/* The largest share of its own thickness that anything may move by in the coming substep of the settings where it could meet
 * something: 0 = nothing could. `step`: the most that any particle may move in it, `led`: what is led; m. */
cab_status cab_contact_pace(cab_world *world, double step, double led, double *share, cab_error *error);

/* After predict: candidate lists that cover this substep. */
cab_status cab_contact_update(cab_world *world, cab_error *error);
/* Narrow phase: the substep's contacts. */
cab_status cab_contact_find(cab_world *world, cab_error *error);
/* One pass over the contacts; first: of the substep; last: of the iteration. */
cab_status cab_contact_solve(cab_world *world, bool first, bool last, cab_error *error);
/* Ends a substep in which something was fast: the contacts of what was have the last word, so that nothing is
 * dragged through. pass: cab_contact_solve, or what a method makes of it. */
cab_status cab_contact_guard(cab_world *world, cab_contact_pass *pass, cab_error *error);
/* Before that: the normal forces, for drawing; only in a frame's last substep. */
cab_status cab_contact_note_forces(cab_world *world, int substep, cab_error *error);
/* Deepest overlap and number of touching pairs of the frame just done. */
cab_status cab_contact_measure(cab_world *world, double *penetration, int *contacts, cab_error *error);
/* Deepest overlap of each segment, as cab_contact_measure() last found it: [segments] m. */
cab_status cab_contact_read_depths(cab_world *world, float *depth, cab_error *error);
/* The segments about a particle may overlap for a while: a joint has broken there. */
cab_status cab_contact_soften(cab_world *world, int particle, cab_error *error);
/* After a joint has broken. */
cab_status cab_contact_reset(cab_world *world, cab_error *error);

#endif
