#include "base/array.h"

#include <limits.h>
#include <string.h>

#define LEAST_ROOM 16

cab_status cab_array_resize(void *array, size_t size, size_t count, const char *what, cab_error *error)
{
    void *items; /* copied by memcpy, since a void * must not alias a pointer to another type */
    memcpy(&items, array, sizeof items);
    void *grown = realloc(items, (count + (count == 0)) * size);
    if (!grown) return cab_fail_memory(error, what, (unsigned long long)count * size);
    memcpy(array, &grown, sizeof grown);
    return CAB_OK;
}

cab_status cab_array_room(void *array, size_t size, int *room, long long count, const char *what,
                          cab_error *error)
{
    if (count <= *room) return CAB_OK;
    long long larger = 2LL * *room > LEAST_ROOM ? 2LL * *room : LEAST_ROOM;
    if (larger > INT_MAX) larger = INT_MAX;
    if (count > larger) larger = count;
    if (larger > INT_MAX) return cab_fail_memory(error, what, (unsigned long long)count * size);
    cab_status status = cab_array_resize(array, size, (size_t)larger, what, error);
    if (status == CAB_OK) *room = (int)larger;
    return status;
}

cab_status cab_array_one_more(void *array, size_t size, int count, const char *what, cab_error *error)
{
    if (count & (count - 1)) return CAB_OK;
    return cab_array_resize(array, size, count > 0 ? 2 * (size_t)count : 1, what, error);
}

void cab_array_free(void **arrays, size_t count)
{
    for (size_t i = 0; i < count; i++) free(arrays[i]);
}
