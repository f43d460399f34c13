/* lanes_near: whole frames of cables that touch nothing but colliders, by the direct method: a tile per work-group, a
 * cable per lane (near.h). Tiles keep the state of their cables as in lanes.cl, but all substeps are ended.
 *
 * chain_near tells of each cable, before a frame, how far anything of it may move, in steps of CAB_NEAR_REACH, and after
 * it whether it is done; if not, the frame must be computed in another way. A frame in pieces takes several launches, each of as many
 * substeps as a frame has; it begins and ends with displacements and multipliers of whole substeps. So each tile notes what leads back to
 * the frame's start, and near_back goes there with the cables for which chain_near is not 0. */
#define CAB_WIDE
#include "lanes.h"
#include "near_solve.h"

/* The buffers of a frame. */
typedef struct cab_near_buffers {
    cab_lanes_buffers lanes;
    global float *tile_back;
    global int *chain_near;
    global const int *near_part;                         /* 0: all segments touch all colliders */
    global const cab_collider *collider, *collider_path; /* the latter: 0 where none moves */
    global const cab_segment *segment;
    global const int *component;
    global int *order;
    global float *pressing, *end_pressing;
} cab_near_buffers;

/* Slots of what leads back, behind those of the tile: */
#define CAB_BACK_PRESSING CAB_SLOTS_KEPT    /* of the segment to the next particle, */
#define CAB_BACK_ORDER (CAB_SLOTS_KEPT + 1) /* the cable's order of time integration, at its first particle */

CAB_INLINE global float *cab_back_of(global float *tile_back, cab_tile t)
{
    return tile_back + (size_t)t.kept * (CAB_SLOTS_BACK * CAB_TILE);
}

/* The chain in a lane of a tile. */
CAB_INLINE int cab_lane_chain(global const int *tile_chain, int place)
{
    return tile_chain[place] < 0 ? ~tile_chain[place] : tile_chain[place];
}

/* Takes what a lane's cable has of order and forces, and notes what leads back, unless back is 0. at: its lane of the slots near.h;
 * constants: of each lane radius, friction, particles, order, how far it may move, and group. */
CAB_INLINE void cab_near_begin_lane(const cab_near_buffers *b, int place, global float *back,
                                    global float *at, global float *constants)
{
    int c = cab_lane_chain(b->lanes.tile_chain, place), first = b->lanes.chain[c].first_particle,
        count = b->lanes.chain[c].particle_count, segment = first - c, order = b->order[b->component[first]];
    constants[0] = b->segment[segment].radius;
    constants[CAB_TILE] = b->segment[segment].friction;
    constants[2 * CAB_TILE] = (float)count;
    constants[3 * CAB_TILE] = (float)order;
    constants[4 * CAB_TILE] = (float)b->chain_near[c] * CAB_NEAR_REACH;
    constants[5 * CAB_TILE] = (float)(b->segment[segment].owner >> CAB_SEGMENT_GROUP);
    if (back) back[CAB_BACK_ORDER * CAB_TILE] = (float)order;
    for (int i = 0; i < count; i++) {
        float pressing = i < count - 1 ? b->pressing[segment + i] : 0;
        if (back) back[(i * CAB_SLOTS_BACK + CAB_BACK_PRESSING) * CAB_TILE] = pressing;
        at[(i * CAB_SLOTS_NEAR + CAB_NEAR_PRESSING) * CAB_TILE] = pressing;
    }
}

/* The first of the colliders that a lane's cable may touch. */
CAB_INLINE global const cab_collider *cab_near_own_colliders(const cab_near_buffers *b, int place)
{
    return b->collider + b->lanes.chain[cab_lane_chain(b->lanes.tile_chain, place)].first_collider;
}

