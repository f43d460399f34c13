/* Tables for the way that takes a whole cable in one work-group: what each node of a chain needs. */
#include "model/model.h"

#include <stdlib.h>

/* The fused way wants cables that stand alone, with one bending at most about each node. False when not. */
static bool fill_chain_nodes(cab_model *model)
{
    if (model->particle_count != model->node_count || model->distance_count != model->segment_count ||
        model->body_count > model->cable_count)
        return false;
    for (int i = 0; i < model->node_count; i++) {
        cab_chain_node *node = &model->chain_node[i];
        int d = model->node_segment[i];
        *node = (cab_chain_node){.target = -1, .distance = d};
        if (d >= 0) node->rest = model->distance[d].rest;
    }
    for (int i = 0; i < model->bending_count; i++) {
        const cab_bending_constraint *b = &model->bending[i];
        cab_chain_node *node = &model->chain_node[model->bending_origin[i].node];
        if (node->ga != 0 || node->gc != 0) return false;
        node->ga = b->ga;
        node->gc = b->gc;
        node->bending_rest = b->rest;
        node->target = b->target;
    }
    return true;
}

cab_status cab_model_add_chains(cab_model *model, cab_error *error)
{
    cab_status status = CAB_NEW(model->chain, model->cable_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->chain_node, model->node_count, error);
    if (status != CAB_OK) return status;
    if (fill_chain_nodes(model)) {
        for (int c = 0; c < model->cable_count; c++)
            model->chain[c] = (cab_chain){model->bodies[c].first_node, model->bodies[c].node_count, 0};
        cab_model_set_parameters(model);
        return CAB_OK;
    }
    CAB_FREE(model->chain, model->chain_node);
    model->chain = NULL;
    model->chain_node = NULL;
    return CAB_OK;
}
