/* Adds items to a scene: each is checked and copied first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/check.h"
#include "model/names.h"
#include "model/scene_check.h"
#include "model/scene_items.h"

cab_status cab_scene_add_material(cab_scene *scene, const cab_material_def *def, cab_error *error)
{
    cab_status status = cab_check_material(scene, def, error);
    return status ? status : cab_item_append(scene, CAB_ITEM_MATERIAL, def, error);
}

cab_status cab_scene_add_cable(cab_scene *scene, const cab_cable_def *def, cab_error *error)
{
    size_t length;
    int index[3];
    cab_status status = cab_check_cable(scene, def, error);
    if (!status) status = cab_item_append(scene, CAB_ITEM_CABLE, def, error);
    if (!status) scene->copy_like_names += cab_name_split_copy(def->name, &length, index);
    return status;
}

cab_status cab_scene_add_sheet(cab_scene *scene, const cab_sheet_def *def, cab_error *error)
{
    cab_status status = cab_check_sheet(scene, def, error);
    return status ? status : cab_item_append(scene, CAB_ITEM_SHEET, def, error);
}

cab_status cab_scene_add_collider(cab_scene *scene, const cab_collider_def *def, cab_error *error)
{
    cab_status status = cab_check_collider(scene, def, error);
    if (status) return status;
    cab_collider_def own = *def;
    if (def->shape != CAB_SHAPE_MESH) own.mesh = (cab_mesh){0};
    return cab_item_append(scene, CAB_ITEM_COLLIDER, &own, error);
}

cab_status cab_scene_add_body(cab_scene *scene, const cab_body_def *def, cab_error *error)
{
    cab_status status = cab_check_body(scene, def, error);
    return status ? status : cab_item_append(scene, CAB_ITEM_BODY, def, error);
}

/* What the target has no use for is left out. */
cab_status cab_scene_add_attachment(cab_scene *scene, const cab_attachment_def *def, cab_error *error)
{
    cab_status status = cab_check_attachment(scene, def, error);
    if (status) return status;
    cab_attachment_def own = *def;
    if (def->sheet) own.cable = NULL;
    if (!cab_target_joins(def->to) && def->to != CAB_TARGET_COLLIDER && def->to != CAB_TARGET_BODY)
        own.target = NULL;
    if (def->to != CAB_TARGET_KEYFRAMES) own.keyframe_count = 0;
    status = CAB_ONE_MORE(scene->attachment_index, scene->attachment_count, error);
    if (!status) status = cab_item_append(scene, CAB_ITEM_ATTACHMENT, &own, error);
    if (!status) scene->attachment_index[scene->attachment_count - 1] = scene->part_count[def->part]++;
    return status;
}

cab_status cab_scene_set_keyframes(cab_scene *scene, int attachment, const cab_keyframe *keyframes, int count,
                                   cab_error *error)
{
    cab_check_place place = {.scene = scene, .error = error};
    cab_keyframe *own;
    snprintf(place.pointer, sizeof place.pointer, "/attachments/%d", attachment);
    if (attachment < 0 || attachment >= scene->attachment_count)
        return cab_check_refuse(&place, "to/keyframes", "an attachment of the scene");
    snprintf(place.pointer, sizeof place.pointer, "%s", cab_attachment_pointer(scene, attachment).text);
    cab_attachment_def *def = &scene->attachments[attachment];
    if (def->to != CAB_TARGET_KEYFRAMES)
        return cab_check_refuse(&place, "to/keyframes", "an attachment that is led by keyframes");
    cab_status status = cab_check_keyframes(&place, "to/keyframes", keyframes, count, CAB_LIMIT_COORDINATE);
    if (status == CAB_OK) status = CAB_NEW(own, count, error);
    if (status != CAB_OK) return status;
    memcpy(own, keyframes, (size_t)count * sizeof *own);
    free((void *)def->keyframes);
    def->keyframes = own;
    def->keyframe_count = count;
    return CAB_OK;
}

cab_status cab_scene_add_tie(cab_scene *scene, const cab_tie_def *def, cab_error *error)
{
    cab_status status = cab_check_tie(scene, def, error);
    return status ? status : cab_item_append(scene, CAB_ITEM_TIE, def, error);
}

