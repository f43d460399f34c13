#include "carrier/near.h"
#include "carrier/near_pieces.h"

#include <math.h>

#include "base/array.h"
#include "contact/contact.h"
#include "world/device.h"

/* Pieces might be so many times as long, and as often as they might be twice that: the next frame is tried with half as many, each time. */
#define LESS (CAB_NEAR_SPARE_ONE * 5 / 2)

/* Is there any collider, and is none of them a body's? */
static bool are_simple(const cab_model *m)
{
    for (int k = 0; k < m->collider_count; k++)
        if (m->collider[k].rigid != 0) return false;
    return m->collider_count > 0;
}

/* Does a cable have the same radius and friction everywhere, whatever its tension? */
static bool are_plain(const cab_model *m)
{
    for (int i = 0; i < m->segment_count; i++) {
        const cab_segment *s = &m->segment[i], *before = &m->segment[i > 0 ? i - 1 : 0];
        if (s->owner & CAB_SEGMENT_THINS) return false;
        if (s->cable == before->cable && (s->radius != before->radius || s->friction != before->friction))
            return false;
    }
    return true;
}

/* Of each collider the first segment of a cable that touches it and the one after the last, numbers in the cable; part[colliders][2].
 * Returns how many are left out, which is all that are to be if these are at the cable's ends. */
static int find_parts(const cab_model *m, int cable, int *part)
{
    int first = m->chain[cable].first_particle - cable, count = m->chain[cable].particle_count - 1, left = 0;
    for (int k = 0; k < m->collider_count; k++) {
        part[2 * k] = 0;
        part[2 * k + 1] = count;
    }
    for (int s = 0; s < count; s++)
        for (int k = m->exclude_start[first + s]; k < m->exclude_start[first + s + 1]; k++) {
            int *own = m->exclude[k] < 0 ? part + 2 * (-1 - m->exclude[k]) : NULL;
            if (own && own[0] == s)
                own[0]++;
            else if (own && own[1] == count)
                own[1] = s;
        }
    for (int k = 0; k < m->collider_count; k++) left += part[2 * k] + count - part[2 * k + 1];
    return left;
}

/* Lists which segments touch which colliders, where not all do. *possible: no cable has such in its middle */
static cab_status list_parts(cab_world *world, bool *possible, cab_error *error)
{
    const cab_model *m = world->model;
    size_t row = 2 * (size_t)m->collider_count, count = (size_t)m->cable_count * row;
    int *part, excluded = cab_model_excluded_colliders(m), left = 0;
    world->clear.near_partial = excluded > 0;
    if (excluded == 0) return CAB_OK;
    cab_status status = CAB_NEW(part, count, error);
    for (int c = 0; status == CAB_OK && c < m->cable_count; c++)
        left += find_parts(m, c, part + (size_t)c * row);
    *possible = left == excluded;
    if (status == CAB_OK && *possible)
        status = cab_world_upload(world, CAB_BUFFER_near_part, part, count, sizeof *part, error);
    free(part);
    return status;
}

cab_status cab_near_ask(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    bool *possible = &world->clear.near_possible;
    *possible = world->clear.possible && s->contact.friction_model == CAB_FRICTION_COULOMB &&
                !world->staged.branches.any_taut && are_simple(m) && are_plain(m);
    return *possible ? list_parts(world, possible, error) : CAB_OK;
}

int cab_near_floats(const cab_world *world, const cab_tiles *tiles, int width)
{
    if (!world->clear.near_possible) return 0;
    return (tiles->longest * CAB_SLOTS_NEAR + CAB_NEAR_NUMBERS +
            (CAB_NEAR_LISTED + CAB_NEAR_SOLID) * world->model->collider_count) *
           width;
}

cab_status cab_near_make_tables(cab_world *world, cab_error *error)
{
    if (!world->clear.near_possible) return CAB_OK;
    size_t kept = (size_t)world->lanes.tiles.kept * (size_t)world->backend->tile_width;
    const cab_table tables[] = {
        {CAB_BUFFER_tile_back, NULL, kept * CAB_SLOTS_BACK, sizeof(float)},
        {CAB_BUFFER_chain_near, NULL, (size_t)world->model->cable_count, sizeof(int)},
    };
    return CAB_UPLOAD(world, tables, error);
}

/* Is nothing left of what overlapped at the start of the run? */
static cab_status is_apart(cab_world *world, bool *apart, cab_error *error)
{
    size_t n = (size_t)world->model->segment_count;
    float *overlap, most = 0;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_start_overlap_collider, overlap, n, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) most = fmaxf(most, overlap[i]);
    *apart = status == CAB_OK && !(most > (float)world->ticks * world->params.part_slowly);
    free(overlap);
    return status;
}

/* Is no cable one whose lengths could not be met, and is none asleep? */
static cab_status are_sound(cab_world *world, bool *sound, cab_error *error)
{
    size_t n = (size_t)world->staged.branches.component_count;
    int *lost, *order = NULL;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_lost, lost, n, error);
    if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_order, order, n, error);
    *sound = status == CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < n; i++)
        *sound = *sound && lost[i] == 0 && order[i] != CAB_ORDER_ASLEEP;
    CAB_FREE(lost, order);
    return status;
}

