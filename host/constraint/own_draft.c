/* Drafts the user's own constraints: expressions as operations for the devices, sorted by kind and colour;
 * callbacks in the order of the scene. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/own.h"
#include "base/array.h"
#include "model/expression.h"
#include "model/scene.h"

static const cab_constraint_def *def_of(const cab_model *model, const cab_own_place *place)
{
    return &model->scene->constraints[place->scene_constraint];
}

int cab_model_own_particles(const cab_model *model, const cab_own_place *place, int *particle)
{
    const cab_constraint_def *def = def_of(model, place);
    for (int i = 0; i < def->stencil_count; i++)
        particle[i] = model->node_particle[place->node + def->stencil[i]];
    return def->stencil_count;
}

/* The mean rest length of a stencil's segments; for one particle that of the segment after it, or before
 * it. */
double cab_model_own_rest(const cab_model *model, const cab_own_place *place)
{
    const cab_constraint_def *def = def_of(model, place);
    const cab_body *cable = &model->bodies[place->cable];
    int first = place->node, last = first + def->stencil[def->stencil_count - 1];
    if (first == last && last == cable->first_node + cable->node_count - 1)
        first--;
    else if (first == last)
        last++;
    return (model->node_arc[last] - model->node_arc[first]) / (last - first);
}

/* Does an attachment that may break hold this particle? */
static bool may_break(const cab_model *model, int particle)
{
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        if (isfinite(model->scene->attachments[a->scene_attachment].break_force) &&
            model->node_particle[a->node] == particle)
            return true;
    }
    return false;
}

static cab_status check_place(const cab_model *model, const cab_own_place *place, bool breaks,
                              cab_error *error)
{
    int particle[CAB_OWN_PARTICLES], count = cab_model_own_particles(model, place, particle);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            if (particle[i] != particle[k]) continue;
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /constraints/%d/stencil: two of its places are joined to one particle",
                            model->scene->source, place->scene_constraint);
        }
        /* an attachment's force is computed from the cable's own constraints only */
        if (breaks && may_break(model, particle[i]))
            return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                            "%s: /constraints/%d: it acts where an attachment has a break_force; expected "
                            "another place",
                            model->scene->source, place->scene_constraint);
    }
    return CAB_OK;
}

