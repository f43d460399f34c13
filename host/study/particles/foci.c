/* The curve of points whose distances to foci have a given sum. The sum is convex, so all that is within the curve is one convex piece. */
#include <math.h>

#include "study/particles/parts.h"

#define WALK_MOST 10000 /* steps to the place of the least sum */
#define STILL 1e-13     /* a step so short, of the sum, ends the walk */

double cab_p_foci_sum(const cab_vec2 *foci, int count, cab_vec2 at)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += hypot(at.x - foci[i].x, at.y - foci[i].y);
    return sum;
}

/* A step of E. Weiszfeld's iteration to the place of the least sum: the mean of the foci, weighted by one over
 * their distances. A place that is a focus itself is left as far as the others outweigh it (Y. Vardi, C.-H. Zhang,
 * "The multivariate L1-median and associated data depth", 2000). The sum never grows. */
static cab_vec2 step_down(const cab_vec2 *foci, int count, cab_vec2 at)
{
    double weight = 0, x = 0, y = 0, pull_x = 0, pull_y = 0;
    int here = 0;
    for (int i = 0; i < count; i++) {
        double dx = foci[i].x - at.x, dy = foci[i].y - at.y, length = hypot(dx, dy);
        if (!(length > 0)) {
            here++;
            continue;
        }
        weight += 1 / length;
        x += foci[i].x / length;
        y += foci[i].y / length;
        pull_x += dx / length;
        pull_y += dy / length;
    }
    double pull = hypot(pull_x, pull_y), part = pull > here ? 1 - here / pull : 0;
    if (!(part > 0)) return at;
    return (cab_vec2){at.x + part * (x / weight - at.x), at.y + part * (y / weight - at.y)};
}

bool cab_p_inside_foci(const cab_vec2 *foci, int count, double length, cab_vec2 *inside, double *least)
{
    cab_vec2 at = {0, 0};
    for (int i = 0; i < count; i++) at = (cab_vec2){at.x + foci[i].x / count, at.y + foci[i].y / count};
    double sum = cab_p_foci_sum(foci, count, at);
    for (int i = 0; i < WALK_MOST && !(sum < length); i++) {
        cab_vec2 next = step_down(foci, count, at);
        double way = hypot(next.x - at.x, next.y - at.y);
        at = next;
        sum = cab_p_foci_sum(foci, count, at);
        if (!(way > STILL * sum)) break;
    }
    *inside = at;
    *least = sum;
    return sum < length;
}

double cab_p_foci_radius(const cab_vec2 *foci, int count, double length, cab_vec2 inside, cab_vec2 way)
{
    double radius = (length + cab_p_foci_sum(foci, count, inside)) / count;
    for (int step = 0; step < 60; step++) {
        double sum = 0, slope = 0;
        for (int i = 0; i < count; i++) {
            double dx = inside.x + radius * way.x - foci[i].x, dy = inside.y + radius * way.y - foci[i].y;
            double far = hypot(dx, dy);
            sum += far;
            if (far > 0) slope += (dx * way.x + dy * way.y) / far;
        }
        double next = radius - (sum - length) / slope;
        if (!(slope > 0) || !(next > 0) || !(radius - next > 1e-12 * radius)) break;
        radius = next;
    }
    return radius;
}
