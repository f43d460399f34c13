/* Expressions: values, gradients, what is no expression. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "own.h"

#define CAB_KERNELS_AS_C
#include "kernels/own.h"
#undef sqrt
#undef floor
#undef kernel
#undef global
#undef local
#undef constant

/* ---- expressions ---- */

static cab_expression parsed(const char *text)
{
    cab_expression e;
    cab_expression_fault fault;
    if (!cab_expression_parse(text, 3, parameters, COUNT_OF(parameters), &e, &fault))
        fail_msg("%s: column %d: %s", text, fault.column, fault.text);
    return e;
}

static const double places[9] = {0.3, -0.2, 0.5, 0.31, -0.19, 0.52, 0.28, -0.17, 0.53};
#define REST 0.02
#define APART 2e-4

/* The value at `places`, and its central differences. */
static double value_of(const char *text, double gradient[9])
{
    cab_expression e = parsed(text);
    float x[9], value[2 * CAB_OWN_INPUTS + 1];
    for (int i = 0; i < 9; i++) x[i] = (float)places[i];
    cab_own_values(e.op, e.count, 9, x, (float)APART, (float)REST, value);
    for (int i = 0; gradient && i < 9; i++) {
        float above = x[i] + (float)APART, below = x[i] - (float)APART;
        gradient[i] = (double)(value[2 * i] - value[2 * i + 1]) / (double)(above - below);
    }
    return value[18];
}

/* Values known from elsewhere; relative to the larger of 1 and themselves, some roundings of 6e-8 each. */
static void expressions_have_their_values(void **state)
{
    (void)state;
    const double *a = places, *b = places + 3;
    double length = sqrt(0.01 * 0.01 + 0.01 * 0.01 + 0.02 * 0.02);
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"p0.x", a[0]},
        {"p0.x + 2*3 - 4/8", a[0] + 5.5},
        {"-p0.x^2", -a[0] * a[0]},
        {"(-p0.x)^3", -a[0] * a[0] * a[0]},
        {"2 - 3 - p0.z", -1 - a[2]},
        {"8 / 4 / 2 + p0.z", 1 + a[2]},
        {"+p1.y - -p0.y", b[1] + a[1]},
        {"length(p1 - p0)", length},
        {"(p1 - p0).z", 0.02},
        {"dot(p1, p0)", a[0] * b[0] + a[1] * b[1] + a[2] * b[2]},
        {"cross(p1, p0).z", b[0] * a[1] - b[1] * a[0]},
        {"cross([1, 0, 0], [0, 1, 0]).z + p0.x", 1 + a[0]},
        {"unit(p0).y", a[1] / sqrt(0.09 + 0.04 + 0.25)},
        {"length((p2 - p1)/rest)", sqrt(0.03 * 0.03 + 0.02 * 0.02 + 0.01 * 0.01) / REST},
        {"min(p0.x, p1.x, p2.x)", 0.28},
        {"max(p0.y, p1.y, 2*p2.y)", -0.19},
        {"abs(p0.y) + clamp(p0.x, 0.35, 1)", 0.55},
        {"clamp(p0.x, 0, 0.1)", 0.1},
        {"rest/radius + 0*p0.x", 0.4},
        {"two*pi + 0*p0.x", 6.283185307},
        {"1.5e-1 + .5 + 2. + 0*p0.x", 2.65},
        {"sqrt(p0.z)", sqrt(0.5)},
        {"sin(p0.x)", sin(0.3)},
        {"sin(20*p0.y)", sin(-4.0)},
        {"sin(100*p0.z)", sin(50)},
        {"cos(p0.x)", cos(0.3)},
        {"cos(20*p0.x)", cos(6)},
        {"acos(p0.x)", acos(0.3)},
        {"acos(-p0.z)", acos(-0.5)},
        {"acos(1 + 0*p0.z)", 0},
        {"acos(-1 - 0*p0.z)", 3.14159265},
        {"atan2(p0.y, p0.x)", atan2(-0.2, 0.3)},
        {"atan2(p0.y, -p0.x)", atan2(-0.2, -0.3)},
        {"atan2(p0.z, -p0.x)", atan2(0.5, -0.3)},
        {"atan2(0*p0.x, 0)", 0},
        {"atan2(p0.z, 0)", 1.570796327},
        {"angle([1, 0, 0], [1, 1, 0]) + 0*p0.x", 0.7853981634},
        {"angle(p0, -p0)", 3.14159265},
    };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        double value = value_of(cases[i].text, NULL), size = fmax(1, fabs(cases[i].value));
        /* sin(50): its argument is rounded to 2e-6 */
        double allowed = strstr(cases[i].text, "100*") ? 3e-6 : 4e-7 * size;
        if (!(fabs(value - cases[i].value) <= allowed))
            fail_msg("%s is %.9g, expected %.9g", cases[i].text, value, cases[i].value);
    }
}

