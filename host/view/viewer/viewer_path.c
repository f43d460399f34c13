/* Path editing: the control points of the selected cable are handles. A drag changes values of the scene,
 * which is then read anew, so what is seen is what a file with these points would give. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/vec3.h"
#include "model/scene.h"
#include "view/viewer/viewer_inside.h"

#define HANDLE_REACH 12.0f /* pixels from a handle's middle that count as on it */
#define TOGETHER 1e-3      /* m; points nearer to each other than that are at one place, as in joints */
#define REMAKE_PAUSE 0.04  /* s between two new worlds while a handle is dragged, at least */

void cab_path_free(cab_viewer *v)
{
    CAB_FREE(v->edit.points, v->inside->linked);
    cab_changes_free(&v->inside->before);
}

bool cab_viewer_edit_path(cab_viewer *v, bool on)
{
    if (on == v->edit.on) return true;
    if (on && !cab_viewer_has_cables(v, "path editing")) return false;
    if (!on && v->edit.held >= 0) cab_viewer_edit_drop(v, true);
    if (on) {
        cab_viewer_let_go(v);
        cab_viewer_set_playing(v, false);
        if ((v->info.frame > 0 || v->failed) && !cab_viewer_reset(v)) return false;
        if (v->selected < 0) cab_viewer_tell(v, false, "click a cable to edit its path");
    }
    v->edit.on = on;
    v->changed = true;
    cab_path_load(v);
    return true;
}

static int find_handle(const cab_viewer *v, float x, float y)
{
    float nearest = HANDLE_REACH * v->scale;
    int found = -1;
    for (int i = 0; v->edit.on && i < v->edit.count; i++) {
        vec3 point;
        float at[2];
        cab_path_point(v, i, point);
        if (!cab_overlay_project(&v->camera, v->width, v->height, point, at)) continue;
        float away = hypotf(at[0] - x, at[1] - y);
        if (away >= nearest) continue;
        nearest = away;
        found = i;
    }
    return found;
}

void cab_viewer_edit_hover(cab_viewer *v, float x, float y)
{
    int under = find_handle(v, x, y);
    if (under != v->edit.under) v->changed = true;
    v->edit.under = under;
}

static bool together(cab_vec3 a, cab_vec3 b)
{
    return cab_vec3_distance(a, b) < TOGETHER;
}

static void link_value(struct cab_viewer_inside *in, cab_vec3 start, const char *pointer)
{
    if (CAB_RESIZE(in->linked, in->linked_count + 1, NULL)) return;
    cab_linked *linked = &in->linked[in->linked_count++];
    linked->start = start;
    snprintf(linked->pointer, sizeof linked->pointer, "%s", pointer);
}

static void link_point(struct cab_viewer_inside *in, const cab_scene *scene, int cable, int point)
{
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/cables/%d/path/%d", cable, point);
    link_value(in, scene->cables[cable].path[point], pointer);
}

/* Collects what moves along: the point itself, points of other cables at its place, and the place where it is
 * attached. All are those of the first copies. */
static void link_all(cab_viewer *v, int held)
{
    struct cab_viewer_inside *in = v->inside;
    const cab_scene *scene = v->scene;
    const cab_cable_def *mine = &scene->cables[v->edit.cable];
    cab_vec3 place = mine->path[held];
    in->linked_count = 0;
    link_point(in, scene, v->edit.cable, held);
    for (int c = 0; c < scene->cable_count; c++) {
        const cab_cable_def *def = &scene->cables[c];
        for (int i = 0; c != v->edit.cable && i < def->path_count; i++)
            if (together(def->path[i], place)) link_point(in, scene, c, i);
    }
    for (int i = 0; i < scene->attachment_count; i++) {
        const cab_attachment_def *a = &scene->attachments[i];
        bool here = a->to == CAB_TARGET_POINT && a->cable && strcmp(a->cable, mine->name) == 0;
        if (!here || !together(a->point, place)) continue;
        char pointer[64];
        snprintf(pointer, sizeof pointer, "%s/to", cab_attachment_pointer(scene, i).text);
        link_value(in, a->point, pointer);
    }
}

