/* The kernels of particles and planar bodies, as native_kernels.c. They calculate in doubles and by branches, and
 * wider vectors than AVX2's did not make them faster. */
#include "backend/native/runners.h"

#include "kernels/layout_study.cl"
#include "kernels/particles.cl"
#include "kernels/planar.cl"

CAB_STUDY_KERNELS(RUNNER)
