/* Cables in the viewer: making their world, changing and saving their scene, pulling at them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "model/scene.h"
#include "view/viewer/viewer_inside.h"

/* Remembers a message; false when it is one that was logged before. */
static bool is_new(struct cab_viewer_inside *in, const char *text)
{
    for (int i = 0; i < CAB_LOGGED_MOST; i++)
        if (in->logged[i] && strcmp(in->logged[i], text) == 0) return false;
    char **place = &in->logged[in->logged_next++ % CAB_LOGGED_MOST];
    free(*place);
    *place = strdup(text);
    return true;
}

/* Messages of the library. Warnings are shown in the message line, too. */
static void on_log(void *user, int level, const char *text)
{
    cab_viewer *v = user;
    const cab_viewer_def *def = &v->inside->def;
    bool new = level < 2 && is_new(v->inside, text);
    if (def->log && (level == 2 || new)) def->log(def->user, level, text);
    if (level > 0) return;
    v->warnings += new;
    v->changed = true;
    snprintf(v->message, sizeof v->message, "%s", text);
    v->message_is_error = false;
    v->message_age = 0;
}

/* Makes a world of a scene, which continues the motion of `from` unless that is NULL. */
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

/* Gives a world to the renderer, and makes the geometry for picking. */
static cab_status load_picture(const cab_viewer *v, cab_renderer *renderer, const cab_scene *scene,
                               cab_world *world, cab_geometry *geometry, cab_error *error)
{
    cab_status status = cab_renderer_load(renderer, scene, world, &v->look, error);
    if (!status) status = cab_renderer_update(renderer, world, &v->look, error);
    return status ? status : cab_geometry_make(world, v->look.paint, geometry, error);
}

/* Takes the geometry over. */
static void set_geometry(cab_viewer *v, const cab_geometry *geometry)
{
    cab_geometry_free(&v->inside->geometry);
    v->inside->geometry = *geometry;
}

static void set_cables(cab_viewer *v, cab_scene *scene, cab_world *world)
{
    v->scene = scene;
    v->world = world;
    v->inside->cables = (cab_cables){scene, world};
    v->subject = cab_subject_of_cables(&v->inside->cables);
}

/* Puts a new world in the place of the old one, which stays when it cannot be drawn. */
static cab_status adopt(cab_viewer *v, cab_scene *scene, cab_world *world, cab_error *error)
{
    cab_geometry geometry;
    cab_renderer_release(v->renderer, v->world);
    cab_status status = load_picture(v, v->renderer, scene, world, &geometry, error);
    if (status) {
        cab_renderer_release(v->renderer, world);
        cab_world_destroy(world);
        cab_error ignored; /* it could be drawn before, so there is none */
        if (!load_picture(v, v->renderer, v->scene, v->world, &geometry, &ignored))
            set_geometry(v, &geometry);
        return status;
    }
    cab_world_destroy(v->world);
    set_geometry(v, &geometry);
    set_cables(v, scene, world);
    v->inside->moved = false;
    cab_traces_find_probes(v);
    cab_viewer_begin(v);
    if (v->selected >= v->info.cables) v->selected = -1;
    if (v->selected_node >= v->info.nodes) v->selected_node = -1;
    return CAB_OK;
}

static cab_status load_scene(const char *path, const cab_changes *changes, cab_scene **scene,
                             cab_error *error)
{
    return cab_scene_load(path, (const char *const *)changes->text, changes->count, scene, error);
}

cab_status cab_viewer_open_cables(cab_viewer *v, const char *path, cab_changes *changes, cab_error *error)
{
    cab_scene *scene = NULL;
    cab_world *world = NULL;
    cab_renderer *renderer = NULL;
    cab_geometry geometry;
    cab_status status = load_scene(path, changes, &scene, error);
    if (!status) status = make_world(v, scene, NULL, &world, error);
    if (!status) status = cab_renderer_create(&renderer, error);
    if (!status) status = load_picture(v, renderer, scene, world, &geometry, error);
    if (status) {
        cab_world_destroy(world);
        cab_renderer_destroy(renderer);
        cab_scene_destroy(scene);
        cab_changes_free(changes);
        return status;
    }
    cab_viewer_put(v, &cab_opened_cables, renderer);
    set_geometry(v, &geometry);
    v->inside->changes = *changes;
    *changes = (cab_changes){0};
    set_cables(v, scene, world);
    cab_history_begin(v);
    cab_traces_begin(v);
    return CAB_OK;
}

