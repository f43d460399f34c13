/* Vectors of a cable's particles in local memory, as arrays of floats, which compilers vectorise. */
#ifndef CAB_LOCAL_H
#define CAB_LOCAL_H

#include "vector.h"

typedef struct cab_vectors {
    local float *x, *y, *z;
} cab_vectors;

CAB_INLINE cab_vectors cab_vectors_at(local float *memory, int size)
{
    cab_vectors v;
    v.x = memory;
    v.y = memory + size;
    v.z = memory + 2 * size;
    return v;
}

CAB_INLINE vec3 cab_get(cab_vectors v, int i)
{
    return vec3_make(v.x[i], v.y[i], v.z[i]);
}

CAB_INLINE void cab_put(cab_vectors v, int i, vec3 value)
{
    v.x[i] = value.x;
    v.y[i] = value.y;
    v.z[i] = value.z;
}

#endif
