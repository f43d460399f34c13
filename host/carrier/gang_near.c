/* Near frames of a gang: one number of pieces after the other, from the lowest, each for the worlds that need so many. Lanes of the
 * others are told to be copies, which are computed for nothing natively, and go back where they were. */
#include "base/array.h"
#include "carrier/gang_inside.h"
#include "carrier/near.h"
#include "carrier/near_pieces.h"
#include "world/device.h"

/* Writes or reads the buffer chain_near. */
static cab_status exchange_numbers(cab_gang *gang, bool back, cab_error *error)
{
    cab_backend *b = gang->backend;
    size_t bytes = (size_t)gang->all.chains * sizeof *gang->near;
    return back ? b->ops->read(b, CAB_BUFFER_chain_near, 0, bytes, gang->near, error)
                : b->ops->write(b, CAB_BUFFER_chain_near, 0, bytes, gang->near, error);
}

/* Sets the numbers of a member's cables. */
static void set_numbers(cab_gang *gang, const cab_member *member, int number)
{
    for (int c = 0; c < member->world->model->cable_count; c++)
        gang->near[member->before.chains + c] = number;
}

/* Tells the tiles whose turn it is. */
static cab_status write_lanes(cab_gang *gang, int level, cab_error *error)
{
    size_t count = (size_t)gang->tiles.count * (size_t)gang->backend->tile_width;
    for (size_t i = 0; i < count; i++) {
        int c = gang->lane[i];
        gang->turn[i] = c >= 0 && gang->member[gang->chain_member[c]].level != level ? ~c : c;
    }
    return cab_gang_write_lanes(gang, gang->turn, error);
}

/* Has the device the constants for this level? */
static cab_status need_constants(cab_gang *gang, int level, bool *there, cab_error *error)
{
    cab_world **worlds;
    float *all = NULL;
    int count = 0;
    *there = gang->level >= level;
    if (*there || gang->level < 0) return CAB_OK;
    cab_status status = CAB_NEW(worlds, gang->size, error);
    for (int i = 0; status == CAB_OK && i < gang->size; i++)
        if (gang->member[i].world) worlds[count++] = gang->member[i].world;
    if (status == CAB_OK)
        status =
            cab_near_constants(worlds, count, &gang->tiles, gang->backend->tile_width, level, &all, error);
    *there = status == CAB_OK && all;
    const cab_table table = {CAB_BUFFER_lane_constant, all, ((size_t)level + 1) * gang->tiles.constant_count,
                             sizeof *all};
    if (*there) status = cab_device_upload(gang->backend, &table, error);
    if (status == CAB_OK) gang->level = *there ? level : -1;
    for (int i = 0; i < gang->size && status == CAB_OK && !*there; i++) {
        const cab_member *member = &gang->member[i];
        if (member->world && member->tables != member->world->lanes.tables) gang->stale = true;
    }
    CAB_FREE(worlds, all);
    return status;
}

/* The worlds whose turn it is: those of members at a level. */
typedef struct cab_turn {
    cab_gang *gang;
    cab_world *const *worlds; /* [size] that take part in the frame */
    int level;
    cab_world *first;  /* of those whose turn it is */
    cab_near_cut *cut; /* [size] what is changed of each; led: NULL = nothing */
} cab_turn;

static bool has_turn(const cab_turn *t, int i)
{
    return t->worlds[i] && t->gang->member[i].level == t->level;
}

/* Takes what the launch has come to; how many worlds may still be done in this turn. */
static int note_outcomes(const cab_turn *t)
{
    int left = 0;
    for (int i = 0; i < t->gang->size; i++) {
        cab_member *member = &t->gang->member[i];
        if (!has_turn(t, i) || member->outcome > CAB_NEAR_DONE) continue; /* what follows is of no use */
        for (int c = 0; c < t->worlds[i]->model->cable_count; c++)
            member->outcome = cab_near_worse(member->outcome, t->gang->near[member->before.chains + c]);
        left += member->outcome <= CAB_NEAR_DONE;
    }
    return left;
}

/* Launch `launch` of the turn. */
static cab_status launch(const cab_turn *t, int launch, int *left, cab_error *error)
{
    cab_gang *gang = t->gang;
    cab_status status = CAB_OK;
    for (int i = 0; i < gang->size && status == CAB_OK; i++) {
        if (!has_turn(t, i)) continue;
        set_numbers(gang, &gang->member[i], cab_near_reach(cab_near_way(t->worlds[i]) / (1 << t->level)));
        if (t->level > 0) status = cab_near_cut_window(t->worlds[i], t->level, launch, error);
    }
    if (status == CAB_OK && t->level > 0)
        status = cab_gang_write_motion(gang, t->worlds, (size_t)t->first->params.substeps, error);
    if (status == CAB_OK) status = exchange_numbers(gang, false, error);
    if (status == CAB_OK) status = cab_gang_launch(gang, t->first, cab_near_number(t->level, launch), error);
    if (status == CAB_OK) status = exchange_numbers(gang, true, error);
    if (status == CAB_OK) *left = note_outcomes(t);
    return status;
}

