/* viscous: the damping of bending, moment EI (kappa + tau dkappa/dt), by the direct method. It adds to the bendings that there are
 * (bending.c): to their stiffness in the factor (cab_model_viscous_factor), and to what they want to be. Kernel:
 * direct_viscous.cl. */
#include "base/array.h"
#include "constraint/compliance.h"
#include "constraint/viscous.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"

const cab_constraint_kind cab_viscous_kind;

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    for (int i = 0; method->rule != CAB_RULE_DIRECT && i < scene->material_count; i++) {
        double time = scene->materials[i].bending_damping;
        if (time != 0)
            return cab_method_refuse_material(scene, i, "bending_damping",
                                              "damp bending, but \"direct\" does", "0", time, error);
    }
    return CAB_OK;
}

bool cab_model_damps_bending(const cab_model *model)
{
    return model->viscous_run_count > 0;
}

/* ---- the model ---- */

/* What bends about the nodes of cables: -1 = nothing does. */
typedef struct along {
    int *bending;  /* [nodes] the bending of the cable itself; at an end that of its clamp */
    bool *clamped; /* [nodes] inside a cable: a clamp holds the direction */
} along;

static bool is_clamp(const cab_bending_constraint *b)
{
    return b->a < 0 || b->c < 0;
}

static cab_status find_along(const cab_model *m, along *a, cab_error *error)
{
    cab_status status = CAB_NEW(a->bending, m->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(a->clamped, m->node_count, error);
    for (int i = 0; status == CAB_OK && i < m->node_count; i++) a->bending[i] = -1;
    for (int i = 0; status == CAB_OK && i < m->bending_count; i++) {
        const cab_bending_constraint *b = &m->bending[i];
        const cab_origin *o = &m->bending_origin[i];
        if (o->other_body >= 0) continue; /* an angle between cables */
        if (!is_clamp(b) && cab_model_bending_is_clamp(m, i))
            a->clamped[o->node] = true;
        else
            a->bending[o->node] = i;
    }
    return status;
}

static bool damps(const cab_model *m, const cab_viscous_run *run)
{
    for (int k = run->first; k < run->first + run->count; k++)
        if (m->viscous_time[m->viscous_bending[k]] > 0) return true;
    return false;
}

/* Ends a run, which is forgotten if nothing in it is damped, and begins the next one. */
static void end_run(cab_model *m, cab_viscous_run *run, int holds, int next_holds)
{
    run->holds |= holds;
    bool kept = run->count > 0 && damps(m, run);
    if (kept) m->viscous_run[m->viscous_run_count++] = *run;
    *run = (cab_viscous_run){
        .first = run->first + (kept ? run->count : 0), .holds = next_holds, .start = -1, .end = -1};
}

static void list_cable(cab_model *m, const along *a, int c, int *first)
{
    const cab_body *cable = &m->bodies[c];
    cab_viscous_run run = {.first = *first, .start = -1, .end = -1};
    for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
        int i = a->bending[node];
        if (i < 0) {
            end_run(m, &run, 0, 0);
            continue;
        }
        const cab_bending_constraint *b = &m->bending[i];
        if (b->a < 0) run.holds |= CAB_VISCOUS_HOLDS_START;
        m->viscous_bending[run.first + run.count++] = i;
        if (b->c < 0 || a->clamped[node]) end_run(m, &run, CAB_VISCOUS_HOLDS_END, CAB_VISCOUS_HOLDS_START);
    }
    end_run(m, &run, 0, 0);
    *first = run.first;
}

/* tau of a bending, of two halves in series that of each by its share of the compliance. */
static double time_of(const cab_model *m, int i)
{
    const cab_origin *o = &m->bending_origin[i];
    const cab_material_def *own = &m->section[o->section].def, *other = &m->section[o->other_section].def;
    if (o->other_body >= 0) return 0;
    if (!(o->other_cell > 0)) return own->bending_damping;
    double alpha = cab_compliance_of(o->cell, own->bending_stiffness),
           beta = cab_compliance_of(o->other_cell, other->bending_stiffness);
    if (!(alpha + beta > 0)) return 0;
    return (alpha * own->bending_damping + beta * other->bending_damping) / (alpha + beta);
}

/* Is every bending damped of a cable that has a run, and has it only one? */
static bool is_whole(const cab_model *m)
{
    for (int k = 0; k < m->viscous_run_count; k++) {
        const cab_viscous_run *run = &m->viscous_run[k];
        int body = m->bending_origin[m->viscous_bending[run->first]].body;
        if (k > 0 && m->bending_origin[m->viscous_bending[run->first - 1]].body == body) return false;
        for (int i = run->first; i < run->first + run->count; i++)
            if (!(m->viscous_time[m->viscous_bending[i]] > 0)) return false;
        if (run->count < m->bodies[body].node_count - 2) return false;
    }
    return true;
}

