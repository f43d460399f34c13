/* A result on its way from one process to another of the same program on the same kind of machine: bytes in a file, with a sum that
 * tells whether they are whole. */
#ifndef CAB_PARCEL_H
#define CAB_PARCEL_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>

#include "cli/queue.h"

/* Begins as {0}; cab_parcel_free() frees it. */
typedef struct cab_parcel {
    char *bytes;
    size_t size, room;
    size_t at; /* bytes that have been taken */
    bool bad;  /* there was no memory for some of it, or it ended before what was to be taken */
} cab_parcel;

void cab_parcel_add(cab_parcel *parcel, const void *data, size_t size);
void cab_parcel_add_integer(cab_parcel *parcel, int value);
void cab_parcel_add_text(cab_parcel *parcel, const char *text);

void cab_parcel_take(cab_parcel *parcel, void *data, size_t size);
/* From 0 to `most`; else the parcel is bad. */
int cab_parcel_take_integer(cab_parcel *parcel, int most);
/* Points into the parcel; "" where it is bad. */
const char *cab_parcel_take_text(cab_parcel *parcel);

/* Leaves it as the result of a piece of a queue. */
cab_status cab_parcel_leave(const cab_parcel *parcel, const cab_queue *queue, int piece, cab_error *error);
/* False where there is none, or it is not whole. */
bool cab_parcel_load(cab_parcel *parcel, const char *path);
void cab_parcel_free(cab_parcel *parcel);

#endif
