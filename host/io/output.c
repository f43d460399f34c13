#include "io/output.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/writers.h"
#include "model/error.h"

#define BUILT "built are .csv, .vtp and .pvd"

typedef enum format { FORMAT_CSV, FORMAT_VTP, FORMAT_PVD } format;

struct cab_output {
    char *path;
    format format;
    cab_file main;
    cab_file *frames; /* of an animation, finished but not renamed */
    double *times;    /* s */
    int first_frame;  /* of the world, that they begin with */
    int frame_count, capacity;
};

static cab_status find_format(const char *path, format *found, cab_error *error)
{
    static const char *const built[] = {[FORMAT_CSV] = ".csv", [FORMAT_VTP] = ".vtp", [FORMAT_PVD] = ".pvd"};
    static const char *const planned[] = {".vtkhdf", ".usda", ".usd", ".obj", ".npz", ".png", ".json"};
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash ? slash : path, '.');
    if (!ending)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: expected an ending that tells the format, " BUILT, path);
    for (size_t i = 0; i < sizeof built / sizeof built[0]; i++) {
        *found = (format)i;
        if (strcasecmp(ending, built[i]) == 0) return CAB_OK;
    }
    for (size_t i = 0; i < sizeof planned / sizeof planned[0]; i++)
        if (strcasecmp(ending, planned[i]) == 0)
            return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: the format %s is not built yet, " BUILT, path,
                            ending);
    return cab_fail(error, CAB_ERROR_INPUT, "%s: unknown format %s, " BUILT, path, ending);
}

/* Numbers have points in all formats, whatever the program around us has chosen. */
static locale_t use_plain_numbers(locale_t *plain)
{
    *plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return *plain ? uselocale(*plain) : (locale_t)0;
}

static void use_old_numbers(locale_t plain, locale_t old)
{
    if (!plain) return;
    uselocale(old);
    freelocale(plain);
}

static void destroy(cab_output *output)
{
    for (int i = 0; i < output->frame_count; i++) cab_file_close(&output->frames[i]);
    cab_file_close(&output->main);
    free(output->frames);
    free(output->times);
    free(output->path);
    free(output);
}

cab_status cab_output_open(const char *path, cab_output **out, cab_error *error)
{
    format found;
    cab_status status = find_format(path, &found, error);
    if (status) return status;
    cab_output *output = calloc(1, sizeof *output);
    if (!output) return cab_fail_memory(error, "an output", sizeof *output);
    output->format = found;
    output->path = strdup(path);
    status = output->path ? cab_file_open(&output->main, path, error)
                          : cab_fail_memory(error, "a file name", strlen(path) + 1);
    if (status)
        destroy(output);
    else
        *out = output;
    return status;
}

const char *cab_output_path(const cab_output *output)
{
    return output->path;
}

static cab_status make_room(cab_output *output, cab_error *error)
{
    if (output->frame_count < output->capacity) return CAB_OK;
    int capacity = output->capacity ? 2 * output->capacity : 64;
    cab_file *frames = realloc(output->frames, (size_t)capacity * sizeof *frames);
    if (frames) output->frames = frames;
    double *times = frames ? realloc(output->times, (size_t)capacity * sizeof *times) : NULL;
    if (!times) return cab_fail_memory(error, "a list of frames", (size_t)capacity * sizeof *frames);
    output->times = times;
    output->capacity = capacity;
    return CAB_OK;
}

/* NAME_0000.vtp for NAME.pvd and frame 0, to be freed. */
static char *frame_path(const cab_output *output, int frame)
{
    size_t length = strlen(output->path) - strlen(".pvd");
    size_t size = length + 32;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%.*s_%04d.vtp", (int)length, output->path, frame);
    return path;
}

static cab_status write_frame(cab_output *output, const cab_snapshot *snapshot, cab_error *error)
{
    cab_status status = make_room(output, error);
    if (status) return status;
    char *path = frame_path(output, snapshot->info.frame);
    if (!path) return cab_fail_memory(error, "a file name", strlen(output->path) + 32);
    cab_file *file = &output->frames[output->frame_count];
    status = cab_file_open(file, path, error);
    free(path);
    if (status) return status;
    if (output->frame_count == 0) output->first_frame = snapshot->info.frame;
    output->times[output->frame_count++] = snapshot->info.time;
    status = cab_write_vtp(file, snapshot, error);
    return status ? status : cab_file_finish(file, error);
}

cab_status cab_output_frame(cab_output *output, cab_world *world, cab_error *error)
{
    if (output->format != FORMAT_PVD) return CAB_OK;
    cab_snapshot snapshot;
    cab_status status = cab_snapshot_take(world, &snapshot, error);
    if (status) return status;
    locale_t plain, old = use_plain_numbers(&plain);
    status = write_frame(output, &snapshot, error);
    use_old_numbers(plain, old);
    cab_snapshot_free(&snapshot);
    return status;
}

static cab_status write_collection(cab_output *output, cab_error *error)
{
    const char *slash = strrchr(output->path, '/');
    char *name = strdup(slash ? slash + 1 : output->path);
    if (!name) return cab_fail_memory(error, "a file name", strlen(output->path) + 1);
    name[strlen(name) - strlen(".pvd")] = '\0';
    cab_write_pvd(&output->main, name, output->times, output->first_frame, output->frame_count);
    free(name);
    return CAB_OK;
}

static cab_status write_last(cab_output *output, cab_world *world, cab_error *error)
{
    if (output->format == FORMAT_PVD) return write_collection(output, error);
    cab_snapshot snapshot;
    cab_status status = cab_snapshot_take(world, &snapshot, error);
    if (status) return status;
    if (output->format == FORMAT_CSV)
        cab_write_csv(&output->main, &snapshot);
    else
        status = cab_write_vtp(&output->main, &snapshot, error);
    cab_snapshot_free(&snapshot);
    return status;
}

cab_status cab_output_close(cab_output *output, cab_world *world, bool commit, cab_error *error)
{
    if (!output) return CAB_OK;
    cab_status status = CAB_OK;
    if (commit) {
        locale_t plain, old = use_plain_numbers(&plain);
        status = write_last(output, world, error);
        use_old_numbers(plain, old);
        if (!status) status = cab_file_finish(&output->main, error);
        for (int i = 0; i < output->frame_count && !status; i++)
            status = cab_file_rename(&output->frames[i], error);
        if (!status) status = cab_file_rename(&output->main, error);
    }
    destroy(output);
    return status;
}
