/* bending: the curvature about a particle, C = ga (x_a - x_b) + gc (x_c - x_b) - target, linear in the
 * positions. Clamps use it, too (clamp.c). Kernels: bending.cl, springs.cl; direct method: direct_bend.cl;
 * ways lanes and fused: lanes.cl, fused.cl. */
#include "constraint/bending.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "constraint/compliance.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/launches.h"

/* ---- the model ---- */

cab_vec3 cab_bending_combine(double s, cab_vec3 a, double t, cab_vec3 b)
{
    return (cab_vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

double cab_bending_rest(const cab_model *model, int node)
{
    return model->node_arc[node + 1] - model->node_arc[node];
}

static cab_status grow_bending(cab_bending_draft *draft, cab_error *error)
{
    if (draft->count < draft->room) return CAB_OK;
    size_t room = (size_t)draft->room * 2 + 64;
    void *bending = realloc(draft->bending, room * sizeof *draft->bending);
    if (bending) draft->bending = bending;
    void *origin = realloc(draft->origin, room * sizeof *draft->origin);
    if (origin) draft->origin = origin;
    void *stencil = realloc(draft->stencil, room * sizeof *draft->stencil);
    if (stencil) draft->stencil = stencil;
    if (!bending || !origin || !stencil)
        return cab_fail_memory(error, "bending", room * sizeof *draft->bending);
    draft->room = (int)room;
    return CAB_OK;
}

cab_status cab_bending_add(cab_bending_draft *draft, cab_bending_constraint bending, cab_origin origin,
                           int colour, cab_error *error)
{
    cab_status status = grow_bending(draft, error);
    if (status != CAB_OK) return status;
    int i = draft->count++;
    draft->bending[i] = bending;
    draft->origin[i] = origin;
    draft->stencil[i] = (cab_stencil){.particle = {bending.a, bending.b, bending.c}, .preferred = colour};
    return CAB_OK;
}

/* Length of the curvature vector that an element starts with. */
double cab_bending_initial(const cab_model *model, int a, int b, int c, double ga, double gc)
{
    const cab_vec3 *x = model->place;
    return cab_vec3_length(cab_bending_combine(ga, cab_vec3_sub(x[a], x[b]), gc, cab_vec3_sub(x[c], x[b])));
}

/* The section of the segment that starts at a node of a cable. */
int cab_bending_section(const cab_model *model, int c, int node)
{
    const cab_body *cable = &model->bodies[c];
    return model->edge[cable->first_segment + node - cable->first_node].section;
}

const cab_material_def *cab_bending_material(const cab_model *model, int c, int node)
{
    return &model->section[cab_bending_section(model, c, node)].def;
}

/* The length that a bending about a node stands for: two half segments, in series where sections meet. */
cab_origin cab_bending_origin(const cab_model *model, int c, int node, double before, double after)
{
    cab_origin origin = {.body = c,
                         .node = node,
                         .section = cab_bending_section(model, c, node - 1),
                         .cell = (before + after) / 2,
                         .other_body = -1,
                         .other_section = cab_bending_section(model, c, node)};
    if (origin.section == origin.other_section) return origin;
    origin.cell = before / 2;
    origin.other_cell = after / 2;
    return origin;
}

/* Radians: what rounding leaves of a path that is straight. Its direction would be any. */
#define STRAIGHT 1e-6

static bool bends(const cab_model *model, const cab_origin *o)
{
    return model->section[o->section].def.bending_stiffness > 0 &&
           model->section[o->other_section].def.bending_stiffness > 0;
}

static cab_status draft_cable(const cab_model *model, cab_bending_draft *draft, int c, cab_error *error)
{
    const cab_body *cable = &model->bodies[c];
    const cab_material_def *material = &model->scene->materials[cable->material];
    const int *particle = model->node_particle;
    for (int i = 1; i + 1 < cable->node_count; i++) {
        int node = cable->first_node + i;
        double before = cab_bending_rest(model, node - 1), after = cab_bending_rest(model, node);
        cab_origin origin = cab_bending_origin(model, c, node, before, after);
        if (!bends(model, &origin)) continue;
        cab_bending_constraint b = {.a = particle[node - 1],
                                    .b = particle[node],
                                    .c = particle[node + 1],
                                    .target = -1,
                                    .ga = (float)(1 / before),
                                    .gc = (float)(1 / after)};
        if (b.a == b.c) continue; /* a closed loop of two segments has no curvature */
        if (material->rest_shape_path) {
            double turn = cab_bending_initial(model, b.a, b.b, b.c, 1 / before, 1 / after);
            b.rest = turn > STRAIGHT ? (float)(turn * material->rest_share) : 0;
        }
        cab_status status = cab_bending_add(draft, b, origin, i % 3, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

static cab_status draft_bending(cab_model *model, cab_bending_draft *draft, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int c = 0; status == CAB_OK && c < model->cable_count; c++)
        status = draft_cable(model, draft, c, error);
    return status;
}

static cab_status sort_bendings(cab_model *model, const cab_bending_draft *draft, cab_error *error)
{
    int count = draft->count;
    int *order;
    cab_status status = CAB_NEW(order, count, error);
    if (status == CAB_OK && count > 0) {
        status = cab_colour_part(draft->stencil, 0, count, model->particle_count, order,
                                 &model->bending_colour, &model->bending_colour_count, error);
    }
    if (status == CAB_OK) status = CAB_NEW(model->bending, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->bending_origin, count, error);
    if (status == CAB_OK) status = CAB_NEW(model->bending_order, count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        model->bending[i] = draft->bending[order[i]];
        model->bending_origin[i] = draft->origin[order[i]];
        model->bending_order[order[i]] = i;
    }
    model->bending_count = count;
    free(order);
    return status;
}

/* Drafts bendings of all kinds that make some. */
static cab_status draft(cab_model *model, cab_error *error)
{
    cab_bending_draft draft = {0};
    cab_status status = CAB_OK;
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        const cab_constraint_kind *kind = cab_constraint_kinds[k];
        if (kind->draft_bending) status = kind->draft_bending(model, &draft, error);
    }
    if (status == CAB_OK) status = sort_bendings(model, &draft, error);
    CAB_FREE(draft.bending, draft.origin, draft.stencil);
    return status;
}

static const cab_material_def *material_of(const cab_model *model, int section)
{
    return &model->section[section].def;
}

#define HARD_CLAMP                                                                                           \
    1e4 /* stiffness of a clamp on a cable without bending stiffness, times h^2, over the particle's mass */

double cab_model_hard_clamp(const cab_model *model, int i)
{
    const cab_bending_constraint *b = &model->bending[i];
    double g = fabs((double)b->ga) + fabs((double)b->gc);
    return g * g / (HARD_CLAMP * model->mass[b->b]);
}

/* About the first axis of the section or the second one, of the sections that meet there. */
static double compliance_about(const cab_model *model, int i, bool second)
{
    const cab_origin *o = &model->bending_origin[i];
    const cab_material_def *own = material_of(model, o->section),
                           *other = material_of(model, o->other_section);
    double alpha = cab_compliance_of(o->cell, second ? cab_material_second(own) : own->bending_stiffness);
    if (o->other_cell > 0)
        alpha +=
            cab_compliance_of(o->other_cell, second ? cab_material_second(other) : other->bending_stiffness);
    return alpha;
}

/* What the materials give it: of two stiffnesses the larger one, see director.c; 0: a clamp of a cable without bending stiffness. */
static double compliance_of(const cab_model *model, int i)
{
    return fmin(compliance_about(model, i, false), compliance_about(model, i, true));
}

bool cab_model_bending_is_clamp(const cab_model *model, int i)
{
    int target = model->bending[i].target;
    if (target < 0 || !model->director_of || model->director_of[i] < 0) return target >= 0;
    const float4 *base = &model->bending_target[target + 2]; /* director_runs.c */
    return base->x != 0 || base->y != 0 || base->z != 0;
}

bool cab_model_bending_is_rigid(const cab_model *model, int i)
{
    return compliance_of(model, i) == 0;
}

void cab_model_set_bending_compliance(cab_model *model, int i)
{
    double h = cab_model_substep_of(model, model->bending[i].b), scale = 1 / (h * h);
    cab_rule rule = cab_method_traits_of(model->settings.method)->rule;
    double alpha = compliance_of(model, i);
    model->bending[i].compliance = (float)(alpha * scale);
    if (rule == CAB_RULE_DIRECT && alpha == 0)
        model->bending[i].compliance = (float)cab_model_hard_clamp(model, i);
}

static void set_parameters(cab_model *model)
{
    for (int i = 0; i < model->bending_count; i++) cab_model_set_bending_compliance(model, i);
}

/* Sets the particles anew after a joint has changed. An angle at a joint keeps its outer particles. */
static void renumber(cab_model *model)
{
    const int *particle = model->node_particle;
    for (int i = 0; i < model->bending_count; i++) {
        cab_bending_constraint *b = &model->bending[i];
        int node = model->bending_origin[i].node;
        b->b = particle[node];
        if (model->bending_origin[i].other_body >= 0) continue;
        if (b->a >= 0) b->a = particle[node - 1];
        if (b->c >= 0) b->c = particle[node + 1];
    }
}

static void hash(const cab_model *m, uint64_t *hash)
{
    cab_hash_array(hash, m->bending, m->bending_count, sizeof *m->bending);
    cab_hash_array(hash, m->bending_target, m->bending_target_count, sizeof *m->bending_target);
}

static void free_model(cab_model *m)
{
    void *arrays[] = {m->bending, m->bending_origin, m->bending_colour, m->bending_target, m->bending_order};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

/* ---- the world ---- */

static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_table tables[] = {
        {CAB_BUFFER_bending_target, m->bending_target, (size_t)m->bending_target_count, sizeof(float4)},
        {CAB_BUFFER_bending_colour, m->bending_colour, (size_t)m->bending_colour_count,
         sizeof *m->bending_colour},
    };
    return CAB_UPLOAD(world, tables, error);
}

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_table tables[] = {
        {CAB_BUFFER_bending, m->bending, (size_t)m->bending_count, sizeof *m->bending},
        {CAB_BUFFER_bending_lambda, NULL, (size_t)m->bending_count, sizeof(float4)},
    };
    return CAB_UPLOAD(world, tables, error);
}

static void plan(const cab_world *world, cab_launches *launches)
{
    const cab_model *m = world->model;
    cab_rule rule = cab_method_traits_of(m->settings.method)->rule;
    if (rule == CAB_RULE_AVERAGED) return;
    if (rule != CAB_RULE_SPRING) {
        cab_launches_add_colours(launches, CAB_STAGE_BENDING, CAB_KERNEL_bending, CAB_KERNEL_bending_merged,
                                 m->bending_colour, 0, m->bending_colour_count,
                                 launches->flags & ~CAB_SOLVE_ROOTLESS);
        return;
    }
    for (int i = 0; i < m->bending_colour_count; i++)
        cab_launches_add(launches, CAB_STAGE_BENDING, CAB_KERNEL_springs_bending, m->bending_colour[i].first,
                         m->bending_colour[i].count, 0);
}

const cab_constraint_kind cab_bending_kind = {.name = "bending",
                                              .draft = draft,
                                              .draft_bending = draft_bending,
                                              .set_parameters = set_parameters,
                                              .renumber = renumber,
                                              .hash = hash,
                                              .free_model = free_model,
                                              .start = start,
                                              .upload = upload,
                                              .plan = plan,
                                              .chunked = true};
