/* Rings that keep the wires of a bundle together: evenly along each segment, and at its fixings. */
#include "io/kbl/kbl.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"

/* wires in one tie: every two of them are a pair, so 64 in one would be 2016, in groups they are 252 */
#define GROUP 8
/* so many are looked at for the next group; more are sorted first, so that these lie side by side */
#define WINDOW 256

/* A wire where a ring goes around it. */
typedef struct member {
    const cab_kbl_walk *walk;
    double at;       /* fraction of the wire */
    cab_vec3 place;  /* as drawn, all in one plane, m */
    double radius;   /* m */
    double distance; /* for sorting, m */
} member;

static int list_members(const cab_kbl_scene *scene, const cab_kbl_walk *walks, int s, double location,
                        member *members)
{
    const cab_kbl_segment *segment = &scene->kbl->segments[s];
    int count = 0;
    for (int i = 0; i < segment->wire_count; i++) {
        const cab_kbl_walk *w = &walks[segment->wires[i]];
        int k = w->walked ? cab_kbl_index(w->route, w->count, s) : -1;
        if (k < 0) continue;
        members[count++] = (member){.walk = w,
                                    .at = cab_kbl_place_on(w, k, location),
                                    .place = cab_kbl_point_on(w, k, location),
                                    .radius = segment->discs[i].radius};
    }
    return count;
}

static int nearest_particle(const member *m)
{
    return (int)ceil(m->at * m->walk->segments - 0.5);
}

/* How far it is from the member's place, m. */
static double particle_off(const member *m)
{
    const cab_kbl_walk *w = m->walk;
    return fabs(m->at - (double)nearest_particle(m) / w->segments) * w->length;
}

/* Just wide enough for every two as they are drawn, and side by side. */
static double ring_of(const member *members, int count)
{
    double widest = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            double radii = members[i].radius + members[k].radius;
            double apart = cab_vec3_distance(members[i].place, members[k].place);
            widest = fmax(widest, fmax(apart, radii) + radii);
        }
    }
    return widest / 2;
}

/* Places by particle: a fraction would move one, and two might share it. The first cable, by which the others
 * find their particles, is the one that has a particle nearest. */
static void add_tie(cab_kbl_scene *scene, const char *name, member *members, int count)
{
    const cab_kbl_wire *wires = scene->kbl->wires;
    int first = 0;
    if (count < 2) return;
    for (int i = 1; i < count; i++)
        if (particle_off(&members[i]) < particle_off(&members[first])) first = i;
    json_t *cables = json_pack("[s]", wires[members[first].walk->wire].id);
    for (int i = 0; i < count && cables; i++)
        if (i != first) cab_kbl_append(scene, cables, json_string(wires[members[i].walk->wire].id));
    /* rounded up: as drawn, they must fit */
    double ring = ceil(ring_of(members, count) * 1e6) / 1e6;
    cab_kbl_append(scene, scene->ties,
                   json_pack("{s:s,s:o,s:{s:i},s:f}", "name", name, "cables", cables, "at", "particle",
                             nearest_particle(&members[first]), "radius", ring));
}

static cab_vec3 middle(const member *members, int count)
{
    cab_vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) sum = cab_vec3_add(sum, members[i].place);
    return cab_vec3_scale(1.0 / count, sum);
}

/* By their distance from a place; equal ones stay in order. */
static void sort_from(cab_vec3 place, member *members, int count)
{
    for (int i = 0; i < count; i++) {
        member moved = members[i];
        int k = i;
        moved.distance = cab_vec3_distance(moved.place, place);
        for (; k && members[k - 1].distance > moved.distance; k--) members[k] = members[k - 1];
        members[k] = moved;
    }
}

static int by_distance(const void *a, const void *b)
{
    const member *p = a, *q = b;
    double x = p->distance, y = q->distance;
    return x != y ? (x > y) - (x < y) : (p->walk->wire > q->walk->wire) - (p->walk->wire < q->walk->wire);
}

/* Halves what is more than a window by the direction in which it is widest, and goes on with the halves. */
static void sort_by_halves(member *members, int count)
{
    cab_vec3 centre = middle(members, count), far = centre;
    if (count <= WINDOW / 4) return;
    for (int i = 0; i < count; i++)
        if (cab_vec3_distance(members[i].place, centre) > cab_vec3_distance(far, centre))
            far = members[i].place;
    cab_vec3 along = cab_vec3_sub(far, centre);
    for (int i = 0; i < count; i++)
        members[i].distance = cab_vec3_dot(along, cab_vec3_sub(members[i].place, centre));
    qsort(members, (size_t)count, sizeof *members, by_distance);
    sort_by_halves(members, count / 2);
    sort_by_halves(members + count / 2, count - count / 2);
}

/* Wires are tied to neighbours in the cross-section, and the middle ones of the groups to each other. */
static void tie_groups(cab_kbl_scene *scene, const char *name, member *members, int count)
{
    if (count > WINDOW) sort_by_halves(members, count);
    int groups = (count + GROUP - 1) / GROUP, size = (count + groups - 1) / groups, leaders = 0;
    for (int done = 0; done < count; done += size) {
        member *group = &members[done];
        int left = count - done < WINDOW ? count - done : WINDOW, taken = left < size ? left : size;
        sort_from(middle(group, left), group, left);
        sort_from(group[left - 1].place, group, left); /* from the outermost */
        add_tie(scene, name, group, taken);
        sort_from(middle(group, taken), group, taken);
        member leader = group[0];
        group[0] = members[leaders];
        members[leaders++] = leader;
    }
    if (leaders > 1) tie_groups(scene, name, members, leaders);
}

static void add_ring(cab_kbl_scene *scene, const cab_kbl_walk *walks, int s, const char *name,
                     double location)
{
    size_t room = (size_t)scene->kbl->segments[s].wire_count;
    member *members = cab_kbl_new(scene->kbl, room, sizeof *members);
    int count = members ? list_members(scene, walks, s, location, members) : 0;
    if (count > 1) tie_groups(scene, name, members, count);
}

/* Evenly along a segment. Wires have no particles nearer than the resolution, so there is no ring in what is
 * shorter than two of these: particles of one wire would lie round the corner from those of another. */
static int rings_along(const cab_kbl_scene *scene, const cab_kbl_segment *segment)
{
    int wanted = (int)ceil(segment->rest_length / scene->options->tie_distance - 1e-9);
    return (int)fmin(wanted, floor(segment->rest_length / (2 * scene->options->resolution)));
}

void cab_kbl_tie(cab_kbl_scene *scene, const cab_kbl_walk *walks)
{
    const cab_kbl *kbl = scene->kbl;
    for (int s = 0; s < kbl->segment_count; s++) {
        const cab_kbl_segment *segment = &kbl->segments[s];
        int count = segment->path ? rings_along(scene, segment) : 0;
        for (int i = 0; i < count && !kbl->lost; i++)
            add_ring(scene, walks, s, segment->id, (i + 0.5) / count);
    }
    for (int i = 0; i < kbl->fixing_count && !kbl->lost; i++) {
        const cab_kbl_fixing *fixing = &kbl->fixings[i];
        add_ring(scene, walks, fixing->segment, fixing->name, fixing->location);
    }
}
