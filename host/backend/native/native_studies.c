/* The kernels of the studies; see native_kernels.c. They calculate in doubles with many branches, and vectors
 * wider than those of AVX2 did not make them faster. */
#include "backend/native/runners.h"

#include "kernels/particles/particles.cl"
#include "kernels/planar/planar.cl"

CAB_STUDY_KERNELS(RUNNER)