/* Notes the colliders of a lane, and which segments of its cable touch them. listed, solids: the lane of cab_near.listed, .solids */
CAB_INLINE void cab_near_begin_colliders(const cab_near_buffers *b, int place, global float *listed,
                                         global float *solids)
{
    int colliders = b->lanes.params->collider_count;
    global const cab_collider *own = cab_near_own_colliders(b, place);
    for (int k = 0; k < colliders; k++) {
        float number[CAB_NEAR_SOLID];
        cab_near_solid_numbers(own + k, number);
        for (int i = 0; i < CAB_NEAR_SOLID; i++) solids[(CAB_NEAR_SOLID * k + i) * CAB_TILE] = number[i];
        listed[(CAB_NEAR_LISTED * k + 1) * CAB_TILE] = own[k].friction;
    }
    if (!b->near_part) return;
    global const int *part = b->near_part + 2 * colliders * cab_lane_chain(b->lanes.tile_chain, place);
    for (int k = 0; k < 2 * colliders; k++)
        listed[(CAB_NEAR_LISTED * (k >> 1) + 2 + (k & 1)) * CAB_TILE] = (float)part[k];
}

/* Notes the state of cables of `count` particles at the start of the frame. */
CAB_INLINE void cab_near_note_start(global const real_memory *kept, global real_memory *back, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < CAB_SLOTS_KEPT; k++)
            back[(i * CAB_SLOTS_BACK + k) * CAB_GROUP_SIZE] = kept[(i * CAB_SLOTS_KEPT + k) * CAB_GROUP_SIZE];
}

/* The normal forces of a particle's contacts. at: its slots */
CAB_INLINE float cab_near_end_force(global const float *at, int doubled)
{
    float force = at[(CAB_NEAR_END + CAB_SITE_LAMBDA) * CAB_TILE];
    if (doubled && at[(CAB_NEAR_SECOND + CAB_SITE_FRICTION) * CAB_TILE] >= 0)
        force += at[(CAB_NEAR_SECOND + CAB_SITE_LAMBDA) * CAB_TILE];
    return force;
}

/* Writes orders, forces and errors of a lane's cable. results: of each lane whether it failed, its order, its depth and
 * contacts, and how long it is in particles. */
CAB_INLINE void cab_near_end_lane(const cab_near_buffers *b, int place, global const float *at,
                                  global const float *results, const cab_near *n)
{
    int c = b->lanes.tile_chain[place];
    if (c < 0) return;
    int first = b->lanes.chain[c].first_particle, count = b->lanes.chain[c].particle_count,
        segment = first - c;
    b->chain_near[c] = (int)results[0];
    b->order[b->component[first]] = results[CAB_TILE] > 0;
    b->lanes.chain_errors[c].penetration_max = results[2 * CAB_TILE];
    b->lanes.chain_errors[c].contacts = (int)results[3 * CAB_TILE];
    for (int i = 0; i < count - 1; i++) {
        global const float *x = at + i * CAB_SLOTS_NEAR * CAB_TILE, *y = x + CAB_SLOTS_NEAR * CAB_TILE;
        float a = i == 0 ? cab_near_end_force(x, n->doubled) : 0, e = cab_near_end_force(y, n->doubled);
        float m = 0, t = 0;
        if (n->beside && x[(CAB_NEAR_MIDDLE + CAB_SITE_FRICTION) * CAB_TILE] >= 0) {
            m = x[(CAB_NEAR_MIDDLE + CAB_SITE_LAMBDA) * CAB_TILE];
            t = x[CAB_NEAR_PLACE * CAB_TILE];
        }
        b->pressing[segment + i] = x[CAB_NEAR_PRESSING * CAB_TILE];
        b->end_pressing[2 * (segment + i)] = a + (1 - t) * m;
        b->end_pressing[2 * (segment + i) + 1] = e + t * m;
    }
}

