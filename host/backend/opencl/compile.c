/* Tells who waits that kernels are being compiled, and notes how long it took. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "backend/opencl/opencl.h"

/* Shorter compilations are not worth a note, s. */
#define NOTED_FROM 1.0

bool cab_opencl_is_pocl(const cab_opencl *opencl)
{
    return strstr(opencl->base.info.platform, "Portable Computing Language") && !opencl->base.info.gpu;
}

bool cab_opencl_keeps_binaries(const cab_opencl *opencl)
{
    return opencl->own_folder || !cab_opencl_is_pocl(opencl);
}

void cab_opencl_compile_begin(cab_opencl *opencl)
{
    if (opencl->compiled <= 0) opencl->compiled_before = cab_opencl_cache_seconds(opencl);
    opencl->compile_started = cab_now();
    cab_opencl_log(opencl, 2, "%.1f %.1f %s", opencl->compiled_before, opencl->compiled,
                   opencl->base.info.name);
}

void cab_opencl_compile_end(cab_opencl *opencl)
{
    opencl->compiled += cab_now() - opencl->compile_started;
    cab_opencl_log(opencl, 2, "%s", "");
}

void cab_opencl_compile_note(const cab_opencl *opencl)
{
    if (opencl->compiled >= NOTED_FROM) cab_opencl_cache_store_seconds(opencl, opencl->compiled);
}
