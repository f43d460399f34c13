/* Pairs of segments that may touch and are near to each other, by cells on the host. */
#ifndef CAB_NEAR_PAIRS_H
#define CAB_NEAR_PAIRS_H

#include "model/model.h"

/* Two segments, the one with the lower number first. */
typedef struct cab_near_pair {
    int a, b;
} cab_near_pair;

typedef struct cab_near_pairs {
    const cab_model *model;
    int count;                    /* segments of cables */
    struct cab_near_entry *entry; /* [count] by cell */
    double
        looks; /* at pairs, that are left: where nearly all are near, as with an absurd radius, it ends early */
    cab_near_pair *pair; /* what was found, in an order that depends on the places only */
    int pair_count, pair_room;
} cab_near_pairs;

cab_status cab_near_pairs_start(cab_near_pairs *s, const cab_model *model, cab_error *error);
void cab_near_pairs_end(cab_near_pairs *s);

/* All pairs that are no further apart than the skin, and some that are. place: [particles] m; skin: m. */
cab_status cab_near_pairs_find(cab_near_pairs *s, const cab_vec3 *place, double skin, cab_error *error);

#endif
