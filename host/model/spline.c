#include "model/spline.h"

#include "base/vec3.h"

/* The share of the neighbours' difference that a tangent point stands away from its control point. */
#define TANGENT 0.25

#define PANEL_PAIRS 4

/* Gauss-Legendre, eight points: abscissae and weights of the positive half. */
static const double panel_x[PANEL_PAIRS] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                            0.96028985649753623};
static const double panel_w[PANEL_PAIRS] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                            0.10122853629037626};

/* From path[i] to its tangent point on the far side; at the ends the missing neighbour is the point itself.
 */
static cab_vec3 tangent(const cab_vec3 *path, int count, int i)
{
    int before = i > 0 ? i - 1 : 0, after = i < count - 1 ? i + 1 : count - 1;
    return cab_vec3_scale(TANGENT, cab_vec3_sub(path[after], path[before]));
}

cab_bezier cab_spline_piece(const cab_vec3 *path, int count, int piece)
{
    cab_vec3 a = path[piece], b = path[piece + 1];
    cab_bezier bezier = {{a, cab_vec3_add(a, tangent(path, count, piece)),
                          cab_vec3_sub(b, tangent(path, count, piece + 1)), b}};
    return bezier;
}

cab_vec3 cab_bezier_point(const cab_bezier *piece, double t)
{
    double u = 1 - t;
    cab_vec3 sum = cab_vec3_scale(u * u * u, piece->p[0]);
    sum = cab_vec3_add_scaled(sum, 3 * u * u * t, piece->p[1]);
    sum = cab_vec3_add_scaled(sum, 3 * u * t * t, piece->p[2]);
    return cab_vec3_add_scaled(sum, t * t * t, piece->p[3]);
}

double cab_bezier_speed(const cab_bezier *piece, double t)
{
    double u = 1 - t;
    cab_vec3 sum = cab_vec3_scale(u * u, cab_vec3_sub(piece->p[1], piece->p[0]));
    sum = cab_vec3_add_scaled(sum, 2 * u * t, cab_vec3_sub(piece->p[2], piece->p[1]));
    sum = cab_vec3_add_scaled(sum, t * t, cab_vec3_sub(piece->p[3], piece->p[2]));
    return 3 * cab_vec3_length(sum);
}

double cab_bezier_panel(const cab_bezier *piece, double t0, double t1)
{
    double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0), sum = 0;
    for (int i = 0; i < PANEL_PAIRS; i++) {
        double step = half * panel_x[i];
        sum += panel_w[i] * (cab_bezier_speed(piece, middle - step) + cab_bezier_speed(piece, middle + step));
    }
    return half * sum;
}

bool cab_bezier_straight(const cab_bezier *piece)
{
    cab_vec3 chord = cab_vec3_sub(piece->p[3], piece->p[0]);
    double length = cab_vec3_length(chord), step[3];
    if (!(length > 0)) return false;
    cab_vec3 u = cab_vec3_scale(1 / length, chord);
    for (int i = 0; i < 3; i++) {
        cab_vec3 move = cab_vec3_sub(piece->p[i + 1], piece->p[i]);
        /* a few roundings of the chord */
        if (cab_vec3_length(cab_vec3_reject(move, u)) > 1e-15 * length) return false;
        step[i] = cab_vec3_dot(move, u);
    }
    /* the velocity along u, with these Bernstein coefficients, is nowhere below 0 */
    if (step[0] < 0 || step[2] < 0) return false;
    return step[1] >= 0 || step[1] * step[1] <= step[0] * step[2];
}
