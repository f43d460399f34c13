/* The viewer's scene: opening, changing, saving it. */
#include "view/viewer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/error.h"
#include "model/names.h"
#include "model/scene.h"
#include "view/scene_list.h"
#include "view/viewer_inside.h"

#define AGAIN 10.0 /* s in which the same is asked for again */

double cab_viewer_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cab_viewer_def cab_viewer_default(void)
{
    return (cab_viewer_def){.look = cab_look_default()};
}

void cab_viewer_tell(cab_viewer *v, bool is_error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->message, sizeof v->message, format, arguments);
    va_end(arguments);
    v->message_is_error = is_error;
    v->message_age = 0;
    v->inside->drop_told = false;
    v->changed = true;
    const cab_viewer_def *def = &v->inside->def;
    if (def->log) def->log(def->user, 1, v->message);
}

bool cab_viewer_refuse(cab_viewer *v, const cab_error *error)
{
    cab_viewer_tell(v, true, "%s", error->message);
    return false;
}

/* Notes what is logged; false when it was before. */
static bool is_new(struct cab_viewer_inside *in, const char *text)
{
    for (int i = 0; i < CAB_LOGGED_MOST; i++)
        if (in->logged[i] && strcmp(in->logged[i], text) == 0) return false;
    char **place = &in->logged[in->logged_next++ % CAB_LOGGED_MOST];
    free(*place);
    *place = strdup(text);
    return true;
}

/* What the library has to say of a world. Warnings are worth a line in the window, too. */
static void on_log(void *user, int level, const char *text)
{
    cab_viewer *v = user;
    const cab_viewer_def *def = &v->inside->def;
    if (def->log && is_new(v->inside, text)) def->log(def->user, level, text);
    if (level > 0) return;
    snprintf(v->message, sizeof v->message, "%s", text);
    v->message_is_error = false;
    v->message_age = 0;
}

static bool add_change(cab_changes *changes, char *text)
{
    char **bigger = realloc(changes->text, (size_t)(changes->count + 1) * sizeof *bigger);
    if (!bigger || !text) {
        if (bigger) changes->text = bigger;
        free(text);
        return false;
    }
    changes->text = bigger;
    changes->text[changes->count++] = text;
    return true;
}

bool cab_changes_copy(cab_changes *copy, const cab_changes *changes)
{
    *copy = (cab_changes){0};
    for (int i = 0; i < changes->count; i++) {
        if (add_change(copy, strdup(changes->text[i]))) continue;
        cab_changes_free(copy);
        return false;
    }
    return true;
}

void cab_changes_drop(cab_changes *changes, const char *pointer)
{
    size_t length = strlen(pointer);
    int kept = 0;
    for (int i = 0; i < changes->count; i++) {
        char *text = changes->text[i];
        if (strncmp(text, pointer, length) == 0 && text[length] == '=') {
            free(text);
        } else {
            changes->text[kept++] = text;
        }
    }
    changes->count = kept;
}

bool cab_changes_put(cab_changes *changes, const char *pointer, const char *value)
{
    size_t size = strlen(pointer) + strlen(value) + 2;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s=%s", pointer, value);
    cab_changes_drop(changes, pointer);
    return add_change(changes, text);
}

void cab_changes_free(cab_changes *changes)
{
    for (int i = 0; i < changes->count; i++) free(changes->text[i]);
    free(changes->text);
    *changes = (cab_changes){0};
}

/* A world of `scene`, in the motion of `from` unless that is NULL. */
static cab_status make_world(cab_viewer *v, const cab_scene *scene, cab_world *from, cab_world **world,
                             cab_error *error)
{
    const struct cab_viewer_inside *in = v->inside;
    cab_world_def def = cab_world_default();
    def.device = in->device[0] ? in->device : NULL;
    def.threads = in->def.threads;
    def.kernel_dir = in->def.kernel_dir;
    def.gl = in->def.gl;
    def.log = on_log;
    def.user = v;
    cab_status status = cab_world_create(scene, &def, world, error);
    if (status || !from) return status;
    status = cab_world_continue(*world, from, error);
    if (status) cab_world_destroy(*world);
    return status;
}

/* All of the renderer and of the picking that is fixed of a world. */
static cab_status load_picture(cab_viewer *v, const cab_scene *scene, cab_world *world, cab_error *error)
{
    cab_status status = cab_renderer_load(v->renderer, scene, world, &v->look, error);
    cab_geometry geometry;
    if (!status) status = cab_renderer_update(v->renderer, world, &v->look, error);
    if (!status) status = cab_geometry_make(world, v->look.paint, &geometry, error);
    if (status) return status;
    cab_geometry_free(&v->inside->geometry);
    v->inside->geometry = geometry;
    return CAB_OK;
}

