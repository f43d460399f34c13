/* clcable bench chain: the same chain of rods, held by one end and let go out of the vertical, as particles
 * under Lagrange multipliers and as a cable: error beside time. Nothing rubs or stretches, so every change of
 * length and of energy is an error. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/clcable.h>

#include "base/clock.h"
#include "base/array.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "io/file.h"
#include "model/model.h"
#include "study/particles/compare.h"

enum { RODS = 1000, RODS_LEAST = 16, RODS_MOST = 1000000, FRAMES = 20 };
#define ROD 0.01     /* m */
#define ROD_MASS 1.0 /* kg */
#define ANGLE 0.5    /* rad, out of the vertical */
#define FRAME 0.001  /* s */
#define GRAVITY 9.81 /* m/s^2 */

/* How it is done. */
typedef struct chain_way {
    const char *name;
    bool particles;
    cab_method method; /* a cable */
    int substeps;      /* a frame; 0: as many as particles need */
    cab_particles_solver solver;
    cab_particles_preconditioner preconditioner;
} chain_way;

static const chain_way ways[] = {
    {"particles cg", true, 0, 0, CAB_PARTICLES_CG, 0},
    {"particles pcg", true, 0, 0, CAB_PARTICLES_PCG, CAB_PARTICLES_BLOCK_JACOBI},
    {"particles pcg ic", true, 0, 0, CAB_PARTICLES_PCG, CAB_PARTICLES_CHOLESKY},
    {"direct", false, CAB_METHOD_DIRECT, 1, 0, 0},
    {"direct", false, CAB_METHOD_DIRECT, 10, 0, 0},
    {"direct", false, CAB_METHOD_DIRECT, 100, 0, 0},
    {"xpbd", false, CAB_METHOD_XPBD, 1, 0, 0},
    {"xpbd", false, CAB_METHOD_XPBD, 10, 0, 0},
    {"xpbd", false, CAB_METHOD_XPBD, 100, 0, 0},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct energies {
    double kinetic, potential; /* J */
} energies;

typedef struct chain_row {
    const chain_way *way;
    const char *device;
    int rods, frames; /* frames timed: all but the first */
    int substeps;
    double first;    /* s, the first frame: particles solve from zero, programs are built; when it was cut
                        short, its first substep */
    double frame;    /* s, mean of the others */
    int cold;        /* particles: iterations of the first solve */
    double warm;     /* particles: iterations of a solve after the first frame, mean */
    double residual; /* particles: the worst of all solves, of the right side */
    int capped;      /* particles: solves that the cap of iterations ended */
    double stretch;  /* |l - l0| / l0, the largest at the end */
    double energy;   /* gained (+) or lost (-), of what went from potential to kinetic */
    double fall;     /* of the centre of mass, over what it should be, less 1 */
} chain_row;

typedef struct chain_bench {
    const cab_options *options;
    FILE *talk;
    cab_file *csv; /* NULL: none */
    int frames;
    cab_error error;
} chain_bench;

bool cab_bench_is_chain(const char *word, int *rods)
{
    int found = RODS;
    char rest;
    if (strncmp(word, "chain", 5) != 0 || (word[5] && word[5] != '-')) return false;
    if (word[5] && (sscanf(word + 6, "%7d%c", &found, &rest) != 1 || found < RODS_LEAST || found > RODS_MOST))
        found = 0;
    if (rods) *rods = found;
    return true;
}

/* How far the centre of mass falls in a short time t, m. A straight chain that is let go moves across itself
 * with a = g sin(angle), the tension g cos(angle) (L - s) a mass per length, and from the held end a wave
 * runs down at c, c^2 = g cos(angle) L, behind which it lags by a (t - s/c)^2 / 2. That turns it, which draws
 * the rest up by the integral of the slope's square over 2. Left out: (a t / c)^2, and c t / L once more. */
static double fall_of(double length, double t)
{
    double a = GRAVITY * sin(ANGLE), c = sqrt(GRAVITY * cos(ANGLE) * length);
    double across = 0.5 * a * t * t * (1 - c * t / (3 * length)), along = a * a * t * t * t / (6 * c);
    return across * sin(ANGLE) - along * cos(ANGLE);
}

/* What follows from the energies before and after. */
static void judge(chain_row *row, energies before, energies after)
{
    double kinetic = after.kinetic - before.kinetic, potential = after.potential - before.potential;
    row->energy = (kinetic + potential) / fmax(fabs(kinetic), fabs(potential));
    row->fall =
        -potential / (GRAVITY * ROD_MASS * row->rods) / fall_of(ROD * row->rods, FRAME * (row->frames + 1)) -
        1;
}

/* ---- as particles ---- */

/* A first substep: where the cap of iterations ends its solves, the rest would go on from what is no
 * solution, and take longest of all. */
static cab_status try_particles(chain_bench *b, cab_particles *p, chain_row *row)
{
    cab_particles_report report;
    double start = cab_now();
    cab_status status = cab_particles_step(p, 1, &b->error);
    row->first = cab_now() - start;
    if (!status) status = cab_particles_get_report(p, 0, &report, &b->error);
    if (status) return status;
    row->cold = report.iterations_most;
    row->residual = report.residual_worst;
    row->capped = report.capped;
    return CAB_OK;
}

static cab_status time_particles(chain_bench *b, cab_particles *p, chain_row *row)
{
    cab_particles_report first, last;
    double start = cab_now();
    cab_status status = cab_particles_step(p, row->substeps - 1, &b->error);
    row->first += cab_now() - start;
    if (!status) status = cab_particles_get_report(p, 0, &first, &b->error);
    start = cab_now();
    if (!status) status = cab_particles_step(p, row->frames * row->substeps, &b->error);
    row->frame = (cab_now() - start) / row->frames;
    if (!status) status = cab_particles_get_report(p, 0, &last, &b->error);
    if (status) return status;
    row->warm = (double)(last.iterations - first.iterations) / (last.solves - first.solves);
    row->residual = last.residual_worst;
    row->capped = last.capped;
    return CAB_OK;
}

static cab_status particles_stretch(chain_bench *b, cab_particles *p, chain_row *row)
{
    cab_vec2 *x = NULL;
    cab_status status = CAB_NEW(x, (size_t)row->rods + 1, &b->error);
    if (!status) status = cab_particles_read(p, 0, x, NULL, &b->error);
    row->stretch = 0;
    for (int i = 0; i < row->rods && !status; i++) {
        double length = hypot(x[i + 1].x - x[i].x, x[i + 1].y - x[i].y);
        row->stretch = fmax(row->stretch, fabs(length / ROD - 1));
    }
    free(x);
    return status;
}

static cab_status run_created(chain_bench *b, cab_particles *p, chain_row *row)
{
    cab_particles_report before, after;
    cab_status status = cab_particles_get_report(p, 0, &before, &b->error);
    if (!status) status = try_particles(b, p, row);
    if (status || row->capped) return status;
    status = time_particles(b, p, row);
    if (!status) status = cab_particles_get_report(p, 0, &after, &b->error);
    if (!status && after.stop != CAB_PARTICLES_RUNS)
        status = cab_fail(&b->error, CAB_ERROR_INPUT, "particles: diverged after %d steps", after.steps);
    if (!status) status = particles_stretch(b, p, row);
    if (!status)
        judge(row, (energies){before.kinetic, before.potential}, (energies){after.kinetic, after.potential});
    return status;
}

static cab_status run_particles(chain_bench *b, chain_row *row)
{
    cab_particle_def *particles = NULL;
    cab_particle_constraint_def *constraints = NULL;
    cab_particles *p = NULL;
    int n = row->rods + 1;
    cab_world_def device = cab_bench_def(b->options, row->device);
    cab_status status =
        cab_compare_chain(row->rods, ROD * row->rods, ANGLE, &particles, &constraints, &b->error);
    if (!status) particles[0].mass = particles[row->rods].mass = ROD_MASS / 2;
    cab_particles_def def = {particles, n, NULL, 0, constraints, n, cab_particles_default()};
    def.settings.gravity = (cab_vec2){0, -GRAVITY};
    def.settings.step = FRAME / row->substeps;
    def.settings.integrator = CAB_INTEGRATOR_RK4;
    def.settings.solver = row->way->solver;
    def.settings.preconditioner = row->way->preconditioner;
    if (b->options->iterations) def.settings.iterations = (int)b->options->iterations;
    if (!status) status = cab_particles_create(&def, 1, CAB_PARTICLES_STAGED, &device, &p, &b->error);
    if (!status) status = run_created(b, p, row);
    cab_particles_destroy(p);
    CAB_FREE(particles, constraints);
    return status;
}

/* ---- as a cable ---- */

static cab_status fill_scene(const chain_row *row, cab_scene *scene, cab_error *error)
{
    double length = ROD * row->rods;
    const cab_vec3 path[] = {{0, 0, 0}, {length * sin(ANGLE), 0, -length * cos(ANGLE)}};
    cab_settings *settings = cab_scene_settings(scene);
    settings->gravity = (cab_vec3){0, 0, -GRAVITY};
    settings->frame_rate = 1 / FRAME;
    settings->substeps = row->substeps;
    settings->method = row->way->method;
    settings->contact.cables = settings->contact.self = false;
    cab_material_def material = cab_material_default();
    material.name = "rods";
    material.radius = ROD / 4;
    material.linear_density = ROD_MASS / ROD;
    cab_status status = cab_scene_add_material(scene, &material, error);
    cab_cable_def cable = cab_cable_default();
    cable.name = "chain";
    cable.material = "rods";
    cable.path = path;
    cable.path_count = 2;
    cable.segments = row->rods;
    if (!status) status = cab_scene_add_cable(scene, &cable, error);
    cab_attachment_def hold = cab_attachment_default();
    hold.cable = "chain";
    return status ? status : cab_scene_add_attachment(scene, &hold, error);
}

static cab_status run_world(chain_bench *b, cab_world *world, chain_row *row)
{
    cab_measures before, after;
    cab_status status = cab_world_measure(world, &before, &b->error);
    double start = cab_now();
    if (!status) status = cab_world_step(world, 1, &b->error);
    row->first = cab_now() - start;
    start = cab_now();
    if (!status) status = cab_world_step(world, row->frames, &b->error);
    row->frame = (cab_now() - start) / row->frames;
    if (!status) status = cab_world_measure(world, &after, &b->error);
    if (status) return status;
    row->stretch = after.stretch_max;
    judge(row, (energies){before.kinetic, before.potential}, (energies){after.kinetic, after.potential});
    return CAB_OK;
}

static cab_status run_cable(chain_bench *b, chain_row *row)
{
    cab_world *world = NULL;
    cab_world_def def = cab_bench_def(b->options, row->device);
    cab_scene *scene = cab_scene_create();
    if (!scene) return cab_fail_memory(&b->error, "a scene", 0);
    cab_status status = fill_scene(row, scene, &b->error);
    if (!status) status = cab_world_create(scene, &def, &world, &b->error);
    if (!status) status = run_world(b, world, row);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return status;
}

/* ---- the table ---- */

static bool was_cut_short(const chain_row *row)
{
    return row->capped && row->frame == 0;
}

static void print_row(FILE *out, const chain_row *row)
{
    char frame[16] = "-", cold[16] = "-", warm[16] = "-", residual[16] = "-";
    if (!was_cut_short(row)) snprintf(frame, sizeof frame, "%.4g", 1e3 * row->frame);
    if (row->way->particles) snprintf(cold, sizeof cold, "%d", row->cold);
    if (row->way->particles) snprintf(residual, sizeof residual, "%.1e", row->residual);
    if (row->way->particles && !was_cut_short(row)) snprintf(warm, sizeof warm, "%.1f", row->warm);
    fprintf(out, "%-16s %-10s %8d %10.3g %10s %8s %8s %9s", row->way->name, row->device, row->substeps,
            row->first, frame, cold, warm, residual);
    if (was_cut_short(row))
        fprintf(out, "  ended after the first substep: its solves were at the cap of iterations\n");
    else
        fprintf(out, " %11.3g %10.3g %9.4f\n", 100 * row->stretch, 100 * row->energy, 100 * row->fall);
    fflush(out);
}

static void print_head(const chain_bench *b, int rods)
{
    if (!b->talk) return;
    fprintf(b->talk, "\n%d rods of %g mm, %g rad out of the vertical; frames of %g ms, %d after the first\n",
            rods, 1e3 * ROD, ANGLE, 1e3 * FRAME, b->frames);
    fprintf(b->talk, "%-16s %-10s %8s %10s %10s %8s %8s %9s %11s %10s %9s\n", "way", "device", "substeps",
            "first s", "frame ms", "cold it", "warm it", "residual", "stretch %", "energy %", "fall %");
}

static void write_number(const chain_bench *b, bool has, double value)
{
    if (has) cab_file_print(b->csv, ",%.6g", value);
    if (!has) cab_file_print(b->csv, ",");
}

/* What a row does not have is empty. */
static void write_row(const chain_bench *b, const chain_row *row)
{
    bool whole = !was_cut_short(row), particles = row->way->particles;
    if (!b->csv) return;
    cab_file_print(b->csv, "%d,%s,%s,%d,%d", row->rods, row->way->name, row->device, row->substeps,
                   whole ? row->frames : 0);
    write_number(b, true, row->first);
    write_number(b, whole, row->frame);
    write_number(b, particles, row->cold);
    write_number(b, particles && whole, row->warm);
    write_number(b, whole, row->stretch);
    write_number(b, whole, row->energy);
    write_number(b, whole, row->fall);
    write_number(b, particles, row->residual);
    write_number(b, particles, row->capped);
    cab_file_print(b->csv, "\n");
}

static cab_status run_size(chain_bench *b, const char *device, int rods)
{
    cab_status status = CAB_OK;
    print_head(b, rods);
    for (int i = 0; i < WAYS && !status; i++) {
        chain_row row = {.way = &ways[i], .device = device, .rods = rods, .frames = b->frames};
        /* So that no wave in the chain is faster than explicit integration bears: h omega <= 2 of RK4's 2.8,
         * with omega^2 = 4 T / (m l) of the shortest wave where the tension T is the weight of all rods. */
        row.substeps = ways[i].substeps ? ways[i].substeps : (int)ceil(FRAME * sqrt(GRAVITY * rods / ROD));
        status = row.way->particles ? run_particles(b, &row) : run_cable(b, &row);
        if (status) break;
        if (b->talk) print_row(b->talk, &row);
        write_row(b, &row);
    }
    return status;
}

static cab_status run_all(chain_bench *b)
{
    const cab_word_list *devices = &b->options->devices, *sizes = &b->options->arguments;
    cab_status status = CAB_OK;
    for (int i = 0; i < sizes->count; i++) {
        int rods = 0;
        cab_bench_is_chain(sizes->word[i], &rods);
        if (!devices->count) status = run_size(b, "native", rods);
        for (int d = 0; d < devices->count && !status; d++) status = run_size(b, devices->word[d], rods);
        if (status) break;
    }
    return status;
}

static cab_status run_and_write(chain_bench *b)
{
    cab_file file;
    if (!b->options->csv_file) return run_all(b);
    cab_status status = cab_file_open(&file, b->options->csv_file, &b->error);
    if (status) return status;
    b->csv = &file;
    cab_file_print(&file, "rods,way,device,substeps,frames,first_s,frame_s,iterations_cold,iterations_warm,"
                          "stretch_max,energy,fall,residual,capped\n");
    status = run_all(b);
    if (!status) status = cab_file_finish(&file, &b->error);
    if (!status) status = cab_file_rename(&file, &b->error);
    cab_file_close(&file);
    return status;
}

static bool check_options(const cab_options *o)
{
    const char *wrong = o->methods.count  ? "--method"
                        : o->scales.count ? "--scale"
                        : o->shootout     ? "--shootout"
                        : o->limits       ? "--limits"
                        : o->json         ? "--json"
                        : o->repeat > 1   ? "--repeat"
                        : o->duration > 0 ? "--duration"
                        : o->substeps     ? "--substeps"
                                          : NULL;
    if (wrong) cab_cli_error("bench chain: %s has no meaning here", wrong);
    for (int i = 0; i < o->arguments.count && !wrong; i++) {
        int rods = 0;
        if (cab_bench_is_chain(o->arguments.word[i], &rods) && rods) continue;
        wrong = o->arguments.word[i];
        cab_cli_error("bench chain: expected chain-%d to chain-%d, got '%s'", RODS_LEAST, RODS_MOST, wrong);
    }
    return !wrong;
}

int cab_bench_chain(const cab_options *options)
{
    chain_bench b = {.options = options, .frames = options->frames ? (int)options->frames : FRAMES};
    if (!check_options(options)) return CAB_EXIT_USAGE;
    b.talk = options->quiet ? NULL : stdout;
    cab_status status = run_and_write(&b);
    if (status) cab_cli_error("bench chain: %s", b.error.message);
    return cab_cli_exit_code(status);
}
