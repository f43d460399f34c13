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
    if (status != CAB_OK) return status;
    cab_model_set_parameters(model);
    status = cab_model_settle(model, error);
    if (status == CAB_OK) status = cab_model_add_chains(model, error);
    if (status == CAB_OK) status = cab_model_check_curved(model, error);
    if (status == CAB_OK) cab_model_warn_convergence(model, warn, user);
    if (status == CAB_OK) cab_model_warn_contradictions(model, warn, user);
    return status;
}

cab_status cab_model_create(const cab_scene *scene, cab_warn *warn, void *user, cab_model **out,
                            cab_error *error)
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

void cab_model_destroy(cab_model *model)
{
    if (!model) return;
    CAB_FREE(model->section, model->placed_entries, model->placed_ties, model->tie_member, model->bodies,
             model->edge, model->cell, model->node_particle, model->node_arc, model->node_mass,
             model->node_segment, model->place, model->mass, model->held, model->soft, model->damping,
             model->decay, model->segment, model->drag, model->incident_start, model->incident,
             model->placed_loads, model->load, model->load_start, model->attachments, model->collider,
             model->exclude_start, model->exclude, model->group_collider, model->chain, model->chain_node,
             model->mesh_facts, model->particle_pieces);
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
