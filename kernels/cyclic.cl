/* cyclic: a work-group per cable, its particles in local memory, whole substeps of the direct method in one
 * launch. For GPUs that the cables alone do not fill: the work-items of a group share a cable, and its two
 * systems of equations are solved by cyclic reduction. In step k rows take their neighbours 2^k rows off out
 * of themselves.
 *
 *   bending  all rows in all steps, until nothing is left but the diagonal; rows are pairs of particles. The
 *            matrix is constant: what a step takes of the neighbours is worked out on the host
 *            (host/model/cyclic.c)
 *   lengths  every second row that is left, then back; a new matrix in each substep, rows divided by their
 *            diagonal
 *
 * Same substep as kernels/direct.h, which says what it computes; only rounding differs. For cables that
 * nothing joins or touches.
 */
#include "direct.h"
#include "local.h"

/* Rows of the lengths: before x_i-1 + x_i + after x_i+1 = right. */
typedef struct cab_cyclic_rows {
    local float *before, *after, *right;
} cab_cyclic_rows;

/* A cable. */
typedef struct cab_cyclic_cable {
    cab_vectors position, residual; /* what rounding left out of position */
    cab_vectors last, older;        /* the way of the last substep, and of the one before it */
    cab_vectors offset;             /* place within the substep; between launches the last way but two */
    cab_vectors segment;            /* to the next particle */
    local float *work;              /* two vectors of each particle, or rows of the lengths */
    local float *inverse;           /* 1 / length of the segment */
    local float *lambda;            /* its multiplier */
    local float *weight, *slow;     /* inverse mass as the lengths see it, over what it is */
    local float *flag;              /* [work-items] */
    int count, padded;              /* particles; rounded up to pairs */
    int turned;                     /* 1: some bending has a target */
    global const float *constants;  /* [CAB_CONSTANTS][count] of the present order of time integration */
    global const float4 *bending;   /* [steps + 1][padded] of it */
    int steps;                      /* of the bending's reduction; -1 = no bending */
} cab_cyclic_cable;

/* The first or the second vectors in `work`; the rows lie where the first are. */
CAB_INLINE cab_vectors cab_cyclic_work(const cab_cyclic_cable *s, int which)
{
    return cab_vectors_at(s->work + 3 * s->padded * which, s->padded);
}

CAB_INLINE cab_cyclic_rows cab_cyclic_rows_in(const cab_cyclic_cable *s)
{
    cab_vectors p = cab_cyclic_work(s, 0);
    cab_cyclic_rows r;
    r.before = p.x;
    r.after = p.y;
    r.right = p.z;
    return r;
}

CAB_INLINE cab_cyclic_cable cab_cyclic_layout(local float *memory, int count)
{
    cab_cyclic_cable s;
    int size = CAB_CYCLIC_PADDED(count);
    s.count = count;
    s.padded = size;
    s.position = cab_vectors_at(memory, size);
    s.residual = cab_vectors_at(memory + 3 * size, size);
    s.last = cab_vectors_at(memory + 6 * size, size);
    s.older = cab_vectors_at(memory + 9 * size, size);
    s.offset = cab_vectors_at(memory + 12 * size, size);
    s.segment = cab_vectors_at(memory + 15 * size, size);
    s.work = memory + 18 * size;
    s.inverse = memory + 24 * size;
    s.lambda = memory + 25 * size;
    s.weight = memory + 26 * size;
    s.slow = memory + 27 * size;
    s.flag = memory + CAB_CYCLIC_ARRAYS * size;
    return s;
}

CAB_INLINE real cab_cyclic_constant(const cab_cyclic_cable *s, int i, int which)
{
    return s->constants[which * s->count + i];
}

CAB_INLINE vec3 cab_cyclic_constant3(const cab_cyclic_cable *s, int i, int which)
{
    return vec3_make(cab_cyclic_constant(s, i, which), cab_cyclic_constant(s, i, which + 1),
                     cab_cyclic_constant(s, i, which + 2));
}

/* Tells all work-items whether any of them has seen something; `seen` is this one's. */
CAB_INLINE int cab_cyclic_any(const cab_cyclic_cable *s, int seen)
{
    int any = 0;
    s->flag[CAB_LANE] = (float)seen;
    CAB_BARRIER_LOCAL();
    for (int i = 0; i < CAB_GROUP_SIZE; i++) any = any | (s->flag[i] > 0);
    CAB_BARRIER_LOCAL();
    return any;
}

/* ---- bending ---- */

