/* Gangs (carrier/gang.h): environments of a batch whose cables share tiles are their scenes run alone, bit for bit, whatever happens
 * to some of them: targets, forces, resets, divergence, states, other materials and gravity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "batches.h"
#include "devices.h"
#include "scenes.h"
#include "world/world.h"

enum { COUNT = 35, FRAMES = 14, TOUCHING = 26, LATER = 10 };

/* What a batch is made of. */
typedef struct batch_kind {
    const char *device;
    cab_method method;
    bool varied; /* each environment has numbers of its own */
    bool twists;
    double damping; /* of the bending, s */
    bool touches;   /* what is below */
} batch_kind;

/* A floor under the cable that hangs, and a ball on its way down; a bar and a ball under the free one. Some hit them so fast that
 * their substeps are cut into pieces, while others change what a gang is made of. x: what is different about them */
static void add_below(cab_scene *scene, double x)
{
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0.7 + 0.1 * x});
    floor.friction = 0.3 + x;
    add_collider(scene, floor);
    cab_collider_def bar =
        bar_of((cab_vec3){0.08 + 0.1 * x, 0.9, 0.92 - 0.1 * x}, (cab_vec3){0.08, 1.2, 0.92}, 0.01 + 0.02 * x);
    bar.friction = 0.4;
    add_collider(scene, bar);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0.16, 1.01, 0.9});
    ball.radius = 0.02;
    add_collider(scene, ball);
    ball.center = (cab_vec3){0.1, 0, 0.8};
    add_collider(scene, ball);
    cab_scene_settings(scene)->way = CAB_WAY_AUTO;
    cab_scene_settings(scene)->contact.cables = false;
    cab_scene_settings(scene)->contact.self = false;
}

/* A cable that hangs by one end, which may be led, with a weight and a force on the other, and a free one of another length. Where cables
 * twist, both of its ends are clamped. */
static cab_scene *make(int i, const batch_kind *k)
{
    cab_scene *scene = scene_of(k->method == CAB_METHOD_XPBD ? 20 : 6);
    cab_scene_settings(scene)->method = k->method;
    cab_scene_settings(scene)->way = CAB_WAY_LANES;
    double x = k->varied ? 0.01 * i : 0;
    cab_material_def wire = wire_of("wire", 0.004, 1e-4 * (1 + 10 * x));
    wire.damping = 0.5;
    wire.bending_damping = k->damping * (1 + x);
    wire.twisting_stiffness = k->twists ? 1e-4 * (1 + 5 * x) : 0;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.3 + x, 0, 0.8}, 9);
    add_straight(scene, "b", (cab_vec3){0, 1, 1}, (cab_vec3){0.2, 1, 1}, 5);
    hold(scene, "a", (cab_place){0}, k->twists);
    if (k->twists) hold(scene, "a", at_end(), true);
    cab_load_def load = load_at("a", at_end());
    load.force = (cab_vec3){0, 0, 0.01};
    load.mass = 0.005;
    add_load(scene, load);
    add_load(scene, load_at("b", at_end()));
    if (k->touches) add_below(scene, x);
    return scene;
}

/* What happens to environment i before frame f; the same to the batch and to the world alone. */
typedef struct deeds {
    batch_kind kind;
    cab_batch *batch;
    cab_world *world[COUNT];
    bool diverged[COUNT];
    void *state[2]; /* of the batch's and of the lone environment 3 */
    size_t size[2];
} deeds;

static void start(deeds *d, batch_kind kind)
{
    cab_error error = {0};
    cab_scene *scenes[COUNT];
    cab_world_def def = cab_world_default();
    def.device = kind.device;
    def.threads = strcmp(kind.device, "native") ? 3 : 1; /* one gang, whose worlds threads share out */
    *d = (deeds){.kind = kind};
    for (int i = 0; i < COUNT; i++) {
        scenes[i] = make(i, &kind);
        d->world[i] = world_on(scenes[i], kind.device, 1);
    }
    must(cab_batch_create((const cab_scene *const *)scenes, COUNT, &def, &d->batch, &error), &error);
    for (int i = 0; i < COUNT; i++) cab_scene_destroy(scenes[i]);
}

