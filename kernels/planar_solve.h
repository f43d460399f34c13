/* Sliding, and the solver: sub-stepped, with a relaxing pass without corrections after each step of places,
 * as Box2D 3 does it (E. Catto, Solver2D, 2024).
 *
 * A segment is C = L - l <= 0. Cable that rolls over a body changes L and l alike, so dC/dt is the speed of
 * the two attached points along the segment, whether they are fixed or roll. Segments that slide into each
 * other are one constraint, C1 + C2 + ... <= 0, whose tensions stand in the ratios of friction.
 */
#ifndef CAB_PLANAR_SOLVE_H
#define CAB_PLANAR_SOLVE_H

#include "planar_pinch.h"

#define CAB_PL_SHARE 0.2      /* of an error that is taken back in a substep */
#define CAB_PL_MOST_RATIO 1e6 /* of tensions that slide into each other */
#define CAB_PL_MOST_PULL 1e4  /* impulse, of what gives a run the fastest speed of a body */
#define CAB_PL_MOST_SPIN 1e4  /* rad/s */
#define CAB_PL_SOFTNESS 1e-4  /* of the inverse effective mass: what contradicts itself gives way at last */

/* mu theta; negative = it holds. */
CAB_PL_FUNCTION cab_pr cab_pl_grip(const cab_pl_view *v, int j)
{
    global const cab_pl_joint *joint = v->joint + j;
    global const cab_pl_body *body = v->body + joint->body;
    if (joint->kind == CAB_PL_POINT || body->cable_friction < 0) return -1;
    if (joint->flags & CAB_PL_JOINT_MIDDLE) return v->scene->pinch_friction;
    cab_pr r = cab_pl_rim(v, j), stored = cab_pl_max(joint->stored, 0);
    if (body->corners == 1) return body->cable_friction * stored / r;
    cab_pr round = cab_pl_round(v, joint->body, r);
    cab_pr turn = joint->spin * cab_pl_between(p2_make(joint->tail.nx, joint->tail.ny),
                                               p2_make(joint->head.nx, joint->head.ny));
    if (turn < -1e-6 && stored > 0.25 * round) turn += 2 * CAB_PL_PI;
    return body->cable_friction * (cab_pl_max(turn, 0) + 2 * CAB_PL_PI * (int)(stored / round));
}

/* Does the cable slide on this link, and which way? What slid the other way has come to rest. */
CAB_PL_FUNCTION int cab_pl_slides(const cab_pl_view *v, int j)
{
    global const cab_pl_joint *joint = v->joint + j;
    if (joint->before < 0 || joint->after < 0 || joint->grip < 0) return 0;
    if (joint->grip == 0) return 1;
    if (joint->slide * joint->slip < -1e-12) return 0;
    if (joint->slide != 0) return joint->slide;
    cab_pr behind = joint->impulse, ahead = v->joint[joint->after].impulse;
    cab_pr ratio = cab_pl_exp(joint->grip);
    return ahead > behind * ratio ? 1 : behind > ahead * ratio ? -1 : 0;
}

/* The segment that a walk along a cable begins with: no run of sliding segments goes past it. */
CAB_PL_FUNCTION int cab_pl_first_segment(const cab_pl_view *v, int c)
{
    global const cab_pl_cable *cable = v->cable + c;
    if (!cable->loop) return v->joint[cable->first].after;
    CAB_PL_FOR_JOINTS(v, c, j)
    {
        if (v->joint[v->joint[j].before].slide == 0) return j;
    }
    return cable->first;
}

CAB_PL_FUNCTION int cab_pl_segments_of(const cab_pl_view *v, int c)
{
    return v->cable[c].count - (v->cable[c].loop ? 0 : 1);
}

/* Segments that slide into each other, from j on; at most `left`. */
CAB_PL_FUNCTION int cab_pl_run_of(const cab_pl_view *v, int j, int left)
{
    int n = 1;
    for (; n < left && v->joint[j].slide != 0; j = v->joint[j].after) n++;
    return n;
}

