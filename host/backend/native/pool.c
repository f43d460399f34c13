/* A pool of threads with one job at a time. Which thread runs which slice never changes a result: slices of
 * one launch touch different data. */
#include "backend/native/native.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct cab_worker {
    cab_pool *pool;
    pthread_t thread;
    int index;
} cab_worker;

struct cab_pool {
    int threads; /* the caller is thread 0 */
    cab_worker *workers;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    unsigned long job; /* counts jobs; a worker runs when it has changed */
    int pending;       /* workers still busy with this job */
    bool quit;
    int count, slices;
    void (*work)(void *context, int thread, int begin, int end);
    void *context;
};

static void run_slice(cab_pool *pool, int thread)
{
    if (thread >= pool->slices) return;
    int begin = (int)((long long)pool->count * thread / pool->slices);
    int end = (int)((long long)pool->count * (thread + 1) / pool->slices);
    pool->work(pool->context, thread, begin, end);
}

static void *worker_main(void *argument)
{
    cab_worker *worker = argument;
    cab_pool *pool = worker->pool;
    unsigned long seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->job == seen && !pool->quit) pthread_cond_wait(&pool->start, &pool->lock);
        if (pool->quit) break;
        seen = pool->job;
        pthread_mutex_unlock(&pool->lock);
        run_slice(pool, worker->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->pending == 0) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

cab_pool *cab_pool_create(int threads)
{
    cab_pool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pool->threads = 1;
    pool->workers = calloc((size_t)threads, sizeof *pool->workers);
    if (!pool->workers) {
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
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

void cab_pool_destroy(cab_pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 1; i < pool->threads; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->start);
    pthread_cond_destroy(&pool->done);
    free(pool->workers);
    free(pool);
}

int cab_pool_threads(const cab_pool *pool)
{
    return pool->threads;
}

void cab_pool_run(cab_pool *pool, int count, int grain,
                  void (*work)(void *context, int thread, int begin, int end), void *context)
{
    int slices = count / (grain > 0 ? grain : 1);
    if (slices > pool->threads) slices = pool->threads;
    if (slices <= 1) {
        work(context, 0, 0, count);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->count = count;
    pool->slices = slices;
    pool->work = work;
    pool->context = context;
    pool->pending = pool->threads - 1;
    pool->job++;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    run_slice(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->pending > 0) pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
