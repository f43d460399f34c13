/* rigid_contact: looks for the contacts of rigid bodies with colliders and with each other; see rigid_contact.h and rigid_shape.h. */
#include "rigid_contact.h"
#include "rigid_shape.h"
#include "touch.h"

/* Of each body rigid_reach: see cab_rigid_reach_of. */
CAB_BLOCK_KERNEL(rigid_contact_reach, global float4 *rigid_reach, global const float4 *rigid_turn,
                 global const cab_collider *rigid_shape, global const cab_rigid *rigid,
                 global const cab_rigid_member *rigid_member, global const float4 *rigid_rotation)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    float4 turn = rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_TURN];
    real bound = 0, shifts, turns;
    cab_rigid_gives_way(&own, rigid_member, rigid_rotation[own.body], &shifts, &turns);
    for (int k = own.shape; k < own.shape + own.shape_count; k++) {
        cab_collider c = cab_shape_seen(rigid_shape[k]);
        vec3 centre;
        real radius = cab_shape_bound(&c, &centre);
        if (c.shape == CAB_SHAPE_IS_BOX) centre = vec3_zero();
        centre = vec3_add(centre, vec3_make(c.mx, c.my, c.mz));
        bound = real_max(bound, vec3_length(centre) + radius);
    }
    real travel = vec3_length(vec3_of(rigid_turn[CAB_RIGID_ROWS * own.body + CAB_RIGID_SHIFT])) +
                  2 * vec3_length(vec3_of(turn)) * bound;
    rigid_reach[i] = cab_rigid_reach_of(travel, shifts, turns, bound);
}

/* What rigid_contact_find reads. */
typedef struct cab_finding {
    global const cab_params *params;
    global const cab_rigid *rigid;
    global const cab_rigid_member *member;
    global const float4 *rotation, *turn, *reach, *position, *residual;
    global const cab_collider *shape, *collider;
    global cab_rigid_contact *contact; /* of the body that looks */
    cab_meshes mesh;
    int slot, count; /* the body, and its contacts so far */
} cab_finding;

/* Another body, or a collider, as the body that looks sees it: shapes stand where they are at the substep's start, with their own points
 * counted from that body's pivot. */
typedef struct cab_other {
    int slot;     /* -1 = a collider */
    vec3 pivot;   /* the other's, from the body's, m */
    real margin;  /* how far out contacts are, m */
    real beside;  /* how far beside a face a place may be and still touch it, m */
    real deepest; /* gap so far, m */
} cab_other;

/* From the pivot of a body to that of another one at the substep's start: positions and what is small by themselves. */
CAB_INLINE vec3 cab_finding_between(const cab_finding *v, int from, int to)
{
    int member[2] = {v->rigid[from].member, v->rigid[to].member};
    vec3 at[2], rest[2];
    for (int k = 0; k < 2; k++) {
        int slot = k ? to : from, particle = v->member[member[k]].particle;
        at[k] = vec3_of(v->position[particle]);
        rest[k] = vec3_sub(vec3_of(v->residual[particle]),
                           cab_rigid_arm(v->member + member[k], v->rotation[v->rigid[slot].body]));
    }
    return vec3_add(vec3_sub(at[1], at[0]), vec3_sub(rest[1], rest[0]));
}

/* A shape of a body where that is at the substep's start, from its pivot. */
CAB_INLINE cab_collider cab_finding_shape(const cab_finding *v, int slot, int shape)
{
    cab_collider c = cab_shape_seen(v->shape[shape]);
    float4 all = v->rotation[v->rigid[slot].body];
    vec3 arm = vec3_make(c.mx, c.my, c.mz), t = cab_collider_axis(&c);
    arm = vec3_add(arm, cab_turn_moves(all, arm));
    if (c.shape != CAB_SHAPE_IS_BOX) t = vec3_add(t, cab_turn_moves(all, t));
    float4 axes = cab_turn_times(all, CAB_FLOAT4(c.qx, c.qy, c.qz, c.qw));
    c.cx = arm.x, c.cy = arm.y, c.cz = arm.z;
    c.tx = t.x, c.ty = t.y, c.tz = t.z;
    c.qw = axes.w, c.qx = axes.x, c.qy = axes.y, c.qz = axes.z;
    c.moves = 0;
    return c;
}

