/* clcable study particles: the experiments of "Simulation in CG" (T. Hurks, J. Aben, 2016) on particles under
 * Lagrange multipliers, and what integrators and solvers do. */
#include <jansson.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/study_commands.h"
#include "study/particles/compare.h"
#include "study/particles/scores.h"

enum { KINDS = 9, SCENE_KINDS = 3, SOLVER_ROWS = 2 * KINDS + CAB_COMPARE_SCENES * SCENE_KINDS };
enum { N = CAB_INTEGRATOR_COUNT };

typedef struct particle_study {
    cab_pendulum_setup pendulum, damped;
    cab_ellipse_setup ellipse;
    cab_circle_setup circle;
    cab_integrator_score scores[N];
    cab_solver_row solvers[SOLVER_ROWS];
} particle_study;

/* All kinds of solvers with chains of 10 and 100 rods; those that pay with 1,000 rods of each scene. */
static void list_solvers(cab_solver_row *rows)
{
    static const cab_solver_row kinds[KINDS] = {
        {.solver = CAB_PARTICLES_CG, .block = 1},
        {.solver = CAB_PARTICLES_CG, .block = 1, .cold = true},
        {.solver = CAB_PARTICLES_PCG, .block = 1},
        {.solver = CAB_PARTICLES_PCG, .block = 8},
        {.solver = CAB_PARTICLES_PCG, .block = 8, .cold = true},
        {.solver = CAB_PARTICLES_PCG, .preconditioner = CAB_PARTICLES_CHOLESKY, .block = 1},
        {.solver = CAB_PARTICLES_PCG, .preconditioner = CAB_PARTICLES_CHOLESKY, .block = 1, .cold = true},
        {.solver = CAB_PARTICLES_JACOBI, .block = 1, .cold = true},
        {.solver = CAB_PARTICLES_LEAST_SQUARES, .block = 1, .cold = true}};
    static const int of_scenes[SCENE_KINDS] = {0, 3, 5};
    for (int i = 0; i < SOLVER_ROWS; i++) {
        int j = i - 2 * KINDS;
        rows[i] = kinds[j < 0 ? i % KINDS : of_scenes[j % SCENE_KINDS]];
        rows[i].scene = j < 0 ? CAB_COMPARE_CHAIN : (cab_compare_scene)(j / SCENE_KINDS);
        rows[i].rods = i < KINDS ? 10 : j < 0 ? 100 : 1000;
        rows[i].tolerance = 1e-3;
    }
}

/* The largest steps of pendulums: by both gains, and with rods of the other form. */
static cab_status run_pendulums(particle_study *s, const cab_world_def *device, cab_error *error)
{
    cab_pendulum_setup squared = s->pendulum;
    squared.squared = true;
    const cab_pendulum_setup *setups[] = {&s->pendulum, &squared, &s->damped};
    cab_status status = CAB_OK;
    for (int k = 0; k < 3 && status == CAB_OK && !cab_interrupted(); k++) {
        double steps[N];
        status = cab_score_pendulum(setups[k], device, steps, error);
        for (int i = 0; i < N && status == CAB_OK; i++) {
            cab_integrator_score *score = &s->scores[i];
            *(k == 0 ? &score->step : k == 1 ? &score->step_squared : &score->step_damped) = steps[i];
        }
    }
    return status;
}

/* By both forms. */
static cab_status run_circles(particle_study *s, const cab_world_def *device, cab_error *error)
{
    cab_circle_setup squared = s->circle;
    double steps[N], steps_squared[N];
    squared.squared = true;
    cab_status status = cab_score_circle(&s->circle, device, steps, error);
    if (status == CAB_OK) status = cab_score_circle(&squared, device, steps_squared, error);
    for (int i = 0; i < N && status == CAB_OK; i++) {
        s->scores[i].circle = steps[i];
        s->scores[i].circle_squared = steps_squared[i];
    }
    return status;
}

