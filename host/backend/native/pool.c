/* A pool of threads that has one job at a time. Which thread runs which part never changes a result, since
 * the parts of a launch touch different data.
 *
 * A launch often takes 5 to 50 us, and waking a thread takes about as long. So a worker that has finished
 * looks for the next job for a while before it sleeps. The caller takes part in the job; when nothing is left
 * it waits only for workers that hold a piece. Who has none, because it comes late or because the system has
 * taken it from its core, is waited for by nobody, wherever it stands: it may come back in a later job, and
 * then finds that what it was about to take belongs to a job that is over. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "backend/native/native.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SPIN_NS 20000     /* how long a worker looks for a job before it sleeps */
#define SPIN_PAUSES 16    /* pauses between two readings of the clock */
#define PIECES_PER_PART 8 /* a thread takes an eighth of the rest of a part */

/* The part of a job that a thread begins with. Threads write to it all the time, so it has its own cache
 * line. */
typedef struct cab_part {
    _Alignas(64) _Atomic uint64_t next; /* the job's number in the upper half, the next index in the lower */
    atomic_int end;
} cab_part;

typedef struct cab_worker {
    cab_pool *pool;
    pthread_t thread;
    int index;
} cab_worker;

/* Atomics are sequentially consistent unless they say otherwise. A worker announces that it sleeps before it
 * looks for a job once more; the caller announces a job before it looks for sleeping workers. So one of the
 * two sees the other; and the same for a caller that sleeps and the end of the last piece. */
struct cab_pool {
    int threads; /* the caller is thread 0 */
    bool spins;  /* workers may spin: there is a core for each thread */
    cab_worker *workers;
    cab_part *parts; /* [threads] */
    atomic_int part_count, grain;
    /* What a piece is run by: read by who holds a piece, written when nobody does. */
    void (*work)(void *context, int thread, int begin, int end);
    void *context;
    _Alignas(64) atomic_uint job; /* the number of the last job that was begun */
    atomic_bool quit;
    _Alignas(64) atomic_uint left; /* indices of the job that have not been run */
    _Alignas(64) atomic_int sleepers;
    atomic_bool caller_sleeps;
};

int cab_pool_cores(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Waits until true_now(), but for SPIN_NS at most. Returns whether it became true. */
static bool spin_until(bool (*true_now)(cab_pool *pool, unsigned seen), cab_pool *pool, unsigned seen)
{
    if (true_now(pool, seen)) return true;
    if (!pool->spins) return false;
    int64_t end = now_ns() + SPIN_NS;
    do {
        for (int i = 0; i < SPIN_PAUSES; i++) {
            pause_briefly();
            if (true_now(pool, seen)) return true;
        }
    } while (now_ns() < end);
    return false;
}

static bool has_news(cab_pool *pool, unsigned seen)
{
    return atomic_load(&pool->job) != seen || atomic_load(&pool->quit);
}

static bool is_done(cab_pool *pool, unsigned seen)
{
    (void)seen;
    return atomic_load(&pool->left) == 0;
}

static uint64_t place_in(unsigned job, int next)
{
    return (uint64_t)job << 32 | (unsigned)next;
}

/* Takes the next piece of a part; false when none of this job is left. Pieces get smaller, so that threads end
 * together. A part is closed before its end changes (open_part), so who has read the end of a later job cannot
 * take from it as if it were of this one. */
static bool take_piece(cab_pool *pool, cab_part *part, unsigned job, int *begin, int *end)
{
    uint64_t place = atomic_load(&part->next);
    int next, size;
    do {
        if (place >> 32 != job) return false;
        next = (int)(unsigned)place;
        int left = atomic_load(&part->end) - next, grain = atomic_load(&pool->grain);
        if (left <= 0) return false;
        size = left / PIECES_PER_PART;
        if (size < grain) size = grain;
        if (size > left) size = left;
    } while (!atomic_compare_exchange_weak(&part->next, &place, place_in(job, next + size)));
    *begin = next;
    *end = next + size;
    return true;
}

static void open_part(cab_part *part, unsigned job, int begin, int end)
{
    atomic_store(&part->next, place_in(job, INT_MAX)); /* closed: no end is beyond */
    atomic_store(&part->end, end);
    atomic_store(&part->next, place_in(job, begin));
}

/* Works on the thread's own part, then on what is left of the others. */
static void work_on_job(cab_pool *pool, unsigned job, int thread)
{
    int begin, end, parts = atomic_load(&pool->part_count);
    for (int i = 0; i < parts; i++) {
        cab_part *part = &pool->parts[(thread + i) % parts];
        while (take_piece(pool, part, job, &begin, &end)) {
            pool->work(pool->context, thread, begin, end);
            unsigned run = (unsigned)(end - begin);
            if (atomic_fetch_sub(&pool->left, run) == run && atomic_load(&pool->caller_sleeps))
                cab_wake(&pool->left);
        }
    }
}

static void sleep_until_news(cab_pool *pool, unsigned seen)
{
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_news(pool, seen)) cab_sleep_while(&pool->job, seen);
    atomic_fetch_sub(&pool->sleepers, 1);
}

