#include "model/sockets.h"

#include <stdio.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "model/expand.h"
#include "model/rigid.h"

void cab_socket_name(const cab_model *model, int socket, char *name, size_t size)
{
    const cab_model_socket *s = &model->socket[socket];
    const char *own = cab_socket_def_of(model, socket)->name;
    if (s->copies > 1)
        snprintf(name, size, "%s[%d]", own, s->copy);
    else
        snprintf(name, size, "%s", own);
}

/* Where one side is at the start. shift: of one in space */
static void place_side(const cab_model *m, const cab_socket_side *side, cab_model_socket *s, int which,
                       cab_vec3 shift)
{
    const cab_rigid_body *body = s->body[which] >= 0 ? &m->rigid[s->body[which]] : NULL;
    cab_vec3 axis = cab_vec3_unit(side->axis), up = cab_socket_up(side);
    s->point[which] = body ? cab_rigid_point(m, body, side->point) : cab_vec3_add(side->point, shift);
    s->axis[which] = body ? cab_rigid_direction(body, axis) : axis;
    s->up[which] = body ? cab_rigid_direction(body, up) : up;
}

/* How far a copy of the plug's body is from the first one. */
static cab_vec3 shift_of(const cab_model *m, int body, int first)
{
    cab_vec3 none = {0, 0, 0};
    return cab_vec3_sub(cab_rigid_point(m, &m->rigid[body], none),
                        cab_rigid_point(m, &m->rigid[first], none));
}

static cab_status refuse(const cab_scene *scene, int index, const char *key, const char *expected,
                         cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%s: /sockets/%d/%s: expected %s", scene->source, index, key,
                    expected);
}

static cab_status expand(cab_model *m, int index, cab_error *error)
{
    const cab_socket_def *def = &m->scene->sockets[index];
    char pointer[2][64];
    int first[2] = {-1, -1}, count[2] = {1, 1};
    snprintf(pointer[0], sizeof pointer[0], "/sockets/%d/plug/body", index);
    snprintf(pointer[1], sizeof pointer[1], "/sockets/%d/to/body", index);
    cab_status status = cab_rigid_find(m, pointer[0], def->plug.body, &first[0], &count[0], error);
    if (status == CAB_OK && def->to.body)
        status = cab_rigid_find(m, pointer[1], def->to.body, &first[1], &count[1], error);
    if (status == CAB_OK && def->to.body && count[0] != count[1])
        status = refuse(m->scene, index, "to/body", "a body with as many copies as the plug's", error);
    if (status == CAB_OK) status = CAB_RESIZE(m->socket, m->socket_count + count[0], error);
    for (int k = 0; status == CAB_OK && k < count[0]; k++) {
        cab_model_socket *s = &m->socket[m->socket_count++];
        *s = (cab_model_socket){.scene_socket = index,
                                .copy = k,
                                .copies = count[0],
                                .body = {first[0] + k, first[1] < 0 ? -1 : first[1] + k}};
        if (s->body[0] == s->body[1])
            return refuse(m->scene, index, "to/body", "another body than the plug", error);
        if (!cab_socket_moves(m, s->body[0]) && !cab_socket_moves(m, s->body[1]))
            return refuse(m->scene, index, "plug/body", "a body that forces move, or a socket on one", error);
        place_side(m, &def->plug, s, 0, (cab_vec3){0, 0, 0});
        place_side(m, &def->to, s, 1, shift_of(m, first[0] + k, first[0]));
    }
    return status;
}

cab_status cab_expand_sockets(cab_model *model, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < model->scene->socket_count; i++) status = expand(model, i, error);
    return status;
}
