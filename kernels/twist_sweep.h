/* The sweep of sweep.h that ends a substep and begins the next one, with the twist of cables whose ends hold their roll (equations:
 * twist.h). Each lane has one run at most, from the first to the last particle of its cable. */
#ifndef CAB_TWIST_SWEEP_H
#define CAB_TWIST_SWEEP_H

#include "sweep.h"
#include "twist.h"

/* The twist of a tile in a launch. */
typedef struct cab_twist_tile {
    global const real_memory *slots; /* of this lane, or of the first of CAB_VECTOR lanes */
    global const float *roll;        /* of the substep that begins */
    int rolls;                       /* between two substeps */
    float square;                    /* h^2, s^2 */
    int first_end;                   /* the lowest CAB_TWIST_LAST of the lanes */
    cab_twist_turned turned;
    real moment, worst; /* N m; cab_twist_worst() */
} cab_twist_tile;

CAB_INLINE real cab_twist_slot(const cab_twist_tile *t, int slot)
{
    return t->slots[slot * CAB_GROUP_SIZE];
}

CAB_INLINE vec3 cab_twist_slot3(const cab_twist_tile *t, int slot)
{
    return vec3_make(cab_twist_slot(t, slot), cab_twist_slot(t, slot + 1), cab_twist_slot(t, slot + 2));
}

/* By how much the ends are rolled against one another. */
CAB_INLINE real cab_twist_rolled(const cab_twist_tile *t)
{
    cab_numbers hold, roll;
    hold.all = cab_twist_slot(t, CAB_TWIST_HOLD);
    for (int l = 0; l < CAB_VECTOR; l++) {
        int first = (int)hold.one[l];
        roll.one[l] = t->roll[first + 1] - t->roll[first];
    }
    return roll.all;
}

/* What a launch begins with. twist: see direct_twist.cl. A lane whose cable does not resist has no place there. */
CAB_INLINE void cab_twist_take(cab_twist_tile *t, global const float4 *twist)
{
    cab_numbers hold, last, stiff, angle, turns, worst;
    const float4 none = CAB_FLOAT4(0, 0, 0, 0);
    last.all = cab_twist_slot(t, CAB_TWIST_LAST);
    t->first_end = (int)last.one[0];
    for (int l = 1; l < CAB_VECTOR; l++)
        if ((int)last.one[l] < t->first_end) t->first_end = (int)last.one[l];
    hold.all = cab_twist_slot(t, CAB_TWIST_HOLD);
    stiff.all = cab_twist_slot(t, CAB_TWIST_STIFF);
    for (int l = 0; l < CAB_VECTOR; l++) {
        float4 now = stiff.one[l] == 0 ? none : twist[(int)hold.one[l]];
        angle.one[l] = now.x;
        turns.one[l] = now.y;
        worst.one[l] = now.w;
    }
    t->turned.angle = angle.all;
    t->turned.turns = turns.all;
    t->turned.changed = t->moment = real_of(0);
    t->worst = worst.all;
}

/* And what it leaves there. chain: in this lane, or in the first of CAB_VECTOR lanes (cab_tile); those that only fill the tile leave
 * nothing. */
CAB_INLINE void cab_twist_give(const cab_twist_tile *t, global const int *chain, global float4 *twist)
{
    cab_numbers hold, stiff, angle, turns, moment, worst;
    hold.all = cab_twist_slot(t, CAB_TWIST_HOLD);
    stiff.all = cab_twist_slot(t, CAB_TWIST_STIFF);
    angle.all = t->turned.angle;
    turns.all = t->turned.turns;
    moment.all = t->moment;
    worst.all = t->worst;
    for (int l = 0; l < CAB_VECTOR; l++)
        if (chain[l] >= 0 && stiff.one[l] != 0)
            twist[(int)hold.one[l]] = CAB_FLOAT4(angle.one[l], turns.one[l], moment.one[l], worst.one[l]);
}

/* Begins the bending of the next substep and predicts it, as cab_sweep_advance(). first_now: it is of first order */
CAB_INLINE real_mask cab_twist_advance(const cab_sweep *s, int solved, int first_order, int first_now,
                                       int weigh, const cab_sweep_moves *moves)
{
    cab_twist_tile *t = s->twist;
    real most = cab_twist_slot(t, CAB_TWIST_MOST), last_vertex = cab_twist_slot(t, CAB_TWIST_LAST);
    real wanted = cab_twist_moment(t->turned, cab_twist_rolled(t), cab_twist_slot(t, CAB_TWIST_STIFF));
    t->moment = real_clamp(wanted, 0 - most, most);
    real scale = t->moment * (first_now ? -t->square : t->square * (-4.0f / 9));
    real_mask slowed = most != most;
    vec3 before = cab_twist_slot3(t, CAB_TWIST_START), director = cab_twist_slot3(t, CAB_TWIST_START + 3);
    vec3 end = cab_twist_slot3(t, CAB_TWIST_END), carried = director;
    vec3 p_last = vec3_zero(), e_last = p_last, on_last = p_last; /* on: where it moves on to, from p */
    cab_bend bend;
    bend.segment = bend.right = bend.right_next = p_last;
    int move = 0;
    for (int i = 0; i <= s->count; i++) {
        vec3 segment = vec3_zero(), tangent = segment;
        if (i < s->count) {
            cab_motion m = cab_sweep_motion(s, i, solved, first_order);
            if (solved) cab_sweep_motion_put(s, i, &m);
            vec3 on = vec3_add(m.r, m.steps.last);
            vec3 e = cab_sweep_begin(s, i, &m, weigh, moves, &move, &slowed);
            if (i > 0) {
                segment = cab_between(p_last, e_last, m.p, e);
                cab_slot3_put(s, i - 1, CAB_SLOT_SEGMENT, segment);
                tangent = cab_between(p_last, on_last, m.p, on);
                tangent = vec3_scale(tangent, cab_constant(s, i - 1, CAB_CONSTANT_AFTER));
            }
            p_last = m.p;
            e_last = e;
            on_last = on;
        }
        if (i == 0) continue;
        vec3 pull;
        if (i <= t->first_end) {
            pull = cab_twist_carry(&director, before, tangent, scale);
        } else { /* some lane's cable may end here */
            real_mask ends = last_vertex == real_of((float)(i - 1));
            tangent = vec3_select(ends, end, tangent);
            pull = cab_twist_carry(&director, before, tangent, real_select(ends, 0 - scale, scale));
            carried = vec3_select(ends, director, carried);
        }
        cab_sweep_bend_pulled(s, i - 1, segment, cab_sweep_elastic(s, i - 1, segment, &bend), pull, &bend);
        before = tangent;
    }
    cab_slot3_put(s, s->count - 1, CAB_SLOT_BEND, bend.right);
    real angle = cab_twist_angle(carried, cab_twist_slot3(t, CAB_TWIST_END + 3), end);
    t->turned = cab_twist_follow(t->turned, angle);
    t->worst = cab_twist_worst(t->worst, wanted, most, t->turned.changed);
    return slowed;
}

#endif