/* A collider where it is at the substep's start, from the body's pivot. */
CAB_INLINE cab_collider cab_finding_collider(const cab_finding *v, int k)
{
    cab_collider c = cab_shape_seen(v->collider[k]);
    global const cab_rigid *own = v->rigid + v->slot;
    global const cab_rigid_member *first = v->member + own->member;
    vec3 pivot =
        vec3_sub(vec3_of(v->residual[first->particle]), cab_rigid_arm(first, v->rotation[own->body]));
    vec3 at = vec3_sub(vec3_sub(cab_collider_place(&c), vec3_of(v->position[first->particle])), pivot);
    if (c.moves) {
        vec3 back = vec3_make(-c.rx, -c.ry, -c.rz);
        vec3 t = cab_rotate(c.rw, back, cab_collider_axis(&c));
        float4 axes =
            cab_turn_times(CAB_FLOAT4(back.x, back.y, back.z, c.rw), CAB_FLOAT4(c.qx, c.qy, c.qz, c.qw));
        if (c.shape != CAB_SHAPE_IS_BOX) c.tx = t.x, c.ty = t.y, c.tz = t.z;
        c.qw = axes.w, c.qx = axes.x, c.qy = axes.y, c.qz = axes.z;
        at = vec3_sub(at, vec3_make(c.mx, c.my, c.mz));
    }
    c.cx = at.x, c.cy = at.y, c.cz = at.z;
    return c;
}

/* The contact's place in the list; with all taken that of the shallowest one, or -1 where that is deeper. */
CAB_INLINE int cab_finding_place(cab_finding *v, real gap)
{
    int shallowest = 0;
    if (v->count < CAB_RIGID_CONTACTS) return v->count++;
    for (int k = 1; k < v->count; k++)
        if (v->contact[k].gap > v->contact[shallowest].gap) shallowest = k;
    return v->contact[shallowest].gap > gap ? shallowest : -1;
}

/* Notes a contact. skeleton: the place on the skeleton of one of both, from the body's pivot; o: how far that is outside of the other
 * shape; turned: the skeleton is the other's. */
CAB_INLINE void cab_finding_add(cab_finding *v, const cab_other *other, const cab_collider *target,
                                vec3 skeleton, cab_outside o, real radius, int turned, real friction,
                                int number, int feature)
{
    real gap = o.distance - radius, share = v->params->push_share;
    vec3 n = turned ? vec3_scale(o.normal, -1) : o.normal;
    vec3 round = vec3_scale(o.normal, -radius), surface = vec3_sub_scaled(skeleton, o.distance, o.normal);
    vec3 none = vec3_zero(), arm = turned ? surface : skeleton;
    vec3 other_arm = vec3_sub(turned ? skeleton : surface, other->pivot);
    real gives = cab_rigid_gives(v->rigid + v->slot, v->reach[v->slot], arm, n);
    real bound = v->reach[v->slot].w;
    if (other->slot >= 0) {
        gives += cab_rigid_gives(v->rigid + other->slot, v->reach[other->slot], other_arm, n);
        bound = real_min(bound, v->reach[other->slot].w);
    }
    if (!(gives > 1e-6f * v->reach[v->slot].y) || !(vec3_dot(n, n) > 0)) return;
    int k = cab_finding_place(v, gap);
    if (k < 0) return;
    vec3 carried = none;
    if (target->moves &&
        other->slot < 0) { /* colliders do not look, so the target is the collider, or `surface` lies on it */
        vec3 at = turned ? skeleton : surface;
        at = vec3_sub(at, cab_collider_place(target));
        carried = vec3_add(vec3_make(target->mx, target->my, target->mz),
                           cab_turn(target->rw, vec3_make(target->rx, target->ry, target->rz), at));
        n = cab_rotate(target->rw, vec3_make(target->rx, target->ry, target->rz), n);
    }
    global cab_rigid_contact *c = v->contact + k;
    c->other = number;
    c->feature = feature;
    c->slot = other->slot;
    c->applied = 0;
    vec3_put(c->normal, n);
    c->gap = gap - cab_allowed(gap, v->params->push_out, share, 0);
    c->friction = friction;
    c->mass = 1 / gives;
    c->size = 0.1f * bound;
    vec3_put(c->arm, arm);
    vec3_put(c->round, turned ? none : round);
    vec3_put(c->other_arm, other_arm);
    vec3_put(c->other_round, turned ? round : none);
    vec3_put(c->carried, carried);
    c->lambda = 0;
    c->state = CAB_PRESS_LOOSE;
    c->before = 0;
    vec3_put(c->way, none);
    vec3_put(c->given, none);
}

/* Looks for the skeleton of one shape in the other. from, target: with own points counted from the body's pivot; moving: the collider,
 * which stands for one of them; facing: 0 = there is no normal of both; turned: as above. number, feature: of the contacts, counted on from there */
