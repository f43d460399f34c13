/* socket: plugs and sockets at the start and the end of a substep, and in its Newton passes; see socket.h. */
#include "rigid_block.h"
#include "rigid_contact_types.h"
#include "socket.h"

/* ---- the start of a substep ---- */

/* What the socket does now that its plug is where it is, at the substep's start, and comes to where it is predicted. */
CAB_INLINE void cab_socket_change(global const cab_socket *own, global cab_socket_state *state,
                                  const cab_socket_pose *start, const cab_socket_pose *comes)
{
    real mouth = own->depth + CAB_SOCKET_AWAY * own->capture;
    if (state->state != CAB_SOCKET_OUT && state->state != CAB_SOCKET_MATED && start->along < -mouth)
        state->state = CAB_SOCKET_OUT;
    if (state->state == CAB_SOCKET_GUIDED && own->latches && start->along >= -CAB_SOCKET_PLAY * own->depth)
        state->state = CAB_SOCKET_MATED;
    if (state->state != CAB_SOCKET_OUT || !cab_socket_catches(own, comes) || !(comes->along > start->along))
        return;
    state->state = CAB_SOCKET_GUIDED;
    cab_socket_enter(state, comes);
    for (int k = 0; k < CAB_SOCKET_ROWS; k++) state->force[k] = 0;
    state->bears = 0;
}

/* Directions of the rows, and what is off in each; between latch and stop nothing is. went: how far the plug has gone in along the axis since
 * the substep's start */
CAB_INLINE void cab_socket_aim(global const cab_socket *own, global cab_socket_work *work,
                               global const cab_socket_state *state, const cab_socket_pose *p, real went)
{
    real slope, left = cab_socket_left(own, state, p->along, &slope);
    vec3 none = vec3_zero(), way[3] = {p->up, p->side, p->axis}, turned = vec3_at(state->turned);
    const real off[3] = {p->turned.x, p->turned.y, p->turned.z}, begun[3] = {turned.x, turned.y, turned.z};
    for (int k = 0; k < 2; k++) {
        global cab_socket_row *row = work->row + CAB_SOCKET_ACROSS + k;
        vec3_put(row->along, vec3_add_scaled(way[k], -slope * state->across[k], p->axis));
        vec3_put(row->about, none);
        row->off = p->across[k] - left * state->across[k];
    }
    for (int k = 0; k < 3; k++) {
        global cab_socket_row *row = work->row + CAB_SOCKET_TILT + k;
        vec3_put(row->along, vec3_scale(p->axis, -slope * begun[k]));
        vec3_put(row->about, way[k]);
        row->off = off[k] - left * begun[k];
    }
    real play = CAB_SOCKET_PLAY * own->depth;
    for (int k = CAB_SOCKET_FRICTION; k <= CAB_SOCKET_STOP; k++) {
        vec3_put(work->row[k].along, p->axis);
        vec3_put(work->row[k].about, none);
        work->row[k].off = went;
        if (k == CAB_SOCKET_STOP) work->row[k].off = real_max(p->along, 0) + real_min(p->along + play, 0);
    }
}

/* What socket_begin reads of bodies. */
typedef struct cab_socket_view {
    global const cab_rigid *rigid;
    global const cab_rigid_member *member;
    global const float4 *rotation, *position, *residual;
} cab_socket_view;

/* A side at the substep's start: where its point is, and what rounding left out of that; the rest goes into `work`. led: rows of one that no force
 * moves */
