/* The kernels of cables whose reals are floats, compiled as C: each becomes a loop over a range of indices.
 * This file is compiled once for each instruction set, with function names of their own; isa.c chooses.
 * Kernels whose reals are as wide as a vector are in native_wide.c, those of the studies in native_studies.c.
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
#include "kernels/far.cl"
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
#include "kernels/pace.cl"
#include "kernels/predict.cl"
#include "kernels/sleep.cl"
#include "kernels/soft.cl"
#include "kernels/sort.cl"
#include "kernels/springs.cl"
#include "kernels/tie.cl"

CAB_NARROW_KERNELS(RUNNER)
