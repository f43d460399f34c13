/* A stream into memory that remembers when there was none: that of open_memstream() loses bytes then, and does not say so. */
#ifndef CAB_TEXT_STREAM_H
#define CAB_TEXT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cab_text_stream {
    FILE *file;  /* NULL = there was no memory */
    char *bytes; /* complete when the stream is closed */
    size_t size, room;
    bool lost;
} cab_text_stream;

/* Begins one, at a place that stays where it is. */
void cab_text_stream_open(cab_text_stream *stream);
/* Ends it. True: *bytes, to be freed, are all that was written, with a zero behind. False: there was no memory. */
bool cab_text_stream_close(cab_text_stream *stream, char **bytes, size_t *size);

#endif