/* Puts a new world in the place of the old one, which stays when it cannot be drawn. */
static cab_status adopt(cab_viewer *v, cab_scene *scene, cab_world *world, cab_error *error)
{
    if (v->world) cab_renderer_release(v->renderer, v->world);
    cab_status status = load_picture(v, scene, world, error);
    if (status) {
        cab_renderer_release(v->renderer, world);
        cab_world_destroy(world);
        cab_error ignored; /* it could be drawn before */
        if (v->world) load_picture(v, v->scene, v->world, &ignored);
        return status;
    }
    cab_world_destroy(v->world);
    v->world = world;
    v->scene = scene;
    v->failed = false;
    v->grab.held = false;
    v->inside->moved = false;
    v->inside->debt = 0;
    v->changed = true;
    cab_viewer_look_at_world(v);
    if (v->selected >= v->info.cables) v->selected = -1;
    if (v->selected_node >= v->info.nodes) v->selected_node = -1;
    return CAB_OK;
}

cab_status cab_viewer_remake_world(cab_viewer *v, bool go_on, cab_error *error)
{
    cab_world *world;
    cab_status status = make_world(v, v->scene, go_on && !v->failed ? v->world : NULL, &world, error);
    return status ? status : adopt(v, v->scene, world, error);
}

cab_status cab_viewer_remake(cab_viewer *v, const char *path, cab_changes *changes, bool go_on,
                             cab_error *error)
{
    cab_scene *scene = NULL, *old = v->scene;
    cab_world *world;
    cab_status status =
        cab_scene_load(path, (const char *const *)changes->text, changes->count, &scene, error);
    if (!status) status = make_world(v, scene, go_on && !v->failed ? v->world : NULL, &world, error);
    if (!status) status = adopt(v, scene, world, error);
    if (status) {
        cab_scene_destroy(scene);
        cab_changes_free(changes);
        return status;
    }
    cab_scene_destroy(old);
    cab_changes_free(&v->inside->changes);
    v->inside->changes = *changes;
    *changes = (cab_changes){0};
    return CAB_OK;
}

static cab_status fail_path(const char *path, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%.100s...: the name of the file is too long", path);
}

/* `changes` are taken over. */
static cab_status open_scene(cab_viewer *v, const char *path, cab_changes *changes, cab_error *error)
{
    if (strlen(path) >= sizeof v->path) {
        cab_changes_free(changes);
        return fail_path(path, error);
    }
    cab_status status = cab_viewer_remake(v, path, changes, false, error);
    if (status) return status;
    if (path != v->path) snprintf(v->path, sizeof v->path, "%s", path);
    v->unsaved = false;
    v->selected = v->selected_node = -1;
    v->edit.on = false;
    cab_path_load(v);
    return CAB_OK;
}

static cab_status start(cab_viewer *v, const char *path, cab_error *error)
{
    struct cab_viewer_inside *in = v->inside;
    cab_changes changes = {0};
    cab_status status = cab_renderer_create(&v->renderer, error);
    if (!status) status = cab_overlay_create(&in->overlay, error);
    for (int i = 0; i < in->def.override_count && !status; i++)
        if (!add_change(&changes, strdup(in->def.overrides[i])))
            status = cab_fail_memory(error, "changes of a scene", strlen(in->def.overrides[i]));
    if (status) {
        cab_changes_free(&changes);
        return status;
    }
    return open_scene(v, path, &changes, error);
}

cab_status cab_viewer_create(cab_viewer **viewer, const char *path, const cab_viewer_def *def,
                             cab_error *error)
{
    cab_viewer *v = calloc(1, sizeof *v);
    struct cab_viewer_inside *in = calloc(1, sizeof *in);
    if (!v || !in) {
        free(v);
        free(in);
        return cab_fail_memory(error, "a viewer", sizeof *v + sizeof *in);
    }
    v->inside = in;
    in->def = *def;
    in->fit_due = true;
    if (def->device) snprintf(in->device, sizeof in->device, "%s", def->device);
    v->look = def->look;
    v->camera = cab_camera_default();
    v->speed = v->scale = 1;
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
    cab_world_destroy(v->world); /* before the buffers that it may share */
    cab_renderer_destroy(v->renderer);
    cab_overlay_free(&v->inside->overlay);
    cab_scene_destroy(v->scene);
    cab_changes_free(&v->inside->changes);
    cab_geometry_free(&v->inside->geometry);
    cab_path_free(v);
    for (int i = 0; i < CAB_LOGGED_MOST; i++) free(v->inside->logged[i]);
    free(v->inside);
    free(v);
}

