/* Where nodes start and what links them: the segments of cables, the links of sheets, double distances, cells. */
#include "model/expand.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model/sections.h"

cab_status cab_expand_nodes(cab_model *model, const cab_sampled *sampled, cab_vec3 **out, cab_error *error)
{
    cab_vec3 *place;
    cab_status status = CAB_NEW(place, model->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_arc, model->node_count, error);
    *out = place;
    if (status != CAB_OK) return status;
    for (int c = 0; c < model->cable_count; c++) {
        const cab_body *cable = &model->bodies[c];
        const cab_sampled *s = &sampled[cable->scene_index];
        double length = cab_arc_table_length(s->table);
        for (int i = 0; i < cable->node_count; i++) {
            double on_path = fmin(fmax(s->fraction[i], 0), 1);
            cab_vec3 p = cab_arc_table_point(s->table, on_path * length);
            place[cable->first_node + i] = cab_vec3_add(p, cable->cable.shift);
            model->node_arc[cable->first_node + i] = (s->fraction[i] - s->fraction[0]) * length * s->scale;
        }
    }
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_body *body = &model->bodies[b];
        const cab_sheet *net = sampled[model->scene->cable_count + body->scene_index].net;
        memcpy(place + body->first_node, net->point, (size_t)body->node_count * sizeof *place);
    }
    return CAB_OK;
}

static int section_of(cab_model *model, const cab_body *cable, const cab_sampled *sampled, int segment)
{
    uint64_t covers = 0;
    int count = model->scene->cables[cable->scene_index].cover_count;
    for (int k = 0; k < count; k++) {
        const cab_range *r = &sampled[cable->scene_index].cover[k];
        if (segment >= r->first && segment < r->first + r->count) covers |= (uint64_t)1 << k;
    }
    return cab_section_of(model, cable->scene_index, cable->material, covers);
}

/* Segment i of a cable, or (reach 2) what double_distance keeps: two of them. */
static cab_edge chain_edge(cab_model *model, const cab_sampled *sampled, int c, int i, int reach)
{
    int node = model->bodies[c].first_node + i;
    const double *arc = model->node_arc;
    return (cab_edge){.body = c,
                      .section = section_of(model, &model->bodies[c], sampled, i),
                      .a = node,
                      .b = node + reach,
                      .colour = (reach == 1 ? i : i >> 1) & 1,
                      .rest = arc[node + reach] - arc[node],
                      .arc = arc[node]};
}

static cab_edge net_edge(const cab_model *model, int b, const cab_sheet *net, cab_pair pair)
{
    int first = model->bodies[b].first_node;
    double rest = cab_vec3_distance(net->point[pair.a], net->point[pair.b]);
    return (cab_edge){.body = b,
                      .section = model->bodies[b].material,
                      .a = first + pair.a,
                      .b = first + pair.b,
                      .colour = pair.colour,
                      .rest = rest};
}

/* Edges of all bodies: the segments, or double distances. */
static void add_edges(cab_model *model, const cab_sampled *sampled, bool doubles)
{
    int reach = doubles ? 2 : 1;
    for (int c = 0; c < model->cable_count; c++)
        for (int i = 0; i + reach < model->bodies[c].node_count; i++)
            model->edge[model->distance_count++] = chain_edge(model, sampled, c, i, reach);
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_sheet *net = sampled[model->scene->cable_count + model->bodies[b].scene_index].net;
        const cab_pair *pair = doubles ? net->second : net->edge;
        int count = doubles ? net->second_count : net->edge_count;
        for (int i = 0; i < count; i++)
            model->edge[model->distance_count++] = net_edge(model, b, net, pair[i]);
    }
}

static void add_cells(cab_model *model, const cab_sampled *sampled)
{
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_body *body = &model->bodies[b];
        const cab_sheet *net = sampled[model->scene->cable_count + body->scene_index].net;
        for (int i = 0; i < body->sheet.cell_count; i++) {
            cab_cell *cell = &model->cell[body->sheet.first_cell + i];
            for (int k = 0; k < 4; k++)
                cell->node[k] = net->cell[i][k] < 0 ? -1 : body->first_node + net->cell[i][k];
            cell->area = cab_sheet_cell_area(net, i);
        }
    }
}

cab_status cab_expand_edges(cab_model *model, const cab_sampled *sampled, cab_error *error)
{
    bool doubles = model->settings.doubles.on;
    long long room = model->segment_count;
    for (int b = 0; doubles && b < model->body_count; b++) {
        const cab_body *body = &model->bodies[b];
        bool sheet = b >= model->cable_count;
        room += sheet ? sampled[model->scene->cable_count + body->scene_index].net->second_count
                      : body->segment_count;
    }
    cab_status status = CAB_NEW(model->edge, room, error);
    if (status == CAB_OK) status = CAB_NEW(model->cell, model->cell_count, error);
    if (status == CAB_OK) status = cab_sections_start(model, error);
    if (status != CAB_OK) return status;
    add_edges(model, sampled, false);
    if (doubles) add_edges(model, sampled, true);
    add_cells(model, sampled);
    cab_sections_update(model);
    return CAB_OK;
}
