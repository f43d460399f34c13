/* What is told and written of a planar scene: lines for people, the report, rows and arrays. */
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "io/writers.h"
#include "study/planar/study.h"

typedef cab_planar_study_state state;

static const state *of(const cab_study *study)
{
    return (const state *)study;
}

static const cab_planar_settings *settings_of(const state *s)
{
    return cab_planar_scene_settings(s->scenes[0]);
}

/* The cables are laid, natively, but nothing moves. */
cab_status cab_planar_study_check(cab_study *study, char text[CAB_STUDY_TEXT], cab_error *error)
{
    study->device.device = "native";
    study->device.threads = 1;
    cab_status status = study->kind->start(study, error);
    if (status) return status;
    const cab_planar_stats *stats = &of(study)->stats;
    snprintf(text, CAB_STUDY_TEXT, "%d bodies, %d cables of %d joints, %.6g m, %d frames of %d substeps",
             stats->bodies, stats->cables, stats->joints, stats->length, study->frames,
             settings_of(of(study))->substeps);
    return CAB_OK;
}

bool cab_planar_study_line(cab_study *study, int index, char text[CAB_STUDY_LINE])
{
    const state *s = of(study);
    cab_planar_stats stats;
    cab_error error;
    if (index > 3 || cab_planar_get_stats(s->planar, s->count - 1, &stats, &error)) return false;
    if (index == 0)
        snprintf(text, CAB_STUDY_LINE, "%d bodies, %d cable%s, %d joints", stats.bodies, stats.cables,
                 stats.cables == 1 ? "" : "s", stats.joints);
    if (index == 1)
        snprintf(text, CAB_STUDY_LINE, "%d pinches, %d transitional",
                 stats.transitional + stats.non_transitional, stats.transitional);
    if (index == 2) snprintf(text, CAB_STUDY_LINE, "length off by %.2g", stats.length_error);
    if (index == 3) snprintf(text, CAB_STUDY_LINE, "tension up to %.4g N", stats.tension_max);
    return true;
}

bool cab_planar_study_warning(const cab_study *study, int index, char text[CAB_STUDY_TEXT])
{
    int dropped = of(study)->stats.dropped;
    if (!dropped || index > 0) return false;
    snprintf(text, CAB_STUDY_TEXT, "no room for a joint or a contact %d times; \"max_joints\" gives more",
             dropped);
    return true;
}

bool cab_planar_study_stage(const cab_study *study, int index, const char **name, double *seconds)
{
    double all[CAB_PLANAR_STAGE_COUNT];
    if (index >= CAB_PLANAR_STAGE_COUNT) return false;
    cab_planar_get_times(of(study)->planar, all);
    *name = cab_planar_stage_name((cab_planar_stage)index);
    *seconds = all[index];
    return true;
}

void cab_planar_study_summary(const cab_study *study, char text[CAB_STUDY_TEXT])
{
    const cab_planar_stats *s = &of(study)->stats, *worst = &of(study)->worst;
    snprintf(
        text, CAB_STUDY_TEXT,
        "%d bodies, %d joints, %d pinched pairs (%d transitional, %d non-transitional), %d steps in %.3g s; "
        "length off by %.2g at worst, tension up to %.4g N",
        s->bodies, s->joints, s->contacts, s->transitional, s->non_transitional, study->frame,
        study->wall_step, worst->length_error, worst->tension_max);
}

/* ---- rows ---- */

static const char *body_name(const state *s, int body)
{
    return body < s->stats.bodies ? cab_planar_body_name(s->planar, 0, body) : "";
}

static const char *word_of(const cab_planar_joint *j)
{
    static const char *const words[] = {"point", "roll", "reel"};
    return j->middle ? "pinch" : words[j->kind];
}

/* Adding 0 makes -0 a plain 0. */
static void write_body(const state *s, int body, cab_file *file)
{
    const cab_planar_body *b = &s->bodies[body];
    cab_file_print(file, "body,");
    cab_write_csv_text(file, body_name(s, body));
    cab_file_print(file, ",,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,,,,,,,,\n", b->position[0] + 0, b->position[1] + 0,
                   b->angle + 0, b->velocity[0] + 0, b->velocity[1] + 0, b->spin + 0);
}

static void write_joint(const state *s, const cab_planar_joint *j, cab_file *file)
{
    cab_file_print(file, "%s,", word_of(j));
    cab_write_csv_text(file, cab_planar_cable_name(s->planar, 0, j->cable));
    cab_file_print(file, ",");
    cab_write_csv_text(file, body_name(s, j->body));
    cab_file_print(file, ",%.9g,%.9g,,,,,%.9g,%.9g,%.9g,", j->tail[0] + 0, j->tail[1] + 0, j->head[0] + 0,
                   j->head[1] + 0, j->stored + 0);
    if (j->has_segment)
        cab_file_print(file, "%.9g,%.9g,%.9g,%d,%.9g\n", j->length + 0, j->rest + 0, j->tension + 0,
                       j->pinched, j->slack + 0);
    else
        cab_file_print(file, ",,,,\n");
}

void cab_planar_study_write_csv(const cab_study *study, cab_file *file)
{
    const state *s = of(study);
    cab_file_print(
        file, "kind,name,body,x,y,angle,vx,vy,spin,head_x,head_y,stored,length,rest,tension,pinched,slack\n");
    for (int i = 0; i < s->stats.bodies; i++) write_body(s, i, file);
    for (int i = 0, point = 0; i < s->joint_count; i++) {
        const cab_planar_joint *j = &s->joints[i];
        for (int k = 0; k < j->points; k++, point++) {
            cab_file_print(file, "slack,");
            cab_write_csv_text(file, cab_planar_cable_name(s->planar, 0, j->cable));
            cab_file_print(file, ",,%.9g,%.9g,,,,,,,,,,,,\n", s->points[point][0] + 0,
                           s->points[point][1] + 0);
        }
        write_joint(s, j, file);
    }
}

