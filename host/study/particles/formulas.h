/* The kernels' forces and constraints, for the host. */
#ifndef CAB_STUDY_PARTICLES_FORMULAS_H
#define CAB_STUDY_PARTICLES_FORMULAS_H

#define global /* they are written as kernels */
#include "kernels/particles/physics.h"
#undef global

#endif
