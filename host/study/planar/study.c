/* Planar bodies and cable joints as a study: opened, stepped, read; with `compare` three scenes side by side. */
#include "study/planar/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/array.h"
#include "study/planar/outline.h"

typedef cab_planar_study_state state;

static const cab_planar_settings *settings_of(const state *s)
{
    return cab_planar_scene_settings(s->scenes[0]);
}

static void close(cab_study *study)
{
    state *s = (state *)study;
    cab_planar_destroy(s->planar);
    for (int i = 0; i < CAB_PLANAR_PINCHES; i++) cab_planar_scene_destroy(s->scenes[i]);
    CAB_FREE(s->bodies, s->joints, s->contacts, s->points, s->centres, s);
}

static cab_status load_scenes(state *s, const cab_study_def *def, cab_error *error)
{
    if (def->compare && strcmp(def->compare, "pinch") != 0)
        return cab_fail(error, CAB_ERROR_INPUT, "--compare: expected pinch, got '%s'", def->compare);
    s->count = def->compare ? CAB_PLANAR_PINCHES : 1;
    for (int i = 0; i < s->count; i++) {
        cab_status status =
            cab_planar_scene_load(def->path, def->overrides, def->override_count, &s->scenes[i], error);
        if (status) return status;
        cab_planar_settings *set = cab_planar_scene_settings(s->scenes[i]);
        if (def->substeps) set->substeps = (int)def->substeps;
        if (def->iterations) set->iterations = (int)def->iterations;
        if (def->duration > 0) set->duration = def->duration;
        if (def->compare) set->pinch = (cab_planar_pinch)i;
    }
    s->base.rate = settings_of(s)->frame_rate;
    s->base.frames = cab_study_frame_count(def, settings_of(s)->duration, settings_of(s)->frame_rate);
    size_t bodies = (size_t)s->scenes[0]->body_count + 1;
    s->bodies = calloc(bodies, sizeof *s->bodies);
    s->centres = calloc(bodies, sizeof *s->centres);
    return s->bodies && s->centres ? CAB_OK : cab_fail_memory(error, "bodies", bodies * sizeof *s->bodies);
}

static cab_status load(const cab_study_def *def, cab_study **study, cab_error *error)
{
    state *s = cab_study_create(&cab_planar_study, def, sizeof *s, error);
    if (!s) return CAB_ERROR_MEMORY;
    cab_status status = load_scenes(s, def, error);
    if (status)
        close(&s->base);
    else
        *study = &s->base;
    return status;
}

/* ---- reading ---- */

/* Grows one of the lists. */
static bool make_room(void **list, int *room, int count, size_t size)
{
    if (count < *room) return true;
    void *bigger = realloc(*list, (size_t)(2 * count + 16) * size);
    if (!bigger) return false;
    *list = bigger;
    *room = 2 * count + 16;
    return true;
}

cab_status cab_planar_study_read(state *s, int scene, cab_error *error)
{
    cab_planar_stats stats;
    cab_status status = cab_planar_get_stats(s->planar, scene, &stats, error);
    if (status) return status;
    if (!make_room((void **)&s->joints, &s->joint_room, stats.joints, sizeof *s->joints) ||
        !make_room((void **)&s->contacts, &s->contact_room, stats.body_contacts, sizeof *s->contacts) ||
        !make_room((void **)&s->points, &s->point_room, stats.points, sizeof *s->points))
        return cab_fail_memory(error, "joints and contacts", (size_t)stats.joints * sizeof *s->joints);
    s->joint_count = stats.joints;
    s->contact_count = stats.body_contacts;
    s->point_count = stats.points;
    status = cab_planar_read_bodies(s->planar, scene, s->bodies, error);
    if (!status) status = cab_planar_read_joints(s->planar, scene, s->joints, error);
    if (!status) status = cab_planar_read_points(s->planar, scene, s->points, error);
    return status ? status : cab_planar_read_contacts(s->planar, scene, s->contacts, error);
}

static cab_status read(cab_study *study, cab_error *error)
{
    return cab_planar_study_read((state *)study, 0, error);
}

static void take_in(state *s, double x, double y, double around)
{
    s->low = (cab_vec2){fmin(s->low.x, x - around), fmin(s->low.y, y - around)};
    s->high = (cab_vec2){fmax(s->high.x, x + around), fmax(s->high.y, y + around)};
}