static void *worker_main(void *argument)
{
    cab_worker *worker = argument;
    cab_pool *pool = worker->pool;
    unsigned seen = 0;
    for (;;) {
        if (!spin_until(has_news, pool, seen)) sleep_until_news(pool, seen);
        if (atomic_load(&pool->quit)) return NULL;
        seen = atomic_load(&pool->job);
        work_on_job(pool, seen, worker->index);
    }
}

static void free_pool(cab_pool *pool)
{
    free(pool->workers);
    free(pool->parts);
    free(pool);
}

cab_pool *cab_pool_create(int threads)
{
    cab_pool *pool = aligned_alloc(64, sizeof *pool);
    if (!pool) return NULL;
    *pool = (cab_pool){.threads = 1, .spins = threads <= cab_pool_cores()};
    pool->workers = calloc((size_t)threads, sizeof *pool->workers);
    pool->parts = aligned_alloc(64, (size_t)threads * sizeof *pool->parts);
    if (!pool->workers || !pool->parts) {
        free_pool(pool);
        return NULL;
    }
    for (int i = 0; i < threads; i++) pool->parts[i] = (cab_part){.end = 0};
    for (int i = 1; i < threads; i++) {
        pool->workers[i] = (cab_worker){.pool = pool, .index = i};
        if (pthread_create(&pool->workers[i].thread, NULL, worker_main, &pool->workers[i]) != 0) {
            cab_pool_destroy(pool);
            return NULL;
        }
        pool->threads++;
    }
    return pool;
}

static void wake_sleepers(cab_pool *pool)
{
    if (atomic_load(&pool->sleepers) > 0) cab_wake(&pool->job);
}

void cab_pool_destroy(cab_pool *pool)
{
    if (!pool) return;
    atomic_store(&pool->quit, true);
    atomic_fetch_add(&pool->job, 1); /* who is about to sleep does not */
    wake_sleepers(pool);
    for (int i = 1; i < pool->threads; i++) pthread_join(pool->workers[i].thread, NULL);
    free_pool(pool);
}

int cab_pool_threads(const cab_pool *pool)
{
    return pool->threads;
}

static void wait_until_done(cab_pool *pool)
{
    if (spin_until(is_done, pool, 0)) return;
    atomic_store(&pool->caller_sleeps, true);
    for (;;) {
        unsigned left = atomic_load(&pool->left);
        if (left == 0) break;
        cab_sleep_while(&pool->left, left);
    }
    atomic_store(&pool->caller_sleeps, false);
}

void cab_pool_run(cab_pool *pool, int count, int grain,
                  void (*work)(void *context, int thread, int begin, int end), void *context)
{
    if (grain < 1) grain = 1;
    int parts = count / grain;
    if (parts > pool->threads) parts = pool->threads;
    if (parts <= 1) {
        work(context, 0, 0, count);
        return;
    }
    unsigned job = atomic_load(&pool->job) + 1;
    pool->work = work;
    pool->context = context;
    atomic_store(&pool->left, (unsigned)count);
    atomic_store(&pool->part_count, parts);
    atomic_store(&pool->grain, grain);
    for (int i = 0; i < parts; i++) {
        open_part(&pool->parts[i], job, (int)((long long)count * i / parts),
                  (int)((long long)count * (i + 1) / parts));
    }
    atomic_store(&pool->job, job);
    wake_sleepers(pool);
    work_on_job(pool, job, 0);
    wait_until_done(pool);
}
