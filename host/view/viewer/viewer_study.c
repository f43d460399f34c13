/* A study in the plane as what is opened: its clock, its choices, its hands. */
#include <math.h>

#include <cglm/cglm.h>

#include "view/viewer/viewer_inside.h"

#define REACH 14.0f      /* pixels from a particle's middle that still count as on it */
#define LEVEL_MOST 20.0f /* pixels in the plane for one of the picture, beyond which one looks along it */

cab_status cab_viewer_open_study(cab_viewer *v, const cab_study_kind *kind, const cab_study_def *def,
                                 cab_error *error)
{
    cab_shown_study *shown = NULL;
    cab_renderer *renderer = NULL;
    cab_status status = cab_shown_study_open(kind, def, &shown, error);
    if (status) return status;
    cab_subject subject = cab_shown_study_subject(shown);
    status = cab_renderer_create(&renderer, error);
    if (!status) status = subject.kind->load(subject.self, renderer, &v->look, error);
    if (!status) status = subject.kind->update(subject.self, renderer, &v->look, error);
    if (status) {
        cab_renderer_destroy(renderer);
        cab_shown_study_close(shown);
        return status;
    }
    cab_viewer_put(v, &cab_opened_study, renderer);
    v->study = shown;
    v->subject = subject;
    return CAB_OK;
}

static void close(cab_viewer *v)
{
    cab_shown_study_close(v->study);
    v->study = NULL;
    v->line_count = 0;
}

static double rate(const cab_viewer *v)
{
    return v->study->study->rate;
}

static cab_status step(cab_viewer *v, cab_error *error)
{
    return cab_study_step(v->study->study, error);
}

static cab_status reset(cab_viewer *v, cab_error *error)
{
    cab_viewer_let_go(v);
    cab_study *study = v->study->study;
    cab_status status = study->kind->start(study, error);
    if (status) return status;
    v->inside->moved = true;
    cab_viewer_begin(v);
    return CAB_OK;
}

static cab_status measure(cab_viewer *v, cab_error *error)
{
    cab_study *study = v->study->study;
    (void)error;
    v->line_count = 0;
    while (v->line_count < CAB_VIEWER_LINES &&
           study->kind->line(study, v->line_count, v->lines[v->line_count]))
        v->line_count++;
    return CAB_OK;
}

bool cab_viewer_choice(const cab_viewer *v, int index, cab_choice *choice)
{
    return v->study && v->study->study->kind->choice(v->study->study, index, choice);
}

/* What has failed goes on only from the start. */
bool cab_viewer_choose(cab_viewer *v, int index, int value)
{
    cab_choice choice;
    cab_error error;
    if (!cab_viewer_choice(v, index, &choice)) return false;
    cab_viewer_let_go(v);
    cab_study *study = v->study->study;
    if (study->kind->choose(study, index, value, &error)) return cab_viewer_refuse(v, &error);
    v->inside->moved = true;
    if (v->failed && !choice.from_start) return cab_viewer_reset(v);
    cab_viewer_begin(v);
    return true;
}

/* Where the mouse is in the study's plane, y = 0; false where one looks along it. */
static bool in_plane(const cab_viewer *v, const float at[2], vec3 point)
{
    vec3 origin, direction;
    cab_viewer_ray(v, at, origin, direction);
    if (fabsf(direction[1]) * LEVEL_MOST < 1) return false;
    float way = -origin[1] / direction[1];
    if (way < 0 && !v->camera.orthographic) return false; /* the plane is behind the eye */
    glm_vec3_copy(origin, point);
    glm_vec3_muladds(direction, way, point);
    return true;
}

static cab_status grab(cab_viewer *v, const float at[2], bool *held, cab_error *error)
{
    cab_study *study = v->study->study;
    vec3 point;
    *held = false;
    if (!study->kind->grab) {
        cab_viewer_tell(v, false, "there is nothing to pull in scenes of \"%s\"", study->kind->key);
        return CAB_OK;
    }
    if (!in_plane(v, at, point)) return CAB_OK;
    double reach = REACH * v->scale * cab_viewer_pixel(v, point);
    cab_status status = study->kind->grab(study, (cab_vec2){point[0], point[2]}, reach, held, error);
    if (status || !*held) return status;
    glm_vec3_copy(point, v->grab.point);
    v->inside->moved = true;
    return CAB_OK;
}

static cab_status pull(cab_viewer *v, cab_error *error)
{
    if (!in_plane(v, v->inside->drag.at, v->grab.point)) return CAB_OK;
    v->inside->moved = true;
    return v->study->study->kind->pull(v->study->study, (cab_vec2){v->grab.point[0], v->grab.point[2]},
                                       error);
}

static cab_status let_go(cab_viewer *v, cab_error *error)
{
    v->inside->moved = true;
    return v->study->study->kind->let_go(v->study->study, error);
}

/* It is in the sketch. */
static bool held(cab_viewer *v, vec3 at)
{
    (void)v, (void)at;
    return false;
}

const cab_opened cab_opened_study = {
    .view = "front",
    .rate = rate,
    .step = step,
    .reset = reset,
    .measure = measure,
    .grab = grab,
    .pull = pull,
    .let_go = let_go,
    .held = held,
    .close = close,
};
