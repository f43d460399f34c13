/* Fixings: those that a cable can have. */
#include "io/kbl/kbl.h"

#include <math.h>

#include "base/vec3.h"

#define NEAR 0.05 /* m; a fixing is where its segment runs, give or take a clip */

cab_vec3 cab_kbl_place_of(const cab_kbl_segment *segment, double location)
{
    double rest = location * segment->path_length;
    for (int i = 1; i < segment->path_count; i++) {
        double piece = cab_vec3_distance(segment->path[i - 1], segment->path[i]);
        if (rest <= piece)
            return cab_vec3_add_scaled(segment->path[i - 1], rest / piece,
                                       cab_vec3_sub(segment->path[i], segment->path[i - 1]));
        rest -= piece;
    }
    return segment->path[segment->path_count - 1];
}

static void check_place(cab_kbl *kbl, const cab_kbl_fixing *fixing, const cab_kbl_segment *segment)
{
    double off = cab_vec3_distance(cab_kbl_place_of(segment, fixing->location), fixing->place);
    if (fixing->placed && off > NEAR)
        cab_kbl_note(kbl, fixing->line, fixing->id,
                     "placed %.0f mm from its location on %.60s; that location is taken", 1e3 * off,
                     segment->id);
}

/* Near an end it holds the node; of several one. */
static bool holds_node(cab_kbl *kbl, const cab_kbl_fixing *fixing, const cab_kbl_segment *segment)
{
    double from_start = fixing->location * segment->rest_length;
    bool at_start = from_start < CAB_KBL_APART, at_end = segment->rest_length - from_start < CAB_KBL_APART;
    if (at_start) kbl->nodes[segment->start].fixing = fixing->name;
    if (at_end) kbl->nodes[segment->end].fixing = fixing->name;
    return at_start || at_end;
}

static bool before(const cab_kbl_fixing *a, const cab_kbl_fixing *b)
{
    return a->segment != b->segment ? a->segment < b->segment : a->location < b->location;
}

static void sort(cab_kbl_fixing *fixings, int count)
{
    for (int i = 1; i < count; i++) {
        cab_kbl_fixing moved = fixings[i];
        int k = i;
        for (; k && before(&moved, &fixings[k - 1]); k--) fixings[k] = fixings[k - 1];
        fixings[k] = moved;
    }
}

/* Is it as good as at the same place as the last one kept? */
static bool doubles(cab_kbl *kbl, int kept, const cab_kbl_fixing *fixing, const cab_kbl_segment *segment)
{
    const cab_kbl_fixing *last = kept ? &kbl->fixings[kept - 1] : NULL;
    if (!last || last->segment != fixing->segment ||
        (fixing->location - last->location) * segment->rest_length >= CAB_KBL_APART)
        return false;
    cab_kbl_note(kbl, fixing->line, fixing->id, "at the same place as %.60s; one of them is taken", last->id);
    return true;
}

void cab_kbl_fix(cab_kbl *kbl)
{
    int kept = 0;
    for (int i = 0; i < kbl->fixing_count; i++)
        kbl->fixings[i].location = nearbyint(kbl->fixings[i].location * 1e6) / 1e6;
    sort(kbl->fixings, kbl->fixing_count);
    for (int i = 0; i < kbl->fixing_count; i++) {
        cab_kbl_fixing fixing = kbl->fixings[i];
        const cab_kbl_segment *segment = &kbl->segments[fixing.segment];
        if (!segment->path) {
            cab_kbl_note(kbl, fixing.line, fixing.id, "on a segment that is left out; left out");
            continue;
        }
        check_place(kbl, &fixing, segment);
        if (holds_node(kbl, &fixing, segment) || doubles(kbl, kept, &fixing, segment)) continue;
        kbl->fixings[kept++] = fixing;
    }
    kbl->fixing_count = kept;
}
