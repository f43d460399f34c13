/* Cables that are divided into segments by lengths, or so that particles are at given places: where these are, what they weigh, and that
 * it is the same cable: an elastica comes out as with equal ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define LINEAR 0.05 /* kg/m, of wire_of() */

static cab_error error;

enum { SEGMENTS_MOST = 64 };

static cab_scene *empty_scene(cab_method method, int substeps, double stiffness, double damping)
{
    cab_scene *scene = scene_of(substeps);
    cab_material_def wire = wire_of("wire", 0.002, stiffness);
    wire.damping = damping;
    cab_scene_settings(scene)->method = method;
    add_material(scene, wire);
    return scene;
}

static cab_cable_def metre(const char *name, int segments)
{
    static const cab_vec3 ends[2] = {{0, 0, 0}, {1, 0, 0}};
    return straight_of(name, "wire", ends, segments);
}

/* ---- where particles are ---- */

/* The arcs of the only cable of a scene. */
static int arcs_of(cab_scene *scene, double *arc)
{
    cab_world *world = take(scene, "native", 1);
    int nodes = cab_world_get_info(world).nodes;
    assert_in_range(nodes, 2, SEGMENTS_MOST + 1);
    cab_world_get_arcs(world, arc);
    cab_world_destroy(world);
    return nodes;
}

/* What lengths are off by is taken up by all; a tolerance of the length scales them. Floats are not in it: 1e-12 m. */
static void lengths_are_as_given(void **state)
{
    (void)state;
    const double lengths[3] = {0.2, 0.3005, 0.5}, at[4] = {0, 0.2 / 1.0005, 0.5005 / 1.0005, 1};
    double arc[SEGMENTS_MOST + 1];
    cab_scene *scene = empty_scene(CAB_METHOD_DIRECT, 20, 0, 0);
    cab_cable_def cable = metre("a", 0);
    cable.division = (cab_division_def){.lengths = lengths, .length_count = 3};
    cable.length_tolerance = 0.5;
    add_cable(scene, cable);
    assert_int_equal(arcs_of(scene, arc), 4);
    for (int i = 0; i < 4; i++) near_to(arc[i], 1.5 * at[i], 1e-12);
}

typedef struct share_case {
    int segments; /* 0 = not given */
    double places[6];
    int place_count;
    int nodes;
    double longest, shortest; /* m */
} share_case;

/* Particles are at all places, and no way to share the segments out has a shorter longest one. */
static void particles_are_at_places(void **state)
{
    (void)state;
    static const share_case cases[] = {
        {4, {0.5}, 1, 5, 0.25, 0.25},
        {8, {0.22}, 1, 9, 0.13, 0.11},       /* 2 and 6; 1 and 7 would be the way whose shortest is longest */
        {10, {0.33}, 1, 11, 0.11, 0.67 / 7}, /* 3 of 0.11, 7 of 0.0957 */
        {4, {0.1, 0.2, 0.3}, 3, 5, 0.7, 0.1}, /* no more than there must be */
        {5, {0.1, 0.4, 0.7}, 3, 6, 0.3, 0.1}, /* one of three longest parts is halved, not the first part */
        {6, {0, 0.25, 0.5, 0.75, 1}, 5, 7, 0.25, 0.125}, /* two of four equal parts are halved */
        {11, {0.04, 0.5}, 2, 12, 0.1, 0.04},    /* 1, 5, 5: by rounding 0.44 too many would be before 0.04 */
        {0, {0.001}, 1, 51, 0.999 / 49, 0.001}, /* one per 20 mm */
        {7, {1 / 7.0, 2 / 7.0, 6 / 7.0}, 3, 8, 1 / 7.0, 1 / 7.0}, /* as if equal */
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const share_case *c = &cases[k];
        double arc[SEGMENTS_MOST + 1], longest = 0, shortest = 1;
        cab_scene *scene = empty_scene(CAB_METHOD_XPBD, 20, 0, 0);
        cab_cable_def cable = metre("a", c->segments);
        cable.division = (cab_division_def){.places = c->places, .place_count = c->place_count};
        add_cable(scene, cable);
        int nodes = arcs_of(scene, arc);
        assert_int_equal(nodes, c->nodes);
        for (int i = 0; i < c->place_count; i++) {
            double nearest = 1;
            for (int n = 0; n < nodes; n++) nearest = fmin(nearest, fabs(arc[n] - c->places[i]));
            at_most(nearest, 1e-12);
        }
        for (int n = 1; n < nodes; n++) {
            shortest = fmin(shortest, arc[n] - arc[n - 1]);
            longest = fmax(longest, arc[n] - arc[n - 1]);
        }
        near_to(longest, c->longest, 1e-12);
        near_to(shortest, c->shortest, 1e-12);
    }
}

