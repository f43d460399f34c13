/* All carriers. */
#ifndef CAB_CARRIERS_H
#define CAB_CARRIERS_H

#include "world/carrier.h"

extern const cab_carrier *const cab_carriers[CAB_WAY_COUNT]; /* indexed by way; NULL for CAB_WAY_AUTO */

#endif
