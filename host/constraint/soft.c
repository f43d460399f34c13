/* soft: soft attachments, which are springs, and the pull of a hand. Kernels: soft.cl. */
#include "constraint/soft.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "constraint/clip.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/attached.h"
#include "world/device.h"

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    bool knows = method->rule == CAB_RULE_COMPLIANT || method->rule == CAB_RULE_DIRECT;
    for (int i = 0; !knows && i < scene->attachment_count; i++) {
        if (!(scene->attachments[i].compliance > 0)) continue;
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: %s/compliance: the method \"%s\" knows hard attachments only; expected 0",
                        scene->source, cab_attachment_pointer(scene, i).text, method->name);
    }
    return CAB_OK;
}

static bool present(const cab_model *model)
{
    for (int i = 0; i < model->scene->attachment_count; i++) {
        if (model->scene->attachments[i].compliance > 0) return true;
    }
    return false;
}

static const cab_attachment_def *def_of(const cab_world *world, int attachment)
{
    return &world->model->scene->attachments[world->model->attachments[attachment].scene_attachment];
}

/* The spring on a particle: that of an attachment, without damping, or of the hand. */
static cab_soft soft_of(const cab_world *world, int node, int target, double damping, float reach)
{
    const cab_model *m = world->model;
    int p = m->node_particle[node];
    double h = cab_model_substep_of(m, p), mass = m->mass[p];
    cab_soft soft = {.particle = p,
                     .moving = target,
                     .reach = reach,
                     .compliance = (float)(1 / cab_model_soft_mass(m, p, h)),
                     .inverse_mass = (float)(1 / mass)};
    for (int order = 0; order < 2; order++) {
        double hs = order ? h : 2 * h / 3, spring = cab_model_soft_mass(m, p, hs);
        float pull = (float)(spring / (mass * (1 + m->damping[p] * hs) + spring));
        float weight = (float)(1 / (mass + spring));
        float share = (float)(1 - damping * hs / spring);
        *(order ? &soft.pull_first : &soft.pull) = pull;
        *(order ? &soft.weight_first : &soft.weight) = weight;
        *(order ? &soft.share_first : &soft.share) = share;
    }
    return soft;
}

static cab_status update_moving(cab_world *world, cab_error *error)
{
    cab_soft *soft;
    int count = 0;
    const cab_model *m = world->model;
    cab_status status = CAB_NEW(soft, cab_attached_targets(world), error);
    for (int i = 0; status == CAB_OK && i < world->attached.moving_count; i++) {
        int a = world->attached.moving[i].attachment;
        if (cab_attached_is_soft(world, a))
            soft[count++] = soft_of(world, m->attachments[a].node, i, 0, CAB_REACH_ANY);
    }
    if (status == CAB_OK && m->pull.on && m->pull.node >= 0)
        soft[count++] =
            soft_of(world, m->pull.node, world->attached.moving_count, m->pull.damping, (float)m->pull.reach);
    const cab_table tables[] = {
        {CAB_BUFFER_soft, soft, (size_t)count, sizeof *soft},
        {CAB_BUFFER_soft_lambda, NULL, (size_t)count, sizeof(float4)},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    if (status == CAB_OK) status = cab_clip_follow(world, soft, count, error);
    free(soft);
    world->attached.soft_count = status == CAB_OK ? count : 0;
    return status;
}

static cab_status iterate(cab_world *world, int substep, bool first, cab_error *error)
{
    if (world->attached.soft_count == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_soft_solve, 0, world->attached.soft_count,
                         CAB_ARGUMENT(first ? CAB_SOLVE_FIRST : 0, substep), 0, error);
}

/* The direct method has the springs in its prediction and factors: masses are larger during the substep. */
static cab_status run_direct(cab_world *world, int argument, cab_error *error)
{
    if (world->attached.soft_count == 0 || !world->carrier->springs_in_factors) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_direct_soft, 0, world->attached.soft_count,
                         argument, 0, error);
}

static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    return run_direct(world, CAB_ARGUMENT(0, substep), error);
}

static cab_status end(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    return run_direct(world, CAB_SOFT_OVER, error);
}

static bool any_releases(const cab_world *world)
{
    for (int i = 0; world->attached.soft_count > 0 && i < world->attached.moving_count; i++) {
        if (isfinite(def_of(world, world->attached.moving[i].attachment)->release_distance)) return true;
    }
    return false;
}

cab_status cab_soft_distances(cab_world *world, double *distance, cab_error *error)
{
    const cab_model *m = world->model;
    size_t n = (size_t)m->particle_count;
    float4 *x, *r = NULL;
    if (!any_releases(world)) return CAB_OK;
    cab_status status = CAB_NEW(x, n, error);
    if (status == CAB_OK) status = CAB_NEW(r, n, error);
    if (status == CAB_OK) status = cab_world_fetch(world, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    if (status == CAB_OK) status = cab_world_fetch(world, CAB_BUFFER_residual, 0, n * sizeof *r, r, error);
    for (int i = 0; status == CAB_OK && i < world->attached.moving_count; i++) {
        int a = world->attached.moving[i].attachment, p = m->node_particle[m->attachments[a].node];
        if (!cab_attached_is_soft(world, a)) continue;
        cab_vec3 place = {(double)x[p].x + r[p].x, (double)x[p].y + r[p].y, (double)x[p].z + r[p].z};
        distance[a] = cab_vec3_length(cab_vec3_sub(place, m->attachments[a].place));
    }
    free(x);
    free(r);
    return status;
}

const cab_constraint_kind cab_soft_kind = {.name = "soft",
                                           .check = check,
                                           .present = present,
                                           .ways = 1u << CAB_WAY_COLOURED | 1u << CAB_WAY_CHUNKS |
                                                   1u << CAB_WAY_STAGED,
                                           .refusal = "an attachment is soft",
                                           .update_moving = update_moving,
                                           .predicted = predicted,
                                           .iterate = iterate,
                                           .end = end};
