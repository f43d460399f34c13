/* .npz: NumPy's arrays in a zip archive, stored as they are (NumPy Enhancement Proposal 1, format 1.0). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zip.h>

#include "base/error.h"
#include "io/file.h"
#include "io/output_kind.h"
#include "io/record.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER ">"
#else
#define ORDER "<"
#endif

#define HEADER_SIZE 192       /* room for all of ours; 64 divides it, as the format asks */
#define DOS_DATE (1 << 5 | 1) /* 1980-01-01: the same run gives the same bytes */
#define LONGEST_NAME 256      /* characters */
#define MEMBERS (7 + CAB_TRACK_COUNT)

/* An array: its header, then one block of memory, or a track frame by frame. */
typedef struct member {
    const char *name;
    char header[HEADER_SIZE];
    const void *data; /* NULL = of a track */
    uint64_t size;    /* bytes without the header */
    cab_record *record;
    cab_track track;
    uint64_t place; /* bytes read, with the header */
    int frame;      /* whose values the record holds; -1 = none */
    cab_error *error;
} member;

/* What is the same in all frames. */
typedef struct tables {
    int64_t *offset; /* [bodies + 1] */
    float *radius;   /* [bodies] */
    uint32_t *name;  /* [bodies][name_length] */
    int32_t *cell;   /* [cells][4] */
    int32_t cables;
    int name_length; /* characters of the longest */
    int bodies, cells;
} tables;

typedef struct npz {
    cab_file file;
    cab_record record;
    char *path;
    member members[MEMBERS];
    int member_count;
    tables tables;
} npz;

static cab_status destroy(npz *n, cab_status status)
{
    cab_record_close(&n->record);
    cab_file_close(&n->file);
    free(n->tables.offset);
    free(n->tables.radius);
    free(n->tables.name);
    free(n->tables.cell);
    free(n->path);
    free(n);
    return status;
}

/* libzip replaces files by name, so a pipe or a device will not do. */
static cab_status open_file(npz *n, const char *path, cab_error *error)
{
    n->path = strdup(path);
    if (!n->path) return cab_fail_memory(error, "a file name", strlen(path) + 1);
    cab_status status = cab_file_open(&n->file, path, error);
    if (status) return status;
    if (!n->file.temporary)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: .npz needs a plain file", path);
    return cab_record_open(&n->record, n->path, error);
}

static cab_status open_npz(void *user, const char *path, const cab_scene *scene, void **writer,
                           cab_error *error)
{
    (void)user, (void)scene;
    npz *n = calloc(1, sizeof *n);
    if (!n) return cab_fail_memory(error, "an output", sizeof *n);
    cab_status status = open_file(n, path, error);
    if (status) return destroy(n, status);
    *writer = n;
    return CAB_OK;
}

static cab_status frame_npz(void *writer, cab_world *world, cab_error *error)
{
    return cab_record_add(&((npz *)writer)->record, world, 0, error);
}

/* ---- arrays ---- */

static member *add(npz *n, const char *name, const char *type, const char *shape)
{
    member *m = &n->members[n->member_count++];
    *m = (member){.name = name, .record = &n->record, .frame = -1};
    char text[HEADER_SIZE - 11]; /* followed by spaces and a line's end */
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    memset(m->header, ' ', sizeof m->header);
    memcpy(m->header, "\x93NUMPY\x01", 8);
    m->header[8] = (char)(HEADER_SIZE - 10);
    m->header[9] = 0;
    memcpy(m->header + 10, text, (size_t)length);
    m->header[HEADER_SIZE - 1] = '\n';
    return m;
}

static void add_table(npz *n, const char *name, const char *type, const char *shape, const void *data,
                      uint64_t size)
{
    member *m = add(n, name, type, shape);
    m->data = data;
    m->size = size;
}

static void add_track(npz *n, cab_track track)
{
    char shape[64];
    const cab_record *r = &n->record;
    snprintf(shape, sizeof shape, cab_track_width(track) == 3 ? "%d, %d, 3" : "%d, %d", r->frame_count,
             r->nodes);
    member *m = add(n, cab_track_name(track), ORDER "f4", shape);
    m->track = track;
    m->size = (uint64_t)r->frame_count * (uint64_t)r->nodes * (uint64_t)cab_track_width(track) * 4;
}

