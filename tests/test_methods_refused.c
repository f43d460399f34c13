/* What a method cannot honour is refused, by the name of the setting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "methods.h"

/* ---- refusals ---- */

typedef struct refusal {
    cab_method method;
    const char *part;             /* of the message: the pointer */
    void (*change)(cab_scene *s); /* what cannot be had */
} refusal;

static void set_stiffness(cab_scene *s)
{
    s->settings.pbd.stiffness = 0.5;
}
static void set_dampening(cab_scene *s)
{
    s->settings.relaxation.dampening = 0.5;
}
static void set_tolerance(cab_scene *s)
{
    s->settings.tolerance.move = 1e-3;
}
static void set_root(cab_scene *s)
{
    s->settings.relaxation.approximate_root = true;
}
static void set_weights(cab_scene *s)
{
    s->settings.relaxation.weights = CAB_WEIGHTS_EQUAL;
}
static void set_kind(cab_scene *s)
{
    s->settings.distance_kind = CAB_LENGTH_AT_MOST;
}
static void set_averaging(cab_scene *s)
{
    s->settings.jacobi.averaging_weight = 1;
}
static void set_spring(cab_scene *s)
{
    s->settings.springs.stiffness = 1;
}
static void set_double_compliance(cab_scene *s)
{
    s->settings.doubles.compliance = 1;
}
static void set_iterations(cab_scene *s)
{
    s->settings.iterations = 2;
}
static void set_bending(cab_scene *s)
{
    s->materials[0].bending_stiffness = 1e-3;
}
static void set_stretching(cab_scene *s)
{
    s->materials[0].stretching_stiffness = 100;
}
static void set_clamp(cab_scene *s)
{
    s->attachments[0].clamp = true;
}
static void set_load(cab_scene *s)
{
    hang_weight(s, "a", at_end(), 0.1);
}
static void set_nothing(cab_scene *s)
{
    (void)s;
}

static void set_doubles(cab_scene *s)
{
    s->settings.springs.stiffness = 1;
    s->settings.doubles.on = true;
}

static void set_equal_load(cab_scene *s)
{
    set_load(s);
    set_weights(s);
}

static void set_corrected(cab_scene *s)
{
    set_tolerance(s);
    s->settings.pbd.corrected = true;
}

static void what_cannot_be_honoured_is_refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {CAB_METHOD_XPBD, "/method/stiffness", set_stiffness},
        {CAB_METHOD_XPBD, "/method/dampening", set_dampening},
        {CAB_METHOD_XPBD, "/method/weights", set_weights},
        {CAB_METHOD_XPBD, "/method/approximate_root", set_root},
        {CAB_METHOD_DIRECT, "/method/distance_kind", set_kind},
        {CAB_METHOD_DIRECT, "/method/tolerance", set_tolerance},
        {CAB_METHOD_JAKOBSEN, "/method/stiffness", set_stiffness},
        {CAB_METHOD_JAKOBSEN, "/method/double_compliance", set_double_compliance},
        {CAB_METHOD_JAKOBSEN, "/materials/wire/bending_stiffness", set_bending},
        {CAB_METHOD_PBD, "/materials/wire/bending_stiffness", set_bending},
        {CAB_METHOD_PBD, "/materials/wire/stretching_stiffness", set_stretching},
        {CAB_METHOD_PBD, "/method/averaging_weight", set_averaging},
        {CAB_METHOD_PBD, "/method/spring_stiffness", set_spring},
        {CAB_METHOD_PBD, "/method/corrected_stiffness", set_corrected},
        {CAB_METHOD_PBD, "/loads/0/mass", set_equal_load},
        {CAB_METHOD_JACOBI, "/loads/0/mass", set_load},
        {CAB_METHOD_JACOBI, "/attachments/0/clamp", set_clamp},
        {CAB_METHOD_JACOBI, "/materials/wire/bending_stiffness", set_bending},
        {CAB_METHOD_STIFF_SPRINGS, "/loads/0/mass", set_load},
        {CAB_METHOD_STIFF_SPRINGS, "/time/iterations", set_iterations},
        {CAB_METHOD_STIFF_SPRINGS, "/method/tolerance", set_tolerance},
        {CAB_METHOD_SPRINGS, "/time/iterations", set_iterations},
        {CAB_METHOD_SPRINGS, "/method/spring_stiffness", set_nothing},
        {CAB_METHOD_SPRINGS, "/method/double_compliance", set_doubles},
    };
    for (int i = 0; i < COUNT_OF(refusals); i++) {
        cab_scene *scene = hanging(refusals[i].method, 0.01, 4);
        refusals[i].change(scene);
        cab_error error = {0};
        cab_status status = cab_method_check(scene, &error);
        if (status == CAB_OK) fail_msg("%s is taken", refusals[i].part);
        assert_true(status == CAB_ERROR_INPUT || status == CAB_ERROR_UNSUPPORTED);
        if (!strstr(error.message, refusals[i].part))
            fail_msg("no \"%s\" in \"%s\"", refusals[i].part, error.message);
        cab_scene_destroy(scene);
    }
    cab_scene *scene = hanging(CAB_METHOD_SPRINGS, 0.01, 4);
    set_spring(scene);
    set_clamp(scene);
    cab_error error = {0};
    must_fail(cab_method_check(scene, &error), CAB_ERROR_UNSUPPORTED, &error, "/attachments/0/clamp");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_honoured_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
