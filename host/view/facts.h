/* What a panel shows of a cable. Plain C: no OpenGL. */
#ifndef CAB_FACTS_H
#define CAB_FACTS_H

#include <clcable/clcable.h>

typedef struct cab_facts {
    char name[256];
    char material[256];     /* cut where it is longer */
    double radius;          /* m */
    double rest_length;     /* m, what is on a drum included */
    double length;          /* m, of the line through the nodes; without what is on a drum */
    double tension;         /* N, the largest; negative when all is pushed */
    int tension_node;       /* row where its segment starts */
    double tension_at;      /* where the middle of the segment is, 0 to 1 of the line's length */
    double bend_radius;     /* m, the smallest, of the circle through a node and its neighbours; INFINITY =
                               straight */
    int bend_node;          /* row; -1 = straight */
    double bend_at;         /* 0 to 1 of the line's length */
    double min_bend_radius; /* m, of the material; 0 = no limit */
    bool bent_too_far;      /* bend_radius is below it */
} cab_facts;

/* position: [nodes][3] and tension: [nodes], all of the world, as of cab_world_read(). scene: that the world
 * was made of, for the material; cable: of cab_world_get_cable(). */
void cab_facts_of(const cab_scene *scene, const cab_cable_info *cable, const double *position,
                  const double *tension, cab_facts *facts);

#endif
