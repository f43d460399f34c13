/* Constraints of the user's own that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "own.h"

/* ---- refusals ---- */

static void refuse_def(cab_constraint_def def, const char *part)
{
    cab_error error = {0};
    cab_scene *scene = make_drape(25, 10, 0, NULL);
    must_fail(cab_scene_add_constraint(scene, &def, &error), CAB_ERROR_INPUT, &error, part);
    cab_scene_destroy(scene);
}

static void bad_constraints_are_refused(void **state)
{
    (void)state;
    const cab_constraint_def good = own_of("a", three, 3, "p0.z");
    cab_constraint_def def = good;
    def.cable = NULL;
    refuse_def(def, "/constraints/0/cable: expected");
    def = good;
    def.stencil_count = 9;
    refuse_def(def, "/constraints/0/stencil: expected 1 to 8");
    def = good;
    def.stencil = (const int[]){0, 2, 2};
    refuse_def(def, "/constraints/0/stencil/2: expected more than");
    def = good;
    def.compliance = -1;
    refuse_def(def, "/constraints/0/compliance: expected");
    def = good;
    def.compliance = 0;
    def.stiffness = 0;
    refuse_def(def, "/constraints/0/stiffness: expected a number from 1e-06 to 1, got 0");
    def = good;
    def.h = NAN;
    refuse_def(def, "/constraints/0/h: expected");
    def = good;
    def.expression = "p0.z +";
    refuse_def(def, "scene: /constraints/0/expression: column 7: expected a number");
    def = good;
    def.expression = NULL;
    refuse_def(def, "/constraints/0/expression: expected one");
    def = good;
    def.evaluate = min_bend;
    refuse_def(def, "/constraints/0/expression: expected one");
    def = good;
    def.parameters = &(cab_parameter){"rest", 1};
    def.parameter_count = 1;
    refuse_def(def, "/constraints/0/parameters/rest: expected a name that means nothing else");
    def.parameters = &(cab_parameter){"a/b", 1};
    refuse_def(def, "/constraints/0/parameters/a~1b: expected a name of letters");
    def.parameters = &(cab_parameter){"a", INFINITY};
    refuse_def(def, "/constraints/0/parameters/a: expected a number");
    def.expression = NULL;
    def.evaluate = min_bend;
    refuse_def(def, "/constraints/0/parameters/a: expected a number");
    def.parameters = &(cab_parameter){"a", 1};
    refuse_def(def, "/constraints/0/parameters: expected none");
    def.parameter_count = 0;
    def.origin.x = 1;
    refuse_def(def, "/constraints/0/origin: expected 0");
    def = good;
    def.expression = NULL;
    def.solve = lift;
    def.h = 1e-3;
    refuse_def(def, "/constraints/0/h: expected 0");
    def.h = 0;
    def.type = CAB_CONSTRAINT_INEQUALITY;
    refuse_def(def, "/constraints/0/type: expected");
}

static void what_cannot_be_had_is_refused(void **state)
{
    (void)state;
    cab_constraint_def def = own_of("b", three, 3, "p0.z");
    refuse_world(drape_with(def), "native", CAB_ERROR_INPUT,
                 "/constraints/0/cable: no cable is called \"b\"");
    def.cable = "a";
    def.from = at_particle(24);
    refuse_world(drape_with(def), "native", CAB_ERROR_INPUT,
                 "/constraints/0/stencil: expected room for 2 segments");
    def.once = true;
    refuse_world(drape_with(def), "native", CAB_ERROR_INPUT,
                 "/constraints/0/stencil: expected room for 2 segments");
    def.from = at_particle(26);
    refuse_world(drape_with(def), "native", CAB_ERROR_INPUT, "/constraints/0/at/particle: expected");
    def.from = (cab_place){0};
    cab_scene *scene = drape_with(def);
    cab_scene_settings(scene)->method = CAB_METHOD_JAKOBSEN;
    refuse_world(scene, "native", CAB_ERROR_UNSUPPORTED, "/constraints: the method \"jakobsen\"");
    cab_constraint_def soft = def;
    soft.compliance = 1e-3;
    scene = drape_with(soft);
    cab_scene_settings(scene)->method = CAB_METHOD_PBD;
    refuse_world(
        scene, "native", CAB_ERROR_UNSUPPORTED,
        "/constraints/0/compliance: the method \"pbd\" has no use for it; expected 0, or a stiffness");
    soft = def;
    soft.stiffness = 0.5;
    refuse_world(
        drape_with(soft), "native", CAB_ERROR_UNSUPPORTED,
        "/constraints/0/stiffness: the method \"xpbd\" has no use for it; expected 1, or a compliance");
    const cab_way fast[] = {CAB_WAY_FUSED, CAB_WAY_LANES, CAB_WAY_CHUNKS};
    for (int i = 0; i < COUNT_OF(fast); i++) {
        scene = drape_with(def);
        cab_scene_settings(scene)->way = fast[i];
        refuse_world(scene, "native", CAB_ERROR_INPUT, "the scene has constraints of your own");
    }
    /* a ring of two segments: the stencil's ends are one particle */
    scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.003, 0));
    const cab_vec3 path[] = {{0, 0, 1}, {0.1, 0, 1}, {0, 0, 1}};
    cab_cable_def ring = straight_of("a", "wire", path, 2);
    ring.path_count = 3;
    add_cable(scene, ring);
    join(scene, "a", at_end(), "a", (cab_place){0});
    add_own(scene, def);
    refuse_world(scene, "native", CAB_ERROR_INPUT, "two of its places are joined");
    /* a force that is compared with a break_force would not know of the constraint */
    scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, 10);
    cab_attachment_def held = held_at("a", (cab_place){0});
    held.break_force = 1;
    add_attachment(scene, held);
    add_own(scene, def);
    refuse_world(scene, "native", CAB_ERROR_UNSUPPORTED, "break_force");
}

/* A value that is no number is not passed over. */
static void what_is_not_a_number_is_told(void **state)
{
    (void)state;
    static const char *const texts[] = {"sqrt(p0.z - 100)", "unit(p0 - p0).x"};
    for (int i = 0; i < COUNT_OF(texts); i++) {
        cab_scene *scene = make_drape(25, 10, 0, NULL);
        cab_constraint_def def = own_of("a", three, 3, texts[i]);
        def.type = i == 0 ? CAB_CONSTRAINT_INEQUALITY : CAB_CONSTRAINT_EQUALITY;
        add_own(scene, def);
        cab_world *world = native_world(scene);
        cab_scene_destroy(scene);
        cab_error error = {0};
        must_fail(cab_world_step(world, 1, &error), CAB_ERROR_DIVERGED, &error, "\"a\"");
        cab_world_destroy(world);
    }
}

static void a_name_is_taken_once(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_constraint_def def = own_of("a", three, 3, "p0.z");
    def.name = "mine";
    cab_scene *scene = drape_with(def);
    must_fail(cab_scene_add_constraint(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/constraints/1/name: expected a unique name");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_constraints_are_refused),
        cmocka_unit_test(what_cannot_be_had_is_refused),
        cmocka_unit_test(what_is_not_a_number_is_told),
        cmocka_unit_test(a_name_is_taken_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
