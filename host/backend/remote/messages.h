/* What processes tell each other. Each message is a head, and `bytes` of data behind it. Answers likewise. */
#ifndef CAB_MESSAGES_H
#define CAB_MESSAGES_H

#include "backend/backend.h"

typedef enum cab_message_kind {
    CAB_MESSAGE_OPEN,     /* backend `handle`; answered: cab_message_device */
    CAB_MESSAGE_ALLOCATE, /* `size` bytes */
    CAB_MESSAGE_WRITE,    /* the data behind it, at `offset` */
    CAB_MESSAGE_READ,     /* `size` bytes from `offset` on; answered: the data */
    CAB_MESSAGE_RUN,
    CAB_MESSAGE_FINISH, /* answered */
    CAB_MESSAGE_CLOSE,
    CAB_MESSAGE_END /* of serving */
} cab_message_kind;

typedef struct cab_message {
    int kind, handle;
    int id; /* buffer or kernel */
    int first, count, argument, without_meshes;
    unsigned long long offset, size; /* bytes of a buffer; to RUN `size` of local memory */
    unsigned long long bytes;        /* of data behind it */
} cab_message;

/* An answer; data behind it only where the status is CAB_OK. */
typedef struct cab_answer {
    int status;
    char text[CAB_MESSAGE_SIZE];
} cab_answer;

/* What a device tells of itself. */
typedef struct cab_message_device {
    cab_device_info info;
    int tile_width, doubles;
} cab_message_device;

/* Backends that a rank has open at a time. */
#define CAB_REMOTE_WORLDS 8

void cab_message_send(int rank, const void *data, size_t bytes);
void cab_message_receive(int rank, void *data, size_t bytes);

#endif