/* The sum of row i's coefficients times a pair of neighbours. */
CAB_INLINE vec3 cab_cyclic_pair(cab_vectors from, int pair, real first, real second)
{
    return vec3_add_scaled(vec3_scale(cab_get(from, 2 * pair), first), second, cab_get(from, 2 * pair + 1));
}

/* Right side of the bending: what it pushes the particles with, times h_s^2; into the first work. */
CAB_INLINE void cab_cyclic_push(const cab_cyclic_cable *s)
{
    cab_vectors to = cab_cyclic_work(s, 0), moment = cab_cyclic_work(s, 1);
    CAB_LANES(i, s->count)
    {
        vec3 f = vec3_zero();
        if (i < s->count - 1)
            f = vec3_scale(cab_get(s->segment, i), cab_cyclic_constant(s, i, CAB_CONSTANT_STIFF_AFTER));
        if (i > 0)
            f = vec3_add_scaled(f, -cab_cyclic_constant(s, i, CAB_CONSTANT_STIFF_BEFORE),
                                cab_get(s->segment, i - 1));
        if (s->turned) f = vec3_sub(f, cab_cyclic_constant3(s, i, CAB_CONSTANT_TARGET));
        cab_put(moment, i, f);
    }
    CAB_BARRIER_LOCAL();
    CAB_LANES(i, s->padded)
    {
        vec3 right = vec3_zero();
        if (i > 0 && i < s->count)
            right = vec3_scale(cab_get(moment, i - 1), -cab_cyclic_constant(s, i - 1, CAB_CONSTANT_AFTER));
        if (i < s->count) {
            real g = cab_cyclic_constant(s, i, CAB_CONSTANT_BEFORE) +
                     cab_cyclic_constant(s, i, CAB_CONSTANT_AFTER);
            right = vec3_add_scaled(right, g, cab_get(moment, i));
        }
        if (i < s->count - 1)
            right = vec3_add_scaled(right, -cab_cyclic_constant(s, i + 1, CAB_CONSTANT_BEFORE),
                                    cab_get(moment, i + 1));
        cab_put(to, i, right);
    }
    CAB_BARRIER_LOCAL();
}

/* Implicit bending: what it moves, into the returned work. Coefficients of pairs past the ends are 0. */
CAB_INLINE int cab_cyclic_bend(const cab_cyclic_cable *s)
{
    int now = 0, pairs = s->padded / 2;
    cab_cyclic_push(s);
    for (int step = 0; step < s->steps; step++) {
        int apart = 1 << step;
        cab_vectors from = cab_cyclic_work(s, now), to = cab_cyclic_work(s, 1 - now);
        CAB_LANES(i, s->padded)
        {
            int pair = i / 2, before = pair < apart ? pair : pair - apart;
            int after = pair + apart < pairs ? pair + apart : pair;
            float4 c = s->bending[step * s->padded + i];
            vec3 d = vec3_add(cab_get(from, i), vec3_add(cab_cyclic_pair(from, before, c.x, c.y),
                                                         cab_cyclic_pair(from, after, c.z, c.w)));
            cab_put(to, i, d);
        }
        CAB_BARRIER_LOCAL();
        now = 1 - now;
    }
    cab_vectors right = cab_cyclic_work(s, now), move = cab_cyclic_work(s, 1 - now);
    CAB_LANES(i, s->padded)
    {
        float4 c = s->bending[s->steps * s->padded + i];
        cab_put(move, i, cab_cyclic_pair(right, i / 2, c.x, c.y));
    }
    CAB_BARRIER_LOCAL();
    return 1 - now;
}

/* Adds what bending moves to offsets and segments; only their own work-items may look at them next. */
CAB_INLINE void cab_cyclic_bend_all(const cab_cyclic_cable *s)
{
    cab_vectors move = cab_cyclic_work(s, cab_cyclic_bend(s));
    CAB_LANES(i, s->count)
    {
        vec3 here = cab_get(move, i);
        cab_put(s->offset, i, vec3_add(cab_get(s->offset, i), here));
        if (i < s->count - 1)
            cab_put(s->segment, i, vec3_add(cab_get(s->segment, i), vec3_sub(cab_get(move, i + 1), here)));
    }
}

/* ---- lengths ---- */

/* What segments i and i + 1 have in common: the particle between them pulls at both. */
CAB_INLINE real cab_cyclic_coupling(const cab_cyclic_cable *s, int i)
{
    real cosine =
        vec3_dot(cab_get(s->segment, i), cab_get(s->segment, i + 1)) * (s->inverse[i] * s->inverse[i + 1]);
    return -s->weight[i + 1] * cosine;
}

