#include "backend/blas.h"

#include "base/error.h"
#include "backend/opencl/opencl.h"

#include <clblast_c.h>

bool cab_blas_is_there(const cab_backend *backend)
{
    return backend->info.backend == CAB_BACKEND_OPENCL && backend->doubles;
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
