/* Cables cut at their joints into branches; what is joined to what; which bendings act on a particle. The
 * systems that branches share are made in separators.c (bending) and junctions.c (lengths). */
#include "model/branches_parts.h"

#include "model/components.h"
#include "model/drums.h"
#include "model/rigid.h"

#define SPAN_LEAST CAB_STIFF_LONG /* segments of a part between two cuts at holds */

static cab_status find_components(const cab_model *m, cab_branches *b, cab_error *error)
{
    cab_components found;
    cab_status status = cab_components_find(m, &found, error);
    b->component_count = found.count;
    b->component = found.of;
    b->component_start = found.start;
    b->component_particle = found.particle;
    return status;
}

cab_status cab_list_bendings(const cab_model *m, int **starts, int **items, cab_error *error)
{
    cab_status status = CAB_NEW(*starts, m->particle_count + 2, error);
    if (status == CAB_OK) status = CAB_NEW(*items, 3 * (long long)m->bending_count, error);
    if (status != CAB_OK) return status;
    int *start = *starts + 1; /* one ahead, so that filling leaves it in place */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->bending_count; i++) {
            const int ends[3] = {m->bending[i].a, m->bending[i].b, m->bending[i].c};
            for (int k = 0; k < 3; k++) {
                if (ends[k] < 0) continue;
                if (pass == 0)
                    start[ends[k] + 1]++;
                else
                    (*items)[start[ends[k]]++] = 4 * i + k;
            }
        }
        for (int p = 0; pass == 0 && p < m->particle_count; p++) start[p + 1] += start[p];
    }
    return CAB_OK;
}

static bool is_junction(const cab_model *m, const cab_cut *cut, int node)
{
    return cut->nodes[m->node_particle[node]] > 1;
}

/* A branch's run: its nodes but for the two at each end that is a junction. */
static void set_run(const cab_model *m, const cab_cut *cut, cab_branch *b)
{
    int last = b->first + b->count - 1, from = b->first, to = last + 1;
    bool start = is_junction(m, cut, b->first), end = is_junction(m, cut, last);
    if (start) from += 2;
    if (end) to -= 2;
    for (int k = 0; k < 4; k++) b->separator[k] = -1;
    b->run = from;
    b->run_count = to > from ? to - from : 0;
    if (b->run_count == 0) {
        b->run = b->first;
        return;
    }
    for (int k = 0; start && k < 2; k++) b->separator[k] = m->node_particle[b->first + k];
    for (int k = 0; end && k < 2; k++) b->separator[2 + k] = m->node_particle[last - 1 + k];
}

/* Long cables are cut where they are held, too: what lies on one side of a hold knows of the other side only by its
 * bending, so the spans are solved side by side. Of a cable that is held once nothing is cut: its lengths can
 * always be met, which the rest goes by. */
static void cut_at_holds(const cab_model *m, cab_cut *cut)
{
    for (int c = 0; c < m->cable_count; c++) {
        int first = m->bodies[c].first_node, last = first + m->bodies[c].node_count - 1, holds = 0;
        const cab_drum *drum = cab_drum_among(m, first, last - first + 1);
        for (int node = first; node <= last; node++)
            holds += m->held[m->node_particle[node]] >= 0 && !cab_drum_can_stow(m, drum, node);
        for (int node = first + SPAN_LEAST; holds > 1 && node <= last - SPAN_LEAST; node++) {
            int p = m->node_particle[node];
            if (m->held[p] < 0 || cab_drum_can_stow(m, drum, node)) continue;
            cut->nodes[p]++;
            node += SPAN_LEAST - 1;
        }
    }
}

