/* The kernels once more, compiled for AVX-512 (CMakeLists.txt). */
#define CAB_NATIVE_NARROW cab_native_narrow_avx512
#include "backend/native/native_kernels.c"
