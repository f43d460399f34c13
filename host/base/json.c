#include "base/json.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The blocks that jansson has asked for while a document is read: a table with open addressing. */
typedef struct blocks {
    void **slot;
    size_t room, used; /* a power of two; slots that are or were taken */
} blocks;

static bool watched;
/* Of what a thread reads now; where to go on without memory, NULL = nothing is read. */
static _Thread_local blocks held;
static _Thread_local jmp_buf *way_out;
static char gone;                  /* stands where a block was */
static _Thread_local bool lacking; /* an allocation has failed since cab_json_build() */

/* Neighbours in memory are neighbours in the table, as they come one after the other; pages are strewn over it. */
static size_t home_of(const blocks *b, const void *block)
{
    size_t at = (uintptr_t)block / 16, page = at / 256;
    return ((size_t)(page * 0x9E3779B97F4A7C15u >> 20) + at % 256) & (b->room - 1);
}

static void **slot_of(const blocks *b, const void *block)
{
    size_t i = home_of(b, block);
    while (b->slot[i] && b->slot[i] != block) i = (i + 1) & (b->room - 1);
    return &b->slot[i];
}

/* Where a block that is not there goes. Places where blocks were are taken again: the same few blocks come and go with every word of a
 * document, and would leave ever longer rows of such places behind. */
static void **place_for(const blocks *b, const void *block)
{
    size_t i = home_of(b, block);
    while (b->slot[i] && b->slot[i] != &gone) i = (i + 1) & (b->room - 1);
    return &b->slot[i];
}

/* Makes room for one more; false when there is no memory. */
static bool make_room(blocks *b)
{
    if (2 * (b->used + 1) <= b->room) return true;
    blocks grown = {.room = b->room ? 4 * b->room : 1024};
    grown.slot = calloc(grown.room, sizeof *grown.slot);
    if (!grown.slot) return false;
    for (size_t i = 0; i < b->room; i++) {
        if (!b->slot[i] || b->slot[i] == &gone) continue;
        *place_for(&grown, b->slot[i]) = b->slot[i];
        grown.used++;
    }
    free(b->slot);
    *b = grown;
    return true;
}

static void *allocate(size_t size)
{
    if (!way_out) {
        void *plain = malloc(size);
        lacking = lacking || !plain;
        return plain;
    }
    void *block = make_room(&held) ? malloc(size) : NULL;
    if (!block) longjmp(*way_out, 1);
    void **slot = place_for(&held, block);
    held.used += !*slot;
    *slot = block;
    return block;
}

static void release(void *block)
{
    if (block && way_out && held.room) {
        void **slot = slot_of(&held, block);
        if (*slot) *slot = &gone;
    }
    free(block);
}

void cab_json_watch_memory(void)
{
    watched = true;
    json_set_alloc_funcs(allocate, release);
}

void cab_json_build(void)
{
    lacking = false;
}

bool cab_json_lacks(void)
{
    return lacking;
}

static void forget_blocks(bool free_them)
{
    for (size_t i = 0; i < held.room && free_them; i++)
        if (held.slot[i] != &gone) free(held.slot[i]);
    free(held.slot);
    held = (blocks){0};
}

/* A text, or a file where that is NULL. */
typedef struct source {
    const char *text;
    size_t size;
    FILE *file;
} source;

static json_t *load_plain(const source *from, size_t flags, json_error_t *fault)
{
    return from->text ? json_loadb(from->text, from->size, flags, fault)
                      : json_loadf(from->file, flags, fault);
}

static json_t *load_watched(const source *from, size_t flags, json_error_t *fault, bool *lost)
{
    jmp_buf here;
    *lost = setjmp(here) != 0;
    if (*lost) {
        lacking = true;
        way_out = NULL;
        forget_blocks(true);
        return NULL;
    }
    way_out = &here;
    json_t *root = load_plain(from, flags, fault);
    way_out = NULL;
    forget_blocks(false);
    return root;
}

/* Without memory for a text, jansson says that the text, which stands there whole, is not what it expected; or nothing. */
static bool sounds_lost(const json_error_t *fault)
{
    static const char *const said[] = {"string or '}' expected near '\"", "invalid token near '\""};
    if (json_error_code(fault) == json_error_out_of_memory || !fault->text[0]) return true;
    for (int i = 0; i < 2; i++)
        if (strncmp(fault->text, said[i], strlen(said[i])) == 0) return true;
    return false;
}

static json_t *load(const source *from, size_t flags, json_error_t *fault, bool *lost)
{
    if (watched) return load_watched(from, flags, fault, lost);
    json_t *root = load_plain(from, flags, fault);
    *lost = !root && sounds_lost(fault);
    return root;
}

json_t *cab_json_load(const char *text, size_t size, size_t flags, json_error_t *fault, bool *lost)
{
    return load(&(source){.text = text, .size = size}, flags, fault, lost);
}

json_t *cab_json_load_file(FILE *file, size_t flags, json_error_t *fault, bool *lost)
{
    return load(&(source){.file = file}, flags, fault, lost);
}

cab_status cab_json_fail(const char *file, const json_error_t *fault, cab_error *error)
{
    enum json_error_code code = json_error_code(fault);
    const char *text = fault->text;
    if (code == json_error_stack_overflow) text = "nested too deeply";
    return cab_fail(error, CAB_ERROR_INPUT, "%s: line %d, column %d: %s", file, fault->line, fault->column,
                    text);
}
