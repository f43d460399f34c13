#include "library/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What the loader says when it has no memory; it has no code for it. */
static bool is_no_memory(const char *text)
{
    return strstr(text, strerror(ENOMEM)) || strstr(text, "out of memory");
}

static cab_status fail(const cab_library *library, const char *user, const char *text, cab_error *error)
{
    if (is_no_memory(text)) return cab_fail_memory(error, library->name, 0);
    return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%.300s: needs %s, which is not there (%.300s); install %s",
                    user, library->name, text, library->package);
}

/* The first of its files that can be loaded; NULL with the loader's words about the first one in `text`. */
static void *open_file(const cab_library *library, char *text, size_t size)
{
    for (const char *const *file = library->files; *file; file++) {
        void *handle = dlopen(*file, RTLD_NOW | (library->global ? RTLD_GLOBAL : RTLD_LOCAL));
        if (handle) return handle;
        const char *said = dlerror();
        if (file == library->files || (said && is_no_memory(said)))
            snprintf(text, size, "%s", said ? said : "out of memory");
    }
    return NULL;
}

static cab_status fill(const cab_library *library, void *handle, const char *user, cab_error *error)
{
    for (const cab_library_symbol *symbol = library->symbols; symbol->name; symbol++) {
        void *address = dlsym(handle, symbol->name);
        if (!address) {
            const char *said = dlerror();
            return fail(library, user, said ? said : symbol->name, error);
        }
        memcpy((char *)library->table + symbol->place, &address, sizeof address);
    }
    char found[64] = "";
    if (!library->check || library->check(found, sizeof found)) return CAB_OK;
    if (!found[0]) return cab_fail_memory(error, library->name, 0);
    return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%.300s: needs %s %s, found %s; install %s", user,
                    library->name, library->versions, found, library->package);
}

static cab_status load(cab_library *library, const char *user, cab_error *error)
{
    char text[400] = "";
    void *handle = open_file(library, text, sizeof text);
    if (!handle) return fail(library, user, text, error);
    cab_status status = fill(library, handle, user, error);
    if (status)
        dlclose(handle);
    else
        library->loaded = true;
    return status;
}

cab_status cab_library_load(cab_library *library, const char *user, cab_error *error)
{
    pthread_mutex_lock(&lock);
    cab_status status = library->loaded ? CAB_OK : load(library, user, error);
    pthread_mutex_unlock(&lock);
    return status;
}