bool cab_viewer_edit_hold(cab_viewer *v, float x, float y)
{
    struct cab_viewer_inside *in = v->inside;
    int held = find_handle(v, x, y);
    if (held < 0) return false;
    cab_changes_free(&in->before);
    in->saved_before = !v->unsaved;
    if (!cab_changes_copy(&in->before, (const char *const *)in->changes.text, in->changes.count))
        return false;
    v->edit.held = held;
    v->edit.axis = 0;
    in->drag = (cab_drag){.mouse = {x, y}, .at = {x, y}};
    cab_path_point(v, held, in->drag.start);
    link_all(v, held);
    return v->changed = true;
}

/* Moves the held point to where the mouse is. */
static void follow(cab_viewer *v)
{
    const cab_drag *drag = &v->inside->drag;
    vec3 from, to;
    if (v->edit.axis) {
        const float *axis = cab_path_axis(v->edit.axis);
        if (!cab_viewer_on_axis(v, drag->mouse, drag->start, axis, from)) return;
        if (!cab_viewer_on_axis(v, drag->at, drag->start, axis, to)) return;
    } else {
        cab_viewer_on_plane(v, drag->mouse, drag->start, from);
        cab_viewer_on_plane(v, drag->at, drag->start, to);
    }
    v->edit.points[v->edit.held] =
        (cab_vec3){(double)drag->start[0] + to[0] - from[0], (double)drag->start[1] + to[1] - from[1],
                   (double)drag->start[2] + to[2] - from[2]};
    v->edit.changed = v->changed = true;
}

void cab_viewer_edit_to(cab_viewer *v, float x, float y)
{
    if (v->edit.held < 0) return;
    v->inside->drag.at[0] = x;
    v->inside->drag.at[1] = y;
    follow(v);
}

void cab_viewer_edit_axis(cab_viewer *v, char axis)
{
    if (v->edit.held < 0) return;
    v->edit.axis = v->edit.axis == axis ? 0 : axis;
    follow(v);
}

/* Makes the scene anew, with everything that is linked moved by as much as the held point. */
static cab_status remake(cab_viewer *v, cab_error *error)
{
    struct cab_viewer_inside *in = v->inside;
    cab_changes changes;
    cab_vec3 moved = cab_vec3_sub(cab_vec3_sub(v->edit.points[v->edit.held], in->shift), in->linked[0].start);
    bool fits = cab_changes_copy(&changes, (const char *const *)in->changes.text, in->changes.count);
    for (int i = 0; i < in->linked_count && fits; i++) {
        cab_vec3 to = cab_vec3_add(in->linked[i].start, moved);
        char value[128]; /* seven digits: at 100 m from the origin 0.01 mm, finer than a mouse */
        snprintf(value, sizeof value, "[%.7g,%.7g,%.7g]", to.x, to.y, to.z);
        fits = cab_changes_put(&changes, in->linked[i].pointer, value);
    }
    if (!fits) {
        cab_changes_free(&changes);
        return cab_fail_memory(error, "changes of a scene", sizeof changes);
    }
    return cab_viewer_remake(v, &changes, false, error);
}

static bool work_in(cab_viewer *v)
{
    struct cab_viewer_inside *in = v->inside;
    cab_error error;
    double start = cab_now();
    v->edit.changed = false;
    cab_status status = remake(v, &error);
    in->remade_at = cab_now();
    in->remade_took = in->remade_at - start;
    if (status) return cab_viewer_refuse(v, &error);
    return v->unsaved = true;
}

void cab_path_tick(cab_viewer *v)
{
    const struct cab_viewer_inside *in = v->inside;
    double pause = fmax(REMAKE_PAUSE, 2 * in->remade_took);
    if (v->edit.changed && cab_now() - in->remade_at > pause) work_in(v);
}

/* Makes the scene as it was before the drag. */
static void put_back(cab_viewer *v)
{
    cab_error error;
    if (cab_viewer_remake(v, &v->inside->before, false, &error))
        cab_viewer_refuse(v, &error);
    else
        v->unsaved = !v->inside->saved_before;
}

void cab_viewer_edit_drop(cab_viewer *v, bool keep)
{
    if (v->edit.held < 0) return;
    if (!keep)
        put_back(v);
    else if (v->edit.changed)
        work_in(v);
    cab_path_load(v);
    v->changed = true;
}
