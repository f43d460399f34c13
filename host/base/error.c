#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifndef CLCABLE_VERSION
#error "CLCABLE_VERSION must be defined by the build"
#endif

/* Makes the text one line: control characters become blanks; a UTF-8 sequence that was cut is removed. */
static void make_one_line(char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) text[i] = ' ';
    if (length < CAB_MESSAGE_SIZE - 1) return;
    size_t first = length;
    while (first > 0 && ((unsigned char)text[first - 1] & 0xC0) == 0x80) first--;
    if (first == 0 || (unsigned char)text[first - 1] < 0xC0) return;
    unsigned char lead = (unsigned char)text[first - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (length - first + 1 < wanted) text[first - 1] = '\0';
}

cab_status cab_fail(cab_error *error, cab_status status, const char *format, ...)
{
    if (!error) return status;
    char text[CAB_MESSAGE_SIZE]; /* an argument may be error->message itself */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_one_line(text);
    memcpy(error->message, text, sizeof text);
    error->status = status;
    return status;
}

cab_status cab_fail_memory(cab_error *error, const char *what, unsigned long long bytes)
{
    return cab_fail(error, CAB_ERROR_MEMORY, "out of memory: %s needs %llu bytes", what, bytes);
}

const char *cab_status_name(cab_status status)
{
    switch (status) {
    case CAB_OK:
        return "ok";
    case CAB_ERROR_INPUT:
        return "input";
    case CAB_ERROR_UNSUPPORTED:
        return "unsupported";
    case CAB_ERROR_DEVICE:
        return "device";
    case CAB_ERROR_MEMORY:
        return "memory";
    case CAB_ERROR_IO:
        return "io";
    case CAB_ERROR_DIVERGED:
        return "diverged";
    }
    return "unknown";
}

const char *cab_version(void)
{
    return CLCABLE_VERSION;
}
