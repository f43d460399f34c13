/* Fills a cab_error in one line: return cab_fail(error, CAB_ERROR_INPUT, "...", ...); */
#ifndef CAB_ERROR_H
#define CAB_ERROR_H

#include <clcable/status.h>

/* Writes the message (cut to CAB_MESSAGE_SIZE, line breaks made blanks) and returns `status`. error may be
 * NULL. */
cab_status cab_fail(cab_error *error, cab_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a failed allocation of `bytes`. */
cab_status cab_fail_memory(cab_error *error, const char *what, unsigned long long bytes);

#endif
