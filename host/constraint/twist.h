/* What the way staged must do about the twist of cables in the middle of a substep; see twist.c. Where nothing twists it does
 * nothing. */
#ifndef CAB_TWIST_KIND_H
#define CAB_TWIST_KIND_H

#include <clcable/world.h>

#include "kernels/types.h"
#include "model/model.h"

/* The run that was furthest beyond what a substep resolves, as the energy was last read. */
typedef struct cab_twist_beyond {
    int cable;
    double figure, most; /* its moment over the largest that is resolved; that, N m */
    bool lost;           /* Phi has changed by more than CAB_TWIST_FAST in a substep */
} cab_twist_beyond;
/* False: none was beyond it. */
bool cab_twist_find_beyond(const cab_world *world, cab_twist_beyond *worst);

/* The roll of each clamp that holds one (model->twist_hold) as the last frame has ended: roll [holds] rad. */
cab_status cab_twist_read_rolls(cab_world *world, double *roll, cab_error *error);

/* The roll of a clamp as the last frame has ended, rad; once the energy has been read, or cab_twist_read_rolls() called. */
double cab_twist_roll_now(const cab_world *world, int hold);
/* How far a run is twisted without its rolls (Phi in kernels/twist.h), rad; twist: the rows of that buffer. */
double cab_twist_turned_of(const cab_twist_run *run, const float4 *twist);
/* The same of each run: turned [runs] rad. */
cab_status cab_twist_read_turned(cab_world *world, double *turned, cab_error *error);
/* The same, and the moments that follow from it, whatever substeps resolve. */
cab_status cab_twist_write_turned(cab_world *world, const double *turned, cab_error *error);

/* The rolls of clamps in the window, float [rows][holds] rad. */
const float *cab_twist_rolls(const cab_world *world);
/* The buffer `twist` as the energy was last read. */
const float4 *cab_twist_read(const cab_world *world);
/* J stored by an angle of twist phi with a stiffness, N m, where the moment goes no further than `most`. */
double cab_twist_stored(double stiffness, double most, double phi);
/* Adds what the moments of twist pull by to the right side of the bending. */
cab_status cab_twist_bend(cab_world *world, cab_error *error);
/* Adds it to the forces on attachments, in a substep in which these are measured (world/forces.h). */
cab_status cab_twist_force(cab_world *world, cab_error *error);
/* Of the way lanes: what its tiles need (kernels/twist_sweep.h). Cables have one run at most. */
cab_status cab_twist_upload_tiles(cab_world *world, cab_error *error);
/* The run of each cable, -1 = none: [cables]. The caller frees it; NULL on failure. */
int *cab_twist_runs_of_cables(const cab_model *model, cab_error *error);
/* What the lane of a cable needs, in [tiles][CAB_TWIST_SLOTS][width] that are 0 before; lane: among those of all tiles. run: the cable's,
 * or -1; first_hold: how many holds are before the model's in the buffers. */
void cab_twist_fill_lane(const cab_model *model, int run, int first_hold, float *tiles, int lane, int width);
#endif
