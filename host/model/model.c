/* From scene to model: the order of the steps. */
#include "model/model.h"

#include <stdlib.h>

#include "model/constraint_kind.h"
#include "model/scene.h"

static cab_status build(cab_model *model, cab_warn *warn, void *user, cab_error *error)
{
    cab_status status = cab_scene_check_settings(model->scene, error);
    if (status != CAB_OK) return status;
    model->settings = cab_model_settings_of(&model->scene->settings);
    model->pieces = 1;
    status = cab_model_add_bodies(model, error);
    if (status == CAB_OK) status = cab_model_add_loads(model, warn, user, error);
    if (status == CAB_OK) status = cab_model_add_contact(model, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->draft) status = cab_constraint_kinds[k]->draft(model, error);
    if (status == CAB_OK) status = cab_model_list_probe_bendings(model, error);
    if (status != CAB_OK) return status;
    cab_model_set_parameters(model);
    status = cab_model_settle(model, error);
    if (status == CAB_OK) status = cab_model_add_chains(model, error);
    return status;
}

/* A model of the scene; nothing has been judged yet. */
static cab_status draft(const cab_scene *scene, cab_warn *warn, void *user, cab_model **out, cab_error *error)
{
    cab_model *model = calloc(1, sizeof *model);
    if (!model) return cab_fail_memory(error, "a model", sizeof *model);
    cab_status status = cab_scene_copy(scene, &model->scene, error);
    if (status == CAB_OK) status = build(model, warn, user, error);
    if (status == CAB_OK)
        *out = model;
    else
        cab_model_destroy(model);
    return status;
}

cab_status cab_model_create(const cab_scene *scene, cab_warn *warn, void *user, cab_model **out,
                            cab_error *error)
{
    cab_model *model;
    cab_status status = draft(scene, warn, user, &model, error);
    if (status != CAB_OK) return status;
    status = cab_model_check_curved(model, error);
    if (status != CAB_OK) {
        cab_model_destroy(model);
        return status;
    }
    cab_model_warn_convergence(model, warn, user);
    cab_model_warn_contradictions(model, warn, user);
    *out = model;
    return CAB_OK;
}

/* Can anything be bent at rest? Only what is as it is drawn, or keeps the angle of a joint. */
static bool may_be_curved(const cab_scene *scene)
{
    for (int i = 0; i < scene->material_count; i++)
        if (scene->materials[i].rest_shape_path || scene->materials[i].second_bending_stiffness > 0)
            return true;
    for (int i = 0; i < scene->attachment_count; i++)
        if (scene->attachments[i].to == CAB_TARGET_CABLE && scene->attachments[i].clamp) return true;
    return false;
}

#define SEGMENTS_ASKED                                                                                       \
    200000.0 /* of all cables: a model of more takes longer than a scene should take to be read */

static double segments_of(const cab_scene *scene)
{
    double count = 0;
    for (int i = 0; i < scene->cable_count; i++)
        count += fmax(scene->cables[i].segments, scene->cables[i].division.length_count) *
                 cab_copy_count(&scene->cables[i]);
    return count;
}

void cab_scene_choose_substeps(cab_scene *scene)
{
    cab_model *model;
    cab_error ignored;
    int body;
    scene->substeps_for[0] = 0;
    if (scene->settings.method != CAB_METHOD_DIRECT || !may_be_curved(scene)) return;
    if (segments_of(scene) > SEGMENTS_ASKED) return;
    bool parted = scene->settings.contact.parted; /* where cables begin makes no difference here */
    scene->settings.contact.parted = false;
    cab_status status = draft(scene, NULL, NULL, &model, &ignored);
    scene->settings.contact.parted = parted;
    if (status != CAB_OK) return;
    int substeps = cab_model_curved_substeps(model, &body);
    if (body >= 0) {
        scene->settings.substeps = substeps;
        cab_model_body_name(model, body, scene->substeps_for, sizeof scene->substeps_for);
    }
    cab_model_destroy(model);
}

const char *cab_scene_substeps_for(const cab_scene *scene)
{
    return scene->substeps_for[0] ? scene->substeps_for : NULL;
}

void cab_model_destroy(cab_model *model)
{
    if (!model) return;
    CAB_FREE(model->section, model->placed_entries, model->placed_ties, model->tie_member, model->bodies,
             model->edge, model->cell, model->node_particle, model->node_arc, model->node_mass,
             model->node_segment, model->place, model->mass, model->held, model->soft, model->damping,
             model->decay, model->segment, model->drag, model->incident_start, model->incident, model->rigid,
             model->rigid_of, model->rigid_pair, model->rigid_mate, model->socket, model->start_velocity,
             model->placed_loads, model->placed_probes, model->probe_bending, model->load, model->load_start,
             model->attachments, model->collider, model->exclude_start, model->exclude, model->group_collider,
             model->chain, model->chain_node, model->mesh_facts, model->particle_pieces);
    cab_mesh_tables_free(&model->meshes);
    for (int k = 0; k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->free_model) cab_constraint_kinds[k]->free_model(model);
    cab_scene_destroy(model->scene);
    free(model);
}

cab_status cab_scene_check(const cab_scene *scene, void (*warnings)(void *user, const char *text), void *user,
                           cab_error *error)
{
    cab_model *model = NULL;
    cab_status status = cab_model_create(scene, warnings, user, &model, error);
    if (status == CAB_OK) cab_model_destroy(model);
    return status;
}
