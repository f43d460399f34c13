/* How particles move at the start: all of a body alike, or each as a cable's rows or its pose some time before tell. */
#include "model/expand.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/vec3.h"
#include "model/limits.h"

static bool moves_in_parts(const cab_cable_def *def)
{
    return def->motion.velocities || def->motion.along || def->motion.path;
}

_Static_assert(sizeof(cab_velocity_row) == sizeof(cab_keyframe) &&
                   offsetof(cab_velocity_row, velocity) == offsetof(cab_keyframe, position),
               "rows along a cable are read as keyframes are");

/* Of one cable's nodes; `then` is where it was, where it has an earlier path. Nodes on a drum move as the end that is out. */
static void fill(const cab_cable_def *def, const cab_sampled *s, const cab_arc_table *then,
                 cab_vec3 *velocity)
{
    const cab_start_motion_def *motion = &def->motion;
    int last = s->segments - s->stored;
    double length = cab_arc_table_length(s->table), before = then ? cab_arc_table_length(then) : 0;
    for (int i = 0; i <= s->segments; i++) {
        int row = i - s->before;
        double at = fmin(fmax(s->fraction[i], 0), 1);
        if (motion->velocities) {
            velocity[i] = motion->velocities[row < 0 ? 0 : row > last ? last : row];
        } else if (motion->along) {
            velocity[i] = cab_keyframes_at((const cab_keyframe *)motion->along, motion->along_count, at);
        } else {
            cab_vec3 way = cab_vec3_sub(cab_arc_table_point(s->table, at * length),
                                        cab_arc_table_point(then, at * before));
            velocity[i] = cab_vec3_scale(1 / motion->before, way);
        }
    }
}

/* Of all copies of a cable of the scene. */
static cab_status fill_cable(cab_model *model, int index, const cab_sampled *s, cab_error *error)
{
    const cab_scene *scene = model->scene;
    const cab_cable_def *def = &scene->cables[index];
    const cab_start_motion_def *motion = &def->motion;
    int rows = s->segments - s->stored + 1;
    if (motion->velocities && motion->velocity_count != rows)
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: /cables/%d/velocity: expected %d rows, one for each particle of %d segments, got %d",
            scene->source, index, rows, rows - 1, motion->velocity_count);
    cab_arc_table *then = NULL;
    if (motion->path) {
        then = cab_arc_table_create(motion->path, motion->path_count, def->curve, error);
        if (!then && error && error->status == CAB_ERROR_MEMORY) return CAB_ERROR_MEMORY;
        if (!then)
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /cables/%d/velocity/path: expected a path with a length", scene->source,
                            index);
    }
    cab_vec3 *first = &model->start_velocity[model->bodies[s->first_body].first_node];
    size_t nodes = (size_t)s->segments + 1;
    fill(def, s, then, first);
    cab_arc_table_destroy(then);
    for (size_t i = 0; i < nodes; i++) {
        if (cab_vec3_length(first[i]) <= CAB_LIMIT_COORDINATE.max * sqrt(3)) continue;
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /cables/%d/velocity/before: expected velocities up to %g m/s, got %.3g",
                        scene->source, index, CAB_LIMIT_COORDINATE.max, cab_vec3_length(first[i]));
    }
    for (int copy = 1; copy < cab_copy_count(def); copy++)
        memcpy(first + (size_t)copy * nodes, first, nodes * sizeof *first);
    return CAB_OK;
}

cab_status cab_expand_start_velocities(cab_model *model, const cab_sampled *sampled, cab_error *error)
{
    const cab_scene *scene = model->scene;
    bool any = false;
    for (int i = 0; i < scene->cable_count; i++) any = any || moves_in_parts(&scene->cables[i]);
    if (!any) return CAB_OK;
    cab_vec3 *velocity;
    cab_status status = CAB_NEW(velocity, model->node_count, error);
    if (status != CAB_OK) return status;
    model->start_velocity = velocity;
    for (int b = 0; b < model->body_count; b++) {
        const cab_body *body = &model->bodies[b];
        for (int i = 0; i < body->node_count; i++) velocity[body->first_node + i] = body->velocity;
    }
    for (int i = 0; i < scene->cable_count && status == CAB_OK; i++)
        if (moves_in_parts(&scene->cables[i])) status = fill_cable(model, i, &sampled[i], error);
    return status;
}

cab_vec3 cab_model_start_velocity(const cab_model *model, int body, int node)
{
    return model->start_velocity ? model->start_velocity[node] : model->bodies[body].velocity;
}

double cab_model_start_speed(const cab_model *model)
{
    double speed = 0;
    for (int b = 0; b < model->body_count && !model->start_velocity; b++)
        speed = fmax(speed, cab_vec3_length(model->bodies[b].velocity));
    for (int i = 0; i < model->node_count && model->start_velocity; i++)
        speed = fmax(speed, cab_vec3_length(model->start_velocity[i]));
    return speed;
}
