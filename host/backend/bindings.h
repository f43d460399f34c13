/* The lists of backend/kernels.h as a table: the file and the buffers of each kernel. */
#ifndef CAB_BINDINGS_H
#define CAB_BINDINGS_H

#include "backend/kernels.h"

typedef enum cab_binding_kind { CAB_BINDING_item, CAB_BINDING_block, CAB_BINDING_group } cab_binding_kind;

typedef struct cab_binding {
    const char *name; /* "predict" */
    const char *call; /* "cab_predict" */
    const char *file; /* "predict.cl" */
    cab_binding_kind kind;
    const int *buffers; /* ids, in the order of the kernel's arguments */
    int buffer_count;
} cab_binding;

extern const cab_binding cab_bindings[CAB_KERNEL_COUNT];
extern const char *const cab_buffer_names[CAB_BUFFER_COUNT];

#endif
