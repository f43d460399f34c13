/* A place of a cable that is kept at a height. */
#ifndef CAB_LEVEL_H
#define CAB_LEVEL_H

#include "types.h"

typedef struct cab_level_row {
    int particle;
    float height;     /* m */
    float compliance; /* over h^2, 1/kg */
} cab_level_row;

#endif
