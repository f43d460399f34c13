/* Tables of the cyclic kernel: each cable's constants, and what the steps of the reduction take. */
#ifndef CAB_CYCLIC_H
#define CAB_CYCLIC_H

#include "model/model.h"

typedef struct cab_cyclic_tables {
    cab_cyclic_chain *cable; /* [cables] */
    float *constant;
    size_t constant_count;
    float4 *bending;
    size_t bending_count;
    int kinds; /* of cables: equal ones share their tables */
} cab_cyclic_tables;

/* The model must have chains. Free with cab_cyclic_free(). */
cab_status cab_cyclic_build(const cab_model *model, cab_cyclic_tables *tables, cab_error *error);
void cab_cyclic_free(cab_cyclic_tables *tables);

#endif
