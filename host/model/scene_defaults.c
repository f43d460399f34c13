/* What every def is before the user fills it in. */
#include <clcable/scene.h>

#include "model/sheave.h"

#include <math.h>

cab_settings cab_settings_default(void)
{
    return (cab_settings){
        .gravity = {0, 0, -9.81},
        .duration = 1,
        .frame_rate = 60,
        .substeps = 20,
        .max_substeps = CAB_SUBSTEPS_AS_NEEDED,
        .iterations = 1,
        .contact = {.cables = true, .self = true, .passes = 4, .static_speed = 0.05},
        .pbd = {.stiffness = 1, .double_stiffness = 1},
        .jacobi.averaging_weight = 0.2,
    };
}

cab_material_def cab_material_default(void)
{
    return (cab_material_def){.stretching_stiffness = INFINITY, .friction = 0.3, .rest_share = 1};
}

double cab_material_second(const cab_material_def *def)
{
    return def->second_bending_stiffness > 0 ? def->second_bending_stiffness : def->bending_stiffness;
}

cab_cable_def cab_cable_default(void)
{
    return (cab_cable_def){.copies = {1, 1, 1}};
}

cab_sheet_def cab_sheet_default(void)
{
    return (cab_sheet_def){0};
}

cab_attachment_def cab_attachment_default(void)
{
    return (cab_attachment_def){.break_force = INFINITY, .release_distance = INFINITY, .travel = INFINITY};
}

cab_attachment_def cab_clip_default(void)
{
    cab_attachment_def def = cab_attachment_default();
    def.part = CAB_PART_CLIP;
    def.compliance = 2e-5;
    def.friction = 0.3;
    return def;
}

cab_attachment_def cab_connector_default(void)
{
    cab_attachment_def def = cab_attachment_default();
    def.part = CAB_PART_CONNECTOR;
    def.compliance = 1e-6;
    def.insertion_depth = 0.01;
    def.capture_radius = 0.005;
    return def;
}

cab_tie_def cab_tie_default(void)
{
    return (cab_tie_def){0};
}

cab_load_def cab_load_default(void)
{
    return (cab_load_def){0};
}

cab_socket_def cab_socket_default(void)
{
    return (cab_socket_def){.plug.axis = {1, 0, 0},
                            .to.axis = {1, 0, 0},
                            .capture_radius = 0.002,
                            .capture_angle = 0.2,
                            .compliance = 1e-6,
                            .keyed = true,
                            .latch = true,
                            .pull_out_force = INFINITY};
}

cab_probe_def cab_probe_default(void)
{
    return (cab_probe_def){0};
}

cab_collider_def cab_collider_default(void)
{
    return (cab_collider_def){.normal = {0, 0, 1},
                              .rotation = {1, 0, 0, 0},
                              .groove = {.angle = CAB_GROOVE_ANGLE},
                              .scale = 1,
                              .friction = 0.3};
}

cab_body_def cab_body_default(void)
{
    return (cab_body_def){
        .rotation = {1, 0, 0, 0}, .axis = {0, 0, 1}, .friction = 0.3, .collide = true, .copies = {1, 1, 1}};
}

cab_constraint_def cab_constraint_default(void)
{
    return (cab_constraint_def){.to.kind = CAB_PLACE_END, .stiffness = 1};
}
