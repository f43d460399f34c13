/* Measures of a world: rows per node, errors, energies. */
#include "run/measure.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/error.h"
#include "contact/contact.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/events.h"
#include "world/sleep.h"

#define FLUNG_SPEED 1000.0 /* m/s; only divergence makes a cable so fast */
#define FLUNG_STRETCH 10.0
#define CALM_SPEED 1e-3 /* m/s */

static cab_status read_positions(cab_world *world, double *position, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *x = NULL, *r = NULL;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_position, &x, error);
    if (status == CAB_OK) status = cab_world_read_particles(world, CAB_BUFFER_residual, &r, error);
    for (int i = 0; status == CAB_OK && i < m->node_count; i++) {
        int p = m->node_particle[i];
        position[3 * i] = (double)x[p].x + r[p].x;
        position[3 * i + 1] = (double)x[p].y + r[p].y;
        position[3 * i + 2] = (double)x[p].z + r[p].z;
    }
    free(x);
    free(r);
    return status;
}

static cab_status read_velocity(cab_world *world, double *velocity, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *v = NULL;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_velocity, &v, error);
    for (int i = 0; status == CAB_OK && i < m->node_count; i++) {
        int p = m->node_particle[i];
        velocity[3 * i] = v[p].x;
        velocity[3 * i + 1] = v[p].y;
        velocity[3 * i + 2] = v[p].z;
    }
    free(v);
    return status;
}

/* T = -lambda / h^2 */
static cab_status read_tension(cab_world *world, double *tension, cab_error *error)
{
    const cab_model *m = world->model;
    float *lambda;
    size_t n = (size_t)m->segment_count;
    cab_status status = CAB_NEW(lambda, n, error);
    if (status == CAB_OK) {
        status = cab_world_fetch(world, CAB_BUFFER_distance_lambda, 0, n * sizeof *lambda, lambda, error);
    }
    for (int i = 0; status == CAB_OK && i < m->node_count; i++) {
        int d = m->node_segment[i];
        double h = cab_model_substep_of(m, m->node_particle[i]);
        tension[i] = d >= 0 ? 0 - lambda[d] / (h * h) : 0;
    }
    free(lambda);
    return status;
}

cab_status cab_world_read(cab_world *world, double *position, double *velocity, double *tension,
                          cab_error *error)
{
    cab_status status = position ? read_positions(world, position, error) : CAB_OK;
    if (status == CAB_OK && velocity) status = read_velocity(world, velocity, error);
    if (status == CAB_OK && tension) status = read_tension(world, tension, error);
    return status;
}

static int cable_of_particle(const cab_model *m, int particle)
{
    for (int c = 0; c < m->body_count; c++) {
        const cab_body *cable = &m->bodies[c];
        for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
            if (m->node_particle[node] == particle) return c;
        }
    }
    return 0;
}

static cab_status check_bounds(cab_world *world, int worst_particle, int worst_distance, cab_error *error)
{
    const cab_measures *e = &world->measures;
    const cab_model *m = world->model;
    bool finite = e->speed_max < 1e30 && isfinite(e->stretch_max);
    if (finite && e->speed_max < FLUNG_SPEED && e->stretch_max < FLUNG_STRETCH) return CAB_OK;
    int particle = worst_particle;
    if (finite && e->speed_max < FLUNG_SPEED) particle = m->distance[worst_distance].a;
    int cable = particle >= 0 ? cable_of_particle(m, particle) : 0;
    char name[256], text[CAB_MESSAGE_SIZE], what[64] = "a position is not finite";
    cab_model_body_name(m, cable, name, sizeof name);
    if (finite) snprintf(what, sizeof what, "speed %.3g m/s, stretch %.3g", e->speed_max, e->stretch_max);
    snprintf(text, sizeof text, "diverged in frame %d: cable \"%s\": %s", world->frame, name, what);
    cab_events_note(world, CAB_EVENT_DIVERGED, cable, text);
    return cab_fail(error, CAB_ERROR_DIVERGED, "%s", text);
}

