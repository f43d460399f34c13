/* Contact on the host. */
#ifndef CAB_CONTACT_H
#define CAB_CONTACT_H

#include <stdbool.h>

#include <clcable/world.h>

#include "model/model.h"
#include "world/carrier.h"

/* Can anything touch in this scene? */
bool cab_contact_possible(const cab_model *model);

/* Allocates the buffers of contact, if the scene has any. */
cab_status cab_contact_start(cab_world *world, cab_error *error);
/* Marks the buffers that a state keeps, which depends on whether candidate lists exist. */
void cab_contact_keep(cab_world *world);
void cab_contact_end(cab_world *world);

/* Sets the kernels' parameters that depend on the length of a substep, or of a piece of one: cab_model.pieces. */
void cab_world_fill_substep(cab_world *world);
/* False: something has moved so far in a substep that no list can cover it. */
bool cab_contact_is_sound(const cab_world *world);
/* Between two substeps: makes lists that cover the places as they are, and any motion of `ahead` m from there. */
cab_status cab_contact_cover(cab_world *world, double ahead, cab_error *error);

/* After the prediction: makes candidate lists that cover this substep. */
cab_status cab_contact_update(cab_world *world, cab_error *error);
/* Do the lists hold any pair of segments, any segment near a collider that is met among the iterations? Where they do not, nothing
 * can touch there while they live, and no stage of contact runs. */
bool cab_contact_any_pairs(const cab_world *world);
bool cab_contact_any_near(const cab_world *world);
/* The lists of colliders near segments, on the host: [segments + 1] where each segment's begins, and the list, 4 collider + place. To be
 * freed, whatever the status. */
cab_status cab_contact_read_near(cab_world *world, int **start, int **near, cab_error *error);
/* Narrow phase: finds the substep's contacts. */
cab_status cab_contact_find(cab_world *world, cab_error *error);
/* Do contacts begin a substep with a force, before any pass? It then moves the particles by these. */
bool cab_contact_begins(const cab_world *world);
cab_status cab_contact_begin(cab_world *world, cab_error *error);
/* After the passes: keeps the friction of the substep's contacts for the next one. */
cab_status cab_contact_keep_grips(cab_world *world, cab_error *error);
/* One pass over the contacts; first: of the substep; last: of the iteration. */
cab_status cab_contact_solve(cab_world *world, bool first, bool last, cab_error *error);
/* The same, but for moving the particles: what pushes them is left in the buffer push. */
cab_status cab_contact_push(cab_world *world, bool first, bool last, cab_error *error);
/* After the iterations, where colliders are met then: puts particles out of them, whatever contacts between segments there are. */
cab_status cab_contact_put_out(cab_world *world, cab_error *error);
/* Ends a substep in which something moved fast: solves contacts of fast things last, so that other
 * constraints cannot pull anything through. pass: cab_contact_solve, or what a method does for it. */
cab_status cab_contact_guard(cab_world *world, cab_contact_pass *pass, cab_error *error);
/* Before that: computes the normal forces for drawing, in a frame's last substep only. */
cab_status cab_contact_note_forces(cab_world *world, int substep, cab_error *error);
/* The same from what lanes have left in the buffer end_pressing. */
cab_status cab_contact_take_forces(cab_world *world, cab_error *error);
/* Measures the deepest overlap and the number of touching pairs at the end of the frame. */
cab_status cab_contact_measure(cab_world *world, double *penetration, int *contacts, cab_error *error);
/* Reads the deepest overlap of each segment, as cab_contact_measure() last found it: [segments] m. */
cab_status cab_contact_read_depths(cab_world *world, float *depth, cab_error *error);
/* Where a substep or a piece of one has just ended: how deep each segment lies in another one or in a collider, [segments] m. */
cab_status cab_contact_look(cab_world *world, float *depth, cab_error *error);
/* Lets the segments around a particle overlap for a while, because a joint has broken there. */
cab_status cab_contact_soften(cab_world *world, int particle, cab_error *error);
/* Call it after a joint has broken: candidate lists are made anew. */
cab_status cab_contact_reset(cab_world *world, cab_error *error);

#endif
