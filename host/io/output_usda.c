/* .usda: Universal Scene Description as text. Cables are one BasisCurves, each sheet is a Mesh, colliders are
 * Gprims, rigid bodies Xforms.
 *
 * A USD file holds an attribute's frames one behind the other, so all is written at the end, from a record.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/file.h"
#include "io/output_kind.h"
#include "io/record.h"
#include "io/usda.h"
#include "model/scene.h"

typedef struct usda {
    cab_file file;
    cab_record record;
    char *path;
    const cab_scene *scene; /* NULL = no colliders and rigid bodies are shown */
    cab_snapshot snapshot;  /* names and numbers of nodes; no values */
    int (*cell)[4];
    double rate; /* frames a second */
    cab_status status;
    cab_error *error;
} usda;

/* The nodes that one prim shows. */
typedef struct span {
    int first, count;
    const int *node; /* [count] where they do not follow one another; else NULL */
    double radius;   /* the largest; what it reaches beyond its nodes */
} span;

static size_t node_at(const span *s, int i)
{
    return (size_t)(s->node ? s->node[i] : s->first + i);
}

static const struct {
    unsigned char r, g, b;
} palette[] = {{0, 114, 178}, {230, 145, 40}, {0, 145, 110}, {205, 85, 50}, {120, 170, 225}, {200, 120, 165}};
enum { PALETTE_COUNT = sizeof palette / sizeof palette[0] };

static cab_status destroy(usda *u, cab_status status)
{
    cab_record_close(&u->record);
    cab_file_close(&u->file);
    CAB_FREE(u->cell, u->path, u);
    return status;
}

static cab_status open_file(usda *u, const char *path, cab_error *error)
{
    u->path = strdup(path);
    if (!u->path) return cab_fail_memory(error, "a file name", strlen(path) + 1);
    cab_status status = cab_file_open(&u->file, path, error);
    return status ? status : cab_record_open(&u->record, u->path, error);
}

static cab_status open_usda(void *user, const char *path, const cab_scene *scene, void **writer,
                            cab_error *error)
{
    (void)user;
    usda *u = calloc(1, sizeof *u);
    if (!u) return cab_fail_memory(error, "an output", sizeof *u);
    u->scene = scene;
    cab_status status = open_file(u, path, error);
    if (status) return destroy(u, status);
    *writer = u;
    return CAB_OK;
}

static cab_status frame_usda(void *writer, cab_world *world, cab_error *error)
{
    usda *u = writer;
    return cab_record_add(&u->record, world, u->scene ? u->scene->collider_count : 0, NULL, error);
}

/* ---- values ---- */

/* Adding 0 makes -0 a plain 0. */
static void write_vector(cab_file *file, double x, double y, double z)
{
    cab_file_print(file, "(%.9g, %.9g, %.9g)", x + 0, y + 0, z + 0);
}

static void write_values(usda *u, const float *values, int width, const span *s)
{
    cab_file_print(&u->file, "[");
    for (int i = 0; i < s->count; i++) {
        const float *v = values + (size_t)width * node_at(s, i);
        if (i > 0) cab_file_print(&u->file, ", ");
        if (width == 3)
            write_vector(&u->file, v[0], v[1], v[2]);
        else
            cab_file_print(&u->file, "%.9g", v[0] + 0.0);
    }
    cab_file_print(&u->file, "]");
}

static void write_extent(usda *u, const float *places, int width, const span *s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < s->count; i++) {
        const float *x = places + (size_t)width * node_at(s, i);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[k] - s->radius);
            high[k] = fmax(high[k], x[k] + s->radius);
        }
    }
    cab_file_print(&u->file, "[");
    write_vector(&u->file, low[0], low[1], low[2]);
    cab_file_print(&u->file, ", ");
    write_vector(&u->file, high[0], high[1], high[2]);
    cab_file_print(&u->file, "]");
}

typedef void write_sample(usda *u, const float *values, int width, const span *s);

/* NAME.timeSamples = { frame: values, ... } */
static void write_samples(usda *u, const char *name, cab_track track, write_sample *write, const span *s)
{
    cab_file_print(&u->file, "        %s.timeSamples = {\n", name);
    for (int f = 0; f < u->record.frame_count && !u->status; f++) {
        const float *values = cab_record_read(&u->record, f, track, u->error);
        if (!values) {
            u->status = CAB_ERROR_IO;
            return;
        }
        cab_file_print(&u->file, "            %d: ", u->record.first_frame + f);
        write(u, values, cab_track_width(track), s);
        cab_file_print(&u->file, ",\n");
    }
    cab_file_print(&u->file, "        }\n");
}

