/* Scenes as JSON text. cab_scene_load of <clcable/scene.h> reads the file and comes here. */
#ifndef CAB_SCENE_JSON_H
#define CAB_SCENE_JSON_H

#include <stddef.h>

#include <clcable/scene.h>

#include "io/json/cursor.h"

/* cab_scene_parse() in steps: the document with the overrides, for json_decref(); the scene of it. */
cab_status cab_scene_document(const char *file, const char *text, size_t size, const char *const *overrides,
                              int override_count, json_t **document, cab_error *error);
cab_status cab_scene_from_document(json_t *document, const char *file, cab_scene **scene, cab_error *error);

/* Items of a document's lists, added to the scene `into`: io/scene_bodies.c, scene_cables.c, scene_colliders.c, scene_constraints.c,
 * scene_parts.c and scene_sheets.c. */
cab_item_reader cab_read_cable, cab_read_sheet, cab_read_body, cab_read_collider, cab_read_attachment,
    cab_read_clip, cab_read_connector, cab_read_tie, cab_read_load, cab_read_probe, cab_read_socket,
    cab_read_constraint;

/* io/scene_entries.c: the lists that kinds of constraints have of their own. */
cab_status cab_read_entries(const cab_cursor *document);
/* The keys of all such lists; returns how many, CAB_ENTRY_LISTS at most. */
enum { CAB_ENTRY_LISTS = 32 };
int cab_entry_keys(const char **keys);

/* What an attachment is held to, into a cab_attachment_def, whose keyframes are to be freed, whatever the status. A
 * place along a cable, into a cab_place. */
cab_item_reader cab_read_target, cab_read_place, cab_read_roll;
/* Copies of a cable or a body. */
cab_status cab_read_copies(const cab_cursor *cursor, int copies[3], double spacing[3]);
extern const cab_array_form cab_keyframes_form; /* of a list of [t, x, y, z] */
extern const cab_array_form
    cab_poses_form; /* of a list of [t, x, y, z, qw, qx, qy, qz], the last four left out or not */

#endif
