#include "io/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/draw.h>

#include "base/array.h"
#include "base/quaternion.h"
#include "base/vec3.h"

static cab_status take_torque(cab_snapshot *snapshot, cab_error *error)
{
    if (!snapshot->info.twists) return CAB_OK;
    cab_status status = CAB_NEW(snapshot->torque, snapshot->info.nodes, error);
    return status ? status : cab_world_read_torque(snapshot->world, snapshot->torque, error);
}

cab_status cab_snapshot_take(cab_world *world, cab_snapshot *snapshot, cab_error *error)
{
    *snapshot = (cab_snapshot){.world = world, .info = cab_world_get_info(world)};
    size_t nodes = (size_t)snapshot->info.nodes;
    snapshot->position = calloc(nodes, 3 * sizeof(double));
    snapshot->velocity = calloc(nodes, 3 * sizeof(double));
    snapshot->tension = calloc(nodes, sizeof(double));
    cab_status status;
    if (!snapshot->position || !snapshot->velocity || !snapshot->tension)
        status = cab_fail_memory(error, "a frame", nodes * 7ull * sizeof(double));
    else
        status = cab_world_read(world, snapshot->position, snapshot->velocity, snapshot->tension, error);
    if (!status) status = take_torque(snapshot, error);
    if (status) cab_snapshot_free(snapshot);
    return status;
}

static cab_status take_drawn(cab_snapshot *snapshot, cab_quantity quantity, float *rows, float **out,
                             cab_error *error)
{
    size_t nodes = (size_t)snapshot->info.nodes;
    *out = calloc(nodes, sizeof **out);
    if (!*out) return cab_fail_memory(error, "a frame", nodes * sizeof **out);
    cab_status status = cab_world_draw(snapshot->world, quantity, rows, error);
    for (size_t i = 0; i < nodes && !status; i++) (*out)[i] = rows[4 * i + 3];
    return status;
}

cab_status cab_snapshot_take_all(cab_world *world, cab_snapshot *snapshot, cab_error *error)
{
    cab_status status = cab_snapshot_take(world, snapshot, error);
    if (status) return status;
    size_t nodes = (size_t)snapshot->info.nodes;
    float *rows = calloc(nodes, 4 * sizeof *rows);
    if (!rows) status = cab_fail_memory(error, "a frame", nodes * 4ull * sizeof *rows);
    if (!status) status = take_drawn(snapshot, CAB_QUANTITY_CURVATURE, rows, &snapshot->curvature, error);
    if (!status) status = take_drawn(snapshot, CAB_QUANTITY_CONTACT, rows, &snapshot->contact, error);
    free(rows);
    if (status) cab_snapshot_free(snapshot);
    return status;
}

/* An array of a snapshot with zeros behind what it has; NULL stays. array: the address of the pointer to it */
static cab_status lengthen(void *array, size_t before, size_t more, size_t size, cab_error *error)
{
    char *items; /* copied, as in cab_array_resize() */
    memcpy(&items, array, sizeof items);
    if (!items) return CAB_OK;
    cab_status status = cab_array_resize(array, size, before + more, "a frame", error);
    if (status) return status;
    memcpy(&items, array, sizeof items);
    memset(items + before * size, 0, more * size);
    return CAB_OK;
}

static cab_status lengthen_all(cab_snapshot *s, size_t more, cab_error *error)
{
    size_t nodes = (size_t)s->info.nodes;
    cab_status status = lengthen(&s->position, 3 * nodes, 3 * more, sizeof(double), error);
    if (!status) status = lengthen(&s->velocity, 3 * nodes, 3 * more, sizeof(double), error);
    if (!status) status = lengthen(&s->tension, nodes, more, sizeof(double), error);
    if (!status) status = lengthen(&s->torque, nodes, more, sizeof(double), error);
    if (!status) status = lengthen(&s->curvature, nodes, more, sizeof(float), error);
    return status ? status : lengthen(&s->contact, nodes, more, sizeof(float), error);
}

static void put_points(const cab_body_faces *f, const cab_body_reading *readings, cab_snapshot *s)
{
    for (int i = 0; i < f->points; i++) {
        const cab_body_reading *r = &readings[f->point_body[i]];
        cab_vec3 x =
            cab_vec3_add(r->position, cab_quaternion_rotate(cab_quaternion_unit(r->rotation), f->point[i]));
        cab_vec3 v = cab_vec3_add(r->velocity, cab_vec3_cross(r->spin, cab_vec3_sub(x, r->center)));
        double *at = s->position + 3 * (size_t)(s->info.nodes + i),
               *way = s->velocity + 3 * (size_t)(s->info.nodes + i);
        at[0] = x.x, at[1] = x.y, at[2] = x.z;
        way[0] = v.x, way[1] = v.y, way[2] = v.z;
    }
}

cab_status cab_snapshot_add_bodies(cab_snapshot *snapshot, const cab_body_faces *f, cab_error *error)
{
    cab_body_reading *readings;
    if (f->points == 0) return CAB_OK;
    cab_status status = CAB_NEW(readings, cab_world_get_bodies(snapshot->world, NULL, 0), error);
    if (!status) status = cab_world_read_bodies(snapshot->world, readings, error);
    if (!status) status = lengthen_all(snapshot, (size_t)f->points, error);
    if (!status) {
        put_points(f, readings, snapshot);
        snapshot->info.nodes += f->points;
    }
    CAB_FREE(readings);
    return status;
}

void cab_snapshot_free(cab_snapshot *snapshot)
{
    CAB_FREE(snapshot->position, snapshot->velocity, snapshot->tension, snapshot->torque, snapshot->curvature,
             snapshot->contact);
    *snapshot = (cab_snapshot){0};
}

cab_body cab_snapshot_body(const cab_snapshot *snapshot, int index)
{
    cab_body body = {.is_sheet = index >= snapshot->info.cables};
    if (body.is_sheet) {
        cab_sheet_info sheet = cab_world_get_sheet(snapshot->world, index - snapshot->info.cables);
        snprintf(body.name, sizeof body.name, "%s", sheet.name);
        body.first_node = sheet.first_node;
        body.node_count = sheet.node_count;
        body.first_cell = sheet.first_cell;
        body.cell_count = sheet.cell_count;
        body.radius = sheet.radius;
    } else {
        cab_cable_info cable = cab_world_get_cable(snapshot->world, index);
        snprintf(body.name, sizeof body.name, "%s", cable.name);
        body.first_node = cable.first_node;
        body.node_count = cable.node_count;
        body.radius = cable.radius;
    }
    return body;
}

void cab_snapshot_radii(const cab_snapshot *snapshot, int index,
                        void (*put)(void *user, int node, double radius), void *user)
{
    cab_body body = cab_snapshot_body(snapshot, index);
    cab_section_info sections[CAB_RUNS] = {
        {.first_node = body.first_node, .node_count = body.node_count, .radius = body.radius}};
    int count = body.is_sheet ? 1 : cab_world_get_sections(snapshot->world, index, sections, CAB_RUNS);
    for (int s = 0; s < count; s++) {
        int nodes = sections[s].node_count - (s + 1 < count);
        for (int i = 0; i < nodes; i++) put(user, sections[s].first_node + i, sections[s].radius);
    }
}
