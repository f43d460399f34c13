/* Held particles that move: along keyframes, with a collider, or where the user wants them. */
#ifndef CAB_WORLD_ATTACHED_H
#define CAB_WORLD_ATTACHED_H

#include <stdbool.h>

#include <clcable/world.h>

#include "model/model.h"

/* The list of moving ones, their targets in the window's substeps. */
cab_status cab_attached_start(cab_world *world, cab_error *error);
cab_status cab_attached_update(cab_world *world, cab_error *error);
/* After the frame's last substep: what the user leads is there. */
void cab_attached_end_frame(cab_world *world);
/* One more that moves; cab_attached_upload() is due then. */
cab_status cab_attached_add(cab_world *world, int attachment, cab_error *error);
/* The list of moving particles, room for all targets (theirs and the pull's), and all tables that count by them. */
cab_status cab_attached_upload(cab_world *world, cab_error *error);
/* Targets a substep: of the moving ones and of the pull. */
int cab_attached_targets(const cab_world *world);
/* In a substep, after the prediction: to their targets. */
cab_status cab_attached_move(cab_world *world, int substep, cab_error *error);

bool cab_attached_is_soft(const cab_world *world, int attachment);

/* Where an attachment is on its collider, and where a connector mates, between two frames. */
cab_vec3 cab_attached_place_on_collider(const cab_world *world, const cab_model_attachment *attachment);
cab_vec3 cab_attached_mate(const cab_world *world, const cab_model_attachment *attachment);

/* What is attached to the collider moves with it from now on; an error when it turns and a clamp would have to turn with it. */
cab_status cab_attached_ride(cab_world *world, int collider, bool turns, cab_error *error);

#endif
