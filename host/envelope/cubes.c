#include "envelope/cubes.h"

#include <stdbool.h>

enum { NONE = -1 };

static int edge_between(int corner, int other)
{
    int low = corner < other ? corner : other;
    return 8 * ((corner ^ other) >> 1) + low; /* 1, 2, 4 are the axes 0, 1, 2 */
}

/* The corners around a face, counter-clockwise seen from outside the cube. */
static void ring_of(int axis, int side, int ring[4])
{
    int first = side << axis, b = 1 << (axis + 1) % 3, c = 1 << (axis + 2) % 3;
    ring[0] = first;
    ring[1] = first | (side ? b : c);
    ring[2] = first | b | c;
    ring[3] = first | (side ? c : b);
}

/* The surface crosses a face from where going around it comes in to where it went out, with the corners outside between them: if
 * opposite corners are inside, each of the others is cut off by itself. Both cubes at a face see this alike. */
static void cross_face(int inside, const int ring[4], int next[CAB_CUBE_EDGES])
{
    for (int k = 0; k < 4; k++) {
        if (!(inside >> ring[k] & 1) || inside >> ring[(k + 1) % 4] & 1) continue;
        int last = k + 1; /* corner outside before one that is inside again */
        while (!(inside >> ring[(last + 1) % 4] & 1)) last++;
        next[edge_between(ring[last % 4], ring[(last + 1) % 4])] = edge_between(ring[k], ring[(k + 1) % 4]);
    }
}

/* Do two edges lie on a common face? */
static bool share_face(int edge, int other)
{
    for (int axis = 0; axis < 3; axis++) {
        bool both = edge / 8 != axis && other / 8 != axis;
        if (both && ((edge ^ other) >> axis & 1) == 0) return true;
    }
    return false;
}

/* Can a loop be cut into triangles from this corner of it without an edge on a face, where the neighbour might have the same? */
static bool may_fan(const int *loop, int count, int from)
{
    for (int i = 2; i < count - 1; i++)
        if (share_face(loop[from], loop[(from + i) % count])) return false;
    return true;
}

/* For each of the 254 sets that are cut there is such a corner in each loop (tests/test_envelope.c). */
static void add_loop(cab_cube_cut *cut, const int *loop, int count)
{
    int from = 0;
    while (from < count - 1 && !may_fan(loop, count, from)) from++;
    for (int i = 1; i < count - 1; i++) {
        unsigned char *edge = cut->edge[cut->count++];
        edge[0] = (unsigned char)loop[from];
        edge[1] = (unsigned char)loop[(from + i) % count];
        edge[2] = (unsigned char)loop[(from + i + 1) % count];
    }
}

static void cut_cube(int inside, cab_cube_cut *cut)
{
    int next[CAB_CUBE_EDGES], ring[4], loop[CAB_CUBE_EDGES];
    for (int i = 0; i < CAB_CUBE_EDGES; i++) next[i] = NONE;
    for (int face = 0; face < 6; face++) {
        ring_of(face / 2, face % 2, ring);
        cross_face(inside, ring, next);
    }
    cut->count = 0;
    for (int first = 0; first < CAB_CUBE_EDGES; first++) {
        int count = 0;
        for (int edge = first; next[edge] != NONE;) {
            int after = next[edge];
            loop[count++] = edge;
            next[edge] = NONE;
            edge = after;
        }
        if (count) add_loop(cut, loop, count);
    }
}

void cab_cube_cuts(cab_cube_cut cuts[256])
{
    for (int inside = 0; inside < 256; inside++) cut_cube(inside, &cuts[inside]);
}