static void check_gradient(const char *text, const double expected[9], double allowed)
{
    double gradient[9];
    value_of(text, gradient);
    for (int i = 0; i < 9; i++) {
        if (!(fabs(gradient[i] - expected[i]) <= allowed))
            fail_msg("%s: component %d is %.7g, expected %.7g", text, i, gradient[i], expected[i]);
    }
}

/* Central differences are off by h^2/6 times the third derivative and by rounding over h. */
static void gradients_are_near_the_analytic_ones(void **state)
{
    (void)state;
    const double *a = places, *b = places + 3;
    double l = sqrt(6e-4), d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    /* third derivative about 3/l^2: 1e-4; rounding 6e-8 * 0.5 / 2e-4: 1.5e-4 */
    check_gradient("length(p1 - p0) - rest",
                   (double[9]){-d[0] / l, -d[1] / l, -d[2] / l, d[0] / l, d[1] / l, d[2] / l}, 4e-4);
    check_gradient("p1.z - 0.5", (double[9]){0, 0, 0, 0, 0, 1}, 1e-6); /* linear: exact */
    check_gradient("dot(p0, p0)", (double[9]){2 * a[0], 2 * a[1], 2 * a[2]}, 4e-4);
    check_gradient("sin(p0.x)", (double[9]){cos(0.3)}, 4e-4);
    check_gradient("atan2(p0.y, p0.x)", (double[9]){0.2 / 0.13, 0.3 / 0.13}, 2e-3); /* several roundings */
}

static void invariance_is_found(void **state)
{
    (void)state;
    static const char *const same[] = {"length(p1 - p0)",
                                       "length(p2 - 2*p1 + p0)",
                                       "length((p0 + p2)/2 - p1)",
                                       "p1.z - p0.z",
                                       "p0.x + p1.x - 2*p2.x",
                                       "angle(p1 - p0, p2 - p1)",
                                       "(p1.z - p0.z)*(p1.z - p0.z) + rest",
                                       "0*p0.x + p1.y - p0.y"};
    static const char *const other[] = {"p0.z",
                                        "length(p0)",
                                        "p1.z + p0.z",
                                        "p1.z*p0.z",
                                        "length(p1 - 2*p0)",
                                        "p1.z - p0.x",
                                        "min(p0.z, 0)",
                                        "p1.z - p0.z + sin(p0.z)"};
    for (int i = 0; i < COUNT_OF(same); i++) {
        cab_expression e = parsed(same[i]);
        if (!e.invariant) fail_msg("%s feels no shift", same[i]);
    }
    for (int i = 0; i < COUNT_OF(other); i++) {
        cab_expression e = parsed(other[i]);
        if (e.invariant) fail_msg("%s feels a shift", other[i]);
    }
}

