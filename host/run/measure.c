/* Measures of a world: rows per node, errors, energies. */
#include "run/measure.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/error.h"
#include "contact/contact.h"
#include "judge/judge.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/energy.h"
#include "world/events.h"
#include "world/sleep.h"

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

static cab_status read_tension(cab_world *world, double *tension, cab_error *error)
{
    const cab_model *m = world->model;
    float *lambda;
    size_t n = (size_t)m->segment_count;
    cab_status status = CAB_NEW(lambda, n, error);
    if (status == CAB_OK) {
        status = cab_world_fetch(world, CAB_BUFFER_distance_lambda, 0, n * sizeof *lambda, lambda, error);
    }
    for (int i = 0; status == CAB_OK && i < m->node_count; i++) tension[i] = cab_tension_at(m, i, lambda);
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

cab_status cab_world_update_measures(cab_world *world, cab_error *error)
{
    cab_measures *e = &world->measures;
    int blocks = world->block_count;
    cab_status status = world->carrier->measure
                            ? world->carrier->measure(world, world->errors, &blocks, error)
                            : cab_world_measure_blocks(world, world->errors, blocks, error);
    if (status == CAB_OK) {
        status = cab_contact_measure(world, &e->penetration_max, &e->contacts, error);
    }
    if (status != CAB_OK) return status;
    double sum = 0;
    int worst_particle = -1, worst_distance = -1;
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
    return cab_judge_frame(world, worst_particle, worst_distance, error);
}

cab_status cab_world_measure(cab_world *world, cab_measures *measures, cab_error *error)
{
    const cab_model *m = world->model;
    cab_place_speed *motion;
    float *lambda = NULL;
    cab_status status = cab_world_read_motion(world, &motion, error);
    if (status == CAB_OK) status = cab_world_read_multipliers(world, &lambda, error);
    if (status == CAB_OK) {
        cab_energy energy = {0};
        cab_world_add_energies(world, motion, lambda, NULL, &energy);
        *measures = world->measures;
        measures->asleep = cab_sleep_count(world);
        measures->kinetic = energy.kinetic;
        measures->potential = energy.potential;
        if (!world->failed) cab_judge_energy(world, motion, &energy);
        double substeps = (double)world->frame * m->settings.substeps;
        measures->iterations_mean = substeps > 0 ? (double)world->iterated.iterations / substeps : 0;
    }
    CAB_FREE(motion, lambda);
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

void cab_world_get_arcs(const cab_world *world, double *arc)
{
    const cab_model *m = world->model;
    int nodes = m->cable_count > 0
                    ? m->bodies[m->cable_count - 1].first_node + m->bodies[m->cable_count - 1].node_count
                    : 0;
    for (int i = 0; i < m->node_count; i++) arc[i] = i < nodes ? m->node_arc[i] : 0;
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
                           .time = world->frame / m->settings.frame_rate,
                           .forces = world->forces.at_rest || (world->def.forces && world->forces.mean),
                           .twists = m->has_twist};
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) {
        bool of_contact = i >= CAB_FIRST_CONTACT_BUFFER;
        if (of_contact)
            info.contact_bytes += world->backend->bytes[i];
        else
            info.device_bytes += world->backend->bytes[i];
    }
    return info;
}
