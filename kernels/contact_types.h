/* What the kernels of contact share with the host: colliders, meshes, contacts. */
#ifndef CAB_CONTACT_TYPES_H
#define CAB_CONTACT_TYPES_H

#include "dialect.h"

typedef struct cab_collider {
    int shape; /* cab_shape */
    float friction;
    float
        radius; /* sphere, capsule, cylinder; sheave: of the groove's bottom; mesh: of a ball about its centre that holds it; edge: depth down
                   to which it pushes out; m */
    float cx, cy,
        cz; /* plane: a point; sphere, box, mesh: centre; capsule, cylinder, sheave, edge: start; m */
    float tx, ty,
        tz; /* plane: unit normal; capsule, cylinder, sheave, edge: end - start; box: half extents */
    float qw, qx, qy, qz; /* box, mesh: orientation, a unit quaternion */
    int node;             /* mesh: root of its tree in mesh_node */
    int solid;            /* mesh: 1 = watertight */
    float px, py,
        pz; /* edge: unit vector into a face, perpendicular to the edge; sheave: where its flank begins, from the axis and
                         from the middle, and where that ends, from the middle, m */
    float sx, sy, sz;     /* into the other face; 0 = there is none */
    int moves;            /* 1: it moves to the pose above in this substep, by */
    float mx, my, mz;     /* the displacement of its point c, m, and */
    float rw, rx, ry, rz; /* a rotation about that point, a unit quaternion */
    float
        way; /* how far anything of its surface moves in the frame, at most, m; 0 = it does not move at all */
    int group;            /* the group of the cables that touch it; -1 = all */
    int rigid;            /* 1 + the rigid body whose shape it is; 0 = it is none's */
    float groove, flange; /* sheave: radius of its groove's round, and its outer one, m */
} cab_collider;

#define CAB_SHAPE_IS_PLANE 0
#define CAB_SHAPE_IS_SPHERE 1
#define CAB_SHAPE_IS_CAPSULE 2
#define CAB_SHAPE_IS_BOX 3
#define CAB_SHAPE_IS_MESH 4
#define CAB_SHAPE_IS_CYLINDER 5
#define CAB_SHAPE_IS_SHEAVE 6
#define CAB_SHAPE_IS_EDGE 7 /* a bent or open edge of a mesh, which a cable can lie across */

/* A node of a mesh's tree: a box around its triangles. Its two children are neighbours in the array. */
typedef struct cab_mesh_node {
    float lx, ly, lz; /* lower corner, m, in the mesh's own axes */
    int first;        /* first child, or first triangle of a leaf */
    float hx, hy, hz; /* upper corner, m */
    int count;        /* triangles of a leaf; 0 = inner node */
} cab_mesh_node;
#define CAB_MESH_DEPTH 32 /* levels of a tree at most */

/* A triangle a, a + u, a + v, with the outward normals of its parts. */
typedef struct cab_triangle {
    float ax, ay, az; /* m, in the mesh's own axes */
    float ux, uy, uz;
    float vx, vy, vz;
    float normal[21]; /* x, y, z: face; edges u, v and the third; corners a, a + u, a + v */
    float unused[2];
} cab_triangle;

/* An edge of a mesh that a cable can lie across: not flat and, in a solid, not concave. */
typedef struct cab_mesh_edge {
    int collider;
    float ax, ay, az; /* m, in the mesh's own axes */
    float ux, uy, uz; /* vector to its other end */
    float px, py, pz; /* as in cab_collider */
    float sx, sy, sz;
    float unused[3];
} cab_mesh_edge;

/* A pair that touches or nearly touches, linearised for the substep: gap(e) = gap + n . (e_second - e_first),
 * e interpolated at `s` on the first segment and `t` on the second. The first segment is the one that owns
 * the pair. A contact with a collider has no first segment; t is the place, and s
 * what press.cl notes, or by masses the compliance (CAB_CONTACT_SOFT). */
typedef struct cab_contact {
    float nx, ny, nz; /* unit normal, from the first to the second, or out of the collider */
    float gap;        /* gap for e = 0, m; the allowed overlap is added already */
    float s, t;       /* places on the segments, 0 to 1 */
    int other;        /* index of the other segment */
    float friction;
    float sx, sy, sz; /* e_second - e_first at the start of the substep, m; slip is counted from there */
    float lambda;     /* normal multiplier so far in this substep, kg m */
    float fx, fy, fz; /* friction multiplier so far, kg m */
    float mass;       /* effective mass along n, kg; from the first pass on divided by the number of parts */
    float sink; /* how much deeper it may become, m (cab_sink); then how far it may give way (cab_begin) */
} cab_contact;

/* Contacts between segments lie in rows of CAB_ROW, number by number, so that lanes read neighbouring values.
 * The numbers are those of cab_contact, in this order. */
