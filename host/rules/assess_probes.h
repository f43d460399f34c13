/* What the probes of a run went through: the extremes of each, and curves over time. */
#ifndef CAB_ASSESS_PROBES_H
#define CAB_ASSESS_PROBES_H

#include <jansson.h>

#include "io/file.h"
#include "world/probes.h"

/* The extremes of a probe: the least and the largest of each quantity, and how far it was from where it began. */
typedef struct cab_extreme {
    double value; /* in the quantity's unit; m */
    int frame;
    double time;    /* s */
    cab_vec3 place; /* then, m */
} cab_extreme;

typedef struct cab_probe_course {
    cab_extreme least[CAB_PROBE_QUANTITIES], largest[CAB_PROBE_QUANTITIES], farthest;
    cab_vec3 begun; /* m */
} cab_probe_course;

typedef struct cab_assess_probes {
    cab_probes probes;
    cab_probe_course *course; /* [probes.count] */
    double *series;           /* [frames][probes.count][CAB_PROBE_QUANTITIES] */
    int frame_count;
} cab_assess_probes;

/* Takes a frame; the first one lists the probes. */
cab_status cab_assess_probes_take(cab_assess_probes *a, cab_world *world, cab_error *error);
void cab_assess_probes_free(cab_assess_probes *a);

/* The probes of the JSON; the chapter of the page, nothing without probes. time: [frames] s. */
json_t *cab_assess_probes_json(const cab_assess_probes *a);
void cab_assess_probes_html(const cab_assess_probes *a, const double *time, cab_file *file);

#endif