cab_status cab_world_update_measures(cab_world *world, cab_error *error)
{
    cab_measures *e = &world->measures;
    int blocks = world->block_count;
    cab_status status = world->carrier->measure ? world->carrier->measure(world, &blocks, error)
                                                : cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_measure,
                                                                0, blocks, 0, 0, error);
    size_t bytes = (size_t)blocks * sizeof *world->errors;
    if (status == CAB_OK) {
        status = cab_world_fetch(world, CAB_BUFFER_measure, 0, bytes, world->errors, error);
    }
    if (status == CAB_OK) {
        status = cab_contact_measure(world, &e->penetration_max, &e->contacts, error);
    }
    if (status != CAB_OK) return status;
    double sum = 0;
    int worst_particle = -1, worst_distance = 0;
    e->stretch_max = e->speed_max = 0;
    for (int i = 0; i < blocks; i++) {
        const cab_errors *b = &world->errors[i];
        sum += b->stretch_sum;
        if (b->stretch_max > e->stretch_max) {
            e->stretch_max = b->stretch_max;
            worst_distance = b->worst_distance;
        }
        if (b->speed_max > e->speed_max) {
            e->speed_max = b->speed_max;
            worst_particle = b->worst_particle;
        }
    }
    e->stretch_mean = sum / world->model->segment_count;
    if (!isfinite(sum)) e->stretch_max = INFINITY;
    if (world->frame > 0) e->calm = e->speed_max < CALM_SPEED ? e->calm + 1 : 0;
    e->stretch_worst = fmax(e->stretch_worst, e->stretch_max);
    e->penetration_worst = fmax(e->penetration_worst, e->penetration_max);
    if (e->contacts > e->contacts_max) e->contacts_max = e->contacts;
    return check_bounds(world, worst_particle, worst_distance, error);
}

/* Where the energies of a particle belong; of several particles: those of the first one that is free. */
static cab_energy *energy_of(const cab_model *m, const int *part, cab_energy *energy, int a, int b, int c)
{
    if (!part) return energy;
    int owner = a;
    if (owner < 0 || m->held[owner] >= 0) owner = b >= 0 ? b : a;
    if (m->held[owner] >= 0 && c >= 0) owner = c;
    return &energy[part[owner]];
}

/* Adds up the particles' kinetic energy and m g height. */
static void particle_energy(const cab_world *world, const cab_place_speed *p, const int *part,
                            cab_energy *energy)
{
    const cab_model *m = world->model;
    const cab_vec3 g = m->settings.gravity;
    for (int i = 0; i < m->particle_count; i++) {
        cab_energy *e = energy_of(m, part, energy, i, -1, -1);
        double v2 = p[i].v[0] * p[i].v[0] + p[i].v[1] * p[i].v[1] + p[i].v[2] * p[i].v[2];
        if (m->held[i] < 0) e->kinetic += 0.5 * m->mass[i] * v2;
        e->potential -= m->mass[i] * (g.x * p[i].x[0] + g.y * p[i].x[1] + g.z * p[i].x[2]);
    }
}

/* Adds up E = C^2 / (2 alpha); rigid constraints store no energy. */
static void stretching_energy(const cab_world *world, const cab_place_speed *p, const int *part,
                              cab_energy *energy)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    bool projected = cab_method_traits_of(s->method)->rule == CAB_RULE_PROJECTED; /* a share */
    for (int i = 0; i < m->distance_count; i++) {
        const cab_distance_constraint *c = &m->distance[i];
        cab_length_kind kind = i < m->segment_count ? s->length_kind : s->doubles.kind;
        if (projected || !(c->compliance > 0)) continue;
        double l2 = 0;
        for (int k = 0; k < 3; k++) l2 += pow(p[c->b].x[k] - p[c->a].x[k], 2);
        double off = sqrt(l2) - c->rest, h = cab_model_substep_of(m, c->a);
        if ((kind == CAB_LENGTH_AT_MOST && off < 0) || (kind == CAB_LENGTH_AT_LEAST && off > 0)) continue;
        energy_of(m, part, energy, c->a, c->b, -1)->potential += off * off / (2 * c->compliance * h * h);
    }
}

