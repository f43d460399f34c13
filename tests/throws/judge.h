/* Judges a piece of a substep: does the centre line of a segment go through another one, or through the middle of a collider? */
#ifndef CAB_TESTS_JUDGE_H
#define CAB_TESTS_JUDGE_H

#include "throws.h"

typedef struct moment {
    cab_vec3 *node;      /* [nodes] m */
    cab_vec3 (*line)[2]; /* [lines] m */
} moment;

/* A line in a collider that no centre line may ever cross: it lies deeper than any honest overlap. end: m, as seen from it */
typedef struct core_line {
    int collider;
    cab_vec3 end[2];
} core_line;

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
    core_line *line; /* [lines] */
    int lines;
    double *radius;              /* [bodies] m */
    double *read;                /* [nodes][3] */
    moment before, after, start; /* of the piece, and of the substep */
    throw_result so_far;         /* at its start */
    box *way;                    /* [segments] */
    box *whole;                  /* [bodies] */
    throw_result *result;
    int substep;
    double part; /* of the frame, where before.line is */
    int again;   /* substeps of the frame that were taken again */
    bool failed;
} judge;

/* judge: with a world. Call judge_end() even where it fails. */
bool judge_start(judge *j, cab_error *error);
void judge_end(judge *j);

/* The lines of a scene's colliders: the axis of a capsule, three lines across a sphere, edges and middles of a box, edges of a mesh. */
bool core_make(judge *j, const cab_scene *scene);

/* What has happened since it was last called, or since the start. from, to: of the frame, 0 to 1 */
void judge_piece(judge *j, double from, double to);
/* Is who watches told of a launch in lanes? */
bool judge_in_lanes(const judge *j);
/* What it was told of since the substep, or in lanes the frame, began has not happened. */
void judge_back(judge *j);
/* A frame is over: what happened in it, where nobody looked within it, as in lanes. */
void judge_frame(judge *j);

#endif
