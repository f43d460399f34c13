/* A carrier runs a method's arithmetic on a device in one of the ways (cab_way in the public header). It
 * loads, stores and orders; the physics is in kernels/. carrier/carriers.h is the table of carriers. */
#ifndef CAB_CARRIER_H
#define CAB_CARRIER_H

#include <stdbool.h>

#include <clcable/world.h>

#include "backend/kernels.h"
#include "kernels/types.h"

/* A pass over contacts; first: of the substep; last: of the iteration. */
typedef cab_status cab_contact_pass(cab_world *world, bool first, bool last, cab_error *error);

/* What a method does in a substep that is computed stage by stage (run/substep.c). NULL = nothing. */
typedef struct cab_substep_hooks {
    cab_status (*predict)(cab_world *world, cab_error *error); /* inertia, loads, drag */
    cab_status (*bend)(cab_world *world, cab_error *error);    /* implicit forces at the predicted places */
    cab_status (*solve)(cab_world *world, int substep,
                        cab_error *error);                    /* all constraints, contact among them */
    cab_contact_pass *contact_pass;                           /* the pass of cab_contact_guard */
    cab_status (*forces)(cab_world *world, cab_error *error); /* multipliers from which forces are computed */
    cab_status (*finish)(cab_world *world, cab_error *error); /* velocities and positions */
} cab_substep_hooks;

typedef struct cab_carrier {
    cab_way way;
    /* Takes whole frames in its own launches: without drag, a hand, or other stages in between. */
    bool whole_frames;
    bool coloured_bits;      /* gives the same bits as the carrier "coloured" */
    bool springs_in_factors; /* soft attachments are in the tables of start() */
    /* The reason why it cannot run this world, as a sentence, or NULL. */
    const char *(*refuses)(const cab_world *world);
    /* Makes its tables from the present model: at the start and after changes of constraints or masses. */
    cab_status (*start)(cab_world *world, cab_error *error);
    /* Makes them again where substeps have other lengths than before: where changed[component] is true, which then begins
     * without substeps before. NULL = it has no tables that depend on the length. */
    cab_status (*update_substep)(cab_world *world, const bool *changed, cab_error *error);
    /* Makes them again where components have become others, whose state goes on; NULL = it knows none that do. */
    cab_status (*regroup)(cab_world *world, cab_error *error);
    /* Updates the tables when gravity or forces have changed; NULL = nothing to do. */
    cab_status (*update)(cab_world *world, cab_error *error);
    /* Updates the tables when other held particles move than before; NULL = nothing to do. */
    cab_status (*update_moving)(cab_world *world, cab_error *error);
    /* Updates the tables of the cable of a drum, for which the model has just been set; NULL = nothing to do. */
    cab_status (*feed)(cab_world *world, int drum, cab_error *error);
    /* Computes all substeps of a frame; NULL = they are computed stage by stage, with these hooks. */
    cab_status (*frame)(cab_world *world, cab_error *error);
    const cab_substep_hooks *substep;
    /* Writes what it has computed into the buffers of particles (positions, residuals, velocities, steps, slow,
     * multipliers of lengths) if it keeps that elsewhere. change: they are about to be changed, and the next frame
     * takes them from there. NULL = it works on these buffers. */
    cab_status (*settle)(cab_world *world, bool change, cab_error *error);
    /* Reads a part of such a buffer without writing it there; NULL = settle, then read the buffer. */
    cab_status (*fetch)(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                        cab_error *error);
    /* Measures what the last frame came to: a row for each block, and how many there are (at most world->block_count); NULL = the
     * kernel `measure` does it. */
    cab_status (*measure)(cab_world *world, cab_errors *rows, int *blocks, cab_error *error);
    void (*end)(cab_world *world); /* frees its tables; NULL = nothing to do */
} cab_carrier;

#endif
