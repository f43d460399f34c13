/* Libraries that are loaded when something first needs them, so that the program starts without them and runs where they are not
 * installed. Each has a header here, NAME.h: it lists the functions that are used, and gives their names to a table of
 * pointers (cab_NAME) that cab_NAME_load() fills. Sources include that header instead of the library's own, and call
 * cab_NAME_load() before anything of it. A function that is used but not listed is missed by the linker. */
#ifndef CAB_LIBRARY_H
#define CAB_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>

/* A function or a variable of the library, and where in the table its address goes (bytes from its start). */
typedef struct cab_library_symbol {
    const char *name;
    size_t place;
} cab_library_symbol;

typedef struct cab_library {
    const char *name;         /* such as "HDF5" */
    const char *package;      /* whose package to install, such as "libzip4 in Debian, libzip in Fedora" */
    const char *const *files; /* what the library is called, tried in turn; NULL at the end */
    const cab_library_symbol *symbols; /* name = NULL at the end */
    void *table;
    const char *versions; /* what is right, such as "1.10 to 1.14" */
    /* Called with a full table: writes the version to `found`; is it right? It leaves `found` alone where there was no memory to
     * ask. NULL: the file's name tells enough. */
    bool (*check)(char *found, size_t size);
    bool global; /* its own plug-ins look for its symbols in the program */
    bool loaded; /* false at first */
} cab_library;

/* For the headers: the field and the row of a symbol in lists of the shape LIST(X) X(symbol) X(symbol) ... A field points to what
 * the symbol names. */
#define CAB_LIBRARY_FIELD(symbol) __typeof__(symbol) *symbol;
#define CAB_LIBRARY_ROW(symbol) {#symbol, offsetof(CAB_LIBRARY_TABLE, symbol)},

/* Loads it unless it is there; it stays until the process ends. `user` says in the error what needs it: a file's name, say.
 * From any thread. CAB_ERROR_UNSUPPORTED: it is not installed, or of another version; CAB_ERROR_MEMORY. */
cab_status cab_library_load(cab_library *library, const char *user, cab_error *error);

#endif
