/* The native backend's parts: every index of a launch is run once, whatever threads do and however uneven the
 * work is; nobody waits for a thread that has no piece; memory is aligned and zeroed; the instruction set is
 * the one that was asked for.
 */
#define _GNU_SOURCE /* alarm, pthread_kill */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/native/native.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define MOST 5000

/* A launch that counts how often each index was run. Threads have a piece at a time. */
typedef struct launch {
    cab_pool *pool;
    int runs[MOST];
    int in_use[16]; /* by thread */
    int count, uneven;
    const char *fault; /* cmocka must not be left from another thread */
} launch;

static void run_piece(void *context, int thread, int begin, int end)
{
    launch *l = context;
    if (thread < 0 || thread >= cab_pool_threads(l->pool) || begin < 0 || begin >= end || end > l->count) {
        l->fault = "a piece or a thread that is not there";
        return;
    }
    if (l->in_use[thread]++) l->fault = "two pieces at once on a thread";
    for (int i = begin; i < end; i++) {
        l->runs[i]++; /* not atomic: two threads at one index would be a race */
        volatile double sum = 0;
        for (int k = 0; l->uneven && k < i; k++) sum = sum + k;
    }
    l->in_use[thread]--;
}

static void run_launch(cab_pool *pool, int count, int grain, int uneven)
{
    launch *l = calloc(1, sizeof *l);
    assert_non_null(l);
    *l = (launch){.pool = pool, .count = count, .uneven = uneven};
    cab_pool_run(pool, count, grain, run_piece, l);
    if (l->fault) fail_msg("%s", l->fault);
    for (int i = 0; i < MOST; i++) {
        if (l->runs[i] != (i < count)) fail_msg("index %d of %d ran %d times", i, count, l->runs[i]);
    }
    free(l);
}

static void every_index_is_run_once(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 4, 16}, counts[] = {1, 2, 3, 7, 256, 511, 512, MOST};
    for (int t = 0; t < COUNT_OF(threads); t++) {
        cab_pool *pool = cab_pool_create(threads[t]);
        assert_non_null(pool);
        assert_int_equal(cab_pool_threads(pool), threads[t]);
        for (int c = 0; c < COUNT_OF(counts); c++) {
            for (int grain = 1; grain <= 256; grain *= 16) run_launch(pool, counts[c], grain, 1);
        }
        cab_pool_destroy(pool);
    }
}

/* One after another, so that workers are awake, then with pauses, so that they sleep. */
static void launches_follow_one_another(void **state)
{
    (void)state;
    cab_pool *pool = cab_pool_create(4);
    assert_non_null(pool);
    for (int i = 0; i < 500; i++) run_launch(pool, 64, 1, 0);
    for (int i = 0; i < 50; i++) {
        struct timespec pause = {.tv_nsec = 10000L * i};
        nanosleep(&pause, NULL);
        run_launch(pool, 64, 1, 0);
    }
    cab_pool_destroy(pool);
}

enum { MEETING = 4 };

/* A launch with a piece for each thread, which keeps it until all have come. */
typedef struct meeting {
    pthread_t thread[MEETING];
    atomic_int come;
} meeting;

static void meet(void *context, int thread, int begin, int end)
{
    meeting *m = context;
    m->thread[thread] = pthread_self();
    atomic_fetch_add(&m->come, end - begin);
    while (atomic_load(&m->come) < MEETING) sched_yield();
}

/* Pipes, since a signal handler may read and write. */
static int standing[2], go_on[2];

static void stand_still(int number)
{
    (void)number;
    char byte = 0;
    if (write(standing[1], &byte, 1) == 1 && read(go_on[0], &byte, 1) == 1) return;
    abort();
}

/* Threads that stand still stand for threads that the system has taken from their cores. They are taken
 * wherever they are: asleep, on the way to sleep, looking for work. If anybody waited for one, the alarm would
 * end the test. The thread sanitizer keeps a signal back until its thread makes the next call that it watches;
 * a thread that sleeps makes none, so that it would never stand. */
static void nobody_waits_for_a_thread_without_a_piece(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    struct sigaction action = {.sa_handler = stand_still, .sa_flags = SA_RESTART};
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(pipe(standing) | pipe(go_on), 0);
    alarm(100);
    for (int round = 0; round < 50; round++) {
        cab_pool *pool = cab_pool_create(MEETING);
        assert_non_null(pool);
        meeting m = {.come = 0};
        cab_pool_run(pool, MEETING, 1, meet, &m);
        char bytes[MEETING] = {0};
        for (int i = 1; i < MEETING; i++) assert_int_equal(pthread_kill(m.thread[i], SIGUSR1), 0);
        for (int i = 1; i < MEETING; i++) assert_int_equal(read(standing[0], bytes, 1), 1);
        for (int i = 0; i < 5; i++) run_launch(pool, 500 + i, 1, 0);
        assert_int_equal(write(go_on[1], bytes, MEETING - 1), MEETING - 1);
        meeting again = {.come = 0}; /* they still take part */
        cab_pool_run(pool, MEETING, 1, meet, &again);
        cab_pool_destroy(pool);
    }
    alarm(0);
    signal(SIGUSR1, SIG_DFL);
    for (int i = 0; i < 2; i++) close(standing[i]), close(go_on[i]);
}

