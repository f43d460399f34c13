/* Sockets of the scene in the model: one for each copy of its bodies. */
#ifndef CAB_MODEL_SOCKETS_H
#define CAB_MODEL_SOCKETS_H

#include <math.h>

#include "base/vec3.h"
#include "model/model.h"
#include "model/scene.h"

/* The unit vector across the axis by which a side sees how the plug is rolled, in the side's axes; 0 where `up` is along the axis. */
static inline cab_vec3 cab_socket_up(const cab_socket_side *side)
{
    cab_vec3 axis = cab_vec3_unit(side->axis), up = side->up;
    if (cab_vec3_length(up) == 0) up = fabs(axis.z) > sqrt(0.5) ? (cab_vec3){1, 0, 0} : (cab_vec3){0, 0, 1};
    cab_vec3 across = cab_vec3_reject(cab_vec3_unit(up), axis);
    return cab_vec3_length(across) > 1e-6 ? cab_vec3_unit(across) : (cab_vec3){0, 0, 0};
}

static inline const cab_socket_def *cab_socket_def_of(const cab_model *model, int socket)
{
    return &model->scene->sockets[model->socket[socket].scene_socket];
}

/* "X1", or "X1[i]" of several copies. */
void cab_socket_name(const cab_model *model, int socket, char *name, size_t size);

/* Is a body moved by forces? */
static inline bool cab_socket_moves(const cab_model *model, int body)
{
    return body >= 0 && body < model->rigid_count;
}

#endif
