/* Threads that sleep until a number in memory changes. On Linux nobody holds a lock meanwhile, so nobody can be
 * kept waiting by a thread that the system has taken from its core while it held one. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif
#include "backend/native/native.h"

#include <limits.h>

#ifdef __linux__

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void cab_sleep_while(atomic_uint *number, unsigned seen)
{
    syscall(SYS_futex, number, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

void cab_wake(atomic_uint *number)
{
    syscall(SYS_futex, number, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#else

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void cab_sleep_while(atomic_uint *number, unsigned seen)
{
    pthread_mutex_lock(&lock);
    if (atomic_load(number) == seen) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

void cab_wake(atomic_uint *number)
{
    (void)number;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

#endif
