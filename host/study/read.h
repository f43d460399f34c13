/* What the readers of all studies' scenes have in common. */
#ifndef CAB_STUDY_READ_H
#define CAB_STUDY_READ_H

#include "io/json/cursor.h"

/* Checks the document of a scene, whose only key beside the format's version is the study's: "particles". The
 * body is what stands there. */
cab_status cab_study_read_document(const cab_cursor *document, const char *key, cab_cursor *body);

/* Reads what is there; returns from the function on a fault. */
#define CAB_TRY(...)                                                                                         \
    do {                                                                                                     \
        cab_status try_status = __VA_ARGS__;                                                                 \
        if (try_status != CAB_OK) return try_status;                                                         \
    } while (0)

#endif
