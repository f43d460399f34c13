/* Drawing: a row per node, computed on the device, into memory or into an OpenGL buffer. */
#include "run/draw.h"

#include <clcable/draw.h>

#include <string.h>

#include "base/error.h"
#include "constraint/director_runs.h"
#include "constraint/twist_runs.h"
#include "contact/contact.h"
#include "world/device.h"

_Static_assert((int)CAB_DRAW_NONE == CAB_QUANTITY_NONE && (int)CAB_DRAW_TENSION == CAB_QUANTITY_TENSION &&
                   (int)CAB_DRAW_CURVATURE == CAB_QUANTITY_CURVATURE &&
                   (int)CAB_DRAW_SPEED == CAB_QUANTITY_SPEED &&
                   (int)CAB_DRAW_CONTACT == CAB_QUANTITY_CONTACT &&
                   (int)CAB_DRAW_TORQUE == CAB_QUANTITY_TORQUE && CAB_DRAW_TORQUE == CAB_QUANTITY_COUNT - 1,
               "the device has the same numbers");

const char *cab_quantity_name(cab_quantity quantity)
{
    static const char *const names[CAB_QUANTITY_COUNT] = {"none",  "tension", "curvature",
                                                          "speed", "contact", "torque"};
    return (unsigned)quantity < CAB_QUANTITY_COUNT ? names[quantity] : "";
}

const char *cab_quantity_unit(cab_quantity quantity)
{
    static const char *const units[CAB_QUANTITY_COUNT] = {"", "N", "1/m", "m/s", "N", "N m"};
    return (unsigned)quantity < CAB_QUANTITY_COUNT ? units[quantity] : "";
}

const char *cab_interop_name(cab_interop interop)
{
    static const char *const names[CAB_INTEROP_COUNT] = {"auto", "on", "off"};
    return (unsigned)interop < CAB_INTEROP_COUNT ? names[interop] : "";
}

cab_status cab_draw_start(cab_world *world, cab_error *error)
{
    const cab_gl *gl = world->def.gl;
    const cab_backend *backend = world->backend;
    if (!gl || gl->interop == CAB_INTEROP_OFF) return CAB_OK;
    if (backend->shares_gl) {
        cab_world_log(world, 1, "OpenGL's buffers are drawn into on the device");
        return CAB_OK;
    }
    if (gl->interop == CAB_INTEROP_ON)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "no buffers shared with OpenGL: %s",
                        backend->shares_not);
    cab_world_log(world, 1, "no buffers shared with OpenGL, drawing copies: %s", backend->shares_not);
    return CAB_OK;
}

void cab_draw_end(cab_world *world)
{
    free(world->drawing.rows);
    world->drawing.rows = NULL;
}

cab_status cab_draw_reset(cab_world *world, cab_error *error)
{
    world->drawing.listed = false;
    if (!cab_contact_possible(world->model)) return CAB_OK;
    return world->backend->ops->allocate(world->backend, CAB_BUFFER_contact_force,
                                         (size_t)world->model->particle_count * sizeof(float), error);
}

/* ---- the list of nodes ---- */

static void list_cable(const cab_model *m, const cab_body *cable, cab_draw_node *node)
{
    int first = cable->first_node, last = first + cable->node_count - 1;
    for (int i = first; i <= last; i++) {
        node[i].distance = m->node_segment[i < last ? i : last - 1];
        node[i].centre = i == first ? first + 1 : i == last ? last - 1 : i;
        if (cable->node_count < 3) node[i].centre = -1;
    }
}

static void list_twist(const cab_model *m, cab_draw_node *node)
{
    for (int c = 0; c < m->cable_count; c++) {
        const cab_body *body = &m->bodies[c];
        const cab_director_cable *own = cab_director_cable_of(m, c);
        for (int i = body->first_node; i < body->first_node + body->node_count; i++)
            node[i].twist = own ? cab_director_row(m, own, i) : cab_twist_row(m, i);
    }
}

static cab_status upload_nodes(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t n = (size_t)m->node_count;
    cab_draw_node *node;
    cab_status status = CAB_NEW(node, n, error);
    if (status != CAB_OK) return status;
    for (size_t i = 0; i < n; i++)
        node[i] = (cab_draw_node){.particle = m->node_particle[i], .distance = -1, .centre = -1, .twist = -1};
    for (int c = 0; c < m->cable_count; c++) list_cable(m, &m->bodies[c], node);
    if (cab_model_twists(m)) list_twist(m, node);
    status = cab_world_upload(world, CAB_BUFFER_draw_node, node, n, sizeof *node, error);
    free(node);
    return status;
}

