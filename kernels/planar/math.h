/* Functions of planar bodies and cables that the language has not, or not with the same bits everywhere. */
#ifndef CAB_PLANAR_MATH_H
#define CAB_PLANAR_MATH_H

#include "types.h"
#include "../plane.h"

#define CAB_PL_PI 3.14159265358979323846
#define CAB_PL_FUNCTION static inline

/* A quarter turn clockwise: from a direction to what lies on its right. */
CAB_PL_FUNCTION cab_p2 cab_pl_right(cab_p2 a)
{
    return p2_make(a.y, -a.x);
}

CAB_PL_FUNCTION cab_pr cab_pl_abs(cab_pr x)
{
    return x < 0 ? -x : x;
}

CAB_PL_FUNCTION cab_pr cab_pl_min(cab_pr a, cab_pr b)
{
    return a < b ? a : b;
}

CAB_PL_FUNCTION cab_pr cab_pl_max(cab_pr a, cab_pr b)
{
    return a > b ? a : b;
}

/* Turned by an angle of cosine c and sine s. */
CAB_PL_FUNCTION cab_p2 cab_pl_turn(cab_pr c, cab_pr s, cab_p2 v)
{
    return p2_make(c * v.x - s * v.y, s * v.x + c * v.y);
}

CAB_PL_FUNCTION cab_p2 cab_pl_turn_back(cab_pr c, cab_pr s, cab_p2 v)
{
    return p2_make(c * v.x + s * v.y, c * v.y - s * v.x);
}

/* atan for |t| <= tan(pi/8): the Chebyshev fit of atan(t)/t in t^2 with 12 terms is off by 1.3e-18. */
CAB_PL_FUNCTION cab_pr cab_pl_atan_small(cab_pr t)
{
    cab_pr z = t * t, p = -0.017805397205419445228;
    p = p * z + 0.037965257453865936236;
    p = p * z - 0.050351024566015518428;
    p = p * z + 0.058468782973308725201;
    p = p * z - 0.066629518136291900881;
    p = p * z + 0.076920453309022249521;
    p = p * z - 0.090908968090640270761;
    p = p * z + 0.11111110744919658237;
    p = p * z - 0.14285714279250244942;
    p = p * z + 0.19999999999940891462;
    p = p * z - 0.33333333333333121163;
    return t * (p * z + 0.99999999999999999874);
}

/* The angle of (x, y) against the x axis, -pi to pi; 0 for (0, 0). */
CAB_PL_FUNCTION cab_pr cab_pl_angle(cab_pr y, cab_pr x)
{
    cab_pr ax = cab_pl_abs(x), ay = cab_pl_abs(y), a;
    if (ax == 0 && ay == 0) return 0;
    if (ay < 0.41 * ax)
        a = cab_pl_atan_small(ay / ax);
    else if (ax < 0.41 * ay)
        a = CAB_PL_PI / 2 - cab_pl_atan_small(ax / ay);
    else
        a = CAB_PL_PI / 4 + cab_pl_atan_small((ay - ax) / (ay + ax));
    if (x < 0) a = CAB_PL_PI - a;
    return y < 0 ? -a : a;
}

/* By which a unit vector is turned to another, -pi to pi. Small angles, the most frequent by far, by the
 * series of the arc sine, which needs no division: off by less than 2e-17. */
CAB_PL_FUNCTION cab_pr cab_pl_between(cab_p2 a, cab_p2 b)
{
    cab_pr s = p2_cross(a, b), z = s * s;
    if (z < 4e-4 && p2_dot(a, b) > 0)
        return s + s * z * (1.0 / 6 + z * (3.0 / 40 + z * (15.0 / 336 + z * (105.0 / 3456))));
    return cab_pl_angle(p2_cross(a, b), p2_dot(a, b));
}

/* Cosine and sine. The argument is brought into -pi/4 to pi/4 by quarter turns in two parts; Taylor's series
 * from there are off by less than 1e-17. */
CAB_PL_FUNCTION cab_p2 cab_pl_direction(cab_pr a)
{
    cab_pr turns = a * (2 / CAB_PL_PI);
    int n = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
    cab_pr r = (a - n * 1.5707963267341256) - n * 6.077100506506192e-11, z = r * r;
    cab_pr s = -1.0 / 1307674368000.0, c = 1.0 / 20922789888000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = r + r * z * s;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = c * z - 0.5;
    c = c * z + 1;
    switch (n & 3) {
    case 0:
        return p2_make(c, s);
    case 1:
        return p2_make(-s, c);
    case 2:
        return p2_make(-c, -s);
    default:
        return p2_make(s, -c);
    }
}

/* e^x, for x within -40 to 40. */
CAB_PL_FUNCTION cab_pr cab_pl_exp(cab_pr x)
{
    x = cab_pl_max(-40, cab_pl_min(40, x));
    cab_pr turns = x * 1.4426950408889634;
    int n = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
    cab_pr r = (x - n * 0.6931471803691238) - n * 1.9082149292705877e-10, e = 1;
    for (int k = 14; k > 0; k--) e = 1 + r * e / k;
    for (; n > 0; n--) e = e * 2;
    for (; n < 0; n++) e = e / 2;
    return e;
}

#endif
