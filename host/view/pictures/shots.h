/* Pictures as outputs of a run: .png of the last frame, NAME_%04d.png of every frame, .mp4 and .gif. */
#ifndef CAB_SHOTS_H
#define CAB_SHOTS_H

#include "io/output.h"
#include "view/pictures/studio.h"

typedef struct cab_shots {
    cab_shot shot;
    int every;              /* of an animation: every n-th frame; 1 */
    const cab_scene *scene; /* of cables: whose outputs are open */
    /* Shared by the outputs that are open: the next is made by the first of them. */
    cab_studio *studio;
    int open;
} cab_shots;

cab_shots cab_shots_default(void);

/* One picture, series or film. */
typedef struct cab_shots_file cab_shots_file;

/* Before the run: what cannot be written is told now. Frames come `rate` times a second. */
cab_status cab_shots_open(cab_shots *shots, const char *path, double rate, cab_shots_file **file,
                          cab_error *error);
/* As in cab_output_kind. All files of `shots` are shown the same subject. */
bool cab_shots_looks_ahead(const cab_shots_file *file);
cab_status cab_shots_look_ahead(cab_shots_file *file, const cab_subject *subject, cab_error *error);
cab_status cab_shots_frame(cab_shots_file *file, const cab_subject *subject, cab_error *error);
/* With commit false nothing is left behind, and the subject may be NULL. Frees the file. */
cab_status cab_shots_close(cab_shots_file *file, const cab_subject *subject, bool commit, cab_error *error);

/* Of cables. The kind for cab_output_open; both must live as long as its outputs. */
cab_output_kind cab_shots_kind(cab_shots *shots);

/* Is it a picture's or a film's name? Is it of many frames? */
bool cab_shots_is_picture(const char *path);
bool cab_shots_is_animation(const char *path);

#endif
