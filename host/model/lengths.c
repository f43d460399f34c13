/* What is free is moved until the lengths of cables are right. */
#include "model/model.h"

#include <stdlib.h>

#include "base/array.h"
#include "model/curve.h"

/* Cables follow what holds them; sheets begin as they are drawn. What is on a drum has no length. */
static int links_of_cables(const cab_model *model, cab_link *links)
{
    int count = 0;
    for (int i = 0; i < model->segment_count; i++) {
        if (model->distance_origin[i].body >= model->cable_count || !(model->distance_origin[i].cell > 0))
            continue;
        links[count++] =
            (cab_link){model->distance[i].a, model->distance[i].b, model->distance_origin[i].cell};
    }
    return count;
}

cab_status cab_model_meet_lengths(cab_model *model, cab_error *error)
{
    double *inverse_mass;
    cab_link *links = NULL;
    cab_status status = CAB_NEW(inverse_mass, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(links, model->segment_count, error);
    if (status == CAB_OK) {
        for (int i = 0; i < model->particle_count; i++)
            inverse_mass[i] = model->held[i] >= 0 || model->rigid_of[i] >= 0 || !(model->mass[i] > 0)
                                  ? 0
                                  : 1 / model->mass[i];
        for (int b = model->cable_count; b < model->body_count; b++) {
            const cab_body *sheet = &model->bodies[b];
            for (int i = 0; i < sheet->node_count; i++)
                inverse_mass[model->node_particle[sheet->first_node + i]] = 0;
        }
        status = cab_project_lengths(model->place, inverse_mass, model->particle_count, links,
                                     links_of_cables(model, links), model->settings.gravity,
                                     &model->start_error, error);
    }
    CAB_FREE(inverse_mass, links);
    return status;
}
