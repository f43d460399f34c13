/* A backend made of others, its members, which share the work of a world: kernels over tiles of lanes are split, a part of
 * the tiles for each member (owners.h); the first member, home, runs all others. What a world computes is, byte for byte, what
 * the first member alone would compute.
 *
 * Where a buffer is right is kept account of (where_right), and it is moved when somebody needs it: parts from their owners to home
 * when a kernel there, or the host, reads it, and from home to their owners when a kernel that is split does. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/bindings.h"
#include "backend/distributed/owners.h"
#include "base/array.h"
#include "base/clock.h"

/* More parts than these are moved with what lies between them, in one piece. */
#define PARTS_MOST 64
/* A new share is taken where it makes a launch so many times as fast. */
#define WORTH_IT 1.05
/* How fast members are is measured in the second launch, the fourth and so on, but at least every so many. */
#define MEASURE_EVERY 512

/* Where a buffer that several members have is right. */
typedef enum where_right {
    RIGHT_EVERYWHERE = 0, /* all members have all of it */
    RIGHT_WITH_HOME,      /* home has all of it, each other member the parts that it owns */
    RIGHT_WITH_OWNERS,    /* each member, home too, has the parts that it owns */
    RIGHT_AT_HOME
} where_right;

typedef struct cab_distributed {
    cab_backend base;
    cab_backend_ops ops;
    cab_backend **member; /* [count]; the first is home */
    int count;
    cab_owners owners;
    bool owners_due;                       /* tables have changed */
    unsigned char right[CAB_BUFFER_COUNT]; /* where_right */
    unsigned char owned[CAB_BUFFER_COUNT]; /* cab_partition: whose owners have the parts, where they do */
    double *time;                          /* s; [count] of a launch, one member after the other */
    long launches, measure_next;           /* those that might be measured */
    void *piece[2];                        /* what is being moved */
    size_t piece_bytes[2];
    void (*log)(void *user, int level, const char *text);
    void *user;
} cab_distributed;

static void note(const cab_distributed *d, const char *format, ...)
{
    char text[CAB_MESSAGE_SIZE];
    va_list arguments;
    if (!d->log) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    d->log(d->user, 1, text);
}

/* Which of the members have a buffer: 1 = only home. */
static int holders(const cab_distributed *d, cab_buffer id)
{
    return cab_rows_of(id).kind == CAB_ROW_NONE ? 1 : d->count;
}

static bool has_owners(cab_buffer id)
{
    return cab_rows_have_owners(cab_rows_of(id));
}

static cab_status room_for(cab_distributed *d, int which, size_t bytes, cab_error *error)
{
    if (bytes <= d->piece_bytes[which]) return CAB_OK;
    free(d->piece[which]);
    d->piece_bytes[which] = 0;
    d->piece[which] = malloc(bytes);
    if (!d->piece[which]) return cab_fail_memory(error, "what devices exchange", bytes);
    d->piece_bytes[which] = bytes;
    return CAB_OK;
}

static cab_status move(cab_distributed *d, cab_buffer id, cab_backend *from, cab_backend *to, cab_extent e,
                       cab_error *error)
{
    cab_status status = room_for(d, 0, e.bytes, error);
    if (status == CAB_OK) status = from->ops->read(from, id, e.offset, e.bytes, d->piece[0], error);
    return status == CAB_OK ? to->ops->write(to, id, e.offset, e.bytes, d->piece[0], error) : status;
}

/* Moves many parts as one: what lies between them stays what it is in `to`. */
static cab_status move_many(cab_distributed *d, cab_buffer id, cab_backend *from, cab_backend *to,
                            const cab_extents *parts, cab_error *error)
{
    const cab_extent *last = &parts->at[parts->count - 1];
    size_t start = parts->at[0].offset, bytes = last->offset + last->bytes - start;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < 2; i++) status = room_for(d, i, bytes, error);
    if (status == CAB_OK) status = from->ops->read(from, id, start, bytes, d->piece[0], error);
    if (status == CAB_OK) status = to->ops->read(to, id, start, bytes, d->piece[1], error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < parts->count; i++) {
        size_t at = parts->at[i].offset - start;
        memcpy((char *)d->piece[1] + at, (const char *)d->piece[0] + at, parts->at[i].bytes);
    }
    return to->ops->write(to, id, start, bytes, d->piece[1], error);
}

