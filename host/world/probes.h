/* What a probe measures beside its place, for all who write it down. */
#ifndef CAB_WORLD_PROBES_H
#define CAB_WORLD_PROBES_H

#include <stddef.h>

#include <clcable/world.h>

enum { CAB_PROBE_QUANTITIES = 3 };

typedef struct cab_probe_quantity {
    const char *name, *title, *unit; /* "tension", "Tension", "N" */
    size_t at;                       /* where the double is in cab_probe_reading */
} cab_probe_quantity;

extern const cab_probe_quantity cab_probe_quantities[CAB_PROBE_QUANTITIES];

/* One of them. */
double cab_probe_value(const cab_probe_reading *reading, int quantity);

/* All of a world's probes and room for what they say; fails without memory. Free with cab_probes_free(). */
typedef struct cab_probes {
    int count;
    cab_probe_info *info;       /* [count] */
    cab_probe_reading *reading; /* [count] for cab_world_read_probes() */
} cab_probes;

cab_status cab_probes_list(const cab_world *world, cab_probes *probes, cab_error *error);
void cab_probes_free(cab_probes *probes);

#endif
