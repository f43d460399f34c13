/* Runs between places that hold the roll of cables: how they are drawn, and what cannot twist. */
#include "constraint/twist_runs.h"

#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "constraint/bending.h"
#include "constraint/director_runs.h"
#include "constraint/rigid_twist.h"
#include "constraint/twist_chains.h"
#include "model/model.h"
#include "model/scene.h"

/* ---- the directors of cables as they are drawn, without twist ---- */

static cab_vec3 carry(const cab_model *m, const cab_twist_hold *from, const cab_twist_hold *to)
{
    cab_vec3 director = from->director, before = from->direction;
    for (int place = from->place; place < to->place; place++) {
        if (m->twist_place[place].joint >= 0) continue;
        cab_vec3 tangent = cab_twist_tangent_at(m, place);
        director = cab_twist_carried(director, before, tangent);
        before = tangent;
    }
    return cab_twist_carried(director, before, to->direction);
}

static void set_directors(cab_model *m)
{
    for (int c = 0; c < m->twist_chain_count; c++) {
        cab_range holds = m->twist_chain[c].holds;
        for (int k = holds.first; k < holds.first + holds.count; k++) {
            cab_twist_hold *hold = &m->twist_hold[k];
            if (cab_director_cable_of(m, hold->cable))
                hold->director = cab_director_at(m, hold);
            else
                hold->director =
                    k == holds.first ? cab_twist_across(hold->direction) : carry(m, hold - 1, hold);
        }
    }
}

/* ---- runs ---- */

double cab_twist_compliance_of(const cab_model *m, int segment)
{
    double gj = cab_bending_material(m, cab_model_cable_of_node(m, segment), segment)->twisting_stiffness;
    return gj == 0 ? INFINITY : cab_bending_rest(m, segment) / gj;
}

/* Rad a metre of moment between two places of a chain, 1/(N m); not finite: something there turns freely. */
static double compliance_between(const cab_model *m, int from, int to)
{
    double sum = 0;
    for (int place = from; place < to; place++) {
        int segment = cab_twist_segment(m, place);
        if (segment >= 0)
            sum += cab_twist_compliance_of(m, segment);
        else if (m->attachments[m->twist_place[place].joint].broken)
            sum = INFINITY;
    }
    return sum;
}

static void add_run(cab_model *m, int start, int end)
{
    int from = m->twist_hold[start].place, to = m->twist_hold[end].place;
    double compliance = compliance_between(m, from, to), most = INFINITY;
    if (!(compliance > 0 && isfinite(compliance))) return;
    cab_twist_run *run = &m->twist_run[m->twist_run_count++];
    *run = (cab_twist_run){
        .first = m->twist_link_count, .start = start, .end = end, .stiffness = (float)(1 / compliance)};
    for (int place = from; place < to; place++) {
        int segment = cab_twist_segment(m, place);
        if (segment < 0) continue;
        most = fmin(most, cab_twist_most(m, cab_model_cable_of_node(m, segment), segment, segment + 1));
        m->node_twist[segment] = m->twist_link_count;
        m->twist_link[m->twist_link_count++] =
            (cab_twist_link){.a = m->node_particle[m->twist_place[place].node],
                             .b = m->node_particle[m->twist_place[place + 1].node],
                             .inverse = (float)(1 / cab_bending_rest(m, segment)),
                             .row = start};
    }
    run->count = m->twist_link_count - run->first;
    run->most = (float)most;
}

static void list_runs(cab_model *m)
{
    cab_director_list(m); /* its links come first */
    m->twist_run_count = 0;
    for (int c = 0; c < m->twist_chain_count; c++) {
        const cab_twist_chain *chain = &m->twist_chain[c];
        if (cab_director_cable_of(m, chain->cable)) continue;
        for (int i = 0; i < chain->places.count; i++)
            m->node_twist[m->twist_place[chain->places.first + i].node] = -1;
        for (int k = chain->holds.first, last = -1; k < chain->holds.first + chain->holds.count; k++) {
            if (m->attachments[m->twist_hold[k].attachment].broken) continue;
            if (last >= 0) add_run(m, last, k);
            last = k;
        }
    }
}

void cab_twist_list(cab_model *m)
{
    list_runs(m);
    cab_rigid_twist_frequencies(m);
}

int cab_twist_row(const cab_model *m, int node)
{
    int link = m->node_twist[m->node_segment[node] < 0 ? node - 1 : node];
    return link < 0 ? -1 : m->twist_link[link].row;
}

const cab_twist_run *cab_twist_run_from(const cab_model *m, int hold)
{
    int low = 0, high = m->twist_run_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (m->twist_run[middle].start < hold)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->twist_run_count && m->twist_run[low].start == hold ? &m->twist_run[low] : NULL;
}