/* Kernels name buffers that not all worlds have, such as `slow` where the method is XPBD. */
static bool is_used(const cab_distributed *d, cab_buffer id, const cab_extents *parts)
{
    if (parts->count == 0) return false;
    const cab_extent *last = &parts->at[parts->count - 1];
    return last->offset + last->bytes <= d->base.bytes[id];
}

/* Moves the parts that a member owns, from it to home or from there. */
static cab_status move_parts(cab_distributed *d, cab_buffer id, int member, bool home, cab_error *error)
{
    cab_partition partition = (cab_partition)d->owned[id];
    const cab_extents *parts = cab_owners_extents(&d->owners, partition, id, member, error);
    cab_backend *from = d->member[home ? member : 0], *to = d->member[home ? 0 : member];
    if (!parts) return CAB_ERROR_MEMORY;
    if (!is_used(d, id, parts)) return CAB_OK;
    if (parts->count > PARTS_MOST) return move_many(d, id, from, to, parts, error);
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < parts->count; i++)
        status = move(d, id, from, to, parts->at[i], error);
    return status;
}

/* All of it is right at home. */
static cab_status bring_home(cab_distributed *d, cab_buffer id, cab_error *error)
{
    if (d->right[id] != RIGHT_WITH_OWNERS) return CAB_OK;
    cab_status status = CAB_OK;
    for (int m = 1; status == CAB_OK && m < d->count; m++) status = move_parts(d, id, m, true, error);
    if (status == CAB_OK) d->right[id] = RIGHT_WITH_HOME;
    return status;
}

/* Each member has what a kernel that is split needs: its parts by this partition, or all of a table. */
static cab_status hand_out(cab_distributed *d, cab_buffer id, cab_partition partition, cab_error *error)
{
    bool parts = has_owners(id), other = parts && d->owned[id] != partition;
    cab_status status = CAB_OK;
    if (other && d->right[id] != RIGHT_EVERYWHERE) {
        status = bring_home(d, id, error);
        d->right[id] = RIGHT_AT_HOME;
    }
    if (parts) d->owned[id] = (unsigned char)partition;
    if (d->right[id] != RIGHT_AT_HOME) return status;
    for (int m = 1; status == CAB_OK && m < d->count; m++) {
        if (parts)
            status = move_parts(d, id, m, false, error);
        else if (cab_rows_of(id).kind != CAB_ROW_SCRATCH)
            status = move(d, id, d->member[0], d->member[m], (cab_extent){0, d->base.bytes[id]}, error);
    }
    if (status == CAB_OK) d->right[id] = parts ? RIGHT_WITH_HOME : RIGHT_EVERYWHERE;
    return status;
}

/* Before owners change: nothing is only with them. */
static cab_status bring_all_home(cab_distributed *d, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int id = 0; status == CAB_OK && id < CAB_BUFFER_COUNT; id++) {
        if (!has_owners((cab_buffer)id) || d->right[id] == RIGHT_EVERYWHERE) continue;
        status = bring_home(d, (cab_buffer)id, error);
        d->right[id] = RIGHT_AT_HOME;
    }
    return status;
}

static cab_status tables_change(cab_distributed *d, cab_buffer id, cab_error *error)
{
    if (!cab_owners_ask(id) || d->owners_due) return CAB_OK;
    cab_status status = bring_all_home(d, error);
    d->owners_due = true;
    return status;
}

static cab_status allocate(cab_backend *backend, cab_buffer id, size_t bytes, cab_error *error)
{
    cab_distributed *d = (cab_distributed *)backend;
    cab_status status = tables_change(d, id, error);
    for (int m = 0; status == CAB_OK && m < holders(d, id); m++)
        status = d->member[m]->ops->allocate(d->member[m], id, bytes, error);
    d->right[id] = RIGHT_EVERYWHERE;
    d->base.bytes[id] = status == CAB_OK ? bytes : 0;
    return status;
}

/* Does this change what owners are found from? Most parameters do not. */
static bool changes_owners(const cab_distributed *d, cab_buffer id, size_t bytes, const void *data)
{
    if (id != CAB_BUFFER_params || bytes != sizeof(cab_params)) return true;
    return cab_owners_differ(&d->owners, data);
}

