/* libpng, which writes pictures. */
#ifndef CAB_LIBRARY_LIBPNG_H
#define CAB_LIBRARY_LIBPNG_H

#include <png.h>

#include "library/library.h"

#define CAB_LIBPNG_SYMBOLS(X)                                                                                \
    X(png_create_info_struct)                                                                                \
    X(png_create_write_struct)                                                                               \
    X(png_destroy_write_struct)                                                                              \
    X(png_error)                                                                                             \
    X(png_get_io_ptr)                                                                                        \
    X(png_longjmp)                                                                                           \
    X(png_set_IHDR)                                                                                          \
    X(png_set_filler)                                                                                        \
    X(png_set_longjmp_fn)                                                                                    \
    X(png_set_write_fn)                                                                                      \
    X(png_write_end)                                                                                         \
    X(png_write_info)                                                                                        \
    X(png_write_row)

typedef struct cab_libpng_table {
    CAB_LIBPNG_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_libpng_table;
extern cab_libpng_table cab_libpng;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_libpng_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which libpng.c defines */
#define png_create_info_struct cab_libpng.png_create_info_struct
#define png_create_write_struct cab_libpng.png_create_write_struct
#define png_destroy_write_struct cab_libpng.png_destroy_write_struct
#define png_error cab_libpng.png_error
#define png_get_io_ptr cab_libpng.png_get_io_ptr
#define png_longjmp cab_libpng.png_longjmp
#define png_set_IHDR cab_libpng.png_set_IHDR
#define png_set_filler cab_libpng.png_set_filler
#define png_set_longjmp_fn cab_libpng.png_set_longjmp_fn
#define png_set_write_fn cab_libpng.png_set_write_fn
#define png_write_end cab_libpng.png_write_end
#define png_write_info cab_libpng.png_write_info
#define png_write_row cab_libpng.png_write_row
#endif

#endif
