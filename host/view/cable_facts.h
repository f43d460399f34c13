/* What there is to tell of a cable as it is now. */
#ifndef CAB_CABLE_FACTS_H
#define CAB_CABLE_FACTS_H

#include <clcable/clcable.h>

typedef struct cab_cable_facts {
    double length;                   /* at rest, m */
    double stretch;                  /* (length now - at rest) / at rest */
    double tension_max, tension_end; /* N: the largest, and of the segment at the start */
    double bend_radius;              /* smallest, m; INFINITY = straight, or one segment */
    double speed;                    /* largest, m/s */
} cab_cable_facts;

/* `position` and `velocity` [nodes][3], `tension` [nodes]: cab_world_read()'s. */
cab_cable_facts cab_cable_look(const cab_cable_info *cable, const double *position, const double *velocity,
                               const double *tension);

/* Radius of the circle through three points; INFINITY on a line or where two are one. */
double cab_circle_radius(const double a[3], const double b[3], const double c[3]);

#endif
