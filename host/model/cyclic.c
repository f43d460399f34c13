/* Parallel cyclic reduction of the bending, worked out ahead. Its matrix M + h_s^2 K is constant, so only the
 * right sides are left to be reduced in each substep.
 *
 * Pairs of particles make it block tridiagonal, L d_-s + D d + U d_+s = b with s = 1. A step takes the
 * neighbours out of each row:
 *     A = -L D_-s^-1,  C = -U D_+s^-1
 *     b <- b + A b_-s + C b_+s,   D <- D + A U_-s + C L_+s,   L <- A L_-s,   U <- C U_+s,   s <- 2 s
 * and in the end d = D^-1 b. D stays symmetric and positive definite (Schur complements), so nothing grows.
 * In doubles; the coefficients A, C and the last D^-1 go to the device as floats.
 */
#include "model/cyclic.h"

#include <stdint.h>
#include <string.h>

#include "model/tiles.h"

#define KINDS_LOOKED_AT 64 /* of the last kinds of cables, for an equal one; copies follow one another */

typedef struct cab_matrix2 {
    double a[2][2];
} cab_matrix2;

/* A pair's row. */
typedef struct cab_row2 {
    cab_matrix2 before, here, after;
} cab_row2;

typedef struct cab_cyclic_work {
    cab_band *band;
    cab_row2 *row[2]; /* now and next */
    float *constant;  /* as cab_direct_constants() has them */
    int *first_of;    /* [kinds] the cable that came first */
    int *size;        /* [kinds] its particles */
    float **known;    /* [kinds] its constants */
} cab_cyclic_work;

static cab_matrix2 times(cab_matrix2 x, cab_matrix2 y)
{
    cab_matrix2 z;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) z.a[i][k] = x.a[i][0] * y.a[0][k] + x.a[i][1] * y.a[1][k];
    return z;
}

static cab_matrix2 plus(cab_matrix2 x, cab_matrix2 y)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) x.a[i][k] += y.a[i][k];
    return x;
}

static cab_matrix2 inverse(cab_matrix2 x, double sign)
{
    double scale = sign / (x.a[0][0] * x.a[1][1] - x.a[0][1] * x.a[1][0]);
    return (cab_matrix2){{{x.a[1][1] * scale, -x.a[0][1] * scale}, {-x.a[1][0] * scale, x.a[0][0] * scale}}};
}

static int steps_of(int pairs)
{
    int steps = 0;
    while (1 << steps < pairs) steps++;
    return steps;
}

/* Entry (i, k) of the band matrix; the particle that only pads is a unit row. */
static double entry(const cab_band *band, int count, int i, int k)
{
    int low = i < k ? i : k, high = i < k ? k : i;
    if (high >= count) return i == k;
    return high == low ? band[low].diagonal : high == low + 1 ? band[low].next : band[low].after;
}

static cab_matrix2 block(const cab_band *band, int count, int pair, int other)
{
    cab_matrix2 b = {{{0, 0}, {0, 0}}};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            int row = 2 * pair + i, column = 2 * other + k;
            if (row - column <= 2 && column - row <= 2) b.a[i][k] = entry(band, count, row, column);
        }
    }
    return b;
}

/* The coefficients of one order, [steps + 1][padded]. */
static void reduce(const cab_model *m, int cable, int first_order, cab_cyclic_work *work, float4 *out)
{
    int count = m->bodies[cable].node_count, padded = CAB_CYCLIC_PADDED(count), pairs = padded / 2;
    const cab_matrix2 zero = {{{0, 0}, {0, 0}}};
    cab_row2 *now = work->row[0], *next = work->row[1];
    cab_direct_matrix(m, cable, first_order, work->band);
    for (int i = 0; i < pairs; i++) {
        now[i].before = i > 0 ? block(work->band, count, i, i - 1) : zero;
        now[i].here = block(work->band, count, i, i);
        now[i].after = i + 1 < pairs ? block(work->band, count, i, i + 1) : zero;
    }
    for (int apart = 1; apart < pairs; apart *= 2, out += padded) {
        for (int i = 0; i < pairs; i++) {
            cab_matrix2 a = zero, c = zero;
            next[i] = (cab_row2){zero, now[i].here, zero};
            if (i >= apart) {
                const cab_row2 *other = &now[i - apart];
                a = times(now[i].before, inverse(other->here, -1));
                next[i].here = plus(next[i].here, times(a, other->after));
                next[i].before = times(a, other->before);
            }
            if (i + apart < pairs) {
                const cab_row2 *other = &now[i + apart];
                c = times(now[i].after, inverse(other->here, -1));
                next[i].here = plus(next[i].here, times(c, other->before));
                next[i].after = times(c, other->after);
            }
            for (int k = 0; k < 2; k++)
                out[2 * i + k] =
                    (float4){(float)a.a[k][0], (float)a.a[k][1], (float)c.a[k][0], (float)c.a[k][1]};
        }
        cab_row2 *swap = now;
        now = next;
        next = swap;
    }
    for (int i = 0; i < padded; i++) {
        int p = m->bodies[cable].first_node + i;
        bool moves = i < count && m->held[p] < 0 && m->mass[p] > 0;
        cab_matrix2 d = inverse(now[i / 2].here, moves ? 1 : 0); /* what is held does not bend away */
        out[i] = (float4){(float)d.a[i % 2][0], (float)d.a[i % 2][1], 0, 0};
    }
}