/* J M^-1 J^T lambda = -C, into the rows. `again`: the multiplier goes on from what it is. */
CAB_INLINE void cab_cyclic_make_rows(const cab_cyclic_cable *s, int again)
{
    int n = s->count - 1;
    cab_cyclic_rows rows = cab_cyclic_rows_in(s);
    CAB_LANES(i, n)
    {
        vec3 r = cab_get(s->segment, i);
        s->inverse[i] = cab_inverse_length(vec3_length(r));
    }
    CAB_BARRIER_LOCAL();
    CAB_LANES(i, n)
    {
        real c = cab_cyclic_constant(s, i, CAB_CONSTANT_REST) - vec3_length(cab_get(s->segment, i));
        if (again) c = c - cab_cyclic_constant(s, i, CAB_CONSTANT_COMPLIANCE) * s->lambda[i];
        real scale = 1 / (s->weight[i] + s->weight[i + 1] + cab_cyclic_constant(s, i, CAB_CONSTANT_DIAGONAL));
        rows.before[i] = i > 0 ? cab_cyclic_coupling(s, i - 1) * scale : 0;
        rows.after[i] = i < n - 1 ? cab_cyclic_coupling(s, i) * scale : 0;
        rows.right[i] = c * scale;
    }
    CAB_BARRIER_LOCAL();
}

/* Solves them in place, right sides become multipliers. Every second row takes its neighbours out of itself,
 * of these every second one again, until one is left; then back. Not all rows in all steps, as the bending
 * does it: their solutions would differ by rounding times the condition from one row to the next, and lengths
 * are what they differ by. */
CAB_INLINE void cab_cyclic_reduce(const cab_cyclic_cable *s)
{
    cab_cyclic_rows rows = cab_cyclic_rows_in(s);
    int apart = 1, n = s->count - 1;
    for (; 2 * apart <= n; apart *= 2) {
        CAB_LANES(k, n / (2 * apart))
        {
            int i = 2 * apart * (k + 1) - 1, a = i - apart, c = i + apart < n ? i + apart : i;
            real before = rows.before[i], after = rows.after[i]; /* 0 where there is no row c */
            real scale = 1 / (1 - (before * rows.after[a] + after * rows.before[c]));
            rows.right[i] = scale * (rows.right[i] - (before * rows.right[a] + after * rows.right[c]));
            rows.before[i] = -scale * (before * rows.before[a]);
            rows.after[i] = -scale * (after * rows.after[c]);
        }
        CAB_BARRIER_LOCAL();
    }
    for (apart = apart / 2; apart > 0; apart /= 2) {
        CAB_LANES(k, (n + apart) / (2 * apart))
        {
            int i = 2 * apart * k + apart - 1, a = i < apart ? i : i - apart;
            int c = i + apart < n ? i + apart : i;
            rows.right[i] = rows.right[i] - (rows.before[i] * rows.right[a] + rows.after[i] * rows.right[c]);
        }
        CAB_BARRIER_LOCAL();
    }
}

/* Moves the particles by what the multipliers, `more` of them, pull. */
CAB_INLINE void cab_cyclic_pull(const cab_cyclic_cable *s, local const float *more, int again)
{
    CAB_LANES(i, s->count)
    {
        vec3 push = vec3_zero();
        if (i > 0) push = vec3_scale(cab_get(s->segment, i - 1), more[i - 1] * s->inverse[i - 1]);
        if (i < s->count - 1) {
            push = vec3_add_scaled(push, -(more[i] * s->inverse[i]), cab_get(s->segment, i));
            s->lambda[i] = again ? s->lambda[i] + more[i] : more[i];
        }
        cab_put(s->offset, i, vec3_add_scaled(cab_get(s->offset, i), s->weight[i], push));
    }
    CAB_BARRIER_LOCAL();
}

/* The segments as the particles are now. */
CAB_INLINE void cab_cyclic_measure(const cab_cyclic_cable *s)
{
    CAB_LANES(i, s->count - 1)
    {
        vec3 r = cab_between(cab_get(s->position, i), cab_get(s->offset, i), cab_get(s->position, i + 1),
                             cab_get(s->offset, i + 1));
        cab_put(s->segment, i, r);
    }
    CAB_BARRIER_LOCAL();
}

/* Is some segment's length off? */
CAB_INLINE int cab_cyclic_is_off(const cab_cyclic_cable *s)
{
    int off = 0;
    CAB_LANES(i, s->count - 1)
    {
        real length = cab_cyclic_constant(s, i, CAB_CONSTANT_REST) -
                      cab_cyclic_constant(s, i, CAB_CONSTANT_COMPLIANCE) * s->lambda[i];
        off = off | cab_length_is_off(cab_get(s->segment, i), length);
    }
    return cab_cyclic_any(s, off);
}

