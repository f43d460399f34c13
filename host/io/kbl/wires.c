/* A cable per wire, laid along its route, each at its place in the bundles' cross-sections. */
#include "io/kbl/kbl.h"

#include <math.h>
#include <stdio.h>

#include "base/vec3.h"

#define SAMPLE 0.25 /* of the resolution: how far apart a path's points are before it is simplified */
#define FIXING_COMPLIANCE 1e-3 /* m/N; a clip's grip on one wire of a bundle */
#define CHANGE 0.4      /* share of a segment, at most, over which a wire changes its place at a node */
#define LENGTH_OFF 0.01 /* share by which a wire's own length may differ from its route's */

/* Segments of the route at a node. */
static int degree_in_route(const cab_kbl_walk *w, int node)
{
    int degree = 0;
    for (int i = 0; i < w->count; i++) {
        const cab_kbl_segment *segment = &w->kbl->segments[w->route[i]];
        degree += (segment->start == node) + (segment->end == node);
    }
    return degree;
}

/* Where it begins: an end of the route, of its first segment if that has one. */
static int find_first(const cab_kbl_walk *w)
{
    for (int i = 0; i < w->count; i++) {
        const cab_kbl_segment *segment = &w->kbl->segments[w->route[i]];
        if (degree_in_route(w, segment->start) == 1) return segment->start;
        if (degree_in_route(w, segment->end) == 1) return segment->end;
    }
    return -1;
}

/* Puts the route into order, whatever that of the file; false where it has gaps, branches or no ends. */
static bool order(cab_kbl_walk *w)
{
    int node = w->first_node = find_first(w);
    for (int done = 0; done < w->count; done++) {
        int next = done;
        while (next < w->count) {
            const cab_kbl_segment *segment = &w->kbl->segments[w->route[next]];
            if (segment->start == node || segment->end == node) break;
            next++;
        }
        if (next == w->count) return false;
        int segment = w->route[next];
        w->route[next] = w->route[done];
        w->route[done] = segment;
        const cab_kbl_segment *passed = &w->kbl->segments[segment];
        w->back[done] = passed->start != node;
        node = passed->start == node ? passed->end : passed->start;
        if (degree_in_route(w, node) > 2) return false;
    }
    w->last_node = node;
    return degree_in_route(w, node) == 1;
}

static void measure(cab_kbl_walk *w)
{
    for (int k = 0; k < w->count; k++) {
        const cab_kbl_segment *segment = &w->kbl->segments[w->route[k]];
        int i = 0;
        w->length += segment->rest_length;
        while (segment->wires[i] != w->wire) i++;
        w->disc[k] = &segment->discs[i];
    }
}

static cab_vec3 offset_at(const cab_kbl_walk *w, int k, const cab_kbl_frame *frame)
{
    return cab_vec3_add(cab_vec3_scale(w->disc[k]->x, frame->x), cab_vec3_scale(w->disc[k]->y, frame->y));
}

/* The offset where the walk enters (or leaves) step k. */
static cab_vec3 offset_of_end(const cab_kbl_walk *w, int k, bool leaving)
{
    const cab_kbl_segment *segment = &w->kbl->segments[w->route[k]];
    bool last = w->back[k] != leaving;
    return offset_at(w, k, &segment->frames[last ? segment->path_count - 1 : 0]);
}

/* Half way between the places that it has before and after the node. */
static cab_vec3 offset_at_node(const cab_kbl_walk *w, int k, bool leaving)
{
    int other = leaving ? k + 1 : k - 1;
    cab_vec3 here = offset_of_end(w, k, leaving);
    if (other < 0 || other == w->count) return here;
    return cab_vec3_scale(0.5, cab_vec3_add(here, offset_of_end(w, other, !leaving)));
}

/* 0 to 1 with no kink at either end. */
static double smooth(double t)
{
    t = fmax(0, fmin(1, t));
    return t * t * (3 - 2 * t);
}

