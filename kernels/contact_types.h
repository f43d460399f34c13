/* What the kernels of contact share with the host: colliders, meshes, contacts. */
#ifndef CAB_CONTACT_TYPES_H
#define CAB_CONTACT_TYPES_H

#include "dialect.h"

typedef struct cab_collider {
    int shape; /* cab_shape */
    float friction;
    float radius;         /* sphere, capsule; edge: how far below it a cable is still pushed out; m */
    float cx, cy, cz;     /* a point of the plane, centre, from; m */
    float tx, ty, tz;     /* plane: unit normal; capsule, edge: to - from; box: half extents */
    float qw, qx, qy, qz; /* box, mesh: unit quaternion */
    int node;             /* mesh: the root of its tree */
    int solid;            /* mesh: 1 = watertight */
    float px, py, pz;     /* edge: unit vector into the face on one side, at right angles to the edge */
    float sx, sy, sz;     /* on the other side; 0 = no face there */
    int moves;            /* 1: in this substep, to the pose above, by */
    float mx, my, mz;     /* the way of its point c, m, */
    float rw, rx, ry, rz; /* and a turn about that point, a unit quaternion */
    float unused[3];
} cab_collider;

#define CAB_SHAPE_IS_PLANE 0
#define CAB_SHAPE_IS_SPHERE 1
#define CAB_SHAPE_IS_CAPSULE 2
#define CAB_SHAPE_IS_BOX 3
#define CAB_SHAPE_IS_MESH 4
#define CAB_SHAPE_IS_EDGE 5 /* a bent or open edge of a mesh, for what lies across it */

/* A box of a mesh's tree, around its triangles. Children lie side by side. */
typedef struct cab_mesh_node {
    float lx, ly, lz; /* lower corner, m, in the mesh's own axes */
    int first;        /* child, or triangle of a leaf */
    float hx, hy, hz; /* upper corner, m */
    int count;        /* triangles of a leaf; 0 = inner */
} cab_mesh_node;
#define CAB_MESH_DEPTH 32 /* levels of a tree at most */

/* A triangle a, a + u, a + v, and which way is out at each of its parts. */
typedef struct cab_triangle {
    float ax, ay, az; /* m, in the mesh's own axes */
    float ux, uy, uz;
    float vx, vy, vz;
    float normal[21]; /* x, y, z of each: face; edges u, v and the third; corners a, a + u, a + v */
    float unused[2];
} cab_triangle;

/* An edge of a mesh that a cable can lie across: not flat, nor (in a solid) a valley. */
typedef struct cab_mesh_edge {
    int collider;
    float ax, ay, az; /* m, in the mesh's own axes */
    float ux, uy, uz; /* to its other end */
    float px, py, pz; /* as in cab_collider */
    float sx, sy, sz;
    float unused[3];
} cab_mesh_edge;

/* A touching or nearly touching pair, linearised for the substep:
 * gap(e) = gap + n . (e_second - e_first), e interpolated at `s` on the first segment and `t` on the second.
 * Of two segments the one that owns the pair is the first. With a collider there is no first; t is the
 * place. */
typedef struct cab_contact {
    float nx, ny, nz; /* unit normal, from first to second, or out of the collider */
    float gap;        /* m, for e = 0; the allowed overlap is already in it */
    float s, t;       /* 0 to 1 */
    int other;        /* the other segment */
    float friction;
    float sx, sy, sz; /* e_second - e_first at the start of the substep: where slip is counted from, m */
    float lambda;     /* normal multiplier so far in this substep, kg m */
    float fx, fy, fz; /* friction multiplier so far, kg m */
    float mass; /* of the pair along n, kg; from the first pass on split among its particles' contacts */
} cab_contact;

/* Contacts of cables with cables lie in rows: CAB_ROW of them side by side, number by number, so that lanes
 * read neighbours. The numbers are those of cab_contact, in this order. */
#define CAB_ROW 512   /* pairs, and contacts, that are one group's */
#define CAB_CHUNK 128 /* of them at a time */
#define CAB_CONTACT_NORMAL 0
#define CAB_CONTACT_GAP 3
#define CAB_CONTACT_S 4
#define CAB_CONTACT_T 5
#define CAB_CONTACT_FRICTION 6
#define CAB_CONTACT_START 7
#define CAB_CONTACT_LAMBDA 10
#define CAB_CONTACT_FORCE 11
#define CAB_CONTACT_MASS 14
#define CAB_CONTACT_NUMBERS 15
#define CAB_ROD_SIZE 6                                     /* float4 of a segment in the narrow phase */
#define CAB_RODS_FLOATS (20 * CAB_CHUNK)                   /* of local memory that making them needs */
#define CAB_FIND_FLOATS (2 * CAB_ROW + 23 * CAB_CHUNK + 8) /* finding contacts */
#define CAB_SOLVE_FLOATS (4 * CAB_CHUNK)                   /* and a pass over them */

/* What a segment has with others, those of its pairs that it owns. */
typedef struct cab_overlap {
    float deepest; /* m */
    int touching;
} cab_overlap;

/* What a contact does to one of its two segments: these parts of its effect to the segment's ends. */
typedef struct cab_share {
    int contact;
    float a, b; /* negative on the first segment, which takes up the opposite */
    int unused;
} cab_share;

#endif
