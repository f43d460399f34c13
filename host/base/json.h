/* Reading JSON by jansson where memory may run out. jansson 2.14 does not look whether a character could be kept: without
 * memory it drops it, takes another text for it, or writes beyond a buffer. */
#ifndef CAB_JSON_H
#define CAB_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include <clcable/status.h>

/* From now on cab_json_load() stops jansson at the first allocation that fails, and nothing of the above can happen. For
 * programs, before their first call of jansson: in a library its allocator is the user's to choose. */
void cab_json_watch_memory(void);

/* Building a document: jansson's calls that add to it are passed over where they fail, and asked at the end. cab_json_build() begins;
 * cab_json_lacks() tells whether something that was to go into it is not there for want of memory. Where memory is watched only. */
void cab_json_build(void);
bool cab_json_lacks(void);

/* Reads a document as json_loadb() does with these flags; NULL after a fault. *lost tells whether the reason was memory:
 * for certain where memory is watched, else by what jansson says. */
json_t *cab_json_load(const char *text, size_t size, size_t flags, json_error_t *fault, bool *lost);
/* Says where in a file it is no JSON, and why. Returns CAB_ERROR_INPUT. */
cab_status cab_json_fail(const char *file, const json_error_t *fault, cab_error *error);
/* The same as cab_json_load() of an open file, as json_loadf() does. */
json_t *cab_json_load_file(FILE *file, size_t flags, json_error_t *fault, bool *lost);

#endif
