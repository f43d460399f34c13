/* distance: lengths of segments, and double distances between every second particle. Kernels: distance.cl,
 * springs.cl, jacobi.cl; direct method: direct_lengths.cl; ways lanes and fused: lanes.cl, fused.cl. */
#include <stdlib.h>

#include "base/error.h"
#include "base/array.h"
#include "constraint/compliance.h"
#include "model/hash.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/launches.h"

/* ---- the model ---- */

/* In the order in which they were added, not sorted by colour yet. */
typedef struct cab_distance_draft {
    cab_distance_constraint *distance;
    cab_origin *origin;
    cab_stencil *stencil;
    int count;
} cab_distance_draft;

static void add_distance(cab_distance_draft *draft, int a, int b, double rest, cab_origin origin, int colour)
{
    int i = draft->count++;
    draft->distance[i] = (cab_distance_constraint){.a = a, .b = b, .rest = (float)rest};
    draft->origin[i] = origin;
    draft->stencil[i] = (cab_stencil){.particle = {a, b, -1}, .preferred = colour};
}

static void draft_distances(const cab_model *model, cab_distance_draft *draft)
{
    const int *particle = model->node_particle;
    for (int i = 0; i < model->distance_count; i++) {
        const cab_edge *e = &model->edge[i];
        cab_origin origin = {.body = e->body,
                             .node = e->a,
                             .far_node = e->b,
                             .section = e->section,
                             .cell = e->rest,
                             .other_body = -1};
        add_distance(draft, particle[e->a], particle[e->b], e->rest, origin, e->colour);
    }
}

/* Checks that no joint makes a segment's two ends one particle. */
static cab_status check_segments(const cab_model *model, const cab_distance_draft *draft, cab_error *error)
{
    for (int i = 0; i < draft->count; i++) {
        if (draft->distance[i].a != draft->distance[i].b) continue;
        char name[256];
        cab_model_body_name(model, draft->origin[i].body, name, sizeof name);
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /attachments: cable \"%s\": neighbouring particles are joined",
                        model->scene->source, name);
    }
    return CAB_OK;
}

static cab_status sort_distances(cab_model *model, const cab_distance_draft *draft, cab_error *error)
{
    int count = draft->count, segments = model->segment_count;
    int *order;
    cab_status status = CAB_NEW(order, count, error);
    if (status == CAB_OK) {
        status = cab_colour_part(draft->stencil, 0, segments, model->particle_count, order,
                                 &model->distance_colour, &model->distance_colour_count, error);
        model->segment_colour_count = model->distance_colour_count;
    }
    if (status == CAB_OK && count > segments) {
        status =
            cab_colour_part(draft->stencil, segments, count - segments, model->particle_count,
                            order + segments, &model->distance_colour, &model->distance_colour_count, error);
    }
    if (status == CAB_OK) status = CAB_NEW(model->distance, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->distance_origin, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_segment, model->node_count, error);
    for (int i = 0; status == CAB_OK && i < model->node_count; i++) model->node_segment[i] = -1;
    for (int i = 0; status == CAB_OK && i < count; i++) {
        model->distance[i] = draft->distance[order[i]];
        model->distance_origin[i] = draft->origin[order[i]];
        bool along = i < segments && model->distance_origin[i].body < model->cable_count;
        if (along) model->node_segment[model->distance_origin[i].node] = i;
    }
    free(order);
    return status;
}

static cab_status draft(cab_model *model, cab_error *error)
{
    int room = model->distance_count;
    cab_distance_draft draft = {0};
    cab_status status = CAB_NEW(draft.distance, room, error);
    if (status == CAB_OK) status = CAB_NEW(draft.origin, room, error);
    if (status == CAB_OK) status = CAB_NEW(draft.stencil, room, error);
    if (status == CAB_OK) {
        draft_distances(model, &draft);
        status = check_segments(model, &draft, error);
    }
    if (status == CAB_OK) status = sort_distances(model, &draft, error);
    CAB_FREE(draft.distance, draft.origin, draft.stencil);
    return status;
}

static const cab_material_def *material_of(const cab_model *model, int section)
{
    return &model->section[section].def;
}

/* The compliance of a segment; without EA it is rigid, or as stiff as the method's springs. */
double cab_model_distance_compliance(const cab_model *model, int i)
{
    const cab_model_settings *s = &model->settings;
    const cab_origin *o = &model->distance_origin[i];
    if (i >= model->segment_count) return s->doubles.compliance;
    double ea = material_of(model, o->section)->stretching_stiffness;
    return !isfinite(ea) && s->springs.stiffness > 0 ? 1 / s->springs.stiffness
                                                     : cab_compliance_of(o->cell, ea);
}

