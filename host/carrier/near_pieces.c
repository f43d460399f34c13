#include "carrier/near_pieces.h"

#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "contact/contact.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/pieces.h"

/* What the model computes of the length of a substep. */
static void set_model(cab_model *m, int pieces)
{
    m->pieces = pieces;
    for (int p = 0; m->particle_pieces && p < m->particle_count; p++) m->particle_pieces[p] = pieces;
    cab_model_set_parameters(m);
}

/* Do both lay out their constants alike? What is led is not told by tiles that are just built. */
static bool match(const cab_tiles *a, const cab_tiles *b, int width)
{
    bool same =
        a->count == b->count && a->constant_count == b->constant_count &&
        !memcmp(a->tile_chain, b->tile_chain, (size_t)a->count * (size_t)width * sizeof *a->tile_chain);
    for (int t = 0; same && t < a->count; t++) {
        cab_tile x = a->tile[t], y = b->tile[t];
        x.move = y.move = x.move_count = y.move_count = 0;
        same = !memcmp(&x, &y, sizeof x);
    }
    return same;
}

int cab_near_worse(int outcome, int other)
{
    if (outcome == CAB_NEAR_FAILED || other == CAB_NEAR_FAILED) return CAB_NEAR_FAILED;
    return outcome > other ? outcome : other;
}

int cab_near_level_for(int pieces)
{
    int level = 0;
    while (level <= CAB_NEAR_LEVEL_MOST && 1 << level < pieces) level++;
    return level <= CAB_NEAR_LEVEL_MOST ? level : -1;
}

int cab_near_next_level(const cab_world *world, int level, int outcome)
{
    int more = cab_near_level_for(outcome);
    if (outcome <= CAB_NEAR_FAILED || more < 0) return -1;
    level += more;
    return level <= CAB_NEAR_LEVEL_MOST && 1 << level <= world->model->settings.max_pieces ? level : -1;
}

cab_status cab_near_build_tiles(cab_world *const *worlds, int count, int width, int level, cab_tiles *tiles,
                                cab_error *error)
{
    const cab_model **models;
    int *before = NULL;
    cab_status status = CAB_NEW(models, count, error);
    if (status == CAB_OK) status = CAB_NEW(before, count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        models[i] = worlds[i]->model;
        before[i] = worlds[i]->model->pieces;
        if (level > 0 || cab_pieces_any(worlds[i])) set_model(worlds[i]->model, 1 << level);
    }
    if (status == CAB_OK) {
        status = cab_tiles_build(models, count, width, tiles, error);
        for (int i = 0; i < count; i++) {
            if (level == 0 && !cab_pieces_any(worlds[i])) continue;
            worlds[i]->model->pieces = before[i];
            cab_pieces_tell_model(worlds[i]);
        }
    }
    CAB_FREE(models, before);
    return status;
}

/* Adds the constants of the tiles for pieces to those that there are. *made: not if they are laid out differently, since what is
 * equal for the one is not for the other. */
static cab_status make_constants(cab_world *const *worlds, int count, const cab_tiles *whole, int width,
                                 int level, float *all, bool *made, cab_error *error)
{
    size_t n = whole->constant_count;
    cab_tiles cut;
    cab_status status = cab_near_build_tiles(worlds, count, width, level, &cut, error);
    if (status != CAB_OK) return status;
    *made = match(whole, &cut, width);
    if (*made) memcpy(all + (size_t)level * n, cut.constant, n * sizeof *all);
    cab_tiles_free(&cut);
    return CAB_OK;
}

cab_status cab_near_constants(cab_world *const *worlds, int count, const cab_tiles *tiles, int width,
                              int level, float **all, cab_error *error)
{
    size_t n = tiles->constant_count, parts = (size_t)level + 1;
    bool made = parts * n <= INT_MAX;
    *all = NULL;
    if (!made) return CAB_OK;
    cab_status status = CAB_NEW(*all, parts * n, error);
    if (status == CAB_OK) memcpy(*all, tiles->constant, n * sizeof **all);
    for (int k = 1; status == CAB_OK && made && k <= level; k++)
        status = make_constants(worlds, count, tiles, width, k, *all, &made, error);
    if (status == CAB_OK && made) return CAB_OK;
    free(*all);
    *all = NULL;
    return status;
}

/* Has the device the constants for this level? They are made when they are first needed. */
static cab_status need_constants(cab_world *world, int level, bool *there, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    float *all;
    *there = l->level >= level;
    if (*there || l->level < 0) return CAB_OK;
    cab_status status =
        cab_near_constants(&world, 1, &l->tiles, world->backend->tile_width, level, &all, error);
    *there = status == CAB_OK && all;
    size_t n = ((size_t)level + 1) * l->tiles.constant_count;
    if (*there) status = cab_world_upload(world, CAB_BUFFER_lane_constant, all, n, sizeof *all, error);
    if (status == CAB_OK) l->level = *there ? level : -1;
    free(all);
    return status;
}

