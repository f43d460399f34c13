/* Harnesses as texts. */
#ifndef CAB_KBL_WRITE_H
#define CAB_KBL_WRITE_H

#include "io/kbl/kbl.h"

/* A harness as it was read, before it has shapes, as VEC 2.1. free() the bytes. CAB_ERROR_MEMORY: there are none. */
cab_status cab_kbl_write_vec(cab_kbl *kbl, char **bytes, size_t *size, cab_error *error);
/* The same as KBL 2.4; names that cannot be ids are counted in a note. CAB_ERROR_UNSUPPORTED: no libxml2. */
cab_status cab_kbl_write_kbl(cab_kbl *kbl, char **bytes, size_t *size, cab_error *error);

/* losses.c: how many elements of a file, by kind, are not in what was written from it in the same format: texts such as "430 Connection",
 * in the order of the file; for json_decref(), whatever the status. */
cab_status cab_kbl_list_losses(const char *file, const char *text, size_t size, const char *written,
                               size_t written_size, json_t **losses, cab_error *error);

#endif
