/* Cross-sections: where wires lie in a bundle, how thick, heavy and stiff it is. docs/harness.md has the
 * rules and their sources. */
#include "io/kbl/kbl.h"

#include <math.h>

#include "base/vec3.h"

#define PI 3.14159265358979323846
#define COPPER_MODULUS 1.1e11 /* Pa */
#define COPPER_DENSITY 8960.0 /* kg/m^3 */
#define COVER_MODULUS 5e7     /* Pa; soft PVC at small strains */
#define COVER_DENSITY 1350.0  /* kg/m^3 */
#define STRANDS_FILL 0.78     /* copper's share of the circle round its strands */
#define DIAMETER_RATIO 1.8    /* of a wire, over that of a solid conductor of its area */
#define BUNDLE_FILL 0.7       /* wires' share of a bundle's area, where they are not known */
static const double usual_area = 5e-7, usual_diameter = 1.6e-3, usual_mass = 6e-3; /* FLRY-B 0.5 mm^2 */
static const double usual_bundle = 5e-3; /* m; diameter of what has neither wires nor an area */

/* Strands of FLRY-B wires by their conductor's area (ISO 19642). */
static double strand_diameter(double area)
{
    return area <= 1e-6 ? 0.2e-3 : area <= 2.5e-6 ? 0.25e-3 : area <= 6e-6 ? 0.3e-3 : 0.4e-3;
}

/* Strands that slip, and a tube of insulation about them. */
static double wire_stiffness(const cab_kbl_wire *wire)
{
    double strand = strand_diameter(wire->area), inner = sqrt(4 * wire->area / (PI * STRANDS_FILL));
    double tube = pow(wire->diameter, 4) - pow(fmin(inner, wire->diameter), 4);
    return COPPER_MODULUS * wire->area * strand * strand / 16 + COVER_MODULUS * PI / 64 * tube;
}

/* Conductor and insulation side by side. */
static double wire_stretching(const cab_kbl_wire *wire)
{
    double outside = PI / 4 * wire->diameter * wire->diameter;
    return COPPER_MODULUS * wire->area + COVER_MODULUS * fmax(0, outside - wire->area / STRANDS_FILL);
}

static double wire_mass(const cab_kbl_wire *wire)
{
    double outside = PI / 4 * wire->diameter * wire->diameter;
    return COPPER_DENSITY * wire->area + COVER_DENSITY * fmax(0, outside - wire->area / STRANDS_FILL);
}

/* Fills in what the file does not say. */
static void complete_wire(cab_kbl *kbl, cab_kbl_wire *wire, const json_t *measured)
{
    bool no_area = wire->area <= 0, no_diameter = wire->diameter <= 0, no_mass = wire->mass <= 0;
    if (no_area && no_diameter)
        wire->area = usual_area, wire->diameter = usual_diameter;
    else if (no_area)
        wire->area = PI / 4 * pow(wire->diameter / DIAMETER_RATIO, 2);
    else if (no_diameter)
        wire->diameter = DIAMETER_RATIO * sqrt(4 * wire->area / PI);
    if (PI / 4 * wire->diameter * wire->diameter < wire->area) {
        cab_kbl_note(
            kbl, wire->line, wire->id,
            "its conductor of %.2f mm^2 does not go into its diameter of %.2f mm; the diameter is taken",
            1e6 * wire->area, 1e3 * wire->diameter);
        wire->area = PI / 4 * pow(wire->diameter / DIAMETER_RATIO, 2);
    }
    if (no_mass) wire->mass = wire_mass(wire);
    wire->bending_stiffness = wire_stiffness(wire);
    wire->stretching_stiffness = wire_stretching(wire);
    const char *const names[] = {wire->id, wire->part, wire->part_id};
    cab_kbl_measured(measured, names, 3, &wire->bending_stiffness, &wire->stretching_stiffness);
    if (no_area || no_diameter)
        cab_kbl_note(kbl, wire->line, wire->id, "no %s; %.2f mm and %.2f mm^2 of copper are assumed",
                     no_diameter ? "Outside_diameter" : "Cross_section_area", 1e3 * wire->diameter,
                     1e6 * wire->area);
    if (no_mass)
        cab_kbl_note(kbl, wire->line, wire->id, "no mass per length; %.2f g/m are assumed", 1e3 * wire->mass);
}

