#include "model/colour.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define WORD_BITS 64

/* The colours taken at one particle. Few particles need more than the first word. */
typedef struct colour_set {
    uint64_t low;
    uint64_t *high;
    int high_count;
} colour_set;

static uint64_t get_word(const colour_set *set, int word)
{
    if (word == 0) return set->low;
    return word <= set->high_count ? set->high[word - 1] : 0;
}

static cab_status add_colour(colour_set *set, int colour, cab_error *error)
{
    int word = colour / WORD_BITS;
    uint64_t bit = (uint64_t)1 << (colour % WORD_BITS);
    if (word == 0) {
        set->low |= bit;
        return CAB_OK;
    }
    if (word > set->high_count) {
        int count = word + word / 2;
        uint64_t *grown = realloc(set->high, (size_t)count * sizeof *grown);
        if (!grown) return cab_fail_memory(error, "colours", (size_t)count * sizeof *grown);
        memset(grown + set->high_count, 0, (size_t)(count - set->high_count) * sizeof *grown);
        set->high = grown;
        set->high_count = count;
    }
    set->high[word - 1] |= bit;
    return CAB_OK;
}

/* Particles of a stencil: cells of `particle`, -1 = none, then `more`. */
static int cell_count(const cab_stencil *stencil)
{
    return CAB_STENCIL_MAX + stencil->more_count;
}

static int particle_of(const cab_stencil *stencil, int cell)
{
    return cell < CAB_STENCIL_MAX ? stencil->particle[cell] : stencil->more[cell - CAB_STENCIL_MAX];
}

static uint64_t taken_word(const colour_set *sets, const cab_stencil *stencil, int word)
{
    uint64_t taken = 0;
    for (int i = 0; i < cell_count(stencil); i++) {
        int particle = particle_of(stencil, i);
        if (particle >= 0) taken |= get_word(&sets[particle], word);
    }
    return taken;
}

static int choose_colour(const colour_set *sets, const cab_stencil *stencil)
{
    int word = stencil->preferred / WORD_BITS, bit = stencil->preferred % WORD_BITS;
    if (!(taken_word(sets, stencil, word) >> bit & 1)) return stencil->preferred;
    for (word = 0;; word++) {
        uint64_t taken = taken_word(sets, stencil, word);
        if (~taken) return word * WORD_BITS + __builtin_ctzll(~taken);
    }
}

static cab_status check_stencil(const cab_stencil *stencil, int index, int particle_count, cab_error *error)
{
    for (int i = 0; i < cell_count(stencil); i++) {
        int particle = particle_of(stencil, i);
        if (particle < -1 || particle >= particle_count)
            return cab_fail(error, CAB_ERROR_INPUT, "constraint %d names particle %d of %d", index, particle,
                            particle_count);
    }
    if (stencil->preferred < 0)
        return cab_fail(error, CAB_ERROR_INPUT, "constraint %d prefers colour %d", index, stencil->preferred);
    return CAB_OK;
}

static cab_status colour_one(colour_set *sets, const cab_stencil *stencil, int *colour, cab_error *error)
{
    *colour = choose_colour(sets, stencil);
    for (int i = 0; i < cell_count(stencil); i++) {
        if (particle_of(stencil, i) < 0) continue;
        cab_status status = add_colour(&sets[particle_of(stencil, i)], *colour, error);
        if (status) return status;
    }
    return CAB_OK;
}

cab_status cab_colour_stencils(const cab_stencil *stencils, int count, int particle_count, int *colour,
                               int *colour_count, cab_error *error)
{
    *colour_count = 0;
    if (count == 0) return CAB_OK;
    size_t bytes = (size_t)particle_count * sizeof(colour_set);
    colour_set *sets = calloc((size_t)particle_count + 1, sizeof *sets);
    if (!sets) return cab_fail_memory(error, "colours", bytes);
    cab_status status = CAB_OK;
    for (int i = 0; i < count && !status; i++) {
        status = check_stencil(&stencils[i], i, particle_count, error);
        if (!status) status = colour_one(sets, &stencils[i], &colour[i], error);
        if (!status && colour[i] >= *colour_count) *colour_count = colour[i] + 1;
    }
    for (int i = 0; i < particle_count; i++) free(sets[i].high);
    free(sets);
    return status;
}

void cab_colour_sort(const int *colour, int count, int colour_count, int *order, cab_range *ranges)
{
    for (int c = 0; c < colour_count; c++) ranges[c] = (cab_range){0, 0};
    for (int i = 0; i < count; i++) ranges[colour[i]].count++;
    for (int c = 1; c < colour_count; c++) ranges[c].first = ranges[c - 1].first + ranges[c - 1].count;
    for (int i = 0; i < count; i++) order[ranges[colour[i]].first++] = i;
    for (int c = 0; c < colour_count; c++) ranges[c].first -= ranges[c].count;
}

