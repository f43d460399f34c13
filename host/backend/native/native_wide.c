/* The kernels of cables whose reals are vectors of the instruction set; see native_kernels.c. */
#include "backend/native/runners.h"

#include "kernels/lanes.cl"

CAB_WIDE_KERNELS(RUNNER)
