/* What the readers of all studies' scenes have in common. */
#ifndef CAB_STUDY_READ_H
#define CAB_STUDY_READ_H

#include "io/json/cursor.h"

/* Checks the document of a scene, whose only key beside the format's version is the study's: "particles". The
 * body is what stands there. */
cab_status cab_study_read_document(const cab_cursor *document, const char *key, cab_cursor *body);

/* Each reads the value of a key; without the key *value stays what it is. */
cab_status cab_study_read_switch(const cab_cursor *object, const char *key, bool *value);
cab_status cab_study_read_number(const cab_cursor *object, const char *key, cab_limit limit, double *value);
cab_status cab_study_read_integer(const cab_cursor *object, const char *key, cab_limit limit, int *value);
/* The index of the word in `words`. */
cab_status cab_study_read_word(const cab_cursor *object, const char *key, const char *const *words, int count,
                               int *value);

/* Reads each object of a list, which may be missing, into `out`. */
typedef cab_status cab_study_read_item(const cab_cursor *item, void *out);
cab_status cab_study_read_each(const cab_cursor *object, const char *key, cab_study_read_item *read,
                               void *out);

/* Reads what is there; returns from the function on a fault. */
#define CAB_TRY(...)                                                                                         \
    do {                                                                                                     \
        cab_status try_status = __VA_ARGS__;                                                                 \
        if (try_status != CAB_OK) return try_status;                                                         \
    } while (0)

#endif
