/* own: the user's own constraints. Expressions run on the device (kernels own.cl), C functions on the host
 * (own_callback.c); own_draft.c makes the tables of both. */
#include "constraint/own.h"

#include <stdlib.h>

#include "base/error.h"
#include "constraint/compliance.h"
#include "model/hash.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/launches.h"

typedef struct cab_own_data {
    double *lambda; /* [callbacks] */
} cab_own_data;

const cab_constraint_kind cab_own_kind_row;

static cab_status upload_tables(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_backend_ops *ops = world->backend->ops;
    size_t own = (size_t)m->own_count, kinds = (size_t)m->scene->constraint_count;
    const cab_table tables[] = {
        {CAB_BUFFER_own, m->own, own, sizeof *m->own},
        {CAB_BUFFER_own_lambda, NULL, own, sizeof(float)},
        {CAB_BUFFER_own_op, m->own_op, (size_t)m->own_op_count, sizeof *m->own_op},
        {CAB_BUFFER_own_origin, m->own_origin, 2 * (size_t)m->own_origin_count, sizeof *m->own_origin},
        {CAB_BUFFER_own_colour, m->own_colour, (size_t)m->own_colour_count, sizeof *m->own_colour},
    };
    cab_status status = CAB_UPLOAD(world, tables, error);
    if (status == CAB_OK && ops->express)
        status = ops->express(world->backend, m->own_kind, (int)kinds, m->own_op, error);
    return status;
}

/* What of inverse masses counts for each constraint of the scene. The direct method damps implicitly: what a force moves in a substep is
 * less by 1 / (1 + damping h), and at rest a compliance is met only if that is reckoned with. The first place of a constraint tells
 * the material. */
static void set_slow(cab_model *m, double h)
{
    for (int i = 0; i < m->scene->constraint_count; i++) m->own_kind[i].slow = 1;
    for (int i = m->own_place_count - 1; m->settings.method == CAB_METHOD_DIRECT && i >= 0; i--) {
        const cab_own_place *place = &m->own_place[i];
        const cab_material_def *material = &m->scene->materials[m->bodies[place->cable].material];
        m->own_kind[place->scene_constraint].slow = (float)(1 / (1 + material->damping * h));
    }
}

/* Follows the length of a substep, which is one for all where there are constraints of one's own; by PBD the share k. */
double cab_own_compliance(const cab_model *model, const cab_constraint_def *def)
{
    double h = cab_model_substep(model);
    return model->settings.method == CAB_METHOD_PBD
               ? cab_projected_compliance(&model->settings, def->stiffness)
               : def->compliance / (h * h);
}

static void set_parameters(cab_model *model)
{
    if (!model->own_kind) return;
    for (int i = 0; i < model->scene->constraint_count; i++) {
        model->own_kind[i].compliance = (float)cab_own_compliance(model, &model->scene->constraints[i]);
        model->own_kind[i].equal = model->settings.equal_weights;
    }
    set_slow(model, cab_model_substep(model));
}

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (m->own_count == 0) return CAB_OK;
    return cab_world_upload(world, CAB_BUFFER_own_kind, m->own_kind, (size_t)m->scene->constraint_count,
                            sizeof *m->own_kind, error);
}

static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (m->callback_count > 0 && world->backend->info.backend != CAB_BACKEND_NATIVE)
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s: /constraints/%d: a callback runs on the device \"native\" only; expected an expression",
            m->scene->source, m->callback[0].scene_constraint);
    cab_own_data *data = cab_kind_data(world, &cab_own_kind_row);
    cab_status status = CAB_NEW(data->lambda, m->callback_count, error);
    if (status == CAB_OK && m->own_count > 0) status = upload_tables(world, error);
    if (status == CAB_OK && m->own_place_count > 0)
        cab_world_log(world, 1, "own: %d constraints in %d colours, %d callbacks", m->own_count,
                      m->own_colour_count, m->callback_count);
    return status;
}

/* PBD knows a share of the error, the others a compliance. */
static cab_status check_soft(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    bool pbd = scene->settings.method == CAB_METHOD_PBD;
    for (int i = 0; i < scene->constraint_count; i++) {
        const cab_constraint_def *def = &scene->constraints[i];
        if (pbd ? def->compliance == 0 : def->stiffness == 1) continue;
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: /constraints/%d/%s: the method \"%s\" has no use for it; expected %s",
                        scene->source, i, pbd ? "compliance" : "stiffness", method->name,
                        pbd ? "0, or a stiffness" : "1, or a compliance");
    }
    return CAB_OK;
}

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    if (scene->constraint_count == 0) return CAB_OK;
    if (method->rule != CAB_RULE_COMPLIANT && method->rule != CAB_RULE_DIRECT &&
        scene->settings.method != CAB_METHOD_PBD)
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s: /constraints: the method \"%s\" has no constraints of your own; expected \"xpbd\", "
            "\"direct\" or \"pbd\"",
            scene->source, method->name);
    if (scene->settings.contact.sleep)
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s: /contact/sleep: cables with constraints of your own do not sleep; expected false",
            scene->source);
    return check_soft(scene, method, error);
}

static bool present(const cab_model *model)
{
    return model->own_place_count > 0;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    cab_hash_array(hash, m->own, m->own_count, sizeof *m->own);
    cab_hash_array(hash, m->own_op, m->own_op_count, sizeof *m->own_op);
}

static void free_model(cab_model *m)
{
    void *arrays[] = {m->own_place, m->own,        m->own_colour, m->own_kind,
                      m->own_op,    m->own_origin, m->callback};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

static void free_data(void *data)
{
    free(((cab_own_data *)data)->lambda);
}

static void plan(const cab_world *world, cab_launches *launches)
{
    const cab_model *m = world->model;
    cab_launches_add_colours(launches, CAB_STAGE_OWN, CAB_KERNEL_own, CAB_KERNEL_own_merged, m->own_colour, 0,
                             m->own_colour_count, launches->flags & CAB_SOLVE_FORGET);
}

static cab_status iterate(cab_world *world, int substep, bool first, cab_error *error)
{
    const cab_own_data *data = cab_kind_data(world, &cab_own_kind_row);
    (void)substep;
    return cab_own_call(world, data->lambda, first, error);
}

/* The direct method solves lengths exactly, and these in turn with them. */
static cab_status contact_pass(cab_world *world, bool first, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_own_data *data = cab_kind_data(world, &cab_own_kind_row);
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->own_colour_count; i++)
        status = cab_world_run(world, CAB_STAGE_OWN, CAB_KERNEL_own, m->own_colour[i].first,
                               m->own_colour[i].count, first ? CAB_SOLVE_FIRST : 0, 0, error);
    return status == CAB_OK ? cab_own_call(world, data->lambda, first, error) : status;
}

const cab_constraint_kind cab_own_kind_row = {.name = "own",
                                              .check = check,
                                              .present = present,
                                              .ways = 1u << CAB_WAY_COLOURED | 1u << CAB_WAY_STAGED,
                                              .refusal = "the scene has constraints of your own",
                                              .draft = cab_own_draft_all,
                                              .set_parameters = set_parameters,
                                              .upload = upload,
                                              .hash = hash,
                                              .free_model = free_model,
                                              .data_size = sizeof(cab_own_data),
                                              .start = start,
                                              .free_data = free_data,
                                              .plan = plan,
                                              .iterate = iterate,
                                              .contact_pass = contact_pass};
