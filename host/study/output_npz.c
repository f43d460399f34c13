/* .npz of a study: all frames as arrays, one a member of its rows. What a frame has of an array goes to a
 * scratch file, so memory does not grow with the run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/npz.h"
#include "study/output.h"

enum { ARRAYS = 20, NAMES = 2, OFFSETS = 2, CHUNK = 65536 };

/* Where the rows of each frame begin, for the arrays that share a list of them. */
typedef struct offsets {
    const char *name;
    int64_t *first; /* [frames + 1] */
} offsets;

/* An array on its way to the file. */
typedef struct column {
    const cab_study_array *array;
    FILE *scratch;
    int64_t rows; /* of all frames so far; of the first one if it is the same in all */
    const char *path;
    char chunk[CHUNK]; /* the part of the scratch file that was read last */
} column;

typedef struct output {
    cab_study *study;
    cab_npz npz;
    column *columns;
    int column_count;
    offsets offsets[OFFSETS];
    double *times; /* [frames] s */
    int frames;
    cab_npz_texts names[NAMES];
} output;

static cab_status destroy(output *out, cab_status status)
{
    for (int i = 0; i < out->column_count; i++)
        if (out->columns[i].scratch) fclose(out->columns[i].scratch);
    for (int i = 0; i < OFFSETS; i++) free(out->offsets[i].first);
    for (int i = 0; i < NAMES; i++) free(out->names[i].characters);
    cab_npz_close(&out->npz);
    CAB_FREE(out->columns, out->times, out);
    return status;
}

static cab_status fail_scratch(const column *c, const char *what, int errnum, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot %s its scratch file: %s", c->path, what,
                    strerror(errnum ? errnum : EIO));
}

static cab_status open_columns(output *out, cab_error *error)
{
    out->columns = calloc(ARRAYS, sizeof *out->columns);
    if (!out->columns) return cab_fail_memory(error, "arrays", ARRAYS * sizeof *out->columns);
    for (const cab_study_array *a = out->study->kind->arrays; a->name; a++) {
        column *c = &out->columns[out->column_count++];
        *c = (column){.array = a, .path = out->npz.path, .scratch = cab_file_scratch(out->npz.path)};
        if (!c->scratch) return fail_scratch(c, "make", errno, error);
    }
    return CAB_OK;
}

cab_status cab_study_open_npz(void *user, const char *path, const cab_scene *scene, void **writer,
                              cab_error *error)
{
    (void)scene;
    output *out = calloc(1, sizeof *out);
    if (!out) return cab_fail_memory(error, "an output", sizeof *out);
    out->study = user;
    cab_status status = cab_npz_open(&out->npz, path, error);
    if (!status) status = open_columns(out, error);
    if (status) return destroy(out, status);
    *writer = out;
    return CAB_OK;
}

/* ---- frames ---- */

static cab_status make_room(output *out, cab_error *error)
{
    bool first = out->frames == 0;
    cab_status status = CAB_ONE_MORE(out->times, out->frames, error);
    for (int i = 0; i < OFFSETS && !status; i++) {
        int64_t **starts = &out->offsets[i].first;
        if (first) status = CAB_ONE_MORE(*starts, 0, error);
        if (!status) status = CAB_ONE_MORE(*starts, out->frames + 1, error);
        if (first && !status) (*starts)[0] = 0;
    }
    return status;
}

static size_t number_size(const cab_study_array *a)
{
    return (size_t)(a->type[1] - '0');
}

static size_t row_size(const cab_study_array *a)
{
    return number_size(a) * (a->width ? (size_t)a->width : 1);
}

static int count_at(const cab_study *study, size_t offset)
{
    return *(const int *)(const void *)((const char *)study + offset);
}

/* Notes where the next frame's rows begin. */
static void note_offset(output *out, const column *c)
{
    int i = 0;
    while (i + 1 < OFFSETS && out->offsets[i].name && strcmp(out->offsets[i].name, c->array->offsets)) i++;
    out->offsets[i].name = c->array->offsets;
    out->offsets[i].first[out->frames + 1] = c->rows;
}

