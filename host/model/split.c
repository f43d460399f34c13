/* What is held at a place, and what becomes of a joint that breaks. */
#include <stdlib.h>

#include "model/constraint_kind.h"
#include "model/model.h"

/* The other node of joint `j` when one of its nodes is `node`, else -1. */
static int across(const cab_model_attachment *j, int node)
{
    if (!j->joint || j->broken) return -1;
    return j->node == node ? j->target_node : j->target_node == node ? j->node : -1;
}

static bool add_node(int *nodes, int *count, int node)
{
    for (int i = 0; i < *count; i++)
        if (nodes[i] == node) return false;
    nodes[(*count)++] = node;
    return true;
}

cab_status cab_model_attached_nodes(const cab_model *model, int attachment, int **nodes, int *count,
                                    cab_error *error)
{
    const cab_model_attachment *a = &model->attachments[attachment];
    *count = 0;
    /* each joint brings in one node at most */
    cab_status status = CAB_NEW(*nodes, model->attachment_count + 1, error);
    if (status != CAB_OK) return status;
    add_node(*nodes, count, a->node);
    for (int i = 0; i < *count; i++) {
        for (int k = 0; k < model->attachment_count; k++) {
            int other = k == attachment ? -1 : across(&model->attachments[k], (*nodes)[i]);
            if (other >= 0) add_node(*nodes, count, other);
        }
    }
    return CAB_OK;
}

/* Who held a particle holds that of its node. */
static void follow(cab_model *model, int *held, int old)
{
    int holder = held[old];
    if (holder < 0) return;
    held[old] = -1;
    held[model->node_particle[model->attachments[holder].node]] = holder;
}

cab_status cab_model_split(cab_model *model, int attachment, cab_error *error)
{
    const cab_model_attachment *a = &model->attachments[attachment];
    int old = model->node_particle[a->node], *nodes, count;
    cab_status status = cab_model_attached_nodes(model, attachment, &nodes, &count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < count; i++) model->node_particle[nodes[i]] = a->spare;
    free(nodes);
    follow(model, model->held, old);
    follow(model, model->soft, old);
    for (int k = 0; k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->renumber) cab_constraint_kinds[k]->renumber(model);
    status = cab_model_update_incidence(model, error);
    if (status == CAB_OK) status = cab_model_update_exclusions(model, error);
    if (status == CAB_OK) status = cab_model_update_loads(model, error);
    return status;
}