/* Where one of them is taut, the cable of a run flows until all are stretched alike. */
CAB_PL_FUNCTION void cab_pl_flow(const cab_pl_view *v, int first, int count)
{
    cab_pr length = 0, rest = 0, carry = 0;
    int taut = 0, j = first;
    for (int i = 0; i < count; i++, j = v->joint[j].after) {
        length += v->joint[j].length;
        rest += v->joint[j].rest;
        taut = taut || v->joint[j].length > v->joint[j].rest;
    }
    j = first;
    for (int i = 0; i + 1 < count; i++, j = v->joint[j].after) {
        global cab_pl_joint *joint = v->joint + j;
        cab_pr part = length > 0 ? joint->length / length : 1.0 / count;
        cab_pr wanted = joint->length + (rest - length) * part;
        carry = taut ? joint->rest - wanted : 0;
        joint->rest -= carry;
        v->joint[joint->after].rest += carry;
        joint->slip = carry;
    }
}

CAB_PL_FUNCTION void cab_pl_slide_cable(const cab_pl_view *v, int c)
{
    CAB_PL_FOR_JOINTS(v, c, j)
    {
        v->joint[j].grip = cab_pl_grip(v, j);
        v->joint[j].slide = cab_pl_slides(v, j);
        v->joint[j].slip = 0;
    }
    int left = cab_pl_segments_of(v, c);
    for (int j = cab_pl_first_segment(v, c), run; left > 0; left -= run) {
        run = cab_pl_run_of(v, j, left);
        if (run > 1) cab_pl_flow(v, j, run);
        for (int i = 0; i < run; i++) j = v->joint[j].after;
    }
}

CAB_PL_FUNCTION void cab_pl_sliding_update(const cab_pl_view *v)
{
    for (int c = 0; c < v->scene->cables; c++) cab_pl_slide_cable(v, c);
}

CAB_PL_FUNCTION cab_pr cab_pl_row_speed(const cab_pl_view *v, global const cab_pl_row *row)
{
    global const cab_pl_motion *a = v->motion + row->a, *b = v->motion + row->b;
    return row->ex * (b->vx - a->vx) + row->ey * (b->vy - a->vy) + row->cb * b->w - row->ca * a->w;
}

/* A tension's impulse draws the two ends together. */
CAB_PL_FUNCTION void cab_pl_row_pull(const cab_pl_view *v, global const cab_pl_row *row, cab_pr impulse)
{
    global cab_pl_motion *a = v->motion + row->a, *b = v->motion + row->b;
    cab_pr pa = impulse * a->inverse_mass, pb = impulse * b->inverse_mass;
    a->vx += pa * row->ex;
    a->vy += pa * row->ey;
    a->w += impulse * a->inverse_inertia * row->ca;
    b->vx -= pb * row->ex;
    b->vy -= pb * row->ey;
    b->w -= impulse * b->inverse_inertia * row->cb;
}

/* What the joint's geometry makes of its row. */
CAB_PL_FUNCTION void cab_pl_fill_row(const cab_pl_view *v, global cab_pl_row *row)
{
    global const cab_pl_joint *b = v->joint + row->joint, *a = v->joint + b->before;
    row->ex = b->ex;
    row->ey = b->ey;
    row->ca = a->head.ox * b->ey - a->head.oy * b->ex;
    row->cb = b->tail.ox * b->ey - b->tail.oy * b->ex;
    row->off = b->length - b->rest;
}

