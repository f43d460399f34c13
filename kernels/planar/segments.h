/* Segments as the solver sees them, and what slides.
 *
 * A segment is C = L - l <= 0. Cable that rolls over a body changes L and l alike, so dC/dt is the speed of
 * the two attached points along the segment, whether they are fixed or roll. Segments that slide into each
 * other are one constraint, C1 + C2 + ... <= 0, whose tensions stand in the ratios of friction.
 */
#ifndef CAB_PLANAR_SEGMENTS_H
#define CAB_PLANAR_SEGMENTS_H

#include "pinch.h"

#define CAB_PL_SHARE 0.2      /* share of an error that is corrected in a substep */
#define CAB_PL_MOST_RATIO 1e6 /* largest ratio of tensions in a run */
#define CAB_PL_MOST_PULL 1e4  /* largest impulse, as a multiple of the one to the speed limit */
#define CAB_PL_SOFTNESS 1e-4  /* share of the inverse effective mass, for contradicting constraints */

/* mu theta of a link; negative = the cable never slides on it. */
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

/* Whether the cable slides on this link, and in which direction. If it slid in the other one before, it rests
 * now. */
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

/* The segment with which a pass over a cable begins. In a loop it is the first one of a run of sliding
 * segments, so that the pass splits no run. */
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

/* The number of segments, from j on, that slide into each other; at most `left`. */
CAB_PL_FUNCTION int cab_pl_run_of(const cab_pl_view *v, int j, int left)
{
    int n = 1;
    for (; n < left && v->joint[j].slide != 0; j = v->joint[j].after) n++;
    return n;
}

/* If a segment of a run is taut, moves rest length along the run until all of its segments are stretched
 * alike. */
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
    int slides = 0;
    CAB_PL_FOR_JOINTS(v, c, j)
    {
        v->joint[j].grip = cab_pl_grip(v, j);
        v->joint[j].slide = cab_pl_slides(v, j);
        v->joint[j].slip = 0;
        slides |= v->joint[j].slide;
    }
    if (!slides) return;
    int left = cab_pl_segments_of(v, c);
    for (int j = cab_pl_first_segment(v, c), run; left > 0; left -= run) {
        run = cab_pl_run_of(v, j, left);
        if (run > 1) cab_pl_flow(v, j, run);
        for (int i = 0; i < run; i++) j = v->joint[j].after;
    }
}

CAB_PL_FUNCTION void cab_pl_sliding_update(const cab_pl_view *v)
{
    for (int c = 0; c < v->scene->cables; c++) {
        if (!v->cable[c].asleep) cab_pl_slide_cable(v, c);
    }
}

CAB_PL_FUNCTION cab_pr cab_pl_row_speed(const cab_pl_view *v, global const cab_pl_row *row)
{
    global const cab_pl_motion *a = v->motion + row->a, *b = v->motion + row->b;
    return row->ex * (b->vx - a->vx) + row->ey * (b->vy - a->vy) + row->cb * b->w - row->ca * a->w;
}

/* Applies a tension's impulse: it pulls the two ends together. Between bodies that only turn nothing else is written: the next
 * row would wait for it. */
CAB_PL_FUNCTION void cab_pl_row_pull(const cab_pl_view *v, global const cab_pl_row *row, cab_pr impulse)
{
    global cab_pl_motion *a = v->motion + row->a, *b = v->motion + row->b;
    if (!(a->inverse_mass + b->inverse_mass > 0)) {
        a->w += impulse * a->inverse_inertia * row->ca;
        b->w -= impulse * b->inverse_inertia * row->cb;
        return;
    }
    cab_pr pa = impulse * a->inverse_mass, pb = impulse * b->inverse_mass;
    a->vx += pa * row->ex;
    a->vy += pa * row->ey;
    a->w += impulse * a->inverse_inertia * row->ca;
    b->vx -= pb * row->ex;
    b->vy -= pb * row->ey;
    b->w -= impulse * b->inverse_inertia * row->cb;
}

