/* The cyclic way of the direct method: the same as the lanes way but for rounding, the same bytes on every
 * device that rounds correctly; its tables solve the bending's equations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#include "model/cyclic.h"
#include "model/tiles.h"
#include "carrier/plan.h"

#define FRAMES 6 /* 0.1 s */

/* Between the two ways lies rounding alone: they solve the same equations in another order. A place of up to
 * 2 m is rounded to 1.2e-7 m; ten of those after 0.1 s. Later they may part further: a whipping cable doubles
 * any difference. */
#define ROUNDING 1e-6
/* Where lengths contradict each other the equations' condition is 1/CAB_REGULARISATION = 1e4: rounding of 6e-8 becomes
 * 6e-4 of the 2 mm that are missing, in each of 24 substeps. */
#define CONTRADICTION 2.9e-5

typedef struct cyclic_scene {
    const char *name;
    cab_scene *(*make)(void);
    double tolerance; /* m, after FRAMES */
} cyclic_scene;

static cab_scene *direct_scene(int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    return scene;
}

/* No bending, lengths from the shortest on: every number of steps of the reduction up to six. */
static cab_scene *make_lengths(void)
{
    static const int segments[] = {1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 64};
    cab_scene *scene = direct_scene(8);
    add_material(scene, wire_of("wire", 0.003, 0));
    for (int i = 0; i < COUNT_OF(segments); i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", segments[i]);
        add_straight(scene, name, (cab_vec3){0, 0.1 * i, 1}, (cab_vec3){0.5, 0.1 * i, 1.1}, segments[i]);
        hold(scene, name, (cab_place){0}, false);
    }
    return scene;
}

/* Bends, clamped or not, at one end or at both, odd and even numbers of particles; one is in free fall. */
static cab_scene *make_bending(void)
{
    cab_scene *scene = direct_scene(8);
    cab_material_def wire = wire_of("wire", 0.003, 1e-3);
    wire.damping = 0.5;
    wire.stretching_stiffness = 1e3;
    add_material(scene, wire);
    static const int segments[] = {1, 2, 3, 7, 16, 32, 33};
    for (int i = 0; i < COUNT_OF(segments); i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", segments[i]);
        add_straight(scene, name, (cab_vec3){0, 0.1 * i, 1}, (cab_vec3){0.5, 0.1 * i, 1.1}, segments[i]);
        hold(scene, name, (cab_place){0}, i % 2 == 0);
        if (i % 3 == 2) hold(scene, name, at_end(), true);
    }
    add_straight(scene, "free", (cab_vec3){0, -1, 1}, (cab_vec3){0.5, -1, 1.1}, 20);
    return scene;
}

/* A held end that is led about, a weight and a force. Led away from the cable: pushed, it would buckle, to
 * the side that rounding chooses. */
static cab_scene *make_led(void)
{
    static const cab_keyframe keys[] = {{0, {0, 0, 1}}, {0.05, {-0.01, 0, 1.02}}, {0.2, {-0.04, 0, 1}}};
    cab_scene *scene = direct_scene(5);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 40);
    cab_attachment_def lead = held_at("a", (cab_place){0});
    lead.to = CAB_TARGET_KEYFRAMES;
    lead.keyframes = keys;
    lead.keyframe_count = COUNT_OF(keys);
    add_attachment(scene, lead);
    hang_weight(scene, "a", at_end(), 0.01);
    cab_load_def pull = load_at("a", at_fraction(0.5));
    pull.force = (cab_vec3){0, 0.05, 0};
    add_load(scene, pull);
    return scene;
}

/* Lengths that cannot be met: a second Newton pass in each substep, and particles that count as heavier. */
static cab_scene *make_too_far(void)
{
    cab_scene *scene = direct_scene(4);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    const cab_vec3 ends[2] = {{0, 0, 1}, {0.5, 0, 1}};
    cab_cable_def cable = straight_of("a", "wire", ends, 20);
    cable.length = 0.498;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_end(), false);
    add_straight(scene, "b", (cab_vec3){0, 1, 1}, (cab_vec3){0.5, 1, 1}, 20);
    hold(scene, "b", (cab_place){0}, false);
    return scene;
}