/* What both kinds of prims have: places, velocities, and a primvar for each quantity. */
static void write_tracks(usda *u, const span *s)
{
    write_samples(u, "point3f[] points", CAB_TRACK_POSITION, write_values, s);
    write_samples(u, "float3[] extent", CAB_TRACK_POSITION, write_extent, s);
    write_samples(u, "vector3f[] velocities", CAB_TRACK_VELOCITY, write_values, s);
    for (int k = CAB_TRACK_TENSION; k < u->record.tracks; k++) {
        char name[64];
        snprintf(name, sizeof name, "float[] primvars:%s", cab_track_name((cab_track)k));
        cab_file_print(&u->file, "        %s (\n            interpolation = \"vertex\"\n        )\n", name);
        write_samples(u, name, (cab_track)k, write_values, s);
    }
}

static void write_colour(cab_file *file, int index)
{
    double r = palette[index % PALETTE_COUNT].r / 255.0, g = palette[index % PALETTE_COUNT].g / 255.0,
           b = palette[index % PALETTE_COUNT].b / 255.0;
    cab_file_print(file, "(%.3g, %.3g, %.3g)", pow(r, 2.2), pow(g, 2.2), pow(b, 2.2)); /* USD's are linear */
}

/* ---- cables ---- */

/* One value a cable, separated by commas. */
typedef void write_item(usda *u, const cab_body *cable, int material);

static void write_count(usda *u, const cab_body *cable, int material)
{
    (void)material;
    cab_file_print(&u->file, "%d", cable->node_count);
}

static void write_width(void *user, int node, double radius)
{
    usda *u = user;
    cab_file_print(&u->file, node > 0 ? ", %.9g" : "%.9g", 2 * radius);
}

static void write_cable_colour(usda *u, const cab_body *cable, int material)
{
    (void)cable;
    write_colour(&u->file, material);
}

static void write_cable_name(usda *u, const cab_body *cable, int material)
{
    (void)material;
    cab_usda_write_text(&u->file, cable->name);
}

static void write_items(usda *u, const char *name, bool uniform, write_item *write)
{
    cab_file_print(&u->file, "        %s = [", name);
    for (int c = 0; c < u->snapshot.info.cables; c++) {
        cab_body cable = cab_snapshot_body(&u->snapshot, c);
        if (c > 0) cab_file_print(&u->file, ", ");
        write(u, &cable, cab_world_get_cable(u->snapshot.world, c).material);
    }
    cab_file_print(&u->file, uniform ? "] (\n            interpolation = \"uniform\"\n        )\n" : "]\n");
}

static void take_radius(void *user, int node, double radius)
{
    span *s = user;
    (void)node;
    s->radius = fmax(s->radius, radius);
}

static void write_cables(usda *u)
{
    span all = {0};
    for (int c = 0; c < u->snapshot.info.cables; c++) {
        cab_body cable = cab_snapshot_body(&u->snapshot, c);
        all.count = cable.first_node + cable.node_count;
        cab_snapshot_radii(&u->snapshot, c, take_radius, &all);
    }
    cab_file_print(&u->file, "\n    def BasisCurves \"cables\"\n    {\n"
                             "        uniform token type = \"linear\"\n"
                             "        uniform token wrap = \"nonperiodic\"\n");
    write_items(u, "int[] curveVertexCounts", false, write_count);
    cab_file_print(&u->file, "        float[] widths = [");
    for (int c = 0; c < u->snapshot.info.cables; c++) cab_snapshot_radii(&u->snapshot, c, write_width, u);
    cab_file_print(&u->file, "] (\n            interpolation = \"vertex\"\n        )\n");
    write_items(u, "color3f[] primvars:displayColor", true, write_cable_colour);
    write_items(u, "string[] primvars:cable", true, write_cable_name);
    write_tracks(u, &all);
    cab_file_print(&u->file, "    }\n");
}

/* ---- sheets ---- */

static void write_corners(usda *u, const cab_body *sheet, bool counts)
{
    bool any = false;
    cab_file_print(&u->file, "        int[] %s = [", counts ? "faceVertexCounts" : "faceVertexIndices");
    for (int i = sheet->first_cell; i < sheet->first_cell + sheet->cell_count; i++) {
        int corners = cab_cell_corners(u->cell[i]);
        for (int k = 0; k < (counts ? 1 : corners) && corners > 2; k++, any = true)
            cab_file_print(&u->file, "%s%d", any ? ", " : "",
                           counts ? corners : u->cell[i][k] - sheet->first_node);
    }
    cab_file_print(&u->file, "]\n");
}

static void begin_sheet(usda *u, const char *kind, const char *prim, int index, const cab_body *sheet)
{
    cab_file_print(&u->file,
                   "\n    def %s \"%s_%d\" (\n        customData = {\n            string name = ", kind, prim,
                   index);
    cab_usda_write_text(&u->file, sheet->name);
    cab_file_print(&u->file, "\n        }\n    )\n    {\n        color3f[] primvars:displayColor = [");
    write_colour(&u->file, index + 1);
    cab_file_print(&u->file, "]\n");
}