#define CAB_ROW 512         /* pairs of a group, and its contacts */
#define CAB_CHUNK 128       /* of these at a time; also segments of a group */
#define CAB_NEAR_STRETCH 32 /* segments that share a list of colliders, */
#define CAB_NEAR_MOST 31    /* and its longest length */
#define CAB_WHOLE_LANES 16  /* the widest vector; cell_middle has room for as many more */
#define CAB_CONTACT_NORMAL 0
#define CAB_CONTACT_GAP 3
#define CAB_CONTACT_S 4
#define CAB_CONTACT_T 5
#define CAB_CONTACT_FRICTION 6
#define CAB_CONTACT_START 7
#define CAB_CONTACT_LAMBDA 10
#define CAB_CONTACT_FORCE 11
#define CAB_CONTACT_MASS 14
#define CAB_CONTACT_SINK 15
#define CAB_CONTACT_SOFT 16 /* compliance over the square of the substep, 1/kg */
#define CAB_CONTACT_NUMBERS 17
/* Where number `number` of contact c is. */
CAB_INLINE int cab_contact_index(int c, int number)
{
    return (c / CAB_ROW * CAB_CONTACT_NUMBERS + number) * CAB_ROW + c % CAB_ROW;
}
#define CAB_ROD_SIZE 6                      /* float4 of a segment; see CAB_ROD_... in rods.h */
#define CAB_RODS_FLOATS (3 * CAB_CHUNK + 4) /* local memory of contact_rods */
#define CAB_FIND_FLOATS (2 * CAB_ROW + 23 * CAB_CHUNK + 8) /* local memory of contact_find */
#define CAB_SOLVE_FLOATS (4 * CAB_CHUNK)                   /* local memory of contact_solve */
#define CAB_COLLIDER_FLOATS (21 * CAB_CHUNK + 4)           /* local memory of collider_solve */

/* The overlap of a segment with others, in the pairs that it owns. */
typedef struct cab_overlap {
    float deepest; /* m */
    int touching;
} cab_overlap;

/* A contact of a segment: which parts of its correction act on the segment's ends. */
typedef struct cab_share {
    int contact;
    float a, b; /* negative on a contact's first segment */
    int segment;
} cab_share;

/* The friction between a segment and something else, kept from substep to substep. */
typedef struct cab_grip {
    int other; /* 1 + the other segment's first particle; -1 - (4 collider + place); CAB_GRIP_NONE ends a segment's list */
    float x, y, z; /* N; on the other segment, or on this one from a collider */
} cab_grip;
#define CAB_CROWD                                                                                            \
    8 /* contacts of masses that are split into more parts give way more, so that all together are not too stiff */
#define CAB_SINK                                                                                             \
    0.05f           /* of the sum of radii: contacts give way as springs down to this depth, and no further */
#define CAB_GRIPS 6 /* as many are kept of a segment: of the pairs that it owns, then of colliders */
#define CAB_GRIP_NONE 0

#define CAB_HELD 1e12f /* square of a friction coefficient that holds against any force */

/* Numbers of a chain from far_chains. */
#define CAB_FAR_GAP 0 /* m; distance of its surface from the nearest collider, at least */
#define CAB_FAR_REACH                                                                                        \
    1 /* m; the same however it moves: its ends cannot be further from where it is held than it is long */
#define CAB_FAR_LOW 2   /* x, y, z of the lower corner of a box around it, m */
#define CAB_FAR_HIGH 5  /* of the upper corner */
#define CAB_FAR_SPEED 8 /* m/s; of its fastest particle */
#define CAB_FAR_NUMBERS 9
/* Numbers of a chain from far_parts, which looks at parts of so many segments each as the host says. */
#define CAB_PART_COSINE 0 /* how straight each part is with the next one: see cab_far_cosine() */
#define CAB_PART_APART 1  /* m; between boxes around two parts that do not lie on a straight stretch */
#define CAB_PART_LEFT                                                                                        \
    2 /* m; what is left of that after a frame in which they go on, CAB_FAR_BOUND times as fast */
#define CAB_PART_HIT 3 /* m/s; how fast a particle goes towards a collider that it may reach */
#define CAB_PART_NUMBERS 4
#define CAB_FAR_PARTS_MOST 128   /* cables of more have longer parts */
#define CAB_FAR_PARTS_STRAIGHT 6 /* of so many in a row it is asked whether they are straight */
/* How much further than its velocity something may come within a frame, and turn: what is bent springs back, what falls taut whips. */
#define CAB_FAR_BOUND 4.0f
#define CAB_FAR_NOTHING 1e30f   /* m; there is no collider; negative: it is not held */
#define CAB_FAR_STRETCHED 1.25f /* a cable is at most this often as long as at rest, for CAB_FAR_REACH */

#endif
