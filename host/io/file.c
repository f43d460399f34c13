#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/open.h"
#include "io/inputs.h"

#define ATTEMPTS 1000

static cab_status fail_write(const cab_file *file, int errnum, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: %s", file->name, strerror(errnum));
}

/* A new file beside the path. The process id and a count keep several writers apart. */
static int create_beside(cab_file *file)
{
    size_t size = strlen(file->path) + 48;
    file->temporary = malloc(size);
    if (!file->temporary) return -1;
    for (int i = 0; i < ATTEMPTS; i++) {
        snprintf(file->temporary, size, "%s.part-%ld-%d", file->path, (long)getpid(), i);
        int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

/* A regular file or none is replaced by renaming; /dev/stdout and the like are written straight. */
static int open_descriptor(cab_file *file)
{
    struct stat about;
    if (stat(file->path, &about) != 0) return errno == ENOENT ? create_beside(file) : -1;
    if (!S_ISREG(about.st_mode)) return cab_open_to_write(file->path);
    if (access(file->path, W_OK) != 0) return -1;
    char *real = realpath(file->path, NULL);
    if (!real) return -1;
    free(file->path);
    file->path = real;
    return create_beside(file);
}

static void drop_temporary(cab_file *file)
{
    free(file->temporary);
    file->temporary = NULL;
}

cab_status cab_file_open(cab_file *file, const char *path, cab_error *error)
{
    *file = (cab_file){.name = strdup(path), .path = strdup(path)};
    cab_status status = CAB_OK;
    int descriptor = -1;
    if (cab_inputs_has(path)) {
        cab_file_close(file);
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: it has been read from; expected another file to write to", path);
    }
    if (!file->name || !file->path)
        status = cab_fail_memory(error, "a file name", strlen(path) + 1);
    else
        descriptor = open_descriptor(file);
    if (descriptor >= 0) file->stream = cab_stream_to_write(descriptor);
    if (file->stream) return CAB_OK;
    if (!status) status = fail_write(file, errno, error);
    if (descriptor >= 0)
        close(descriptor);
    else
        drop_temporary(file); /* it is not there */
    cab_file_close(file);
    return status;
}

void cab_file_write(cab_file *file, const void *data, size_t size)
{
    if (file->errnum || size == 0) return;
    errno = 0;
    if (fwrite(data, 1, size, file->stream) != size) file->errnum = errno ? errno : EIO;
}

void cab_file_print(cab_file *file, const char *format, ...)
{
    if (file->errnum) return;
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(file->stream, format, arguments) < 0) file->errnum = errno ? errno : EIO;
    va_end(arguments);
}

void cab_file_print_xml(cab_file *file, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            cab_file_write(file, entity, strlen(entity));
        else
            cab_file_write(file, text, 1);
    }
}

/* Pipes and some file systems cannot be waited for. */
static bool is_unable(int errnum)
{
    return errnum == EINVAL || errnum == ENOTSUP || errnum == EROFS;
}

/* A name is on the disk once its folder is. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        fsync(descriptor); /* that it fails tells nothing: the file itself is whole under either name */
        close(descriptor);
    }
    free(folder);
}

cab_status cab_file_finish(cab_file *file, cab_error *error)
{
    errno = 0;
    bool lost = file->durable && fflush(file->stream) != 0;
    int descriptor = fileno(file->stream); /* -1: a pipe, which cannot be waited for */
    if (file->durable && !lost && descriptor >= 0) lost = fsync(descriptor) != 0;
    if (lost && !is_unable(errno) && !file->errnum) file->errnum = errno ? errno : EIO;
    errno = 0;
    if (fclose(file->stream) != 0 && !file->errnum) file->errnum = errno ? errno : EIO;
    file->stream = NULL;
    return file->errnum ? fail_write(file, file->errnum, error) : CAB_OK;
}

cab_status cab_file_rename(cab_file *file, cab_error *error)
{
    if (!file->temporary) return CAB_OK;
    if (rename(file->temporary, file->path) != 0) return fail_write(file, errno, error);
    if (file->durable) sync_folder(file->path);
    drop_temporary(file);
    return CAB_OK;
}

void cab_file_close(cab_file *file)
{
    if (file->stream) fclose(file->stream);
    if (file->temporary) unlink(file->temporary);
    CAB_FREE(file->temporary, file->path, file->name);
    *file = (cab_file){0};
}

static cab_status commit(cab_file *file, cab_error *error)
{
    cab_status status = cab_file_finish(file, error);
    if (!status) status = cab_file_rename(file, error);
    cab_file_close(file);
    return status;
}

cab_status cab_file_check(const char *path, cab_error *error)
{
    cab_file file;
    cab_status status = cab_file_open(&file, path, error);
    if (!status) cab_file_close(&file);
    return status;
}

cab_status cab_file_put(const char *path, const void *bytes, size_t size, bool durable, cab_error *error)
{
    cab_file file;
    cab_status status = cab_file_open(&file, path, error);
    if (status) return status;
    file.durable = durable;
    cab_file_write(&file, bytes, size);
    return commit(&file, error);
}

cab_status cab_file_make(const char *path, cab_file_content *content, const void *of, cab_error *error)
{
    cab_file file;
    cab_status status = cab_file_open(&file, path, error);
    if (status) return status;
    content(&file, of);
    return commit(&file, error);
}

/* A file that has lost its name is gone when it is closed, whatever ends the program. Should that come before the name is
 * lost, its name tells of which process it was, and cab_file_clean() finds it. */
FILE *cab_file_scratch(const char *path)
{
    size_t size = strlen(path) + 48;
    char *beside = malloc(size);
    if (!beside) return NULL;
    snprintf(beside, size, "%s.part-%ld-0.XXXXXX", path, (long)getpid());
    int descriptor = mkstemp(beside);
    if (descriptor >= 0) unlink(beside);
    free(beside);
    if (descriptor < 0) return tmpfile(); /* beside a device */
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    FILE *stream = fdopen(descriptor, "w+b");
    if (!stream) close(descriptor);
    return stream;
}
