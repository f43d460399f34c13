/* STL, binary and ASCII. Normals are left out: the order of the corners says the same. */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "io/mesh_file.h"
#include "model/limits.h"

#define HEADER 84 /* bytes before the first triangle of a binary file; the last 4 are how many there are */
#define RECORD 50 /* bytes of a triangle: normal, three corners, 2 bytes for anything */

static cab_status add_corners(cab_mesh_maker *maker, const cab_vec3 corner[3], cab_error *error)
{
    int first = maker->mesh.vertex_count;
    cab_status status = CAB_OK;
    for (int i = 0; i < 3 && status == CAB_OK; i++) status = cab_mesh_add_vertex(maker, corner[i], error);
    return status ? status : cab_mesh_add_triangle(maker, first, first + 1, first + 2, error);
}

static uint32_t read_uint(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const char *bytes)
{
    uint32_t bits = read_uint(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static cab_status read_binary(const char *file, const char *text, size_t count, cab_mesh_maker *maker,
                              cab_error *error)
{
    if (count > CAB_MESH_TRIANGLES_MAX) return cab_mesh_fail_size(file, error);
    cab_status status = CAB_OK;
    for (size_t i = 0; i < count && status == CAB_OK; i++) {
        const char *record = text + HEADER + RECORD * i + 12;
        double value[9];
        for (int k = 0; k < 9; k++) {
            value[k] = read_float(record + 4 * k);
            if (cab_limit_holds(CAB_LIMIT_COORDINATE, value[k])) continue;
            char expected[96];
            cab_limit_text(CAB_LIMIT_COORDINATE, expected, sizeof expected);
            return cab_fail(error, CAB_ERROR_INPUT, "%s: triangle %zu, corner %d: expected %s, got %g", file,
                            i, k / 3, expected, value[k]);
        }
        cab_vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = (cab_vec3){value[3 * k], value[3 * k + 1], value[3 * k + 2]};
        status = add_corners(maker, corner, error);
    }
    return status;
}

static cab_status expect(cab_words *words, const char *text)
{
    char expected[32] = "\"";
    cab_word word = cab_words_over_lines(words);
    if (cab_word_is(word, text)) return CAB_OK;
    strncat(expected, text, sizeof expected - 3);
    strcat(expected, "\"");
    return cab_words_fail(words, expected, word);
}

/* After the word "facet". */
static cab_status read_facet(cab_words *words, cab_mesh_maker *maker)
{
    cab_vec3 corner[3];
    cab_status status = expect(words, "normal");
    for (int i = 0; i < 3 && !status; i++) cab_words_over_lines(words);
    if (!status) status = expect(words, "outer");
    if (!status) status = expect(words, "loop");
    for (int i = 0; i < 3 && !status; i++) {
        status = expect(words, "vertex");
        if (!status) status = cab_words_point(words, cab_words_over_lines, &corner[i]);
    }
    if (!status) status = expect(words, "endloop");
    if (!status) status = expect(words, "endfacet");
    if (!status && maker->mesh.triangle_count == CAB_MESH_TRIANGLES_MAX)
        return cab_mesh_fail_size(words->file, words->error);
    return status ? status : add_corners(maker, corner, words->error);
}

/* One solid or several. */
static cab_status read_ascii(cab_words *words, cab_mesh_maker *maker)
{
    cab_status status = CAB_OK;
    cab_word word = cab_words_over_lines(words);
    while (word.length > 0 && !status) {
        if (!cab_word_is(word, "solid")) return cab_words_fail(words, "\"solid\"", word);
        cab_words_next_line(words); /* its name */
        for (word = cab_words_over_lines(words); cab_word_is(word, "facet") && !status;)
            if (!(status = read_facet(words, maker))) word = cab_words_over_lines(words);
        if (!status && !cab_word_is(word, "endsolid"))
            return cab_words_fail(words, "\"facet\" or \"endsolid\"", word);
        if (!status) {
            cab_words_next_line(words);
            word = cab_words_over_lines(words);
        }
    }
    return status;
}

cab_status cab_mesh_read_stl(const char *file, const char *text, size_t size, cab_mesh_maker *maker,
                             cab_error *error)
{
    size_t count = size >= HEADER ? read_uint(text + HEADER - 4) : 0;
    /* a binary file may begin with "solid" as well: its size tells */
    if (size >= HEADER && (size - HEADER) / RECORD == count && (size - HEADER) % RECORD == 0)
        return read_binary(file, text, count, maker, error);
    cab_words words = {.file = file, .at = text, .end = text + size, .line = 1, .error = error};
    cab_words start = words;
    if (cab_word_is(cab_words_over_lines(&start), "solid")) return read_ascii(&words, maker);
    if (size < HEADER)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: expected \"solid\" or a binary file of at least %d bytes, got %zu bytes", file,
                        HEADER, size);
    return cab_fail(error, CAB_ERROR_INPUT,
                    "%s: expected %zu bytes for the %zu triangles that it announces, got %zu bytes", file,
                    HEADER + RECORD * count, count, size);
}
