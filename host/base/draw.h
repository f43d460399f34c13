/* Numbers by chance, the same everywhere for a seed. */
#ifndef CAB_DRAW_H
#define CAB_DRAW_H

#include <stdint.h>

/* SplitMix64 (G. Steele, D. Lea, C. Flood 2014): 0 to 1, without 1. */
static inline double cab_draw(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* The state that a column of numbers begins with: each has a sequence of its own. */
static inline uint64_t cab_draw_begin(uint64_t seed, int column)
{
    return seed * 0xD1342543DE82EF95u + (uint64_t)column;
}

/* 0 to count - 1 in any order (R. Fisher, F. Yates 1938). */
static inline void cab_draw_order(int *order, int count, uint64_t *state)
{
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int other = (int)(cab_draw(state) * (i + 1)), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

#endif
