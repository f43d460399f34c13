/* Puts a scene to rest by equilibrium, and looks at how far it moves from there.
 *
 *     settle SCENE FRAMES [POINTER=VALUE...]
 *
 * Uses nothing but the public interface. SCENE may be a wire harness, too; it runs on the processor, by the direct method. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <clcable/clcable.h>

enum { OVERRIDES_MOST = 32 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cab_status open_world(const char *file, const char **overrides, int count, cab_world **world,
                             cab_error *error)
{
    cab_scene *scene = NULL;
    cab_world_def def = cab_world_default();
    def.device = "native";
    cab_status status = cab_scene_load(file, overrides, count, &scene, error);
    if (status == CAB_OK) status = cab_world_create(scene, &def, world, error);
    cab_scene_destroy(scene);
    return status;
}

static void tell(const cab_world *world, const cab_equilibrium *e, double seconds)
{
    cab_world_info info = cab_world_get_info(world);
    printf("%d particles %s after %d steps and %.3g s, %.2g N left", info.particles,
           e->settled ? "rest" : "do not rest", e->iterations, seconds, e->residual);
    if (e->body < info.cables) printf(" on cable \"%s\"", cab_world_get_cable(world, e->body).name);
    printf(", overlap %.2g mm%s\n", 1e3 * e->overlap, e->slipped ? ", friction between cables let go" : "");
}

/* position: two arrays of three numbers a node. */
static cab_status watch(cab_world *world, int frames, double *position, cab_error *error)
{
    size_t numbers = 3 * (size_t)cab_world_get_info(world).nodes;
    cab_status status = cab_world_read(world, position, NULL, NULL, error);
    if (status == CAB_OK) status = cab_world_step(world, frames, error);
    if (status == CAB_OK) status = cab_world_read(world, position + numbers, NULL, NULL, error);
    if (status != CAB_OK) return status;
    double farthest = 0;
    for (size_t i = 0; i < numbers; i += 3) {
        const double *a = position + i, *b = a + numbers;
        farthest = fmax(farthest, hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]));
    }
    printf("%d frames later nothing has moved by more than %.2g mm\n", frames, 1e3 * farthest);
    return CAB_OK;
}

int main(int argc, char **argv)
{
    const char *overrides[OVERRIDES_MOST] = {"/method=\"direct\""};
    int count = 1, frames = argc > 2 ? atoi(argv[2]) : 0;
    if (argc < 3 || frames < 1 || argc - 3 >= OVERRIDES_MOST) {
        fprintf(stderr, "usage: settle SCENE FRAMES [POINTER=VALUE...]\n");
        return 2;
    }
    for (int i = 3; i < argc; i++) overrides[count++] = argv[i];
    cab_world *world = NULL;
    cab_equilibrium e;
    cab_error error = {0};
    cab_status status = open_world(argv[1], overrides, count, &world, &error);
    double start = now();
    if (status == CAB_OK) status = cab_world_settle(world, NULL, &e, &error);
    if (status == CAB_OK) tell(world, &e, now() - start);
    double *position =
        status == CAB_OK ? calloc(6 * (size_t)cab_world_get_info(world).nodes + 1, sizeof *position) : NULL;
    if (position) status = watch(world, frames, position, &error);
    if (status != CAB_OK) fprintf(stderr, "settle: %s\n", error.message);
    bool rests = status == CAB_OK && position && e.settled;
    free(position);
    cab_world_destroy(world);
    return rests ? 0 : 1;
}
