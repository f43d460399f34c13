/* cab_fit(): a stiffness from a droop against the formula of a beam, on all backends; what is refused; what stops it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "worlds.h"

#define STIFFNESS "/materials/wire/bending_stiffness"
#define LENGTH 0.4  /* m, clamped level */
#define LINEAR 0.05 /* kg/m */
#define SAG 0.002   /* m */

static cab_error error;

/* A length that is clamped level at its start, as text. */
static const char *droop_text(int segments)
{
    static char text[1024];
    snprintf(
        text, sizeof text,
        "{\"clcable\": 1, \"method\": {\"name\": \"direct\"}, \"materials\": {\"wire\": {\"radius\": 0.003, "
        "\"linear_density\": %g, \"bending_stiffness\": 0.01}}, \"cables\": [{\"name\": \"a\", "
        "\"material\": \"wire\", \"path\": [[0, 0, 0], [%g, 0, 0]], \"segments\": %d}], \"attachments\": "
        "[{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\", \"clamp\": true}], \"probes\": [{\"name\": "
        "\"tip\", \"cable\": \"a\", \"at\": \"end\"}], \"contact\": {\"cables\": false, \"self\": false}}",
        LINEAR, LENGTH, segments);
    return text;
}

typedef struct bench {
    int segments;
    int made;       /* scenes so far */
    int fail_after; /* scenes; 0 = never */
    bool none;      /* says that it has made one, and has not */
    int asked, stop_after;
    int runs;
    cab_fit_sought sought[3];
    cab_track_sample sample[3];
    cab_fit_clip clip;
} bench;

static cab_status make(void *user, int clip, const char *const *changes, int count, cab_scene **scene,
                       cab_error *why)
{
    bench *b = user;
    assert_int_equal(clip, 0);
    if (b->fail_after && ++b->made > b->fail_after) {
        snprintf(why->message, sizeof why->message, "the bench is broken");
        return why->status = CAB_ERROR_IO;
    }
    if (b->none) return CAB_OK;
    const char *text = droop_text(b->segments);
    return cab_scene_parse("droop", text, strlen(text), changes, count, scene, why);
}

static bool stop(void *user)
{
    bench *b = user;
    return b->stop_after && ++b->asked > b->stop_after;
}

static void count_runs(void *user, int runs)
{
    bench *b = user;
    assert_true(runs > b->runs);
    b->runs = runs;
}

/* A ruler has told how far the tip hangs, and nothing else. */
static cab_fit_def ruler(bench *b, int segments)
{
    static const char *const tip[] = {"tip"};
    *b = (bench){.segments = segments};
    b->sought[0] = (cab_fit_sought){STIFFNESS, {1e-2, 100, true}};
    b->sample[0] = (cab_track_sample){0, 0, {NAN, NAN, -SAG}};
    b->clip = (cab_fit_clip){
        .file = "ruler", .scene = "droop", .probes = tip, .probe_count = 1, .sample = b->sample, .count = 1};
    cab_fit_def def = cab_fit_default();
    def.sought = b->sought;
    def.sought_count = 1;
    def.clips = &b->clip;
    def.clip_count = 1;
    def.tries = 16;
    def.hold_out = 0;
    def.settle = true;
    def.make = make;
    def.stop = stop;
    def.progress = count_runs;
    def.user = b;
    def.world.device = "native";
    return def;
}

/* w = mu g L^4 / (8 EI). The beam's own error is that of straight segments, 1/n^2 of w: 0.25 and 0.06 %; and (w/L)^2 for a droop that is
 * not small, 2e-5. */
static void a_droop_tells_the_stiffness_of_a_beam(void **state)
{
    (void)state;
    static const char *const devices[] = {"native", "opencl"};
    static const int segments[] = {20, 40};
    double beam = LINEAR * 9.81 * pow(LENGTH, 4) / (8 * SAG);
    for (int d = 0; d < 1 + have_opencl(); d++)
        for (int n = 0; n < COUNT_OF(segments); n++) {
            bench b;
            cab_fit_found found;
            cab_fit_def def = ruler(&b, segments[n]);
            def.world.device = devices[d];
            must(cab_fit(&def, &found, &error), &error);
            assert_true(found.any && !found.interrupted);
            near_to(found.values[0].value / beam, 1, 1.2 / (segments[n] * segments[n]));
            assert_true(isinf(found.values[0].spread)); /* one height for one number */
            assert_true(found.values[0].told && !found.values[0].at_end);
            assert_int_equal(found.places, 1);
            assert_int_equal(found.runs, b.runs);
            assert_int_equal(found.clips[0].fitted.numbers, 1);
            assert_int_equal(found.clips[0].held_out.numbers, 0);
            at_most(found.clips[0].fitted.mean,
                    1e-6); /* a thousandth of a millimetre: what floats leave of a rest */
            cab_fit_free(&found);
        }
}

