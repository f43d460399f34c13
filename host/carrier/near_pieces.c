#include "carrier/near_pieces.h"

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

/* Do both lay out their constants alike? */
static bool match(const cab_tiles *a, const cab_tiles *b)
{
    return a->count == b->count && a->constant_count == b->constant_count &&
           !memcmp(a->tile, b->tile, (size_t)a->count * sizeof *a->tile);
}

/* The number of a number of pieces: of 2, 4, 8 ... */
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
    *made = match(whole, &cut);
    if (*made) memcpy(all + (size_t)level_of(pieces) * n, cut.constant, n * sizeof *all);
    cab_tiles_free(&cut);
    return CAB_OK;
}

/* Has the device the constants for this number of pieces? They are made when they are first needed. */
static cab_status need_constants(cab_world *world, int pieces, bool *there, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    int levels = level_of(CAB_NEAR_PIECES_MOST) + 1, before = l->levels;
    size_t n = l->tiles.constant_count;
    float *all = NULL;
    *there = l->levels >= pieces;
    if (*there) return CAB_OK;
    cab_status status = CAB_NEW(all, (size_t)levels * n, error);
    if (status == CAB_OK) memcpy(all, l->tiles.constant, n * sizeof *all);
    *there = status == CAB_OK;
    for (int k = 2; status == CAB_OK && *there && k <= pieces; k *= 2)
        status = make_constants(world, k, all, there, error);
    size_t parts = (size_t)level_of(pieces) + 1;
    if (status == CAB_OK && *there)
        status = cab_world_upload(world, CAB_BUFFER_lane_constant, all, parts * n, sizeof *all, error);
    l->levels = status == CAB_OK && *there ? pieces : before;
    free(all);
    return status;
}

/* The parameters of pieces, on the device, too. */
static cab_status set_params(cab_world *world, int pieces, cab_error *error)
{
    cab_params *p = &world->params;
    world->model->pieces = pieces;
    double h = cab_model_substep(world->model);
    p->h = (float)h;
    p->inverse_h = (float)(1 / h);
    p->share = 1.0f / (float)pieces;
    p->constants_from = level_of(pieces) * (int)world->lanes.tiles.constant_count;
    cab_contact_fill_params(world);
    world->model->pieces = 1;
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

/* The frame in so many pieces. */
static cab_status compute(cab_world *world, int pieces, double way, int *outcome, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    cab_params whole = world->params;
    cab_status status = set_params(world, pieces, error); /* the tiles give their state */
    bool solved = l->solved, solved_first = l->solved_first;
    if (status == CAB_OK) status = launch_all(world, pieces, way, outcome, error);
    world->params = whole;
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = set_window(world, 0, whole.substeps, error);
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
