/* A run judges itself: what is right is not told, what is beyond its bound is, once, with cable and figure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#include "judge/judge.h"
#include "world/device.h"

static int judgements_of(const cab_world *world, cab_judgement *found)
{
    int count = cab_world_get_judgements(world, found, CAB_JUDGED_COUNT);
    assert_true(count >= 0 && count <= CAB_JUDGED_COUNT);
    return count;
}

static const cab_judgement *judgement_of(const cab_world *world, cab_judged judged)
{
    static cab_judgement found[CAB_JUDGED_COUNT];
    int count = judgements_of(world, found);
    for (int i = 0; i < count; i++)
        if (found[i].judged == judged) return &found[i];
    return NULL;
}

static int warnings_of(const cab_world *world, const char *begin)
{
    int count = cab_world_get_events(world, NULL, 0), told = 0;
    cab_event *events = calloc((size_t)count + 1, sizeof *events);
    assert_non_null(events);
    cab_world_get_events(world, events, count);
    for (int i = 0; i < count; i++)
        told += events[i].kind == CAB_EVENT_WARNING && strncmp(events[i].text, begin, strlen(begin)) == 0;
    free(events);
    return told;
}

static cab_status step_until(cab_world *world, int frames, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < frames && status == CAB_OK; i++) status = cab_world_step(world, 1, error);
    return status;
}

/* Held at its start, level; by the direct method. */
static cab_scene *swing(void)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 20);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

static void the_table_is_whole(void **state)
{
    (void)state;
    for (int k = 0; k < CAB_JUDGED_COUNT; k++) {
        const cab_judged_info *info = cab_judged_info_of((cab_judged)k);
        assert_non_null(info);
        assert_true(*info->name && *info->unit && *info->bound && *info->change);
    }
    assert_null(cab_judged_info_of(CAB_JUDGED_COUNT));
}

static void what_is_right_is_not_told(void **state)
{
    (void)state;
    cab_scene *scene = swing();
    cab_world *world = native_world(scene);
    cab_measures measures;
    cab_error error = {0};
    step(world, 60);
    must(cab_world_measure(world, &measures, &error), &error);
    cab_judgement found[CAB_JUDGED_COUNT];
    assert_int_equal(judgements_of(world, found), 0);
    assert_int_equal(cab_world_get_events(world, NULL, 0), 0);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Held at both ends, `reach` m apart, 0.5 m long. */
static cab_world *stretched(double reach, double stiffness)
{
    cab_scene *scene = scene_of(20);
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.stretching_stiffness = stiffness;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 20);
    hold(scene, "a", (cab_place){0}, false);
    cab_attachment_def end = held_at("a", at_end());
    end.to = CAB_TARGET_POINT;
    end.point = (cab_vec3){reach, 0, 1};
    add_attachment(scene, end);
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    return world;
}

static void a_cable_off_its_length_is_told_once(void **state)
{
    (void)state;
    cab_world *world = stretched(0.6, INFINITY);
    step(world, 5);
    const cab_judgement *found = judgement_of(world, CAB_JUDGED_STRETCH);
    assert_non_null(found);
    assert_int_equal(found->cable, 0);
    assert_int_equal(found->frame, 1);
    near_to(found->time, 1.0 / 60, 1e-12);
    near_to(found->bound, 0.10, 1e-12);
    at_least(found->figure, 0.19); /* 20 % in the mean */
    at_least(found->worst, found->figure);
    assert_false(found->diverged);
    assert_non_null(strstr(found->text, "stretch: cable \"a\" "));
    assert_non_null(strstr(found->text, cab_judged_info_of(CAB_JUDGED_STRETCH)->change));
    assert_int_equal(warnings_of(world, "stretch: cable \"a\""), 1);
    cab_world_destroy(world);
    world = stretched(0.52, INFINITY); /* 4 % in the mean */
    step(world, 5);
    assert_null(judgement_of(world, CAB_JUDGED_STRETCH));
    cab_world_destroy(world);
}

static void three_times_as_long_is_the_end(void **state)
{
    (void)state;
    cab_world *world = stretched(1.7, INFINITY);
    cab_error error = {0};
    must_fail(step_until(world, 3, &error), CAB_ERROR_DIVERGED, &error, "cable \"a\": is off its length by");
    const cab_judgement *found = judgement_of(world, CAB_JUDGED_STRETCH);
    assert_non_null(found);
    assert_true(found->diverged);
    cab_world_destroy(world);
}

/* What is soft may give under its weight. */
static void what_gives_is_not_told(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(20);
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.stretching_stiffness = 1;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.5}, 20);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = native_world(scene);
    step(world, 30);
    cab_measures measures;
    cab_error error = {0};
    must(cab_world_measure(world, &measures, &error), &error);
    at_least(measures.stretch_worst, 0.15); /* twice m g / EA, and it would be told if it were stiff */
    assert_null(judgement_of(world, CAB_JUDGED_STRETCH));
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Makes all faster, as nothing of the scene does. */
static void hurry(cab_world *world, float times)
{
    cab_error error = {0};
    int n = world->model->particle_count;
    float4 *v = NULL;
    must(cab_world_flush(world, true, &error), &error);
    must(cab_world_read_particles(world, CAB_BUFFER_velocity, &v, &error), &error);
    for (int i = 0; i < n; i++) {
        v[i].x *= times;
        v[i].y *= times;
        v[i].z *= times;
    }
    must(cab_world_put(world, CAB_BUFFER_velocity, 0, (size_t)n * sizeof *v, v, &error), &error);
    free(v);
}

