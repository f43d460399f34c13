/* Lists devices, and finds the one that a word names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "backend/backend.h"

int cab_devices(cab_device_info *devices, int capacity)
{
    if (capacity > 0) devices[0] = cab_native_info();
#ifdef CAB_HAVE_OPENCL
    return 1 + cab_opencl_devices(capacity > 0 ? devices + 1 : NULL, capacity > 0 ? capacity - 1 : 0);
#else
    return 1;
#endif
}

static bool starts_with(const char *text, const char *part)
{
    for (; *part; text++, part++) {
        if (tolower((unsigned char)*text) != tolower((unsigned char)*part)) return false;
    }
    return true;
}

/* Does `text` contain `part`, in upper or lower case? */
static bool holds(const char *text, const char *part)
{
    if (!*part) return false;
    for (; *text; text++) {
        if (starts_with(text, part)) return true;
    }
    return false;
}

/* The first GPU, else native: OpenCL on a CPU compiles for seconds and is no faster than native on the same cores. */
static int find_gpu(const cab_device_info *devices, int count)
{
    for (int i = 1; i < count; i++) {
        if (devices[i].gpu) return i;
    }
    return 0;
}

/* Index into the list (native is 0, OpenCL follows); -1 = none. A name is searched among OpenCL's devices
 * first, since the CPU has nearly the same name as an OpenCL device. */
static int find_device(const char *word, const cab_device_info *devices, int count)
{
    if (!word) return find_gpu(devices, count);
    if (!strcmp(word, "native")) return 0;
    if (!strcmp(word, "opencl")) return count > 1 ? 1 : -1;
    for (int i = 1; i < count; i++) {
        if (!strcmp(word, devices[i].id)) return i;
    }
    for (int i = 1; i < count; i++) {
        if (holds(devices[i].name, word)) return i;
    }
    return holds(devices[0].name, word) ? 0 : -1;
}

static cab_status fail_unknown(const char *word, const cab_device_info *devices, int count, cab_error *error)
{
    char list[CAB_MESSAGE_SIZE / 2] = "native";
    size_t used = strlen(list);
    if (!strcmp(word, "opencl")) {
        return cab_fail(error, CAB_ERROR_DEVICE, "no OpenCL device was found; \"native\" needs none");
    }
    for (int i = 1; i < count && used < sizeof list; i++) {
        int n = snprintf(list + used, sizeof list - used, ", %s (%s)", devices[i].id, devices[i].name);
        if (n > 0) used += (size_t)n;
    }
    return cab_fail(error, CAB_ERROR_INPUT, "no device \"%s\"; there is %s", word, list);
}

static cab_status open_device(const cab_world_def *def, const cab_device_info *device, cab_backend **backend,
                              cab_error *error)
{
#ifdef CAB_HAVE_OPENCL
    int p = 0, d = 0;
    if (sscanf(device->id, "opencl:%d.%d", &p, &d) == 2) return cab_opencl_create(def, p, d, backend, error);
#endif
    (void)device;
    return cab_native_create(def, backend, error);
}

static cab_status open_one(const cab_world_def *def, cab_backend **backend, cab_error *error)
{
    int rank = cab_remote_rank_of(def->device);
    if (rank >= 0) return cab_remote_create(rank, backend, error);
    /* Listing OpenCL's devices loads its drivers, which native does not need. */
    bool native = def->device && !strcmp(def->device, "native");
    int capacity = native ? 1 : cab_devices(NULL, 0);
    cab_device_info *devices = calloc((size_t)capacity, sizeof *devices);
    if (!devices) return cab_fail_memory(error, "the list of devices", (size_t)capacity * sizeof *devices);
    int count = 1;
    if (native)
        devices[0] = cab_native_info();
    else
        count = cab_devices(devices, capacity);
    if (count > capacity) count = capacity;

    int found = find_device(def->device, devices, count);
    cab_status status = CAB_OK;
    if (found < 0)
        status = fail_unknown(def->device, devices, count, error);
    else
        status = open_device(def, &devices[found], backend, error);
    free(devices);
    return status;
}

/* Opens all devices of def->devices as one. */
static cab_status open_several(const cab_world_def *def, cab_backend **backend, cab_error *error)
{
    cab_backend *members[CAB_MEMBERS_MOST];
    cab_world_def own = *def;
    cab_status status = CAB_OK;
    int count = 0;
    own.gl = NULL;
    while (status == CAB_OK && count < def->device_count) {
        own.device = def->devices[count];
        status = open_one(&own, &members[count], error);
        if (status == CAB_OK) count++;
    }
    if (status == CAB_OK) return cab_distributed_create(def, members, count, backend, error);
    while (count-- > 0) members[count]->ops->destroy(members[count]);
    return status;
}

cab_status cab_backend_open(const cab_world_def *def, cab_backend **backend, cab_error *error)
{
    cab_world_def own = *def;
    if (def->device_count < 0 || def->device_count > CAB_MEMBERS_MOST)
        return cab_fail(error, CAB_ERROR_INPUT, "%d devices; expected 0 to %d", def->device_count,
                        CAB_MEMBERS_MOST);
    if (def->device_count > 1) return open_several(def, backend, error);
    if (def->device_count == 1) own.device = def->devices[0];
    return open_one(&own, backend, error);
}

cab_status cab_backend_open_beside(const cab_world_def *def, const cab_backend *other, cab_backend **backend,
                                   cab_error *error)
{
    if (def->device_count > 1)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "worlds of a batch share one device, and %d are given",
                        def->device_count);
#ifdef CAB_HAVE_OPENCL
    if (other->info.backend == CAB_BACKEND_OPENCL)
        return cab_opencl_create_beside(def, other, backend, error);
#endif
    (void)other;
    return cab_native_create(def, backend, error);
}
