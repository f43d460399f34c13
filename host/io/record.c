#include "io/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/file.h"

static const struct {
    const char *name;
    int width, before; /* numbers a node of this track, of those before it */
} tracks[CAB_TRACK_COUNT] = {
    {"positions", 3, 0}, {"velocities", 3, 3}, {"tension", 1, 6}, {"curvature", 1, 7}, {"contact", 1, 8},
};
#define FRAME_NUMBERS 9 /* a node, all tracks */

int cab_track_width(cab_track track)
{
    return tracks[track].width;
}

const char *cab_track_name(cab_track track)
{
    return tracks[track].name;
}

static cab_status fail_scratch(const cab_record *record, const char *what, int errnum, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot %s its scratch file: %s", record->name, what,
                    strerror(errnum ? errnum : EIO));
}

cab_status cab_record_open(cab_record *record, const char *path, cab_error *error)
{
    *record = (cab_record){.name = path};
    record->stream = cab_file_scratch(path);
    if (!record->stream) return fail_scratch(record, "make", errno, error);
    return CAB_OK;
}

void cab_record_close(cab_record *record)
{
    if (record->stream) fclose(record->stream);
    CAB_FREE(record->pose, record->time, record->values);
    *record = (cab_record){0};
}

static cab_status make_room(cab_record *record, cab_error *error)
{
    if (!record->values) record->values = calloc(3 * (size_t)record->nodes + 1, sizeof *record->values);
    if (!record->values) return cab_fail_memory(error, "a frame", 12ull * (size_t)record->nodes);
    if (record->frame_count < record->capacity) return CAB_OK;
    int capacity = record->capacity ? 2 * record->capacity : 64;
    cab_status status = CAB_RESIZE(record->time, capacity, error);
    if (status == CAB_OK)
        status = CAB_RESIZE(record->pose, (size_t)capacity * (size_t)record->colliders, error);
    if (status == CAB_OK) record->capacity = capacity;
    return status;
}

static bool put(cab_record *record, const float *values, size_t count)
{
    return fwrite(values, sizeof *values, count, record->stream) == count;
}

static bool put_doubles(cab_record *record, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) record->values[i] = (float)values[i];
    return put(record, record->values, count);
}

static bool put_frame(cab_record *record, const cab_snapshot *snapshot)
{
    size_t nodes = (size_t)record->nodes;
    return put_doubles(record, snapshot->position, 3 * nodes) &&
           put_doubles(record, snapshot->velocity, 3 * nodes) &&
           put_doubles(record, snapshot->tension, nodes) && put(record, snapshot->curvature, nodes) &&
           put(record, snapshot->contact, nodes) && fflush(record->stream) == 0;
}

cab_status cab_record_add(cab_record *record, cab_world *world, int colliders, cab_error *error)
{
    cab_snapshot snapshot;
    cab_status status = cab_snapshot_take_all(world, &snapshot, error);
    if (status) return status;
    if (record->frame_count == 0) {
        record->nodes = snapshot.info.nodes;
        record->colliders = colliders;
        record->first_frame = snapshot.info.frame;
    }
    status = make_room(record, error);
    errno = 0;
    if (!status && !put_frame(record, &snapshot)) status = fail_scratch(record, "write", errno, error);
    if (!status) {
        int frame = record->frame_count++;
        record->time[frame] = snapshot.info.time;
        for (int i = 0; i < colliders; i++)
            cab_world_get_collider(world, i, &record->pose[(size_t)frame * (size_t)colliders + (size_t)i]);
    }
    cab_snapshot_free(&snapshot);
    return status;
}

const float *cab_record_read(cab_record *record, int frame, cab_track track, cab_error *error)
{
    off_t nodes = record->nodes, numbers = FRAME_NUMBERS * (off_t)frame + tracks[track].before;
    size_t count = (size_t)tracks[track].width * (size_t)record->nodes;
    errno = 0;
    if (fseeko(record->stream, numbers * nodes * (off_t)sizeof(float), SEEK_SET) == 0 &&
        fread(record->values, sizeof *record->values, count, record->stream) == count)
        return record->values;
    fail_scratch(record, "read", errno, error);
    return NULL;
}
