/* Wavefront OBJ: points and polygons; textures, normals, groups and materials do not matter here. */
#include "io/mesh_file.h"
#include "model/error.h"
#include "model/limits.h"

#define INDEX_MAX 1000000000 /* before digits overflow */

/* "7", "7/1", "7/1/2", "7//2": the point's index from 0; negative ones count from the last point back. */
static bool read_index(cab_word word, int vertex_count, int *index)
{
    size_t at = word.length > 0 && word.text[0] == '-' ? 1 : 0, first = at;
    int value = 0;
    for (; at < word.length && word.text[at] >= '0' && word.text[at] <= '9'; at++) {
        if (value > INDEX_MAX / 10) return false;
        value = 10 * value + (word.text[at] - '0');
    }
    if (at == first || (at < word.length && word.text[at] != '/')) return false;
    if (value < 1 || value > vertex_count) return false;
    *index = first ? vertex_count - value : value - 1;
    return true;
}

/* A polygon as a fan about its first corner. */
static cab_status read_face(cab_words *words, cab_mesh_maker *maker)
{
    int corner[3], count = 0;
    for (cab_word word = cab_words_next(words); word.length > 0; word = cab_words_next(words)) {
        int index;
        if (!read_index(word, maker->mesh.vertex_count, &index))
            return cab_words_fail(words, "the index of a point given before", word);
        if (count >= 2) {
            if (maker->mesh.triangle_count == CAB_MESH_TRIANGLES_MAX)
                return cab_mesh_fail_size(words->file, words->error);
            corner[2] = index;
            cab_status status = cab_mesh_add_triangle(maker, corner[0], corner[1], corner[2], words->error);
            if (status != CAB_OK) return status;
            corner[1] = index;
        } else {
            corner[count] = index;
        }
        count++;
    }
    return count >= 3 ? CAB_OK : cab_words_fail(words, "a face of at least 3 corners", (cab_word){0});
}

static cab_status read_statement(cab_words *words, cab_mesh_maker *maker)
{
    cab_word word = cab_words_next(words);
    if (cab_word_is(word, "v")) {
        cab_vec3 point;
        if (maker->mesh.vertex_count == CAB_MESH_VERTICES_MAX)
            return cab_mesh_fail_size(words->file, words->error);
        cab_status status = cab_words_point(words, cab_words_next, &point);
        return status ? status : cab_mesh_add_vertex(maker, point, words->error);
    }
    if (cab_word_is(word, "f")) return read_face(words, maker);
    if (cab_word_is(word, "curv") || cab_word_is(word, "curv2") || cab_word_is(word, "surf"))
        return cab_words_fail(words, "points and polygons, no free-form surfaces", word);
    return CAB_OK;
}

cab_status cab_mesh_read_obj(const char *file, const char *text, size_t size, cab_mesh_maker *maker,
                             cab_error *error)
{
    cab_words words = {.file = file, .at = text, .end = text + size, .line = 1, .error = error};
    cab_status status = CAB_OK;
    for (bool more = size > 0; more && status == CAB_OK; more = cab_words_next_line(&words))
        status = read_statement(&words, maker);
    return status;
}