/* Lays the impulses of a run, of 1 in its first segment, on its bodies; or takes them away. */
CAB_PL_FUNCTION void cab_pl_run_push(const cab_pl_view *v, global const cab_pl_row *row, int lay)
{
    for (int i = 0; i < row->run; i++) {
        global const cab_pl_row *r = row + i;
        global cab_pl_body *a = v->body + r->a, *b = v->body + r->b;
        if (lay) {
            a->push_x += r->weight * r->ex;
            a->push_y += r->weight * r->ey;
            a->push_w += r->weight * r->ca;
            b->push_x -= r->weight * r->ex;
            b->push_y -= r->weight * r->ey;
            b->push_w -= r->weight * r->cb;
        } else {
            a->push_x = a->push_y = a->push_w = 0;
            b->push_x = b->push_y = b->push_w = 0;
        }
    }
}

/* How fast a run gets shorter by the impulses that lie on its bodies. */
CAB_PL_FUNCTION cab_pr cab_pl_run_feel(const cab_pl_view *v, global const cab_pl_row *row)
{
    cab_pr give = 0;
    for (int i = 0; i < row->run; i++) {
        global const cab_pl_row *r = row + i;
        global const cab_pl_body *a = v->body + r->a, *b = v->body + r->b;
        global const cab_pl_motion *ma = v->motion + r->a, *mb = v->motion + r->b;
        give += ma->inverse_mass * (r->ex * a->push_x + r->ey * a->push_y) +
                ma->inverse_inertia * r->ca * a->push_w;
        give -= mb->inverse_mass * (r->ex * b->push_x + r->ey * b->push_y) +
                mb->inverse_inertia * r->cb * b->push_w;
    }
    return give;
}

/* K of a run: how fast all of it gets shorter under a unit impulse in its first segment. Segments share
 * bodies, so the impulses are laid on them and their speeds taken. */
CAB_PL_FUNCTION cab_pr cab_pl_run_give(const cab_pl_view *v, global const cab_pl_row *row)
{
    cab_pl_run_push(v, row, 1);
    cab_pr give = cab_pl_run_feel(v, row);
    cab_pl_run_push(v, row, 0);
    return give;
}

/* How fast a segment by itself gets shorter under a unit impulse. */
CAB_PL_FUNCTION cab_pr cab_pl_row_give(const cab_pl_view *v, global const cab_pl_row *row)
{
    global const cab_pl_motion *a = v->motion + row->a, *b = v->motion + row->b;
    return a->inverse_mass + b->inverse_mass + row->ca * row->ca * a->inverse_inertia +
           row->cb * row->cb * b->inverse_inertia;
}

/* A run gives way at least so much, against its segments by themselves: with friction, or where they pull
 * against each other, it may not give way at all. */
#define CAB_PL_LEAST_GIVE 1e-3

CAB_PL_FUNCTION void cab_pl_prepare_run(const cab_pl_view *v, global cab_pl_row *row)
{
    cab_pr give, off = 0, compliance = 0, apart = 0;
    for (int i = 0; i < row->run; i++) {
        off += row[i].off;
        compliance += row[i].compliance * row[i].weight;
        apart += row[i].weight * cab_pl_row_give(v, row + i);
    }
    give = row->run == 1 ? apart : cab_pl_max(cab_pl_run_give(v, row), CAB_PL_LEAST_GIVE * apart);
    row->run_off = off;
    row->mass = give > 1e-12 ? 1 / give : 0;
    row->compliance_run = compliance;
}

/* Tensions of a run after it has changed: the same sum, in the ratios of now. */
CAB_PL_FUNCTION void cab_pl_level_run(global cab_pl_row *row)
{
    cab_pr impulse = 0, weight = 0;
    if (row->run == 1) return;
    for (int i = 0; i < row->run; i++) {
        impulse += row[i].impulse;
        weight += row[i].weight;
    }
    for (int i = 0; i < row->run; i++) row[i].impulse = row[i].weight * impulse / weight;
}

