/* Studies as the viewer takes them: time, choices, hands, statistics. No OpenGL. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <clcable/planar.h>

#include "view.h"
#include "view/study/study.h"

static void *open_study(const cab_study_kind *kind, const char *scene, const char *device)
{
    char path[1000];
    scene_path(path, scene);
    cab_study_def def = {.path = path, .device = device, .threads = 1};
    void *self = NULL;
    CHECK(kind->open(&def, &self, &error));
    return self;
}

static void run(const cab_study_kind *kind, void *self, int frames)
{
    for (int i = 0; i < frames; i++) CHECK(kind->step(self, &error));
}

static int find_choice(const cab_study_kind *kind, void *self, const char *name, cab_choice *choice)
{
    for (int i = 0; kind->choice(self, i, choice); i++)
        if (strcmp(choice->name, name) == 0) return i;
    fail_msg("no choice %s", name);
    return -1;
}

/* All lines in one text: what a panel would show. */
static void read_lines(const cab_study_kind *kind, void *self, char text[1000])
{
    char line[CAB_STUDY_LINE];
    text[0] = '\0';
    for (int i = 0; kind->line(self, i, line); i++) strcat(strcat(text, line), "\n");
}

/* Statistics tell of the motion to four digits: after a reset they are the same again. */
static void test_time(void **state)
{
    static const struct {
        const cab_study_kind *kind;
        const char *scene;
    } cases[] = {{&cab_particles_study, "particles/mouse.json"}, {&cab_planar_study, "planar/demo-1.json"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const cab_study_kind *kind = cases[i].kind;
        void *self = open_study(kind, cases[i].scene, "native");
        char start[1000], first[1000], again[1000];
        read_lines(kind, self, start);
        run(kind, self, 70);
        assert_int_equal(kind->subject.clock(self).frame, 70);
        assert_true(fabs(kind->subject.clock(self).time - 70 / kind->rate(self)) < 1e-12);
        read_lines(kind, self, first);
        assert_string_not_equal(start, first);
        CHECK(kind->reset(self, &error));
        assert_int_equal(kind->subject.clock(self).frame, 0);
        run(kind, self, 70);
        read_lines(kind, self, again);
        assert_string_equal(first, again);
        kind->close(self);
    }
}

/* Each word of each choice can be taken, is what is told then, and the motion goes on. */
static void try_all(const cab_study_kind *kind, const char *scene)
{
    void *self = open_study(kind, scene, "native");
    cab_choice c;
    for (int i = 0; kind->choice(self, i, &c); i++) {
        int was = c.now, count = c.count;
        for (int value = 0; value < count; value++) {
            CHECK(kind->choose(self, i, value, &error));
            assert_true(kind->choice(self, i, &c));
            assert_int_equal(c.now, value);
            run(kind, self, 2);
        }
        int beyond = count ? count : c.most + 1;
        assert_int_equal(kind->choose(self, i, beyond, &error), CAB_ERROR_INPUT);
        assert_int_equal(kind->choose(self, i, -1, &error), CAB_ERROR_INPUT);
        CHECK(kind->choose(self, i, was, &error));
    }
    assert_int_equal(kind->choose(self, 99, 0, &error), CAB_ERROR_INPUT);
    kind->close(self);
}

static void test_choices(void **state)
{
    (void)state;
    try_all(&cab_particles_study, "particles/angles.json");
    try_all(&cab_particles_study, "particles/mixture.json");
    try_all(&cab_planar_study, "planar/stress-2.json");
}

/* Particles go on in their motion when constraints change; planar scenes say that they do not. */
static void test_goes_on(void **state)
{
    (void)state;
    cab_choice c;
    const cab_study_kind *kind = &cab_particles_study;
    void *self = open_study(kind, "particles/pendulums.json", "native");
    run(kind, self, 30);
    int form = find_choice(kind, self, "constraints", &c);
    assert_false(c.from_start);
    CHECK(kind->choose(self, form, 1, &error));
    run(kind, self, 1);
    assert_int_equal(kind->subject.clock(self).frame, 31);
    kind->close(self);

    kind = &cab_planar_study;
    self = open_study(kind, "planar/stress-2.json", "native");
    run(kind, self, 5);
    int pinch = find_choice(kind, self, "pinch", &c);
    assert_true(c.from_start);
    CHECK(kind->choose(self, pinch, CAB_PLANAR_OFF, &error));
    assert_int_equal(kind->subject.clock(self).frame, 0);
    kind->close(self);
}

/* The end of a chain at (3, 0), which is held at both ends, cannot be had from far away; its middle follows.
 */
static void test_hands(void **state)
{
    (void)state;
    const cab_study_kind *kind = &cab_particles_study;
    bool held = true;
    void *self = open_study(kind, "particles/mouse.json", "native");
    CHECK(kind->grab(self, (cab_vec2){1.5, 5}, 0.3, &held, &error));
    assert_false(held);
    CHECK(kind->grab(self, (cab_vec2){1.6, 0.1}, 0.3, &held, &error));
    assert_true(held);
    char before[1000], during[1000], free[1000];
    run(kind, self, 20);
    read_lines(kind, self, before);
    CHECK(kind->pull(self, (cab_vec2){1.5, 0.8}, &error));
    run(kind, self, 30);
    read_lines(kind, self, during);
    assert_string_not_equal(before, during);
    CHECK(kind->let_go(self, &error));
    CHECK(kind->let_go(self, &error)); /* of nothing */
    CHECK(kind->pull(self, (cab_vec2){9, 9}, &error));
    run(kind, self, 5);
    read_lines(kind, self, free);
    assert_null(strstr(free, "nan"));
    kind->close(self);
}

/* A weight of the machine hangs still; pulled up it follows, let go it comes back. What is static, or away,
 * is not had. */
static void test_pulls_bodies(void **state)
{
    (void)state;
    const cab_study_kind *kind = &cab_planar_study;
    bool held = true;
    void *self = open_study(kind, "planar/pulley.json", "native");
    char before[1000], during[1000], after[1000];
    run(kind, self, 120);
    read_lines(kind, self, before);
    CHECK(kind->pull(self, (cab_vec2){9, 9}, &error)); /* nothing */
    CHECK(kind->let_go(self, &error));
    CHECK(kind->grab(self, (cab_vec2){1, -2}, 0.5, &held, &error));
    assert_false(held);
    CHECK(kind->grab(self, (cab_vec2){0, 0.05}, 0.5, &held, &error)); /* the wheel is static */
    assert_false(held);
    CHECK(kind->grab(self, (cab_vec2){0.15, -2}, 0.1, &held, &error));
    assert_true(held);
    CHECK(kind->pull(self, (cab_vec2){1.5, -1.5}, &error));
    run(kind, self, 60);
    read_lines(kind, self, during);
    assert_string_not_equal(strstr(before, "tension"), strstr(during, "tension"));
    CHECK(kind->let_go(self, &error));
    run(kind, self, 600);
    read_lines(kind, self, after);
    assert_string_equal(strstr(before, "tension"), strstr(after, "tension"));
    CHECK(kind->grab(self, (cab_vec2){0.0, -2}, 0.1, &held, &error));
    CHECK(kind->reset(self, &error)); /* a new world: nothing is held */
    CHECK(kind->pull(self, (cab_vec2){9, 9}, &error));
    kind->close(self);
}

static void test_errors(void **state)
{
    (void)state;
    void *self = NULL;
    char path[1000];
    scene_path(path, "particles/wires.json");
    cab_study_def def = {.path = path, .compare = "pinch"};
    assert_int_equal(cab_particles_study.open(&def, &self, &error), CAB_ERROR_INPUT);
    def.path = "none.json";
    def.compare = NULL;
    assert_int_not_equal(cab_particles_study.open(&def, &self, &error), CAB_OK);
    assert_int_not_equal(cab_planar_study.open(&def, &self, &error), CAB_OK);
    assert_null(self);
    assert_ptr_equal(cab_study_kind_of("planar"), &cab_planar_study);
    assert_null(cab_study_kind_of("cables"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),  cmocka_unit_test(test_choices),      cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_hands), cmocka_unit_test(test_pulls_bodies), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