static cab_status write(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, const void *data,
                        cab_error *error)
{
    cab_distributed *d = (cab_distributed *)backend;
    bool whole = offset == 0 && bytes == d->base.bytes[id];
    cab_status status = CAB_OK;
    if (changes_owners(d, id, bytes, data)) status = tables_change(d, id, error);
    if (whole) d->right[id] = RIGHT_EVERYWHERE;
    int count = d->right[id] == RIGHT_AT_HOME ? 1 : holders(d, id);
    for (int m = 0; status == CAB_OK && m < count; m++)
        status = d->member[m]->ops->write(d->member[m], id, offset, bytes, data, error);
    return status;
}

/* Reads what a member owns of a stretch of a buffer. */
static cab_status read_parts(cab_distributed *d, cab_buffer id, int member, cab_extent wanted, char *data,
                             cab_error *error)
{
    cab_backend *from = d->member[member];
    const cab_extents *parts = cab_owners_extents(&d->owners, (cab_partition)d->owned[id], id, member, error);
    cab_status status = parts ? CAB_OK : CAB_ERROR_MEMORY;
    if (status == CAB_OK && !is_used(d, id, parts)) return CAB_OK;
    for (int i = 0; status == CAB_OK && i < parts->count; i++) {
        size_t first = parts->at[i].offset, end = first + parts->at[i].bytes;
        if (first < wanted.offset) first = wanted.offset;
        if (end > wanted.offset + wanted.bytes) end = wanted.offset + wanted.bytes;
        if (first >= end) continue;
        status = from->ops->read(from, id, first, end - first, data + (first - wanted.offset), error);
    }
    return status;
}

/* A stretch of a buffer that is with its owners is read from them; most of one is brought home. */
static cab_status read(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, void *data,
                       cab_error *error)
{
    cab_distributed *d = (cab_distributed *)backend;
    bool apart = d->right[id] == RIGHT_WITH_OWNERS && 2 * bytes < d->base.bytes[id];
    cab_status status = apart ? CAB_OK : bring_home(d, id, error);
    if (status == CAB_OK) status = d->member[0]->ops->read(d->member[0], id, offset, bytes, data, error);
    for (int m = 1; status == CAB_OK && m < d->count && apart; m++)
        status = read_parts(d, id, m, (cab_extent){offset, bytes}, data, error);
    return status;
}

static cab_status aside(cab_backend *backend, cab_buffer id, bool back, cab_error *error)
{
    cab_distributed *d = (cab_distributed *)backend;
    cab_status status = bring_home(d, id, error);
    if (status == CAB_OK) status = d->member[0]->ops->aside(d->member[0], id, back, error);
    if (back) d->right[id] = RIGHT_AT_HOME;
    return status;
}

static cab_status finish(cab_backend *backend, cab_error *error)
{
    cab_distributed *d = (cab_distributed *)backend;
    cab_status status = CAB_OK;
    for (int m = 0; status == CAB_OK && m < d->count; m++)
        status = d->member[m]->ops->finish(d->member[m], error);
    return status;
}

static cab_status express(cab_backend *backend, const cab_own_kind *kinds, int count, const cab_own_op *ops,
                          cab_error *error)
{
    cab_distributed *d = (cab_distributed *)backend;
    return d->member[0]->ops->express(d->member[0], kinds, count, ops, error);
}

/* A launch that is not split. */
static cab_status run_at_home(cab_distributed *d, cab_kernel kernel, int first, int count, int argument,
                              size_t scratch, cab_error *error)
{
    const cab_binding *b = &cab_bindings[kernel];
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < b->buffer_count; i++) {
        cab_buffer id = (cab_buffer)b->buffers[i];
        if (holders(d, id) == 1) continue;
        status = bring_home(d, id, error);
        if (cab_kernel_writes(kernel, id)) d->right[id] = RIGHT_AT_HOME;
    }
    return status == CAB_OK
               ? d->member[0]->ops->run(d->member[0], kernel, first, count, argument, scratch, error)
               : status;
}

/* The part of a launch that a member computes. */
static cab_status run_part(cab_distributed *d, cab_kernel kernel, int argument, int member, size_t scratch,
                           cab_error *error)
{
    const cab_units *runs;
    cab_backend *b = d->member[member];
    int n = cab_owners_runs(&d->owners, cab_split_of(kernel), argument, member, &runs);
    cab_status status = n < 0 ? cab_fail_memory(error, "a share of the work", sizeof *runs) : CAB_OK;
    for (int i = 0; status == CAB_OK && i < n; i++)
        if (runs[i].count > 0)
            status = b->ops->run(b, kernel, runs[i].first, runs[i].count, argument, scratch, error);
    return status;
}

