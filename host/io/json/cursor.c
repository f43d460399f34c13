#include "io/json/cursor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/names.h"

#define POINTER_SIZE 512
#define GOT_SIZE 80
#define WORDS_SIZE 400

cab_cursor cab_cursor_key(const cab_cursor *object, const char *key)
{
    return (cab_cursor){
        .value = json_object_get(object->value, key), .reader = object->reader, .up = object, .key = key};
}

cab_cursor cab_cursor_item(const cab_cursor *array, size_t index)
{
    return (cab_cursor){
        .value = json_array_get(array->value, index), .reader = array->reader, .up = array, .index = index};
}

/* Writes "/cables/3/segments" into `text`, "" for the document. */
static void write_pointer(const cab_cursor *cursor, char *text, size_t size)
{
    if (!cursor->up) {
        text[0] = '\0';
        return;
    }
    write_pointer(cursor->up, text, size);
    size_t used = strlen(text);
    if (!cursor->key) {
        snprintf(text + used, size - used, "/%zu", cursor->index);
        return;
    }
    char key[POINTER_SIZE / 2];
    cab_pointer_escape(cursor->key, key, sizeof key);
    snprintf(text + used, size - used, "/%s", key);
}

/* A number with as few digits as tell it apart. */
static void write_real(double value, char *text, size_t size)
{
    snprintf(text, size, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, size, "%.17g", value);
}

static void write_got(const json_t *value, char *text, size_t size)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        snprintf(text, size, "an object");
        break;
    case JSON_ARRAY:
        snprintf(text, size, "an array of %zu", json_array_size(value));
        break;
    case JSON_STRING:
        snprintf(text, size, json_string_length(value) > 40 ? "\"%.40s...\"" : "\"%s\"",
                 json_string_value(value));
        break;
    case JSON_INTEGER:
        snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        write_real(json_real_value(value), text, size);
        break;
    case JSON_TRUE:
        snprintf(text, size, "true");
        break;
    case JSON_FALSE:
        snprintf(text, size, "false");
        break;
    case JSON_NULL:
        snprintf(text, size, "null");
        break;
    }
}

cab_status cab_cursor_refuse(const cab_cursor *cursor, cab_status status, const char *reason)
{
    char pointer[POINTER_SIZE];
    write_pointer(cursor, pointer, sizeof pointer);
    if (!pointer[0]) return cab_fail(cursor->reader->error, status, "%s: %s", cursor->reader->file, reason);
    return cab_fail(cursor->reader->error, status, "%s: %s: %s", cursor->reader->file, pointer, reason);
}

cab_status cab_cursor_fail(const cab_cursor *cursor, const char *expected)
{
    char reason[CAB_MESSAGE_SIZE], got[GOT_SIZE];
    if (!cursor->value) {
        snprintf(reason, sizeof reason, "expected %s, but it is missing", expected);
    } else {
        write_got(cursor->value, got, sizeof got);
        snprintf(reason, sizeof reason, "expected %s, got %s", expected, got);
    }
    return cab_cursor_refuse(cursor, CAB_ERROR_INPUT, reason);
}

static void write_words(const char *const *words, int count, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\"%s\"",
                 i == 0           ? ""
                 : i == count - 1 ? " or "
                                  : ", ",
                 words[i]);
    }
}

cab_status cab_cursor_fail_word(const cab_cursor *cursor, const char *const *words, int count)
{
    char list[WORDS_SIZE], expected[WORDS_SIZE + 80];
    write_words(words, count, list, sizeof list);
    const char *nearest = NULL;
    if (json_is_string(cursor->value)) nearest = cab_nearest(json_string_value(cursor->value), words, count);
    if (!nearest) return cab_cursor_fail(cursor, list);
    snprintf(expected, sizeof expected, "%s (the nearest is \"%s\")", list, nearest);
    return cab_cursor_fail(cursor, expected);
}

static cab_status fail_key(const cab_cursor *object, const char *key, const char *const *keys, int count)
{
    cab_cursor child = cab_cursor_key(object, key);
    const char *nearest = cab_nearest(key, keys, count);
    char list[WORDS_SIZE], reason[WORDS_SIZE + 80];
    if (nearest) {
        snprintf(reason, sizeof reason, "unknown key, the nearest known one is \"%s\"", nearest);
    } else {
        write_words(keys, count, list, sizeof list);
        snprintf(reason, sizeof reason, "unknown key, expected %s", list);
    }
    return cab_cursor_refuse(&child, CAB_ERROR_INPUT, reason);
}

cab_status cab_cursor_check_keys(const cab_cursor *object, const char *const *keys, int count)
{
    if (!json_is_object(object->value)) return cab_cursor_fail(object, "an object");
    const char *key;
    json_t *value;
    json_object_foreach(object->value, key, value)
    {
        int i = 0;
        while (i < count && strcmp(key, keys[i]) != 0) i++;
        if (i == count) return fail_key(object, key, keys, count);
    }
    return CAB_OK;
}

cab_status cab_read_number(const cab_cursor *cursor, cab_limit limit, double *value)
{
    if (json_is_number(cursor->value)) {
        double number = json_number_value(cursor->value);
        if (cab_limit_holds(limit, number)) {
            *value = number;
            return CAB_OK;
        }
    }
    char expected[96];
    cab_limit_text(limit, expected, sizeof expected);
    return cab_cursor_fail(cursor, expected);
}

cab_status cab_read_integer(const cab_cursor *cursor, cab_limit limit, int *value)
{
    double number = 0;
    cab_status status = cab_read_number(cursor, limit, &number);
    if (!status) *value = (int)number;
    return status;
}