/* What the first half says finds it; the second, a millimetre lower, is only compared. Friction of what touches nothing is not told, and
 * is warned of. */
static void what_is_held_out_is_compared(void **state)
{
    (void)state;
    bench b;
    cab_fit_found found;
    cab_fit_def def = ruler(&b, 20);
    b.sample[1] = (cab_track_sample){0, 0, {LENGTH, 0, NAN}};
    b.sample[2] = (cab_track_sample){0.1, 0, {NAN, NAN, -SAG - 0.001}};
    b.clip.count = 3;
    b.sought[1] = (cab_fit_sought){"/materials/wire/friction", {0.1, 1, true}};
    def.sought_count = 2;
    def.hold_out = 0.5;
    must(cab_fit(&def, &found, &error), &error);
    near_to(found.clips[0].until, 0.05, 1e-12);
    assert_int_equal(found.clips[0].fitted.numbers, 3);
    assert_int_equal(found.clips[0].held_out.numbers, 1);
    near_to(found.clips[0].held_out.mean, 0.001, 2e-5); /* it is at rest, to what floats leave */
    near_to(found.clips[0].held_out.root, found.clips[0].held_out.mean, 1e-12);
    assert_false(found.values[1].told);
    assert_int_equal(found.warning_count, 1);
    assert_string_equal(found.warnings[0].text, "/materials/wire/friction: these tracks do not tell it");
    cab_fit_free(&found);
}

/* Ranges that do not reach the beam's 0.785 N m^2. */
static void an_end_of_a_range_is_told(void **state)
{
    (void)state;
    static const cab_fit_range ranges[] = {{1e-2, 0.5, true}, {0.9, 100, true}};
    for (int i = 0; i < COUNT_OF(ranges); i++) {
        bench b;
        cab_fit_found found;
        cab_fit_def def = ruler(&b, 20);
        b.sought[0].range = ranges[i];
        must(cab_fit(&def, &found, &error), &error);
        assert_true(found.values[0].at_end);
        assert_int_equal(found.warning_count, 1);
        assert_non_null(strstr(found.warnings[0].text, STIFFNESS ": found at the end of its range, "));
        cab_fit_free(&found);
    }
}

