#include "cli/particles.h"

#include <math.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "io/file.h"
#include "study/particles/scene.h"

typedef struct particle_run {
    const cab_options *options;
    const char *path;
    cab_particles_scene scene;
    cab_particles *particles;
    cab_particles_facts facts;
    cab_particles_report report;
    cab_vec2 *x, *v;
    int frames, done;
    double wall_setup, wall_step;
    cab_error error;
} particle_run;

/* What means nothing here is an error, as everywhere. */
static bool check_options(const cab_options *o)
{
    const char *wrong = o->method       ? "--method"
                        : o->iterations ? "--iterations"
                        : o->settle     ? "--settle"
                        : o->checkpoint ? "--checkpoint"
                        : o->resume     ? "--resume"
                                        : NULL;
    if (wrong) cab_cli_error("particles: %s is for cables; see docs/methods/particles.md", wrong);
    for (int i = 0; !wrong && i < o->outputs.count; i++) {
        const char *name = o->outputs.word[i];
        size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, ".csv") == 0) continue;
        cab_cli_error("%s: particles are written as .csv", name);
        return false;
    }
    return !wrong;
}

static int load(particle_run *run)
{
    const cab_options *o = run->options;
    cab_particles_scene *s = &run->scene;
    if (!check_options(o)) return CAB_EXIT_USAGE;
    if (cab_particles_scene_load(run->path, o->overrides.word, o->overrides.count, s, &run->error) !=
        CAB_OK) {
        cab_cli_error("%s", run->error.message);
        return run->error.status == CAB_ERROR_MEMORY ? CAB_EXIT_FAILED : CAB_EXIT_USAGE;
    }
    if (o->substeps) s->steps = (int)o->substeps;
    if (o->duration > 0) s->duration = o->duration;
    if (o->frames) s->duration = (double)o->frames / s->frame_rate;
    s->system.settings.step = 1 / (s->frame_rate * s->steps);
    run->frames = cab_particles_scene_frames(s);
    return CAB_EXIT_DONE;
}

static void warn(const particle_run *run)
{
    char text[200];
    if (run->options->quiet) return;
    if (run->facts.rank >= 0 && run->facts.rank < run->facts.rows) {
        snprintf(text, sizeof text, "%d of %d rows of the constraints depend on the others",
                 run->facts.rows - run->facts.rank, run->facts.rows);
        cab_cli_warning(text);
    }
    if (run->facts.contradiction > 1e-6) {
        snprintf(text, sizeof text,
                 "constraints contradict each other: a share of %.2g of what they ask for cannot be met",
                 run->facts.contradiction);
        cab_cli_warning(text);
    }
}

int cab_check_particles(const char *path, const cab_options *options)
{
    particle_run run = {.options = options, .path = path};
    int code = load(&run);
    if (code != CAB_EXIT_DONE) return code;
    const cab_particles_def *s = &run.scene.system;
    cab_status status = cab_particles_examine(s, &run.facts, &run.error);
    if (status != CAB_OK) cab_cli_error("%s", run.error.message);
    if (status == CAB_OK) warn(&run);
    if (status == CAB_OK && !options->quiet) {
        printf("%s: ok: %d particles, %d forces, %d constraints of %d rows", path, s->particle_count,
               s->force_count, s->constraint_count, run.facts.rows);
        if (run.facts.rank >= 0) printf(", rank %d", run.facts.rank);
        printf(", %d frames of %d steps\n", run.frames, run.scene.steps);
    }
    cab_particles_scene_free(&run.scene);
    return cab_cli_exit_code(status);
}

/* Hands that grab or let go at this frame. */
static cab_status move_hands(particle_run *run)
{
    const cab_particles_scene *s = &run->scene;
    double time = run->done / s->frame_rate, before = (run->done - 1) / s->frame_rate,
           half = 0.5 / s->frame_rate;
    cab_status status = CAB_OK;
    for (int i = 0; i < s->hand_count && status == CAB_OK; i++) {
        const cab_particle_hand *h = &s->hands[i];
        bool holds = time > h->from - half && time < h->until - half;
        bool held = run->done > 0 && before > h->from - half && before < h->until - half;
        if (holds && !held)
            status = cab_particles_pull(run->particles, 0, i, h->particle, h->point, h->stiffness, h->damping,
                                        &run->error);
        if (held && !holds) status = cab_particles_let_go(run->particles, 0, i, &run->error);
    }
    return status;
}

