/* Contacts between bodies: Coulomb friction, restitution, gaps that close within the step. */
#ifndef CAB_PLANAR_CONTACTS_H
#define CAB_PLANAR_CONTACTS_H

#include "segments.h"

/* Starts a contact from the impulses that the same pair of bodies had in the last step. */
CAB_PL_FUNCTION void cab_pl_remember(const cab_pl_view *v, global cab_pl_contact *c)
{
    for (int k = v->body[c->a].first_contact; k >= 0; k = v->old[k].next) {
        global const cab_pl_contact *o = v->old + k;
        if (o->b != c->b) continue;
        for (int i = 0; i < c->count; i++) {
            for (int n = 0; n < o->count; n++) {
                if (o->touch[n].id != c->touch[i].id) continue;
                c->touch[i].normal = o->touch[n].normal;
                c->touch[i].tangent = c->friction > 0 ? o->touch[n].tangent : 0;
            }
        }
    }
}

CAB_PL_FUNCTION cab_pr cab_pl_give(const cab_pl_view *v, global const cab_pl_contact *c,
                                   global const cab_pl_touch *t, cab_pr nx, cab_pr ny)
{
    global const cab_pl_motion *a = v->motion + c->a, *b = v->motion + c->b;
    cab_pr ra = t->ax * ny - t->ay * nx, rb = t->bx * ny - t->by * nx;
    return a->inverse_mass + b->inverse_mass + ra * ra * a->inverse_inertia + rb * rb * b->inverse_inertia;
}

/* Speed of b's point against a's, along a direction. */
CAB_PL_FUNCTION cab_pr cab_pl_approach(const cab_pl_view *v, global const cab_pl_contact *c,
                                       global const cab_pl_touch *t, cab_pr nx, cab_pr ny)
{
    global const cab_pl_motion *a = v->motion + c->a, *b = v->motion + c->b;
    cab_pr x = (b->vx - b->w * t->by) - (a->vx - a->w * t->ay);
    cab_pr y = (b->vy + b->w * t->bx) - (a->vy + a->w * t->ax);
    return x * nx + y * ny;
}

CAB_PL_FUNCTION void cab_pl_contacts_init(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    for (int b = 0; b < scene->bodies; b++) v->body[b].first_contact = -1;
    for (int i = 0; i < scene->old_contacts; i++) {
        v->old[i].next = v->body[v->old[i].a].first_contact;
        v->body[v->old[i].a].first_contact = i;
    }
    for (int i = 0; i < scene->contacts; i++) {
        global cab_pl_contact *c = v->contact + i;
        for (int k = 0; k < c->count; k++) {
            global cab_pl_touch *t = c->touch + k;
            cab_pr normal = cab_pl_give(v, c, t, c->nx, c->ny), tangent = cab_pl_give(v, c, t, -c->ny, c->nx);
            t->normal_mass = normal > 0 ? 1 / normal : 0;
            t->tangent_mass = tangent > 0 ? 1 / tangent : 0;
            t->speed = cab_pl_approach(v, c, t, c->nx, c->ny);
        }
        cab_pl_remember(v, c);
    }
}

CAB_PL_FUNCTION void cab_pl_touch_push(const cab_pl_view *v, global const cab_pl_contact *c,
                                       global const cab_pl_touch *t, cab_pr px, cab_pr py)
{
    global cab_pl_motion *a = v->motion + c->a, *b = v->motion + c->b;
    a->vx -= a->inverse_mass * px;
    a->vy -= a->inverse_mass * py;
    a->w -= a->inverse_inertia * (t->ax * py - t->ay * px);
    b->vx += b->inverse_mass * px;
    b->vy += b->inverse_mass * py;
    b->w += b->inverse_inertia * (t->bx * py - t->by * px);
}

/* The distance that an anchor has moved since the contact was found. A circle's anchor does not turn with the
 * circle. */
CAB_PL_FUNCTION cab_p2 cab_pl_gone(const cab_pl_view *v, int body, cab_pr rx, cab_pr ry)
{
    global const cab_pl_body *b = v->body + body;
    global const cab_pl_motion *m = v->motion + body;
    cab_p2 d = p2_make(m->x - b->x0, m->y - b->y0), r = p2_make(rx, ry);
    if (b->corners == 1) return d;
    cab_p2 now = cab_pl_turn(b->c, b->s, cab_pl_turn_back(b->c0, b->s0, r));
    return p2_add(d, p2_sub(now, r));
}

