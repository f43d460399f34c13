/* Memory and notes of a harness. */
#include "io/kbl/kbl.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cab_kbl_block {
    cab_kbl_block *next;
    max_align_t bytes[];
};

void *cab_kbl_new(cab_kbl *kbl, size_t count, size_t size)
{
    cab_kbl_block *block =
        count > (SIZE_MAX - sizeof *block) / size ? NULL : calloc(1, sizeof *block + count * size);
    if (!block) {
        kbl->lost = true;
        return NULL;
    }
    block->next = kbl->memory;
    kbl->memory = block;
    return block->bytes;
}

void *cab_kbl_one_more(cab_kbl *kbl, void *array, int count, size_t size)
{
    if ((count & (count - 1)) != 0) return array; /* doubled at each power of two */
    void *larger = cab_kbl_new(kbl, 2 * (size_t)count + 1, size);
    if (larger && count) memcpy(larger, array, (size_t)count * size);
    return larger;
}

void cab_kbl_free(cab_kbl *kbl)
{
    while (kbl->memory) {
        cab_kbl_block *block = kbl->memory;
        kbl->memory = block->next;
        free(block);
    }
    json_decref(kbl->notes);
    *kbl = (cab_kbl){0};
}

void cab_kbl_note(cab_kbl *kbl, int line, const char *id, const char *format, ...)
{
    char text[400], whole[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (line)
        snprintf(whole, sizeof whole, "%.200s: line %d: %.150s: %s", kbl->file, line, id, text);
    else
        snprintf(whole, sizeof whole, "%.200s: %.150s: %s", kbl->file, id, text);
    /* cutting may have split a character; asked again, since it also fails without memory, and does not say which */
    json_t *note = json_string(whole);
    if (!note) note = json_string(whole);
    if (!note) note = json_string("a note that is no UTF-8");
    if (json_array_append_new(kbl->notes, note) != 0) kbl->lost = true;
}