/* seen[count] is scratch. */
static cab_status validate_order(const int *order, int count, bool *seen, cab_error *error)
{
    for (int i = 0; i < count; i++) seen[i] = false;
    for (int i = 0; i < count; i++) {
        if (order[i] < 0 || order[i] >= count)
            return cab_fail(error, CAB_ERROR_INPUT, "place %d holds constraint %d of %d", i, order[i], count);
        if (seen[order[i]])
            return cab_fail(error, CAB_ERROR_INPUT, "constraint %d stands in two places", order[i]);
        seen[order[i]] = true;
    }
    return CAB_OK;
}

static cab_status validate_ranges(const cab_range *ranges, int colour_count, int count, bool *seen,
                                  cab_error *error)
{
    for (int i = 0; i < count; i++) seen[i] = false;
    int covered = 0;
    for (int c = 0; c < colour_count; c++) {
        int first = ranges[c].first, size = ranges[c].count;
        if (first < 0 || size < 0 || size > count || first > count - size)
            return cab_fail(error, CAB_ERROR_INPUT, "colour %d covers %d places from %d of %d", c, size,
                            first, count);
        for (int i = first; i < first + size; i++) {
            if (seen[i]) return cab_fail(error, CAB_ERROR_INPUT, "place %d has two colours", i);
            seen[i] = true;
        }
        covered += size;
    }
    if (covered == count) return CAB_OK;
    int place = 0;
    while (seen[place]) place++;
    return cab_fail(error, CAB_ERROR_INPUT, "constraint at place %d has no colour", place);
}

/* owner[particle] is the constraint that used it last, valid when stamp[particle] is this colour. */
static cab_status claim(const cab_stencil *stencil, int index, int colour, int *stamp, int *owner,
                        cab_error *error)
{
    for (int i = 0; i < cell_count(stencil); i++) {
        int particle = particle_of(stencil, i);
        if (particle < 0) continue;
        if (stamp[particle] == colour + 1 && owner[particle] != index)
            return cab_fail(error, CAB_ERROR_INPUT, "constraints %d and %d of colour %d share particle %d",
                            owner[particle], index, colour, particle);
        stamp[particle] = colour + 1;
        owner[particle] = index;
    }
    return CAB_OK;
}

static cab_status validate_sharing(const cab_stencil *stencils, int particle_count, const int *order,
                                   const cab_range *ranges, int colour_count, cab_error *error)
{
    int *stamp = calloc(2 * (size_t)particle_count + 1, sizeof *stamp);
    if (!stamp) return cab_fail_memory(error, "colour check", 2 * (size_t)particle_count * sizeof *stamp);
    cab_status status = CAB_OK;
    for (int c = 0; c < colour_count && !status; c++)
        for (int i = ranges[c].first; i < ranges[c].first + ranges[c].count && !status; i++)
            status = claim(&stencils[order[i]], order[i], c, stamp, stamp + particle_count, error);
    free(stamp);
    return status;
}

cab_status cab_colour_validate(const cab_stencil *stencils, int count, int particle_count, const int *order,
                               const cab_range *ranges, int colour_count, cab_error *error)
{
    for (int i = 0; i < count; i++) {
        cab_status status = check_stencil(&stencils[i], i, particle_count, error);
        if (status) return status;
    }
    bool *seen = malloc((size_t)count + 1);
    if (!seen) return cab_fail_memory(error, "colour check", (size_t)count);
    cab_status status = validate_order(order, count, seen, error);
    if (!status) status = validate_ranges(ranges, colour_count, count, seen, error);
    free(seen);
    if (status) return status;
    return validate_sharing(stencils, particle_count, order, ranges, colour_count, error);
}

cab_status cab_colour_part(const cab_stencil *stencil, int first, int count, int particle_count, int *order,
                           cab_range **ranges, int *range_count, cab_error *error)
{
    int *colour = calloc((size_t)count + 1, sizeof *colour), colours = 0;
    if (!colour) return cab_fail_memory(error, "colours", (size_t)count * sizeof *colour);
    cab_status status = cab_colour_stencils(stencil + first, count, particle_count, colour, &colours, error);
    if (status == CAB_OK) status = CAB_RESIZE(*ranges, *range_count + colours + 1, error);
    if (status == CAB_OK) {
        cab_range *part = *ranges + *range_count;
        cab_colour_sort(colour, count, colours, order, part);
        status = cab_colour_validate(stencil + first, count, particle_count, order, part, colours, error);
        for (int i = 0; i < colours; i++) part[i].first += first;
        *range_count += colours;
    }
    for (int i = 0; i < count; i++) order[i] += first;
    free(colour);
    return status;
}
