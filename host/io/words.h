/* A text by lines and words: what readers of OBJ and STL files have in common. */
#ifndef CAB_WORDS_H
#define CAB_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/scene.h>

typedef struct cab_words {
    const char *file; /* for messages */
    const char *at, *end;
    int line;
    cab_error *error;
} cab_words;

typedef struct cab_word {
    const char *text; /* not ended by a zero; length 0 at the end of a line */
    size_t length;
} cab_word;

/* The next word of the line; empty at its end. */
cab_word cab_words_next(cab_words *words);
/* The same over line ends, empty lines included. */
cab_word cab_words_over_lines(cab_words *words);
/* To the next line; false at the end of the text. */
bool cab_words_next_line(cab_words *words);
bool cab_word_is(cab_word word, const char *text);
/* "FILE: line N: expected EXPECTED, got \"...\"" */
cab_status cab_words_fail(const cab_words *words, const char *expected, cab_word got);
/* Three coordinates within a scene's limits. */
cab_status cab_words_point(cab_words *words, cab_word (*next)(cab_words *words), cab_vec3 *point);

#endif
