#include "run/state_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define MAGIC "clcable\032" /* its last character ends the output of `type` and `more` */
#define BYTE_ORDER_MARK 0x01020304u
#define VERSION 14u
#define TAG_SIZE 8

typedef struct state_header {
    char magic[8];
    uint32_t byte_order, version;
    uint64_t payload; /* bytes after the header */
    uint64_t scene;   /* hash */
    uint32_t payload_crc;
    uint32_t header_crc; /* of the members before */
} state_header;

typedef struct state_array {
    char tag[TAG_SIZE]; /* padded with zeros */
    uint64_t count;
    uint32_t size; /* bytes of an element */
    uint32_t unused;
} state_array;

_Static_assert(sizeof(state_header) == 40 && sizeof(state_array) == 24, "as in docs/formats.md");

/* CRC-32 as in zip and PNG (ISO 3309): polynomial 0xEDB88320, bits reflected. */
static uint32_t crc32_of(const void *data, size_t size)
{
    uint32_t table[256], crc = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320u : 0);
    }
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) crc = crc >> 8 ^ table[(crc ^ byte[i]) & 255];
    return ~crc;
}

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* Appends `bytes` zeroed bytes. */
static void *grow(cab_state_writer *writer, size_t bytes)
{
    if (writer->status != CAB_OK) return NULL;
    if (writer->size + bytes > writer->room) {
        size_t room = 2 * writer->room + bytes;
        unsigned char *grown = realloc(writer->bytes, room);
        if (!grown) {
            writer->status = cab_fail_memory(writer->error, "a state", room);
            return NULL;
        }
        writer->bytes = grown;
        writer->room = room;
    }
    void *at = writer->bytes + writer->size;
    memset(at, 0, bytes);
    writer->size += bytes;
    return at;
}

void cab_state_begin(cab_state_writer *writer, cab_error *error)
{
    *writer = (cab_state_writer){.error = error};
    grow(writer, sizeof(state_header));
}

void *cab_state_add(cab_state_writer *writer, const char *tag, size_t count, size_t size)
{
    state_array *head = grow(writer, sizeof *head + padded(count * size));
    if (!head) return NULL;
    memcpy(head->tag, tag, strlen(tag));
    head->count = count;
    head->size = (uint32_t)size;
    return head + 1;
}

cab_status cab_state_end(cab_state_writer *writer, uint64_t scene, void **bytes, size_t *size)
{
    if (writer->status != CAB_OK) {
        free(writer->bytes);
        return writer->status;
    }
    state_header *head = (state_header *)writer->bytes;
    memcpy(head->magic, MAGIC, sizeof head->magic);
    head->byte_order = BYTE_ORDER_MARK;
    head->version = VERSION;
    head->payload = writer->size - sizeof *head;
    head->scene = scene;
    head->payload_crc = crc32_of(head + 1, head->payload);
    head->header_crc = crc32_of(head, offsetof(state_header, header_crc));
    *bytes = writer->bytes;
    *size = writer->size;
    return CAB_OK;
}

cab_status cab_state_refuse(cab_state_reader *reader, const char *what)
{
    if (reader->status == CAB_OK)
        reader->status = cab_fail(reader->error, CAB_ERROR_INPUT, "%s: %s", reader->name, what);
    return reader->status;
}

cab_status cab_state_open(cab_state_reader *reader, const void *bytes, size_t size, uint64_t scene,
                          const char *name, cab_error *error)
{
    state_header head;
    *reader = (cab_state_reader){bytes, size, name, CAB_OK, error};
    if (size < sizeof head || memcmp(bytes, MAGIC, sizeof head.magic) != 0)
        return cab_state_refuse(reader, "expected a state file");
    memcpy(&head, bytes, sizeof head);
    if (head.byte_order != BYTE_ORDER_MARK)
        return cab_state_refuse(reader, "it was written on a machine with another byte order, or is damaged");
    if (head.version != VERSION)
        return cab_state_refuse(reader, "its format is of another version, or it is damaged");
    if (head.header_crc != crc32_of(bytes, offsetof(state_header, header_crc)))
        return cab_state_refuse(reader, "it is damaged: its header does not match its checksum");
    if (head.payload != size - sizeof head)
        return cab_state_refuse(reader, "it is not whole: its size is not what its header says");
    if (head.payload_crc != crc32_of(reader->bytes + sizeof head, size - sizeof head))
        return cab_state_refuse(reader, "it is damaged: its content does not match its checksum");
    if (head.scene != scene)
        return cab_state_refuse(reader,
                                "it is the state of another scene, or of this one with other settings");
    return CAB_OK;
}

/* Is it the tag that is looked for, or one that the array had before? */
static bool is_tag(const char tag[TAG_SIZE], const char *wanted)
{
    return strncmp(tag, wanted, TAG_SIZE) == 0 ||
           (strcmp(wanted, "clip") == 0 && strncmp(tag, "guide", TAG_SIZE) == 0);
}

/* Finds an array by its name, so their order does not matter. */
const void *cab_state_take_any(cab_state_reader *reader, const char *tag, size_t size, size_t *count)
{
    *count = 0;
    if (reader->status != CAB_OK) return NULL;
    for (size_t at = sizeof(state_header); reader->size - at >= sizeof(state_array);) {
        state_array head;
        size_t left = reader->size - at - sizeof head;
        memcpy(&head, reader->bytes + at, sizeof head);
        if (head.size == 0 || head.count > left / head.size || padded(head.count * head.size) > left) break;
        if (is_tag(head.tag, tag) && head.size == size) {
            *count = head.count;
            return reader->bytes + at + sizeof head;
        }
        at += sizeof head + padded(head.count * head.size);
    }
    reader->status =
        cab_fail(reader->error, CAB_ERROR_INPUT, "%s: expected an array \"%s\" of elements of %zu bytes",
                 reader->name, tag, size);
    return NULL;
}

const void *cab_state_take(cab_state_reader *reader, const char *tag, size_t count, size_t size)
{
    size_t found;
    const void *data = cab_state_take_any(reader, tag, size, &found);
    if (!data || found == count) return data;
    reader->status = cab_fail(reader->error, CAB_ERROR_INPUT, "%s: \"%s\": expected %zu elements, got %zu",
                              reader->name, tag, count, found);
    return NULL;
}
