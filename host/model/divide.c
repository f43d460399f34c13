/* How a cable is divided into segments: equally, by their lengths, or so that particles are at given places. */
#include "model/expand.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/limits.h"

#define DEFAULT_SEGMENT 0.02 /* m; a cable without "segments" gets one each */
#define OFF_AT_MOST 1e-3     /* of a length: what lengths of segments may be off together */
#define HALVINGS 200         /* until a bracket of doubles cannot be halved any more */
#define EQUAL 1e-9           /* of a length: what rounding makes of equal segments */

static int by_default(double length)
{
    double count = ceil(length / DEFAULT_SEGMENT - 1e-9);
    return (int)fmin(fmax(count, 2), CAB_LIMIT_SEGMENTS.max);
}

static cab_status by_lengths(const cab_scene *scene, int cable, double rest, double **fraction,
                             cab_error *error)
{
    const cab_division_def *d = &scene->cables[cable].division;
    double sum = 0, *at;
    for (int i = 0; i < d->length_count; i++) sum += d->lengths[i];
    if (fabs(sum - rest) > OFF_AT_MOST * rest)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /cables/%d/segments: expected lengths that add up to the cable's %.9g m within "
                        "0.1 %%, got %.9g m",
                        scene->source, cable, rest, sum);
    cab_status status = CAB_NEW(at, d->length_count + 1, error);
    if (status != CAB_OK) return status;
    *fraction = at;
    double along = 0;
    for (int i = 0; i < d->length_count; i++) {
        at[i] = along / sum;
        along += d->lengths[i];
    }
    at[d->length_count] = 1;
    return CAB_OK;
}

/* The parts of a cable between the places that are named and its ends. */
typedef struct gaps {
    double *end; /* [count + 1] fractions, from 0 to 1 */
    int *pieces; /* [count] segments of each */
    int count;
} gaps;

static cab_status find_gaps(const cab_division_def *d, gaps *g, cab_error *error)
{
    cab_status status = CAB_NEW(g->end, d->place_count + 2, error);
    if (status == CAB_OK) status = CAB_NEW(g->pieces, d->place_count + 1, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < d->place_count; i++)
        if (d->places[i] > CAB_PLACE_GAP && d->places[i] < 1 - CAB_PLACE_GAP)
            g->end[++g->count] = d->places[i];
    g->end[++g->count] = 1;
    return CAB_OK;
}

static double width(const gaps *g, int gap)
{
    return g->end[gap + 1] - g->end[gap];
}

/* Fills in pieces no longer than `most`, as few as that takes, and counts them. */
static double cut(gaps *g, double most)
{
    double count = 0;
    for (int i = 0; i < g->count; i++) {
        double pieces = fmax(ceil(width(g, i) / most), 1);
        g->pieces[i] = (int)fmin(pieces, CAB_LIMIT_SEGMENTS.max);
        count += pieces;
    }
    return count;
}

/* Of all ways to cut the gaps into so many pieces one whose longest piece is shortest. */
static void share_out(gaps *g, int segments)
{
    double low = 0.5 / segments, high = 1; /* too short, long enough */
    for (int i = 0; i < HALVINGS && high - low > EQUAL * low; i++) {
        double middle = 0.5 * (low + high);
        if (cut(g, middle) > segments)
            low = middle;
        else
            high = middle;
    }
    int left = segments - (int)cut(g, high);
    /* of equally long pieces there are too many to cut all once more, but some can be */
    for (int i = 0; i < g->count && left > 0; i++) {
        if (width(g, i) / g->pieces[i] < (1 - 4 * EQUAL) * high) continue;
        g->pieces[i]++;
        left--;
    }
    if (left > 0) g->pieces[g->count - 1] += left;
}

static cab_status fill_gaps(const gaps *g, int segments, double **fraction, cab_error *error)
{
    double *at;
    cab_status status = CAB_NEW(at, segments + 1, error);
    if (status != CAB_OK) return status;
    *fraction = at;
    for (int i = 0, node = 0; i < g->count; i++) {
        for (int k = 0; k < g->pieces[i]; k++) at[node++] = g->end[i] + width(g, i) * k / g->pieces[i];
    }
    at[segments] = 1;
    return CAB_OK;
}

static cab_status by_places(const cab_scene *scene, int cable, int *segments, double **fraction,
                            cab_error *error)
{
    const cab_cable_def *def = &scene->cables[cable];
    gaps g = {0};
    cab_status status = find_gaps(&def->division, &g, error);
    if (status == CAB_OK && g.count > *segments && def->segments == 0) *segments = g.count;
    if (status == CAB_OK && g.count > *segments)
        status = cab_fail(error, CAB_ERROR_INPUT,
                          "%s: /cables/%d/places: expected at least %d segments for these places, got %d",
                          scene->source, cable, g.count, *segments);
    if (status == CAB_OK) {
        share_out(&g, *segments);
        status = fill_gaps(&g, *segments, fraction, error);
    }
    CAB_FREE(g.end, g.pieces);
    return status;
}

cab_status cab_divide(const cab_scene *scene, int cable, double length, double rest, int *segments,
                      double **fraction, cab_error *error)
{
    const cab_cable_def *def = &scene->cables[cable];
    const cab_division_def *d = &def->division;
    *segments = d->lengths ? d->length_count : def->segments > 0 ? def->segments : by_default(length);
    *fraction = NULL;
    if (d->lengths) return by_lengths(scene, cable, rest, fraction, error);
    return d->places ? by_places(scene, cable, segments, fraction, error) : CAB_OK;
}
