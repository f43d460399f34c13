/* Pictures of studies in the plane. */
#ifndef CAB_RENDER_STUDY_H
#define CAB_RENDER_STUDY_H

#include "cli/options.h"
#include "view/pictures/shots.h"
#include "view/study/study.h"

/* What pictures of a study are unless options say otherwise: from the front, with a legend. */
cab_shots cab_study_shots(const cab_study_kind *kind);

/* False, with a message, if `options` ask for something that studies do not have. */
bool cab_study_takes(const cab_study_kind *kind, const cab_options *options);

/* Simulates and writes all outputs; returns the exit code. */
int cab_render_study(const cab_study_kind *kind, const char *path, const cab_options *options,
                     cab_shots *shots);

#endif
