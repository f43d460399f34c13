#include "backend/bindings.h"

/* The names of the buffers as constants of this file, so that a kernel's list of buffers is an
 * initialiser. */
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
