#include "envelope/distances.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#define FARTHEST 1e9 /* cells: whole numbers of them stay within an int */

enum { SIDE = CAB_DISTANCES_SIDE, NONE = -1 };

/* Part of a grid, from and to in points, both in it. */
typedef struct box {
    int low[3], high[3];
} box;

cab_distances cab_distances_of(double cell, int most)
{
    return (cab_distances){.cell = cell, .least = INFINITY, .most = most};
}

void cab_distances_free(cab_distances *field)
{
    CAB_FREE(field->blocks, field->slot);
    *field = cab_distances_of(field->cell, field->most);
}

/* What points have that nothing is near to. */
static float band_of(const cab_distances *field)
{
    return (float)(CAB_DISTANCES_BAND * field->cell);
}

/* ---- blocks ---- */

static int slot_of(const cab_distances *field, int x, int y, int z)
{
    unsigned hash = (unsigned)x * 73856093U ^ (unsigned)y * 19349663U ^ (unsigned)z * 83492791U;
    unsigned mask = (unsigned)field->slots - 1, slot = (hash ^ hash >> 15) & mask;
    for (; field->slot[slot] != NONE; slot = (slot + 1) & mask) {
        const int *at = field->blocks[field->slot[slot]].at;
        if (at[0] == x && at[1] == y && at[2] == z) break;
    }
    return (int)slot;
}

const cab_distances_block *cab_distances_find(const cab_distances *field, int x, int y, int z)
{
    int block = field->slots ? field->slot[slot_of(field, x, y, z)] : NONE;
    return block == NONE ? NULL : &field->blocks[block];
}

/* At most half of the slots are taken. */
static cab_status make_slots(cab_distances *field, cab_error *error)
{
    int slots = field->slots ? 2 * field->slots : 1024, *slot;
    if (2 * (field->count + 1) <= field->slots) return CAB_OK;
    cab_status status = CAB_NEW(slot, slots, error);
    if (status) return status;
    free(field->slot);
    field->slot = slot;
    field->slots = slots;
    for (int i = 0; i < slots; i++) slot[i] = NONE;
    for (int i = 0; i < field->count; i++) {
        const int *at = field->blocks[i].at;
        slot[slot_of(field, at[0], at[1], at[2])] = i;
    }
    return CAB_OK;
}

/* The block at a place, made where there is none. NULL: no memory, or, without an error, there are too many. */
static cab_distances_block *block_at(cab_distances *field, const int at[3], cab_error *error, bool *full)
{
    const cab_distances_block *found = cab_distances_find(field, at[0], at[1], at[2]);
    if (found) return &field->blocks[found - field->blocks];
    *full = field->count >= field->most;
    if (*full || make_slots(field, error) != CAB_OK ||
        CAB_ROOM(field->blocks, field->room, field->count + 1, error) != CAB_OK)
        return NULL;
    cab_distances_block *block = &field->blocks[field->count];
    for (int k = 0; k < 3; k++) block->at[k] = at[k];
    for (int i = 0; i < CAB_DISTANCES_POINTS; i++) block->value[i] = band_of(field);
    field->slot[slot_of(field, at[0], at[1], at[2])] = field->count++;
    return block;
}

/* ---- capsules ---- */

/* The least and greatest place along each axis. */
static void bounds_of(const cab_line *axis, double low[3], double high[3])
{
    const double from[3] = {axis->from.x, axis->from.y, axis->from.z},
                 span[3] = {axis->span.x, axis->span.y, axis->span.z};
    for (int k = 0; k < 3; k++) {
        low[k] = from[k] + fmin(span[k], 0);
        high[k] = from[k] + fmax(span[k], 0);
    }
}

static double distance2_to(const cab_line *axis, cab_vec3 x)
{
    cab_vec3 between = cab_vec3_sub(x, cab_line_point(axis, cab_line_nearest(axis, x)));
    return cab_vec3_dot(between, between);
}

