/* Which OpenCL devices there are to test on: under sanitizers most tests have none (docs/tests.md). */
#ifndef CAB_TESTS_DEVICES_H
#define CAB_TESTS_DEVICES_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <clcable/clcable.h>

#define POCL "Portable Computing Language" /* the platform whose floats are the CPU's */

/* Whether "opencl" names a device: the native backend is always there. */
static inline bool have_opencl(void)
{
    return cab_devices(NULL, 0) > 1;
}

/* Ids of the OpenCL devices of a platform whose name holds `platform`; false when there is none. */
static inline bool find_device(const char *platform, char id[32])
{
    cab_device_info devices[16];
    int room = (int)(sizeof devices / sizeof *devices), count = cab_devices(devices, room);
    for (int i = 0; i < count && i < room; i++) {
        if (devices[i].backend != CAB_BACKEND_OPENCL || !strstr(devices[i].platform, platform)) continue;
        snprintf(id, 32, "%s", devices[i].id);
        return true;
    }
    return false;
}

#endif
