/* Cables that have a director for each segment: which ones, how they are drawn, and the tables of what bends and twists. */
#include "constraint/director_runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "constraint/bending.h"
#include "constraint/twist_chains.h"
#include "constraint/twist_holds.h"
#include "kernels/director.h"
#include "model/scene.h"

/* ---- directors as drawn: not twisted ---- */

static cab_vec3 along(const cab_model *m, int node)
{
    const int *particle = m->node_particle;
    return cab_vec3_unit(cab_vec3_sub(m->place[particle[node + 1]], m->place[particle[node]]));
}

/* As cab_twist_carried(), and exactly across the unit vector `to`. */
static cab_vec3 carried(cab_vec3 director, cab_vec3 from, cab_vec3 to)
{
    return cab_vec3_unit(cab_vec3_reject(cab_twist_carried(director, from, to), to));
}

/* Where the first axis of the section is at the cable's start. */
static cab_vec3 first_axis(const cab_model *m, int cable)
{
    const cab_body *body = &m->bodies[cable];
    cab_vec3 axis = m->scene->cables[body->scene_index].section_axis, t = along(m, body->first_node);
    cab_vec3 across = cab_vec3_reject(axis, t);
    if (cab_vec3_length(across) > 1e-6 * cab_vec3_length(axis)) return cab_vec3_unit(across);
    return cab_twist_across(t);
}

static const float *drawn_of(const cab_model *m, const cab_director_cable *c, int node)
{
    return &m->director[c->first_link + node - m->bodies[c->cable].first_node].x;
}

static void draw_cable(cab_model *m, const cab_director_cable *c)
{
    const cab_body *body = &m->bodies[c->cable];
    cab_vec3 d = first_axis(m, c->cable), before = along(m, body->first_node);
    for (int i = 0; i + 1 < body->node_count; i++) {
        cab_vec3 t = along(m, body->first_node + i);
        d = carried(d, before, t);
        m->director[c->first_link + i] = (float4){(float)d.x, (float)d.y, (float)d.z, 0};
        before = t;
    }
}

static int compare_cables(const void *a, const void *b)
{
    const cab_director_cable *x = a, *y = b;
    return (x->cable > y->cable) - (x->cable < y->cable);
}

const cab_director_cable *cab_director_cable_of(const cab_model *m, int cable)
{
    cab_director_cable key = {.cable = cable};
    if (m->director_cable_count == 0) return NULL;
    return bsearch(&key, m->director_cable, (size_t)m->director_cable_count, sizeof key, compare_cables);
}

cab_vec3 cab_director_at(const cab_model *m, const cab_twist_hold *hold)
{
    const cab_director_cable *c = cab_director_cable_of(m, hold->cable);
    const cab_body *body = &m->bodies[hold->cable];
    int node = hold->node - (hold->node > body->first_node);
    const float *d = drawn_of(m, c, node);
    return carried((cab_vec3){(double)d[0], (double)d[1], (double)d[2]}, along(m, node), hold->direction);
}

/* ---- bendings ---- */

/* The place that holds the roll at a node of a cable; -1 = none. */
static int hold_at(const cab_model *m, const cab_director_cable *c, int node)
{
    for (int k = c->holds.first; k < c->holds.first + c->holds.count; k++)
        if (m->twist_hold[k].node == node) return k;
    return -1;
}

static bool holds(const cab_model *m, int hold)
{
    return hold >= 0 && !m->attachments[m->twist_hold[hold].attachment].broken;
}

/* The frame of a link as it is drawn. */
static cab_frame frame_of(const cab_model *m, const cab_director_cable *c, int node)
{
    const float *d = drawn_of(m, c, node);
    return cab_frame_along(cab_floats_of(along(m, node)), vec3_make(d[0], d[1], d[2]));
}

static vec3 to_place(const cab_model *m, int from, int to)
{
    return to < 0 ? vec3_zero() : cab_floats_of(cab_vec3_sub(m->place[to], m->place[from]));
}