static cab_status cut_cables(const cab_model *m, const cab_cut *cut, cab_branches *b, cab_error *error)
{
    cab_status status = CAB_NEW(b->branch, m->node_count, error);
    for (int c = 0; status == CAB_OK && c < m->cable_count; c++) {
        const cab_body *cable = &m->bodies[c];
        int first = cable->first_node, last = first + cable->node_count - 1;
        for (int node = first + 1; node <= last; node++) {
            if (node < last && !is_junction(m, cut, node)) continue;
            cab_branch *branch = &b->branch[b->branch_count++];
            *branch = (cab_branch){.first = first, .count = node - first + 1, .start = -1, .end = -1};
            branch->segment = cable->first_segment + first - cable->first_node;
            branch->component = b->component[m->node_particle[first]];
            set_run(m, cut, branch);
            first = node;
        }
    }
    return status;
}

static cab_status list_branches(cab_branches *b, cab_error *error)
{
    cab_status status = CAB_NEW(b->component_branch_start, b->component_count + 2, error);
    if (status == CAB_OK) status = CAB_NEW(b->component_branch, b->branch_count, error);
    if (status != CAB_OK) return status;
    int *start = b->component_branch_start + 1;
    for (int i = 0; i < b->branch_count; i++) start[b->branch[i].component + 1]++;
    for (int c = 0; c < b->component_count; c++) start[c + 1] += start[c];
    for (int i = 0; i < b->branch_count; i++) b->component_branch[start[b->branch[i].component]++] = i;
    return CAB_OK;
}

/* Components that have a junction. */
static cab_status list_joined(const cab_model *m, const cab_cut *cut, cab_branches *b, cab_error *error)
{
    cab_status status = CAB_NEW(b->joined, b->component_count, error);
    for (int c = 0; status == CAB_OK && c < b->component_count; c++) {
        bool joined = false;
        for (int k = b->component_start[c]; k < b->component_start[c + 1]; k++)
            if (cut->nodes[b->component_particle[k]] > 1 ||
                cab_rigid_of_particle(m, b->component_particle[k]) >= 0)
                joined = true;
        if (joined) b->joined[b->joined_count++] = (cab_joined){.component = c};
    }
    return status;
}

cab_status cab_branches_build(const cab_model *model, cab_branches *branches, cab_error *error)
{
    cab_cut cut = {0};
    *branches = (cab_branches){0};
    cab_status status = find_components(model, branches, error);
    if (status == CAB_OK)
        status = cab_list_bendings(model, &branches->bend_start, &branches->bend_item, error);
    if (status == CAB_OK) status = CAB_NEW(cut.nodes, model->particle_count, error);
    for (int i = 0; status == CAB_OK && i < model->node_count; i++) cut.nodes[model->node_particle[i]]++;
    for (int p = 0; status == CAB_OK && p < model->particle_count; p++)
        if (model->rigid_of[p] >= 0) cut.nodes[p]++;
    if (status == CAB_OK) cut_at_holds(model, &cut);
    if (status == CAB_OK) status = cut_cables(model, &cut, branches, error);
    if (status == CAB_OK) status = list_branches(branches, error);
    if (status == CAB_OK) status = list_joined(model, &cut, branches, error);
    if (status == CAB_OK) status = cab_branches_add_junctions(model, &cut, branches, error);
    if (status == CAB_OK) status = cab_branches_add_rigid(model, branches, error);
    if (status == CAB_OK) status = cab_branches_add_clamps(model, branches, error);
    if (status == CAB_OK) status = cab_branches_factorise(model, branches, error);
    free(cut.nodes);
    if (status != CAB_OK) cab_branches_free(branches);
    return status;
}

void cab_branches_free(cab_branches *b)
{
    CAB_FREE(b->branch, b->node, b->factor, b->component, b->component_start, b->component_particle,
             b->component_branch_start, b->component_branch, b->bend_start, b->bend_item, b->joined,
             b->separator, b->separator_row, b->separator_factor, b->separator_item, b->junction,
             b->junction_item, b->block, b->block_item, b->term, b->rigid, b->rigid_member, b->rigid_term,
             b->rigid_touch, b->rigid_touched, b->rigid_bent, b->rigid_dual, b->rigid_clamp);
    *b = (cab_branches){0};
}
