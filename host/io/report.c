#include "io/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "io/file.h"
#include "io/json_text.h"
#include "io/socket_words.h"
#include "model/scene.h"

static cab_status collect_broken(cab_report *report, const cab_world *world, cab_error *error)
{
    int count = cab_world_get_broken(world, NULL, NULL, 0);
    if (count <= 0) return CAB_OK;
    size_t size = (size_t)count;
    int *cables = calloc(size, sizeof *cables);
    report->broken_attachments = calloc(size, sizeof *report->broken_attachments);
    report->broken_cables = calloc(size, sizeof *report->broken_cables);
    if (!cables || !report->broken_attachments || !report->broken_cables) {
        free(cables);
        return cab_fail_memory(error, "the report", size * sizeof *report->broken_cables);
    }
    cab_world_get_broken(world, report->broken_attachments, cables, count);
    for (int i = 0; i < count; i++) {
        cab_cable_info cable = cab_world_get_cable(world, cables[i]);
        memcpy(report->broken_cables[i], cable.name, sizeof cable.name);
    }
    free(cables);
    report->broken_count = count;
    return CAB_OK;
}

static void collect_rest(cab_report *report, const cab_world *world)
{
    if (!report->rest || report->rest->body >= report->info.cables) return;
    cab_cable_info cable = cab_world_get_cable(world, report->rest->body);
    memcpy(report->rest_body, cable.name, sizeof cable.name);
}

static cab_status collect_events(cab_report *report, const cab_world *world, cab_error *error)
{
    int count = cab_world_get_events(world, NULL, 0);
    if (count <= 0) return CAB_OK;
    report->events = calloc((size_t)count, sizeof *report->events);
    report->event_cables = calloc((size_t)count, sizeof *report->event_cables);
    if (!report->events || !report->event_cables)
        return cab_fail_memory(error, "the report", (size_t)count * sizeof *report->events);
    cab_world_get_events(world, report->events, count);
    for (int i = 0; i < count; i++) {
        if (report->events[i].cable < 0) continue;
        cab_cable_info cable = cab_world_get_cable(world, report->events[i].cable);
        memcpy(report->event_cables[i], cable.name, sizeof cable.name);
    }
    report->event_count = count;
    return CAB_OK;
}

static cab_status collect_sockets(cab_report *report, cab_world *world, cab_error *error)
{
    int count = cab_world_get_sockets(world, NULL, 0);
    if (count == 0) return CAB_OK;
    cab_status status = CAB_NEW(report->socket_infos, count, error);
    if (!status) status = CAB_NEW(report->sockets, count, error);
    if (status) return status;
    report->socket_count = cab_world_get_sockets(world, report->socket_infos, count);
    return cab_world_read_sockets(world, report->sockets, error);
}

cab_status cab_report_collect(cab_report *report, cab_world *world, cab_error *error)
{
    report->info = cab_world_get_info(world);
    report->frames = report->info.frame;
    cab_world_get_times(world, report->stages);
    cab_status status = cab_world_measure(world, &report->measures, error);
    report->judgement_count = cab_world_get_judgements(world, report->judgements, CAB_JUDGED_COUNT);
    collect_rest(report, world);
    if (!status) status = collect_broken(report, world, error);
    if (!status) status = collect_events(report, world, error);
    return status ? status : collect_sockets(report, world, error);
}

void cab_report_free(cab_report *report)
{
    CAB_FREE(report->broken_attachments, report->broken_cables);
    report->broken_attachments = NULL;
    report->broken_cables = NULL;
    report->broken_count = 0;
    CAB_FREE(report->events, report->event_cables);
    report->events = NULL;
    report->event_cables = NULL;
    report->event_count = 0;
    CAB_FREE(report->socket_infos, report->sockets);
    report->socket_infos = NULL;
    report->sockets = NULL;
    report->socket_count = 0;
}

/* Text from drivers and file names need not be UTF-8. */
static json_t *text(const char *value)
{
    if (!value) return json_null();
    json_t *string = json_string(value);
    if (string) return string;
    char *plain = strdup(value);
    if (!plain) return NULL;
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = json_string(plain);
    free(plain);
    return string;
}

static json_t *stages(const cab_report *report)
{
    json_t *object = json_object();
    for (int i = 0; i < CAB_STAGE_COUNT && report->profiled; i++)
        json_object_set_new(object, cab_stage_name((cab_stage)i), cab_json_number(report->stages[i]));
    return object;
}

static json_t *broken(const cab_report *report)
{
    json_t *array = json_array();
    for (int i = 0; i < report->broken_count; i++)
        json_array_append_new(array, json_pack("{s:i,s:o}", "attachment", report->broken_attachments[i],
                                               "cable", text(report->broken_cables[i])));
    return array;
}

