/* Which rigid bodies may come near each other in the coming substep. Who is among them decides the order in which junctions are eliminated,
 * and with that the last bits; so it is a part of states. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"
#include "constraint/rigid_contact.h"
#include "kernels/rigid_contact_types.h"
#include "model/rigid.h"

#define ROOM 0.25  /* of the reach of both: further out bodies are listed, so that lists live for some time */
#define FASTER 2.0 /* what is hit may be so much faster in the substep than it is before */

cab_status cab_mates_start(const cab_model *model, cab_mates *mates, cab_error *error)
{
    size_t count = (size_t)model->rigid_count;
    cab_status status = CAB_NEW(mates->of, CAB_RIGID_MATES * count, error);
    if (status == CAB_OK) status = CAB_NEW(mates->reach, count, error);
    for (int i = 0; status == CAB_OK && i < model->rigid_count; i++)
        mates->reach[i] = cab_rigid_collides(model, &model->rigid[i])
                              ? cab_rigid_extent(model, &model->rigid[i], model->rigid[i].center)
                              : -1;
    return status;
}

void cab_mates_free(cab_mates *mates)
{
    CAB_FREE(mates->of, mates->reach);
}

/* A body along x, where it may be in the substep. */
typedef struct cab_spot {
    cab_vec3 center;
    double radius, room; /* of what it sweeps; and with room, m */
    int body;
} cab_spot;

static int by_start(const void *x, const void *y)
{
    const cab_spot *a = x, *b = y;
    double left = a->center.x - a->radius - a->room, right = b->center.x - b->radius - b->room;
    if (left != right) return left < right ? -1 : 1;
    return a->body - b->body;
}

static cab_vec3 of_float4(float4 v)
{
    return (cab_vec3){(double)v.x, (double)v.y, (double)v.z};
}

static cab_spot spot_of(const cab_model *m, const cab_mates *mates, int body, const float4 *place,
                        const float4 *velocity, double h)
{
    const cab_vec3 none = {0, 0, 0};
    cab_spot spot = {none, mates->reach[body], 0, body};
    double fastest = 0;
    for (int k = 0; k < CAB_RIGID_POINTS; k++) {
        int at = CAB_RIGID_POINTS * body + k;
        spot.center = cab_vec3_add_scaled(spot.center, 1.0 / CAB_RIGID_POINTS, of_float4(place[at]));
        fastest = fmax(fastest, cab_vec3_length(of_float4(velocity[at])));
    }
    double step = h * (fastest + h * cab_vec3_length(m->settings.gravity));
    double way = FASTER * step * fmax(1, m->rigid_reach);
    spot.radius += way + CAB_RIGID_SLACK * mates->reach[body];
    spot.room = ROOM * mates->reach[body] + 4 * way;
    return spot;
}

static bool is_listed(const int *list, int body)
{
    for (int k = 0; k < CAB_RIGID_MATES; k++)
        if (list[k] == body + 1) return true;
    return false;
}

static void list(int *to, int body)
{
    for (int k = 0; k < CAB_RIGID_MATES; k++) {
        if (to[k] != 0) continue;
        to[k] = body + 1;
        return;
    }
}

/* Goes through all pairs whose balls meet, with or without room. fill: lists them; else returns whether one is not there. The
 * smaller one of two looks for the other: many small ones may lie in a large one. */
static bool go_through(const cab_model *m, cab_mates *mates, const cab_spot *spot, int count, bool fill)
{
    bool missing = false;
    for (int i = 0; i < count; i++) {
        double end = spot[i].center.x + spot[i].radius + spot[i].room;
        for (int k = i + 1; k < count; k++) {
            const cab_spot *a = &spot[i], *b = &spot[k];
            if (b->center.x - b->radius - b->room > end) break;
            double reach = a->radius + b->radius + (fill ? a->room + b->room : 0);
            if (cab_vec3_distance(a->center, b->center) >= reach) continue;
            if (cab_rigid_def(m, &m->rigid[a->body])->group != cab_rigid_def(m, &m->rigid[b->body])->group)
                continue;
            double x = mates->reach[a->body], y = mates->reach[b->body];
            bool first = x < y || (x == y && a->body > b->body);
            int own = first ? a->body : b->body, other = first ? b->body : a->body;
            int *of = mates->of + (size_t)CAB_RIGID_MATES * (size_t)own;
            missing = missing || !is_listed(of, other);
            if (fill) list(of, other);
        }
    }
    return missing;
}

cab_status cab_mates_update(const cab_model *model, cab_mates *mates, const float4 *place,
                            const float4 *velocity, double h, bool *changed, cab_error *error)
{
    cab_spot *spot;
    int count = 0;
    cab_status status = CAB_NEW(spot, model->rigid_count, error);
    *changed = false;
    if (status != CAB_OK) return status;
    for (int i = 0; i < model->rigid_count; i++)
        if (mates->reach[i] >= 0) spot[count++] = spot_of(model, mates, i, place, velocity, h);
    qsort(spot, (size_t)count, sizeof *spot, by_start);
    if (go_through(model, mates, spot, count, false)) {
        *changed = true;
        for (int k = 0; k < CAB_RIGID_MATES * model->rigid_count; k++) mates->of[k] = 0;
        go_through(model, mates, spot, count, true);
    }
    free(spot);
    return CAB_OK;
}

cab_status cab_mates_list(cab_model *model, const cab_mates *mates, cab_error *error)
{
    int room = CAB_RIGID_MATES * model->rigid_count, count = 0;
    for (int k = 0; k < room; k++) count += mates->of[k] != 0;
    CAB_FREE(model->rigid_mate);
    model->rigid_mate_count = 0;
    cab_status status = CAB_NEW(model->rigid_mate, count, error);
    for (int k = 0; status == CAB_OK && k < room; k++) {
        if (mates->of[k] == 0) continue;
        int *pair = model->rigid_mate[model->rigid_mate_count++];
        pair[0] = k / CAB_RIGID_MATES;
        pair[1] = mates->of[k] - 1;
    }
    return status;
}