CAB_INLINE void cab_socket_stand(global const cab_socket *own, global cab_socket_work *work, int k,
                                 const cab_socket_view *v, global const float4 *led, vec3 *at, vec3 *rest)
{
    vec3 arm = vec3_zero(), step = vec3_of(led[CAB_SOCKET_LED_STEP]);
    vec3 axis = vec3_of(led[CAB_SOCKET_LED_AXIS]), up = vec3_of(led[CAB_SOCKET_LED_UP]);
    *at = vec3_of(led[CAB_SOCKET_LED_PLACE]), *rest = vec3_of(led[CAB_SOCKET_LED_REST]);
    real shifts = 0, turns = 0;
    if (own->slot[k] >= 0) {
        cab_rigid body = v->rigid[own->slot[k]];
        float4 rotation = v->rotation[body.body];
        global const cab_rigid_member *first = v->member + body.member;
        arm = cab_socket_of(own->arm, k), axis = cab_socket_of(own->axis, k), up = cab_socket_of(own->up, k);
        arm = vec3_add(arm, cab_turn_moves(rotation, arm));
        axis = vec3_add(axis, cab_turn_moves(rotation, axis));
        up = vec3_add(up, cab_turn_moves(rotation, up));
        step = vec3_zero();
        *at = vec3_of(v->position[first->particle]);
        *rest = vec3_sub(vec3_of(v->residual[first->particle]), cab_rigid_arm(first, rotation));
        *rest = vec3_add(*rest, arm);
        cab_rigid_gives_way(&body, v->member, rotation, &shifts, &turns);
    }
    vec3_put(work->arm + 3 * k, arm);
    vec3_put(work->axis + 3 * k, axis);
    vec3_put(work->up + 3 * k, up);
    vec3_put(work->step + 3 * k, step);
    work->gives[2 * k] = shifts, work->gives[2 * k + 1] = turns;
}

/* Sockets at the start of a substep's passes, when bodies are predicted. socket_led: [sockets][2][CAB_SOCKET_LED]. socket_engaged: their
 * states. */
CAB_BLOCK_KERNEL(socket_begin, global const cab_params *params, global cab_socket_work *socket_work,
                 global cab_socket_state *socket_state, global int *socket_engaged,
                 global const cab_socket *socket, global const float4 *socket_led,
                 global const float *socket_friction, global const cab_rigid *rigid,
                 global const cab_rigid_member *rigid_member, global const float4 *rigid_rotation,
                 global const float4 *rigid_turn, global const float4 *position,
                 global const float4 *residual, global const int *order)
{
    CAB_ITEM(i);
    global const cab_socket *own = socket + i;
    global cab_socket_work *work = socket_work + i;
    global cab_socket_state *state = socket_state + i;
    cab_socket_view v = {rigid, rigid_member, rigid_rotation, position, residual};
    vec3 at[2], rest[2], axis[2], up[2];
    work->applied = work->flags = 0;
    if (order[own->component] == CAB_ORDER_ASLEEP) return;
    for (int k = 0; k < 2; k++) {
        cab_socket_stand(own, work, k, &v, socket_led + CAB_SOCKET_LED * (2 * i + k), at + k, rest + k);
        axis[k] = cab_socket_of(work->axis, k), up[k] = cab_socket_of(work->up, k);
    }
    vec3 apart = vec3_add(vec3_sub(at[0], at[1]), vec3_sub(rest[0], rest[1]));
    vec3_put(work->apart, apart);
    cab_socket_pose start = cab_socket_pose_of(apart, axis, up, own->keyed);
    vec3 moved = cab_socket_moved(own, work, rigid, rigid_turn, axis, up);
    cab_socket_pose comes = cab_socket_pose_of(vec3_add(apart, moved), axis, up, own->keyed);
    cab_socket_change(own, state, &start, &comes);
    cab_socket_aim(own, work, state, &start, 0);
    real per_h = cab_per_h(order[own->component]),
         scale = 1 / (params->inverse_h * params->inverse_h * per_h);
    work->most = cab_socket_friction_at(own, socket_friction, start.along) * scale;
    for (int k = 0; k < CAB_SOCKET_ROWS; k++) {
        work->row[k].lambda = state->force[k] * scale;
        work->row[k].given = work->row[k].force = work->row[k].stiffness = work->row[k].way = 0;
        work->row[k].begun = work->row[k].off;
    }
    socket_engaged[i] = state->state;
    work->flags = state->state == CAB_SOCKET_OUT ? 0 : CAB_BUMPED_NEAR;
}

/* Takes contacts of a plug's body with its socket's out of the list, as long as it is in it. socket_start: of each body, by its place in
 * rigid, its first in socket_of, which has the sockets of which it is a part. Their bodies: socket_shape [sockets][2][2], of a
 * led body its first collider and their number. */