/* Does the ball around a block's points, and with it perhaps the block, come within `reach` of the line? */
static bool is_near(const cab_distances *field, const cab_line *axis, const int at[3], double reach)
{
    double half = 0.5 * (SIDE - 1), around = reach + sqrt(3) * half * field->cell;
    cab_vec3 middle = {(at[0] * SIDE + half) * field->cell, (at[1] * SIDE + half) * field->cell,
                       (at[2] * SIDE + half) * field->cell};
    return distance2_to(axis, middle) <= around * around;
}

/* A block's row of points along x, the first of which is at `start` from the line's beginning, m. In floats, which tell places on a
 * segment to 1e-7 of its length: `along` is how far along it the first is, from 0 to 1 if on it, and `more` what each adds. Square roots
 * are taken only where a point of the row comes nearer. All of the row, with minima and maxima as processors have them, so that
 * compilers can take several points at once; gcc would take loops apart before it looks for that. */
static void add_row(float value[SIDE], float step, const float start[3], const float span[3], float along,
                    float more, float radius)
{
    float distance2[SIDE];
    int nearer = 0;
#pragma GCC unroll 1
    for (int i = 0; i < SIDE; i++) {
        float t = along + (float)i * more, least = value[i] + radius;
        t = t > 0 ? t : 0;
        t = t < 1 ? t : 1;
        least = least > 0 ? least : 0;
        float x = start[0] + (float)i * step - t * span[0], y = start[1] - t * span[1],
              z = start[2] - t * span[2];
        distance2[i] = x * x + y * y + z * z;
        nearer |= distance2[i] < least * least;
    }
    if (!nearer) return;
#pragma GCC unroll 1
    for (int i = 0; i < SIDE; i++) {
        float distance = sqrtf(distance2[i]) - radius;
        value[i] = distance < value[i] ? distance : value[i];
    }
}

/* The rows of a block that are within a box. */
static void add_to_block(const cab_distances *field, cab_distances_block *block, const box *within,
                         const cab_line *axis, double radius)
{
    int low[3], high[3];
    double cell = field->cell, length2 = cab_vec3_dot(axis->span, axis->span),
           scale = length2 > 0 ? 1 / length2 : 0;
    const float span[3] = {(float)axis->span.x, (float)axis->span.y, (float)axis->span.z};
    for (int k = 0; k < 3; k++) {
        int first = block->at[k] * SIDE;
        low[k] = within->low[k] > first ? within->low[k] - first : 0;
        high[k] = within->high[k] < first + SIDE - 1 ? within->high[k] - first : SIDE - 1;
    }
    if (low[0] > high[0]) return;
    for (int z = low[2]; z <= high[2]; z++) {
        for (int y = low[1]; y <= high[1]; y++) {
            cab_vec3 point = {block->at[0] * SIDE * cell, (block->at[1] * SIDE + y) * cell,
                              (block->at[2] * SIDE + z) * cell};
            cab_vec3 from = cab_vec3_sub(point, axis->from);
            const float start[3] = {(float)from.x, (float)from.y, (float)from.z};
            add_row(&block->value[(z * SIDE + y) * SIDE], (float)cell, start, span,
                    (float)(cab_vec3_dot(from, axis->span) * scale), (float)(cell * axis->span.x * scale),
                    (float)radius);
        }
    }
}

static int block_of(int point)
{
    return point >= 0 ? point / SIDE : -((SIDE - 1 - point) / SIDE);
}

/* The points within `reach` of a line's box; false: they are too far away for whole numbers. */
static bool box_around(const cab_distances *field, const cab_line *axis, double reach, box *around)
{
    double low[3], high[3];
    bounds_of(axis, low, high);
    for (int k = 0; k < 3; k++) {
        low[k] = ceil((low[k] - reach) / field->cell);
        high[k] = floor((high[k] + reach) / field->cell);
        if (!(low[k] > -FARTHEST && high[k] < FARTHEST)) return false;
        around->low[k] = (int)low[k];
        around->high[k] = (int)high[k];
    }
    return true;
}

