/* Harnesses as texts. */
#ifndef CAB_KBL_WRITE_H
#define CAB_KBL_WRITE_H

#include "io/kbl/kbl.h"

/* A harness as it was read, before it has shapes, as VEC 2.1. free() the bytes. CAB_ERROR_MEMORY: there are none. */
cab_status cab_kbl_write_vec(const cab_kbl *kbl, char **bytes, size_t *size, cab_error *error);

#endif
