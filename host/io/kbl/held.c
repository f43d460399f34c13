/* What is held: what is plugged in, fixed, loose, or said by the user to be, and what is let go of. */
#include "io/kbl/kbl.h"

#include <string.h>

#include "base/error.h"

/* Is a word one of these? Each may be NULL. */
static bool is_one_of(const char *word, const char *id, const char *name, const char *other)
{
    return (id && strcmp(word, id) == 0) || (name && strcmp(word, name) == 0) ||
           (other && strcmp(word, other) == 0);
}

/* Does a list of the user's name one of these? */
static bool is_named(const json_t *list, const char *id, const char *name, const char *other)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (is_one_of(json_string_value(json_array_get(list, i)), id, name, other)) return true;
    return false;
}

static bool is_anywhere(const cab_kbl *kbl, const char *word)
{
    for (int i = 0; i < kbl->node_count; i++)
        if (is_one_of(word, kbl->nodes[i].id, kbl->nodes[i].connector, kbl->nodes[i].fixing)) return true;
    for (int i = 0; i < kbl->fixing_count; i++)
        if (is_one_of(word, kbl->fixings[i].id, kbl->fixings[i].name, NULL)) return true;
    return false;
}

static cab_status check_names(const cab_kbl *kbl, const char *key, const json_t *list, cab_error *error)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (!is_anywhere(kbl, word))
            return cab_fail(
                error, CAB_ERROR_INPUT,
                "%s: /kbl/%s/%zu: expected the id of a node, or the name of a connector or fixing, got "
                "\"%.60s\"",
                kbl->file, key, i, word);
    }
    return CAB_OK;
}

/* Lets go of what the user says; true: of something here. */
static bool let_go(cab_kbl_node *node, const json_t *free)
{
    bool plug = is_named(free, node->id, node->connector, NULL);
    bool fixing = is_named(free, node->id, node->fixing, NULL);
    if (plug) node->plugged = false, node->connector = NULL;
    if (fixing) node->fixing = NULL;
    return plug || fixing;
}

/* Tells what is held for another reason than a connector or a fixing, and what is not although it ends there. */
static void tell(cab_kbl *kbl, const cab_kbl_node *node, bool said_held, bool said_free)
{
    if (said_free) cab_kbl_note(kbl, node->line, node->id, "not held, as /kbl/free says");
    if (said_held)
        cab_kbl_note(kbl, node->line, node->id, "held as it is drawn, as /kbl/hold says");
    else if (node->plugged && !node->connector)
        cab_kbl_note(kbl, node->line, node->id, "held as it is drawn: a terminal or box is here");
    else if (node->held && !node->plugged && !node->fixing)
        cab_kbl_note(kbl, node->line, node->id,
                     "held as it is drawn: nothing is plugged in here; --set /kbl/free=%.60s lets it hang",
                     node->id);
    else if (!node->held && node->degree == 1 && !said_free)
        cab_kbl_note(kbl, node->line, node->id,
                     "nothing is plugged in here, so it hangs free, as /kbl/loose_ends says");
}

static void choose_node(cab_kbl *kbl, cab_kbl_node *node, const cab_kbl_options *options)
{
    bool said_free = let_go(node, options->free), known = node->plugged || node->fixing;
    bool said_held = !known && is_named(options->hold, node->id, NULL, NULL);
    node->held = known || said_held || (node->degree == 1 && !options->loose_ends_free && !said_free);
    tell(kbl, node, said_held, said_free);
}

cab_status cab_kbl_choose_held(cab_kbl *kbl, const cab_kbl_options *options, cab_error *error)
{
    bool any = false;
    cab_status status = check_names(kbl, "hold", options->hold, error);
    if (!status) status = check_names(kbl, "free", options->free, error);
    if (status) return status;
    for (int i = 0; i < kbl->fixing_count; i++) {
        cab_kbl_fixing *f = &kbl->fixings[i];
        f->let_go = is_named(options->free, f->id, f->name, NULL);
        if (f->let_go) cab_kbl_note(kbl, f->line, f->id, "not held, as /kbl/free says");
        any |= !f->let_go;
    }
    for (int i = 0; i < kbl->node_count; i++) {
        if (!kbl->nodes[i].degree) continue;
        choose_node(kbl, &kbl->nodes[i], options);
        any |= kbl->nodes[i].held;
    }
    if (!any)
        cab_kbl_note(kbl, 0, "harness", "nothing holds it, so it falls; /kbl/hold names what is to be held");
    return CAB_OK;
}
