/* The kernels that sweep many cables at once, in the vectors of an instruction set; see native_kernels.c. */
#include "backend/native/runners.h"

#include "kernels/lanes.cl"

CAB_WIDE_KERNELS(RUNNER)
