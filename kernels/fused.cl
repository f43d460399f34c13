/* fused: a work-group per cable, which keeps its particles in local memory and computes whole substeps in one
 * launch. The functions and their order are those of the way coloured, so results have the same bits. For
 * cables that are not joined or loaded and touch nothing. Layout in local memory: CAB_FUSED_ROWS in
 * tile_types.h. */
#include "local.h"
#include "xpbd.h"

/* A cable in local memory: arrays of `size` floats, rows of `stride`. */
typedef struct cab_fused_cable {
    cab_vectors position, offset, velocity, residual, target, bending_lambda;
    local float *w, *decay, *rest, *compliance, *lambda;
    local float *ga, *gc, *bending_compliance, *bending_rest;
    int columns, stride, size;
    int curved; /* 1: some bending is curved at rest */
} cab_fused_cable;

CAB_INLINE cab_fused_cable cab_fused_layout(local float *scratch, int n)
{
    cab_fused_cable s;
    s.columns = CAB_FUSED_COLUMNS(n);
    s.stride = s.columns + 1;
    s.size = CAB_FUSED_ROWS * s.stride;
    s.position = cab_vectors_at(scratch, s.size);
    s.offset = cab_vectors_at(scratch + 3 * s.size, s.size);
    s.velocity = cab_vectors_at(scratch + 6 * s.size, s.size);
    s.residual = cab_vectors_at(scratch + 9 * s.size, s.size);
    s.target = cab_vectors_at(scratch + 12 * s.size, s.size);
    s.bending_lambda = cab_vectors_at(scratch + 15 * s.size, s.size);
    s.w = scratch + 18 * s.size;
    s.decay = scratch + 19 * s.size;
    s.rest = scratch + 20 * s.size;
    s.compliance = scratch + 21 * s.size;
    s.lambda = scratch + 22 * s.size;
    s.ga = scratch + 23 * s.size;
    s.gc = scratch + 24 * s.size;
    s.bending_compliance = scratch + 25 * s.size;
    s.bending_rest = scratch + 26 * s.size;
    return s;
}

CAB_INLINE int cab_fused_index(const cab_fused_cable *s, int particle)
{
    return particle % CAB_FUSED_ROWS * s->stride + particle / CAB_FUSED_ROWS;
}

CAB_INLINE vec3 cab_fused_between(const cab_fused_cable *s, int a, int b)
{
    return cab_between(cab_get(s->position, a), cab_get(s->offset, a), cab_get(s->position, b),
                       cab_get(s->offset, b));
}

CAB_INLINE void cab_fused_move(const cab_fused_cable *s, int i, real k, vec3 d)
{
    cab_put(s->offset, i, vec3_add_scaled(cab_get(s->offset, i), k, d));
}

/* Loads particle k of the buffers. */
CAB_INLINE void cab_fused_load(const cab_fused_cable *s, int k, float4 p, float4 r, float4 v,
                               cab_chain_node node, float4 target)
{
    cab_put(s->position, k, vec3_of(p));
    cab_put(s->residual, k, vec3_of(r));
    cab_put(s->velocity, k, vec3_of(v));
    cab_put(s->target, k, vec3_of(target));
    s->w[k] = p.w;
    s->decay[k] = v.w;
    s->rest[k] = node.rest;
    s->compliance[k] = node.compliance;
    s->ga[k] = node.ga;
    s->gc[k] = node.gc;
    s->bending_compliance[k] = node.bending_compliance;
    s->bending_rest[k] = node.bending_rest;
}

CAB_INLINE void cab_fused_predict(const cab_fused_cable *s, int i, real h, vec3 gravity)
{
    int moves = s->w[i] > 0;
    vec3 r = cab_get(s->residual, i), before = cab_get(s->velocity, i), v = before;
    vec3 e = cab_predict_place(r, &v, h, gravity);
    cab_put(s->velocity, i, vec3_select(moves, v, before));
    cab_put(s->offset, i, vec3_select(moves, e, r));
}

CAB_INLINE void cab_fused_attach(const cab_fused_cable *s, int i, int k, global const float4 *target)
{
    cab_put(s->offset, i, cab_offset_to(vec3_of(target[k]), vec3_of(target[k + 1]), cab_get(s->position, i)));
}