CAB_PL_FUNCTION cab_pr cab_pl_gap_now(const cab_pl_view *v, global const cab_pl_contact *c,
                                      global const cab_pl_touch *t)
{
    cab_p2 da = cab_pl_gone(v, c->a, t->ax, t->ay), db = cab_pl_gone(v, c->b, t->bx, t->by);
    return t->gap - c->margin + c->nx * (db.x - da.x) + c->ny * (db.y - da.y);
}

/* What is added to the speed of a touch that it must lose, and how soft it is in doing so: a share of
 * 1/normal_mass. */
CAB_PL_FUNCTION cab_pr cab_pl_touch_bias(const cab_pl_view *v, global const cab_pl_contact *c,
                                         global const cab_pl_touch *t, cab_pr h, int correct, cab_pr *soft)
{
    cab_pr gap = cab_pl_gap_now(v, c, t);
    *soft = 0;
    if (gap > 0) return gap / h;
    if (!correct) return 0;
    *soft = CAB_PL_SOFTNESS;
    return cab_pl_max(CAB_PL_SHARE / h * cab_pl_min(gap + v->scene->slop, 0), -v->scene->push_out);
}

CAB_PL_FUNCTION void cab_pl_change_normal(const cab_pl_view *v, global const cab_pl_contact *c,
                                          global cab_pl_touch *t, cab_pr impulse)
{
    cab_pr sum = cab_pl_max(t->normal + impulse, 0);
    impulse = sum - t->normal;
    t->normal = sum;
    t->most = cab_pl_max(t->most, sum);
    cab_pl_touch_push(v, c, t, impulse * c->nx, impulse * c->ny);
}

CAB_PL_FUNCTION void cab_pl_change_tangent(const cab_pl_view *v, global const cab_pl_contact *c,
                                           global cab_pl_touch *t, cab_pr most, cab_pr impulse)
{
    cab_pr sum = cab_pl_max(-most, cab_pl_min(most, t->tangent + impulse));
    impulse = sum - t->tangent;
    t->tangent = sum;
    cab_pl_touch_push(v, c, t, -impulse * c->ny, impulse * c->nx);
}

CAB_PL_FUNCTION void cab_pl_solve_normal(const cab_pl_view *v, global const cab_pl_contact *c,
                                         global cab_pl_touch *t, cab_pr h, int correct)
{
    if (t->normal_mass == 0) return;
    cab_pr soft, bias = cab_pl_touch_bias(v, c, t, h, correct, &soft);
    cab_pr speed = cab_pl_approach(v, c, t, c->nx, c->ny);
    cab_pl_change_normal(v, c, t, -(t->normal_mass * (speed + bias) + soft * t->normal) / (1 + soft));
}

CAB_PL_FUNCTION void cab_pl_solve_tangent(const cab_pl_view *v, global const cab_pl_contact *c,
                                          global cab_pl_touch *t)
{
    cab_pr most = c->friction * t->normal;
    if (most == 0 && t->tangent == 0) return;
    cab_pl_change_tangent(v, c, t, most, -t->tangent_mass * cab_pl_approach(v, c, t, -c->ny, c->nx));
}

CAB_PL_FUNCTION void cab_pl_solve_contacts(const cab_pl_view *v, cab_pr h, int correct)
{
    for (int i = 0; i < v->scene->contacts; i++) {
        global cab_pl_contact *c = v->contact + i;
        for (int k = 0; k < c->count; k++) cab_pl_solve_tangent(v, c, c->touch + k);
        for (int k = 0; k < c->count; k++) cab_pl_solve_normal(v, c, c->touch + k, h, correct);
    }
}

CAB_PL_FUNCTION void cab_pl_bounce(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->contacts; i++) {
        global cab_pl_contact *c = v->contact + i;
        if (c->restitution == 0) continue;
        for (int k = 0; k < c->count; k++) {
            global cab_pl_touch *t = c->touch + k;
            if (t->speed > -v->scene->restitution_speed || t->most == 0) continue;
            cab_pr speed = cab_pl_approach(v, c, t, c->nx, c->ny);
            cab_pr impulse = -t->normal_mass * (speed + c->restitution * t->speed);
            cab_pr sum = cab_pl_max(t->normal + impulse, 0);
            impulse = sum - t->normal;
            t->normal = sum;
            cab_pl_touch_push(v, c, t, impulse * c->nx, impulse * c->ny);
        }
    }
}

#endif
