/* The kernels of cables once more, compiled for AVX2 (CMakeLists.txt). */
#define CAB_NATIVE_SET avx2
#include "backend/native/native_kernels.c"
