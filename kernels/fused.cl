/* fused: a work-group per cable, its particles in local memory, whole substeps from predict to finish in one
 * launch. The same functions in the same order as the coloured way, so the same bits. For cables that nothing
 * joins, pushes or touches. How they lie in local memory: CAB_FUSED_ROWS in types.h.
 */
#include "xpbd.h"

/* A cable in local memory: arrays of `size` floats, rows of `stride`. */
typedef struct cab_fused_cable {
    local float *px, *py, *pz, *w, *ex, *ey, *ez, *vx, *vy, *vz, *decay, *rx, *ry, *rz;
    local float *rest, *compliance, *lambda;
    local float *ga, *gc, *bending_compliance, *bending_rest, *tx, *ty, *tz, *lx, *ly, *lz;
    int columns, stride, size;
    int curved; /* some bending is curved at rest */
} cab_fused_cable;

CAB_INLINE cab_fused_cable cab_fused_layout(local float *scratch, int n)
{
    cab_fused_cable s;
    s.columns = CAB_FUSED_COLUMNS(n);
    s.stride = s.columns + 1;
    s.size = CAB_FUSED_ROWS * s.stride;
    s.px = scratch;
    s.py = scratch + s.size;
    s.pz = scratch + 2 * s.size;
    s.w = scratch + 3 * s.size;
    s.ex = scratch + 4 * s.size;
    s.ey = scratch + 5 * s.size;
    s.ez = scratch + 6 * s.size;
    s.vx = scratch + 7 * s.size;
    s.vy = scratch + 8 * s.size;
    s.vz = scratch + 9 * s.size;
    s.decay = scratch + 10 * s.size;
    s.rx = scratch + 11 * s.size;
    s.ry = scratch + 12 * s.size;
    s.rz = scratch + 13 * s.size;
    s.rest = scratch + 14 * s.size;
    s.compliance = scratch + 15 * s.size;
    s.lambda = scratch + 16 * s.size;
    s.ga = scratch + 17 * s.size;
    s.gc = scratch + 18 * s.size;
    s.bending_compliance = scratch + 19 * s.size;
    s.bending_rest = scratch + 20 * s.size;
    s.tx = scratch + 21 * s.size;
    s.ty = scratch + 22 * s.size;
    s.tz = scratch + 23 * s.size;
    s.lx = scratch + 24 * s.size;
    s.ly = scratch + 25 * s.size;
    s.lz = scratch + 26 * s.size;
    return s;
}

CAB_INLINE int cab_fused_index(const cab_fused_cable *s, int particle)
{
    return particle % CAB_FUSED_ROWS * s->stride + particle / CAB_FUSED_ROWS;
}

CAB_INLINE vec3 cab_fused_between(const cab_fused_cable *s, int a, int b)
{
    return vec3_make((s->px[b] - s->px[a]) + (s->ex[b] - s->ex[a]),
                     (s->py[b] - s->py[a]) + (s->ey[b] - s->ey[a]),
                     (s->pz[b] - s->pz[a]) + (s->ez[b] - s->ez[a]));
}

CAB_INLINE void cab_fused_move(const cab_fused_cable *s, int i, real k, vec3 d)
{
    s->ex[i] = s->ex[i] + k * d.x;
    s->ey[i] = s->ey[i] + k * d.y;
    s->ez[i] = s->ez[i] + k * d.z;
}

/* Everything of particle k of the arrays. */
CAB_INLINE void cab_fused_load(const cab_fused_cable *s, int k, float4 p, float4 r, float4 v,
                               cab_chain_node node, float4 target)
{
    s->px[k] = p.x;
    s->py[k] = p.y;
    s->pz[k] = p.z;
    s->w[k] = p.w;
    s->rx[k] = r.x;
    s->ry[k] = r.y;
    s->rz[k] = r.z;
    s->vx[k] = v.x;
    s->vy[k] = v.y;
    s->vz[k] = v.z;
    s->decay[k] = v.w;
    s->rest[k] = node.rest;
    s->compliance[k] = node.compliance;
    s->ga[k] = node.ga;
    s->gc[k] = node.gc;
    s->bending_compliance[k] = node.bending_compliance;
    s->bending_rest[k] = node.bending_rest;
    s->tx[k] = target.x;
    s->ty[k] = target.y;
    s->tz[k] = target.z;
}

