/* Contacts of rigid bodies with colliders and with each other: what the way staged launches for them. Without bodies that can touch anything each
 * of these does nothing. */
#ifndef CAB_CONSTRAINT_RIGID_CONTACT_H
#define CAB_CONSTRAINT_RIGID_CONTACT_H

#include "world/world.h"

/* Their tables, which go with those of bodies. */
cab_status cab_rigid_contact_upload(cab_world *world, cab_error *error);
/* Looks for contacts at the start of a substep's passes, when bodies are predicted; sets world->staged.bumped. */
cab_status cab_rigid_contact_find(cab_world *world, cab_error *error);
/* A Newton pass: before cab_stiff_condense, and after cab_rigid_assemble. flags: CAB_NEWTON_... */
cab_status cab_rigid_contact_press(cab_world *world, int flags, cab_error *error);
cab_status cab_rigid_contact_assemble(cab_world *world, int flags, cab_error *error);
/* After the passes. */
cab_status cab_rigid_contact_end(cab_world *world, cab_error *error);

/* ---- which bodies come near each other (rigid_mates.c) ---- */

/* Of each body the bodies that it looks for, by their numbers. */
typedef struct cab_mates {
    int *of; /* [bodies][CAB_RIGID_MATES] 1 + a body; 0 = no more */
    double *
        reach; /* [bodies] radius of a ball about the centre of mass around all shapes, m; < 0: it touches nothing */
} cab_mates;

cab_status cab_mates_start(const cab_model *model, cab_mates *mates, cab_error *error);
void cab_mates_free(cab_mates *mates);
/* Adds the bodies that may meet in the substep from `place` at `velocity` (of particles, from the first mass point on), where
 * they are not all there; then changed: all are looked for anew, with some room. h: s */
cab_status cab_mates_update(const cab_model *model, cab_mates *mates, const float4 *place,
                            const float4 *velocity, double h, bool *changed, cab_error *error);
/* The model's list of pairs from these. */
cab_status cab_mates_list(cab_model *model, const cab_mates *mates, cab_error *error);

#endif
