/* A harness as a tree of paths: the longest is the trunk, each other one begins at a node of an earlier one. */
#ifndef CAB_BOARD_TREE_H
#define CAB_BOARD_TREE_H

#include "board/layout.h"

/* An edge as a path walks it. */
typedef struct cab_tree_step {
    int edge;
    bool back; /* from its end to its start */
} cab_tree_step;

typedef struct cab_tree_path {
    int from;             /* node at which it begins */
    cab_tree_step *steps; /* in order; in cab_tree.steps */
    int count;
    double length;  /* of itself */
    double weight;  /* of all that begins at it, itself included */
    double longest; /* of the paths that begin at it; 0 = none */
    int tree;
    bool trunk;
} cab_tree_path;

typedef struct cab_tree {
    int node_count; /* with a node more for each loop that is cut */
    int *near;      /* [node_count + 1] where the edges of a node begin in `around` */
    int *around;    /* edges */
    int *end;       /* [edges] the node at which an edge ends: a new one where it was cut */
    cab_tree_step *steps;
    cab_tree_path
        *paths; /* trunks, then by weight, the heaviest first; none before that from which it begins */
    int path_count, trees;
} cab_tree;

/* Marks the edges that close loops as cut. */
cab_status cab_tree_make(cab_tree *tree, cab_layout *layout, cab_error *error);
void cab_tree_free(cab_tree *tree);

#endif
