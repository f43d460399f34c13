/* The forces that attachments bear. A frame's mean is what the attached node's mass needs to move as it does,
 * less gravity, loads and the constraints of its own cable. */
#include "world/forces.h"

#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/branches.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/loads.h"

#define ROW_BENDINGS 5 /* bendings in a cab_breakable */

/* The bendings of each particle: cab_list_bendings(). */
typedef struct cab_particle_list {
    int *start, *item;
} cab_particle_list;

static cab_status add_row(cab_force_rows *rows, int particle, cab_watch watch, cab_error *error)
{
    if (rows->count == rows->room) {
        int room = 2 * rows->room + 16;
        cab_breakable *row = realloc(rows->row, (size_t)room * sizeof *row);
        if (row) rows->row = row;
        cab_watch *grown = realloc(rows->watch, (size_t)room * sizeof *grown);
        if (grown) rows->watch = grown;
        if (!row || !grown)
            return cab_fail_memory(error, "breakable attachments", (size_t)room * sizeof *row);
        rows->room = room;
    }
    rows->row[rows->count] = (cab_breakable){
        .particle = particle, .distance = {-1, -1}, .bending = {-1, -1, -1, -1, -1}, .twist = {-1, -1}};
    rows->watch[rows->count++] = watch;
    return CAB_OK;
}

static cab_vec3 load_of(const cab_world *world, int node)
{
    const cab_model *m = world->model;
    cab_vec3 sum = {0, 0, 0};
    for (int i = 0; i < m->placed_load_count; i++) {
        if (m->placed_loads[i].node != node) continue;
        sum = cab_vec3_add(sum, cab_loads_mean(world, m->placed_loads[i].scene_load));
    }
    return sum;
}

/* Watches a node: its mass, its loads and the constraints of its own cable. */
static cab_status watch_node(const cab_model *m, const cab_particle_list *bendings, int attachment, int cable,
                             int node, cab_force_rows *rows, cab_error *error)
{
    int particle = m->node_particle[node], distances = 0, count = 0;
    cab_watch watch = {.attachment = attachment, .node = node};
    cab_status status = add_row(rows, particle, watch, error);
    if (status != CAB_OK) return status;
    cab_breakable *row = &rows->row[rows->count - 1];
    bool last = m->node_segment[node] < 0;
    if (node > m->bodies[cable].first_node) row->distance[distances++] = m->node_segment[node - 1];
    if (!last) row->distance[distances++] = m->node_segment[node];
    if (m->node_twist && node > m->bodies[cable].first_node) row->twist[0] = m->node_twist[node - 1];
    if (m->node_twist && !last) row->twist[1] = m->node_twist[node];
    for (int k = bendings->start[particle]; k < bendings->start[particle + 1]; k++) {
        const cab_origin *o = &m->bending_origin[bendings->item[k] / 4];
        if (o->body == cable && o->other_body < 0 && count < ROW_BENDINGS)
            row->bending[count++] = bendings->item[k] / 4;
    }
    return CAB_OK;
}

/* An angle that a clamp keeps between two cables exerts a couple on each of them: a force on the neighbour of
 * the joint, and the opposite force on the joint. */
static cab_status watch_couple(const cab_model *m, const cab_particle_list *bendings, int attachment,
                               int node, int neighbour, cab_force_rows *rows, cab_error *error)
{
    int joint = m->node_particle[node], particle = m->node_particle[neighbour], count = ROW_BENDINGS;
    for (int k = bendings->start[particle]; k < bendings->start[particle + 1]; k++) {
        int i = bendings->item[k] / 4;
        if (m->bending_origin[i].other_body < 0 || m->bending[i].b != joint) continue;
        if (count == ROW_BENDINGS) {
            cab_watch watch = {.attachment = attachment, .node = node, .couple = true};
            cab_status status = add_row(rows, particle, watch, error);
            if (status != CAB_OK) return status;
            count = 0;
        }
        rows->row[rows->count - 1].bending[count++] = i;
    }
    return CAB_OK;
}

