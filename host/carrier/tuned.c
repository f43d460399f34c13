#include "carrier/tuned.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/folder.h"
#include "base/json.h"
#include "base/open.h"
#include "carrier/plan.h"
#include "model/scene.h"
#include "world/device.h"

#define FILE_NAME "/ways.json"

static int power_of_two(int n)
{
    int power = 1;
    while (power <= n / 2) power *= 2;
    return power;
}

cab_tuned_key cab_tuned_key_of(const cab_device_info *device, cab_method method, int cables, int particles)
{
    return (cab_tuned_key){.device = device->name,
                           .version = device->version,
                           .method = method,
                           .cables = power_of_two(cables),
                           .particles = power_of_two(cables > 0 ? particles / cables : 0)};
}

char *cab_tuned_path(const char *cache_dir)
{
    char *folder = cab_cache_folder(cache_dir);
    size_t size = folder ? strlen(folder) + sizeof FILE_NAME : 0;
    char *path = folder ? realloc(folder, size) : NULL;
    if (path)
        memcpy(path + strlen(path), FILE_NAME, sizeof FILE_NAME);
    else
        free(folder);
    return path;
}

static bool is_word(const json_t *entry, const char *key, const char *word)
{
    const char *there = json_string_value(json_object_get(entry, key));
    return there && strcmp(there, word) == 0;
}

static bool is_number(const json_t *entry, const char *key, int number)
{
    return json_integer_value(json_object_get(entry, key)) == number;
}

static bool matches(const json_t *entry, const cab_tuned_key *key)
{
    return is_word(entry, "device", key->device) && is_word(entry, "version", key->version) &&
           is_word(entry, "method", cab_method_name(key->method)) &&
           is_number(entry, "cables", key->cables) && is_number(entry, "particles", key->particles);
}

/* The file's content, or NULL. */
static json_t *load(const char *path, const char **fault)
{
    json_error_t error;
    bool lost;
    if (access(path, F_OK) != 0) return NULL;
    FILE *file = cab_open_regular(path);
    json_t *root = file ? cab_json_load_file(file, 0, &error, &lost) : NULL;
    if (file) fclose(file);
    if (root && is_number(root, "clcable_ways", 1) && json_is_array(json_object_get(root, "ways")))
        return root;
    json_decref(root);
    *fault = "cannot be read as what `clcable tune` writes";
    return NULL;
}

cab_way cab_tuned_read(const char *path, const cab_tuned_key *key, int *chunks, const char **fault)
{
    json_t *root = load(path, fault), *entry;
    cab_way found = CAB_WAY_AUTO;
    size_t i;
    json_array_foreach(json_object_get(root, "ways"), i, entry)
    {
        if (!matches(entry, key)) continue;
        *chunks = (int)json_integer_value(json_object_get(entry, "chunks"));
        for (int w = 0; w < CAB_WAY_COUNT; w++) {
            if (is_word(entry, "way", cab_way_name((cab_way)w))) found = (cab_way)w;
        }
    }
    json_decref(root);
    return found;
}

static int store(const char *path, json_t *root)
{
    size_t size = strlen(path) + 8;
    char *temporary = malloc(size);
    if (!temporary) return -1;
    snprintf(temporary, size, "%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    int failed = !file || json_dumpf(root, file, JSON_INDENT(2)) || fputc('\n', file) == EOF;
    if (file)
        failed |= fclose(file) != 0;
    else if (descriptor >= 0)
        close(descriptor);
    if (!failed) failed = rename(temporary, path);
    if (failed && descriptor >= 0) {
        int reason = errno;
        unlink(temporary);
        errno = reason;
    }
    free(temporary);
    return failed;
}

cab_status cab_tuned_write(const char *path, const cab_tuned_key *key, cab_way way, int chunks,
                           cab_error *error)
{
    const char *fault = NULL;
    json_t *root = load(path, &fault);
    if (!root) root = json_pack("{s:i,s:[]}", "clcable_ways", 1, "ways");
    json_t *ways = json_object_get(root, "ways");
    for (size_t i = json_array_size(ways); i-- > 0;) {
        if (matches(json_array_get(ways, i), key)) json_array_remove(ways, i);
    }
    json_t *entry = json_pack("{s:s,s:s,s:s,s:i,s:i,s:s,s:i}", "device", key->device, "version", key->version,
                              "method", cab_method_name(key->method), "cables", key->cables, "particles",
                              key->particles, "way", cab_way_name(way), "chunks", chunks);
    cab_status status = CAB_OK;
    if (!entry || json_array_append_new(ways, entry) != 0) {
        status = cab_fail_memory(error, "the list of ways", 4096);
    } else {
        char *folder = strdup(path);
        if (folder) {
            folder[strlen(path) - strlen(FILE_NAME)] = 0;
            cab_make_folder(folder);
        }
        free(folder);
        errno = 0;
        if (store(path, root) != 0)
            status = cab_fail(error, CAB_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
    }
    json_decref(root);
    return status;
}

cab_way cab_tuned_way(const cab_world *world, int *chunks)
{
    const cab_model *m = world->model;
    const char *off = getenv("CLCABLE_IGNORE_TUNING"), *fault = NULL;
    char *path = off && *off ? NULL : cab_tuned_path(world->def.cache_dir);
    if (!path) return CAB_WAY_AUTO;
    cab_tuned_key key =
        cab_tuned_key_of(&world->backend->info, m->settings.method, m->cable_count, m->particle_count);
    cab_way way = cab_tuned_read(path, &key, chunks, &fault);
    if (fault) cab_world_log(world, 1, "%s %s: not followed", path, fault);
    free(path);
    return way;
}
