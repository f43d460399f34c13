/* Judging a frame: which figures are beyond their bounds, and what is told of them. */
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "constraint/drum_table.h"
#include "model/method.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/events.h"
#include "world/window.h"

/* Shares of a length. Methods that work off a share of each error in a few iterations promise no lengths, and a
 * sheet's links are many to a particle. */
#define STRETCH_CABLE 0.10
#define STRETCH_LOOSE 0.25
#define STRETCH_SHEET 0.50
#define STRETCH_END 2.0 /* three times as long: beyond sense, */
#define STRETCH_END_LOOSE 4.0
#define OVERLAP_MOST 0.5      /* radii */
#define WHIP 10.0             /* the end of a whip is faster than the hand that leads it */
#define SPEED_LEAST 10.0      /* m/s; slower is never wrong */
#define SPEED_END 10.0        /* times the bound: beyond sense, */
#define SPEED_END_LEAST 200.0 /* m/s, */
#define SPEED_END_MOST 1000.0 /* and so is what is faster than this */
#define LOOK_AGAIN 8          /* frames until places are read again where nothing was found */

void cab_judge_changed(cab_world *world)
{
    cab_judging *j = &world->judging;
    cab_components_free(&j->components);
    free(j->load);
    j->load = NULL;
    j->mass = j->longest = j->lightest = 0;
    j->known = j->referenced = false;
}

void cab_judge_end(cab_world *world)
{
    cab_judging *j = &world->judging;
    cab_components_free(&j->components);
    CAB_FREE(j->load, j->fed);
    *j = (cab_judging){0};
}

void cab_judge_start(cab_world *world)
{
    double stored = world->judging.stored; /* is the scene's */
    cab_judge_end(world);
    world->judging.stored = stored;
    world->judging.first_frame = world->frame;
}

static void body_name(const cab_world *world, int body, char *name, size_t size)
{
    char plain[200];
    snprintf(name, size, "something");
    if (body < 0) return;
    cab_model_body_name(world->model, body, plain, sizeof plain);
    snprintf(name, size, "%s \"%.80s\"", body < world->model->cable_count ? "cable" : "sheet", plain);
}

static void write_text(const cab_world *world, const cab_beyond *b, cab_judgement *found)
{
    char name[128];
    body_name(world, b->body, name, sizeof name);
    const cab_judged_info *info = cab_judged_info_of(b->judged);
    snprintf(found->text, sizeof found->text, "%s: %s %s, at %.4g s: %s", info->name, name, b->what,
             found->time, info->change);
}

/* True when it is the first of its kind. */
static bool find(cab_world *world, const cab_beyond *b)
{
    cab_judging *j = &world->judging;
    cab_judgement *found = &j->found[b->judged];
    bool first = !j->beyond[b->judged];
    if (first) {
        j->beyond[b->judged] = true;
        j->told[j->told_count++] = b->judged;
        *found = (cab_judgement){.judged = b->judged,
                                 .cable = b->body,
                                 .other = b->other,
                                 .frame = world->frame,
                                 .time = world->frame / world->model->settings.frame_rate,
                                 .figure = b->figure,
                                 .bound = b->bound};
        write_text(world, b, found);
    }
    if (first || b->figure > found->worst) {
        found->worst = b->figure;
        found->worst_frame = world->frame;
    }
    return first;
}

void cab_judge_note(cab_world *world, const cab_beyond *b)
{
    if (!find(world, b)) return;
    const char *text = world->judging.found[b->judged].text;
    cab_events_note(world, CAB_EVENT_WARNING, b->body, text);
    cab_world_log(world, 0, "%s", text);
}

cab_status cab_judge_stop(cab_world *world, const cab_beyond *b, cab_error *error)
{
    char name[200], text[CAB_MESSAGE_SIZE];
    int body = b->body >= 0 ? b->body : 0;
    find(world, b);
    write_text(world, b, &world->judging.found[b->judged]);
    world->judging.found[b->judged].diverged = true;
    cab_model_body_name(world->model, body, name, sizeof name);
    snprintf(text, sizeof text, "diverged in frame %d: cable \"%s\": %s", world->frame, name, b->what);
    cab_events_note(world, CAB_EVENT_DIVERGED, body, text);
    return cab_fail(error, CAB_ERROR_DIVERGED, "%s", text);
}

