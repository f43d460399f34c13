/* Bending that is damped; for carriers that do not know it with every method. */
#ifndef CAB_VISCOUS_KIND_H
#define CAB_VISCOUS_KIND_H

#include <stdbool.h>

#include "model/model.h"

#define CAB_VISCOUS_REFUSAL "bending is damped"

/* Is each cable damped the same all along? */
bool cab_viscous_is_even(const cab_model *model);

#endif