static void lead(deeds *d, int frame)
{
    cab_error error = {0};
    bool mask[COUNT];
    double points[COUNT][3], forces[COUNT][3];
    for (int i = 0; i < COUNT; i++) {
        mask[i] = i % 3 == 0;
        points[i][0] = 0.001 * frame, points[i][1] = 0.0002 * i, points[i][2] = 1;
        forces[i][0] = i == 7 && frame == 5 ? 1e30 : 0.001 * (i + frame), forces[i][1] = 0.01,
        forces[i][2] = 0;
    }
    must(cab_batch_set_targets(d->batch, 0, points[0], mask, &error), &error);
    for (int i = 0; i < COUNT; i += 3) {
        cab_vec3 p = {points[i][0], points[i][1], points[i][2]};
        must(cab_world_set_target(d->world[i], 0, p, &error), &error);
    }
    if (frame != 5 && frame != 8) return;
    for (int i = 0; i < COUNT; i++) mask[i] = i % 7 == 0;
    must(cab_batch_set_loads(d->batch, 1, forces[0], mask, &error), &error);
    for (int i = 0; i < COUNT; i += 7) {
        cab_vec3 f = {forces[i][0], forces[i][1], forces[i][2]};
        must(cab_world_set_load(d->world[i], 1, f, &error), &error);
    }
}

/* Rolls the far clamp of some. */
static void roll(deeds *d, int frame)
{
    cab_error error = {0};
    bool mask[COUNT];
    double rolls[COUNT];
    for (int i = 0; i < COUNT; i++) {
        mask[i] = i % 4 == 1;
        rolls[i] = 0.02 * i + 0.1 * frame;
    }
    must(cab_batch_set_rolls(d->batch, 1, rolls, mask, &error), &error);
    for (int i = 1; i < COUNT; i += 4)
        if (!d->diverged[i]) must(cab_world_set_roll(d->world[i], 1, rolls[i], &error), &error);
}

static void reset(deeds *d, int every, int which)
{
    cab_error error = {0};
    bool mask[COUNT];
    for (int i = 0; i < COUNT; i++) {
        mask[i] = i % every == which;
        if (!mask[i]) continue;
        cab_scene *scene = make(i, &d->kind);
        cab_world_destroy(d->world[i]);
        d->world[i] = world_on(scene, d->kind.device, 1);
        d->diverged[i] = false;
        cab_scene_destroy(scene);
    }
    must(cab_batch_reset(d->batch, mask, &error), &error);
}

static void change(cab_world *world, int i)
{
    cab_error error = {0};
    cab_material_def wire = world->model->scene->materials[0];
    wire.linear_density *= 1.5;
    if (wire.bending_damping > 0) wire.bending_damping += 0.01;
    if (i == 2) must(cab_world_set_material(world, &wire, &error), &error);
    if (i == 4) must(cab_world_set_gravity(world, (cab_vec3){0, 1, -9}, &error), &error);
}

/* Changes the gravity of three in each frame, so that a gang's tables are made anew in most. */
static void weigh(deeds *d, int frame)
{
    cab_error error = {0};
    for (int k = 0; k < 3; k++) {
        int i = (frame + 12 * k) % COUNT;
        cab_vec3 gravity = {0, 0, -9.8 - 0.001 * frame};
        must(cab_world_set_gravity(cab_batch_world(d->batch, i), gravity, &error), &error);
        if (!d->diverged[i]) must(cab_world_set_gravity(d->world[i], gravity, &error), &error);
    }
}

static void remember(deeds *d, bool back)
{
    cab_error error = {0};
    if (back) {
        must(cab_batch_unpack(d->batch, 3, d->state[0], d->size[0], &error), &error);
        must(cab_world_unpack(d->world[3], d->state[1], d->size[1], &error), &error);
        free(d->state[0]);
        free(d->state[1]);
        return;
    }
    must(cab_batch_pack(d->batch, 3, &d->state[0], &d->size[0], &error), &error);
    must(cab_world_pack(d->world[3], &d->state[1], &d->size[1], &error), &error);
    assert_int_equal(d->size[0], d->size[1]);
    assert_memory_equal(d->state[0], d->state[1], d->size[0]);
}

