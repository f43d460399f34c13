/* director: cables with a director for each segment, which are curved at rest, have two stiffnesses or stay bent, by the direct
 * method. Their moments of twist go the way of those of other cables (twist.c), and what they are bent by goes through targets of
 * their bendings. Tables: director_runs.c. Kernels: direct_director.cl. */
#include "constraint/director.h"

#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "constraint/director_runs.h"
#include "constraint/twist.h"
#include "constraint/twist_holds.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/limits.h"
#include "model/method.h"
#include "model/names.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/energy.h"
#include "world/window.h"

const cab_constraint_kind cab_director_kind;

/* ---- the model ---- */

static cab_status check_key(const cab_scene *scene, const cab_method_traits *method, int material,
                            const char *key, double value, cab_error *error)
{
    const cab_material_def *m = &scene->materials[material];
    if (value == 0) return CAB_OK;
    if (method->rule != CAB_RULE_DIRECT)
        return cab_method_refuse_material(scene, material, key,
                                          "know sections with axes, but \"direct\" does", "0", value, error);
    if (m->twisting_stiffness > 0 && m->bending_stiffness > 0) return CAB_OK;
    char name[CAB_NAME_MAX * 2 + 1];
    cab_pointer_escape(m->name, name, sizeof name);
    return cab_fail(error, CAB_ERROR_INPUT,
                    "%s: /materials/%s/%s: expected bending_stiffness and twisting_stiffness beside it: its "
                    "direction in the section turns with the section",
                    scene->source, name, key);
}

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < scene->material_count; i++) {
        const cab_material_def *m = &scene->materials[i];
        status = check_key(scene, method, i, "bending_stiffness/1", m->second_bending_stiffness, error);
        if (status == CAB_OK)
            status = check_key(scene, method, i, "yield_curvature", m->yield_curvature, error);
    }
    return status;
}

static bool present(const cab_model *m)
{
    return m->director_cable_count > 0;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    if (!present(m)) return;
    cab_hash_integer(hash, m->director_cable_count);
    cab_hash_array(hash, m->director, m->director_link_count, sizeof *m->director);
    cab_hash_array(hash, m->director_rest, m->director_bending_count, sizeof *m->director_rest);
}

static void free_model(cab_model *m)
{
    CAB_FREE(m->director_cable, m->director_run, m->director_vertex, m->director_bending, m->director_of,
             m->director_rest, m->director, m->bending_target_now);
}

/* ---- the world ---- */

typedef struct cab_director_data {
    float4 *held; /* [substeps][holds] */
    bool yields;  /* some bending can stay bent */
    int substep;  /* of the window, the last one that was begun */
} cab_director_data;

static void free_data(void *data)
{
    cab_director_data *d = data;
    CAB_FREE(d->held);
}

/* As kernel director_bend, of the places as they are drawn. */
static void draw_targets(cab_model *m)
{
    for (int i = 0; i < m->director_bending_count; i++) {
        const cab_director_bending *own = &m->director_bending[i];
        float4 *row = &m->bending_target[m->bending[own->bending].target];
        cab_kink rest = {m->director_rest[i].x, m->director_rest[i].y};
        cab_bent bent = cab_director_drawn(m, own->bending, true);
        vec3 target[2];
        cab_bent_targets(&bent, rest, own->soft[0], own->soft[1], vec3_make(row[2].x, row[2].y, row[2].z),
                         target);
        for (int k = 0; k < 2; k++) row[k] = (float4){target[k].x, target[k].y, target[k].z, 0};
    }
}

static cab_status start(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    cab_director_data *data = cab_kind_data(world, &cab_director_kind);
    size_t rows = (size_t)m->twist_hold_count * (size_t)m->settings.substeps;
    size_t targets = (size_t)m->bending_target_count;
    if (!present(m)) return CAB_OK;
    cab_status status = CAB_NEW(data->held, rows, error);
    if (status == CAB_OK && !m->bending_target_now) status = CAB_NEW(m->bending_target_now, targets, error);
    draw_targets(m);
    for (size_t i = 0; status == CAB_OK && i < targets; i++) m->bending_target_now[i] = m->bending_target[i];
    const cab_table tables[] = {
        {CAB_BUFFER_director_held, NULL, rows, sizeof(float4)},
        {CAB_BUFFER_director_work, NULL, (size_t)m->director_link_count, sizeof(float4)},
        {CAB_BUFFER_director_kink, NULL, 2 * (size_t)m->director_node_count, sizeof(float4)},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "director", CAB_BUFFER_director, m->director,
                                       (size_t)m->director_link_count, sizeof(float4), error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "rest", CAB_BUFFER_director_rest, m->director_rest,
                                       (size_t)m->director_bending_count, sizeof(float4), error);
    if (status == CAB_OK)
        status = world->backend->ops->write(world->backend, CAB_BUFFER_bending_target, 0,
                                            targets * sizeof(float4), m->bending_target, error);
    if (status == CAB_OK)
        cab_world_keep(world, CAB_BUFFER_bending_target, "targets", targets, sizeof(float4));
    return status;
}

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_director_data *data = cab_kind_data(world, &cab_director_kind);
    if (!present(m)) return CAB_OK;
    data->yields = false;
    for (int i = 0; i < m->director_bending_count; i++)
        data->yields = data->yields || m->director_bending[i].yield > 0;
    const cab_table tables[] = {
        {CAB_BUFFER_director_run, m->director_run, (size_t)m->director_run_count, sizeof *m->director_run},
        {CAB_BUFFER_director_vertex, m->director_vertex, 2 * (size_t)m->director_node_count,
         sizeof *m->director_vertex},
        {CAB_BUFFER_director_bending, m->director_bending, (size_t)m->director_bending_count,
         sizeof *m->director_bending},
    };
    return CAB_UPLOAD(world, tables, error);
}

