/* Vectors of doubles in a backend's buffers by CLBlast, if it is built in (CLCABLE_CLBLAST) and the device is
 * OpenCL's. Sums are in CLBlast's own order, so their bits differ from those of our kernels. */
#ifndef CAB_BLAS_H
#define CAB_BLAS_H

#include "backend/backend.h"

/* A vector that begins `offset` doubles after the start of a buffer. */
typedef struct cab_blas_vector {
    cab_buffer buffer;
    size_t offset;
} cab_blas_vector;

/* Can this backend use CLBlast? */
bool cab_blas_is_there(const cab_backend *backend);

/* result[0] = x.y */
cab_status cab_blas_dot(cab_backend *backend, size_t n, cab_blas_vector result, cab_blas_vector x,
                        cab_blas_vector y, cab_error *error);
/* y += alpha x */
cab_status cab_blas_axpy(cab_backend *backend, size_t n, double alpha, cab_blas_vector x, cab_blas_vector y,
                         cab_error *error);
/* x *= alpha */
cab_status cab_blas_scale(cab_backend *backend, size_t n, double alpha, cab_blas_vector x, cab_error *error);
/* y = x */
cab_status cab_blas_copy(cab_backend *backend, size_t n, cab_blas_vector x, cab_blas_vector y,
                         cab_error *error);

#endif
