#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR_WIDTH = 30 };

#define REDRAW_INTERVAL 0.1 /* s */

cab_progress cab_progress_begin(bool wanted, int frames, double frame_rate)
{
    double now = cab_now();
    bool terminal = isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
    return (cab_progress){.on = wanted && terminal,
                          .what = "frame",
                          .speed = "s/s",
                          .frames = frames,
                          .frame_rate = frame_rate,
                          .started = now,
                          .last = now};
}

void cab_progress_format_time(double seconds, char *text, int size)
{
    if (seconds < 60)
        snprintf(text, (size_t)size, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, (size_t)size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 1e7)
        snprintf(text, (size_t)size, "%d h %02d min", (int)seconds / 3600, (int)seconds / 60 % 60);
    else
        snprintf(text, (size_t)size, "months");
}

void cab_progress_show(cab_progress *progress, int frame)
{
    double now = cab_now();
    if (!progress->on || frame < 1 || now - progress->last < REDRAW_INTERVAL) return;
    progress->last = now;
    double elapsed = now - progress->started;
    char left[32], bar[BAR_WIDTH + 1];
    cab_progress_format_time(elapsed / frame * (progress->frames - frame), left, sizeof left);
    int full = (int)((double)BAR_WIDTH * frame / progress->frames);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '=', (size_t)full);
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %s %d/%d, %.3g %s, %s left\033[K", bar, progress->what, frame, progress->frames,
            frame / progress->frame_rate / elapsed, progress->speed, left);
    fflush(stderr);
    progress->drawn = true;
}

void cab_progress_clear(cab_progress *progress)
{
    if (!progress->drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->drawn = false;
}
