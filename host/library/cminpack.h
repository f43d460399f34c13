/* cminpack, least squares: the routines of MINPACK (J. Moré, B. Garbow, K. Hillstrom 1980) in C. */
#ifndef CAB_LIBRARY_CMINPACK_H
#define CAB_LIBRARY_CMINPACK_H

#include <cminpack.h>

#include "library/library.h"

#define CAB_CMINPACK_SYMBOLS(X)                                                                              \
    X(lmder)                                                                                                 \
    X(qrfac)                                                                                                 \
    X(covar)

typedef struct cab_cminpack_table {
    CAB_CMINPACK_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_cminpack_table;
extern cab_cminpack_table cab_cminpack;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_cminpack_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which cminpack.c defines */
#define lmder cab_cminpack.lmder
#define qrfac cab_cminpack.qrfac
#define covar cab_cminpack.covar
#endif

#endif
