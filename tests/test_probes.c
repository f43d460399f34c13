/* Probes: what they read against known answers, that nothing depends on them, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define G 9.81
#define LINEAR 0.05 /* kg/m, of wire_of() */

enum { MOST = 64 };

static const cab_method methods[] = {CAB_METHOD_DIRECT, CAB_METHOD_XPBD};
static cab_error error;

static void add_probe(cab_scene *scene, const char *name, const char *cable, cab_place at)
{
    const cab_probe_def def = {.name = name, .cable = cable, .at = at};
    must(cab_scene_add_probe(scene, &def, &error), &error);
}

static int read_probes(cab_world *world, cab_probe_reading *readings)
{
    int count = cab_world_get_probes(world, NULL, 0);
    assert_in_range(count, 1, MOST);
    memset(readings, 0, MOST * sizeof *readings);
    must(cab_world_read_probes(world, readings, &error), &error);
    return count;
}

static cab_scene *scene_by(cab_method method, int substeps, cab_material_def wire)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = method;
    add_material(scene, wire);
    return scene;
}

/* A rope of 1 m hangs straight down: T = mu g (L - s). Its segments are pulled by what hangs on their middle, so that the
 * rope's tension is met in the middle of each, and is off by half a segment's weight at its ends, at most. The places
 * of two particles are floats of about 1 m, each rounded by 3e-8 m, which in a substep h takes mu L 6e-8 / h^2 of force. XPBD in 20 substeps leaves it a thousandth longer. */
static void a_hanging_rope_bears_what_hangs_below(void **state)
{
    (void)state;
    static const int substeps[] = {2, 20};
    enum { SEGMENTS = 20 };
    for (int k = 0; k < COUNT_OF(methods); k++) {
        cab_material_def wire = wire_of("wire", 0.003, 0);
        wire.damping = 10;
        cab_scene *scene = scene_by(methods[k], substeps[k], wire);
        cab_probe_reading r[MOST];
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -1}, SEGMENTS);
        hold(scene, "a", (cab_place){0}, false);
        static const double fraction[] = {0.025, 0.375, 0.625, 0.975, 0.31, 0.5};
        for (int i = 0; i < COUNT_OF(fraction); i++)
            add_probe(scene, (const char[2]){(char)('a' + i), 0}, "a", at_fraction(fraction[i]));
        add_probe(scene, "end", "a", at_end());
        cab_world *world = take(scene, "native", 1);
        step(world, 120);
        int count = read_probes(world, r);
        assert_int_equal(count, COUNT_OF(fraction) + 1);
        double weight = LINEAR * G, half = weight / SEGMENTS / 2,
               rounding = LINEAR * 6e-8 * pow(60.0 * substeps[k], 2);
        for (int i = 0; i < COUNT_OF(fraction); i++) {
            double known = weight * (1 - fraction[i]);
            near_to(r[i].tension, known, (i < 4 ? 0 : half) + rounding);
            near_to(r[i].position.z, -fraction[i], k ? 2e-3 : 1e-6);
            near_to(r[i].moment, 0, 0);
        }
        near_to(r[4].tension, weight * (1 - 0.325), rounding); /* of the segment from 0.3 to 0.35 */
        near_to(r[5].tension, weight * (1 - 0.525), rounding); /* at a particle: of that which starts there */
        near_to(r[6].tension, half, rounding);
        cab_world_destroy(world);
    }
}

/* A rope of 1.2 m between hooks 1 m apart is a catenary: L = 2 a sinh(D / 2 a), x = D/2 + a asinh((s - L/2) / a),
 * T = mu g sqrt(a^2 + (s - L/2)^2). A polygon of 60 segments of length h with the masses in its corners is off by a share of
 * (h / a)^2 / 8 = 3e-4 in the tension, and as much of a in places. */