static cab_status run_all(particle_study *s, const cab_world_def *device, cab_error *error)
{
    s->pendulum = cab_pendulum_default();
    s->damped = cab_pendulum_damped();
    s->ellipse = cab_ellipse_default();
    s->circle = cab_circle_default();
    list_solvers(s->solvers);
    cab_status status = run_pendulums(s, device, error);
    if (status == CAB_OK && !cab_interrupted())
        status = cab_score_ellipse(&s->ellipse, device, s->scores, error);
    if (status == CAB_OK && !cab_interrupted()) status = run_circles(s, device, error);
    if (status == CAB_OK && !cab_interrupted()) status = cab_compare_orders(device, s->scores, error);
    for (int i = 0; i < SOLVER_ROWS && status == CAB_OK && !cab_interrupted(); i++)
        status = cab_compare_solver(device, &s->solvers[i], error);
    return status;
}

static void print_paper(double value)
{
    if (value > 0)
        printf(" %8g", value);
    else
        printf(" %8s", "-");
}

static void print_scores(const particle_study *s)
{
    const cab_pendulum_setup *p = &s->pendulum;
    const cab_ellipse_setup *e = &s->ellipse;
    printf("pendulum: chains of 1 to %d rods of %g m and %g kg on fixed points, %g rad out of the vertical, "
           "g 9.81 "
           "m/s^2, drag %g N s/m, ks %g, kd %g; stable: after %g s all together have less energy than at the "
           "start, no "
           "rod was off by %g m; C2\n"
           "damped: the same with ks %g, kd %g, so that errors of rods limit the step\n",
           p->chains, p->rod, p->mass, p->angle, p->drag, p->position_gain, p->velocity_gain, p->duration,
           p->off_limit, s->damped.position_gain, s->damped.velocity_gain);
    printf(
        "ellipse: 4 x 2 m, %g kg, no gravity, steps of %g s, ks %g, kd %g; stays on the wire: %g s within %g "
        "m, the "
        "drag (N s/m) such that the speed at the end is within %g %% of the start, or lower without drag\n",
        e->mass, e->step, e->position_gain, e->velocity_gain, e->duration, e->off_limit, 100 * e->speed_kept);
    const cab_circle_setup *c = &s->circle;
    printf("circle: of %g m, entered %g m inside, %g kg, no gravity, ks %g, kd %g; comes to it: after %g s "
           "within %g m\n",
           c->radius, c->inside, c->mass, c->position_gain, c->velocity_gain, c->duration, c->off_limit);
    printf("solves: to 1e-3 of the right side, at most 1000 iterations, warm\n\n");
    printf("%-18s %6s %6s | %9s %8s %8s %8s %8s %8s | %8s %8s %8s | %8s %8s\n", "integrator", "order", "asks",
           "pendulum", "score", "damped", "score", "paper", "C1/C2", "ellipse", "paper", "drag", "circle",
           "its C1");
    printf("%-18s %6s %6s | %9s %8s %8s %8s %8s %8s | %8s %8s %8s | %8s %8s\n", "", "", "", "ms", "", "ms",
           "", "", "", "m/s", "", "", "ms", "ms");
    for (int i = 0; i < N; i++) {
        const cab_integrator_score *score = &s->scores[i];
        printf("%-18s %6.2f %6d | %9.2f %8.1f %8.2f %8.1f", cab_integrator_name((cab_integrator)i),
               score->order, cab_integrator_evaluations((cab_integrator)i), 1e3 * score->step,
               score->step / s->scores[0].step, 1e3 * score->step_damped,
               score->step_damped / s->scores[0].step_damped);
        print_paper(cab_paper_scores[i].pendulum);
        printf(" %8.2f | %8.1f", score->step_squared / score->step, score->speed);
        print_paper(cab_paper_scores[i].ellipse);
        printf(" %8.3g | %8.1f %8.1f\n", score->drag, 1e3 * score->circle, 1e3 * score->circle_squared);
    }
}

