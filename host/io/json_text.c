#include "io/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "io/file.h"

#define COLUMNS 110
#define LIST_LEVELS 2   /* the document and what is directly in it have a line for each member */
#define LEAST_FIXED -3  /* smallest power of ten that is written without exponent where that is longer, */
#define MOST_FIXED 6    /* and the largest */
#define NUMBER_SIZE 400 /* the longest double without exponent has 309 digits before the point */

static void add(cab_text *text, const char *bytes, size_t size)
{
    if (text->lost) return;
    if (text->size + size + 1 > text->room) {
        size_t room = 2 * text->room + size + 1;
        char *grown = realloc(text->bytes, room);
        text->lost = !grown;
        if (!grown) return;
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

static void add_word(cab_text *text, const char *word)
{
    add(text, word, strlen(word));
}

static void new_line(cab_text *text, int indent)
{
    add(text, "\n", 1);
    text->line = text->size;
    for (int i = 0; i < indent; i++) add(text, " ", 1);
}

/* The fewest digits that are this number again, and the power of ten of the first. */
static int shortest(double value, char digits[32])
{
    char form[40];
    int precision = 0;
    do {
        snprintf(form, sizeof form, "%.*e", precision, value);
    } while (strtod(form, NULL) != value && ++precision < 17);
    char *exponent = strchr(form, 'e');
    int count = 0;
    for (char *c = form; c < exponent; c++)
        if (*c >= '0' && *c <= '9') digits[count++] = *c;
    while (count > 1 && digits[count - 1] == '0') count--;
    digits[count] = '\0';
    return atoi(exponent + 1);
}

static void without_exponent(const char *digits, int power, char out[NUMBER_SIZE])
{
    int count = (int)strlen(digits), at = 0;
    if (power < 0) out[at++] = '0', out[at++] = '.';
    for (int i = power; i < -1; i++) out[at++] = '0';
    for (int i = 0; i < count || i <= power; i++) {
        if (i > 0 && i == power + 1) out[at++] = '.';
        out[at++] = i < count ? digits[i] : '0';
    }
    if (power >= count - 1) out[at++] = '.', out[at++] = '0';
    out[at] = '\0';
}

static void add_real(cab_text *text, double value)
{
    char digits[32], fixed[NUMBER_SIZE], scientific[NUMBER_SIZE];
    int power = shortest(fabs(value), digits);
    snprintf(scientific, NUMBER_SIZE, "%c%s%se%d", digits[0], digits[1] ? "." : "", digits + 1, power);
    without_exponent(digits, power, fixed);
    bool usual = power >= LEAST_FIXED && power < MOST_FIXED;
    if (signbit(value)) add_word(text, "-");
    add_word(text, usual || strlen(fixed) <= strlen(scientific) ? fixed : scientific);
}

static void add_string(cab_text *text, const char *string)
{
    json_t *value = json_string(string);
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        add_word(text, quoted);
    else
        text->lost = true;
    free(quoted);
    json_decref(value);
}

static void add_scalar(cab_text *text, const json_t *value)
{
    char number[32];
    if (json_is_string(value)) {
        add_string(text, json_string_value(value));
    } else if (json_is_integer(value)) {
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        add_word(text, number);
    } else if (json_is_real(value)) {
        add_real(text, json_real_value(value));
    } else {
        add_word(text, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}

/* ---- layout ---- */

/* How a container is written. */
typedef enum json_layout { ON_ONE_LINE, FILLED, LINE_BY_LINE } json_layout;

static bool is_empty(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) == 0
                                : !json_is_object(value) || json_object_size(value) == 0;
}

static bool is_container(const json_t *value)
{
    return json_is_array(value) || json_is_object(value);
}

static bool has_object(const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    json_array_foreach((json_t *)value, i, member)
    {
        if (json_is_object(member) || has_object(member)) return true;
    }
    json_object_foreach((json_t *)value, key, member)
    {
        if (json_is_object(member) || has_object(member)) return true;
    }
    return false;
}

static void write_value(cab_text *text, const json_t *value, int level, int indent, int after);
static void write_as(cab_text *text, const json_t *value, int level, int indent, int after,
                     json_layout layout);

/* Columns of a value on one line of the text; more than COLUMNS is as good as endless. */
static int width_of(cab_text *text, const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    int width = json_is_object(value) ? 4 : 2, count = 0;
    if (!is_container(value)) {
        cab_text alone = {0};
        add_scalar(&alone, value);
        width = alone.size < COLUMNS ? (int)alone.size : COLUMNS + 1;
        text->lost |= alone.lost;
        free(alone.bytes);
        return width;
    }
    json_array_foreach((json_t *)value, i, member)
    {
        width += width_of(text, member) + (count++ ? 2 : 0);
        if (width > COLUMNS) return width;
    }
    json_object_foreach((json_t *)value, key, member)
    {
        width += width_of(text, member) + (int)strlen(key) + 4 + (count++ ? 2 : 0);
        if (width > COLUMNS) return width;
    }
    return width;
}

static int column_of(const cab_text *text)
{
    return (int)(text->size - text->line);
}

/* What parts a member from the one before, its key, and itself. after: columns of what follows on its line.
 */
static void write_member(cab_text *text, const char *key, const json_t *member, bool first, int level,
                         int indent, int after, json_layout layout)
{
    int width = width_of(text, member) + (key ? (int)strlen(key) + 4 : 0) + after;
    bool turns = layout == LINE_BY_LINE || (layout == FILLED && column_of(text) + 2 + width > COLUMNS);
    if (!first) add_word(text, ",");
    if (layout == LINE_BY_LINE || (turns && !first))
        new_line(text, indent);
    else if (!first || key)
        add_word(text, " ");
    if (key) {
        add_string(text, key);
        add_word(text, ": ");
    }
    if (layout == ON_ONE_LINE)
        write_as(text, member, level, indent, after, ON_ONE_LINE);
    else
        write_value(text, member, level, indent, after);
}

static void write_as(cab_text *text, const json_t *value, int level, int indent, int after,
                     json_layout layout)
{
    const char *key;
    json_t *member;
    size_t i, size = json_array_size(value) + json_object_size(value), count = 0;
    bool object = json_is_object(value);
    if (!is_container(value)) {
        add_scalar(text, value);
        return;
    }
    add_word(text, object ? "{" : "[");
    int inner = layout == FILLED && !object ? indent + 1 : indent + 2, closes = after + (object ? 2 : 1);
    json_array_foreach((json_t *)value, i, member)
    {
        int follows = count + 1 == size && layout != LINE_BY_LINE ? closes : 1;
        write_member(text, NULL, member, count++ == 0, level + 1, inner, follows, layout);
    }
    json_object_foreach((json_t *)value, key, member)
    {
        int follows = count + 1 == size && layout != LINE_BY_LINE ? closes : 1;
        write_member(text, key, member, count++ == 0, level + 1, inner, follows, layout);
    }
    if (layout == LINE_BY_LINE)
        new_line(text, indent);
    else if (object && size > 0)
        add_word(text, " ");
    add_word(text, object ? "}" : "]");
}

/* level: 0 = the document. after: columns of what follows on the line. */
static void write_value(cab_text *text, const json_t *value, int level, int indent, int after)
{
    bool list = level < LIST_LEVELS && (level == 0 || has_object(value));
    json_layout layout = list                                                         ? LINE_BY_LINE
                         : column_of(text) + width_of(text, value) + after <= COLUMNS ? ON_ONE_LINE
                                                                                      : FILLED;
    write_as(text, value, level, indent, after, is_empty(value) ? ON_ONE_LINE : layout);
}

cab_status cab_json_text(const json_t *document, cab_text *text, cab_error *error)
{
    *text = (cab_text){0};
    write_value(text, document, 0, 0, 0);
    add_word(text, "\n");
    return text->lost ? cab_fail_memory(error, "a scene's text", text->size) : CAB_OK;
}

json_t *cab_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void write_text(cab_file *file, const void *of)
{
    const cab_text *text = of;
    cab_file_write(file, text->bytes, text->size);
}

cab_status cab_json_file(const char *path, json_t *document, const char *what, cab_error *error)
{
    cab_text text = {0};
    cab_status status = document && !cab_json_lacks()
                            ? cab_json_text(document, &text, error)
                            : cab_fail(error, CAB_ERROR_MEMORY, "%s: out of memory", what);
    if (!status) status = cab_file_make(path, write_text, &text, error);
    free(text.bytes);
    json_decref(document);
    return status;
}
