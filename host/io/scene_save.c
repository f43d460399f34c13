/* A scene file with changes, written anew. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/file.h"
#include "io/kbl/convert.h"
#include "io/json_text.h"
#include "io/read_file.h"
#include "io/scene_json.h"

/* The real folder that a file lies in, with a slash at its end; to be freed. */
static cab_status folder_of(const char *file, char **folder, cab_error *error)
{
    char *beside = cab_path_beside(file, ".");
    *folder = NULL;
    if (!beside) return cab_fail_memory(error, "a file's name", strlen(file));
    char *real = realpath(beside, NULL);
    free(beside);
    if (!real) return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: %s", file, strerror(errno));
    size_t length = strlen(real);
    *folder = malloc(length + 2);
    if (*folder) {
        memcpy(*folder, real, length + 1);
        if (length == 0 || real[length - 1] != '/') strcat(*folder, "/");
    }
    free(real);
    return *folder ? CAB_OK : cab_fail_memory(error, "a file's name", length);
}

/* How to go from one folder to another, "../scenes/"; "" for the same. To be freed; NULL without memory. */
static char *way_between(const char *from, const char *to)
{
    size_t same = 0;
    for (size_t i = 0; from[i] && from[i] == to[i]; i++)
        if (from[i] == '/') same = i + 1;
    size_t up = 0;
    for (const char *c = from + same; *c; c++) up += *c == '/';
    char *way = calloc(3 * up + strlen(to + same) + 1, 1);
    if (!way) return NULL;
    for (size_t i = 0; i < up; i++) memcpy(way + 3 * i, "../", 3);
    strcpy(way + 3 * up, to + same);
    return way;
}

/* A file's name that is relative to the scene's folder, as seen from the new one. */
static cab_status move_name(json_t *holder, const char *key, const char *way, cab_error *error)
{
    const char *name = json_string_value(json_object_get(holder, key));
    if (!name || name[0] == '/' || strstr(name, "://")) return CAB_OK;
    json_t *moved = json_sprintf("%s%s", way, name);
    if (!moved || json_object_set_new(holder, key, moved) != 0)
        return cab_fail_memory(error, "a file's name", strlen(name));
    return CAB_OK;
}

static cab_status move_names(json_t *document, const char *way, cab_error *error)
{
    static const char *const lists[] = {"colliders", "sheets"};
    cab_status status = move_name(document, "$schema", way, error);
    for (int i = 0; i < 2; i++) {
        json_t *item;
        size_t k;
        json_array_foreach(json_object_get(document, lists[i]), k, item)
        {
            if (!status) status = move_name(item, "file", way, error);
        }
    }
    return status;
}

static cab_status move_document(json_t *document, const char *path_in, const char *path_out, cab_error *error)
{
    char *in, *out = NULL, *way = NULL;
    cab_status status = folder_of(path_in, &in, error);
    if (!status) status = folder_of(path_out, &out, error);
    if (!status) way = way_between(out, in);
    if (!status && !way) status = cab_fail_memory(error, "a file's name", strlen(in));
    if (!status && way[0]) status = move_names(document, way, error);
    CAB_FREE(in, out, way);
    return status;
}

/* What is saved can be read. */
static cab_status check_document(json_t *document, const char *file, cab_error *error)
{
    cab_scene *scene = NULL;
    cab_status status = cab_scene_from_document(document, file, &scene, error);
    if (!status) status = cab_scene_check(scene, NULL, NULL, error);
    cab_scene_destroy(scene);
    return status;
}

cab_status cab_harness_save(const char *path_in, const char *path_out, json_t **losses, cab_error *error)
{
    char *bytes = NULL, *made = NULL;
    size_t size = 0, made_size = 0;
    if (losses) *losses = NULL;
    cab_status status = cab_read_file(path_in, &bytes, &size, error);
    if (!status)
        status = cab_kbl_to_harness(path_in, bytes, size, path_out, &made, &made_size, losses, error);
    if (!status) status = cab_file_put(path_out, made, made_size, true, error);
    CAB_FREE(bytes, made);
    return status;
}

cab_status cab_scene_save(const char *path_in, const char *const *overrides, int override_count,
                          const char *path_out, cab_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    json_t *document = NULL;
    cab_text text = {0};
    cab_status status = CAB_OK;
    if (cab_kbl_is(path_in) && cab_kbl_is(path_out) && !override_count)
        return cab_harness_save(path_in, path_out, NULL, error);
    if (cab_kbl_is(path_in) && cab_kbl_is(path_out))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: options say how a scene is made; expected none for a harness", path_out);
    if (cab_kbl_is(path_out))
        status =
            cab_fail(error, CAB_ERROR_INPUT,
                     "%s: a scene is no harness, and is written as JSON; expected a name that ends in .json",
                     path_out);
    if (!status) status = cab_read_file(path_in, &bytes, &size, error);
    if (!status)
        status = cab_scene_document(path_in, bytes, size, overrides, override_count, &document, error);
    if (!status) status = check_document(document, path_in, error);
    if (!status) status = move_document(document, path_in, path_out, error);
    if (!status) status = cab_json_text(document, &text, error);
    if (!status) status = cab_file_put(path_out, text.bytes, text.size, true, error);
    json_decref(document);
    CAB_FREE(text.bytes, bytes);
    return status;
}
