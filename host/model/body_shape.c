#include "model/body_shape.h"

#include "base/quaternion.h"

cab_collider_def cab_body_shape_collider(const cab_body_shape_def *shape)
{
    static const cab_shape kinds[] = {[CAB_BODY_SPHERE] = CAB_SHAPE_SPHERE,
                                      [CAB_BODY_CAPSULE] = CAB_SHAPE_CAPSULE,
                                      [CAB_BODY_BOX] = CAB_SHAPE_BOX,
                                      [CAB_BODY_CYLINDER] = CAB_SHAPE_CYLINDER,
                                      [CAB_BODY_SHEAVE] = CAB_SHAPE_SHEAVE};
    cab_collider_def def = cab_collider_default();
    def.shape = kinds[shape->kind];
    def.center = shape->center;
    def.to = shape->to;
    def.radius = shape->radius;
    def.half_extents = shape->half_extents;
    def.groove = shape->groove;
    if (shape->kind == CAB_BODY_BOX) cab_quaternion_store(cab_quaternion_unit(shape->rotation), def.rotation);
    return def;
}
