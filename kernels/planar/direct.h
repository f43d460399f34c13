/* Segments and contacts of an island that are solved together. One system of equations gives the speeds of
 * all of the island's bodies; segments that are taut and contacts that press are stiff springs in it. Sweeps
 * over single segments need a number of rounds that grows with the ratio of the masses and with the length
 * of a chain. The system does not depend on either.
 *
 * Spring i has the impulse l_i and the softness s_i; it pushes along p_i, and its speed is to change by w_i.
 * Where the bodies' speeds have changed by u it has
 *
 *     l_i + (w_i - p_i' u) / s_i, within its bounds: 0 and more, friction's + and - mu times the normal one
 *
 * u is where the energy u' M u / 2 + that of the springs is least. It is convex, and smooth but for its
 * curvature: Newton's method, with a search along the way, finds it in a few rounds (L. Qi, J. Sun, 1993),
 * in one where the same springs hold as before. Friction's bounds follow the normal impulses from round to
 * round. The sweeps that come after have the same solution.
 */
#ifndef CAB_PLANAR_DIRECT_H
#define CAB_PLANAR_DIRECT_H

#include "matrix.h"

#define CAB_PL_ROUNDS 6      /* rounds of Newton's method, at most */
#define CAB_PL_FLAT 1e-2     /* a slope this small beside the first one counts as zero */
#define CAB_PL_PARTS 24      /* steps of a line search, at most */
#define CAB_PL_SETTLED 1e-12 /* m/s; a smaller error is left to the sweeps */
#define CAB_PL_ALIKE 4       /* sweeps are enough up to this ratio of masses */

/* Notes by how much the last change of the bodies' speeds changes the speed of each spring. */
CAB_PL_FUNCTION void cab_pl_look(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_RUNS(g, i)
    {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        row->see = 0;
        for (int k = 0; k < row->run; k++) row->see += cab_pl_lever_feel(v, cab_pl_row_lever(row + k));
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        t->see = cab_pl_lever_feel(v, cab_pl_touch_lever(c, t, c->nx, c->ny));
        t->tangent_see = cab_pl_lever_feel(v, cab_pl_touch_lever(c, t, -c->ny, c->nx));
    }
}

/* The slope of the energy of bodies and springs along the last change: part -1 is
 * its start, 0 its end. */
CAB_PL_FUNCTION cab_pr cab_pl_slope(const cab_pl_view *v, global const cab_pl_island *g, cab_pr part)
{
    cab_pr slope = 0;
    CAB_PL_FOR_UNKNOWNS(g, i)
    {
        global const cab_pl_unknown *u = v->unknown + i;
        slope += u->mass * (u->gone + part * u->change) * u->change;
    }
    CAB_PL_FOR_RUNS(g, i)
    {
        global const cab_pl_row *row = cab_pl_direct_row(v, i);
        slope -= row->see * (cab_pl_run_sum(row, part) - row->impulse);
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_touch *t = cab_pl_direct_touch(v, i);
        slope -= t->see * (cab_pl_normal_sum(t, part) - t->normal);
        slope -= t->tangent_see * (cab_pl_tangent_sum(t, part) - t->tangent);
    }
    return slope;
}

/* The line search: the part of the last change at which the energy is least, so where its slope is zero. The
 * slope never falls along the change. Found by false position with the Illinois rule. */
CAB_PL_FUNCTION cab_pr cab_pl_best_part(const cab_pl_view *v, global const cab_pl_island *g)
{
    cab_pr low = 0, high = 1, at_low = cab_pl_slope(v, g, -1), at_high = cab_pl_slope(v, g, 0);
    cab_pr flat = CAB_PL_FLAT * cab_pl_abs(at_low);
    if (at_high <= 0) return 1;
    if (at_low >= 0) return 0;
    int side = 0;
    for (int i = 0; i < CAB_PL_PARTS; i++) {
        cab_pr part = low - at_low * (high - low) / (at_high - at_low), slope = cab_pl_slope(v, g, part - 1);
        if (cab_pl_abs(slope) <= flat) return part;
        if (slope > 0) {
            high = part;
            at_high = slope;
            if (side == 1) at_low = at_low / 2;
            side = 1;
        } else {
            low = part;
            at_low = slope;
            if (side == -1) at_high = at_high / 2;
            side = -1;
        }
    }
    return low;
}

CAB_PL_FUNCTION void cab_pl_go(const cab_pl_view *v, global const cab_pl_island *g, cab_pr part)
{
    CAB_PL_FOR_UNKNOWNS(g, i) v->unknown[i].gone += part * v->unknown[i].change;
    CAB_PL_FOR_RUNS(g, i)
    {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        row->left -= part * row->see;
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        t->left -= part * t->see;
        t->tangent_left -= part * t->tangent_see;
    }
}

/* Newton's method finds where the energy of bodies and springs is least. It has got there when the same
 * springs hold after a whole step as before it. Then friction's bounds are set anew. */
CAB_PL_FUNCTION void cab_pl_find_balance(const cab_pl_view *v, global const cab_pl_island *g)
{
    for (int round = 0; round < CAB_PL_ROUNDS; round++) {
        cab_pl_fill_matrix(v, g);
        cab_pl_push_to_unknowns(v, g);
        cab_pl_eliminate(v, g);
        cab_pl_substitute(v, g);
        cab_pl_unknowns_to_push(v, g);
        cab_pl_look(v, g);
        cab_pl_go(v, g, 1);
        if (cab_pl_find_holding(v, g)) {
            cab_pr part = cab_pl_best_part(v, g);
            if (part < 1) cab_pl_go(v, g, part - 1);
        } else if (round + 1 == CAB_PL_ROUNDS || !cab_pl_set_bounds(v, g)) {
            return;
        }
        cab_pl_find_holding(v, g);
    }
}

