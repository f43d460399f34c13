#include "carrier/near_pieces.h"

#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "contact/contact.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"

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

/* Which part of lane_constant is that for so many pieces: 1 for 2, 2 for 4, 3 for 8 ... */
static int level_of(int pieces)
{
    int level = 1;
    while (1 << level < pieces) level++;
    return level;
}

/* Adds the constants of the tiles for pieces to those that there are: in `all`, a part for whole substeps and one for each number of pieces. *made:
 * not if they are laid out differently, since what is equal for the one is not for the other. */
static cab_status make_constants(cab_world *world, int pieces, float *all, bool *made, cab_error *error)
{
    const cab_model *model = world->model;
    cab_tiles *whole = &world->lanes.tiles, cut;
    size_t n = whole->constant_count;
    set_model(world->model, pieces);
    cab_status status = cab_tiles_build(&model, 1, world->backend->tile_width, &cut, error);
    set_model(world->model, 1);
    if (status != CAB_OK) return status;
    *made = match(whole, &cut, world->backend->tile_width);
    if (*made) memcpy(all + (size_t)level_of(pieces) * n, cut.constant, n * sizeof *all);
    cab_tiles_free(&cut);
    return CAB_OK;
}

/* Has the device the constants for this number of pieces? They are made when they are first needed. */
static cab_status need_constants(cab_world *world, int pieces, bool *there, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    size_t n = l->tiles.constant_count, parts = (size_t)level_of(pieces) + 1;
    float *all = NULL;
    *there = l->pieces >= pieces;
    if (*there || l->pieces == 0 || parts * n > INT_MAX) return CAB_OK;
    cab_status status = CAB_NEW(all, parts * n, error);
    if (status == CAB_OK) memcpy(all, l->tiles.constant, n * sizeof *all);
    *there = status == CAB_OK;
    for (int k = 2; status == CAB_OK && *there && k <= pieces; k *= 2)
        status = make_constants(world, k, all, there, error);
    if (status == CAB_OK && *there)
        status = cab_world_upload(world, CAB_BUFFER_lane_constant, all, parts * n, sizeof *all, error);
    if (status == CAB_OK) l->pieces = *there ? pieces : 0;
    free(all);
    return status;
}

/* The parameters of pieces, on the device, too. */
static cab_status set_params(cab_world *world, int pieces, cab_error *error)
{
    world->model->pieces = pieces;
    cab_world_fill_substep(world);
    world->model->pieces = 1;
    world->params.constants_from = level_of(pieces) * (int)world->lanes.tiles.constant_count;
    return cab_world_upload_params(world, error);
}

/* The tables of what moves, for as many substeps as they have rows; of: substeps of the frame, the first of which is `first`. */
static cab_status set_window(cab_world *world, int first, int of, cab_error *error)
{
    world->window = (cab_window){first, world->model->settings.substeps, of};
    cab_status status = cab_attached_update(world, error);
    return status == CAB_OK ? cab_colliders_update(world, error) : status;
}

/* One launch after the other. Colliders are where each begins. */
static cab_status launch_all(cab_world *world, int pieces, double way, int *outcome, cab_error *error)
{
    int substeps = world->model->settings.substeps;
    cab_status status = CAB_OK;
    *outcome = CAB_NEAR_DONE;
    for (int k = 0; status == CAB_OK && *outcome == CAB_NEAR_DONE && k < pieces; k++) {
        int places = (k == 0 ? CAB_NEAR_ENTERS : 0) | (k == pieces - 1 ? CAB_NEAR_LEAVES : 0);
        if (k > 0) status = cab_colliders_move(world, substeps - 1, error);
        if (status == CAB_OK) status = set_window(world, k * substeps, substeps * pieces, error);
        if (status == CAB_OK)
            status = cab_near_launch(world, way / pieces, CAB_NEAR_NUMBER(pieces, places), outcome, error);
        world->lanes.solved = world->lanes.solved_first = false;
    }
    return status;
}

/* Where what is led is, and how fast, which is told from row to row of the window. */
typedef struct led {
    cab_vec3 place, velocity;
} led;

static void set_led(cab_world *world, const led *all)
{
    for (int i = 0; i < world->attached.moving_count; i++) {
        cab_moving *moving = &world->attached.moving[i];
        cab_vec3 *place = &world->model->attachments[moving->attachment].place;
        *place = all[i].place;
        moving->velocity = all[i].velocity;
    }
}

/* The frame in so many pieces. The window is the whole frame's again afterwards; what is led is where that leaves it. */
static cab_status compute(cab_world *world, int pieces, double way, int *outcome, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    cab_params whole = world->params;
    led *end;
    cab_status status = CAB_NEW(end, world->attached.moving_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < world->attached.moving_count; i++) {
        const cab_moving *moving = &world->attached.moving[i];
        end[i] = (led){world->model->attachments[moving->attachment].place, moving->velocity};
    }
    status = set_params(world, pieces, error); /* the tiles give their state */
    bool solved = l->solved, solved_first = l->solved_first;
    if (status == CAB_OK) status = launch_all(world, pieces, way, outcome, error);
    world->params = whole;
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = set_window(world, 0, whole.substeps, error);
    set_led(world, end);
    free(end);
    if (status != CAB_OK || *outcome == CAB_NEAR_DONE) return status;
    l->solved = solved;
    l->solved_first = solved_first;
    status = cab_colliders_place(world, error);
    return status == CAB_OK ? cab_near_go_back(world, error) : status;
}

cab_status cab_near_in_pieces(cab_world *world, double way, int *outcome, cab_error *error)
{
    int most = world->model->settings.max_pieces, pieces = 1;
    bool there = true;
    cab_status status = CAB_OK;
    if (most > CAB_NEAR_PIECES_MOST) most = CAB_NEAR_PIECES_MOST;
    while (status == CAB_OK && there && *outcome > CAB_NEAR_FAILED && *outcome <= most / pieces) {
        pieces *= 1 << level_of(*outcome);
        if (pieces > most) break;
        status = need_constants(world, pieces, &there, error);
        if (status == CAB_OK && there) status = compute(world, pieces, way, outcome, error);
    }
    return status;
}
