/* The kernels that sweep many cables at once, in the vectors of an instruction set; see native_kernels.c. */
#ifndef CAB_NATIVE_WIDE
#define CAB_NATIVE_WIDE cab_native_wide_baseline
#endif

#include "backend/native/runners.h"

#include "kernels/lanes.cl"

CAB_WIDE_KERNELS(RUNNER)

const cab_native_kernel CAB_NATIVE_WIDE[CAB_KERNEL_COUNT - CAB_FIRST_WIDE_KERNEL] = {CAB_WIDE_KERNELS(ENTRY)};
