/* Which cable is selected, and the control points of its path. */
#include <stdlib.h>

#include "base/vec3.h"
#include "model/scene.h"
#include "view/viewer/viewer_inside.h"

/* The scene's cable of which cable `index` of the world is a copy, and how far the copy is shifted. */
static int find_scene_cable(const cab_scene *scene, int index, cab_vec3 *shift)
{
    for (int i = 0; i < scene->cable_count; i++) {
        const cab_cable_def *def = &scene->cables[i];
        int count = def->copies[0] * def->copies[1] * def->copies[2];
        if (index < count) {
            shift->x = def->spacing[0] * (index % def->copies[0]);
            shift->y = def->spacing[1] * (index / def->copies[0] % def->copies[1]);
            shift->z = def->spacing[2] * (index / def->copies[0] / def->copies[1]);
            return i;
        }
        index -= count;
    }
    return -1;
}

void cab_path_load(cab_viewer *v)
{
    cab_path_edit *edit = &v->edit;
    free(edit->points);
    edit->points = NULL;
    edit->count = 0;
    edit->held = edit->under = -1;
    edit->changed = false;
    edit->cable = v->selected < 0 ? -1 : find_scene_cable(v->scene, v->selected, &v->inside->shift);
    if (edit->cable < 0) return;
    const cab_cable_def *def = &v->scene->cables[edit->cable];
    edit->points = malloc((size_t)def->path_count * sizeof *edit->points);
    if (!edit->points) return;
    edit->count = def->path_count;
    for (int i = 0; i < edit->count; i++) edit->points[i] = cab_vec3_add(def->path[i], v->inside->shift);
}

void cab_path_point(const cab_viewer *v, int index, vec3 point)
{
    cab_vec3_to_floats(v->edit.points[index], point);
}

const float *cab_path_axis(char axis)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return axes[axis - 'x'];
}

bool cab_viewer_pick(cab_viewer *v, float x, float y)
{
    int cable, node;
    bool found = cab_viewer_find_node(v, (float[2]){x, y}, &cable, &node);
    cab_viewer_select(v, cable);
    v->selected_node = node;
    return found;
}

void cab_viewer_select(cab_viewer *v, int cable)
{
    v->selected = cable;
    v->selected_node = -1;
    v->changed = true;
    cab_path_load(v);
}