CAB_INLINE int cab_cyclic_newton(const cab_cyclic_cable *s, int again)
{
    cab_cyclic_make_rows(s, again);
    cab_cyclic_reduce(s);
    cab_cyclic_pull(s, cab_cyclic_rows_in(s).right, again);
    cab_cyclic_measure(s);
    return cab_cyclic_is_off(s);
}

/* Inverse masses as the lengths see them. Returns 1 where some are less than they are. */
CAB_INLINE int cab_cyclic_weigh(const cab_cyclic_cable *s)
{
    int slowed = 0;
    CAB_LANES(i, s->count)
    {
        s->weight[i] = cab_cyclic_constant(s, i, CAB_CONSTANT_WEIGHT) * s->slow[i];
        slowed = slowed | (s->slow[i] < 1);
    }
    return cab_cyclic_any(s, slowed);
}

/* How slow particles must be in the next substep (CAB_REGULARISATION). */
CAB_INLINE void cab_cyclic_slow(const cab_cyclic_cable *s, int off)
{
    CAB_LANES(i, s->count)
    {
        real pull = 0;
        if (i > 0) pull = cab_pull_of(s->lambda[i - 1], s->inverse[i - 1]);
        if (i < s->count - 1) pull = pull + cab_pull_of(s->lambda[i], s->inverse[i]);
        s->slow[i] = off ? cab_slow_of(cab_cyclic_constant(s, i, CAB_CONSTANT_WEIGHT), pull) : 1;
    }
}

/* Exact lengths: a Newton pass, and further ones where they are off or were so in the last substep. */
CAB_INLINE int cab_cyclic_project(const cab_cyclic_cable *s, int slowed)
{
    int off = cab_cyclic_newton(s, 0) | slowed;
    if (!off) return 0;
    for (int pass = 2; pass <= CAB_NEWTON_PASSES && off; pass++) off = cab_cyclic_newton(s, 1);
    cab_cyclic_slow(s, off);
    return cab_cyclic_weigh(s);
}

/* ---- time ---- */

/* Takes the substep that has been solved into position and steps. */
CAB_INLINE void cab_cyclic_finish(const cab_cyclic_cable *s, int first_order)
{
    CAB_LANES(i, s->count)
    {
        vec3 p = cab_get(s->position, i), r = cab_get(s->residual, i);
        cab_steps d = {cab_get(s->last, i), cab_get(s->older, i), vec3_zero()};
        cab_steps_take(&d, cab_settle(&p, &r, cab_get(s->offset, i)), first_order);
        cab_put(s->position, i, p);
        cab_put(s->residual, i, r);
        cab_put(s->last, i, d.last);
        cab_put(s->older, i, d.before);
        cab_put(s->offset, i, d.first);
    }
}

/* Each work-item goes on with the particles that it has finished. target: of this substep. */
CAB_INLINE void cab_cyclic_predict(const cab_cyclic_cable *s, int moving_count, global const int *moving,
                                   global const float4 *target)
{
    CAB_LANES(i, s->count)
    {
        cab_steps d = {cab_get(s->last, i), cab_get(s->older, i), cab_get(s->offset, i)};
        vec3 from = vec3_add(cab_get(s->residual, i), cab_cyclic_constant3(s, i, CAB_CONSTANT_FALL));
        vec3 e = cab_steps_on(&d, from, cab_cyclic_constant(s, i, CAB_CONSTANT_STEP),
                              cab_cyclic_constant(s, i, CAB_CONSTANT_STEP + 1),
                              cab_cyclic_constant(s, i, CAB_CONSTANT_STEP + 2));
        int m = moving_count > 0 ? moving[i] : -1;
        if (m >= 0)
            e = cab_offset_to(vec3_of(target[2 * m]), vec3_of(target[2 * m + 1]), cab_get(s->position, i));
        cab_put(s->offset, i, e);
    }
    CAB_BARRIER_LOCAL();
}

/* ---- a launch ---- */

/* Where a cable's state lies between launches; from its first particle on. */
typedef struct cab_cyclic_state {
    global float4 *position, *residual, *velocity; /* w: inverse mass, nothing, damping */
    global float4 *step; /* [3][particles] the last substep's way, and those before it, m */
    global float *slow;
    int particles; /* of all cables */
} cab_cyclic_state;