static json_t *event(const cab_event *e, const char *cable)
{
    bool of_attachment = e->attachment >= 0;
    return json_pack(
        "{s:i,s:o,s:s,s:o,s:o,s:o,s:o}", "frame", e->frame, "time", cab_json_number(e->time), "kind",
        cab_event_kind_name(e->kind), "attachment", of_attachment ? json_integer(e->attachment) : json_null(),
        "cable", text(e->cable >= 0 ? cable : NULL), "force",
        of_attachment ? cab_json_number(e->force) : json_null(), "text", text(e->text[0] ? e->text : NULL));
}

static json_t *events(const cab_report *report)
{
    json_t *array = json_array();
    for (int i = 0; i < report->event_count; i++)
        json_array_append_new(array, event(&report->events[i], report->event_cables[i]));
    return array;
}

static json_t *warnings(const cab_report *report)
{
    json_t *array = json_array();
    for (int i = 0; i < report->warning_count; i++) json_array_append_new(array, text(report->warnings[i]));
    return array;
}

static json_t *judgement(const cab_judgement *j)
{
    return json_pack("{s:s,s:s,s:b,s:i,s:o,s:o,s:o,s:o,s:i,s:o}", "judged",
                     cab_judged_info_of(j->judged)->name, "unit", cab_judged_info_of(j->judged)->unit,
                     "diverged", j->diverged, "frame", j->frame, "time", cab_json_number(j->time), "figure",
                     cab_json_number(j->figure), "bound", cab_json_number(j->bound), "worst",
                     cab_json_number(j->worst), "worst_frame", j->worst_frame, "text", text(j->text));
}

/* What was beyond its bound. */
static json_t *judgements(const cab_report *report)
{
    json_t *array = json_array();
    for (int i = 0; i < report->judgement_count; i++)
        json_array_append_new(array, judgement(&report->judgements[i]));
    return array;
}

static double particle_substeps_per_second(const cab_report *report)
{
    double work = (double)report->info.particles * (report->frames - report->resumed_at) * report->substeps;
    return report->wall_step > 0 ? work / report->wall_step : 0;
}

static void add(json_t *root, json_t *part)
{
    json_object_update(root, part);
    json_decref(part);
}

static json_t *head(const cab_report *report)
{
    const cab_world_info *info = &report->info;
    bool native = info->device.backend == CAB_BACKEND_NATIVE;
    return json_pack("{s:s,s:o,s:o,s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:i,s:i}", "clcable", cab_version(),
                     "scene", text(report->scene), "device", text(info->device.name), "backend",
                     native ? "native" : "opencl", "method", report->method, "way", cab_way_name(info->way),
                     "cables", info->cables, "sheets", info->sheets, "particles", info->particles, "frames",
                     report->frames, "resumed_at", report->resumed_at, "substeps", report->substeps,
                     "iterations", report->iterations);
}

/* Only where the method was "auto": what spoke against `direct`, null: nothing. Only where it takes more substeps
 * than by default: the cable that needs them. */
static json_t *choice(const cab_report *report)
{
    const char *against = report->method_against;
    json_t *chosen =
        against ? json_pack("{s:s?}", "method_against", against[0] ? against : NULL) : json_object();
    if (report->substeps_for &&
        json_object_set_new(chosen, "substeps_for", json_string(report->substeps_for)) != 0) {
        json_decref(chosen);
        return NULL;
    }
    return chosen;
}

static json_t *timing(const cab_report *report)
{
    return json_pack("{s:o,s:{s:o,s:o,s:o,s:o},s:o,s:o}", "simulated_s", cab_json_number(report->info.time),
                     "wall_s", "total", cab_json_number(report->wall_total), "setup",
                     cab_json_number(report->wall_setup), "step", cab_json_number(report->wall_step),
                     "output", cab_json_number(report->wall_output), "stages_s", stages(report),
                     "particle_substeps_per_s", cab_json_number(particle_substeps_per_second(report)));
}

static json_t *quality(const cab_report *report)
{
    const cab_measures *m = &report->measures;
    return json_pack("{s:{s:o,s:o,s:o},s:{s:o,s:o},s:{s:o,s:o},s:o,s:{s:i,s:i,s:i,s:i},s:{s:o,s:i}}",
                     "stretch", "max", cab_json_number(m->stretch_max), "mean",
                     cab_json_number(m->stretch_mean), "worst_over_run", cab_json_number(m->stretch_worst),
                     "penetration", "max", cab_json_number(m->penetration_max), "worst_over_run",
                     cab_json_number(m->penetration_worst), "energy", "kinetic", cab_json_number(m->kinetic),
                     "potential", cab_json_number(m->potential), "speed_max", cab_json_number(m->speed_max),
                     "contacts", "max", m->contacts_max, "last", m->contacts, "rebuilds", m->rebuilds,
                     "asleep", m->asleep, "iterations_done", "mean", cab_json_number(m->iterations_mean),
                     "max", m->iterations_max);
}