static cab_status remake_world(cab_viewer *v, bool go_on, cab_error *error)
{
    cab_world *world;
    cab_status status = make_world(v, v->scene, go_on && !v->failed ? v->world : NULL, &world, error);
    return status ? status : adopt(v, v->scene, world, error);
}

cab_status cab_viewer_remake(cab_viewer *v, cab_changes *changes, bool go_on, cab_error *error)
{
    cab_scene *scene = NULL, *old = v->scene;
    cab_world *world;
    cab_status status = load_scene(v->path, changes, &scene, error);
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
    cab_history_begin(v);
    return CAB_OK;
}

cab_status cab_viewer_put_state(cab_viewer *v, const void *state, size_t size, cab_error *error)
{
    cab_world *world = NULL;
    if (!v->failed && cab_world_unpack(v->world, state, size, NULL) == CAB_OK) return CAB_OK;
    cab_status status = make_world(v, v->scene, NULL, &world, error);
    if (!status) status = cab_world_unpack(world, state, size, error);
    if (!status) return adopt(v, v->scene, world, error);
    cab_world_destroy(world);
    return status;
}

static void close(cab_viewer *v)
{
    cab_world_destroy(v->world);
    cab_scene_destroy(v->scene);
    cab_changes_free(&v->inside->changes);
    cab_geometry_free(&v->inside->geometry);
    cab_history_free(&v->inside->history);
    v->history_first = v->history_last = 0;
    v->world = NULL;
    v->scene = NULL;
    v->info = (cab_world_info){0};
    v->measures = (cab_measures){0};
    v->traces = (cab_traces){0};
}

/* Copies the changes of the scene and adds one. */
static cab_status change_copy(const cab_viewer *v, const char *pointer, const char *value, cab_changes *copy,
                              cab_error *error)
{
    const cab_changes *changes = &v->inside->changes;
    if (cab_changes_copy(copy, (const char *const *)changes->text, changes->count) &&
        cab_changes_put(copy, pointer, value))
        return CAB_OK;
    cab_changes_free(copy);
    return cab_fail_memory(error, "changes of a scene", strlen(value));
}

/* Makes the scene anew with one change more, and without that of `drop`, which may be NULL. */
static cab_status try_change(cab_viewer *v, const char *pointer, const char *value, const char *drop,
                             cab_error *error)
{
    cab_changes changes;
    cab_status status = change_copy(v, pointer, value, &changes, error);
    if (status) return status;
    if (drop) cab_changes_drop(&changes, drop);
    return cab_viewer_remake(v, &changes, true, error);
}

bool cab_viewer_set(cab_viewer *v, const char *pointer, const char *value)
{
    cab_error error;
    if (!cab_viewer_has_cables(v, pointer)) return false;
    return try_change(v, pointer, value, NULL, &error) ? cab_viewer_refuse(v, &error) : true;
}

/* The scene may give parameters of its method, which another method does not have. Then they are left out. */
bool cab_viewer_set_method(cab_viewer *v, cab_method method)
{
    const char *name = method == CAB_METHOD_COUNT ? "auto" : cab_method_name(method);
    char value[64];
    snprintf(value, sizeof value, "\"%s\"", name);
    cab_error error;
    if (!cab_viewer_has_cables(v, "a method")) return false;
    if (!try_change(v, "/method/name", value, "/method", &error)) return true;
    if (try_change(v, "/method", value, "/method/name", &error)) return cab_viewer_refuse(v, &error);
    cab_viewer_tell(v, false, "method %s, without the parameters that the scene gives its own", name);
    return true;
}

static bool set_number(cab_viewer *v, const char *pointer, int number)
{
    char value[32];
    snprintf(value, sizeof value, "%d", number);
    return cab_viewer_set(v, pointer, value);
}

bool cab_viewer_set_substeps(cab_viewer *v, int substeps)
{
    return set_number(v, "/time/substeps", substeps);
}

bool cab_viewer_set_iterations(cab_viewer *v, int iterations)
{
    return set_number(v, "/time/iterations", iterations);
}

