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
/* Before the calls below: CAB_ERROR_UNSUPPORTED where CLBlast is not installed. */
cab_status cab_blas_load(cab_error *error);

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

/* Solves a x = b for a symmetric positive definite a [n][n], of which the lower half is read. a becomes its
 * Cholesky factor, b the solution. Blocks on the diagonal are factored on the host. CAB_ERROR_INPUT if a is
 * not positive definite. */
cab_status cab_blas_cholesky(cab_backend *backend, size_t n, cab_blas_vector a, cab_blas_vector b,
                             cab_error *error);

#endif
