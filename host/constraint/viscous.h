/* Bending that is damped; for carriers that do not know it with every method. */
#ifndef CAB_VISCOUS_KIND_H
#define CAB_VISCOUS_KIND_H

#define CAB_VISCOUS_REFUSAL "bending is damped"

#endif