/* The substeps of a launch; flags: its argument. constants: see cab_near_begin_lane */
CAB_INLINE void cab_near_substeps(cab_near *n, int flags, cab_sweep_moves *moves, int moves_apart,
                                  global const real_memory *constants)
{
    cab_sweep *s = &n->s;
    real zero = real_of(0);
    if (flags & CAB_FRAME_SOLVED) cab_sweep_end(s, flags & CAB_FRAME_SOLVED_FIRST);
    for (int i = 0; i < s->count && flags & CAB_FRAME_SOLVED && !(flags & CAB_FRAME_SOLVED_FIRST); i++)
        cab_slot_put(s, i, CAB_SLOT_LAMBDA, cab_slot(s, i, CAB_SLOT_LAMBDA) * cab_per_h(0));
    int number = CAB_NUMBER(flags), enters = number & CAB_NEAR_ENTERS;
    n->pieces = number == 0 ? 1 : number >> 2;
    if (enters) cab_near_lengthen(n, 1 / (float)n->pieces);
    cab_near_list(n);
    cab_rest_begin(n);
    real_mask first = constants[3 * CAB_GROUP_SIZE] > zero;
    if (enters) first = real_not(cab_near_none());
    n->near = n->pressed = n->done = cab_near_none();
    n->travelled = zero;
    s->first = first;
    n->slowed = cab_sweep_weigh(s);
    cab_near_solved_in_tile(n);
    for (int step = 0; step < n->params->substeps; step++) {
        n->step = step;
        if (n->collider_path) cab_near_move_solids(n);
        cab_near_advance(n, step > 0, first, moves);
        cab_near_solve(n);
        first = n->pressed;
        moves->first_target += moves_apart;
    }
    cab_near_end(n);
    n->rests = cab_near_none();
    for (int i = 1; i < s->count; i++) cab_near_note_pressing(n, i);
}

/* Notes what has become of a tile. */
CAB_INLINE void cab_near_finish(const cab_near_buffers *b, cab_near *n, int index, int number,
                                global float *work)
{
    int lane = CAB_LANE, first_chain = index * CAB_TILE;
    global float *slots = work + n->s.count * CAB_SLOTS_WORK * CAB_TILE,
                 *results = slots + n->s.count * CAB_SLOTS_NEAR * CAB_TILE;
    global real_memory *numbers = (global real_memory *)(results + lane);
    real zero = real_of(0), one = real_of(1);
    int leaves = number & CAB_NEAR_LEAVES, pieces = leaves ? n->pieces : 1;
    cab_near_depth depth = cab_near_measure(n);
    if (leaves) cab_near_lengthen(n, (float)pieces);
    if (leaves) n->pressed = real_not(cab_near_none());
    cab_chain_errors e = cab_sweep_measure(&n->s, n->particles, 0, 0, n->params->inverse_h / (float)pieces);
    /* a cable that is pushed against a collider along itself may keep its lengths and go through it */
    real_mask failed = n->failed | (depth.deepest > CAB_STIFF_DEEP * n->radius);
    real share = real_sqrt(n->hurried), least = real_of((float)CAB_NEAR_SPARE_ONE / CAB_NEAR_SPARE_MOST);
    real spare = CAB_NEAR_SPARE_ONE / real_max(share, least);
    real outcome = real_select(failed, real_of(CAB_NEAR_FAILED), 0 - spare);
    numbers[0] = real_select(share < one, outcome, real_min(share + 1, real_of(1e6f)));
    numbers[CAB_GROUP_SIZE] = real_select(n->pressed, one, zero);
    numbers[2 * CAB_GROUP_SIZE] = depth.deepest;
    numbers[3 * CAB_GROUP_SIZE] = depth.touching;
    cab_lanes_note(&b->lanes, first_chain, e, work);
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE)
        cab_near_end_lane(b, first_chain + l, slots + l, results + l, n);
}