/* The characters of UTF-8; what is none counts as itself. Returns how many, at most LONGEST_NAME. */
static int decode(const char *text, uint32_t out[LONGEST_NAME])
{
    int count = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at && count < LONGEST_NAME; count++) {
        int more = *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : *at >= 0xC0 ? 1 : 0;
        uint32_t value = more ? *at & (0x3Fu >> more) : *at;
        at++;
        for (; more > 0 && (*at & 0xC0) == 0x80; more--) value = value << 6 | (*at++ & 0x3F);
        out[count] = value;
    }
    return count;
}

static void fill_names(tables *t, const cab_snapshot *snapshot)
{
    uint32_t name[LONGEST_NAME];
    for (int b = 0; b < t->bodies; b++) {
        int length = decode(cab_snapshot_body(snapshot, b).name, name);
        memcpy(t->name + (size_t)b * (size_t)t->name_length, name, (size_t)length * sizeof *name);
    }
}

static cab_status fill_tables(tables *t, const cab_snapshot *snapshot, cab_error *error)
{
    uint32_t name[LONGEST_NAME];
    t->bodies = cab_snapshot_bodies(snapshot);
    t->cells = snapshot->info.cells;
    t->cables = snapshot->info.cables;
    t->name_length = 1;
    for (int b = 0; b < t->bodies; b++) {
        int length = decode(cab_snapshot_body(snapshot, b).name, name);
        if (length > t->name_length) t->name_length = length;
    }
    size_t bodies = (size_t)t->bodies;
    t->offset = calloc(bodies + 1, sizeof *t->offset);
    t->radius = calloc(bodies, sizeof *t->radius);
    t->name = calloc(bodies * (size_t)t->name_length, sizeof *t->name);
    t->cell = calloc(4 * (size_t)t->cells + 1, sizeof *t->cell);
    if (!t->offset || !t->radius || !t->name || !t->cell)
        return cab_fail_memory(error, "names", bodies * (size_t)t->name_length * sizeof *t->name);
    for (int b = 0; b < t->bodies; b++) {
        cab_body body = cab_snapshot_body(snapshot, b);
        t->offset[b + 1] = body.first_node + body.node_count;
        t->radius[b] = (float)body.radius;
    }
    fill_names(t, snapshot);
    if (t->cells > 0) cab_world_get_cells(snapshot->world, t->cell);
    return CAB_OK;
}

static void list_members(npz *n)
{
    const tables *t = &n->tables;
    const cab_record *r = &n->record;
    char shape[32], type[16];
    uint64_t bodies = (uint64_t)t->bodies;
    snprintf(shape, sizeof shape, "%d,", r->frame_count);
    add_table(n, "times", ORDER "f8", shape, r->time, 8ull * (uint64_t)r->frame_count);
    snprintf(shape, sizeof shape, "%d,", t->bodies + 1);
    add_table(n, "offsets", ORDER "i8", shape, t->offset, 8 * (bodies + 1));
    snprintf(shape, sizeof shape, "%d,", t->bodies);
    snprintf(type, sizeof type, ORDER "U%d", t->name_length);
    add_table(n, "names", type, shape, t->name, 4 * bodies * (uint64_t)t->name_length);
    add_table(n, "radius", ORDER "f4", shape, t->radius, 4 * bodies);
    add_table(n, "cables", ORDER "i4", "", &t->cables, 4);
    snprintf(shape, sizeof shape, "%d, 4", t->cells);
    add_table(n, "cells", ORDER "i4", shape, t->cell, 16 * (uint64_t)t->cells);
    add_table(n, "first_frame", ORDER "i4", "", &r->first_frame, 4);
    for (int k = 0; k < CAB_TRACK_COUNT; k++) add_track(n, (cab_track)k);
}

/* ---- the archive ---- */