static cab_status step_all(particle_run *run)
{
    cab_progress progress = cab_progress_begin(!run->options->quiet, run->frames, run->scene.frame_rate);
    double start = cab_now();
    cab_status status = CAB_OK;
    for (; run->done < run->frames && status == CAB_OK && !cab_interrupted(); run->done++) {
        status = move_hands(run);
        if (status == CAB_OK) status = cab_particles_step(run->particles, run->scene.steps, &run->error);
        cab_progress_show(&progress, run->done + 1);
    }
    cab_progress_clear(&progress);
    run->wall_step = cab_now() - start;
    if (status == CAB_OK) status = cab_particles_get_report(run->particles, 0, &run->report, &run->error);
    if (status == CAB_OK) status = cab_particles_read(run->particles, 0, run->x, run->v, &run->error);
    return status;
}

static cab_status set_up(particle_run *run)
{
    const cab_options *o = run->options;
    cab_world_def device = cab_world_default();
    size_t n = (size_t)run->scene.system.particle_count + 1;
    double start = cab_now();
    device.device = o->devices.count ? o->devices.word[o->devices.count - 1] : NULL;
    device.threads = (int)o->threads;
    device.kernel_dir = o->kernels;
    run->x = calloc(n, sizeof *run->x);
    run->v = calloc(n, sizeof *run->v);
    if (!run->x || !run->v) return cab_fail_memory(&run->error, "particles", n * sizeof *run->x);
    cab_status status = cab_particles_examine(&run->scene.system, &run->facts, &run->error);
    if (status == CAB_OK) warn(run);
    if (status == CAB_OK)
        status = cab_particles_create(&run->scene.system, 1, run->scene.way, &device, &run->particles,
                                      &run->error);
    run->wall_setup = cab_now() - start;
    return status;
}

typedef void write_content(cab_file *file, const particle_run *run);

static void write_rows(cab_file *file, const particle_run *run)
{
    cab_file_print(file, "particle,x,y,vx,vy\n");
    for (int i = 0; i < run->scene.system.particle_count; i++)
        cab_file_print(file, "%d,%.9g,%.9g,%.9g,%.9g\n", i, run->x[i].x + 0, run->x[i].y + 0, run->v[i].x + 0,
                       run->v[i].y + 0); /* adding 0 makes -0 a plain 0 */
}

static const char *outcome(const particle_run *run)
{
    if (run->report.stop == CAB_PARTICLES_DIVERGED) return "diverged";
    if (run->report.stop == CAB_PARTICLES_OFF_LIMIT) return "off_limit";
    return run->done < run->frames ? "interrupted" : "ok";
}

static json_t *preconditioner_of(const cab_particles_settings *s)
{
    if (s->solver != CAB_PARTICLES_PCG) return json_null();
    return json_string(cab_particles_preconditioner_name(s->preconditioner));
}

static void write_json(cab_file *file, const particle_run *run)
{
    const cab_particles_report *r = &run->report;
    const cab_particles_settings *s = &run->scene.system.settings;
    json_t *root = json_pack(
        "{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:f,s:{s:f,s:f},s:{s:f,s:f},s:{s:f,s:f},"
        "s:{s:i,s:i,s:i,s:f,s:i,s:i,s:i},s:s,s:o}",
        "clcable", cab_version(), "scene", run->path, "integrator", cab_integrator_name(s->integrator),
        "solver", cab_particles_solver_name(s->solver), "particles", run->scene.system.particle_count, "rows",
        r->rows, "rank", run->facts.rank, "frames", run->done, "steps", r->steps, "simulated_s", r->time,
        "wall_s", "setup", run->wall_setup, "step", run->wall_step, "energy", "kinetic", r->kinetic,
        "potential", r->potential, "off", "last", r->off, "worst_over_run", r->off_worst, "solves", "count",
        r->solves, "iterations", r->iterations, "iterations_most", r->iterations_most, "residual_worst",
        r->residual_worst, "least_squares", r->least_squares, "inconsistent", r->inconsistent, "capped",
        r->capped, "status", outcome(run), "preconditioner", preconditioner_of(s));
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    cab_file_print(file, "%s\n", text ? text : "{}");
    free(text);
    json_decref(root);
}

