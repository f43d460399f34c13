/* Pictures as outputs of a run: .png of the last frame, NAME_%04d.png of every frame, .mp4 and .gif. */
#ifndef CAB_SHOTS_H
#define CAB_SHOTS_H

#include "io/output.h"
#include "view/studio.h"

typedef struct cab_shots {
    cab_shot shot;
    int every; /* of an animation: every n-th frame; 1 */
    /* Shared by the outputs that are open: the next is made by the first of them. */
    cab_studio *studio;
    int open;
} cab_shots;

cab_shots cab_shots_default(void);

/* The kind for cab_output_open; both must live as long as its outputs. */
cab_output_kind cab_shots_kind(cab_shots *shots);

/* Is it a picture's or a film's name? Is it of many frames? */
bool cab_shots_is_picture(const char *path);
bool cab_shots_is_animation(const char *path);

#endif
