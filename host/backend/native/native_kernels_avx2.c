/* The kernels once more, compiled for AVX2 (CMakeLists.txt). */
#define CAB_NATIVE_NARROW cab_native_narrow_avx2
#include "backend/native/native_kernels.c"