/* The couple of a clamp on a body: by the force on a neighbour, which no other bending counts for. */
static cab_status watch_clamp(const cab_model *m, int attachment, cab_force_rows *rows, cab_error *error)
{
    const cab_model_attachment *a = &m->attachments[attachment];
    if (a->clamp_count == 0 || a->joint) return CAB_OK;
    int i = cab_model_clamp_bending(m, a);
    const cab_bending_constraint *b = &m->bending[i];
    cab_watch watch = {.attachment = attachment,
                       .node = a->node,
                       .couple = true,
                       .clamp = (double)(b->c < 0 ? b->ga : b->gc)};
    cab_status status = add_row(rows, b->c < 0 ? b->a : b->c, watch, error);
    if (status == CAB_OK) rows->row[rows->count - 1].bending[0] = i;
    return status;
}

static cab_status watch_attachment(const cab_model *m, const cab_particle_list *bendings, int attachment,
                                   cab_force_rows *rows, cab_error *error)
{
    int *nodes, count;
    cab_status status = cab_model_attached_nodes(m, attachment, &nodes, &count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        int node = nodes[i], cable = cab_model_cable_of_node(m, node);
        int first = m->bodies[cable].first_node, last = first + m->bodies[cable].node_count - 1;
        status = watch_node(m, bendings, attachment, cable, node, rows, error);
        if (status == CAB_OK && node > first)
            status = watch_couple(m, bendings, attachment, node, node - 1, rows, error);
        if (status == CAB_OK && node < last)
            status = watch_couple(m, bendings, attachment, node, node + 1, rows, error);
    }
    free(nodes);
    if (status == CAB_OK && (m->attachments[attachment].led >= 0 || m->attachments[attachment].rigid >= 0))
        status = watch_clamp(m, attachment, rows, error);
    return status;
}

/* Is this attachment watched? If it can break, or holds to a body, or where all forces are asked for and it holds. */
static bool is_watched(const cab_model *m, int attachment, bool all)
{
    const cab_model_attachment *a = &m->attachments[attachment];
    const cab_attachment_def *def = cab_model_attachment_def(m, attachment);
    if (a->broken || cab_model_is_free(m, attachment)) return false;
    bool breaks = isfinite(def->break_force) && (def->part != CAB_PART_CONNECTOR || a->mated);
    return all || breaks || a->rigid >= 0 || a->led >= 0;
}

cab_status cab_forces_list(const cab_model *m, bool all, cab_force_rows *rows, cab_error *error)
{
    int first = 0;
    *rows = (cab_force_rows){0};
    while (first < m->attachment_count && !is_watched(m, first, all)) first++;
    if (first == m->attachment_count) return CAB_OK;
    cab_particle_list bendings = {0};
    cab_status status = cab_list_bendings(m, &bendings.start, &bendings.item, error);
    for (int i = first; status == CAB_OK && i < m->attachment_count; i++) {
        if (is_watched(m, i, all)) status = watch_attachment(m, &bendings, i, rows, error);
    }
    free(bendings.start);
    free(bendings.item);
    return status;
}

cab_status cab_forces_start(cab_world *world, cab_error *error)
{
    cab_force_rows rows;
    cab_status status = cab_forces_list(world->model, world->def.forces, &rows, error);
    size_t n = (size_t)rows.count;
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_breakable, rows.row, n, sizeof *rows.row, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_breakable_force, NULL, n, sizeof(float4), error);
    free(rows.row);
    free(world->forces.watch);
    world->forces.watch = rows.watch;
    world->forces.watch_count = status == CAB_OK ? rows.count : 0;
    return status;
}

