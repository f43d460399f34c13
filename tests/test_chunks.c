/* The chunks way: what it solves, its seams, and that every device does it alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worlds.h"

#define SEGMENTS 64

/* A cable of 1 m held at its start, and at its end where `taut`. */
static cab_scene *chain_scene(cab_method method, int chunks, bool taut)
{
    cab_scene *scene = scene_of(40);
    cab_settings *settings = cab_scene_settings(scene);
    settings->method = method;
    settings->way = chunks < 0 ? CAB_WAY_COLOURED : CAB_WAY_CHUNKS;
    settings->chunks.count = chunks < 0 ? 0 : chunks;
    add_material(scene, wire_of("wire", 0.003, method == CAB_METHOD_XPBD ? 1e-4 : 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, SEGMENTS);
    hold(scene, "a", (cab_place){CAB_PLACE_START, 0, 0}, false);
    if (taut) hold(scene, "a", at_end(), false);
    return scene;
}

static snapshot run(cab_scene *scene, const char *device, int threads, int frames)
{
    return snapshot_after(take(scene, device, threads), frames);
}

/* One substep of one chunk is Gauss and Seidel's sweep from end to end: by hand, in doubles. */
static void one_chunk_is_serial(void **state)
{
    (void)state;
    enum { N = 9 };
    const double h = 1.0 / 60, l = 0.01;
    cab_scene *scene = scene_of(1);
    cab_scene_settings(scene)->way = CAB_WAY_CHUNKS;
    cab_scene_settings(scene)->chunks.count = 1;
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){l * (N - 1), 0, 0}, N - 1);
    hold(scene, "a", (cab_place){CAB_PLACE_START, 0, 0}, false);
    snapshot s = run(scene, "native", 1, 1);
    double x[N][2], w[N];
    for (int i = 0; i < N; i++) {
        w[i] = i == 0 ? 0 : i == N - 1 ? 2 : 1; /* an end has half the mass */
        x[i][0] = l * i;
        x[i][1] = i == 0 ? 0 : -9.81 * h * h;
    }
    for (int i = 0; i + 1 < N; i++) {
        double dx = x[i + 1][0] - x[i][0], dz = x[i + 1][1] - x[i][1], length = hypot(dx, dz);
        double c = (length - l) / length / (w[i] + w[i + 1]);
        x[i][0] += w[i] * c * dx;
        x[i][1] += w[i] * c * dz;
        x[i + 1][0] -= w[i + 1] * c * dx;
        x[i + 1][1] -= w[i + 1] * c * dz;
    }
    for (int i = 0; i < N; i++) { /* 1e-8: ten roundings of places of 0.1 m */
        near_to(s.x[i][0], x[i][0], 1e-8);
        near_to(s.x[i][2], x[i][1], 1e-8);
    }
    snapshot_free(&s);
}

/* With small enough substeps all orders lead to the same motion; shifted chunks lead elsewhere, since a shift
 * has no leverage. */
static double apart(cab_seam seam, bool taut, int substeps)
{
    cab_scene *scenes[2] = {chain_scene(CAB_METHOD_XPBD, -1, taut), chain_scene(CAB_METHOD_XPBD, 4, taut)};
    cab_scene_settings(scenes[1])->chunks.seam = seam;
    snapshot s[2];
    for (int i = 0; i < 2; i++) {
        cab_scene_settings(scenes[i])->substeps = substeps;
        s[i] = run(scenes[i], "native", 2, 12);
    }
    double difference = largest_difference(&s[0], &s[1]);
    snapshot_free(&s[0]);
    snapshot_free(&s[1]);
    return difference;
}

static void chunks_go_where_colours_go(void **state)
{
    (void)state;
    for (int taut = 0; taut < 2; taut++) {
        double coarse = apart(CAB_SEAM_SOLVE, taut, 160), fine = apart(CAB_SEAM_SOLVE, taut, 640);
        print_message("[          ] %s: %.3g m from colours, with a quarter of the step %.3g\n",
                      taut ? "held at both ends" : "swinging", coarse, fine);
        at_most(fine, 0.5 * coarse + 1e-5); /* first order in h would be a quarter; 1e-5: rounding */
    }
    double shifted = apart(CAB_SEAM_SHIFT, false, 640);
    print_message("[          ] shifted, swinging: %.3g m\n", shifted);
    at_least(shifted, 0.02); /* what docs/methods/chunks.md warns of */
}

