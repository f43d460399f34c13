#include "view/shapes/spans.h"

#include <math.h>
#include <stdlib.h>

#include <cglm/cglm.h>

#include "base/array.h"

enum { STRETCH = 64, PIECES_MAX = 8, PIECES_UNKNOWN = 3 };

cab_status cab_spans_create(cab_spans *spans, const cab_strand *strands, int strand_count, cab_error *error)
{
    *spans = (cab_spans){.strands = strands};
    size_t nodes = 0, stretches = 0;
    for (int i = 0; i < strand_count; i++) {
        nodes += (size_t)strands[i].count;
        stretches += (size_t)((strands[i].count - 2) / STRETCH + 1);
    }
    spans->bend = calloc(nodes + 1, sizeof *spans->bend);
    spans->stretches = calloc(stretches + 1, sizeof *spans->stretches);
    if (!spans->bend || !spans->stretches) {
        cab_spans_free(spans);
        return cab_fail_memory(error, "what is drawn", nodes * sizeof(float));
    }
    float *bend = spans->bend;
    for (int i = 0; i < strand_count; i++) {
        int last = strands[i].count - 1;
        for (int from = 0; from < last; from += STRETCH) {
            int to = from + STRETCH < last ? from + STRETCH : last;
            spans->stretches[spans->stretch_count++] =
                (cab_stretch){.strand = i, .first = from, .last = to, .bend = bend};
        }
        bend += strands[i].count;
    }
    return CAB_OK;
}

/* The length of the second difference: twice the distance of a node from the middle of its neighbours. */
static float bend_at(const float *before, const float *at, const float *after)
{
    vec3 difference;
    for (int k = 0; k < 3; k++) difference[k] = before[k] - 2 * at[k] + after[k];
    return glm_vec3_norm(difference);
}

static void measure(cab_stretch *stretch, const cab_strand *strand, const float (*rows)[4])
{
    cab_bounds box = cab_bounds_empty();
    float longest = 0;
    for (int i = stretch->first; i <= stretch->last; i++) {
        const float *at = rows[strand->first + i * strand->step];
        cab_bounds_add(&box, at);
        bool inner = i > 0 && i + 1 < strand->count;
        stretch->bend[i] = inner ? bend_at(at - 4 * strand->step, at, at + 4 * strand->step) : 0;
        if (i > stretch->first)
            longest = fmaxf(longest, glm_vec3_distance2((float *)at, (float *)(at - 4 * strand->step)));
    }
    stretch->segment = sqrtf(longest);
    stretch->radius = 0.5f * glm_vec3_distance(box.lo, box.hi) + strand->radius;
    glm_vec3_center(box.lo, box.hi, stretch->middle);
}

void cab_spans_measure(cab_spans *spans, const float (*rows)[4])
{
    for (int i = 0; i < spans->stretch_count; i++) {
        cab_stretch *stretch = &spans->stretches[i];
        measure(stretch, &spans->strands[stretch->strand], rows);
    }
    spans->known = true;
}

void cab_spans_forget(cab_spans *spans)
{
    spans->known = false;
}

/* Is the ball around a stretch on the far side of one of the frustum's planes? */
static bool is_outside(const vec4 planes[6], const cab_stretch *stretch)
{
    for (int k = 0; k < 6; k++)
        if (glm_vec3_dot((float *)planes[k], (float *)stretch->middle) + planes[k][3] < -stretch->radius)
            return true;
    return false;
}

/* Size of a pixel where the stretch comes closest, m. */
static float pixel_of(const cab_spans_view *view, const cab_stretch *stretch)
{
    if (view->orthographic) return view->pixel;
    vec3 way;
    glm_vec3_sub((float *)stretch->middle, (float *)view->eye, way);
    float depth = glm_vec3_dot(way, (float *)view->forward);
    /* for an eye inside the ball a tenth of its radius counts as the distance */
    return view->pixel * fmaxf(depth - stretch->radius, fmaxf(0.1f * stretch->radius, 1e-6f));
}

/* Into how many pieces a segment is cut. The curve is off its chord by an eighth of the bend, and with n
 * pieces by 1/n^2 of that. */
static int pieces_of(float bend, float error)
{
    float pieces = sqrtf(bend / (8 * error));
    return pieces < PIECES_MAX ? (int)ceilf(fmaxf(pieces, 1)) : PIECES_MAX;
}

/* The last node of a piece over several segments that begins at `from`. Such a piece is off the curve by at
 * most a quarter of its number of segments times the sum of the bends within: this is when all of the bend is
 * in the middle. */
static int end_of(const float *bend, int from, int last, float error, int most)
{
    float turn = 0;
    int to = from + 1;
    while (to < last && to - from < most) {
        turn += bend[to];
        if (turn * (float)(to + 1 - from) > 4 * error) break;
        to++;
    }
    return to;
}

/* Adds equal pieces from one node to another. */
static void add_pieces(cab_spans *spans, int strand, int from, int to, int pieces)
{
    float step = (float)(to - from) / (float)pieces;
    for (int k = 0; k < pieces; k++) {
        float end = k + 1 < pieces ? (float)from + (float)(k + 1) * step : (float)to;
        spans->list[spans->count++] = (cab_span){(uint32_t)strand, (float)from + (float)k * step, end};
    }
}

static void choose(cab_spans *spans, const cab_spans_view *view, const cab_stretch *stretch)
{
    const float *bend = stretch->bend;
    float pixel = pixel_of(view, stretch), error = view->error * pixel;
    float reach = view->longest * pixel / fmaxf(stretch->segment, 1e-9f);
    int most = reach < STRETCH ? (int)fmaxf(reach, 1) : STRETCH;
    for (int at = stretch->first, to; at < stretch->last; at = to) {
        int pieces = spans->known ? pieces_of(fmaxf(bend[at], bend[at + 1]), error) : PIECES_UNKNOWN;
        to = pieces > 1 ? at + 1 : end_of(bend, at, stretch->last, error, most);
        add_pieces(spans, stretch->strand, at, to, pieces);
    }
}

cab_status cab_spans_choose(cab_spans *spans, const cab_spans_view *view, cab_error *error)
{
    vec4 planes[6];
    glm_frustum_planes((vec4 *)view->clip, planes);
    spans->count = 0;
    for (int i = 0; i < spans->stretch_count; i++) {
        const cab_stretch *stretch = &spans->stretches[i];
        if (spans->known && is_outside(planes, stretch)) continue;
        cab_status status = cab_array_room(&spans->list, sizeof *spans->list, &spans->room,
                                           spans->count + PIECES_MAX * STRETCH, "what is drawn", error);
        if (status) return status;
        choose(spans, view, stretch);
    }
    return CAB_OK;
}

void cab_spans_free(cab_spans *spans)
{
    CAB_FREE(spans->bend, spans->stretches, spans->list);
    *spans = (cab_spans){0};
}
