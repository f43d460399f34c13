/* CLBlast, linear algebra on OpenCL devices. */
#ifndef CAB_LIBRARY_CLBLAST_H
#define CAB_LIBRARY_CLBLAST_H

#include <clblast_c.h>

#include "library/library.h"

#define CAB_CLBLAST_SYMBOLS(X)                                                                               \
    X(CLBlastDaxpy)                                                                                          \
    X(CLBlastDcopy)                                                                                          \
    X(CLBlastDdot)                                                                                           \
    X(CLBlastDscal)                                                                                          \
    X(CLBlastDsyrk)                                                                                          \
    X(CLBlastDtrsm)

typedef struct cab_clblast_table {
    CAB_CLBLAST_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_clblast_table;
extern cab_clblast_table cab_clblast;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_clblast_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which clblast.c defines */
#define CLBlastDaxpy cab_clblast.CLBlastDaxpy
#define CLBlastDcopy cab_clblast.CLBlastDcopy
#define CLBlastDdot cab_clblast.CLBlastDdot
#define CLBlastDscal cab_clblast.CLBlastDscal
#define CLBlastDsyrk cab_clblast.CLBlastDsyrk
#define CLBlastDtrsm cab_clblast.CLBlastDtrsm
#endif

#endif
