/* KBL files, where scenes are read. */
#ifndef CAB_KBL_CONVERT_H
#define CAB_KBL_CONVERT_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>
#include <jansson.h>

#include "base/path.h"

/* Does a file's name end in ".kbl" or ".vec"? */
static inline bool cab_kbl_is(const char *file)
{
    return cab_path_ends(file, ".kbl") || cab_path_ends(file, ".vec");
}

/* Overrides that begin so are options of the conversion, not places in the scene. */
#define CAB_KBL_POINTER "/kbl/"

/* The scene of a harness, as a document for json_decref(); "notes" in it lists what was assumed.
 *
 * @return CAB_OK; CAB_ERROR_INPUT (no KBL, or nothing in it can be a scene), CAB_ERROR_UNSUPPORTED (a build
 * without libxml2), CAB_ERROR_MEMORY */
cab_status cab_kbl_document(const char *file, const char *text, size_t size, const char *const *overrides,
                            int override_count, json_t **document, cab_error *error);

/* A harness that was read from `text` as the text of a file in another format, or the same: as VEC 2.1 where `target` is a name that
 * ends in ".vec", else as KBL 2.4; free() it. losses: what is lost, texts such as "430 Connection"; for json_decref(), whatever the
 * status; NULL = not asked for.
 *
 * @return CAB_OK; as cab_kbl_document() */
cab_status cab_kbl_to_harness(const char *file, const char *text, size_t size, const char *target,
                              char **made, size_t *made_size, json_t **losses, cab_error *error);

/* io/scene_save.c: a harness from one file into another, by their endings; complete or not written. losses: as above.
 *
 * @return CAB_OK; as cab_kbl_document(); CAB_ERROR_IO (cannot be read, or written) */
cab_status cab_harness_save(const char *path_in, const char *path_out, json_t **losses, cab_error *error);

#endif
