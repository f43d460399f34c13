/* The solver: sub-stepped, with a relaxing pass without corrections after each step of places, as Box2D 3
 * does it (E. Catto, Solver2D, 2024).
 */
#ifndef CAB_PLANAR_SOLVE_H
#define CAB_PLANAR_SOLVE_H

#include "direct.h"
#include "hand.h"
#include "slack.h"

#define CAB_PL_MOST_SPIN 1e4 /* rad/s */

CAB_PL_FUNCTION void cab_pl_solve_motors(const cab_pl_view *v, cab_pr h)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        global cab_pl_body *b = v->body + i;
        global cab_pl_motion *m = v->motion + i;
        if (b->motor_torque == 0 || m->inverse_inertia == 0 || cab_pl_sleeps(v, i)) continue;
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
    for (int i = 0; i < v->scene->bodies; i++) {
        if (!cab_pl_sleeps(v, i)) v->motion[i].w += v->body[i].motor_impulse * v->motion[i].inverse_inertia;
    }
    cab_pl_warm_hand(v);
}

CAB_PL_FUNCTION void cab_pl_gain_speed(const cab_pl_view *v, cab_pr h)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        global const cab_pl_body *b = v->body + i;
        global cab_pl_motion *m = v->motion + i;
        if (cab_pl_sleeps(v, i)) continue;
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
    for (int i = 0; i < v->scene->rows; i++) cab_pl_follow(v, v->row[i].joint);
    cab_pl_sliding_update(v);
    cab_pl_segments_init(v);
}

CAB_PL_FUNCTION void cab_pl_substep(const cab_pl_view *v, cab_pr h)
{
    cab_pl_gain_speed(v, h);
    cab_pl_warm_start(v);
    for (int i = 0; i < v->scene->iterations; i++) {
        cab_pl_solve_motors(v, h);
        cab_pl_solve_hand(v, h);
        cab_pl_solve_together(v, h, 1);
    }
    cab_pl_advance(v, h);
    cab_pl_solve_motors(v, h);
    cab_pl_solve_hand(v, h);
    cab_pl_solve_together(v, h, 0);
    for (int i = 0; i < v->scene->rows; i++) {
        global cab_pl_joint *j = v->joint + v->row[i].joint;
        j->impulse = v->row[i].impulse;
        j->sum += j->impulse;
    }
}

CAB_PL_FUNCTION void cab_pl_solver(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    cab_pr h = scene->step / scene->substeps;
    for (int i = 0; i < scene->bodies; i++) {
        global cab_pl_body *b = v->body + i;
        global const cab_pl_motion *m = v->motion + i;
        b->stands = b->corners == 1 && m->inverse_mass == 0 && m->vx == 0 && m->vy == 0;
        b->x0 = m->x;
        b->y0 = m->y;
        b->c0 = b->c;
        b->s0 = b->s;
    }
    for (int i = 0; i < scene->rows; i++) v->joint[v->row[i].joint].sum = 0;
    cab_pl_find_islands(v);
    for (int k = 0; k < scene->substeps; k++) {
        if (k > 0) cab_pl_refresh(v);
        scene->listed = 0;
        cab_pl_substep(v, h);
    }
    cab_pl_bounce(v);
    for (int i = 0; i < scene->rows; i++) {
        global cab_pl_joint *j = v->joint + v->row[i].joint;
        j->tension = j->sum / scene->step;
    }
    scene->old_contacts = scene->contacts + scene->kept_contacts;
}

#endif
