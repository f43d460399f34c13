/* Substeps that are cut into pieces, not into the same number everywhere: while some components take theirs, the others are held
 * as those are that sleep. */
#ifndef CAB_WORLD_PIECES_H
#define CAB_WORLD_PIECES_H

#include <stdbool.h>

#include <clcable/world.h>

/* The components (cables joined to each other), each in one piece; again after constraints or joints have changed, when each keeps
 * its number of pieces. Does nothing before cab_pieces_start(). */
cab_status cab_pieces_start(cab_world *world, cab_error *error);
cab_status cab_pieces_restart(cab_world *world, cab_error *error);
void cab_pieces_end(cab_world *world);

/* Into how many pieces is a component's substep cut at most? Is that of any cut? */
int cab_pieces_most(const cab_world *world);
bool cab_pieces_any(const cab_world *world);

/* What the model computes of the length of substeps is that of the components' pieces. */
void cab_pieces_tell_model(cab_world *world);
/* Tells the device the pieces of all components, and who sleeps. */
cab_status cab_pieces_upload(cab_world *world, cab_error *error);

/* Multipliers of lengths in the unit of a substep's new length (force times its square), where pace.growth says that it has
 * another: the direct method takes each segment's stiffness across it from them. */
cab_status cab_pieces_rescale(cab_world *world, cab_error *error);

/* Between two substeps: only what is cut into `pieces` moves from now on; 0: all. */
cab_status cab_pieces_hold(cab_world *world, int pieces, cab_error *error);
/* Before a substep or a piece of one, of which there were `before`: what lengths are to be in it, by the direct method. Where
 * nothing is cut they are the rest lengths, as the carrier has put them when pieces ended. */
cab_status cab_pieces_set_lengths(cab_world *world, int before, cab_error *error);
/* Within a substep, while lists are made, in which nobody is held: lets go of all, and holds them again. */
cab_status cab_pieces_loosen(cab_world *world, cab_error *error);
cab_status cab_pieces_tighten(cab_world *world, cab_error *error);

#endif