CAB_INLINE void cab_fused_predict(const cab_fused_cable *s, int i, real h, real gx, real gy, real gz)
{
    int free_to_move = s->w[i] > 0;
    s->vx[i] = free_to_move ? s->vx[i] + h * gx : s->vx[i];
    s->vy[i] = free_to_move ? s->vy[i] + h * gy : s->vy[i];
    s->vz[i] = free_to_move ? s->vz[i] + h * gz : s->vz[i];
    s->ex[i] = free_to_move ? s->rx[i] + h * s->vx[i] : s->rx[i];
    s->ey[i] = free_to_move ? s->ry[i] + h * s->vy[i] : s->ry[i];
    s->ez[i] = free_to_move ? s->rz[i] + h * s->vz[i] : s->rz[i];
}

CAB_INLINE void cab_fused_attach(const cab_fused_cable *s, int i, int k, global const float4 *target)
{
    s->ex[i] = (target[k].x - s->px[i]) + target[k + 1].x;
    s->ey[i] = (target[k].y - s->py[i]) + target[k + 1].y;
    s->ez[i] = (target[k].z - s->pz[i]) + target[k + 1].z;
}

/* The segments from particles a + 0, 1, ... to b + 0, 1, ...; a + i and b + i are places in the arrays. */
CAB_INLINE void cab_fused_distance(const cab_fused_cable *s, int row_a, int row_b, int first_pass)
{
    CAB_VECTOR_LANES(i, s->columns)
    {
        int a = row_a + i, b = row_b + i;
        int on = s->rest[a] > 0; /* the last particle and the padding start no segment */
        real w_a = on ? s->w[a] : 0, w_b = on ? s->w[b] : 0;
        real lambda = first_pass ? 0 : s->lambda[a];
        vec3 d =
            cab_solve_distance(cab_fused_between(s, a, b), w_a, w_b, s->rest[a], s->compliance[a], &lambda);
        s->lambda[a] = lambda;
        cab_fused_move(s, a, -w_a, d);
        cab_fused_move(s, b, w_b, d);
    }
}

/* Bending i of a row; `curved` is the same for all, so that cables that are straight at rest skip a square
 * root. */
CAB_INLINE void cab_fused_bend(const cab_fused_cable *s, int a, int b, int c, int first_pass, int curved)
{
    real ga = s->ga[b], gc = s->gc[b];
    vec3 to_a = cab_fused_between(s, b, a);
    vec3 to_c = cab_fused_between(s, b, c);
    vec3 d = vec3_add_scaled(vec3_scale(to_a, ga), gc, to_c);
    vec3 target = vec3_make(s->tx[b], s->ty[b], s->tz[b]);
    if (curved) target = cab_curved_target(d, target, s->bending_rest[b]);
    vec3 lambda = vec3_make(first_pass ? 0 : s->lx[b], first_pass ? 0 : s->ly[b], first_pass ? 0 : s->lz[b]);
    vec3 move =
        cab_solve_bending(d, target, s->w[a], s->w[b], s->w[c], ga, gc, s->bending_compliance[b], &lambda);
    s->lx[b] = lambda.x;
    s->ly[b] = lambda.y;
    s->lz[b] = lambda.z;
    cab_fused_move(s, a, s->w[a] * ga, move);
    cab_fused_move(s, b, -s->w[b] * (ga + gc), move);
    cab_fused_move(s, c, s->w[c] * gc, move);
}

CAB_INLINE void cab_fused_bending(const cab_fused_cable *s, int row_a, int row_b, int row_c, int first_pass)
{
    if (s->curved) {
        CAB_VECTOR_LANES(i, s->columns)
        {
            cab_fused_bend(s, row_a + i, row_b + i, row_c + i, first_pass, 1);
        }
    } else {
        CAB_VECTOR_LANES(i, s->columns)
        {
            cab_fused_bend(s, row_a + i, row_b + i, row_c + i, first_pass, 0);
        }
    }
}

/* All colours once. Rows: distances 0-1 2-3 4-5, then 1-2 3-4 5-0 of the next column; bendings about rows 0
 * and 3, 1 and 4, 2 and 5. Column -1 of row 5 is the spare column of row 4, which holds nothing. */
