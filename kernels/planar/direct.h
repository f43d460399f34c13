/* Segments and contacts that are solved together: how fast all bodies of an island go, with what holds as
 * stiff springs between them. A light body between heavy ones, or a long chain, is no obstacle then; sweeps
 * want as many rounds as one is heavier than the other.
 *
 * Spring i has the impulse l_i and the softness s_i; it pushes along p_i, and its speed is to change by w_i.
 * Where the bodies' speeds have changed by u it has
 *
 *     l_i + (w_i - p_i' u) / s_i, within its bounds: 0 and more, friction's + and - mu times the normal one
 *
 * u is where the energy u' M u / 2 + that of the springs is least. It is convex, and smooth but for its
 * curvature: Newton's method, with a search along the way, finds it in a few rounds (L. Qi, J. Sun, 1993), in
 * one where the same springs hold as before. Friction's bounds follow the normal impulses from round to
 * round. The sweeps that come after have the same solution.
 */
#ifndef CAB_PLANAR_DIRECT_H
#define CAB_PLANAR_DIRECT_H

#include "islands.h"

#define CAB_PL_ROUNDS 6         /* of Newton's method */
#define CAB_PL_FLAT 1e-2        /* of the first slope: as good as none */
#define CAB_PL_PARTS 24         /* tries to find the best part of a way */
#define CAB_PL_LEAST_PIVOT 1e-3 /* of a mass */
#define CAB_PL_STILL 1e-12      /* m/s; what is pressed together slower than that does not hold */
#define CAB_PL_SETTLED 1e-12    /* m/s; what is off by less is left to the sweeps */
#define CAB_PL_ALIKE 4          /* ratio of masses that sweeps get by with */
#define CAB_PL_TIGHT 1e-5 /* softness of what has none, of the inverse effective mass; it leaves no error */

/* A force on two bodies, turned about for a: its direction and its levers. */
typedef struct cab_pl_lever {
    cab_pr x, y, la, lb;
    int a, b;
} cab_pl_lever;

CAB_PL_FUNCTION cab_pl_lever cab_pl_row_lever(global const cab_pl_row *row)
{
    cab_pl_lever l;
    l.x = -row->ex;
    l.y = -row->ey;
    l.la = -row->ca;
    l.lb = -row->cb;
    l.a = row->a;
    l.b = row->b;
    return l;
}

CAB_PL_FUNCTION cab_pl_lever cab_pl_touch_lever(global const cab_pl_contact *c, global const cab_pl_touch *t,
                                                cab_pr x, cab_pr y)
{
    cab_pl_lever l;
    l.x = x;
    l.y = y;
    l.la = t->ax * y - t->ay * x;
    l.lb = t->bx * y - t->by * x;
    l.a = c->a;
    l.b = c->b;
    return l;
}

/* The speed that a lever sees of what lies on its bodies. */
CAB_PL_FUNCTION cab_pr cab_pl_lever_feel(const cab_pl_view *v, cab_pl_lever l)
{
    global const cab_pl_body *a = v->body + l.a, *b = v->body + l.b;
    return l.x * (b->push_x - a->push_x) + l.y * (b->push_y - a->push_y) + l.lb * b->push_w -
           l.la * a->push_w;
}

/* What cannot move feels nothing. */
CAB_PL_FUNCTION void cab_pl_lever_push(const cab_pl_view *v, cab_pl_lever l, cab_pr impulse)
{
    global cab_pl_body *a = v->body + l.a, *b = v->body + l.b;
    if (a->unknown >= 0) {
        a->push_x -= impulse * l.x;
        a->push_y -= impulse * l.y;
        a->push_w -= impulse * l.la;
    }
    if (b->unknown >= 0) {
        b->push_x += impulse * l.x;
        b->push_y += impulse * l.y;
        b->push_w += impulse * l.lb;
    }
}

CAB_PL_FUNCTION void cab_pl_add_cell(const cab_pl_view *v, int row, int column, cab_pr value)
{
    if (row == column)
        v->unknown[row].diagonal += value;
    else if (row > column)
        v->cell[2 * (v->unknown[row].at + column - v->unknown[row].low)] += value;
    else
        v->cell[2 * (v->unknown[column].at + row - v->unknown[column].low) + 1] += value;
}

/* The part of a body in a lever, as its unknowns are counted. */
CAB_PL_FUNCTION int cab_pl_lever_part(const cab_pl_view *v, cab_pl_lever l, int of_b, cab_pr part[3])
{
    int body = of_b ? l.b : l.a, n = 0;
    cab_pr sign = of_b ? 1 : -1;
    if (v->body[body].unknown < 0) return 0;
    if (v->motion[body].inverse_mass > 0) {
        part[n++] = sign * l.x;
        part[n++] = sign * l.y;
    }
    if (v->motion[body].inverse_inertia > 0) part[n++] = sign * (of_b ? l.lb : l.la);
    return n;
}

