/* Constraints that are C functions of the user. They run on the host, in doubles. */
#include "base/clock.h"
#include "constraint/compliance.h"
#include "constraint/own.h"
#include "model/scene.h"
#include "world/device.h"

/* A stencil while its constraint is solved. */
typedef struct cab_call {
    const cab_constraint_def *def;
    int particle[CAB_OWN_PARTICLES], count;
    float4 position[CAB_OWN_PARTICLES]; /* as on the device */
    cab_vec3 x[CAB_OWN_PARTICLES];
    double w[CAB_OWN_PARTICLES];
} cab_call;

static cab_status read_stencil(cab_world *world, const cab_own_place *place, cab_call *call, cab_error *error)
{
    const cab_backend_ops *ops = world->backend->ops;
    call->def = &world->model->scene->constraints[place->scene_constraint];
    call->count = cab_model_own_particles(world->model, place, call->particle);
    const cab_own_kind *kind = &world->model->own_kind[place->scene_constraint];
    for (int i = 0; i < call->count; i++) {
        float4 *p = &call->position[i], e;
        size_t at = (size_t)call->particle[i] * sizeof e;
        cab_status status = ops->read(world->backend, CAB_BUFFER_position, at, sizeof *p, p, error);
        if (status == CAB_OK) status = ops->read(world->backend, CAB_BUFFER_offset, at, sizeof e, &e, error);
        if (status != CAB_OK) return status;
        call->x[i] = (cab_vec3){(double)p->x + e.x, (double)p->y + e.y, (double)p->z + e.z};
        call->w[i] = kind->equal && p->w > 0 ? 1 : p->w * (double)kind->slow;
    }
    return CAB_OK;
}

/* Writes the stencil's places back; held particles keep theirs. */
static cab_status write_stencil(cab_world *world, const cab_call *call, cab_error *error)
{
    const cab_backend_ops *ops = world->backend->ops;
    for (int i = 0; i < call->count; i++) {
        const float4 *p = &call->position[i];
        const cab_vec3 *x = &call->x[i];
        if (!(call->w[i] > 0)) continue;
        float4 e = {(float)(x->x - p->x), (float)(x->y - p->y), (float)(x->z - p->z), 0};
        size_t at = (size_t)call->particle[i] * sizeof e;
        cab_status status = ops->write(world->backend, CAB_BUFFER_offset, at, sizeof e, &e, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

static double *coordinate(cab_vec3 *x, int k)
{
    return k % 3 == 0 ? &x[k / 3].x : k % 3 == 1 ? &x[k / 3].y : &x[k / 3].z;
}

/* As the kernel own, in doubles. forget: PBD */
static void solve_value(cab_call *call, double apart, double compliance, bool forget, double *lambda)
{
    const cab_constraint_def *def = call->def;
    double gradient[CAB_OWN_INPUTS], sum = 0, value = def->evaluate(def->user, call->x, call->count);
    for (int k = 0; k < 3 * call->count; k++) {
        double *x = coordinate(call->x, k), at = *x;
        *x = at + apart;
        double above = *x, up = def->evaluate(def->user, call->x, call->count);
        *x = at - apart;
        gradient[k] = (up - def->evaluate(def->user, call->x, call->count)) / (above - *x);
        *x = at;
        sum += call->w[k / 3] * gradient[k] * gradient[k];
    }
    if (sum == 0) return;
    if (forget) {
        compliance *= sum;
        *lambda = 0;
    }
    double next = *lambda + (-value - compliance * *lambda) / (sum + compliance);
    if (def->type == CAB_CONSTRAINT_INEQUALITY && next < 0) next = 0;
    for (int k = 0; k < 3 * call->count; k++)
        *coordinate(call->x, k) += call->w[k / 3] * gradient[k] * (next - *lambda);
    *lambda = next;
}

static void call_one(const cab_world *world, const cab_own_place *place, cab_call *call, double *lambda)
{
    const cab_constraint_def *def = call->def;
    const cab_model *model = world->model;
    bool pbd = model->settings.method == CAB_METHOD_PBD;
    double rest = cab_model_own_rest(model, place);
    if (!def->solve) {
        solve_value(call, def->h > 0 ? def->h : 0.01 * rest, cab_own_compliance(model, def), pbd, lambda);
        return;
    }
    cab_constraint_state state = {
        .position = call->x,
        .inverse_mass = call->w,
        .count = call->count,
        .lambda = lambda,
        .substep = cab_model_substep(model),
        .compliance = def->compliance,
        .rest = rest,
        .cable = place->cable,
        .particle = place->node - model->bodies[place->cable].first_node,
        .stiffness = cab_projected_share(&model->settings, def->stiffness),
    };
    def->solve(def->user, &state);
}

cab_status cab_own_call(cab_world *world, double *lambda, bool first_pass, cab_error *error)
{
    const cab_model *m = world->model;
    double start = world->def.profile ? cab_now() : 0;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->callback_count; i++) {
        cab_call call;
        if (first_pass) lambda[i] = 0;
        status = read_stencil(world, &m->callback[i], &call, error);
        if (status != CAB_OK) break;
        call_one(world, &m->callback[i], &call, &lambda[i]);
        status = write_stencil(world, &call, error);
    }
    if (world->def.profile) world->times[CAB_STAGE_OWN] += cab_now() - start;
    return status;
}
