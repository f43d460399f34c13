/* What is told and written of particles: lines for people, the report, the outputs. */
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "study/particles/study.h"

typedef cab_particles_study_state state;

cab_status cab_p_check(cab_study *study, char text[CAB_STUDY_TEXT], cab_error *error)
{
    const state *s = (const state *)study;
    const cab_particles_def *system = &s->scene.system;
    const cab_particles_facts *facts = &s->scene.facts;
    char rank[32] = "";
    (void)error;
    if (facts->rank >= 0) snprintf(rank, sizeof rank, ", rank %d", facts->rank);
    snprintf(text, CAB_STUDY_TEXT,
             "%d particles, %d forces, %d constraints of %d rows%s, %d frames of %d steps",
             system->particle_count, system->force_count, system->constraint_count, facts->rows, rank,
             study->frames, s->scene.steps);
    return CAB_OK;
}

bool cab_p_line(cab_study *study, int index, char text[CAB_STUDY_LINE])
{
    const state *s = (const state *)study;
    cab_particles_report r;
    cab_error error;
    if (index > 3 || cab_particles_get_report(s->particles, 0, &r, &error)) return false;
    if (index == 0) snprintf(text, CAB_STUDY_LINE, "%d particles, %d rows", s->system.particle_count, r.rows);
    if (index == 1) snprintf(text, CAB_STUDY_LINE, "energy %.4g J", r.kinetic + r.potential);
    if (index == 2) snprintf(text, CAB_STUDY_LINE, "off by %.2g m, at worst %.2g m", r.off, r.off_worst);
    if (index == 3)
        snprintf(text, CAB_STUDY_LINE, "%.1f iterations a solve, %d by least squares",
                 r.solves ? (double)r.iterations / r.solves : 0, r.least_squares);
    return true;
}

/* Of the constraints, then of what the cap of iterations did. */
bool cab_p_warning(const cab_study *study, int index, char text[CAB_STUDY_TEXT])
{
    const state *s = (const state *)study;
    const cab_particles_facts *facts = &s->scene.facts;
    const cab_particles_report *r = &s->report;
    int at = 0;
    if (facts->rank >= 0 && facts->rank < facts->rows && at++ == index)
        snprintf(text, CAB_STUDY_TEXT, "%d of %d rows of the constraints depend on the others",
                 facts->rows - facts->rank, facts->rows);
    if (facts->contradiction > 1e-6 && at++ == index)
        snprintf(text, CAB_STUDY_TEXT,
                 "constraints contradict each other: a share of %.2g of what they ask for cannot be met",
                 facts->contradiction);
    if (r->capped && at++ == index)
        snprintf(text, CAB_STUDY_TEXT,
                 "%d of %d solves ended at the cap of %d iterations, with up to %.2g of the right side left",
                 r->capped, r->solves, s->system.settings.iterations, r->residual_worst);
    return index < at;
}

void cab_p_summary(const cab_study *study, char text[CAB_STUDY_TEXT])
{
    const state *s = (const state *)study;
    const cab_particles_report *r = &s->report;
    const cab_particles_settings *set = &s->system.settings;
    char least[64] = "", left[64] = "";
    if (r->least_squares)
        snprintf(least, sizeof least, ", %d of %d by least squares", r->least_squares, r->solves);
    if (r->inconsistent) snprintf(left, sizeof left, ", %d not within the tolerance", r->inconsistent);
    snprintf(text, CAB_STUDY_TEXT,
             "%d particles, %d rows, %d steps of %g s by %s in %.3g s; off by %.2g m at worst; %.1f "
             "iterations a solve%s%s",
             s->system.particle_count, r->rows, r->steps, set->step, cab_integrator_name(set->integrator),
             study->wall_step, r->off_worst, r->solves ? (double)r->iterations / r->solves : 0, least, left);
}

static const char *outcome(const state *s)
{
    if (s->report.stop == CAB_PARTICLES_DIVERGED) return "diverged";
    if (s->report.stop == CAB_PARTICLES_OFF_LIMIT) return "off_limit";
    return s->base.frame < s->base.frames ? "interrupted" : "ok";
}

static json_t *preconditioner_of(const cab_particles_settings *s)
{
    if (s->solver != CAB_PARTICLES_PCG) return json_null();
    return json_string(cab_particles_preconditioner_name(s->preconditioner));
}

json_t *cab_p_report_json(const cab_study *study)
{
    const state *s = (const state *)study;
    const cab_particles_report *r = &s->report;
    const cab_particles_settings *set = &s->system.settings;
    return json_pack(
        "{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:f,s:{s:f,s:f},s:{s:f,s:f},s:{s:f,s:f},"
        "s:{s:i,s:i,s:i,s:f,s:i,s:i,s:i},s:s,s:o}",
        "clcable", cab_version(), "scene", study->path, "integrator", cab_integrator_name(set->integrator),
        "solver", cab_particles_solver_name(set->solver), "particles", s->system.particle_count, "rows",
        r->rows, "rank", s->scene.facts.rank, "frames", study->frame, "steps", r->steps, "simulated_s",
        r->time, "wall_s", "setup", study->wall_setup, "step", study->wall_step, "energy", "kinetic",
        r->kinetic, "potential", r->potential, "off", "last", r->off, "worst_over_run", r->off_worst,
        "solves", "count", r->solves, "iterations", r->iterations, "iterations_most", r->iterations_most,
        "residual_worst", r->residual_worst, "least_squares", r->least_squares, "inconsistent",
        r->inconsistent, "capped", r->capped, "status", outcome(s), "preconditioner", preconditioner_of(set));
}

