/* Videos: raw frames are sent to the program ffmpeg, which is only needed when a video is wanted. */
#ifndef CAB_FILM_H
#define CAB_FILM_H

#include <clcable/status.h>

#include "view/gl/picture.h"

typedef enum cab_film_format { CAB_FILM_MP4 = 0, CAB_FILM_GIF } cab_film_format;

typedef struct cab_film cab_film;

/* Starts ffmpeg, which writes a temporary file beside `path`. The size is in pixels (even numbers for
 * CAB_FILM_MP4), the rate in pictures a second.
 *
 * @return CAB_OK; CAB_ERROR_IO where the file cannot be written or ffmpeg is not installed; CAB_ERROR_MEMORY
 */
cab_status cab_film_open(const char *path, cab_film_format format, int width, int height, double rate,
                         cab_film **film, cab_error *error);

/* Adds a picture of the film's size. An error has the last line of what ffmpeg has written. */
cab_status cab_film_add(cab_film *film, const cab_picture *picture, cab_error *error);

/* Waits for ffmpeg and gives the file its name. With `commit` false no file is left. Frees the film whatever
 * the status is; NULL is allowed. */
cab_status cab_film_close(cab_film *film, bool commit, cab_error *error);

#endif