/* ---- what drives ---- */

/* Does a motor drive a body? */
static bool any_motor(const cab_scene *scene)
{
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].motor_most > 0) return true;
    return false;
}

/* How fast anything was led in the frame just done, m/s: holds, colliders, drums, hands. */
static void note_led(cab_world *world)
{
    cab_judging *j = &world->judging;
    const cab_model *m = world->model;
    int substeps = m->settings.substeps;
    double most = 0, all = 0, rate = m->settings.frame_rate;
    for (int k = 0; k < substeps; k++) {
        most = fmax(most, world->pace.led[k]);
        all += world->pace.led[k];
    }
    if (!j->fed && m->drum_count && CAB_NEW(j->fed, m->drum_count, NULL) == CAB_OK)
        for (int i = 0; i < m->drum_count; i++) j->fed[i] = m->drum[i].stored;
    for (int i = 0; j->fed && i < m->drum_count; i++) {
        double now = cab_drum_stored(m, &m->drum[i], world->frame / rate);
        all += fabs(now - j->fed[i]);
        most = fmax(most, fabs(now - j->fed[i]) / substeps);
        j->fed[i] = now;
    }
    j->led = fmax(j->led, most * rate * substeps);
    if (m->pull.on) {
        j->hand = fmax(j->hand, cab_vec3_distance(world->hand.from, world->hand.to) * rate);
        j->pulled += 1 / rate;
    }
    bool wind = m->has_drag && cab_vec3_length(m->settings.wind) > 0;
    bool given = m->own_place_count > 0 || m->load_count > 0 || any_motor(m->scene);
    if (all > 0 || m->pull.on || wind || given) j->driven = true;
}

void cab_judge_resume_drums(cab_world *world)
{
    cab_judging *j = &world->judging;
    const cab_model *m = world->model;
    free(j->fed);
    j->fed = NULL;
    if (world->frame == j->first_frame || m->drum_count == 0) return;
    if (CAB_NEW(j->fed, m->drum_count, NULL) != CAB_OK) return;
    double time = world->frame / m->settings.frame_rate;
    for (int i = 0; i < m->drum_count; i++) j->fed[i] = cab_drum_stored(m, &m->drum[i], time);
}

/* ---- lengths ---- */

static double stretch_bound(const cab_world *world, int body, bool end)
{
    cab_rule rule = cab_method_traits_of(world->model->settings.method)->rule;
    bool sheet = body >= world->model->cable_count;
    bool loose = rule == CAB_RULE_PROJECTED || rule == CAB_RULE_AVERAGED;
    bool winds = world->model->drum_count > 0; /* little of a segment may be off its drum */
    if (end) return sheet || loose || winds ? STRETCH_END_LOOSE : STRETCH_END;
    return sheet ? STRETCH_SHEET : loose ? STRETCH_LOOSE : STRETCH_CABLE;
}

/* The length that is off furthest where shorter, or longer, is right. False: none is known. */
static bool one_sided(cab_world *world, int *worst, double *stretch, cab_error *error)
{
    const cab_model *m = world->model;
    cab_place_speed *p = NULL;
    double sign = m->settings.length_kind == CAB_LENGTH_AT_MOST ? 1 : -1;
    *stretch = 0;
    if (cab_world_read_motion(world, &p, error)) return false;
    for (int i = 0; i < m->segment_count; i++) {
        const double *a = p[m->distance[i].a].x, *b = p[m->distance[i].b].x;
        double rest = m->distance[i].rest, x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        if (!(rest > 0)) continue;
        double off = sign * (sqrt(x * x + y * y + z * z) - rest) / rest;
        if (off > *stretch) *stretch = off, *worst = i;
    }
    free(p);
    return true;
}

