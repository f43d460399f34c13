/* Curves over time as SVG. */
#ifndef CAB_PLOT_SVG_H
#define CAB_PLOT_SVG_H

#include "io/file.h"

/* A curve over time; values that are not finite leave gaps. `limit` NAN = none. */
typedef struct cab_plot {
    const char *title, *unit;
    const double *time, *value; /* [count], value every `stride` */
    int count, stride;
    double scale; /* from value to what is shown in `unit` */
    double limit; /* in `unit` */
} cab_plot;
void cab_plot_write(const cab_plot *plot, cab_file *file);

#endif