static void what_is_no_expression_is_refused_with_the_column(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int column;
        const char *part;
    } cases[] = {
        {"", 1, "got the end"},
        {"   ", 4, "got the end"},
        {"p0", 1, "expected a number, got a vector"},
        {"3", 1, "constant"},
        {"two*pi", 1, "constant"},
        {"length(p2 - p0", 15, "got the end"},
        {"length(p2 - p0))", 16, "got \")\""},
        {"p1 +* p0", 5, "got \"*\""},
        {"p0.w", 4, "x, y or z"},
        {"p0.xy", 4, "x, y or z"},
        {"rest.x", 1, "takes a vector"},
        {"p0.x 3", 6, "expected an operator or the end, got \"3\""},
        {"p0.z; x", 5, "got \";\""},
        {"lenght(p0)", 1, "the nearest is \"length\""},
        {"raduis - p0.z", 1, "the nearest is \"radius\""},
        {"system(p0)", 1, "unknown name \"system\""},
        {"qqqqqqqqqqqq", 1, "unknown name"},
        {"length", 7, "\"(\" after a function's name"},
        {"p3.x", 1, "p0 to p2"},
        {"p0.z^1.5", 6, "whole number"},
        {"p0.z^-2", 6, "whole number"},
        {"p0.z^17", 6, "whole number"},
        {"p0^2", 1, "takes a number"},
        {"p0.z + 1/0", 8, "finite"},
        {"p0.z + sqrt(-1)", 8, "finite"},
        {"p0.z*1e39", 6, "finite"},
        {"p0*p1", 3, "dot() or cross()"},
        {"p0.x/p1", 5, "takes a number"},
        {"p0 + 1", 4, "two numbers or two vectors"},
        {"min(p0.z)", 9, "at least 2"},
        {"clamp(p0.z, 1)", 14, "takes 3 arguments, got 2"},
        {"atan2(p0.z, 1, 2)", 16, "at most 2"},
        {"dot(p0, 1)", 9, "takes a vector"},
        {"length(p0.x)", 8, "takes a vector"},
        {"abs(p0)", 5, "takes a number"},
        {"[1, 2].x + p0.z", 6, "\",\""},
        {"[1, 2, 3, 4].x", 9, "\"]\""},
        {"[p0, 1, 2].x", 2, "component"},
        {"nan + p0.z", 1, "unknown name"},
        {"0x10 + p0.z", 2, "got \"x10\""},
        {"p0.z + \"a\"", 8, "got \"\"\""},
        {"p0.z\n+ \x01", 8, "byte 0x01"},
        {"p0.z \xc3\xa4", 6, "byte 0xc3"},
        {"p0.z // p1.z", 7, "got \"/\""},
        {"1e5000 + p0.z", 1, "finite"},
        {".", 1, "a digit"},
    };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        cab_expression e;
        cab_expression_fault fault = {0};
        if (cab_expression_parse(cases[i].text, 3, parameters, 2, &e, &fault))
            fail_msg("%s: taken", cases[i].text);
        if (fault.column != cases[i].column || !strstr(fault.text, cases[i].part))
            fail_msg("%s: column %d: %s; expected column %d and \"%s\"", cases[i].text, fault.column,
                     fault.text, cases[i].column, cases[i].part);
    }
}

/* Neither a deep nor a long text harms. */
static void sizes_are_bounded(void **state)
{
    (void)state;
    char text[CAB_EXPRESSION_LENGTH + 16];
    cab_expression e;
    cab_expression_fault fault;
    memset(text, '(', 3000);
    text[3000] = 0;
    assert_false(cab_expression_parse(text, 3, NULL, 0, &e, &fault));
    assert_non_null(strstr(fault.text, "nested too deeply"));
    memset(text, ' ', sizeof text);
    text[CAB_EXPRESSION_LENGTH + 1] = 0;
    assert_false(cab_expression_parse(text, 3, NULL, 0, &e, &fault));
    assert_non_null(strstr(fault.text, "at most 4000 bytes"));
    strcpy(text, "p0.x");
    for (int i = 1; i < 200; i++) sprintf(text + strlen(text), "+%d*p0.z", i);
    assert_false(cab_expression_parse(text, 3, NULL, 0, &e, &fault));
    assert_non_null(strstr(fault.text, "at most 256 operations"));
    strcpy(text, "p0.x");
    for (int i = 1; i < 400; i++) strcat(text, "+p0.y*2"); /* equal parts are made once */
    text[strlen("p0.x") + 7 * 200] = 0;
    assert_true(cab_expression_parse(text, 3, NULL, 0, &e, &fault));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_their_values),
        cmocka_unit_test(gradients_are_near_the_analytic_ones),
        cmocka_unit_test(invariance_is_found),
        cmocka_unit_test(what_is_no_expression_is_refused_with_the_column),
        cmocka_unit_test(sizes_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
