/* Segments and contacts as springs between bodies, for those that are solved together (direct.h): the points
 * and the direction in which each acts, its impulse at the bodies' present speeds, within its bounds, and
 * whether it holds.
 */
#ifndef CAB_PLANAR_SPRINGS_H
#define CAB_PLANAR_SPRINGS_H

#include "islands.h"

#define CAB_PL_STILL 1e-12 /* m/s; a contact pressed together slower than this does not hold */
#define CAB_PL_TIGHT 1e-5  /* softness of rigid constraints, share of the inverse effective mass; no error */

/* A force on body b, and its opposite on body a: its direction and its two lever arms. */
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

/* The relative speed along a lever's direction that the impulses on its two bodies make. */
CAB_PL_FUNCTION cab_pr cab_pl_lever_feel(const cab_pl_view *v, cab_pl_lever l)
{
    global const cab_pl_body *a = v->body + l.a, *b = v->body + l.b;
    return l.x * (b->push_x - a->push_x) + l.y * (b->push_y - a->push_y) + l.lb * b->push_w -
           l.la * a->push_w;
}

/* A body that cannot move takes no impulse. */
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

/* A spring's impulse at its bodies' present speeds, within its bounds. */
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

/* The value of cab_pl_touch.holds for a contact that presses (normal) and sticks (friction). */
CAB_PL_FUNCTION int cab_pl_holding(int normal, int friction)
{
    return (normal ? CAB_PL_HOLDS_NORMAL : 0) | (friction ? CAB_PL_HOLDS_FRICTION : 0);
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
    int sticks = cab_pl_abs(t->tangent) < t->most_tangent || t->tangent * t->tangent_wish < 0;
    t->holds = cab_pl_holding(t->normal > 0 || t->wish > 0, sticks);
}

/* The error of a run: the speed that it alone would change if all other impulses stayed. */
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

/* The largest error of an island's segments and contacts, m/s. */
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

/* Notes which springs hold now. 1 = not the same ones as before. */
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
        int holds = cab_pl_holding(cab_pl_normal_sum(t, 0) * t->soft > CAB_PL_STILL,
                                   cab_pl_abs(cab_pl_tangent_spring(t, 0)) < t->most_tangent);
        changed |= holds != t->holds;
        t->holds = holds;
    }
    return changed;
}

/* Sets friction's bounds from the present normal impulses. 1 = they have changed, and a contact slips. */
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

#endif
