/* Lists in a scene that belong to a kind of constraint: an item is a place on a cable and some numbers. Reading, checking, copying and
 * expanding them is the same for all kinds, so a kind only says what its list and its numbers are called (cab_entry_list in its row).
 */
#ifndef CAB_ENTRIES_H
#define CAB_ENTRIES_H

#include <clcable/scene.h>

enum { CAB_ENTRY_NUMBERS = 8 };

/* A number of an item, by its key. */
typedef struct cab_entry_number {
    const char *key;
    double min, max; /* both ends belong to it */
    bool required;
    double usual; /* where it is not given */
} cab_entry_number;

typedef struct cab_entry_list {
    const char *key; /* of the list, in a scene */
    cab_entry_number numbers[CAB_ENTRY_NUMBERS];
    int number_count;
} cab_entry_list;

typedef struct cab_entry {
    const cab_entry_list *list;
    int index; /* in its list */
    const char *cable;
    cab_place at;
    double number[CAB_ENTRY_NUMBERS]; /* in the order of the list's */
} cab_entry;

/* An item on one copy of its cable. */
typedef struct cab_placed_entry {
    const cab_entry *entry; /* of the scene */
    int node;               /* over all cables */
} cab_placed_entry;

#endif