/* Adds p q' k. */
CAB_PL_FUNCTION void cab_pl_couple(const cab_pl_view *v, cab_pl_lever p, cab_pl_lever q, cab_pr k)
{
    for (int i = 0; i < 2; i++) {
        cab_pr push[3], feel[3];
        int np = cab_pl_lever_part(v, p, i, push), at = v->body[i ? p.b : p.a].unknown;
        for (int j = 0; j < 2 && np > 0; j++) {
            int nq = cab_pl_lever_part(v, q, j, feel), to = v->body[j ? q.b : q.a].unknown;
            for (int r = 0; r < np; r++) {
                for (int c = 0; c < nq; c++) cab_pl_add_cell(v, at + r, to + c, k * push[r] * feel[c]);
            }
        }
    }
}

/* The impulse that a spring has where its bodies have got to, within its bounds. */
CAB_PL_FUNCTION cab_pr cab_pl_run_sum(global const cab_pl_row *row, cab_pr part)
{
    return cab_pl_max(row->impulse + (row->left - part * row->see) / row->soft, 0);
}

CAB_PL_FUNCTION cab_pr cab_pl_normal_sum(global const cab_pl_touch *t, cab_pr part)
{
    return cab_pl_max(t->normal + (t->left - part * t->see) / t->soft, 0);
}

CAB_PL_FUNCTION cab_pr cab_pl_tangent_spring(global const cab_pl_touch *t, cab_pr part)
{
    return t->tangent + (t->tangent_left - part * t->tangent_see) * t->tangent_mass / CAB_PL_TIGHT;
}

CAB_PL_FUNCTION cab_pr cab_pl_tangent_sum(global const cab_pl_touch *t, cab_pr part)
{
    return cab_pl_max(-t->most_tangent, cab_pl_min(t->most_tangent, cab_pl_tangent_spring(t, part)));
}

CAB_PL_FUNCTION void cab_pl_begin_run(const cab_pl_view *v, global cab_pl_row *row, cab_pr h, int correct)
{
    cab_pr soft;
    row->wish = cab_pl_run_wish(v, row, h, correct, &soft);
    row->soft = (soft > 0 ? soft : CAB_PL_TIGHT) / row->mass;
    if (soft > 0) row->wish -= row->soft * row->impulse;
    row->left = row->wish;
    row->holds = row->impulse > 0 || row->wish > 0;
}

CAB_PL_FUNCTION void cab_pl_begin_touch(const cab_pl_view *v, global const cab_pl_contact *c,
                                        global cab_pl_touch *t, cab_pr h, int correct)
{
    cab_pr soft, bias = cab_pl_touch_bias(v, c, t, h, correct, &soft);
    t->soft = (soft > 0 ? soft : CAB_PL_TIGHT) / t->normal_mass;
    t->wish = -cab_pl_approach(v, c, t, c->nx, c->ny) - bias - (soft > 0 ? t->soft * t->normal : 0);
    t->left = t->wish;
    t->tangent_wish = t->tangent_left = -cab_pl_approach(v, c, t, -c->ny, c->nx);
    t->most_tangent = c->friction * t->normal;
    t->holds = (t->normal > 0 || t->wish > 0) +
               2 * (cab_pl_abs(t->tangent) < t->most_tangent || t->tangent * t->tangent_wish < 0);
}

/* How far the speed is from what it should be if all else stayed. */
CAB_PL_FUNCTION cab_pr cab_pl_run_off(global const cab_pl_row *row)
{
    return cab_pl_abs(cab_pl_max(-row->impulse / row->mass, row->wish));
}

CAB_PL_FUNCTION cab_pr cab_pl_touch_off(global const cab_pl_touch *t)
{
    cab_pr normal = cab_pl_max(-t->normal, t->normal_mass * t->wish);
    cab_pr want = t->tangent + t->tangent_mass * t->tangent_wish;
    cab_pr tangent = cab_pl_max(-t->most_tangent, cab_pl_min(t->most_tangent, want)) - t->tangent;
    return cab_pl_max(cab_pl_abs(normal) / t->normal_mass,
                      t->tangent_mass > 0 ? cab_pl_abs(tangent) / t->tangent_mass : 0);
}

