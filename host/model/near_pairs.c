/* Segments lie in the cell of their middle, sorted; a cell is so large that what is near lies in neighbouring ones. Groups, which never touch,
 * have cells of their own. */
#include "model/near_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"

/* A segment in the cell of its middle. */
typedef struct cab_near_entry {
    int group;
    int x, y, z; /* of the cell */
    int segment;
} entry;

static double reach_of(const cab_model *m, const cab_vec3 *place, int segment)
{
    const cab_segment *s = &m->segment[segment];
    return cab_vec3_distance(place[s->a], place[s->b]) / 2 + (double)s->radius;
}

static cab_vec3 middle_of(const cab_model *m, const cab_vec3 *place, int segment)
{
    const cab_segment *s = &m->segment[segment];
    return cab_vec3_add_scaled(place[s->a], 0.5, cab_vec3_sub(place[s->b], place[s->a]));
}

static int by_cell(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    if (a->z != b->z) return a->z < b->z ? -1 : 1;
    return (a->segment > b->segment) - (a->segment < b->segment);
}

static int cell_of(double x, double cell)
{
    return (int)fmax(fmin(floor(x / cell), 1e9), -1e9);
}

/* The first entry that is not before this one. */
static int first_from(const cab_near_pairs *s, entry from)
{
    int low = 0, high = s->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (by_cell(&s->entry[middle], &from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the pairs of a segment with those behind it in a column of cells: z - 1 to z + 1. */
static cab_status look_along(cab_near_pairs *s, const cab_vec3 *place, entry at, int x, int y, double skin,
                             cab_error *error)
{
    const cab_model *m = s->model;
    cab_vec3 middle = middle_of(m, place, at.segment);
    double reach = reach_of(m, place, at.segment) + skin;
    for (int k = first_from(s, (entry){at.group, x, y, at.z - 1, -1}); k < s->count && s->looks > 0;
         k++, s->looks--) {
        const entry *other = &s->entry[k];
        if (other->group != at.group || other->x != x || other->y != y || other->z > at.z + 1) break;
        if (other->segment <= at.segment) continue;
        double apart = cab_vec3_distance(middle, middle_of(m, place, other->segment));
        if (apart > reach + reach_of(m, place, other->segment) ||
            !cab_model_may_touch(m, at.segment, other->segment))
            continue;
        cab_status status = CAB_ROOM(s->pair, s->pair_room, s->pair_count + 1, error);
        if (status) return status;
        s->pair[s->pair_count++] = (cab_near_pair){at.segment, other->segment};
    }
    return CAB_OK;
}

cab_status cab_near_pairs_find(cab_near_pairs *s, const cab_vec3 *place, double skin, cab_error *error)
{
    double reach = 0;
    cab_status status = CAB_OK;
    for (int i = 0; i < s->count; i++) reach = fmax(reach, reach_of(s->model, place, i));
    double cell = 2 * reach + skin;
    for (int i = 0; i < s->count; i++) {
        cab_vec3 at = middle_of(s->model, place, i);
        s->entry[i] = (entry){s->model->bodies[s->model->segment[i].cable].group, cell_of(at.x, cell),
                              cell_of(at.y, cell), cell_of(at.z, cell), i};
    }
    qsort(s->entry, (size_t)s->count, sizeof *s->entry, by_cell);
    s->pair_count = 0;
    for (int i = 0; i < s->count && !status; i++)
        for (int column = 0; column < 9 && !status; column++)
            status = look_along(s, place, s->entry[i], s->entry[i].x + column / 3 - 1,
                                s->entry[i].y + column % 3 - 1, skin, error);
    return status;
}

cab_status cab_near_pairs_start(cab_near_pairs *s, const cab_model *model, cab_error *error)
{
    *s = (cab_near_pairs){.model = model, .looks = INFINITY};
    for (int b = 0; b < model->cable_count; b++) s->count += model->bodies[b].segment_count;
    return CAB_NEW(s->entry, s->count, error);
}

void cab_near_pairs_end(cab_near_pairs *s)
{
    CAB_FREE(s->entry, s->pair);
}
