/* What backends beside each other share: a queue, so that each finds done what another has asked for before, and programs,
 * which PoCL takes some hundredths of a second for even where it has compiled them before. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "backend/opencl/opencl.h"

cab_status cab_opencl_begin_common(cab_opencl *opencl, cab_error *error)
{
    cl_int code = CL_SUCCESS;
    cab_opencl_common *common = calloc(1, sizeof *common);
    if (!common) return cab_fail_memory(error, "an OpenCL backend", sizeof *common);
    common->queue = clCreateCommandQueue(opencl->context, opencl->device, 0, &code);
    if (code != CL_SUCCESS) {
        free(common);
        return cab_opencl_fail(error, code, "clCreateCommandQueue", "%s", opencl->base.info.name);
    }
    pthread_mutex_init(&common->lock, NULL);
    common->holders = 1;
    opencl->common = common;
    opencl->queue = common->queue;
    return CAB_OK;
}

void cab_opencl_share_common(cab_opencl *opencl, const cab_opencl *with)
{
    opencl->common = with->common;
    opencl->queue = with->queue;
    pthread_mutex_lock(&with->common->lock);
    opencl->common->holders++;
    pthread_mutex_unlock(&with->common->lock);
}

/* Releases the programs of an owner; of everybody if that is NULL. */
static void release_programs(cab_opencl_common *common, const void *owner)
{
    int kept = 0;
    for (int i = 0; i < common->count; i++) {
        if (!owner || common->program[i].owner == owner)
            clReleaseProgram(common->program[i].program);
        else
            common->program[kept++] = common->program[i];
    }
    common->count = kept;
}

void cab_opencl_end_common(cab_opencl *opencl)
{
    cab_opencl_common *common = opencl->common;
    if (!common) return;
    pthread_mutex_lock(&common->lock);
    release_programs(common, opencl);
    bool last = --common->holders == 0;
    pthread_mutex_unlock(&common->lock);
    if (!last) return;
    release_programs(common, NULL);
    pthread_mutex_destroy(&common->lock);
    clReleaseCommandQueue(common->queue);
    free(common->program);
    free(common);
}

const cab_opencl_program *cab_opencl_find_program(const cab_opencl *opencl, const char *file)
{
    const cab_opencl_common *common = opencl->common;
    const void *owner = opencl->expressions ? opencl : NULL;
    for (int i = 0; i < common->count; i++) {
        const cab_opencl_program *p = &common->program[i];
        if (p->owner == owner && p->without_meshes == opencl->base.without_meshes && !strcmp(p->file, file))
            return p;
    }
    return NULL;
}

void cab_opencl_keep_program(cab_opencl *opencl, const char *file, cl_program program, bool fresh)
{
    cab_opencl_common *common = opencl->common;
    if (common->count == common->room) {
        int room = 2 * common->room + 16;
        cab_opencl_program *grown = realloc(common->program, (size_t)room * sizeof *grown);
        if (!grown) return;
        common->program = grown;
        common->room = room;
    }
    if (clRetainProgram(program) != CL_SUCCESS) return;
    common->program[common->count++] = (cab_opencl_program){.file = file,
                                                            .owner = opencl->expressions ? opencl : NULL,
                                                            .without_meshes = opencl->base.without_meshes,
                                                            .fresh = fresh,
                                                            .program = program};
}
