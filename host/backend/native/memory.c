/* Memory for buffers. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "backend/native/native.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE (2 * LARGE_PAGE) /* bytes from which large pages are worth their alignment */
#define PIECE ((size_t)1 << 16)

typedef struct area {
    char *start;
    size_t bytes;
} area;

static void zero_pieces(void *context, int thread, int begin, int end)
{
    (void)thread;
    area *a = context;
    size_t first = (size_t)begin * PIECE, last = (size_t)end * PIECE;
    memset(a->start + first, 0, (last < a->bytes ? last : a->bytes) - first);
}

/* The threads zero the memory, each its part: a page lies near the core that touches it first. */
static void *allocate_large(cab_pool *pool, size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, LARGE_PAGE, bytes) != 0) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE); /* a request that the system may ignore */
#endif
    area a = {memory, bytes};
    cab_pool_run(pool, (int)((bytes + PIECE - 1) / PIECE), 1, zero_pieces, &a);
    return memory;
}

void *cab_native_allocate(cab_pool *pool, size_t bytes)
{
    if (bytes >= LARGE) return allocate_large(pool, bytes);
    size_t rounded = (bytes + CAB_NATIVE_ALIGNMENT - 1) / CAB_NATIVE_ALIGNMENT * CAB_NATIVE_ALIGNMENT;
    void *memory = aligned_alloc(CAB_NATIVE_ALIGNMENT, rounded);
    if (memory) memset(memory, 0, rounded);
    return memory;
}
