/* Components, cables that are joined, whose bending and lengths are solved in one system (kernels/coupled.cl). */
#ifndef CAB_MODEL_COUPLED_H
#define CAB_MODEL_COUPLED_H

#include "model/branches.h"

typedef struct cab_coupled_tables {
    cab_coupled *coupled;
    int count;
    int *of;                    /* [components] 1: it is one of them */
    cab_coupled_column *column; /* [columns + 1] */
    int column_count;
    int *row; /* the blocks' rows, then what terms change */
    int block_count, row_count;
    cab_coupled_link *link;
    int link_count;
    cab_coupled_bend *bend;
    int bend_count;
} cab_coupled_tables;

/* Does some component need it, as the scene's /method/bending has it? */
bool cab_model_couples(const cab_model *model);

/* wanted[component]: those that need it. What cannot have it (rigid bodies, sheets, drums, directors, twist, damped bending)
 * is left out. */
cab_status cab_model_coupled_components(const cab_model *model, const int *component, int count, int *wanted,
                                        cab_error *error);

/* Of the model and its branches as they are now. Free with cab_coupled_free(), also after a failure. */
cab_status cab_coupled_build(const cab_model *model, const cab_branches *branches, cab_coupled_tables *tables,
                             cab_error *error);
void cab_coupled_free(cab_coupled_tables *tables);

#endif
