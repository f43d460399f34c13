#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "backend/opencl/opencl.h"

enum { MAX_PLATFORMS = 32, MAX_DEVICES = 64 };

static void trim(char *text)
{
    size_t lead = strspn(text, " \t\n");
    memmove(text, text + lead, strlen(text + lead) + 1);
    for (size_t n = strlen(text); n > 0 && strchr(" \t\n", text[n - 1]); n--) text[n - 1] = 0;
}

void cab_opencl_device_text(cl_device_id device, cl_device_info what, char text[CAB_OPENCL_TEXT])
{
    memset(text, 0, CAB_OPENCL_TEXT);
    if (clGetDeviceInfo(device, what, CAB_OPENCL_TEXT - 1, text, NULL) != CL_SUCCESS) text[0] = 0;
    trim(text);
}

void cab_opencl_platform_text(cl_platform_id platform, cl_platform_info what, char text[CAB_OPENCL_TEXT])
{
    memset(text, 0, CAB_OPENCL_TEXT);
    if (clGetPlatformInfo(platform, what, CAB_OPENCL_TEXT - 1, text, NULL) != CL_SUCCESS) text[0] = 0;
    trim(text);
}

static cl_ulong device_number(cl_device_id device, cl_device_info what)
{
    union {
        cl_ulong wide;
        cl_uint narrow;
    } value = {0};
    size_t size = 0;
    if (clGetDeviceInfo(device, what, sizeof value, &value, &size) != CL_SUCCESS) return 0;
    return size == sizeof value.narrow ? value.narrow : value.wide;
}

/* Can the device be used, and does it compile OpenCL C 1.2? */
static bool usable(cl_device_id device)
{
    char version[CAB_OPENCL_TEXT];
    int major = 0, minor = 0;
    cab_opencl_device_text(device, CL_DEVICE_VERSION, version);
    if (sscanf(version, "OpenCL %d.%d", &major, &minor) != 2) return false;
    if (major * 10 + minor < 12) return false;
    return device_number(device, CL_DEVICE_AVAILABLE) && device_number(device, CL_DEVICE_COMPILER_AVAILABLE);
}

static int list_platforms(cl_platform_id *platforms)
{
    cl_uint count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS) return 0;
    return count < MAX_PLATFORMS ? (int)count : MAX_PLATFORMS;
}

static int list_devices(cl_platform_id platform, cl_device_id *devices)
{
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count) != CL_SUCCESS) return 0;
    return count < MAX_DEVICES ? (int)count : MAX_DEVICES;
}

static void describe(cl_platform_id platform, cl_device_id device, int p, int d, cab_device_info *info)
{
    char text[CAB_OPENCL_TEXT], driver[CAB_OPENCL_TEXT];
    memset(info, 0, sizeof *info);
    snprintf(info->id, sizeof info->id, "opencl:%d.%d", p, d);
    cab_opencl_device_text(device, CL_DEVICE_NAME, text);
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, text);
    cab_opencl_platform_text(platform, CL_PLATFORM_NAME, text);
    snprintf(info->platform, sizeof info->platform, "%.*s", (int)sizeof info->platform - 1, text);
    cab_opencl_device_text(device, CL_DEVICE_VERSION, text);
    cab_opencl_device_text(device, CL_DRIVER_VERSION, driver);
    snprintf(info->version, sizeof info->version, "%.72s, driver %.40s", text, driver);
    info->backend = CAB_BACKEND_OPENCL;
    info->gpu = (device_number(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
    info->compute_units = (int)device_number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->memory = (size_t)device_number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    info->local_memory = (size_t)device_number(device, CL_DEVICE_LOCAL_MEM_SIZE);
}

int cab_opencl_devices(cab_device_info *devices, int capacity)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_device_id ids[MAX_DEVICES];
    int found = 0;
    int platform_count = list_platforms(platforms);
    for (int p = 0; p < platform_count; p++) {
        int device_count = list_devices(platforms[p], ids);
        for (int d = 0; d < device_count; d++) {
            if (!usable(ids[d])) continue;
            if (found < capacity) describe(platforms[p], ids[d], p, d, &devices[found]);
            found++;
        }
    }
    return found;
}

cab_status cab_opencl_find(int platform, int device, cab_opencl *opencl, cab_error *error)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_device_id ids[MAX_DEVICES];
    int platform_count = list_platforms(platforms);
    if (platform < 0 || platform >= platform_count) {
        return cab_fail(error, CAB_ERROR_DEVICE, "opencl:%d.%d: there are %d OpenCL platforms", platform,
                        device, platform_count);
    }
    int device_count = list_devices(platforms[platform], ids);
    if (device < 0 || device >= device_count || !usable(ids[device])) {
        return cab_fail(
            error, CAB_ERROR_DEVICE,
            "opencl:%d.%d: no such device, or none that compiles OpenCL C 1.2 (platform %d has %d devices)",
            platform, device, platform, device_count);
    }
    opencl->platform = platforms[platform];
    opencl->device = ids[device];
    describe(opencl->platform, opencl->device, platform, device, &opencl->base.info);
    opencl->memory = opencl->base.info.memory;
    opencl->max_scratch = opencl->base.info.local_memory;
    opencl->max_allocation = device_number(opencl->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    return CAB_OK;
}
