/* What is free is moved until the lengths of cables are right. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/union.h"
#include "base/vec3.h"
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

/* What stays where it is, [P]: inverse masses of 0. soft: what soft attachments hold does, too. */
static void weigh(const cab_model *model, bool soft, double *inverse_mass)
{
    for (int i = 0; i < model->particle_count; i++) {
        bool held = model->held[i] >= 0 || model->rigid_of[i] >= 0 || (soft && model->soft[i] >= 0);
        inverse_mass[i] = held || !(model->mass[i] > 0) ? 0 : 1 / model->mass[i];
    }
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_body *sheet = &model->bodies[b];
        for (int i = 0; i < sheet->node_count; i++)
            inverse_mass[model->node_particle[sheet->first_node + i]] = 0;
    }
}

static bool holds_softly(const cab_model *model)
{
    bool any = false;
    for (int i = 0; i < model->particle_count; i++) any = any || model->soft[i] >= 0;
    return any;
}

/* A relative error of a length that is more than what Newton leaves. */
#define MET 1e-8

/* Takes the places `other` of cables, with all that they are joined to, in which some length is not met. */
static cab_status take_where_not_met(cab_model *model, const cab_link *links, int count,
                                     const cab_vec3 *other, cab_error *error)
{
    int *root;
    bool *misses = NULL;
    cab_status status = CAB_NEW(root, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(misses, model->particle_count, error);
    if (status == CAB_OK) {
        for (int i = 0; i < model->particle_count; i++) root[i] = i;
        for (int i = 0; i < count; i++) cab_union_join(root, links[i].a, links[i].b);
        for (int i = 0; i < count; i++) {
            double length = cab_vec3_distance(model->place[links[i].a], model->place[links[i].b]);
            if (fabs(length - links[i].rest) > MET * links[i].rest)
                misses[cab_union_root(root, links[i].a)] = true;
        }
        for (int i = 0; i < model->particle_count; i++)
            if (misses[cab_union_root(root, i)]) model->place[i] = other[i];
    }
    CAB_FREE(root, misses);
    return status;
}

/* What soft attachments hold stays where it is drawn, too, wherever lengths can be met with that: their springs are to begin without
 * tension. Else it gives way. */
static cab_status project(cab_model *model, const cab_link *links, int count, double *inverse_mass,
                          cab_error *error)
{
    size_t size = (size_t)model->particle_count * sizeof(cab_vec3);
    bool soft = holds_softly(model);
    cab_vec3 *yielding = NULL;
    cab_status status = soft ? CAB_NEW(yielding, model->particle_count, error) : CAB_OK;
    if (status == CAB_OK && soft) memcpy(yielding, model->place, size);
    weigh(model, soft, inverse_mass);
    if (status == CAB_OK)
        status = cab_project_lengths(model->place, inverse_mass, model->particle_count, links, count,
                                     model->settings.gravity, &model->start_error, error);
    if (status == CAB_OK && soft && model->start_error > MET) {
        weigh(model, false, inverse_mass);
        status = cab_project_lengths(yielding, inverse_mass, model->particle_count, links, count,
                                     model->settings.gravity, &model->start_error, error);
        if (status == CAB_OK) status = take_where_not_met(model, links, count, yielding, error);
    }
    CAB_FREE(yielding);
    return status;
}

cab_status cab_model_meet_lengths(cab_model *model, cab_error *error)
{
    double *inverse_mass;
    cab_link *links = NULL;
    cab_status status = CAB_NEW(inverse_mass, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(links, model->segment_count, error);
    if (status == CAB_OK) status = project(model, links, links_of_cables(model, links), inverse_mass, error);
    CAB_FREE(inverse_mass, links);
    return status;
}