cab_bent cab_director_drawn(const cab_model *m, int bending, bool rolled)
{
    const cab_bending_constraint *b = &m->bending[bending];
    const cab_director_cable *c = cab_director_cable_of(m, m->bending_origin[bending].body);
    const cab_body *body = &m->bodies[c->cable];
    int node = m->bending_origin[bending].node, hold = hold_at(m, c, node);
    int last = body->first_node + body->node_count - 2;
    vec3 before = vec3_scale(to_place(m, b->b, b->a), -b->ga),
         after = vec3_scale(to_place(m, b->b, b->c), b->gc);
    if (hold < 0)
        return cab_bent_between(frame_of(m, c, node > body->first_node ? node - 1 : node),
                                frame_of(m, c, node < last ? node : last), before, after);
    const cab_twist_hold *h = &m->twist_hold[hold];
    cab_vec3 director = cab_twist_rolled(h, rolled ? cab_twist_roll(m, h, 0) : 0);
    cab_frame frame = {cab_floats_of(h->direction), cab_floats_of(director)};
    const float4 *base = &m->bending_target[b->target + 2];
    return cab_bent_held(frame, vec3_sub(vec3_sub(after, before), vec3_make(base->x, base->y, base->z)));
}

/* What is there at rest of the kink of an ordinary bending as it is drawn. */
static float4 rest_of(const cab_model *m, const cab_director_cable *c, int bending)
{
    const cab_material_def *material = &m->scene->materials[m->bodies[c->cable].material];
    if (!material->rest_shape_path) return (float4){0, 0, 0, 0};
    cab_bent bent = cab_director_drawn(m, bending, false);
    cab_kink kink = cab_kink_of(&bent);
    float share = (float)material->rest_share;
    return (float4){share * kink.first, share * kink.second, 0, 0};
}

/* Half cells of a bending in series: N m over a kink, from the stiffnesses EI of its sections about an axis. */
static double stiffness_of(const cab_origin *o, double own, double other)
{
    double compliance = o->cell / own + (o->other_cell > 0 ? o->other_cell / other : 0);
    return 1 / compliance;
}

static void stiffnesses(const cab_model *m, int bending, double k[2])
{
    const cab_origin *o = &m->bending_origin[bending];
    const cab_material_def *own = &m->section[o->section].def, *other = &m->section[o->other_section].def;
    k[0] = stiffness_of(o, own->bending_stiffness, other->bending_stiffness);
    k[1] = stiffness_of(o, cab_material_second(own), cab_material_second(other));
}

/* The kink at which the weaker of its sections begins to stay bent; 0 = never. */
static double yield_of(const cab_model *m, int bending)
{
    const cab_origin *o = &m->bending_origin[bending];
    double own = m->section[o->section].def.yield_curvature, cell = o->cell + o->other_cell;
    double other = o->other_cell > 0 ? m->section[o->other_section].def.yield_curvature : own;
    double least = own > 0 && other > 0 ? fmin(own, other) : fmax(own, other);
    return least * cell;
}

/* Has a bending axes? Not the angle to another cable, nor that of a clamp which lets the section roll: it is as stiff as about the
 * stiffer axis whatever way it is bent. */
static bool has_frame(const cab_model *m, int bending, int cable)
{
    const cab_origin *o = &m->bending_origin[bending];
    bool clamp = m->bending[bending].target >= 0;
    return o->body == cable && o->other_body < 0 &&
           (!clamp || hold_at(m, cab_director_cable_of(m, cable), o->node) >= 0);
}

