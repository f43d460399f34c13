/* In which order incomplete Cholesky eliminates the rows of J W J^T. Rows meet where they act on the same
 * coordinate. To eliminate a row makes all that it meets meet each other; a pair that did not before is fill.
 *
 * A round takes rows that do not meet, so that they can go at once: such as bring at most one new pair each,
 * which is kept. Of a chain these are every second row, of a tree its leaves and every second row of its
 * branches: the same as cyclic reduction, exact, in rounds that grow with the logarithm of the rows. Where
 * too few are like that, a net, the round takes any, and their fill is dropped. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "study/particles/parts.h"

#define CLIQUE 16    /* rows on one coordinate that meet each other; of more, each such group by itself */
#define ENOUGH_OF 32 /* a round takes one row in so many at least */
#define FILL_KEPT 1  /* new pairs of a row */

/* Rows that a row meets, of those that are left. */
typedef struct meeting {
    int *row;
    int count, room;
} meeting;

typedef struct elimination {
    const cab_p_system *s;
    const int *table;
    meeting *meets; /* [rows] */
    int *left;      /* rows that are left, in their order */
    int *seen;      /* [rows] the last round that picked the row or one that it meets; while meetings are
                       listed the last row that was found to meet it */
    int left_count, picked_count;
    int *picked; /* [rows] in this round */
    cab_p_elimination *out;
} elimination;

void cab_p_elimination_free(cab_p_elimination *e)
{
    CAB_FREE(e->level_start.item, e->row_of.item, e->later_start.item, e->later.item, e->earlier_start.item,
             e->earlier.item, e->update_start.item, e->update.item);
    *e = (cab_p_elimination){0};
}

static bool add_meeting(meeting *m, int row)
{
    if (m->count == m->room) {
        int room = m->room ? 2 * m->room : 4;
        int *bigger = realloc(m->row, (size_t)room * sizeof *bigger);
        if (!bigger) return false;
        m->row = bigger;
        m->room = room;
    }
    m->row[m->count++] = row;
    return true;
}

static void remove_meeting(meeting *m, int row)
{
    int kept = 0;
    for (int i = 0; i < m->count; i++)
        if (m->row[i] != row) m->row[kept++] = m->row[i];
    m->count = kept;
}

static bool meet(const meeting *m, int row)
{
    for (int i = 0; i < m->count; i++)
        if (m->row[i] == row) return true;
    return false;
}

/* Adds the rows that meet row r on coordinate c. */
static bool list_on_coordinate(elimination *e, int r, int c)
{
    const int *item = e->table + e->s->transpose;
    int first = e->table[e->s->column_start + c], end = e->table[e->s->column_start + c + 1];
    for (int group = first; group < end; group += CLIQUE) {
        int last = group + CLIQUE < end ? group + CLIQUE : end;
        if (r < item[2 * group + 1] || r > item[2 * (last - 1) + 1]) continue; /* rows ascend */
        for (int i = group; i < last; i++) {
            int q = item[2 * i + 1];
            if (q == r || e->seen[q] == r) continue;
            e->seen[q] = r;
            if (!add_meeting(&e->meets[r], q)) return false;
        }
    }
    return true;
}

/* Finds all pairs of rows that meet. Returns their number, -1 without memory. */
static long long list_meetings(elimination *e)
{
    long long count = 0;
    for (int r = 0; r < e->s->rows; r++) {
        e->left[r] = r;
        e->seen[r] = -1;
    }
    for (int r = 0; r < e->s->rows; r++) {
        for (int k = e->table[e->s->row_start + r]; k < e->table[e->s->row_start + r + 1]; k++)
            if (!list_on_coordinate(e, r, e->table[e->s->column + k])) return -1;
        count += e->meets[r].count;
    }
    return count / 2;
}

/* True if eliminating the row makes few enough new pairs. */
static bool brings_little(const elimination *e, int row)
{
    const meeting *m = &e->meets[row];
    int fill = 0;
    for (int i = 0; i < m->count && fill <= FILL_KEPT; i++)
        for (int j = i + 1; j < m->count && fill <= FILL_KEPT; j++)
            fill += !meet(&e->meets[m->row[i]], m->row[j]);
    return fill <= FILL_KEPT;
}

