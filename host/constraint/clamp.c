/* clamp: an attachment that holds a direction, or the angle between two cables at their joint. It is made of
 * bendings with a fixed target (bending.c), so it has no kernel of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quaternion.h"
#include "base/vec3.h"
#include "constraint/bending.h"
#include "model/constraint_kind.h"
#include "model/led.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/led.h"
#include "world/window.h"

/* A clamp turns with its body. Damped bending, which goes by what sections turn by, does not know of such a turn. */
static cab_status check_on_body(const cab_scene *scene, int index, cab_error *error)
{
    const cab_attachment_def *def = &scene->attachments[index];
    bool all;
    int copy[3], body = cab_scene_body_of(scene, def->target, &all, copy);
    const cab_body_def *on = body >= 0 ? &scene->bodies[body] : NULL;
    for (int i = 0; i < scene->material_count && on && on->motion != CAB_BODY_FIXED; i++) {
        const cab_material_def *m = &scene->materials[i];
        if (!(m->bending_damping > 0)) continue;
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: %s/clamp: expected false on a body that moves, beside materials with "
                        "bending_damping such as \"%s\"",
                        scene->source, cab_attachment_pointer(scene, index).text, m->name);
    }
    return CAB_OK;
}

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    for (int i = 0; i < scene->attachment_count; i++)
        if (scene->attachments[i].clamp && scene->attachments[i].to == CAB_TARGET_BODY) {
            cab_status status = check_on_body(scene, i, error);
            if (status != CAB_OK) return status;
        }
    for (int i = 0; !method->clamps && i < scene->attachment_count; i++) {
        if (!scene->attachments[i].clamp) continue;
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: %s/clamp: the method \"%s\" has no clamps; expected false", scene->source,
                        cab_attachment_pointer(scene, i).text, method->name);
    }
    return CAB_OK;
}

static cab_origin end_origin(const cab_model *model, int c, int node, double cell)
{
    bool first = node == model->bodies[c].first_node;
    return (cab_origin){.body = c,
                        .node = node,
                        .section = cab_bending_section(model, c, first ? node : node - 1),
                        .cell = cell,
                        .other_body = -1};
}

static cab_status add_target(cab_model *model, cab_vec3 v, int *index, cab_error *error)
{
    int n = model->bending_target_count;
    float4 *grown = realloc(model->bending_target, ((size_t)n + 1) * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "clamps", ((size_t)n + 1) * sizeof *grown);
    model->bending_target = grown;
    grown[n] = (float4){(float)v.x, (float)v.y, (float)v.z, 0};
    *index = n;
    model->bending_target_count++;
    return CAB_OK;
}

/* A clamp at an end holds the end segment's direction t: an element over the half cell between the end and
 * the segment's middle, C = t_0 - t. Inside a cable, two half cells about a fixed tangent are the ordinary
 * element plus one on the chord, EI/2 4/l |t_chord - t|^2. Without bending stiffness the direction is held
 * rigidly. */
static cab_status draft_clamp(cab_model *model, cab_bending_draft *draft, cab_model_attachment *attachment,
                              cab_error *error)
{
    const cab_body *cable = &model->bodies[attachment->body];
    const int *particle = model->node_particle;
    int node = attachment->node, local_node = node - cable->first_node;
    bool first = local_node == 0, last = local_node == cable->node_count - 1;
    double before = first ? 0 : cab_bending_rest(model, node - 1),
           after = last ? 0 : cab_bending_rest(model, node);
    double inverse = 1 / (before + after);
    int from = first ? node : node - 1, to = last ? node : node + 1;
    cab_vec3 chord =
        cab_bending_combine(inverse, model->place[particle[to]], -inverse, model->place[particle[from]]);
    if (first || last) {
        double length = cab_vec3_length(chord);
        if (length > 0) chord = cab_bending_combine(1 / length, chord, 0, chord);
    }
    cab_bending_constraint b = {.a = first ? -1 : particle[node - 1],
                                .b = particle[node],
                                .c = last ? -1 : particle[node + 1],
                                .ga = first ? 0 : (float)-inverse,
                                .gc = last ? 0 : (float)inverse};
    attachment->direction = chord;
    cab_status status = add_target(model, chord, &b.target, error);
    if (status != CAB_OK) return status;
    attachment->first_clamp = draft->count;
    attachment->clamp_count = 1;
    cab_origin origin = first || last
                            ? end_origin(model, attachment->body, node, (before + after) / 2)
                            : cab_bending_origin(model, attachment->body, node, before / 4, after / 4);
    return cab_bending_add(draft, b, origin, local_node % 3, error);
}

