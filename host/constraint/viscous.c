/* viscous: bending that is damped, the material's bending_damping. It has no constraints of its own but adds to the bendings
 * (bending.c) of all kinds a moment that goes with the rate of their curvature. Equations: kernels/viscous.h. Kernels:
 * bending_viscous.cl; direct method: direct_bend.cl stage by stage, sweep.h in tiles. */
#include "constraint/viscous.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "constraint/compliance.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/limits.h"
#include "model/method.h"
#include "model/names.h"
#include "model/scene.h"
#include "world/device.h"

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    bool knows = method->rule == CAB_RULE_COMPLIANT || method->rule == CAB_RULE_DIRECT;
    for (int i = 0; !knows && i < scene->material_count; i++) {
        const cab_material_def *m = &scene->materials[i];
        char name[CAB_NAME_MAX * 2 + 1];
        if (m->bending_damping == 0) continue;
        cab_pointer_escape(m->name, name, sizeof name);
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: /materials/%s/bending_damping: the method \"%s\" does not damp bending; "
                        "expected 0, got %g",
                        scene->source, name, method->name, m->bending_damping);
    }
    return CAB_OK;
}

static bool present(const cab_model *model)
{
    return model->viscous;
}

static cab_status draft(cab_model *model, cab_error *error)
{
    cab_status status = CAB_NEW(model->bending_rate, model->bending_count, error);
    return status == CAB_OK ? CAB_NEW(model->cable_rate, model->cable_count, error) : status;
}

double cab_bending_rate_of(float rate, int first_order)
{
    return first_order ? (double)rate : 1.5 * (double)rate;
}

float cab_bending_chord(float ga, float gc)
{
    if (!(ga > 0 && gc > 0)) return 0;
    double length = 1 / (double)ga + 1 / (double)gc;
    return (float)(1 / (length * length));
}

double cab_model_bending_in_matrix(const cab_model *model, int bending, int first_order)
{
    double scale = first_order ? 1 : 4 / 9.0; /* h_s^2 / h^2 */
    float compliance = model->bending[bending].compliance;
    if (!(compliance > 0)) return 0;
    return scale / compliance * (1 + cab_bending_rate_of(model->bending_rate[bending], first_order));
}

/* tau of a bending, s. Where two sections meet they bend one after the other: the angle by which each lags adds up. */
static double damping_of(const cab_model *model, const cab_origin *o)
{
    const cab_material_def *a = &model->section[o->section].def, *b = &model->section[o->other_section].def;
    if (!(a->bending_stiffness > 0)) return 0;
    if (!(o->other_cell > 0)) return a->bending_damping;
    if (!(b->bending_stiffness > 0)) return 0;
    double first = cab_compliance_of(o->cell, a->bending_stiffness),
           second = cab_compliance_of(o->other_cell, b->bending_stiffness);
    return (first * a->bending_damping + second * b->bending_damping) / (first + second);
}

static void set_cable_rates(cab_model *model)
{
    for (int c = 0; c < model->cable_count; c++) model->cable_rate[c] = 0;
    for (int seen = 0; seen < 2; seen++) { /* any of a cable's first, then all beside it */
        for (int i = 0; i < model->bending_count; i++) {
            float *own = &model->cable_rate[model->bending_origin[i].body];
            if (seen == 0)
                *own = model->bending_rate[i];
            else if (*own != model->bending_rate[i])
                *own = -1;
        }
    }
}

bool cab_viscous_is_even(const cab_model *model)
{
    for (int c = 0; model->viscous && c < model->cable_count; c++)
        if (model->cable_rate[c] < 0) return false;
    return true;
}

static void set_parameters(cab_model *model)
{
    model->viscous = false;
    for (int i = 0; i < model->bending_count; i++) {
        double h = cab_model_substep_of(model, model->bending[i].b);
        model->bending_rate[i] = (float)(damping_of(model, &model->bending_origin[i]) / h);
        if (model->bending_rate[i] > 0) model->viscous = true;
    }
    set_cable_rates(model);
}

static void hash(const cab_model *m, uint64_t *hash)
{
    if (m->viscous) cab_hash_array(hash, m->bending_rate, m->bending_count, sizeof *m->bending_rate);
}

static void free_model(cab_model *m)
{
    CAB_FREE(m->bending_rate, m->cable_rate);
}

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (!m->viscous) return CAB_OK;
    return cab_world_upload(world, CAB_BUFFER_bending_rate, m->bending_rate, (size_t)m->bending_count,
                            sizeof *m->bending_rate, error);
}

const cab_constraint_kind cab_viscous_kind = {.name = "viscous",
                                              .check = check,
                                              .present = present,
                                              .ways = 1u << CAB_WAY_COLOURED | 1u << CAB_WAY_LANES |
                                                      1u << CAB_WAY_STAGED,
                                              .refusal = CAB_VISCOUS_REFUSAL,
                                              .draft = draft,
                                              .set_parameters = set_parameters,
                                              .hash = hash,
                                              .free_model = free_model,
                                              .upload = upload};
