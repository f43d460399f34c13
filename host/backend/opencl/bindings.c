#include "backend/opencl/bindings.h"

/* The bare names of the buffers, so that a kernel's list is an initialiser as it stands. They stay in this
 * file. */
#define BARE_NAME(name) name = CAB_BUFFER_##name,
enum { CAB_BUFFERS(BARE_NAME) };

#define NAME(name) #name,
const char *const cab_buffer_names[CAB_BUFFER_COUNT] = {CAB_BUFFERS(NAME)};

#define BINDING(name, file, kind, ...)                                                                       \
    {#name,                                                                                                  \
     "cab_" #name,                                                                                           \
     #file ".cl",                                                                                            \
     CAB_BINDING_##kind,                                                                                     \
     (const int[]){__VA_ARGS__},                                                                             \
     sizeof((const int[]){__VA_ARGS__}) / sizeof(int)},
const cab_binding cab_bindings[CAB_KERNEL_COUNT] = {CAB_KERNELS(BINDING)};
