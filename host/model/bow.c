/* Cable that is longer than the straight line it lies on has no direction to go: it is laid on an arc first. */
#include "model/net.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"

/* A run is straight when it strays from its chord by less than this share of the sag that it needs. */
#define STRAIGHT 0.02
/* A chord below this share of the length has no direction. */
#define CLOSED 1e-9
#define BISECTIONS 100

/* Links in a row; particle[i] and particle[i + 1] are the ends of link[i]. */
typedef struct run {
    int *particle, *link, count;
    double length; /* at rest, m */
    double worst;  /* largest relative length error */
} run;

static bool is_anchor(const cab_net *net, int particle)
{
    return !cab_net_free(net, particle) || cab_net_degree(net, particle) != 2;
}

/* From `start` through `link` to the next anchor. */
static void walk(const cab_net *net, int start, int link, run *path, bool *visited)
{
    path->count = 0;
    path->length = path->worst = 0;
    path->particle[0] = start;
    for (int here = start;;) {
        const cab_link *item = &net->links[link];
        int there = item->a == here ? item->b : item->a;
        double actual = cab_vec3_distance(net->position[here], net->position[there]);
        path->worst = fmax(path->worst, fabs(actual - item->rest) / item->rest);
        path->length += item->rest;
        path->link[path->count++] = link;
        path->particle[path->count] = there;
        visited[net->link_slot[link]] = true;
        if (is_anchor(net, there)) return;
        const int *pair = net->incident + net->first[there];
        link = pair[0] == link ? pair[1] : pair[0];
        here = there;
    }
}

/* Half the angle of the arc with this chord and length: sin(h) / h = chord / length. */
static double half_angle(double chord, double length)
{
    double ratio = chord / length, low = 0, high = acos(-1);
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high);
        if (sin(middle) > ratio * middle)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* The unit vector along the run's chord; for a closed run along its widest part, 0 when all is in one place.
 */
static cab_vec3 run_axis(const cab_net *net, const run *path, double chord)
{
    cab_vec3 start = net->position[path->particle[0]];
    if (chord > CLOSED * path->length)
        return cab_vec3_unit(cab_vec3_sub(net->position[path->particle[path->count]], start));
    cab_vec3 widest = {0, 0, 0};
    for (int i = 1; i < path->count; i++) {
        cab_vec3 reach = cab_vec3_sub(net->position[path->particle[i]], start);
        if (cab_vec3_length(reach) > cab_vec3_length(widest)) widest = reach;
    }
    return cab_vec3_unit(widest);
}

static double straying(const cab_net *net, const run *path, cab_vec3 axis)
{
    cab_vec3 start = net->position[path->particle[0]];
    double most = 0;
    for (int i = 1; i < path->count; i++) {
        cab_vec3 reach = cab_vec3_sub(net->position[path->particle[i]], start);
        most = fmax(most, cab_vec3_length(cab_vec3_reject(reach, axis)));
    }
    return most;
}

/* The direction of the bow: `down` at right angles to the axis, or any normal. */
static cab_vec3 bow_normal(cab_vec3 down, cab_vec3 axis)
{
    cab_vec3 normal = cab_vec3_reject(down, axis);
    if (cab_vec3_length(normal) > 1e-6) return cab_vec3_unit(normal);
    return cab_vec3_any_normal(axis);
}

static void lay_taut(const cab_net *net, const run *path)
{
    cab_vec3 start = net->position[path->particle[0]];
    cab_vec3 chord = cab_vec3_sub(net->position[path->particle[path->count]], start);
    double along = 0;
    for (int i = 1; i < path->count; i++) {
        along += net->links[path->link[i - 1]].rest;
        net->position[path->particle[i]] = cab_vec3_add_scaled(start, along / path->length, chord);
    }
}

/* Places the run on the arc of half angle h: lengths along it are right, chords of links nearly so. */
static void lay_arc(const cab_net *net, const run *path, double h, cab_vec3 axis, cab_vec3 normal)
{
    cab_vec3 start = net->position[path->particle[0]];
    double radius = path->length / (2 * h), along = 0;
    for (int i = 1; i < path->count; i++) {
        along += net->links[path->link[i - 1]].rest;
        double angle = (2 * along / path->length - 1) * h;
        double forward = radius * (sin(angle) + sin(h));
        double aside = 2 * radius * sin(0.5 * (h + angle)) * sin(0.5 * (h - angle));
        cab_vec3 place = cab_vec3_add_scaled(start, forward, axis);
        net->position[path->particle[i]] = cab_vec3_add_scaled(place, aside, normal);
    }
}

static bool bow_if_straight(const cab_net *net, const run *path, double chord)
{
    double h = half_angle(chord, path->length);
    double sag = path->length / (2 * h) * (1 - cos(h));
    cab_vec3 axis = run_axis(net, path, chord);
    if (straying(net, path, axis) > STRAIGHT * sag) return false;
    cab_vec3 normal = bow_normal(net->down, axis);
    if (chord <= CLOSED * path->length) {
        /* a full circle: hang it down, whatever the axis was */
        normal = cab_vec3_length(net->down) > 0 ? net->down : normal;
        axis = cab_vec3_any_normal(normal);
    }
    lay_arc(net, path, h, axis, normal);
    return true;
}

/* Ends that Newton leaves in place. */
static bool ends_stay(const cab_net *net, const run *path, bool junctions)
{
    int a = path->particle[0], b = path->particle[path->count];
    if (!junctions) return !cab_net_free(net, a) && !cab_net_free(net, b);
    return (!cab_net_free(net, a) || cab_net_degree(net, a) > 1) &&
           (!cab_net_free(net, b) || cab_net_degree(net, b) > 1);
}

static bool treat_run(const cab_net *net, const run *path, bool junctions)
{
    if (path->count < 2 || path->worst <= CAB_LENGTH_TOLERANCE || !ends_stay(net, path, junctions))
        return false;
    cab_vec3 a = net->position[path->particle[0]], b = net->position[path->particle[path->count]];
    double chord = cab_vec3_distance(a, b);
    if (path->length - chord > CAB_LENGTH_TOLERANCE * path->length) return bow_if_straight(net, path, chord);
    if (junctions) return false;
    lay_taut(net, path);
    return true;
}

static void treat_runs(const cab_component *component, bool junctions, run *path, bool *visited, int *changed)
{
    const cab_net *net = component->net;
    for (int i = 0; i < component->link_count; i++) {
        int link = component->links[i];
        int ends[2] = {net->links[link].a, net->links[link].b};
        for (int e = 0; e < 2 && !visited[i]; e++) {
            if (!is_anchor(net, ends[e])) continue;
            walk(net, ends[e], link, path, visited);
            if (treat_run(net, path, junctions)) ++*changed;
        }
    }
}

cab_status cab_bow_runs(const cab_component *component, bool junctions, int *changed, cab_error *error)
{
    size_t count = (size_t)component->link_count;
    run path = {.particle = malloc((count + 1) * sizeof(int)), .link = malloc((count + 1) * sizeof(int))};
    bool *visited = calloc(count + 1, sizeof *visited);
    *changed = 0;
    cab_status status = CAB_OK;
    if (path.particle && path.link && visited)
        treat_runs(component, junctions, &path, visited, changed);
    else
        status = cab_fail_memory(error, "initial lengths", 2 * count * sizeof(int));
    CAB_FREE(path.particle, path.link, visited);
    return status;
}
