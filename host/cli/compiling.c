#include "cli/compiling.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR_WIDTH = 30 };

#define SHOWN_FROM 1.0 /* s of compiling */
#define REDRAW_NS 100000000L

/* The compiler holds the thread that called it, so the bar is drawn by another one, which lives as long as the program. */
typedef struct watch {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started;   /* the thread is there; where it cannot be had there is no bar */
    bool told;      /* the line is out */
    bool compiling; /* now */
    bool drawn;     /* there is a bar to be wiped away */
    double last, before, since;
} watch;

static watch the_watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* With the lock. Where it is not known how long it takes, a mark runs to and fro. */
static void draw(watch *w)
{
    char bar[BAR_WIDTH + 1], of[40] = "";
    double seconds = w->before + cab_now() - w->since;
    if (seconds < SHOWN_FROM) return;
    memset(bar, '.', BAR_WIDTH);
    bar[BAR_WIDTH] = 0;
    if (w->last > 0) {
        memset(bar, '=', (size_t)(BAR_WIDTH * fmin(seconds / w->last, 0.99)));
        snprintf(of, sizeof of, " of some %.0f s", w->last);
    } else {
        int at = (int)(10 * seconds) % (2 * (BAR_WIDTH - 3));
        memset(bar + (at > BAR_WIDTH - 3 ? 2 * (BAR_WIDTH - 3) - at : at), '=', 3);
    }
    fprintf(stderr, "\r[%s] compiling kernels, %.0f s%s\033[K", bar, seconds, of);
    fflush(stderr);
    w->drawn = true;
}

static void *keep_watch(void *of)
{
    watch *w = of;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->compiling) pthread_cond_wait(&w->changed, &w->lock);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += REDRAW_NS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&w->changed, &w->lock, &until);
        if (w->compiling) draw(w);
    }
    return NULL;
}

static void start(watch *w)
{
    pthread_t thread;
    if (w->started || !isatty(STDERR_FILENO) || !isatty(STDOUT_FILENO)) return;
    w->started = pthread_create(&thread, NULL, keep_watch, w) == 0;
    if (w->started) pthread_detach(thread);
}

static void begin(watch *w, const char *text)
{
    char name[256] = "a device";
    if (sscanf(text, "%lf %lf %255[^\n]", &w->last, &w->before, name) < 2) return;
    w->since = cab_now();
    w->compiling = true;
    if (w->told) return;
    w->told = true;
    fprintf(stderr, "clcable: compiling kernels for %s, which is done once", name);
    if (w->last > 0) fprintf(stderr, "; the last time it took %.1f s", w->last);
    fputc('\n', stderr);
    start(w);
}

void cab_cli_compiling(const char *text)
{
    watch *w = &the_watch;
    pthread_mutex_lock(&w->lock);
    if (*text) {
        begin(w, text);
    } else {
        w->compiling = false;
        if (w->drawn) fputs("\r\033[K", stderr);
        w->drawn = false;
    }
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void cab_cli_log_compiling(void *user, int level, const char *text)
{
    (void)user;
    if (level == 2) cab_cli_compiling(text);
}
