/* Constraints of a model: segment lengths, double distances, curvature, clamps and angles at joints, sorted
 * by colour.
 */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/scene.h"

static cab_vec3 combine(double s, cab_vec3 a, double t, cab_vec3 b)
{
    return (cab_vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

/* Constraints in the order of their making, not sorted yet. */
typedef struct cab_draft {
    cab_distance_constraint *distance;
    cab_bending_constraint *bending;
    cab_origin *distance_origin, *bending_origin;
    cab_stencil *distance_stencil, *bending_stencil;
    int distance_count, bending_count, bending_room;
} cab_draft;

static double rest_of(const cab_model *model, int node)
{
    return model->node_arc[node + 1] - model->node_arc[node];
}

static void draft_distance(cab_draft *draft, int a, int b, double rest, cab_origin origin, int colour)
{
    int i = draft->distance_count++;
    draft->distance[i] = (cab_distance_constraint){.a = a, .b = b, .rest = (float)rest};
    draft->distance_origin[i] = origin;
    draft->distance_stencil[i] = (cab_stencil){.particle = {a, b, -1}, .preferred = colour};
}

static void draft_distances(const cab_model *model, cab_draft *draft)
{
    const int *particle = model->node_particle;
    for (int i = 0; i < model->distance_count; i++) {
        const cab_edge *e = &model->edge[i];
        cab_origin origin = {.cable = e->body,
                             .node = e->a,
                             .far_node = e->b,
                             .section = e->section,
                             .cell = e->rest,
                             .other_cable = -1};
        draft_distance(draft, particle[e->a], particle[e->b], e->rest, origin, e->colour);
    }
}

static cab_status grow_bending(cab_draft *draft, cab_error *error)
{
    if (draft->bending_count < draft->bending_room) return CAB_OK;
    size_t room = (size_t)draft->bending_room * 2 + 64;
    void *bending = realloc(draft->bending, room * sizeof *draft->bending);
    if (bending) draft->bending = bending;
    void *origin = realloc(draft->bending_origin, room * sizeof *draft->bending_origin);
    if (origin) draft->bending_origin = origin;
    void *stencil = realloc(draft->bending_stencil, room * sizeof *draft->bending_stencil);
    if (stencil) draft->bending_stencil = stencil;
    if (!bending || !origin || !stencil)
        return cab_fail_memory(error, "bending", room * sizeof *draft->bending);
    draft->bending_room = (int)room;
    return CAB_OK;
}

static cab_status draft_bending(cab_draft *draft, cab_bending_constraint bending, cab_origin origin,
                                int colour, cab_error *error)
{
    cab_status status = grow_bending(draft, error);
    if (status != CAB_OK) return status;
    int i = draft->bending_count++;
    draft->bending[i] = bending;
    draft->bending_origin[i] = origin;
    draft->bending_stencil[i] =
        (cab_stencil){.particle = {bending.a, bending.b, bending.c}, .preferred = colour};
    return CAB_OK;
}

/* Length of the curvature vector that an element starts with. */
static double initial_curvature(const cab_model *model, int a, int b, int c, double ga, double gc)
{
    const cab_vec3 *x = model->place;
    return cab_vec3_length(combine(ga, cab_vec3_sub(x[a], x[b]), gc, cab_vec3_sub(x[c], x[b])));
}

/* The section of the segment that starts at a node of a cable. */
static int section_at(const cab_model *model, int c, int node)
{
    const cab_model_cable *cable = &model->cables[c];
    return model->edge[cable->first_segment + node - cable->first_node].section;
}

/* The length about a node: two halves in series where sections meet. */
static cab_origin inner_origin(const cab_model *model, int c, int node, double before, double after)
{
    cab_origin origin = {.cable = c,
                         .node = node,
                         .section = section_at(model, c, node - 1),
                         .cell = (before + after) / 2,
                         .other_cable = -1,
                         .other_section = section_at(model, c, node)};
    if (origin.section == origin.other_section) return origin;
    origin.cell = before / 2;
    origin.other_cell = after / 2;
    return origin;
}

static cab_origin end_origin(const cab_model *model, int c, int node, double cell)
{
    bool first = node == model->cables[c].first_node;
    return (cab_origin){.cable = c,
                        .node = node,
                        .section = section_at(model, c, first ? node : node - 1),
                        .cell = cell,
                        .other_cable = -1};
}

static bool bends(const cab_model *model, const cab_origin *o)
{
    return model->section[o->section].def.bending_stiffness > 0 &&
           model->section[o->other_section].def.bending_stiffness > 0;
}

static cab_status draft_cable_bending(const cab_model *model, cab_draft *draft, int c, cab_error *error)
{
    const cab_model_cable *cable = &model->cables[c];
    const cab_material_def *material = &model->scene->materials[cable->material];
    const int *particle = model->node_particle;
    for (int i = 1; i + 1 < cable->node_count; i++) {
        int node = cable->first_node + i;
        double before = rest_of(model, node - 1), after = rest_of(model, node);
        cab_origin origin = inner_origin(model, c, node, before, after);
        if (!bends(model, &origin)) continue;
        cab_bending_constraint b = {.a = particle[node - 1],
                                    .b = particle[node],
                                    .c = particle[node + 1],
                                    .target = -1,
                                    .ga = (float)(1 / before),
                                    .gc = (float)(1 / after)};
        if (b.a == b.c) continue; /* a loop of two segments has no curvature to speak of */
        if (material->rest_shape_path)
            b.rest = (float)initial_curvature(model, b.a, b.b, b.c, 1 / before, 1 / after);
        cab_status status = draft_bending(draft, b, origin, i % 3, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
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
 * the middle of the segment, C = t_0 - t. Inside, two half cells about a fixed tangent are the ordinary
 * element plus one on the chord, EI/2 4/l |t_chord - t|^2. Without bending stiffness the direction is held
 * hard. */
static cab_status draft_clamp(cab_model *model, cab_draft *draft, cab_model_attachment *attachment,
                              cab_error *error)
{
    const cab_model_cable *cable = &model->cables[attachment->cable];
    const int *particle = model->node_particle;
    int node = attachment->node, local_node = node - cable->first_node;
    bool first = local_node == 0, last = local_node == cable->node_count - 1;
    double before = first ? 0 : rest_of(model, node - 1), after = last ? 0 : rest_of(model, node);
    double inverse = 1 / (before + after);
    int from = first ? node : node - 1, to = last ? node : node + 1;
    cab_vec3 chord = combine(inverse, model->place[particle[to]], -inverse, model->place[particle[from]]);
    if (first || last) {
        double length = cab_vec3_length(chord);
        if (length > 0) chord = combine(1 / length, chord, 0, chord);
    }
    cab_bending_constraint b = {.a = first ? -1 : particle[node - 1],
                                .b = particle[node],
                                .c = last ? -1 : particle[node + 1],
                                .ga = first ? 0 : (float)-inverse,
                                .gc = last ? 0 : (float)inverse};
    attachment->direction = chord;
    cab_status status = add_target(model, chord, &b.target, error);
    if (status != CAB_OK) return status;
    attachment->first_clamp = draft->bending_count;
    attachment->clamp_count = 1;
    cab_origin origin = first || last ? end_origin(model, attachment->cable, node, (before + after) / 2)
                                      : inner_origin(model, attachment->cable, node, before / 4, after / 4);
    return draft_bending(draft, b, origin, local_node % 3, error);
}

/* An angle between a segment of one cable and one of another at their joint. */
static cab_status draft_angle(cab_model *model, cab_draft *draft, int joint, int cable_a, int node_a,
                              int cable_c, int node_c, cab_error *error)
{
    const int *particle = model->node_particle;
    double la = fabs(model->node_arc[node_a] - model->node_arc[node_a < joint ? node_a + 1 : node_a - 1]);
    int joint_c = model->cables[cable_c].first_node; /* the joint's node on the other cable: next to node_c */
    joint_c = node_c > joint_c && particle[node_c - 1] == particle[joint] ? node_c - 1 : node_c + 1;
    double lc = fabs(model->node_arc[node_c] - model->node_arc[joint_c]);
    cab_bending_constraint b = {.a = particle[node_a],
                                .b = particle[joint],
                                .c = particle[node_c],
                                .target = -1,
                                .ga = (float)(1 / la),
                                .gc = (float)(1 / lc)};
    b.rest = (float)initial_curvature(model, b.a, b.b, b.c, 1 / la, 1 / lc);
    cab_origin origin = {.cable = cable_a,
                         .node = joint,
                         .section = section_at(model, cable_a, node_a < joint ? node_a : joint),
                         .cell = la / 2,
                         .other_cable = cable_c,
                         .other_section = section_at(model, cable_c, node_c < joint_c ? node_c : joint_c),
                         .other_cell = lc / 2};
    return draft_bending(draft, b, origin, 0, error);
}

/* Neighbours of a node along its cable: 1 or 2. */
static int neighbours(const cab_model_cable *cable, int node, int out[2])
{
    int n = 0;
    if (node > cable->first_node) out[n++] = node - 1;
    if (node < cable->first_node + cable->node_count - 1) out[n++] = node + 1;
    return n;
}

static int cable_of_node(const cab_model *model, int node)
{
    int low = 0, high = model->cable_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (model->cables[middle].first_node <= node)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static cab_status draft_joint_clamp(cab_model *model, cab_draft *draft, cab_model_attachment *attachment,
                                    cab_error *error)
{
    int a[2], c[2];
    int other = cable_of_node(model, attachment->target_node);
    int a_count = neighbours(&model->cables[attachment->cable], attachment->node, a);
    int c_count = neighbours(&model->cables[other], attachment->target_node, c);
    attachment->first_clamp = draft->bending_count;
    for (int i = 0; i < a_count; i++) {
        for (int j = 0; j < c_count; j++) {
            if (model->node_particle[a[i]] == model->node_particle[c[j]]) continue; /* no angle to hold */
            cab_status status =
                draft_angle(model, draft, attachment->node, attachment->cable, a[i], other, c[j], error);
            if (status != CAB_OK) return status;
        }
    }
    attachment->clamp_count = draft->bending_count - attachment->first_clamp;
    return CAB_OK;
}

static cab_status draft_all_bending(cab_model *model, cab_draft *draft, cab_error *error)
{
    for (int c = 0; c < model->cable_count; c++) {
        cab_status status = draft_cable_bending(model, draft, c, error);
        if (status != CAB_OK) return status;
    }
    for (int i = 0; i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        if (!model->scene->attachments[a->scene_attachment].clamp) continue;
        cab_status status =
            a->joint ? draft_joint_clamp(model, draft, a, error) : draft_clamp(model, draft, a, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

/* A joint must not make a segment's two ends one. */
static cab_status check_segments(const cab_model *model, const cab_draft *draft, cab_error *error)
{
    for (int i = 0; i < draft->distance_count; i++) {
        if (draft->distance[i].a != draft->distance[i].b) continue;
        char name[256];
        cab_model_cable_name(model, draft->distance_origin[i].cable, name, sizeof name);
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /attachments: cable \"%s\": neighbouring particles are joined",
                        model->scene->source, name);
    }
    return CAB_OK;
}

static cab_status sort_distances(cab_model *model, const cab_draft *draft, cab_error *error)
{
    int count = draft->distance_count, segments = model->segment_count;
    int *order;
    cab_status status = CAB_NEW(order, count, error);
    if (status == CAB_OK) {
        status = cab_colour_part(draft->distance_stencil, 0, segments, model->particle_count, order,
                                 &model->distance_colour, &model->distance_colour_count, error);
        model->segment_colour_count = model->distance_colour_count;
    }
    if (status == CAB_OK && count > segments) {
        status =
            cab_colour_part(draft->distance_stencil, segments, count - segments, model->particle_count,
                            order + segments, &model->distance_colour, &model->distance_colour_count, error);
    }
    if (status == CAB_OK) status = CAB_NEW(model->distance, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->distance_origin, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_segment, model->node_count, error);
    for (int i = 0; status == CAB_OK && i < model->node_count; i++) model->node_segment[i] = -1;
    for (int i = 0; status == CAB_OK && i < count; i++) {
        model->distance[i] = draft->distance[order[i]];
        model->distance_origin[i] = draft->distance_origin[order[i]];
        bool along = i < segments && model->distance_origin[i].cable < model->cable_count;
        if (along) model->node_segment[model->distance_origin[i].node] = i;
    }
    free(order);
    return status;
}

static cab_status sort_bendings(cab_model *model, const cab_draft *draft, cab_error *error)
{
    int count = draft->bending_count;
    int *order;
    cab_status status = CAB_NEW(order, count, error);
    if (status == CAB_OK && count > 0) {
        status = cab_colour_part(draft->bending_stencil, 0, count, model->particle_count, order,
                                 &model->bending_colour, &model->bending_colour_count, error);
    }
    if (status == CAB_OK) status = CAB_NEW(model->bending, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->bending_origin, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->bending_order, count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        model->bending[i] = draft->bending[order[i]];
        model->bending_origin[i] = draft->bending_origin[order[i]];
        model->bending_order[order[i]] = i;
    }
    model->bending_count = count;
    free(order);
    return status;
}

cab_status cab_model_add_constraints(cab_model *model, cab_error *error)
{
    int room = model->distance_count;
    cab_draft draft = {0};
    cab_status status = CAB_NEW(draft.distance, room, error);
    if (status == CAB_OK) status = CAB_NEW(draft.distance_origin, room, error);
    if (status == CAB_OK) status = CAB_NEW(draft.distance_stencil, room, error);
    if (status == CAB_OK) {
        draft_distances(model, &draft);
        status = draft_all_bending(model, &draft, error);
    }
    if (status == CAB_OK) status = check_segments(model, &draft, error);
    if (status == CAB_OK) status = sort_distances(model, &draft, error);
    if (status == CAB_OK) status = sort_bendings(model, &draft, error);
    free(draft.distance);
    free(draft.distance_origin);
    free(draft.distance_stencil);
    free(draft.bending);
    free(draft.bending_origin);
    free(draft.bending_stencil);
    return status;
}
