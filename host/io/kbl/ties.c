/* Rings that keep the wires of a bundle together: evenly along each segment, and at its fixings. */
#include "io/kbl/kbl.h"

#include <math.h>

/* Which step of its walk a wire is in this segment on; -1 = it is no cable. */
static int step_in(const cab_kbl_walk *w, int segment)
{
    for (int k = 0; w->walked && k < w->count; k++) {
        if (w->route[k] == segment) return k;
    }
    return -1;
}

/* A ring as wide as the packed wires, round all that are cables. Where there are more than a tie may have,
 * the first one is in all of the ring's ties. */
static void add_ring(cab_kbl_scene *scene, const cab_kbl_walk *walks, int s, const char *name,
                     double location)
{
    const cab_kbl_segment *segment = &scene->kbl->segments[s];
    const cab_kbl_walk *first = NULL;
    json_t *cables = NULL;
    for (int i = 0; i < segment->wire_count; i++) {
        const cab_kbl_walk *w = &walks[segment->wires[i]];
        int k = step_in(w, s);
        if (k < 0) continue;
        if (!first) {
            first = w;
            continue;
        }
        if (!cables || json_array_size(cables) == CAB_TIE_CABLES) {
            json_t *tie =
                json_pack("{s:s,s:[s],s:f,s:o*}", "name", name, "cables", scene->kbl->wires[first->wire].id,
                          "at", cab_kbl_place_on(first, step_in(first, s), location), "radius",
                          cab_kbl_number(segment->packed));
            cables = json_object_get(tie, "cables");
            cab_kbl_append(scene, scene->ties, tie);
        }
        if (cables) cab_kbl_append(scene, cables, json_string(scene->kbl->wires[w->wire].id));
    }
}

void cab_kbl_tie(cab_kbl_scene *scene, const cab_kbl_walk *walks)
{
    const cab_kbl *kbl = scene->kbl;
    for (int s = 0; s < kbl->segment_count && !kbl->lost; s++) {
        const cab_kbl_segment *segment = &kbl->segments[s];
        if (segment->wire_count < 2) continue;
        int count = (int)fmax(1, ceil(segment->rest_length / scene->options->tie_distance - 1e-9));
        for (int i = 0; i < count && !kbl->lost; i++)
            add_ring(scene, walks, s, segment->id, (i + 0.5) / count);
    }
    for (int i = 0; i < kbl->fixing_count && !kbl->lost; i++) {
        const cab_kbl_fixing *fixing = &kbl->fixings[i];
        add_ring(scene, walks, fixing->segment, fixing->name, fixing->location);
    }
}
