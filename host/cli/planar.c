#include "cli/planar.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/writers.h"

typedef struct planar_run {
    const cab_options *options;
    const char *path;
    cab_planar_scene *scene;
    cab_planar *planar;
    cab_planar_stats stats, worst; /* of worst: length_error, tension_max, stretch_max, clearance_min */
    cab_planar_body *bodies;
    cab_planar_joint *joints;
    double (*points)[2];
    int frames, done;
    double wall_setup, wall_step;
    cab_error error;
} planar_run;

/* What means nothing here is an error, as everywhere. */
static bool check_options(const cab_options *o)
{
    const char *wrong = o->method       ? "--method"
                        : o->settle     ? "--settle"
                        : o->checkpoint ? "--checkpoint"
                        : o->resume     ? "--resume"
                                        : NULL;
    if (wrong) cab_cli_error("planar: %s is for cables of particles; see docs/methods/planar.md", wrong);
    for (int i = 0; !wrong && i < o->outputs.count; i++) {
        const char *name = o->outputs.word[i];
        size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, ".csv") == 0) continue;
        cab_cli_error("%s: planar scenes are written as .csv", name);
        return false;
    }
    return !wrong;
}

static int load(planar_run *run)
{
    const cab_options *o = run->options;
    if (!check_options(o)) return CAB_EXIT_USAGE;
    if (cab_planar_scene_load(run->path, o->overrides.word, o->overrides.count, &run->scene, &run->error)) {
        cab_cli_error("%s", run->error.message);
        return run->error.status == CAB_ERROR_MEMORY ? CAB_EXIT_FAILED : CAB_EXIT_USAGE;
    }
    cab_planar_settings *s = cab_planar_scene_settings(run->scene);
    if (o->substeps) s->substeps = (int)o->substeps;
    if (o->iterations) s->iterations = (int)o->iterations;
    if (o->duration > 0) s->duration = o->duration;
    double frames = o->frames ? (double)o->frames : nearbyint(s->duration * s->frame_rate);
    run->frames = frames < 1 ? 1 : frames > INT_MAX ? INT_MAX : (int)frames;
    return CAB_EXIT_DONE;
}

static cab_status open_world(planar_run *run)
{
    const cab_options *o = run->options;
    const cab_planar_scene *scene = run->scene;
    cab_world_def def = cab_world_default();
    double start = cab_now();
    def.device = o->devices.count ? o->devices.word[o->devices.count - 1] : NULL;
    def.threads = (int)o->threads;
    def.kernel_dir = o->kernels;
    def.profile = o->verbose;
    cab_status status = cab_planar_create(&scene, 1, &def, &run->planar, &run->error);
    run->wall_setup = cab_now() - start;
    return status;
}

static void keep_worst(planar_run *run)
{
    cab_planar_stats *w = &run->worst, *s = &run->stats;
    w->length_error = fmax(w->length_error, s->length_error);
    w->tension_max = fmax(w->tension_max, s->tension_max);
    w->stretch_max = fmax(w->stretch_max, s->stretch_max);
    w->clearance_min = fmin(w->clearance_min, s->clearance_min);
}

static cab_status step_all(planar_run *run)
{
    const cab_planar_settings *s = cab_planar_scene_settings(run->scene);
    cab_progress progress = cab_progress_begin(!run->options->quiet, run->frames, s->frame_rate);
    cab_status status = CAB_OK;
    for (; run->done < run->frames && !status && !cab_interrupted(); run->done++) {
        double start = cab_now();
        status = cab_planar_step(run->planar, 1, &run->error);
        run->wall_step += cab_now() - start;
        if (!status) status = cab_planar_get_stats(run->planar, 0, &run->stats, &run->error);
        if (!status) keep_worst(run);
        cab_progress_show(&progress, run->done + 1);
    }
    cab_progress_clear(&progress);
    return status;
}

static cab_status read_all(planar_run *run)
{
    run->bodies = calloc((size_t)run->stats.bodies + 1, sizeof *run->bodies);
    run->joints = calloc((size_t)run->stats.joints + 1, sizeof *run->joints);
    run->points = calloc((size_t)run->stats.points + 1, sizeof *run->points);
    if (!run->bodies || !run->joints || !run->points)
        return cab_fail_memory(&run->error, "bodies and joints", 0);
    cab_status status = cab_planar_read_bodies(run->planar, 0, run->bodies, &run->error);
    if (!status) status = cab_planar_read_joints(run->planar, 0, run->joints, &run->error);
    return status ? status : cab_planar_read_points(run->planar, 0, run->points, &run->error);
}

