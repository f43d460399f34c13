/* libFuzzer target for the reader of planar scenes; its inputs: fuzz_reader.h. */
#include "fuzz_reader.h"

#include "study/planar/planar.h"

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
    return read_input(data, size, read_planar);
}
