/* Arrays on the heap that are zeroed or grow. */
#ifndef CAB_ARRAY_H
#define CAB_ARRAY_H

#include <stdlib.h>

#include "base/error.h"

/* Allocates count elements of zeroed memory, at least one; *array is NULL on failure. */
#define CAB_NEW(array, count, error)                                                                         \
    (((array) = calloc((size_t)(count) + 1, sizeof *(array))) != NULL                                        \
         ? CAB_OK                                                                                            \
         : cab_fail_memory((error), #array, (unsigned long long)(count) * sizeof *(array)))

/* Makes room for `count` elements, and at least doubles the room when it grows. `room`, an int, is the number
 * of elements that there is room for. The array may be NULL with a room of 0; new elements are not zeroed. On
 * failure nothing changes. */
#define CAB_ROOM(array, room, count, error)                                                                  \
    cab_array_room(&(array), sizeof *(array), &(room), (count), #array, (error))

/* Makes room for one more element, for arrays that do not store their room and grow only by this: the room is
 * always the next power of two. */
#define CAB_ONE_MORE(array, count, error)                                                                    \
    cab_array_one_more(&(array), sizeof *(array), (count), #array, (error))

/* Makes the array exactly that long, for arrays that do not store their room. */
#define CAB_RESIZE(array, count, error)                                                                      \
    cab_array_resize(&(array), sizeof *(array), (size_t)(count), #array, (error))

/* Frees arrays, each of which may be NULL. */
#define CAB_FREE(...)                                                                                        \
    cab_array_free((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/* The functions behind these macros. array: the address of the pointer to the elements. */
cab_status cab_array_room(void *array, size_t size, int *room, long long count, const char *what,
                          cab_error *error);
cab_status cab_array_one_more(void *array, size_t size, int count, const char *what, cab_error *error);
cab_status cab_array_resize(void *array, size_t size, size_t count, const char *what, cab_error *error);
void cab_array_free(void **arrays, size_t count);

#endif
