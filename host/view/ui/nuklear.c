/* The code of Nuklear, compiled once; CMakeLists.txt says with which of its parts. */
#define NK_IMPLEMENTATION
#include <nuklear.h>