static double projected_compliance(const cab_model *model, int i)
{
    const cab_model_settings *s = &model->settings;
    return cab_projected_compliance(s, i < model->segment_count ? s->pbd.stiffness : s->pbd.double_stiffness);
}

void cab_model_set_distance_compliance(cab_model *model, int i)
{
    double h = cab_model_substep_of(model, model->distance[i].a), scale = 1 / (h * h);
    cab_rule rule = cab_method_traits_of(model->settings.method)->rule;
    model->distance[i].compliance = rule == CAB_RULE_PROJECTED
                                        ? (float)projected_compliance(model, i)
                                        : (float)(cab_model_distance_compliance(model, i) * scale);
}

static void set_parameters(cab_model *model)
{
    for (int i = 0; i < model->distance_count; i++) cab_model_set_distance_compliance(model, i);
}

static void renumber(cab_model *model)
{
    for (int i = 0; i < model->distance_count; i++) {
        model->distance[i].a = model->node_particle[model->distance_origin[i].node];
        model->distance[i].b = model->node_particle[model->distance_origin[i].far_node];
    }
}

static void hash(const cab_model *m, uint64_t *hash)
{
    cab_hash_array(hash, m->distance, m->distance_count, sizeof *m->distance);
}

static void free_model(cab_model *m)
{
    CAB_FREE(m->distance, m->distance_origin, m->distance_colour);
}

/* ---- the world ---- */

/* Multipliers are kept when something changes: the tension of the last substep is read from them. */
static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    _Static_assert(sizeof(cab_range) == 2 * sizeof(int), "pairs of int on the device");
    cab_status status = cab_world_upload_kept(world, "lambda", CAB_BUFFER_distance_lambda, NULL,
                                              (size_t)m->distance_count, sizeof(float), error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_distance_colour, m->distance_colour,
                                  (size_t)m->distance_colour_count, sizeof *m->distance_colour, error);
    return status;
}

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    return cab_world_upload(world, CAB_BUFFER_distance, m->distance, (size_t)m->distance_count,
                            sizeof *m->distance, error);
}

/* These launches read and write offsets only, and each colour writes other ones. */
static void plan_springs(const cab_model *m, cab_launches *launches)
{
    for (int i = 0; i < m->distance_colour_count; i++) {
        const cab_range *c = &m->distance_colour[i];
        bool segments = i < m->segment_colour_count;
        cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_springs_distance, c->first, c->count,
                         cab_length_flags(segments ? m->settings.length_kind : m->settings.doubles.kind));
    }
}

/* First all lengths at once, then all particles. */
static void plan_averages(const cab_model *m, cab_launches *launches)
{
    int doubles = m->distance_count - m->segment_count;
    cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_jacobi_move, 0, m->segment_count,
                     cab_length_flags(m->settings.length_kind));
    if (doubles > 0)
        cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_jacobi_move, m->segment_count, doubles,
                         cab_length_flags(m->settings.doubles.kind));
    cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_jacobi_gather, 0, m->particle_count, 0);
}

static void plan_projections(const cab_model *m, cab_launches *launches)
{
    cab_launches_add_colours(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_distance, CAB_KERNEL_distance_merged,
                             m->distance_colour, 0, m->segment_colour_count,
                             launches->flags | cab_length_flags(m->settings.length_kind));
    cab_launches_add_colours(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_distance, CAB_KERNEL_distance_merged,
                             m->distance_colour, m->segment_colour_count, m->distance_colour_count,
                             launches->flags | cab_length_flags(m->settings.doubles.kind));
}

static void plan(const cab_world *world, cab_launches *launches)
{
    const cab_model *m = world->model;
    cab_rule rule = cab_method_traits_of(m->settings.method)->rule;
    if (rule == CAB_RULE_SPRING)
        plan_springs(m, launches);
    else if (rule == CAB_RULE_AVERAGED)
        plan_averages(m, launches);
    else
        plan_projections(m, launches);
}

const cab_constraint_kind cab_distance_kind = {.name = "distance",
                                               .draft = draft,
                                               .set_parameters = set_parameters,
                                               .renumber = renumber,
                                               .hash = hash,
                                               .free_model = free_model,
                                               .start = start,
                                               .upload = upload,
                                               .plan = plan,
                                               .chunked = true,
                                               .whole_frames = true};
