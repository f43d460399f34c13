#include "io/obj.h"

#include <stdio.h>

#include "base/array.h"
#include "io/words.h"

#define INDEX_MAX 1000000000 /* before digits overflow */
#define ITEMS_MAX 20000000   /* points, corners, pieces of lines: each */

typedef struct cab_obj_reader {
    cab_words words;
    cab_obj *obj;
    int corners_max;
} cab_obj_reader;

static cab_status check_count(const cab_words *words, int count)
{
    if (count < ITEMS_MAX || (count & (count - 1))) return CAB_OK;
    return cab_words_fail(words, "a smaller file", (cab_word){0});
}

static cab_status add_int(const cab_words *words, int **list, int *count, int value)
{
    cab_status status = check_count(words, *count);
    if (status == CAB_OK) status = CAB_ONE_MORE(*list, *count, words->error);
    if (status == CAB_OK) (*list)[(*count)++] = value;
    return status;
}

static cab_status read_point(cab_obj_reader *r)
{
    cab_vec3 point;
    cab_status status = cab_words_point(&r->words, cab_words_next, &point);
    if (status != CAB_OK) return status;
    status = check_count(&r->words, r->obj->point_count);
    if (status == CAB_OK) status = CAB_ONE_MORE(r->obj->point, r->obj->point_count, r->words.error);
    if (status == CAB_OK) r->obj->point[r->obj->point_count++] = point;
    return status;
}

/* "7", "7/1", "7/1/2", "7//2": the point's index from 0; negative ones count from the last point back. */
static cab_status read_index(const cab_obj_reader *r, cab_word word, int *index)
{
    size_t at = word.length > 0 && word.text[0] == '-' ? 1 : 0, first = at;
    int value = 0;
    for (; at < word.length && word.text[at] >= '0' && word.text[at] <= '9' && value <= INDEX_MAX / 10; at++)
        value = 10 * value + (word.text[at] - '0');
    bool whole = at > first && (at == word.length || word.text[at] == '/');
    if (!whole || value < 1 || value > r->obj->point_count)
        return cab_words_fail(&r->words, "the index of a point given before", word);
    *index = first ? r->obj->point_count - value : value - 1;
    return CAB_OK;
}

static cab_status read_face(cab_obj_reader *r)
{
    cab_obj *obj = r->obj;
    int count = 0;
    for (cab_word word = cab_words_next(&r->words); word.length > 0; word = cab_words_next(&r->words)) {
        int index = 0;
        if (count++ == r->corners_max) {
            char expected[64];
            snprintf(expected, sizeof expected, "a face of at most %d corners", r->corners_max);
            return cab_words_fail(&r->words, expected, word);
        }
        cab_status status = read_index(r, word, &index);
        if (status == CAB_OK) status = add_int(&r->words, &obj->corner, &obj->corner_count, index);
        if (status != CAB_OK) return status;
    }
    if (count < 3) return cab_words_fail(&r->words, "a face of at least 3 corners", (cab_word){0});
    return add_int(&r->words, &obj->face_end, &obj->face_count, obj->corner_count);
}

static cab_status read_line(cab_obj_reader *r)
{
    cab_obj *obj = r->obj;
    int last = -1;
    for (cab_word word = cab_words_next(&r->words); word.length > 0; word = cab_words_next(&r->words)) {
        int index = 0;
        cab_status status = read_index(r, word, &index);
        if (status == CAB_OK && last >= 0) {
            status = check_count(&r->words, obj->stick_count);
            if (status == CAB_OK) status = CAB_ONE_MORE(obj->stick, obj->stick_count, r->words.error);
        }
        if (status != CAB_OK) return status;
        if (last >= 0) {
            int *stick = obj->stick[obj->stick_count++];
            stick[0] = last;
            stick[1] = index;
        }
        last = index;
    }
    return CAB_OK;
}

static cab_status read_statement(cab_obj_reader *r)
{
    cab_word word = cab_words_next(&r->words);
    if (cab_word_is(word, "v")) return read_point(r);
    if (cab_word_is(word, "f")) return read_face(r);
    if (cab_word_is(word, "l")) return read_line(r);
    if (cab_word_is(word, "curv") || cab_word_is(word, "curv2") || cab_word_is(word, "surf"))
        return cab_words_fail(&r->words, "points, polygons and lines, no free-form surfaces", word);
    return CAB_OK;
}

cab_status cab_obj_parse(const char *file, const char *text, size_t size, int corners_max, cab_obj *obj,
                         cab_error *error)
{
    cab_obj_reader reader = {
        .words = {.file = file, .at = text, .end = text + size, .line = 1, .error = error},
        .obj = obj,
        .corners_max = corners_max,
    };
    *obj = (cab_obj){0};
    cab_status status = CAB_OK;
    for (bool more = size > 0; more && status == CAB_OK; more = cab_words_next_line(&reader.words))
        status = read_statement(&reader);
    return status;
}

void cab_obj_free(cab_obj *obj)
{
    CAB_FREE(obj->point, obj->corner, obj->face_end, obj->stick);
    *obj = (cab_obj){0};
}