cab_status cab_near_is_ready(cab_world *world, bool *ready, cab_error *error)
{
    cab_status status = is_apart(world, ready, error);
    if (status == CAB_OK && *ready) status = are_sound(world, ready, error);
    return status;
}

double cab_near_way(const cab_world *world)
{
    return world->clear.travel.way + world->clear.travel.colliders;
}

int cab_near_reach(double way)
{
    double steps = ceil(way / (double)CAB_NEAR_REACH);
    return steps < CAB_NUMBER_MOST ? (int)steps : CAB_NUMBER_MOST;
}

cab_kernel cab_near_kernel(int kind)
{
    return kind == CAB_TILE_MIXED ? CAB_KERNEL_near_mixed : CAB_KERNEL_near_equal;
}

int cab_near_argument(const cab_world *world, int kind, int number)
{
    const cab_lanes *l = &world->lanes;
    int flags = l->solved ? CAB_FRAME_SOLVED : 0;
    if (l->solved_first) flags |= CAB_FRAME_SOLVED_FIRST;
    if (kind == CAB_TILE_BENDING) flags |= CAB_FRAME_BENDS;
    if (world->colliders.move) flags |= CAB_FRAME_COLLIDERS;
    if (world->clear.near_partial) flags |= CAB_FRAME_EXCLUDES;
    return CAB_ARGUMENT(flags, number);
}

/* Sets the number of each cable, as before and after a frame. */
static cab_status write_numbers(cab_world *world, int number, cab_error *error)
{
    int cables = world->model->cable_count, *numbers;
    cab_status status = CAB_NEW(numbers, cables, error);
    for (int i = 0; status == CAB_OK && i < cables; i++) numbers[i] = number;
    if (status == CAB_OK)
        status =
            cab_world_put(world, CAB_BUFFER_chain_near, 0, (size_t)cables * sizeof *numbers, numbers, error);
    free(numbers);
    return status;
}

/* What the launch has come to: the worst of what its cables tell, of those that would need pieces the most. */
static cab_status read_outcome(cab_world *world, int *outcome, cab_error *error)
{
    size_t n = (size_t)world->model->cable_count;
    int *each;
    *outcome = -CAB_NEAR_SPARE_MOST;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_chain_near, each, n, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) *outcome = cab_near_worse(*outcome, each[i]);
    free(each);
    return status;
}

cab_status cab_near_launch(cab_world *world, double way, int number, int *outcome, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    cab_status status = write_numbers(world, cab_near_reach(way), error);
    for (int k = 0; status == CAB_OK && k < CAB_TILE_KIND_COUNT; k++) {
        int tiles = l->tiles.first[k + 1] - l->tiles.first[k];
        int groups = tiles < world->params.tile_groups ? tiles : world->params.tile_groups;
        status = cab_world_launch(world, CAB_STAGE_DIRECT, cab_near_kernel(k), 0, groups,
                                  cab_near_argument(world, k, number), 0, error);
    }
    return status == CAB_OK ? read_outcome(world, outcome, error) : status;
}

/* All tiles go back to the frame's start. */
static cab_status go_back(cab_world *world, cab_error *error)
{
    cab_status status = write_numbers(world, CAB_NEAR_FAILED, error);
    return status ? status
                  : cab_world_launch(world, CAB_STAGE_DIRECT, CAB_KERNEL_near_back, 0,
                                     world->lanes.tiles.count, 0, 0, error);
}

/* Computes the frame at a level (near_pieces.h), which becomes the one to try next if it is not done; -1: there is none. */
static cab_status compute(cab_world *world, double way, int *level, bool *done, cab_error *error)
{
    int outcome = CAB_NEAR_FAILED;
    cab_status status = *level == 0 ? cab_near_launch(world, way, 0, &outcome, error)
                                    : cab_near_in_pieces(world, way, *level, &outcome, error);
    world->lanes.taken = true;
    *done = status == CAB_OK && outcome <= CAB_NEAR_DONE;
    if (*done) cab_near_done(world, *level, outcome);
    *level = cab_near_next_level(world, *level, outcome);
    return status == CAB_OK && !*done ? go_back(world, error) : status;
}

cab_status cab_near_frame(cab_world *world, double way, bool *done, cab_error *error)
{
    cab_lanes *l = &world->lanes;
    int level = world->clear.near_level;
    cab_status status = CAB_OK;
    if (!l->taken) {
        status =
            cab_world_launch(world, CAB_STAGE_DIRECT, CAB_KERNEL_near_take, 0, l->tiles.count, 0, 0, error);
        l->solved = l->solved_first = false;
    }
    *done = false;
    while (status == CAB_OK && !*done && level >= 0) status = compute(world, way, &level, done, error);
    return status;
}

void cab_near_done(cab_world *world, int level, int outcome)
{
    world->lanes.ahead = world->lanes.solved_first =
        true; /* multipliers are for h^2, as those of a substep of first order */
    world->lanes.solved = false;
    world->clear.near_level = level;
    for (int spare = -outcome; world->clear.near_level > 0 && spare >= LESS; spare /= 2)
        world->clear.near_level--;
}