static const cyclic_scene scenes[] = {{"lengths", make_lengths, ROUNDING},
                                      {"bending", make_bending, ROUNDING},
                                      {"led", make_led, ROUNDING},
                                      {"too far", make_too_far, CONTRADICTION}};

typedef struct outcome {
    snapshot end;
    double stretch, h; /* s */
    cab_cable_info cables[16];
} outcome;

/* substeps: 0 = the scene's, else one frame of so many */
static outcome run(const cyclic_scene *test, const char *device, int threads, cab_way way, int substeps)
{
    outcome o;
    cab_scene *scene = test->make();
    cab_settings *settings = cab_scene_settings(scene);
    settings->way = way;
    if (substeps) settings->substeps = substeps;
    o.h = 1 / (settings->frame_rate * settings->substeps);
    cab_world *world = world_on(scene, device, threads);
    cab_scene_destroy(scene);
    assert_int_equal(cab_world_get_info(world).way, way);
    step(world, substeps ? 1 : FRAMES);
    o.end = read_world(world);
    o.stretch = measure(world).stretch_worst;
    assert_in_range(o.end.cables, 1, COUNT_OF(o.cables));
    for (int c = 0; c < o.end.cables; c++) o.cables[c] = cab_world_get_cable(world, c);
    cab_world_destroy(world);
    return o;
}

/* A tension is what corrected a length in the last substep: m C / h_s^2, h_s = 2h/3. A length l is rounded to
 * 6e-8 l, and the prediction takes what rounding did in the three substeps before about four times over. Ten
 * times that is allowed, and a thousandth for the condition of the equations. */
static void near_tensions(const outcome *a, const outcome *b, const char *name)
{
    for (int c = 0; c < a->end.cables; c++) {
        const cab_cable_info *cable = &a->cables[c];
        double segment = cable->length / (cable->node_count - 1), most = 0;
        double noise = 0.05 * segment * 6e-8 * segment * 2.25 / (a->h * a->h);
        for (int i = cable->first_node; i < cable->first_node + cable->node_count; i++) {
            double one = a->end.tension[i], other = b->end.tension[i];
            most = fmax(most, fabs(one));
            if (!(fabs(one - other) <= 40 * noise + 1e-3 * most))
                fail_msg("%s, %s, node %d: tensions %g and %g N", name, cable->name, i, one, other);
        }
    }
}

static void cyclic_is_lanes_but_for_rounding(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(scenes); i++) {
        for (int substeps = 0; substeps <= 1; substeps++) { /* a launch of one, of first order, as well */
            outcome lanes = run(&scenes[i], "native", 2, CAB_WAY_LANES, substeps);
            outcome cyclic = run(&scenes[i], "native", 2, CAB_WAY_CYCLIC, substeps);
            double way = largest_difference(&lanes.end, &cyclic.end);
            print_message("[          ] %s: %.2g m apart, stretch %.2g and %.2g\n", scenes[i].name, way,
                          lanes.stretch, cyclic.stretch);
            if (!(way <= scenes[i].tolerance)) fail_msg("%s: %g m from the lanes way", scenes[i].name, way);
            near_tensions(&lanes, &cyclic, scenes[i].name);
            at_most(cyclic.stretch, 1.1 * lanes.stretch + 1e-6);
            snapshot_free(&lanes.end);
            snapshot_free(&cyclic.end);
        }
    }
}

