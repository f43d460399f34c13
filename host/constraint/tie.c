/* tie: holds the cables of a bundle inside a ring, as pairs of particles that may be no farther apart than
 * the ring allows. Kernel: tie.cl. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/array.h"
#include "base/vec3.h"
#include "model/hash.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"

static cab_status check(const cab_scene *scene, const cab_method_traits *t, cab_error *error)
{
    if (scene->tie_count == 0) return CAB_OK;
    if (t->rule != CAB_RULE_COMPLIANT && t->rule != CAB_RULE_DIRECT)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: /ties/0: the method \"%s\" has no ties",
                        scene->source, t->name);
    if (scene->settings.contact.sleep)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: /contact/sleep: tied cables cannot sleep by themselves; expected false",
                        scene->source);
    return CAB_OK;
}

static bool present(const cab_model *model)
{
    return model->tie_count > 0;
}

/* ---- the model ---- */

/* of a ring's area: 3 to 7 equal round cables need a ring 0.5 to 10 % smaller than this */
#define FILLED 0.64

/* A cable at the place of a ring. */
typedef struct member {
    int node;
    double radius;
} member;

static double radius_at(const cab_model *model, int c, int node)
{
    const cab_body *cable = &model->bodies[c];
    int i = node - cable->first_node, last = cable->segment_count - 1;
    double before =
        model->section[model->edge[cable->first_segment + (i > 0 ? i - 1 : 0)].section].def.radius;
    double after =
        model->section[model->edge[cable->first_segment + (i < last ? i : last)].section].def.radius;
    return fmax(before, after);
}

static cab_vec3 place_of(const cab_model *model, int node)
{
    return model->place[model->node_particle[node]];
}

/* The node of a cable whose place in the scene is nearest to this one. */
static int nearest_node(const cab_model *model, int c, cab_vec3 place)
{
    const cab_body *cable = &model->bodies[c];
    int best = cable->first_node;
    for (int node = best; node < cable->first_node + cable->node_count; node++) {
        if (cab_vec3_distance(place_of(model, node), place) < cab_vec3_distance(place_of(model, best), place))
            best = node;
    }
    return best;
}

/* The inner radius of the ring, m. */
static double ring_of(const cab_tie_def *def, const member *m, int count)
{
    double area = 0, widest = 0;
    if (def->radius > 0) return def->radius;
    for (int i = 0; i < count; i++) {
        area += m[i].radius * m[i].radius;
        for (int k = 0; k < i; k++) widest = fmax(widest, m[i].radius + m[k].radius);
    }
    return fmax(widest, sqrt(area / FILLED));
}

static cab_vec3 direction_at(const cab_model *model, int c, int node)
{
    const cab_body *cable = &model->bodies[c];
    int first = cable->first_node, last = first + cable->node_count - 1;
    return cab_vec3_unit(cab_vec3_sub(place_of(model, node < last ? node + 1 : node),
                                      place_of(model, node > first ? node - 1 : node)));
}

/* Ties every two members. An offset along the bundle at the start may stay. */
static cab_status tie_members(cab_model *model, const cab_placed_tie *tie, const member *m, cab_vec3 along,
                              cab_error *error)
{
    double ring = ring_of(&model->scene->ties[tie->scene_tie], m, tie->member_count);
    size_t pairs = (size_t)tie->member_count * (size_t)(tie->member_count - 1) / 2;
    size_t total = (size_t)model->tie_count + pairs;
    cab_distance_constraint *grown = realloc(model->tie, total * sizeof *grown);
    if (grown) model->tie = grown;
    int(*nodes)[2] = realloc(model->tie_node, total * sizeof *nodes);
    if (nodes) model->tie_node = nodes;
    if (!grown || !nodes) return cab_fail_memory(error, "ties", total * sizeof *grown);
    for (int i = 0; i < tie->member_count; i++) {
        for (int k = 0; k < i; k++) {
            int a = model->node_particle[m[k].node], b = model->node_particle[m[i].node];
            double apart = cab_vec3_dot(cab_vec3_sub(model->place[b], model->place[a]), along);
            double across = 2 * ring - m[i].radius - m[k].radius;
            if (a == b) continue;
            nodes[model->tie_count][0] = m[k].node;
            nodes[model->tie_count][1] = m[i].node;
            grown[model->tie_count++] = (cab_distance_constraint){
                .a = a, .b = b, .rest = (float)sqrt(across * across + apart * apart)};
        }
    }
    return CAB_OK;
}

static cab_status check_ring(const cab_model *model, const cab_placed_tie *tie, const member *m,
                             cab_error *error)
{
    double ring = ring_of(&model->scene->ties[tie->scene_tie], m, tie->member_count);
    for (int i = 0; i < tie->member_count; i++) {
        for (int k = 0; k < i; k++) {
            if (ring >= 0.999 * (m[i].radius + m[k].radius)) continue;
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /ties/%d/radius: expected at least %.4g, for two cables side by side",
                            model->scene->source, tie->scene_tie, m[i].radius + m[k].radius);
        }
    }
    return CAB_OK;
}

