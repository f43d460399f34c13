#include "model/pose.h"

#include <math.h>

#include "base/quaternion.h"
#include "base/rows.h"
#include "base/vec3.h"

#define SAME 1e-12 /* rad; far above the rounding of the same rotation, far below what floats see */

static double angle_of(cab_quaternion q)
{
    return 2 * atan2(cab_vec3_length(q.v), fabs(q.w));
}

/* a (s = 0) to b (1), as the turn between them times s (K. Shoemake, Animating rotation with quaternion
 * curves, 1985). */
static cab_quaternion slerp(cab_quaternion a, cab_quaternion b, double s)
{
    cab_quaternion turn = cab_quaternion_times(b, cab_quaternion_inverse(a));
    if (turn.w < 0) turn = (cab_quaternion){-turn.w, cab_vec3_scale(-1, turn.v)};
    double sine = cab_vec3_length(turn.v), half = atan2(sine, turn.w);
    double scale = sine > 0 ? sin(s * half) / sine : 0;
    return cab_quaternion_times((cab_quaternion){cos(s * half), cab_vec3_scale(scale, turn.v)}, a);
}

cab_pose cab_pose_unit(const cab_pose *pose)
{
    cab_pose out = *pose;
    cab_quaternion_store(cab_quaternion_unit(pose->rotation), out.rotation);
    return out;
}

cab_pose cab_pose_mix(const cab_pose *a, const cab_pose *b, double s)
{
    cab_pose out;
    out.position = cab_vec3_add_scaled(a->position, s, cab_vec3_sub(b->position, a->position));
    cab_quaternion_store(slerp(cab_quaternion_unit(a->rotation), cab_quaternion_unit(b->rotation), s),
                         out.rotation);
    return out;
}

cab_pose cab_pose_along(const cab_pose_keyframe *k, int count, double t)
{
    int last = count - 1;
    if (last < 0) return (cab_pose){{0, 0, 0}, {1, 0, 0, 0}};
    int i = cab_row_at(&k->t, CAB_DOUBLES_APART(k), last + 1, t);
    if (i == last || t <= k[0].t) return cab_pose_unit(&k[i == last ? last : 0].pose);
    return cab_pose_mix(&k[i].pose, &k[i + 1].pose, (t - k[i].t) / (k[i + 1].t - k[i].t));
}

cab_pose cab_pose_at(const cab_collider_def *def, double t)
{
    return cab_pose_along(def->keyframes, def->keyframe_count, t);
}

void cab_pose_place(const cab_collider_def *def, const cab_pose *before, const cab_pose *now,
                    cab_collider *out)
{
    cab_quaternion turn = cab_quaternion_unit(now->rotation);
    cab_quaternion q = cab_quaternion_times(turn, cab_quaternion_unit(def->rotation));
    cab_quaternion r =
        cab_quaternion_times(turn, cab_quaternion_inverse(cab_quaternion_unit(before->rotation)));
    cab_vec3 c = cab_vec3_add(def->center, now->position), t = {0, 0, 0};
    cab_vec3 m = cab_vec3_sub(now->position, before->position);
    if (def->shape == CAB_SHAPE_PLANE) t = cab_quaternion_rotate(turn, cab_vec3_unit(def->normal));
    if (cab_shape_has_axis(def->shape)) t = cab_quaternion_rotate(turn, cab_vec3_sub(def->to, def->center));
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
    return cab_quaternion_rotate(cab_quaternion_inverse(cab_quaternion_unit(pose->rotation)), from);
}

cab_vec3 cab_pose_from_collider(const cab_collider_def *def, const cab_pose *pose, cab_vec3 point)
{
    return cab_vec3_add(cab_vec3_add(def->center, pose->position),
                        cab_quaternion_rotate(cab_quaternion_unit(pose->rotation), point));
}

double cab_pose_moved(const cab_pose *before, const cab_pose *now, double extent)
{
    cab_quaternion r = cab_quaternion_times(cab_quaternion_unit(now->rotation),
                                            cab_quaternion_inverse(cab_quaternion_unit(before->rotation)));
    return cab_vec3_distance(before->position, now->position) + angle_of(r) * extent;
}

bool cab_pose_tilts(const cab_pose *pose, cab_vec3 direction)
{
    cab_vec3 n = cab_vec3_unit(direction);
    return cab_vec3_distance(cab_quaternion_rotate(cab_quaternion_unit(pose->rotation), n), n) > 1e-6;
}

bool cab_pose_turns(const cab_pose *before, const cab_pose *now)
{
    return angle_of(cab_quaternion_times(cab_quaternion_unit(now->rotation),
                                         cab_quaternion_inverse(cab_quaternion_unit(before->rotation)))) >
           SAME;
}