static void set_parameters(cab_model *m)
{
    for (int i = 0; m->viscous_time && i < m->bending_count; i++) m->viscous_time[i] = (float)time_of(m, i);
    for (int k = 0; k < m->viscous_run_count; k++) {
        const cab_viscous_run *run = &m->viscous_run[k];
        for (int i = run->first; i < run->first + run->count; i++) {
            int bending = m->viscous_bending[i];
            m->viscous_node[m->bending_origin[bending].node] = m->viscous_time[bending];
        }
    }
    m->viscous_whole = is_whole(m);
}

static cab_status draft(cab_model *m, cab_error *error)
{
    bool any = false;
    int first = 0;
    along a = {0};
    for (int i = 0; i < m->section_count; i++) any |= m->section[i].def.bending_damping > 0;
    if (!any || m->bending_count == 0) return CAB_OK;
    cab_status status = CAB_NEW(m->viscous_time, m->bending_count, error);
    if (status == CAB_OK) status = CAB_NEW(m->viscous_share, m->bending_count, error);
    if (status == CAB_OK) status = CAB_NEW(m->viscous_node, m->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(m->viscous_run, m->bending_count, error);
    if (status == CAB_OK) status = CAB_NEW(m->viscous_bending, m->bending_count, error);
    if (status == CAB_OK) status = find_along(m, &a, error);
    if (status == CAB_OK) set_parameters(m);
    for (int c = 0; status == CAB_OK && c < m->cable_count; c++) list_cable(m, &a, c, &first);
    if (status == CAB_OK) set_parameters(m);
    CAB_FREE(a.bending, a.clamped);
    return status;
}

double cab_model_viscous_factor(const cab_model *model, int bending, double hs)
{
    return model->viscous_time ? 1 + model->viscous_time[bending] / hs : 1;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    if (!m->viscous_time) return;
    cab_hash_array(hash, m->viscous_run, m->viscous_run_count, sizeof *m->viscous_run);
}

static void free_model(cab_model *m)
{
    CAB_FREE(m->viscous_time, m->viscous_share, m->viscous_node, m->viscous_run, m->viscous_bending);
}

/* ---- the world ---- */

typedef struct cab_viscous_data {
    int first_hold; /* of the substep's, in twist_spin */
} cab_viscous_data;

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (!cab_model_damps_bending(m)) return CAB_OK;
    size_t n = (size_t)m->bending_count;
    const cab_table tables[] = {
        {CAB_BUFFER_viscous_change, NULL, n, sizeof(float4)},
        {CAB_BUFFER_viscous_pull, NULL, n, sizeof(float4)},
        {CAB_BUFFER_viscous_run, m->viscous_run, (size_t)m->viscous_run_count, sizeof *m->viscous_run},
        {CAB_BUFFER_viscous_bending, m->viscous_bending, n, sizeof *m->viscous_bending},
        {CAB_BUFFER_viscous_time, m->viscous_time, n, sizeof *m->viscous_time},
        {CAB_BUFFER_viscous_share, m->viscous_share, n, sizeof *m->viscous_share},
    };
    return CAB_UPLOAD(world, tables, error);
}

static cab_status start(cab_world *world, cab_error *error)
{
    if (!cab_model_damps_bending(world->model)) return CAB_OK;
    return cab_world_upload_kept(world, "constr", CAB_BUFFER_constrained, NULL,
                                 (size_t)world->model->particle_count, sizeof(float4), error);
}

static cab_status run(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    if (!cab_model_damps_bending(world->model)) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_BENDING, kernel, 0, count, argument, 0, error);
}

static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    cab_viscous_data *data = cab_kind_data(world, &cab_viscous_kind);
    data->first_hold = substep * world->model->twist_hold_count;
    return run(world, CAB_KERNEL_direct_viscous, world->model->viscous_run_count, data->first_hold, error);
}

cab_status cab_viscous_measure(cab_world *world, cab_error *error)
{
    const cab_viscous_data *data = cab_kind_data(world, &cab_viscous_kind);
    return run(world, CAB_KERNEL_direct_viscous, world->model->viscous_run_count, ~data->first_hold, error);
}

cab_status cab_viscous_note(cab_world *world, cab_error *error)
{
    return run(world, CAB_KERNEL_viscous_note, world->model->particle_count, 0, error);
}

static cab_status end(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return run(world, CAB_KERNEL_viscous_end, world->model->particle_count, 0, error);
}

const cab_constraint_kind cab_viscous_kind = {.name = "viscous",
                                              .check = check,
                                              .present = cab_model_damps_bending,
                                              .ways = 1u << CAB_WAY_STAGED | 1u << CAB_WAY_LANES,
                                              .refusal = "bending is damped",
                                              .draft = draft,
                                              .set_parameters = set_parameters,
                                              .hash = hash,
                                              .free_model = free_model,
                                              .data_size = sizeof(cab_viscous_data),
                                              .start = start,
                                              .whole_frames = true,
                                              .upload = upload,
                                              .predicted = predicted,
                                              .end = end};