/* The directors of clamps as they are rolled. */
static cab_status begin_window(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_director_data *data = cab_kind_data(world, &cab_director_kind);
    size_t holds = (size_t)m->twist_hold_count, rows = (size_t)world->window.count;
    if (!present(m) || holds == 0) return CAB_OK;
    const float *roll = cab_twist_rolls(world);
    for (size_t i = 0; i < rows * holds; i++) {
        cab_vec3 d = cab_twist_rolled(&m->twist_hold[i % holds], (double)roll[i]);
        data->held[i] = (float4){(float)d.x, (float)d.y, (float)d.z, 0};
    }
    return world->backend->ops->write(world->backend, CAB_BUFFER_director_held, 0,
                                      rows * holds * sizeof *data->held, data->held, error);
}

cab_status cab_director_bend(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_director_data *data = cab_kind_data(world, &cab_director_kind);
    if (!present(m)) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_BENDING, CAB_KERNEL_director_bend, 0, m->director_bending_count,
                         data->substep * m->twist_hold_count, 0, error);
}

static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    const cab_model *m = world->model;
    cab_director_data *data = cab_kind_data(world, &cab_director_kind);
    if (!present(m)) return CAB_OK;
    data->substep = substep;
    cab_status status = cab_world_run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_director, 0,
                                      m->director_run_count, substep * m->twist_hold_count, 0, error);
    return status == CAB_OK ? cab_director_bend(world, error) : status;
}

/* What is read of the targets is read between frames. */
static cab_status end(cab_world *world, int substep, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_director_data *data = cab_kind_data(world, &cab_director_kind);
    cab_status status = CAB_OK;
    if (!present(m)) return CAB_OK;
    if (data->yields)
        status = cab_world_run(world, CAB_STAGE_BENDING, CAB_KERNEL_director_set, 0,
                               m->director_bending_count, substep * m->twist_hold_count, 0, error);
    if (status != CAB_OK || !cab_window_ends_frame(world, substep)) return status;
    return cab_director_bend(world, error);
}

static cab_status copy(cab_world *world, cab_world *from, cab_buffer id, size_t count, cab_error *error)
{
    float4 *rows = NULL;
    cab_status status = CAB_READ_NEW(from, id, rows, count, error);
    if (status == CAB_OK) status = cab_world_put(world, id, 0, count * sizeof *rows, rows, error);
    CAB_FREE(rows);
    return status;
}

static cab_status go_on(cab_world *world, cab_world *from, cab_error *error)
{
    const cab_model *m = world->model, *n = from->model;
    if (!present(m) || m->director_link_count != n->director_link_count ||
        m->director_bending_count != n->director_bending_count ||
        m->bending_target_count != n->bending_target_count)
        return CAB_OK;
    cab_status status = copy(world, from, CAB_BUFFER_director, (size_t)m->director_link_count, error);
    if (status == CAB_OK)
        status = copy(world, from, CAB_BUFFER_director_rest, (size_t)m->director_bending_count, error);
    return status == CAB_OK
               ? copy(world, from, CAB_BUFFER_bending_target, (size_t)m->bending_target_count, error)
               : status;
}

/* ---- what is told ---- */

static cab_status read_energy(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    if (!present(m)) return CAB_OK;
    return cab_world_fetch(world, CAB_BUFFER_bending_target, 0,
                           (size_t)m->bending_target_count * sizeof *m->bending_target_now,
                           m->bending_target_now, error);
}

static void add_run(const cab_world *world, const cab_director_run *run, cab_energy *e)
{
    const cab_model *m = world->model;
    const float4 *twist = cab_twist_read(world) + m->twist_hold_count;
    for (int k = 0; k <= run->count; k++) {
        int v = 2 * (run->node + k) + (k == 0);
        double phi = (double)twist[v].x + 2 * acos(-1) * (double)twist[v].y;
        if (k == 0 && run->start >= 0) phi -= cab_twist_roll_now(world, run->start);
        if (k == run->count && run->end >= 0) phi += cab_twist_roll_now(world, run->end);
        double stored = cab_twist_stored((double)m->director_vertex[v].twist, (double)run->most, phi);
        e->potential += stored;
        e->springs += stored;
    }
}

static void add_energy(const cab_world *world, const int *part, cab_energy *energy)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->director_run_count; i++) {
        const cab_twist_link *first = &m->twist_link[m->director_run[i].first];
        int owner = m->held[first->a] < 0 ? first->a : first->b;
        add_run(world, &m->director_run[i], part ? &energy[part[owner]] : energy);
    }
}

cab_status cab_director_read(cab_world *world, float *director, cab_error *error)
{
    size_t bytes = (size_t)world->model->director_link_count * sizeof(float4);
    return present(world->model) ? cab_world_fetch(world, CAB_BUFFER_director, 0, bytes, director, error)
                                 : CAB_OK;
}

const cab_constraint_kind cab_director_kind = {.name = "director",
                                               .check = check,
                                               .present = present,
                                               .ways = 1u << CAB_WAY_STAGED,
                                               .refusal =
                                                   "cables have directors: they resist twisting and are "
                                                   "curved at rest, have two stiffnesses or yield",
                                               .hash = hash,
                                               .free_model = free_model,
                                               .data_size = sizeof(cab_director_data),
                                               .start = start,
                                               .upload = upload,
                                               .free_data = free_data,
                                               .go_on = go_on,
                                               .read_energy = read_energy,
                                               .add_energy = add_energy,
                                               .begin_window = begin_window,
                                               .predicted = predicted,
                                               .end = end};