static cab_status write_file(particle_run *run, const char *path, write_content *content)
{
    cab_file file;
    cab_status status = cab_file_open(&file, path, &run->error);
    if (status != CAB_OK) return status;
    content(&file, run);
    status = cab_file_finish(&file, &run->error);
    if (status == CAB_OK) status = cab_file_rename(&file, &run->error);
    cab_file_close(&file);
    return status;
}

static cab_status write_all(particle_run *run)
{
    const cab_options *o = run->options;
    cab_status status = CAB_OK;
    for (int i = 0; i < o->outputs.count && status == CAB_OK; i++)
        status = write_file(run, o->outputs.word[i], write_rows);
    if (status == CAB_OK && o->report) status = write_file(run, o->report, write_json);
    return status;
}

static void print_summary(const particle_run *run)
{
    const cab_particles_report *r = &run->report;
    printf("%s: %d particles, %d rows, %d steps of %g s by %s in %.3g s; off by %.2g m at worst; %.1f "
           "iterations a solve",
           run->path, run->scene.system.particle_count, r->rows, r->steps, run->scene.system.settings.step,
           cab_integrator_name(run->scene.system.settings.integrator), run->wall_step, r->off_worst,
           r->solves ? (double)r->iterations / r->solves : 0);
    if (r->least_squares) printf(", %d of %d by least squares", r->least_squares, r->solves);
    if (r->inconsistent) printf(", %d not within the tolerance", r->inconsistent);
    printf("\n");
}

/* What the cap of iterations did. */
static void warn_of_cap(const particle_run *run)
{
    const cab_particles_report *r = &run->report;
    char text[200];
    if (run->options->quiet || !r->capped) return;
    snprintf(text, sizeof text,
             "%d of %d solves ended at the cap of %d iterations, with up to %.2g of the right side left",
             r->capped, r->solves, run->scene.system.settings.iterations, r->residual_worst);
    cab_cli_warning(text);
}

static int finish(particle_run *run)
{
    const cab_particles_report *r = &run->report;
    if (write_all(run) != CAB_OK) {
        cab_cli_error("%s", run->error.message);
        return CAB_EXIT_FAILED;
    }
    if (!run->options->quiet) print_summary(run);
    warn_of_cap(run);
    if (r->stop == CAB_PARTICLES_DIVERGED)
        cab_cli_error("%s: diverged after %d steps, %g s", run->path, r->steps, r->time);
    if (r->stop == CAB_PARTICLES_OFF_LIMIT)
        cab_cli_error("%s: a constraint was off by %g m after %d steps, %g s", run->path, r->off_worst,
                      r->steps, r->time);
    if (r->stop != CAB_PARTICLES_RUNS) return CAB_EXIT_FAILED;
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : cab_cli_finish(CAB_EXIT_DONE);
}

int cab_run_particles(const char *path, const cab_options *options)
{
    particle_run run = {.options = options, .path = path};
    int code = load(&run);
    if (code != CAB_EXIT_DONE) return code;
    cab_status status = set_up(&run);
    if (status == CAB_OK) status = step_all(&run);
    if (status != CAB_OK) cab_cli_error("%s", run.error.message);
    code = status == CAB_OK ? finish(&run) : cab_cli_exit_code(status);
    cab_particles_destroy(run.particles);
    cab_particles_scene_free(&run.scene);
    free(run.x);
    free(run.v);
    return code;
}
