/* Files that are built into the program: kernels, shaders, fonts. cmake/Embed.cmake writes such tables. */
#ifndef CAB_EMBEDDED_H
#define CAB_EMBEDDED_H

#include <stddef.h>

typedef struct cab_embedded {
    const char *name; /* "predict.cl", "planar/solve.h" */
    const char *text; /* a zero byte comes after */
    size_t size;      /* bytes, without that */
} cab_embedded;

#endif
