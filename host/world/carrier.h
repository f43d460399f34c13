/* A carrier: a way of taking a method's arithmetic to a device (cab_way in the public header). It loads, stores and orders; the
 * physics is in kernels/. There is one table of them (carrier/carriers.h); a world points to its own.
 */
#ifndef CAB_CARRIER_H
#define CAB_CARRIER_H

#include <stdbool.h>

#include <clcable/world.h>

/* A pass over contacts; first: of the substep; last: of the iteration. */
typedef cab_status cab_contact_pass(cab_world *world, bool first, bool last, cab_error *error);

/* What a method does in a substep that goes stage by stage; run/substep.c has the order. NULL = nothing. */
typedef struct cab_substep_hooks {
    cab_status (*predict)(cab_world *world, cab_error *error); /* inertia, loads, drag */
    cab_status (*bend)(cab_world *world, cab_error *error);    /* implicit forces at the predicted places */
    cab_status (*solve)(cab_world *world, int substep,
                        cab_error *error);                    /* all constraints, contact among them */
    cab_contact_pass *contact_pass;                           /* of what ends a fast substep */
    cab_status (*forces)(cab_world *world, cab_error *error); /* multipliers that only forces are made of */
    cab_status (*finish)(cab_world *world, cab_error *error); /* velocities and positions */
} cab_substep_hooks;

typedef struct cab_carrier {
    cab_way way;
    /* Takes whole frames in launches of its own: no stage of a substep can come between, so it knows no drag and no hand. */
    bool whole_frames;
    bool coloured_bits;      /* gives the bits of the carrier "coloured" */
    bool springs_in_factors; /* soft attachments are in its tables: start again when there is one more */
    /* NULL, or the sentence why this world cannot go this way. */
    const char *(*refuses)(const cab_world *world);
    /* Tables as the model is now: at the start, and again whenever constraints, masses or compliances have changed. */
    cab_status (*start)(cab_world *world, cab_error *error);
    /* Again when gravity or forces have changed; NULL = they are in none of its tables. */
    cab_status (*update)(cab_world *world, cab_error *error);
    /* Again when other held particles move than before; NULL = as above. */
    cab_status (*update_moving)(cab_world *world, cab_error *error);
    /* All substeps of a frame; NULL = they go stage by stage, by these. */
    cab_status (*frame)(cab_world *world, cab_error *error);
    const cab_substep_hooks *substep;
    void (*end)(cab_world *world); /* frees what start made; NULL = nothing */
} cab_carrier;

#endif