CAB_PL_FUNCTION void cab_pl_init_cable(const cab_pl_view *v, int c)
{
    int left = cab_pl_segments_of(v, c), j = cab_pl_first_segment(v, c);
    while (left > 0) {
        int run = cab_pl_run_of(v, j, left);
        global cab_pl_row *first = v->row + v->scene->rows;
        cab_pr weight = 1;
        for (int i = 0; i < run; i++, j = v->joint[j].after) {
            global cab_pl_joint *joint = v->joint + j;
            global cab_pl_row *row = v->row + v->scene->rows++;
            row->a = v->joint[joint->before].body;
            row->b = joint->body;
            row->joint = j;
            row->run = i == 0 ? run : 0;
            row->weight = weight;
            row->impulse = joint->impulse;
            row->compliance = v->cable[c].compliance * cab_pl_max(joint->rest, 0);
            row->mass = row->run_off = row->compliance_run = 0;
            cab_pl_fill_row(v, row);
            if (joint->slide == 0) continue; /* the run ends here */
            weight = weight * cab_pl_exp(joint->slide * joint->grip);
            weight = cab_pl_max(1 / CAB_PL_MOST_RATIO, cab_pl_min(CAB_PL_MOST_RATIO, weight));
        }
        cab_pl_prepare_run(v, first);
        cab_pl_level_run(first);
        left -= run;
    }
}

CAB_PL_FUNCTION void cab_pl_segments_init(const cab_pl_view *v)
{
    v->scene->rows = 0;
    for (int c = 0; c < v->scene->cables; c++) cab_pl_init_cable(v, c);
}

/* What the same pair of bodies did to each other in the last step. */
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

/* How far an anchor has gone since the contact was found. That of a circle does not turn with it. */
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

CAB_PL_FUNCTION void cab_pl_solve_normal(const cab_pl_view *v, global const cab_pl_contact *c,
                                         global cab_pl_touch *t, cab_pr h, int correct)
{
    if (t->normal_mass == 0) return;
    cab_pr gap = cab_pl_gap_now(v, c, t), bias = 0, soft = 0;
    if (gap > 0) {
        bias = gap / h;
    } else if (correct) {
        bias = cab_pl_max(CAB_PL_SHARE / h * cab_pl_min(gap + v->scene->slop, 0), -v->scene->push_out);
        soft = CAB_PL_SOFTNESS;
    }
    cab_pr speed = cab_pl_approach(v, c, t, c->nx, c->ny);
    cab_pr impulse = -(t->normal_mass * (speed + bias) + soft * t->normal) / (1 + soft);
    cab_pr sum = cab_pl_max(t->normal + impulse, 0);
    impulse = sum - t->normal;
    t->normal = sum;
    t->most = cab_pl_max(t->most, sum);
    cab_pl_touch_push(v, c, t, impulse * c->nx, impulse * c->ny);
}

CAB_PL_FUNCTION void cab_pl_solve_tangent(const cab_pl_view *v, global const cab_pl_contact *c,
                                          global cab_pl_touch *t)
{
    cab_pr most = c->friction * t->normal;
    if (most == 0 && t->tangent == 0) return;
    cab_pr impulse = -t->tangent_mass * cab_pl_approach(v, c, t, -c->ny, c->nx);
    cab_pr sum = cab_pl_max(-most, cab_pl_min(most, t->tangent + impulse));
    impulse = sum - t->tangent;
    t->tangent = sum;
    cab_pl_touch_push(v, c, t, -impulse * c->ny, impulse * c->nx);
}

CAB_PL_FUNCTION void cab_pl_solve_contacts(const cab_pl_view *v, cab_pr h, int correct)
{
    for (int i = 0; i < v->scene->contacts; i++) {
        global cab_pl_contact *c = v->contact + i;
        for (int k = 0; k < c->count; k++) cab_pl_solve_tangent(v, c, c->touch + k);
        for (int k = 0; k < c->count; k++) cab_pl_solve_normal(v, c, c->touch + k, h, correct);
    }
}

