#include "envelope/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"
#include "contact/clearance.h"
#include "model/model.h"
#include "model/scene.h"
#include "world/world.h"

#define MOST_BLOCKS 131072 /* 256 MiB of distances */
#define FEW_BLOCKS 16384   /* where no cell was asked for: about what a million triangles go through */
#define FINEST (1. / 3)    /* of the least radius: a cell */
#define SHARE 0.4  /* of the points of those: what the cables as drawn may take, about as many triangles */
#define FILLED 0.3 /* of the points of blocks that a cable goes through are near it, about */
#define GROWTH 1.1 /* of a cell, until it is large enough */
#define DEEP (1. / 16) /* in cells: notches between capsules on the way of one, at most */
#define STILL 1e-3     /* in cells: what has moved less is left where it was */

cab_envelope cab_envelope_of(double cell)
{
    return (cab_envelope){.cell = cell,
                          .most = cell > 0 ? MOST_BLOCKS : FEW_BLOCKS,
                          .nearest = {.clearance = {.distance = INFINITY, .other = -1}}};
}

void cab_envelope_free(cab_envelope *envelope)
{
    cab_distances_free(&envelope->field);
}

double cab_envelope_room(const cab_envelope *envelope)
{
    return (double)envelope->most * CAB_DISTANCES_POINTS * sizeof(float) / (1024.0 * 1024.0);
}

/* ---- the cell ---- */

static cab_line line_of(const double *position, const cab_edge *e)
{
    const double *a = position + 3 * (size_t)e->a, *b = position + 3 * (size_t)e->b;
    return (cab_line){{a[0], a[1], a[2]}, {b[0] - a[0], b[1] - a[1], b[2] - a[2]}};
}

/* Points of a grid with this cell that are near the cables of the first group: variants lie in the same place. */
static double points_for(const cab_motion *motion, const cab_model *m, double cell)
{
    double volume = 0;
    for (int i = 0; i < motion->segments; i++) {
        if (m->bodies[m->edge[i].body].group != m->bodies[m->edge[0].body].group) continue;
        cab_line axis = line_of(motion->position, &m->edge[i]);
        double reach =
            fmax((double)m->segment[i].radius, CAB_DISTANCES_THIN * cell) + CAB_DISTANCES_BAND * cell;
        volume += acos(-1) * reach * reach * cab_vec3_length(axis.span);
    }
    return volume / (cell * cell * cell);
}

static double cell_within(const cab_motion *motion, const cab_model *m, double cell, double points)
{
    while (points_for(motion, m, cell) > points) cell *= GROWTH;
    return cell;
}

/* To three digits: radii come from floats. */
static double rounded(double cell)
{
    double unit = pow(10, floor(log10(cell)) - 2);
    return round(cell / unit) * unit;
}

static cab_status choose_cell(const cab_motion *motion, const cab_model *m, cab_envelope *envelope,
                              cab_error *error)
{
    double block = FILLED * CAB_DISTANCES_POINTS, few = SHARE * FEW_BLOCKS * block, least = INFINITY;
    for (int i = 0; i < motion->segments; i++) least = fmin(least, (double)m->segment[i].radius);
    double cell = envelope->cell;
    if (!(cell > 0))
        cell = rounded(cell_within(motion, m, FINEST * least, few));
    else if (points_for(motion, m, cell) > envelope->most * block)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "envelope: cells of %g m take more than %.0f MiB for the cables as they are drawn; "
                        "expected at least %.2g m",
                        cell, cab_envelope_room(envelope), cell_within(motion, m, cell, few));
    envelope->field = cab_distances_of(cell, envelope->most);
    return CAB_OK;
}

static int count_segments(const cab_model *m)
{
    int count = 0;
    while (count < m->segment_count && m->edge[count].body < m->cable_count) count++;
    return count;
}

cab_status cab_motion_begin(cab_motion *motion, cab_envelope *envelope, cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    *motion = (cab_motion){.segments = count_segments(m), .nearest = cab_envelope_of(0).nearest};
    if (motion->segments == 0)
        return cab_fail(error, CAB_ERROR_INPUT, "envelope: expected a scene with cables");
    cab_status status = CAB_NEW(motion->position, 3 * m->node_count, error);
    if (!status) status = CAB_NEW(motion->taken, motion->segments, error);
    if (!status) status = cab_world_read(world, motion->position, NULL, NULL, error);
    if (!status && !(envelope->field.cell > 0)) status = choose_cell(motion, m, envelope, error);
    motion->field = cab_distances_of(envelope->field.cell, envelope->most);
    return status;
}

