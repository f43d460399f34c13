/* The kernels of cables whose reals are floats, compiled as C: each becomes a loop over a range of its indices. Compiled once per
 * instruction set, each time into functions of other names; isa.c chooses. native_wide.c has those whose reals are as wide as a
 * vector, native_studies.c those of the studies.
 */
#include "backend/native/runners.h"

#include "kernels/attach.cl"
#include "kernels/bending.cl"
#include "kernels/chunks.cl"
#include "kernels/collider.cl"
#include "kernels/contact.cl"
#include "kernels/converge.cl"
#include "kernels/direct_bend.cl"
#include "kernels/direct_junction.cl"
#include "kernels/direct_lengths.cl"
#include "kernels/direct_motion.cl"
#include "kernels/distance.cl"
#include "kernels/draw.cl"
#include "kernels/drum.cl"
#include "kernels/finish.cl"
#include "kernels/fused.cl"
#include "kernels/grid.cl"
#include "kernels/jacobi.cl"
#include "kernels/layout.cl"
#include "kernels/limits.cl"
#include "kernels/measure.cl"
#include "kernels/narrow.cl"
#include "kernels/overlap.cl"
#include "kernels/own.cl"
#include "kernels/predict.cl"
#include "kernels/sleep.cl"
#include "kernels/soft.cl"
#include "kernels/sort.cl"
#include "kernels/springs.cl"
#include "kernels/tie.cl"

CAB_NARROW_KERNELS(RUNNER)