/* What a run must lose of its speed, and how soft it is in doing so: shares of 1/mass. */
CAB_PL_FUNCTION cab_pr cab_pl_run_wish(const cab_pl_view *v, global const cab_pl_row *row, cab_pr h,
                                       int correct, cab_pr *soft)
{
    cab_pr speed = 0, off = row->run_off;
    for (int i = 0; i < row->run; i++) speed += cab_pl_row_speed(v, row + i);
    *soft = 0;
    if (off < 0) return speed + off / h;
    if (!correct) return speed;
    *soft = CAB_PL_SOFTNESS + row->compliance_run * row->mass * CAB_PL_SHARE / (h * h);
    return speed + cab_pl_min(CAB_PL_SHARE / h * off, v->scene->push_out);
}

CAB_PL_FUNCTION void cab_pl_run_pull(const cab_pl_view *v, global cab_pl_row *row, cab_pr impulse)
{
    cab_pr most = CAB_PL_MOST_PULL * row->mass * v->scene->max_speed;
    impulse = cab_pl_max(0, cab_pl_min(most, row->impulse + impulse)) - row->impulse;
    for (int i = 0; i < row->run; i++) {
        cab_pr pull = impulse * row[i].weight;
        row[i].impulse += pull;
        cab_pl_row_pull(v, row + i, pull);
    }
}

CAB_PL_FUNCTION void cab_pl_solve_run(const cab_pl_view *v, global cab_pl_row *row, cab_pr h, int correct)
{
    cab_pr soft;
    if (row->mass == 0) return;
    cab_pr wish = cab_pl_run_wish(v, row, h, correct, &soft);
    cab_pl_run_pull(v, row, (row->mass * wish - soft * row->impulse) / (1 + soft));
}

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

CAB_PL_FUNCTION void cab_pl_solve_segments(const cab_pl_view *v, cab_pr h, int correct)
{
    cab_pl_system s;
    s.count = 0;
    for (int i = 0; i < v->scene->rows && s.count <= CAB_PL_DIRECT; i += v->row[i].run) {
        if (!cab_pl_run_has_length(v, v->row + i)) continue;
        if (s.count < CAB_PL_DIRECT) s.row[s.count] = i;
        s.count++;
    }
    if (s.count > 1 && s.count <= CAB_PL_DIRECT) cab_pl_solve_together(v, &s, h, correct);
    for (int i = 0; i < v->scene->rows; i += v->row[i].run) cab_pl_solve_run(v, v->row + i, h, correct);
}

CAB_PL_FUNCTION void cab_pl_solve_motors(const cab_pl_view *v, cab_pr h)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        global cab_pl_body *b = v->body + i;
        global cab_pl_motion *m = v->motion + i;
        if (b->motor_torque == 0 || m->inverse_inertia == 0) continue;
        cab_pr most = b->motor_torque * h, impulse = (b->motor_speed - m->w) / m->inverse_inertia;
        cab_pr sum = cab_pl_max(-most, cab_pl_min(most, b->motor_impulse + impulse));
        m->w += (sum - b->motor_impulse) * m->inverse_inertia;
        b->motor_impulse = sum;
    }
}

CAB_PL_FUNCTION void cab_pl_warm_start(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->rows; i++) cab_pl_row_pull(v, v->row + i, v->row[i].impulse);
    for (int i = 0; i < v->scene->contacts; i++) {
        global const cab_pl_contact *c = v->contact + i;
        for (int k = 0; k < c->count; k++) {
            global const cab_pl_touch *t = c->touch + k;
            cab_pl_touch_push(v, c, t, t->normal * c->nx - t->tangent * c->ny,
                              t->normal * c->ny + t->tangent * c->nx);
        }
    }
    for (int i = 0; i < v->scene->bodies; i++)
        v->motion[i].w += v->body[i].motor_impulse * v->motion[i].inverse_inertia;
}