/* Points that were moved and are in no file are dropped only when that was told, and is asked for again. */
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
    if (open_scene(v, path, &none, &error)) return cab_viewer_refuse(v, &error);
    cab_viewer_fit(v);
    if (!v->message_age && v->message[0]) return true; /* a warning of the new world is to be read */
    cab_viewer_tell(v, false, "%s", path);
    return true;
}

/* One change more, `drop` (may be NULL) no more. */
static cab_status try_change(cab_viewer *v, const char *pointer, const char *value, const char *drop,
                             cab_error *error)
{
    cab_changes changes;
    if (!cab_changes_copy(&changes, &v->inside->changes) || !cab_changes_put(&changes, pointer, value)) {
        cab_changes_free(&changes);
        return cab_fail_memory(error, "changes of a scene", strlen(value));
    }
    if (drop) cab_changes_drop(&changes, drop);
    return cab_viewer_remake(v, v->path, &changes, true, error);
}

bool cab_viewer_set(cab_viewer *v, const char *pointer, const char *value)
{
    cab_error error;
    return try_change(v, pointer, value, NULL, &error) ? cab_viewer_refuse(v, &error) : true;
}

/* Parameters of one method mean nothing to another: where they are in the way they are left out. */
bool cab_viewer_set_method(cab_viewer *v, cab_method method)
{
    const char *name = cab_method_name(method);
    char value[64];
    snprintf(value, sizeof value, "\"%s\"", name);
    cab_error error;
    if (!try_change(v, "/method/name", value, "/method", &error)) return true;
    if (try_change(v, "/method", value, "/method/name", &error)) return cab_viewer_refuse(v, &error);
    cab_viewer_tell(v, false, "method %s, without the parameters that the scene gives its own", name);
    return true;
}

bool cab_viewer_set_substeps(cab_viewer *v, int substeps)
{
    char value[32];
    snprintf(value, sizeof value, "%d", substeps);
    return cab_viewer_set(v, "/time/substeps", value);
}

bool cab_viewer_set_iterations(cab_viewer *v, int iterations)
{
    char value[32];
    snprintf(value, sizeof value, "%d", iterations);
    return cab_viewer_set(v, "/time/iterations", value);
}

bool cab_viewer_set_device(cab_viewer *v, const char *id)
{
    struct cab_viewer_inside *in = v->inside;
    char before[sizeof in->device];
    memcpy(before, in->device, sizeof before);
    snprintf(in->device, sizeof in->device, "%s", id);
    cab_error error;
    if (!cab_viewer_remake_world(v, true, &error)) return true;
    memcpy(in->device, before, sizeof before);
    return cab_viewer_refuse(v, &error);
}

int cab_viewer_material_count(const cab_viewer *v)
{
    return v->scene->material_count;
}

const cab_material_def *cab_viewer_material(const cab_viewer *v, int index)
{
    return &v->scene->materials[index];
}

/* The world takes it as it runs; the scene is read again, so that a reset and a saved file have it. */
bool cab_viewer_set_friction(cab_viewer *v, int material, double friction)
{
    char key[256], pointer[300], value[32];
    cab_pointer_escape(v->scene->materials[material].name, key, sizeof key);
    snprintf(pointer, sizeof pointer, "/materials/%s/friction", key);
    snprintf(value, sizeof value, "%.6g", friction);
    cab_changes changes;
    cab_error error = {0};
    cab_scene *scene = NULL;
    cab_status status = CAB_OK;
    if (!cab_changes_copy(&changes, &v->inside->changes) || !cab_changes_put(&changes, pointer, value))
        status = cab_fail_memory(&error, "changes of a scene", sizeof pointer);
    if (!status)
        status = cab_scene_load(v->path, (const char *const *)changes.text, changes.count, &scene, &error);
    if (!status) status = cab_world_set_material(v->world, &scene->materials[material], &error);
    if (status) {
        cab_scene_destroy(scene);
        cab_changes_free(&changes);
        return cab_viewer_refuse(v, &error);
    }
    cab_changes_free(&v->inside->changes);
    v->inside->changes = changes;
    cab_scene *old = v->scene;
    v->scene = scene;
    cab_viewer_set_look(v, &v->look);
    cab_scene_destroy(old);
    return true;
}

bool cab_viewer_save(cab_viewer *v, const char *path)
{
    const cab_changes *changes = &v->inside->changes;
    cab_error error;
    if (cab_scene_save(v->path, (const char *const *)changes->text, changes->count, path, &error))
        return cab_viewer_refuse(v, &error);
    v->unsaved = false;
    cab_viewer_tell(v, false, "saved: %s", path);
    return true;
}

void cab_viewer_ask(cab_viewer *v, cab_dialog dialog)
{
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
