/* A scene: making it, what is in it by name, and where a file has its parts. */
#include "model/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/limits.h"

cab_scene *cab_scene_create(void)
{
    cab_scene *scene = calloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->settings = cab_settings_default();
    scene->source = strdup("scene");
    if (scene->source) return scene;
    free(scene);
    return NULL;
}

void cab_scene_destroy(cab_scene *scene)
{
    if (!scene) return;
    cab_items_free(scene);
    for (int i = 0; i < scene->note_count; i++) free(scene->notes[i]);
    CAB_FREE(scene->notes, scene->source, scene->attachment_index, scene);
}

cab_settings *cab_scene_settings(cab_scene *scene)
{
    return &scene->settings;
}

cab_status cab_scene_add_note(cab_scene *scene, const char *text, cab_error *error)
{
    cab_status status = CAB_RESIZE(scene->notes, scene->note_count + 1, error);
    if (status != CAB_OK) return status;
    char *copy = strdup(text);
    if (!copy) return cab_fail_memory(error, "a note", strlen(text) + 1);
    scene->notes[scene->note_count++] = copy;
    return CAB_OK;
}

cab_status cab_scene_set_source(cab_scene *scene, const char *source, cab_error *error)
{
    char *copy = strdup(source);
    if (!copy) return cab_fail_memory(error, "the scene's name", strlen(source) + 1);
    free(scene->source);
    scene->source = copy;
    return CAB_OK;
}

int cab_scene_find_material(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->material_names, scene->materials, sizeof *scene->materials, name);
}

int cab_scene_find_cable(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->cable_names, scene->cables, sizeof *scene->cables, name);
}

int cab_scene_find_collider(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->collider_names, scene->colliders, sizeof *scene->colliders, name);
}

int cab_scene_find_sheet(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->sheet_names, scene->sheets, sizeof *scene->sheets, name);
}

int cab_scene_find_body(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->body_names, scene->bodies, sizeof *scene->bodies, name);
}

int cab_scene_body_of(const cab_scene *scene, const char *name, bool *all, int at[3])
{
    char base[CAB_NAME_MAX + 1];
    size_t length;
    int body = cab_scene_find_body(scene, name);
    *all = body >= 0;
    if (body >= 0 || !cab_name_split_copy(name, &length, at) || length > CAB_NAME_MAX) return body;
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    return cab_scene_find_body(scene, base);
}

int cab_scene_find_socket(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->socket_names, scene->sockets, sizeof *scene->sockets, name);
}

int cab_scene_find_probe(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->probe_names, scene->probes, sizeof *scene->probes, name);
}

cab_pointer cab_attachment_pointer(const cab_scene *scene, int attachment)
{
    cab_pointer pointer;
    cab_part part = scene->attachments[attachment].part;
    snprintf(pointer.text, sizeof pointer.text, "/%s/%d", cab_part_list(part),
             scene->attachment_index[attachment]);
    return pointer;
}
