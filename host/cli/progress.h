/* A bar on a terminal: frame, speed, time left. Silent elsewhere. */
#ifndef CAB_PROGRESS_H
#define CAB_PROGRESS_H

#include <stdbool.h>

typedef struct cab_progress {
    bool on, drawn;
    const char *what, *speed; /* "frame", and what the number after it is: "s/s" */
    int frames;               /* of the whole run */
    double frame_rate;        /* 1/s */
    double started, last;
} cab_progress;

/* `wanted` is what the user said; it is shown only when output and errors both go to a terminal. */
cab_progress cab_progress_begin(bool wanted, int frames, double frame_rate);

/* `frame` frames are done. Redraws ten times a second at most. */
void cab_progress_show(cab_progress *progress, int frame);

/* Wipes the line, so that something else can be printed; the next show draws it again. */
void cab_progress_clear(cab_progress *progress);

/* "4.2 s", "3 min 05 s", "2 h 10 min". */
void cab_progress_format_time(double seconds, char *text, int size);

#endif
