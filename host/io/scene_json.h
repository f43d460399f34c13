/* Scenes as JSON text. cab_scene_load of <clcable/scene.h> reads the file and comes here. */
#ifndef CAB_SCENE_JSON_H
#define CAB_SCENE_JSON_H

#include <stddef.h>

#include <clcable/scene.h>

#include "io/json/cursor.h"

/* The two steps of cab_scene_parse(): the document with the overrides in it, for json_decref(); a scene of a
 * document. */
cab_status cab_scene_document(const char *file, const char *text, size_t size, const char *const *overrides,
                              int override_count, json_t **document, cab_error *error);
cab_status cab_scene_from_document(json_t *document, const char *file, cab_scene **scene, cab_error *error);

/* Parts of a document: io/scene_cables.c, io/scene_colliders.c, io/scene_constraints.c and io/scene_sheets.c.
 */
cab_status cab_read_cables(const cab_cursor *document);
cab_status cab_read_attachments(const cab_cursor *document);
cab_status cab_read_parts(const cab_cursor *document); /* io/scene_parts.c */
cab_status cab_read_loads(const cab_cursor *document);
cab_status cab_read_entries(const cab_cursor *document); /* io/scene_entries.c */
/* The keys of all such lists; returns how many, CAB_ENTRY_LISTS at most. */
enum { CAB_ENTRY_LISTS = 32 };
int cab_entry_keys(const char **keys);
cab_status cab_read_colliders(const cab_cursor *document);
cab_status cab_read_sheets(const cab_cursor *document);
cab_status cab_read_constraints(const cab_cursor *document);

/* What an attachment is held to, and a list of [t, x, y, z]; *frames is to be freed, whatever the status. */
cab_status cab_read_target(const cab_cursor *target, cab_attachment_def *def, cab_keyframe **frames);
cab_status cab_read_keyframes(const cab_cursor *list, const char *form, cab_keyframe **frames, int *count);

/* A place along a cable. */
cab_status cab_read_place(const cab_cursor *cursor, cab_place *place);

#define CAB_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
