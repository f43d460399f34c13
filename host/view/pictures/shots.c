#include "view/pictures/shots.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/path.h"
#include "io/file.h"
#include "model/scene.h"
#include "view/pictures/film.h"

#define GIF_RATE_MAX 50.0 /* pictures a second: GIF counts in 1/100 s, and players take 1/100 s for 1/10 s */

typedef enum medium { MEDIUM_NONE, MEDIUM_PICTURE, MEDIUM_SERIES, MEDIUM_MP4, MEDIUM_GIF } medium;

/* One output: a picture, a numbered series or a film. */
typedef struct shots_file {
    cab_shots *shots;
    medium medium;
    char *path;
    cab_film *film;    /* of MEDIUM_MP4 and MEDIUM_GIF */
    int every;         /* frames from picture to picture */
    int first;         /* the frame of its first picture; -1 = not begun */
    cab_cables cables; /* its subject, where it is an output of cables */
} shots_file;

cab_shots cab_shots_default(void)
{
    return (cab_shots){.shot = cab_shot_default(), .every = 1};
}

static medium medium_of(const char *path)
{
    const char *ending = cab_path_ending(path);
    if (!ending) return MEDIUM_NONE;
    if (strcasecmp(ending, ".mp4") == 0) return MEDIUM_MP4;
    if (strcasecmp(ending, ".gif") == 0) return MEDIUM_GIF;
    if (strcasecmp(ending, ".png") != 0) return MEDIUM_NONE;
    return strchr(cab_path_name(path), '%') ? MEDIUM_SERIES : MEDIUM_PICTURE;
}

bool cab_shots_is_picture(const char *path)
{
    return medium_of(path) != MEDIUM_NONE;
}

bool cab_shots_is_animation(const char *path)
{
    return medium_of(path) > MEDIUM_PICTURE;
}

/* Finds the number in NAME_%04d.png: where it begins and ends, and its digits. False for anything else. */
static bool find_number(const char *path, const char **begin, const char **end, int *digits)
{
    const char *at = strchr(cab_path_name(path), '%');
    *begin = at++;
    *digits = 1;
    if (*at == '0' && isdigit((unsigned char)at[1])) {
        *digits = at[1] - '0';
        at += 2;
    }
    if (*at != 'd' || strchr(at, '%')) return false;
    *end = at + 1;
    return true;
}

/* NAME_0012.png, to be freed. */
static char *series_path(const char *path, int frame)
{
    const char *begin, *end;
    int digits;
    size_t size = strlen(path) + 16;
    char *made = malloc(size);
    if (made && find_number(path, &begin, &end, &digits))
        snprintf(made, size, "%.*s%0*d%s", (int)(begin - path), path, digits, frame, end);
    return made;
}

/* Checks that a file can be written. */
static cab_status check_file(const char *path, cab_error *error)
{
    cab_file file;
    cab_status status = cab_file_open(&file, path, error);
    if (!status) cab_file_close(&file);
    return status;
}

static cab_status check_series(const char *path, cab_error *error)
{
    const char *begin, *end;
    int digits;
    if (!find_number(path, &begin, &end, &digits))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: expected one number such as %%04d for numbered pictures, and no other %%", path);
    cab_file_clean(path);
    char *first = series_path(path, 0);
    if (!first) return cab_fail_memory(error, "a file name", strlen(path));
    cab_status status = check_file(first, error);
    free(first);
    return status;
}

static cab_status open_film(shots_file *w, double rate, cab_error *error)
{
    const cab_shot *shot = &w->shots->shot;
    bool mp4 = w->medium == MEDIUM_MP4;
    if (mp4 && shot->look.background == CAB_BACKGROUND_TRANSPARENT)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: .mp4 knows no transparent background, .gif and .png do",
                        w->path);
    if (mp4 && (shot->width % 2 || shot->height % 2))
        return cab_fail(error, CAB_ERROR_INPUT, "%s: .mp4 expects an even width and height, got %dx%d",
                        w->path, shot->width, shot->height);
    rate /= w->every;
    if (!mp4 && rate > GIF_RATE_MAX) {
        int more = (int)ceil(rate / GIF_RATE_MAX - 1e-9);
        w->every *= more;
        rate /= more;
    }
    return cab_film_open(w->path, mp4 ? CAB_FILM_MP4 : CAB_FILM_GIF, shot->width, shot->height, rate,
                         &w->film, error);
}