static cab_status check_places(const cab_model *model, cab_error *error)
{
    bool breaks = false;
    for (int i = 0; i < model->scene->attachment_count; i++)
        breaks = breaks || isfinite(model->scene->attachments[i].break_force);
    for (int i = 0; i < model->own_place_count; i++) {
        cab_status status = check_place(model, &model->own_place[i], breaks, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

/* Appends the operations of a constraint of the scene. */
static cab_status add_kind(cab_model *model, int index, cab_error *error)
{
    const cab_constraint_def *def = &model->scene->constraints[index];
    cab_own_kind *kind = &model->own_kind[index];
    *kind = (cab_own_kind){.first_op = model->own_op_count,
                           .particles = def->stencil_count,
                           .inequality = def->type == CAB_CONSTRAINT_INEQUALITY};
    if (!def->expression) return CAB_OK;
    cab_expression *e;
    cab_expression_fault fault;
    cab_status status = CAB_NEW(e, 1, error);
    if (status != CAB_OK) return status;
    if (cab_expression_parse(def->expression, def->stencil_count, def->parameters, def->parameter_count, e,
                             &fault)) {
        size_t total = (size_t)(model->own_op_count + e->count);
        cab_own_op *grown = realloc(model->own_op, total * sizeof *grown);
        if (grown) {
            model->own_op = grown;
            memcpy(grown + model->own_op_count, e->op, (size_t)e->count * sizeof *grown);
            model->own_op_count = (int)total;
            kind->op_count = e->count;
            kind->relative = e->invariant;
        } else {
            status = cab_fail_memory(error, "expressions", total * sizeof *grown);
        }
    } else { /* the scene has checked this */
        status = cab_fail(error, CAB_ERROR_INPUT, "%s: /constraints/%d/expression: column %d: %s",
                          model->scene->source, index, fault.column, fault.text);
    }
    free(e);
    return status;
}

/* Adds an origin that all places on a cable share; these are consecutive in own_place. */
static int add_origin(cab_model *model, const cab_own_place *place, const cab_own_place *before)
{
    bool same =
        before && before->scene_constraint == place->scene_constraint && before->cable == place->cable;
    if (same) return model->own_origin_count - 1;
    cab_vec3 o = def_of(model, place)->origin, shift = model->bodies[place->cable].cable.shift;
    if (!place->one_copy) o = (cab_vec3){o.x + shift.x, o.y + shift.y, o.z + shift.z};
    volatile float high[3] = {(float)o.x, (float)o.y, (float)o.z}; /* as in cab_split_place() */
    float4 *row = &model->own_origin[2 * model->own_origin_count];
    row[0] = (float4){high[0], high[1], high[2], 0};
    row[1] = (float4){(float)(o.x - high[0]), (float)(o.y - high[1]), (float)(o.z - high[2]), 0};
    return model->own_origin_count++;
}

typedef struct cab_own_draft {
    cab_own_constraint *own;
    cab_stencil *stencil;
    int *order;
    int count;
} cab_own_draft;

static void draft_one(cab_model *model, cab_own_draft *draft, const cab_own_place *place, int origin)
{
    const cab_constraint_def *def = def_of(model, place);
    int i = draft->count++, *particle = draft->own[i].particle;
    double rest = cab_model_own_rest(model, place);
    draft->own[i] = (cab_own_constraint){.kind = place->scene_constraint,
                                         .origin = origin,
                                         .rest = (float)rest,
                                         .apart = (float)(def->h > 0 ? def->h : 0.01 * rest)};
    int count = cab_model_own_particles(model, place, particle);
    cab_stencil *stencil = &draft->stencil[i];
    *stencil = (cab_stencil){.particle = {-1, -1, -1}};
    stencil->preferred =
        (place->node - model->bodies[place->cable].first_node) % (def->stencil[count - 1] + 1);
    for (int k = 0; k < count && k < CAB_STENCIL_MAX; k++) stencil->particle[k] = particle[k];
    if (count > CAB_STENCIL_MAX) {
        stencil->more = particle + CAB_STENCIL_MAX;
        stencil->more_count = count - CAB_STENCIL_MAX;
    }
}

static void draft_all(cab_model *model, cab_own_draft *draft)
{
    for (int i = 0; i < model->own_place_count; i++) {
        const cab_own_place *place = &model->own_place[i];
        if (!def_of(model, place)->expression) {
            model->callback[model->callback_count++] = *place;
            continue;
        }
        draft_one(model, draft, place, add_origin(model, place, i > 0 ? place - 1 : NULL));
    }
}

/* Sorts the constraints by kind, and each kind by colour. */
static cab_status sort_own(cab_model *model, const cab_own_draft *draft, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int first = 0, end = 0; status == CAB_OK && first < draft->count; first = end) {
        while (end < draft->count && draft->own[end].kind == draft->own[first].kind) end++;
        status = cab_colour_part(draft->stencil, first, end - first, model->particle_count,
                                 draft->order + first, &model->own_colour, &model->own_colour_count, error);
    }
    for (int i = 0; status == CAB_OK && i < draft->count; i++) {
        model->own[i] = draft->own[draft->order[i]];
    }
    model->own_count = draft->count;
    return status;
}

static cab_status add_all(cab_model *model, cab_own_draft *draft, cab_error *error)
{
    long long places = model->own_place_count;
    cab_status status = check_places(model, error);
    if (status == CAB_OK) status = CAB_NEW(model->own_kind, model->scene->constraint_count, error);
    for (int i = 0; status == CAB_OK && i < model->scene->constraint_count; i++)
        status = add_kind(model, i, error);
    if (status == CAB_OK) status = CAB_NEW(model->own, places, error);
    if (status == CAB_OK) status = CAB_NEW(model->callback, places, error);
    if (status == CAB_OK) status = CAB_NEW(model->own_origin, 2 * places, error);
    if (status == CAB_OK) status = CAB_NEW(draft->own, places, error);
    if (status == CAB_OK) status = CAB_NEW(draft->stencil, places, error);
    if (status == CAB_OK) status = CAB_NEW(draft->order, places, error);
    if (status == CAB_OK) draft_all(model, draft);
    return status == CAB_OK ? sort_own(model, draft, error) : status;
}

cab_status cab_own_draft_all(cab_model *model, cab_error *error)
{
    cab_own_draft draft = {0};
    if (model->own_place_count == 0) return CAB_OK;
    cab_status status = add_all(model, &draft, error);
    CAB_FREE(draft.own, draft.stencil, draft.order);
    return status;
}
