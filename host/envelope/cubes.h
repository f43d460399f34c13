/* How a cube with some of its corners inside is cut by a surface: the table of marching cubes, made from its rule. */
#ifndef CAB_ENVELOPE_CUBES_H
#define CAB_ENVELOPE_CUBES_H

/* A cube's corners are 0 to 7: 1 for x, 2 for y, 4 for z, added up. An edge is 8 times its axis and the corner at its lower end: 12
 * of the numbers below 24. */
enum { CAB_CUBE_EDGES = 24, CAB_CUBE_TRIANGLES = 5 };

typedef struct cab_cube_cut {
    int count; /* of triangles */
    unsigned char
        edge[CAB_CUBE_TRIANGLES]
            [3]; /* that their corners lie on: 8 axis + lower corner; counter-clockwise from outside */
} cab_cube_cut;

/* For each set of corners inside, bit by bit. */
void cab_cube_cuts(cab_cube_cut cuts[256]);

#endif
