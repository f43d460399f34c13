/* Held particles that move, and attachments that break. */
#include "world/world.h"

#include <math.h>
#include <string.h>

#include "model/scene.h"

static const cab_attachment_def *def_of(const cab_world *world, int attachment)
{
    return &world->model->scene->attachments[world->model->attachments[attachment].scene_attachment];
}

/* Uploads the list of moving particles and makes room for their targets. */
static cab_status upload_moving(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int n = world->moving_count;
    int *particle, *index = NULL;
    cab_status status = CAB_NEW(particle, n, error);
    if (status == CAB_OK) status = CAB_NEW(index, m->particle_count, error);
    if (status == CAB_OK) {
        memset(index, -1, (size_t)m->particle_count * sizeof *index);
        for (int i = 0; i < n; i++) {
            particle[i] = m->node_particle[m->attachments[world->moving[i].attachment].node];
            index[particle[i]] = i;
        }
        status =
            cab_world_upload(world, CAB_BUFFER_moving_particle, particle, (size_t)n, sizeof *particle, error);
    }
    if (status == CAB_OK && n > 0) {
        status = cab_world_upload(world, CAB_BUFFER_moving, index, (size_t)m->particle_count, sizeof *index,
                                  error);
    }
    free(particle);
    free(index);
    size_t room = 2 * (size_t)n * (size_t)m->scene->settings.substeps;
    free(world->target);
    world->target = NULL;
    if (status == CAB_OK) status = CAB_NEW(world->target, room, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_target, NULL, room, sizeof(float4), error);
    world->params.moving_count = n;
    return status;
}

static cab_status add_moving(cab_world *world, int attachment, cab_error *error)
{
    size_t total = (size_t)world->moving_count + 1;
    cab_moving *grown = realloc(world->moving, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "moving attachments", total * sizeof *grown);
    world->moving = grown;
    grown[world->moving_count++] = (cab_moving){.attachment = attachment};
    return CAB_OK;
}

/* The constraints of the attachment's cable at a node. */
static cab_breakable watch_node(const cab_model *m, int cable, int node)
{
    cab_breakable b = {
        .particle = m->node_particle[node], .distance = {-1, -1}, .bending = {-1, -1, -1, -1, -1}};
    int first = m->cables[cable].first_node, distances = 0, bendings = 0;
    if (node > first) b.distance[distances++] = m->node_segment[node - 1];
    if (m->node_segment[node] >= 0) b.distance[distances++] = m->node_segment[node];
    for (int i = 0; i < m->bending_count && bendings < 5; i++) {
        const cab_bending_constraint *c = &m->bending[i];
        if (m->bending_origin[i].cable != cable || m->bending_origin[i].other_cable >= 0) continue;
        if (c->a == b.particle || c->b == b.particle || c->c == b.particle) b.bending[bendings++] = i;
    }
    return b;
}

/* Each breakable attachment watches its own node; one that holds a particle also the nodes of cables joined
 * there. */
static cab_status upload_watches(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    world->watch_count = 0;
    int room = 0;
    for (int i = 0; i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (a->broken || !isfinite(def_of(world, i)->break_force)) continue;
        for (int c = 0; c < m->cable_count; c++) {
            const cab_model_cable *cable = &m->cables[c];
            if (a->joint && c != a->cable) continue;
            for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
                if (a->joint ? node != a->node : m->node_particle[node] != m->node_particle[a->node])
                    continue;
                if (world->watch_count == room) {
                    room = 2 * room + 16;
                    cab_watch *grown = realloc(world->watch, (size_t)room * sizeof *grown);
                    if (!grown)
                        return cab_fail_memory(error, "breakable attachments", (size_t)room * sizeof *grown);
                    world->watch = grown;
                }
                world->watch[world->watch_count++] = (cab_watch){.attachment = i, .node = node};
            }
        }
    }
    cab_breakable *rows;
    cab_status status = CAB_NEW(rows, world->watch_count, error);
    for (int i = 0; status == CAB_OK && i < world->watch_count; i++) {
        int cable = 0;
        while (world->watch[i].node >= m->cables[cable].first_node + m->cables[cable].node_count) cable++;
        rows[i] = watch_node(m, cable, world->watch[i].node);
    }
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_breakable, rows, (size_t)world->watch_count, sizeof *rows,
                                  error);
    }
    free(rows);
    if (status == CAB_OK) {
        status = cab_world_upload(world, CAB_BUFFER_breakable_force, NULL, (size_t)world->watch_count,
                                  sizeof(float4), error);
    }
    return status;
}

