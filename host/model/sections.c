#include "model/sections.h"

#include <math.h>

#include "model/scene.h"

cab_status cab_sections_start(cab_model *model, cab_error *error)
{
    const cab_scene *scene = model->scene;
    int room = scene->material_count;
    for (int i = 0; i < scene->cable_count; i++) room += 2 * scene->cables[i].cover_count + 1;
    cab_status status = CAB_NEW(model->section, room, error);
    if (status == CAB_OK) model->section_count = scene->material_count;
    return status;
}

int cab_section_of(cab_model *model, int scene_cable, int material, uint64_t covers)
{
    if (covers == 0) return material;
    for (int i = model->scene->material_count; i < model->section_count; i++) {
        const cab_section *s = &model->section[i];
        if (s->scene_cable == scene_cable && s->covers == covers) return i;
    }
    model->section[model->section_count] =
        (cab_section){.scene_cable = scene_cable, .material = material, .covers = covers};
    return model->section_count++;
}

/* A tube over a cable: it weighs and bends with it, what is outside is the tube's. It takes up no pull. */
static void add_over(cab_material_def *def, const cab_material_def *over)
{
    double density = def->linear_density + over->linear_density;
    def->damping = (def->damping * def->linear_density + over->damping * over->linear_density) / density;
    def->radius = fmax(def->radius, over->radius);
    def->linear_density = density;
    double second = cab_material_second(def) + cab_material_second(over);
    double bending = def->bending_stiffness + over->bending_stiffness;
    if (bending > 0)
        def->bending_damping = (def->bending_damping * def->bending_stiffness +
                                over->bending_damping * over->bending_stiffness) /
                               bending;
    def->bending_stiffness = bending;
    def->second_bending_stiffness = second == bending ? 0 : second;
    def->twisting_stiffness += over->twisting_stiffness;
    def->friction = over->friction;
    def->air_drag = over->air_drag;
    def->air_drag_along = over->air_drag_along;
    def->min_bend_radius = fmax(def->min_bend_radius, over->min_bend_radius);
}

/* Another piece of cable. How it lies at rest and how it keeps its volume is the whole cable's. */
static void put_instead(cab_material_def *def, const cab_material_def *other)
{
    bool curved = def->rest_shape_path, thins = def->constant_volume;
    double share = def->rest_share;
    *def = *other;
    def->rest_shape_path = curved;
    def->rest_share = share;
    def->constant_volume = thins;
}

void cab_sections_update(cab_model *model)
{
    const cab_scene *scene = model->scene;
    for (int i = 0; i < model->section_count; i++) {
        cab_section *s = &model->section[i];
        if (i < scene->material_count) *s = (cab_section){.scene_cable = -1, .material = i};
        s->def = scene->materials[s->material];
        for (int k = 0; s->covers >> k != 0; k++) {
            const cab_cover_def *cover = &scene->cables[s->scene_cable].covers[k];
            if (!(s->covers >> k & 1)) continue;
            const cab_material_def *material =
                &scene->materials[cab_scene_find_material(scene, cover->material)];
            (cover->instead ? put_instead : add_over)(&s->def, material);
            if (k == 63) break; /* a shift by all bits is none */
        }
    }
}