static void bending_energy(const cab_world *world, const cab_place_speed *p, const int *part,
                           cab_energy *energy)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->bending_count; i++) {
        const cab_bending_constraint *c = &m->bending[i];
        if (!(c->compliance > 0) || (c->ga == 0 && c->gc == 0)) continue;
        double d[3], d2 = 0, length2 = 0;
        const float *target = c->target >= 0 ? &m->bending_target[c->target].x : NULL;
        for (int k = 0; k < 3; k++) {
            double a = c->a < 0 ? 0 : p[c->a].x[k] - p[c->b].x[k],
                   b = c->c < 0 ? 0 : p[c->c].x[k] - p[c->b].x[k];
            d[k] = c->ga * a + c->gc * b;
            length2 += d[k] * d[k];
            if (target) d[k] -= target[k];
            d2 += d[k] * d[k];
        }
        double bent = c->rest > 0 ? pow(sqrt(length2) - c->rest, 2) : d2, h = cab_model_substep_of(m, c->b);
        energy_of(m, part, energy, c->b, c->a, c->c)->potential += bent / (2 * c->compliance * h * h);
    }
}

/* Adds up E = |x - target|^2 / (2 alpha) of soft attachments. */
static void soft_energy(const cab_world *world, const cab_place_speed *p, const int *part, cab_energy *energy)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->particle_count; i++) {
        if (m->soft[i] < 0 || cab_model_attachment_def(m, m->soft[i])->part == CAB_PART_CLIP) continue;
        cab_vec3 to = m->attachments[m->soft[i]].place;
        double x = p[i].x[0] - to.x, y = p[i].x[1] - to.y, z = p[i].x[2] - to.z;
        energy_of(m, part, energy, i, -1, -1)->potential +=
            0.5 * cab_model_spring(m, i) * (x * x + y * y + z * z);
    }
}

void cab_world_add_energies(const cab_world *world, const cab_place_speed *motion, const int *part,
                            cab_energy *energy)
{
    particle_energy(world, motion, part, energy);
    stretching_energy(world, motion, part, energy);
    bending_energy(world, motion, part, energy);
    soft_energy(world, motion, part, energy);
}

cab_status cab_world_read_motion(cab_world *world, cab_place_speed **motion, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *x = NULL, *r = NULL, *v = NULL;
    *motion = NULL;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_position, &x, error);
    if (status == CAB_OK) status = cab_world_read_particles(world, CAB_BUFFER_residual, &r, error);
    if (status == CAB_OK) status = cab_world_read_particles(world, CAB_BUFFER_velocity, &v, error);
    if (status == CAB_OK) status = CAB_NEW(*motion, m->particle_count, error);
    for (int i = 0; status == CAB_OK && i < m->particle_count; i++) {
        (*motion)[i] =
            (cab_place_speed){{(double)x[i].x + r[i].x, (double)x[i].y + r[i].y, (double)x[i].z + r[i].z},
                              {v[i].x, v[i].y, v[i].z}};
    }
    CAB_FREE(x, r, v);
    return status;
}

cab_status cab_world_measure(cab_world *world, cab_measures *measures, cab_error *error)
{
    const cab_model *m = world->model;
    cab_place_speed *motion;
    cab_status status = cab_world_read_motion(world, &motion, error);
    if (status == CAB_OK) {
        cab_energy energy = {0};
        cab_world_add_energies(world, motion, NULL, &energy);
        *measures = world->measures;
        measures->asleep = cab_sleep_count(world);
        measures->kinetic = energy.kinetic;
        measures->potential = energy.potential;
        double substeps = (double)world->frame * m->settings.substeps;
        measures->iterations_mean = substeps > 0 ? (double)world->iterated.iterations / substeps : 0;
    }
    free(motion);
    return status;
}