bool cab_viewer_set_device(cab_viewer *v, const char *id)
{
    struct cab_viewer_inside *in = v->inside;
    char before[sizeof in->device];
    if (!cab_viewer_has_cables(v, "another device")) return false;
    memcpy(before, in->device, sizeof before);
    snprintf(in->device, sizeof in->device, "%s", id);
    cab_error error;
    if (!remake_world(v, true, &error)) {
        cab_history_begin(v);
        return true;
    }
    memcpy(in->device, before, sizeof before);
    return cab_viewer_refuse(v, &error);
}

bool cab_viewer_set_live(cab_viewer *v, const char *pointer, const char *value, int material)
{
    cab_changes changes;
    cab_error error = {0};
    cab_scene *scene = NULL;
    cab_status status = change_copy(v, pointer, value, &changes, &error);
    if (!status) status = load_scene(v->path, &changes, &scene, &error);
    if (!status) status = cab_world_set_material(v->world, &scene->materials[material], &error);
    if (status) {
        cab_scene_destroy(scene);
        cab_changes_free(&changes);
        return cab_viewer_refuse(v, &error);
    }
    cab_changes_free(&v->inside->changes);
    v->inside->changes = changes;
    cab_scene *old = v->scene;
    set_cables(v, scene, v->world);
    cab_viewer_set_look(v, &v->look);
    cab_history_begin(v);
    cab_viewer_forget_error(v);
    cab_scene_destroy(old);
    return true;
}

bool cab_viewer_save(cab_viewer *v, const char *path)
{
    const cab_changes *changes = &v->inside->changes;
    cab_error error;
    if (!cab_viewer_has_cables(v, "saving")) return false;
    if (cab_scene_save(v->path, (const char *const *)changes->text, changes->count, path, &error))
        return cab_viewer_refuse(v, &error);
    v->unsaved = false;
    cab_viewer_tell(v, false, "saved: %s", path);
    return true;
}

static double rate(const cab_viewer *v)
{
    return cab_scene_settings(v->scene)->frame_rate;
}

static cab_status step(cab_viewer *v, cab_error *error)
{
    cab_status status = cab_world_step(v->world, 1, error);
    if (!status) cab_history_note(v);
    return status;
}

/* The same comes again, so what has been kept stays, if that was kept from the start. */
static cab_status reset(cab_viewer *v, cab_error *error)
{
    cab_status status = remake_world(v, false, error);
    if (!status && v->history_first > 0) cab_history_begin(v);
    return status;
}

static cab_status measure(cab_viewer *v, cab_error *error)
{
    v->info = cab_world_get_info(v->world);
    cab_status status = cab_world_measure(v->world, &v->measures, error);
    return status ? status : cab_traces_note(v, error);
}

static cab_status grab(cab_viewer *v, const float at[2], bool *held, cab_error *error)
{
    (void)error;
    int cable, node;
    float *start = v->grab.point;
    v->grab.node = v->grab.body = -1;
    *held = true;
    if (cab_viewer_find_body(v, at, &v->grab.body, v->grab.at, start)) return CAB_OK;
    *held = cab_viewer_find_node(v, at, &cable, &node);
    if (!*held) return CAB_OK;
    cab_viewer_select(v, cable);
    v->selected_node = v->grab.node = node;
    memcpy(start, cab_renderer_rows(v->renderer)[node], sizeof v->grab.point);
    return CAB_OK;
}

static cab_status pull(cab_viewer *v, cab_error *error)
{
    const cab_grab *g = &v->grab;
    cab_history_cut(v);
    cab_viewer_dragged(v, v->grab.point);
    if (g->body < 0) return cab_world_pull(v->world, g->node, cab_vec3_from_floats(g->point), 0, error);
    return cab_world_pull_body(v->world, g->body, cab_vec3_from_floats(g->at), cab_vec3_from_floats(g->point),
                               0, error);
}

static cab_status let_go(cab_viewer *v, cab_error *error)
{
    return cab_world_let_go(v->world, error);
}

static bool held(cab_viewer *v, vec3 at)
{
    const cab_grab *g = &v->grab;
    if (!cab_viewer_read_rows(v)) return false;
    if (g->body >= 0) return cab_solids_place(cab_renderer_solids(v->renderer), g->body, g->at, at);
    memcpy(at, cab_renderer_rows(v->renderer)[g->node], sizeof(vec3));
    return true;
}

const cab_opened cab_opened_cables = {
    .view = "corner",
    .rate = rate,
    .step = step,
    .reset = reset,
    .measure = measure,
    .grab = grab,
    .pull = pull,
    .let_go = let_go,
    .held = held,
    .close = close,
};
