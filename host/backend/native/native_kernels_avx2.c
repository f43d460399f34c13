/* The kernels once more, compiled for AVX2 (CMakeLists.txt). */
#define CAB_NATIVE_TABLE cab_native_kernels_avx2
#include "backend/native/native_kernels.c"
