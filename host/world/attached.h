/* Held particles that move: along keyframes, with a collider, or to targets that the user sets. */
#ifndef CAB_WORLD_ATTACHED_H
#define CAB_WORLD_ATTACHED_H

#include <stdbool.h>

#include <clcable/world.h>

#include "model/model.h"

/* Makes the list of moving particles; computes their targets in the window's substeps. */
cab_status cab_attached_start(cab_world *world, cab_error *error);
cab_status cab_attached_update(cab_world *world, cab_error *error);
/* Writes these targets to the device. It has been done, unless the world's state lies in a gang, which takes them from the host. */
cab_status cab_attached_write(cab_world *world, cab_error *error);
/* After the last substep of a frame: what the user leads has arrived. */
void cab_attached_end_frame(cab_world *world);
/* Adds a moving particle. Afterwards cab_attached_upload() must be called. */
cab_status cab_attached_add(cab_world *world, int attachment, cab_error *error);
/* Uploads the list of moving particles, room for all targets, and all tables that depend on it. */
cab_status cab_attached_upload(cab_world *world, cab_error *error);
/* Number of targets in a substep: of moving particles and of the pull. */
int cab_attached_targets(const cab_world *world);
/* Moves held particles to their targets, after the prediction of a substep. */
cab_status cab_attached_move(cab_world *world, int substep, cab_error *error);

bool cab_attached_is_soft(const cab_world *world, int attachment);

/* The place of an attachment on its collider, and the mating place of a connector, between two frames. */
cab_vec3 cab_attached_place_on_collider(const cab_world *world, const cab_model_attachment *attachment);
cab_vec3 cab_attached_mate(const cab_world *world, const cab_model_attachment *attachment);

/* From now on what is attached to the collider moves with it. An error if the collider turns and a clamp
 * would have to turn with it. */
cab_status cab_attached_ride(cab_world *world, int collider, bool turns, cab_error *error);

#endif