CAB_INLINE void cab_finding_probe(cab_finding *v, cab_other *other, const cab_collider *from,
                                  const cab_collider *target, const cab_collider *moving,
                                  const cab_facing *facing, int turned, int number, int feature)
{
    vec3 at = vec3_sub(cab_collider_place(from), cab_collider_place(target));
    real friction = real_sqrt(from->friction * target->friction);
    int count = cab_feature_count(from, target->shape);
    for (int k = 0; k < count; k++) {
        cab_feature f = cab_feature_of(from, k);
        vec3 place;
        if (!cab_feature_deepest(&f, vec3_add(at, f.from), target, &v->mesh, from->radius, other->margin,
                                 &place))
            continue;
        cab_outside o = facing
                            ? cab_facing_outside(target, &v->mesh, place,
                                                 vec3_scale(facing->normal, turned ? -1 : 1), other->beside)
                            : cab_shape_outside(target, &v->mesh, place);
        if (!(o.distance - f.radius < other->margin)) continue;
        other->deepest = real_min(other->deepest, o.distance - f.radius);
        cab_finding_add(v, other, moving, vec3_add(place, cab_collider_place(target)), o, f.radius, turned,
                        friction, number, feature + k);
    }
}

/* Contacts of two shapes. own: its number among those of the body; number: the other's as a collider */
CAB_INLINE void cab_finding_pair(cab_finding *v, cab_other *other, int own, const cab_collider *a,
                                 const cab_collider *b, int number)
{
    vec3 centre;
    real bound = cab_shape_bound(a, &centre);
    vec3 at = vec3_add(vec3_sub(cab_collider_place(a), cab_collider_place(b)), centre);
    cab_outside o = cab_shape_outside(b, &v->mesh, at);
    if (!(o.distance < bound + other->margin)) return;
    int only_b = cab_shape_is_round(b->shape) && !cab_shape_is_round(a->shape);
    int only_a =
        (cab_shape_is_round(a->shape) && !cab_shape_is_round(b->shape)) || a->shape == CAB_SHAPE_IS_SPHERE;
    if (a->shape != CAB_SHAPE_IS_SPHERE && b->shape == CAB_SHAPE_IS_SPHERE) only_b = 1;
    int feature = 2 * CAB_RIGID_FEATURES * own, corners = CAB_IS_CONVEX(a) && CAB_IS_CONVEX(b);
    cab_facing facing;
    if (corners) {
        vec3 apart = vec3_sub(cab_collider_place(a), cab_collider_place(b));
        facing = cab_facing_of(a, b, &v->mesh, apart, CAB_RIGID_BESIDE * bound);
        if (!(facing.apart < other->margin)) return;
    }
    const cab_facing *both = corners ? &facing : 0;
    if (!only_b) cab_finding_probe(v, other, a, b, b, both, 0, number, feature);
    if (!only_a) cab_finding_probe(v, other, b, a, b, both, 1, number, feature + CAB_RIGID_FEATURES);
}

/* Contacts of the body with a collider, or with another body, whose number is negative then: -1 - its place in rigid. */
CAB_INLINE void cab_finding_all(cab_finding *v, cab_other *other, int number, int own_colliders)
{
    global const cab_rigid *own = v->rigid + v->slot;
    int shapes = number < 0 ? v->rigid[-1 - number].shape_count : 1;
    float4 reach = v->reach[v->slot];
    other->slot = number < 0 ? -1 - number : -1;
    other->pivot = number < 0 ? cab_finding_between(v, v->slot, other->slot) : vec3_zero();
    other->deepest = 1;
    for (int k = 0; k < shapes; k++) {
        cab_collider b;
        int as_collider = number;
        real slack = reach.w;
        if (number < 0) {
            int shape = v->rigid[other->slot].shape + k;
            b = cab_finding_shape(v, other->slot, shape);
            b.cx += other->pivot.x, b.cy += other->pivot.y, b.cz += other->pivot.z;
            as_collider = own_colliders + shape;
            slack = real_min(slack, v->reach[other->slot].w);
            other->margin = v->reach[other->slot].x;
        } else {
            b = cab_finding_collider(v, number);
            /* its turn moves what is near the body by that of its own point, and by its arm to the body */
            vec3 arm = vec3_sub(vec3_zero(), cab_collider_place(&b));
            other->margin =
                b.moves ? vec3_length(vec3_make(b.mx, b.my, b.mz)) +
                              2 * vec3_length(vec3_make(b.rx, b.ry, b.rz)) * (vec3_length(arm) + reach.w)
                        : 0;
        }
        other->margin += reach.x;
        other->beside = other->margin + CAB_RIGID_BESIDE * slack;
        other->margin += CAB_RIGID_SLACK * slack;
        for (int s = 0; s < own->shape_count; s++) {
            cab_collider a = cab_finding_shape(v, v->slot, own->shape + s);
            cab_finding_pair(v, other, s, &a, &b, as_collider);
        }
    }
}

