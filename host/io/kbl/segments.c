/* A cable per segment: a bundle. */
#include "io/kbl/kbl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

#define LEAST_SLACK 1e-3 /* of a length between two holds; its tension is 6 times its weight then */
#define LEAST_SHARE 1e-5 /* of a segment: what lies on less than that is not listed; places have six digits */
#define STRAIGHT 0.866   /* cos 30 deg; a bundle that turns by less at a node runs through */

/* One end of a segment. */
typedef struct end {
    int segment;
    bool last;    /* its end, not its start */
    cab_vec3 out; /* away from the node */
} end;

static json_t *name_end(bool last)
{
    return json_string(last ? "end" : "start");
}

/* Thickest first, then as in the file. */
static int compare_ends(const cab_kbl *kbl, const end *a, const end *b)
{
    double p = kbl->segments[a->segment].radius, q = kbl->segments[b->segment].radius;
    if (p != q) return p > q ? -1 : 1;
    return a->segment - b->segment;
}

static void sort_ends(const cab_kbl *kbl, end *ends, int count)
{
    for (int i = 1; i < count; i++) {
        end moved = ends[i];
        int k = i;
        for (; k && compare_ends(kbl, &moved, &ends[k - 1]) < 0; k--) ends[k] = ends[k - 1];
        ends[k] = moved;
    }
}

/* Which of the thicker ends at the node this bundle runs on into; -1 = it does not. */
static int runs_into(const cab_kbl *kbl, const end *ends, int k)
{
    int best = -1, most = 0;
    for (int i = 0; i < k; i++) {
        if (cab_vec3_dot(ends[i].out, ends[k].out) > -STRAIGHT) continue;
        const cab_kbl_segment *a = &kbl->segments[ends[i].segment], *b = &kbl->segments[ends[k].segment];
        /* where wires are not known, directions tell */
        int shared = a->wire_count || b->wire_count ? cab_kbl_shared_wires(a, b) : 1;
        if (shared > most) most = shared, best = i;
    }
    return best;
}

static void join(cab_kbl_scene *scene, const end *from, const end *to, bool clamp)
{
    const cab_kbl_segment *segments = scene->kbl->segments;
    json_t *place = json_pack("{s:s,s:o}", "cable", segments[to->segment].id, "at", name_end(to->last));
    if (!place) scene->kbl->lost = true;
    cab_kbl_join(scene, segments[from->segment].id, name_end(from->last), place, clamp);
}

/* Joins what meets at a node, and holds it where the node is held. */
static void tie_node(cab_kbl_scene *scene, int node, end *ends, int count)
{
    cab_kbl *kbl = scene->kbl;
    sort_ends(kbl, ends, count);
    if (kbl->nodes[node].held)
        cab_kbl_hold_end(scene, &kbl->nodes[node], kbl->segments[ends[0].segment].id, ends[0].last,
                         ends[0].out, 1);
    for (int k = 1; k < count; k++) {
        int into = runs_into(kbl, ends, k);
        join(scene, &ends[k], &ends[into < 0 ? 0 : into], into >= 0);
    }
}

static int list_ends(const cab_kbl *kbl, int node, end *ends)
{
    int count = 0;
    for (int s = 0; s < kbl->segment_count; s++) {
        const cab_kbl_segment *segment = &kbl->segments[s];
        const cab_vec3 *path = segment->path;
        int n = segment->path_count;
        if (!path) continue;
        if (segment->start == node)
            ends[count++] = (end){s, false, cab_vec3_unit(cab_vec3_sub(path[1], path[0]))};
        if (segment->end == node)
            ends[count++] = (end){s, true, cab_vec3_unit(cab_vec3_sub(path[n - 2], path[n - 1]))};
    }
    return count;
}

static void tie_nodes(cab_kbl_scene *scene)
{
    cab_kbl *kbl = scene->kbl;
    for (int node = 0; node < kbl->node_count; node++) {
        if (!kbl->nodes[node].degree) continue;
        end *ends = cab_kbl_new(kbl, (size_t)kbl->nodes[node].degree, sizeof *ends);
        if (!ends) return;
        tie_node(scene, node, ends, list_ends(kbl, node, ends));
    }
}

/* Lies a part of it straight between two of its holds? Without slack a cable that cannot stretch bears its weight by a tension without
 * bound, and rounding decides. fixings: their places, fractions, increasing. */