cab_status cab_world_start_attachments(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        if (def_of(world, i)->to == CAB_TARGET_KEYFRAMES) status = add_moving(world, i, error);
    }
    if (status == CAB_OK) status = upload_moving(world, error);
    if (status == CAB_OK) status = upload_watches(world, error);
    return status;
}

static cab_vec3 mix(cab_vec3 a, cab_vec3 b, double t)
{
    return (cab_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

cab_status cab_world_update_targets(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    const cab_settings *s = &m->scene->settings;
    int n = world->moving_count;
    if (n == 0) return CAB_OK;
    for (int k = 0; k < s->substeps; k++) {
        double part = (double)(k + 1) / s->substeps;
        for (int i = 0; i < n; i++) {
            cab_moving *moving = &world->moving[i];
            cab_model_attachment *a = &m->attachments[moving->attachment];
            cab_vec3 x = moving->by_user ? mix(moving->from, moving->to, part)
                                         : cab_model_target(m, a, (world->frame + part) / s->frame_rate);
            float4 *t = &world->target[2 * ((size_t)k * (size_t)n + (size_t)i)];
            t[0] = (float4){(float)x.x, (float)x.y, (float)x.z, 0};
            t[1] = (float4){(float)(x.x - t[0].x), (float)(x.y - t[0].y), (float)(x.z - t[0].z), 0};
            a->place = x;
        }
    }
    for (int i = 0; i < n; i++) world->moving[i].from = world->moving[i].to;
    size_t bytes = 2 * (size_t)n * (size_t)s->substeps * sizeof(float4);
    return world->backend->ops->write(world->backend, CAB_BUFFER_target, 0, bytes, world->target, error);
}

cab_status cab_world_set_target(cab_world *world, int attachment, cab_vec3 point, cab_error *error)
{
    const cab_model *m = world->model;
    int found = 0;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (a->scene_attachment != attachment || a->joint || a->broken) continue;
        found++;
        int k = 0;
        while (k < world->moving_count && world->moving[k].attachment != i) k++;
        if (k == world->moving_count) status = add_moving(world, i, error);
        if (status != CAB_OK) return status;
        cab_vec3 to = {point.x + a->shift.x, point.y + a->shift.y, point.z + a->shift.z};
        world->moving[k].by_user = true;
        world->moving[k].from = a->place;
        world->moving[k].to = to;
    }
    if (found == 0) {
        return cab_fail(error, CAB_ERROR_INPUT, "/attachments/%d: no held particle belongs to it",
                        attachment);
    }
    if (world->params.moving_count != world->moving_count) {
        status = upload_moving(world, error);
        if (status == CAB_OK) status = cab_world_upload_params(world, error);
    }
    return status;
}

static cab_status read_velocities(cab_world *world, cab_vec3 *out, cab_error *error)
{
    for (int i = 0; i < world->watch_count; i++) {
        float4 v;
        size_t p = (size_t)world->model->node_particle[world->watch[i].node];
        cab_status status =
            world->backend->ops->read(world->backend, CAB_BUFFER_velocity, p * sizeof v, sizeof v, &v, error);
        if (status != CAB_OK) return status;
        out[i] = (cab_vec3){v.x, v.y, v.z};
    }
    return CAB_OK;
}

/* Before a frame: clears the sums of force and notes the velocities. */
cab_status cab_world_watch_forces(cab_world *world, cab_error *error)
{
    int n = world->watch_count;
    if (n == 0) return CAB_OK;
    cab_vec3 *velocity;
    float4 *zero = NULL;
    cab_status status = CAB_NEW(velocity, n, error);
    if (status == CAB_OK) status = CAB_NEW(zero, n, error);
    if (status == CAB_OK) status = read_velocities(world, velocity, error);
    for (int i = 0; status == CAB_OK && i < n; i++) world->watch[i].velocity = velocity[i];
    if (status == CAB_OK) {
        status = world->backend->ops->write(world->backend, CAB_BUFFER_breakable_force, 0,
                                            (size_t)n * sizeof *zero, zero, error);
    }
    free(velocity);
    free(zero);
    return status;
}

/* A held particle is let go. */
static cab_status release(cab_world *world, int attachment, cab_error *error)
{
    cab_model *m = world->model;
    int p = m->node_particle[m->attachments[attachment].node];
    m->held[p] = -1;
    float w = (float)(1 / m->mass[p]);
    for (int i = 0; i < world->moving_count; i++) {
        if (world->moving[i].attachment != attachment) continue;
        world->moving[i] = world->moving[--world->moving_count];
        cab_status status = upload_moving(world, error);
        if (status == CAB_OK) status = cab_world_upload_params(world, error);
        if (status != CAB_OK) return status;
    }
    const cab_backend_ops *ops = world->backend->ops;
    size_t at = (size_t)p * sizeof(float4) + 3 * sizeof(float);
    cab_status status = ops->write(world->backend, CAB_BUFFER_position, at, sizeof w, &w, error);
    if (status != CAB_OK) return status;
    return ops->write(world->backend, CAB_BUFFER_velocity, at, sizeof w, &m->decay[p], error);
}

/* The joint's cable goes on with its spare particle, which starts where the shared one is. */
static cab_status split(cab_world *world, int attachment, cab_error *error)
{
    cab_model *m = world->model;
    cab_model_attachment *a = &m->attachments[attachment];
    int p = m->node_particle[a->node], spare = a->spare;
    const cab_model_cable *cable = &m->cables[a->cable];
    for (int i = 0; i < m->distance_count; i++) {
        const cab_origin *o = &m->distance_origin[i];
        if (o->cable != a->cable || abs(o->node - a->node) > 2) continue;
        if (m->distance[i].a == p)
            m->distance[i].a = spare;
        else if (m->distance[i].b == p)
            m->distance[i].b = spare;
    }
    for (int i = 0; i < m->bending_count; i++) {
        const cab_origin *o = &m->bending_origin[i];
        cab_bending_constraint *b = &m->bending[i];
        if (o->other_cable >= 0 && (o->cable == a->cable || o->other_cable == a->cable) && b->b == p) {
            b->ga = b->gc = 0; /* an angle at a joint that is no more */
        }
        if (o->other_cable >= 0 || o->cable != a->cable || abs(o->node - a->node) > 1) continue;
        if (b->a == p) b->a = spare;
        if (b->b == p) b->b = spare;
        if (b->c == p) b->c = spare;
    }
    m->node_particle[a->node] = spare;
    (void)cable;
    cab_backend *backend = world->backend;
    cab_status status = cab_model_update_incidence(m, error);
    if (status == CAB_OK) status = cab_model_update_exclusions(m, error);
    cab_buffer copied[] = {CAB_BUFFER_position, CAB_BUFFER_residual, CAB_BUFFER_velocity};
    for (int i = 0; status == CAB_OK && i < 3; i++) {
        float4 x;
        status = backend->ops->read(backend, copied[i], (size_t)p * sizeof x, sizeof x, &x, error);
        if (status == CAB_OK && i == 0) x.w = (float)(1 / m->mass[spare]);
        if (status == CAB_OK && i == 2) x.w = m->decay[spare];
        if (status == CAB_OK) {
            status = backend->ops->write(backend, copied[i], (size_t)spare * sizeof x, sizeof x, &x, error);
        }
        if (status == CAB_OK && i == 0) {
            x.w = m->held[p] >= 0 ? 0 : (float)(1 / m->mass[p]);
            status = backend->ops->write(backend, copied[i], (size_t)p * sizeof x, sizeof x, &x, error);
        }
    }
    if (status == CAB_OK) status = cab_contact_reset(world, error);
    return status;
}

static cab_status break_one(cab_world *world, int attachment, cab_error *error)
{
    cab_model *m = world->model;
    cab_model_attachment *a = &m->attachments[attachment];
    a->broken = true;
    size_t total = (size_t)world->broken_count + 1;
    cab_broken *grown = realloc(world->broken, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "broken attachments", total * sizeof *grown);
    world->broken = grown;
    grown[world->broken_count++] = (cab_broken){attachment};
    for (int i = 0; i < a->clamp_count; i++) {
        cab_bending_constraint *b = &m->bending[m->bending_order[a->first_clamp + i]];
        b->ga = b->gc = 0;
    }
    cab_status status = a->joint ? split(world, attachment, error) : release(world, attachment, error);
    if (status == CAB_OK) status = cab_world_upload_constraints(world, error);
    return status;
}

/* The force that holds a node in place: what its mass takes to move as it does, less gravity and its
 * constraints. */
static cab_vec3 holding_force(const cab_world *world, const cab_watch *w, cab_vec3 velocity, float4 sum)
{
    const cab_model *m = world->model;
    const cab_settings *s = &m->scene->settings;
    double mass = m->node_mass[w->node], rate = s->frame_rate, n = s->substeps;
    cab_vec3 f = {mass * ((velocity.x - w->velocity.x) * rate - s->gravity.x) - sum.x / n,
                  mass * ((velocity.y - w->velocity.y) * rate - s->gravity.y) - sum.y / n,
                  mass * ((velocity.z - w->velocity.z) * rate - s->gravity.z) - sum.z / n};
    for (int i = 0; i < m->placed_load_count; i++) {
        if (m->placed_loads[i].node != w->node) continue;
        cab_vec3 load = m->scene->loads[m->placed_loads[i].scene_load].force;
        f = (cab_vec3){f.x - load.x, f.y - load.y, f.z - load.z};
    }
    return f;
}

cab_status cab_world_break(cab_world *world, cab_error *error)
{
    int n = world->watch_count;
    if (n == 0) return CAB_OK;
    cab_vec3 *velocity;
    float4 *sum = NULL;
    bool any = false;
    cab_status status = CAB_NEW(velocity, n, error);
    if (status == CAB_OK) status = CAB_NEW(sum, n, error);
    if (status == CAB_OK) status = read_velocities(world, velocity, error);
    if (status == CAB_OK) {
        status = world->backend->ops->read(world->backend, CAB_BUFFER_breakable_force, 0,
                                           (size_t)n * sizeof *sum, sum, error);
    }
    for (int i = 0; status == CAB_OK && i < n;) {
        int attachment = world->watch[i].attachment;
        cab_vec3 total = {0, 0, 0};
        for (; i < n && world->watch[i].attachment == attachment; i++) {
            cab_vec3 f = holding_force(world, &world->watch[i], velocity[i], sum[i]);
            total = (cab_vec3){total.x + f.x, total.y + f.y, total.z + f.z};
        }
        double force = sqrt(total.x * total.x + total.y * total.y + total.z * total.z);
        if (force > def_of(world, attachment)->break_force) {
            cab_world_log(world, 1, "attachment %d broke at frame %d, %.4g N",
                          world->model->attachments[attachment].scene_attachment, world->frame, force);
            status = break_one(world, attachment, error);
            any = true;
        }
    }
    if (status == CAB_OK && any) status = upload_watches(world, error);
    free(velocity);
    free(sum);
    return status;
}

int cab_world_get_broken(const cab_world *world, int *attachments, int *cables, int capacity)
{
    for (int i = 0; i < world->broken_count && i < capacity; i++) {
        const cab_model_attachment *a = &world->model->attachments[world->broken[i].attachment];
        if (attachments) attachments[i] = a->scene_attachment;
        if (cables) cables[i] = a->cable;
    }
    return world->broken_count;
}