/* A fraction takes the particle that is nearest as segments were divided. */
static void fractions_take_the_nearest(void **state)
{
    (void)state;
    const double lengths[4] = {0.1, 0.1, 0.1, 0.7};
    double arc[SEGMENTS_MOST + 1];
    cab_scene *scene = empty_scene(CAB_METHOD_DIRECT, 20, 0, 0);
    cab_cable_def cable = metre("a", 0);
    cable.division = (cab_division_def){.lengths = lengths, .length_count = 4};
    add_cable(scene, cable);
    hang_weight(scene, "a", at_fraction(0.6), 0);  /* the last inner one */
    hang_weight(scene, "a", at_fraction(0.14), 0); /* the first */
    assert_int_equal(arcs_of(scene, arc), 5);
    const double expected[5] = {0, 0.14, 0.2, 0.6, 1};
    for (int i = 0; i < 5; i++) near_to(arc[i], expected[i], 1e-12);
}

/* ---- what moves ---- */

/* A hanging cable that is thrown, of 16 segments of which two particles are not where they would be if these were equal: moved there by
 * loads of nothing, which has always been possible, or divided so. */
static cab_world *thrown(const char *device, cab_method method, cab_way way, bool divided)
{
    cab_scene *scene = empty_scene(method, 20, method == CAB_METHOD_PBD ? 0 : 1e-4, 0.1);
    cab_scene_settings(scene)->way = way;
    if (method == CAB_METHOD_SPRINGS) cab_scene_settings(scene)->springs.stiffness = 100;
    cab_cable_def cable = metre("a", 16);
    double lengths[16];
    for (int i = 0; i < 16; i++) lengths[i] = 1 / 16.0;
    lengths[3] = 0.26 - 3 / 16.0;
    lengths[4] = 5 / 16.0 - 0.26;
    lengths[11] = 0.74 - 11 / 16.0;
    lengths[12] = 13 / 16.0 - 0.74;
    if (divided) cable.division = (cab_division_def){.lengths = lengths, .length_count = 16};
    cable.velocity = (cab_vec3){0, 0.5, 1};
    cable.copies[1] = 3;
    cable.spacing[1] = 0.5;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, method == CAB_METHOD_DIRECT || method == CAB_METHOD_XPBD);
    hang_weight(scene, "a", at_fraction(0.26), 0);
    hang_weight(scene, "a", at_fraction(0.74), 0);
    return take(scene, device, 1);
}

static void it_moves_as_if_particles_had_been_moved(void **state)
{
    (void)state;
    static const struct {
        cab_method method;
        cab_way way;
    } runs[] = {{CAB_METHOD_DIRECT, CAB_WAY_STAGED},   {CAB_METHOD_DIRECT, CAB_WAY_LANES},
                {CAB_METHOD_XPBD, CAB_WAY_COLOURED},   {CAB_METHOD_XPBD, CAB_WAY_LANES},
                {CAB_METHOD_XPBD, CAB_WAY_CHUNKS},     {CAB_METHOD_PBD, CAB_WAY_COLOURED},
                {CAB_METHOD_SPRINGS, CAB_WAY_COLOURED}};
    for (int k = 0; k < COUNT_OF(runs); k++) {
        cab_world *moved = thrown("native", runs[k].method, runs[k].way, false),
                  *divided = thrown("native", runs[k].method, runs[k].way, true);
        step(moved, 10);
        step(divided, 10);
        at_most(difference(moved, divided), 1e-6); /* lengths differ in the last bit of a double */
        cab_world_destroy(moved);
        cab_world_destroy(divided);
    }
}

/* Half of each neighbour is a particle's: a segment of a cable that hangs bears what is below it, and half of itself. Tensions of a rest
 * are floats. */
