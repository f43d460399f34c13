/* Text that grows. A failed allocation is remembered and shows when the text is taken. */
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

/* Ends it with a zero and hands it over; the caller frees it. NULL when memory was out. */
char *cab_text_take(cab_text *text);

/* A whole file, with a zero behind its end; NULL and errno when it cannot be read. The caller frees it. */
char *cab_text_read_file(const char *path, size_t *size);

#endif