/* Computes a tile. bends: its cables do; mixed: they are not equal (host/model/tiles.h). */
CAB_INLINE void cab_near_tile(const cab_near_buffers *b, int index, int bends, int mixed, int argument,
                              global float *work)
{
    global const cab_params *params = b->lanes.params;
    cab_tile t = b->lanes.tile[index];
    int lane = CAB_LANE, first_chain = index * CAB_TILE;
    if (CAB_GROUP_SIZE > 1 && b->lanes.tile_chain[first_chain + lane] < 0) return;
    global float *back = cab_back_of(b->tile_back, t), *slots = work + t.count * CAB_SLOTS_WORK * CAB_TILE;
    global float *results = slots + t.count * CAB_SLOTS_NEAR * CAB_TILE,
                 *listed = results + CAB_NEAR_NUMBERS * CAB_TILE,
                 *solids = listed + CAB_NEAR_LISTED * params->collider_count * CAB_TILE;
    cab_near n;
    int number = CAB_NUMBER(argument), notes = number == 0 || number & CAB_NEAR_ENTERS;
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE)
        cab_near_begin_lane(b, first_chain + l, notes ? back + l : 0, slots + l, results + l);
    global real_memory *numbers = (global real_memory *)(results + lane);
    n.s = cab_lanes_sweep(&b->lanes, t, bends, mixed, work);
    n.s.orders = 1;
    if (notes) cab_near_note_start(n.s.kept, (global real_memory *)(back + lane), t.count);
    n.slots = (global real_memory *)(slots + lane);
    n.listed = (global real_memory *)(listed + lane);
    n.partial = b->near_part != 0;
    for (int l = lane; l < CAB_TILE; l += CAB_GROUP_SIZE)
        cab_near_begin_colliders(b, first_chain + l, listed + l, solids + l);
    n.params = params;
    n.solids = (global real_memory *)(solids + lane);
    n.collider = cab_near_own_colliders(b, first_chain + lane);
    n.collider_path = b->collider_path;
    n.radius = numbers[0];
    n.friction = numbers[CAB_GROUP_SIZE];
    n.particles = numbers[2 * CAB_GROUP_SIZE];
    n.reach = numbers[4 * CAB_GROUP_SIZE];
    n.group = numbers[5 * CAB_GROUP_SIZE];
    cab_sweep_moves moves = cab_moves_of(b->lanes.tile_move + t.move, b->lanes.target, t.move_count, 0);
    cab_near_substeps(&n, argument, &moves, 2 * params->moving_count, numbers);
    cab_near_finish(b, &n, index, number, work);
}

/* A group computes its share of the tiles of a kind. */
CAB_INLINE void cab_near_run(const cab_near_buffers *b, int group, int mixed, int argument)
{
    global const cab_params *params = b->lanes.params;
    int bends = mixed || argument & CAB_FRAME_BENDS, kind = bends + mixed;
    global float *memory = b->lanes.tile_memory + (size_t)group * (size_t)params->tile_floats;
    cab_group_tiles own = cab_tiles_of_group(params, kind, group);
    for (int k = own.first; k < own.first + own.count; k++)
        cab_near_tile(b, k, bends, mixed, argument, memory);
}

/* Flags: CAB_FRAME_SOLVED, _SOLVED_FIRST, _COLLIDERS, _EXCLUDES, and, to the first, CAB_FRAME_BENDS; number: CAB_NEAR_NUMBER, or 0. */
#define CAB_NEAR_KERNEL(name, mixed)                                                                         \
    CAB_GROUP_KERNEL(name, CAB_LANES_PARAMETERS, global float *tile_back, global int *chain_near,            \
                     global const int *near_part, global const cab_collider *collider,                       \
                     global const cab_collider *collider_path, global const cab_segment *segment,            \
                     global const int *component, global int *order, global float *pressing,                 \
                     global float *end_pressing)                                                             \
    {                                                                                                        \
        CAB_GROUP(group);                                                                                    \
        cab_near_buffers b = {CAB_LANES_BUFFERS_OF, tile_back, chain_near, near_part, collider,              \
                              collider_path,        segment,   component,  order,     pressing,              \
                              end_pressing};                                                                 \
        if (!(argument & CAB_FRAME_EXCLUDES)) b.near_part = 0;                                               \
        if (!(argument & CAB_FRAME_COLLIDERS)) b.collider_path = 0;                                          \
        cab_near_run(&b, group, mixed, argument);                                                            \
    }

