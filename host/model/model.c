/* From scene to model: the order of the steps, loads, targets, chains. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/curve.h"
#include "model/pose.h"
#include "model/scene.h"

cab_vec3 cab_keyframes_at(const cab_keyframe *k, int count, double t)
{
    int last = count - 1, i = 0;
    while (i < last && k[i + 1].t <= t) i++;
    if (i == last || t <= k[0].t) return k[t <= k[0].t ? 0 : last].position;
    double s = (t - k[i].t) / (k[i + 1].t - k[i].t);
    cab_vec3 a = k[i].position, b = k[i + 1].position;
    return (cab_vec3){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z)};
}

cab_vec3 cab_load_force_at(const cab_load_def *def, double t)
{
    int count = def->force_keyframe_count;
    return count > 0 ? cab_keyframes_at(def->force_keyframes, count, t) : def->force;
}

const cab_attachment_def *cab_model_attachment_def(const cab_model *model, int attachment)
{
    return &model->scene->attachments[model->attachments[attachment].scene_attachment];
}

bool cab_model_is_free(const cab_model *model, int attachment)
{
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    return def->part == CAB_PART_CONNECTOR && def->hand_keyframe_count == 0 &&
           !model->attachments[attachment].mated;
}

bool cab_model_is_home(const cab_model *model, int attachment, cab_vec3 place, cab_vec3 mate)
{
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    cab_vec3 axis = model->attachments[attachment].axis, off = cab_vec3_sub(place, mate);
    double along = cab_vec3_dot(off, axis);
    double across = cab_vec3_length(cab_vec3_sub(off, cab_vec3_scale(along, axis)));
    return across <= def->capture_radius && along >= -def->insertion_depth && along <= def->capture_radius;
}

cab_vec3 cab_model_target(const cab_model *model, const cab_model_attachment *attachment, double t)
{
    const cab_attachment_def *def = &model->scene->attachments[attachment->scene_attachment];
    if (def->part == CAB_PART_CONNECTOR && def->hand_keyframe_count > 0 && !attachment->mated)
        return cab_vec3_add(cab_keyframes_at(def->hand_keyframes, def->hand_keyframe_count, t),
                            attachment->shift);
    if (def->part == CAB_PART_CONNECTOR) return attachment->mate;
    if (def->to == CAB_TARGET_POINT || def->at_point) return cab_vec3_add(def->point, attachment->shift);
    if (def->to != CAB_TARGET_KEYFRAMES) return attachment->place;
    return cab_vec3_add(cab_keyframes_at(def->keyframes, def->keyframe_count, t), attachment->shift);
}

/* Where an attachment sits on the collider that it rides along with. */
static void take_seat(const cab_model *model, cab_model_attachment *a)
{
    const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
    if (def->to != CAB_TARGET_COLLIDER) return;
    a->collider = cab_scene_find_collider(model->scene, def->target);
    const cab_collider_def *collider = &model->scene->colliders[a->collider];
    cab_pose pose = cab_pose_at(collider, 0);
    a->seat = cab_pose_seat(collider, &pose, def->part == CAB_PART_CONNECTOR ? a->mate : a->place);
}

/* Soft attachments pull their particles later; those on drums and joints are none. */
static void place_soft(cab_model *model)
{
    for (int i = 0; i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        if (a->joint || !(cab_model_attachment_def(model, i)->compliance > 0)) continue;
        a->place = cab_model_target(model, a, 0);
        take_seat(model, a);
    }
}

/* Cables follow what holds them; sheets begin as they are drawn. What is on a drum has no length. */
static int links_of_cables(const cab_model *model, cab_link *links)
{
    int count = 0;
    for (int i = 0; i < model->segment_count; i++) {
        if (model->distance_origin[i].cable >= model->cable_count || !(model->distance_origin[i].cell > 0))
            continue;
        links[count++] =
            (cab_link){model->distance[i].a, model->distance[i].b, model->distance_origin[i].cell};
    }
    return count;
}

bool cab_model_can_break(const cab_model *model, int attachment)
{
    const cab_attachment_def *def =
        &model->scene->attachments[model->attachments[attachment].scene_attachment];
    return isfinite(def->break_force) || isfinite(def->release_distance);
}

double cab_model_spring(const cab_model *model, int particle)
{
    int a = model->soft[particle];
    return a < 0 ? 0 : 1 / model->scene->attachments[model->attachments[a].scene_attachment].compliance;
}

