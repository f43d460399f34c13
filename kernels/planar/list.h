/* The buffers and kernels of this folder. host/backend/kernels.h takes them in and explains a row. */
#ifndef CAB_PLANAR_LIST_H
#define CAB_PLANAR_LIST_H

#define CAB_PLANAR_BUFFERS(X)                                                                                \
    X(planar_scene)   /* cab_pl_scene [scenes] */                                                            \
    X(planar_motion)  /* cab_pl_motion [bodies of all scenes] */                                             \
    X(planar_body)    /* cab_pl_body, like motion */                                                         \
    X(planar_corner)  /* cab_pl_corner */                                                                    \
    X(planar_cable)   /* cab_pl_cable */                                                                     \
    X(planar_joint)   /* cab_pl_joint [room for joints of all scenes] */                                     \
    X(planar_contact) /* cab_pl_contact [2][room for contacts], scene by scene */                            \
    X(planar_row)     /* cab_pl_row, like joint */                                                           \
    X(planar_sweep)   /* cab_pl_sweep, like motion */                                                        \
    X(planar_pair)    /* cab_pl_pair [room for pairs of bodies] */                                           \
    X(planar_hit)     /* cab_pl_pair, like joint */                                                          \
    X(planar_split)   /* cab_pl_pair [room for contacts] */                                                  \
    X(planar_unknown) /* cab_pl_unknown [3][bodies] */                                                       \
    X(planar_island)  /* cab_pl_island, like motion */                                                       \
    X(planar_cell)    /* double [2][room for cells of all scenes] */                                         \
    X(planar_list)    /* int; a scene's bodies, 4 x contacts, 3 x joints */                                  \
    X(planar_node)    /* cab_pl_node [chains][pieces + 1], scene by scene */                                 \
    X(planar_chain)   /* int [chains of all scenes] */

#define CAB_PLANAR_KERNELS(X)                                                                                \
    X(planar, planar, block, planar_scene, planar_motion, planar_body, planar_corner, planar_cable,          \
      planar_joint, planar_contact, planar_row, planar_sweep, planar_pair, planar_hit, planar_split,         \
      planar_unknown, planar_island, planar_cell, planar_list, planar_node, planar_chain)                    \
    X(planar_layout, planar, item, layout)

#endif