static cab_vec3 tangent(const cab_kbl_segment *segment, int i)
{
    int from = i ? i - 1 : 0, to = i + 1 < segment->path_count ? i + 1 : i;
    return cab_vec3_unit(cab_vec3_sub(segment->path[to], segment->path[from]));
}

/* The frame turned by the least rotation so that it goes along `along`: two reflections, of which the first,
 * at the plane across the frame, leaves x and y alone. Where it would be half a turn, so does the other. */
static cab_kbl_frame turn(cab_kbl_frame frame, cab_vec3 along)
{
    cab_vec3 sum = cab_vec3_add(frame.along, along);
    double square = cab_vec3_dot(sum, sum);
    cab_kbl_frame turned = {.along = along, .x = frame.x, .y = frame.y};
    if (square > 1e-12) {
        turned.x = cab_vec3_add_scaled(frame.x, -2 * cab_vec3_dot(sum, frame.x) / square, sum);
        turned.y = cab_vec3_add_scaled(frame.y, -2 * cab_vec3_dot(sum, frame.y) / square, sum);
    }
    turned.x = cab_vec3_unit(cab_vec3_reject(turned.x, along));
    turned.y = cab_vec3_unit(cab_vec3_reject(cab_vec3_reject(turned.y, along), turned.x));
    return turned;
}

/* Frames of a segment, from that at one end. */
static void carry_frames(cab_kbl_segment *segment, bool from_end, cab_kbl_frame frame)
{
    int last = segment->path_count - 1;
    for (int i = 0; i <= last; i++) {
        int k = from_end ? last - i : i;
        segment->frames[k] = frame = turn(frame, tangent(segment, k));
    }
}

static bool ends_at(const cab_kbl_segment *segment, int node)
{
    return segment->path && (segment->start == node || segment->end == node);
}

/* Out of a node into the segment. */
static cab_vec3 way_out(const cab_kbl_segment *segment, int node)
{
    bool at_start = segment->start == node;
    cab_vec3 along = tangent(segment, at_start ? 0 : segment->path_count - 1);
    return at_start ? along : cab_vec3_scale(-1, along);
}

/* A wire that comes from another segment at the node comes in on that one's side. */
static void come_in(const cab_kbl *kbl, const cab_kbl_segment *segment, int node, double reach, int wire,
                    cab_kbl_disc *disc)
{
    const cab_kbl_wire *w = &kbl->wires[wire];
    const cab_kbl_frame *frame = &segment->frames[segment->start == node ? 0 : segment->path_count - 1];
    for (int i = 0; i < w->route_count; i++) {
        const cab_kbl_segment *other = &kbl->segments[w->route[i]];
        if (other == segment || !ends_at(other, node)) continue;
        cab_vec3 out = way_out(other, node);
        disc->x = (reach + disc->radius) * cab_vec3_dot(out, frame->x);
        disc->y = (reach + disc->radius) * cab_vec3_dot(out, frame->y);
    }
}

/* Wires of a segment are in the order of the file. */
static int find_wire(const cab_kbl_segment *segment, int wire)
{
    int first = 0, end = segment->wire_count;
    while (first < end) {
        int half = first + (end - first) / 2;
        if (segment->wires[half] < wire)
            first = half + 1;
        else
            end = half;
    }
    return first < segment->wire_count && segment->wires[first] == wire ? first : -1;
}

