/* The kernel sources that are built in; cmake/EmbedKernels.cmake writes the table. */
#ifndef CAB_OPENCL_SOURCE_H
#define CAB_OPENCL_SOURCE_H

typedef struct cab_kernel_source {
    const char *name; /* "predict.cl" */
    const char *text;
} cab_kernel_source;

extern const cab_kernel_source cab_kernel_sources[];
extern const int cab_kernel_source_count;

#endif
