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