static cab_world *hurried(float times, bool hand)
{
    cab_scene *scene = scene_of(20);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 20);
    cab_world *world = native_world(scene);
    cab_error error = {0};
    step(world, 20);
    hurry(world, times);
    if (hand) must(cab_world_pull(world, 3, (cab_vec3){0, 0, 1}, 0, &error), &error);
    step(world, 1);
    cab_measures measures;
    must(cab_world_measure(world, &measures, &error), &error);
    cab_scene_destroy(scene);
    return world;
}

static void energy_that_nothing_put_in_is_told(void **state)
{
    (void)state;
    cab_world *world = hurried(1.1f, false); /* 21 % more of it */
    const cab_judgement *found = judgement_of(world, CAB_JUDGED_ENERGY);
    assert_non_null(found);
    assert_int_equal(found->cable, 0);
    near_to(found->figure, 0.21, 0.04);
    assert_int_equal(warnings_of(world, "energy: cable \"a\""), 1);
    cab_world_destroy(world);
    world = hurried(1.0f, false);
    assert_null(judgement_of(world, CAB_JUDGED_ENERGY));
    cab_world_destroy(world);
    world = hurried(1.1f, true); /* a hand may do that */
    assert_null(judgement_of(world, CAB_JUDGED_ENERGY));
    cab_world_destroy(world);
}

static void what_is_too_fast_is_told(void **state)
{
    (void)state;
    cab_world *world = hurried(30, true); /* 3.3 m/s, and a hand that may pull */
    const cab_judgement *found = judgement_of(world, CAB_JUDGED_SPEED);
    assert_non_null(found);
    at_least(found->figure, found->bound);
    cab_world_destroy(world);
}

static void what_is_too_deep_is_told(void **state)
{
    (void)state;
    for (int deep = 0; deep < 2; deep++) {
        cab_scene *scene = scene_of(20);
        add_material(scene, wire_of("wire", 0.003, 0));
        double z = deep ? 0 : 0.002; /* 1 and a third of a radius deep */
        add_straight(scene, "a", (cab_vec3){0, 0, z}, (cab_vec3){0.5, 0, z}, 20);
        add_straight(scene, "b", (cab_vec3){0, 1, 0.1}, (cab_vec3){0.5, 1, 0.1}, 20);
        add_floor(scene, 0);
        cab_world *world = native_world(scene);
        step(world, 1);
        const cab_judgement *found = judgement_of(world, CAB_JUDGED_OVERLAP);
        assert_int_equal(found != NULL, deep);
        if (deep) {
            assert_int_equal(found->cable, 0);
            assert_int_equal(found->other, -2);
            at_least(found->figure, 0.5); /* it is being pushed out */
            at_most(found->figure, 1);
            assert_non_null(strstr(found->text, "/colliders/0"));
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

typedef struct packed {
    void *data;
    size_t size;
} packed;

static packed pack(cab_world *world)
{
    packed p;
    cab_error error = {0};
    must(cab_world_pack(world, &p.data, &p.size, &error), &error);
    return p;
}

static void unpack(cab_world *world, packed p)
{
    cab_error error = {0};
    must(cab_world_unpack(world, p.data, p.size, &error), &error);
}

/* Another world that takes a state over has judged what this one had, and tells it; one that takes an earlier state
 * back has not. */
static void a_state_has_what_was_judged(void **state)
{
    (void)state;
    cab_world *world = stretched(0.6, INFINITY), *other = stretched(0.6, INFINITY);
    packed before = pack(world);
    int of_scene = cab_world_get_events(world, NULL, 0);
    step(world, 3);
    packed after = pack(world);
    const cab_judgement told = *judgement_of(world, CAB_JUDGED_STRETCH);
    unpack(other, after);
    const cab_judgement *again = judgement_of(other, CAB_JUDGED_STRETCH);
    assert_non_null(again);
    assert_memory_equal(again, &told, sizeof told);
    assert_int_equal(warnings_of(other, "stretch: cable \"a\""), 1);
    unpack(other, after); /* once is enough */
    assert_int_equal(warnings_of(other, "stretch: cable \"a\""), 1);
    unpack(world, before);
    assert_null(judgement_of(world, CAB_JUDGED_STRETCH));
    assert_int_equal(cab_world_get_events(world, NULL, 0), of_scene);
    step(world, 3);
    packed repeated = pack(world);
    assert_int_equal(after.size, repeated.size);
    assert_memory_equal(after.data, repeated.data, after.size);
    free(before.data);
    free(after.data);
    free(repeated.data);
    cab_world_destroy(world);
    cab_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_whole),
        cmocka_unit_test(what_is_right_is_not_told),
        cmocka_unit_test(a_cable_off_its_length_is_told_once),
        cmocka_unit_test(three_times_as_long_is_the_end),
        cmocka_unit_test(what_gives_is_not_told),
        cmocka_unit_test(energy_that_nothing_put_in_is_told),
        cmocka_unit_test(what_is_too_fast_is_told),
        cmocka_unit_test(what_is_too_deep_is_told),
        cmocka_unit_test(a_state_has_what_was_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