void cab_p_write_csv(const cab_study *study, cab_file *file)
{
    const state *s = (const state *)study;
    cab_file_print(file, "particle,x,y,vx,vy\n");
    for (int i = 0; i < s->system.particle_count; i++)
        cab_file_print(file, "%d,%.9g,%.9g,%.9g,%.9g\n", i, s->x[i].x + 0, s->x[i].y + 0, s->v[i].x + 0,
                       s->v[i].y + 0); /* adding 0 makes -0 a plain 0 */
}

/* ---- points and lines ---- */

static bool is_rod(const cab_particle_constraint_def *c)
{
    return c->kind == CAB_PARTICLE_ROD || c->kind == CAB_PARTICLE_ROD_SQUARED;
}

static int count_links(const cab_particles_def *system)
{
    int count = 0;
    for (int i = 0; i < system->constraint_count; i++) count += is_rod(&system->constraints[i]);
    for (int i = 0; i < system->force_count; i++) count += system->forces[i].kind == CAB_PARTICLE_SPRING;
    return count;
}

/* What a cell is. */
enum { PARTICLE, ROD, SPRING };

static void put_link(cab_polydata_cells *lines, int at, const int particles[2])
{
    lines->corner[2 * at] = particles[0];
    lines->corner[2 * at + 1] = particles[1];
    lines->end[at] = 2 * at + 2;
}

static void put_cells(const state *s, cab_polydata *data, int *kind)
{
    const cab_particles_def *system = &s->system;
    int n = system->particle_count, link = 0;
    for (int i = 0; i < n; i++) {
        data->dots.corner[i] = i;
        data->dots.end[i] = i + 1;
        kind[i] = PARTICLE;
    }
    for (int i = 0; i < system->constraint_count; i++) {
        if (!is_rod(&system->constraints[i])) continue;
        kind[n + link] = ROD;
        put_link(&data->lines, link++, system->constraints[i].particles);
    }
    for (int i = 0; i < system->force_count; i++) {
        if (system->forces[i].kind != CAB_PARTICLE_SPRING) continue;
        kind[n + link] = SPRING;
        put_link(&data->lines, link++, system->forces[i].particles);
    }
}

/* A dot a particle, a line a rod and a spring. */
cab_status cab_p_fill(const cab_study *study, cab_polydata *data, cab_error *error)
{
    const state *s = (const state *)study;
    int n = s->system.particle_count, links = count_links(&s->system);
    double *position = cab_polydata_allocate(data, 3 * (size_t)n, sizeof *position, error);
    double *velocity = position ? cab_polydata_allocate(data, 3 * (size_t)n, sizeof *velocity, error) : NULL;
    double *mass = velocity ? cab_polydata_allocate(data, (size_t)n, sizeof *mass, error) : NULL;
    int *kind = mass ? cab_polydata_allocate(data, (size_t)(n + links), sizeof *kind, error) : NULL;
    cab_status status = kind ? CAB_OK : CAB_ERROR_MEMORY;
    if (!status) status = cab_polydata_make_cells(data, &data->dots, n, n, error);
    if (!status) status = cab_polydata_make_cells(data, &data->lines, links, 2 * links, error);
    if (status) return status;
    for (int i = 0; i < n; i++) {
        position[3 * i] = s->x[i].x;
        position[3 * i + 1] = s->x[i].y;
        velocity[3 * i] = s->v[i].x;
        velocity[3 * i + 1] = s->v[i].y;
        mass[i] = s->system.particles[i].mass;
    }
    put_cells(s, data, kind);
    data->points = n;
    data->position = position;
    data->vectors = "velocity";
    data->point_arrays[0] = (cab_polydata_array){"velocity", 3, .doubles = velocity};
    data->point_arrays[1] = (cab_polydata_array){"mass", 1, .doubles = mass};
    data->cell_arrays[0] = (cab_polydata_array){"kind", 1, .ints = kind};
    return CAB_OK;
}

/* ---- arrays ---- */

#define ARRAY(title, pointer, counter)                                                                       \
    .name = title, .list = offsetof(state, pointer), .count = offsetof(state, counter),                      \
    .stride = sizeof *((state *)0)->pointer
#define FORCES(title, of_member)                                                                             \
    ARRAY(title, system.forces, system.force_count), .member = offsetof(cab_particle_force_def, of_member),  \
                                                     .type = "i4", .once = true
#define CONSTRAINTS(title, of_member)                                                                        \
    ARRAY(title, system.constraints, system.constraint_count),                                               \
        .member = offsetof(cab_particle_constraint_def, of_member), .type = "i4", .once = true

const cab_study_array cab_p_arrays[] = {
    {ARRAY("positions", x, system.particle_count), .type = "f8", .width = 2},
    {ARRAY("velocities", v, system.particle_count), .type = "f8", .width = 2},
    {ARRAY("masses", system.particles, system.particle_count), .member = offsetof(cab_particle_def, mass),
     .type = "f8", .once = true},
    {CONSTRAINTS("constraint_kinds", kind)},
    {CONSTRAINTS("constraint_particles", particles), .width = 2},
    {FORCES("force_kinds", kind)},
    {FORCES("force_particles", particles), .width = 3},
    {.name = NULL},
};
