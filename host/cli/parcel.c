#include "cli/parcel.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/open.h"
#include "io/file.h"
#include "io/inputs.h"

static bool make_room(cab_parcel *parcel, size_t size)
{
    if (size <= parcel->room - parcel->size) return true;
    size_t room = 2 * (parcel->size + size);
    char *larger = realloc(parcel->bytes, room);
    if (!larger) return false;
    parcel->bytes = larger;
    parcel->room = room;
    return true;
}

void cab_parcel_add(cab_parcel *parcel, const void *data, size_t size)
{
    parcel->bad = parcel->bad || !make_room(parcel, size);
    if (parcel->bad || size == 0) return;
    memcpy(parcel->bytes + parcel->size, data, size);
    parcel->size += size;
}

void cab_parcel_add_integer(cab_parcel *parcel, int value)
{
    cab_parcel_add(parcel, &value, sizeof value);
}

void cab_parcel_add_text(cab_parcel *parcel, const char *text)
{
    cab_parcel_add(parcel, text, strlen(text) + 1);
}

void cab_parcel_take(cab_parcel *parcel, void *data, size_t size)
{
    parcel->bad = parcel->bad || size > parcel->size - parcel->at;
    if (parcel->bad || size == 0) return;
    memcpy(data, parcel->bytes + parcel->at, size);
    parcel->at += size;
}

int cab_parcel_take_integer(cab_parcel *parcel, int most)
{
    int value = 0;
    cab_parcel_take(parcel, &value, sizeof value);
    parcel->bad = parcel->bad || value < 0 || value > most;
    return parcel->bad ? 0 : value;
}

const char *cab_parcel_take_text(cab_parcel *parcel)
{
    const char *text = parcel->bytes + parcel->at;
    parcel->bad = parcel->bad || !memchr(text, 0, parcel->size - parcel->at);
    if (parcel->bad) return "";
    parcel->at += strlen(text) + 1;
    return text;
}

static cab_status save(const cab_parcel *parcel, const char *path, cab_error *error)
{
    uint64_t sum = cab_inputs_sum(0, parcel->bytes, parcel->size);
    cab_file file;
    if (parcel->bad) return cab_fail_memory(error, "a result", parcel->size);
    cab_status status = cab_file_open(&file, path, error);
    if (status) return status;
    cab_file_write(&file, &sum, sizeof sum);
    cab_file_write(&file, parcel->bytes, parcel->size);
    status = cab_file_finish(&file, error);
    if (!status) status = cab_file_rename(&file, error);
    cab_file_close(&file);
    return status;
}

cab_status cab_parcel_leave(const cab_parcel *parcel, const cab_queue *queue, int piece, cab_error *error)
{
    char *path = cab_queue_path(queue, piece);
    cab_status status =
        path ? save(parcel, path, error) : cab_fail_memory(error, "a file name", strlen(queue->folder));
    free(path);
    return status;
}

static bool read_all(cab_parcel *parcel, FILE *file)
{
    char piece[65536];
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) cab_parcel_add(parcel, piece, got);
    return !ferror(file) && !parcel->bad && parcel->size >= sizeof(uint64_t);
}

bool cab_parcel_load(cab_parcel *parcel, const char *path)
{
    uint64_t sum = 0;
    FILE *file = cab_open_regular(path);
    *parcel = (cab_parcel){0};
    if (!file) return false;
    bool good = read_all(parcel, file);
    fclose(file);
    if (!good) return false;
    cab_parcel_take(parcel, &sum, sizeof sum);
    return sum == cab_inputs_sum(0, parcel->bytes + parcel->at, parcel->size - parcel->at);
}

void cab_parcel_free(cab_parcel *parcel)
{
    free(parcel->bytes);
    *parcel = (cab_parcel){0};
}