/* Frames and discs of a segment that goes on from another one at a node; from = NULL: the first. */
static void place_wires(cab_kbl *kbl, cab_kbl_segment *segment, const cab_kbl_segment *from, int node)
{
    cab_vec3 along = tangent(segment, 0);
    cab_kbl_frame frame = {.along = along, .x = cab_vec3_any_normal(along)};
    frame.y = cab_vec3_cross(along, frame.x);
    if (from) {
        bool at_start = segment->start == node;
        frame = from->frames[from->start == node ? 0 : from->path_count - 1];
        frame.along = cab_vec3_scale(-1, way_out(from, node));
        frame = turn(frame, way_out(segment, node));
        frame.along = at_start ? frame.along : cab_vec3_scale(-1, frame.along);
    }
    carry_frames(segment, from && segment->start != node, frame);
    for (int i = 0; i < segment->wire_count; i++) {
        cab_kbl_disc *disc = &segment->discs[i];
        disc->radius = kbl->wires[segment->wires[i]].diameter / 2;
        int before = from ? find_wire(from, segment->wires[i]) : -1;
        if (before >= 0)
            *disc = from->discs[before];
        else if (from)
            come_in(kbl, segment, node, from->radius, segment->wires[i], disc);
    }
    segment->radius = cab_kbl_pack(segment->discs, segment->wire_count);
    if (segment->radius < 0) kbl->lost = true;
}

/* kg/m of tapes and tubes, where they lie over a part of the segment their share. */
static double weigh_covers(const cab_kbl_segment *segment)
{
    double mass = 0;
    for (int i = 0; i < segment->cover_count; i++)
        mass += (segment->covers[i].to - segment->covers[i].from) * segment->covers[i].mass;
    return mass;
}

static void weigh_wires(const cab_kbl *kbl, cab_kbl_segment *segment)
{
    for (int i = 0; i < segment->wire_count; i++) {
        const cab_kbl_wire *wire = &kbl->wires[segment->wires[i]];
        segment->linear_density += wire->mass;
        if (wire->bend_radius > 0)
            segment->min_bend_radius =
                fmax(segment->min_bend_radius,
                     wire->bend_radius + hypot(segment->discs[i].x, segment->discs[i].y));
    }
}

/* A bundle of unknown wires is filled with usual ones. */
static double fill_area(cab_kbl *kbl, cab_kbl_segment *segment)
{
    double area = segment->area > 0 ? segment->area : PI / 4 * usual_bundle * usual_bundle;
    double count = fmax(1, BUNDLE_FILL * area / (PI / 4 * usual_diameter * usual_diameter));
    cab_kbl_wire usual = {.area = usual_area, .diameter = usual_diameter};
    segment->linear_density += count * usual_mass;
    segment->usual = (cab_kbl_usual){count, wire_stiffness(&usual), wire_stretching(&usual)};
    cab_kbl_note(kbl, segment->line, segment->id, "no routed wire%s; %.0f wires of 0.5 mm^2 are assumed",
                 segment->area > 0 ? "" : ", no area", count);
    return sqrt(area / PI);
}

/* The radius of the wires: as the file has the area, where they go into it, else as they are packed. */
static double choose_radius(cab_kbl *kbl, const cab_kbl_segment *segment)
{
    double packed = segment->radius, wires = 0;
    for (int i = 0; i < segment->wire_count; i++) wires += PI * pow(segment->discs[i].radius, 2);
    if (segment->area <= 0)
        cab_kbl_note(kbl, segment->line, segment->id, "no cross-section; its wires make %.1f mm",
                     2e3 * packed);
    else if (wires > segment->area)
        cab_kbl_note(
            kbl, segment->line, segment->id,
            "wires of %.1f mm^2 in a cross-section of %.1f mm^2; its wires make %.1f mm, these are taken",
            1e6 * wires, 1e6 * segment->area, 2e3 * packed);
    return wires <= segment->area ? sqrt(segment->area / PI) : packed;
}