CAB_INLINE void cab_fused_iterate(const cab_fused_cable *s, int first_pass)
{
    int row = s->stride;
    cab_fused_distance(s, 0, row, first_pass);
    cab_fused_distance(s, 2 * row, 3 * row, first_pass);
    cab_fused_distance(s, 4 * row, 5 * row, first_pass);
    CAB_BARRIER_LOCAL();
    cab_fused_distance(s, row, 2 * row, first_pass);
    cab_fused_distance(s, 3 * row, 4 * row, first_pass);
    cab_fused_distance(s, 5 * row, 1, first_pass);
    CAB_BARRIER_LOCAL();
    cab_fused_bending(s, 5 * row - 1, 0, row, first_pass);
    cab_fused_bending(s, 2 * row, 3 * row, 4 * row, first_pass);
    CAB_BARRIER_LOCAL();
    cab_fused_bending(s, 0, row, 2 * row, first_pass);
    cab_fused_bending(s, 3 * row, 4 * row, 5 * row, first_pass);
    CAB_BARRIER_LOCAL();
    cab_fused_bending(s, row, 2 * row, 3 * row, first_pass);
    cab_fused_bending(s, 4 * row, 5 * row, 1, first_pass);
    CAB_BARRIER_LOCAL();
}

CAB_INLINE void cab_fused_finish(const cab_fused_cable *s, int i, real inverse_h)
{
    real scale = inverse_h * s->decay[i], r;
    s->vx[i] = (s->ex[i] - s->rx[i]) * scale;
    s->vy[i] = (s->ey[i] - s->ry[i]) * scale;
    s->vz[i] = (s->ez[i] - s->rz[i]) * scale;
    s->px[i] = cab_two_sum(s->px[i], s->ex[i], &r);
    s->rx[i] = r;
    s->py[i] = cab_two_sum(s->py[i], s->ey[i], &r);
    s->ry[i] = r;
    s->pz[i] = cab_two_sum(s->pz[i], s->ez[i], &r);
    s->rz[i] = r;
}

CAB_INLINE void cab_fused_store(const cab_fused_cable *s, int k, global float4 *position,
                                global float4 *residual, global float4 *velocity)
{
    *position = CAB_FLOAT4(s->px[k], s->py[k], s->pz[k], s->w[k]);
    *residual = CAB_FLOAT4(s->rx[k], s->ry[k], s->rz[k], 0);
    *velocity = CAB_FLOAT4(s->vx[k], s->vy[k], s->vz[k], s->decay[k]);
}

/* argument: the frame's substep that this launch begins with; it does at most params->fused_substeps of them.
 * moving[particle]: index of its target, -1 = none */
CAB_GROUP_KERNEL(fused, global const cab_params *params, global const cab_chain *chain,
                 global const cab_chain_node *chain_node, global float4 *position, global float4 *residual,
                 global float4 *velocity, global float *distance_lambda, global const float4 *bending_target,
                 global const int *moving, global const float4 *target)
{
    CAB_GROUP(group);
    int first = chain[group].first_particle, n = chain[group].particle_count;
    int moving_count = params->moving_count;
    real h = params->h, gx = params->gx, gy = params->gy, gz = params->gz, inverse_h = params->inverse_h;
    cab_fused_cable s = cab_fused_layout(scratch, n);
    s.curved = params->curved;
    CAB_LANES(i, CAB_FUSED_ARRAYS * s.size)
    {
        scratch[i] = 0; /* the padding behind the cable's end: inverse mass 0, no constraint */
    }
    CAB_BARRIER_LOCAL();
    CAB_LANES(i, n)
    {
        cab_chain_node node = chain_node[first + i];
        float4 t = node.target < 0 ? CAB_FLOAT4(0, 0, 0, 0) : bending_target[node.target];
        cab_fused_load(&s, cab_fused_index(&s, i), position[first + i], residual[first + i],
                       velocity[first + i], node, t);
    }
    CAB_BARRIER_LOCAL();
    int steps = params->substeps - argument;
    if (steps > params->fused_substeps) steps = params->fused_substeps;
    for (int step = 0; step < steps; step++) {
        CAB_VECTOR_LANES(i, s.size)
        {
            cab_fused_predict(&s, i, h, gx, gy, gz);
        }
        if (moving_count > 0) {
            CAB_BARRIER_LOCAL();
            CAB_LANES(i, n)
            {
                int m = moving[first + i];
                if (m >= 0) {
                    cab_fused_attach(&s, cab_fused_index(&s, i), 2 * ((argument + step) * moving_count + m),
                                     target);
                }
            }
        }
        CAB_BARRIER_LOCAL();
        for (int i = 0; i < params->iterations; i++) cab_fused_iterate(&s, i == 0);
        CAB_VECTOR_LANES(i, s.size)
        {
            cab_fused_finish(&s, i, inverse_h);
        }
        CAB_BARRIER_LOCAL();
    }
    CAB_LANES(i, n)
    {
        int k = cab_fused_index(&s, i), d = chain_node[first + i].distance;
        cab_fused_store(&s, k, position + first + i, residual + first + i, velocity + first + i);
        if (d >= 0) distance_lambda[d] = s.lambda[k];
    }
}