/* Equal cables, and all others. */
CAB_NEAR_KERNEL(near_equal, 0)
CAB_NEAR_KERNEL(near_mixed, 1)

/* Tiles take the state of their cables from the buffers. The velocity of a cable whose next substep is of first order
 * is that of its steps, unless somebody has changed it. */
CAB_GROUP_KERNEL(near_take, global const cab_params *params, global const cab_tile *tile,
                 global const int *tile_chain, global const cab_chain *chain,
                 global const cab_chain_node *chain_node, global float4 *position, global float4 *residual,
                 global float4 *velocity, global float4 *step, global float *slow,
                 global const float *distance_lambda, global const int *component, global const int *order,
                 global float *tile_kept)
{
    CAB_GROUP(index);
    cab_state state = {position, residual, velocity, step, slow, params->particle_count};
    cab_tile t = tile[index];
    global float *f = cab_tile_kept_of(tile_kept, t.kept);
    CAB_LANES(l, CAB_TILE)
    {
        cab_lane own = cab_lane_of(tile_chain, chain, index * CAB_TILE + l);
        int is_first = order[component[own.first]], changed = 0;
        for (int i = own.first; i < own.first + own.count && is_first; i++) {
            float4 v = velocity[i],
                   w = cab_steps_velocity(step[i], step[i + state.particles], params->inverse_h, 0);
            changed = changed | (v.x != w.x) | (v.y != w.y) | (v.z != w.z);
        }
        cab_lane_take(f + l, own, t.count, state, changed, 0, params->h);
        for (int i = 0; i < own.count; i++) {
            global float *to = f + l + i * CAB_SLOTS_KEPT * CAB_TILE;
            int d = i < own.count - 1 ? chain_node[own.first + i].distance : -1;
            to[CAB_SLOT_LAMBDA * CAB_TILE] = d < 0 ? 0 : distance_lambda[d];
            for (int k = 0; k < 3 && changed; k++)
                to[(CAB_SLOT_STEP + 3 + k) * CAB_TILE] = to[(CAB_SLOT_STEP + k) * CAB_TILE];
        }
    }
}

/* Cables for which chain_near is not 0 go back to the start of the frame. */
CAB_GROUP_KERNEL(near_back, global const cab_tile *tile, global const int *tile_chain,
                 global const cab_chain *chain, global const int *chain_near, global float *tile_back,
                 global float *tile_kept, global const int *component, global int *order,
                 global float *pressing)
{
    CAB_GROUP(index);
    cab_tile t = tile[index];
    CAB_LANES(l, CAB_TILE)
    {
        cab_lane own = cab_lane_of(tile_chain, chain, index * CAB_TILE + l);
        global const float *from = cab_back_of(tile_back, t) + l;
        global float *to = cab_tile_kept_of(tile_kept, t.kept) + l;
        int c = cab_lane_chain(tile_chain, index * CAB_TILE + l), segment = own.first - c;
        /* a lane that only fills the tile was computed, too, where a group computes all lanes together */
        int computed = CAB_GROUP_SIZE == 1 || own.live;
        if (!chain_near[c] || !computed) continue;
        for (int i = 0; i < own.count; i++) {
            for (int k = 0; k < CAB_SLOTS_KEPT; k++)
                to[(i * CAB_SLOTS_KEPT + k) * CAB_TILE] = from[(i * CAB_SLOTS_BACK + k) * CAB_TILE];
            if (own.live && i < own.count - 1)
                pressing[segment + i] = from[(i * CAB_SLOTS_BACK + CAB_BACK_PRESSING) * CAB_TILE];
        }
        if (own.live) order[component[own.first]] = (int)from[CAB_BACK_ORDER * CAB_TILE];
    }
}