static cab_status add_rows(output *out, column *c, cab_error *error)
{
    const cab_study_array *a = c->array;
    const char *list;
    int count = count_at(out->study, a->count);
    if (a->once && out->frames > 0) return CAB_OK;
    memcpy(&list, (const char *)out->study + a->list, sizeof list);
    errno = 0;
    for (int i = 0; i < count; i++)
        if (fwrite(list + (size_t)i * a->stride + a->member, row_size(a), 1, c->scratch) != 1)
            return fail_scratch(c, "write", errno, error);
    c->rows += count;
    if (a->offsets) note_offset(out, c);
    return CAB_OK;
}

cab_status cab_study_frame_npz(void *writer, cab_world *world, cab_error *error)
{
    output *out = writer;
    (void)world;
    cab_status status = out->study->kind->read(out->study, error);
    if (!status) status = make_room(out, error);
    for (int i = 0; i < out->column_count && !status; i++) status = add_rows(out, &out->columns[i], error);
    if (!status) out->times[out->frames++] = cab_study_time(out->study);
    return status;
}

/* ---- the file ---- */

static const void *column_bytes(void *self, uint64_t at, uint64_t *left, cab_error *error)
{
    column *c = self;
    errno = 0;
    size_t got = 0;
    if (fseeko(c->scratch, (off_t)at, SEEK_SET) == 0) got = fread(c->chunk, 1, sizeof c->chunk, c->scratch);
    *left = got;
    if (got > 0) return c->chunk;
    fail_scratch(c, "read", errno, error);
    return NULL;
}

/* "61, 4, 2": frames, rows, numbers. */
static void write_shape(const output *out, const column *c, char *text, size_t size)
{
    const cab_study_array *a = c->array;
    char width[16] = "";
    if (a->width) snprintf(width, sizeof width, " %d", a->width);
    if (a->once || a->offsets)
        snprintf(text, size, "%lld,%s", (long long)c->rows, width);
    else
        snprintf(text, size, "%d, %lld%s%s", out->frames, (long long)(c->rows / out->frames),
                 a->width ? "," : "", width);
}

static void add_column(output *out, column *c)
{
    const cab_study_array *a = c->array;
    char shape[64], type[8];
    write_shape(out, c, shape, sizeof shape);
    snprintf(type, sizeof type, "%s%s", number_size(a) > 1 ? CAB_NPZ_ORDER : "|", a->type);
    fflush(c->scratch);
    cab_npz_add_stream(&out->npz, a->name, type, shape, column_bytes, c, (uint64_t)c->rows * row_size(a));
}

/* A text among the study's names, by its number. */
typedef struct naming {
    const cab_study *study;
    const cab_study_names *names;
} naming;

static void put_name(void *self, int i, char text[CAB_NPZ_TEXT])
{
    const naming *n = self;
    snprintf(text, CAB_NPZ_TEXT, "%s", n->names->text(n->study, i));
}

static cab_status add_names(output *out, cab_error *error)
{
    const cab_study_names *all = out->study->kind->names;
    cab_status status = CAB_OK;
    for (int i = 0; all[i].name && !status; i++) {
        naming n = {out->study, &all[i]};
        status = cab_npz_make_texts(&out->names[i], count_at(out->study, all[i].count), put_name, &n, error);
        if (!status) cab_npz_add_texts(&out->npz, all[i].name, &out->names[i]);
    }
    return status;
}

static cab_status write_all(output *out, cab_error *error)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%d,", out->frames);
    cab_npz_add(&out->npz, "times", CAB_NPZ_ORDER "f8", shape, out->times, 8ull * (uint64_t)out->frames);
    cab_status status = add_names(out, error);
    if (status) return status;
    snprintf(shape, sizeof shape, "%d,", out->frames + 1);
    for (int i = 0; i < OFFSETS && out->offsets[i].name; i++)
        cab_npz_add(&out->npz, out->offsets[i].name, CAB_NPZ_ORDER "i8", shape, out->offsets[i].first,
                    8ull * (uint64_t)(out->frames + 1));
    for (int i = 0; i < out->column_count; i++) add_column(out, &out->columns[i]);
    return cab_npz_write(&out->npz, error);
}

cab_status cab_study_close_npz(void *writer, cab_world *world, bool commit, cab_error *error)
{
    output *out = writer;
    (void)world;
    return destroy(out, commit ? write_all(out, error) : CAB_OK);
}
