/* Arrays in an HDF5 file, written at once: groups, whole arrays that lie in one piece, attributes.
 *
 * HDF5's library does it, in a process of its own: where an allocation fails, HDF5 1.10 may crash (14 of 583 allocations, while it
 * starts), and what it keeps for the next file grows from file to file. Neither can be mended from outside, and neither must
 * concern the program, which holds a run. */
#ifndef CAB_HDF5_WRITE_H
#define CAB_HDF5_WRITE_H

#include <stdint.h>

#include "io/file.h"

typedef enum cab_hdf5_type {
    CAB_HDF5_INT32 = 0,
    CAB_HDF5_INT64,
    CAB_HDF5_FLOAT32,
    CAB_HDF5_FLOAT64,
    CAB_HDF5_TEXT /* of attributes only: one text, without its final zero */
} cab_hdf5_type;

typedef struct cab_hdf5_array {
    const char *path; /* "Steps/Values": groups are made of what stands before a slash */
    cab_hdf5_type type;
    int rank;              /* 1 or 2 */
    uint64_t extent[2];    /* elements by dimension, slowest first */
    const void *data;      /* all elements, in this machine's order of bytes; NULL = ask `bytes` */
    cab_file_bytes *bytes; /* gives whole rows (elements of the first dimension) */
    void *self;            /* handed to `bytes` */
} cab_hdf5_array;

typedef struct cab_hdf5_attribute {
    const char *path; /* of a group that an array lies in */
    const char *name;
    cab_hdf5_type type;
    uint64_t count; /* a list of so many; 0 = a single value */
    const void *data;
} cab_hdf5_attribute;

typedef struct cab_hdf5_content {
    const cab_hdf5_array *arrays;
    int array_count;
    const cab_hdf5_attribute *attributes;
    int attribute_count;
} cab_hdf5_content;

/* Is the library there, and can the file be written by it? It must be a plain one. For asking before a run. */
cab_status cab_hdf5_check(const cab_file *file, cab_error *error);

/* Writes the content to a file that is open and empty; cab_file_finish() is left to the caller. The status is that of `bytes`;
 * CAB_ERROR_MEMORY or CAB_ERROR_IO where the library failed. */
cab_status cab_hdf5_write(const cab_hdf5_content *content, const cab_file *file, cab_error *error);

#endif