/* All members at once: home, which may compute before it returns, last. */
static cab_status run_parts(cab_distributed *d, cab_kernel kernel, int argument, size_t scratch,
                            cab_error *error)
{
    cab_status status = CAB_OK;
    for (int m = d->count - 1; status == CAB_OK && m >= 0; m--)
        status = run_part(d, kernel, argument, m, scratch, error);
    return status;
}

/* One after the other, with the time of each. */
static cab_status time_parts(cab_distributed *d, cab_kernel kernel, int argument, size_t scratch,
                             cab_error *error)
{
    cab_status status = finish(&d->base, error);
    for (int m = 0; status == CAB_OK && m < d->count; m++) {
        double start = cab_now();
        status = run_part(d, kernel, argument, m, scratch, error);
        if (status == CAB_OK) status = d->member[m]->ops->finish(d->member[m], error);
        d->time[m] = cab_now() - start;
    }
    return status;
}

/* Shares by how many groups each has computed in which time, where that is worth it. */
static cab_status share_anew(cab_distributed *d, cab_split split, int argument, cab_error *error)
{
    double slowest = 0, all = 0, groups = 0;
    double *rate = d->time;
    for (int m = 0; m < d->count; m++) {
        const cab_units *runs;
        int n = cab_owners_runs(&d->owners, split, argument, m, &runs);
        double own = n > 0 ? runs[0].count : 0;
        if (!(d->time[m] > 0) || own == 0) return CAB_OK;
        if (d->time[m] > slowest) slowest = d->time[m];
        groups += own;
        rate[m] = own / d->time[m];
        all += rate[m];
    }
    if (!(slowest > WORTH_IT * groups / all)) return CAB_OK;
    cab_status status = bring_all_home(d, error);
    for (int m = 0; m < d->count; m++) {
        d->owners.share[m] = rate[m] / all;
        note(d, "%s computes %.0f %% of the tiles", d->member[m]->info.id, 100 * rate[m] / all);
    }
    d->owners_due = true;
    return status;
}

/* Is it time to measure, and does this launch have most of the tiles? */
static bool is_measured(cab_distributed *d, cab_split split, int units)
{
    const int *first = d->owners.first;
    if (split.unit == CAB_SPLIT_TILES || split.unit == CAB_SPLIT_NET_TILES || cab_split_is_beside(split) ||
        units < 2 * d->count)
        return false;
    if (split.unit == CAB_SPLIT_GROUPS && split.kind >= 0 &&
        2 * (first[split.kind + 1] - first[split.kind]) < first[CAB_TILE_KIND_COUNT])
        return false;
    if (++d->launches < d->measure_next) return false;
    d->measure_next = d->launches + (d->launches < MEASURE_EVERY ? d->launches : MEASURE_EVERY);
    return true;
}

/* Is the launch one of everything that members share out, and not one that they would have to fetch data for? */
static bool is_split(const cab_distributed *d, cab_kernel kernel, int first, int count, int argument)
{
    cab_split split = cab_split_of(kernel);
    const cab_binding *b = &cab_bindings[kernel];
    if (split.unit == CAB_SPLIT_NONE || first != 0 || count != cab_owners_units(&d->owners, split, argument))
        return false;
    for (int i = 0; i < b->buffer_count && cab_split_is_beside(split); i++) {
        cab_buffer id = (cab_buffer)b->buffers[i];
        bool there = d->right[id] == RIGHT_EVERYWHERE ||
                     (d->right[id] != RIGHT_AT_HOME && d->owned[id] == CAB_PARTITION_LANES);
        if (has_owners(id) && (int)id != split.only && !there) return false;
    }
    return true;
}