cab_status cab_scene_add_load(cab_scene *scene, const cab_load_def *def, cab_error *error)
{
    cab_status status = cab_check_load(scene, def, error);
    if (status) return status;
    cab_load_def own = *def;
    if (def->sheet) own.cable = NULL;
    return cab_item_append(scene, CAB_ITEM_LOAD, &own, error);
}

cab_status cab_scene_add_socket(cab_scene *scene, const cab_socket_def *def, cab_error *error)
{
    cab_status status = cab_check_socket(scene, def, error);
    return status ? status : cab_item_append(scene, CAB_ITEM_SOCKET, def, error);
}

cab_status cab_scene_add_probe(cab_scene *scene, const cab_probe_def *def, cab_error *error)
{
    cab_status status = cab_check_probe(scene, def, error);
    return status ? status : cab_item_append(scene, CAB_ITEM_PROBE, def, error);
}

cab_status cab_scene_add_constraint(cab_scene *scene, const cab_constraint_def *def, cab_error *error)
{
    cab_status status = cab_check_constraint(scene, def, error);
    return status ? status : cab_item_append(scene, CAB_ITEM_CONSTRAINT, def, error);
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
    cab_entry own = *entry;
    own.index = count_of(scene, list);
    cab_check_place place = cab_check_begin(scene, list->key, own.index, error);
    cab_status status = entry->cable ? CAB_OK : cab_check_refuse(&place, "cable", "the name of a cable");
    if (!status) status = cab_check_at(&place, "at", &entry->at, false);
    for (int i = 0; !status && i < list->number_count; i++) {
        const cab_entry_number *n = &list->numbers[i];
        status = cab_check_number(&place, n->key, entry->number[i], (cab_limit){n->min, n->max, false});
    }
    return status ? status : cab_item_append(scene, CAB_ITEM_ENTRY, &own, error);
}

cab_status cab_item_add(cab_scene *scene, cab_item_kind kind, const cab_item *item, cab_error *error)
{
    switch (kind) {
    case CAB_ITEM_MATERIAL:
        return cab_scene_add_material(scene, &item->material, error);
    case CAB_ITEM_CABLE:
        return cab_scene_add_cable(scene, &item->cable, error);
    case CAB_ITEM_SHEET:
        return cab_scene_add_sheet(scene, &item->sheet, error);
    case CAB_ITEM_COLLIDER:
        return cab_scene_add_collider(scene, &item->collider, error);
    case CAB_ITEM_BODY:
        return cab_scene_add_body(scene, &item->body, error);
    case CAB_ITEM_ATTACHMENT:
        return cab_scene_add_attachment(scene, &item->attachment, error);
    case CAB_ITEM_TIE:
        return cab_scene_add_tie(scene, &item->tie, error);
    case CAB_ITEM_LOAD:
        return cab_scene_add_load(scene, &item->load, error);
    case CAB_ITEM_SOCKET:
        return cab_scene_add_socket(scene, &item->socket, error);
    case CAB_ITEM_PROBE:
        return cab_scene_add_probe(scene, &item->probe, error);
    case CAB_ITEM_CONSTRAINT:
        return cab_scene_add_constraint(scene, &item->constraint, error);
    default:
        return cab_scene_add_entry(scene, &item->entry, error);
    }
}

cab_status cab_scene_copy(const cab_scene *scene, cab_scene **copy, cab_error *error)
{
    cab_scene *to = cab_scene_create();
    if (!to) return cab_fail_memory(error, "a scene", sizeof *to);
    to->settings = scene->settings;
    cab_status status = cab_scene_set_source(to, scene->source, error);
    for (int kind = 0; kind < CAB_ITEM_KINDS; kind++)
        for (int i = 0; !status && i < cab_item_count(scene, (cab_item_kind)kind); i++)
            status = cab_item_add(to, (cab_item_kind)kind, cab_item_at(scene, (cab_item_kind)kind, i), error);
    if (status == CAB_OK)
        *copy = to;
    else
        cab_scene_destroy(to);
    return status;
}
