/* A pool of threads with one job at a time. Which thread runs which piece never changes a result: pieces of
 * one launch touch different data.
 *
 * A launch often takes 5 to 50 us and waking a thread about as long, so a worker that is through looks out
 * for the next job for a while before it sleeps. Nobody waits for a worker to come: the caller shares out a
 * job, works on it like the others, and when nothing is left waits only for those who are still at it. Who
 * comes late finds nothing to do.
 */
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

#define SPIN_NS 20000     /* look out for so long before sleeping */
#define SPIN_PAUSES 16    /* between two looks at the clock */
#define PIECES_PER_PART 8 /* a thread takes an eighth of what is left of a part */

/* The part of a job that a thread begins with. A cache line each: threads write here all the time. */
typedef struct cab_part {
    _Alignas(64) atomic_int next;
    int end;
} cab_part;

typedef struct cab_worker {
    cab_pool *pool;
    pthread_t thread;
    int index;
} cab_worker;

/* Atomics are sequentially consistent throughout: who lies down to sleep says so first and looks again, who
 * has news says them first and then looks for sleepers, so one of the two sees the other. */
struct cab_pool {
    int threads; /* the caller is thread 0 */
    bool spins;  /* each thread may have a core */
    cab_worker *workers;
    cab_part *parts; /* [threads] */
    /* the job, written while `job` is even and nobody is active */
    int part_count, grain;
    void (*work)(void *context, int thread, int begin, int end);
    void *context;
    _Alignas(64) atomic_uint job; /* odd: open; even: none */
    atomic_bool quit;
    _Alignas(64) atomic_int active; /* workers that may be at the job */
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

/* Waits for SPIN_NS at most; whether it came true. */
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

/* The next piece of a part; false when it is used up. Pieces get smaller, so that all end at much the same
 * time. */
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

/* The thread's own part, then what others have left. */
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
        atomic_fetch_add(&pool->active, 1); /* from here on the caller waits, if the job is still open */
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
