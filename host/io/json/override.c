#include "io/json/override.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "model/scene.h"

typedef struct override {
    const char *file;
    char *pointer; /* a copy of POINTER */
    char *token;   /* where the next token of `pointer` starts; NULL after the last */
    json_t *value;
    cab_error *error;
} override;

static cab_status refuse(const override *o, const char *reason)
{
    return cab_fail(o->error, CAB_ERROR_INPUT, "%s: --set %s: %s", o->file, o->pointer, reason);
}

/* "~1" is "/", "~0" is "~", in place; false for any other "~". */
static bool unescape(char *token)
{
    char *out = token;
    for (const char *in = token; *in; in++, out++) {
        *out = *in;
        if (*in != '~') continue;
        in++;
        if (*in != '0' && *in != '1') return false;
        *out = *in == '0' ? '~' : '/';
    }
    *out = '\0';
    return true;
}

/* Takes the next token as a text of its own, to be freed. */
static cab_status next_token(override *o, char **token)
{
    size_t length = strcspn(o->token, "/");
    *token = strndup(o->token, length);
    if (!*token) return cab_fail_memory(o->error, "a pointer", length + 1);
    o->token = o->token[length] ? o->token + length + 1 : NULL;
    if (unescape(*token)) return CAB_OK;
    free(*token);
    *token = NULL;
    return refuse(o, "expected ~0 or ~1 after ~");
}

/* An index without leading zeros, or "-" for the place after the last; -1 when it is neither. */
static long read_index(const json_t *array, const char *token)
{
    if (strcmp(token, "-") == 0) return (long)json_array_size(array);
    size_t digits = strspn(token, "0123456789");
    if (digits == 0 || digits > 9 || token[digits] || (token[0] == '0' && digits > 1)) return -1;
    return strtol(token, NULL, 10);
}

static cab_status refuse_token(const override *o, const json_t *holder, const char *token)
{
    char reason[400];
    const char *nearest = NULL, *keys[64], *key;
    json_t *value;
    int count = 0;
    json_object_foreach((json_t *)holder, key, value)
    {
        if (count < 64) keys[count++] = key;
    }
    if (json_is_object(holder)) nearest = cab_nearest(token, keys, count);
    if (json_is_array(holder))
        snprintf(reason, sizeof reason, "expected an index below %zu, got \"%.100s\"",
                 json_array_size(holder), token);
    else if (nearest)
        snprintf(reason, sizeof reason, "there is no \"%.100s\", the nearest is \"%.100s\"", token, nearest);
    else
        snprintf(reason, sizeof reason, "there is no \"%.100s\"", token);
    return refuse(o, reason);
}

static json_t *child_of(const json_t *holder, const char *token)
{
    if (json_is_object(holder)) return json_object_get(holder, token);
    long index = json_is_array(holder) ? read_index(holder, token) : -1;
    return index < 0 ? NULL : json_array_get(holder, (size_t)index);
}

static cab_status put(const override *o, json_t *holder, const char *token)
{
    int failed;
    if (json_is_object(holder)) {
        failed = json_object_set(holder, token, o->value);
    } else if (json_is_array(holder)) {
        long index = read_index(holder, token);
        size_t size = json_array_size(holder);
        if (index < 0 || (size_t)index > size) return refuse_token(o, holder, token);
        failed = (size_t)index == size ? json_array_append(holder, o->value)
                                       : json_array_set(holder, (size_t)index, o->value);
    } else {
        return refuse(o, "expected an object or an array to hold the value");
    }
    return failed ? cab_fail_memory(o->error, "a value", strlen(token)) : CAB_OK;
}

/* Sections that a pointer can go into although the scene leaves them out, or has a word there. */
static bool is_section(const char *token, const json_t *old)
{
    if (strcmp(token, "method") == 0) return !old || json_is_string(old);
    return !old &&
           (strcmp(token, "gravity") == 0 || strcmp(token, "time") == 0 || strcmp(token, "contact") == 0);
}

/* What such a section is by default; NULL when there is no memory. */
static json_t *default_section(const char *token, json_t *old)
{
    cab_vec3 g = cab_settings_default().gravity;
    if (strcmp(token, "method") == 0)
        return old ? json_pack("{s:O}", "name", old)
                   : json_pack("{s:s}", "name", cab_method_name(CAB_METHOD_XPBD));
    return strcmp(token, "gravity") == 0 ? json_pack("[f,f,f]", g.x, g.y, g.z) : json_object();
}

static cab_status open_section(const override *o, json_t *document, const char *token)
{
    json_t *old = json_object_get(document, token);
    if (!is_section(token, old)) return CAB_OK;
    json_t *section = default_section(token, old);
    if (section && json_object_set_new(document, token, section) == 0) return CAB_OK;
    return cab_fail_memory(o->error, "a section", 64);
}

static cab_status apply(override *o, json_t *document)
{
    json_t *holder = document;
    for (;;) {
        char *token;
        cab_status status = next_token(o, &token);
        if (!status && !o->token) {
            status = put(o, holder, token);
            free(token);
            return status;
        }
        if (!status && holder == document && json_is_object(document))
            status = open_section(o, document, token);
        json_t *child = status ? NULL : child_of(holder, token);
        if (!status && !child) status = refuse_token(o, holder, token);
        free(token);
        if (status) return status;
        holder = child;
    }
}

cab_status cab_override(json_t *document, const char *file, const char *text, cab_error *error)
{
    const char *equals = strchr(text, '=');
    if (text[0] != '/' || !equals)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: --set %s: expected POINTER=VALUE, such as /materials/wire/friction=0.5", file,
                        text);
    override o = {.file = file, .error = error};
    o.pointer = strndup(text, (size_t)(equals - text));
    json_error_t fault;
    bool lost;
    o.value = cab_json_load(equals + 1, strlen(equals + 1), JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &fault,
                            &lost);
    if (!o.value && !lost) o.value = json_string(equals + 1);
    cab_status status = CAB_OK;
    if (!o.pointer || lost) {
        status = cab_fail_memory(error, "a pointer", strlen(text) + 1);
    } else if (!o.value) {
        status = refuse(&o, "expected a value in UTF-8");
    } else {
        o.token = o.pointer + 1;
        status = apply(&o, document);
    }
    free(o.pointer);
    json_decref(o.value);
    return status;
}
