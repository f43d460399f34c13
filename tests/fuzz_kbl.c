/* libFuzzer target for the reader of KBL files: all the way to a scene. After a zero byte may follow
 * overrides as of `--set`, a zero byte between them. Begin with scenes/loom.kbl.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/kbl/contents.h"
#include "io/kbl/write.h"
#include "io/scene_json.h"

#define OVERRIDES_MAX 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef cab_status writer(cab_kbl *kbl, char **bytes, size_t *size, cab_error *error);

/* What was written can be read: a file that is a harness stays one. */
static void write_and_read(cab_kbl *kbl, writer *write)
{
    cab_error error = {0};
    char *bytes = NULL;
    size_t size;
    cab_status status = write(kbl, &bytes, &size, &error);
    if (status && status != CAB_ERROR_MEMORY) abort();
    cab_kbl back = {.file = "written"};
    cab_kbl_contents contents;
    if (!status && cab_kbl_read_all(&back, &contents, "written", bytes, size, &error) != CAB_OK) abort();
    if (!status && (back.node_count != kbl->node_count || back.wire_count != kbl->wire_count)) abort();
    cab_kbl_free(&back);
    free(bytes);
}

/* Segments that lack a node are not written. */
static bool has_segments(const cab_kbl *kbl)
{
    for (int i = 0; i < kbl->segment_count; i++)
        if (kbl->segments[i].start >= 0 && kbl->segments[i].end >= 0) return true;
    return false;
}

/* What it is made of: as `clcable formboard` reads it. */
static void read_contents(const char *text, size_t length)
{
    cab_kbl kbl;
    cab_kbl_contents contents;
    cab_error error = {0};
    cab_status status = cab_kbl_read_all(&kbl, &contents, "fuzz.kbl", text, length, &error);
    for (int i = 0; !status && i < contents.spot_count; i++) {
        const cab_kbl_spot *spot = &contents.spots[i];
        if (spot->node >= kbl.node_count || spot->segment >= kbl.segment_count) abort();
        if ((spot->node < 0) == (spot->segment < 0) || !spot->name) abort();
        if (spot->segment >= 0 && !(spot->from >= 0 && spot->from <= spot->to && spot->to <= 1)) abort();
    }
    if (!status && has_segments(&kbl)) {
        write_and_read(&kbl, cab_kbl_write_kbl);
        write_and_read(&kbl, cab_kbl_write_vec);
    }
    cab_kbl_free(&kbl);
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
    for (int wires = 0; wires <= 1; wires++) {
        cab_scene *scene = NULL;
        cab_error error = {0};
        const char *as[OVERRIDES_MAX + 1] = {wires ? "/kbl/as=wires" : "/kbl/as=segments"};
        memcpy(as + 1, overrides, (size_t)count * sizeof *as);
        cab_status status = cab_scene_parse("fuzz.kbl", text, length, as, count + 1, &scene, &error);
        size_t said = strnlen(error.message, sizeof error.message);
        if (status && (error.status != status || said == 0 || said == sizeof error.message)) abort();
        for (size_t i = 0; status && i < said; i++)
            if ((unsigned char)error.message[i] < 0x20) abort();
        if (!status && !scene) abort();
        cab_scene_destroy(scene);
    }
    read_contents(text, length);
    free(text);
    return 0;
}
