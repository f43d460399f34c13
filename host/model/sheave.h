/* Sheaves: wheels with a groove. What kernels/sheave.h takes for granted of their profile, what they weigh, and their triangles. */
#ifndef CAB_SHEAVE_SHAPE_H
#define CAB_SHEAVE_SHAPE_H

#include <stdbool.h>

#include <clcable/scene.h>

#include "kernels/contact_types.h"
#include "model/check.h"

#define CAB_GROOVE_ANGLE                                                                                     \
    0.78539816339744831 /* rad, 45 degrees: the opening angle that grooves usually have */

/* A sheave's profile, as kernels/sheave.h describes it, m. */
typedef struct cab_sheave {
    double half; /* of its width */
    double radius, groove, flange;
    double flank[2]; /* where its flank begins: from the axis, and from the middle plane */
    double rim;      /* where that ends: from the middle plane */
} cab_sheave;

cab_sheave cab_sheave_of(cab_vec3 from, cab_vec3 to, double radius, const cab_groove *groove);

/* Refuses numbers of which no profile can be made. */
cab_status cab_check_sheave(const cab_check_place *place, cab_vec3 from, cab_vec3 to, double radius,
                            const cab_groove *groove);

/* Its numbers in a row of the device. */
void cab_sheave_store(const cab_sheave *sheave, cab_collider *out);

/* Its volume, m^3, and its second moments about its middle over that, m^2: along its axis, and across it. */
double cab_sheave_volume(const cab_sheave *sheave, double *along, double *across);

/* Its triangles about the axis from the origin to `axis`, in so many steps; must be freed by cab_mesh_free(). */
cab_status cab_sheave_mesh(const cab_sheave *sheave, cab_vec3 axis, int sides, cab_mesh *mesh,
                           cab_error *error);

#endif
