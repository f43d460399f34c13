/* From a scene's cables and sheets to the model's: how many nodes each has and where they are along it. */
#include "model/expand.h"

#include <math.h>
#include <stdio.h>

#define MAX_SEGMENTS 1000000

static cab_status sample_cable(const cab_scene *scene, int index, cab_sampled *out, cab_error *error)
{
    const cab_cable_def *def = &scene->cables[index];
    out->table = cab_arc_table_create(def->path, def->path_count, def->curve, error);
    if (!out->table) {
        if (error && error->status == CAB_ERROR_MEMORY) return CAB_ERROR_MEMORY;
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables/%d/path: expected a path with a length",
                        scene->source, index);
    }
    double length = cab_arc_table_length(out->table);
    double rest = def->length > 0 ? def->length : length;
    cab_status status = cab_divide(scene, index, length, rest, &out->segments, &out->drawn, error);
    if (status != CAB_OK) return status;
    out->scale = rest / length * (1 + def->length_tolerance);
    int visible = out->segments;
    double stored = ceil(def->feed.stored / (length * out->scale) * visible - 1e-9);
    if (stored > MAX_SEGMENTS)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables/%d/feed/stored: expected at most %d segments",
                        scene->source, index, MAX_SEGMENTS);
    out->stored = (int)stored;
    out->before = def->feed.at_end ? 0 : out->stored;
    out->segments += out->stored;
    status = CAB_NEW(out->fraction, out->segments + 1, error);
    if (status == CAB_OK) status = CAB_NEW(out->placed, out->segments + 1, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i <= out->segments; i++)
        out->fraction[i] = out->drawn ? out->drawn[i] : (double)(i - out->before) / visible;
    return CAB_OK;
}

static void add_cable_copies(cab_model *model, int index, cab_sampled *sampled)
{
    const cab_cable_def *def = &model->scene->cables[index];
    int material = cab_scene_find_material(model->scene, def->material);
    for (int k = 0; k < def->copies[2]; k++) {
        for (int j = 0; j < def->copies[1]; j++) {
            for (int i = 0; i < def->copies[0]; i++) {
                cab_body *cable = &model->bodies[model->cable_count++];
                *cable = (cab_body){
                    .scene_index = index,
                    .material = material,
                    .group = def->group,
                    .cable.copy = {i, j, k},
                    .cable.shift = {i * def->spacing[0], j * def->spacing[1], k * def->spacing[2]},
                    .velocity = def->velocity,
                    .first_node = model->node_count,
                    .node_count = sampled->segments + 1,
                    .first_segment = model->segment_count,
                    .segment_count = sampled->segments,
                    .cable.stored_segments = sampled->stored,
                };
                model->node_count += sampled->segments + 1;
                model->segment_count += sampled->segments;
            }
        }
    }
}

static void add_sheet(cab_model *model, int index, const cab_sheet *net)
{
    const cab_sheet_def *def = &model->scene->sheets[index];
    model->bodies[model->body_count++] = (cab_body){
        .scene_index = index,
        .material = cab_scene_find_material(model->scene, def->material),
        .group = def->group,
        .velocity = def->velocity,
        .sheet.area_density = def->area_density,
        .first_node = model->node_count,
        .node_count = net->point_count,
        .first_segment = model->segment_count,
        .segment_count = net->edge_count,
        .sheet.first_cell = model->cell_count,
        .sheet.cell_count = net->cell_count,
    };
    model->node_count += net->point_count;
    model->segment_count += net->edge_count;
    model->cell_count += net->cell_count;
}

static cab_status refuse_many(const cab_scene *scene, const char *list, int index, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%s: /%s/%d: expected at most %d particles and links in all",
                    scene->source, list, index, CAB_NODES_MAX);
}

cab_status cab_expand_bodies(cab_model *model, cab_sampled *sampled, cab_error *error)
{
    const cab_scene *scene = model->scene;
    long long cables = 0, nodes = 0;
    for (int i = 0; i < scene->cable_count; i++) {
        cab_status status = sample_cable(scene, i, &sampled[i], error);
        if (status != CAB_OK) return status;
        long long count = cab_copy_count(&scene->cables[i]);
        sampled[i].first_body = (int)cables;
        cables += count;
        nodes += count * (sampled[i].segments + 1);
        if (nodes > CAB_NODES_MAX) return refuse_many(scene, "cables", i, error);
    }
    for (int i = 0; i < scene->sheet_count; i++) {
        cab_sampled *sheet = &sampled[scene->cable_count + i];
        cab_status status = cab_sheet_create(scene, i, &sheet->net, error);
        if (status != CAB_OK) return status;
        sheet->first_body = (int)cables + i;
        nodes += (long long)sheet->net->edge_count + sheet->net->second_count;
        if (nodes > CAB_NODES_MAX) return refuse_many(scene, "sheets", i, error);
    }
    cab_status status = CAB_NEW(model->bodies, cables + scene->sheet_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < scene->cable_count; i++) add_cable_copies(model, i, &sampled[i]);
    model->body_count = model->cable_count;
    for (int i = 0; i < scene->sheet_count; i++) add_sheet(model, i, sampled[scene->cable_count + i].net);
    return CAB_OK;
}

bool cab_model_is_first_copy(const cab_model *model, int body)
{
    return body == 0 || model->bodies[body - 1].scene_index != model->bodies[body].scene_index;
}

void cab_model_body_name(const cab_model *model, int body, char *name, size_t size)
{
    const cab_scene *scene = model->scene;
    const cab_body *b = &model->bodies[body];
    const int *copy = b->cable.copy;
    if (body >= model->cable_count)
        snprintf(name, size, "%s", scene->sheets[b->scene_index].name);
    else if (cab_copy_count(&scene->cables[b->scene_index]) == 1)
        snprintf(name, size, "%s", scene->cables[b->scene_index].name);
    else
        snprintf(name, size, "%s[%d,%d,%d]", scene->cables[b->scene_index].name, copy[0], copy[1], copy[2]);
}
