/* pace: how much things would move in the coming substep of the settings, as a share of their thickness, where they may meet
 * within it. The host cuts the substep into pieces by it, for each island of what may meet by itself, and holds the others
 * meanwhile (host/run/pace.c). Places and velocities are those at the start of the substep.
 */
#include "collide.h"
#include "direct.h"
#include "rods.h"

/* Weight of what is compared with one limit, CAB_PACE_SHARE. Two cables: one that is held taut cannot give way, so they are taken
 * more carefully than colliders. */
#define CAB_PACE_PAIR 4.0f
/* Of the sum of the radii: two whose centre lines are closer have no direction that leads apart. */
#define CAB_PACE_CROSSED 0.1f
/* Smaller shares make no difference to the number of pieces. */
#define CAB_PACE_LEAST (CAB_PACE_SHARE / CAB_PACE_BACK)
/* Lengths that are off by more, as those between two holds that are too far apart, would be corrected in a piece, at a speed that is
 * so much larger: a component with such a length begins no pieces, and by a method that keeps lengths exactly it goes back to whole
 * substeps. */
#define CAB_PACE_OFF 1e-2f
/* What moves may be so much faster in the substep than it is now, where it is asked who could meet whom. */
#define CAB_PACE_GROWTH 1.5f

/* The displacement of a particle in the coming substep at the velocity that it has, m. */
CAB_INLINE vec3 cab_pace_step(int particle, global const cab_params *params, global const float4 *velocity)
{
    return vec3_scale(vec3_of(velocity[particle]), params->pace_h);
}

