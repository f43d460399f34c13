/* A JSON document as text to be read by people. */
#ifndef CAB_JSON_TEXT_H
#define CAB_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>
#include <jansson.h>

/* A number in a document; JSON has no word for infinity and what is not a number: null. */
json_t *cab_json_number(double value);

/* Text that grows. */
typedef struct cab_text {
    char *bytes; /* ends with a zero; to be freed */
    size_t size, room;
    size_t line; /* where the last line begins */
    bool lost;   /* there was no memory */
} cab_text;

/* Keys in their order, two spaces to a level, lines of 110 columns at most where no single text is longer.
 * The document and its lists of objects have a line for each member; everything deeper is filled into lines.
 * A number is the shortest that reads back as the same; one that is no integer stays so. Free text->bytes
 * whatever the status. */
cab_status cab_json_text(const json_t *document, cab_text *text, cab_error *error);

/* A file of it, complete or not there, of a document that was built since cab_json_build() and is gone then. NULL, or one that lacks
 * something for want of memory: CAB_ERROR_MEMORY, `what` says of what. */
cab_status cab_json_file(const char *path, json_t *document, const char *what, cab_error *error);

#endif
