/* For each instruction set the functions that run the kernels. */
#include "backend/native/native.h"

#define GRAIN_item 256
#define GRAIN_block 2
#define GRAIN_group 1
#define ENTRY(set, name, kind) [CAB_KERNEL_##name] = {CAB_NATIVE_RUN(set, name), GRAIN_##kind},

#ifdef CAB_NATIVE_BASELINE
#define BASELINE_RUN(name, ...) cab_native_run CAB_NATIVE_RUN(baseline, name);
#define BASELINE_ENTRY(name, file, kind, ...) ENTRY(baseline, name, kind)
CAB_KERNELS(BASELINE_RUN)
const cab_native_kernel cab_native_kernels_baseline[CAB_KERNEL_COUNT] = {CAB_KERNELS(BASELINE_ENTRY)};

#endif

/* AVX-512 has only the cables' kernels, the studies' are those of AVX2: see native_studies.c. */
#ifdef CAB_NATIVE_AVX2_STUDIES
#define AVX2_RUN(name, ...) cab_native_run CAB_NATIVE_RUN(avx2, name);
#define AVX2_ENTRY(name, file, kind, ...) ENTRY(avx2, name, kind)
CAB_STUDY_KERNELS(AVX2_RUN)
#endif

#ifdef CAB_NATIVE_AVX2
CAB_NARROW_KERNELS(AVX2_RUN)
CAB_WIDE_KERNELS(AVX2_RUN)
const cab_native_kernel cab_native_kernels_avx2[CAB_KERNEL_COUNT] = {CAB_KERNELS(AVX2_ENTRY)};
#endif

#ifdef CAB_NATIVE_AVX512
#define AVX512_RUN(name, ...) cab_native_run CAB_NATIVE_RUN(avx512, name);
#define AVX512_ENTRY(name, file, kind, ...) ENTRY(avx512, name, kind)
CAB_NARROW_KERNELS(AVX512_RUN)
CAB_WIDE_KERNELS(AVX512_RUN)
const cab_native_kernel cab_native_kernels_avx512[CAB_KERNEL_COUNT] = {
    CAB_NARROW_KERNELS(AVX512_ENTRY) CAB_WIDE_KERNELS(AVX512_ENTRY) CAB_STUDY_KERNELS(AVX2_ENTRY)};
#endif
