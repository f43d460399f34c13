/* libFuzzer target for the reader of scenes of cables; its inputs: fuzz_reader.h. */
#include "fuzz_reader.h"

#include "io/scene_json.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_input(data, size, read_cables);
}