typedef void write_content(cab_file *file, const planar_run *run);

static const char *body_name(const planar_run *run, int body)
{
    return body < run->stats.bodies ? cab_planar_body_name(run->planar, 0, body) : "";
}

static const char *kind_of(const cab_planar_joint *j)
{
    static const char *const words[] = {"point", "roll", "reel"};
    return j->middle ? "pinch" : words[j->kind];
}

/* Adding 0 makes -0 a plain 0. */
static void write_rows(cab_file *file, const planar_run *run)
{
    cab_file_print(
        file, "kind,name,body,x,y,angle,vx,vy,spin,head_x,head_y,stored,length,rest,tension,pinched,slack\n");
    for (int i = 0; i < run->stats.bodies; i++) {
        const cab_planar_body *b = &run->bodies[i];
        cab_file_print(file, "body,");
        cab_write_csv_text(file, body_name(run, i));
        cab_file_print(file, ",,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,,,,,,,,\n", b->position[0] + 0,
                       b->position[1] + 0, b->angle + 0, b->velocity[0] + 0, b->velocity[1] + 0, b->spin + 0);
    }
    for (int i = 0, point = 0; i < run->stats.joints; i++) {
        const cab_planar_joint *j = &run->joints[i];
        for (int k = 0; k < j->points; k++, point++) {
            cab_file_print(file, "slack,");
            cab_write_csv_text(file, cab_planar_cable_name(run->planar, 0, j->cable));
            cab_file_print(file, ",,%.9g,%.9g,,,,,,,,,,,,\n", run->points[point][0] + 0,
                           run->points[point][1] + 0);
        }
        cab_file_print(file, "%s,", kind_of(j));
        cab_write_csv_text(file, cab_planar_cable_name(run->planar, 0, j->cable));
        cab_file_print(file, ",");
        cab_write_csv_text(file, body_name(run, j->body));
        cab_file_print(file, ",%.9g,%.9g,,,,,%.9g,%.9g,%.9g,", j->tail[0] + 0, j->tail[1] + 0, j->head[0] + 0,
                       j->head[1] + 0, j->stored + 0);
        if (j->has_segment)
            cab_file_print(file, "%.9g,%.9g,%.9g,%d,%.9g\n", j->length + 0, j->rest + 0, j->tension + 0,
                           j->pinched, j->slack + 0);
        else
            cab_file_print(file, ",,,,\n");
    }
}

static json_t *cables_of(const planar_run *run)
{
    json_t *list = json_array();
    for (int c = 0; c < run->stats.cables; c++) {
        double straight = 0, stored = 0, tension = 0, slack = 0;
        json_t *slacks = json_array(); /* of the segments, from start to end */
        int joints = 0;
        for (int i = 0; i < run->stats.joints; i++) {
            const cab_planar_joint *j = &run->joints[i];
            if (j->cable != c) continue;
            joints++;
            stored += j->stored;
            if (!j->has_segment) continue;
            straight += j->rest;
            tension = fmax(tension, j->tension);
            slack += j->slack;
            json_array_append_new(slacks, json_real(j->slack));
        }
        json_array_append_new(list,
                              json_pack("{s:s,s:i,s:f,s:f,s:f,s:f,s:f,s:o}", "name",
                                        cab_planar_cable_name(run->planar, 0, c), "joints", joints, "length",
                                        straight + stored, "straight", straight, "stored", stored,
                                        "tension_max", tension, "slack", slack, "segments_slack", slacks));
    }
    return list;
}

static json_t *stages_of(const planar_run *run)
{
    double seconds[CAB_PLANAR_STAGE_COUNT];
    json_t *object = json_object();
    cab_planar_get_times(run->planar, seconds);
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT && run->options->verbose; i++)
        json_object_set_new(object, cab_planar_stage_name((cab_planar_stage)i), json_real(seconds[i]));
    return object;
}