/* How far they are from their answer, the one that is farthest. */
CAB_PL_FUNCTION cab_pr cab_pl_begin(const cab_pl_view *v, global const cab_pl_island *g, cab_pr h,
                                    int correct)
{
    cab_pr off = 0;
    CAB_PL_FOR_RUNS(g, i)
    {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        cab_pl_begin_run(v, row, h, correct);
        off = cab_pl_max(off, cab_pl_run_off(row));
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pl_begin_touch(v, cab_pl_direct_contact(v, i), t, h, correct);
        off = cab_pl_max(off, cab_pl_touch_off(t));
    }
    return off;
}

/* Which ones hold now. 1 = others than before. */
CAB_PL_FUNCTION int cab_pl_find_holding(const cab_pl_view *v, global const cab_pl_island *g)
{
    int changed = 0;
    CAB_PL_FOR_RUNS(g, i)
    {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        int holds = cab_pl_run_sum(row, 0) * row->soft > CAB_PL_STILL;
        changed |= holds != row->holds;
        row->holds = holds;
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        int holds = (cab_pl_normal_sum(t, 0) * t->soft > CAB_PL_STILL) +
                    2 * (cab_pl_abs(cab_pl_tangent_spring(t, 0)) < t->most_tangent);
        changed |= holds != t->holds;
        t->holds = holds;
    }
    return changed;
}

/* Friction's bounds from the normal impulses of now. 1 = they are others, and something slips. */
CAB_PL_FUNCTION int cab_pl_set_bounds(const cab_pl_view *v, global const cab_pl_island *g)
{
    int changed = 0;
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pr before = t->most_tangent;
        t->most_tangent = c->friction * cab_pl_normal_sum(t, 0);
        changed |= cab_pl_abs(cab_pl_tangent_spring(t, 0)) >= cab_pl_min(before, t->most_tangent) &&
                   cab_pl_abs(t->most_tangent - before) > 1e-6 * before;
    }
    return changed;
}

/* Lays springs into the matrix, their impulses on the bodies. */
CAB_PL_FUNCTION void cab_pl_lay_run(const cab_pl_view *v, global const cab_pl_row *row)
{
    cab_pr impulse = row->holds ? row->left / row->soft : -row->impulse;
    for (int i = 0; i < row->run; i++) {
        cab_pl_lever p = cab_pl_row_lever(row + i);
        cab_pl_lever_push(v, p, row[i].weight * impulse);
        for (int n = 0; n < row->run && row->holds; n++)
            cab_pl_couple(v, p, cab_pl_row_lever(row + n), row[i].weight / row->soft);
    }
}

CAB_PL_FUNCTION void cab_pl_lay_touch(const cab_pl_view *v, global const cab_pl_contact *c,
                                      global const cab_pl_touch *t)
{
    cab_pl_lever n = cab_pl_touch_lever(c, t, c->nx, c->ny), along = cab_pl_touch_lever(c, t, -c->ny, c->nx);
    cab_pr free = cab_pl_tangent_spring(t, 0), bound = cab_pl_tangent_sum(t, 0);
    cab_pl_lever_push(v, n, t->holds & 1 ? t->left / t->soft : -t->normal);
    cab_pl_lever_push(v, along, (t->holds & 2 ? free : bound) - t->tangent);
    if (t->holds & 1) cab_pl_couple(v, n, n, 1 / t->soft);
    if (t->holds & 2) cab_pl_couple(v, along, along, t->tangent_mass / CAB_PL_TIGHT);
}

CAB_PL_FUNCTION void cab_pl_clear_push(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_BODIES(g, i)
    {
        global cab_pl_body *b = v->body + v->order[i];
        b->push_x = b->push_y = b->push_w = 0;
    }
}

CAB_PL_FUNCTION void cab_pl_clear_matrix(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_UNKNOWNS(g, i) v->unknown[i].diagonal = v->unknown[i].mass;
    for (int i = 0; i < 2 * g->cells; i++) v->cell[i] = 0;
}

CAB_PL_FUNCTION void cab_pl_fill_matrix(const cab_pl_view *v, global const cab_pl_island *g)
{
    cab_pl_clear_matrix(v, g);
    cab_pl_clear_push(v, g);
    CAB_PL_FOR_RUNS(g, i) cab_pl_lay_run(v, cab_pl_direct_row(v, i));
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global const cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pl_lay_touch(v, c, t);
    }
}

/* L U in the envelope, row by row and column by column (A. Jennings, 1966), then u from what lies on the
 * bodies. */