/* Lengths in m; of rests only. */
static json_t *equilibrium(const cab_report *report)
{
    const cab_equilibrium *rest = report->rest;
    if (!rest) return json_object();
    return json_pack("{s:b,s:{s:o,s:i,s:o,s:o,s:b,s:i,s:s?}}", "settled", rest->settled, "equilibrium",
                     "residual_N", cab_json_number(rest->residual), "iterations", rest->iterations, "moved",
                     cab_json_number(rest->moved), "overlap", cab_json_number(rest->overlap),
                     "friction_released", rest->slipped, "broken", rest->broken, "cable",
                     report->rest_body[0] ? report->rest_body : NULL);
}

/* What is nearest, if anything is. */
static void add_nearest(json_t *object, const cab_report_envelope *e)
{
    bool none = isinf(e->clearance);
    json_object_set_new(object, "clearance", cab_json_number(e->clearance));
    json_object_set_new(object, "collider", none ? json_null() : json_integer(e->collider));
    if (none) return;
    if (e->collider_name[0]) json_object_set_new(object, "collider_name", text(e->collider_name));
    json_object_set_new(object, "cable", text(e->cable));
    if (e->of_sweep) json_object_set_new(object, "variant", json_integer(e->variant));
    json_object_set_new(object, "place",
                        json_pack("[o,o,o]", cab_json_number(e->place[0]), cab_json_number(e->place[1]),
                                  cab_json_number(e->place[2])));
    json_object_set_new(object, "time", cab_json_number(e->time));
}

json_t *cab_report_envelope_json(const cab_report_envelope *e)
{
    json_t *object = json_pack("{s:o,s:o,s:o,s:i}", "file", text(e->file), "cell", cab_json_number(e->cell),
                               "volume", cab_json_number(e->volume), "triangles", e->triangles);
    if (object && e->of_sweep) json_object_set_new(object, "variants", json_integer(e->variants));
    if (object) add_nearest(object, e);
    return object;
}

/* Only of runs that have written one. */
static json_t *envelope(const cab_report *report)
{
    json_t *object = json_object();
    if (report->envelope) json_object_set_new(object, "envelope", cab_report_envelope_json(report->envelope));
    return object;
}

/* Only of scenes that have any. */
static json_t *sockets(const cab_report *report)
{
    json_t *array = json_array();
    for (int i = 0; i < report->socket_count; i++) {
        const cab_socket_reading *s = &report->sockets[i];
        const double force =
            sqrt(s->force.x * s->force.x + s->force.y * s->force.y + s->force.z * s->force.z);
        json_array_append_new(array, json_pack("{s:o,s:s,s:i,s:o,s:o,s:o}", "name",
                                               text(report->socket_infos[i].name), "phase",
                                               cab_socket_phase_word(s->phase), "frame", s->frame, "depth",
                                               cab_json_number(s->depth), "force", cab_json_number(force),
                                               "pull", cab_json_number(s->pull)));
    }
    return report->socket_count > 0 ? json_pack("{s:o}", "sockets", array)
                                    : (json_decref(array), json_object());
}

static json_t *outcome(const cab_report *report)
{
    json_t *part =
        json_pack("{s:{s:I,s:I},s:o,s:o,s:o,s:o,s:s}", "memory_bytes", "device",
                  (json_int_t)report->info.device_bytes, "contact", (json_int_t)report->info.contact_bytes,
                  "broken_attachments", broken(report), "events", events(report), "warnings",
                  warnings(report), "judgements", judgements(report), "status", report->status);
    if (report->message) json_object_set_new(part, "message", text(report->message));
    if (strcmp(report->status, "diverged") == 0) {
        json_object_set_new(part, "frame", json_integer(report->diverged_frame));
        json_object_set_new(part, "cable", text(report->diverged_cable));
    }
    return part;
}

/* Its text, to be freed; NULL when memory is out. */
static char *compose(const cab_report *report)
{
    json_t *root = json_object();
    add(root, head(report));
    add(root, choice(report));
    add(root, timing(report));
    add(root, quality(report));
    add(root, equilibrium(report));
    add(root, envelope(report));
    add(root, sockets(report));
    add(root, outcome(report));
    bool whole = json_object_get(root, "clcable") && json_object_get(root, "wall_s") &&
                 json_object_get(root, "stretch") && json_object_get(root, "status") &&
                 (!report->envelope || json_object_get(root, "envelope"));
    char *composed = whole ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    return composed;
}

static void write_line(cab_file *file, const void *text)
{
    cab_file_print(file, "%s\n", (const char *)text);
}

cab_status cab_report_write(const cab_report *report, const char *path, cab_error *error)
{
    char *composed = compose(report);
    if (!composed) return cab_fail_memory(error, "the report", 4096);
    cab_status status = cab_file_make(path, write_line, composed, error);
    free(composed);
    return status;
}
