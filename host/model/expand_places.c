/* From what a scene calls a place ("cable a, at 0.5") to the model's cables and nodes. */
#include "model/expand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rows.h"

static cab_status check_particle(const cab_scene *scene, const char *pointer, cab_place place, int last,
                                 cab_error *error)
{
    if (place.kind != CAB_PLACE_PARTICLE || (place.particle >= 0 && place.particle <= last)) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/particle: expected an integer from 0 to %d, got %d",
                    scene->source, pointer, last, place.particle);
}

/* The node of a sheet that a place names. */
static cab_status place_on_sheet(const cab_scene *scene, const char *pointer, cab_place place, int sheet,
                                 const cab_sheet *net, int *node, cab_error *error)
{
    const int *count = scene->sheets[sheet].count;
    if (place.kind == CAB_PLACE_CORNER) {
        *node =
            (place.particle & 1 ? count[0] - 1 : 0) + (place.particle & 2 ? count[0] * (count[1] - 1) : 0);
        if (count[0] > 0) return CAB_OK;
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %s/corner: expected {\"particle\": i}: only rectangles have corners",
                        scene->source, pointer);
    }
    *node = place.particle;
    return check_particle(scene, pointer, place, net->point_count - 1, error);
}

/* The inner node that is nearest to a fraction as segments were divided; ties towards the start. */
static int nearest_node(const cab_sampled *cable, double f)
{
    int n = cable->segments - cable->stored;
    int best = (int)ceil(f * n - 0.5); /* where they are equal */
    if (cable->drawn) {
        int before = cab_row_at(cable->drawn, 1, n, f);
        best = f - cable->drawn[before] <= cable->drawn[before + 1] - f ? before : before + 1;
    }
    return cable->before + (best < 1 ? 1 : best > n - 1 ? n - 1 : best);
}

/* The node that a place names. A fraction takes the nearest inner particle and moves it there. */
cab_status cab_place_node(const cab_scene *scene, const char *pointer, cab_place place, cab_sampled *cable,
                          int *node, cab_error *error)
{
    int n = cable->segments;
    switch (place.kind) {
    case CAB_PLACE_START:
        *node = 0;
        return CAB_OK;
    case CAB_PLACE_END:
        *node = n;
        return CAB_OK;
    case CAB_PLACE_PARTICLE:
        *node = place.particle;
        return check_particle(scene, pointer, place, n, error);
    case CAB_PLACE_FRACTION:
    case CAB_PLACE_CORNER: /* never on a cable: cab_check_attachment */
        break;
    }
    double f = place.fraction;
    if (f <= 0 || f >= 1) {
        *node = f <= 0 ? 0 : n;
        return CAB_OK;
    }
    if (n - cable->stored < 2) {
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: %s: a cable of one segment has no particle between its ends; give it more segments",
            scene->source, pointer);
    }
    int best = nearest_node(cable, f);
    if (cable->placed[best] && fabs(cable->fraction[best] - f) > 1e-9) {
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: %s: place %g and place %g share the nearest particle; give the cable more segments",
            scene->source, pointer, f, cable->fraction[best]);
    }
    cable->placed[best] = true;
    cable->fraction[best] = f;
    *node = best;
    return CAB_OK;
}

#define ON_PARTICLE 1e-9 /* of a segment: what rounding leaves of a place that is a particle's */

cab_status cab_place_between(const cab_scene *scene, const char *pointer, cab_place place,
                             const cab_sampled *cable, int *segment, double *part, cab_error *error)
{
    int last = cable->segments;
    double f = place.fraction, at = place.kind == CAB_PLACE_END ? last : 0;
    cab_status status = check_particle(scene, pointer, place, last, error);
    if (status != CAB_OK) return status;
    if (place.kind == CAB_PLACE_PARTICLE) at = place.particle;
    if (place.kind == CAB_PLACE_FRACTION && f >= 1) at = last;
    if (place.kind == CAB_PLACE_FRACTION && f > 0 && f < 1) {
        int low = 0, high = last; /* fraction[low] <= f < fraction[high] */
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (cable->fraction[middle] <= f)
                low = middle;
            else
                high = middle;
        }
        at = low + (f - cable->fraction[low]) / (cable->fraction[high] - cable->fraction[low]);
        if (fabs(at - nearbyint(at)) < ON_PARTICLE) at = nearbyint(at);
    }
    *segment = at < last ? (int)at : last - 1;
    *part = at - *segment;
    return CAB_OK;
}

cab_status cab_find_cable(const cab_scene *scene, const char *pointer, const char *name, int *cable,
                          int copy[3], cab_error *error)
{
    copy[0] = -1;
    *cable = cab_scene_find_cable(scene, name);
    if (*cable >= 0) return CAB_OK;
    int at[3];
    size_t length;
    char *base = cab_name_split_copy(name, &length, at) ? strndup(name, length) : NULL;
    if (base) *cable = cab_scene_find_cable(scene, base);
    free(base);
    if (*cable >= 0) {
        const int *count = scene->cables[*cable].copies;
        for (int i = 0; i < 3; i++) {
            if (at[i] >= 0 && at[i] < count[i]) continue;
            return cab_fail(error, CAB_ERROR_INPUT, "%s: %s: expected a copy up to [%d,%d,%d], got \"%s\"",
                            scene->source, pointer, count[0] - 1, count[1] - 1, count[2] - 1, name);
        }
        memcpy(copy, at, sizeof at);
        return CAB_OK;
    }
    return cab_fail_unknown(error, scene->source, pointer, "cable", name, scene->cables,
                            sizeof *scene->cables, scene->cable_count);
}

static cab_status find_on_sheet(const cab_scene *scene, const cab_sampled *sampled, const char *pointer,
                                const char *name, cab_place place, cab_found *found, cab_error *error)
{
    char at[256];
    int sheet = cab_scene_find_sheet(scene, name);
    if (sheet < 0)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/sheet: no sheet is called \"%s\"", scene->source,
                        pointer, name);
    const cab_sampled *s = &sampled[scene->cable_count + sheet];
    *found = (cab_found){.scene_body = scene->cable_count + sheet, .first = s->first_body, .count = 1};
    snprintf(at, sizeof at, "%s/at", pointer);
    return place_on_sheet(scene, at, place, sheet, s->net, &found->node, error);
}

cab_status cab_find_on_cable(const cab_scene *scene, cab_sampled *sampled, const char *pointer,
                             const char *place_key, const char *name, cab_place place, cab_found *found,
                             cab_error *error)
{
    char at[256];
    int copy[3];
    snprintf(at, sizeof at, "%s/cable", pointer);
    cab_status status = cab_find_cable(scene, at, name, &found->scene_body, copy, error);
    if (status != CAB_OK) return status;
    const cab_cable_def *def = &scene->cables[found->scene_body];
    cab_sampled *cable = &sampled[found->scene_body];
    found->one_copy = copy[0] >= 0;
    found->first = cable->first_body + (found->one_copy ? cab_copy_index(def, copy) : 0);
    found->count = found->one_copy ? 1 : cab_copy_count(def);
    snprintf(at, sizeof at, "%s/%s", pointer, place_key);
    return cab_place_node(scene, at, place, cable, &found->node, error);
}

cab_status cab_find_place(const cab_scene *scene, cab_sampled *sampled, const char *pointer, bool of_sheet,
                          const char *name, cab_place place, cab_found *found, cab_error *error)
{
    if (of_sheet) return find_on_sheet(scene, sampled, pointer, name, place, found, error);
    return cab_find_on_cable(scene, sampled, pointer, "at", name, place, found, error);
}