void cab_world_get_times(const cab_world *world, double *seconds)
{
    for (int i = 0; i < CAB_STAGE_COUNT; i++) seconds[i] = world->times[i];
}

cab_cable_info cab_world_get_cable(const cab_world *world, int index)
{
    const cab_model *m = world->model;
    const cab_body *c = &m->bodies[index];
    cab_cable_info info = {.first_node = c->first_node, .node_count = c->node_count};
    cab_model_body_name(m, index, info.name, sizeof info.name);
    info.radius = m->scene->materials[c->material].radius;
    info.length = m->node_arc[c->first_node + c->node_count - 1];
    info.material = c->material;
    return info;
}

static cab_section_info section_info(const cab_model *m, int section, int node)
{
    const cab_section *s = &m->section[section];
    cab_section_info info = {.first_node = node,
                             .node_count = 1,
                             .material = s->material,
                             .radius = s->def.radius,
                             .linear_density = s->def.linear_density,
                             .bending_stiffness = s->def.bending_stiffness,
                             .min_bend_radius = s->def.min_bend_radius,
                             .stretching_stiffness = s->def.stretching_stiffness};
    for (int k = CAB_COVERS - 1; k >= 0; k--) {
        if (!(s->covers >> k & 1)) continue;
        info.material =
            cab_scene_find_material(m->scene, m->scene->cables[s->scene_cable].covers[k].material);
        break;
    }
    return info;
}

int cab_world_get_sections(const cab_world *world, int index, cab_section_info *sections, int capacity)
{
    const cab_model *m = world->model;
    const cab_body *c = &m->bodies[index];
    int count = 0, last = -1;
    for (int i = 0; i < c->segment_count; i++) {
        int section = m->edge[c->first_segment + i].section;
        if (section != last && count++ < capacity)
            sections[count - 1] = section_info(m, section, c->first_node + i);
        if (count <= capacity) sections[count - 1].node_count++;
        last = section;
    }
    return count;
}

cab_sheet_info cab_world_get_sheet(const cab_world *world, int index)
{
    const cab_model *m = world->model;
    const cab_body *b = &m->bodies[m->cable_count + index];
    cab_sheet_info info = {.first_node = b->first_node,
                           .node_count = b->node_count,
                           .first_cell = b->sheet.first_cell,
                           .cell_count = b->sheet.cell_count,
                           .radius = m->scene->materials[b->material].radius};
    cab_model_body_name(m, m->cable_count + index, info.name, sizeof info.name);
    return info;
}

void cab_world_get_cells(const cab_world *world, int *cells)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->cell_count; i++) {
        for (int k = 0; k < 4; k++) cells[4 * (size_t)i + (size_t)k] = m->cell[i].node[k];
    }
}

cab_world_info cab_world_get_info(const cab_world *world)
{
    const cab_model *m = world->model;
    int spare = 0;
    for (int i = 0; i < m->attachment_count; i++) {
        if (m->attachments[i].spare >= 0 && !m->attachments[i].broken) spare++;
    }
    cab_world_info info = {.device = world->backend->info,
                           .way = world->way,
                           .cables = m->cable_count,
                           .sheets = m->body_count - m->cable_count,
                           .cells = m->cell_count,
                           .particles = m->particle_count - spare,
                           .nodes = m->node_count,
                           .segments = m->segment_count,
                           .distance_colours = m->distance_colour_count,
                           .bending_colours = m->bending_colour_count,
                           .own_constraints = m->own_place_count,
                           .own_colours = m->own_colour_count,
                           .frame = world->frame,
                           .time = world->frame / m->settings.frame_rate};
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) {
        bool of_contact = i >= CAB_FIRST_CONTACT_BUFFER;
        if (of_contact)
            info.contact_bytes += world->backend->bytes[i];
        else
            info.device_bytes += world->backend->bytes[i];
    }
    return info;
}
