/* Making a viewer, opening scenes, and quitting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "view/viewer/viewer_inside.h"

#define AGAIN 10.0 /* s; a command that is repeated within this time drops what is not saved */

cab_viewer_def cab_viewer_default(void)
{
    return (cab_viewer_def){.look = cab_look_default()};
}

/* Takes the changes over. The first scene gets the settings of cab_viewer_def. */
static cab_status open_kind(cab_viewer *v, const cab_study_kind *kind, const char *path, cab_changes *changes,
                            cab_error *error)
{
    const struct cab_viewer_inside *in = v->inside;
    if (!kind) return cab_viewer_open_cables(v, path, changes, error);
    bool first = !in->opened;
    cab_study_def def = {.path = path,
                         .overrides = (const char *const *)changes->text,
                         .override_count = changes->count,
                         .device = in->device[0] ? in->device : NULL,
                         .threads = in->def.threads,
                         .kernel_dir = in->def.kernel_dir,
                         .log = in->def.log,
                         .user = in->def.user,
                         .substeps = first ? in->def.substeps : 0,
                         .iterations = first ? in->def.iterations : 0,
                         .compare = first ? in->def.compare : NULL};
    cab_status status = cab_viewer_open_study(v, kind, &def, error);
    cab_changes_free(changes);
    return status;
}

/* Takes the changes over. A scene of another kind gets other colours and another direction of view. */
static cab_status open_scene(cab_viewer *v, const char *path, cab_changes *changes, cab_error *error)
{
    const cab_study_kind *kind;
    const cab_opened *before = v->inside->opened;
    cab_look look = v->look;
    cab_status status = cab_study_of_file(path, &kind, error);
    if (status) {
        cab_changes_free(changes);
        return status;
    }
    if (strlen(path) >= sizeof v->path) {
        cab_changes_free(changes);
        return cab_fail(error, CAB_ERROR_INPUT, "%.100s...: the name of the file is too long", path);
    }
    if (before && kind != (v->study ? v->study->drawing->kind : NULL)) {
        v->look.paint = CAB_PAINT_CABLE;
        v->look.quantity = kind ? cab_study_drawing_of(kind)->quantity : CAB_QUANTITY_NONE;
        v->look.lowest = v->look.highest = 0;
    }
    status = open_kind(v, kind, path, changes, error);
    if (status) {
        v->look = look;
        return status;
    }
    if (v->inside->opened != before) cab_camera_set_view(&v->camera, v->inside->opened->view);
    if (path != v->path) snprintf(v->path, sizeof v->path, "%s", path);
    cab_viewer_begin(v);
    cab_path_load(v);
    return CAB_OK;
}

static cab_status start(cab_viewer *v, const char *path, cab_error *error)
{
    struct cab_viewer_inside *in = v->inside;
    cab_changes changes;
    cab_status status = cab_overlay_create(&in->overlay, error);
    if (status) return status;
    if (!cab_changes_copy(&changes, in->def.overrides, in->def.override_count))
        return cab_fail_memory(error, "changes of a scene", sizeof changes);
    return open_scene(v, path, &changes, error);
}

cab_status cab_viewer_create(cab_viewer **viewer, const char *path, const cab_viewer_def *def,
                             cab_error *error)
{
    cab_viewer *v = calloc(1, sizeof *v);
    struct cab_viewer_inside *in = calloc(1, sizeof *in);
    if (!v || !in) {
        CAB_FREE(v, in);
        return cab_fail_memory(error, "a viewer", sizeof *v + sizeof *in);
    }
    v->inside = in;
    in->def = *def;
    in->fit_due = true;
    if (def->device) snprintf(in->device, sizeof in->device, "%s", def->device);
    v->look = def->look;
    v->camera = cab_camera_default();
    v->speed = v->scale = 1;
    v->coarse = 1;
    v->playing = v->show_panels = true;
    v->selected = v->selected_node = v->edit.cable = v->edit.held = v->edit.under = -1;
    cab_status status = start(v, path, error);
    if (status) {
        cab_viewer_destroy(v);
        return status;
    }
    *viewer = v;
    return CAB_OK;
}

void cab_viewer_destroy(cab_viewer *v)
{
    if (!v) return;
    if (cab_viewer_is_recording(v)) cab_viewer_record(v);
    cab_viewer_close_opened(v);
    cab_overlay_free(&v->inside->overlay);
    cab_canvas_free(&v->inside->canvas);
    cab_path_free(v);
    for (int i = 0; i < CAB_LOGGED_MOST; i++) free(v->inside->logged[i]);
    CAB_FREE(v->inside, v);
}

/* Moved points that are not saved may be dropped only after that was said, when the command is repeated. */
static bool may_drop(cab_viewer *v, const char *again)
{
    if (!v->unsaved || (v->inside->drop_told && v->message_age < AGAIN)) return true;
    cab_viewer_tell(v, false, "the moved points are not saved: Ctrl+S saves them, %s drops them", again);
    v->inside->drop_told = true;
    return false;
}

bool cab_viewer_open(cab_viewer *v, const char *path)
{
    cab_changes none = {0};
    cab_error error;
    if (!may_drop(v, "opening again")) return false;
    if (cab_viewer_is_recording(v)) cab_viewer_record(v);
    if (open_scene(v, path, &none, &error)) return cab_viewer_refuse(v, &error);
    cab_viewer_fit(v);
    if (!v->message_age && v->message[0]) return true; /* a warning of the new world stays there */
    cab_viewer_tell(v, false, "%s", path);
    return true;
}

void cab_viewer_ask(cab_viewer *v, cab_dialog dialog)
{
    if (dialog == CAB_DIALOG_SAVE && !cab_viewer_has_cables(v, "saving")) return;
    v->dialog = dialog;
    snprintf(v->dialog_path, sizeof v->dialog_path, "%s", v->path);
    char *dot = strrchr(v->dialog_path, '.');
    if (dialog == CAB_DIALOG_SAVE && !v->unsaved && dot && dot > cab_path_name(v->dialog_path))
        snprintf(dot, sizeof v->dialog_path - (size_t)(dot - v->dialog_path), "-2.json");
    v->changed = true;
}

void cab_viewer_quit(cab_viewer *v)
{
    v->quit = may_drop(v, "quitting again");
}

void cab_viewer_escape(cab_viewer *v)
{
    if (v->edit.held >= 0)
        cab_viewer_edit_drop(v, false);
    else if (v->grab.held)
        cab_viewer_let_go(v);
    else if (v->edit.on)
        cab_viewer_edit_path(v, false);
    else
        cab_viewer_select(v, -1);
}