/* Brings the list of nodes up to date after a joint has broken. */
static cab_status keep_nodes(cab_world *world, cab_error *error)
{
    cab_drawing *d = &world->drawing;
    if (d->listed && d->broken == world->broken.count) return CAB_OK;
    cab_status status = upload_nodes(world, error);
    d->listed = status == CAB_OK;
    d->broken = world->broken.count;
    return status;
}

/* ---- drawing ---- */

static size_t row_bytes(const cab_world *world)
{
    return (size_t)world->model->node_count * sizeof(float4);
}

static cab_status prepare(cab_world *world, cab_quantity quantity, cab_error *error)
{
    if ((unsigned)quantity >= CAB_QUANTITY_COUNT)
        return cab_fail(error, CAB_ERROR_INPUT, "no quantity has the number %d", (int)quantity);
    return keep_nodes(world, error);
}

static cab_status run(cab_world *world, cab_quantity quantity, cab_error *error)
{
    /* without contact its buffer is not allocated */
    if (quantity == CAB_QUANTITY_CONTACT && !cab_contact_possible(world->model)) quantity = CAB_QUANTITY_NONE;
    cab_status status = cab_world_flush(world, false, error);
    if (status != CAB_OK) return status;
    return world->backend->ops->run(world->backend, CAB_KERNEL_draw, 0, world->model->node_count,
                                    (int)quantity, 0, error);
}

cab_status cab_world_draw(cab_world *world, cab_quantity quantity, float *rows, cab_error *error)
{
    cab_backend *backend = world->backend;
    cab_status status = prepare(world, quantity, error);
    if (status == CAB_OK && backend->bytes[CAB_BUFFER_draw] < row_bytes(world))
        status = backend->ops->allocate(backend, CAB_BUFFER_draw, row_bytes(world), error);
    if (status == CAB_OK) status = run(world, quantity, error);
    if (status == CAB_OK)
        status = backend->ops->read(backend, CAB_BUFFER_draw, 0, row_bytes(world), rows, error);
    return status;
}

static cab_status copy(cab_world *world, unsigned buffer, cab_quantity quantity, cab_error *error)
{
    cab_drawing *d = &world->drawing;
    if (!d->gl.upload)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "no buffers are shared with OpenGL, and there is no cab_gl.upload to copy with");
    cab_status status = d->rows ? CAB_OK : CAB_NEW(d->rows, 4 * (long long)world->model->node_count, error);
    if (status == CAB_OK) status = cab_world_draw(world, quantity, d->rows, error);
    if (status == CAB_OK) d->gl.upload(d->gl.user, buffer, row_bytes(world), d->rows);
    return status;
}

/* Gives the buffer back to OpenGL even if the kernel could not run; reports the first error. */
static cab_status draw_and_release(cab_world *world, cab_quantity quantity, cab_error *error)
{
    cab_backend *backend = world->backend;
    cab_status drawn = run(world, quantity, error);
    cab_status released = backend->ops->release(backend, CAB_BUFFER_draw, drawn == CAB_OK ? error : NULL);
    return drawn == CAB_OK ? released : drawn;
}

cab_status cab_world_draw_into(cab_world *world, unsigned buffer, cab_quantity quantity, cab_error *error)
{
    cab_backend *backend = world->backend;
    const cab_gl *gl = world->def.gl;
    cab_error why = {0};
    if (!gl) return cab_fail(error, CAB_ERROR_INPUT, "the world was made without cab_world_def.gl");
    cab_status status = prepare(world, quantity, error);
    if (status != CAB_OK) return status;
    if (!backend->shares_gl) return copy(world, buffer, quantity, error);
    if (gl->finish) gl->finish(gl->user);
    status = backend->ops->acquire(backend, CAB_BUFFER_draw, buffer, row_bytes(world), &why);
    if (status == CAB_OK) return draw_and_release(world, quantity, error);
    if (status == CAB_ERROR_INPUT || gl->interop == CAB_INTEROP_ON)
        return cab_fail(error, status, "%s", why.message);
    cab_world_log(world, 1, "no buffers shared with OpenGL any more, drawing copies: %s", why.message);
    backend->shares_gl = false;
    return copy(world, buffer, quantity, error);
}

bool cab_world_shares_gl(const cab_world *world)
{
    return world->backend->shares_gl;
}

void cab_world_forget_buffer(cab_world *world, unsigned buffer)
{
    if (world->backend->ops->forget) world->backend->ops->forget(world->backend, buffer);
}
