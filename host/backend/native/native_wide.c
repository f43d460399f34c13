/* The kernels that compute many cables at once, in vectors of an instruction set; see native_kernels.c. */
#include "backend/native/runners.h"

#include "kernels/direct_lanes.cl"
#include "kernels/delassus.cl"
#include "kernels/lanes.cl"
#include "kernels/spans.cl"
#include "kernels/span_frame.cl"
#include "kernels/lanes_near.cl"
#include "kernels/lanes_twist.cl"
#include "kernels/lanes_viscous.cl"
#include "kernels/nets.cl"

CAB_WIDE_KERNELS(RUNNER)