/* Reads the velocities of all watched nodes, by one read from the first to the last of them. */
static cab_status read_velocities(cab_world *world, cab_vec3 *out, cab_error *error)
{
    const int *particle = world->model->node_particle;
    int low = particle[world->forces.watch[0].node], high = low;
    for (int i = 0; i < world->forces.watch_count; i++) {
        int p = particle[world->forces.watch[i].node];
        low = p < low ? p : low;
        high = p > high ? p : high;
    }
    float4 *v;
    cab_status status = CAB_NEW(v, high - low + 1, error);
    if (status == CAB_OK) {
        status = cab_world_fetch(world, CAB_BUFFER_velocity, (size_t)low * sizeof *v,
                                 (size_t)(high - low + 1) * sizeof *v, v, error);
    }
    for (int i = 0; status == CAB_OK && i < world->forces.watch_count; i++) {
        float4 x = v[particle[world->forces.watch[i].node] - low];
        out[i] = (cab_vec3){x.x, x.y, x.z};
    }
    free(v);
    return status;
}

cab_status cab_forces_begin_frame(cab_world *world, cab_error *error)
{
    int n = world->forces.watch_count;
    if (world->forces.at_rest && n == 0) {
        CAB_FREE(world->forces.mean, world->forces.couple);
        world->forces.mean = world->forces.couple = NULL;
    }
    world->forces.at_rest = false;
    if (n == 0) return CAB_OK;
    cab_vec3 *velocity;
    float4 *zero = NULL;
    cab_status status = CAB_NEW(velocity, n, error);
    if (status == CAB_OK) status = CAB_NEW(zero, n, error);
    if (status == CAB_OK) status = read_velocities(world, velocity, error);
    for (int i = 0; status == CAB_OK && i < n; i++) {
        world->forces.watch[i].velocity = velocity[i];
        world->forces.watch[i].load = load_of(world, world->forces.watch[i].node);
    }
    if (status == CAB_OK) {
        status = cab_world_put(world, CAB_BUFFER_breakable_force, 0, (size_t)n * sizeof *zero, zero, error);
    }
    free(velocity);
    free(zero);
    return status;
}

static cab_vec3 holding_force(const cab_world *world, const cab_watch *w, cab_vec3 velocity, float4 sum)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    cab_vec3 mean = cab_vec3_scale(1.0 / s->substeps, (cab_vec3){sum.x, sum.y, sum.z});
    if (w->couple) return mean;
    cab_vec3 rate = cab_vec3_scale(s->frame_rate, cab_vec3_sub(velocity, w->velocity));
    cab_vec3 inertia = cab_vec3_scale(m->node_mass[w->node], cab_vec3_sub(rate, s->gravity));
    return cab_vec3_sub(cab_vec3_sub(inertia, mean), w->load);
}

int cab_forces_argument(const cab_world *world)
{
    return CAB_ARGUMENT(world->pace.first ? CAB_FORCE_ASLEEP : 0, world->pace.held);
}

cab_status cab_forces_add(cab_world *world, cab_error *error)
{
    int argument = cab_forces_argument(world);
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_attach_force, 0, world->forces.watch_count,
                         argument, 0, error);
}

cab_status cab_forces_read(cab_world *world, cab_vec3 *force, cab_vec3 *couple, cab_error *error)
{
    int n = world->forces.watch_count;
    cab_vec3 *velocity;
    float4 *sum = NULL;
    cab_status status = CAB_NEW(velocity, n, error);
    if (status == CAB_OK) status = CAB_NEW(sum, n, error);
    if (status == CAB_OK) status = read_velocities(world, velocity, error);
    if (status == CAB_OK) {
        status = cab_world_fetch(world, CAB_BUFFER_breakable_force, 0, (size_t)n * sizeof *sum, sum, error);
    }
    for (int i = 0; status == CAB_OK && i < n; i++) {
        const cab_watch *w = &world->forces.watch[i];
        cab_vec3 *total = w->clamp != 0 ? &couple[w->attachment] : &force[w->attachment];
        double scale = w->clamp != 0 ? 1 / w->clamp : 1;
        *total = cab_vec3_add_scaled(*total, scale, holding_force(world, w, velocity[i], sum[i]));
    }
    free(velocity);
    free(sum);
    return status;
}