CAB_BLOCK_KERNEL(socket_part, global cab_rigid_contact *rigid_contact, global int *rigid_contact_count,
                 global int *rigid_bumped, global const cab_socket *socket, global const int *socket_engaged,
                 global const int *socket_start, global const int *socket_of, global const int *socket_shape)
{
    CAB_ITEM(i);
    global cab_rigid_contact *own = rigid_contact + CAB_RIGID_CONTACTS * i;
    int kept = 0;
    for (int k = 0; k < rigid_contact_count[i]; k++) {
        int parted = 0;
        for (int j = socket_start[i]; j < socket_start[i + 1]; j++) {
            int s = socket_of[j], other = socket[s].slot[0] == i;
            global const int *shape = socket_shape + 4 * s + 2 * other;
            if (socket_engaged[s] == CAB_SOCKET_OUT) continue;
            parted |= own[k].slot >= 0 ? own[k].slot == socket[s].slot[other]
                                       : own[k].other >= shape[0] && own[k].other < shape[0] + shape[1];
        }
        if (!parted && kept < k) own[kept] = own[k];
        if (!parted) kept++;
    }
    rigid_contact_count[i] = kept;
    if (kept == 0) rigid_bumped[i] = 0;
}

/* ---- Newton passes ---- */

/* How far the last pass has moved a row's place, by its own equations. */
CAB_INLINE real cab_socket_stepped(global const cab_socket *own, global const cab_socket_work *work,
                                   global const cab_socket_row *row, global const cab_rigid *rigid,
                                   global const float4 *junction_move)
{
    real sum = 0;
    for (int k = 0; k < 2; k++) {
        if (own->slot[k] < 0) continue;
        global const cab_rigid *body = rigid + own->slot[k];
        vec3 shift = cab_rigid_step(body, 0, junction_move), turn = cab_rigid_step(body, 1, junction_move);
        vec3 place = vec3_add(shift, vec3_cross(turn, cab_socket_of(work->place, k)));
        real further = vec3_dot(place, vec3_at(row->along)) + vec3_dot(turn, vec3_at(row->about));
        sum = k == 0 ? sum + further : sum - further;
    }
    return sum;
}

/* What the passes have given so far, as their equations had it. */
CAB_INLINE void cab_socket_give(global const cab_socket *own, global cab_socket_work *work,
                                global const cab_rigid *rigid, global const float4 *junction_move)
{
    for (int k = 0; k < CAB_SOCKET_ROWS; k++) {
        global cab_socket_row *row = work->row + k;
        row->given = row->force - row->stiffness * cab_socket_stepped(own, work, row, rigid, junction_move);
    }
    work->applied = 0;
}

/* Where rows act: on the plug's point, from both pivots. */
CAB_INLINE void cab_socket_place(global const cab_socket *own, global cab_socket_work *work, vec3 apart,
                                 global const cab_rigid *rigid, global const float4 *rigid_turn)
{
    for (int k = 0; k < 2; k++) {
        vec3 arm = cab_socket_of(work->arm, k);
        if (own->slot[k] >= 0)
            arm = vec3_add(
                arm,
                cab_turn_moves(rigid_turn[CAB_RIGID_ROWS * rigid[own->slot[k]].body + CAB_RIGID_TURN], arm));
        vec3_put(work->place + 3 * k, k == 0 ? arm : vec3_add(arm, apart));
    }
}

/* One of a row's unknowns, and its gradient there. */
typedef struct cab_socket_side {
    int junction; /* -1 = none */
    vec3 way;
} cab_socket_side;

CAB_INLINE cab_socket_side cab_socket_side_of(global const cab_socket *own,
                                              global const cab_socket_work *work,
                                              global const cab_socket_row *row, int side,
                                              global const cab_rigid *rigid)
{
    int k = side >> 1, turns = side & 1;
    cab_socket_side s = {-1, vec3_zero()};
    if (own->slot[k] < 0) return s;
    global const cab_rigid *body = rigid + own->slot[k];
    vec3 along = vec3_at(row->along), about = vec3_at(row->about);
    if (turns) along = vec3_add(vec3_cross(cab_socket_of(work->place, k), along), about);
    s.junction = turns ? body->rotation : body->translation;
    s.way = vec3_scale(cab_sym3_times(cab_rigid_leaves(body, turns), along), k == 0 ? 1 : -1);
    return s;
}

/* 1 over what resists a row. */
CAB_INLINE real cab_socket_gives(global const cab_socket *own, global const cab_socket_work *work,
                                 global const cab_socket_row *row, global const cab_rigid *rigid)
{
    real sum = 0;
    for (int k = 0; k < 4; k++) {
        cab_socket_side side = cab_socket_side_of(own, work, row, k, rigid);
        sum = sum + work->gives[k] * vec3_dot(side.way, side.way);
    }
    return sum;
}

