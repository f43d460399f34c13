#include "run/pace.h"

#include <math.h>

#include "contact/contact.h"
#include "model/constraint_kind.h"
#include "run/change.h"
#include "run/substep.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/loads.h"
#include "world/window.h"

/* Of its thickness: what may meet something moves no further in a piece; docs/design.md, "Pace", says what others did. */
#define SHARE_MOST 0.1
#define STILL (1 << 30) /* rows of a window that nobody can tell from the present; a power of two */
#define GROWTH 1.5      /* a whip or a snap may be so much faster in the next substep than in the last */

/* The tables of what moves, for the window's substeps. */
static cab_status set_window(cab_world *world, int first, int count, int of, cab_error *error)
{
    world->window = (cab_window){first, count, of};
    cab_status status = cab_attached_update(world, error);
    if (status == CAB_OK) status = cab_colliders_update(world, error);
    if (status == CAB_OK) status = cab_loads_update(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->begin_window)
            status = cab_constraint_kinds[k]->begin_window(world, error);
    }
    return status;
}

cab_status cab_pace_start(cab_world *world, cab_error *error)
{
    return CAB_NEW(world->pace.led, world->model->settings.substeps, error);
}

cab_status cab_pace_begin_frame(cab_world *world, cab_error *error)
{
    int substeps = world->model->settings.substeps;
    cab_status status = set_window(world, 0, substeps, substeps, error);
    for (int k = 0; status == CAB_OK && k < substeps; k++) {
        double attached = world->attached.moving_count > 0 ? world->attached.moved[k] : 0;
        double collider = world->colliders.move ? world->colliders.moved[k] : 0;
        world->pace.led[k] = fmax(attached, collider);
    }
    return status;
}

cab_status cab_pace_stand_still(cab_world *world, cab_error *error)
{
    return set_window(world, 0, 1, STILL, error);
}

cab_status cab_pace_set(cab_world *world, int pieces, cab_error *error)
{
    world->model->pieces = pieces;
    cab_model_set_parameters(world->model);
    cab_world_fill_substep(world);
    return cab_world_upload_substep(world, error);
}

/* Into how many pieces substep `index` of the frame is to be cut. */
static cab_status choose(cab_world *world, int index, int *pieces, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_contact_state *c = &world->contact;
    double led = world->pace.led[index], h = cab_model_substep(m) * m->pieces, share;
    double step = fmax(GROWTH * c->speed * h, led);
    *pieces = 1;
    if (m->settings.max_pieces == 1 || (!c->cables && !c->colliders)) return CAB_OK;
    if (m->settings.contact.detection != CAB_DETECTION_SWEPT || !(step > SHARE_MOST * c->smallest_radius))
        return CAB_OK;
    cab_status status = cab_contact_pace(world, step, led, &share, error);
    while (*pieces < m->settings.max_pieces && share > SHARE_MOST * *pieces) *pieces *= 2;
    /* back step by step: what was hit still rings */
    if (*pieces < m->pieces) *pieces = m->pieces / 2;
    return status;
}

/* The substep of a row of the window, and who watches it. */
static cab_status step(cab_world *world, int row, cab_error *error)
{
    cab_status status = cab_world_substep(world, row, error);
    if (status == CAB_OK && world->pace.watch)
        world->pace.watch(world->pace.user, world, cab_window_part(world, row, 1));
    return status;
}

/* One substep of the settings, in pieces; the tables of what moves hold as many rows as a frame has substeps. */
static cab_status take_pieces(cab_world *world, int index, int pieces, cab_error *error)
{
    int substeps = world->model->settings.substeps;
    cab_status status = CAB_OK;
    for (int done = 0; status == CAB_OK && done < pieces; done += world->window.count) {
        int count = pieces - done < substeps ? pieces - done : substeps;
        status = set_window(world, index * pieces + done, count, substeps * pieces, error);
        for (int k = 0; status == CAB_OK && k < count; k++) status = step(world, k, error);
    }
    return status;
}

cab_status cab_pace_frame(cab_world *world, cab_error *error)
{
    int substeps = world->model->settings.substeps;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < substeps; i++) {
        int pieces;
        status = choose(world, i, &pieces, error);
        if (status == CAB_OK && pieces != world->model->pieces) status = cab_pace_set(world, pieces, error);
        if (status != CAB_OK) return status;
        if (pieces > 1) {
            status = take_pieces(world, i, pieces, error);
            continue;
        }
        if (world->window.of != substeps) status = set_window(world, i, substeps - i, substeps, error);
        if (status == CAB_OK) status = step(world, i - world->window.first, error);
    }
    return status;
}