static void segments_bear_what_hangs_below(void **state)
{
    (void)state;
    const double lengths[6] = {0.05, 0.3, 0.1, 0.1, 0.4, 0.05}, g = 9.81;
    cab_scene *scene = empty_scene(CAB_METHOD_DIRECT, 20, 0, 0);
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 0}, {0, 0, -1}}, 0);
    cable.division = (cab_division_def){.lengths = lengths, .length_count = 6};
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = take(scene, "native", 1);
    cab_equilibrium rest;
    must(cab_world_settle(world, NULL, &rest, &error), &error);
    assert_true(rest.settled);
    snapshot s = read_world(world);
    double below = 1;
    for (int i = 0; i < 6; i++) {
        below -= lengths[i];
        near_to(s.tension[i], LINEAR * g * (below + lengths[i] / 2), 1e-6 * LINEAR * g);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
}

/* ---- the same cable however it is divided ---- */

/* A weightless rod of 1 m, clamped level, that bears P = 5 EI/L^2 at its tip: by Runge-Kutta shooting, as in tests/validation/tip_load.c. */
#define REACH 0.612372
#define DROP 0.713792

typedef enum kind { EQUAL, ALTERNATING, GROWING, STEPPED } kind;

static void weigh(kind k, int segments, double *lengths)
{
    double sum = 0;
    for (int i = 0; i < segments; i++) {
        lengths[i] = k == ALTERNATING ? 1 + i % 2
                     : k == GROWING   ? pow(4, (double)i / (segments - 1))
                     : k == STEPPED   ? (i < segments / 2 ? 1 : 2)
                                      : 1;
        sum += lengths[i];
    }
    for (int i = 0; i < segments; i++) lengths[i] /= sum;
}

/* How far reach and drop are off after 3 s, in which damping of 7 1/s leaves exp(-10) of what moved. */
static double elastica_error(const char *device, cab_method method, cab_way way, int segments, kind k)
{
    const double stiffness = 0.05;
    double lengths[SEGMENTS_MOST];
    bool iterates = method == CAB_METHOD_XPBD;
    cab_scene *scene = empty_scene(method, iterates ? 4 * segments : 20, stiffness, 7);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_scene_settings(scene)->iterations = iterates ? 3 * segments / 8 : 1;
    cab_scene_settings(scene)->way = way;
    cab_cable_def cable = metre("a", 0);
    weigh(k, segments, lengths);
    cable.division = (cab_division_def){.lengths = lengths, .length_count = segments};
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, true);
    cab_load_def load = load_at("a", at_end());
    load.force = (cab_vec3){0, 0, -5 * stiffness};
    add_load(scene, load);
    snapshot s = snapshot_after(take(scene, device, 1), 180);
    double off = fmax(fabs(s.x[segments][0] / REACH - 1), fabs(-s.x[segments][2] / DROP - 1));
    snapshot_free(&s);
    return off;
}

/* The error goes with the square of the segments: a quarter at twice as many, a third with what rounding and iterations add. Divided
 * unequally the longest segments count: 1.33, 1.85 and 1.33 times as long as equal ones, so at most 3.5 times equal ones' 0.26 %. */
static void bends(const char *device, cab_method method, cab_way way)
{
    for (int k = EQUAL; k <= STEPPED; k++) {
        double coarse = elastica_error(device, method, way, 16, (kind)k),
               fine = elastica_error(device, method, way, 32, (kind)k);
        at_most(coarse, k == EQUAL ? 0.003 : 0.009);
        at_most(fine, coarse / 3);
    }
}

static void an_elastica_is_the_same_by_direct(void **state)
{
    (void)state;
    bends("native", CAB_METHOD_DIRECT, CAB_WAY_STAGED);
    bends("native", CAB_METHOD_DIRECT, CAB_WAY_LANES);
}

static void and_by_xpbd(void **state)
{
    (void)state;
    bends("native", CAB_METHOD_XPBD, CAB_WAY_COLOURED);
}

static void and_on_opencl(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    bends("opencl", CAB_METHOD_DIRECT, CAB_WAY_LANES);
    bends("opencl", CAB_METHOD_XPBD, CAB_WAY_COLOURED);
}

/* Cables of one length and number of segments that are divided differently share tiles of the way lanes. */
static cab_scene *mixed(cab_way way)
{
    cab_scene *scene = empty_scene(CAB_METHOD_DIRECT, 20, 1e-3, 0.5);
    cab_scene_settings(scene)->way = way;
    for (int i = 0; i < 8; i++) {
        char name[8];
        double lengths[12];
        snprintf(name, sizeof name, "c%d", i);
        cab_cable_def cable = metre(name, 0);
        const cab_vec3 path[2] = {{0, 0.2 * i, 0}, {1, 0.2 * i, 0}};
        cable.path = path;
        weigh((kind)(i % 4), 12, lengths);
        cable.division = (cab_division_def){.lengths = lengths, .length_count = 12};
        add_cable(scene, cable);
        hold(scene, name, (cab_place){0}, i & 4);
    }
    return scene;
}