CAB_PL_FUNCTION void cab_pl_eliminate(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_UNKNOWNS(g, r)
    {
        global cab_pl_unknown *row = v->unknown + r;
        global cab_pr *mine = v->cell + 2 * (row->at - row->low);
        cab_pr diagonal = row->diagonal;
        for (int c = row->low; c < r; c++) {
            global const cab_pl_unknown *other = v->unknown + c;
            global const cab_pr *its = v->cell + 2 * (other->at - other->low);
            cab_pr lower = mine[2 * c], upper = mine[2 * c + 1];
            for (int k = row->low > other->low ? row->low : other->low; k < c; k++) {
                lower -= mine[2 * k] * its[2 * k + 1];
                upper -= its[2 * k] * mine[2 * k + 1];
            }
            lower = lower * other->inverse;
            mine[2 * c] = lower;
            mine[2 * c + 1] = upper;
            diagonal -= lower * upper;
        }
        /* friction of cables that slide can turn its sign */
        row->inverse = 1 / (diagonal > CAB_PL_LEAST_PIVOT * row->mass ? diagonal : row->mass);
    }
}

CAB_PL_FUNCTION void cab_pl_substitute(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_UNKNOWNS(g, r)
    {
        global cab_pl_unknown *row = v->unknown + r;
        global const cab_pr *mine = v->cell + 2 * (row->at - row->low);
        for (int c = row->low; c < r; c++) row->change -= mine[2 * c] * v->unknown[c].change;
    }
    for (int r = g->unknown + g->unknowns - 1; r >= g->unknown; r--) {
        global cab_pl_unknown *row = v->unknown + r;
        global const cab_pr *mine = v->cell + 2 * (row->at - row->low);
        row->change = row->change * row->inverse;
        for (int c = row->low; c < r; c++) v->unknown[c].change -= mine[2 * c + 1] * row->change;
    }
}

/* What lies on the bodies goes to the unknowns. */
CAB_PL_FUNCTION void cab_pl_push_to_unknowns(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_BODIES(g, i)
    {
        global const cab_pl_body *b = v->body + v->order[i];
        global const cab_pl_motion *m = v->motion + v->order[i];
        int at = b->unknown;
        if (m->inverse_mass > 0) {
            v->unknown[at].change = b->push_x - v->unknown[at].mass * v->unknown[at].gone;
            at++;
            v->unknown[at].change = b->push_y - v->unknown[at].mass * v->unknown[at].gone;
            at++;
        }
        if (m->inverse_inertia > 0)
            v->unknown[at].change = b->push_w - v->unknown[at].mass * v->unknown[at].gone;
    }
}

/* Changes of the speeds come back to the bodies; those that cannot move have none. */
CAB_PL_FUNCTION void cab_pl_unknowns_to_push(const cab_pl_view *v, global const cab_pl_island *g)
{
    cab_pl_clear_push(v, g);
    CAB_PL_FOR_BODIES(g, i)
    {
        global cab_pl_body *b = v->body + v->order[i];
        global const cab_pl_motion *m = v->motion + v->order[i];
        int at = b->unknown;
        if (m->inverse_mass > 0) {
            b->push_x = v->unknown[at++].change;
            b->push_y = v->unknown[at++].change;
        }
        if (m->inverse_inertia > 0) b->push_w = v->unknown[at].change;
    }
}

/* How the springs see the way that the bodies go. */
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

/* How the energy of bodies and springs grows along the way, after a part of it. */
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

/* The part of the way just gone to where the energy is least: its slope only grows. False position, an end
 * that stays counts half (the Illinois rule). */
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

/* Newton's way to where the energy of bodies and springs is least: it is there when what held before a whole
 * step holds after it. Then friction's bounds are set anew. */
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

/* What a change of the impulses adds to d' (J M^-1 J' + S) d / 2 - d' w, which is to be least. */
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

/* What the rounds have come to is taken if it is better than nothing: cables that slide with friction are not
 * symmetric, and may mislead them. An island for which there are not enough cells is left to the sweeps. */
CAB_PL_FUNCTION void cab_pl_balance_island(const cab_pl_view *v, global cab_pl_island *g)
{
    if (g->cells < 0) cab_pl_place_cells(v, g);
    if (g->cells > v->scene->cell_room) return;
    CAB_PL_FOR_UNKNOWNS(g, i) v->unknown[i].gone = 0;
    cab_pl_find_balance(v, g);
    if (cab_pl_gain(v, g) <= 0) cab_pl_take_impulses(v, g);
    cab_pl_clear_push(v, g);
}

/* Sweeps suffice where nothing but cable holds bodies that weigh about the same where it pulls, and it is off
 * by no more in a substep than the depth that contacts leave alone. */
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

/* Islands, each by itself; then sweeps over all. */
CAB_PL_FUNCTION void cab_pl_solve_together(const cab_pl_view *v, cab_pr h, int correct)
{
    if (v->scene->swept < v->scene->islands) cab_pl_solve_islands(v, h, correct);
    for (int i = 0; i < v->scene->rows; i += v->row[i].run) cab_pl_solve_run(v, v->row + i, h, correct);
    cab_pl_solve_contacts(v, h, correct);
}

#endif