/* ---- a frame ---- */

typedef struct frame {
    cab_motion *motion;
    const cab_model *model;
    cab_surroundings *around;
    double time;
} frame;

static void look_around(const frame *f, int segment, const cab_line *axis, bool moving)
{
    cab_envelope_nearest *n = &f->motion->nearest;
    double before = n->clearance.distance;
    for (int i = 0; i < f->model->own_collider_count; i++)
        if ((f->model->scene->colliders[i].keyframe_count > 0) == moving)
            cab_surroundings_approach(f->around, i, segment, axis, INFINITY, &n->clearance);
    if (!(n->clearance.distance < before)) return;
    int body = f->model->edge[segment].body;
    cab_model_body_name(f->model, body, n->cable, sizeof n->cable);
    n->group = f->model->bodies[body].group;
    const char *collider = f->model->scene->colliders[n->clearance.other].name;
    snprintf(n->collider, sizeof n->collider, "%s", collider ? collider : "");
    n->time = f->time;
}

static cab_status add_at(const frame *f, int segment, const cab_line *axis, cab_error *error)
{
    look_around(f, segment, axis, false);
    return cab_distances_add(&f->motion->field, axis, (double)f->model->segment[segment].radius, error);
}

/* A capsule that goes sideways in steps of h leaves notches h^2 / 8 r deep between two of its places. */
static int steps_for(const cab_motion *motion, double moved, double radius)
{
    double cell = motion->field.cell, thick = fmax(radius, CAB_DISTANCES_THIN * cell);
    return (int)fmin(ceil(moved / sqrt(8 * DEEP * cell * thick)), 1e9);
}

static cab_status add_way(const frame *f, int segment, const cab_line *to, cab_error *error)
{
    cab_vec3 *taken = f->motion->taken[segment], end = cab_line_point(to, 1);
    cab_vec3 by[2] = {cab_vec3_sub(to->from, taken[0]), cab_vec3_sub(end, taken[1])};
    double moved = fmax(cab_vec3_length(by[0]), cab_vec3_length(by[1]));
    if (moved < STILL * f->motion->field.cell) return CAB_OK;
    int steps = steps_for(f->motion, moved, (double)f->model->segment[segment].radius);
    cab_status status = CAB_OK;
    for (int i = 1; i <= steps && !status; i++) {
        cab_vec3 a = cab_vec3_add_scaled(taken[0], (double)i / steps, by[0]),
                 b = cab_vec3_add_scaled(taken[1], (double)i / steps, by[1]);
        cab_line between = {a, cab_vec3_sub(b, a)};
        status = add_at(f, segment, i < steps ? &between : to, error);
    }
    taken[0] = to->from;
    taken[1] = end;
    return status;
}

cab_status cab_motion_add(cab_motion *motion, cab_world *world, const bool *without, cab_error *error)
{
    const cab_model *m = world->model;
    frame f = {.motion = motion, .model = m, .time = cab_world_get_info(world).time};
    cab_status status = cab_world_read(world, motion->position, NULL, NULL, error);
    if (!status) status = cab_surroundings_take(world, &f.around, error);
    for (int i = 0; i < motion->segments && !status; i++) {
        if (without && without[m->bodies[m->edge[i].body].group]) continue;
        cab_line axis = line_of(motion->position, &m->edge[i]);
        look_around(&f, i, &axis, true);
        if (motion->started) {
            status = add_way(&f, i, &axis, error);
            continue;
        }
        motion->taken[i][0] = axis.from;
        motion->taken[i][1] = cab_line_point(&axis, 1);
        status = add_at(&f, i, &axis, error);
    }
    cab_surroundings_free(f.around);
    motion->started = true;
    return status;
}

/* ---- the whole ---- */

cab_status cab_motion_join(cab_motion *motion, cab_envelope *envelope, int sources, cab_error *error)
{
    if (motion->nearest.clearance.distance < envelope->nearest.clearance.distance)
        envelope->nearest = motion->nearest;
    envelope->sources += sources;
    return cab_distances_join(&envelope->field, &motion->field, error);
}

void cab_motion_free(cab_motion *motion)
{
    cab_distances_free(&motion->field);
    CAB_FREE(motion->position, motion->taken);
    *motion = (cab_motion){0};
}
