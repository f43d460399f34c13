/* Probes: their names, and which bendings are about the particles beside them. */
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/scene.h"

void cab_model_probe_name(const cab_model *model, const cab_placed_probe *probe, char *name, size_t size)
{
    const char *own = model->scene->probes[probe->scene_probe].name;
    const int *copy = model->bodies[probe->body].cable.copy;
    if (probe->one_copy)
        snprintf(name, size, "%s", own);
    else
        snprintf(name, size, "%s[%d,%d,%d]", own, copy[0], copy[1], copy[2]);
}

/* Bendings by the particle in their middle. */
typedef struct by_particle {
    int *first; /* [particles] a bending; -1 = none */
    int *next;  /* [bendings] the next about the same particle; -1 = none */
} by_particle;

static cab_status sort_bendings(const cab_model *m, by_particle *by, cab_error *error)
{
    cab_status status = CAB_NEW(by->first, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(by->next, m->bending_count, error);
    if (status != CAB_OK) return status;
    for (int p = 0; p < m->particle_count; p++) by->first[p] = -1;
    for (int i = m->bending_count - 1; i >= 0; i--) {
        int p = m->bending[i].b;
        by->next[i] = by->first[p];
        by->first[p] = i;
    }
    return CAB_OK;
}

/* What share of EI kappa at an end of a segment a bending there makes: all that turn the segment add up. An angle counts for
 * the segments between which it is. A clamp inside a cable holds the chord of two segments: its couple is the step of the
 * moment there, half of it before and half behind. node: the end; far: the segment's other end. */
static double share_of(const cab_model *m, int bending, int body, int node, int far)
{
    const cab_bending_constraint *b = &m->bending[bending];
    const cab_origin *origin = &m->bending_origin[bending];
    const cab_body *cable = &m->bodies[body];
    bool at_end = node == cable->first_node || node == cable->first_node + cable->node_count - 1;
    int beside = m->node_particle[far];
    if (origin->other_body >= 0)
        return (origin->body == body || origin->other_body == body) && (b->a == beside || b->c == beside);
    if (origin->body != body || origin->node != node) return 0;
    if (!cab_model_bending_is_clamp(m, bending) || at_end) return 1;
    return far > node ? 0.5 : -0.5;
}

static cab_status list_node(cab_model *m, const by_particle *by, int body, int node, int far,
                            cab_range *range, cab_error *error)
{
    cab_status status = CAB_OK;
    range->first = m->probe_bending_count;
    for (int i = by->first[m->node_particle[node]]; status == CAB_OK && i >= 0; i = by->next[i]) {
        double share = share_of(m, i, body, node, far);
        if (share == 0) continue;
        status = CAB_RESIZE(m->probe_bending, m->probe_bending_count + 1, error);
        if (status == CAB_OK) m->probe_bending[m->probe_bending_count++] = (cab_probe_bending){i, share};
    }
    range->count = m->probe_bending_count - range->first;
    return status;
}

cab_status cab_model_list_probe_bendings(cab_model *model, cab_error *error)
{
    by_particle by = {0};
    if (model->placed_probe_count == 0) return CAB_OK;
    cab_status status = sort_bendings(model, &by, error);
    for (int i = 0; status == CAB_OK && i < model->placed_probe_count; i++) {
        cab_placed_probe *probe = &model->placed_probes[i];
        for (int k = 0; status == CAB_OK && k < 2; k++)
            status = list_node(model, &by, probe->body, probe->node + k, probe->node + 1 - k, &probe->bend[k],
                               error);
    }
    CAB_FREE(by.first, by.next);
    return status;
}
