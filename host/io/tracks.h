/* Places of probes over time that were measured: a table with the columns t, probe, x, y, z, as `clcable run --probes` writes it. */
#ifndef CAB_TRACKS_H
#define CAB_TRACKS_H

#include <clcable/scene.h>

typedef struct cab_track_sample {
    double t;       /* s, >= 0 */
    int probe;      /* index in the names */
    cab_vec3 place; /* m; NAN where that was not measured */
} cab_track_sample;

typedef struct cab_tracks {
    char **probe; /* [probe_count] names, in the order in which the file has them first */
    int probe_count;
    cab_track_sample *sample; /* [count] by time; of one time as in the file */
    int count;
} cab_tracks;

/* Reads a .csv file. Other columns are left aside, and so are rows without a place: x, y and z empty or "nan". CAB_ERROR_INPUT names the
 * line. Free with cab_tracks_free(), after a failure, too. */
cab_status cab_tracks_read(const char *path, cab_tracks *tracks, cab_error *error);
void cab_tracks_free(cab_tracks *tracks);

#endif
