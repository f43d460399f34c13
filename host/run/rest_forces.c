/* What attachments bear at rest, and which of them let go. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/vec3.h"
#include "constraint/soft.h"
#include "constraint/twist_holds.h"
#include "model/components.h"
#include "model/scene.h"
#include "run/break.h"
#include "run/rest.h"
#include "world/forces.h"
#include "world/loads.h"

/* ---- forces: what keeps a node where it is, against gravity, loads and the constraints of its own cable ---- */

static cab_vec3 of_lengths(const cab_model *m, const cab_breakable *row, const cab_rest_shape *shape)
{
    cab_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        if (row->distance[k] < 0) continue;
        const cab_distance_constraint *d = &m->distance[row->distance[k]];
        cab_vec3 along = cab_vec3_unit(cab_vec3_sub(shape->x[d->b], shape->x[d->a]));
        double pull = shape->tension[row->distance[k]];
        sum = cab_vec3_add_scaled(sum, row->particle == d->b ? -pull : pull, along);
    }
    return sum;
}

static cab_vec3 of_bendings(const cab_model *m, const cab_breakable *row, const cab_rest_shape *shape)
{
    cab_vec3 sum = {0, 0, 0};
    for (int k = 0; k < (int)(sizeof row->bending / sizeof row->bending[0]); k++) {
        if (row->bending[k] < 0) continue;
        const cab_bending_constraint *b = &m->bending[row->bending[k]];
        double g = row->particle == b->a   ? (double)b->ga
                   : row->particle == b->c ? (double)b->gc
                                           : -((double)b->ga + (double)b->gc);
        sum = cab_vec3_add_scaled(sum, g, cab_statics_bend_force(m, row->bending[k], shape->x));
    }
    return sum;
}

static cab_vec3 of_twist(const cab_model *m, const cab_breakable *row, const cab_rest_shape *shape)
{
    cab_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        int link = row->twist[k];
        if (link < 0) continue;
        sum = cab_vec3_add_scaled(sum, m->twist_link[link].b == row->particle ? 1 : -1, shape->twist[link]);
    }
    return sum;
}

static cab_vec3 of_loads(const cab_world *world, int node)
{
    const cab_model *m = world->model;
    cab_vec3 sum = {0, 0, 0};
    for (int i = 0; i < m->placed_load_count; i++)
        if (m->placed_loads[i].node == node)
            sum = cab_vec3_add(sum, cab_loads_now(world, m->placed_loads[i].scene_load));
    return sum;
}

static cab_vec3 borne(const cab_world *world, const cab_watch *w, const cab_breakable *row,
                      const cab_rest_shape *shape)
{
    const cab_model *m = world->model;
    cab_vec3 own = cab_vec3_add(of_lengths(m, row, shape), of_bendings(m, row, shape));
    if (w->couple) return own;
    own = cab_vec3_add(own, of_twist(m, row, shape));
    own = cab_vec3_add(own, of_loads(world, w->node));
    return cab_vec3_scale(-1, cab_vec3_add_scaled(own, m->node_mass[w->node], m->settings.gravity));
}

cab_status cab_rest_forces(cab_world *world, const cab_rest_shape *shape, cab_error *error)
{
    const cab_model *m = world->model;
    cab_force_rows rows = {0};
    cab_status status = world->forces.mean || m->attachment_count == 0
                            ? CAB_OK
                            : CAB_NEW(world->forces.mean, m->attachment_count, error);
    if (status == CAB_OK) status = cab_forces_list(m, true, &rows, error);
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++)
        world->forces.mean[i] = (cab_vec3){0, 0, 0};
    for (int i = 0; status == CAB_OK && i < rows.count; i++) {
        cab_vec3 *sum = &world->forces.mean[rows.watch[i].attachment];
        *sum = cab_vec3_add(*sum, borne(world, &rows.watch[i], &rows.row[i], shape));
    }
    world->forces.at_rest = status == CAB_OK;
    CAB_FREE(rows.row, rows.watch);
    return status;
}

/* ---- what lets go ---- */

/* How many times what it can an attachment bears, or is pulled away. */
static double overload(const cab_world *world, int i, double force, double distance)
{
    const cab_attachment_def *def = cab_model_attachment_def(world->model, i);
    return fmax(force / def->break_force, distance / def->release_distance);
}

/* worst[components]: the attachment that is overloaded most; attachment = -1: none is. */
static void find_worst(const cab_world *world, const cab_components *all, const double *distance,
                       cab_broken *worst, double *most)
{
    const cab_model *m = world->model;
    for (int c = 0; c < all->count; c++) worst[c].attachment = -1, most[c] = 0;
    for (int i = 0; i < m->attachment_count; i++) {
        cab_broken broken;
        int c = all->of[m->node_particle[m->attachments[i].node]];
        double force = cab_vec3_length(world->forces.mean[i]), much = overload(world, i, force, distance[i]);
        if (!cab_break_is_due(world, i, force, distance[i], &broken) || !(much > most[c])) continue;
        most[c] = much;
        worst[c] = broken;
    }
}

static cab_status break_all(cab_world *world, const cab_broken *worst, int count, int *done, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int c = 0; c < count && status == CAB_OK; c++) {
        if (worst[c].attachment < 0) continue;
        status = cab_break_now(world, &worst[c], error);
        ++*done;
    }
    return status == CAB_OK && *done > 0 ? cab_forces_start(world, error) : status;
}

cab_status cab_rest_break(cab_world *world, int *count, cab_error *error)
{
    const cab_model *m = world->model;
    cab_components all = {0};
    double *distance, *most = NULL;
    cab_broken *worst = NULL;
    *count = 0;
    cab_status status = CAB_NEW(distance, m->attachment_count, error);
    if (status == CAB_OK) status = cab_components_find(m, &all, error);
    if (status == CAB_OK) status = CAB_NEW(worst, all.count, error);
    if (status == CAB_OK) status = CAB_NEW(most, all.count, error);
    if (status == CAB_OK) status = cab_soft_distances(world, distance, error);
    if (status == CAB_OK) {
        find_worst(world, &all, distance, worst, most);
        status = break_all(world, worst, all.count, count, error);
    }
    cab_components_free(&all);
    CAB_FREE(distance, worst, most);
    return status;
}