static void set_variable(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void same_bytes_everywhere(void **state)
{
    (void)state;
    char pocl[32];
    bool there = find_device(POCL, pocl);
    char *before = getenv("CLCABLE_ISA") ? strdup(getenv("CLCABLE_ISA")) : NULL;
    for (int i = 0; i < COUNT_OF(scenes); i++) {
        set_variable("CLCABLE_ISA", "baseline");
        outcome first = run(&scenes[i], "native", 2, CAB_WAY_CYCLIC, 0);
        set_variable("CLCABLE_ISA", before);
        outcome again = run(&scenes[i], "native", 5, CAB_WAY_CYCLIC, 0);
        same_bytes(&first.end, &again.end, scenes[i].name);
        snapshot_free(&again.end);
        if (there) {
            again = run(&scenes[i], pocl, 0, CAB_WAY_CYCLIC, 0);
            same_bytes(&first.end, &again.end, scenes[i].name);
            snapshot_free(&again.end);
        }
        snapshot_free(&first.end);
    }
    free(before);
    if (!there) print_message("[          ] no PoCL here: only native was compared\n");
}

/* New gravity, new material: both ways go on alike, and fall the other way. */
static void changes_are_followed(void **state)
{
    (void)state;
    snapshot end[2];
    for (int w = 0; w < 2; w++) {
        cab_error error = {0};
        cab_scene *scene = make_bending();
        cab_scene_settings(scene)->way = w ? CAB_WAY_CYCLIC : CAB_WAY_LANES;
        cab_world *world = world_on(scene, "native", 2);
        cab_scene_destroy(scene);
        snapshot start = read_world(world);
        must(cab_world_set_gravity(world, (cab_vec3){0, 0, 5}, &error), &error);
        step(world, 3);
        cab_material_def wire = wire_of("wire", 0.003, 3e-3);
        wire.stretching_stiffness =
            2e3; /* inextensible and taut between two clamps, anything tips the scales */
        must(cab_world_set_material(world, &wire, &error), &error);
        wire.air_drag = 1;
        must_fail(cab_world_set_material(world, &wire, &error), CAB_ERROR_INPUT, &error, "air_drag");
        step(world, 3);
        end[w] = read_world(world);
        int free_end = end[w].nodes - 1;
        at_least(end[w].x[free_end][2] - start.x[free_end][2], 0.9 * 0.5 * 5 * 0.01);
        snapshot_free(&start);
        cab_world_destroy(world);
    }
    at_most(largest_difference(&end[0], &end[1]), ROUNDING);
    snapshot_free(&end[0]);
    snapshot_free(&end[1]);
}

/* The bending's matrix times what the tables make of a right side is that right side. */
static void check_tables(const cab_model *m, const cab_cyclic_tables *t, int cable, int order)
{
    const cab_cyclic_chain *c = &t->cable[cable];
    int n = m->bodies[cable].node_count, padded = CAB_CYCLIC_PADDED(n), pairs = padded / 2;
    double *b = calloc(4 * (size_t)padded + 4, sizeof *b), *now = b + padded, *next = now + padded;
    cab_band *band = calloc((size_t)n, sizeof *band);
    assert_true(b && band);
    const float4 *k = t->bending + c->bending + (ptrdiff_t)order * (c->steps + 1) * padded;
    for (int i = 0; i < n; i++) {
        bool held = m->held[m->bodies[cable].first_node + i] >= 0;
        b[i] = now[i] = held ? 0 : 1e-3 * ((7 * i) % 11 - 5);
    }
    for (int s = 0; s < c->steps; s++, k += padded) {
        for (int i = 0; i < padded; i++) {
            int apart = 1 << s, p = i / 2;
            next[i] = now[i];
            if (p >= apart)
                next[i] += (double)k[i].x * now[2 * (p - apart)] + (double)k[i].y * now[2 * (p - apart) + 1];
            if (p + apart < pairs)
                next[i] += (double)k[i].z * now[2 * (p + apart)] + (double)k[i].w * now[2 * (p + apart) + 1];
        }
        memcpy(now, next, (size_t)padded * sizeof *now);
    }
    for (int i = 0; i < padded; i++)
        next[i] = (double)k[i].x * now[i / 2 * 2] + (double)k[i].y * now[i / 2 * 2 + 1];
    cab_direct_matrix(m, cable, order, band);
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, band[i].diagonal * fabs(next[i]));
    for (int i = 0; i < n; i++) {
        double sum = band[i].diagonal * next[i];
        if (i + 1 < n) sum += band[i].next * next[i + 1];
        if (i + 2 < n) sum += band[i].after * next[i + 2];
        if (i > 0) sum += band[i - 1].next * next[i - 1];
        if (i > 1) sum += band[i - 2].after * next[i - 2];
        near_to(sum, b[i], 1e-5 * size); /* coefficients are floats: 6e-8 each, in up to seven steps */
    }
    free(b);
    free(band);
}