static void a_slack_rope_is_a_catenary(void **state)
{
    (void)state;
    const double length = 1.2, width = 1;
    double a = 0.1;
    for (int i = 0; i < 200; i++) { /* Newton */
        double f = 2 * a * sinh(width / 2 / a) - length,
               slope = 2 * sinh(width / 2 / a) - width / a * cosh(width / 2 / a);
        a = fmax(a - f / slope, a / 2);
    }
    near_to(2 * a * sinh(width / 2 / a), length, 1e-12);
    enum { SEGMENTS = 60 };
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = 10;
    cab_scene *scene = scene_by(CAB_METHOD_DIRECT, 2, wire);
    const cab_vec3 path[] = {{0, 0, 0}, {0.5, 0, -0.31}, {1, 0, 0}};
    cab_cable_def def = straight_of("a", "wire", path, SEGMENTS);
    def.path_count = 3;
    def.length = length;
    add_cable(scene, def);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_end(), false);
    static const double fraction[] = {0.1417, 0.275, 0.5083, 0.7217};
    for (int i = 0; i < 4; i++)
        add_probe(scene, (const char[2]){(char)('a' + i), 0}, "a", at_fraction(fraction[i]));
    cab_world *world = take(scene, "native", 1);
    step(world, 240);
    cab_probe_reading r[MOST];
    read_probes(world, r);
    double h = length / SEGMENTS, rough = h * h / (a * a) / 8;
    for (int i = 0; i < 4; i++) {
        double s = fraction[i] * length - length / 2,
               middle = (floor(fraction[i] * SEGMENTS) + 0.5) * h - length / 2;
        double tension = LINEAR * G * hypot(a, middle); /* of the segment, in its middle */
        near_to(r[i].tension, tension, rough * tension);
        near_to(r[i].position.x, width / 2 + a * asinh(s / a), rough * a);
        near_to(r[i].position.z, hypot(a, s) - hypot(a, length / 2), rough * a);
    }
    cab_world_destroy(world);
}

/* ---- moments: all of these are beams that hold what pulls at their end, whatever they are made of ---- */

typedef struct beam {
    cab_method method;
    cab_cover_def *cover;
    int split;    /* made of two cables that are clamped to each other there, at that segment; 0 = of one */
    bool clamped; /* in its middle, too */
    cab_vec3 force, moment;
} beam;

enum { BEAM_SEGMENTS = 10 };
#define BEAM_STIFFNESS 1.0 /* N m^2 */

static const double beam_places[] = {0, 0.03, 0.1, 0.25, 0.48, 0.5, 0.53, 0.77, 0.93, 1};
static const char *const beam_names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};

static void add_beam(cab_scene *scene, const beam *b)
{
    const double middle = b->split / (double)BEAM_SEGMENTS, length = b->split ? middle : 1;
    const cab_vec3 path[] = {{0, 0, 0}, {length, 0, 0}};
    cab_cable_def def = straight_of("a", "wire", path, b->split ? b->split : BEAM_SEGMENTS);
    def.covers = b->cover;
    def.cover_count = b->cover ? 1 : 0;
    add_cable(scene, def);
    hold(scene, "a", (cab_place){0}, true);
    if (b->clamped) hold(scene, "a", at_fraction(0.5), true);
    for (int i = 0; i < COUNT_OF(beam_places); i++) {
        double at = beam_places[i];
        bool far = b->split && at > middle;
        add_probe(scene, beam_names[i], far ? "b" : "a",
                  at_fraction(far ? (at - middle) / (1 - middle) : at / length));
    }
    if (!b->split) return;
    add_straight(scene, "b", (cab_vec3){middle, 0, 0}, (cab_vec3){1, 0, 0}, BEAM_SEGMENTS - b->split);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", at_end());
    joint.clamp = true;
    add_attachment(scene, joint);
    add_probe(scene, "before", "a", at_end());
    add_probe(scene, "behind", "b", (cab_place){0});
}

static cab_world *bent_beam(const beam *b)
{
    bool direct = b->method == CAB_METHOD_DIRECT;
    cab_material_def wire = wire_of("wire", 0.003, BEAM_STIFFNESS);
    wire.damping = 20; /* 1/s; the beam swings by 16 rad/s */
    cab_scene *scene = scene_by(b->method, direct ? 20 : 400, wire);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    wire.name = "tube";
    add_material(scene, wire);
    add_beam(scene, b);
    cab_load_def load = load_at(b->split ? "b" : "a", at_end());
    load.force = b->force;
    load.moment = b->moment;
    add_load(scene, load);
    cab_world *world = take(scene, "native", 1);
    step(world, 240);
    return world;
}

