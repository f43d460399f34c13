/* Colliders that move: poses along keyframes, and what a pose makes of a collider. */
#ifndef CAB_POSE_H
#define CAB_POSE_H

#include <stdbool.h>

#include <clcable/scene.h>

#include "kernels/types.h"

/* Is it along an axis, `from` and `to`? */
static inline bool cab_shape_has_axis(cab_shape shape)
{
    return shape == CAB_SHAPE_CAPSULE || shape == CAB_SHAPE_CYLINDER || shape == CAB_SHAPE_SHEAVE;
}

/* The pose that keyframes give at time t, s; none: where it is defined. The rotation is a unit quaternion. */
cab_pose cab_pose_along(const cab_pose_keyframe *keyframes, int count, double t);
/* The same of a collider. */
cab_pose cab_pose_at(const cab_collider_def *def, double t);

/* From a (s = 0) to b (1): straight, and turning the shorter way at one rate. */
cab_pose cab_pose_mix(const cab_pose *a, const cab_pose *b, double s);

/* The same with a rotation of length 1. */
cab_pose cab_pose_unit(const cab_pose *pose);

/* Fills where the collider is and how it has moved there from `before`, for the device. */
void cab_pose_place(const cab_collider_def *def, const cab_pose *before, const cab_pose *now,
                    cab_collider *out);

/* A place as seen from the collider, and back. */
cab_vec3 cab_pose_to_collider(const cab_collider_def *def, const cab_pose *pose, cab_vec3 place);
cab_vec3 cab_pose_from_collider(const cab_collider_def *def, const cab_pose *pose, cab_vec3 point);

/* How far a point of the collider up to `extent` m from its own point moves at most, m. */
double cab_pose_moved(const cab_pose *before, const cab_pose *now, double extent);

/* Does it turn a direction? */
bool cab_pose_tilts(const cab_pose *pose, cab_vec3 direction);
/* Is it the same rotation? */
bool cab_pose_turns(const cab_pose *before, const cab_pose *now);

#endif
