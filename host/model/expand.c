/* Expands a scene into bodies, nodes and particles: each step is in a file of its own (model/expand.h). */
#include "model/expand.h"

#include <stdlib.h>

static cab_status expand(cab_model *model, cab_sampled *sampled, cab_error *error)
{
    const cab_scene *scene = model->scene;
    cab_status status = cab_expand_bodies(model, sampled, error);
    if (status == CAB_OK) status = cab_expand_rigid(model, error);
    if (status == CAB_OK) status = cab_expand_sockets(model, error);
    for (int i = 0; status == CAB_OK && i < scene->attachment_count; i++)
        status = cab_expand_attachment(model, sampled, i, error);
    for (int i = 0; status == CAB_OK && i < scene->load_count; i++)
        status = cab_expand_load(model, sampled, i, error);
    for (int i = 0; status == CAB_OK && i < scene->constraint_count; i++)
        status = cab_expand_constraint(model, sampled, i, error);
    for (int i = 0; status == CAB_OK && i < scene->tie_count; i++)
        status = cab_expand_tie(model, sampled, i, error);
    for (int i = 0; status == CAB_OK && i < scene->entry_count; i++)
        status = cab_expand_entry(model, sampled, i, error);
    for (int i = 0; status == CAB_OK && i < scene->cable_count; i++)
        status = cab_expand_covers(scene, &sampled[i], i, error);
    for (int i = 0; status == CAB_OK && i < scene->probe_count; i++)
        status = cab_expand_probe(model, sampled, i, error);
    cab_vec3 *place = NULL;
    if (status == CAB_OK) status = cab_expand_nodes(model, sampled, &place, error);
    if (status == CAB_OK) status = cab_expand_start_velocities(model, sampled, error);
    if (status == CAB_OK) status = cab_expand_edges(model, sampled, error);
    if (status == CAB_OK) status = cab_expand_particles(model, place, error);
    free(place);
    return status;
}

cab_status cab_model_add_bodies(cab_model *model, cab_error *error)
{
    int count = model->scene->cable_count + model->scene->sheet_count;
    if (count == 0) {
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables: expected at least one cable or sheet",
                        model->scene->source);
    }
    cab_sampled *sampled;
    cab_status status = CAB_NEW(sampled, count, error);
    if (status != CAB_OK) return status;
    status = expand(model, sampled, error);
    for (int i = 0; i < count; i++) {
        cab_sheet_destroy(sampled[i].net);
        cab_arc_table_destroy(sampled[i].table);
        CAB_FREE(sampled[i].fraction, sampled[i].drawn, sampled[i].placed, sampled[i].cover);
    }
    free(sampled);
    return status;
}