static cab_status add_tie(cab_model *model, const cab_placed_tie *tie, cab_error *error)
{
    const int *cables = &model->tie_member[tie->first_member];
    member *m;
    cab_status status = CAB_NEW(m, tie->member_count, error);
    for (int node = tie->first_node; status == CAB_OK && node <= tie->last_node; node++) {
        for (int i = 0; i < tie->member_count; i++) {
            m[i].node = i == 0 ? node : nearest_node(model, cables[i], place_of(model, node));
            m[i].radius = radius_at(model, cables[i], m[i].node);
        }
        status = check_ring(model, tie, m, error);
        if (status == CAB_OK)
            status = tie_members(model, tie, m, direction_at(model, cables[0], node), error);
    }
    free(m);
    return status;
}

/* Sorts ties by colour: no particle occurs twice in one. */
static cab_status sort_ties(cab_model *model, cab_error *error)
{
    int count = model->tie_count, *order;
    cab_stencil *stencil = NULL;
    cab_distance_constraint *tie = NULL;
    int(*node)[2] = NULL;
    cab_status status = CAB_NEW(order, count, error);
    if (status == CAB_OK) status = CAB_NEW(stencil, count, error);
    if (status == CAB_OK) status = CAB_NEW(tie, count, error);
    if (status == CAB_OK) status = CAB_NEW(node, count, error);
    for (int i = 0; status == CAB_OK && i < count; i++)
        stencil[i] = (cab_stencil){.particle = {model->tie[i].a, model->tie[i].b, -1}};
    if (status == CAB_OK && count > 0)
        status = cab_colour_part(stencil, 0, count, model->particle_count, order, &model->tie_colour,
                                 &model->tie_colour_count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        tie[i] = model->tie[order[i]];
        node[i][0] = model->tie_node[order[i]][0];
        node[i][1] = model->tie_node[order[i]][1];
    }
    free(order);
    free(stencil);
    if (status != CAB_OK) {
        free(tie);
        free(node);
        return status;
    }
    free(model->tie);
    free(model->tie_node);
    model->tie = tie;
    model->tie_node = node;
    return CAB_OK;
}

static cab_status draft(cab_model *model, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < model->placed_tie_count; i++)
        status = add_tie(model, &model->placed_ties[i], error);
    return status == CAB_OK && model->tie_count > 0 ? sort_ties(model, error) : status;
}

static void renumber(cab_model *model)
{
    for (int i = 0; i < model->tie_count; i++) {
        model->tie[i].a = model->node_particle[model->tie_node[i][0]];
        model->tie[i].b = model->node_particle[model->tie_node[i][1]];
    }
}

static void hash(const cab_model *m, uint64_t *hash)
{
    cab_hash_array(hash, m->tie, m->tie_count, sizeof *m->tie);
}

static void free_model(cab_model *m)
{
    CAB_FREE(m->tie, m->tie_node, m->tie_colour);
}

/* ---- the world ---- */

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t count = (size_t)m->tie_count;
    if (count == 0) return CAB_OK;
    const cab_table tables[] = {
        {CAB_BUFFER_tie, m->tie, count, sizeof *m->tie},
        {CAB_BUFFER_tie_lambda, NULL, count, sizeof(float)},
    };
    return CAB_UPLOAD(world, tables, error);
}

/* A pass over the ties: largest distances. */
static cab_status solve(cab_world *world, bool first, cab_error *error)
{
    const cab_model *m = world->model;
    int flags = CAB_SOLVE_AT_MOST | (first ? CAB_SOLVE_FIRST : 0);
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->tie_colour_count; i++)
        status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_tie, m->tie_colour[i].first,
                               m->tie_colour[i].count, flags, 0, error);
    return status;
}

static cab_status iterate(cab_world *world, int substep, bool first, cab_error *error)
{
    (void)substep;
    return solve(world, first, error);
}

int cab_world_get_ties(const cab_world *world, int (*nodes)[2], int capacity)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->tie_count && i < capacity; i++) {
        nodes[i][0] = m->tie_node[i][0];
        nodes[i][1] = m->tie_node[i][1];
    }
    return m->tie_count;
}

const cab_constraint_kind cab_tie_kind = {.name = "tie",
                                          .check = check,
                                          .present = present,
                                          .ways = 1u << CAB_WAY_COLOURED | 1u << CAB_WAY_STAGED,
                                          .refusal = "cables are tied",
                                          .draft = draft,
                                          .renumber = renumber,
                                          .hash = hash,
                                          .free_model = free_model,
                                          .upload = upload,
                                          .iterate = iterate,
                                          .contact_pass = solve};
