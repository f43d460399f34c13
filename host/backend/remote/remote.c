#include "backend/remote/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/remote/messages.h"
#include "base/error.h"
#include "library/openmpi.h"

#define PIECE_MOST ((size_t)1 << 30) /* MPI counts in int */

typedef struct cab_remote {
    cab_backend base;
    int rank, handle;
} cab_remote;

static int ranks; /* how many there are; 0 = nobody has joined */
static cab_remote_traffic traffic;
static bool (*taken)[CAB_REMOTE_WORLDS] = NULL; /* [ranks] handles that are in use */

void cab_message_send(int rank, const void *data, size_t bytes)
{
    const char *at = data;
    traffic.messages++;
    traffic.bytes += (double)bytes;
    for (; bytes > 0;) {
        size_t n = bytes < PIECE_MOST ? bytes : PIECE_MOST;
        MPI_Send(at, (int)n, CAB_MPI_BYTE, rank, 0, CAB_MPI_WORLD);
        at += n;
        bytes -= n;
    }
}

void cab_message_receive(int rank, void *data, size_t bytes)
{
    char *at = data;
    traffic.messages++;
    traffic.bytes += (double)bytes;
    for (; bytes > 0;) {
        size_t n = bytes < PIECE_MOST ? bytes : PIECE_MOST;
        MPI_Recv(at, (int)n, CAB_MPI_BYTE, rank, 0, CAB_MPI_WORLD, NULL);
        at += n;
        bytes -= n;
    }
}

cab_remote_traffic cab_remote_traffic_now(void)
{
    return traffic;
}

cab_status cab_remote_join(int count, int *rank, cab_error *error)
{
    int found;
    cab_status status = cab_openmpi_load("several processes", error);
    if (status != CAB_OK) return status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(CAB_MPI_WORLD, rank);
    MPI_Comm_size(CAB_MPI_WORLD, &found);
    if (found != count) {
        MPI_Finalize();
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%d processes were started together, but Open MPI knows of %d: start them by mpirun",
                        count, found);
    }
    taken = calloc((size_t)count, sizeof *taken);
    if (!taken) return cab_fail_memory(error, "processes", (size_t)count * sizeof *taken);
    ranks = count;
    return CAB_OK;
}

void cab_remote_leave(void)
{
    cab_message end = {.kind = CAB_MESSAGE_END};
    for (int r = 1; r < ranks; r++) cab_message_send(r, &end, sizeof end);
    MPI_Finalize();
    free(taken);
    taken = NULL;
    ranks = 0;
}

static void send(const cab_backend *backend, cab_message message, const void *data)
{
    const cab_remote *r = (const cab_remote *)backend;
    message.handle = r->handle;
    cab_message_send(r->rank, &message, sizeof message);
    if (message.bytes > 0) cab_message_send(r->rank, data, (size_t)message.bytes);
}

static cab_status answer_of(const cab_remote *r, cab_error *error)
{
    cab_answer answer;
    cab_message_receive(r->rank, &answer, sizeof answer);
    if (answer.status == CAB_OK) return CAB_OK;
    return cab_fail(error, (cab_status)answer.status, "rank %d: %s", r->rank, answer.text);
}

static cab_status allocate(cab_backend *backend, cab_buffer id, size_t bytes, cab_error *error)
{
    (void)error;
    send(backend, (cab_message){.kind = CAB_MESSAGE_ALLOCATE, .id = (int)id, .size = bytes}, NULL);
    backend->bytes[id] = bytes;
    return CAB_OK;
}

static cab_status write(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, const void *data,
                        cab_error *error)
{
    (void)error;
    send(backend, (cab_message){.kind = CAB_MESSAGE_WRITE, .id = (int)id, .offset = offset, .bytes = bytes},
         data);
    return CAB_OK;
}

static cab_status read(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, void *data,
                       cab_error *error)
{
    const cab_remote *r = (const cab_remote *)backend;
    send(backend, (cab_message){.kind = CAB_MESSAGE_READ, .id = (int)id, .offset = offset, .size = bytes},
         NULL);
    cab_status status = answer_of(r, error);
    if (status == CAB_OK) cab_message_receive(r->rank, data, bytes);
    return status;
}

static cab_status run(cab_backend *backend, cab_kernel kernel, int first, int count, int argument,
                      size_t scratch, cab_error *error)
{
    (void)error;
    send(backend,
         (cab_message){.kind = CAB_MESSAGE_RUN,
                       .id = (int)kernel,
                       .first = first,
                       .count = count,
                       .argument = argument,
                       .without_meshes = backend->without_meshes,
                       .size = scratch},
         NULL);
    return CAB_OK;
}

static cab_status finish(cab_backend *backend, cab_error *error)
{
    send(backend, (cab_message){.kind = CAB_MESSAGE_FINISH}, NULL);
    return answer_of((const cab_remote *)backend, error);
}

static void destroy(cab_backend *backend)
{
    cab_remote *r = (cab_remote *)backend;
    send(backend, (cab_message){.kind = CAB_MESSAGE_CLOSE}, NULL);
    taken[r->rank][r->handle] = false;
    free(r);
}

static const cab_backend_ops ops = {
    .allocate = allocate, .write = write, .read = read, .run = run, .finish = finish, .destroy = destroy};

int cab_remote_rank_of(const char *word)
{
    int rank, end = 0;
    return word && sscanf(word, "rank:%d%n", &rank, &end) == 1 && !word[end] ? rank : -1;
}

cab_status cab_remote_create(int rank, cab_backend **backend, cab_error *error)
{
    if (rank < 1 || rank >= ranks)
        return cab_fail(error, CAB_ERROR_INPUT, "no device \"rank:%d\": there is no such process", rank);
    int handle = 0;
    while (handle < CAB_REMOTE_WORLDS && taken[rank][handle]) handle++;
    if (handle == CAB_REMOTE_WORLDS)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "rank %d: more than %d worlds at a time", rank, handle);
    cab_remote *r = calloc(1, sizeof *r);
    if (!r) return cab_fail_memory(error, "a device of another process", sizeof *r);
    *r = (cab_remote){.base = {.ops = &ops}, .rank = rank, .handle = handle};
    send(&r->base, (cab_message){.kind = CAB_MESSAGE_OPEN}, NULL);
    cab_status status = answer_of(r, error);
    cab_message_device device;
    if (status != CAB_OK) {
        free(r);
        return status;
    }
    cab_message_receive(rank, &device, sizeof device);
    r->base.info = device.info;
    snprintf(r->base.info.id, sizeof r->base.info.id, "rank:%d", rank);
    r->base.tile_width = device.tile_width;
    r->base.doubles = device.doubles;
    taken[rank][handle] = true;
    *backend = &r->base;
    return CAB_OK;
}
