/* Judges a piece of a substep: does the centre line of a segment go through another one, or through the middle of a collider? */
#ifndef CAB_TESTS_JUDGE_H
#define CAB_TESTS_JUDGE_H

#include "throws.h"

typedef struct moment {
    cab_vec3 *node;                /* [nodes] m */
    cab_vec3 line[THROW_LINES][2]; /* m; of the collider */
} moment;

/* What something sweeps over on its way through a piece lies within it. */
typedef struct box {
    double low[3], high[3]; /* m */
} box;

typedef struct judge {
    const throw_case *thrown;
    cab_world *world;
    cab_world_info info;
    int *segment; /* [segments] its first node */
    int *body;    /* [segments] */
    int *first;   /* [bodies + 1] segments */
    int *
        apart; /* [segments] of its own cable only those touch it that are so many further on: two radii, a segment's
                   * length and one more; more than there are where cables do not touch themselves */
    int segments;
    double *read; /* [nodes][3] */
    moment before, after;
    box *way;   /* [segments] */
    box *whole; /* [bodies] */
    throw_result *result;
    int substep;
    bool failed;
} judge;

/* judge: with a world. Call judge_end() even where it fails. */
bool judge_start(judge *j, cab_error *error);
void judge_end(judge *j);

/* What has happened since it was last called, or since the start. part: of the frame that is over. */
void judge_piece(judge *j, double part);

#endif
