/* libFuzzer target for the readers of scenes: of cables, of particles, of planar ones; each input goes to
 * all. It is a scene file; after a zero byte may follow overrides as of `--set`, a zero byte between them.
 * tests/fuzz_corpus.py makes inputs to start from.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene_json.h"
#include "study/particles/scene.h"
#include "study/planar/planar.h"

#define OVERRIDES_MAX 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a failing call promises: a status that is the error's, one line. */
static void check_error(cab_status status, const cab_error *error)
{
    size_t length = strnlen(error->message, sizeof error->message);
    if (error->status != status || length == 0 || length == sizeof error->message) abort();
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)error->message[i] < 0x20) abort();
}

/* An input, taken apart. */
typedef struct input {
    char *text;
    size_t length;
    const char *overrides[OVERRIDES_MAX];
    int count;
} input;

static void read_cables(const input *in)
{
    cab_scene *scene = NULL;
    cab_error error = {0};
    cab_status status =
        cab_scene_parse("fuzz.json", in->text, in->length, in->overrides, in->count, &scene, &error);
    if (status)
        check_error(status, &error);
    else if (!scene)
        abort();
    cab_scene_destroy(scene);
}

static void read_particles(const input *in)
{
    cab_particles_scene scene;
    cab_error error = {0};
    cab_status status = cab_particles_scene_parse("fuzz.json", in->text, in->length, in->overrides, in->count,
                                                  &scene, &error);
    if (status) check_error(status, &error);
    cab_particles_scene_free(&scene);
}

/* Cables are laid along their links where the scene is built. */
static void read_planar(const input *in)
{
    cab_planar_scene *scene = NULL;
    cab_planar_arrays arrays = {0};
    cab_error error = {0};
    cab_status status =
        cab_planar_scene_parse("fuzz.json", in->text, in->length, in->overrides, in->count, &scene, &error);
    const cab_planar_scene *batch[1] = {scene};
    if (!status) status = cab_planar_build(batch, 1, &arrays, &error);
    if (status) check_error(status, &error);
    cab_planar_free_arrays(&arrays);
    cab_planar_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {.text = malloc(size + 1)};
    if (!in.text) return 0;
    memcpy(in.text, data, size);
    in.text[size] = '\0';
    in.length = strlen(in.text);
    for (size_t at = in.length + 1; at < size && in.count < OVERRIDES_MAX; at += strlen(in.text + at) + 1)
        in.overrides[in.count++] = in.text + at;
    read_cables(&in);
    read_particles(&in);
    read_planar(&in);
    free(in.text);
    return 0;
}
