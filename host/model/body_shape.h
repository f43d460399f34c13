/* Shapes of rigid bodies. */
#ifndef CAB_BODY_SHAPE_H
#define CAB_BODY_SHAPE_H

#include <clcable/scene.h>

/* A shape as a collider, in the body's own axes. */
cab_collider_def cab_body_shape_collider(const cab_body_shape_def *shape);

#endif
