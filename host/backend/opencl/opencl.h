/* The OpenCL backend from the inside: context.c opens and closes a device, program.c builds kernels (source.c
 * reads them, cache.c keeps binaries), common.c holds what backends beside each other share, buffers.c holds memory, run.c launches, platforms.c lists devices,
 * compile.c tells of compiling, status.c writes errors, expressions.c writes expressions, share.c shares buffers with OpenGL, bindings.c
 * says which kernel has which buffers. */
#ifndef CAB_OPENCL_H
#define CAB_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <CL/cl_gl.h>

#include <pthread.h>
#include <stdbool.h>

#include <clcable/draw.h>

#include "backend/backend.h"
#include "backend/bindings.h"

typedef struct cab_opencl_buffer {
    cl_mem memory;       /* NULL = not allocated yet */
    unsigned generation; /* counts allocations, from 1 */
    cl_mem aside;        /* a copy put aside; NULL = none */
    size_t aside_bytes;
} cab_opencl_buffer;

/* A kernel and its arguments, so that only those that have changed are set again. */
typedef struct cab_opencl_kernel {
    cl_kernel kernel;                      /* NULL = not built yet */
    bool fresh;                            /* its first run compiles it */
    bool bound;                            /* scalars and scratch have been set */
    int scalars[3];                        /* first, count, argument */
    size_t scratch;                        /* bytes of local memory */
    unsigned generation[CAB_BUFFER_COUNT]; /* generation of the bound buffer; 0 = none */
} cab_opencl_kernel;

/* The entry points of cl_khr_gl_sharing. */
typedef struct cab_gl_calls {
    cl_int(CL_API_CALL *context_info)(const cl_context_properties *properties, cl_gl_context_info what,
                                      size_t size, void *value, size_t *size_ret);
    cl_mem(CL_API_CALL *create)(cl_context context, cl_mem_flags flags, cl_GLuint buffer, cl_int *code);
    cl_int(CL_API_CALL *acquire)(cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint waits,
                                 const cl_event *wait, cl_event *event);
    cl_int(CL_API_CALL *release)(cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint waits,
                                 const cl_event *wait, cl_event *event);
} cab_gl_calls;

/* A program that has been built. */
typedef struct cab_opencl_program {
    const char *file;    /* the first of its files */
    const void *owner;   /* the backend whose expressions are in it; NULL = those of all can take it */
    bool without_meshes; /* see cab_opencl_sources */
    bool fresh;          /* PoCL compiles each of its kernels when that runs first */
    cl_program program;
} cab_opencl_program;

/* What backends that are opened beside each other have in common. Each may belong to a thread of its own. */
typedef struct cab_opencl_common {
    pthread_mutex_t lock; /* held while programs are built, and while somebody comes or goes */
    int holders;          /* backends */
    cl_command_queue queue;
    int count, room;
    cab_opencl_program *program; /* [count], room for [room] */
} cab_opencl_common;

/* OpenCL's object for a buffer of OpenGL. */
typedef struct cab_gl_buffer {
    unsigned name;
    cl_mem memory; /* NULL = none */
} cab_gl_buffer;

#define CAB_GL_BUFFERS 4 /* objects that are kept: a viewer draws into one or two buffers alternately */

typedef struct cab_opencl_gl {
    cab_gl_calls calls;
    cab_gl_buffer buffers[CAB_GL_BUFFERS];
    int next;   /* index of the object that is made next */
    cl_mem own; /* memory of the acquired buffer before */
} cab_opencl_gl;

#define CAB_OPENCL_STAGED 65536 /* bytes: some hundred writes of parameters */

typedef struct cab_opencl {
    cab_backend base;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* that of `common` */
    cab_opencl_common *common;
    cl_ulong memory;         /* bytes of the device */
    cl_ulong max_allocation; /* bytes of its largest buffer */
    cl_ulong max_scratch;    /* bytes of local memory */
    size_t item_size;        /* work-items per group, item kernels */
    size_t block_size;       /* work-items per group, block kernels */
    size_t group_size;       /* work-items per group, group kernels */
    char options[192];       /* of the kernel compiler */
    char *kernel_dir;        /* NULL = built-in sources */
    char *cache_dir;         /* NULL = no cache */
    bool own_folder; /* the caller named cache_dir, or CLCABLE_KEEP_BINARIES is set: PoCL's go there, too */
    double compiled; /* s, of all that was compiled so far */
    double compiled_before; /* s, of all that was compiled the last time; 0 = not known */
    double compile_started; /* s, clock */
    char *expressions;      /* replaces kernels/expressions.h; NULL = use that */
    void (*log)(void *user, int level, const char *text);
    void *user;
    cab_opencl_buffer buffers[CAB_BUFFER_COUNT];
    cab_opencl_kernel kernels[CAB_KERNEL_COUNT];
    cab_opencl_gl gl;
    unsigned char staged[CAB_OPENCL_STAGED]; /* what writes that nobody waits for still read */
    size_t staged_bytes;                     /* of it in use */
} cab_opencl;

/* status.c: the name of an error code, "CL_OUT_OF_RESOURCES"; and an error message with call, code and
 * purpose. Codes about memory become CAB_ERROR_MEMORY, all others CAB_ERROR_DEVICE. */