static cab_status judge_stretch(cab_world *world, int worst, cab_error *error)
{
    const cab_model *m = world->model;
    double stretch = world->measures.stretch_max;
    if (!(stretch > STRETCH_CABLE) || worst < 0) return CAB_OK;
    if (m->settings.length_kind != CAB_LENGTH_EQUAL) {
        if (world->frame < world->judging.length_next) return CAB_OK;
        world->judging.length_next = world->frame + LOOK_AGAIN;
        if (!one_sided(world, &worst, &stretch, error)) return error->status;
    }
    int body = m->distance_origin[worst].body;
    double bound = stretch_bound(world, body, false), end = stretch_bound(world, body, true);
    if (!(stretch > bound)) return CAB_OK;
    double elastic = cab_judge_elastic(world, worst);
    if (!(stretch > bound + elastic)) return CAB_OK;
    char what[128];
    snprintf(what, sizeof what, "is off its length by %.3g %% somewhere (up to %.3g %% is right)",
             100 * stretch, 100 * (bound + elastic));
    cab_beyond beyond = {CAB_JUDGED_STRETCH, body, -1, stretch, bound + elastic, what};
    if (stretch > end + 3 * elastic) return cab_judge_stop(world, &beyond, error);
    cab_judge_note(world, &beyond);
    return CAB_OK;
}

/* ---- overlap and speed ---- */

static cab_status judge_overlap(cab_world *world, cab_error *error)
{
    cab_judging *j = &world->judging;
    cab_beyond beyond = {.judged = CAB_JUDGED_OVERLAP};
    char what[160];
    beyond.what = what;
    bool deep = world->measures.penetration_max > OVERLAP_MOST * world->contact.smallest_radius;
    if (!deep || world->frame < j->overlap_next) return CAB_OK;
    j->overlap_next = world->frame + LOOK_AGAIN;
    if (!cab_judge_overlap(world, OVERLAP_MOST, &beyond, error)) return CAB_OK;
    char other[128];
    if (beyond.other >= 0)
        body_name(world, beyond.other, other, sizeof other);
    else if (beyond.other < -1)
        snprintf(other, sizeof other, "%s", cab_collider_pointer(world->model, -2 - beyond.other).text);
    else
        snprintf(other, sizeof other, "something");
    snprintf(what, sizeof what, "is %.3g radii deep in %.70s (up to %.3g is right)", beyond.figure,
             beyond.other == beyond.body && beyond.body >= 0 ? "itself" : other, beyond.bound);
    cab_judge_note(world, &beyond);
    return CAB_OK;
}

static cab_status judge_speed(cab_world *world, int worst, cab_error *error)
{
    double speed = world->measures.speed_max;
    if (!(speed > SPEED_LEAST)) return CAB_OK;
    double bound = fmax(SPEED_LEAST, WHIP * cab_judge_speed(world));
    double end = fmin(fmax(SPEED_END * bound, SPEED_END_LEAST), SPEED_END_MOST);
    if (!(speed > bound) && speed < end) return CAB_OK;
    char what[128];
    snprintf(what, sizeof what, "moves at %.3g m/s (up to %.3g is right)", speed, fmin(bound, end));
    cab_beyond beyond = {
        CAB_JUDGED_SPEED, cab_model_body_of_particle(world->model, worst), -1, speed, fmin(bound, end), what};
    if (!(speed < end)) return cab_judge_stop(world, &beyond, error);
    cab_judge_note(world, &beyond);
    return CAB_OK;
}

cab_status cab_judge_frame(cab_world *world, int worst_particle, int worst_distance, cab_error *error)
{
    const cab_measures *e = &world->measures;
    if (!(e->speed_max < 1e30) || !isfinite(e->stretch_max)) {
        cab_beyond beyond = {CAB_JUDGED_SPEED,
                             cab_model_body_of_particle(world->model, worst_particle),
                             -1,
                             INFINITY,
                             SPEED_END_MOST,
                             "a position is not finite"};
        return cab_judge_stop(world, &beyond, error);
    }
    cab_status status = CAB_OK;
    if (world->frame > world->judging.first_frame) { /* what it begins with is the scene's */
        note_led(world);
        status = judge_stretch(world, worst_distance, error);
        if (status == CAB_OK) status = judge_overlap(world, error);
        if (status == CAB_OK) status = judge_speed(world, worst_particle, error);
    }
    return status == CAB_OK ? cab_judge_energy_frame(world, error) : status;
}

int cab_world_get_judgements(const cab_world *world, cab_judgement *judgements, int capacity)
{
    int count = 0;
    for (int k = 0; k < CAB_JUDGED_COUNT; k++) {
        if (!world->judging.beyond[k]) continue;
        if (count < capacity) judgements[count] = world->judging.found[k];
        count++;
    }
    return count;
}
