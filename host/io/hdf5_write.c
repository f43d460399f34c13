#include "io/hdf5_write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "library/hdf5.h"

/* What both processes see. */
typedef struct outcome {
    cab_status status;
    cab_error error;
} outcome;

/* ---- in the process that writes ---- */

static hid_t type_of(cab_hdf5_type type)
{
    switch (type) {
    case CAB_HDF5_INT32:
        return H5T_NATIVE_INT32;
    case CAB_HDF5_INT64:
        return H5T_NATIVE_INT64;
    case CAB_HDF5_FLOAT32:
        return H5T_NATIVE_FLOAT;
    default:
        return H5T_NATIVE_DOUBLE;
    }
}

static size_t size_of(cab_hdf5_type type)
{
    return type == CAB_HDF5_INT32 || type == CAB_HDF5_FLOAT32 ? 4 : 8;
}

/* Neither the time of making nor anything else that differs from run to run: the same run gives the same bytes. */
static hid_t plain_list(hid_t kind)
{
    hid_t list = H5Pcreate(kind);
    if (list >= 0) H5Pset_obj_track_times(list, false);
    return list;
}

/* An array whose rows are asked for piece by piece. */
static bool put_rows(hid_t set, hid_t space, const cab_hdf5_array *a, cab_error *error)
{
    const uint64_t width = a->rank > 1 ? a->extent[1] : 1, row = width * size_of(a->type);
    for (hsize_t at = 0; at < a->extent[0];) {
        uint64_t left;
        const void *data = a->bytes(a->self, at * row, &left, error);
        if (!data) return false;
        hsize_t first[2] = {at, 0}, count[2] = {left / row, width};
        if (count[0] > a->extent[0] - at) count[0] = a->extent[0] - at;
        hid_t piece = H5Screate_simple(a->rank, count, NULL);
        bool good = piece >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
                    H5Dwrite(set, type_of(a->type), piece, space, H5P_DEFAULT, data) >= 0;
        H5Sclose(piece);
        if (!good) return false;
        at += count[0];
    }
    return true;
}

static bool put_array(hid_t file, hid_t links, const cab_hdf5_array *a, cab_error *error)
{
    const hsize_t extent[2] = {a->extent[0], a->extent[1]};
    hid_t space = H5Screate_simple(a->rank, extent, NULL), list = plain_list(H5P_DATASET_CREATE);
    hid_t set = H5Dcreate2(file, a->path, type_of(a->type), space, links, list, H5P_DEFAULT);
    bool good = set >= 0;
    if (good && a->data) good = H5Dwrite(set, type_of(a->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, a->data) >= 0;
    if (good && !a->data) good = put_rows(set, space, a, error);
    H5Pclose(list);
    H5Sclose(space);
    return H5Dclose(set) >= 0 && good;
}

static bool put_attribute(hid_t file, const cab_hdf5_attribute *a)
{
    const hsize_t count = a->count;
    hid_t type = H5Tcopy(a->type == CAB_HDF5_TEXT ? H5T_C_S1 : type_of(a->type));
    if (a->type == CAB_HDF5_TEXT) {
        H5Tset_size(type, strlen(a->data));
        H5Tset_strpad(type, H5T_STR_NULLPAD);
    }
    hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t group = H5Gopen2(file, a->path, H5P_DEFAULT);
    hid_t attribute = H5Acreate2(group, a->name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = H5Awrite(attribute, type, a->data) >= 0;
    H5Aclose(attribute);
    H5Gclose(group);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

/* HDF5 writes what is left of a file when it is closed; when that fails it says so by a negative number. */
static bool put_file(const cab_hdf5_content *content, const char *path, cab_error *error)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    bool good = file >= 0 && H5Pset_create_intermediate_group(links, true) >= 0;
    for (int i = 0; good && i < content->array_count; i++)
        good = put_array(file, links, &content->arrays[i], error);
    for (int i = 0; good && i < content->attribute_count; i++)
        good = put_attribute(file, &content->attributes[i]);
    return H5Fclose(file) >= 0 && good;
}

static void write_and_say(const cab_hdf5_content *content, const cab_file *file, outcome *out)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO); /* HDF5 prints pages where it has no memory */
    errno = 0;
    bool good = put_file(content, file->temporary, &out->error);
    out->status = out->error.status;
    if (!good && !out->status)
        out->status =
            cab_fail(&out->error, errno == ENOMEM ? CAB_ERROR_MEMORY : CAB_ERROR_IO,
                     "%.300s: cannot write it: %s", file->name, errno ? strerror(errno) : "HDF5 failed");
}

/* A program that is killed takes this process along, which would go on writing beside the next run's file. */
static void end_with(pid_t program)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != program) _exit(1);
}

/* ---- in the program ---- */

static cab_status wait_for(pid_t child, const cab_file *file, const outcome *out, cab_error *error)
{
    int result;
    while (waitpid(child, &result, 0) < 0)
        if (errno != EINTR)
            return cab_fail(error, CAB_ERROR_IO, "%.300s: cannot write it: %s", file->name, strerror(errno));
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0) {
        if (out->status && error) *error = out->error;
        return out->status;
    }
    return cab_fail(error, CAB_ERROR_IO,
                    "%.300s: cannot write it: HDF5 ended by itself (%s), as it may without memory",
                    file->name, WIFSIGNALED(result) ? strsignal(WTERMSIG(result)) : "exit");
}

cab_status cab_hdf5_check(const cab_file *file, cab_error *error)
{
    if (!file->temporary)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: .vtkhdf needs a plain file", file->name);
    return cab_hdf5_load(file->name, error);
}

cab_status cab_hdf5_write(const cab_hdf5_content *content, const cab_file *file, cab_error *error)
{
    outcome *out = mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (out == MAP_FAILED) return cab_fail_memory(error, "a file of HDF5", sizeof *out);
    pid_t program = getpid(), child = fork();
    if (child == 0) {
        end_with(program);
        write_and_say(content, file, out);
        _exit(0);
    }
    cab_status status = child > 0 ? wait_for(child, file, out, error)
                                  : cab_fail(error, CAB_ERROR_MEMORY, "%.300s: cannot write it: %s",
                                             file->name, strerror(errno));
    munmap(out, sizeof *out);
    return status;
}