/* The walk's point on step k at the arc s from where it enters. */
static cab_vec3 point_at(const cab_kbl_walk *w, int k, double s, const cab_vec3 ends[2])
{
    const cab_kbl_segment *segment = &w->kbl->segments[w->route[k]];
    double arc = w->back[k] ? segment->path_length - s : s, rest = arc;
    int i = 0;
    double piece = cab_vec3_distance(segment->path[0], segment->path[1]);
    while (i + 2 < segment->path_count && rest > piece) {
        rest -= piece;
        i++;
        piece = cab_vec3_distance(segment->path[i], segment->path[i + 1]);
    }
    double t = fmax(0, fmin(1, rest / piece));
    cab_vec3 a = offset_at(w, k, &segment->frames[i]), b = offset_at(w, k, &segment->frames[i + 1]);
    cab_vec3 offset = cab_vec3_add(cab_vec3_scale(1 - t, a), cab_vec3_scale(t, b));
    double zone = fmin(CHANGE * segment->path_length, 4 * segment->radius + 0.01);
    double in = smooth(s / zone), out = smooth((segment->path_length - s) / zone);
    offset = cab_vec3_add(cab_vec3_scale(in * out, offset), cab_vec3_scale(1 - in, ends[0]));
    offset = cab_vec3_add_scaled(offset, 1 - out, ends[1]);
    cab_vec3 centre =
        cab_vec3_add_scaled(segment->path[i], t, cab_vec3_sub(segment->path[i + 1], segment->path[i]));
    return cab_vec3_add(centre, offset);
}

cab_vec3 cab_kbl_point_on(const cab_kbl_walk *w, int k, double location)
{
    cab_vec3 ends[2] = {offset_at_node(w, k, false), offset_at_node(w, k, true)};
    double share = w->back[k] ? 1 - location : location;
    return point_at(w, k, share * w->kbl->segments[w->route[k]].path_length, ends);
}

static int samples_of(const cab_kbl_scene *scene, const cab_kbl_segment *segment)
{
    return (int)fmax(4, fmin(1e6, ceil(segment->path_length / (SAMPLE * scene->options->resolution))));
}

/* Its path, and where on it each step begins. */
static cab_vec3 *draw(cab_kbl_scene *scene, cab_kbl_walk *w, int *count)
{
    cab_kbl *kbl = scene->kbl;
    size_t room = 1;
    for (int k = 0; k < w->count; k++) room += (size_t)samples_of(scene, &kbl->segments[w->route[k]]);
    cab_vec3 *points = cab_kbl_new(kbl, room, sizeof *points);
    int made = 0;
    for (int k = 0; k < w->count && points; k++) {
        const cab_kbl_segment *segment = &kbl->segments[w->route[k]];
        int samples = samples_of(scene, segment);
        cab_vec3 ends[2] = {offset_at_node(w, k, false), offset_at_node(w, k, true)};
        for (int i = k ? 1 : 0; i <= samples; i++)
            points[made++] = point_at(w, k, segment->path_length * i / samples, ends);
        w->begin[k + 1] = cab_kbl_length_of(points, made);
    }
    cab_vec3 *path = points ? cab_kbl_simplify(kbl, points, made, count) : NULL;
    if (path) *count = cab_kbl_round(path, *count);
    return path;
}

double cab_kbl_place_on(const cab_kbl_walk *w, int k, double location)
{
    double at = w->back[k] ? 1 - location : location;
    double length = w->begin[k + 1] - w->begin[k];
    return nearbyint((w->begin[k] + at * length) / w->begin[w->count] * 1e6) / 1e6;
}

/* Fractions of the wire at which fixings of its segments are, from its start. */
static int list_places(const cab_kbl_walk *w, double *places, const cab_kbl_fixing **fixings)
{
    const cab_kbl *kbl = w->kbl;
    int count = 0;
    for (int k = 0; k < w->count; k++) {
        for (int n = 0; n < kbl->fixing_count; n++) {
            const cab_kbl_fixing *fixing = &kbl->fixings[w->back[k] ? kbl->fixing_count - 1 - n : n];
            if (fixing->segment != w->route[k]) continue;
            double place = cab_kbl_place_on(w, k, fixing->location);
            if (count && (place - places[count - 1]) * w->length < CAB_KBL_APART) continue;
            fixings[count] = fixing;
            places[count++] = place;
        }
    }
    return count;
}

static void check_length(cab_kbl *kbl, const cab_kbl_wire *wire, double length)
{
    if (wire->length > 0 && fabs(wire->length / length - 1) > LENGTH_OFF)
        cab_kbl_note(kbl, wire->line, wire->id,
                     "its Length_information says %.1f mm, its route %.1f mm, which is taken",
                     1e3 * wire->length, 1e3 * length);
}