/* Adds a capsule as it is. *full: there is no block left, and part of it is missing. */
static cab_status add_plain(cab_distances *field, const cab_line *axis, double radius, bool *full,
                            cab_error *error)
{
    double reach = radius + CAB_DISTANCES_BAND * field->cell;
    box within;
    *full = false;
    if (!box_around(field, axis, reach, &within))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "envelope: expected cables within %g m of the origin, which is %g cells",
                        FARTHEST * field->cell, FARTHEST);
    int at[3];
    for (at[2] = block_of(within.low[2]); at[2] <= block_of(within.high[2]); at[2]++)
        for (at[1] = block_of(within.low[1]); at[1] <= block_of(within.high[1]); at[1]++)
            for (at[0] = block_of(within.low[0]); at[0] <= block_of(within.high[0]); at[0]++) {
                if (!is_near(field, axis, at, reach)) continue;
                cab_distances_block *block = block_at(field, at, error, full);
                if (!block) return *full ? CAB_OK : CAB_ERROR_MEMORY;
                add_to_block(field, block, &within, axis, radius);
            }
    return CAB_OK;
}

/* ---- coarser ---- */

/* A point of a grid is no farther than this. */
static cab_status take(cab_distances *field, int x, int y, int z, double distance, cab_error *error)
{
    const int at[3] = {block_of(x), block_of(y), block_of(z)};
    bool full;
    cab_distances_block *block = block_at(field, at, error, &full);
    if (!block) return full ? CAB_OK : CAB_ERROR_MEMORY;
    float *value = &block->value[((z - at[2] * SIDE) * SIDE + y - at[1] * SIDE) * SIDE + x - at[0] * SIDE];
    *value = fminf(*value, (float)distance);
    return CAB_OK;
}

/* The first whole number that is not less than half of another one. */
static int half_above(double twice)
{
    return (int)ceil(0.5 * twice);
}

/* What a point outside, at x in cells, tells a grid with a cell twice as wide, in which all is to be thicker: points around it are
 * no farther from the surface than it is, and as far as they are from it. The straight way from a point beyond the finer grid's
 * band to the surface leads past such points. */
static cab_status tell_around(cab_distances *coarse, const int x[3], double distance, double thicker,
                              cab_error *error)
{
    double cell = 0.5 * coarse->cell, band = (double)band_of(coarse),
           reach = (band - distance + thicker) / cell;
    cab_status status = CAB_OK;
    for (int z = half_above(x[2] - reach); 2 * z <= x[2] + reach; z++)
        for (int y = half_above(x[1] - reach); 2 * y <= x[1] + reach; y++)
            for (int i = half_above(x[0] - reach); 2 * i <= x[0] + reach && !status; i++) {
                double a = 2 * i - x[0], b = 2 * y - x[1], c = 2 * z - x[2],
                       there = sqrt(a * a + b * b + c * c) * cell + distance - thicker;
                if (there < band) status = take(coarse, i, y, z, there, error);
            }
    return status;
}

static cab_status tell_block(const cab_distances *field, const cab_distances_block *block,
                             cab_distances *coarse, double thicker, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_DISTANCES_POINTS && !status; i++) {
        const int x[3] = {block->at[0] * SIDE + i % SIDE, block->at[1] * SIDE + i / SIDE % SIDE,
                          block->at[2] * SIDE + i / (SIDE * SIDE)};
        float distance = block->value[i];
        bool shared = ((x[0] | x[1] | x[2]) & 1) == 0;
        if (distance >= 0 && distance < band_of(field))
            status = tell_around(coarse, x, (double)distance, thicker, error);
        else if (distance < 0 && shared)
            status = take(coarse, x[0] / 2, x[1] / 2, x[2] / 2, (double)distance - thicker, error);
    }
    return status;
}

