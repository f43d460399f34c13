/* A pool of threads that has one job at a time. Which thread runs which part never changes a result, since
 * the parts of a launch touch different data.
 *
 * A launch often takes 5 to 50 us, and waking a thread takes about as long. So a worker that has finished
 * looks for the next job for a while before it sleeps. The caller takes part in the job; when nothing is left
 * it waits only for workers that still run. A worker that comes too late finds nothing to do. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "backend/native/native.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
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
    _Alignas(64) atomic_int next;
    int end;
} cab_part;

typedef struct cab_worker {
    cab_pool *pool;
    pthread_t thread;
    int index;
} cab_worker;

/* All atomics are sequentially consistent. A worker announces that it sleeps before it looks for a job once
 * more; the caller announces a job before it looks for sleeping workers. So one of the two sees the other. */
struct cab_pool {
    int threads; /* the caller is thread 0 */
    bool spins;  /* workers may spin: there is a core for each thread */
    cab_worker *workers;
    cab_part *parts; /* [threads] */
    /* The job. It is written while `job` is even and no worker is active. */
    int part_count, grain;
    void (*work)(void *context, int thread, int begin, int end);
    void *context;
    _Alignas(64) atomic_uint job; /* odd: there is a job; even: there is none */
    atomic_bool quit;
    _Alignas(64) atomic_int active; /* workers that may be running the job */
    _Alignas(64) atomic_int sleepers;
    atomic_bool caller_sleeps;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
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
    unsigned job = atomic_load(&pool->job);
    return ((job & 1) && job != seen) || atomic_load(&pool->quit);
}

static bool is_quiet(cab_pool *pool, unsigned seen)
{
    (void)seen;
    return atomic_load(&pool->active) == 0;
}

/* Takes the next piece of a part; false when none is left. Pieces get smaller, so that threads end
 * together. */
static bool take_piece(cab_part *part, int grain, int *begin, int *end)
{
    int next = atomic_load_explicit(&part->next, memory_order_relaxed), size;
    do {
        int left = part->end - next;
        if (left <= 0) return false;
        size = left / PIECES_PER_PART;
        if (size < grain) size = grain;
        if (size > left) size = left;
    } while (!atomic_compare_exchange_weak_explicit(&part->next, &next, next + size, memory_order_relaxed,
                                                    memory_order_relaxed));
    *begin = next;
    *end = next + size;
    return true;
}

/* Works on the thread's own part, then on what is left of the others. */
static void work_on_job(cab_pool *pool, int thread)
{
    int begin, end;
    for (int i = 0; i < pool->part_count; i++) {
        cab_part *part = &pool->parts[(thread + i) % pool->part_count];
        while (take_piece(part, pool->grain, &begin, &end)) pool->work(pool->context, thread, begin, end);
    }
}

static void sleep_until_news(cab_pool *pool, unsigned seen)
{
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_news(pool, seen)) pthread_cond_wait(&pool->start, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->lock);
}

static void *worker_main(void *argument)
{
    cab_worker *worker = argument;
    cab_pool *pool = worker->pool;
    unsigned seen = 0;
    for (;;) {
        if (!spin_until(has_news, pool, seen)) sleep_until_news(pool, seen);
        if (atomic_load(&pool->quit)) return NULL;
        atomic_fetch_add(&pool->active,
                         1); /* from here on the caller waits for this worker if the job is still open */
        seen = atomic_load(&pool->job);
        if (seen & 1) work_on_job(pool, worker->index);
        if (atomic_fetch_sub(&pool->active, 1) > 1 || !atomic_load(&pool->caller_sleeps)) continue;
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
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
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
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
    if (atomic_load(&pool->sleepers) == 0) return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
}

void cab_pool_destroy(cab_pool *pool)
{
    if (!pool) return;
    atomic_store(&pool->quit, true);
    wake_sleepers(pool);
    for (int i = 1; i < pool->threads; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->start);
    pthread_cond_destroy(&pool->done);
    free_pool(pool);
}

int cab_pool_threads(const cab_pool *pool)
{
    return pool->threads;
}

static void wait_until_quiet(cab_pool *pool)
{
    if (spin_until(is_quiet, pool, 0)) return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->caller_sleeps, true);
    while (!is_quiet(pool, 0)) pthread_cond_wait(&pool->done, &pool->lock);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
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
    for (int i = 0; i < parts; i++) {
        atomic_store_explicit(&pool->parts[i].next, (int)((long long)count * i / parts),
                              memory_order_relaxed);
        pool->parts[i].end = (int)((long long)count * (i + 1) / parts);
    }
    pool->part_count = parts;
    pool->grain = grain;
    pool->work = work;
    pool->context = context;
    atomic_fetch_add(&pool->job, 1);
    wake_sleepers(pool);
    work_on_job(pool, 0);
    atomic_fetch_add(&pool->job, 1);
    wait_until_quiet(pool);
}
