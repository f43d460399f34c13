/* The wide kernels once more, compiled for AVX2 (CMakeLists.txt). */
#define CAB_NATIVE_SET avx2
#include "backend/native/native_wide.c"
