#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/text.h"
#include "base/open.h"

void cab_text_add(cab_text *text, const char *data, size_t length)
{
    if (text->failed) return;
    if (text->capacity - text->length < length + 1) {
        size_t capacity = 2 * (text->length + length) + 1024;
        char *grown = realloc(text->data, capacity);
        text->failed = !grown;
        if (!grown) return;
        text->data = grown;
        text->capacity = capacity;
    }
    memcpy(text->data + text->length, data, length);
    text->length += length;
}

void cab_text_format(cab_text *text, const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof line)
        text->failed = true;
    else
        cab_text_add(text, line, (size_t)length);
}

char *cab_text_take(cab_text *text)
{
    cab_text_add(text, "", 1);
    char *data = text->data;
    if (text->failed) {
        free(data);
        data = NULL;
    }
    *text = (cab_text){0};
    return data;
}

char *cab_text_read_file(const char *path, size_t *size)
{
    FILE *file = cab_open_regular(path);
    if (!file) return NULL;
    cab_text text = {0};
    char part[4096];
    errno = 0;
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) cab_text_add(&text, part, n);
    int failure = ferror(file) ? (errno ? errno : EIO) : 0;
    fclose(file);
    *size = text.length;
    char *data = cab_text_take(&text);
    if (data && !failure) return data;
    free(data);
    errno = failure ? failure : ENOMEM;
    return NULL;
}