/* All launches of the turn, with constants and parameters of pieces. */
static cab_status compute(const cab_turn *t, cab_error *error)
{
    size_t constants = t->gang->tiles.constant_count;
    int left = 1;
    cab_status status = CAB_OK;
    for (int i = 0; i < t->gang->size && status == CAB_OK && t->level > 0; i++)
        if (has_turn(t, i)) status = cab_near_cut_begin(t->worlds[i], t->level, constants, &t->cut[i], error);
    if (status == CAB_OK && t->level > 0) status = cab_gang_write_params(t->gang, t->first, error);
    for (int k = 0; k < 1 << t->level && left > 0 && status == CAB_OK; k++)
        status = launch(t, k, &left, error);
    for (int i = 0; i < t->gang->size && t->level > 0; i++) {
        if (!has_turn(t, i)) continue;
        bool done = t->gang->member[i].outcome <= CAB_NEAR_DONE;
        cab_status ended = cab_near_cut_end(t->worlds[i], &t->cut[i], done, status == CAB_OK ? error : NULL);
        if (status == CAB_OK) status = ended;
    }
    return status;
}

/* Cables that were not to be computed, or are not done, go back to where they were when the turn began. */
static cab_status go_back(const cab_turn *t, cab_error *error)
{
    cab_gang *gang = t->gang;
    bool any = false;
    for (int i = 0; i < gang->size; i++) {
        const cab_member *member = &gang->member[i];
        bool back = !has_turn(t, i) || member->outcome > CAB_NEAR_DONE;
        if (member->world) set_numbers(gang, member, back ? CAB_NEAR_FAILED : CAB_NEAR_DONE);
        any |= back && t->worlds[i];
    }
    if (!any) return CAB_OK;
    cab_status status = exchange_numbers(gang, false, error);
    return status == CAB_OK ? cab_gang_run(gang, CAB_KERNEL_near_back, gang->tiles.count, 0, error) : status;
}

/* Whose frame is done, and who has another turn. */
static void judge(const cab_turn *t, bool *done)
{
    for (int i = 0; i < t->gang->size; i++) {
        cab_member *member = &t->gang->member[i];
        if (!has_turn(t, i)) continue;
        done[i] = member->outcome <= CAB_NEAR_DONE;
        if (done[i]) cab_near_done(t->worlds[i], t->level, member->outcome);
        if (!done[i])
            t->worlds[i]->contact.forces_due = false; /* those of the try; the frame will have others */
        member->level = done[i] ? -1 : cab_near_next_level(t->worlds[i], t->level, member->outcome);
    }
}

/* There are no constants for the turn: who has it takes the frame by himself. */
static void send_away(const cab_turn *t, bool *done)
{
    for (int i = 0; i < t->gang->size; i++) {
        if (!has_turn(t, i)) continue;
        done[i] = false;
        t->worlds[i]->clear.alone = true;
        t->worlds[i]->contact.forces_due = false;
        t->gang->member[i].level = -1;
    }
}

/* The turn of those who are at a level, if there are any. *cut: the gang's parameters and lanes are not those of whole frames any
 * more */
static cab_status take_turn(cab_turn *t, bool *cut, bool *done, cab_error *error)
{
    cab_gang *gang = t->gang;
    bool all = true, there = true;
    t->first = NULL;
    for (int i = gang->size - 1; i >= 0; i--) {
        cab_member *member = &gang->member[i];
        all &= !t->worlds[i] || member->level == t->level;
        if (!has_turn(t, i)) continue;
        t->first = t->worlds[i];
        member->outcome = -CAB_NEAR_SPARE_MOST;
    }
    if (!t->first) return CAB_OK;
    cab_status status = t->level > 0 ? need_constants(gang, t->level, &there, error) : CAB_OK;
    if (status == CAB_OK && !there) send_away(t, done);
    if (status != CAB_OK || !there) return status;
    if (!all || *cut) status = write_lanes(gang, t->level, error);
    *cut |= !all || t->level > 0;
    if (status == CAB_OK) status = compute(t, error);
    if (status == CAB_OK) status = go_back(t, error);
    if (status == CAB_OK) judge(t, done);
    return status;
}

cab_status cab_gang_near(cab_gang *gang, cab_world *const *worlds, bool *done, cab_error *error)
{
    cab_turn turn = {.gang = gang, .worlds = worlds};
    const cab_world *any = NULL;
    bool cut = false;
    for (int i = 0; i < gang->size; i++) {
        gang->member[i].level = worlds[i] ? worlds[i]->clear.near_level : -1;
        if (worlds[i]) any = worlds[i];
    }
    cab_status status = CAB_NEW(turn.cut, gang->size, error);
    for (; status == CAB_OK && turn.level <= CAB_NEAR_LEVEL_MOST; turn.level++)
        status = take_turn(&turn, &cut, done, error);
    free(turn.cut);
    if (status == CAB_OK && cut) status = cab_gang_write_params(gang, any, error);
    return status == CAB_OK && cut ? cab_gang_write_lanes(gang, gang->lane, error) : status;
}