CAB_PL_FUNCTION void cab_pl_gain_speed(const cab_pl_view *v, cab_pr h)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        global const cab_pl_body *b = v->body + i;
        global cab_pl_motion *m = v->motion + i;
        if (m->inverse_mass > 0) {
            cab_pr damp =
                1 / (1 + h * b->linear_damping); /* of speeds only: forces at rest stay what they are */
            m->vx = damp * m->vx + h * (b->gravity * v->scene->gx + b->fx * m->inverse_mass);
            m->vy = damp * m->vy + h * (b->gravity * v->scene->gy + b->fy * m->inverse_mass);
        }
        if (m->inverse_inertia > 0)
            m->w = m->w / (1 + h * b->angular_damping) + h * b->torque * m->inverse_inertia;
    }
}

/* What contradicts itself may push without end; it shall not come to infinity. */
CAB_PL_FUNCTION void cab_pl_limit_speed(const cab_pl_view *v, global cab_pl_motion *m)
{
    cab_pr speed = m->vx * m->vx + m->vy * m->vy, most = v->scene->max_speed;
    if (speed > most * most) {
        cab_pr part = most / CAB_SQRT_DOUBLE(speed);
        m->vx *= part;
        m->vy *= part;
    }
    m->w = cab_pl_max(-CAB_PL_MOST_SPIN, cab_pl_min(CAB_PL_MOST_SPIN, m->w));
}

CAB_PL_FUNCTION void cab_pl_advance(const cab_pl_view *v, cab_pr h)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        global cab_pl_motion *m = v->motion + i;
        cab_pl_limit_speed(v, m);
        m->x += h * m->vx;
        m->y += h * m->vy;
        if (m->w == 0) continue;
        m->angle += h * m->w;
        cab_p2 d = cab_pl_direction(m->angle);
        v->body[i].c = d.x;
        v->body[i].s = d.y;
    }
    /* where the segments are now, for the relaxing pass */
    for (int i = 0; i < v->scene->rows; i += v->row[i].run) {
        cab_pr speed = 0;
        for (int k = 0; k < v->row[i].run; k++) speed += cab_pl_row_speed(v, v->row + i + k);
        v->row[i].run_off += h * speed;
    }
}

/* Segments where the bodies are now, what has run over them since the last substep, what slides now. */
CAB_PL_FUNCTION void cab_pl_refresh(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->rows; i++) cab_pl_update(v, v->row[i].joint);
    cab_pl_sliding_update(v);
    cab_pl_segments_init(v);
}

CAB_PL_FUNCTION void cab_pl_substep(const cab_pl_view *v, cab_pr h)
{
    cab_pl_gain_speed(v, h);
    cab_pl_warm_start(v);
    for (int i = 0; i < v->scene->iterations; i++) {
        cab_pl_solve_motors(v, h);
        cab_pl_solve_segments(v, h, 1);
        cab_pl_solve_contacts(v, h, 1);
    }
    cab_pl_advance(v, h);
    cab_pl_solve_motors(v, h);
    cab_pl_solve_segments(v, h, 0);
    cab_pl_solve_contacts(v, h, 0);
    for (int i = 0; i < v->scene->rows; i++) {
        global cab_pl_joint *j = v->joint + v->row[i].joint;
        j->impulse = v->row[i].impulse;
        j->sum += j->impulse;
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

CAB_PL_FUNCTION void cab_pl_solver(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    cab_pr h = scene->step / scene->substeps;
    for (int i = 0; i < scene->bodies; i++) {
        global cab_pl_body *b = v->body + i;
        b->x0 = v->motion[i].x;
        b->y0 = v->motion[i].y;
        b->c0 = b->c;
        b->s0 = b->s;
    }
    for (int i = 0; i < scene->rows; i++) v->joint[v->row[i].joint].sum = 0;
    for (int k = 0; k < scene->substeps; k++) {
        if (k > 0) cab_pl_refresh(v);
        cab_pl_substep(v, h);
    }
    cab_pl_bounce(v);
    for (int i = 0; i < scene->rows; i++) {
        global cab_pl_joint *j = v->joint + v->row[i].joint;
        j->tension = j->sum / scene->step;
    }
    scene->old_contacts = scene->contacts;
    scene->list = 1 - scene->list;
}

#endif
