#include "model/names.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define WORD_MAX 64 /* longer words are nobody's typing mistake */

static const char *name_of(const void *items, size_t stride, int index)
{
    return *(const char *const *)((const char *)items + (size_t)index * stride);
}

/* FNV-1a. */
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

int cab_name_table_find(const cab_name_table *table, const void *items, size_t stride, const char *name)
{
    if (table->size == 0 || !name) return -1;
    unsigned mask = (unsigned)table->size - 1;
    for (unsigned slot = hash_name(name) & mask; table->slots[slot]; slot = (slot + 1) & mask) {
        int index = table->slots[slot] - 1;
        if (strcmp(name_of(items, stride, index), name) == 0) return index;
    }
    return -1;
}

static void enter(cab_name_table *table, const char *name, int index)
{
    unsigned mask = (unsigned)table->size - 1;
    unsigned slot = hash_name(name) & mask;
    while (table->slots[slot]) slot = (slot + 1) & mask;
    table->slots[slot] = index + 1;
}

/* At most half full. Unnamed items (colliders) are left out. */
cab_status cab_name_table_add(cab_name_table *table, const void *items, size_t stride, int index,
                              cab_error *error)
{
    if (index < table->size / 2) {
        if (name_of(items, stride, index)) enter(table, name_of(items, stride, index), index);
        return CAB_OK;
    }
    int size = table->size ? table->size : 8;
    while (index >= size / 2) size *= 2;
    int *slots = calloc((size_t)size, sizeof *slots);
    if (!slots) return cab_fail_memory(error, "a table of names", (unsigned long long)size * sizeof *slots);
    free(table->slots);
    table->slots = slots;
    table->size = size;
    for (int i = 0; i <= index; i++)
        if (name_of(items, stride, i)) enter(table, name_of(items, stride, i), i);
    return CAB_OK;
}

/* Digits without a leading zero, ended by `end`, spaces before them. NULL when it is something else. */
static const char *read_index(const char *text, char end, int *value)
{
    while (*text == ' ') text++;
    if (!isdigit((unsigned char)text[0]) || (text[0] == '0' && text[1] != end)) return NULL;
    long long sum = 0;
    while (isdigit((unsigned char)*text) && sum <= INT_MAX) sum = sum * 10 + (*text++ - '0');
    if (*text != end || sum > INT_MAX) return NULL;
    *value = (int)sum;
    return text + 1;
}

bool cab_name_split_copy(const char *name, size_t *base_length, int copy[3])
{
    const char *bracket = strrchr(name, '[');
    if (!bracket || bracket == name) return false;
    const char *text = read_index(bracket + 1, ',', &copy[0]);
    if (text) text = read_index(text, ',', &copy[1]);
    if (text) text = read_index(text, ']', &copy[2]);
    if (!text || *text) return false;
    *base_length = (size_t)(bracket - name);
    return true;
}

void cab_pointer_escape(const char *key, char *text, size_t size)
{
    size_t used = 0;
    for (; *key && used + 3 <= size; key++) {
        if (*key == '~' || *key == '/') {
            text[used++] = '~';
            text[used++] = *key == '~' ? '0' : '1';
        } else {
            text[used++] = *key;
        }
    }
    text[used] = '\0';
}

static int min3(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's distance, capitals ignored; a swap of neighbours counts once. Both words up to WORD_MAX. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][WORD_MAX + 1];
    int length_a = (int)strlen(a), length_b = (int)strlen(b);
    for (int j = 0; j <= length_b; j++) rows[0][j] = j;
    for (int i = 1; i <= length_a; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= length_b; j++) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (ca != cb));
            bool swapped = i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                           cb == tolower((unsigned char)a[i - 2]);
            if (swapped) row[j] = min3(row[j], two_above[j - 2] + 1, row[j]);
        }
    }
    return rows[length_a % 3][length_b];
}

const char *cab_nearest(const char *word, const char *const *names, int count)
{
    size_t length = strlen(word);
    if (length == 0 || length > WORD_MAX) return NULL;
    const char *nearest = NULL;
    int best = 2 + (int)length / 3; /* a third of the letters and one may be wrong */
    for (int i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other > WORD_MAX) continue;
        int distance = edit_distance(word, names[i]);
        bool near = distance < best && distance < (int)(other > length ? other : length);
        if (!near) continue;
        best = distance;
        nearest = names[i];
    }
    return nearest;
}

cab_status cab_fail_unknown(cab_error *error, const char *source, const char *pointer, const char *kind,
                            const char *name, const void *items, size_t stride, int count)
{
    const char **names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++) names[i] = name_of(items, stride, i);
    const char *near = names ? cab_nearest(name, names, count) : NULL;
    free(names);
    return cab_fail(error, CAB_ERROR_INPUT, "%s: %s: no %s is called \"%s\"%s%s%s", source, pointer, kind,
                    name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}