CAB_INLINE real cab_pace_apart(vec3 a, vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

/* How far the ends of a segment are led in the coming substep, at most, m; 0 = they are not. flags: CAB_PACE_LED where something
 * is led at all. */
CAB_INLINE real cab_pace_led(cab_segment own, int flags, global const int *moving,
                             global const float *pace_led)
{
    real led = 0;
    if (!(flags & CAB_PACE_LED)) return led;
    if (moving[own.a] >= 0) led = pace_led[moving[own.a]];
    if (moving[own.b] >= 0) led = real_max(led, pace_led[moving[own.b]]);
    return led;
}

/* A segment's turn, rad, times CAB_PACE_TURN: pace. How far its ends may move beside the common drift, m: pace_step. Is
 * its length off by more than CAB_PACE_OFF: pace_off. */
CAB_KERNEL(pace_segments, global const cab_params *params, global float *pace, global float *pace_step,
           global int *pace_off, global const float4 *position, global const float4 *residual,
           global const float4 *velocity, global const cab_segment *segment, global const int *moving,
           global const float *pace_led)
{
    CAB_ITEM(i);
    cab_segment own = segment[i];
    vec3 a = cab_pace_step(own.a, params, velocity), b = cab_pace_step(own.b, params, velocity);
    real led = cab_pace_led(own, argument, moving, pace_led);
    /* the mean step of all in the last substep, or piece of one */
    vec3 drift = vec3_make(params->recent_drift_x, params->recent_drift_y, params->recent_drift_z);
    drift = vec3_scale(drift, params->pace_h * params->inverse_h);
    pace[i] = CAB_PACE_TURN * cab_pace_apart(a, b) / own.rest;
    pace_step[i] = real_max(cab_pace_apart(a, drift), cab_pace_apart(b, drift)) + led;
    vec3 r = cab_between(vec3_of(position[own.a]), vec3_of(residual[own.a]), vec3_of(position[own.b]),
                         vec3_of(residual[own.b]));
    real error = vec3_length(r) - own.rest, limit = CAB_PACE_OFF * own.rest;
    pace_off[i] = (error > limit) | (error < -limit);
}

/* The largest relative displacement of two segments, m, without what leads them. */
CAB_INLINE real cab_pace_relative(cab_segment own, cab_segment other, global const cab_params *params,
                                  global const float4 *velocity)
{
    vec3 a = cab_pace_step(own.a, params, velocity), b = cab_pace_step(own.b, params, velocity);
    vec3 c = cab_pace_step(other.a, params, velocity), d = cab_pace_step(other.b, params, velocity);
    return real_max(real_max(cab_pace_apart(a, c), cab_pace_apart(a, d)),
                    real_max(cab_pace_apart(b, c), cab_pace_apart(b, d)));
}

/* The share of a pair. c: its closest points now, reach: the sum of the radii; led: how far what leads them goes, m. */
CAB_INLINE real cab_pace_of_pair(cab_segment own, cab_segment other, const cab_closest *c, real reach,
                                 real led, global const cab_params *params, global const float4 *velocity)
{
    real distance = sqrt(c->distance2), way = cab_pace_relative(own, other, params, velocity);
    if (!(distance < reach + way + led)) return 0;
    if (!(distance > CAB_PACE_CROSSED * reach)) return CAB_PACE_PAIR * (way + led) / reach;
    vec3 n = vec3_scale(c->between, 1 / distance);
    real a = vec3_dot(n, cab_pace_step(own.a, params, velocity));
    real b = vec3_dot(n, cab_pace_step(own.b, params, velocity));
    real p = vec3_dot(n, cab_pace_step(other.a, params, velocity));
    real q = vec3_dot(n, cab_pace_step(other.b, params, velocity));
    real nearer = real_max(a, b) - real_min(p, q);
    return CAB_PACE_PAIR * (real_max(nearer, CAB_PACE_ALONG * way) + led) / reach;
}

/* How much nearer a segment comes to those it owns pairs with, over the sum of the radii, where it could close the gap,
 * times CAB_PACE_PAIR. pace becomes the largest of these where that is larger. */
CAB_KERNEL(pace_pairs, global const cab_params *params, global float *pace, global const float *pace_step,
           global const int *pair_start, global const int4 *pair, global const float4 *position,
           global const float4 *residual, global const float4 *velocity, global const cab_segment *segment,
           global const int *moving, global const float *pace_led)
{
    CAB_ITEM(i);
    cab_segment own = segment[i];
    real largest = real_max(pace[i], CAB_PACE_LEAST), may = pace_step[i];
    for (int k = pair_start[i]; k < pair_start[i + 1]; k++) {
        int j = pair[k].y;
        /* the thinnest pair and the fastest way: most pairs end here */
        if (!(CAB_PACE_PAIR * (may + pace_step[j]) > largest * params->pace_thin)) continue;
        cab_segment other = segment[j];
        real led =
            cab_pace_led(own, argument, moving, pace_led) + cab_pace_led(other, argument, moving, pace_led);
        real step = cab_pace_relative(own, other, params, velocity) + led;
        if (!(CAB_PACE_PAIR * step > largest * (own.radius + other.radius) * CAB_RADIUS_LEAST)) continue;
        cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
        cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
        real reach = cab_rod_radius(own, &p) + cab_rod_radius(other, &q);
        if (!(CAB_PACE_PAIR * step > largest * reach)) continue;
        cab_closest c = cab_rods_at(&p, &q, 0);
        largest = real_max(largest, cab_pace_of_pair(own, other, &c, reach, led, params, velocity));
    }
    pace[i] = largest;
}

/* How far a segment comes nearer to a plane at most, m. */
CAB_INLINE real cab_pace_to_plane(cab_collider plane, cab_segment own, global const cab_params *params,
                                  global const float4 *velocity)
{
    vec3 n = cab_outside_collider(&plane, vec3_zero(), vec3_zero()).normal;
    real a = vec3_dot(n, cab_pace_step(own.a, params, velocity));
    real b = vec3_dot(n, cab_pace_step(own.b, params, velocity));
    return real_max(0, -real_min(a, b));
}

/* The same for a segment and colliders, over the segment's radius. pace_collider: how far each is moved in the substep, m */
CAB_KERNEL(pace_colliders, global const cab_params *params, global float *pace,
           global const float *pace_collider, global const float4 *velocity, global const int *near_start,
           global const int *near, global const float4 *position, global const float4 *residual,
           global const cab_segment *segment, global const int *moving, global const float *pace_led,
           global const cab_collider *collider, global const cab_mesh_node *mesh_node,
           global const cab_triangle *mesh_triangle, global const cab_mesh_edge *mesh_edge)
{
    CAB_ITEM(i);
    cab_meshes mesh = {mesh_node, mesh_triangle, mesh_edge, 0};
    cab_segment own = segment[i];
    real largest = real_max(pace[i], CAB_PACE_LEAST);
    real led = cab_pace_led(own, argument, moving, pace_led);
    real may = led + real_max(vec3_length(cab_pace_step(own.a, params, velocity)),
                              vec3_length(cab_pace_step(own.b, params, velocity)));
    for (int k = near_start[i]; k < near_start[i + 1]; k++) {
        int candidate = near[k] >> 2, count = params->collider_count;
        int of = candidate < count ? candidate : mesh_edge[candidate - count].collider;
        real step = may + pace_collider[of];
        if (!(step > largest * own.radius * CAB_RADIUS_LEAST)) continue;
        cab_rod r = cab_rod_of(own.a, own.b, position, residual, residual);
        real radius = cab_rod_radius(own, &r);
        if (!(step > largest * radius)) continue;
        if (!(cab_near_depth(near[k], params, collider, &mesh, &r, radius) > -step)) continue;
        if (candidate < count && collider[of].shape == CAB_SHAPE_IS_PLANE)
            step = cab_pace_to_plane(collider[of], own, params, velocity) + led + pace_collider[of];
        largest = real_max(largest, step / radius);
    }
    pace[i] = largest;
}

/* The largest of the segments of a component. Flag: CAB_PACE_EXACT, lengths that can be met are met. */
CAB_BLOCK_KERNEL(pace_components, global float *pace_component, global const float *pace,
                 global const int *pace_off, global const int *component_start,
                 global const int *component_particle, global const int *component_pieces,
                 global const int *incident_start, global const int *incident)
{
    CAB_ITEM(c);
    real largest = 0;
    int off = 0;
    for (int k = component_start[c]; k < component_start[c + 1]; k++) {
        int p = component_particle[k];
        for (int j = incident_start[p]; j < incident_start[p + 1]; j++) {
            largest = real_max(largest, pace[incident[j] >> 1]);
            off |= pace_off[incident[j] >> 1];
        }
    }
    if (off && argument & CAB_PACE_EXACT)
        largest = 0;
    else if (off && component_pieces[c] <= 1)
        largest = CAB_PACE_SHARE;
    pace_component[c] = largest;
}

/* The share of a length by which it is off, beside what its tension stretches it by; 0 where neither end can move. Particles are at
 * their positions. */
CAB_KERNEL(pace_errors, global float *length_error, global const float4 *position,
           global const float4 *residual, global const cab_distance_constraint *distance,
           global const float *distance_lambda)
{
    CAB_ITEM(i);
    cab_distance_constraint d = distance[i];
    vec3 r = cab_between(vec3_of(position[d.a]), vec3_of(residual[d.a]), vec3_of(position[d.b]),
                         vec3_of(residual[d.b]));
    real error = vec3_length(r) - (d.rest - d.compliance * distance_lambda[i]);
    int held = (position[d.a].w == 0 && position[d.b].w == 0) || !(d.rest > 0);
    length_error[i] = held ? 0 : (error < 0 ? -error : error) / d.rest;
}

/* Which two components could meet in the substep by a pair of segments; the same one twice: none could. */
CAB_KERNEL(pace_meet, global const cab_params *params, global int *meet, global const int4 *pair,
           global const float4 *position, global const float4 *residual, global const float4 *velocity,
           global const cab_segment *segment, global const int *component, global const int *moving,
           global const float *pace_led)
{
    CAB_ITEM(k);
    cab_segment own = segment[pair[k].x], other = segment[pair[k].y];
    int a = component[own.a], b = component[other.a];
    meet[2 * k] = meet[2 * k + 1] = a;
    if (a == b) return;
    cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
    cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
    /* touching is listed with a margin, and so is what comes near; a radius more is that margin here */
    real far = 1.5f * (own.radius + other.radius), distance2 = cab_rods_at(&p, &q, 0).distance2;
    if (!(distance2 < far * far)) { /* most are: then how fast they are need not be read */
        real led =
            cab_pace_led(own, argument, moving, pace_led) + cab_pace_led(other, argument, moving, pace_led);
        far += CAB_PACE_GROWTH * cab_pace_relative(own, other, params, velocity) + led;
    }
    if (distance2 < far * far) meet[2 * k + 1] = b;
}

/* Holds the particles whose substeps are cut otherwise than into `number` pieces, and lets go of the others; number 0: of all.
 * Held ones have negative inverse masses, as those asleep have. component_pieces: negative for what sleeps, which stays as it
 * is. Flag: CAB_PACE_SETTLE, between two substeps: particles are at their positions. */
CAB_KERNEL(pace_hold, global float4 *position, global float4 *offset, global const float4 *residual,
           global const int *component, global const int *component_pieces)
{
    CAB_ITEM(i);
    int pieces = component_pieces[component[i]], number = CAB_NUMBER(argument);
    real w = position[i].w;
    if (argument & CAB_PACE_SETTLE) offset[i] = residual[i];
    if (pieces < 0) return;
    if (number > 0 && pieces != number) {
        if (w == 0) position[i].w = -CAB_PACE_HELD;
        if (w > 0) position[i].w = -w;
        return;
    }
    if (w < 0) position[i].w = w == -CAB_PACE_HELD ? 0 : -w;
}

/* The same for the orders of the direct method. order_kept: of what is held */
CAB_KERNEL(pace_order, global int *order, global int *order_kept, global const int *component_pieces)
{
    CAB_ITEM(c);
    int pieces = component_pieces[c], number = CAB_NUMBER(argument), now = order[c];
    if (pieces < 0) return;
    if (number > 0 && pieces != number) {
        if (now != CAB_ORDER_ASLEEP) order_kept[c] = now;
        order[c] = CAB_ORDER_ASLEEP;
    } else if (now == CAB_ORDER_ASLEEP) {
        order[c] = order_kept[c];
    }
}

/* The lengths that a piece is to keep. A substep may leave a length off by CAB_LENGTH_ERROR; corrected within a 512th of the
 * substep that would be a blow (an error of 1e-5 lets a taut cable sag by 4 thousandths of a segment), so a piece corrects no
 * more than its share of it. What a length is off by more at the start of the substep (`kept`) goes evenly over its pieces, or
 * where that is little over those of 8 substeps: a cable that is taut in whole substeps may be off by a thousandth, which is a sag of
 * two hundredths of its length, and would be straightened as from a bow. What becomes off within it, and what stretches by a compliance,
 * is left to the solver. number: pieces of the substep before this one; 0: it starts. */
CAB_KERNEL(pace_lengths, global cab_branch_node *branch_node, global const float4 *position,
           global const float4 *residual, global const int *component, global const int *component_pieces)
{
    CAB_ITEM(k);
    cab_branch_node node = branch_node[k];
    if (node.segment < 0) return;
    int pieces = component_pieces[component[node.particle]], next = branch_node[k + 1].particle;
    real off = 0;
    if (pieces > 1 && node.compliance == 0) {
        vec3 r = cab_between(vec3_of(position[node.particle]), vec3_of(residual[node.particle]),
                             vec3_of(position[next]), vec3_of(residual[next]));
        real limit = CAB_LENGTH_ERROR * node.rest, error = vec3_length(r) - node.rest;
        int before = CAB_NUMBER(argument);
        if (before == 0) {
            node.kept = error - real_max(-limit, real_min(limit, error));
            branch_node[k].kept = node.kept;
        }
        real small = CAB_PACE_SMALL * node.rest;
        real share = (node.kept < small && node.kept > -small ? CAB_PACE_SLOWLY : 1) / (real)pieces;
        real left = node.kept * (1 - (real)before * share);
        off = (1 - 1 / (real)pieces) * real_max(-limit, real_min(limit, error - left));
        off = off + node.kept * (1 - (real)(before + 1) * share);
    }
    branch_node[k].wanted = node.rest + off;
}
