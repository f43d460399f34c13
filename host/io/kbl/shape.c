/* Paths of segments: their centre curves where length and nodes agree, else a curve of that length. */
#include "io/kbl/kbl.h"

#include <math.h>

#include "base/array.h"
#include "base/vec3.h"

enum { PER_SPAN = 64, PER_CUBIC = 256 };
#define SAGITTA 2e-5   /* m; what a path of straight pieces may be off its curve */
#define NO_LENGTH 1e-6 /* m; segments shorter than this are none */
#define ROUNDING 1e6   /* 1/m; places are written with this many steps in a metre */

/* Work on one segment: points along a curve and how far they are from its start. */
typedef struct line {
    cab_vec3 *point;
    double *arc;
    int count;
} line;

/* de Boor's algorithm in the knot span k, degree <= k < count, x in [k, k + 1]. */
static cab_vec3 de_boor(const cab_kbl_curve *curve, bool clamped, int k, double x)
{
    cab_vec3 d[CAB_KBL_DEGREE_MAX + 1];
    int p = curve->degree;
    double low = clamped ? p : -INFINITY, high = clamped ? curve->count : INFINITY;
    for (int j = 0; j <= p; j++) d[j] = curve->points[j + k - p];
    for (int r = 1; r <= p; r++) {
        for (int j = p; j >= r; j--) {
            double from = fmax(low, fmin(high, j + k - p)), to = fmax(low, fmin(high, j + 1 + k - r));
            double a = (x - from) / (to - from);
            d[j] = cab_vec3_add(cab_vec3_scale(1 - a, d[j - 1]), cab_vec3_scale(a, d[j]));
        }
    }
    return d[p];
}

static void add_point(line *l, cab_vec3 p)
{
    double step = l->count ? cab_vec3_distance(l->point[l->count - 1], p) : 0;
    l->arc[l->count] = l->count ? l->arc[l->count - 1] + step : 0;
    l->point[l->count++] = p;
}

/* All centre curves as one line; false where they do not follow each other. */
static bool draw(const cab_kbl_segment *segment, bool clamped, double gap, line *l)
{
    l->count = 0;
    for (int c = 0; c < segment->curve_count; c++) {
        const cab_kbl_curve *curve = &segment->curves[c];
        cab_vec3 first = de_boor(curve, clamped, curve->degree, curve->degree);
        if (c && cab_vec3_distance(first, l->point[l->count - 1]) > gap) return false;
        add_point(l, first);
        for (int k = curve->degree; k < curve->count; k++)
            for (int i = 1; i <= PER_SPAN; i++)
                add_point(l, de_boor(curve, clamped, k, k + (double)i / PER_SPAN));
    }
    return l->count > 1 && isfinite(l->arc[l->count - 1]);
}

/* The arc at which the line comes nearest to a point, and how near. */
static double nearest(const line *l, cab_vec3 p, double *distance)
{
    double best = 0;
    *distance = INFINITY;
    for (int i = 0; i + 1 < l->count; i++) {
        cab_vec3 along = cab_vec3_sub(l->point[i + 1], l->point[i]), to = cab_vec3_sub(p, l->point[i]);
        double square = cab_vec3_dot(along, along);
        double t = square > 0 ? fmax(0, fmin(1, cab_vec3_dot(along, to) / square)) : 0;
        double off = cab_vec3_distance(p, cab_vec3_add_scaled(l->point[i], t, along));
        if (off >= *distance) continue;
        *distance = off;
        best = l->arc[i] + t * (l->arc[i + 1] - l->arc[i]);
    }
    return best;
}

