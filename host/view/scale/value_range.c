#include "view/scale/value_range.h"

#include <math.h>

#include "view/scale/units.h"

enum { TICKS = 8 };

static const double shrink_time = 3; /* s in which the range's excess falls to 1/e */
static const double small = 0.01;    /* of the whole range: what is beyond 0 by less than that is cut off */

static double shrink(double old, double now, double seconds)
{
    return fabs(now) >= fabs(old) ? now : now + (old - now) * exp(-seconds / shrink_time);
}

/* Outwards to ticks, about as far apart as those of the legend. */
static void round_ends(cab_value_range *range)
{
    double length = range->high - range->low;
    if (!(length > 0)) return;
    double step = cab_ticks_make(range->low, range->high, TICKS).step;
    double low = -range->low < small * length ? 0 : range->low;
    double high = range->high < small * length ? 0 : range->high;
    range->lowest = (float)(floor(low / step + 1e-6) * step);
    range->highest = (float)(ceil(high / step - 1e-6) * step);
}

void cab_value_range_follow(cab_value_range *range, float lowest, float highest, double seconds)
{
    if (!(lowest <= highest) || !isfinite(lowest) || !isfinite(highest)) return;
    range->low = shrink(range->low, fmin(lowest, 0), seconds);
    range->high = shrink(range->high, fmax(highest, 0), seconds);
    round_ends(range);
}