static void tables_solve_the_bending(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = make_bending();
    add_straight(scene, "long", (cab_vec3){0, 3, 1}, (cab_vec3){1, 3, 1}, 200);
    cab_cable_def copies = straight_of("twins", "wire", (cab_vec3[2]){{0, 5, 1}, {1, 5, 1}}, 10);
    for (int i = 0; i < 3; i++) copies.copies[i] = 2;
    for (int i = 0; i < 3; i++) copies.spacing[i] = 1;
    add_cable(scene, copies);
    cab_model *model = NULL;
    cab_cyclic_tables tables;
    must(cab_model_create(scene, NULL, NULL, &model, &error), &error);
    must(cab_cyclic_build(model, &tables, &error), &error);
    assert_int_equal(tables.kinds, model->cable_count - 7); /* eight twins are of one kind */
    for (int c = 0; c < model->cable_count; c++) {
        for (int order = 0; order < 2; order++) check_tables(model, &tables, c, order);
    }
    cab_cyclic_free(&tables);
    cab_model_destroy(model);
    cab_scene_destroy(scene);
}

static void it_is_refused_where_it_cannot_be_had(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_world_def def = cab_world_default();
    def.device = "native";
    cab_scene *scene = make_lengths();
    cab_settings *settings = cab_scene_settings(scene);
    cab_world *world = NULL;
    settings->way = CAB_WAY_CYCLIC;
    settings->contact_cables = true;
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error,
              "\"cyclic\" cannot be had: the scene has contact");
    settings->contact_cables = false;
    settings->method = CAB_METHOD_XPBD;
    must_fail(
        cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error,
        "expected \"fused\", \"lanes\", \"chunks\" or \"coloured\" with the method \"xpbd\", got \"cyclic\"");
    settings->method = CAB_METHOD_DIRECT;
    settings->way = CAB_WAY_FUSED;
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error,
              "expected \"cyclic\", \"lanes\" or \"staged\" with the method \"direct\", got \"fused\"");
    settings->way = CAB_WAY_AUTO; /* never by itself on a CPU */
    must(cab_world_create(scene, &def, &world, &error), &error);
    assert_int_equal(cab_world_get_info(world).way, CAB_WAY_LANES);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* On a GPU with fewer cables than fill it; there is none here, so the device is made to say that it is one.
 */
static void a_gpu_with_few_cables_takes_it(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = make_lengths(); /* 11 cables */
    cab_world *world = world_on(scene, "native", 1);
    cab_scene_destroy(scene);
    cab_device_info *device = &world->backend->info;
    device->gpu = true;
    device->compute_units = 1;
    device->local_memory = 32768;
    must(cab_world_plan(world, &error), &error);
    assert_int_equal(world->way, CAB_WAY_CYCLIC);
    device->local_memory = 4096; /* 65 particles want 8 KB */
    must(cab_world_plan(world, &error), &error);
    assert_int_equal(world->way, CAB_WAY_LANES);
    device->local_memory = 32768;
    device->compute_units = 0; /* anything fills that */
    must(cab_world_plan(world, &error), &error);
    assert_int_equal(world->way, CAB_WAY_LANES);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_solve_the_bending),
        cmocka_unit_test(cyclic_is_lanes_but_for_rounding),
        cmocka_unit_test(same_bytes_everywhere),
        cmocka_unit_test(changes_are_followed),
        cmocka_unit_test(it_is_refused_where_it_cannot_be_had),
        cmocka_unit_test(a_gpu_with_few_cables_takes_it),
    };
    return cmocka_run_group_tests_name("cyclic", tests, NULL, NULL);
}