/* M = F (L - s), which is linear, so that between particles it is the same. The beam bends by 0.033 L: its tip comes nearer by
 * 7e-4, and 2 sin(turn/2) / alpha is read where sin(turn) / alpha is the moment, 1e-4 of it. XPBD with 400 substeps has 1 %
 * of its bending left to find. */
static void check_tip_load(const beam *b, double tolerance)
{
    cab_probe_reading r[MOST];
    cab_world *world = bent_beam(b);
    double force = -b->force.z;
    int count = read_probes(world, r);
    for (int i = 0; i < COUNT_OF(beam_places); i++)
        near_to(r[i].moment, force * (1 - beam_places[i]), tolerance * force);
    for (int i = COUNT_OF(beam_places); i < count; i++) /* on both sides of the joint */
        near_to(r[i].moment, force * (1 - b->split / (double)BEAM_SEGMENTS), tolerance * force);
    cab_world_destroy(world);
}

static void a_cantilever_bears_its_load(void **state)
{
    (void)state;
    cab_cover_def tube = {.from = 0, .to = 0.4, .material = "tube"};
    const cab_vec3 force = {0, 0, -0.1};
    for (int k = 0; k < COUNT_OF(methods); k++) {
        double tolerance = k ? 1e-2 : 1e-3;
        check_tip_load(&(beam){.method = methods[k], .force = force}, tolerance);
        check_tip_load(&(beam){.method = methods[k], .force = force, .cover = &tube}, tolerance);
        check_tip_load(&(beam){.method = methods[k], .force = force, .split = 4}, tolerance);
    }
}

/* Clamped in its middle, too: what comes before bears nothing, what comes behind all. */
static void a_clamp_inside_parts_the_moment(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT_OF(methods); k++) {
        cab_probe_reading r[MOST];
        const double force = 0.1;
        cab_world *world = bent_beam(&(beam){.method = methods[k], .force = {0, 0, -force}, .clamped = true});
        read_probes(world, r);
        for (int i = 0; i < COUNT_OF(beam_places); i++) {
            double at = beam_places[i], known = at < 0.5 ? 0 : force * (1 - at);
            near_to(r[i].moment, known, (k ? 1e-2 : 1e-3) * force);
        }
        cab_world_destroy(world);
    }
}

/* A couple at the end bends all of it alike, also behind the last particle that bends. */
static void a_couple_is_the_same_all_along(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT_OF(methods); k++) {
        cab_probe_reading r[MOST];
        const double moment = 0.05;
        cab_world *world = bent_beam(&(beam){.method = methods[k], .moment = {0, moment, 0}});
        int count = read_probes(world, r);
        for (int i = 0; i < count; i++) near_to(r[i].moment, moment, (k ? 1e-2 : 1e-3) * moment);
        cab_world_destroy(world);
    }
}

/* M = GJ Phi / L all along, the end included, and by its sign which way; beside it a cable without torsion. Floats have 1e-7. */
static void a_rolled_rod_bears_its_torque(void **state)
{
    (void)state;
    static const char *const devices[] = {"native", "opencl"};
    const double stiffness = 2e-4, length = 0.8;
    for (int k = 0; k < 4; k++) {
        double roll = k & 1 ? -2 : 1.5;
        if (k > 1 && !have_opencl()) continue;
        cab_material_def wire = wire_of("wire", 0.001, 1e-4);
        cab_scene *scene = scene_by(CAB_METHOD_DIRECT, 10, wire);
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        wire.name = "shaft";
        wire.twisting_stiffness = stiffness;
        add_material(scene, wire);
        cab_cable_def shaft = straight_of("a", "shaft", (cab_vec3[2]){{0, 0, 1}, {length, 0, 1}}, 16);
        add_cable(scene, shaft);
        add_straight(scene, "b", (cab_vec3){0, 1, 1}, (cab_vec3){1, 1, 1}, 4);
        cab_attachment_def def = held_at("a", (cab_place){0});
        def.clamp = true;
        add_attachment(scene, def);
        def = held_at("a", at_end());
        def.clamp = true;
        def.roll = roll;
        add_attachment(scene, def);
        add_probe(scene, "between", "a", at_fraction(0.33));
        add_probe(scene, "end", "a", at_end());
        add_probe(scene, "none", "b", at_fraction(0.5));
        cab_world *world = take(scene, devices[k / 2], 1);
        cab_probe_reading r[MOST];
        step(world, 1);
        assert_int_equal(read_probes(world, r), 3);
        double known = stiffness * roll / length;
        for (int i = 0; i < 2; i++) near_to(r[i].torque, known, 1e-6 * fabs(known));
        assert_true(r[2].torque == 0);
        cab_world_destroy(world);
    }
}