/* The run of a cable by itself from its start to its end; NULL = none. chain: moved on to the cable's */
static const cab_twist_run *whole_run(const cab_model *m, int cable, int *chain)
{
    while (*chain < m->twist_chain_count && m->twist_chain[*chain].cable < cable) ++*chain;
    if (*chain == m->twist_chain_count || m->twist_chain[*chain].cable != cable) return NULL;
    cab_range holds = m->twist_chain[*chain].holds;
    const cab_twist_run *run = holds.count > 0 ? cab_twist_run_from(m, holds.first) : NULL;
    return run && run->count + 1 == m->bodies[cable].node_count ? run : NULL;
}

/* Of damped cables that twist: between which clamps, and what share of their twist each bending has. */
void cab_twist_share(cab_model *m)
{
    for (int k = 0, chain = 0; k < m->viscous_run_count; k++) {
        cab_viscous_run *v = &m->viscous_run[k];
        const int *bending = &m->viscous_bending[v->first];
        int cable = m->bending_origin[bending[0]].body;
        const cab_twist_run *twist = whole_run(m, cable, &chain);
        v->start = v->end = -1;
        if (!twist || v->count != twist->count + 1) continue;
        v->start = twist->start;
        v->end = twist->end;
        for (int i = 0; i < v->count; i++) {
            int node = m->bending_origin[bending[i]].node;
            double about = i > 0 ? cab_twist_compliance_of(m, node - 1) : 0;
            if (i + 1 < v->count) about += cab_twist_compliance_of(m, node);
            m->viscous_share[bending[i]] = (float)(0.5 * about * (double)twist->stiffness);
        }
    }
}

/* ---- what cannot twist ---- */

static cab_status refuse(const cab_model *m, int cable, const char *key, const char *expected,
                         cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables/%d/%s: expected %s", m->scene->source,
                    m->bodies[cable].scene_index, key, expected);
}

/* Does a clamp inside a cable hold its roll? */
static bool is_held_inside(const cab_model *m, const cab_twist_chain *chain, int cable)
{
    const cab_body *body = &m->bodies[cable];
    for (int k = chain->holds.first; k < chain->holds.first + chain->holds.count; k++) {
        int at = m->twist_hold[k].node - body->first_node;
        if (m->twist_hold[k].cable == cable && at > 0 && at < body->node_count - 1) return true;
    }
    return false;
}

/* What a material of such a cable lacks, or has too much; NULL = nothing. axes: it has directors */
static const char *wrong_with(const cab_material_def *def, bool axes, bool inside)
{
    if (!(def->bending_stiffness > 0)) return "bending_stiffness all along a cable that resists twisting";
    if (def->bending_damping > 0 && axes)
        return "no bending_damping of a cable that resists twisting and has axes or is curved at rest";
    if (def->bending_damping > 0 && inside)
        return "no bending_damping of a cable that resists twisting and is clamped inside";
    if (!(def->twisting_stiffness > 0) && axes)
        return "twisting_stiffness all along a cable whose section has axes or that is curved at rest";
    return NULL;
}

static cab_status check_cable(const cab_model *m, const cab_twist_chain *chain, int cable, cab_error *error)
{
    const cab_body *body = &m->bodies[cable];
    bool axes = cab_twist_has_directors(m, cable), inside = is_held_inside(m, chain, cable);
    if (m->scene->cables[body->scene_index].feed.keyframe_count > 0)
        return refuse(m, cable, "feed", "no drum at a cable that resists twisting", error);
    for (int node = body->first_node; node + 1 < body->first_node + body->node_count; node++) {
        const char *wrong = wrong_with(cab_bending_material(m, cable, node), axes, inside);
        if (wrong) return refuse(m, cable, "material", wrong, error);
    }
    return CAB_OK;
}

/* Cables that twist: between two places that hold the roll, or with directors. */
static cab_status check_cables(const cab_model *m, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int c = 0; c < m->twist_chain_count; c++) {
        const cab_twist_chain *chain = &m->twist_chain[c];
        if (chain->holds.count < 2 && !cab_twist_has_directors(m, chain->cable)) continue;
        for (int i = 0, cable = -1; status == CAB_OK && i < chain->places.count; i++) {
            int now = cab_model_cable_of_node(m, m->twist_place[chain->places.first + i].node);
            if (now != cable) status = check_cable(m, chain, now, error);
            cable = now;
        }
    }
    return status;
}

cab_status cab_twist_draft(cab_model *m, cab_error *error)
{
    cab_status status = cab_twist_list_chains(m, error);
    if (status == CAB_OK) status = cab_twist_list_holds(m, error);
    if (status == CAB_OK) status = check_cables(m, error);
    if (status == CAB_OK) status = cab_rigid_twist_check(m, error);
    if (status == CAB_OK) status = cab_director_draft(m, error);
    if (status != CAB_OK || m->twist_hold_count + m->director_cable_count == 0) return status;
    set_directors(m);
    if (status == CAB_OK) status = cab_director_rest(m, error);
    if (status == CAB_OK) status = CAB_NEW(m->twist_run, m->twist_hold_count, error);
    if (status == CAB_OK) status = CAB_NEW(m->twist_link, m->node_count, error);
    if (status == CAB_OK) cab_twist_list(m);
    m->has_twist = m->twist_run_count + m->director_run_count > 0;
    return status;
}
