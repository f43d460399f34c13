#include "constraint/twist_chains.h"

#include "base/array.h"
#include "base/vec3.h"
#include "constraint/bending.h"
#include "kernels/twist.h"
#include "model/scene.h"

/* The ends of cables are counted: 2 cable + (1: its last node). */
typedef struct cab_chaining {
    cab_model *model;
    int *clamped; /* [ends] joints that clamp it to something */
    int *mate;    /* [ends] the end that it passes its roll on to; -1 = none */
    int *joint;   /* [ends] the attachment by which it does */
    bool *passed; /* [cables] they are in a chain */
} cab_chaining;

static bool resists(const cab_model *m, int cable)
{
    const cab_body *body = &m->bodies[cable];
    for (int node = body->first_node; node + 1 < body->first_node + body->node_count; node++)
        if (cab_bending_material(m, cable, node)->twisting_stiffness > 0) return true;
    return false;
}

static bool has_axes(const cab_material_def *def)
{
    return cab_material_second(def) != def->bending_stiffness || def->yield_curvature > 0;
}

bool cab_twist_has_directors(const cab_model *m, int cable)
{
    const cab_body *body = &m->bodies[cable];
    const cab_material_def *whole = &m->scene->materials[body->material];
    bool resists = false, asks = whole->rest_shape_path && whole->rest_share > 0;
    for (int node = body->first_node; node + 1 < body->first_node + body->node_count; node++) {
        const cab_material_def *def = cab_bending_material(m, cable, node);
        resists = resists || def->twisting_stiffness > 0;
        asks = asks || has_axes(def);
    }
    return resists && asks;
}

/* Can a cable pass its roll on? One without directors, drums, damped bending, that bends and resists twisting all along. */
static bool passes(const cab_model *m, int cable)
{
    const cab_body *body = &m->bodies[cable];
    if (m->scene->cables[body->scene_index].feed.keyframe_count > 0 || cab_twist_has_directors(m, cable))
        return false;
    for (int node = body->first_node; node + 1 < body->first_node + body->node_count; node++) {
        const cab_material_def *def = cab_bending_material(m, cable, node);
        if (!(def->twisting_stiffness > 0 && def->bending_stiffness > 0) || def->bending_damping > 0)
            return false;
    }
    return true;
}

static int end_node(const cab_model *m, int end)
{
    const cab_body *body = &m->bodies[end / 2];
    return body->first_node + (end % 2 ? body->node_count - 1 : 0);
}

/* The end of a cable that a node is; -1 = it is inside one, or in a sheet. */
static int end_of(const cab_model *m, int node)
{
    int cable = cab_model_cable_of_node(m, node);
    if (cable < 0) return -1;
    return node == end_node(m, 2 * cable)       ? 2 * cable
           : node == end_node(m, 2 * cable + 1) ? 2 * cable + 1
                                                : -1;
}

/* From the end of a cable into it, a unit vector. */
static cab_vec3 inward(const cab_model *m, int end)
{
    int node = end_node(m, end), next = end % 2 ? node - 1 : node + 1;
    return cab_vec3_unit(cab_vec3_sub(m->place[m->node_particle[next]], m->place[m->node_particle[node]]));
}

/* Is a joint no fold, which has no sides? */
static bool goes_on(const cab_model *m, int from, int to)
{
    cab_vec3 sum = cab_vec3_sub(inward(m, to), inward(m, from));
    return cab_vec3_dot(sum, sum) > (double)CAB_TWIST_FOLD;
}

static bool is_clamped_joint(const cab_model *m, int attachment)
{
    const cab_model_attachment *a = &m->attachments[attachment];
    return a->joint && a->body < m->cable_count && cab_model_attachment_def(m, attachment)->clamp;
}

