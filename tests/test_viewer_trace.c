/* What the viewer plots at places that were picked: the figures of the report and of a reader of the world, frame by frame. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer_cables.h"

#include "world/facts.h"

enum { NODES = 128 };

/* What cab_world_read() and the facts of a report say of a frame. */
typedef struct reading {
    double position[NODES][3], velocity[NODES][3], tension[NODES];
    cab_cable_facts facts[4];
} reading;

static void take_reading(const cab_viewer *v, reading *r)
{
    assert_true(v->info.nodes <= NODES && v->info.cables == 4);
    CHECK(cab_world_read(v->world, r->position[0], r->velocity[0], r->tension, &error));
    CHECK(cab_world_get_facts(v->world, r->facts, &error));
}

static float last(const cab_viewer *v, int trace, int quantity)
{
    return v->traces.list[trace].values[quantity][v->traces.samples - 1];
}

static void pick(cab_viewer *v, int node)
{
    float at[2];
    pixel_of(v, node, at);
    assert_true(cab_viewer_pick(v, at[0], at[1]));
    assert_int_equal(v->selected_node, node);
}

/* Tensions to the float that rows are; curvature is computed in floats of coordinates of 1 m, over segments of 3 cm: 6e-8 m of
 * place in 3 cm twice is 2e-4 1/m. */
static void test_plots_are_the_reports_figures(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    reading now;
    step(v, 3);
    draw(v);
    take_reading(v, &now);
    int pulled = now.facts[0].tension_node, bent = now.facts[0].bend_node, samples = 0;
    pick(v, bent);
    assert_true(cab_viewer_trace_selected(v));
    assert_true(cab_viewer_trace(v, 0, pulled));
    assert_int_equal(v->traces.count, 2);
    assert_true(cab_viewer_trace(v, 2, cab_world_get_cable(v->world, 2).first_node + 5));
    assert_true(cab_viewer_trace_energy(v, true));
    assert_float_equal(last(v, 0, 1), 1 / now.facts[0].bend_radius, 2e-4);
    assert_float_equal(last(v, 1, 0), now.facts[0].tension, 1e-6 * fabs(now.facts[0].tension));
    for (int i = 0; i < 30; i++) {
        assert_int_equal(v->traces.samples, ++samples);
        take_reading(v, &now);
        for (int k = 0; k < 3; k++) {
            int node;
            assert_true(cab_viewer_trace_node(v, k, &node));
            double tension = now.tension[node];
            assert_float_equal(last(v, k, 0), tension, 1e-6 * fabs(tension) + 1e-9);
        }
        assert_true(1 / now.facts[0].bend_radius > last(v, 0, 1) - 2e-4);
        assert_float_equal(v->traces.time[samples - 1], v->info.time, 0);
        assert_float_equal(v->traces.energy[samples - 1], v->measures.kinetic + v->measures.potential, 0);
        step(v, 1);
    }
    assert_true(v->traces.list[0].values[0][5] != v->traces.list[0].values[0][20]); /* it moves */
    assert_float_equal(v->traces.list[2].at, 0.25, 1e-3); /* but for what it has stretched unevenly */
    cab_viewer_destroy(v);
}

static void test_places_come_and_go(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    assert_false(cab_viewer_trace_selected(v)); /* nothing was clicked */
    assert_int_equal(v->traces.samples, 0);
    for (int i = 0; i < CAB_TRACES_MOST; i++) assert_true(cab_viewer_trace(v, 0, 2 * i));
    assert_false(cab_viewer_trace(v, 0, 1));
    assert_true(v->message_is_error);
    for (int i = 0; i < CAB_TRACES_MOST; i++)
        for (int k = 0; k < i; k++) assert_true(v->traces.list[i].colour != v->traces.list[k].colour);
    step(v, 5);
    int colour = v->traces.list[1].colour;
    assert_true(cab_viewer_trace(v, 0, 2)); /* again: it goes */
    assert_int_equal(v->traces.count, CAB_TRACES_MOST - 1);
    assert_int_equal(v->traces.list[1].index, 4);
    assert_true(cab_viewer_trace(v, 0, 1));
    const cab_trace *late = &v->traces.list[CAB_TRACES_MOST - 1];
    assert_int_equal(late->colour, colour);
    assert_true(isnan(late->values[0][4]) && !isnan(late->values[0][5])); /* from when it was picked */
    draw(v);
    while (v->traces.count) cab_viewer_untrace(v, 0);
    assert_int_equal(v->traces.samples, 0);
    assert_true(cab_viewer_trace(v, 1, cab_world_get_cable(v->world, 1).first_node));
    assert_true(cab_viewer_set_method(v, CAB_METHOD_DIRECT)); /* another world of the same cables */
    assert_int_equal(v->traces.count, 1);
    assert_true(cab_viewer_open(v, "wild.json"));
    assert_int_equal(v->traces.count, 0);
    cab_viewer_destroy(v);
}