double cab_model_soft_mass(const cab_model *model, int particle, double hs)
{
    const cab_pull *pull = &model->pull;
    double mass = cab_model_spring(model, particle) * hs * hs;
    if (pull->on && model->node_particle[pull->node] == particle)
        mass += (pull->stiffness * hs + pull->damping) * hs;
    return mass;
}

/* Held particles go to their targets, the rest follows to the right lengths. */
cab_status cab_model_settle(cab_model *model, cab_error *error)
{
    double *inverse_mass;
    cab_link *links = NULL;
    cab_status status = CAB_NEW(inverse_mass, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(links, model->segment_count, error);
    if (status == CAB_OK) {
        for (int i = 0; i < model->attachment_count; i++) model->attachments[i].collider = -1;
        for (int i = 0; i < model->particle_count; i++) {
            cab_model_attachment *a = model->held[i] >= 0 ? &model->attachments[model->held[i]] : NULL;
            if (a) model->place[i] = a->place = cab_model_target(model, a, 0);
            if (a) take_seat(model, a);
            inverse_mass[i] = a || !(model->mass[i] > 0) ? 0 : 1 / model->mass[i];
        }
        place_soft(model);
        for (int b = model->cable_count; b < model->body_count; b++) {
            const cab_model_cable *sheet = &model->cables[b];
            for (int i = 0; i < sheet->node_count; i++)
                inverse_mass[model->node_particle[sheet->first_node + i]] = 0;
        }
        status = cab_project_lengths(model->place, inverse_mass, model->particle_count, links,
                                     links_of_cables(model, links), model->settings.gravity,
                                     &model->start_error, error);
    }
    for (int i = 0; status == CAB_OK && i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        if (a->spare >= 0) model->place[a->spare] = model->place[model->node_particle[a->node]];
    }
    free(inverse_mass);
    free(links);
    return status;
}

static void add_force(cab_model *model, const cab_placed_load *load, cab_vec3 f)
{
    model->load[model->load_count++] = (cab_load_force){.particle = model->node_particle[load->node],
                                                        .far = -1,
                                                        .source = load->scene_load,
                                                        .x = (float)f.x,
                                                        .y = (float)f.y,
                                                        .z = (float)f.z};
}

/* A couple as two opposite forces on the end segment. */
static void add_moment(cab_model *model, const cab_placed_load *load, cab_vec3 m)
{
    int start = load->node == model->cables[load->cable].first_node ? load->node : load->node - 1;
    double rest = model->node_arc[start + 1] - model->node_arc[start];
    int a = model->node_particle[start], b = model->node_particle[start + 1];
    cab_load_force f = {.x = (float)m.x, .y = (float)m.y, .z = (float)m.z, .source = load->scene_load};
    f.particle = a;
    f.far = b;
    f.lever = (float)(-1 / rest);
    model->load[model->load_count++] = f;
    f.particle = b;
    f.far = a;
    f.lever = (float)(1 / rest);
    model->load[model->load_count++] = f;
}

static int by_particle(const void *x, const void *y)
{
    const cab_load_force *a = x, *b = y;
    if (a->particle != b->particle) return a->particle < b->particle ? -1 : 1;
    if (a->far != b->far) return a->far < b->far ? -1 : 1;
    return memcmp(a, b, sizeof *a); /* equal rows may swap: they are equal */
}

static void warn_held_load(const cab_model *model, const cab_placed_load *load, cab_warn *warn, void *user)
{
    char name[256], text[512];
    cab_model_cable_name(model, load->cable, name, sizeof name);
    snprintf(text, sizeof text,
             "/loads/%d: cable \"%s\" is held at this place, the force can do nothing there",
             load->scene_load, name);
    if (warn) warn(user, text);
}

cab_status cab_model_add_loads(cab_model *model, cab_warn *warn, void *user, cab_error *error)
{
    cab_status status = CAB_NEW(model->load, 3 * (long long)model->placed_load_count, error);
    if (status == CAB_OK)
        status = CAB_NEW(model->load_start, 3 * (long long)model->placed_load_count + 1, error);
    if (status != CAB_OK) return status;
    int warned = -1;
    for (int i = 0; i < model->placed_load_count; i++) {
        const cab_placed_load *load = &model->placed_loads[i];
        const cab_load_def *def = &model->scene->loads[load->scene_load];
        cab_vec3 f = cab_load_force_at(def, 0), m = def->moment;
        bool moves = def->force_keyframe_count > 0;
        bool pulls = moves || f.x != 0 || f.y != 0 || f.z != 0, turns = m.x != 0 || m.y != 0 || m.z != 0;
        if (pulls && model->held[model->node_particle[load->node]] >= 0 && warned != load->scene_load) {
            warn_held_load(model, load, warn, user);
            warned = load->scene_load;
        }
        if (pulls) add_force(model, load, f);
        model->loads_move = model->loads_move || moves;
        if (turns) add_moment(model, load, m);
    }
    if (model->load_count > 0)
        qsort(model->load, (size_t)model->load_count, sizeof *model->load, by_particle);
    for (int i = 0; i < model->load_count; i++) {
        if (i == 0 || model->load[i].particle != model->load[i - 1].particle) {
            model->load_start[model->loaded_count++] = i;
        }
    }
    model->load_start[model->loaded_count] = model->load_count;
    return CAB_OK;
}

cab_status cab_model_update_loads(cab_model *model, cab_error *error)
{
    free(model->load);
    free(model->load_start);
    model->load = NULL;
    model->load_start = NULL;
    model->load_count = model->loaded_count = 0;
    model->loads_move = false;
    return cab_model_add_loads(model, NULL, NULL, error);
}

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
        for (int c = 0; c < model->cable_count; c++) {
            model->chain[c] = (cab_chain){model->cables[c].first_node, model->cables[c].node_count};
        }
        cab_model_set_parameters(model);
        return CAB_OK;
    }
    free(model->chain);
    free(model->chain_node);
    model->chain = NULL;
    model->chain_node = NULL;
    return CAB_OK;
}

