#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/folder.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/text.h"

#define MAGIC "CABPROG"
enum { FORMAT_VERSION = 1, PATH_SIZE = 4096 };

/* A file holds this, the key and the binary, in the machine's byte order: only its drivers read them. */
typedef struct file_head {
    char magic[8];
    uint64_t version;
    uint64_t key_size;
    uint64_t binary_size;
    uint64_t checksum; /* of key and binary */
} file_head;

/* FNV-1a, continued from `hash`. */
static uint64_t fnv(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static const uint64_t seed = 0xcbf29ce484222325u;

char *cab_opencl_cache_key(const cab_opencl *opencl, const char *source)
{
    char text[CAB_OPENCL_TEXT];
    cab_text key = {0};
    cab_text_format(&key, "format %d\noptions %s\n", FORMAT_VERSION, opencl->options);
    cab_opencl_device_text(opencl->device, CL_DEVICE_NAME, text);
    cab_text_format(&key, "device %s\n", text);
    cab_opencl_device_text(opencl->device, CL_DEVICE_VERSION, text);
    cab_text_format(&key, "version %s\n", text);
    cab_opencl_device_text(opencl->device, CL_DRIVER_VERSION, text);
    cab_text_format(&key, "driver %s\n", text);
    cab_opencl_platform_text(opencl->platform, CL_PLATFORM_NAME, text);
    cab_text_format(&key, "platform %s\n", text);
    cab_opencl_platform_text(opencl->platform, CL_PLATFORM_VERSION, text);
    cab_text_format(&key, "version %s\n\n", text);
    cab_text_add(&key, source, strlen(source));
    return cab_text_take(&key);
}

static void named_path(const cab_opencl *opencl, const char *key, const char *ending, char path[PATH_SIZE])
{
    size_t size = strlen(key);
    uint64_t low = fnv(seed, key, size);
    uint64_t high = fnv(low ^ size, key, size);
    snprintf(path, PATH_SIZE, "%s/%016llx%016llx%s", opencl->cache_dir, (unsigned long long)high,
             (unsigned long long)low, ending);
}

static void file_path(const cab_opencl *opencl, const char *key, char path[PATH_SIZE])
{
    named_path(opencl, key, ".bin", path);
}

/* Returns what is wrong with the file, or NULL. */
static const char *fault(const char *data, size_t size, const char *key)
{
    file_head head;
    size_t key_size = strlen(key);
    if (size < sizeof head) return "is too short";
    memcpy(&head, data, sizeof head);
    if (memcmp(head.magic, MAGIC, sizeof head.magic) || head.version != FORMAT_VERSION)
        return "is of another kind";
    size -= sizeof head;
    if (head.key_size != key_size || size < key_size || head.binary_size != size - key_size ||
        size == key_size) {
        return "has the wrong length";
    }
    if (memcmp(data + sizeof head, key, key_size)) return "belongs to another program";
    return fnv(seed, data + sizeof head, size) == head.checksum ? NULL : "is damaged";
}

unsigned char *cab_opencl_cache_load(const cab_opencl *opencl, const char *key, size_t *size)
{
    char path[PATH_SIZE];
    size_t file_size = 0;
    if (!opencl->cache_dir) return NULL;
    file_path(opencl, key, path);
    char *data = cab_text_read_file(path, &file_size);
    if (!data) {
        if (errno != ENOENT) cab_opencl_log(opencl, 1, "program cache: %s: %s", path, strerror(errno));
        return NULL;
    }
    const char *wrong = fault(data, file_size, key);
    if (wrong) {
        cab_opencl_log(opencl, 1, "program cache: %s %s, built again", path, wrong);
        free(data);
        return NULL;
    }
    size_t skip = sizeof(file_head) + strlen(key);
    *size = file_size - skip;
    memmove(data, data + skip, *size);
    return (unsigned char *)data;
}

static int write_file(FILE *file, const char *key, const unsigned char *binary, size_t size)
{
    file_head head = {MAGIC, FORMAT_VERSION, strlen(key), size, 0};
    head.checksum = fnv(fnv(seed, key, head.key_size), binary, size);
    fwrite(&head, sizeof head, 1, file);
    fwrite(key, 1, head.key_size, file);
    fwrite(binary, 1, size, file);
    int failed = ferror(file);
    return fclose(file) || failed;
}

void cab_opencl_cache_store(const cab_opencl *opencl, const char *key, const unsigned char *binary,
                            size_t size)
{
    char path[PATH_SIZE], temporary[PATH_SIZE + 16];
    if (!opencl->cache_dir) return;
    cab_make_folder(opencl->cache_dir);
    file_path(opencl, key, path);
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (file && !write_file(file, key, binary, size) && !rename(temporary, path)) return;
    cab_opencl_log(opencl, 1, "program cache: %s: not kept: %s", path, strerror(errno));
    if (descriptor < 0) return;
    if (!file) close(descriptor);
    unlink(temporary);
}

bool cab_opencl_cache_noted(const cab_opencl *opencl, const char *key)
{
    char path[PATH_SIZE];
    if (!opencl->cache_dir) return false;
    named_path(opencl, key, ".compiled", path);
    return access(path, F_OK) == 0;
}

/* Notes are no more than hints, so one that cannot be written is no fault. */
static void write_note(const cab_opencl *opencl, const char *key, const char *ending, double seconds)
{
    char path[PATH_SIZE];
    if (!opencl->cache_dir) return;
    cab_make_folder(opencl->cache_dir);
    named_path(opencl, key, ending, path);
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%.1f s\n", seconds);
    fclose(file);
}

void cab_opencl_cache_note(const cab_opencl *opencl, const char *key)
{
    write_note(opencl, key, ".compiled", 0);
}

double cab_opencl_cache_seconds(const cab_opencl *opencl)
{
    char path[PATH_SIZE];
    double seconds = 0;
    if (!opencl->cache_dir) return 0;
    named_path(opencl, opencl->base.info.name, ".seconds", path);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    bool read = fscanf(file, "%lf", &seconds) == 1 && seconds > 0 && seconds < 1e6;
    fclose(file);
    return read ? seconds : 0;
}

void cab_opencl_cache_store_seconds(const cab_opencl *opencl, double seconds)
{
    write_note(opencl, opencl->base.info.name, ".seconds", seconds);
}
