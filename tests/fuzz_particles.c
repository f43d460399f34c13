/* libFuzzer target for the reader of scenes of particles, and of what is good also two steps of a small
 * system, which nothing may bring out of the range of numbers unsaid; its inputs: fuzz_reader.h. */
#include "fuzz_reader.h"

#include <math.h>

#include "study/particles/scene.h"

#define SMALL 64      /* particles, forces, constraints */
#define ITERATIONS 50 /* of a solve */

static void step(cab_particles_scene *scene)
{
    static cab_vec2 x[SMALL], v[SMALL];
    cab_particles *p = NULL;
    cab_error error = {0};
    cab_world_def device = cab_world_default();
    cab_particles_def *s = &scene->system;
    device.device = "native";
    device.threads = 1;
    if (s->settings.iterations > ITERATIONS) s->settings.iterations = ITERATIONS;
    cab_status status = cab_particles_create(s, 1, CAB_PARTICLES_FUSED, &device, &p, &error);
    if (!status) status = cab_particles_step(p, 2, &error);
    if (!status) status = cab_particles_read(p, 0, x, v, &error);
    if (status) abort(); /* what was read can be made and stepped */
    for (int i = 0; i < s->particle_count; i++)
        if (!isfinite(x[i].x + x[i].y + v[i].x + v[i].y)) abort();
    cab_particles_destroy(p);
}

static void read_particles(const input *in)
{
    cab_particles_scene scene;
    cab_error error = {0};
    cab_status status = cab_particles_scene_parse("fuzz.json", in->text, in->length, in->overrides, in->count,
                                                  &scene, &error);
    if (status) check_error(status, &error);
    const cab_particles_def *s = &scene.system;
    if (!status && s->particle_count <= SMALL && s->force_count <= SMALL && s->constraint_count <= SMALL)
        step(&scene);
    cab_particles_scene_free(&scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_input(data, size, read_particles);
}