/* The tables of what moves, for as many substeps as they have rows; of: substeps of the frame, the first of which is `first`. */
static cab_status set_window(cab_world *world, int first, int of, cab_error *error)
{
    world->window = (cab_window){first, world->model->settings.substeps, of};
    cab_status status = cab_attached_update(world, error);
    return status == CAB_OK ? cab_colliders_update(world, error) : status;
}

int cab_near_number(int level, int launch)
{
    int pieces = 1 << level;
    int places = (launch == 0 ? CAB_NEAR_ENTERS : 0) | (launch == pieces - 1 ? CAB_NEAR_LEAVES : 0);
    return level == 0 ? 0 : CAB_NEAR_NUMBER(pieces, places);
}

cab_status cab_near_cut_begin(cab_world *world, int level, size_t constants, cab_near_cut *cut,
                              cab_error *error)
{
    int moving = world->attached.moving_count;
    cut->params = world->params;
    cab_status status = CAB_NEW(cut->led, moving, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < moving; i++) {
        const cab_moving *m = &world->attached.moving[i];
        cut->led[i] = (cab_near_led){world->model->attachments[m->attachment].place, m->velocity};
    }
    world->model->pieces = 1 << level;
    cab_world_fill_substep(world);
    world->model->pieces = 1;
    world->params.constants_from = level * (int)constants;
    return CAB_OK;
}

cab_status cab_near_cut_window(cab_world *world, int level, int launch, cab_error *error)
{
    int substeps = world->model->settings.substeps;
    cab_status status = launch > 0 ? cab_colliders_move(world, substeps - 1, error) : CAB_OK;
    return status == CAB_OK ? set_window(world, launch * substeps, substeps << level, error) : status;
}

cab_status cab_near_cut_end(cab_world *world, cab_near_cut *cut, bool done, cab_error *error)
{
    if (!cut->led) return CAB_OK;
    world->params = cut->params;
    cab_status status = set_window(world, 0, world->model->settings.substeps, error);
    for (int i = 0; i < world->attached.moving_count; i++) {
        cab_moving *m = &world->attached.moving[i];
        world->model->attachments[m->attachment].place = cut->led[i].place;
        m->velocity = cut->led[i].velocity;
    }
    CAB_FREE(cut->led);
    cut->led = NULL;
    return status == CAB_OK && !done ? cab_colliders_place(world, error) : status;
}

/* Who watches sees what the launch before `part` of the frame has come to. */
static void let_watch(cab_world *world, double part)
{
    cab_lanes *l = &world->lanes;
    if (!world->pace.watch) return;
    l->ahead = l->solved_first = true; /* as after a frame */
    world->pace.watch(world->pace.user, world, part);
    l->ahead = l->solved_first = false;
}

/* One launch after the other. */
static cab_status launch_all(cab_world *world, int level, double way, int *outcome, cab_error *error)
{
    int pieces = 1 << level;
    cab_status status = CAB_OK;
    *outcome = -CAB_NEAR_SPARE_MOST;
    for (int k = 0; status == CAB_OK && *outcome <= CAB_NEAR_DONE && k < pieces; k++) {
        int now = 0;
        status = cab_near_cut_window(world, level, k, error);
        if (status == CAB_OK)
            status = cab_near_launch(world, way / pieces, cab_near_number(level, k), &now, error);
        *outcome = cab_near_worse(*outcome, now);
        world->lanes.solved = world->lanes.solved_first = false;
        if (status == CAB_OK && *outcome <= CAB_NEAR_DONE) let_watch(world, (k + 1.0) / pieces);
        bool undone = *outcome > CAB_NEAR_DONE && k > 0;
        if (undone && world->pace.unwatch) world->pace.unwatch(world->pace.user, world);
    }
    return status;
}

cab_status cab_near_in_pieces(cab_world *world, double way, int level, int *outcome, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    bool there, solved = l->solved, solved_first = l->solved_first;
    cab_near_cut cut = {0};
    *outcome = CAB_NEAR_FAILED;
    cab_status status = need_constants(world, level, &there, error);
    if (status != CAB_OK || !there) return status;
    status = cab_near_cut_begin(world, level, l->tiles.constant_count, &cut, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error); /* the tiles give their state */
    if (status == CAB_OK) status = launch_all(world, level, way, outcome, error);
    bool done = status == CAB_OK && *outcome <= CAB_NEAR_DONE;
    cab_status ended = cab_near_cut_end(world, &cut, done, status == CAB_OK ? error : NULL);
    if (status == CAB_OK) status = ended;
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (done) return status;
    l->ahead |= world->pace.watch != NULL; /* who watches has had written what the tiles had come to */
    l->solved = solved;
    l->solved_first = solved_first;
    return status;
}