static void step_all(deeds *d)
{
    cab_error error = {0};
    bool diverged[COUNT];
    must(cab_batch_step(d->batch, 1, &error), &error);
    for (int i = 0; i < COUNT; i++)
        if (!d->diverged[i]) d->diverged[i] = cab_world_step(d->world[i], 1, &error) == CAB_ERROR_DIVERGED;
    cab_batch_get_diverged(d->batch, diverged);
    for (int i = 0; i < COUNT; i++) assert_int_equal(diverged[i], d->diverged[i]);
    if (!d->diverged[7]) return; /* by the same cable */
    cab_event mine[4], other[4];
    int count = cab_world_get_events(cab_batch_world(d->batch, 7), mine, 4);
    assert_in_range(count, 1, 4);
    assert_int_equal(cab_world_get_events(d->world[7], other, 4), count);
    for (int i = 0; i < count; i++) assert_string_equal(mine[i].text, other[i].text);
    assert_int_equal(mine[count - 1].cable, 1);
}

static void compare(deeds *d, int frame)
{
    cab_error error = {0};
    int nodes = cab_world_get_info(d->world[0]).nodes;
    static double x[COUNT][16][3], v[COUNT][16][3], t[COUNT][16];
    assert_int_equal(nodes, 16);
    must(cab_batch_read(d->batch, x[0][0], v[0][0], t[0], &error), &error);
    for (int i = 0; i < COUNT; i++) {
        if (d->diverged[i]) continue;
        char what[64];
        snprintf(what, sizeof what, "environment %d after frame %d", i, frame);
        snapshot a = {.nodes = nodes, .x = x[i], .v = v[i], .tension = t[i]}, b = read_world(d->world[i]);
        same_bytes(&a, &b, what);
        snapshot_free(&b);
        double torque[2][16];
        must(cab_world_read_torque(cab_batch_world(d->batch, i), torque[0], &error), &error);
        must(cab_world_read_torque(d->world[i], torque[1], &error), &error);
        assert_memory_equal(torque[0], torque[1], sizeof torque[0]);
        if (d->kind.twists && i % 4 == 1 && frame == 11) assert_true(torque[0][0] != 0);
        cab_measures mine, other;
        must(cab_world_measure(cab_batch_world(d->batch, i), &mine, &error), &error);
        must(cab_world_measure(d->world[i], &other, &error), &error);
        assert_memory_equal(&mine, &other, sizeof mine);
    }
}

static int resident(deeds *d)
{
    int count = 0;
    for (int i = 0; i < COUNT; i++) count += cab_batch_world(d->batch, i)->lanes.resident;
    return count;
}

static int resident_in(deeds *d, cab_gang_kind kind)
{
    int count = 0;
    for (int i = 0; i < COUNT; i++) {
        const cab_lanes *l = &cab_batch_world(d->batch, i)->lanes;
        count += l->resident && l->in == kind;
    }
    return count;
}

/* Do worlds in a gang go on with substeps in pieces, and others with whole ones? */
static bool are_cut(deeds *d)
{
    int count = 0, whole = 0;
    for (int i = 0; i < COUNT; i++) {
        const cab_world *world = cab_batch_world(d->batch, i);
        if (!world->lanes.resident || world->lanes.in != CAB_GANG_NEAR) continue;
        if (world->clear.near_level > 0)
            count++;
        else
            whole++;
    }
    return count > 1 && whole > 1;
}

