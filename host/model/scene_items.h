/* The lists of a scene, told once by a table: where each is in the scene, and what its items point at. By it items
 * are appended, copied and freed, whatever they are. */
#ifndef CAB_SCENE_ITEMS_H
#define CAB_SCENE_ITEMS_H

#include "model/scene.h"

/* In the order in which a scene takes them: what names another comes after it. */
typedef enum cab_item_kind {
    CAB_ITEM_MATERIAL = 0,
    CAB_ITEM_CABLE,
    CAB_ITEM_SHEET,
    CAB_ITEM_COLLIDER,
    CAB_ITEM_BODY,
    CAB_ITEM_ATTACHMENT,
    CAB_ITEM_TIE,
    CAB_ITEM_LOAD,
    CAB_ITEM_SOCKET,
    CAB_ITEM_PROBE,
    CAB_ITEM_CONSTRAINT,
    CAB_ITEM_ENTRY,
    CAB_ITEM_KINDS
} cab_item_kind;

typedef union cab_item {
    cab_material_def material;
    cab_cable_def cable;
    cab_sheet_def sheet;
    cab_collider_def collider;
    cab_body_def body;
    cab_attachment_def attachment;
    cab_tie_def tie;
    cab_load_def load;
    cab_socket_def socket;
    cab_probe_def probe;
    cab_constraint_def constraint;
    cab_entry entry;
} cab_item;

int cab_item_count(const cab_scene *scene, cab_item_kind kind);
const cab_item *cab_item_at(const cab_scene *scene, cab_item_kind kind, int index);

/* A copy that owns all it points at; nothing when memory is out. `def` and `copy` are of the kind's type. */
cab_status cab_item_copy(cab_item_kind kind, const void *def, void *copy, cab_error *error);
void cab_item_drop(cab_item_kind kind, void *copy);

/* Calls `visit` with every text of an item, NULL ones too. is_name: it names an item of a scene. */
typedef void cab_text_visitor(const char **text, bool is_name, void *user);
void cab_item_each_text(cab_item_kind kind, void *item, cab_text_visitor *visit, void *user);

/* Appends a copy of what has been checked, and enters its name. */
cab_status cab_item_append(cab_scene *scene, cab_item_kind kind, const void *def, cab_error *error);

/* scene_add.c: checks an item and adds it by the kind's own function. */
cab_status cab_item_add(cab_scene *scene, cab_item_kind kind, const cab_item *item, cab_error *error);

#endif
