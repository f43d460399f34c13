#include "backend/blas.h"

#include "base/error.h"
#include "backend/opencl/opencl.h"
#include "library/clblast.h"

#include <math.h>
#include <stdlib.h>

bool cab_blas_is_there(const cab_backend *backend)
{
    return backend->info.backend == CAB_BACKEND_OPENCL && !backend->members && backend->doubles;
}

cab_status cab_blas_load(cab_error *error)
{
    return cab_clblast_load("the way \"clblast\"", error);
}

static cl_mem memory(const cab_opencl *opencl, cab_blas_vector v)
{
    return opencl->buffers[v.buffer].memory;
}

static cab_status outcome(CLBlastStatusCode code, const char *what, cab_error *error)
{
    if (code == CLBlastSuccess) return CAB_OK;
    return cab_fail(error, CAB_ERROR_DEVICE, "CLBlast: %s failed with code %d", what, (int)code);
}

cab_status cab_blas_dot(cab_backend *backend, size_t n, cab_blas_vector result, cab_blas_vector x,
                        cab_blas_vector y, cab_error *error)
{
    cab_opencl *o = (cab_opencl *)backend;
    if (n == 0) return CAB_OK;
    return outcome(CLBlastDdot(n, memory(o, result), result.offset, memory(o, x), x.offset, 1, memory(o, y),
                               y.offset, 1, &o->queue, NULL),
                   "dot", error);
}

cab_status cab_blas_axpy(cab_backend *backend, size_t n, double alpha, cab_blas_vector x, cab_blas_vector y,
                         cab_error *error)
{
    cab_opencl *o = (cab_opencl *)backend;
    if (n == 0) return CAB_OK;
    return outcome(
        CLBlastDaxpy(n, alpha, memory(o, x), x.offset, 1, memory(o, y), y.offset, 1, &o->queue, NULL), "axpy",
        error);
}

cab_status cab_blas_scale(cab_backend *backend, size_t n, double alpha, cab_blas_vector x, cab_error *error)
{
    cab_opencl *o = (cab_opencl *)backend;
    if (n == 0) return CAB_OK;
    return outcome(CLBlastDscal(n, alpha, memory(o, x), x.offset, 1, &o->queue, NULL), "scal", error);
}

cab_status cab_blas_copy(cab_backend *backend, size_t n, cab_blas_vector x, cab_blas_vector y,
                         cab_error *error)
{
    cab_opencl *o = (cab_opencl *)backend;
    if (n == 0) return CAB_OK;
    return outcome(CLBlastDcopy(n, memory(o, x), x.offset, 1, memory(o, y), y.offset, 1, &o->queue, NULL),
                   "copy", error);
}

enum { BLOCK = 64 };

/* Factors a block in place; rows are `stride` doubles apart. False if it is not positive definite. */
static bool factor_block(double *a, size_t size, size_t stride)
{
    for (size_t r = 0; r < size; r++)
        for (size_t c = 0; c <= r; c++) {
            double sum = a[r * stride + c];
            for (size_t k = 0; k < c; k++) sum -= a[r * stride + k] * a[c * stride + k];
            if (r == c && !(sum > 0)) return false;
            a[r * stride + c] = r == c ? sqrt(sum) : sum / a[c * stride + c];
        }
    return true;
}

/* Factors the block on the diagonal from row k on, which is read together with what is left of it. */
static cab_status factor_diagonal(cab_backend *backend, size_t n, size_t k, size_t size, cab_blas_vector a,
                                  cab_error *error)
{
    size_t offset = (a.offset + k * n) * sizeof(double), bytes = size * n * sizeof(double);
    double *rows = malloc(bytes);
    if (!rows) return cab_fail_memory(error, "a block of a matrix", bytes);
    cab_status status = backend->ops->read(backend, a.buffer, offset, bytes, rows, error);
    if (status == CAB_OK && !factor_block(rows + k, size, n))
        status = cab_fail(error, CAB_ERROR_INPUT, "row %zu to %zu: the matrix is not positive definite", k,
                          k + size - 1);
    if (status == CAB_OK) status = backend->ops->write(backend, a.buffer, offset, bytes, rows, error);
    free(rows);
    return status;
}

/* Eliminates with a factored block: the rows below it, then the columns right of it. */
static cab_status eliminate(cab_opencl *o, size_t n, size_t k, size_t size, cab_blas_vector a,
                            cab_error *error)
{
    size_t below = n - k - size, diagonal = a.offset + k * n + k, panel = diagonal + size * n;
    if (below == 0) return CAB_OK;
    cab_status status =
        outcome(CLBlastDtrsm(CLBlastLayoutRowMajor, CLBlastSideRight, CLBlastTriangleLower,
                             CLBlastTransposeYes, CLBlastDiagonalNonUnit, below, size, 1, memory(o, a),
                             diagonal, n, memory(o, a), panel, n, &o->queue, NULL),
                "trsm", error);
    if (status != CAB_OK) return status;
    return outcome(CLBlastDsyrk(CLBlastLayoutRowMajor, CLBlastTriangleLower, CLBlastTransposeNo, below, size,
                                -1, memory(o, a), panel, n, 1, memory(o, a), panel + size, n, &o->queue,
                                NULL),
                   "syrk", error);
}

static cab_status substitute(cab_opencl *o, CLBlastTranspose transpose, size_t n, cab_blas_vector a,
                             cab_blas_vector b, cab_error *error)
{
    return outcome(CLBlastDtrsm(CLBlastLayoutRowMajor, CLBlastSideLeft, CLBlastTriangleLower, transpose,
                                CLBlastDiagonalNonUnit, n, 1, 1, memory(o, a), a.offset, n, memory(o, b),
                                b.offset, 1, &o->queue, NULL),
                   "trsm", error);
}

cab_status cab_blas_cholesky(cab_backend *backend, size_t n, cab_blas_vector a, cab_blas_vector b,
                             cab_error *error)
{
    cab_opencl *o = (cab_opencl *)backend;
    cab_status status = CAB_OK;
    for (size_t k = 0; k < n && status == CAB_OK; k += BLOCK) {
        size_t size = n - k < BLOCK ? n - k : BLOCK;
        status = factor_diagonal(backend, n, k, size, a, error);
        if (status == CAB_OK) status = eliminate(o, n, k, size, a, error);
    }
    if (status == CAB_OK && n > 0) status = substitute(o, CLBlastTransposeNo, n, a, b, error);
    if (status == CAB_OK && n > 0) status = substitute(o, CLBlastTransposeYes, n, a, b, error);
    return status;
}