static void pick_rows(elimination *e, int round, bool any)
{
    for (int i = 0; i < e->left_count; i++) {
        int row = e->left[i];
        if (e->seen[row] == round || (!any && !brings_little(e, row))) continue;
        e->picked[e->picked_count++] = row;
        e->seen[row] = round;
        for (int k = 0; k < e->meets[row].count; k++) e->seen[e->meets[row].row[k]] = round;
    }
}

static bool keep_fill(elimination *e, const meeting *m)
{
    for (int i = 0; i < m->count; i++)
        for (int j = i + 1; j < m->count; j++) {
            int a = m->row[i], b = m->row[j];
            if (meet(&e->meets[a], b)) continue;
            if (!add_meeting(&e->meets[a], b) || !add_meeting(&e->meets[b], a)) return false;
        }
    return true;
}

static bool eliminate(elimination *e, int row)
{
    cab_p_elimination *out = e->out;
    meeting *m = &e->meets[row];
    bool keeps = brings_little(e, row);
    for (int i = 0; i < m->count; i++) out->later.item[out->later.count++] = m->row[i];
    out->row_of.item[out->row_of.count++] = row;
    out->later_start.item[out->row_of.count] = out->later.count;
    for (int i = 0; i < m->count; i++) remove_meeting(&e->meets[m->row[i]], row);
    if (keeps && !keep_fill(e, m)) return false;
    free(m->row);
    *m = (meeting){.count = -1}; /* eliminated */
    return true;
}

static bool play_round(elimination *e, int round)
{
    e->picked_count = 0;
    pick_rows(e, round, false);
    if (e->picked_count < (e->left_count + ENOUGH_OF - 1) / ENOUGH_OF) pick_rows(e, round, true);
    for (int i = 0; i < e->picked_count; i++)
        if (!eliminate(e, e->picked[i])) return false;
    int kept = 0;
    for (int i = 0; i < e->left_count; i++)
        if (e->meets[e->left[i]].count >= 0) e->left[kept++] = e->left[i];
    e->left_count = kept;
    return true;
}

static bool play(elimination *e)
{
    cab_p_elimination *out = e->out;
    e->left_count = e->s->rows;
    out->level_start.item[out->level_start.count++] = 0;
    for (int r = 0; r < e->s->rows; r++) e->seen[r] = -1;
    for (int round = 0; e->left_count > 0; round++) {
        if (!play_round(e, round)) return false;
        out->level_start.item[out->level_start.count++] = out->row_of.count;
    }
    return true;
}

/* Sums of counts, so that a list's entries [i] ... [i + 1] are those of i; counts stand one place on. */
static void sum_up(int *start, int count)
{
    for (int i = 0; i < count; i++) start[i + 1] += start[i];
}

/* From slots by the row that goes first to slots by the row they lead to. place: [rows] in the order */
static void list_earlier(cab_p_elimination *out, const int *place, int *next)
{
    int rows = out->row_of.count, *start = out->earlier_start.item, *earlier = out->earlier.item;
    for (int slot = 0; slot < out->later.count; slot++) start[place[out->later.item[slot]] + 1]++;
    sum_up(start, rows);
    memcpy(next, start, (size_t)rows * sizeof *next);
    for (int k = 0; k < rows; k++)
        for (int slot = out->later_start.item[k]; slot < out->later_start.item[k + 1]; slot++) {
            int *pair = earlier + 2 * next[place[out->later.item[slot]]]++;
            pair[0] = slot;
            pair[1] = out->row_of.item[k];
        }
}

/* The slot where two slots of one row have their product; -1: dropped. */
static int product_slot(const cab_p_elimination *out, const int *place, int a, int b)
{
    int row_a = out->later.item[a], row_b = out->later.item[b];
    int first = place[row_a] < place[row_b] ? row_a : row_b, then = first == row_a ? row_b : row_a;
    const int *start = out->later_start.item + place[first];
    for (int slot = start[0]; slot < start[1]; slot++)
        if (out->later.item[slot] == then) return slot;
    return -1;
}