/* Drafts the angle between a segment of one cable and a segment of another at their joint. */
static cab_status draft_angle(cab_model *model, cab_bending_draft *draft, int joint, int cable_a, int node_a,
                              int cable_c, int node_c, cab_error *error)
{
    const int *particle = model->node_particle;
    double la = fabs(model->node_arc[node_a] - model->node_arc[node_a < joint ? node_a + 1 : node_a - 1]);
    int joint_c = model->bodies[cable_c].first_node; /* the joint's node on the other cable, next to node_c */
    joint_c = node_c > joint_c && particle[node_c - 1] == particle[joint] ? node_c - 1 : node_c + 1;
    double lc = fabs(model->node_arc[node_c] - model->node_arc[joint_c]);
    cab_bending_constraint b = {.a = particle[node_a],
                                .b = particle[joint],
                                .c = particle[node_c],
                                .target = -1,
                                .ga = (float)(1 / la),
                                .gc = (float)(1 / lc)};
    b.rest = (float)cab_bending_initial(model, b.a, b.b, b.c, 1 / la, 1 / lc);
    cab_origin origin = {.body = cable_a,
                         .node = joint,
                         .section = cab_bending_section(model, cable_a, node_a < joint ? node_a : joint),
                         .cell = la / 2,
                         .other_body = cable_c,
                         .other_section =
                             cab_bending_section(model, cable_c, node_c < joint_c ? node_c : joint_c),
                         .other_cell = lc / 2};
    return cab_bending_add(draft, b, origin, 0, error);
}

/* Neighbours of a node along its cable: 1 or 2. */
static int neighbours(const cab_body *cable, int node, int out[2])
{
    int n = 0;
    if (node > cable->first_node) out[n++] = node - 1;
    if (node < cable->first_node + cable->node_count - 1) out[n++] = node + 1;
    return n;
}

static cab_status draft_joint_clamp(cab_model *model, cab_bending_draft *draft,
                                    cab_model_attachment *attachment, cab_error *error)
{
    int a[2], c[2];
    int other = cab_model_cable_of_node(model, attachment->target_node);
    int a_count = neighbours(&model->bodies[attachment->body], attachment->node, a);
    int c_count = neighbours(&model->bodies[other], attachment->target_node, c);
    attachment->first_clamp = draft->count;
    for (int i = 0; i < a_count; i++) {
        for (int j = 0; j < c_count; j++) {
            if (model->node_particle[a[i]] == model->node_particle[c[j]]) continue; /* no angle to hold */
            cab_status status =
                draft_angle(model, draft, attachment->node, attachment->body, a[i], other, c[j], error);
            if (status != CAB_OK) return status;
        }
    }
    attachment->clamp_count = draft->count - attachment->first_clamp;
    return CAB_OK;
}

static cab_status draft_bending(cab_model *model, cab_bending_draft *draft, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        if (!model->scene->attachments[a->scene_attachment].clamp) continue;
        status = a->joint ? draft_joint_clamp(model, draft, a, error) : draft_clamp(model, draft, a, error);
    }
    return status;
}

/* Turns the directions of clamps on bodies that are led along with them, to the end of the substep. */
static cab_status begin(cab_world *world, int substep, cab_error *error)
{
    cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->attachment_count && m->led_count > 0; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (a->led < 0 || a->clamp_count == 0 || a->broken || !cab_led_moves(world, a->led)) continue;
        cab_pose pose = cab_led_now(world, a->led, cab_window_part(world, substep, 1));
        cab_vec3 v = cab_quaternion_rotate(cab_quaternion_unit(pose.rotation), cab_led_direction(m, a));
        int target = m->bending[cab_model_clamp_bending(m, a)].target;
        float4 *row = &m->bending_target[target];
        const float4 now = {(float)v.x, (float)v.y, (float)v.z, 0};
        if (memcmp(row, &now, sizeof now) != 0) world->judging.driven = true;
        *row = now;
        status = cab_world_put(world, CAB_BUFFER_bending_target, (size_t)target * sizeof *row, sizeof *row,
                               row, error);
    }
    return status;
}

const cab_constraint_kind cab_clamp_kind = {
    .name = "clamp", .check = check, .draft_bending = draft_bending, .begin = begin};