static cab_status add_targets(cab_model *m, int bending, int *room, cab_error *error)
{
    cab_bending_constraint *b = &m->bending[bending];
    int n = m->bending_target_count;
    float4 base = b->target >= 0 ? m->bending_target[b->target] : (float4){0, 0, 0, 0};
    if (n + 3 > *room) {
        size_t grown = (size_t)*room * 2 + 96;
        float4 *target = realloc(m->bending_target, grown * sizeof *target);
        if (!target) return cab_fail_memory(error, "directors", grown * sizeof *target);
        m->bending_target = target;
        *room = (int)grown;
    }
    b->target = n;
    b->rest = 0;
    for (int k = 0; k < 3; k++) m->bending_target[n + k] = base;
    m->bending_target_count = n + 3;
    return CAB_OK;
}

static cab_status draft_bending(cab_model *m, const cab_director_cable *c, int bending, int *room,
                                cab_error *error)
{
    int k = m->director_bending_count++;
    bool clamp = m->bending[bending].target >= 0;
    cab_status status = add_targets(m, bending, room, error);
    m->director_bending[k] =
        (cab_director_bending){.bending = bending, .before = -1, .after = -1, .hold = -1};
    m->director_rest[k] = clamp ? (float4){0, 0, 0, 0} : rest_of(m, c, bending);
    m->director_of[bending] = k;
    return status;
}

cab_status cab_director_rest(cab_model *m, cab_error *error)
{
    int room = m->bending_target_count;
    if (m->director_cable_count == 0) return CAB_OK;
    cab_status status = CAB_NEW(m->director_bending, m->bending_count, error);
    if (status == CAB_OK) status = CAB_NEW(m->director_rest, m->bending_count, error);
    if (status == CAB_OK) status = CAB_NEW(m->director_of, m->bending_count, error);
    for (int i = 0; status == CAB_OK && i < m->bending_count; i++) m->director_of[i] = -1;
    for (int i = 0; status == CAB_OK && i < m->bending_count; i++) {
        const cab_director_cable *c = cab_director_cable_of(m, m->bending_origin[i].body);
        if (!c || !has_frame(m, i, c->cable)) continue;
        status = draft_bending(m, c, i, &room, error);
    }
    return status;
}

cab_status cab_director_draft(cab_model *m, cab_error *error)
{
    int nodes = 0, links = 0;
    cab_status status = CAB_NEW(m->director_cable, m->cable_count, error);
    for (int i = 0; status == CAB_OK && i < m->twist_chain_count; i++) {
        const cab_twist_chain *chain = &m->twist_chain[i];
        if (!cab_twist_has_directors(m, chain->cable)) continue;
        m->director_cable[m->director_cable_count++] =
            (cab_director_cable){chain->cable, links, nodes, chain->holds};
        links += m->bodies[chain->cable].node_count - 1;
        nodes += m->bodies[chain->cable].node_count;
    }
    if (status != CAB_OK || m->director_cable_count == 0) return status;
    m->director_node_count = nodes;
    m->director_link_count = links;
    status = CAB_NEW(m->director, links, error);
    if (status == CAB_OK) status = CAB_NEW(m->director_vertex, 2 * (size_t)nodes, error);
    if (status == CAB_OK)
        status = CAB_NEW(m->director_run, m->director_cable_count + m->twist_hold_count, error);
    for (int i = 0; status == CAB_OK && i < m->director_cable_count; i++)
        draw_cable(m, &m->director_cable[i]);
    return status;
}

/* ---- runs ---- */

/* What twists between the middles of two segments, or where `before` or `after` is false, between a middle and a place that holds
 * the roll; N m over the angle. */
static float twist_about(const cab_model *m, int cable, int node, bool before, bool after)
{
    double compliance = 0;
    if (before)
        compliance += 0.5 * cab_bending_rest(m, node - 1) /
                      cab_bending_material(m, cable, node - 1)->twisting_stiffness;
    if (after)
        compliance +=
            0.5 * cab_bending_rest(m, node) / cab_bending_material(m, cable, node)->twisting_stiffness;
    return (float)(1 / compliance);
}