/* What friction does in the coming pass: no more than `most`. It goes by what the last pass has given, since what is off is below rounding
 * where a substep is short. Returns 1 where it does something else than in that pass. */
CAB_INLINE int cab_socket_friction_take(global cab_socket_row *row, real most, real gives, int is_first)
{
    real before = row->way, stiffness = gives > 0 ? CAB_SOCKET_HELD / gives : 0;
    if (!is_first && before == 0) {
        row->lambda = row->given;
        row->way = row->given > most ? 1 : row->given < -most ? -1 : 0;
    } else if (!is_first && before * row->off > 0) {
        row->way = 0;
    }
    row->lambda = real_clamp(row->lambda, -most, most);
    row->force = row->way == 0 ? row->lambda - stiffness * row->off : row->way * most;
    row->stiffness = row->way == 0 ? stiffness : 0;
    return is_first || row->way != before;
}

/* What a spring does in the coming pass: it pulls by what is off, and by what that has changed by. damped: over the substep; close: what is
 * off by less is settled. Returns 1 where the last pass has not come to its force. */
CAB_INLINE int cab_socket_spring_take(global cab_socket_row *row, int acts, real stiffness, real damped,
                                      real close)
{
    real pull = row->off + damped * (row->off - row->begun), before = row->way;
    real force = acts ? -stiffness * pull : 0, change = force - row->given;
    row->force = force;
    row->stiffness = acts ? stiffness * (1 + damped) : 0;
    row->way = acts ? 1 : 0;
    return row->way != before ||
           !(change * change < stiffness * close * (stiffness * close) ||
             change * change < CAB_SOCKET_SETTLED * CAB_SOCKET_SETTLED * row->given * row->given);
}

/* What a spring has stored, J, that bears `force`, N. stiffness: N/m, N m */
CAB_INLINE real cab_socket_stored(global const cab_socket_row *row, real force, real stiffness, real damped)
{
    real off = (damped * row->begun - force / stiffness) / (1 + damped);
    return row->way == 0 ? 0 : 0.5f * stiffness * off * off;
}

/* Sockets before a pass. Flags: CAB_NEWTON_... */
CAB_BLOCK_KERNEL(socket_press, global const cab_params *params, global cab_socket_work *socket_work,
                 global const cab_socket_state *socket_state, global const cab_socket *socket,
                 global const float4 *rigid_turn, global const float4 *junction_move,
                 global const cab_rigid *rigid, global const int *order, global const int *stiff)
{
    CAB_ITEM(i);
    global const cab_socket *own = socket + i;
    global const cab_socket_state *state = socket_state + i;
    global cab_socket_work *work = socket_work + i;
    int is_first = !(argument & CAB_NEWTON_GOES_ON), c = own->component, latched, any = 0;
    vec3 axis[2], up[2];
    if (order[c] == CAB_ORDER_ASLEEP || state->state == CAB_SOCKET_OUT) return;
    if (argument & CAB_NEWTON_STIFF && stiff[c] == CAB_STIFF_SETTLED) return;
    if (!is_first && !work->applied) return;
    if (work->applied) cab_socket_give(own, work, rigid, junction_move);
    vec3 begun = vec3_at(work->apart), moved = cab_socket_moved(own, work, rigid, rigid_turn, axis, up);
    vec3 apart = vec3_add(begun, moved);
    real went = vec3_dot(moved, axis[1]) + vec3_dot(begun, vec3_sub(axis[1], cab_socket_of(work->axis, 1)));
    cab_socket_pose p = cab_socket_pose_of(apart, axis, up, own->keyed);
    cab_socket_place(own, work, apart, rigid, rigid_turn);
    cab_socket_aim(own, work, state, &p, went);
    latched = state->state == CAB_SOCKET_MATED;
    real scale = 1 / (params->inverse_h * params->inverse_h * cab_per_h(order[c]));
    real damped = CAB_SOCKET_DAMPED * params->inverse_h;
    for (int k = 0; k < CAB_SOCKET_ROWS; k++) {
        global cab_socket_row *row = work->row + k;
        int turns = k >= CAB_SOCKET_TILT && k <= CAB_SOCKET_ROLL;
        int acts = k == CAB_SOCKET_ROLL   ? own->keyed
                   : k == CAB_SOCKET_STOP ? row->off > 0 || (latched && row->off < 0)
                                          : 1;
        if (k == CAB_SOCKET_FRICTION && !(work->most > 0))
            any |= cab_socket_spring_take(row, 0, 0, 0, 0);
        else if (k == CAB_SOCKET_FRICTION)
            any |=
                cab_socket_friction_take(row, work->most, cab_socket_gives(own, work, row, rigid), is_first);
        else
            any |= cab_socket_spring_take(row, acts, (turns ? own->turning : own->stiffness) * scale,
                                          k == CAB_SOCKET_STOP && row->off > 0 ? 0 : damped,
                                          turns ? CAB_SOCKET_STRAIGHT : CAB_SOCKET_CLOSE);
    }
    work->flags = any ? CAB_BUMPED_UNSETTLED : 0;
}