/* Where bodies' centres of mass are, and how far all reaches, both at the start. */
static cab_status measure(state *s, cab_error *error)
{
    const cab_planar_scene *scene = s->scenes[0];
    s->low = (cab_vec2){INFINITY, INFINITY};
    s->high = (cab_vec2){-INFINITY, -INFINITY};
    cab_status status = cab_planar_study_read(s, 0, error);
    if (status) return status;
    for (int i = 0; i < scene->body_count; i++) {
        const cab_planar_body_def *def = &scene->bodies[i].def;
        double around = 0;
        for (int k = 0; k < def->corner_count; k++)
            around = fmax(around, hypot(def->corners[k][0], def->corners[k][1]));
        take_in(s, def->position[0], def->position[1], around + def->radius);
        s->centres[i] = cab_planar_centre(def, &s->bodies[i]);
    }
    for (int i = 0; i < s->joint_count; i++) take_in(s, s->joints[i].tail[0], s->joints[i].tail[1], 0);
    if (!(s->low.x <= s->high.x)) s->low = s->high = (cab_vec2){0, 0};
    return CAB_OK;
}

/* ---- time ---- */

static cab_status start(cab_study *study, cab_error *error)
{
    state *s = (state *)study;
    cab_planar *planar = NULL;
    double begin = cab_now();
    cab_status status = cab_planar_create((const cab_planar_scene *const *)s->scenes, s->count,
                                          &study->device, &planar, error);
    if (status) return status;
    bool first = !s->planar;
    cab_planar_destroy(s->planar);
    s->planar = planar;
    s->pulled = -1;
    s->worst = (cab_planar_stats){0};
    study->wall_setup = cab_now() - begin;
    study->wall_step = 0;
    study->frame = 0;
    status = cab_planar_get_stats(planar, 0, &s->stats, error);
    return !status && first ? measure(s, error) : status;
}

static void keep_worst(cab_planar_stats *worst, const cab_planar_stats *now)
{
    worst->length_error = fmax(worst->length_error, now->length_error);
    worst->tension_max = fmax(worst->tension_max, now->tension_max);
    worst->stretch_max = fmax(worst->stretch_max, now->stretch_max);
    worst->clearance_min = fmin(worst->clearance_min, now->clearance_min);
}

/* Statistics tell when a scene has diverged. */
static cab_status step(cab_study *study, cab_error *error)
{
    state *s = (state *)study;
    double begin = cab_now();
    cab_status status = cab_planar_step(s->planar, 1, error);
    study->wall_step += cab_now() - begin;
    for (int i = s->count - 1; i >= 0 && !status; i--)
        status = cab_planar_get_stats(s->planar, i, &s->stats, error);
    if (status) return status;
    keep_worst(&s->worst, &s->stats);
    study->frame++;
    return CAB_OK;
}

/* ---- choices ---- */

enum { SUBSTEPS, PINCH };

static bool choice(const cab_study *study, int index, cab_choice *c)
{
    const state *s = (const state *)study;
    if (index == PINCH)
        *c = (cab_choice){.name = "pinch",
                          .words = {"off", "contact-off", "full"},
                          .count = CAB_PLANAR_PINCHES,
                          .now = (int)settings_of(s)->pinch,
                          .from_start = true};
    if (index == SUBSTEPS)
        *c = (cab_choice){.name = "substeps",
                          .now = settings_of(s)->substeps,
                          .least = 1,
                          .most = 1000,
                          .from_start = true};
    return index == SUBSTEPS || (index == PINCH && s->count == 1); /* else it is all of its words at once */
}

static void put(state *s, int index, int value)
{
    for (int i = 0; i < s->count; i++) {
        cab_planar_settings *set = cab_planar_scene_settings(s->scenes[i]);
        if (index == PINCH) set->pinch = (cab_planar_pinch)value;
        if (index == SUBSTEPS) set->substeps = value;
    }
}

/* The engine takes no state: it begins anew. */
static cab_status choose(cab_study *study, int index, int value, cab_error *error)
{
    cab_choice c;
    cab_status status = cab_study_check_choice(study, index, value, &c, error);
    if (status) return status;
    put((state *)study, index, value);
    status = start(study, error);
    if (status) put((state *)study, index, c.now);
    return status;
}

const cab_study_kind cab_planar_study = {
    .key = "planar",
    .elsewhere = "cables of particles",
    .load = load,
    .close = close,
    .start = start,
    .step = step,
    .choice = choice,
    .choose = choose,
    .grab = cab_planar_study_grab,
    .pull = cab_planar_study_pull,
    .let_go = cab_planar_study_let_go,
    .line = cab_planar_study_line,
    .check = cab_planar_study_check,
    .warning = cab_planar_study_warning,
    .stage = cab_planar_study_stage,
    .read = read,
    .summary = cab_planar_study_summary,
    .report = cab_planar_study_report,
    .write_csv = cab_planar_study_write_csv,
    .fill = cab_planar_study_fill,
    .arrays = cab_planar_study_arrays,
    .names = cab_planar_study_names,
};