/* "block-jacobi 8"; "" without a preconditioner */
static const char *preconditioner_of(const cab_solver_row *r, char *text, size_t size)
{
    text[0] = 0;
    if (r->solver != CAB_PARTICLES_PCG) return text;
    if (r->preconditioner == CAB_PARTICLES_BLOCK_JACOBI)
        snprintf(text, size, "%s %d", cab_particles_preconditioner_name(r->preconditioner), r->block);
    else
        snprintf(text, size, "%s", cab_particles_preconditioner_name(r->preconditioner));
    return text;
}

static void print_solvers(const particle_study *s)
{
    char text[40];
    printf("\n%-6s %5s %-14s %-20s %5s %10s %6s %10s %8s %6s %10s\n", "scene", "rods", "solver",
           "preconditioner", "start", "iterations", "most", "residual", "least sq", "capped", "us a step");
    for (int i = 0; i < SOLVER_ROWS; i++) {
        const cab_solver_row *r = &s->solvers[i];
        printf("%-6s %5d %-14s %-20s %5s %10.1f %6d %10.1e %8d %6d %10.1f\n",
               cab_compare_scene_name(r->scene), r->rods, cab_particles_solver_name(r->solver),
               preconditioner_of(r, text, sizeof text), r->cold ? "cold" : "warm", r->iterations,
               r->iterations_most, r->residual, r->least_squares, r->capped, 1e6 * r->seconds);
    }
}

static void write_integrators(cab_file *file, const void *of)
{
    const particle_study *s = of;
    cab_file_print(file, "integrator,evaluations,order,pendulum_step_s,pendulum_score,pendulum_paper,"
                         "pendulum_step_c1_s,ellipse_speed,ellipse_paper,ellipse_drag,damped_step_s,damped_"
                         "score,circle_step_s,"
                         "circle_step_c1_s\n");
    for (int i = 0; i < N; i++)
        cab_file_print(file, "%s,%d,%.6g,%.6g,%.6g,%g,%.6g,%.6g,%g,%.6g,%.6g,%.6g,%.6g,%.6g\n",
                       cab_integrator_name((cab_integrator)i), cab_integrator_evaluations((cab_integrator)i),
                       s->scores[i].order, s->scores[i].step, s->scores[i].step / s->scores[0].step,
                       cab_paper_scores[i].pendulum, s->scores[i].step_squared, s->scores[i].speed,
                       cab_paper_scores[i].ellipse, s->scores[i].drag, s->scores[i].step_damped,
                       s->scores[i].step_damped / s->scores[0].step_damped, s->scores[i].circle,
                       s->scores[i].circle_squared);
}

/* Rows of a block; 0 without blocks. */
static int block_of(const cab_solver_row *r)
{
    bool blocks = r->solver == CAB_PARTICLES_PCG && r->preconditioner == CAB_PARTICLES_BLOCK_JACOBI;
    return blocks ? r->block : 0;
}

static const char *word_of(const cab_solver_row *r)
{
    return r->solver == CAB_PARTICLES_PCG ? cab_particles_preconditioner_name(r->preconditioner) : "none";
}

static void write_solvers(cab_file *file, const void *of)
{
    const particle_study *s = of;
    cab_file_print(file,
                   "solver,block,cold,rods,iterations,iterations_most,residual,least_squares,solves,step_s,"
                   "scene,preconditioner,capped\n");
    for (int i = 0; i < SOLVER_ROWS; i++) {
        const cab_solver_row *r = &s->solvers[i];
        cab_file_print(file, "%s,%d,%d,%d,%.6g,%d,%.3g,%d,%d,%.3g,%s,%s,%d\n",
                       cab_particles_solver_name(r->solver), block_of(r), r->cold, r->rods, r->iterations,
                       r->iterations_most, r->residual, r->least_squares, r->solves, r->seconds,
                       cab_compare_scene_name(r->scene), word_of(r), r->capped);
    }
}

/* A number, or null where the paper has none. */
static json_t *paper_json(double value)
{
    return value > 0 ? json_real(value) : json_null();
}

