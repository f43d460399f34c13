/* A process that serves rank 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/remote/messages.h"
#include "backend/remote/remote.h"
#include "base/error.h"
#include "library/openmpi.h"

typedef struct server {
    cab_world_def def; /* with the device of this rank */
    cab_backend *backend[CAB_REMOTE_WORLDS];
    cab_error error[CAB_REMOTE_WORLDS]; /* the first of each backend; it does nothing more */
    void *data;                         /* of a message */
    size_t room;
} server;

/* Room for what a message brings or takes away; without memory there is nobody to tell in time, and the process ends. */
static void *room_for(server *s, size_t bytes)
{
    if (bytes <= s->room) return s->data;
    free(s->data);
    s->data = malloc(bytes);
    if (!s->data) {
        fprintf(stderr, "clcable: out of memory: %zu bytes of what processes exchange\n", bytes);
        abort(); /* mpirun then ends all */
    }
    s->room = bytes;
    return s->data;
}

static void answer(const cab_error *error)
{
    cab_answer a = {.status = (int)error->status};
    snprintf(a.text, sizeof a.text, "%s", error->message);
    cab_message_send(0, &a, sizeof a);
}

static void open_device(server *s, int handle)
{
    cab_error *error = &s->error[handle];
    *error = (cab_error){0};
    error->status = cab_backend_open(&s->def, &s->backend[handle], error);
    answer(error);
    if (error->status != CAB_OK) return;
    const cab_backend *b = s->backend[handle];
    cab_message_device device = {.info = b->info, .tile_width = b->tile_width, .doubles = b->doubles};
    cab_message_send(0, &device, sizeof device);
}

static void read_buffer(server *s, const cab_message *m)
{
    cab_backend *b = s->backend[m->handle];
    cab_error *error = &s->error[m->handle];
    void *data = room_for(s, (size_t)m->size);
    if (error->status == CAB_OK)
        error->status = b->ops->read(b, (cab_buffer)m->id, (size_t)m->offset, (size_t)m->size, data, error);
    answer(error);
    if (error->status == CAB_OK) cab_message_send(0, data, (size_t)m->size);
}

static void finish(server *s, int handle)
{
    cab_backend *b = s->backend[handle];
    cab_error *error = &s->error[handle];
    if (error->status == CAB_OK) error->status = b->ops->finish(b, error);
    answer(error);
}

static void close_device(server *s, int handle)
{
    if (s->backend[handle]) s->backend[handle]->ops->destroy(s->backend[handle]);
    s->backend[handle] = NULL;
}

/* What is not answered. data: of the message. */
static void obey(server *s, const cab_message *m, const void *data)
{
    cab_backend *b = s->backend[m->handle];
    cab_error *error = &s->error[m->handle];
    if (error->status != CAB_OK) return;
    switch (m->kind) {
    case CAB_MESSAGE_ALLOCATE:
        error->status = b->ops->allocate(b, (cab_buffer)m->id, (size_t)m->size, error);
        break;
    case CAB_MESSAGE_WRITE:
        error->status = b->ops->write(b, (cab_buffer)m->id, (size_t)m->offset, (size_t)m->bytes, data, error);
        break;
    default:
        b->without_meshes = m->without_meshes;
        error->status =
            b->ops->run(b, (cab_kernel)m->id, m->first, m->count, m->argument, (size_t)m->size, error);
    }
}

void cab_remote_serve(int rank, const cab_world_def *def, const char *const *words, int count)
{
    server *s = calloc(1, sizeof *s);
    if (!s) abort(); /* mpirun then ends all */
    s->def = *def;
    if (count > 0) s->def.device = words[rank % count];
    for (bool on = true; on;) {
        cab_message m;
        cab_message_receive(0, &m, sizeof m);
        void *data = m.bytes > 0 ? room_for(s, (size_t)m.bytes) : NULL;
        if (data) cab_message_receive(0, data, (size_t)m.bytes);
        switch (m.kind) {
        case CAB_MESSAGE_OPEN:
            open_device(s, m.handle);
            break;
        case CAB_MESSAGE_READ:
            read_buffer(s, &m);
            break;
        case CAB_MESSAGE_FINISH:
            finish(s, m.handle);
            break;
        case CAB_MESSAGE_CLOSE:
            close_device(s, m.handle);
            break;
        case CAB_MESSAGE_END:
            on = false;
            break;
        default:
            obey(s, &m, data);
        }
    }
    MPI_Finalize();
    free(s->data);
    free(s);
}
