/* Turns of a cable that lie on each other, on a spool too narrow for them to lie side by side. */
#ifndef CAB_PLANAR_SPOOL_H
#define CAB_PLANAR_SPOOL_H

#include "math.h"

/* Distance of the outermost turn's middle from the shape without its rounding, with `wound` m of cable in the
 * spiral. The n-th turn is 2 pi (radius + (2 n - 1) w) + edges long. The spiral through the middles of the
 * turns grows by 2 w a turn, evenly: what is wound is twice w times the area that it has swept,
 * (e + r)^2 - (e + radius)^2 = 2 w wound / pi with e = edges / 2 pi. The first turn lies on the body.
 */
CAB_PL_FUNCTION cab_pr cab_pl_spool(cab_pr radius, cab_pr edges, cab_pr width, cab_pr wound)
{
    cab_pr e = edges / (2 * CAB_PL_PI), core = e + radius;
    cab_pr r = CAB_SQRT_DOUBLE(core * core + 2 * width * cab_pl_max(wound, 0) / CAB_PL_PI) - e;
    return cab_pl_max(radius + width, r);
}

#endif
