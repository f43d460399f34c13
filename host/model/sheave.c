#include "model/sheave.h"

#include <math.h>

#include "base/error.h"
#include "base/vec3.h"
#include "model/lathe.h"

#define PI 3.14159265358979323846

cab_sheave cab_sheave_of(cab_vec3 from, cab_vec3 to, double radius, const cab_groove *groove)
{
    double lean = groove->angle / 2, g = groove->radius;
    cab_sheave s = {.half = cab_vec3_distance(from, to) / 2,
                    .radius = radius,
                    .groove = g,
                    .flange = groove->flange,
                    .flank = {radius + g - g * sin(lean), g * cos(lean)}};
    s.rim = s.flank[1] + (s.flange - s.flank[0]) * tan(lean);
    return s;
}

cab_status cab_check_sheave(const cab_check_place *place, cab_vec3 from, cab_vec3 to, double radius,
                            const cab_groove *groove)
{
    cab_status status = cab_check_vec3(place, "from", from, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_vec3(place, "to", to, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_number(place, "radius", radius, CAB_LIMIT_LENGTH);
    if (!status) status = cab_check_number(place, "groove", groove->radius, CAB_LIMIT_LENGTH);
    if (!status) status = cab_check_number(place, "flange", groove->flange, CAB_LIMIT_LENGTH);
    if (!status) status = cab_check_number(place, "angle", groove->angle, CAB_LIMIT_GROOVE);
    if (status) return status;
    if (groove->flange < radius + groove->radius)
        return cab_check_refuse(place, "flange", "a number not below `radius` + `groove`");
    cab_sheave s = cab_sheave_of(from, to, radius, groove);
    if (s.half > s.rim) return CAB_OK;
    return cab_fail(place->error, CAB_ERROR_INPUT,
                    "%s: %s/to: expected more than %.6g m from `from`, as wide as the groove opens, got %.6g",
                    place->scene->source, place->pointer, 2 * s.rim, 2 * s.half);
}

void cab_sheave_store(const cab_sheave *s, cab_collider *out)
{
    out->groove = (float)s->groove;
    out->flange = (float)s->flange;
    out->px = (float)s->flank[0];
    out->py = (float)s->flank[1];
    out->pz = (float)s->rim;
}

/* ---- what it weighs ---- */

enum { POINTS = 8 };

/* Gauss-Legendre points and weights in -1 to 1; those below 0 are the same with another sign. */
static const double point[POINTS / 2] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                         0.96028985649753623};
static const double weight[POINTS / 2] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                          0.10122853629037626};

/* How far the surface is from the axis, at u = 0 to 1 of a piece of the profile, where that is from the middle, and dz/du. */
static double profile_at(const cab_sheave *s, int piece, double u, double *z, double *rate)
{
    double end = atan2(s->flank[1], s->radius + s->groove - s->flank[0]);
    if (piece == 0) { /* the arc, by its angle */
        *z = s->groove * sin(u * end);
        *rate = s->groove * cos(u * end) * end;
        return s->radius + s->groove - s->groove * cos(u * end);
    }
    double from = piece == 1 ? s->flank[1] : s->rim, to = piece == 1 ? s->rim : s->half;
    *z = from + u * (to - from);
    *rate = to - from;
    return piece == 1 ? s->flank[0] + u * (s->flange - s->flank[0]) : s->flange;
}

/* Discs of radius r and thickness dz: pi r^2 dz, r^2/4 across each. Exact but for the arc, there to 1e-12. */
double cab_sheave_volume(const cab_sheave *s, double *along, double *across)
{
    double volume = 0;
    *along = *across = 0;
    for (int k = 0; k < 3 * POINTS; k++) {
        int i = k % POINTS / 2;
        double z, rate, r = profile_at(s, k / POINTS, 0.5 + (k % 2 ? -0.5 : 0.5) * point[i], &z, &rate);
        double part = PI * r * r * rate * weight[i]; /* of both sides of the middle */
        volume += part;
        *across += part * r * r / 4;
        *along += part * z * z;
    }
    *along /= volume;
    *across /= volume;
    return volume;
}

/* ---- triangles ---- */

enum {
    ARC = 12,
    PROFILE = 2 * ARC + 5
}; /* places of the profile: both arcs, the middle, flank and rim at each side */

/* From one flat side to the other: rim, flank and arc, then the same backwards. */
static void list_profile(const cab_sheave *s, double at[PROFILE][2])
{
    double end = atan2(s->flank[1], s->radius + s->groove - s->flank[0]);
    for (int k = 0; k < PROFILE; k++) {
        int i = k - PROFILE / 2, from = i < 0 ? -i : i; /* from the middle */
        double angle = end * from / ARC;
        at[k][0] = from <= ARC ? s->radius + s->groove * (1 - cos(angle)) : s->flange;
        at[k][1] = from <= ARC ? s->groove * sin(angle) : from == ARC + 1 ? s->rim : s->half;
        if (i < 0) at[k][1] = -at[k][1];
    }
}

cab_status cab_sheave_mesh(const cab_sheave *s, cab_vec3 axis, int sides, cab_mesh *mesh, cab_error *error)
{
    double profile[PROFILE][2];
    list_profile(s, profile);
    for (int k = 0; k < PROFILE; k++) profile[k][1] += s->half;
    return cab_lathe_mesh((const double(*)[2])profile, PROFILE, cab_vec3_unit(axis), 0, 2 * s->half, sides,
                          mesh, error);
}