/* Plotted from the start, by name: the tension of their segment and the curvature between its ends, of the colours' figures. They
 * are found again by name when another world takes this one's place, and can go and come. */
static void test_probes_are_plotted(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("probes.json");
    const cab_traces *t = &v->traces;
    assert_int_equal(cab_viewer_probes(v), CAB_TRACES_MOST + 1);
    assert_int_equal(t->count, CAB_TRACES_MOST);
    assert_true(cab_viewer_traces_probes(v));
    assert_string_equal(t->list[0].name, "third");
    assert_string_equal(t->list[2].name, "p[0,0,0]");
    assert_int_equal(t->list[0].index, 6);
    assert_float_equal(t->list[0].part, 0.66, 1e-9);
    for (int i = 0; i < 5; i++) {
        step(v, 1);
        for (int k = 0; k < CAB_TRACED_QUANTITIES; k++) {
            float rows[4 * 2 * NODES];
            CHECK(cab_world_draw(v->world, k ? CAB_QUANTITY_CURVATURE : CAB_QUANTITY_TENSION, rows, &error));
            float a = rows[4 * 6 + 3], b = rows[4 * 7 + 3];
            double known = k ? a + 0.66 * (b - a) : a;
            assert_float_equal(last(v, 0, k), known, 1e-5 * fabs(known));
            if (k == 0)
                assert_float_equal(last(v, 1, 0), rows[4 * 19 + 3], 0); /* "end": of the last segment */
        }
    }
    draw(v);
    assert_true(cab_viewer_set(v, "/probes/0/at", "0.125"));
    assert_int_equal(t->list[0].index, 2);
    assert_float_equal(t->list[0].part, 0.5, 1e-9);
    assert_true(cab_viewer_set(v, "/probes/0/name", "\"other\""));
    assert_int_equal(t->count, CAB_TRACES_MOST - 1);
    assert_true(cab_viewer_trace_probes(v, true));
    assert_string_equal(t->list[CAB_TRACES_MOST - 1].name, "other");
    assert_true(cab_viewer_trace_probes(v, false));
    assert_int_equal(t->count, 0);
    assert_false(cab_viewer_traces_probes(v));
    assert_true(cab_viewer_trace(v, 0, 3));
    assert_true(cab_viewer_trace_probes(v, true));
    assert_int_equal(t->count, CAB_TRACES_MOST);
    draw(v);
    cab_viewer_destroy(v);
}

/* What came later goes when time goes back; what comes again is the same. */
static void test_going_back_takes_it_off(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    assert_true(cab_viewer_trace(v, 0, 7));
    step(v, 40);
    assert_int_equal(v->traces.samples, 41);
    float then = last(v, 0, 0);
    assert_true(cab_viewer_seek(v, 10));
    assert_int_equal(v->traces.samples, 11);
    assert_int_equal(v->traces.frame[10], 10);
    step(v, 30);
    assert_int_equal(v->traces.samples, 41);
    assert_true(last(v, 0, 0) == then);
    assert_true(cab_viewer_reset(v));
    assert_int_equal(v->traces.samples, 1);
    cab_viewer_destroy(v);
}

/* More frames than there is room for: every other one, and always the last one. */
static void test_long_plots_are_thinned_out(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("net.json");
    assert_true(cab_viewer_trace_energy(v, true));
    assert_true(cab_viewer_trace(v, 0, 3));
    const cab_traces *t = &v->traces;
    for (int i = 1; i <= 2 * CAB_TRACE_SAMPLES + 99; i++) {
        step(v, 1);
        assert_true(t->samples <= CAB_TRACE_SAMPLES);
        assert_int_equal(t->frame[t->samples - 1], i);
        assert_true(last(v, 0, 0) == last(v, 0, 0)); /* no gap */
    }
    assert_int_equal(t->every, 4);
    for (int i = 0; i + 1 < t->samples; i++) {
        assert_int_equal(t->frame[i], 4 * i);
        assert_float_equal(t->time[i], 4 * i / 60.0, 1e-9);
    }
    cab_viewer_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plots_are_the_reports_figures),
        cmocka_unit_test(test_places_come_and_go),
        cmocka_unit_test(test_probes_are_plotted),
        cmocka_unit_test(test_going_back_takes_it_off),
        cmocka_unit_test(test_long_plots_are_thinned_out),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