static const char *bytes_at(member *m, uint64_t *left)
{
    if (m->place < HEADER_SIZE) {
        *left = HEADER_SIZE - m->place;
        return m->header + m->place;
    }
    uint64_t at = m->place - HEADER_SIZE;
    if (m->data) {
        *left = m->size - at;
        return (const char *)m->data + at;
    }
    uint64_t frame_bytes = m->size / (uint64_t)m->record->frame_count;
    int frame = (int)(at / frame_bytes);
    *left = frame_bytes - at % frame_bytes;
    if (frame != m->frame && !cab_record_read(m->record, frame, m->track, m->error)) return NULL;
    m->frame = frame;
    return (const char *)m->record->values + at % frame_bytes;
}

static zip_int64_t read_bytes(member *m, char *out, uint64_t room)
{
    uint64_t done = 0, total = HEADER_SIZE + m->size;
    while (done < room && m->place < total) {
        uint64_t left;
        const char *from = bytes_at(m, &left);
        if (!from) return -1;
        if (left > room - done) left = room - done;
        memcpy(out + done, from, left);
        done += left;
        m->place += left;
    }
    return (zip_int64_t)done;
}

/* How libzip asks for an array. */
static zip_int64_t serve(void *user, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    member *m = user;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_OPEN:
        m->place = 0;
        m->frame = -1;
        return 0;
    case ZIP_SOURCE_READ:
        return read_bytes(m, data, size);
    case ZIP_SOURCE_STAT:
        zip_stat_init(data);
        ((zip_stat_t *)data)->size = HEADER_SIZE + m->size;
        ((zip_stat_t *)data)->valid |= ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
    case ZIP_SOURCE_ERROR:
        if (size < 2 * sizeof(int)) return -1;
        ((int *)data)[0] = ZIP_ER_READ;
        ((int *)data)[1] = 0;
        return 2 * sizeof(int);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    default:
        return -1;
    }
}

static bool put_member(zip_t *archive, member *m)
{
    char file[32];
    snprintf(file, sizeof file, "%s.npy", m->name);
    zip_source_t *source = zip_source_function(archive, serve, m);
    zip_int64_t index = source ? zip_file_add(archive, file, source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
        if (source) zip_source_free(source);
        return false;
    }
    return zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
           zip_file_set_dostime(archive, (zip_uint64_t)index, 0, DOS_DATE, 0) == 0;
}

static cab_status fail_zip(const npz *n, zip_error_t *fault, cab_error *error)
{
    const char *text = zip_error_strerror(fault);
    int errnum = zip_error_code_system(fault);
    bool system = zip_error_system_type(fault) == ZIP_ET_SYS && errnum != 0;
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: %s", n->path,
                    system ? strerror(errnum) : text);
}

static cab_status put_members(npz *n, zip_t *archive, cab_error *error)
{
    cab_error reading = {0};
    bool good = true;
    for (int i = 0; i < n->member_count && good; i++) {
        n->members[i].error = &reading;
        good = put_member(archive, &n->members[i]);
    }
    if (good && zip_close(archive) == 0) return CAB_OK;
    cab_status status = fail_zip(n, zip_get_error(archive), error);
    zip_discard(archive);
    return reading.message[0] ? cab_fail(error, CAB_ERROR_IO, "%s", reading.message) : status;
}

static cab_status write_archive(npz *n, cab_error *error)
{
    int code;
    zip_t *archive = zip_open(n->file.temporary, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive) return put_members(n, archive, error);
    zip_error_t fault;
    zip_error_init_with_code(&fault, code);
    cab_status status = fail_zip(n, &fault, error);
    zip_error_fini(&fault);
    return status;
}

static cab_status write_all(npz *n, cab_world *world, cab_error *error)
{
    cab_snapshot snapshot = {.world = world, .info = cab_world_get_info(world)};
    cab_status status = fill_tables(&n->tables, &snapshot, error);
    if (status) return status;
    list_members(n);
    status = write_archive(n, error);
    if (!status) status = cab_file_finish(&n->file, error);
    return status ? status : cab_file_rename(&n->file, error);
}

static cab_status close_npz(void *writer, cab_world *world, bool commit, cab_error *error)
{
    npz *n = writer;
    return destroy(n, commit ? write_all(n, world, error) : CAB_OK);
}

const cab_output_kind cab_output_npz = {
    .endings = ".npz", .open = open_npz, .frame = frame_npz, .close = close_npz};
