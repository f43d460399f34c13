/* libzip, which writes .npz. */
#ifndef CAB_LIBRARY_LIBZIP_H
#define CAB_LIBRARY_LIBZIP_H

#include <zip.h>

#include "library/library.h"

#define CAB_LIBZIP_SYMBOLS(X)                                                                                \
    X(zip_close)                                                                                             \
    X(zip_discard)                                                                                           \
    X(zip_error_code_system)                                                                                 \
    X(zip_error_fini)                                                                                        \
    X(zip_error_init_with_code)                                                                              \
    X(zip_error_strerror)                                                                                    \
    X(zip_error_system_type)                                                                                 \
    X(zip_file_add)                                                                                          \
    X(zip_file_set_dostime)                                                                                  \
    X(zip_get_error)                                                                                         \
    X(zip_libzip_version)                                                                                    \
    X(zip_open)                                                                                              \
    X(zip_set_file_compression)                                                                              \
    X(zip_source_free)                                                                                       \
    X(zip_source_function)                                                                                   \
    X(zip_source_make_command_bitmap)                                                                        \
    X(zip_stat_init)

typedef struct cab_libzip_table {
    CAB_LIBZIP_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_libzip_table;
extern cab_libzip_table cab_libzip;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_libzip_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which libzip.c defines */
#define zip_close cab_libzip.zip_close
#define zip_discard cab_libzip.zip_discard
#define zip_error_code_system cab_libzip.zip_error_code_system
#define zip_error_fini cab_libzip.zip_error_fini
#define zip_error_init_with_code cab_libzip.zip_error_init_with_code
#define zip_error_strerror cab_libzip.zip_error_strerror
#define zip_error_system_type cab_libzip.zip_error_system_type
#define zip_file_add cab_libzip.zip_file_add
#define zip_file_set_dostime cab_libzip.zip_file_set_dostime
#define zip_get_error cab_libzip.zip_get_error
#define zip_libzip_version cab_libzip.zip_libzip_version
#define zip_open cab_libzip.zip_open
#define zip_set_file_compression cab_libzip.zip_set_file_compression
#define zip_source_free cab_libzip.zip_source_free
#define zip_source_function cab_libzip.zip_source_function
#define zip_source_make_command_bitmap cab_libzip.zip_source_make_command_bitmap
#define zip_stat_init cab_libzip.zip_stat_init
#endif

#endif
