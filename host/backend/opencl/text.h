/* Text that grows. A failed allocation is remembered; cab_text_take then returns NULL. */
#ifndef CAB_OPENCL_TEXT_H
#define CAB_OPENCL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cab_text {
    char *data;
    size_t length, capacity;
    bool failed;
} cab_text;

void cab_text_add(cab_text *text, const char *data, size_t length);
void cab_text_format(cab_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the text with a zero and hands it to the caller, who frees it. NULL on failure. */
char *cab_text_take(cab_text *text);

/* Reads a whole file and adds a zero; NULL, with errno set, on failure. The caller frees it. */
char *cab_text_read_file(const char *path, size_t *size);

#endif
