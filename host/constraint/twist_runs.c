/* Runs between places that hold the roll of cables: how they are drawn, and what cannot twist. */
#include "constraint/twist_runs.h"

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "constraint/bending.h"
#include "constraint/director_runs.h"
#include "constraint/rigid_twist.h"
#include "kernels/twist.h"
#include "model/model.h"
#include "model/scene.h"

/* ---- the directors of cables as they are drawn, without twist ---- */

static cab_vec3 tangent_at(const cab_model *m, int node)
{
    const int *particle = m->node_particle;
    cab_vec3 along = cab_vec3_sub(m->place[particle[node + 1]], m->place[particle[node]]);
    double length = cab_vec3_length(along);
    return length > 0 ? cab_vec3_scale(1 / length, along) : (cab_vec3){1, 0, 0};
}

static cab_vec3 carry(const cab_model *m, const cab_twist_hold *from, const cab_twist_hold *to)
{
    cab_vec3 director = from->director, before = from->direction;
    for (int node = from->node; node < to->node; node++) {
        cab_vec3 tangent = tangent_at(m, node);
        director = cab_twist_carried(director, before, tangent);
        before = tangent;
    }
    return cab_twist_carried(director, before, to->direction);
}

static void set_directors(cab_model *m)
{
    for (int k = 0; k < m->twist_hold_count; k++) {
        cab_twist_hold *hold = &m->twist_hold[k];
        bool first = k == 0 || hold->cable != hold[-1].cable;
        if (cab_director_cable_of(m, hold->cable))
            hold->director = cab_director_at(m, hold);
        else
            hold->director = first ? cab_twist_across(hold->direction) : carry(m, hold - 1, hold);
    }
}

/* ---- runs ---- */

double cab_twist_compliance(const cab_model *m, int cable, int from, int to)
{
    double sum = 0;
    for (int node = from; node < to; node++) {
        double gj = cab_bending_material(m, cable, node)->twisting_stiffness;
        if (gj == 0) return 0;
        sum += cab_bending_rest(m, node) / gj;
    }
    return sum;
}

static void add_run(cab_model *m, int start, int end)
{
    const cab_twist_hold *from = &m->twist_hold[start], *to = &m->twist_hold[end];
    double compliance = cab_twist_compliance(m, from->cable, from->node, to->node);
    if (compliance == 0) return;
    m->twist_run[m->twist_run_count++] =
        (cab_twist_run){.first = m->twist_link_count,
                        .count = to->node - from->node,
                        .start = start,
                        .end = end,
                        .stiffness = (float)(1 / compliance),
                        .most = (float)cab_twist_most(m, from->cable, from->node, to->node)};
    for (int node = from->node; node < to->node; node++)
        m->twist_link[m->twist_link_count++] =
            (cab_twist_link){.a = m->node_particle[node],
                             .b = m->node_particle[node + 1],
                             .inverse = (float)(1 / cab_bending_rest(m, node))};
}

static void list_runs(cab_model *m)
{
    int last = -1;
    cab_director_list(m); /* its links come first */
    m->twist_run_count = 0;
    for (int k = 0; k < m->twist_hold_count; k++) {
        const cab_twist_hold *hold = &m->twist_hold[k];
        if (m->attachments[hold->attachment].broken || cab_director_cable_of(m, hold->cable)) continue;
        if (last >= 0 && m->twist_hold[last].cable == hold->cable) add_run(m, last, k);
        last = k;
    }
}

void cab_twist_list(cab_model *m)
{
    list_runs(m);
    cab_rigid_twist_frequencies(m);
}

/* Of damped cables that twist: between which clamps, and what share of their twist each bending has. */
void cab_twist_share(cab_model *m)
{
    for (int k = 0, run = 0; k < m->viscous_run_count; k++) {
        cab_viscous_run *v = &m->viscous_run[k];
        const int *bending = &m->viscous_bending[v->first];
        int cable = m->bending_origin[bending[0]].body;
        v->start = v->end = -1;
        while (run < m->twist_run_count && m->twist_hold[m->twist_run[run].start].cable < cable) run++;
        if (run == m->twist_run_count || m->twist_hold[m->twist_run[run].start].cable != cable) continue;
        const cab_twist_run *twist = &m->twist_run[run];
        if (v->count != twist->count + 1) continue;
        v->start = twist->start;
        v->end = twist->end;
        for (int i = 0; i < v->count; i++) {
            int node = m->bending_origin[bending[i]].node;
            double about = i > 0 ? cab_twist_compliance(m, cable, node - 1, node) : 0;
            if (i + 1 < v->count) about += cab_twist_compliance(m, cable, node, node + 1);
            m->viscous_share[bending[i]] = (float)(0.5 * about * (double)twist->stiffness);
        }
    }
}

cab_range cab_twist_nodes(const cab_model *m, const cab_twist_run *run)
{
    const cab_twist_hold *from = &m->twist_hold[run->start], *to = &m->twist_hold[run->end];
    const cab_body *cable = &m->bodies[from->cable];
    bool last = to->node == cable->first_node + cable->node_count - 1;
    return (cab_range){from->node, to->node + last - from->node};
}

/* ---- what cannot twist ---- */

static cab_status refuse(const cab_model *m, int cable, const char *key, const char *expected,
                         cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables/%d/%s: expected %s", m->scene->source,
                    m->bodies[cable].scene_index, key, expected);
}

/* Does a clamp inside a cable hold its roll? */
static bool is_held_inside(const cab_model *m, int cable)
{
    const cab_body *body = &m->bodies[cable];
    for (int k = 0; k < m->twist_hold_count; k++) {
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

static cab_status check_cable(const cab_model *m, int cable, cab_error *error)
{
    const cab_body *body = &m->bodies[cable];
    bool axes = cab_director_has(m, cable), inside = is_held_inside(m, cable);
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
    for (int k = 1; status == CAB_OK && k < m->twist_hold_count; k++)
        if (m->twist_hold[k].cable == m->twist_hold[k - 1].cable)
            status = check_cable(m, m->twist_hold[k].cable, error);
    for (int c = 0; status == CAB_OK && c < m->cable_count; c++)
        if (cab_director_has(m, c)) status = check_cable(m, c, error);
    return status;
}

cab_status cab_twist_draft(cab_model *m, cab_error *error)
{
    cab_status status = cab_twist_list_holds(m, error);
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