cab_status cab_distances_coarsen(cab_distances *field, cab_error *error)
{
    cab_distances coarse = cab_distances_of(2 * field->cell, INT_MAX); /* all that was there is taken over */
    double thicker = fmax(CAB_DISTANCES_THIN * coarse.cell - field->least, 0);
    cab_status status = CAB_OK;
    for (int i = 0; i < field->count && !status; i++)
        status = tell_block(field, &field->blocks[i], &coarse, thicker, error);
    CAB_FREE(field->blocks, field->slot);
    coarse.coarsened = field->coarsened + 1;
    coarse.most = field->most;
    coarse.least = field->least + thicker;
    *field = coarse;
    return status;
}

/* Makes room for more blocks. */
static cab_status make_room(cab_distances *field, cab_error *error)
{
    cab_status status;
    do status = cab_distances_coarsen(field, error);
    while (!status && field->count >= field->most);
    return status;
}

cab_status cab_distances_add(cab_distances *field, const cab_line *axis, double radius, cab_error *error)
{
    bool full = true;
    cab_status status = CAB_OK;
    while (!status && full) {
        double thick = fmax(radius, CAB_DISTANCES_THIN * field->cell);
        status = add_plain(field, axis, thick, &full, error);
        field->least = fmin(field->least, thick);
        if (!status && full) status = make_room(field, error);
    }
    return status;
}

/* ---- two grids ---- */

static cab_status join_same(cab_distances *field, const cab_distances *other, bool *full, cab_error *error)
{
    *full = false;
    for (int i = 0; i < other->count; i++) {
        const cab_distances_block *from = &other->blocks[i];
        cab_distances_block *to = block_at(field, from->at, error, full);
        if (!to) return *full ? CAB_OK : CAB_ERROR_MEMORY;
        for (int k = 0; k < CAB_DISTANCES_POINTS; k++) to->value[k] = fminf(to->value[k], from->value[k]);
    }
    return CAB_OK;
}

cab_status cab_distances_join(cab_distances *field, cab_distances *other, cab_error *error)
{
    bool full = true;
    cab_status status = CAB_OK;
    if (field->count == 0 && other->cell >= field->cell) {
        cab_distances empty = *field;
        *field = *other;
        *other = empty;
        return CAB_OK;
    }
    while (!status && full) {
        while (field->cell < other->cell && !status) status = cab_distances_coarsen(field, error);
        while (other->cell < field->cell && !status) status = cab_distances_coarsen(other, error);
        if (!status) status = join_same(field, other, &full, error);
        if (!status && full) status = make_room(field, error);
    }
    field->least = fmin(field->least, other->least);
    return status;
}

/* ---- the surface's cubes ---- */

/* Blocks before this one that have a cube which ends at one of its points that are inside. */
static cab_status cover(cab_distances *field, int index, cab_error *error)
{
    bool full;
    for (int part = 1; part < 8; part++) {
        const int behind[3] = {part & 1, part >> 1 & 1, part >> 2};
        const int *own = field->blocks[index].at,
                  at[3] = {own[0] - behind[0], own[1] - behind[1], own[2] - behind[2]};
        bool inside = false;
        for (int i = 0; i < CAB_DISTANCES_POINTS && !inside; i++) {
            bool first = !(behind[0] && i % SIDE) && !(behind[1] && i / SIDE % SIDE) &&
                         !(behind[2] && i / (SIDE * SIDE));
            inside = first && field->blocks[index].value[i] < 0;
        }
        if (inside && !block_at(field, at, error, &full)) return CAB_ERROR_MEMORY;
    }
    return CAB_OK;
}

cab_status cab_distances_cover(cab_distances *field, cab_error *error)
{
    int count = field->count, most = field->most;
    cab_status status = CAB_OK;
    field->most = INT_MAX; /* these are few */
    for (int i = 0; i < count && !status; i++) status = cover(field, i, error);
    field->most = most;
    return status;
}
