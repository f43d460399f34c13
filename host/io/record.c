#include "io/record.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "io/file.h"

static const struct {
    const char *name;
    int width, before; /* numbers a node of this track, of those before it */
} tracks[] = {
    {"positions", 3, 0}, {"velocities", 3, 3},     {"tension", 1, 6},
    {"curvature", 1, 7}, {"contact", 1, 8},        {"torque", 1, 9},
    {"speed", 1, 0},     {"body_positions", 3, 0}, {"body_rotations", 4, 0},
};

/* A node, all tracks that are kept. */
static size_t frame_numbers(const cab_record *record)
{
    cab_track last = (cab_track)(record->tracks - 1);
    return (size_t)(tracks[last].before + tracks[last].width);
}

int cab_track_width(cab_track track)
{
    return tracks[track].width;
}

const char *cab_track_name(cab_track track)
{
    return tracks[track].name;
}

static bool is_of_bodies(cab_track track)
{
    return track == CAB_TRACK_BODY_POSITION || track == CAB_TRACK_BODY_ROTATION;
}

int cab_record_rows(const cab_record *record, cab_track track)
{
    return is_of_bodies(track) ? record->bodies : record->nodes;
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
    CAB_FREE(record->values, record->readings);
    *record = (cab_record){0};
}

static cab_status make_room(cab_record *record, cab_error *error)
{
    if (record->values) return CAB_OK;
    size_t room = 3 * (size_t)record->nodes + 4 * (size_t)record->bodies;
    cab_status status = CAB_NEW(record->values, room, error);
    return status ? status : CAB_NEW(record->readings, record->bodies, error);
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

static bool put_poses(cab_record *record, const cab_world *world)
{
    for (int i = 0; i < record->colliders + record->bodies; i++) {
        cab_pose pose = {.rotation = {1, 0, 0, 0}};
        if (i < record->colliders) {
            cab_world_get_collider(world, i, &pose);
        } else {
            const cab_body_reading *reading = &record->readings[i - record->colliders];
            pose.position = reading->position;
            memcpy(pose.rotation, reading->rotation, sizeof pose.rotation);
        }
        if (fwrite(&pose, sizeof pose, 1, record->stream) != 1) return false;
    }
    return true;
}

static bool put_frame(cab_record *record, const cab_snapshot *snapshot)
{
    size_t nodes = (size_t)record->nodes;
    return fwrite(&snapshot->info.time, sizeof(double), 1, record->stream) == 1 &&
           put_poses(record, snapshot->world) && put_doubles(record, snapshot->position, 3 * nodes) &&
           put_doubles(record, snapshot->velocity, 3 * nodes) &&
           put_doubles(record, snapshot->tension, nodes) && put(record, snapshot->curvature, nodes) &&
           put(record, snapshot->contact, nodes) &&
           (record->tracks <= CAB_TRACK_TORQUE || put_doubles(record, snapshot->torque, nodes)) &&
           fflush(record->stream) == 0;
}

cab_status cab_record_add(cab_record *record, cab_world *world, int colliders, const cab_body_faces *faces,
                          cab_error *error)
{
    cab_snapshot snapshot;
    cab_status status = cab_snapshot_take_all(world, &snapshot, error);
    if (!status && faces) status = cab_snapshot_add_bodies(&snapshot, faces, error);
    if (status) {
        cab_snapshot_free(&snapshot);
        return status;
    }
    if (record->frame_count == 0) {
        record->nodes = snapshot.info.nodes;
        record->colliders = colliders;
        record->bodies = cab_world_get_bodies(world, NULL, 0);
        record->tracks = snapshot.info.twists ? CAB_TRACK_COUNT : CAB_TRACK_TORQUE;
        record->first_frame = snapshot.info.frame;
    }
    status = make_room(record, error);
    if (!status) status = cab_world_read_bodies(world, record->readings, error);
    errno = 0;
    if (!status && !put_frame(record, &snapshot)) status = fail_scratch(record, "write", errno, error);
    if (!status) record->frame_count++;
    cab_snapshot_free(&snapshot);
    return status;
}

/* ---- reading ---- */

/* Of a frame in the scratch file: the time, and all poses. */
static size_t head_bytes(const cab_record *record)
{
    return sizeof(double) + (size_t)(record->colliders + record->bodies) * sizeof(cab_pose);
}

static bool get(cab_record *record, int frame, off_t at, void *to, size_t size)
{
    off_t of_frame =
        (off_t)(head_bytes(record) + frame_numbers(record) * sizeof(float) * (size_t)record->nodes);
    errno = 0;
    return fseeko(record->stream, frame * of_frame + at, SEEK_SET) == 0 &&
           fread(to, 1, size, record->stream) == size;
}

static off_t place_of_track(const cab_record *record, cab_track track)
{
    return (off_t)(head_bytes(record) + (size_t)tracks[track].before * sizeof(float) * (size_t)record->nodes);
}

static const float *read_bodies(cab_record *record, int frame, cab_track track, cab_error *error)
{
    float *v = record->values;
    for (int i = 0; i < record->bodies; i++) {
        cab_pose pose = cab_record_pose(record, frame, record->colliders + i);
        if (track == CAB_TRACK_BODY_POSITION)
            cab_vec3_to_floats(pose.position, v + 3 * (size_t)i);
        else
            for (int k = 0; k < 4; k++) v[4 * (size_t)i + (size_t)k] = (float)pose.rotation[k];
    }
    return cab_record_check(record, error) ? NULL : v;
}

const float *cab_record_read(cab_record *record, int frame, cab_track track, cab_error *error)
{
    cab_track kept = track == CAB_TRACK_SPEED ? CAB_TRACK_VELOCITY : track;
    size_t count = (size_t)tracks[kept].width * (size_t)record->nodes;
    float *v = record->values;
    if (is_of_bodies(track)) return read_bodies(record, frame, track, error);
    if (!get(record, frame, place_of_track(record, kept), v, count * sizeof *v)) {
        fail_scratch(record, "read", errno, error);
        return NULL;
    }
    if (track == CAB_TRACK_SPEED)
        for (size_t i = 0; i < count / 3; i++)
            v[i] = (float)sqrt((double)v[3 * i] * v[3 * i] + (double)v[3 * i + 1] * v[3 * i + 1] +
                               (double)v[3 * i + 2] * v[3 * i + 2]);
    return v;
}

cab_pose cab_record_pose(cab_record *record, int frame, int collider)
{
    cab_pose pose = {.rotation = {1, 0, 0, 0}};
    off_t at = (off_t)(sizeof(double) + (size_t)collider * sizeof pose);
    if (!get(record, frame, at, &pose, sizeof pose) && !record->errnum) record->errnum = errno ? errno : EIO;
    return pose;
}

cab_status cab_record_check(const cab_record *record, cab_error *error)
{
    return record->errnum ? fail_scratch(record, "read", record->errnum, error) : CAB_OK;
}

const void *cab_record_track_bytes(void *self, uint64_t at, uint64_t *left, cab_error *error)
{
    cab_record_stream *s = self;
    uint64_t rows = (uint64_t)cab_record_rows(s->record, s->track),
             of_frame = (uint64_t)cab_track_width(s->track) * rows * sizeof(float);
    int frame = (int)(at / of_frame);
    *left = of_frame - at % of_frame;
    if (at % of_frame == 0 || frame != s->frame) {
        if (!cab_record_read(s->record, frame, s->track, error)) return NULL;
        s->frame = frame;
    }
    return (const char *)s->record->values + at % of_frame;
}

const void *cab_record_time_bytes(void *self, uint64_t at, uint64_t *left, cab_error *error)
{
    cab_record_stream *s = self;
    *left = sizeof s->time - at % sizeof s->time;
    if (get(s->record, (int)(at / sizeof s->time), 0, &s->time, sizeof s->time))
        return (const char *)&s->time + at % sizeof s->time;
    fail_scratch(s->record, "read", errno, error);
    return NULL;
}