/* A wire's end is held where its node is. */
static void hold_end(cab_kbl_scene *scene, const cab_kbl_wire *wire, int node, bool last, cab_vec3 out)
{
    const cab_kbl_node *n = &scene->kbl->nodes[node];
    if (n->held) cab_kbl_hold_end(scene, n, wire->id, last, out, n->wire_ends);
}

static void lay(cab_kbl_scene *scene, cab_kbl_walk *w)
{
    cab_kbl *kbl = scene->kbl;
    const cab_kbl_wire *wire = &kbl->wires[w->wire];
    int count = 0;
    cab_vec3 *path = draw(scene, w, &count);
    double *places = cab_kbl_new(kbl, (size_t)kbl->fixing_count, sizeof *places);
    const cab_kbl_fixing **fixings = cab_kbl_new(kbl, (size_t)kbl->fixing_count, sizeof *fixings);
    if (!path || !places || !fixings || count < 2) return;
    check_length(kbl, wire, w->length);
    int place_count = list_places(w, places, fixings);
    const char *material =
        cab_kbl_material(scene, *wire->part_id ? wire->part_id : wire->id,
                         &(cab_kbl_properties){.radius = wire->diameter / 2,
                                               .linear_density = wire->mass,
                                               .bending_stiffness = wire->bending_stiffness,
                                               .min_bend_radius = wire->bend_radius});
    w->segments = cab_kbl_add_cable(scene, wire->id, material, path, count, w->length, places, place_count,
                                    &w->wire, 1);
    hold_end(scene, wire, w->first_node, false, cab_vec3_sub(path[1], path[0]));
    hold_end(scene, wire, w->last_node, true, cab_vec3_sub(path[count - 2], path[count - 1]));
    for (int i = 0; i < place_count; i++)
        cab_kbl_hold_fixing(scene, fixings[i], wire->id, places[i], FIXING_COMPLIANCE,
                            kbl->segments[fixings[i]->segment].wire_count);
}

static bool drawn(const cab_kbl *kbl, const cab_kbl_wire *wire)
{
    for (int i = 0; i < wire->route_count; i++)
        if (!kbl->segments[wire->route[i]].path) return false;
    return wire->route_count > 0;
}

/* The route in order; false, and a note, where it cannot be walked. */
static bool walk_wire(cab_kbl *kbl, int wire, cab_kbl_walk *w)
{
    const cab_kbl_wire *about = &kbl->wires[wire];
    size_t count = (size_t)about->route_count;
    *w = (cab_kbl_walk){.kbl = kbl, .wire = wire, .count = about->route_count};
    w->route = cab_kbl_new(kbl, count, sizeof *w->route);
    w->back = cab_kbl_new(kbl, count, sizeof *w->back);
    w->begin = cab_kbl_new(kbl, count + 1, sizeof *w->begin);
    w->disc = cab_kbl_new(kbl, count, sizeof *w->disc);
    if (kbl->lost || !count) return false;
    for (int k = 0; k < w->count; k++) w->route[k] = about->route[k];
    if (!drawn(kbl, about)) {
        cab_kbl_note(kbl, about->line, about->id, "routed through a segment that is left out; left out");
        return false;
    }
    if (!order(w)) {
        cab_kbl_note(kbl, about->line, about->id, "its route has a gap or branches; left out");
        return false;
    }
    measure(w);
    return true;
}

void cab_kbl_add_wires(cab_kbl_scene *scene)
{
    cab_kbl *kbl = scene->kbl;
    cab_kbl_walk *walks = cab_kbl_new(kbl, (size_t)kbl->wire_count, sizeof *walks);
    for (int i = 0; i < kbl->wire_count && !kbl->lost; i++) {
        walks[i].walked = walk_wire(kbl, i, &walks[i]);
        if (!walks[i].walked) continue;
        kbl->nodes[walks[i].first_node].wire_ends++;
        kbl->nodes[walks[i].last_node].wire_ends++;
    }
    for (int i = 0; i < kbl->wire_count && !kbl->lost; i++)
        if (walks[i].walked) lay(scene, &walks[i]);
    if (!kbl->lost && scene->options->tie_distance > 0) cab_kbl_tie(scene, walks);
}