/* Is this one among those that the body does not touch? */
CAB_INLINE int cab_finding_is_apart(global const int *apart, int number)
{
    int any = 0;
    for (int k = 0; k < CAB_RIGID_APART; k++) any |= apart[k] == number + 1;
    return any;
}

/* The same from now on. */
CAB_INLINE void cab_finding_part(global int *apart, int number)
{
    for (int k = 0; k < CAB_RIGID_APART; k++) {
        if (apart[k] != 0) continue;
        apart[k] = number + 1;
        return;
    }
}

/* What a contact takes over of that of the last substep. */
CAB_INLINE void cab_finding_remember(const cab_finding *v, global const cab_rigid_pressed *pressed)
{
    real h = v->params->h;
    for (int k = 0; k < v->count; k++) {
        global cab_rigid_contact *c = v->contact + k;
        for (int j = 0; j < CAB_RIGID_CONTACTS; j++) {
            if (pressed[j].other != c->other || pressed[j].feature != c->feature) continue;
            c->before = pressed[j].force * h * h;
            vec3_put(c->way, vec3_scale(vec3_at(pressed[j].slip), h));
        }
    }
}

/* The contacts of a body in this substep. Flag: CAB_RIGID_CONTACT_START */
CAB_BLOCK_KERNEL(rigid_contact_find, global const cab_params *params, global cab_rigid_contact *rigid_contact,
                 global int *rigid_contact_count, global int *rigid_bumped, global int *rigid_apart,
                 global const cab_rigid_pressed *rigid_pressed, global const int *rigid_near,
                 global const int *rigid_wall, global const float4 *rigid_reach,
                 global const cab_rigid *rigid, global const cab_rigid_member *rigid_member,
                 global const float4 *rigid_rotation, global const float4 *rigid_turn,
                 global const cab_collider *rigid_shape, global const cab_collider *collider,
                 global const float4 *position, global const float4 *residual, global const int *order,
                 global const cab_mesh_node *mesh_node, global const cab_triangle *mesh_triangle)
{
    CAB_ITEM(i);
    cab_rigid own = rigid[i];
    cab_meshes mesh = {mesh_node, mesh_triangle, 0, 0};
    cab_finding v = {params,
                     rigid,
                     rigid_member,
                     rigid_rotation,
                     rigid_turn,
                     rigid_reach,
                     position,
                     residual,
                     rigid_shape,
                     collider,
                     rigid_contact + CAB_RIGID_CONTACTS * i,
                     mesh,
                     i,
                     0};
    global int *apart = rigid_apart + CAB_RIGID_APART * own.body;
    int colliders = params->collider_count - params->rigid_shape_count, walls = rigid_wall[own.body];
    int candidates = rigid_wall[own.body + 1] - walls;
    rigid_contact_count[i] = rigid_bumped[i] = 0;
    if (order[own.component] == CAB_ORDER_ASLEEP) return;
    for (int k = 0; k < candidates + CAB_RIGID_MATES; k++) {
        int mate = k - candidates, before = v.count;
        int slot = mate < 0 ? -1 : rigid_near[CAB_RIGID_MATES * i + mate] - 1;
        int number = mate < 0 ? rigid_wall[walls + k] : -1 - slot, called = mate < 0 ? number : 0;
        cab_other other;
        if (mate >= 0 && slot < 0) break;
        if (mate >= 0) called = colliders + rigid[slot].shape;
        if (cab_finding_is_apart(apart, called)) continue;
        cab_finding_all(&v, &other, number, colliders);
        real least = rigid_reach[i].w;
        if (mate >= 0) least = real_min(least, rigid_reach[slot].w);
        if (argument & CAB_RIGID_CONTACT_START && other.deepest < -CAB_RIGID_OVERLAPS * least) {
            cab_finding_part(apart, called);
            v.count = before;
        }
    }
    cab_finding_remember(&v, rigid_pressed + CAB_RIGID_CONTACTS * own.body);
    rigid_contact_count[i] = v.count;
    rigid_bumped[i] = v.count > 0 ? CAB_BUMPED_NEAR : 0;
}
