#include "io/words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "model/limits.h"

#define NUMBER_SIZE 64 /* longer words are no numbers of ours */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

cab_word cab_words_next(cab_words *words)
{
    while (words->at < words->end && is_blank(*words->at)) words->at++;
    cab_word word = {words->at, 0};
    while (words->at < words->end && !is_blank(*words->at) && *words->at != '\n') words->at++;
    word.length = (size_t)(words->at - word.text);
    return word;
}

bool cab_words_next_line(cab_words *words)
{
    const char *end = memchr(words->at, '\n', (size_t)(words->end - words->at));
    words->at = end ? end + 1 : words->end;
    words->line++;
    return words->at < words->end;
}

cab_word cab_words_over_lines(cab_words *words)
{
    cab_word word = cab_words_next(words);
    while (word.length == 0 && cab_words_next_line(words)) word = cab_words_next(words);
    return word;
}

bool cab_word_is(cab_word word, const char *text)
{
    return word.length == strlen(text) && strncasecmp(word.text, text, word.length) == 0;
}

cab_status cab_words_fail(const cab_words *words, const char *expected, cab_word got)
{
    char text[NUMBER_SIZE];
    if (got.length == 0) {
        return cab_fail(words->error, CAB_ERROR_INPUT, "%s: line %d: expected %s, got nothing more",
                        words->file, words->line, expected);
    }
    size_t length = got.length < 40 ? got.length : 40;
    for (size_t i = 0; i < length; i++) text[i] = (unsigned char)got.text[i] < 0x20 ? '?' : got.text[i];
    text[length] = '\0';
    return cab_fail(words->error, CAB_ERROR_INPUT, "%s: line %d: expected %s, got \"%s\"", words->file,
                    words->line, expected, text);
}

static bool read_number(cab_word word, double *value)
{
    char text[NUMBER_SIZE], *end;
    if (word.length == 0 || word.length >= sizeof text) return false;
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    *value = strtod(text, &end);
    return *end == '\0' && cab_limit_holds(CAB_LIMIT_COORDINATE, *value);
}

cab_status cab_words_point(cab_words *words, cab_word (*next)(cab_words *words), cab_vec3 *point)
{
    double value[3];
    for (int i = 0; i < 3; i++) {
        cab_word word = next(words);
        if (!read_number(word, &value[i])) {
            char expected[96];
            cab_limit_text(CAB_LIMIT_COORDINATE, expected, sizeof expected);
            return cab_words_fail(words, expected, word);
        }
    }
    *point = (cab_vec3){value[0], value[1], value[2]};
    return CAB_OK;
}
