#include "run/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/rigid_pairs.h"
#include "contact/contact.h"
#include "model/constraint_kind.h"
#include "run/again.h"
#include "run/change.h"
#include "run/islands.h"
#include "run/substep.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/led.h"
#include "world/loads.h"
#include "world/pieces.h"
#include "world/window.h"

#define STILL                                                                                                \
    (1                                                                                                       \
     << 30) /* substeps in a frame so finely cut that nothing led moves between two of them; a power of two */

/* The tables of what moves, for the window's substeps. */
static cab_status set_window(cab_world *world, int first, int count, int of, cab_error *error)
{
    world->window = (cab_window){first, count, of};
    cab_status status = cab_attached_update(world, error);
    if (status == CAB_OK) status = cab_colliders_update(world, error);
    cab_led_note(world);
    if (status == CAB_OK) status = cab_loads_update(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->begin_window)
            status = cab_constraint_kinds[k]->begin_window(world, error);
    }
    return status;
}

cab_status cab_pace_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_NEW(world->pace.led, m->settings.substeps, error);
    if (status == CAB_OK)
        status = CAB_NEW(world->pace.led_collider, (size_t)m->settings.substeps * (size_t)m->collider_count,
                         error);
    return status;
}

/* Notes how far everything that is led moves in each substep of the frame. */
static cab_status note_led(cab_world *world, cab_error *error)
{
    cab_pace *p = &world->pace;
    int substeps = world->model->settings.substeps, colliders = world->model->collider_count;
    int targets = cab_attached_targets(world);
    size_t count = (size_t)substeps * (size_t)targets;
    cab_status status = CAB_OK;
    if (count > p->target_room) {
        CAB_FREE(p->led_target);
        status = CAB_NEW(p->led_target, count, error);
        p->target_room = count;
    }
    if (status != CAB_OK) return status;
    if (count > 0) memcpy(p->led_target, world->attached.moved, count * sizeof *p->led_target);
    /* what is led draws the rest of its cable along, so its way counts wherever there is a collider */
    for (int k = 0; k < substeps; k++) {
        double most = cab_led_socket_way(world, (double)k / substeps, (k + 1.0) / substeps);
        p->led[k] = world->colliders.move ? world->colliders.moved[k] : 0;
        for (int i = 0; i < targets; i++)
            most = fmax(most, p->led_target[(size_t)k * (size_t)targets + (size_t)i]);
        p->led[k] = fmax(p->led[k], most);
        for (int i = 0; i < colliders; i++) {
            size_t at = (size_t)k * (size_t)colliders + (size_t)i;
            p->led_collider[at] = (float)(most + (world->colliders.move ? world->colliders.each[at] : 0));
        }
    }
    return CAB_OK;
}

cab_status cab_pace_begin_frame(cab_world *world, cab_error *error)
{
    int substeps = world->model->settings.substeps;
    cab_status status = set_window(world, 0, substeps, substeps, error);
    return status == CAB_OK ? note_led(world, error) : status;
}

cab_status cab_pace_stand_still(cab_world *world, cab_error *error)
{
    return set_window(world, 0, 1, STILL, error);
}

/* From now on what is stepped takes so many pieces; cut: others take another number. */
static cab_status set_pieces(cab_world *world, int pieces, bool cut, cab_error *error)
{
    if (world->model->pieces == pieces && world->params.cut == cut) return CAB_OK;
    world->model->pieces = pieces;
    world->params.cut = cut;
    cab_world_fill_substep(world);
    return cab_world_upload_params(world, error);
}

/* Makes again what follows from the length of a substep, where components have other pieces than before; pace.changed says where.
 * t: at the start of the substep, s. */
static cab_status remake(cab_world *world, double t, cab_error *error)
{
    cab_model *m = world->model;
    cab_pieces_tell_model(world);
    for (int k = 0; k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->set_time) cab_constraint_kinds[k]->set_time(m, t);
    cab_status status = cab_pieces_upload(world, error);
    if (status == CAB_OK) status = cab_world_upload_damping(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->upload) status = cab_constraint_kinds[k]->upload(world, error);
    if (status == CAB_OK && world->carrier->update_substep)
        status = world->carrier->update_substep(world, world->pace.changed, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->update_moving)
            status = cab_constraint_kinds[k]->update_moving(world, error);
    return status;
}

