/* The kernels once more, compiled for AVX-512 (CMakeLists.txt). */
#define CAB_NATIVE_TABLE cab_native_kernels_avx512
#include "backend/native/native_kernels.c"
