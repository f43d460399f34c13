/* Bending and lengths in one system (coupled.cl): what its kernels share with the host. */
#ifndef CAB_COUPLED_TYPES_H
#define CAB_COUPLED_TYPES_H

/* A component that is solved so: what of each table is its own. Columns lie in the order of elimination. */
typedef struct cab_coupled {
    int component;
    int branch; /* one of its branches; off_branch tells of the component there */
    int column, column_count;
    int link, link_count;
    int bend, bend_count;
    int columns; /* of all components */
} cab_coupled;

/* A column: the displacement of a particle and the change of tension of a segment, four unknowns. Its blocks and terms end where those
 * of the next column begin. */
typedef struct cab_coupled_column {
    int particle; /* -1 = there is none, only a tension */
    int link;     /* whose tension; -1 = of none */
    int block;    /* its first block: coupled_row[block] is the row's column */
    int term; /* first in coupled_row: the blocks that pairs of its blocks change, (1, 0), (2, 0), (2, 1) ... */
    float mass, mass_first; /* mass (1 + damping h_s) of second and first order, kg */
    int unused[2];
} cab_coupled_column;

/* A segment. */
typedef struct cab_coupled_link {
    int node;    /* in branch_node, where it starts */
    int a, b;    /* columns of its ends; -1 = held */
    int owner;   /* the column that has its tension */
    int between; /* the block of both ends; -1 = one is held */
    int to_a,
        to_b; /* twice the block of the owner and an end, + 1 where the owner is the row; -1 = it is held, or the owner */
    int unused;
} cab_coupled_link;

/* A bending: the columns of its particles, -1 = held or none, and the blocks of two of them, -1 = there is none. */
typedef struct cab_coupled_bend {
    int bending;
    int a, b, c;
    int ab, bc, ac;
    int unused;
} cab_coupled_bend;

#define CAB_COUPLED_PASSES 12 /* Newton's steps at most in a launch */
/* Newton's steps end where none has changed a segment by more than this share of it: the next one would change it by the square. */
#define CAB_COUPLED_SMALL 1e-5
/* Numbers of a column in coupled_work; those of its blocks lie behind all columns, 16 each. */
#define CAB_COUPLED_DIAGONAL 0 /* 4 x 4, column by column; the lower triangle */
#define CAB_COUPLED_RIGHT 16   /* right side, then solution: kg m, m and kg m */
#define CAB_COUPLED_PLACE 20   /* offset, m, */
#define CAB_COUPLED_TENSION 23 /* and tension, kg m, so far */
#define CAB_COUPLED_SLOTS 24
#define CAB_COUPLED_BLOCK 16

#endif
