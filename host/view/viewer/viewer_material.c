/* Numbers of materials that are changed while everything moves. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "model/names.h"
#include "model/scene.h"
#include "view/viewer/viewer_inside.h"

/* Their keys in a scene, and where they are in cab_material_def. */
static const struct {
    const char *key;
    size_t offset;
} numbers[CAB_MATERIAL_NUMBERS] = {
    [CAB_MATERIAL_FRICTION] = {"friction", offsetof(cab_material_def, friction)},
    [CAB_MATERIAL_DENSITY] = {"linear_density", offsetof(cab_material_def, linear_density)},
    [CAB_MATERIAL_STRETCHING] = {"stretching_stiffness", offsetof(cab_material_def, stretching_stiffness)},
    [CAB_MATERIAL_BENDING] = {"bending_stiffness", offsetof(cab_material_def, bending_stiffness)},
    [CAB_MATERIAL_DAMPING] = {"damping", offsetof(cab_material_def, damping)},
    [CAB_MATERIAL_DRAG] = {"air_drag", offsetof(cab_material_def, air_drag)},
    [CAB_MATERIAL_DRAG_ALONG] = {"air_drag_along", offsetof(cab_material_def, air_drag_along)},
    [CAB_MATERIAL_RADIUS] = {"radius", offsetof(cab_material_def, radius)},
};

int cab_viewer_material_count(const cab_viewer *v)
{
    return v->scene->material_count;
}

const cab_material_def *cab_viewer_material(const cab_viewer *v, int index)
{
    return &v->scene->materials[index];
}

double cab_viewer_material_number(const cab_material_def *material, cab_material_number which)
{
    return *(const double *)((const char *)material + numbers[which].offset);
}

/* Can a world take it while it runs? Not what contact and the choice of a method were made for. */
static bool is_live(const cab_material_def *material, cab_material_number which, double value)
{
    if (which == CAB_MATERIAL_BENDING) return (material->bending_stiffness > 0) == (value > 0);
    if (which == CAB_MATERIAL_STRETCHING) return isfinite(material->stretching_stiffness) == isfinite(value);
    return which != CAB_MATERIAL_RADIUS && which != CAB_MATERIAL_DRAG && which != CAB_MATERIAL_DRAG_ALONG;
}

/* The scene is read again, so that the number is also there after a reset, and in a saved file. */
bool cab_viewer_set_material(cab_viewer *v, int material, cab_material_number which, double value)
{
    char key[256], pointer[300], text[32];
    if (!cab_viewer_has_cables(v, "a material")) return false;
    cab_pointer_escape(v->scene->materials[material].name, key, sizeof key);
    snprintf(pointer, sizeof pointer, "/materials/%s/%s", key, numbers[which].key);
    if (isfinite(value))
        snprintf(text, sizeof text, "%.6g", value);
    else
        snprintf(text, sizeof text, "null");
    if (!is_live(&v->scene->materials[material], which, value)) return cab_viewer_set(v, pointer, text);
    return cab_viewer_set_live(v, pointer, text, material);
}