static cab_status build(cab_model *model, cab_warn *warn, void *user, cab_error *error)
{
    cab_status status = cab_scene_check_settings(model->scene, error);
    if (status != CAB_OK) return status;
    model->settings = cab_model_settings_of(&model->scene->settings);
    status = cab_model_add_bodies(model, error);
    if (status == CAB_OK) status = cab_model_add_constraints(model, error);
    if (status == CAB_OK) status = cab_model_add_ties(model, error);
    if (status == CAB_OK) status = cab_model_add_own(model, error);
    if (status == CAB_OK) status = cab_model_add_loads(model, warn, user, error);
    if (status == CAB_OK) status = cab_model_add_contact(model, error);
    if (status == CAB_OK) status = cab_model_add_feeds(model, error);
    if (status != CAB_OK) return status;
    cab_model_set_parameters(model);
    status = cab_model_settle(model, error);
    if (status == CAB_OK) status = cab_model_add_chains(model, error);
    if (status == CAB_OK) cab_model_warn_convergence(model, warn, user);
    return status;
}

cab_status cab_model_create(const cab_scene *scene, cab_warn *warn, void *user, cab_model **out,
                            cab_error *error)
{
    cab_model *model = calloc(1, sizeof *model);
    if (!model) return cab_fail_memory(error, "a model", sizeof *model);
    cab_status status = cab_scene_copy(scene, &model->scene, error);
    if (status == CAB_OK) status = build(model, warn, user, error);
    if (status == CAB_OK)
        *out = model;
    else
        cab_model_destroy(model);
    return status;
}

void cab_model_destroy(cab_model *model)
{
    if (!model) return;
    void *arrays[] = {model->section,
                      model->placed_ties,
                      model->tie_member,
                      model->tie,
                      model->tie_node,
                      model->tie_colour,
                      model->cables,
                      model->edge,
                      model->cell,
                      model->node_particle,
                      model->node_arc,
                      model->node_mass,
                      model->node_segment,
                      model->place,
                      model->mass,
                      model->held,
                      model->soft,
                      model->damping,
                      model->decay,
                      model->distance,
                      model->distance_origin,
                      model->distance_colour,
                      model->bending,
                      model->bending_origin,
                      model->bending_colour,
                      model->bending_target,
                      model->bending_order,
                      model->segment,
                      model->drag,
                      model->incident_start,
                      model->incident,
                      model->placed_loads,
                      model->load,
                      model->load_start,
                      model->attachments,
                      model->collider,
                      model->exclude_start,
                      model->exclude,
                      model->group_collider,
                      model->feed,
                      model->feed_node,
                      model->chain,
                      model->chain_node,
                      model->mesh_facts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    cab_mesh_tables_free(&model->meshes);
    cab_model_free_own(model);
    cab_scene_destroy(model->scene);
    free(model);
}

cab_status cab_scene_check(const cab_scene *scene, void (*warnings)(void *user, const char *text), void *user,
                           cab_error *error)
{
    cab_model *model = NULL;
    cab_status status = cab_model_create(scene, warnings, user, &model, error);
    if (status == CAB_OK) cab_model_destroy(model);
    return status;
}
