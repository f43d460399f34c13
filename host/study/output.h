/* What `-o FILE` writes of a study: kinds of output for cab_output_open_of(). .csv and .vtp hold the last
 * frame, .pvd and .npz all of them. */
#ifndef CAB_STUDY_OUTPUT_H
#define CAB_STUDY_OUTPUT_H

#include "io/output.h"
#include "io/output_kind.h"
#include "study/study.h"

enum { CAB_STUDY_OUTPUT_KINDS = 4 };

/* The kinds of one study, which outlives them. */
typedef struct cab_study_outputs {
    cab_study *study;
    cab_polydata_source source;
    cab_last_format csv, vtp;
    cab_output_kind kinds[CAB_STUDY_OUTPUT_KINDS];
    int count;
} cab_study_outputs;

/* Fills `outputs`, which must not move while files are open. */
void cab_study_make_outputs(cab_study *study, cab_study_outputs *outputs);

/* output_npz.c: opens, adds a frame, closes; `user` is the study. */
cab_status cab_study_open_npz(void *user, const char *path, const cab_scene *scene, void **writer,
                              cab_error *error);
cab_status cab_study_frame_npz(void *writer, cab_world *world, cab_error *error);
cab_status cab_study_close_npz(void *writer, cab_world *world, bool commit, cab_error *error);

#endif
