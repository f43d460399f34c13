#include "io/npz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "library/libzip.h"

#define DOS_DATE (1 << 5 | 1) /* 1980-01-01: the same run gives the same bytes */
#define LONGEST_TEXT 256      /* characters */

cab_status cab_npz_open(cab_npz *npz, const char *path, cab_error *error)
{
    *npz = (cab_npz){0};
    cab_status status = cab_libzip_load(path, error);
    if (status) return status;
    npz->path = strdup(path);
    if (!npz->path) return cab_fail_memory(error, "a file name", strlen(path) + 1);
    status = cab_file_open(&npz->file, path, error);
    if (status) return status;
    if (!npz->file.temporary)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: .npz needs a plain file", path);
    return CAB_OK;
}

void cab_npz_close(cab_npz *npz)
{
    cab_file_close(&npz->file);
    free(npz->path);
    *npz = (cab_npz){0};
}

static cab_npz_array *add(cab_npz *npz, const char *name, const char *type, const char *shape, uint64_t size)
{
    cab_npz_array *array = &npz->arrays[npz->count++];
    *array = (cab_npz_array){.name = name, .size = size};
    char text[CAB_NPZ_HEADER - 11]; /* followed by spaces and a line's end */
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    memset(array->header, ' ', sizeof array->header);
    memcpy(array->header, "\x93NUMPY\x01", 8);
    array->header[8] = (char)(CAB_NPZ_HEADER - 10);
    array->header[9] = 0;
    memcpy(array->header + 10, text, (size_t)length);
    array->header[CAB_NPZ_HEADER - 1] = '\n';
    return array;
}

void cab_npz_add(cab_npz *npz, const char *name, const char *type, const char *shape, const void *data,
                 uint64_t size)
{
    add(npz, name, type, shape, size)->data = data;
}

void cab_npz_add_stream(cab_npz *npz, const char *name, const char *type, const char *shape,
                        cab_file_bytes *bytes, void *self, uint64_t size)
{
    cab_npz_array *array = add(npz, name, type, shape, size);
    array->bytes = bytes;
    array->self = self;
}

/* ---- texts ---- */

/* The characters of UTF-8; what is none counts as itself. Returns how many, at most LONGEST_TEXT. */
static int decode(const char *text, uint32_t out[LONGEST_TEXT])
{
    int count = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at && count < LONGEST_TEXT; count++) {
        int more = *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : *at >= 0xC0 ? 1 : 0;
        uint32_t value = more ? *at & (0x3Fu >> more) : *at;
        at++;
        for (; more > 0 && (*at & 0xC0) == 0x80; more--) value = value << 6 | (*at++ & 0x3F);
        out[count] = value;
    }
    return count;
}

cab_status cab_npz_make_texts(cab_npz_texts *texts, int count, cab_npz_text *text, void *self,
                              cab_error *error)
{
    uint32_t one[LONGEST_TEXT];
    char bytes[CAB_NPZ_TEXT];
    *texts = (cab_npz_texts){.count = count, .length = 1};
    for (int i = 0; i < count; i++) {
        text(self, i, bytes);
        int length = decode(bytes, one);
        if (length > texts->length) texts->length = length;
    }
    size_t length = (size_t)texts->length;
    texts->characters = calloc((size_t)count * length + 1, sizeof *texts->characters);
    if (!texts->characters) return cab_fail_memory(error, "names", (size_t)count * length * sizeof *one);
    for (int i = 0; i < count; i++) {
        text(self, i, bytes);
        int characters = decode(bytes, one);
        memcpy(texts->characters + (size_t)i * length, one, (size_t)characters * sizeof *one);
    }
    snprintf(texts->type, sizeof texts->type, CAB_NPZ_ORDER "U%d", texts->length);
    snprintf(texts->shape, sizeof texts->shape, "%d,", count);
    return CAB_OK;
}

void cab_npz_add_texts(cab_npz *npz, const char *name, const cab_npz_texts *texts)
{
    cab_npz_add(npz, name, texts->type, texts->shape, texts->characters,
                sizeof *texts->characters * (uint64_t)texts->count * (uint64_t)texts->length);
}

/* ---- the archive ---- */

static const char *bytes_at(cab_npz_array *a, uint64_t *left)
{
    if (a->place < CAB_NPZ_HEADER) {
        *left = CAB_NPZ_HEADER - a->place;
        return a->header + a->place;
    }
    uint64_t at = a->place - CAB_NPZ_HEADER;
    if (!a->data) return a->bytes(a->self, at, left, a->error);
    *left = a->size - at;
    return (const char *)a->data + at;
}

static zip_int64_t read_bytes(cab_npz_array *m, char *out, uint64_t room)
{
    uint64_t done = 0, total = CAB_NPZ_HEADER + m->size;
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
    cab_npz_array *m = user;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_OPEN:
        m->place = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read_bytes(m, data, size);
    case ZIP_SOURCE_STAT:
        zip_stat_init(data);
        ((zip_stat_t *)data)->size = CAB_NPZ_HEADER + m->size;
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

static bool put_array(zip_t *archive, cab_npz_array *m)
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

static cab_status fail_zip(const cab_npz *n, zip_error_t *fault, cab_error *error)
{
    const char *text = zip_error_strerror(fault);
    int errnum = zip_error_code_system(fault);
    bool system = zip_error_system_type(fault) == ZIP_ET_SYS && errnum != 0;
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: %s", n->path,
                    system ? strerror(errnum) : text);
}

static cab_status put_arrays(cab_npz *n, zip_t *archive, cab_error *error)
{
    cab_error reading = {0};
    bool good = true;
    for (int i = 0; i < n->count && good; i++) {
        n->arrays[i].error = &reading;
        good = put_array(archive, &n->arrays[i]);
    }
    if (good && zip_close(archive) == 0) return CAB_OK;
    cab_status status = fail_zip(n, zip_get_error(archive), error);
    zip_discard(archive);
    return reading.message[0] ? cab_fail(error, CAB_ERROR_IO, "%s", reading.message) : status;
}

static cab_status write_archive(cab_npz *n, cab_error *error)
{
    int code;
    zip_t *archive = zip_open(n->file.temporary, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive) return put_arrays(n, archive, error);
    zip_error_t fault;
    zip_error_init_with_code(&fault, code);
    cab_status status = fail_zip(n, &fault, error);
    zip_error_fini(&fault);
    return status;
}

cab_status cab_npz_write(cab_npz *npz, cab_error *error)
{
    cab_status status = write_archive(npz, error);
    if (!status) status = cab_file_finish(&npz->file, error);
    return status ? status : cab_file_rename(&npz->file, error);
}
