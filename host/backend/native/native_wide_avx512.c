/* The wide kernels once more, compiled for AVX-512 (CMakeLists.txt). */
#define CAB_NATIVE_SET avx512
#include "backend/native/native_wide.c"