/* ---- the report ---- */

static json_t *cable_of(const state *s, int cable)
{
    double straight = 0, stored = 0, tension = 0, slack = 0;
    json_t *slacks = json_array(); /* of the segments, from start to end */
    int joints = 0;
    for (int i = 0; i < s->joint_count; i++) {
        const cab_planar_joint *j = &s->joints[i];
        if (j->cable != cable) continue;
        joints++;
        stored += j->stored;
        if (!j->has_segment) continue;
        straight += j->rest;
        tension = fmax(tension, j->tension);
        slack += j->slack;
        json_array_append_new(slacks, json_real(j->slack));
    }
    return json_pack("{s:s,s:i,s:f,s:f,s:f,s:f,s:f,s:o}", "name", cab_planar_cable_name(s->planar, 0, cable),
                     "joints", joints, "length", straight + stored, "straight", straight, "stored", stored,
                     "tension_max", tension, "slack", slack, "segments_slack", slacks);
}

static json_t *cables_of(const state *s)
{
    json_t *list = json_array();
    for (int c = 0; c < s->stats.cables; c++) json_array_append_new(list, cable_of(s, c));
    return list;
}

static json_t *stages_of(const cab_study *study)
{
    json_t *object = json_object();
    const char *name;
    double seconds;
    for (int i = 0; study->device.profile && cab_planar_study_stage(study, i, &name, &seconds); i++)
        json_object_set_new(object, name, json_real(seconds));
    return object;
}

json_t *cab_planar_study_report(const cab_study *study)
{
    static const char *const pinch[CAB_PLANAR_PINCHES] = {"off", "contact-off", "full"};
    const cab_planar_stats *s = &of(study)->stats, *w = &of(study)->worst;
    const cab_planar_settings *set = settings_of(of(study));
    return json_pack(
        "{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:{s:f,s:f},s:o,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:{s:i,s:i,s:i,s:i},s:"
        "o,"
        "s:{s:f,s:f},s:{s:f,s:f},s:{s:f,s:f},s:{s:f,s:f},s:s}",
        "clcable", cab_version(), "scene", study->path, "device", cab_planar_device(of(study)->planar).id,
        "pinch", pinch[set->pinch], "frames", study->frame, "substeps", set->substeps, "iterations",
        set->iterations, "wall_s", "setup", study->wall_setup, "step", study->wall_step, "stages_s",
        stages_of(study), "bodies", s->bodies, "joints", s->joints, "segments", s->segments, "transitional",
        s->transitional, "non_transitional", s->non_transitional, "contacts", s->contacts, "body_contacts",
        s->body_contacts, "asleep", s->asleep, "over_run", "added", s->added, "removed", s->removed, "merged",
        s->merged, "dropped", s->dropped, "cables", cables_of(of(study)), "length_error", "last",
        s->length_error, "worst_over_run", w->length_error, "tension_max", "last", s->tension_max,
        "worst_over_run", w->tension_max, "stretch_max", "last", s->stretch_max, "worst_over_run",
        w->stretch_max, "clearance_min", "last", s->clearance_min, "worst_over_run", w->clearance_min,
        "status", study->frame < study->frames ? "interrupted" : "ok");
}

/* ---- arrays ---- */

#define ARRAY(title, pointer, counter, kind, numbers)                                                        \
    .name = title, .list = offsetof(state, pointer), .count = offsetof(state, counter),                      \
    .stride = sizeof *((state *)0)->pointer, .type = kind, .width = numbers
#define BODY(title, of_member, numbers)                                                                      \
    ARRAY(title, bodies, stats.bodies, "f8", numbers), .member = offsetof(cab_planar_body, of_member)
#define JOINT(title, of_member, kind, numbers)                                                               \
    ARRAY(title, joints, joint_count, kind, numbers), .member = offsetof(cab_planar_joint, of_member),       \
                                                      .offsets = "joint_offsets"
const cab_study_array cab_planar_study_arrays[] = {
    {BODY("positions", position, 2)},
    {BODY("angles", angle, 0)},
    {BODY("velocities", velocity, 2)},
    {BODY("spins", spin, 0)},
    {JOINT("joint_cables", cable, "i4", 0)},
    {JOINT("joint_bodies", body, "i4", 0)},
    {JOINT("joint_kinds", kind, "i4", 0)},
    {JOINT("joint_tails", tail, "f8", 2)},
    {JOINT("joint_heads", head, "f8", 2)},
    {JOINT("joint_stored", stored, "f8", 0)},
    {JOINT("joint_lengths", length, "f8", 0)},
    {JOINT("joint_rests", rest, "f8", 0)},
    {JOINT("joint_tensions", tension, "f8", 0)},
    {JOINT("joint_slacks", slack, "f8", 0)},
    {JOINT("joint_pinched", pinched, "b1", 0)},
    {JOINT("joint_points", points, "i4", 0)},
    {ARRAY("points", points, point_count, "f8", 2), .offsets = "point_offsets"},
    {.name = NULL},
};

static const char *body_text(const cab_study *study, int index)
{
    return cab_planar_body_name(of(study)->planar, 0, index);
}

static const char *cable_text(const cab_study *study, int index)
{
    return cab_planar_cable_name(of(study)->planar, 0, index);
}

const cab_study_names cab_planar_study_names[] = {{"names", offsetof(state, stats.bodies), body_text},
                                                  {"cable_names", offsetof(state, stats.cables), cable_text},
                                                  {.name = NULL}};
