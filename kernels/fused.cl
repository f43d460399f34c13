/* fused: a work-group per cable, its particles in local memory, whole substeps from predict to finish in one launch.
 * The same functions in the same order as the coloured way, so the same bits.
 *
 * For cables that nothing joins, pushes or touches: their constraints have at most CAB_CHAIN_COLOURS colours, a cable's
 * constraints of one colour are contiguous.
 */
#include "xpbd.h"

#define CAB_FUSED_FLOATS 14 /* of scratch per particle */

/* A cable's particles in local memory. */
typedef struct cab_fused_state {
    local float *px, *py, *pz, *w;
    local float *ex, *ey, *ez;
    local float *vx, *vy, *vz, *decay;
    local float *rx, *ry, *rz;
    int first, count;
} cab_fused_state;

CAB_INLINE cab_fused_state cab_fused_layout(local float *scratch, int first, int n)
{
    cab_fused_state s;
    s.first = first;
    s.count = n;
    s.px = scratch;
    s.py = scratch + n;
    s.pz = scratch + 2 * n;
    s.w = scratch + 3 * n;
    s.ex = scratch + 4 * n;
    s.ey = scratch + 5 * n;
    s.ez = scratch + 6 * n;
    s.vx = scratch + 7 * n;
    s.vy = scratch + 8 * n;
    s.vz = scratch + 9 * n;
    s.decay = scratch + 10 * n;
    s.rx = scratch + 11 * n;
    s.ry = scratch + 12 * n;
    s.rz = scratch + 13 * n;
    return s;
}

CAB_INLINE vec3 cab_fused_between(const cab_fused_state *s, int a, int b)
{
    return vec3_make((s->px[b] - s->px[a]) + (s->ex[b] - s->ex[a]), (s->py[b] - s->py[a]) + (s->ey[b] - s->ey[a]),
                     (s->pz[b] - s->pz[a]) + (s->ez[b] - s->ez[a]));
}

CAB_INLINE void cab_fused_move(const cab_fused_state *s, int i, real k, vec3 d)
{
    s->ex[i] = s->ex[i] + k * d.x;
    s->ey[i] = s->ey[i] + k * d.y;
    s->ez[i] = s->ez[i] + k * d.z;
}

CAB_INLINE void cab_fused_predict(const cab_fused_state *s, int i, real h, real gx, real gy, real gz)
{
    s->ex[i] = s->rx[i];
    s->ey[i] = s->ry[i];
    s->ez[i] = s->rz[i];
    if (s->w[i] > 0) {
        s->vx[i] = s->vx[i] * s->decay[i] + h * gx;
        s->vy[i] = s->vy[i] * s->decay[i] + h * gy;
        s->vz[i] = s->vz[i] * s->decay[i] + h * gz;
        s->ex[i] = s->rx[i] + h * s->vx[i];
        s->ey[i] = s->ry[i] + h * s->vy[i];
        s->ez[i] = s->rz[i] + h * s->vz[i];
    }
}

CAB_INLINE void cab_fused_attach(const cab_fused_state *s, int i, int k, global const float4 *target)
{
    s->ex[i] = (target[k].x - s->px[i]) + target[k + 1].x;
    s->ey[i] = (target[k].y - s->py[i]) + target[k + 1].y;
    s->ez[i] = (target[k].z - s->pz[i]) + target[k + 1].z;
}

CAB_INLINE void cab_fused_distance(const cab_fused_state *s, cab_distance_constraint c, int first_pass,
                                   global float *distance_lambda)
{
    int a = c.a - s->first, b = c.b - s->first;
    real w_a = s->w[a], w_b = s->w[b];
    real lambda = first_pass ? 0 : *distance_lambda;
    vec3 d = cab_solve_distance(cab_fused_between(s, a, b), w_a, w_b, c.rest, c.compliance, &lambda);
    *distance_lambda = lambda;
    cab_fused_move(s, a, -w_a, d);
    cab_fused_move(s, b, w_b, d);
}

CAB_INLINE void cab_fused_bending(const cab_fused_state *s, cab_bending_constraint c, int first_pass,
                                  global float4 *bending_lambda, global const float4 *bending_target)
{
    int b = c.b - s->first;
    int a = c.a < 0 ? b : c.a - s->first;
    int e = c.c < 0 ? b : c.c - s->first;
    vec3 to_a = cab_fused_between(s, b, a);
    vec3 to_c = cab_fused_between(s, b, e);
    vec3 d = vec3_add_scaled(vec3_scale(to_a, c.ga), c.gc, to_c);
    vec3 target = c.target < 0 ? vec3_make(0, 0, 0) : vec3_of(bending_target[c.target]);
    vec3 lambda = first_pass ? vec3_make(0, 0, 0) : vec3_of(*bending_lambda);
    real w_a = s->w[a], w_b = s->w[b], w_c = s->w[e];
    vec3 move = cab_solve_bending(d, target, w_a, w_b, w_c, c.ga, c.gc, c.rest, c.compliance, &lambda);
    *bending_lambda = CAB_FLOAT4(lambda.x, lambda.y, lambda.z, 0);
    if (c.a >= 0) cab_fused_move(s, a, w_a * c.ga, move);
    cab_fused_move(s, b, -w_b * (c.ga + c.gc), move);
    if (c.c >= 0) cab_fused_move(s, e, w_c * c.gc, move);
}