static cab_status run(cab_backend *backend, cab_kernel kernel, int first, int count, int argument,
                      size_t scratch, cab_error *error)
{
    cab_distributed *d = (cab_distributed *)backend;
    cab_split split = cab_split_of(kernel);
    cab_status status = CAB_OK;
    for (int m = 0; m < d->count; m++) d->member[m]->without_meshes = backend->without_meshes;
    if (split.unit != CAB_SPLIT_NONE && d->owners_due) {
        status = cab_owners_read(&d->owners, d->member[0], d->base.bytes, error);
        d->owners_due = status != CAB_OK;
    }
    if (status != CAB_OK || count <= 0) return status;
    if (!is_split(d, kernel, first, count, argument))
        return run_at_home(d, kernel, first, count, argument, scratch, error);
    const cab_binding *b = &cab_bindings[kernel];
    backend->shared++;
    for (int i = 0; status == CAB_OK && i < b->buffer_count; i++)
        status = hand_out(d, (cab_buffer)b->buffers[i], cab_split_partition(split), error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < b->buffer_count; i++) {
        cab_buffer id = (cab_buffer)b->buffers[i];
        if (has_owners(id) && cab_kernel_writes(kernel, id)) d->right[id] = RIGHT_WITH_OWNERS;
    }
    if (!is_measured(d, split, count)) return run_parts(d, kernel, argument, scratch, error);
    status = time_parts(d, kernel, argument, scratch, error);
    return status == CAB_OK ? share_anew(d, split, argument, error) : status;
}

static void destroy(cab_backend *backend)
{
    cab_distributed *d = (cab_distributed *)backend;
    for (int m = 0; m < d->count; m++)
        if (d->member[m]) d->member[m]->ops->destroy(d->member[m]);
    cab_owners_end(&d->owners);
    CAB_FREE(d->member, d->time, d->piece[0], d->piece[1], d);
}

/* What all members together are: home, as far as what is computed goes by it. */
static void describe(cab_distributed *d)
{
    const cab_backend *home = d->member[0];
    cab_device_info *info = &d->base.info;
    *info = home->info;
    for (int m = 0; m < d->count; m++) {
        d->base.all_units += d->member[m]->info.compute_units;
        d->base.any_gpu = d->base.any_gpu || d->member[m]->info.gpu;
    }
    if (d->count == 2)
        snprintf(info->id, sizeof info->id, "%.15s+%.15s", home->info.id, d->member[1]->info.id);
    else
        snprintf(info->id, sizeof info->id, "%.12s+%d more", home->info.id, d->count - 1);
    d->base.tile_width = home->tile_width;
    d->base.members = d->count;
    d->base.doubles = home->doubles;
    memcpy(d->base.bytes, home->bytes, sizeof d->base.bytes);
    snprintf(d->base.shares_not, sizeof d->base.shares_not, "several devices share the world");
}

static cab_status check_widths(const cab_distributed *d, cab_error *error)
{
    const cab_backend *home = d->member[0];
    for (int m = 1; m < d->count; m++)
        if (d->member[m]->tile_width != home->tile_width)
            return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                            "%s computes %d cables side by side and %s %d, so they cannot share a world",
                            home->info.id, home->tile_width, d->member[m]->info.id, d->member[m]->tile_width);
    return CAB_OK;
}

static const cab_backend_ops ops = {.allocate = allocate,
                                    .write = write,
                                    .read = read,
                                    .aside = aside,
                                    .run = run,
                                    .finish = finish,
                                    .destroy = destroy};

cab_status cab_distributed_create(const cab_world_def *def, cab_backend *const *members, int count,
                                  cab_backend **backend, cab_error *error)
{
    cab_distributed *d = calloc(1, sizeof *d);
    cab_status status = d ? CAB_NEW(d->member, count, error) : cab_fail_memory(error, "devices", sizeof *d);
    if (status != CAB_OK) {
        for (int m = 0; m < count; m++) members[m]->ops->destroy(members[m]);
        free(d);
        return status;
    }
    memcpy(d->member, members, (size_t)count * sizeof *members);
    d->count = count;
    d->ops = ops;
    if (d->member[0]->ops->express) d->ops.express = express;
    d->base.ops = &d->ops;
    d->log = def->log;
    d->user = def->user;
    d->owners_due = true;
    d->measure_next = 2;
    describe(d);
    status = check_widths(d, error);
    if (status == CAB_OK) status = cab_owners_start(&d->owners, count, d->base.tile_width, error);
    if (status == CAB_OK) status = CAB_NEW(d->time, count, error);
    if (status != CAB_OK) {
        destroy(&d->base);
        return status;
    }
    *backend = &d->base;
    return CAB_OK;
}