/* What is unbent as it lies has no moment, though it is curved. */
static void a_curved_rest_shape_has_none(void **state)
{
    (void)state;
    cab_material_def wire = wire_of("wire", 0.003, BEAM_STIFFNESS);
    wire.rest_shape_path = true;
    cab_scene *scene = scene_by(CAB_METHOD_XPBD, 20, wire);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    const cab_vec3 path[] = {{0, 0, 0}, {0.3, 0, 0.1}, {0.6, 0, 0}};
    cab_cable_def def = straight_of("a", "wire", path, 12);
    def.path_count = 3;
    def.curve = CAB_CURVE_CATMULL_ROM;
    add_cable(scene, def);
    add_probe(scene, "p", "a", at_fraction(0.4));
    cab_world *world = take(scene, "native", 1);
    cab_probe_reading r[MOST];
    step(world, 5);
    read_probes(world, r);
    at_most(r[0].moment, 1e-3 * BEAM_STIFFNESS / 0.3); /* a thousandth of what straightening it takes */
    cab_world_destroy(world);
}

/* ---- places ---- */

static cab_scene *lively_scene(cab_method method, bool probes)
{
    cab_scene *scene = scene_by(method, 10, wire_of("wire", 0.003, 1e-4));
    cab_cable_def def = straight_of("a", "wire", (cab_vec3[2]){{0, 0, 1}, {1, 0, 1}}, 16);
    def.copies[1] = 3;
    def.spacing[1] = 0.2;
    add_cable(scene, def);
    add_straight(scene, "b", (cab_vec3){1, 0, 1}, (cab_vec3){1, 0, 0.4}, 7);
    hold(scene, "a", (cab_place){0}, true);
    hold(scene, "a[0,2,0]", at_fraction(0.52), false);
    join(scene, "b", (cab_place){0}, "a[0,0,0]", at_end());
    if (!probes) return scene;
    add_probe(scene, "all", "a", at_fraction(0.33));
    add_probe(scene, "held", "a[0,2,0]", at_fraction(0.52));
    add_probe(scene, "tip", "b", at_end());
    add_probe(scene, "top", "b", (cab_place){0});
    add_probe(scene, "third", "b", at_particle(3));
    add_probe(scene, "rounded", "b", at_fraction(3.0 / 7 - 1e-12));
    return scene;
}

/* A place goes by rest length, from where particles have been moved to: particle 8 of the cable is at 0.52 of it. */
static void places_are_between_particles(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int cable, node;
        double part;
    } known[] = {{"all[0,0,0]", 0, 5, 0.28}, {"all[0,1,0]", 1, 17 + 5, 0.28}, {"all[0,2,0]", 2, 34 + 5, 0.28},
                 {"held", 2, 34 + 8, 0},     {"tip", 3, 51 + 6, 1},           {"top", 3, 51, 0},
                 {"third", 3, 51 + 3, 0},    {"rounded", 3, 51 + 3, 0}};
    cab_world *world = take(lively_scene(CAB_METHOD_XPBD, true), "native", 1);
    cab_probe_info info[MOST];
    cab_probe_reading r[MOST];
    step(world, 10);
    int count = cab_world_get_probes(world, info, MOST);
    assert_int_equal(count, COUNT_OF(known));
    read_probes(world, r);
    snapshot s = read_world(world);
    for (int i = 0; i < count; i++) {
        assert_string_equal(info[i].name, known[i].name);
        assert_int_equal(info[i].cable, known[i].cable);
        assert_int_equal(info[i].node, known[i].node);
        near_to(info[i].part, known[i].part, 1e-12);
        const double *a = s.x[info[i].node], *b = s.x[info[i].node + 1], part = info[i].part;
        near_to(r[i].position.x, a[0] + part * (b[0] - a[0]), 1e-15);
        near_to(r[i].position.y, a[1] + part * (b[1] - a[1]), 1e-15);
        near_to(r[i].position.z, a[2] + part * (b[2] - a[2]), 1e-15);
        near_to(r[i].tension, s.tension[info[i].node], 0);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
}

