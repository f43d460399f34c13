/* Pictures as outputs of a run: NAME.png of the last frame, NAME_%04d.png of every frame, .mp4 and .gif. */
#ifndef CAB_SHOTS_H
#define CAB_SHOTS_H

#include "io/output.h"
#include "view/pictures/studio.h"

typedef struct cab_shots {
    cab_shot shot;
    int every;              /* animations take every n-th frame; 1 */
    const cab_scene *scene; /* of cables: the one whose outputs are open */
    cab_studio *studio;     /* shared by all open outputs; made with the first of them */
    int open;               /* how many outputs are open */
} cab_shots;

cab_shots cab_shots_default(void);

/* One output: a picture, a numbered series or a film. */
typedef struct cab_shots_file cab_shots_file;

/* Opens an output before the run; what cannot be written fails here. `rate`: frames a second. */
cab_status cab_shots_open(cab_shots *shots, const char *path, double rate, cab_shots_file **file,
                          cab_error *error);
/* These are as in cab_output_kind. All outputs of `shots` must be given the same subject. */
bool cab_shots_looks_ahead(const cab_shots_file *file);
cab_status cab_shots_look_ahead(cab_shots_file *file, const cab_subject *subject, cab_error *error);
cab_status cab_shots_frame(cab_shots_file *file, const cab_subject *subject, cab_error *error);
/* With `commit` false no file is left, and the subject may be NULL. Frees the output. */
cab_status cab_shots_close(cab_shots_file *file, const cab_subject *subject, bool commit, cab_error *error);

/* For cables: the kind of output for cab_output_open(). It and `shots` must live as long as its outputs. */
cab_output_kind cab_shots_kind(cab_shots *shots);

/* Is this the name of a picture or film? Is it of one that shows many frames? */
bool cab_shots_is_picture(const char *path);
bool cab_shots_is_animation(const char *path);

#endif