static cab_status open_place(shots_file *w, double rate, cab_error *error)
{
    bool png = w->medium == MEDIUM_PICTURE || w->medium == MEDIUM_SERIES;
    cab_status status = png ? cab_picture_can_write(w->path, error) : CAB_OK;
    if (status) return status;
    if (w->medium == MEDIUM_PICTURE) return check_file(w->path, error);
    if (w->medium == MEDIUM_SERIES) return check_series(w->path, error);
    return open_film(w, rate, error);
}

static void destroy(shots_file *w)
{
    if (w->shots->open && --w->shots->open == 0) {
        cab_studio_destroy(w->shots->studio);
        w->shots->studio = NULL;
    }
    CAB_FREE(w->path, w);
}

static cab_status open_file(void *user, const char *path, const cab_scene *scene, void **made,
                            cab_error *error)
{
    cab_shots *shots = user;
    shots_file *w = calloc(1, sizeof *w);
    if (!w) return cab_fail_memory(error, "an output", sizeof *w);
    *w = (shots_file){.shots = shots, .medium = medium_of(path), .every = shots->every, .first = -1};
    shots->open++;
    shots->scene = scene;
    cab_status status = CAB_OK;
    w->path = strdup(path);
    if (!w->path) status = cab_fail_memory(error, "a file name", strlen(path) + 1);
    if (!status) status = open_place(w, scene ? scene->settings.frame_rate : shots->rate, error);
    if (!status && !shots->studio) status = cab_studio_create(&shots->shot, &shots->studio, error);
    if (status) {
        cab_film_close(w->film, false, NULL);
        destroy(w);
    } else {
        *made = w;
    }
    return status;
}

static cab_subject subject_of(shots_file *w, cab_world *world)
{
    if (w->shots->subject) return *w->shots->subject;
    w->cables = (cab_cables){w->shots->scene, world};
    return cab_subject_of_cables(&w->cables);
}

static bool looks_ahead(const void *made)
{
    const shots_file *w = made;
    return w->medium > MEDIUM_PICTURE && cab_studio_looks_ahead(w->shots->studio);
}

static cab_status look_ahead(void *made, cab_world *world, cab_error *error)
{
    shots_file *w = made;
    cab_subject subject = subject_of(w, world);
    return cab_studio_look_ahead(w->shots->studio, &subject, error);
}

static cab_status write_picture(shots_file *w, const char *path, const cab_subject *subject, cab_error *error)
{
    const cab_picture *picture;
    cab_status status = cab_studio_take(w->shots->studio, subject, &picture, error);
    if (status) return status;
    bool alpha = w->shots->shot.look.background == CAB_BACKGROUND_TRANSPARENT;
    return cab_picture_write(picture, path, alpha, error);
}

static cab_status write_numbered(shots_file *w, const cab_subject *subject, int frame, cab_error *error)
{
    char *path = series_path(w->path, frame);
    if (!path) return cab_fail_memory(error, "a file name", strlen(w->path));
    cab_status status = write_picture(w, path, subject, error);
    free(path);
    return status;
}

static cab_status add_to_film(shots_file *w, const cab_subject *subject, cab_error *error)
{
    const cab_picture *picture;
    cab_status status = cab_studio_take(w->shots->studio, subject, &picture, error);
    return status ? status : cab_film_add(w->film, picture, error);
}

static cab_status add_frame(void *made, cab_world *world, cab_error *error)
{
    shots_file *w = made;
    cab_subject subject = subject_of(w, world);
    int frame = subject.kind->clock(subject.self).frame;
    if (w->first < 0) w->first = frame;
    if (w->medium == MEDIUM_PICTURE || (frame - w->first) % w->every) return CAB_OK;
    return w->film ? add_to_film(w, &subject, error) : write_numbered(w, &subject, frame, error);
}

static cab_status close_file(void *made, cab_world *world, bool commit, cab_error *error)
{
    shots_file *w = made;
    cab_subject subject = subject_of(w, world);
    cab_status status = CAB_OK;
    if (w->film) status = cab_film_close(w->film, commit, error);
    if (commit && w->medium == MEDIUM_PICTURE) status = write_picture(w, w->path, &subject, error);
    destroy(w);
    return status;
}

cab_output_kind cab_shots_kind(cab_shots *shots)
{
    return (cab_output_kind){.endings = ".png .mp4 .gif",
                             .user = shots,
                             .open = open_file,
                             .looks_ahead = looks_ahead,
                             .look_ahead = look_ahead,
                             .frame = add_frame,
                             .close = close_file};
}