static void run(batch_kind kind)
{
    deeds d;
    int most[CAB_GANG_KIND_COUNT] = {0}; /* worlds in a gang of each kind */
    int both = 0, cut = 0;               /* frames in which both have worlds; in which are_cut() */
    int frames = kind.touches ? TOUCHING : FRAMES;
    start(&d, kind);
    for (int frame = 0; frame < frames; frame++) {
        if (frame >= 2 && frame <= 6) lead(&d, frame);
        if (kind.twists && frame != 5) roll(&d, frame);
        if (frame == 4) reset(&d, 5, 1);
        if (frame == 5) remember(&d, false);
        for (int i = 2; i <= 4 && frame == 7; i += 2) {
            change(cab_batch_world(d.batch, i), i);
            change(d.world[i], i);
        }
        if (frame == 8) {
            reset(&d, 7, 0);
            reset(&d, 9, 3);
            lead(&d, frame); /* in the frame that each takes alone some are led, some pulled, some both */
        }
        if (frame == 9) remember(&d, true);
        if (kind.touches && frame > 9) weigh(&d, frame);
        if (frame == frames - 2) reset(&d, 1, 0);
        step_all(&d);
        int now[CAB_GANG_KIND_COUNT];
        for (int k = 0; k < CAB_GANG_KIND_COUNT; k++) {
            now[k] = resident_in(&d, (cab_gang_kind)k);
            if (now[k] > most[k]) most[k] = now[k];
        }
        both += now[CAB_GANG_LANES] > 0 && now[CAB_GANG_NEAR] > 0;
        cut += are_cut(&d);
        if (frame == 1 && !kind.touches) assert_int_equal(resident(&d), COUNT);
        if (frame == 4 && !kind.touches)
            assert_in_range(resident(&d), COUNT / 2, COUNT - 7); /* who is new goes alone for a frame */
        if (frame == 6) assert_true(d.diverged[7]);
        if (frame % 4 == 3 || frame == 8 || frame >= LATER) compare(&d, frame);
    }
    assert_true(most[CAB_GANG_LANES] > COUNT / 2);
    assert_true(kind.touches ? most[CAB_GANG_NEAR] > COUNT / 2 && both > 0 && cut > 3
                             : most[CAB_GANG_NEAR] == 0);
    cab_batch_destroy(d.batch);
    for (int i = 0; i < COUNT; i++) cab_world_destroy(d.world[i]);
}

static void equal_cables(void **state)
{
    (void)state;
    run((batch_kind){"native", CAB_METHOD_DIRECT, false, false, 0, false});
}

static void cables_of_their_own(void **state)
{
    (void)state;
    run((batch_kind){"native", CAB_METHOD_DIRECT, true, false, 0, false});
}

static void by_xpbd(void **state)
{
    (void)state;
    run((batch_kind){"native", CAB_METHOD_XPBD, true, false, 0, false});
}

static void cables_that_twist(void **state)
{
    (void)state;
    run((batch_kind){"native", CAB_METHOD_DIRECT, true, true, 0, false});
}

static void cables_whose_bending_is_damped(void **state)
{
    (void)state;
    run((batch_kind){"native", CAB_METHOD_DIRECT, true, false, 0.05, false});
}

static void cables_that_touch(void **state)
{
    (void)state;
    run((batch_kind){"native", CAB_METHOD_DIRECT, false, false, 0, true});
    run((batch_kind){"native", CAB_METHOD_DIRECT, true, false, 0, true});
}

/* More cables than a block of what is measured has; the fastest is another one in each environment. */
static cab_scene *make_many(int i)
{
    cab_scene *scene = scene_of(4);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->way = CAB_WAY_LANES;
    add_material(scene, wire_of("wire", 0.004, 0));
    for (int c = 0; c < CAB_BLOCK + 7; c++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", c);
        double y = 0.1 * c, z = c == 90 * i ? 0.7 : 0.9;
        add_straight(scene, name, (cab_vec3){0, y, 1}, (cab_vec3){0.3, y, z}, 3);
        hold(scene, name, (cab_place){0}, false);
    }
    return scene;
}