CAB_INLINE void cab_cyclic_load(const cab_cyclic_cable *s, cab_cyclic_state state, int first_order, float h)
{
    CAB_LANES(i, s->count)
    {
        vec3 last = vec3_of(state.step[i]);
        if (first_order) last = vec3_scale(vec3_of(state.velocity[i]), h);
        cab_put(s->position, i, vec3_of(state.position[i]));
        cab_put(s->residual, i, vec3_of(state.residual[i]));
        cab_put(s->last, i, last);
        cab_put(s->older, i, vec3_of(state.step[i + state.particles]));
        cab_put(s->offset, i, vec3_of(state.step[i + 2 * state.particles]));
        s->slow[i] = state.slow[i];
    }
}

CAB_INLINE void cab_cyclic_store(const cab_cyclic_cable *s, cab_cyclic_state state, float inverse_h)
{
    CAB_LANES(i, s->count)
    {
        vec3 p = cab_get(s->position, i), r = cab_get(s->residual, i);
        vec3 last = cab_get(s->last, i), older = cab_get(s->older, i);
        vec3 first = cab_get(s->offset, i);
        state.position[i] = CAB_FLOAT4(p.x, p.y, p.z, state.position[i].w);
        state.residual[i] = CAB_FLOAT4(r.x, r.y, r.z, 0);
        state.step[i] = CAB_FLOAT4(last.x, last.y, last.z, 0);
        state.step[i + state.particles] = CAB_FLOAT4(older.x, older.y, older.z, 0);
        state.step[i + 2 * state.particles] = CAB_FLOAT4(first.x, first.y, first.z, 0);
        state.velocity[i] = cab_steps_velocity(state.step[i], state.step[i + state.particles], inverse_h,
                                               state.velocity[i].w);
        state.slow[i] = s->slow[i];
    }
}

/* Constants of second order, or of first. */
CAB_INLINE void cab_cyclic_choose_order(cab_cyclic_cable *s, global const float *constants,
                                        global const float4 *bending, int first_order)
{
    s->constants = constants + first_order * CAB_CONSTANTS * s->count;
    s->bending = bending + first_order * (s->steps + 1) * s->padded;
}

/* Flag: CAB_FRAME_FIRST_ORDER; number: the frame's substep that this launch begins with. */
CAB_GROUP_KERNEL(cyclic, global const cab_params *params, global const cab_chain *chain,
                 global const cab_chain_node *chain_node, global const cab_cyclic_chain *cyclic,
                 global const float *cyclic_constant, global const float4 *cyclic_bending,
                 global float4 *position, global float4 *residual, global float4 *velocity,
                 global float4 *step, global float *slow, global float *distance_lambda,
                 global const int *moving, global const float4 *target)
{
    CAB_GROUP(group);
    cab_cyclic_chain about = cyclic[group];
    int first = chain[group].first_particle, begin = CAB_NUMBER(argument);
    int first_order = argument & CAB_FRAME_FIRST_ORDER;
    cab_cyclic_cable s = cab_cyclic_layout(scratch, chain[group].particle_count);
    s.turned = about.turned;
    s.steps = about.steps;
    cab_cyclic_state state;
    state.position = position + first;
    state.residual = residual + first;
    state.velocity = velocity + first;
    state.step = step + first;
    state.slow = slow + first;
    state.particles = params->particle_count;
    cab_cyclic_load(&s, state, first_order, params->h);
    int moving_count = params->moving_count, steps = params->substeps - begin;
    if (steps > params->fused_substeps) steps = params->fused_substeps;
    float scale = first_order && steps == 1 ? 1 : 2.25f; /* lambda counts h^2, not h_s^2 */
    cab_cyclic_choose_order(&s, cyclic_constant + about.constants, cyclic_bending + about.bending,
                            first_order);
    int slowed = cab_cyclic_weigh(&s);
    for (int k = 0; k < steps; k++) {
        cab_cyclic_predict(&s, moving_count, moving + first, target + 2 * (begin + k) * moving_count);
        cab_cyclic_measure(&s);
        if (s.steps >= 0) cab_cyclic_bend_all(&s);
        slowed = cab_cyclic_project(&s, slowed);
        cab_cyclic_finish(&s, first_order);
        if (!first_order) continue;
        cab_cyclic_choose_order(&s, cyclic_constant + about.constants, cyclic_bending + about.bending, 0);
        cab_cyclic_weigh(&s);
        first_order = 0;
    }
    cab_cyclic_store(&s, state, params->inverse_h);
    CAB_LANES(i, s.count - 1) distance_lambda[chain_node[first + i].distance] = s.lambda[i] * scale;
}