static void finish_segment(cab_kbl *kbl, int s, const cab_kbl_options *options)
{
    cab_kbl_segment *segment = &kbl->segments[s];
    segment->linear_density = weigh_covers(segment);
    weigh_wires(kbl, segment);
    double radius = segment->wire_count ? choose_radius(kbl, segment) : fill_area(kbl, segment);
    cab_kbl_make_of(kbl, s, radius, options);
}

/* The way through the harness: each segment goes on from the one that it shares most wires with, of those
 * placed before (R. Prim, 1957). */
typedef struct walk {
    int *shared; /* [segments] wires shared with `from`; -1 = no neighbour is placed yet, -2 = placed */
    int *from, *node;
} walk;

int cab_kbl_shared_wires(const cab_kbl_segment *a, const cab_kbl_segment *b)
{
    int count = 0;
    for (int i = 0, j = 0; i < a->wire_count && j < b->wire_count;) {
        int p = a->wires[i], q = b->wires[j];
        count += p == q;
        i += p <= q;
        j += q <= p;
    }
    return count;
}

static void look_around(const cab_kbl *kbl, walk *w, int placed)
{
    const cab_kbl_segment *a = &kbl->segments[placed];
    for (int s = 0; s < kbl->segment_count; s++) {
        const cab_kbl_segment *b = &kbl->segments[s];
        bool at_start = ends_at(b, a->start);
        if (w->shared[s] == -2 || (!at_start && !ends_at(b, a->end))) continue;
        int shared = cab_kbl_shared_wires(a, b);
        if (shared <= w->shared[s]) continue;
        w->shared[s] = shared;
        w->from[s] = placed;
        w->node[s] = at_start ? a->start : a->end;
    }
}

/* The next to be placed: the one that shares most; of a new part of the harness that with most wires. */
static int choose(const cab_kbl *kbl, const walk *w)
{
    int best = -1;
    for (int s = 0; s < kbl->segment_count; s++) {
        if (!kbl->segments[s].path || w->shared[s] == -2) continue;
        if (best < 0 || w->shared[s] > w->shared[best] ||
            (w->shared[s] == w->shared[best] && w->shared[s] < 0 &&
             kbl->segments[s].wire_count > kbl->segments[best].wire_count))
            best = s;
    }
    return best;
}

static void place_all(cab_kbl *kbl, walk *w)
{
    for (int s = 0; s < kbl->segment_count; s++) {
        cab_kbl_segment *segment = &kbl->segments[s];
        w->shared[s] = -1;
        segment->frames = cab_kbl_new(kbl, (size_t)segment->path_count, sizeof *segment->frames);
        segment->discs = cab_kbl_new(kbl, (size_t)segment->wire_count, sizeof *segment->discs);
        if (kbl->lost) return;
    }
    for (int s; (s = choose(kbl, w)) >= 0;) {
        const cab_kbl_segment *from = w->shared[s] >= 0 ? &kbl->segments[w->from[s]] : NULL;
        place_wires(kbl, &kbl->segments[s], from, from ? w->node[s] : -1);
        w->shared[s] = -2;
        look_around(kbl, w, s);
    }
}

void cab_kbl_bundle(cab_kbl *kbl, const cab_kbl_options *options)
{
    size_t count = (size_t)kbl->segment_count;
    for (int i = 0; i < kbl->wire_count; i++)
        if (kbl->wires[i].route_count) complete_wire(kbl, &kbl->wires[i], options->stiffness);
    walk w = {.shared = cab_kbl_new(kbl, count, sizeof *w.shared),
              .from = cab_kbl_new(kbl, count, sizeof *w.from),
              .node = cab_kbl_new(kbl, count, sizeof *w.node)};
    if (kbl->lost) return;
    place_all(kbl, &w);
    for (int s = 0; s < kbl->segment_count && !kbl->lost; s++)
        if (kbl->segments[s].path) finish_segment(kbl, s, options);
}
