/* The buffers and kernels of bending and lengths in one system, as in host/backend/kernels.h. */
#ifndef CAB_COUPLED_LIST_H
#define CAB_COUPLED_LIST_H

#define CAB_COUPLED_BUFFERS(X)                                                                               \
    X(coupled)        /* cab_coupled [coupled components] */                                                 \
    X(coupled_of)     /* int [components] 1 = bending and lengths are one system */                          \
    X(coupled_column) /* cab_coupled_column [columns + 1] */                                                 \
    X(coupled_row)    /* int [blocks + terms] */                                                             \
    X(coupled_link)   /* cab_coupled_link [segments] */                                                      \
    X(coupled_bend)   /* cab_coupled_bend [bendings] */                                                      \
    X(coupled_work)   /* double [columns][CAB_COUPLED_SLOTS], then [blocks][CAB_COUPLED_BLOCK] */

#define CAB_COUPLED_KERNELS(X)                                                                               \
    X(coupled_load, coupled, item, params, offset, velocity, position, load_start, load, component, order,   \
      coupled_of, lost)                                                                                      \
    X(coupled_note, coupled, item, inertia, offset)                                                          \
    X(coupled_unbend, coupled, item, offset, inertia, component, order, coupled_of, lost)                    \
    X(coupled_choose, coupled, block, stiff, order, coupled_of, lost)                                        \
    X(coupled_solve, coupled, block, coupled_work, offset, branch_state, distance_lambda, off_branch, off,   \
      coupled, coupled_column, coupled_row, coupled_link, coupled_bend, position, inertia, bending,          \
      bending_target, branch_node, order, stiff, press, near_count)

#endif