/* By how much the change d of the impulses changes d' (J M^-1 J' + S) d / 2 - d' w, which is to be least. */
CAB_PL_FUNCTION cab_pr cab_pl_gain(const cab_pl_view *v, global const cab_pl_island *g)
{
    cab_pr gain = 0;
    cab_pl_clear_push(v, g);
    CAB_PL_FOR_RUNS(g, i)
    {
        global const cab_pl_row *row = cab_pl_direct_row(v, i);
        cab_pr d = cab_pl_run_sum(row, 0) - row->impulse;
        gain += d * (0.5 * row->soft * d - row->wish);
        for (int k = 0; k < row->run; k++) cab_pl_lever_push(v, cab_pl_row_lever(row + k), d * row[k].weight);
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global const cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pr n = cab_pl_normal_sum(t, 0) - t->normal, along = cab_pl_tangent_sum(t, 0) - t->tangent;
        gain += n * (0.5 * t->soft * n - t->wish) - along * t->tangent_wish;
        cab_pl_lever_push(v, cab_pl_touch_lever(c, t, c->nx, c->ny), n);
        cab_pl_lever_push(v, cab_pl_touch_lever(c, t, -c->ny, c->nx), along);
    }
    CAB_PL_FOR_BODIES(g, i)
    {
        global const cab_pl_body *b = v->body + v->order[i];
        global const cab_pl_motion *m = v->motion + v->order[i];
        gain += 0.5 * m->inverse_mass * (b->push_x * b->push_x + b->push_y * b->push_y) +
                0.5 * m->inverse_inertia * b->push_w * b->push_w;
    }
    return gain;
}

CAB_PL_FUNCTION void cab_pl_take_impulses(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_RUNS(g, i)
    {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        cab_pl_run_pull(v, row, cab_pl_run_sum(row, 0) - row->impulse);
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pr along = cab_pl_tangent_sum(t, 0) - t->tangent;
        cab_pl_change_normal(v, c, t, cab_pl_normal_sum(t, 0) - t->normal);
        cab_pl_change_tangent(v, c, t, t->most_tangent, along);
    }
}

/* Solves an island. The result is kept only if it is better than no change at all: the matrix of cables that
 * slide with friction is not symmetric, so the rounds may end elsewhere. An island whose matrix does not fit
 * into the cells that are there is left to the sweeps. */
CAB_PL_FUNCTION void cab_pl_balance_island(const cab_pl_view *v, global cab_pl_island *g)
{
    if (g->cells < 0) cab_pl_place_cells(v, g);
    if (g->cells > v->scene->cell_room) return;
    CAB_PL_FOR_UNKNOWNS(g, i) v->unknown[i].gone = 0;
    cab_pl_find_balance(v, g);
    if (cab_pl_gain(v, g) <= 0) cab_pl_take_impulses(v, g);
    cab_pl_clear_push(v, g);
}

/* 1 = sweeps are enough for an island: it has no contacts, its bodies have about the same mass where the
 * cable pulls, and in a substep its segments are off by no more than the depth that contacts leave alone. */
CAB_PL_FUNCTION int cab_pl_sweeps_suffice(const cab_pl_view *v, global const cab_pl_island *g, cab_pr way)
{
    cab_pr least = 0, most = 0;
    if (g->touches > 0 || way > v->scene->slop) return 0;
    CAB_PL_FOR_RUNS(g, i)
    {
        global const cab_pl_row *row = cab_pl_direct_row(v, i);
        for (int k = 0; k < 2 * row->run; k++) {
            global const cab_pl_row *r = row + k / 2;
            global const cab_pl_motion *m = v->motion + (k % 2 ? r->b : r->a);
            cab_pr lever = k % 2 ? r->cb : r->ca, give = m->inverse_mass + lever * lever * m->inverse_inertia;
            if (give == 0) continue;
            least = least == 0 ? give : cab_pl_min(least, give);
            most = cab_pl_max(most, give);
        }
    }
    return most <= CAB_PL_ALIKE * least;
}

CAB_PL_FUNCTION void cab_pl_decide(const cab_pl_view *v, global cab_pl_island *g, cab_pr way)
{
    if (cab_pl_sweeps_suffice(v, g, way)) {
        g->way = CAB_PL_SWEPT;
        v->scene->swept++;
    } else {
        g->way = CAB_PL_TOGETHER;
        cab_pl_order_bodies(v, g);
    }
}

CAB_PL_FUNCTION void cab_pl_solve_islands(const cab_pl_view *v, cab_pr h, int correct)
{
    global cab_pl_scene *scene = v->scene;
    if (!scene->listed) cab_pl_list_direct(v);
    scene->listed = 1;
    for (int i = 0; i < scene->islands; i++) {
        global cab_pl_island *g = v->island + i;
        if (g->way == CAB_PL_SWEPT) continue;
        cab_pr off = cab_pl_begin(v, g, h, correct);
        if (g->way == CAB_PL_UNDECIDED) cab_pl_decide(v, g, h * off);
        if (g->way == CAB_PL_TOGETHER && off > CAB_PL_SETTLED) cab_pl_balance_island(v, g);
    }
}

/* Solves each island by itself, then sweeps over all segments and contacts. */
CAB_PL_FUNCTION void cab_pl_solve_together(const cab_pl_view *v, cab_pr h, int correct)
{
    if (v->scene->swept < v->scene->islands) cab_pl_solve_islands(v, h, correct);
    for (int i = 0; i < v->scene->rows; i += v->row[i].run) cab_pl_solve_run(v, v->row + i, h, correct);
    cab_pl_solve_contacts(v, h, correct);
}

#endif
