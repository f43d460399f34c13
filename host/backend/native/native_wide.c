/* The kernels that compute many cables at once, in vectors of an instruction set; see native_kernels.c. */
#include "backend/native/runners.h"

#include "kernels/lanes.cl"

CAB_WIDE_KERNELS(RUNNER)
