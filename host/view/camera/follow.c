#include "view/camera/follow.h"

#include <math.h>
#include <string.h>

#include <cglm/cglm.h>

#define SOFTNESS 0.5 /* s of the scene's time after which a third of a soft movement is left */
/* To each side of what is there now the picture may show so many halves of its size for what was there. */
#define ROOM 2.0f
/* The camera goes so many times farther away than it must, at most: then what flies away takes it along. */
#define FARTHEST 2.5f

/* A camera as a fit sees it: its eye on the axes of the picture, how far ahead the eye is (parallel: minus the distance that
 * gives the picture its size), and the depth of its target. Cameras that see all the points of a fit are a convex set in
 * these numbers, so what lies between two of them is one, too. */
enum { RIGHT, UP, AHEAD, DEPTH, NUMBERS };

static void numbers_of(const cab_camera *camera, const cab_framing *fit, float to[NUMBERS])
{
    to[RIGHT] = glm_vec3_dot((float *)camera->target, (float *)fit->right);
    to[UP] = glm_vec3_dot((float *)camera->target, (float *)fit->up);
    to[DEPTH] = glm_vec3_dot((float *)camera->target, (float *)fit->forward);
    to[AHEAD] = (fit->orthographic ? 0 : to[DEPTH]) - camera->distance;
}

static void put(const float numbers[NUMBERS], const cab_framing *fit, cab_camera *camera)
{
    glm_vec3_scale((float *)fit->right, numbers[RIGHT], camera->target);
    glm_vec3_muladds((float *)fit->up, numbers[UP], camera->target);
    glm_vec3_muladds((float *)fit->forward, numbers[DEPTH], camera->target);
    camera->distance = fmaxf((fit->orthographic ? 0 : numbers[DEPTH]) - numbers[AHEAD], CAB_CAMERA_NEAREST);
}

static float fitting(const cab_framing *fit)
{
    return fminf(cab_framing_meeting(&fit->x), cab_framing_meeting(&fit->y));
}

/* Moves an eye into the limits of an axis, which must not have met there. */
static float within(const cab_framing_axis *axis, float ahead, float place)
{
    return fmaxf(fminf(place, axis->most - axis->below * ahead), axis->least + axis->above * ahead);
}

/* How far away a camera must be to see all, m; not less than if what there is were turned, so that what is seen end on counts for
 * as large as it is. */
static float size_of(const cab_framing *fit)
{
    float depth = fit->orthographic ? 0 : (fit->nearest + fit->farthest) / 2;
    return fmaxf(depth - fitting(fit), (fit->farthest - fit->nearest) / (fit->y.below + fit->y.above));
}

/* The camera nearest to `from` that sees all, and from not too far away: back or ahead as far as it must go, then aside. */
static void hold(const cab_framing *fit, const float from[NUMBERS], float to[NUMBERS])
{
    float nearest = fitting(fit), farthest = nearest - FARTHEST * size_of(fit);
    to[AHEAD] = fminf(fmaxf(from[AHEAD], farthest), nearest);
    to[RIGHT] = within(&fit->x, to[AHEAD], from[RIGHT]);
    to[UP] = within(&fit->y, to[AHEAD], from[UP]);
    to[DEPTH] = fmaxf(fminf(from[DEPTH], fit->farthest), fit->nearest);
}

static void remember_axis(cab_framing_axis *seen, const cab_framing_axis *now, float room)
{
    seen->least = fminf(fmaxf(seen->least, now->least), now->least + room * now->above);
    seen->most = fmaxf(fminf(seen->most, now->most), now->most - room * now->below);
}

static void remember(cab_framing *seen, const cab_framing *now)
{
    float room = ROOM * size_of(now);
    remember_axis(&seen->x, &now->x, room);
    remember_axis(&seen->y, &now->y, room);
    seen->nearest = now->nearest;
    seen->farthest = now->farthest;
}

static bool is_same_axis(const cab_framing_axis *a, const cab_framing_axis *b)
{
    return a->above == b->above && a->below == b->below;
}

static bool is_same_view(const cab_framing *a, const cab_framing *b)
{
    return a->orthographic == b->orthographic && is_same_axis(&a->x, &b->x) && is_same_axis(&a->y, &b->y) &&
           memcmp(a->forward, b->forward, sizeof a->forward) == 0;
}

void cab_follow_begin(cab_follow *f, const cab_framing *now)
{
    f->last = f->seen = *now;
}

void cab_follow_step(cab_follow *f, const cab_framing *now, double seconds, cab_camera *camera)
{
    if (cab_framing_is_empty(now) || !isfinite(fitting(now))) return;
    if (!is_same_view(&f->last, now) || cab_framing_is_empty(&f->last)) cab_follow_begin(f, now);
    float from[NUMBERS], before[NUMBERS], after[NUMBERS], fitted[NUMBERS], to[NUMBERS];
    float share = (float)(1 - exp(-seconds / SOFTNESS));
    cab_camera best = *camera;
    numbers_of(camera, now, from);
    hold(&f->last, from, before);
    hold(now, from, after);
    remember(&f->seen, now);
    cab_framing_end(&f->seen, &best);
    numbers_of(&best, now, fitted);
    for (int i = 0; i < NUMBERS; i++) {
        to[i] = from[i] + (after[i] - before[i]) + share * (before[i] - from[i]);
        to[i] += share * (fitted[i] - to[i]);
    }
    put(to, now, camera);
    f->last = *now;
}