/* The latch that gives way: of all those of a component that are pulled by more than they hold the one that is so by the largest share. That
 * may relieve the others, so what they bear is smoothed anew. */
CAB_INLINE void cab_socket_release(global cab_socket_state *state, global const cab_socket *socket,
                                   global const int *of, int start, int end)
{
    int weakest = -1;
    real most = 1;
    for (int k = start; k < end; k++) {
        real share = state[of[k]].bears / socket[of[k]].hold;
        if (state[of[k]].state != CAB_SOCKET_MATED || !(share > most)) continue;
        most = share;
        weakest = of[k];
    }
    if (weakest >= 0) state[weakest].state = CAB_SOCKET_RELEASED;
    for (int k = start; weakest >= 0 && k < end; k++) state[of[k]].bears = 0;
}

/* What the sockets of a component have come to. argument: CAB_SOCKET_END, CAB_SOCKET_ALONE */
CAB_BLOCK_KERNEL(socket_look, global int *bumped, global int *off, global int *touched,
                 global cab_socket_state *socket_state, global const cab_socket *socket,
                 global const cab_socket_work *socket_work, global const int *socket_start,
                 global const int *socket_of, global const cab_joined *joined, global const int *order)
{
    CAB_ITEM(i);
    cab_joined own = joined[i];
    int any = 0;
    if (own.rigid_count == 0 || order[own.component] == CAB_ORDER_ASLEEP) return;
    int start = socket_start[own.rigid], end = socket_start[own.rigid + own.rigid_count];
    for (int k = start; k < end; k++) any |= socket_work[socket_of[k]].flags;
    bumped[own.component] = (argument & CAB_SOCKET_ALONE ? 0 : bumped[own.component]) | any;
    if (argument & CAB_SOCKET_END) {
        touched[own.component] |= (any & CAB_BUMPED_PRESSED) != 0;
        cab_socket_release(socket_state, socket, socket_of, start, end);
    } else {
        off[own.component] |= (any & CAB_BUMPED_UNSETTLED) != 0;
    }
}

/* Adds a row to the equations: its stiffness between all its unknowns, and its push. */
CAB_INLINE void cab_socket_add(const cab_rigid_equations *e, global const cab_socket *own,
                               global const cab_socket_work *work, global const cab_socket_row *row,
                               real push)
{
    cab_socket_side side[4];
    for (int k = 0; k < 4; k++) side[k] = cab_socket_side_of(own, work, row, k, e->rigid);
    for (int k = 0; k < 4; k++)
        if (side[k].junction >= 0) cab_rigid_push(e->move, side[k].junction, vec3_scale(side[k].way, push));
    for (int m = 0; m < 16 && row->stiffness > 0; m++) {
        const cab_socket_side *x = side + m / 4, *y = side + m % 4;
        if (x->junction < 0 || y->junction < 0 || !cab_rigid_has(e, x->junction, y->junction)) continue;
        cab_rigid_put_at(cab_rigid_outer(cab_rigid_nothing(), row->stiffness, x->way, y->way), x->junction,
                         y->junction, e);
    }
}