static void pools_come_and_go(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        cab_pool *pool = cab_pool_create(4);
        assert_non_null(pool);
        if (i % 2) run_launch(pool, 16, 1, 0);
        cab_pool_destroy(pool);
    }
}

/* Who waits for work must not keep a core busy. */
static void idle_threads_sleep(void **state)
{
    (void)state;
    cab_pool *pool = cab_pool_create(cab_pool_cores());
    assert_non_null(pool);
    run_launch(pool, 64, 1, 0);
    clock_t before = clock();
    struct timespec pause = {.tv_nsec = 200000000};
    nanosleep(&pause, NULL);
    double used = (double)(clock() - before) / CLOCKS_PER_SEC;
    if (used > 0.05) fail_msg("%g s of processor time in 0.2 s without work", used);
    cab_pool_destroy(pool);
}

static void memory_is_aligned_and_zeroed(void **state)
{
    (void)state;
    static const size_t bytes[] = {1, 16, 64, 1000, 4095 << 10, (4 << 20) - 1, 4 << 20, (9 << 20) + 5};
    cab_pool *pool = cab_pool_create(3);
    assert_non_null(pool);
    for (int again = 0; again < 2; again++) { /* the second time it is memory that was used before */
        for (int i = 0; i < COUNT_OF(bytes); i++) {
            unsigned char *memory = cab_native_allocate(pool, bytes[i]);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % CAB_NATIVE_ALIGNMENT, 0);
            for (size_t k = 0; k < bytes[i]; k++) {
                if (memory[k]) fail_msg("byte %zu of %zu is %d", k, bytes[i], memory[k]);
            }
            memset(memory, 0xff, bytes[i]);
            free(memory);
        }
    }
    cab_pool_destroy(pool);
}

static cab_status open_native(cab_device_info *info, cab_error *error)
{
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.threads = 1;
    cab_backend *backend = NULL;
    cab_status status = cab_backend_open(&def, &backend, error);
    if (status != CAB_OK) return status;
    *info = backend->info;
    backend->ops->destroy(backend);
    return CAB_OK;
}

static void the_instruction_set_is_the_one_asked_for(void **state)
{
    (void)state;
    char *before = getenv("CLCABLE_ISA") ? strdup(getenv("CLCABLE_ISA")) : NULL;
    const char *best = cab_native_best_isa()->name;
    const char *const wishes[][2] = {{"baseline", "baseline"}, {best, best}, {"", best}};
    cab_error error = {0};
    cab_device_info info;
    for (int i = 0; i < COUNT_OF(wishes); i++) {
        setenv("CLCABLE_ISA", wishes[i][0], 1);
        assert_int_equal(open_native(&info, &error), CAB_OK);
        const char *comma = strrchr(info.version, ',');
        assert_non_null(comma);
        assert_string_equal(comma + 2, wishes[i][1]);
        assert_string_equal(cab_native_info().version, info.version);
    }
    setenv("CLCABLE_ISA", "sse9", 1);
    assert_int_equal(open_native(&info, &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "CLCABLE_ISA: no \"sse9\" in this build; there is baseline"));
    assert_string_not_equal(cab_native_info().version, ""); /* listing devices goes on */
    if (strcmp(best, "avx512") != 0) {
        setenv("CLCABLE_ISA", "avx512", 1);
        assert_int_equal(open_native(&info, &error), CAB_ERROR_INPUT);
        assert_non_null(strstr(error.message, "CLCABLE_ISA"));
    }
    if (before)
        setenv("CLCABLE_ISA", before, 1);
    else
        unsetenv("CLCABLE_ISA");
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_run_once),
        cmocka_unit_test(launches_follow_one_another),
        cmocka_unit_test(nobody_waits_for_a_thread_without_a_piece),
        cmocka_unit_test(pools_come_and_go),
        cmocka_unit_test(idle_threads_sleep),
        cmocka_unit_test(memory_is_aligned_and_zeroed),
        cmocka_unit_test(the_instruction_set_is_the_one_asked_for),
    };
    return cmocka_run_group_tests_name("native", tests, NULL, NULL);
}