/* Counts updates of each slot, one place on (next NULL), or lists them. */
static void each_update(cab_p_elimination *out, const int *place, int *next)
{
    const int *start = out->later_start.item;
    for (int k = 0; k < out->row_of.count; k++)
        for (int a = start[k]; a < start[k + 1]; a++)
            for (int b = a + 1; b < start[k + 1]; b++) {
                int slot = product_slot(out, place, a, b);
                if (slot < 0) continue;
                if (!next) {
                    out->update_start.item[slot + 1]++;
                    continue;
                }
                int *pair = out->update.item + 2 * next[slot]++;
                pair[0] = a;
                pair[1] = b;
            }
}

static bool list_updates(cab_p_elimination *out, const int *place, int *next)
{
    int slots = out->later.count, *start = out->update_start.item;
    each_update(out, place, NULL);
    sum_up(start, slots);
    out->update.count = 2 * start[slots];
    out->update.item = malloc(((size_t)out->update.count + 1) * sizeof(int));
    if (!out->update.item) return false;
    memcpy(next, start, (size_t)slots * sizeof *next);
    each_update(out, place, next);
    return true;
}

static bool list_rest(cab_p_elimination *out)
{
    size_t rows = (size_t)out->row_of.count, slots = (size_t)out->later.count;
    int *place = malloc((rows + 1) * sizeof *place), *next = malloc((rows + slots + 1) * sizeof *next);
    out->earlier_start.count = (int)rows + 1;
    out->earlier.count = 2 * (int)slots;
    out->update_start.count = (int)slots + 1;
    out->earlier_start.item = calloc(rows + 1, sizeof(int));
    out->earlier.item = malloc((2 * slots + 1) * sizeof(int));
    out->update_start.item = calloc(slots + 1, sizeof(int));
    bool good = place && next && out->earlier_start.item && out->earlier.item && out->update_start.item;
    for (size_t k = 0; good && k < rows; k++) place[out->row_of.item[k]] = (int)k;
    if (good) list_earlier(out, place, next);
    good = good && list_updates(out, place, next);
    CAB_FREE(place, next);
    return good;
}

/* The lists whose length is known once meetings are: each row keeps at most FILL_KEPT new pairs. */
static bool make_lists(const elimination *e, long long pairs)
{
    size_t rows = (size_t)e->s->rows;
    cab_p_elimination *out = e->out;
    if (pairs < 0) return false;
    out->level_start.item = malloc((rows + 1) * sizeof(int)); /* a level has a row at least */
    out->row_of.item = malloc((rows + 1) * sizeof(int));
    out->later_start.item = calloc(rows + 1, sizeof(int));
    out->later.item = malloc(((size_t)pairs + FILL_KEPT * rows + 1) * sizeof(int));
    out->later_start.count = (int)rows + 1;
    return out->level_start.item && out->row_of.item && out->later_start.item && out->later.item;
}

cab_status cab_p_eliminate_rows(const int *table, const cab_p_system *s, cab_p_elimination *out,
                                cab_error *error)
{
    size_t rows = (size_t)s->rows;
    *out = (cab_p_elimination){0};
    elimination e = {.s = s, .table = table, .out = out};
    e.meets = calloc(rows + 1, sizeof *e.meets);
    e.left = malloc((rows + 1) * sizeof *e.left);
    e.seen = malloc((rows + 1) * sizeof *e.seen);
    e.picked = malloc((rows + 1) * sizeof *e.picked);
    bool good = e.meets && e.left && e.seen && e.picked;
    good = good && make_lists(&e, list_meetings(&e)) && play(&e) && list_rest(out);
    for (size_t r = 0; e.meets && r < rows; r++) free(e.meets[r].row);
    CAB_FREE(e.meets, e.left, e.seen, e.picked);
    if (good) return CAB_OK;
    cab_p_elimination_free(out);
    return cab_fail_memory(error, "an order of elimination", rows * sizeof *e.meets);
}
