/* Arrays on the heap: zeroed ones, and ones that grow. */
#ifndef CAB_ARRAY_H
#define CAB_ARRAY_H

#include <stdlib.h>

#include "base/error.h"

/* Allocates count elements of zeroed memory, at least one; *array is NULL on failure. */
#define CAB_NEW(array, count, error)                                                                         \
    (((array) = calloc((size_t)(count) + 1, sizeof *(array))) != NULL                                        \
         ? CAB_OK                                                                                            \
         : cab_fail_memory((error), #array, (unsigned long long)(count) * sizeof *(array)))

/* Makes room for `count` elements where there may be less: at least twice as many as before, so that elements can
 * be added one at a time. `room`, an int, is how many there is room for. The array may be NULL with a room of 0; what
 * is new is not zeroed. On failure all stays as it was. */
#define CAB_ROOM(array, room, count, error)                                                                  \
    cab_array_room(&(array), sizeof *(array), &(room), (count), #array, (error))

/* Makes room for one element after the first `count`, for arrays that do not remember their room and are only made
 * longer by this: it is the next power of two. */
#define CAB_ONE_MORE(array, count, error)                                                                    \
    cab_array_one_more(&(array), sizeof *(array), (count), #array, (error))

/* Makes the array exactly that long, for those that do not remember their room. */
#define CAB_RESIZE(array, count, error)                                                                      \
    cab_array_resize(&(array), sizeof *(array), (size_t)(count), #array, (error))

/* What the macros call. array: where the pointer to the elements is. */
cab_status cab_array_room(void *array, size_t size, int *room, long long count, const char *what,
                          cab_error *error);
cab_status cab_array_one_more(void *array, size_t size, int count, const char *what, cab_error *error);
cab_status cab_array_resize(void *array, size_t size, size_t count, const char *what, cab_error *error);

#endif
