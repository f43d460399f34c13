/* Arrays in a .npz file: NumPy's (NumPy Enhancement Proposal 1, format 1.0) in a zip archive, as they are. */
#ifndef CAB_NPZ_H
#define CAB_NPZ_H

#include <stdint.h>

#include "io/file.h"

/* Types of numbers, in this machine's order of bytes. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CAB_NPZ_ORDER ">"
#else
#define CAB_NPZ_ORDER "<"
#endif

enum {
    CAB_NPZ_ARRAYS = 32,
    CAB_NPZ_TEXT = 1025,
    CAB_NPZ_HEADER = 192 /* bytes; 64 divides it, as the format asks */
};

typedef struct cab_npz_array {
    const char *name; /* static storage */
    char header[CAB_NPZ_HEADER];
    uint64_t size;    /* bytes without the header */
    const void *data; /* all of them; NULL = ask `bytes` */
    cab_file_bytes *bytes;
    void *self;
    uint64_t place; /* bytes read, with the header */
    cab_error *error;
} cab_npz_array;

typedef struct cab_npz {
    cab_file file;
    char *path;
    cab_npz_array arrays[CAB_NPZ_ARRAYS];
    int count;
} cab_npz;

/* A pipe or a device is refused: libzip replaces files by name. To be closed, whatever the status. */
cab_status cab_npz_open(cab_npz *npz, const char *path, cab_error *error);

/* Adds an array, whose bytes stay where they are until the file is written.
 *
 * @param type   CAB_NPZ_ORDER "f8", "|b1", ...
 * @param shape  "3, 4"; "3," of a list; "" of a number */
void cab_npz_add(cab_npz *npz, const char *name, const char *type, const char *shape, const void *data,
                 uint64_t size);
void cab_npz_add_stream(cab_npz *npz, const char *name, const char *type, const char *shape,
                        cab_file_bytes *bytes, void *self, uint64_t size);

/* Writes all arrays and gives the file its name. */
cab_status cab_npz_write(cab_npz *npz, cab_error *error);
/* Frees it; what was not written is removed. */
void cab_npz_close(cab_npz *npz);

/* A list of texts as an array of NumPy's Unicode characters. */
typedef struct cab_npz_texts {
    uint32_t *characters; /* [count][length] */
    int count, length;
    char type[16], shape[32];
} cab_npz_texts;

/* Text i, with a zero behind. */
typedef void cab_npz_text(void *self, int i, char text[CAB_NPZ_TEXT]);
/* `characters` is to be freed. Of a text no more than the first 256 characters are kept. */
cab_status cab_npz_make_texts(cab_npz_texts *texts, int count, cab_npz_text *text, void *self,
                              cab_error *error);
void cab_npz_add_texts(cab_npz *npz, const char *name, const cab_npz_texts *texts);

#endif
