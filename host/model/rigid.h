/* Rigid bodies of the scene in the model: where they are, what they weigh, and the places on them. */
#ifndef CAB_MODEL_RIGID_H
#define CAB_MODEL_RIGID_H

#include "base/quaternion.h"
#include "model/model.h"
#include "model/scene.h"

/* Is it moved by nothing that pulls at it? See model/led.h. */
static inline bool cab_body_is_led(const cab_body_def *def)
{
    return def->motion >= CAB_BODY_FIXED;
}

/* All bodies in model->rigid: those that move as forces move them, then those that are led. */
static inline int cab_model_all_rigid(const cab_model *model)
{
    return model->rigid_count + model->led_count;
}

static inline const cab_body_def *cab_rigid_def(const cab_model *model, const cab_rigid_body *body)
{
    return &model->scene->bodies[body->scene_body];
}

/* "b", or one copy "b[0,1,0]". The bodies first ... first + count - 1 are called so; `pointer`: where the name stands. */
cab_status cab_rigid_find(const cab_model *model, const char *pointer, const char *name, int *first,
                          int *count, cab_error *error);
/* The place in cab_model.rigid of a body that is told as number `told`; -1 = there is none. */
int cab_rigid_told(const cab_model *model, int told);
void cab_rigid_name(const cab_model *model, int body, char *name, size_t size);

/* "/colliders/3", or "/bodies/0/shapes/1" of a shape of a body: where a scene file has it. */
cab_pointer cab_collider_pointer(const cab_model *model, int collider);

/* Where a point of the body's own axes is at the start, m. */
cab_vec3 cab_rigid_point(const cab_model *model, const cab_rigid_body *body, cab_vec3 point);
/* A vector of the body's own axes in those of space at the start. */
cab_vec3 cab_rigid_direction(const cab_rigid_body *body, cab_vec3 v);
/* And a place of space in the body's own axes. */
cab_vec3 cab_rigid_seen(const cab_model *model, const cab_rigid_body *body, cab_vec3 place);
/* The radius of a ball about a place that has all shapes of the body in it at the start, m. */
double cab_rigid_extent(const cab_model *model, const cab_rigid_body *body, cab_vec3 about);
/* The velocity at the start of what is at `place`, m/s. */
cab_vec3 cab_rigid_velocity(const cab_model *model, const cab_rigid_body *body, cab_vec3 place);

/* Does it hold a direction on a body that forces move, and has not let go? */
static inline bool cab_rigid_is_clamp(const cab_model_attachment *attachment)
{
    return attachment->rigid >= 0 && attachment->clamp_count > 0 && !attachment->broken;
}

/* A row of the buffer rigid_rotation: how a body has turned since the start. */
static inline cab_quaternion cab_rigid_turned(float4 rotation)
{
    const double turned[4] = {(double)rotation.w, (double)rotation.x, (double)rotation.y, (double)rotation.z};
    return cab_quaternion_unit(turned);
}

/* Second moments and inertia about the pivot at the start, in the axes of space, kg m^2. */
void cab_rigid_moments(const cab_rigid_body *body, double second[3][3], double inertia[3][3]);

/* The body that a particle is a part of: a mass point of it, or attached to it; -1 = none. */
int cab_rigid_of_particle(const cab_model *model, int particle);

/* Does it touch colliders and other bodies? */
static inline bool cab_rigid_collides(const cab_model *model, const cab_rigid_body *body)
{
    return body->shape_count > 0 && cab_rigid_def(model, body)->collide;
}

/* Could any body ever touch a collider, or two each other? */
bool cab_rigid_any_contact(const cab_model *model);

/* By which part of each of its four mass points a place of the body moves, which is at `place` at the start; together 1. */
void cab_rigid_shares(const cab_rigid_body *body, cab_vec3 place, double share[CAB_RIGID_POINTS]);

/* The least mass with which a place of the body resists a force, kg: 1 / (1/m + r^2 sum of 1/I). */
double cab_rigid_resistance(const cab_model *model, const cab_rigid_body *body, cab_vec3 place);

/* How fast a couple about a direction turns it about that, over the couple, 1/(kg m^2); axis: a unit vector */
double cab_rigid_turns_by(const cab_model *model, const cab_rigid_body *body, cab_vec3 axis);

/* By how much heavier what is attached there counts for bending: its own mass and that resistance, over its own. */
double cab_rigid_heavier(const cab_model *model, int particle);

/* The first particle of the cable of a pair in rigid_pair. */
int cab_rigid_pair_particle(const cab_model *model, const int pair[2]);

/* Mass and damping of the mass points, by cab_model_set_parameters. */
void cab_rigid_set_masses(cab_model *model);

#endif
