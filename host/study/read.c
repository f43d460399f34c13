#include "study/read.h"

#include <jansson.h>

#include "io/scene_json.h"

cab_status cab_study_read_document(const cab_cursor *document, const char *key, cab_cursor *body)
{
    const char *const keys[] = {"clcable", "$schema", key};
    if (!json_is_object(document->value)) return cab_cursor_fail(document, "an object");
    cab_cursor version = cab_cursor_key(document, "clcable");
    if (!json_is_number(version.value) || json_number_value(version.value) != 1)
        return cab_cursor_fail(&version, "the format version 1");
    *body = cab_cursor_key(document, key);
    return cab_cursor_check_keys(document, keys, CAB_COUNT(keys));
}

cab_status cab_study_read_switch(const cab_cursor *object, const char *key, bool *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return child.value ? cab_read_bool(&child, value) : CAB_OK;
}

cab_status cab_study_read_number(const cab_cursor *object, const char *key, cab_limit limit, double *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return child.value ? cab_read_number(&child, limit, value) : CAB_OK;
}

cab_status cab_study_read_integer(const cab_cursor *object, const char *key, cab_limit limit, int *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return child.value ? cab_read_integer(&child, limit, value) : CAB_OK;
}

cab_status cab_study_read_word(const cab_cursor *object, const char *key, const char *const *words, int count,
                               int *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return child.value ? cab_read_word(&child, words, count, value) : CAB_OK;
}

cab_status cab_study_read_each(const cab_cursor *object, const char *key, cab_study_read_item *read,
                               void *out)
{
    cab_cursor list = cab_cursor_key(object, key);
    if (!list.value) return CAB_OK;
    if (!json_is_array(list.value)) return cab_cursor_fail(&list, "an array");
    for (size_t i = 0; i < json_array_size(list.value); i++) {
        cab_cursor item = cab_cursor_item(&list, i);
        if (!json_is_object(item.value)) return cab_cursor_fail(&item, "an object");
        CAB_TRY(read(&item, out));
    }
    return CAB_OK;
}
