/* Direct */
#ifndef CAB_PLANAR_DIRECT_H
#define CAB_PLANAR_DIRECT_H

#include "planar_contacts.h"

/* A few runs are solved together, so that a light body between heavy ones is no obstacle: dense elimination
 * over those that pull; what comes out as a push is let go, and the rest solved again. */
#define CAB_PL_DIRECT 12 /* runs, at most */
#define CAB_PL_ROUNDS 4

typedef struct cab_pl_system {
    int count;
    int row[CAB_PL_DIRECT]; /* first of the run */
    int pulls[CAB_PL_DIRECT];
    cab_pr give[CAB_PL_DIRECT][CAB_PL_DIRECT]; /* speed of i per impulse of j */
    cab_pr wish[CAB_PL_DIRECT], soft[CAB_PL_DIRECT];
    cab_pr change[CAB_PL_DIRECT]; /* of the impulses */
} cab_pl_system;

CAB_PL_FUNCTION void cab_pl_fill_system(const cab_pl_view *v, cab_pl_system *s, cab_pr h, int correct)
{
    for (int i = 0; i < s->count; i++) {
        global const cab_pl_row *row = v->row + s->row[i];
        s->wish[i] = cab_pl_run_wish(v, row, h, correct, &s->soft[i]);
        if (row->mass > 0) s->soft[i] = s->soft[i] / row->mass;
        s->wish[i] -= s->soft[i] * row->impulse;
        s->pulls[i] = row->mass > 0 && (row->impulse > 0 || s->wish[i] > 0);
        s->change[i] = 0;
        cab_pl_run_push(v, row, 1);
        for (int k = 0; k < s->count; k++) s->give[k][i] = cab_pl_run_feel(v, v->row + s->row[k]);
        cab_pl_run_push(v, row, 0);
        s->give[i][i] = (row->mass > 0 ? 1 / row->mass : 0) + s->soft[i]; /* what it gives at least */
    }
}

/* Changes of the impulses of those that pull; the others lose what they have. */
CAB_PL_FUNCTION void cab_pl_eliminate(const cab_pl_view *v, cab_pl_system *s)
{
    cab_pr m[CAB_PL_DIRECT][CAB_PL_DIRECT];
    int n = s->count;
    for (int i = 0; i < n; i++) {
        s->change[i] = s->pulls[i] ? s->wish[i] : -v->row[s->row[i]].impulse;
        for (int k = 0; k < n; k++) m[i][k] = s->pulls[i] ? s->give[i][k] : i == k;
    }
    for (int k = 0; k < n; k++) {
        cab_pr pivot = m[k][k], least = CAB_PL_LEAST_GIVE * s->give[k][k];
        if (s->pulls[k] && pivot < least) pivot = m[k][k] = least; /* it follows from the others */
        for (int i = k + 1; i < n; i++) {
            cab_pr part = m[i][k] / pivot;
            if (part == 0) continue;
            for (int c = k + 1; c < n; c++) m[i][c] -= part * m[k][c];
            s->change[i] -= part * s->change[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int c = k + 1; c < n; c++) s->change[k] -= m[k][c] * s->change[c];
        s->change[k] = s->change[k] / m[k][k];
    }
}

CAB_PL_FUNCTION void cab_pl_solve_together(const cab_pl_view *v, cab_pl_system *s, cab_pr h, int correct)
{
    cab_pl_fill_system(v, s, h, correct);
    for (int round = 0; round < CAB_PL_ROUNDS; round++) {
        int pushes = 0;
        cab_pl_eliminate(v, s);
        for (int i = 0; i < s->count; i++) {
            if (!s->pulls[i] || v->row[s->row[i]].impulse + s->change[i] >= 0) continue;
            s->pulls[i] = 0;
            pushes = 1;
        }
        if (!pushes) break;
    }
    for (int i = 0; i < s->count; i++) cab_pl_run_pull(v, v->row + s->row[i], s->change[i]);
}

/* Pinched segments hold two bodies from both sides: together they have no single answer. */
CAB_PL_FUNCTION int cab_pl_run_has_length(const cab_pl_view *v, global const cab_pl_row *row)
{
    for (int i = 0; i < row->run; i++) {
        if (!(v->joint[row[i].joint].flags & CAB_PL_JOINT_PINCHED)) return 1;
    }
    return 0;
}

#endif
