#include "io/kbl/nurbs.h"

#include <math.h>

#include "base/vec3.h"

enum {
    PER_SPAN = 64
};                /* points between two knots, as curves have them that are told without knots (shape.c) */
#define SAME 1e-9 /* of a step between knots, or of a weight */

static bool has_same_weights(const cab_nurbs *n)
{
    for (int i = 1; i < n->count; i++)
        if (fabs(n->weights[i] - n->weights[0]) > SAME * n->weights[0]) return false;
    return true;
}

/* Are the knots from..to evenly apart? */
static bool is_even(const cab_nurbs *n, int from, int to)
{
    double step = (n->knots[to] - n->knots[from]) / (to - from);
    for (int i = from; i < to; i++)
        if (fabs(n->knots[i + 1] - n->knots[i] - step) > SAME * step) return false;
    return step > 0;
}

static bool is_uniform(const cab_nurbs *n)
{
    return n->knot_count == 0 || is_even(n, 0, n->knot_count - 1);
}

static bool is_valid(const cab_nurbs *n)
{
    if (n->count <= n->degree) return false;
    if (n->knot_count == 0) return true;
    if (n->knot_count != n->count + n->degree + 1) return false;
    for (int i = 0; i < n->knot_count; i++)
        if (!isfinite(n->knots[i]) || (i && n->knots[i] < n->knots[i - 1])) return false;
    return n->knots[n->count] > n->knots[n->degree];
}

/* de Boor's algorithm on homogeneous points; k: the span of x, knots[k] <= x <= knots[k + 1]. */
static cab_vec3 point_at(const cab_nurbs *n, int k, double x)
{
    cab_vec3 d[CAB_KBL_DEGREE_MAX + 1];
    double w[CAB_KBL_DEGREE_MAX + 1];
    int p = n->degree;
    for (int j = 0; j <= p; j++) {
        w[j] = n->weights[j + k - p];
        d[j] = cab_vec3_scale(w[j], n->points[j + k - p]);
    }
    for (int r = 1; r <= p; r++) {
        for (int j = p; j >= r; j--) {
            double from = n->knots[j + k - p], to = n->knots[j + 1 + k - r],
                   a = to > from ? (x - from) / (to - from) : 0;
            d[j] = cab_vec3_add(cab_vec3_scale(1 - a, d[j - 1]), cab_vec3_scale(a, d[j]));
            w[j] = (1 - a) * w[j - 1] + a * w[j];
        }
    }
    return cab_vec3_scale(1 / w[p], d[p]);
}

bool cab_nurbs_curve(cab_kbl *kbl, const cab_nurbs *n, cab_kbl_curve *curve)
{
    if (!is_valid(n)) return false;
    if (has_same_weights(n) && is_uniform(n)) {
        *curve = (cab_kbl_curve){.degree = n->degree, .points = n->points, .count = n->count};
        return true;
    }
    if (n->knot_count == 0) return false; /* weights need knots */
    size_t spans = (size_t)(n->count - n->degree);
    *curve =
        (cab_kbl_curve){.degree = 1, .points = cab_kbl_new(kbl, spans * PER_SPAN + 1, sizeof *curve->points)};
    if (!curve->points) return false;
    curve->points[curve->count++] = point_at(n, n->degree, n->knots[n->degree]);
    for (int k = n->degree; k < n->count; k++) {
        double from = n->knots[k], step = (n->knots[k + 1] - from) / PER_SPAN;
        for (int i = 1; step > 0 && i <= PER_SPAN; i++)
            curve->points[curve->count++] = point_at(n, k, from + i * step);
    }
    return curve->count > 1;
}
