/* The formulas of kernels/twist.h, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#include "kernels/twist.h"

#define TURN (2 * acos(-1))

/* Floats of up to 3.2 are 2.4e-7 apart. */
static void angles_are_those_of_atan2(void **state)
{
    (void)state;
    for (int k = -720; k <= 720; k++) {
        double angle = k * acos(-1) / 721, size = k % 3 ? 1e-3 : 40;
        float found = cab_angle_of((float)(size * cos(angle)), (float)(size * sin(angle)));
        near_to((double)found, angle, 4e-7);
    }
    assert_true(cab_angle_of(0, 0) == 0);
}

/* Any number of turns, forward and back, is followed, and nothing drifts. */
static void turns_are_counted(void **state)
{
    (void)state;
    cab_twist_turned t = {0, 0, 0};
    for (int k = 1; k <= 2000; k++) {
        double phi = 0.5 * (k <= 1500 ? k : 3000 - k);
        t = cab_twist_follow(t, (float)remainder(phi, TURN));
        near_to((double)t.changed, k <= 1500 ? 0.5 : -0.5, 1e-6);
        near_to((double)cab_twist_moment(t, -3, 1), phi - 3, 1e-7 * phi + 1e-6);
    }
}

/* What was once beyond what is resolved stays noted; a jump makes it negative. */
static void what_was_worst_is_kept(void **state)
{
    (void)state;
    float worst = cab_twist_worst(0, -3, 2, 0.1f);
    near_to((double)worst, 1.5, 1e-7);
    worst = cab_twist_worst(worst, 1, 2, 1.99f);
    near_to((double)worst, 1.5, 1e-7);
    worst = cab_twist_worst(worst, 1, 2, -2.01f);
    near_to((double)worst, -1.5, 1e-7);
    assert_true(cab_twist_worst(worst, 4, 2, 0) == -2);
    assert_true(cab_twist_worst(0, 0, 2, 3) < 0);
}

/* A director that is carried around the octant of a sphere has turned by its area, a quarter turn; its length stays, whatever the
 * length of tangents. */
static void a_director_turns_by_the_area_it_goes_around(void **state)
{
    (void)state;
    enum { STEPS = 30 };
    vec3 director = vec3_make(0, 1, 0), last = vec3_make(1, 0, 0);
    const vec3 corner[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    for (int side = 0; side < 3; side++) {
        for (int k = 1; k <= STEPS; k++) {
            float angle = (float)(acos(0) * k / STEPS), c = cosf(angle), s = sinf(angle);
            vec3 next = vec3_scale(vec3_add_scaled(vec3_scale(corner[side], c), s, corner[side + 1]), 1.3f);
            cab_twist_carry(&director, k + side == 1 ? vec3_scale(last, 1.3f) : last, next, 0);
            last = next;
        }
    }
    near_to((double)cab_twist_angle(vec3_make(0, 1, 0), director, vec3_make(1, 0, 0)), acos(0), 1e-5);
    near_to((double)vec3_length(director), 1, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_are_those_of_atan2),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test(what_was_worst_is_kept),
        cmocka_unit_test(a_director_turns_by_the_area_it_goes_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
