#define _GNU_SOURCE /* fopencookie() */
#include "base/text_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static ssize_t take(void *cookie, const char *bytes, size_t size)
{
    cab_text_stream *s = cookie;
    if (s->size + size + 1 > s->room) {
        size_t room = 2 * s->room + size + 1;
        char *larger = realloc(s->bytes, room);
        if (!larger) {
            s->lost = true;
            return 0;
        }
        s->bytes = larger;
        s->room = room;
    }
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
    s->bytes[s->size] = '\0';
    return (ssize_t)size;
}

void cab_text_stream_open(cab_text_stream *stream)
{
    *stream = (cab_text_stream){.bytes = NULL};
    stream->file = fopencookie(stream, "w", (cookie_io_functions_t){.write = take});
    stream->lost = stream->file == NULL;
}

bool cab_text_stream_close(cab_text_stream *stream, char **bytes, size_t *size)
{
    if (stream->file && ferror(stream->file)) stream->lost = true;
    if (stream->file && fclose(stream->file) != 0) stream->lost = true;
    bool whole = !stream->lost && stream->bytes;
    if (!whole) free(stream->bytes);
    *bytes = whole ? stream->bytes : NULL;
    *size = whole ? stream->size : 0;
    return whole;
}