/* Which ends pass their roll on to which: those that one joint clamps, and to each other. */
static void find_mates(cab_chaining *c)
{
    const cab_model *m = c->model;
    for (int e = 0; e < 2 * m->cable_count; e++) c->mate[e] = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < m->attachment_count; i++) {
            if (!is_clamped_joint(m, i)) continue;
            int from = end_of(m, m->attachments[i].node), to = end_of(m, m->attachments[i].target_node);
            if (pass == 0) {
                if (from >= 0) c->clamped[from]++;
                if (to >= 0) c->clamped[to]++;
            } else if (from >= 0 && to >= 0 && from / 2 != to / 2 && c->clamped[from] == 1 &&
                       c->clamped[to] == 1 && passes(m, from / 2) && passes(m, to / 2) &&
                       goes_on(m, from, to)) {
                c->mate[from] = to;
                c->mate[to] = from;
                c->joint[from] = c->joint[to] = i;
            }
        }
}

/* The end at which the chain of a cable begins, on the side of its start. One that closes on itself is cut there. */
static int outer_end(cab_chaining *c, int cable)
{
    int end = 2 * cable;
    while (c->mate[end] >= 0) {
        int next = c->mate[end] ^ 1;
        if (next == 2 * cable) {
            c->mate[c->mate[next]] = -1;
            c->mate[next] = -1;
            return next;
        }
        end = next;
    }
    return end;
}

static void add_chain(cab_chaining *c, int cable)
{
    cab_model *m = c->model;
    cab_twist_chain *chain = &m->twist_chain[m->twist_chain_count++];
    *chain = (cab_twist_chain){.cable = cable, .places = {m->twist_place_count, 0}};
    for (int end = outer_end(c, cable); end >= 0; end = c->mate[end ^ 1]) {
        int node = end_node(m, end), step = end % 2 ? -1 : 1, count = m->bodies[end / 2].node_count;
        c->passed[end / 2] = true;
        for (int i = 0; i < count; i++, node += step)
            m->twist_place[m->twist_place_count++] = (cab_twist_place){node, -1};
        if (c->mate[end ^ 1] >= 0) m->twist_place[m->twist_place_count - 1].joint = c->joint[end ^ 1];
    }
    chain->places.count = m->twist_place_count - chain->places.first;
}

cab_status cab_twist_list_chains(cab_model *m, cab_error *error)
{
    cab_chaining c = {.model = m};
    size_t ends = 2 * (size_t)m->cable_count;
    int places = 0, chains = 0;
    for (int k = 0; k < m->cable_count; k++) {
        if (!resists(m, k)) continue;
        places += m->bodies[k].node_count;
        chains++;
    }
    if (chains == 0) return CAB_OK;
    cab_status status = CAB_NEW(m->twist_place, places, error);
    if (status == CAB_OK) status = CAB_NEW(m->twist_chain, chains, error);
    if (status == CAB_OK) status = CAB_NEW(m->node_twist, m->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(c.clamped, ends, error);
    if (status == CAB_OK) status = CAB_NEW(c.mate, ends, error);
    if (status == CAB_OK) status = CAB_NEW(c.joint, ends, error);
    if (status == CAB_OK) status = CAB_NEW(c.passed, m->cable_count, error);
    if (status == CAB_OK) {
        for (int i = 0; i < m->node_count; i++) m->node_twist[i] = -1;
        find_mates(&c);
        for (int k = 0; k < m->cable_count; k++)
            if (!c.passed[k] && resists(m, k)) add_chain(&c, k);
    }
    CAB_FREE(c.clamped, c.mate, c.joint, c.passed);
    return status;
}

int cab_twist_segment(const cab_model *m, int place)
{
    const cab_twist_place *at = &m->twist_place[place];
    if (at->joint >= 0) return -1;
    return at[1].node < at->node ? at[1].node : at->node;
}

cab_vec3 cab_twist_tangent_at(const cab_model *m, int place)
{
    const cab_twist_place *at = &m->twist_place[place];
    const int *particle = m->node_particle;
    if (at->joint >= 0) return (cab_vec3){0, 0, 0};
    cab_vec3 along = cab_vec3_sub(m->place[particle[at[1].node]], m->place[particle[at->node]]);
    double length = cab_vec3_length(along);
    return length > 0 ? cab_vec3_scale(1 / length, along) : (cab_vec3){1, 0, 0};
}
