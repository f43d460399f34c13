/* The vector operations of a staged solve by CLBlast instead of our kernels: dot products, sums, copies.
 * Their scalars come from the device at each one, which our kernels do not need. */
#include "backend/blas.h"
#include "study/particles/run.h"

static cab_blas_vector vector(const cab_p_system *s, int id)
{
    return (cab_blas_vector){CAB_BUFFER_particles_work,
                             (size_t)s->work + (size_t)s->vectors + (size_t)(id * s->rows)};
}

static void dots(cab_p_staging *run, const cab_p_report *report, int which)
{
    const cab_p_system *s = run->s;
    cab_backend *backend = run->particles->backend;
    cab_blas_vector to = {CAB_BUFFER_particles_work, (size_t)s->work + (size_t)s->partial};
    size_t n = (size_t)s->rows;
    (void)report;
    run->status = cab_blas_dot(backend, n, to, vector(s, CAB_P_VECTOR_OF(which, 0)),
                               vector(s, CAB_P_VECTOR_OF(which, 1)), run->error);
    to.offset++;
    if (run->status == CAB_OK)
        run->status = cab_blas_dot(backend, n, to, vector(s, CAB_P_VECTOR_OF(which, 2)),
                                   vector(s, CAB_P_VECTOR_OF(which, 3)), run->error);
}

static void advance(cab_p_staging *run, const cab_p_report *report, int unused)
{
    const cab_p_system *s = run->s;
    cab_backend *backend = run->particles->backend;
    size_t n = (size_t)s->rows;
    (void)unused;
    run->status =
        cab_blas_axpy(backend, n, report->alpha, vector(s, CAB_P_P), vector(s, CAB_P_LAMBDA), run->error);
    if (run->status == CAB_OK)
        run->status =
            cab_blas_axpy(backend, n, -report->alpha, vector(s, CAB_P_Q), vector(s, CAB_P_R), run->error);
}

static void direct(cab_p_staging *run, const cab_p_report *report, int which)
{
    const cab_p_system *s = run->s;
    cab_backend *backend = run->particles->backend;
    size_t n = (size_t)s->rows;
    cab_blas_vector from = vector(s, CAB_P_VECTOR_OF(which, 0)), into = vector(s, CAB_P_VECTOR_OF(which, 1));
    if (report->beta == 0) {
        run->status = cab_blas_copy(backend, n, from, into, run->error);
        return;
    }
    run->status = cab_blas_scale(backend, n, report->beta, into, run->error);
    if (run->status == CAB_OK) run->status = cab_blas_axpy(backend, n, 1, from, into, run->error);
}

bool cab_p_blas(cab_p_staging *run, cab_kernel kernel, int argument)
{
    void (*operation)(cab_p_staging *, const cab_p_report *, int) =
        kernel == CAB_KERNEL_particles_sums      ? dots
        : kernel == CAB_KERNEL_particles_advance ? advance
        : kernel == CAB_KERNEL_particles_direct  ? direct
                                                 : NULL;
    cab_p_report report;
    cab_backend *backend = run->particles->backend;
    if (!operation) return false;
    run->status = backend->ops->read(backend, CAB_BUFFER_particles_report, (size_t)run->index * sizeof report,
                                     sizeof report, &report, run->error);
    if (run->status == CAB_OK && !report.done && !report.stopped) operation(run, &report, argument);
    return true;
}
