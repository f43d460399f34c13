#include <clcable/fit.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "io/read_file.h"
#include "model/limits.h"

enum { COLUMNS = 5, FIELDS_MOST = 64, FIELD_SIZE = 256 };
static const char *const columns[COLUMNS] = {"t", "probe", "x", "y", "z"};

/* A line of the file, split at commas. */
typedef struct row {
    char field[FIELDS_MOST][FIELD_SIZE];
    int count;
} row;

typedef struct reader {
    const char *path, *at, *end;
    int line;
    int place[COLUMNS]; /* which field a column is */
    row row;
    int room;
    cab_tracks *tracks;
    cab_error *error;
} reader;

static cab_status fail(const reader *r, const char *expected, const char *got)
{
    return cab_fail(r->error, CAB_ERROR_INPUT, "%s: line %d: expected %s, got '%.60s'", r->path, r->line,
                    expected, got);
}

static void put(row *into, int *length, char c)
{
    if (into->count < FIELDS_MOST && *length < FIELD_SIZE - 1) into->field[into->count][(*length)++] = c;
}

static void end_field(row *into, int *length)
{
    if (into->count < FIELDS_MOST) into->field[into->count++][*length] = 0;
    *length = 0;
}

/* The next line, with fields in quotes, in which "" is one quote. False: there is none. */
static bool next_row(reader *r)
{
    int length = 0;
    bool quoted = false;
    if (r->at >= r->end) return false;
    r->row.count = 0;
    r->line++;
    for (; r->at < r->end && (quoted || *r->at != '\n'); r->at++) {
        bool twice = r->at + 1 < r->end && r->at[1] == '"';
        if (*r->at == '"' && quoted && twice)
            put(&r->row, &length, *r->at++);
        else if (*r->at == '"')
            quoted = !quoted;
        else if (*r->at == ',' && !quoted)
            end_field(&r->row, &length);
        else if (*r->at != '\r')
            put(&r->row, &length, *r->at);
    }
    r->at++;
    end_field(&r->row, &length);
    return true;
}

static cab_status read_header(reader *r)
{
    if (!next_row(r))
        return cab_fail(r->error, CAB_ERROR_INPUT, "%s: expected a table with t, probe, x, y, z", r->path);
    for (int c = 0; c < COLUMNS; c++) {
        r->place[c] = -1;
        for (int i = 0; i < r->row.count; i++)
            if (strcmp(r->row.field[i], columns[c]) == 0) r->place[c] = i;
        if (r->place[c] >= 0) continue;
        return cab_fail(r->error, CAB_ERROR_INPUT,
                        "%s: line 1: expected the columns t, probe, x, y, z; \"%s\" is missing", r->path,
                        columns[c]);
    }
    return CAB_OK;
}

static const char *field_of(const reader *r, int column)
{
    return r->place[column] < r->row.count ? r->row.field[r->place[column]] : "";
}

/* A number, or NAN where there is none. */
static cab_status read_number(const reader *r, int column, double *value)
{
    const char *text = field_of(r, column);
    char *end, expected[32];
    *value = NAN;
    if (!*text) return CAB_OK;
    *value = strtod(text, &end);
    if (end != text && !*end && !isinf(*value)) return CAB_OK;
    snprintf(expected, sizeof expected, "a number for %s", columns[column]);
    return fail(r, expected, text);
}

static cab_status find_probe(reader *r, const char *name, int *probe)
{
    cab_tracks *t = r->tracks;
    for (*probe = 0; *probe < t->probe_count; (*probe)++)
        if (strcmp(t->probe[*probe], name) == 0) return CAB_OK;
    if (!*name) return fail(r, "the name of a probe", name);
    cab_status status = CAB_RESIZE(t->probe, t->probe_count + 1, r->error);
    if (status != CAB_OK) return status;
    t->probe[t->probe_count] = strdup(name);
    if (!t->probe[t->probe_count]) return cab_fail_memory(r->error, "tracks", strlen(name));
    t->probe_count++;
    return CAB_OK;
}

static cab_status read_sample(reader *r)
{
    cab_track_sample sample;
    double number[COLUMNS];
    cab_status status = CAB_OK;
    for (int c = 0; c < COLUMNS && !status; c++)
        if (c != 1) status = read_number(r, c, &number[c]);
    if (status) return status;
    if (!(number[0] >= 0 && number[0] <= CAB_TRACK_TIME_MAX))
        return fail(r, "a time of 0 s or later, up to 1e9 s", field_of(r, 0));
    status = find_probe(r, field_of(r, 1), &sample.probe);
    bool none = isnan(number[2]) && isnan(number[3]) && isnan(number[4]);
    if (status || none) return status;
    sample.t = number[0];
    sample.place = (cab_vec3){number[2], number[3], number[4]};
    status = CAB_ROOM(r->tracks->sample, r->room, r->tracks->count + 1, r->error);
    if (!status) r->tracks->sample[r->tracks->count++] = sample;
    return status;
}

/* Two runs that are sorted, of `middle` samples and up to `end`, become one; of one time the first run's are first. */
static void merge(const cab_track_sample *from, size_t middle, size_t end, cab_track_sample *into)
{
    size_t a = 0, b = middle;
    for (size_t i = 0; i < end; i++) {
        bool first = b >= end || (a < middle && from[a].t <= from[b].t);
        into[i] = from[first ? a++ : b++];
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* By time, and what is of one time stays in its order: tables may go on by time or by probe. */
static cab_status sort(cab_tracks *t, cab_error *error)
{
    size_t count = (size_t)t->count;
    cab_track_sample *other;
    cab_status status = CAB_NEW(other, count, error);
    for (size_t width = 1; !status && width < count; width *= 2) {
        for (size_t first = 0; first < count; first += 2 * width)
            merge(t->sample + first, least(width, count - first), least(2 * width, count - first),
                  other + first);
        cab_track_sample *sorted = other;
        other = t->sample;
        t->sample = sorted;
    }
    CAB_FREE(other);
    return status;
}

cab_status cab_tracks_read(const char *path, cab_tracks *tracks, cab_error *error)
{
    char *text;
    size_t size;
    *tracks = (cab_tracks){0};
    cab_status status = cab_read_file(path, &text, &size, error);
    reader *r = status ? NULL : calloc(1, sizeof *r);
    if (!status && !r) status = cab_fail_memory(error, "tracks", sizeof *r);
    if (!status) {
        *r = (reader){.path = path, .at = text, .end = text + size, .tracks = tracks, .error = error};
        status = read_header(r);
        while (!status && next_row(r))
            if (r->row.count > 1 || *r->row.field[0]) status = read_sample(r);
    }
    if (!status && tracks->count == 0)
        status = cab_fail(error, CAB_ERROR_INPUT, "%s: expected a row with a place at least", path);
    if (!status) status = sort(tracks, error);
    CAB_FREE(text, r);
    return status;
}

void cab_tracks_free(cab_tracks *tracks)
{
    for (int i = 0; i < tracks->probe_count; i++) free(tracks->probe[i]);
    CAB_FREE(tracks->probe, tracks->sample);
    *tracks = (cab_tracks){0};
}
