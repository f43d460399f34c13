/* A substep that is computed stage by stage. Its order is the same for all methods: a method has hooks in it
 * (world/carrier.h), and so has each kind of constraint (model/constraint_kind.h).
 *
 *   begin      drums pay out and reel in
 *   loads      forces in this substep
 *   predict    inertia, loads and drag
 *   attached   held particles move to their targets
 *   predicted  clips slide, drums take their cable with them, springs of the direct method pull
 *   bend       implicit bending of the direct method
 *   colliders  move to their places at the substep's end
 *   lists      candidate lists that cover the substep
 *   find       contacts at the predicted places
 *   solve      constraints, then contacts: friction must hold at the end
 *   put out    particles out of colliders, where these are met after the iterations
 *   note       contact forces, for drawing
 *   guard      keeps what moved fast from being pulled through what it met
 *   forces     on attachments that can break
 *   end        clips slide; springs of the direct method are taken out of the masses
 *   finish     velocity and position
 *
 * Forces are measured before clips slide. The other order gives the same bits: forces depend on multipliers
 * and places, and a clip that slides changes only how far its target has slid. */
#include "run/substep.h"

#include "contact/contact.h"
#include "model/constraint_kind.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/forces.h"
#include "world/loads.h"
#include "world/sleep.h"
#include "world/window.h"

/* Runs a hook of all kinds of constraints. */
#define ALL_KINDS(hook)                                                                                      \
    cab_status status = CAB_OK;                                                                              \
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {                                \
        const cab_constraint_kind *kind = cab_constraint_kinds[k];                                           \
        if (kind->hook) status = kind->hook(world, substep, error);                                          \
    }                                                                                                        \
    return status

static cab_status begin(cab_world *world, int substep, cab_error *error)
{
    ALL_KINDS(begin);
}

static cab_status predict(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return world->carrier->substep->predict(world, error);
}

static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    ALL_KINDS(predicted);
}

static cab_status bend(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return world->carrier->substep->bend ? world->carrier->substep->bend(world, error) : CAB_OK;
}

static cab_status lists(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return cab_contact_update(world, error);
}

static cab_status find(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return cab_contact_find(world, error);
}

static cab_status solve(cab_world *world, int substep, cab_error *error)
{
    return world->carrier->substep->solve(world, substep, error);
}

static cab_status put_out(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return cab_contact_put_out(world, error);
}

static cab_status guard(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return cab_contact_guard(world, world->carrier->substep->contact_pass, error);
}

static cab_status forces(cab_world *world, int substep, cab_error *error)
{
    const cab_substep_hooks *hooks = world->carrier->substep;
    (void)substep;
    if (world->forces.watch_count == 0) return CAB_OK;
    cab_status status = hooks->forces ? hooks->forces(world, error) : CAB_OK;
    return status == CAB_OK ? cab_forces_add(world, error) : status;
}

static cab_status end(cab_world *world, int substep, cab_error *error)
{
    ALL_KINDS(end);
}

static cab_status finish(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return world->carrier->substep->finish(world, error);
}

typedef cab_status stage(cab_world *world, int substep, cab_error *error);
static stage *const stages[] = {begin,
                                cab_loads_move,
                                predict,
                                cab_attached_move,
                                predicted,
                                bend,
                                cab_colliders_move,
                                lists,
                                find,
                                solve,
                                put_out,
                                cab_contact_note_forces,
                                guard,
                                forces,
                                end,
                                finish};

cab_status cab_world_substep(cab_world *world, int substep, cab_error *error)
{
    cab_world_tick(world);
    if (cab_sleep_all(world)) return CAB_OK;
    cab_status status = world->pace.held > 0 ? CAB_OK : cab_sleep_wake(world, error);
    for (size_t i = 0; status == CAB_OK && i < sizeof stages / sizeof *stages; i++)
        status = stages[i](world, substep, error);
    return status;
}