static bool is_straight_between_holds(const cab_kbl *kbl, const cab_kbl_segment *segment,
                                      const double *fixings, int count)
{
    double before = kbl->nodes[segment->start].held ? 0 : NAN;
    for (int i = 0; i <= count; i++) {
        bool last = i == count;
        double at = last ? 1 : fixings[i];
        if (last && !kbl->nodes[segment->end].held) break;
        double chord = cab_vec3_distance(cab_kbl_place_of(segment, before), cab_kbl_place_of(segment, at));
        if (chord > (1 - LEAST_SLACK) * (at - before) * segment->rest_length) return true; /* not with NAN */
        before = at;
    }
    return false;
}

/* With the six digits that count, large ones too. */
static json_t *rounded(double value)
{
    double unit = value >= 1e6 ? pow(10, floor(log10(value)) - 5) : 1;
    return value >= 1e5 ? json_real(nearbyint(value / unit) * unit) : cab_kbl_number(value);
}

static json_t *three(const cab_kbl_stiffness *of)
{
    return json_pack("[o,o,o]", rounded(of->sliding), rounded(of->bonded), rounded(of->taken));
}

/* A row of the cable's table of what it is made of. */
static void add_row(cab_kbl_scene *scene, json_t *rows, const char *part, const cab_kbl_row *row)
{
    json_t *object = json_pack("{s:s,s:o,s:o}", "part", part, "bending", three(&row->bending), "stretching",
                               three(&row->stretching));
    if (object && row->count != 1) cab_kbl_set(scene, object, "count", json_integer(row->count));
    if (object && (row->from > 0 || row->to < 1)) {
        cab_kbl_set(scene, object, "from", cab_kbl_number(row->from));
        cab_kbl_set(scene, object, "to", cab_kbl_number(row->to));
    }
    cab_kbl_append(scene, rows, object);
}

static void add_rows(cab_kbl_scene *scene, const cab_kbl_segment *segment)
{
    json_t *rows = json_array(), *cable = json_array_get(scene->cables, json_array_size(scene->cables) - 1);
    cab_kbl_row whole = {.count = 1, .to = 1, .bending = segment->bending, .stretching = segment->stretching};
    add_row(scene, rows, "bundle", &whole);
    for (int i = 0; i < segment->row_count; i++) {
        const cab_kbl_row *row = &segment->rows[i];
        if (row->to - row->from < LEAST_SHARE) continue;
        size_t room = strlen(row->kind) + strlen(row->name) + 2;
        char *part = cab_kbl_new(scene->kbl, room, 1);
        if (!part) break;
        snprintf(part, room, "%s%s%s", row->kind, *row->name ? " " : "", row->name);
        add_row(scene, rows, part, row);
    }
    cab_kbl_set(scene, cable, "bundle", rows);
}

static void add_segment(cab_kbl_scene *scene, int s)
{
    cab_kbl *kbl = scene->kbl;
    const cab_kbl_segment *segment = &kbl->segments[s];
    double *places = cab_kbl_new(kbl, (size_t)kbl->fixing_count, sizeof *places);
    double *holds = cab_kbl_new(kbl, (size_t)kbl->fixing_count, sizeof *holds);
    int count = 0, hold_count = 0;
    if (!places || !holds) return;
    for (int i = 0; i < kbl->fixing_count; i++) {
        if (kbl->fixings[i].segment != s) continue;
        places[count++] = kbl->fixings[i].location;
        if (!kbl->fixings[i].let_go) holds[hold_count++] = kbl->fixings[i].location;
    }
    bool stretches = segment->stretches || is_straight_between_holds(kbl, segment, holds, hold_count);
    const char *material = cab_kbl_material(
        scene, segment->id,
        &(cab_kbl_properties){segment->radius, segment->linear_density, segment->bending.taken,
                              segment->min_bend_radius, stretches ? segment->stretching.taken : 0});
    cab_kbl_add_cable(scene, segment->id, material, segment->path, segment->path_count, segment->rest_length,
                      places, count, segment->wires, segment->wire_count);
    if (!kbl->lost) add_rows(scene, segment);
}

void cab_kbl_add_segments(cab_kbl_scene *scene)
{
    cab_kbl *kbl = scene->kbl;
    for (int s = 0; s < kbl->segment_count && !kbl->lost; s++)
        if (kbl->segments[s].path) add_segment(scene, s);
    if (!kbl->lost) tie_nodes(scene);
    for (int i = 0; i < kbl->fixing_count && !kbl->lost; i++) {
        const cab_kbl_fixing *fixing = &kbl->fixings[i];
        cab_kbl_hold_fixing(scene, fixing, kbl->segments[fixing->segment].id, fixing->location, 0, 1);
    }
}