/* A file in a folder for such, with `text` in it; the name's X's are filled in. */
static void put(char *name, int ending, const char *text)
{
    FILE *file = fdopen(mkstemps(name, ending), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Without a function that makes scenes the clip's file is read; tracks of a table, too. */
static void files_do_as_well(void **state)
{
    (void)state;
    bench b;
    cab_fit_found found;
    char scene[] = "/tmp/clcable-fit-XXXXXX", table[] = "/tmp/clcable-fit-XXXXXX.csv";
    cab_fit_def def = ruler(&b, 20);
    char row[64];
    double value[2];
    snprintf(row, sizeof row, "t,probe,x,y,z\n0,tip,,,%g\n", -SAG);
    put(scene, 0, droop_text(20));
    put(table, 4, row);
    for (int k = 0; k < 2; k++) {
        cab_tracks tracks = {0};
        if (k) {
            must(cab_tracks_read(table, &tracks, &error), &error);
            b.clip = cab_fit_clip_of(&tracks, scene, table);
            def.make = NULL;
        }
        b.runs = 0;
        must(cab_fit(&def, &found, &error), &error);
        value[k] = found.values[0].value;
        cab_fit_free(&found);
        cab_tracks_free(&tracks);
    }
    unlink(scene);
    unlink(table);
    assert_true(value[0] == value[1]);
}

/* Tables that go on by probe are as good as those that go on by time: times do not fall, and of one time rows stay in their order. */
static void tables_are_read_by_time(void **state)
{
    (void)state;
    char table[] = "/tmp/clcable-fit-XXXXXX.csv", text[4096] = "t,probe,x,y,z\n";
    const int rows = 37; /* no power of two */
    for (int probe = 0; probe < 3; probe++)
        for (int i = 0; i < rows; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d,p%d,%d,0,0\n", i / 2, probe,
                     2 * i + probe);
    put(table, 4, text);
    cab_tracks tracks;
    must(cab_tracks_read(table, &tracks, &error), &error);
    unlink(table);
    assert_int_equal(tracks.count, 3 * rows);
    assert_int_equal(tracks.probe_count, 3);
    for (int i = 0; i < tracks.count; i++) {
        const cab_track_sample *s = &tracks.sample[i];
        int half = i / 6, left = i % 6; /* two rows of each probe at a time, but for the last */
        int probe = half < rows / 2 ? left / 2 : left, twice = half < rows / 2 ? left % 2 : 0;
        assert_true(s->t == half);
        assert_int_equal(s->probe, probe);
        assert_true(s->place.x == 2 * (2 * half + twice) + probe);
    }
    cab_tracks_free(&tracks);
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    bench b;
    cab_fit_found found;
    cab_fit_def def = ruler(&b, 20);
    def.settle = false;
    b.sample[0].t = 0.2; /* 12 frames a run */
    b.stop_after = 40;
    must(cab_fit(&def, &found, &error), &error);
    assert_true(found.any && found.interrupted);
    assert_true(isinf(found.values[0].spread));
    assert_int_equal(found.warning_count, 0);
    cab_fit_free(&found);
    def = ruler(&b, 20);
    b.stop_after = 1;
    must(cab_fit(&def, &found, &error), &error);
    assert_true(!found.any && found.interrupted);
    cab_fit_free(&found);
}

/* It is asked once a frame: stopped at the last of all, it has found all but how far it is off. */
static void stopped_at_the_last_it_says_so(void **state)
{
    (void)state;
    bench b;
    cab_fit_found found;
    cab_fit_def def = ruler(&b, 20);
    def.settle = false;
    b.sample[0].t = 0.05; /* 3 frames a run */
    b.stop_after = 1000000;
    must(cab_fit(&def, &found, &error), &error);
    assert_false(found.interrupted);
    assert_int_equal(found.clips[0].fitted.numbers, 1);
    cab_fit_free(&found);
    int asked = b.asked;
    b.asked = b.runs = 0;
    b.stop_after = asked - 1;
    must(cab_fit(&def, &found, &error), &error);
    assert_true(found.any && found.interrupted);
    assert_int_equal(found.clips[0].fitted.numbers, 0);
    assert_int_equal(found.warning_count, 0);
    cab_fit_free(&found);
}

static void refused(const cab_fit_def *def, cab_status status, const char *part)
{
    cab_fit_found found;
    must_fail(cab_fit(def, &found, &error), status, &error, part);
    assert_false(found.any);
    cab_fit_free(&found);
}

static void wrong_ranges_are_refused(void **state)
{
    (void)state;
    static const struct {
        cab_fit_sought sought;
        const char *part;
    } wrong[] = {
        {{NULL, {1, 2, false}}, "expected a pointer such as"},
        {{"wire", {1, 2, false}}, "got 'wire'"},
        {{"/time/substeps", {1, 2, false}}, "fit: /time/substeps: expected a number of a material"},
        {{STIFFNESS, {2, 1, false}}, "expected a range from less to more, got 2 to 1"},
        {{STIFFNESS, {1, 1, false}}, "from less to more"},
        {{STIFFNESS, {NAN, 1, false}}, "from less to more"},
        {{STIFFNESS, {1, INFINITY, false}}, "from less to more"},
        {{STIFFNESS, {0, 1, true}}, "expected a range above 0"},
    };
    bench b;
    cab_fit_def def = ruler(&b, 20);
    for (int i = 0; i < COUNT_OF(wrong); i++) {
        b.sought[0] = wrong[i].sought;
        refused(&def, CAB_ERROR_INPUT, wrong[i].part);
    }
    def = ruler(&b, 20);
    def.sought_count = 0;
    refused(&def, CAB_ERROR_INPUT, "expected 1 to 12 numbers");
    def.sought_count = 2;
    b.sought[1] = (cab_fit_sought){"/materials/wire/friction", {0.1, 1, true}};
    refused(&def, CAB_ERROR_INPUT, "ruler: expected at least as many coordinates");
    def = ruler(&b, 20);
    b.sought[0].pointer = "/materials/nose/damping";
    refused(&def, CAB_ERROR_INPUT, "there is no \"nose\"");
}

static void wrong_clips_are_refused(void **state)
{
    (void)state;
    static const char *const nose[] = {"nose"};
    static const struct {
        cab_track_sample sample[2];
        const char *part;
    } wrong[] = {
        {{{-1, 0, {0, 0, 0}}}, "ruler: sample 0: expected a time from 0"},
        {{{NAN, 0, {0, 0, 0}}}, "sample 0: expected a time"},
        {{{0, 0, {0, 0, 0}}, {1e10, 0, {0, 0, 0}}}, "sample 1: expected a time from 0 to 1e+09 s"},
        {{{0, 0, {0, 0, 0}}, {9e8, 0, {0, 0, 0}}}, "ruler: expected at most 178956970 coordinates"},
        {{{0, 0, {0, 0, 0}}, {1e8, 0, {0, 0, 0}}},
         "ruler: expected at most 1000000000 frames of droop, got 6000000000"},
        {{{1, 0, {0, 0, 0}}, {0.5, 0, {0, 0, 0}}}, "sample 1: expected a time from 0 to 1e+09 s, not before"},
        {{{0, 1, {0, 0, 0}}}, "sample 0: expected a probe from 0 to 0, got 1"},
        {{{0, -1, {0, 0, 0}}}, "expected a probe"},
        {{{0, 0, {0, INFINITY, 0}}}, "infinitely far"},
    };
    bench b;
    cab_fit_def def = ruler(&b, 20);
    b.clip.count = 2;
    for (int i = 0; i < COUNT_OF(wrong); i++) {
        memcpy(b.sample, wrong[i].sample, sizeof wrong[i].sample);
        refused(&def, CAB_ERROR_INPUT, wrong[i].part);
    }
    def = ruler(&b, 20);
    b.clip.count = 0;
    refused(&def, CAB_ERROR_INPUT, "ruler: expected a place that was measured");
    def = ruler(&b, 20);
    b.clip.probes = nose;
    refused(&def, CAB_ERROR_INPUT, "ruler: probe \"nose\": expected one that droop has");
    static const char *const nameless[] = {NULL};
    b.clip.probes = nameless;
    refused(&def, CAB_ERROR_INPUT, "ruler: probe 0: expected a name");
    def = ruler(&b, 20);
    def.make = NULL;
    b.clip.scene = b.clip.file = NULL;
    refused(&def, CAB_ERROR_INPUT, "tracks: expected the file of its scene");
    def = ruler(&b, 20);
    def.clip_count = 0;
    refused(&def, CAB_ERROR_INPUT, "expected a scene with tracks");
}

static void what_fails_on_the_way_is_told(void **state)
{
    (void)state;
    bench b;
    cab_fit_def def = ruler(&b, 20);
    b.fail_after = 20; /* in a descent */
    refused(&def, CAB_ERROR_IO, "the bench is broken");
    def = ruler(&b, 20);
    b.fail_after = 1; /* and nobody wants to know why */
    cab_fit_found found;
    assert_int_equal(cab_fit(&def, &found, NULL), CAB_ERROR_IO);
    cab_fit_free(&found);
    def = ruler(&b, 20);
    b.none = true;
    refused(&def, CAB_ERROR_INPUT, "droop: expected a scene, none was made");
    def = ruler(&b, 20);
    def.hold_out = 0.95;
    refused(&def, CAB_ERROR_INPUT, "hold_out: expected a share of the time from 0 to 0.9, got 0.95");
    def = ruler(&b, 20);
    def.tries = -1;
    refused(&def, CAB_ERROR_INPUT, "tries: expected 0 to 1000000, got -1");
    def.tries = 1000001;
    refused(&def, CAB_ERROR_INPUT, "tries: expected 0 to 1000000, got 1000001");
    def = ruler(&b, 20);
    def.world.device = "abacus";
    refused(&def, CAB_ERROR_INPUT, "abacus");
}

static void a_build_without_it_says_so(void **state)
{
    (void)state;
    bench b;
    cab_fit_def def = ruler(&b, 20);
    refused(&def, CAB_ERROR_UNSUPPORTED, "this build is without cminpack");
}

int main(void)
{
    const struct CMUnitTest with[] = {
        cmocka_unit_test(a_droop_tells_the_stiffness_of_a_beam),
        cmocka_unit_test(what_is_held_out_is_compared),
        cmocka_unit_test(an_end_of_a_range_is_told),
        cmocka_unit_test(files_do_as_well),
        cmocka_unit_test(tables_are_read_by_time),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(stopped_at_the_last_it_says_so),
        cmocka_unit_test(wrong_ranges_are_refused),
        cmocka_unit_test(wrong_clips_are_refused),
        cmocka_unit_test(what_fails_on_the_way_is_told),
    };
    const struct CMUnitTest without[] = {
        cmocka_unit_test(tables_are_read_by_time),
        cmocka_unit_test(a_build_without_it_says_so),
    };
#ifdef CAB_HAVE_FIT
    (void)without;
    return cmocka_run_group_tests(with, NULL, NULL);
#else
    (void)with;
    return cmocka_run_group_tests(without, NULL, NULL);
#endif
}