/* Solves the segments from particles a + 0, 1, ... to b + 0, 1, ..., which are indices into the arrays. */
CAB_INLINE void cab_fused_distance(const cab_fused_cable *s, int row_a, int row_b, int first_pass)
{
    CAB_VECTOR_LANES(i, s->columns)
    {
        int a = row_a + i, b = row_b + i;
        int on = s->rest[a] > 0; /* no segment starts at the last particle and in the padding */
        real w_a = on ? s->w[a] : 0, w_b = on ? s->w[b] : 0;
        real lambda = first_pass ? 0 : s->lambda[a];
        vec3 d =
            cab_solve_length(cab_fused_between(s, a, b), w_a, w_b, s->rest[a], s->compliance[a], 0, &lambda);
        s->lambda[a] = lambda;
        cab_fused_move(s, a, -w_a, d);
        cab_fused_move(s, b, w_b, d);
    }
}

/* Bending i of a row. `curved` is the same for all; cables that are straight at rest need no square root. */
CAB_INLINE void cab_fused_bend(const cab_fused_cable *s, int a, int b, int c, int first_pass, int curved)
{
    real ga = s->ga[b], gc = s->gc[b];
    vec3 d = cab_curvature(cab_fused_between(s, b, a), cab_fused_between(s, b, c), ga, gc);
    vec3 target = cab_get(s->target, b);
    if (curved) target = cab_curved_target(d, target, s->bending_rest[b]);
    vec3 lambda = vec3_select(!first_pass, cab_get(s->bending_lambda, b), vec3_zero());
    vec3 move =
        cab_solve_bending(d, target, s->w[a], s->w[b], s->w[c], ga, gc, s->bending_compliance[b], &lambda);
    cab_put(s->bending_lambda, b, lambda);
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

/* Solves all colours once. Rows of distances: 0-1 2-3 4-5, then 1-2 3-4 5-0 of the next column; of bendings:
 * about 0 and 3, 1 and 4, 2 and 5. Column -1 of row 5 is the spare column of row 4, which is empty. */
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
    vec3 p = cab_get(s->position, i), r = cab_get(s->residual, i);
    vec3 displacement = cab_settle(&p, &r, cab_get(s->offset, i));
    cab_put(s->velocity, i, vec3_scale(displacement, inverse_h * s->decay[i]));
    cab_put(s->position, i, p);
    cab_put(s->residual, i, r);
}

CAB_INLINE void cab_fused_store(const cab_fused_cable *s, int k, global float4 *position,
                                global float4 *residual, global float4 *velocity)
{
    vec3 p = cab_get(s->position, k), r = cab_get(s->residual, k), v = cab_get(s->velocity, k);
    *position = CAB_FLOAT4(p.x, p.y, p.z, s->w[k]);
    *residual = CAB_FLOAT4(r.x, r.y, r.z, 0);
    *velocity = CAB_FLOAT4(v.x, v.y, v.z, s->decay[k]);
}

/* argument: the frame's substep that this launch begins with. A launch takes up to params->fused_substeps
 * substeps. moving[particle]: index of its target; -1 = none */
CAB_GROUP_KERNEL(fused, global const cab_params *params, global const cab_chain *chain,
                 global const cab_chain_node *chain_node, global float4 *position, global float4 *residual,
                 global float4 *velocity, global float *distance_lambda, global const float4 *bending_target,
                 global const int *moving, global const float4 *target)
{
    CAB_GROUP(group);
    int first = chain[group].first_particle, n = chain[group].particle_count;
    int moving_count = params->moving_count, begin = argument;
    real h = params->h, inverse_h = params->inverse_h;
    vec3 gravity = vec3_make(params->gx, params->gy, params->gz);
    cab_fused_cable s = cab_fused_layout(scratch, n);
    s.curved = params->curved;
    CAB_LANES(i, CAB_FUSED_ARRAYS * s.size)
    {
        scratch[i] = 0; /* padding behind the cable's end: inverse mass 0, no constraints */
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
    int steps = params->substeps - begin;
    if (steps > params->fused_substeps) steps = params->fused_substeps;
    for (int step = 0; step < steps; step++) {
        CAB_VECTOR_LANES(i, s.size)
        {
            cab_fused_predict(&s, i, h, gravity);
        }
        if (moving_count > 0) {
            CAB_BARRIER_LOCAL();
            CAB_LANES(i, n)
            {
                int m = moving[first + i];
                if (m >= 0) {
                    cab_fused_attach(&s, cab_fused_index(&s, i), 2 * ((begin + step) * moving_count + m),
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
