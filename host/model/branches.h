/* Cables as branches between their ends and junctions, for the direct method stage by stage
 * (kernels/direct_*.cl). */
#ifndef CAB_BRANCHES_H
#define CAB_BRANCHES_H

#include "model/model.h"

typedef struct cab_branches {
    cab_branch *branch;
    int branch_count;
    bool any_taut;
    cab_branch_node *node;     /* [nodes] */
    cab_branch_factor *factor; /* [2][nodes], second order first */

    int component_count;
    int *component;          /* [P] */
    int *component_start;    /* [components + 1] */
    int *component_particle; /* [P] */
    int *component_branch_start;
    int *component_branch;

    int *bend_start, *bend_item; /* [P + 1], [3 bendings at most] */

    cab_joined *joined;
    int joined_count;
    cab_separator *separator; /* [separators + 1] */
    int separator_count;
    int *separator_row;
    float *separator_factor; /* [rows][2] */
    int row_count;
    int *separator_item;
    cab_junction *junction; /* [junctions + 1] */
    int junction_count;
    int *junction_item;
    cab_block *block; /* [blocks + 1] */
    int block_count;
    int *block_item;
    cab_block_term *term;
    int term_count;
    cab_rigid *rigid;           /* [bodies] component by component */
    cab_rigid_bent *rigid_bent; /* [bodies], as in rigid */
    double (*rigid_dual)[3][3]; /* [bodies] d_k of cab_rigid_bent, 1/m */
    cab_rigid_clamp *rigid_clamp;
    int rigid_clamp_count;
    cab_rigid_member *rigid_member;
    int rigid_member_count, port_count;
    cab_rigid_term *rigid_term;
    int rigid_term_count;
    cab_rigid_touch *rigid_touch;
    int rigid_touch_count;
    int (*rigid_touched)[2]; /* a body's place in rigid, its first column */
    int rigid_touched_count;
    int rigid_column_count; /* floats of all touches */
} cab_branches;

/* Of the model as it is now; again after a break. Free with cab_branches_free(). */
cab_status cab_branches_build(const cab_model *model, cab_branches *branches, cab_error *error);
void cab_branches_free(cab_branches *branches);

/* Numbers only: again when a material has changed. */
cab_status cab_branches_factorise(const cab_model *model, cab_branches *branches, cab_error *error);

/* What of the tables has changed: entries of node, and of each order of factor. */
typedef struct cab_branches_change {
    int first_node, node_count, first_factor, factor_count;
    bool separators; /* those of joined cables, too */
} cab_branches_change;

/* Numbers of a cable that a drum feeds, for what the model is set to. whole: all of them; else those that change when the drum's
 * first free node becomes another one by one. */
cab_status cab_branches_feed(const cab_model *model, cab_branches *branches, const cab_drum *drum, bool whole,
                             cab_branches_change *change, cab_error *error);

/* Bendings of a particle: [P + 1] starts, then 4 bending + (0 to 2: it is its a, b or c). Free both. */
cab_status cab_list_bendings(const cab_model *model, int **starts, int **items, cab_error *error);

#endif