/* The bits of the numbers of pieces that there are. */
static unsigned numbers_of(const cab_world *world)
{
    const cab_pace *p = &world->pace;
    unsigned numbers = p->made ? 0 : 1;
    for (int c = 0; p->made && c < p->components.count; c++) numbers |= (unsigned)p->pieces[c];
    return numbers;
}

/* All have the same number of pieces, or each its own; what follows from that is made again. */
static cab_status set_all(cab_world *world, double t, cab_error *error)
{
    unsigned numbers = numbers_of(world);
    bool cut = (numbers & (numbers - 1)) != 0;
    /* constraints of one's own have no component, so their substep is that of all */
    cab_status status = set_pieces(world, cut ? 1 : (int)numbers, cut, error);
    return status == CAB_OK ? remake(world, t, error) : status;
}

cab_status cab_pace_set(cab_world *world, const int *pieces, cab_error *error)
{
    cab_pace *p = &world->pace;
    cab_status status = cab_pieces_start(world, error);
    if (status != CAB_OK) return status;
    for (int c = 0; c < p->components.count; c++) {
        p->pieces[c] = pieces[c];
        p->changed[c] = true;
    }
    return set_all(world, world->frame / world->model->settings.frame_rate, error);
}

/* The substep of a row of the window, and who watches it. */
static cab_status step(cab_world *world, int row, cab_error *error)
{
    const cab_window *w = &world->window;
    int pieces = w->of / world->model->settings.substeps;
    int piece = (w->first + row) % pieces;
    cab_status status = cab_pieces_set_lengths(world, piece, error);
    if (status == CAB_OK) status = cab_world_substep(world, row, error);
    if (status == CAB_OK) status = cab_again_watch(world, piece, pieces, error);
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

/* A substep of the settings in which components take different numbers of pieces: one number after the other, from the lowest,
 * while those with another one are held. Each begins at the same time, and has its own part of all that goes on with time. */
static cab_status take_turns(cab_world *world, int index, unsigned numbers, cab_error *error)
{
    int ticks = world->ticks;
    double fastest = 0;
    cab_status status = cab_pieces_upload(world, error);
    world->pace.first = true;
    for (int pieces = 1; status == CAB_OK && pieces <= CAB_PIECES_MOST; pieces *= 2) {
        if (!(numbers & (unsigned)pieces)) continue;
        world->ticks = ticks;
        status = set_pieces(world, pieces, true, error);
        if (status == CAB_OK) status = cab_pieces_hold(world, pieces, error);
        if (status == CAB_OK) status = take_pieces(world, index, pieces, error);
        fastest = fmax(fastest, world->contact.speed);
        world->pace.first = false;
    }
    world->contact.speed = fastest;
    if (status == CAB_OK) status = cab_pieces_hold(world, 0, error);
    return status == CAB_OK ? set_pieces(world, 1, true, error) : status;
}

/* Substep `index` of the frame, in the pieces that are chosen. */
static cab_status take(cab_world *world, int index, cab_error *error)
{
    int substeps = world->model->settings.substeps;
    const cab_window *w = &world->window;
    cab_status status = CAB_OK;
    unsigned numbers = numbers_of(world);
    bool one = (numbers & (numbers - 1)) == 0;
    /* a cable that wakes between two pieces would be in another piece: it stays asleep until the next substep */
    if (!one || (numbers > 1 && world->sleep.asleep > 0)) return take_turns(world, index, numbers, error);
    if (numbers > 1) return take_pieces(world, index, (int)numbers, error);
    if (w->of != substeps || index < w->first || index >= w->first + w->count)
        status = set_window(world, index, substeps - index, substeps, error);
    return status == CAB_OK ? step(world, index - w->first, error) : status;
}

/* What follows from new numbers of pieces. t: at the start of the substep, s */
static cab_status change_pieces(cab_world *world, double t, cab_error *error)
{
    cab_status status = cab_pieces_rescale(world, error);
    return status == CAB_OK ? set_all(world, t, error) : status;
}

cab_status cab_pace_make_whole(cab_world *world, cab_error *error)
{
    cab_pace *p = &world->pace;
    for (int c = 0; c < p->components.count; c++) {
        p->changed[c] = p->pieces[c] > 1;
        p->growth[c] = 1 / (float)p->pieces[c];
        p->pieces[c] = 1;
    }
    return change_pieces(world, world->frame / world->model->settings.frame_rate, error);
}

#define FINER 4       /* times as many pieces */
#define MOST_MORE 256 /* times as many iterations, in the most pieces */

/* Takes the substep again, from its start: islands with a component in `missed` in so many pieces. */
static cab_status retake(cab_world *world, int index, double t, const bool *missed, int pieces,
                         cab_error *error)
{
    cab_status status = cab_again_back(world, error);
    if (status == CAB_OK) status = cab_islands_raise(world, index, missed, pieces, error);
    if (status == CAB_OK) status = change_pieces(world, t, error);
    return status == CAB_OK ? take(world, index, error) : status;
}

/* A substep that has left a length off, or let something in too deep, is taken again in more pieces, until it does neither. Where that
 * does not help, as where a cable is drawn beyond its length, it is taken as it was. */
static cab_status take_again(cab_world *world, int index, double t, cab_error *error)
{
    cab_pace *p = &world->pace;
    int most = world->model->settings.max_pieces, n = p->components.count, pieces = 1;
    bool off, *missed;
    double worst, first;
    cab_status status = cab_again_look(world, &off, &first, error);
    if (status != CAB_OK || !off) return status;
    bool worse = false;
    double beyond = p->again.beyond;
    worst = first;
    status = CAB_NEW(missed, n, error);
    for (int c = 0; status == CAB_OK && c < n; c++)
        if (p->again.missed[c] && p->pieces[c] > pieces) pieces = p->pieces[c];
    while (status == CAB_OK && off && !worse && pieces < most) {
        pieces = FINER * pieces < most ? FINER * pieces : most;
        for (int c = 0; c < n; c++) missed[c] = missed[c] || p->again.missed[c];
        status = retake(world, index, t, missed, pieces, error);
        if (status == CAB_OK) status = cab_again_look(world, &off, &worst, error);
        worse = cab_again_is_worse(world, beyond);
    }
    bool iterates = cab_again_iterates(world);
    for (p->more = 1; status == CAB_OK && off && !worse && !cab_again_will_do(world, worst) && iterates &&
                      p->more < MOST_MORE;) {
        p->more *= FINER;
        for (int c = 0; c < n; c++) missed[c] = missed[c] || p->again.missed[c];
        status = retake(world, index, t, missed, pieces, error);
        if (status == CAB_OK) status = cab_again_look(world, &off, &worst, error);
    }
    p->more = 0;
    for (int c = 0; status == CAB_OK && c < n; c++) missed[c] = false;
    bool fails = off && worst > 0 && !cab_again_will_do(world, worst) && !(iterates && worst < first);
    if (status == CAB_OK && (fails || worse)) status = retake(world, index, t, missed, 1, error);
    free(missed);
    return status;
}

/* Substep `index` of the frame. */
static cab_status take_substep(cab_world *world, int index, cab_error *error)
{
    bool changed, kept = false, looks = cab_islands_looks(world, index);
    cab_status status = cab_rigid_look(world, error);
    if (status == CAB_OK) status = cab_islands_choose(world, index, &changed, error);
    double t =
        (world->frame + (double)index / world->model->settings.substeps) / world->model->settings.frame_rate;
    if (status == CAB_OK && changed) status = change_pieces(world, t, error);
    if (status == CAB_OK) status = cab_rigid_regroup(world, error); /* what becomes one has as many pieces */
    if (status == CAB_OK) status = cab_again_keep(world, looks, &kept, error);
    if (status == CAB_OK) status = take(world, index, error);
    return status == CAB_OK && kept ? take_again(world, index, t, error) : status;
}

cab_status cab_pace_frame(cab_world *world, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < world->model->settings.substeps; i++)
        status = take_substep(world, i, error);
    return status;
}
