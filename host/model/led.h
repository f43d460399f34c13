/* Bodies that are led: fixed, along keyframes or as the user says. They are no unknowns: what ends on one is a held particle whose target
 * follows it, and its shapes are colliders that move. Here a body's pose is that of its own axes in space: where their origin is, and how
 * they are turned. */
#ifndef CAB_MODEL_LED_H
#define CAB_MODEL_LED_H

#include "model/model.h"
#include "model/rigid.h"

/* The led body that a collider is a shape of; -1 = none. */
static inline int cab_led_of_collider(const cab_model *model, int collider)
{
    int rigid = model->collider[collider].rigid;
    return rigid < 0 ? -1 - rigid : -1;
}

/* Where keyframes have a body at time t, s; without any where it starts. */
cab_pose cab_led_pose(const cab_model *model, int body, double t);

/* A point of the body's own axes in space, and back. */
cab_vec3 cab_led_place(const cab_pose *pose, cab_vec3 point);
cab_vec3 cab_led_point(const cab_pose *pose, cab_vec3 place);

/* The pose of a collider at time t, s, as keyframes give it: its own, or those of the body whose shape it is. */
cab_pose cab_model_collider_pose(const cab_model *model, int collider, double t);
/* The same of a shape of a led body that has this pose. */
cab_pose cab_led_shape(const cab_model *model, int body, int collider, const cab_pose *pose);

/* The direction that a clamp on it holds, in its own axes. */
cab_vec3 cab_led_direction(const cab_model *model, const cab_model_attachment *a);

/* Notes where on its body an attachment holds; it is at a->place in space where it is not told. */
void cab_led_hold(const cab_model *model, cab_model_attachment *a);

#endif