/* Sets a row from the geometry of its joint's segment. */
CAB_PL_FUNCTION void cab_pl_fill_row(const cab_pl_view *v, global cab_pl_row *row)
{
    global const cab_pl_joint *b = v->joint + row->joint, *a = v->joint + b->before;
    row->ex = b->ex;
    row->ey = b->ey;
    row->ca = a->head.ox * b->ey - a->head.oy * b->ex;
    row->cb = b->tail.ox * b->ey - b->tail.oy * b->ex;
    row->off = b->length - b->rest;
}

/* Adds to the bodies of a run the impulses that belong to a unit impulse in its first segment, or takes them
 * away. */
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

/* The rate at which a run gets shorter by the impulses on its bodies. */
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

/* K of a run: the rate at which all of it gets shorter under a unit impulse in its first segment. Segments
 * share bodies, so the impulses are added to the bodies and the resulting speeds are read. */
CAB_PL_FUNCTION cab_pr cab_pl_run_give(const cab_pl_view *v, global const cab_pl_row *row)
{
    cab_pl_run_push(v, row, 1);
    cab_pr give = cab_pl_run_feel(v, row);
    cab_pl_run_push(v, row, 0);
    return give;
}

/* The rate at which a single segment gets shorter under a unit impulse. */
CAB_PL_FUNCTION cab_pr cab_pl_row_give(const cab_pl_view *v, global const cab_pl_row *row)
{
    global const cab_pl_motion *a = v->motion + row->a, *b = v->motion + row->b;
    return a->inverse_mass + b->inverse_mass + row->ca * row->ca * a->inverse_inertia +
           row->cb * row->cb * b->inverse_inertia;
}

/* The least K of a run, as a share of the sum of its segments' own. With friction, or where segments pull
 * against each other, K itself may be zero or negative. */
#define CAB_PL_LEAST_GIVE 1e-3

CAB_PL_FUNCTION void cab_pl_prepare_run(const cab_pl_view *v, global cab_pl_row *row)
{
    /* the first row's weight is 1 */
    cab_pr off = row->off, compliance = row->compliance, apart = cab_pl_row_give(v, row), give;
    for (int i = 1; i < row->run; i++) {
        off += row[i].off;
        compliance += row[i].compliance * row[i].weight;
        apart += row[i].weight * cab_pl_row_give(v, row + i);
    }
    give = row->run == 1 ? apart : cab_pl_max(cab_pl_run_give(v, row), CAB_PL_LEAST_GIVE * apart);
    row->run_off = off;
    row->mass = give > 1e-12 ? 1 / give : 0;
    row->compliance_run = compliance;
}

/* Spreads the last step's tensions over a run that has changed: their sum stays, in the present ratios. */
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
    for (int c = 0; c < v->scene->cables; c++) {
        if (!v->cable[c].asleep) cab_pl_init_cable(v, c);
    }
}

/* The speed that a run must lose, and its softness; both as shares of 1/mass. No more than push_out of it comes from an error; what an
 * elastic cable is longer by under its present tension is none. */
CAB_PL_FUNCTION cab_pr cab_pl_run_wish(const cab_pl_view *v, global const cab_pl_row *row, cab_pr h,
                                       int correct, cab_pr *soft)
{
    cab_pr speed = cab_pl_row_speed(v, row), off = row->run_off;
    for (int i = 1; i < row->run; i++) speed += cab_pl_row_speed(v, row + i);
    *soft = 0;
    if (off < 0) return speed + off / h;
    if (!correct) return speed;
    *soft = CAB_PL_SOFTNESS + row->compliance_run * row->mass * CAB_PL_SHARE / (h * h);
    cab_pr drawn = row->compliance_run * row->impulse * CAB_PL_SHARE / (h * h);
    return speed + cab_pl_min(CAB_PL_SHARE / h * off, v->scene->push_out + drawn);
}

CAB_PL_FUNCTION void cab_pl_run_pull(const cab_pl_view *v, global cab_pl_row *row, cab_pr impulse)
{
    cab_pr most = CAB_PL_MOST_PULL * row->mass * v->scene->max_speed;
    impulse = cab_pl_max(0, cab_pl_min(most, row->impulse + impulse)) - row->impulse;
    row->impulse += impulse; /* its weight is 1 */
    cab_pl_row_pull(v, row, impulse);
    for (int i = 1; i < row->run; i++) {
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

#endif
