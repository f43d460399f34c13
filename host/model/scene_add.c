/* Adds items to a scene: each is checked and copied first. */
#include <string.h>

#include "base/array.h"
#include "model/names.h"
#include "model/scene.h"
#include "model/check.h"
#include "model/scene_check.h"
#include "model/scene_copy.h"

cab_status cab_scene_add_material(cab_scene *scene, const cab_material_def *def, cab_error *error)
{
    cab_status status = cab_check_material(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->materials, scene->material_count, error);
    if (status == CAB_OK) status = cab_copy_material(def, &scene->materials[scene->material_count], error);
    if (status != CAB_OK) return status;
    status = cab_name_table_add(&scene->material_names, scene->materials, sizeof *def, scene->material_count,
                                error);
    if (status != CAB_OK) {
        cab_drop_material(&scene->materials[scene->material_count]);
        return status;
    }
    scene->material_count++;
    return CAB_OK;
}

cab_status cab_scene_add_cable(cab_scene *scene, const cab_cable_def *def, cab_error *error)
{
    cab_status status = cab_check_cable(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->cables, scene->cable_count, error);
    if (status == CAB_OK) status = cab_copy_cable(def, &scene->cables[scene->cable_count], error);
    if (status != CAB_OK) return status;
    status = cab_name_table_add(&scene->cable_names, scene->cables, sizeof *def, scene->cable_count, error);
    if (status != CAB_OK) {
        cab_drop_cable(&scene->cables[scene->cable_count]);
        return status;
    }
    size_t length;
    int index[3];
    scene->copy_like_names += cab_name_split_copy(def->name, &length, index);
    scene->cable_count++;
    return CAB_OK;
}

cab_status cab_scene_add_sheet(cab_scene *scene, const cab_sheet_def *def, cab_error *error)
{
    cab_status status = cab_check_sheet(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->sheets, scene->sheet_count, error);
    if (status == CAB_OK) status = cab_copy_sheet(def, &scene->sheets[scene->sheet_count], error);
    if (status != CAB_OK) return status;
    status = cab_name_table_add(&scene->sheet_names, scene->sheets, sizeof *def, scene->sheet_count, error);
    if (status != CAB_OK) {
        cab_drop_sheet(&scene->sheets[scene->sheet_count]);
        return status;
    }
    scene->sheet_count++;
    return CAB_OK;
}

cab_status cab_scene_add_attachment(cab_scene *scene, const cab_attachment_def *def, cab_error *error)
{
    cab_status status = cab_check_attachment(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->attachments, scene->attachment_count, error);
    if (status == CAB_OK)
        status = cab_copy_attachment(def, &scene->attachments[scene->attachment_count], error);
    if (status != CAB_OK) return status;
    scene->attachment_count++;
    return CAB_OK;
}

cab_status cab_scene_add_tie(cab_scene *scene, const cab_tie_def *def, cab_error *error)
{
    cab_status status = cab_check_tie(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->ties, scene->tie_count, error);
    if (status == CAB_OK) status = cab_copy_tie(def, &scene->ties[scene->tie_count], error);
    if (status != CAB_OK) return status;
    scene->tie_count++;
    return CAB_OK;
}

cab_status cab_scene_add_load(cab_scene *scene, const cab_load_def *def, cab_error *error)
{
    cab_status status = cab_check_load(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->loads, scene->load_count, error);
    if (status == CAB_OK) status = cab_copy_load(def, &scene->loads[scene->load_count], error);
    if (status != CAB_OK) return status;
    scene->load_count++;
    return CAB_OK;
}

cab_status cab_scene_add_collider(cab_scene *scene, const cab_collider_def *def, cab_error *error)
{
    cab_status status = cab_check_collider(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->colliders, scene->collider_count, error);
    if (status == CAB_OK) status = cab_copy_collider(def, &scene->colliders[scene->collider_count], error);
    if (status != CAB_OK) return status;
    status = cab_name_table_add(&scene->collider_names, scene->colliders, sizeof *def, scene->collider_count,
                                error);
    if (status != CAB_OK) {
        cab_drop_collider(&scene->colliders[scene->collider_count]);
        return status;
    }
    scene->collider_count++;
    return CAB_OK;
}

cab_status cab_scene_add_constraint(cab_scene *scene, const cab_constraint_def *def, cab_error *error)
{
    cab_status status = cab_check_constraint(scene, def, error);
    if (status == CAB_OK) status = CAB_ONE_MORE(scene->constraints, scene->constraint_count, error);
    if (status == CAB_OK)
        status = cab_copy_constraint(def, &scene->constraints[scene->constraint_count], error);
    if (status != CAB_OK) return status;
    status = cab_name_table_add(&scene->constraint_names, scene->constraints, sizeof *def,
                                scene->constraint_count, error);
    if (status != CAB_OK) {
        cab_drop_constraint(&scene->constraints[scene->constraint_count]);
        return status;
    }
    scene->constraint_count++;
    return CAB_OK;
}

static int count_of(const cab_scene *scene, const cab_entry_list *list)
{
    int count = 0;
    for (int i = 0; i < scene->entry_count; i++) count += scene->entries[i].list == list;
    return count;
}

cab_status cab_scene_add_entry(cab_scene *scene, const cab_entry *entry, cab_error *error)
{
    const cab_entry_list *list = entry->list;
    cab_check_place place = cab_check_begin(scene, list->key, count_of(scene, list), error);
    cab_status status = entry->cable ? CAB_OK : cab_check_refuse(&place, "cable", "the name of a cable");
    if (!status) status = cab_check_at(&place, "at", &entry->at, false);
    for (int i = 0; !status && i < list->number_count; i++) {
        const cab_entry_number *n = &list->numbers[i];
        status = cab_check_number(&place, n->key, entry->number[i], (cab_limit){n->min, n->max, false});
    }
    if (!status) status = CAB_ONE_MORE(scene->entries, scene->entry_count, error);
    if (status) return status;
    cab_entry *copy = &scene->entries[scene->entry_count];
    *copy = *entry;
    copy->index = count_of(scene, list);
    copy->cable = strdup(entry->cable);
    if (!copy->cable) return cab_fail_memory(error, "a name", strlen(entry->cable) + 1);
    scene->entry_count++;
    return CAB_OK;
}

cab_status cab_scene_copy(const cab_scene *scene, cab_scene **copy, cab_error *error)
{
    cab_scene *to = cab_scene_create();
    if (!to) return cab_fail_memory(error, "a scene", sizeof *to);
    to->settings = scene->settings;
    cab_status status = cab_scene_set_source(to, scene->source, error);
    for (int i = 0; status == CAB_OK && i < scene->material_count; i++) {
        status = cab_scene_add_material(to, &scene->materials[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->cable_count; i++) {
        status = cab_scene_add_cable(to, &scene->cables[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->sheet_count; i++) {
        status = cab_scene_add_sheet(to, &scene->sheets[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->collider_count; i++) {
        status = cab_scene_add_collider(to, &scene->colliders[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->attachment_count; i++) {
        status = cab_scene_add_attachment(to, &scene->attachments[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->tie_count; i++) {
        status = cab_scene_add_tie(to, &scene->ties[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->load_count; i++) {
        status = cab_scene_add_load(to, &scene->loads[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->constraint_count; i++) {
        status = cab_scene_add_constraint(to, &scene->constraints[i], error);
    }
    for (int i = 0; status == CAB_OK && i < scene->entry_count; i++) {
        status = cab_scene_add_entry(to, &scene->entries[i], error);
    }
    if (status == CAB_OK)
        *copy = to;
    else
        cab_scene_destroy(to);
    return status;
}