/* A run of one cable from one node to another, each with the place that holds its roll there, or -1. */
static void add_run(cab_model *m, const cab_director_cable *c, int from, int to, int start, int end)
{
    int offset = m->bodies[c->cable].first_node;
    cab_director_run run = {.first = c->first_link + from - offset,
                            .count = to - from,
                            .start = start,
                            .end = end,
                            .node = c->first_node + from - offset,
                            .most = (float)cab_twist_most(m, c->cable, from, to)};
    m->director_run[m->director_run_count++] = run;
    for (int node = from; node <= to; node++) {
        int v = 2 * (c->first_node + node - offset) + (node == from);
        bool inside = node > from && node < to, held = (node == from ? start : end) >= 0;
        m->director_vertex[v] = (cab_director_vertex){.bending = -1};
        if (inside || held)
            m->director_vertex[v].twist = twist_about(m, c->cable, node, node > from, node < to);
    }
}

static void list_cable(cab_model *m, const cab_director_cable *c)
{
    const cab_body *body = &m->bodies[c->cable];
    int first = body->first_node, last = first + body->node_count - 1, from = first, start = -1;
    for (int i = 0; i < body->node_count - 1; i++) {
        m->node_twist[first + i] = c->first_link + i;
        m->twist_link[c->first_link + i] =
            (cab_twist_link){.a = m->node_particle[first + i],
                             .b = m->node_particle[first + i + 1],
                             .inverse = (float)(1 / cab_bending_rest(m, first + i))};
    }
    for (int k = c->holds.first; k < c->holds.first + c->holds.count; k++) {
        int node = m->twist_hold[k].node;
        if (!holds(m, k)) continue;
        if (node > from) add_run(m, c, from, node, start, k);
        from = node;
        start = k;
    }
    if (from < last) add_run(m, c, from, last, start, -1);
}

/* The frame of a bending: that of a clamp which holds the roll there, or of both its segments. */
static void list_bending(cab_model *m, cab_director_bending *b)
{
    const cab_origin *o = &m->bending_origin[b->bending];
    const cab_director_cable *c = cab_director_cable_of(m, o->body);
    int at = o->node - m->bodies[c->cable].first_node, hold = hold_at(m, c, o->node);
    double k[2];
    stiffnesses(m, b->bending, k);
    double most = fmax(k[0], k[1]);
    int last = m->bodies[c->cable].node_count - 2;
    b->before = c->first_link + (at > 0 ? at - 1 : 0);
    b->after = c->first_link + (at < last ? at : last);
    b->hold = holds(m, hold) ? hold : -1;
    b->soft[0] = (float)(1 - k[0] / most);
    b->soft[1] = (float)(1 - k[1] / most);
    b->yield = (float)yield_of(m, b->bending);
    if (b->hold >= 0 || cab_model_bending_is_clamp(m, b->bending)) return;
    cab_director_vertex *v = &m->director_vertex[2 * (c->first_node + at)];
    v->bend[0] = (float)k[0];
    v->bend[1] = (float)k[1];
    v->bending = (int)(b - m->director_bending);
}

void cab_director_list(cab_model *m)
{
    m->director_run_count = 0;
    m->twist_link_count = m->director_link_count;
    for (int i = 0; i < m->director_cable_count; i++) list_cable(m, &m->director_cable[i]);
    for (int i = 0; i < m->director_bending_count; i++) list_bending(m, &m->director_bending[i]);
}

int cab_director_row(const cab_model *m, const cab_director_cable *c, int node)
{
    const cab_body *body = &m->bodies[c->cable];
    int first = body->first_node, last = body->node_count - 2;
    int at = node - first < last ? node - first : last;
    bool begins = at == 0 || holds(m, hold_at(m, c, first + at));
    return m->twist_hold_count + 2 * (c->first_node + at) + begins;
}

int cab_twist_rows(const cab_model *m)
{
    return m->twist_hold_count + 2 * m->director_node_count;
}
