/* libFuzzer target for the scene reader. The input is a scene file; after a zero byte may follow overrides as
 * of
 * `--set`, a zero byte between them. tests/fuzz_corpus.py makes inputs to start from.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene_json.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    size_t length = strlen(text);
    const char *overrides[OVERRIDES_MAX];
    int count = 0;
    for (size_t at = length + 1; at < size && count < OVERRIDES_MAX; at += strlen(text + at) + 1)
        overrides[count++] = text + at;
    cab_scene *scene = NULL;
    cab_error error = {0};
    cab_status status = cab_scene_parse("fuzz.json", text, length, overrides, count, &scene, &error);
    if (status)
        check_error(status, &error);
    else if (!scene)
        abort();
    cab_scene_destroy(scene);
    free(text);
    return 0;
}