/* What the sockets add to the equations of junctions. After rigid_assemble; flags as in direct_condense. */
CAB_BLOCK_KERNEL(socket_assemble, global float4 *junction_move, global float *junction_diagonal,
                 global float *junction_block, global cab_socket_work *socket_work,
                 global const cab_socket *socket, global const int *socket_engaged,
                 global const int *socket_start, global const int *socket_of, global const cab_joined *joined,
                 global const cab_junction *junction, global const cab_block *block,
                 global const cab_rigid *rigid, global const int *order, global const int *off,
                 global const int *stiff)
{
    CAB_ITEM(i);
    cab_joined joint = joined[i];
    int c = joint.component;
    if (joint.rigid_count == 0 || cab_newton_skips(argument, order[c], stiff[c], off[c])) return;
    int is_stiff = argument & CAB_NEWTON_STIFF && stiff[c];
    cab_rigid_equations e = {junction_move, junction_diagonal, junction_block, junction, block, rigid};
    for (int b = joint.rigid; b < joint.rigid + joint.rigid_count; b++) {
        for (int j = socket_start[b]; j < socket_start[b + 1]; j++) {
            int s = socket_of[j];
            global const cab_socket *own = socket + s;
            global cab_socket_work *work = socket_work + s;
            int first = own->slot[0] >= 0 ? own->slot[0] : own->slot[1];
            if (first != b || socket_engaged[s] == CAB_SOCKET_OUT) continue;
            work->applied = 1;
            for (int k = 0; k < CAB_SOCKET_ROWS; k++)
                cab_socket_add(&e, own, work, work->row + k,
                               work->row[k].force - (is_stiff ? 0 : work->row[k].given));
        }
    }
}

/* ---- the end of a substep, and of a frame ---- */

/* What sockets have come to, for the next substep, and what they bear. */
CAB_BLOCK_KERNEL(socket_end, global const cab_params *params, global cab_socket_work *socket_work,
                 global cab_socket_state *socket_state, global const cab_socket *socket,
                 global const float4 *rigid_turn, global const float4 *junction_move,
                 global const cab_rigid *rigid, global const int *order)
{
    CAB_ITEM(i);
    global const cab_socket *own = socket + i;
    global cab_socket_work *work = socket_work + i;
    global cab_socket_state *state = socket_state + i;
    vec3 axis[2], up[2], force = vec3_zero(), torque = vec3_zero();
    work->flags = 0;
    if (order[own->component] == CAB_ORDER_ASLEEP) return;
    vec3 apart = vec3_add(vec3_at(work->apart), cab_socket_moved(own, work, rigid, rigid_turn, axis, up));
    state->place = vec3_dot(apart, axis[1]);
    state->stored = 0;
    if (state->state == CAB_SOCKET_OUT) return;
    if (work->applied) cab_socket_give(own, work, rigid, junction_move);
    real per_h2 = params->inverse_h * params->inverse_h * cab_per_h(order[own->component]), stored = 0;
    for (int k = 0; k < CAB_SOCKET_ROWS; k++) {
        global const cab_socket_row *row = work->row + k;
        state->force[k] = row->given * per_h2;
        force = vec3_add_scaled(force, state->force[k], vec3_at(row->along));
        torque = vec3_add_scaled(torque, state->force[k], vec3_at(row->about));
        int turns = k >= CAB_SOCKET_TILT && k <= CAB_SOCKET_ROLL;
        int stops = k == CAB_SOCKET_STOP && row->off > 0;
        if (k != CAB_SOCKET_FRICTION)
            stored = stored + cab_socket_stored(row, state->force[k], turns ? own->turning : own->stiffness,
                                                stops ? 0 : CAB_SOCKET_DAMPED * params->inverse_h);
    }
    state->stored = stored;
    real share = params->share;
    vec3_put(state->sum, vec3_add_scaled(vec3_at(state->sum), share, force));
    vec3_put(state->sum + 3, vec3_add_scaled(vec3_at(state->sum + 3), share, torque));
    real pull = state->state == CAB_SOCKET_MATED ? real_max(0, state->force[CAB_SOCKET_STOP]) : 0;
    state->pull = state->pull + share * pull;
    work->flags = state->state == CAB_SOCKET_MATED ? 0 : CAB_BUMPED_PRESSED;
    real smoothed = real_min(1, 1 / (params->inverse_h * CAB_SOCKET_GIVES_WAY));
    state->bears = state->bears + smoothed * (pull - state->bears);
}

/* At the end of a frame: what sockets bore in it. argument: the substeps of a frame */
CAB_BLOCK_KERNEL(socket_frame, global cab_socket_state *socket_state)
{
    CAB_ITEM(i);
    global cab_socket_state *state = socket_state + i;
    real share = 1.0f / (float)argument;
    for (int k = 0; k < 6; k++) {
        state->told[k] = share * state->sum[k];
        state->sum[k] = 0;
    }
    state->told_pull = share * state->pull;
    state->pull = 0;
}