/* Where both sides of a seam are held it is solved where it is, and holds stay. */
static void held_chunks_do_not_move(void **state)
{
    (void)state;
    cab_scene *scene = chain_scene(CAB_METHOD_JAKOBSEN, 2, true);
    cab_scene_settings(scene)->chunks.seam = CAB_SEAM_SHIFT;
    snapshot s = run(scene, "native", 1, 60);
    near_to(s.x[0][2], 1, 0);
    near_to(s.x[SEGMENTS][0], 1, 0);
    for (int i = 0; i < SEGMENTS; i++) at_most(distance3(s.x[i], s.x[i + 1]), 1.02 / SEGMENTS);
    snapshot_free(&s);
}

static void every_device_does_it_alike(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_PBD, CAB_METHOD_JAKOBSEN};
    char device[32];
    bool pocl = find_device("Portable Computing Language", device);
    for (int m = 0; m < COUNT_OF(methods); m++) {
        for (int chunks = 1; chunks <= 8; chunks *= 8) {
            for (int kind = 0; kind < 3; kind++) { /* plain, double distances, shifted */
                cab_scene *scenes[3];
                for (int i = 0; i < 3; i++) {
                    scenes[i] = chain_scene(methods[m], chunks, false);
                    cab_scene_settings(scenes[i])->doubles.on = kind & 1;
                    cab_scene_settings(scenes[i])->chunks.seam = kind & 2 ? CAB_SEAM_SHIFT : CAB_SEAM_SOLVE;
                    cab_scene_settings(scenes[i])->contact.self = !(kind & 2);
                }
                snapshot one = run(scenes[0], "native", 1, 12), five = run(scenes[1], "native", 5, 12);
                same_bytes(&one, &five, "threads");
                snapshot_free(&five);
                if (pocl) {
                    snapshot other = run(scenes[2], device, 0, 12);
                    same_bytes(&one, &other, "PoCL");
                    snapshot_free(&other);
                } else {
                    cab_scene_destroy(scenes[2]);
                }
                snapshot_free(&one);
            }
        }
    }
    if (!pocl) print_message("[          ] no PoCL here\n");
}

static void refused_where_it_cannot_be_had(void **state)
{
    (void)state;
    cab_world_def def = cab_world_default();
    def.device = "native";
    cab_world *world = NULL;
    cab_error error = {0};
    cab_scene *scene = chain_scene(CAB_METHOD_XPBD, 4, false);
    add_straight(scene, "b", (cab_vec3){1, 0, 1}, (cab_vec3){1, 1, 1}, 8);
    join(scene, "b", (cab_place){CAB_PLACE_START, 0, 0}, "a", at_end());
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error, "cables are joined");
    cab_scene_destroy(scene);
    scene = chain_scene(CAB_METHOD_PBD, 4, false);
    cab_scene_settings(scene)->chunks.seam = CAB_SEAM_SHIFT;
    cab_scene_settings(scene)->doubles.on = true;
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error, "double distances");
    cab_scene_destroy(scene);
    scene = chain_scene(CAB_METHOD_PBD, 4, false);
    cab_scene_settings(scene)->chunks.seam = CAB_SEAM_SHIFT;
    cab_scene_settings(scene)->contact.self = true;
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error, "/contact/self");
    cab_scene_destroy(scene);
    scene = chain_scene(CAB_METHOD_JACOBI, 4, false);
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error, "/method/chunks");
    cab_scene_settings(scene)->chunks.count = 0;
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error, "/method/way");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_chunk_is_serial),
        cmocka_unit_test(chunks_go_where_colours_go),
        cmocka_unit_test(held_chunks_do_not_move),
        cmocka_unit_test(every_device_does_it_alike),
        cmocka_unit_test(refused_where_it_cannot_be_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
