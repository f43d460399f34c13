#include "cli/envelope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "envelope/surface.h"
#include "io/surface_write.h"
#include "model/limits.h"

cab_status cab_cli_check_envelope(const cab_options *options, cab_error *error)
{
    return options->envelope ? cab_surface_check(options->envelope, "an envelope", error) : CAB_OK;
}

static void warn_of_cell(const cab_options *options, const cab_envelope *envelope)
{
    char text[200];
    if (options->quiet || !(options->envelope_cell > 0) || envelope->field.coarsened == 0) return;
    snprintf(text, sizeof text, "envelope: its cells are %g mm wide instead of %g, to stay within %.0f MiB",
             1e3 * envelope->field.cell, 1e3 * options->envelope_cell, cab_envelope_room(envelope));
    cab_cli_warning(text);
}

static void tell(const cab_envelope *envelope, const cab_mesh *mesh, cab_report_envelope *told)
{
    const cab_envelope_nearest *n = &envelope->nearest;
    told->cell = envelope->field.cell;
    told->volume = cab_surface_volume(mesh);
    told->triangles = mesh->triangle_count;
    told->variants = envelope->sources;
    told->variant = n->group;
    told->clearance = n->clearance.distance;
    told->collider = n->clearance.other;
    memcpy(told->cable, n->cable, sizeof told->cable);
    memcpy(told->collider_name, n->collider, sizeof told->collider_name);
    told->place[0] = n->clearance.place.x;
    told->place[1] = n->clearance.place.y;
    told->place[2] = n->clearance.place.z;
    told->time = n->time;
}

/* Its surface; coarser until a scene can have it as a collider, unless the cell was asked for. */
static cab_status make_mesh(const cab_options *options, cab_envelope *envelope, cab_mesh *mesh,
                            cab_error *error)
{
    cab_status status = cab_surface_of(&envelope->field, mesh, error);
    while (!status && mesh->triangle_count > CAB_MESH_TRIANGLES_MAX && !(options->envelope_cell > 0)) {
        cab_mesh_free(mesh);
        status = cab_distances_coarsen(&envelope->field, error);
        if (!status) status = cab_surface_of(&envelope->field, mesh, error);
    }
    return status;
}

cab_status cab_cli_write_envelope(const cab_options *options, cab_envelope *envelope,
                                  cab_report_envelope *told, cab_error *error)
{
    cab_mesh mesh;
    told->file = options->envelope;
    cab_status status = make_mesh(options, envelope, &mesh, error);
    if (!status && mesh.triangle_count == 0)
        status = cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: not written: nothing is in the envelope",
                          options->envelope);
    if (!status) status = cab_surface_write(options->envelope, &mesh, error);
    if (!status) tell(envelope, &mesh, told);
    if (!status) warn_of_cell(options, envelope);
    cab_mesh_free(&mesh);
    return status;
}

void cab_cli_print_envelope(const cab_report_envelope *told)
{
    printf("envelope %.4g m^3 (cells of %.3g mm)", told->volume, 1e3 * told->cell);
    if (isinf(told->clearance)) return;
    bool through = told->clearance < 0;
    printf(", %.3g mm %s collider ", 1e3 * fabs(told->clearance), through ? "into" : "from");
    if (told->collider_name[0])
        printf("\"%s\"", told->collider_name);
    else
        printf("%d", told->collider);
    if (told->of_sweep) printf(" (variant %d)", told->variant);
}
