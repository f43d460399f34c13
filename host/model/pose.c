#include "model/pose.h"

#include <math.h>

#include "base/rows.h"
#include "base/vec3.h"

#define SAME 1e-12 /* rad; far above the rounding of the same rotation, far below what floats see */

/* w, x, y, z */
typedef struct quaternion {
    double w;
    cab_vec3 v;
} quaternion;

static quaternion unit_of(const double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (quaternion){q[0] / length, {q[1] / length, q[2] / length, q[3] / length}};
}

static quaternion inverse(quaternion q)
{
    return (quaternion){q.w, cab_vec3_scale(-1, q.v)};
}

static quaternion product(quaternion a, quaternion b)
{
    cab_vec3 v = cab_vec3_add(cab_vec3_scale(a.w, b.v), cab_vec3_scale(b.w, a.v));
    return (quaternion){a.w * b.w - cab_vec3_dot(a.v, b.v), cab_vec3_add(v, cab_vec3_cross(a.v, b.v))};
}

static cab_vec3 rotate(quaternion q, cab_vec3 v)
{
    cab_vec3 t = cab_vec3_scale(2, cab_vec3_cross(q.v, v));
    return cab_vec3_add(cab_vec3_add_scaled(v, q.w, t), cab_vec3_cross(q.v, t));
}

static double angle_of(quaternion q)
{
    return 2 * atan2(cab_vec3_length(q.v), fabs(q.w));
}

static void store(quaternion q, double out[4])
{
    out[0] = q.w;
    out[1] = q.v.x;
    out[2] = q.v.y;
    out[3] = q.v.z;
}

/* a (s = 0) to b (1), as the turn between them times s (K. Shoemake, Animating rotation with quaternion
 * curves, 1985). */
static quaternion slerp(quaternion a, quaternion b, double s)
{
    quaternion turn = product(b, inverse(a));
    if (turn.w < 0) turn = (quaternion){-turn.w, cab_vec3_scale(-1, turn.v)};
    double sine = cab_vec3_length(turn.v), half = atan2(sine, turn.w);
    double scale = sine > 0 ? sin(s * half) / sine : 0;
    return product((quaternion){cos(s * half), cab_vec3_scale(scale, turn.v)}, a);
}

cab_pose cab_pose_unit(const cab_pose *pose)
{
    cab_pose out = *pose;
    store(unit_of(pose->rotation), out.rotation);
    return out;
}

cab_pose cab_pose_mix(const cab_pose *a, const cab_pose *b, double s)
{
    cab_pose out;
    out.position = cab_vec3_add_scaled(a->position, s, cab_vec3_sub(b->position, a->position));
    store(slerp(unit_of(a->rotation), unit_of(b->rotation), s), out.rotation);
    return out;
}

cab_pose cab_pose_at(const cab_collider_def *def, double t)
{
    const cab_pose_keyframe *k = def->keyframes;
    int last = def->keyframe_count - 1;
    if (last < 0) return (cab_pose){{0, 0, 0}, {1, 0, 0, 0}};
    int i = cab_row_at(&k->t, CAB_DOUBLES_APART(k), last + 1, t);
    if (i == last || t <= k[0].t) return cab_pose_unit(&k[i == last ? last : 0].pose);
    return cab_pose_mix(&k[i].pose, &k[i + 1].pose, (t - k[i].t) / (k[i + 1].t - k[i].t));
}

void cab_pose_place(const cab_collider_def *def, const cab_pose *before, const cab_pose *now,
                    cab_collider *out)
{
    quaternion turn = unit_of(now->rotation);
    quaternion q = product(turn, unit_of(def->rotation));
    quaternion r = product(turn, inverse(unit_of(before->rotation)));
    cab_vec3 c = cab_vec3_add(def->center, now->position), t = {0, 0, 0};
    cab_vec3 m = cab_vec3_sub(now->position, before->position);
    if (def->shape == CAB_SHAPE_PLANE) t = rotate(turn, cab_vec3_unit(def->normal));
    if (def->shape == CAB_SHAPE_CAPSULE) t = rotate(turn, cab_vec3_sub(def->to, def->center));
    if (def->shape == CAB_SHAPE_BOX) t = def->half_extents;
    out->cx = (float)c.x;
    out->cy = (float)c.y;
    out->cz = (float)c.z;
    out->tx = (float)t.x;
    out->ty = (float)t.y;
    out->tz = (float)t.z;
    out->qw = (float)q.w;
    out->qx = (float)q.v.x;
    out->qy = (float)q.v.y;
    out->qz = (float)q.v.z;
    out->mx = (float)m.x;
    out->my = (float)m.y;
    out->mz = (float)m.z;
    out->rw = (float)r.w;
    out->rx = (float)r.v.x;
    out->ry = (float)r.v.y;
    out->rz = (float)r.v.z;
    out->moves = cab_vec3_length(m) > 0 || cab_pose_turns(before, now);
}

cab_vec3 cab_pose_to_collider(const cab_collider_def *def, const cab_pose *pose, cab_vec3 place)
{
    cab_vec3 from = cab_vec3_sub(place, cab_vec3_add(def->center, pose->position));
    return rotate(inverse(unit_of(pose->rotation)), from);
}

cab_vec3 cab_pose_from_collider(const cab_collider_def *def, const cab_pose *pose, cab_vec3 point)
{
    return cab_vec3_add(cab_vec3_add(def->center, pose->position), rotate(unit_of(pose->rotation), point));
}

double cab_pose_moved(const cab_pose *before, const cab_pose *now, double extent)
{
    quaternion r = product(unit_of(now->rotation), inverse(unit_of(before->rotation)));
    return cab_vec3_distance(before->position, now->position) + angle_of(r) * extent;
}

bool cab_pose_tilts(const cab_pose *pose, cab_vec3 direction)
{
    cab_vec3 n = cab_vec3_unit(direction);
    return cab_vec3_distance(rotate(unit_of(pose->rotation), n), n) > 1e-6;
}

bool cab_pose_turns(const cab_pose *before, const cab_pose *now)
{
    return angle_of(product(unit_of(now->rotation), inverse(unit_of(before->rotation)))) > SAME;
}
