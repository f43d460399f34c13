/* A made-up world with known numbers. The few functions of a world that writers call are defined here, so the real ones
 * are not linked. Include cmocka first. */
#ifndef CAB_TESTS_MADE_UP_WORLD_H
#define CAB_TESTS_MADE_UP_WORLD_H

#include <clcable/contacts.h>
#include <clcable/draw.h>
#include <clcable/judge.h>

#include "base/error.h"

/* Two cables of 3 and 2 nodes, the second with a name that needs quotes. */
#define CABLES 2
#define NODES 5

struct cab_world {
    bool sheets; /* also a sheet of the last node's and the four before it: a stick, a quadrangle, a triangle
                  */
    int frame, broken, sockets;
    bool fails;
    cab_measures measures;
};

cab_world_info cab_world_get_info(const cab_world *world)
{
    cab_world_info info = {
        .cables = CABLES, .particles = 4, .nodes = NODES, .segments = 3, .way = CAB_WAY_FUSED};
    if (world->sheets) info.sheets = 1, info.cells = 3, info.cables = 1;
    info.frame = world->frame;
    info.time = world->frame / 64.0;
    info.device_bytes = 1000;
    snprintf(info.device.name, sizeof info.device.name, "test device");
    return info;
}

cab_cable_info cab_world_get_cable(const cab_world *world, int index)
{
    (void)world;
    cab_cable_info cable = {
        .first_node = index ? 3 : 0, .node_count = index ? 2 : 3, .radius = index ? 0.5 : 0.25};
    snprintf(cable.name, sizeof cable.name, "%s", index ? "b \"x\"[0,1,0]" : "a");
    return cable;
}

int cab_world_get_sections(const cab_world *world, int index, cab_section_info *sections, int capacity)
{
    cab_cable_info cable = cab_world_get_cable(world, index);
    if (capacity > 0)
        sections[0] = (cab_section_info){
            .first_node = cable.first_node, .node_count = cable.node_count, .radius = cable.radius};
    return 1;
}

cab_sheet_info cab_world_get_sheet(const cab_world *world, int index)
{
    (void)world, (void)index;
    cab_sheet_info sheet = {.first_node = 3, .node_count = 2, .cell_count = 3, .radius = 0.125};
    snprintf(sheet.name, sizeof sheet.name, "cloth");
    return sheet;
}

void cab_world_get_cells(const cab_world *world, int *cells)
{
    (void)world;
    static const int three[3][4] = {{0, 1, 4, 3}, {3, 4, -1, -1}, {1, 2, 4, -1}};
    memcpy(cells, three, sizeof three);
}

static inline double position_at(const cab_world *world, int i)
{
    return i == 0 ? -0.0 : i == 1 ? 1.0 / 3 : i == 2 ? -2.5e-7 : i + 0.125 * world->frame;
}

cab_status cab_world_read(cab_world *world, double *position, double *velocity, double *tension,
                          cab_error *error)
{
    if (world->fails) return cab_fail(error, CAB_ERROR_DEVICE, "no read today");
    for (int i = 0; i < 3 * NODES; i++) {
        position[i] = position_at(world, i);
        velocity[i] = -i;
    }
    for (int i = 0; i < NODES; i++) tension[i] = i == 2 || i == 4 ? 0 : 10 + i;
    return CAB_OK;
}

cab_status cab_world_draw(cab_world *world, cab_quantity quantity, float *rows, cab_error *error)
{
    if (world->fails) return cab_fail(error, CAB_ERROR_DEVICE, "no drawing today");
    for (int i = 0; i < NODES; i++) rows[4 * i + 3] = (float)i + (quantity == CAB_QUANTITY_CONTACT ? 20 : 40);
    return CAB_OK;
}

bool cab_world_get_collider(const cab_world *world, int collider, cab_pose *pose)
{
    (void)world, (void)collider, (void)pose;
    return false;
}

cab_status cab_world_measure(cab_world *world, cab_measures *measures, cab_error *error)
{
    if (world->fails) return cab_fail(error, CAB_ERROR_DEVICE, "no measure today");
    *measures = world->measures;
    return CAB_OK;
}

void cab_world_get_times(const cab_world *world, double *seconds)
{
    (void)world;
    for (int i = 0; i < CAB_STAGE_COUNT; i++) seconds[i] = i;
}

const char *cab_stage_name(cab_stage stage)
{
    return stage == CAB_STAGE_PREDICT ? "predict" : stage == CAB_STAGE_DISTANCE ? "distance" : "other";
}

int cab_world_get_broken(const cab_world *world, int *attachments, int *cables, int capacity)
{
    for (int i = 0; i < world->broken && i < capacity; i++) {
        attachments[i] = 7 + i;
        cables[i] = 1;
    }
    return world->broken;
}

const char *cab_event_kind_name(cab_event_kind kind)
{
    return kind == CAB_EVENT_BROKE ? "broke" : "other";
}

int cab_world_get_judgements(const cab_world *world, cab_judgement *judgements, int capacity)
{
    (void)world;
    (void)judgements;
    (void)capacity;
    return 0;
}

int cab_world_get_events(const cab_world *world, cab_event *events, int capacity)
{
    for (int i = 0; i < world->broken && i < capacity; i++) {
        events[i] = (cab_event){.kind = CAB_EVENT_BROKE,
                                .frame = 2 + i,
                                .time = 0.5,
                                .attachment = 7 + i,
                                .cable = 1,
                                .force = 20};
    }
    return world->broken;
}

int cab_world_get_bodies(const cab_world *world, cab_body_info *infos, int capacity)
{
    (void)world, (void)infos, (void)capacity;
    return 0;
}

cab_status cab_world_read_bodies(cab_world *world, cab_body_reading *readings, cab_error *error)
{
    (void)world, (void)readings, (void)error;
    return CAB_OK;
}

int cab_world_get_sockets(const cab_world *world, cab_socket_info *infos, int capacity)
{
    for (int i = 0; i < world->sockets && i < capacity; i++)
        infos[i] = (cab_socket_info){.name = "X \"1\"", .plug = 1, .to = -1};
    return world->sockets;
}

cab_status cab_world_read_sockets(cab_world *world, cab_socket_reading *readings, cab_error *error)
{
    (void)error;
    for (int i = 0; i < world->sockets; i++)
        readings[i] = (cab_socket_reading){
            .phase = CAB_SOCKET_PHASE_MATED, .frame = 5, .depth = 0.125, .force = {3, 0, -4}, .pull = 2};
    return CAB_OK;
}

#endif
