/* Pictures as outputs of a run: NAME.png of the last frame, NAME_%04d.png of every frame, .mp4 and .gif. */
#ifndef CAB_SHOTS_H
#define CAB_SHOTS_H

#include "io/output.h"
#include "view/pictures/studio.h"

typedef struct cab_shots {
    cab_shot shot;
    int every;                  /* animations take every n-th frame; 1 */
    const cab_subject *subject; /* what all outputs show; NULL = cables, the world of each call */
    double rate;                /* frames a second of the subject */
    const cab_scene *scene;     /* of cables: the one whose outputs are open */
    cab_studio *studio;         /* shared by all open outputs; made with the first of them */
    int open;                   /* how many outputs are open */
} cab_shots;

cab_shots cab_shots_default(void);

/* The kind of output, of cables or of the subject. It and `shots` must live as long as its outputs. */
cab_output_kind cab_shots_kind(cab_shots *shots);

/* Is this the name of a picture or film? Is it of one that shows many frames? */
bool cab_shots_is_picture(const char *path);
bool cab_shots_is_animation(const char *path);

#endif
