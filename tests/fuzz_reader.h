/* What the libFuzzer targets of the readers of scenes share: an input is a scene file; after a zero byte may
 * follow overrides as of `--set`, a zero byte between them. tests/fuzz_corpus.py makes inputs to start from.
 */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/clcable.h>

#define OVERRIDES_MAX 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a failing call promises: a status that is the error's, one line. */
static inline void check_error(cab_status status, const cab_error *error)
{
    size_t length = strnlen(error->message, sizeof error->message);
    if (error->status != status || length == 0 || length == sizeof error->message) abort();
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)error->message[i] < 0x20) abort();
}

/* An input, taken apart. */
typedef struct input {
    char *text;
    size_t length;
    const char *overrides[OVERRIDES_MAX];
    int count;
} input;

/* The target: takes the input apart and hands it on. */
static inline int read_input(const uint8_t *data, size_t size, void (*read)(const input *in))
{
    input in = {.text = malloc(size + 1)};
    if (!in.text) return 0;
    memcpy(in.text, data, size);
    in.text[size] = '\0';
    in.length = strlen(in.text);
    for (size_t at = in.length + 1; at < size && in.count < OVERRIDES_MAX; at += strlen(in.text + at) + 1)
        in.overrides[in.count++] = in.text + at;
    read(&in);
    free(in.text);
    return 0;
}

#endif
