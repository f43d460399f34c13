/* The forces that attachments bear: of those that can break, or of all where they are asked for. */
#ifndef CAB_WORLD_FORCES_H
#define CAB_WORLD_FORCES_H

#include <stdbool.h>

#include <clcable/world.h>

#include "model/model.h"
#include "world/parts.h"

/* Places at which forces of attachments are measured: what acts on each, and whose it is. */
typedef struct cab_force_rows {
    cab_breakable *row;
    cab_watch *watch;
    int count, room;
} cab_force_rows;

/* Lists those of attachments that can break, or of all that hold. row and watch are freed by the caller, after a failure too. */
cab_status cab_forces_list(const cab_model *model, bool all, cab_force_rows *rows, cab_error *error);

/* Chooses the places that are watched; called again when an attachment has broken or latched. */
cab_status cab_forces_start(cab_world *world, cab_error *error);
/* At the start of a frame: clears the sums of forces, notes velocities and mean loads. */
cab_status cab_forces_begin_frame(cab_world *world, cab_error *error);
/* At the end of a substep: adds what constraints exert on the watched places. */
/* The argument of kernels that add forces in this substep (kernels/forces.h). */
int cab_forces_argument(const cab_world *world);
cab_status cab_forces_add(cab_world *world, cab_error *error);
/* After a frame: adds each watched attachment's mean force to force[attachment of the model], N, and to couple that of cab_forces. */
cab_status cab_forces_read(cab_world *world, cab_vec3 *force, cab_vec3 *couple, cab_error *error);

#endif