static cab_vec3 at_arc(const line *l, double arc)
{
    int low = 0, high = l->count - 1;
    while (low + 1 < high) {
        int middle = (low + high) / 2;
        if (l->arc[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    double piece = l->arc[high] - l->arc[low];
    double t = piece > 0 ? (arc - l->arc[low]) / piece : 0;
    return cab_vec3_add_scaled(l->point[low], t, cab_vec3_sub(l->point[high], l->point[low]));
}

/* The part of the line from arc `from` to `to`, turned round where it runs against that. */
static void cut(line *l, double from, double to)
{
    cab_vec3 first = at_arc(l, from), last = at_arc(l, to);
    double low = fmin(from, to), high = fmax(from, to);
    int count = 1;
    for (int i = 0; i < l->count; i++)
        if (l->arc[i] > low && l->arc[i] < high) l->point[count++] = l->point[i];
    for (int i = 1, j = count - 1; from > to && i < j; i++, j--) {
        cab_vec3 swap = l->point[i];
        l->point[i] = l->point[j];
        l->point[j] = swap;
    }
    l->point[0] = first;
    l->point[count++] = last;
    l->count = 0;
    for (int i = 0; i < count; i++) add_point(l, l->point[i]);
}

/* Moves the line so that its ends are at the nodes; what is between by its share. */
static void meet(line *l, cab_vec3 start, cab_vec3 end)
{
    double length = l->arc[l->count - 1];
    cab_vec3 first = cab_vec3_sub(start, l->point[0]), last = cab_vec3_sub(end, l->point[l->count - 1]);
    int count = l->count;
    for (int i = 0; i < count; i++) {
        double t = length > 0 ? l->arc[i] / length : (double)i / (count - 1);
        l->point[i] = cab_vec3_add_scaled(cab_vec3_add_scaled(l->point[i], 1 - t, first), t, last);
    }
    l->point[0] = start;
    l->point[count - 1] = end;
    l->count = 0;
    for (int i = 0; i < count; i++) add_point(l, l->point[i]);
}

/* Does the line, or the part of it between the nodes, agree with them and with the length? */
static bool agrees(const cab_kbl *kbl, const cab_kbl_segment *segment, const cab_kbl_options *options,
                   line *l, bool *part)
{
    double off_start, off_end;
    double from = nearest(l, kbl->nodes[segment->start].place, &off_start);
    double to = nearest(l, kbl->nodes[segment->end].place, &off_end);
    double length = fabs(to - from), whole = l->arc[l->count - 1];
    if (off_start > options->gap || off_end > options->gap || length < NO_LENGTH) return false;
    if (segment->length > 0 && fabs(length / segment->length - 1) > options->length_tolerance) return false;
    *part = whole - length > options->gap + options->length_tolerance * whole;
    cut(l, from, to);
    return true;
}

static bool take_curves(cab_kbl *kbl, const cab_kbl_segment *segment, const cab_kbl_options *options, line *l)
{
    for (int clamped = 0; clamped <= 1; clamped++) {
        bool part = false;
        if (!draw(segment, clamped, options->gap, l) || !agrees(kbl, segment, options, l, &part)) continue;
        if (part)
            cab_kbl_note(kbl, segment->line, segment->id,
                         "its centre curve goes beyond its nodes; the part between them is taken");
        return true;
    }
    cab_kbl_note(kbl, segment->line, segment->id,
                 "its centre curve does not agree with its nodes and Virtual_length; a curve of that length "
                 "between the nodes is taken");
    return false;
}

/* A cubic of Hermite between the nodes, whose end tangents have the length m. */
static void draw_cubic(line *l, cab_vec3 a, cab_vec3 b, const cab_vec3 direction[2], double m)
{
    l->count = 0;
    for (int i = 0; i <= PER_CUBIC; i++) {
        double t = (double)i / PER_CUBIC, s = 1 - t;
        cab_vec3 p = cab_vec3_scale(s * s * (1 + 2 * t), a);
        p = cab_vec3_add_scaled(p, t * t * (3 - 2 * t), b);
        p = cab_vec3_add_scaled(p, m * t * s * s, direction[0]);
        p = cab_vec3_add_scaled(p, -m * t * t * s, direction[1]);
        add_point(l, p);
    }
    l->point[0] = a;
    l->point[PER_CUBIC] = b;
}

/* Tangents of the length that makes the cubic so long; straight where the nodes are no nearer than that. */
static void draw_of_length(line *l, cab_vec3 a, cab_vec3 b, const cab_vec3 direction[2], double length)
{
    double low = 0, high = 0;
    if (cab_vec3_distance(a, b) >= length) {
        l->count = 0;
        add_point(l, a);
        add_point(l, b);
        return;
    }
    for (high = length; high < 1e3 * length; high *= 2) {
        draw_cubic(l, a, b, direction, high);
        if (l->arc[l->count - 1] >= length) break;
        low = high;
    }
    for (int i = 0; i < 60; i++) {
        double m = (low + high) / 2;
        draw_cubic(l, a, b, direction, m);
        if (l->arc[l->count - 1] < length)
            low = m;
        else
            high = m;
    }
}

/* Directions for a curve where the file has none: a little sag. */
static void guess_directions(cab_kbl *kbl, const cab_kbl_segment *segment, cab_vec3 direction[2])
{
    cab_vec3 a = kbl->nodes[segment->start].place, b = kbl->nodes[segment->end].place;
    bool missing = false;
    for (int i = 0; i < 2; i++) {
        direction[i] = segment->direction[i];
        if (cab_vec3_length(direction[i]) > 0) continue;
        cab_vec3 down = {0, 0, i ? 1 : -1};
        direction[i] = cab_vec3_unit(cab_vec3_add(cab_vec3_unit(cab_vec3_sub(b, a)), down));
        missing = true;
    }
    if (missing)
        cab_kbl_note(kbl, segment->line, segment->id,
                     "neither a curve nor Start_vector and End_vector; a sagging curve is taken");
}

static void take_nodes(cab_kbl *kbl, const cab_kbl_segment *segment, const cab_kbl_options *options, line *l)
{
    cab_vec3 a = kbl->nodes[segment->start].place, b = kbl->nodes[segment->end].place, direction[2];
    double chord = cab_vec3_distance(a, b);
    double slack = segment->length - chord * (1 - options->length_tolerance);
    if (segment->length > 0 && slack < 0)
        cab_kbl_note(kbl, segment->line, segment->id,
                     "its nodes are %.1f mm apart, further than its Virtual_length of %.1f mm; it is "
                     "straight and that long",
                     1e3 * chord, 1e3 * segment->length);
    if (segment->length > chord)
        guess_directions(kbl, segment, direction);
    else
        direction[0] = direction[1] = cab_vec3_sub(b, a);
    draw_of_length(l, a, b, direction, segment->length);
}

cab_vec3 *cab_kbl_simplify(cab_kbl *kbl, const cab_vec3 *points, int count, int *kept)
{
    bool *keep = calloc((size_t)count, sizeof *keep);
    int(*stack)[2] = calloc((size_t)count, sizeof *stack);
    int depth = 0;
    if (!keep || !stack) kbl->lost = true;
    if (!kbl->lost) stack[depth][0] = 0, stack[depth++][1] = count - 1, keep[0] = keep[count - 1] = true;
    while (depth) {
        int a = stack[--depth][0], b = stack[depth][1], worst = -1;
        cab_vec3 ends[2] = {points[a], points[b]};
        line chord = {.point = ends, .arc = (double[]){0, 1}, .count = 2};
        double most = SAGITTA, off;
        for (int i = a + 1; i < b; i++) {
            nearest(&chord, points[i], &off);
            if (off > most) most = off, worst = i;
        }
        if (worst < 0) continue;
        keep[worst] = true;
        stack[depth][0] = a, stack[depth++][1] = worst;
        stack[depth][0] = worst, stack[depth++][1] = b;
    }
    cab_vec3 *path = kbl->lost ? NULL : cab_kbl_new(kbl, (size_t)count, sizeof *path);
    *kept = 0;
    for (int i = 0; path && i < count; i++)
        if (keep[i]) path[(*kept)++] = points[i];
    CAB_FREE(keep, stack);
    return path;
}

static double round_to(double x)
{
    return nearbyint(x * ROUNDING) / ROUNDING;
}

/* Places as they will be written: what meets at a node does so to the last digit. */
int cab_kbl_round(cab_vec3 *path, int path_count)
{
    int count = 0;
    for (int i = 0; i < path_count; i++) {
        cab_vec3 p = {round_to(path[i].x), round_to(path[i].y), round_to(path[i].z)};
        bool last = i == path_count - 1;
        if (count && cab_vec3_distance(path[count - 1], p) < NO_LENGTH / 2) {
            if (!last || count == 1) continue;
            count--;
        }
        path[count++] = p;
    }
    return count;
}

double cab_kbl_length_of(const cab_vec3 *path, int count)
{
    double length = 0;
    for (int i = 1; i < count; i++) length += cab_vec3_distance(path[i - 1], path[i]);
    return length;
}

static void set_rest_length(cab_kbl *kbl, cab_kbl_segment *segment)
{
    cab_vec3 a = kbl->nodes[segment->start].place, b = kbl->nodes[segment->end].place;
    double chord = cab_vec3_distance(a, b);
    segment->rest_length = segment->length > 0 ? segment->length : segment->path_length;
    if (segment->rest_length < chord) segment->rest_length = chord;
    if (segment->length <= 0)
        cab_kbl_note(kbl, segment->line, segment->id,
                     "no Virtual_length; the length of its path is taken: %.1f mm",
                     1e3 * segment->path_length);
}

static size_t room_of(const cab_kbl_segment *segment)
{
    size_t room = PER_CUBIC + 1;
    for (int c = 0; c < segment->curve_count; c++)
        room += (size_t)(segment->curves[c].count - segment->curves[c].degree) * PER_SPAN + 1;
    return room + 2;
}

static void shape_segment(cab_kbl *kbl, cab_kbl_segment *segment, const cab_kbl_options *options)
{
    size_t room = room_of(segment);
    line l = {.point = calloc(room, sizeof *l.point), .arc = calloc(room, sizeof *l.arc)};
    if (!l.point || !l.arc) kbl->lost = true;
    if (!kbl->lost) {
        bool curves = segment->curve_count && take_curves(kbl, segment, options, &l);
        if (!curves) take_nodes(kbl, segment, options, &l);
        meet(&l, kbl->nodes[segment->start].place, kbl->nodes[segment->end].place);
        segment->path = cab_kbl_simplify(kbl, l.point, l.count, &segment->path_count);
    }
    CAB_FREE(l.point, l.arc);
    if (kbl->lost || !segment->path) return;
    segment->path_count = cab_kbl_round(segment->path, segment->path_count);
    segment->path_length = cab_kbl_length_of(segment->path, segment->path_count);
    if (segment->path_count < 2)
        segment->path = NULL;
    else
        set_rest_length(kbl, segment);
}

/* Has it two nodes with places? */
static bool has_ends(const cab_kbl *kbl, const cab_kbl_segment *segment)
{
    return segment->start >= 0 && segment->end >= 0 && kbl->nodes[segment->start].placed &&
           kbl->nodes[segment->end].placed;
}

static bool has_no_length(const cab_kbl *kbl, const cab_kbl_segment *segment)
{
    return segment->length <= NO_LENGTH &&
           cab_vec3_distance(kbl->nodes[segment->start].place, kbl->nodes[segment->end].place) < NO_LENGTH;
}

static void unite(cab_kbl *kbl, int node, int into)
{
    kbl->nodes[into].plugged |= kbl->nodes[node].plugged;
    for (int s = 0; s < kbl->segment_count; s++) {
        cab_kbl_segment *segment = &kbl->segments[s];
        if (segment->start == node) segment->start = into;
        if (segment->end == node) segment->end = into;
    }
}

static void scale_by(cab_vec3 *p, double factor)
{
    *p = cab_vec3_scale(factor, *p);
}

/* Coordinates have no unit, so lengths must tell: where all nodes seem a thousandth apart of what the
 * segments are long, they are in metres. */
static void check_scale(cab_kbl *kbl)
{
    double chords = 0, lengths = 0;
    for (int s = 0; s < kbl->segment_count; s++) {
        const cab_kbl_segment *segment = &kbl->segments[s];
        if (segment->start < 0 || segment->end < 0 || segment->length <= 0) continue;
        chords += cab_vec3_distance(kbl->nodes[segment->start].place, kbl->nodes[segment->end].place);
        lengths += segment->length;
    }
    if (chords <= 0 || chords > lengths / 200 || chords < lengths / 20000) return;
    cab_kbl_note(kbl, 0, "Cartesian_point",
                 "coordinates fit the lengths as metres only; they are taken as metres");
    for (int i = 0; i < kbl->node_count; i++) scale_by(&kbl->nodes[i].place, 1000);
    for (int i = 0; i < kbl->fixing_count; i++) scale_by(&kbl->fixings[i].place, 1000);
    for (int s = 0; s < kbl->segment_count; s++) {
        for (int c = 0; c < kbl->segments[s].curve_count; c++) {
            const cab_kbl_curve *curve = &kbl->segments[s].curves[c];
            for (int i = 0; i < curve->count; i++) scale_by(&curve->points[i], 1000);
        }
    }
}

/* Leaves out what cannot be drawn. The nodes of a segment without length are one. */
static void check_ends(cab_kbl *kbl)
{
    for (int s = 0; s < kbl->segment_count; s++) {
        cab_kbl_segment *segment = &kbl->segments[s];
        if (!has_ends(kbl, segment) || segment->start == segment->end || !has_no_length(kbl, segment))
            continue;
        cab_kbl_note(kbl, segment->line, segment->id, "it has no length; left out, its nodes are one");
        unite(kbl, segment->start, segment->end);
    }
    for (int s = 0; s < kbl->segment_count; s++) {
        cab_kbl_segment *segment = &kbl->segments[s];
        const char *fault = !has_ends(kbl, segment)
                                ? "Start_node or End_node, or the place of one, is missing"
                            : segment->start != segment->end ? NULL
                            : has_no_length(kbl, segment)    ? ""
                                                             : "it ends where it starts";
        if (!fault) continue;
        if (*fault) cab_kbl_note(kbl, segment->line, segment->id, "%s; left out", fault);
        segment->start = segment->end = -1;
    }
}

void cab_kbl_shape(cab_kbl *kbl, const cab_kbl_options *options)
{
    check_scale(kbl);
    check_ends(kbl);
    for (int s = 0; s < kbl->segment_count && !kbl->lost; s++) {
        cab_kbl_segment *segment = &kbl->segments[s];
        if (segment->start >= 0) shape_segment(kbl, segment, options);
        if (!segment->path) continue;
        kbl->nodes[segment->start].degree++;
        kbl->nodes[segment->end].degree++;
    }
}
