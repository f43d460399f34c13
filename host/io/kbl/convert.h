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

/* A harness that was read from `text` as the text of a VEC file; free() it.
 *
 * @return CAB_OK; as cab_kbl_document() */
cab_status cab_kbl_to_vec(const char *file, const char *text, size_t size, char **vec, size_t *vec_size,
                          cab_error *error);

#endif
