/* Functions of OpenCL that fail when it is their turn, and objects of OpenCL that are not released: part of the library of
 * faults.c. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdatomic.h>

#include "faults.h"

static atomic_long objects;

long cab_fault_objects(void)
{
    return objects;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Of functions that return a code. */
#define CODE(name, parameters, arguments)                                                                    \
    cl_int name parameters                                                                                   \
    {                                                                                                        \
        return cab_fault_is_due(CAB_FAULT_OPENCL) ? CL_OUT_OF_RESOURCES : NEXT(name) arguments;              \
    }

/* Of functions that make an object and have a code in *code, which may be NULL. */
#define MAKES(type, name, parameters, arguments)                                                             \
    type name parameters                                                                                     \
    {                                                                                                        \
        if (cab_fault_is_due(CAB_FAULT_OPENCL)) {                                                            \
            if (code) *code = CL_OUT_OF_RESOURCES;                                                           \
            return NULL;                                                                                     \
        }                                                                                                    \
        type made = NEXT(name) arguments;                                                                    \
        if (made) objects++;                                                                                 \
        return made;                                                                                         \
    }

/* Of functions that count an object up or down. */
#define COUNTS(name, type, step)                                                                             \
    cl_int name(type object)                                                                                 \
    {                                                                                                        \
        objects += step;                                                                                     \
        return NEXT(name)(object);                                                                           \
    }

COUNTS(clRetainContext, cl_context, 1)
COUNTS(clReleaseContext, cl_context, -1)
COUNTS(clRetainProgram, cl_program, 1)
COUNTS(clReleaseCommandQueue, cl_command_queue, -1)
COUNTS(clReleaseMemObject, cl_mem, -1)
COUNTS(clReleaseProgram, cl_program, -1)
COUNTS(clReleaseKernel, cl_kernel, -1)

CODE(clGetPlatformIDs, (cl_uint room, cl_platform_id *ids, cl_uint *count), (room, ids, count))
CODE(clGetPlatformInfo, (cl_platform_id of, cl_platform_info what, size_t room, void *value, size_t *size),
     (of, what, room, value, size))
CODE(clGetDeviceIDs,
     (cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id *ids, cl_uint *count),
     (of, type, room, ids, count))
CODE(clGetDeviceInfo, (cl_device_id of, cl_device_info what, size_t room, void *value, size_t *size),
     (of, what, room, value, size))
CODE(clGetMemObjectInfo, (cl_mem of, cl_mem_info what, size_t room, void *value, size_t *size),
     (of, what, room, value, size))
CODE(clGetProgramInfo, (cl_program of, cl_program_info what, size_t room, void *value, size_t *size),
     (of, what, room, value, size))
CODE(clGetProgramBuildInfo,
     (cl_program of, cl_device_id on, cl_program_build_info what, size_t room, void *value, size_t *size),
     (of, on, what, room, value, size))
CODE(clBuildProgram,
     (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
      void(CL_CALLBACK *tell)(cl_program, void *), void *user),
     (program, count, devices, options, tell, user))
CODE(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
     (kernel, index, size, value))
CODE(clFinish, (cl_command_queue queue), (queue))
CODE(clEnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t *from, const size_t *global,
      const size_t *local, cl_uint waits, const cl_event *wait, cl_event *event),
     (queue, kernel, rank, from, global, local, waits, wait, event))
CODE(clEnqueueReadBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool wait_for_it, size_t at, size_t size, void *to,
      cl_uint waits, const cl_event *wait, cl_event *event),
     (queue, buffer, wait_for_it, at, size, to, waits, wait, event))
CODE(clEnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool wait_for_it, size_t at, size_t size, const void *from,
      cl_uint waits, const cl_event *wait, cl_event *event),
     (queue, buffer, wait_for_it, at, size, from, waits, wait, event))
CODE(clEnqueueFillBuffer,
     (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t at, size_t size,
      cl_uint waits, const cl_event *wait, cl_event *event),
     (queue, buffer, pattern, pattern_size, at, size, waits, wait, event))
CODE(clEnqueueCopyBuffer,
     (cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t there, size_t size, cl_uint waits,
      const cl_event *wait, cl_event *event),
     (queue, from, to, at, there, size, waits, wait, event))

MAKES(cl_context, clCreateContext,
      (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
       void(CL_CALLBACK *tell)(const char *, const void *, size_t, void *), void *user, cl_int *code),
      (properties, count, devices, tell, user, code))
MAKES(cl_command_queue, clCreateCommandQueue,
      (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code),
      (context, device, properties, code))
MAKES(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code),
      (context, flags, size, host, code))
MAKES(cl_program, clCreateProgramWithSource,
      (cl_context context, cl_uint count, const char **text, const size_t *size, cl_int *code),
      (context, count, text, size, code))
MAKES(cl_program, clCreateProgramWithBinary,
      (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *size,
       const unsigned char **binary, cl_int *states, cl_int *code),
      (context, count, devices, size, binary, states, code))
MAKES(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *code), (program, name, code))
