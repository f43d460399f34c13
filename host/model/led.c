#include "model/led.h"

#include "base/quaternion.h"
#include "base/vec3.h"
#include "model/pose.h"

static cab_quaternion turn_of(const cab_pose *pose)
{
    return cab_quaternion_unit(pose->rotation);
}

cab_pose cab_led_pose(const cab_model *model, int body, double t)
{
    const cab_rigid_body *b = &model->rigid[body];
    const cab_body_def *def = cab_rigid_def(model, b);
    cab_pose pose = cab_pose_along(def->keyframes, def->keyframe_count, t);
    cab_quaternion turn = cab_quaternion_times(turn_of(&pose), cab_quaternion_unit(b->rotation));
    pose.position = cab_vec3_add(pose.position, cab_rigid_point(model, b, (cab_vec3){0, 0, 0}));
    cab_quaternion_store(turn, pose.rotation);
    return pose;
}

cab_vec3 cab_led_place(const cab_pose *pose, cab_vec3 point)
{
    return cab_vec3_add(pose->position, cab_quaternion_rotate(turn_of(pose), point));
}

cab_vec3 cab_led_point(const cab_pose *pose, cab_vec3 place)
{
    return cab_quaternion_rotate(cab_quaternion_inverse(turn_of(pose)), cab_vec3_sub(place, pose->position));
}

cab_pose cab_led_shape(const cab_model *model, int body, int collider, const cab_pose *pose)
{
    const cab_rigid_body *b = &model->rigid[body];
    const cab_body_shape_def *shape = &cab_rigid_def(model, b)->shapes[collider - b->collider];
    cab_quaternion start = cab_quaternion_unit(b->rotation);
    cab_pose out;
    out.position = cab_vec3_sub(cab_led_place(pose, shape->center), cab_rigid_point(model, b, shape->center));
    cab_quaternion_store(cab_quaternion_times(turn_of(pose), cab_quaternion_inverse(start)), out.rotation);
    return out;
}

cab_pose cab_model_collider_pose(const cab_model *model, int collider, double t)
{
    int body = cab_led_of_collider(model, collider);
    if (body < 0) return cab_pose_at(&model->scene->colliders[collider], t);
    cab_pose pose = cab_led_pose(model, body, t);
    return cab_led_shape(model, body, collider, &pose);
}

cab_vec3 cab_led_direction(const cab_model *model, const cab_model_attachment *a)
{
    cab_pose start = cab_led_pose(model, a->led, 0);
    return cab_quaternion_rotate(cab_quaternion_inverse(turn_of(&start)), a->direction);
}

void cab_led_hold(const cab_model *model, cab_model_attachment *a)
{
    const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
    cab_pose pose = cab_led_pose(model, a->led, 0);
    a->on_body = def->at_point ? def->point : cab_led_point(&pose, a->place);
}