static void lanes_take_mixed_divisions(void **state)
{
    (void)state;
    lanes_near_stages(mixed);
}

static void and_give_the_same_on_devices(void **state)
{
    (void)state;
    devices_give_the_same(mixed);
}

/* By xpbd a run of short segments bends too softly, which the mean length does not tell. */
static void count_soft(const char *text, void *count)
{
    *(int *)count += strstr(text, "bend too softly") != NULL;
}

static int soft_warnings(kind k)
{
    double lengths[32];
    int count = 0;
    cab_scene *scene = empty_scene(CAB_METHOD_XPBD, 60, 0.05, 7);
    cab_scene_settings(scene)->iterations = 4;
    cab_cable_def cable = metre("a", 0);
    weigh(k, 32, lengths);
    cable.division = (cab_division_def){.lengths = lengths, .length_count = 32};
    add_cable(scene, cable);
    cab_world *world = take(scene, "native", 1);
    int events = cab_world_get_events(world, NULL, 0);
    cab_event *list = calloc((size_t)events + 1, sizeof *list);
    assert_non_null(list);
    cab_world_get_events(world, list, events);
    for (int i = 0; i < events; i++) count_soft(list[i].text, &count);
    free(list);
    cab_world_destroy(world);
    return count;
}

static void short_runs_are_warned_of(void **state)
{
    (void)state;
    assert_int_equal(soft_warnings(EQUAL), 0);
    assert_int_equal(soft_warnings(GROWING), 1);
}

/* ---- what is refused ---- */

static void refuses(int segments, cab_division_def division, bool feed, const char *part)
{
    cab_scene *scene = empty_scene(CAB_METHOD_XPBD, 20, 0, 0);
    const cab_feed_keyframe keep[1] = {{0, 0}};
    cab_cable_def cable = metre("a", segments);
    cable.division = division;
    if (feed) cable.feed = (cab_feed_def){.keyframes = keep, .keyframe_count = 1};
    must_refuse_cable(scene, cable, true, part);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    const double half[2] = {0.5, 0.5}, less[2] = {0.5, 0.4}, none[2] = {1, 0}, places[2] = {0.3, 0.6},
                 back[2] = {0.6, 0.6};
    const cab_division_def halves = {.lengths = half, .length_count = 2},
                           thirds = {.places = places, .place_count = 2};
    refuses(0, (cab_division_def){.lengths = less, .length_count = 2}, false,
            "/cables/0/segments: expected lengths that add up to the cable's 1 m within 0.1 %, got 0.9 m");
    refuses(0, (cab_division_def){.lengths = none, .length_count = 2}, false,
            "/cables/0/segments/1: expected");
    refuses(3, halves, false, "/cables/0/segments: expected as many segments as there are lengths");
    refuses(0, (cab_division_def){.length_count = 2}, false, "/cables/0/segments: expected lengths");
    refuses(0, halves, true, "/cables/0/segments: expected equal segments with a feed");
    refuses(8, thirds, true, "/cables/0/places: expected equal segments with a feed");
    refuses(2, thirds, false, "/cables/0/places: expected at least 3 segments for these places, got 2");
    refuses(4, (cab_division_def){.places = back, .place_count = 2}, false,
            "/cables/0/places/1: expected a place after the one before");
    refuses(4, (cab_division_def){.lengths = half, .length_count = 2, .places = places, .place_count = 2},
            false, "/cables/0/places: expected none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_as_given),
        cmocka_unit_test(particles_are_at_places),
        cmocka_unit_test(fractions_take_the_nearest),
        cmocka_unit_test(it_moves_as_if_particles_had_been_moved),
        cmocka_unit_test(segments_bear_what_hangs_below),
        cmocka_unit_test(an_elastica_is_the_same_by_direct),
        cmocka_unit_test(and_by_xpbd),
        cmocka_unit_test(and_on_opencl),
        cmocka_unit_test(lanes_take_mixed_divisions),
        cmocka_unit_test(and_give_the_same_on_devices),
        cmocka_unit_test(short_runs_are_warned_of),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