static cab_status grow(void **array, size_t size, size_t *count, size_t more, size_t *room, cab_error *error)
{
    if (*count + more > INT32_MAX) {
        return cab_fail(
            error, CAB_ERROR_MEMORY,
            "the cables differ too much for the way \"cyclic\": its constants need more than 8 GiB");
    }
    if (*count + more > *room) {
        size_t larger = 2 * *room + more;
        void *grown = realloc(*array, larger * size);
        if (!grown) return cab_fail_memory(error, "constants of cables", larger * size);
        *array = grown;
        *room = larger;
    }
    *count += more;
    return CAB_OK;
}

/* Constant by constant: neighbouring work-items read neighbouring particles. */
static void transpose(const float *from, int count, float *to)
{
    for (int order = 0; order < 2; order++)
        for (int i = 0; i < count; i++)
            for (int k = 0; k < CAB_CONSTANTS; k++)
                to[(order * CAB_CONSTANTS + k) * count + i] = from[(order * count + i) * CAB_CONSTANTS + k];
}

typedef struct cab_cyclic_rooms {
    size_t constant, bending;
} cab_cyclic_rooms;

static cab_status add_kind(const cab_model *m, int cable, cab_tile_kind kind, cab_cyclic_work *work,
                           cab_cyclic_rooms *room, cab_cyclic_tables *t, cab_error *error)
{
    int count = m->bodies[cable].node_count, padded = CAB_CYCLIC_PADDED(count);
    int steps = kind == CAB_TILE_LENGTHS ? -1 : steps_of(padded / 2);
    size_t constants = 2 * (size_t)count * CAB_CONSTANTS, apart = (size_t)(steps + 1) * (size_t)padded;
    t->cable[cable] = (cab_cyclic_chain){.constants = (int)t->constant_count,
                                         .bending = (int)t->bending_count,
                                         .steps = steps,
                                         .turned = kind == CAB_TILE_MIXED};
    void *constant = t->constant, *bending = t->bending;
    cab_status status = CAB_NEW(work->known[t->kinds], constants, error);
    if (status == CAB_OK)
        status = grow(&constant, sizeof *t->constant, &t->constant_count, constants, &room->constant, error);
    if (status == CAB_OK)
        status = grow(&bending, sizeof *t->bending, &t->bending_count, 2 * apart, &room->bending, error);
    t->constant = constant;
    t->bending = bending;
    if (status != CAB_OK) return status;
    transpose(work->constant, count, t->constant + t->cable[cable].constants);
    for (int order = 0; steps >= 0 && order < 2; order++)
        reduce(m, cable, order, work, t->bending + t->cable[cable].bending + (size_t)order * apart);
    memcpy(work->known[t->kinds], work->constant, constants * sizeof(float));
    work->first_of[t->kinds] = cable;
    work->size[t->kinds++] = count;
    return CAB_OK;
}

/* The factor in the constants tells matrices apart as well. */
static cab_status add_cable(const cab_model *m, int cable, cab_cyclic_work *work, cab_cyclic_rooms *room,
                            cab_cyclic_tables *t, cab_error *error)
{
    int count = m->bodies[cable].node_count;
    size_t bytes = 2 * (size_t)count * CAB_CONSTANTS * sizeof(float);
    cab_status status = cab_direct_constants(m, cable, work->constant, error);
    if (status != CAB_OK) return status;
    for (int k = t->kinds - 1; k >= 0 && k >= t->kinds - KINDS_LOOKED_AT; k--) {
        if (work->size[k] != count || memcmp(work->known[k], work->constant, bytes) != 0) continue;
        t->cable[cable] = t->cable[work->first_of[k]];
        return CAB_OK;
    }
    return add_kind(m, cable, cab_tile_kind_of(m, cable), work, room, t, error);
}

cab_status cab_cyclic_build(const cab_model *model, cab_cyclic_tables *tables, cab_error *error)
{
    cab_cyclic_work work = {0};
    cab_cyclic_rooms room = {0};
    int longest = 0;
    *tables = (cab_cyclic_tables){0};
    for (int c = 0; c < model->cable_count; c++) {
        if (model->bodies[c].node_count > longest) longest = model->bodies[c].node_count;
    }
    cab_status status = CAB_NEW(tables->cable, model->cable_count, error);
    if (status == CAB_OK) status = CAB_NEW(work.band, longest, error);
    for (int i = 0; i < 2 && status == CAB_OK; i++) status = CAB_NEW(work.row[i], longest, error);
    if (status == CAB_OK) status = CAB_NEW(work.constant, 2 * longest * CAB_CONSTANTS, error);
    if (status == CAB_OK) status = CAB_NEW(work.first_of, model->cable_count, error);
    if (status == CAB_OK) status = CAB_NEW(work.size, model->cable_count, error);
    if (status == CAB_OK) status = CAB_NEW(work.known, model->cable_count, error);
    for (int c = 0; status == CAB_OK && c < model->cable_count; c++)
        status = add_cable(model, c, &work, &room, tables, error);
    for (int i = 0; work.known && i <= tables->kinds && i < model->cable_count; i++) free(work.known[i]);
    free(work.known);
    free(work.size);
    free(work.first_of);
    free(work.constant);
    free(work.row[0]);
    free(work.row[1]);
    free(work.band);
    if (status != CAB_OK) cab_cyclic_free(tables);
    return status;
}

void cab_cyclic_free(cab_cyclic_tables *tables)
{
    free(tables->cable);
    free(tables->constant);
    free(tables->bending);
    *tables = (cab_cyclic_tables){0};
}