const char *cab_opencl_code(cl_int code);
cab_status cab_opencl_fail(cab_error *error, cl_int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void cab_opencl_log(const cab_opencl *opencl, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "12.3 MiB" */
typedef struct cab_size_text {
    char text[24];
} cab_size_text;
cab_size_text cab_opencl_size(unsigned long long bytes);

/* platforms.c */
#define CAB_OPENCL_TEXT 1024
void cab_opencl_device_text(cl_device_id device, cl_device_info what, char text[CAB_OPENCL_TEXT]);
void cab_opencl_platform_text(cl_platform_id platform, cl_platform_info what, char text[CAB_OPENCL_TEXT]);
/* Finds the device of "opencl:P.D" and describes it. */
cab_status cab_opencl_find(int platform, int device, cab_opencl *opencl, cab_error *error);

/* source.c: kernel files as the backend compiles them. */
typedef struct cab_opencl_sources {
    const char *folder;      /* they are read from there; NULL = as built in */
    const char *expressions; /* replaces expressions.h; NULL = use that */
    bool without_meshes;     /* with_meshes.h says so */
} cab_opencl_sources;
/* The text of these files, up to a NULL, one behind the other, with their headers, each once. The caller frees it; NULL on failure. */
char *cab_opencl_source(const cab_opencl_sources *from, const char *const *files, cab_error *error);

/* expressions.c */
cab_status cab_opencl_express(cab_backend *backend, const cab_own_kind *kinds, int count,
                              const cab_own_op *ops, cab_error *error);

/* cache.c */
/* Everything that a binary depends on, as text. The caller frees it. */
char *cab_opencl_cache_key(const cab_opencl *opencl, const char *source);
/* The binary kept under this key, or NULL. The caller frees it. */
unsigned char *cab_opencl_cache_load(const cab_opencl *opencl, const char *key, size_t *size);
void cab_opencl_cache_store(const cab_opencl *opencl, const char *key, const unsigned char *binary,
                            size_t size);

/* PoCL keeps what it has compiled by itself, and asked for a binary compiles every kernel once more; so a program of it is only
 * noted as compiled. Seconds: how long compiling for this device took the last time; 0 = not known. */
bool cab_opencl_cache_noted(const cab_opencl *opencl, const char *key);
void cab_opencl_cache_note(const cab_opencl *opencl, const char *key);
double cab_opencl_cache_seconds(const cab_opencl *opencl);
void cab_opencl_cache_store_seconds(const cab_opencl *opencl, double seconds);

/* compile.c: before and after something is compiled (cab_world_def.log, level 2), and at the end of all. */
void cab_opencl_compile_begin(cab_opencl *opencl);
void cab_opencl_compile_end(cab_opencl *opencl);
void cab_opencl_compile_note(const cab_opencl *opencl);
/* PoCL on a CPU? Are binaries kept in our own cache? */
bool cab_opencl_is_pocl(const cab_opencl *opencl);
bool cab_opencl_keeps_binaries(const cab_opencl *opencl);

/* common.c: opens a queue and makes the part in common with it; takes over that of another backend; lets go of it. */
cab_status cab_opencl_begin_common(cab_opencl *opencl, cab_error *error);
void cab_opencl_share_common(cab_opencl *opencl, const cab_opencl *with);
void cab_opencl_end_common(cab_opencl *opencl);
/* The program that begins with this file and is right for this backend; NULL = it has not been built yet. Who calls this and the
 * next one has the lock. */
const cab_opencl_program *cab_opencl_find_program(const cab_opencl *opencl, const char *file);
/* Keeps a program for the next kernel of its files. Without memory for that it is built once more. */
void cab_opencl_keep_program(cab_opencl *opencl, const char *file, cl_program program, bool fresh);

/* program.c: makes `kernel`, for which the files that hold it are built unless they have been; all kernels. */
cab_status cab_opencl_build(cab_opencl *opencl, cab_kernel kernel, cab_error *error);
cab_status cab_opencl_build_all(cab_opencl *opencl, cab_error *error);

/* buffers.c */
cab_status cab_opencl_allocate(cab_backend *backend, cab_buffer id, size_t bytes, cab_error *error);
cab_status cab_opencl_write(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes,
                            const void *data, cab_error *error);
cab_status cab_opencl_aside(cab_backend *backend, cab_buffer id, bool back, cab_error *error);
cab_status cab_opencl_copy(cab_backend *to, size_t to_offset, const cab_backend *from, size_t from_offset,
                           cab_buffer id, size_t bytes, cab_error *error);
cab_status cab_opencl_read(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, void *data,
                           cab_error *error);

/* share.c */
#define CAB_GL_PROPERTIES 7
/* The properties of a context that shares with `gl`. False if that is not wanted or not possible; then
 * shares_not says why. Shared buffers must be given up before the context. */
bool cab_opencl_share_wanted(cab_opencl *opencl, const cab_gl *gl,
                             cl_context_properties properties[CAB_GL_PROPERTIES]);
void cab_opencl_share_end(cab_opencl *opencl);
cab_status cab_opencl_acquire(cab_backend *backend, cab_buffer id, unsigned name, size_t bytes,
                              cab_error *error);
cab_status cab_opencl_release(cab_backend *backend, cab_buffer id, cab_error *error);
void cab_opencl_forget(cab_backend *backend, unsigned name);

/* run.c */
cab_status cab_opencl_run(cab_backend *backend, cab_kernel kernel, int first, int count, int argument,
                          size_t scratch, cab_error *error);
cab_status cab_opencl_finish(cab_backend *backend, cab_error *error);

#endif