cab_status cab_read_numbers(const cab_cursor *cursor, cab_limit limit, double *values, int count)
{
    if (!json_is_array(cursor->value) || json_array_size(cursor->value) != (size_t)count) {
        char expected[32];
        snprintf(expected, sizeof expected, "an array of %d numbers", count);
        return cab_cursor_fail(cursor, expected);
    }
    for (int i = 0; i < count; i++) {
        cab_cursor item = cab_cursor_item(cursor, (size_t)i);
        cab_status status = cab_read_number(&item, limit, &values[i]);
        if (status) return status;
    }
    return CAB_OK;
}

cab_status cab_read_vec3(const cab_cursor *cursor, cab_limit limit, cab_vec3 *value)
{
    double values[3] = {0};
    cab_status status = cab_read_numbers(cursor, limit, values, 3);
    if (!status) *value = (cab_vec3){values[0], values[1], values[2]};
    return status;
}

cab_status cab_read_bool(const cab_cursor *cursor, bool *value)
{
    if (!json_is_boolean(cursor->value)) return cab_cursor_fail(cursor, "true or false");
    *value = json_is_true(cursor->value);
    return CAB_OK;
}

cab_status cab_read_text(const cab_cursor *cursor, const char *expected, const char **value)
{
    if (!json_is_string(cursor->value) || json_string_length(cursor->value) == 0)
        return cab_cursor_fail(cursor, expected);
    *value = json_string_value(cursor->value);
    return CAB_OK;
}

cab_status cab_read_word(const cab_cursor *cursor, const char *const *words, int count, int *value)
{
    const char *word = json_string_value(cursor->value);
    for (int i = 0; word && i < count; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        *value = i;
        return CAB_OK;
    }
    return cab_cursor_fail_word(cursor, words, count);
}

static cab_status read_words(const cab_cursor *cursor, const cab_key *key, void *member)
{
    int count = 0, word = 0;
    while (key->words[count]) count++;
    cab_status status = cab_read_word(cursor, key->words, count, &word);
    if (status) return status;
    if (key->kind == CAB_KEY_FLAG)
        *(bool *)member = word == 1;
    else
        *(int *)member = word;
    return CAB_OK;
}

static cab_status read_member(const cab_cursor *cursor, const cab_key *key, void *def)
{
    void *member = (char *)def + key->offset;
    switch (key->kind) {
    case CAB_KEY_NUMBER:
        return key->limit.integer ? cab_read_integer(cursor, key->limit, member)
                                  : cab_read_number(cursor, key->limit, member);
    case CAB_KEY_PAIR:
        return cab_read_numbers(cursor, key->limit, member, 2);
    case CAB_KEY_POINT:
        return cab_read_numbers(cursor, key->limit, member, 3);
    case CAB_KEY_QUATERNION:
        return cab_read_numbers(cursor, key->limit, member, 4);
    case CAB_KEY_BOOL:
        return cab_read_bool(cursor, member);
    case CAB_KEY_TEXT:
        return cab_read_text(cursor, key->expected, member);
    case CAB_KEY_WORD:
    case CAB_KEY_FLAG:
        return read_words(cursor, key, member);
    case CAB_KEY_ARRAY:
        return cab_read_array(cursor, key->form, member, (int *)((char *)def + key->count));
    case CAB_KEY_READ:
        return key->read(cursor, member);
    case CAB_KEY_OTHER:
        break;
    }
    return CAB_OK;
}

cab_status cab_read_keys(const cab_cursor *object, const cab_key *keys, int count, void *def)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < count && !status; i++) {
        cab_cursor child = cab_cursor_key(object, keys[i].key);
        if (child.value || keys[i].required) status = read_member(&child, &keys[i], def);
    }
    return status;
}

enum { KEYS_MAX = 40 };

cab_status cab_check_object(const cab_cursor *object, const cab_key *keys, int count)
{
    const char *names[KEYS_MAX];
    for (int i = 0; i < count; i++) names[i] = keys[i].key;
    return cab_cursor_check_keys(object, names, count);
}

cab_status cab_read_object(const cab_cursor *object, const cab_key *keys, int count, void *def)
{
    cab_status status = cab_check_object(object, keys, count);
    return status ? status : cab_read_keys(object, keys, count, def);
}

cab_status cab_read_list(const cab_cursor *object, const char *key, cab_item_reader *read, void *into)
{
    cab_cursor list = cab_cursor_key(object, key);
    if (!list.value) return CAB_OK;
    if (!json_is_array(list.value)) return cab_cursor_fail(&list, "an array");
    cab_status status = CAB_OK;
    for (size_t i = 0; i < json_array_size(list.value) && !status; i++) {
        cab_cursor item = cab_cursor_item(&list, i);
        status = json_is_object(item.value) ? read(&item, into) : cab_cursor_fail(&item, "an object");
    }
    return status;
}

cab_status cab_read_array(const cab_cursor *list, const cab_array_form *form, void *items, int *count)
{
    size_t size = json_array_size(list->value);
    cab_status status = CAB_OK;
    if (!json_is_array(list->value) || size < form->least || size > form->most)
        return cab_cursor_fail(list, form->expected);
    char *made = calloc(size + 1, form->size);
    if (!made) return cab_fail_memory(list->reader->error, list->key, size * form->size);
    memcpy(items, &made, sizeof made);
    for (size_t i = 0; i < size && !status; i++) {
        cab_cursor item = cab_cursor_item(list, i);
        void *into = made + i * form->size;
        status = form->read ? form->read(&item, into)
                            : cab_read_numbers(&item, form->limit, into, (int)(form->size / sizeof(double)));
    }
    *count = (int)size;
    return status;
}
