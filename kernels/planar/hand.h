/* A hand that pulls a body: a soft spring, implicit, so that no stiffness is too much for a step; critically
 * damped (after the soft constraints of Box2D: E. Catto, 2011).
 */
#ifndef CAB_PLANAR_HAND_H
#define CAB_PLANAR_HAND_H

#include "shape.h"

/* How an impulse of 1 along x, or y, speeds up the point along it. */
CAB_PL_FUNCTION cab_p2 cab_pl_hand_give(global const cab_pl_motion *m, cab_p2 r)
{
    return p2_make(m->inverse_mass + m->inverse_inertia * r.y * r.y,
                   m->inverse_mass + m->inverse_inertia * r.x * r.x);
}

CAB_PL_FUNCTION cab_p2 cab_pl_hand_lever(const cab_pl_view *v)
{
    global const cab_pl_hand *hand = &v->scene->hand;
    return cab_pl_out(v, hand->body, p2_make(hand->px, hand->py));
}

CAB_PL_FUNCTION void cab_pl_hand_push(global cab_pl_motion *m, cab_p2 r, cab_p2 impulse)
{
    m->vx += m->inverse_mass * impulse.x;
    m->vy += m->inverse_mass * impulse.y;
    m->w += m->inverse_inertia * p2_cross(r, impulse);
}

CAB_PL_FUNCTION void cab_pl_warm_hand(const cab_pl_view *v)
{
    global const cab_pl_hand *hand = &v->scene->hand;
    if (hand->body < 0) return;
    cab_pl_hand_push(v->motion + hand->body, cab_pl_hand_lever(v), p2_make(hand->ix, hand->iy));
}

/* The two directions one by one; together no more than the most. */
CAB_PL_FUNCTION void cab_pl_solve_hand(const cab_pl_view *v, cab_pr h)
{
    global cab_pl_hand *hand = &v->scene->hand;
    if (hand->body < 0) return;
    global cab_pl_motion *m = v->motion + hand->body;
    cab_p2 r = cab_pl_hand_lever(v), give = cab_pl_hand_give(m, r), before = p2_make(hand->ix, hand->iy);
    cab_pr stiff = h * hand->rate * (2 + h * hand->rate), pull = hand->rate / (2 + h * hand->rate);
    cab_pr x = m->vx - m->w * r.y + pull * (m->x + r.x - hand->tx);
    cab_pr y = m->vy + m->w * r.x + pull * (m->y + r.y - hand->ty);
    if (give.x > 0) hand->ix -= (stiff * x / give.x + hand->ix) / (1 + stiff);
    if (give.y > 0) hand->iy -= (stiff * y / give.y + hand->iy) / (1 + stiff);
    cab_pr size = CAB_SQRT_DOUBLE(hand->ix * hand->ix + hand->iy * hand->iy), most = hand->most * h;
    if (size > most) {
        hand->ix *= most / size;
        hand->iy *= most / size;
    }
    cab_pl_hand_push(m, r, p2_sub(p2_make(hand->ix, hand->iy), before));
}

#endif