static void write_json(cab_file *file, const planar_run *run)
{
    static const char *const pinch[] = {"off", "contact-off", "full"};
    const cab_planar_stats *s = &run->stats, *w = &run->worst;
    const cab_planar_settings *set = cab_planar_scene_settings(run->scene);
    json_t *root = json_pack(
        "{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:{s:f,s:f},s:o,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:{s:i,s:i,s:i,s:i},s:"
        "o,"
        "s:{s:f,s:f},s:{s:f,s:f},s:{s:f,s:f},s:{s:f,s:f},s:s}",
        "clcable", cab_version(), "scene", run->path, "device", cab_planar_device(run->planar).id, "pinch",
        pinch[set->pinch], "frames", run->done, "substeps", set->substeps, "iterations", set->iterations,
        "wall_s", "setup", run->wall_setup, "step", run->wall_step, "stages_s", stages_of(run), "bodies",
        s->bodies, "joints", s->joints, "segments", s->segments, "transitional", s->transitional,
        "non_transitional", s->non_transitional, "contacts", s->contacts, "body_contacts", s->body_contacts,
        "asleep", s->asleep, "over_run", "added", s->added, "removed", s->removed, "merged", s->merged,
        "dropped", s->dropped, "cables", cables_of(run), "length_error", "last", s->length_error,
        "worst_over_run", w->length_error, "tension_max", "last", s->tension_max, "worst_over_run",
        w->tension_max, "stretch_max", "last", s->stretch_max, "worst_over_run", w->stretch_max,
        "clearance_min", "last", s->clearance_min, "worst_over_run", w->clearance_min, "status",
        run->done < run->frames ? "interrupted" : "ok");
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    cab_file_print(file, "%s\n", text ? text : "{}");
    free(text);
    json_decref(root);
}

static cab_status write_file(planar_run *run, const char *path, write_content *content)
{
    cab_file file;
    cab_status status = cab_file_open(&file, path, &run->error);
    if (status) return status;
    content(&file, run);
    status = cab_file_finish(&file, &run->error);
    if (!status) status = cab_file_rename(&file, &run->error);
    cab_file_close(&file);
    return status;
}

static cab_status write_all(planar_run *run)
{
    const cab_options *o = run->options;
    cab_status status = read_all(run);
    for (int i = 0; i < o->outputs.count && !status; i++)
        status = write_file(run, o->outputs.word[i], write_rows);
    if (!status && o->report) status = write_file(run, o->report, write_json);
    return status;
}

static void print_stages(const planar_run *run)
{
    double seconds[CAB_PLANAR_STAGE_COUNT];
    cab_planar_get_times(run->planar, seconds);
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT; i++)
        printf("%-22s %9.3f us a step\n", cab_planar_stage_name((cab_planar_stage)i),
               1e6 * seconds[i] / run->done);
}

static void print_summary(const planar_run *run)
{
    const cab_planar_stats *s = &run->stats;
    if (run->options->verbose && run->done) print_stages(run);
    printf("%s: %d bodies, %d joints, %d pinched pairs (%d transitional, %d non-transitional), %d steps in "
           "%.3g s; "
           "length off by %.2g at worst, tension up to %.4g N\n",
           run->path, s->bodies, s->joints, s->contacts, s->transitional, s->non_transitional, run->done,
           run->wall_step, run->worst.length_error, run->worst.tension_max);
    if (s->dropped) {
        char text[160];
        snprintf(text, sizeof text, "no room for a joint or a contact %d times; \"max_joints\" gives more",
                 s->dropped);
        cab_cli_warning(text);
    }
}

static void free_run(planar_run *run)
{
    cab_planar_destroy(run->planar);
    cab_planar_scene_destroy(run->scene);
    free(run->bodies);
    free(run->joints);
    free(run->points);
}

int cab_run_planar(const char *path, const cab_options *options)
{
    planar_run run = {.options = options, .path = path};
    int code = load(&run);
    if (code != CAB_EXIT_DONE) return code;
    cab_status status = open_world(&run);
    if (!status) status = step_all(&run);
    if (!status) status = write_all(&run);
    if (status) cab_cli_error("%s", run.error.message);
    if (!status && !options->quiet) print_summary(&run);
    free_run(&run);
    if (status) return cab_cli_exit_code(status);
    return cab_interrupted() ? CAB_EXIT_INTERRUPTED : CAB_EXIT_DONE;
}

/* The cables are laid, but nothing moves. */
int cab_check_planar(const char *path, const cab_options *options)
{
    planar_run run = {.options = options, .path = path};
    int code = load(&run);
    if (code != CAB_EXIT_DONE) return code;
    const cab_planar_scene *scene = run.scene;
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.threads = 1;
    cab_status status = cab_planar_create(&scene, 1, &def, &run.planar, &run.error);
    if (!status) status = cab_planar_get_stats(run.planar, 0, &run.stats, &run.error);
    if (status) cab_cli_error("%s", run.error.message);
    if (!status && !options->quiet)
        printf("%s: ok: %d bodies, %d cables of %d joints, %.6g m, %d frames of %d substeps\n", path,
               run.stats.bodies, run.stats.cables, run.stats.joints, run.stats.length, run.frames,
               cab_planar_scene_settings(run.scene)->substeps);
    free_run(&run);
    return cab_cli_exit_code(status);
}