/* The same bits on every device; without probes all else is the same, and a state of one goes on in the other. */
static void nothing_depends_on_them(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT_OF(methods); k++) {
        cab_world *with = take(lively_scene(methods[k], true), "native", 2);
        cab_world *without = take(lively_scene(methods[k], false), "native", 2);
        cab_world *other = take(lively_scene(methods[k], true), have_opencl() ? "opencl" : "native", 0);
        cab_probe_reading r[MOST], s[MOST];
        void *packed;
        size_t size;
        for (int i = 0; i < 12; i++) {
            step(with, 1);
            step(without, 1);
            step(other, 1);
            assert_int_equal(read_probes(with, r), read_probes(other, s));
            assert_memory_equal(r, s, sizeof r);
            same_motion(with, without, "without probes");
        }
        must(cab_world_pack(without, &packed, &size, &error), &error);
        cab_world *resumed = take(lively_scene(methods[k], true), "native", 1);
        must(cab_world_unpack(resumed, packed, size, &error), &error);
        read_probes(resumed, s);
        assert_memory_equal(r, s, sizeof r);
        free(packed);
        cab_world *const all[] = {with, without, other, resumed};
        for (int i = 0; i < COUNT_OF(all); i++) cab_world_destroy(all[i]);
    }
}

/* ---- what is refused ---- */

static void refused(const cab_scene *scene, const char *name, const char *cable, cab_place at,
                    const char *part)
{
    cab_scene *copy = (cab_scene *)scene;
    const cab_probe_def def = {.name = name, .cable = cable, .at = at};
    must_fail(cab_scene_add_probe(copy, &def, &error), CAB_ERROR_INPUT, &error, part);
}

static void refused_as_a_whole(const char *name, const char *cable, cab_place at, const char *part)
{
    cab_scene *scene = lively_scene(CAB_METHOD_XPBD, true);
    add_probe(scene, name, cable, at);
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_INPUT, &error, part);
    cab_scene_destroy(scene);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    cab_scene *scene = lively_scene(CAB_METHOD_XPBD, true);
    refused(scene, NULL, "a", at_end(), "/probes/6/name: expected a name");
    refused(scene, "", "a", at_end(), "/probes/6/name");
    refused(scene, "tip", "a", at_end(),
            "/probes/6/name: expected a unique name, \"tip\" is taken by /probes/2");
    refused(scene, "p", NULL, at_end(), "/probes/6/cable: expected the name of a cable");
    refused(scene, "p", "a", at_fraction(1.5), "/probes/6/at");
    refused(scene, "p", "a", at_fraction(NAN), "/probes/6/at");
    refused(scene, "p", "a", at_particle(-1), "/probes/6/at/particle");
    refused(scene, "p", "a", (cab_place){.kind = CAB_PLACE_CORNER}, "/probes/6/at");
    cab_scene_destroy(scene);
    refused_as_a_whole("p", "c", at_end(), "/probes/6/cable: no cable is called \"c\"");
    refused_as_a_whole("p", "a[0,3,0]", at_end(), "/probes/6/cable: expected a copy up to [0,2,0]");
    refused_as_a_whole("p", "b", at_particle(8),
                       "/probes/6/at/particle: expected an integer from 0 to 7, got 8");
    refused_as_a_whole("all[0,1,0]", "b", at_end(), "/probes/6/name: expected a unique name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_rope_bears_what_hangs_below),
        cmocka_unit_test(a_slack_rope_is_a_catenary),
        cmocka_unit_test(a_cantilever_bears_its_load),
        cmocka_unit_test(a_clamp_inside_parts_the_moment),
        cmocka_unit_test(a_couple_is_the_same_all_along),
        cmocka_unit_test(a_rolled_rod_bears_its_torque),
        cmocka_unit_test(a_curved_rest_shape_has_none),
        cmocka_unit_test(places_are_between_particles),
        cmocka_unit_test(nothing_depends_on_them),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
