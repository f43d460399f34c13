/* `--set POINTER=VALUE`: changes a scene document before it is read. */
#ifndef CAB_OVERRIDE_H
#define CAB_OVERRIDE_H

#include <clcable/status.h>
#include <jansson.h>

/* POINTER as in RFC 6901, VALUE as JSON or else taken as text. What holds the value must be there, its last
 * key need not; "-" or the length appends to an array. /gravity, /time, /method and /contact are made when
 * missing, and a method that is a plain name becomes an object when the pointer goes into it. */
cab_status cab_override(json_t *document, const char *file, const char *text, cab_error *error);

#endif
