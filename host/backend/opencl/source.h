/* The kernel sources that are built in. */
#ifndef CAB_OPENCL_SOURCE_H
#define CAB_OPENCL_SOURCE_H

#include "embedded.h"

extern const cab_embedded cab_kernel_sources[];
extern const int cab_kernel_sources_count;

#endif
