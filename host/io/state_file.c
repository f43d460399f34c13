/* State files: cab_world_save() and cab_world_load() of <clcable/world.h>. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/open.h"
#include "io/file.h"
#include "run/state.h"

#define FIRST_ROOM ((size_t)1 << 16)

cab_status cab_world_save(cab_world *world, const char *path, cab_error *error)
{
    void *state;
    size_t size;
    cab_status status = cab_world_pack(world, &state, &size, error);
    if (status) return status;
    status = cab_file_put(path, state, size, true, error);
    free(state);
    return status;
}

/* To the end, whatever its size is said to be. NULL with errno set; free it. */
static char *read_stream(FILE *stream, size_t *size)
{
    size_t room = FIRST_ROOM;
    char *bytes = malloc(room);
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, room - *size, stream);
        if (*size < room) break;
        char *grown = realloc(bytes, room *= 2);
        if (!grown) free(bytes);
        bytes = grown;
    }
    if (!bytes || !ferror(stream)) return bytes;
    free(bytes);
    return NULL;
}

cab_status cab_world_load(cab_world *world, const char *path, cab_error *error)
{
    size_t size = 0;
    errno = 0;
    FILE *stream = cab_open_regular(path);
    char *bytes = stream ? read_stream(stream, &size) : NULL;
    int errnum = errno;
    if (stream) fclose(stream);
    if (!bytes && errnum == ENOMEM) return cab_fail_memory(error, "a state", size);
    if (!bytes)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot read it: %s", path, strerror(errnum ? errnum : EIO));
    cab_status status = cab_state_unpack(world, bytes, size, path, error);
    free(bytes);
    return status;
}
