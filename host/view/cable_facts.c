#include "view/cable_facts.h"

#include <math.h>

static double distance(const double a[3], const double b[3])
{
    double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return sqrt(x * x + y * y + z * z);
}

double cab_circle_radius(const double a[3], const double b[3], const double c[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - b[k];
    }
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double twice_area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double sides = distance(a, b) * distance(b, c) * distance(c, a);
    return sides > 0 && twice_area > 0 ? sides / (2 * twice_area) : INFINITY;
}

cab_cable_facts cab_cable_look(const cab_cable_info *cable, const double *position, const double *velocity,
                               const double *tension)
{
    cab_cable_facts facts = {.length = cable->length, .bend_radius = INFINITY, .tension_max = -INFINITY};
    const double *p = position + 3 * (size_t)cable->first_node, *v = velocity + 3 * (size_t)cable->first_node;
    const double *t = tension + cable->first_node;
    static const double origin[3] = {0, 0, 0};
    double length = 0;
    for (int i = 0; i < cable->node_count; i++) {
        facts.speed = fmax(facts.speed, distance(origin, v + 3 * i));
        if (i + 1 == cable->node_count) break;
        length += distance(p + 3 * i, p + 3 * i + 3);
        facts.tension_max = fmax(facts.tension_max, t[i]);
        if (i > 0)
            facts.bend_radius = fmin(facts.bend_radius, cab_circle_radius(p + 3 * i - 3, p + 3 * i, p + 3 * i + 3));
    }
    facts.stretch = length / cable->length - 1;
    facts.tension_end = t[0];
    return facts;
}