static void write_faces(usda *u, const cab_body *sheet, int index)
{
    span s = {.first = sheet->first_node, .count = sheet->node_count, .radius = sheet->radius};
    begin_sheet(u, "Mesh", "sheet", index, sheet);
    cab_file_print(&u->file, "        uniform token subdivisionScheme = \"none\"\n"
                             "        uniform bool doubleSided = 1\n");
    write_corners(u, sheet, true);
    write_corners(u, sheet, false);
    write_tracks(u, &s);
    cab_file_print(&u->file, "    }\n");
}

/* Lines of two points each. */
static void write_sticks(usda *u, const cab_body *sheet, int index, const int *node, int count)
{
    span s = {.node = node, .count = 2 * count, .radius = sheet->radius};
    begin_sheet(u, "BasisCurves", "sticks", index, sheet);
    cab_file_print(&u->file, "        uniform token type = \"linear\"\n"
                             "        uniform token wrap = \"nonperiodic\"\n"
                             "        int[] curveVertexCounts = [");
    for (int i = 0; i < count; i++) cab_file_print(&u->file, i ? ", 2" : "2");
    cab_file_print(
        &u->file,
        "]\n        float[] widths = [%.9g] (\n            interpolation = \"constant\"\n        )\n",
        2 * sheet->radius);
    write_tracks(u, &s);
    cab_file_print(&u->file, "    }\n");
}

static void write_sheet(usda *u, int index)
{
    cab_body sheet = cab_snapshot_body(&u->snapshot, u->snapshot.info.cables + index);
    int *node = calloc(2 * (size_t)sheet.cell_count + 1, sizeof *node), sticks = 0;
    if (!node) {
        u->status = cab_fail_memory(u->error, "sticks", 2ull * (size_t)sheet.cell_count * sizeof *node);
        return;
    }
    for (int i = sheet.first_cell; i < sheet.first_cell + sheet.cell_count; i++) {
        if (cab_cell_corners(u->cell[i]) > 2) continue;
        node[2 * sticks] = u->cell[i][0];
        node[2 * sticks++ + 1] = u->cell[i][1];
    }
    if (sticks < sheet.cell_count) write_faces(u, &sheet, index);
    if (sticks > 0) write_sticks(u, &sheet, index, node, sticks);
    free(node);
}

/* ---- rigid bodies ---- */

static cab_status write_bodies(usda *u)
{
    int count = u->scene ? u->record.bodies : 0;
    cab_body_info *infos;
    cab_status status = CAB_NEW(infos, count, u->error);
    if (status) return status;
    cab_world_get_bodies(u->snapshot.world, infos, count);
    for (int i = 0; i < count; i++)
        cab_usda_write_body(&u->file, &u->scene->bodies[infos[i].body], infos[i].name, &u->record, i);
    free(infos);
    return CAB_OK;
}

/* ---- the file ---- */

static void write_head(usda *u)
{
    const cab_record *r = &u->record;
    cab_file_print(&u->file,
                   "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    endTimeCode = %d\n"
                   "    framesPerSecond = %.12g\n    metersPerUnit = 1\n    startTimeCode = %d\n"
                   "    timeCodesPerSecond = %.12g\n    upAxis = \"Z\"\n)\n\ndef Xform \"scene\"\n{\n",
                   r->first_frame + r->frame_count - 1, u->rate, r->first_frame, u->rate);
}

static cab_status read_cells(usda *u, cab_error *error)
{
    size_t cells = (size_t)u->snapshot.info.cells;
    u->cell = calloc(cells + 1, sizeof *u->cell);
    if (!u->cell) return cab_fail_memory(error, "cells", cells * sizeof *u->cell);
    if (cells > 0) cab_world_get_cells(u->snapshot.world, &u->cell[0][0]);
    return CAB_OK;
}

static cab_status write_all(usda *u, cab_world *world, cab_error *error)
{
    cab_record *r = &u->record;
    u->snapshot = (cab_snapshot){.world = world, .info = cab_world_get_info(world)};
    u->error = error;
    u->rate = u->snapshot.info.time > 0 ? u->snapshot.info.frame / u->snapshot.info.time : 24;
    u->status = read_cells(u, error);
    if (u->status) return u->status;
    write_head(u);
    if (u->snapshot.info.cables > 0) write_cables(u);
    for (int s = 0; s < u->snapshot.info.sheets; s++) write_sheet(u, s);
    for (int i = 0; i < r->colliders; i++) cab_usda_write_collider(&u->file, u->scene, r, i);
    if (!u->status) u->status = write_bodies(u);
    cab_file_print(&u->file, "}\n");
    if (!u->status) u->status = cab_record_check(r, error);
    if (!u->status) u->status = cab_file_finish(&u->file, error);
    return u->status ? u->status : cab_file_rename(&u->file, error);
}

static cab_status close_usda(void *writer, cab_world *world, bool commit, cab_error *error)
{
    usda *u = writer;
    return destroy(u, commit ? write_all(u, world, error) : CAB_OK);
}

const cab_output_kind cab_output_usda = {
    .endings = ".usda .usd", .open = open_usda, .frame = frame_usda, .close = close_usda};
