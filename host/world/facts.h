/* Facts of a cable, from rows that were read before. */
#ifndef CAB_FACTS_H
#define CAB_FACTS_H

#include <clcable/facts.h>

/* position, velocity: [nodes][3], tension: [nodes], of the whole world, as cab_world_read() returns them. */
void cab_facts_of(const cab_cable_info *cable, const double *position, const double *velocity,
                  const double *tension, cab_vec3 gravity, cab_cable_facts *facts);

#endif
