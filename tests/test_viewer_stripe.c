/* The stripe that shows how cables are rolled, in the viewer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "viewer.h"

/* Rolled between two clamps, and not resisting. */
static const char rolled_text[] =
    "{\"clcable\": 1, \"time\": {\"substeps\": 10}, \"method\": \"direct\", \"gravity\": [0, 0, 0],\n"
    " \"materials\": {\"wire\": {\"radius\": 0.02, \"linear_density\": 0.05, \"bending_stiffness\": 0.1,"
    " \"twisting_stiffness\": 0.08}},\n"
    " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0.6,0,1]], \"segments\": "
    "8}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\", \"clamp\": true},\n"
    "  {\"cable\": \"a\", \"at\": \"end\", \"to\": \"here\", \"clamp\": true, \"roll\": 6}]}\n";

static const char limp_text[] = "{\"clcable\": 1, \"time\": {\"substeps\": 10}, \"method\": \"direct\",\n"
                                " \"materials\": {\"wire\": {\"radius\": 0.02, \"linear_density\": 0.05}},\n"
                                " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": "
                                "[[0,0,1],[0.6,0,1]], \"segments\": 8}]}\n";

static const text_file files[] = {{"rolled.json", rolled_text}, {"limp.json", limp_text}};

static int setup(void **state)
{
    (void)state;
    return start_viewers(files, COUNT(files));
}

static int teardown(void **state)
{
    (void)state;
    return stop_viewers(files, COUNT(files), NULL, 0);
}

static cab_viewer *open_viewer(const char *path)
{
    cab_viewer_def def = cab_viewer_default();
    cab_viewer *v;
    def.device = "native";
    CHECK(cab_viewer_create(&v, path, &def, &error));
    cab_viewer_play(v, false);
    cab_viewer_set_view(v, "front");
    cab_viewer_fit(v);
    draw(v);
    return v;
}

/* How many pixels differ between what is drawn now and after the stripe was switched. */
static int changed_by_stripe(cab_viewer *v)
{
    cab_picture before = {0}, after = {0};
    int changed = 0;
    draw(v);
    CHECK(cab_picture_read(&before, canvas.framebuffer, WIDTH, HEIGHT, &error));
    cab_viewer_toggle_stripes(v);
    assert_true(v->changed);
    draw(v);
    CHECK(cab_picture_read(&after, canvas.framebuffer, WIDTH, HEIGHT, &error));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        changed += abs(before.rgba[4 * i + 1] - after.rgba[4 * i + 1]) > 20;
    cab_picture_free(&before);
    cab_picture_free(&after);
    return changed;
}

/* It is there from the start where a cable is twisted; elsewhere there is nothing to be seen of it. */
static void test_stripe(void **state)
{
    (void)state;
    cab_viewer *v = open_viewer("rolled.json");
    assert_true(cab_viewer_has_stripes(v));
    assert_in_range(changed_by_stripe(v), 200, 5000);
    assert_false(cab_viewer_has_stripes(v));
    assert_in_range(changed_by_stripe(v), 200, 5000);
    assert_true(cab_viewer_has_stripes(v));
    cab_viewer_destroy(v);
    v = open_viewer("limp.json");
    assert_false(cab_viewer_has_stripes(v));
    assert_in_range(changed_by_stripe(v), 0, 20);
    assert_true(cab_viewer_has_stripes(v));
    cab_viewer_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stripe)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
