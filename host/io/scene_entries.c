/* Reads the lists that kinds of constraints have of their own: items of a place on a cable and some numbers. */
#include "io/scene_json.h"
#include "model/constraint_kind.h"
#include "model/entries.h"
#include "model/limits.h"
#include "model/scene.h"

static cab_status read_entry(const cab_cursor *item, void *into)
{
    const cab_entry_list *list = into;
    const char *keys[CAB_ENTRY_NUMBERS + 2] = {"cable", "at"};
    cab_entry entry = {.list = list};
    cab_cursor cable = cab_cursor_key(item, "cable"), at = cab_cursor_key(item, "at");
    for (int i = 0; i < list->number_count; i++) keys[i + 2] = list->numbers[i].key;
    cab_status status = cab_cursor_check_keys(item, keys, list->number_count + 2);
    if (!status) status = cab_read_text(&cable, "the name of a cable", &entry.cable);
    if (!status) status = cab_read_place(&at, &entry.at);
    for (int i = 0; !status && i < list->number_count; i++) {
        const cab_entry_number *number = &list->numbers[i];
        cab_cursor value = cab_cursor_key(item, number->key);
        entry.number[i] = number->usual;
        if (value.value || number->required)
            status = cab_read_number(&value, (cab_limit){number->min, number->max, false}, &entry.number[i]);
    }
    return status ? status : cab_scene_add_entry(item->reader->scene, &entry, item->reader->error);
}

cab_status cab_read_entries(const cab_cursor *document)
{
    cab_status status = CAB_OK;
    for (int k = 0; k < cab_constraint_kind_count && !status; k++) {
        const cab_entry_list *list = cab_constraint_kinds[k]->list;
        if (list) status = cab_read_list(document, list->key, read_entry, (void *)list);
    }
    return status;
}

int cab_entry_keys(const char **keys)
{
    int count = 0;
    for (int k = 0; k < cab_constraint_kind_count && count < CAB_ENTRY_LISTS; k++)
        if (cab_constraint_kinds[k]->list) keys[count++] = cab_constraint_kinds[k]->list->key;
    return count;
}