static void measures_of_many(const char *device)
{
    enum { MANY = 4 };
    cab_error error = {0};
    cab_scene *scenes[MANY];
    cab_world *world[MANY];
    cab_batch *batch;
    cab_world_def def = cab_world_default();
    def.device = device;
    def.threads = 1;
    for (int i = 0; i < MANY; i++) {
        scenes[i] = make_many(i);
        world[i] = world_on(scenes[i], device, 1);
    }
    must(cab_batch_create((const cab_scene *const *)scenes, MANY, &def, &batch, &error), &error);
    must(cab_batch_step(batch, 3, &error), &error);
    for (int i = 0; i < MANY; i++) {
        cab_measures mine, other;
        must(cab_world_step(world[i], 3, &error), &error);
        assert_true(cab_batch_world(batch, i)->lanes.resident);
        must(cab_world_measure(cab_batch_world(batch, i), &mine, &error), &error);
        must(cab_world_measure(world[i], &other, &error), &error);
        assert_memory_equal(&mine, &other, sizeof mine);
        cab_world_destroy(world[i]);
        cab_scene_destroy(scenes[i]);
    }
    cab_batch_destroy(batch);
}

/* A cable over a floor and a bar, at a height and a place of their own. */
static cab_scene *make_falling(int i, double height)
{
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    add_material(scene, wire_of("wire", 0.004, 1e-4));
    add_straight(scene, "a", (cab_vec3){0, 0, height}, (cab_vec3){0.3, 0, height + 0.02}, 12);
    add_floor(scene, 0);
    cab_collider_def bar = bar_of((cab_vec3){0.1 + 0.01 * i, -0.1, 0.02},
                                  (cab_vec3){0.1, 0.1, 0.02 + 0.003 * i}, 0.006 + 0.001 * i);
    bar.friction = 0.3;
    add_collider(scene, bar);
    return scene;
}

/* Each is where it would be alone: the first, of which all that is asked of the gang comes first, is far above while the others land, fast, on
 * bars of their own. */
static void each_where_it_would_be(const char *device)
{
    enum { FALLING = 4, LAST = 39 };
    static const double heights[FALLING] = {3, 0.35, 0.3, 0.25};
    cab_scene *scenes[FALLING];
    cab_world *world[FALLING];
    for (int i = 0; i < FALLING; i++) scenes[i] = make_falling(i, heights[i]);
    cab_batch *batch = batch_beside(scenes, FALLING, device, world);
    int together = 0, cut = 0;
    for (int frame = 0; frame <= LAST; frame++) {
        step_beside(batch, world, FALLING, "frame", frame);
        for (int i = 0; i < FALLING; i++) {
            const cab_world *mine = cab_batch_world(batch, i);
            together += mine->lanes.resident;
            cut += mine->lanes.resident && mine->lanes.in == CAB_GANG_NEAR && mine->clear.near_level > 0;
        }
    }
    assert_true(together >= 30 && cut >= 10);
    for (int i = 1; i < FALLING; i++) {
        snapshot now = read_world(world[i]);
        at_most(now.x[6][2], 0.05); /* the highest bar's top is at 0.038 */
        snapshot_free(&now);
    }
    end_beside(batch, world, FALLING);
}

static void others_are_elsewhere(void **state)
{
    (void)state;
    each_where_it_would_be("native");
}

static void many_cables_each(void **state)
{
    (void)state;
    measures_of_many("native");
    if (have_opencl()) measures_of_many("opencl");
}

/* All in one launch; with numbers of their own, since lanes of equal cables would hide whose is whose. */
static void on_opencl(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    run((batch_kind){"opencl", CAB_METHOD_DIRECT, true, false, 0, false});
    run((batch_kind){"opencl", CAB_METHOD_DIRECT, true, true, 0, false});
    run((batch_kind){"opencl", CAB_METHOD_DIRECT, true, false, 0.05, false});
    run((batch_kind){"opencl", CAB_METHOD_XPBD, true, false, 0, false});
    each_where_it_would_be("opencl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_cables),
        cmocka_unit_test(cables_of_their_own),
        cmocka_unit_test(by_xpbd),
        cmocka_unit_test(cables_that_twist),
        cmocka_unit_test(cables_whose_bending_is_damped),
        cmocka_unit_test(cables_that_touch),
        cmocka_unit_test(others_are_elsewhere),
        cmocka_unit_test(many_cables_each),
        cmocka_unit_test(on_opencl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