static json_t *setup_json(const particle_study *s)
{
    const cab_pendulum_setup *p = &s->pendulum;
    const cab_ellipse_setup *e = &s->ellipse;
    return json_pack("{s:{s:i,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f},s:{s:f,s:f,s:f,s:f,s:f,s:f,s:f},s:{s:f,s:f}}",
                     "pendulum", "chains", p->chains, "rod", p->rod, "mass", p->mass, "angle", p->angle,
                     "drag", p->drag, "position_gain", p->position_gain, "velocity_gain", p->velocity_gain,
                     "duration", p->duration, "off_limit", p->off_limit, "ellipse", "step", e->step, "mass",
                     e->mass, "position_gain", e->position_gain, "velocity_gain", e->velocity_gain,
                     "duration", e->duration, "off_limit", e->off_limit, "speed_kept", e->speed_kept,
                     "damped", "position_gain", s->damped.position_gain, "velocity_gain",
                     s->damped.velocity_gain);
}

static void print_json(const particle_study *s)
{
    json_t *integrators = json_array(), *solvers = json_array();
    for (int i = 0; i < N; i++)
        json_array_append_new(
            integrators,
            json_pack(
                "{s:s,s:i,s:f,s:f,s:f,s:o,s:f,s:f,s:o,s:f,s:f,s:f,s:f,s:f}", "name",
                cab_integrator_name((cab_integrator)i), "evaluations",
                cab_integrator_evaluations((cab_integrator)i), "order", s->scores[i].order, "pendulum_step_s",
                s->scores[i].step, "pendulum_score", s->scores[i].step / s->scores[0].step, "pendulum_paper",
                paper_json(cab_paper_scores[i].pendulum), "pendulum_step_c1_s", s->scores[i].step_squared,
                "ellipse_speed", s->scores[i].speed, "ellipse_paper", paper_json(cab_paper_scores[i].ellipse),
                "ellipse_drag", s->scores[i].drag, "damped_step_s", s->scores[i].step_damped, "damped_score",
                s->scores[i].step_damped / s->scores[0].step_damped, "circle_step_s", s->scores[i].circle,
                "circle_step_c1_s", s->scores[i].circle_squared));
    for (int i = 0; i < SOLVER_ROWS; i++) {
        const cab_solver_row *r = &s->solvers[i];
        json_array_append_new(solvers,
                              json_pack("{s:s,s:i,s:b,s:i,s:f,s:i,s:f,s:i,s:i,s:f,s:s,s:s,s:i}", "name",
                                        cab_particles_solver_name(r->solver), "block", block_of(r), "cold",
                                        r->cold, "rods", r->rods, "iterations", r->iterations,
                                        "iterations_most", r->iterations_most, "residual", r->residual,
                                        "least_squares", r->least_squares, "solves", r->solves, "step_s",
                                        r->seconds, "scene", cab_compare_scene_name(r->scene),
                                        "preconditioner", word_of(r), "capped", r->capped));
    }
    json_t *all =
        json_pack("{s:o,s:o,s:o}", "setup", setup_json(s), "integrators", integrators, "solvers", solvers);
    json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    printf("\n");
    json_decref(all);
}

int cab_study_particles(const cab_options *options)
{
    if (options->overrides.count) {
        cab_cli_error("study particles: there is no scene that --set could change");
        return CAB_EXIT_USAGE;
    }
    particle_study study = {0};
    cab_error error = {0};
    cab_world_def device = cab_options_world(options, "native");
    cab_interrupt_install();
    cab_status status = run_all(&study, &device, &error);
    bool whole = status == CAB_OK && !cab_interrupted();
    const char *folder = whole && options->outputs.count ? options->outputs.word[0] : NULL;
    if (folder) status = cab_study_write_file(folder, "integrators.csv", write_integrators, &study, &error);
    if (folder && !status)
        status = cab_study_write_file(folder, "solvers.csv", write_solvers, &study, &error);
    if (status != CAB_OK) cab_cli_error("%s", error.message);
    if (whole && options->json) {
        print_json(&study);
    } else if (whole && !options->quiet) {
        print_scores(&study);
        print_solvers(&study);
    }
    if (status != CAB_OK) return cab_cli_exit_code(status);
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : cab_cli_finish(CAB_EXIT_DONE);
}