CAB_INLINE void cab_fused_finish(const cab_fused_state *s, int i, real inverse_h)
{
    s->vx[i] = (s->ex[i] - s->rx[i]) * inverse_h;
    s->vy[i] = (s->ey[i] - s->ry[i]) * inverse_h;
    s->vz[i] = (s->ez[i] - s->rz[i]) * inverse_h;
    real r;
    s->px[i] = cab_two_sum(s->px[i], s->ex[i], &r);
    s->rx[i] = r;
    s->py[i] = cab_two_sum(s->py[i], s->ey[i], &r);
    s->ry[i] = r;
    s->pz[i] = cab_two_sum(s->pz[i], s->ez[i], &r);
    s->rz[i] = r;
}

CAB_INLINE void cab_fused_load(const cab_fused_state *s, int i, float4 p, float4 r, float4 v)
{
    s->px[i] = p.x;
    s->py[i] = p.y;
    s->pz[i] = p.z;
    s->w[i] = p.w;
    s->rx[i] = r.x;
    s->ry[i] = r.y;
    s->rz[i] = r.z;
    s->vx[i] = v.x;
    s->vy[i] = v.y;
    s->vz[i] = v.z;
    s->decay[i] = v.w;
}

/* argument: the frame's substep that this launch begins with; params->fused_substeps of them are done.
 * moving[particle]: index of its target, -1 = none */
CAB_GROUP_KERNEL(fused, global const cab_params *params, global const cab_chain *chain, global float4 *position,
                 global float4 *residual, global float4 *velocity, global float *distance_lambda,
                 global float4 *bending_lambda, global const cab_distance_constraint *distance,
                 global const cab_bending_constraint *bending, global const float4 *bending_target, global const int *moving,
                 global const float4 *target)
{
    CAB_GROUP(group);
    global const cab_chain *c = chain + group;
    int n = c->particle_count, first = c->first_particle, moving_count = params->moving_count;
    real h = params->h, gx = params->gx, gy = params->gy, gz = params->gz, inverse_h = params->inverse_h;
    cab_fused_state s = cab_fused_layout(scratch, first, n);
    CAB_LANES(i, n)
    {
        cab_fused_load(&s, i, position[first + i], residual[first + i], velocity[first + i]);
    }
    CAB_BARRIER_LOCAL();
    for (int step = 0; step < params->fused_substeps; step++) {
        CAB_LANES(i, n)
        {
            cab_fused_predict(&s, i, h, gx, gy, gz);
            if (moving_count > 0 && moving[first + i] >= 0) {
                cab_fused_attach(&s, i, 2 * ((argument + step) * moving_count + moving[first + i]), target);
            }
        }
        CAB_BARRIER_LOCAL();
        for (int iteration = 0; iteration < params->iterations; iteration++) {
            for (int k = 0; k < CAB_CHAIN_COLOURS; k++) {
                int begin = c->first_distance[k], count = c->distance_count[k];
                CAB_LANES(j, count)
                {
                    cab_fused_distance(&s, distance[begin + j], iteration == 0, distance_lambda + begin + j);
                }
                CAB_BARRIER_LOCAL();
            }
            for (int k = 0; k < CAB_CHAIN_COLOURS; k++) {
                int begin = c->first_bending[k], count = c->bending_count[k];
                CAB_LANES(j, count)
                {
                    cab_fused_bending(&s, bending[begin + j], iteration == 0, bending_lambda + begin + j,
                                      bending_target);
                }
                CAB_BARRIER_LOCAL();
            }
        }
        CAB_LANES(i, n)
        {
            cab_fused_finish(&s, i, inverse_h);
        }
        CAB_BARRIER_LOCAL();
    }
    CAB_LANES(i, n)
    {
        position[first + i] = CAB_FLOAT4(s.px[i], s.py[i], s.pz[i], s.w[i]);
        residual[first + i] = CAB_FLOAT4(s.rx[i], s.ry[i], s.rz[i], 0);
        velocity[first + i] = CAB_FLOAT4(s.vx[i], s.vy[i], s.vz[i], s.decay[i]);
    }
}
