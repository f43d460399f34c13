/* Studies on the command line: `run` and `check` of one. */
#ifndef CAB_RUN_STUDY_H
#define CAB_RUN_STUDY_H

#include "cli/options.h"
#include "study/study.h"

/* Both return the exit code. */
int cab_run_study(const cab_study_kind *kind, const char *path, const cab_options *options);
int cab_check_study(const cab_study_kind *kind, const char *path, const cab_options *options);

/* The options as a definition for opening a scene. */
cab_study_def cab_study_def_of(const char *path, const cab_options *options);

/* A given option that no study has; NULL = there is none. */
const char *cab_option_of_cables(const cab_options *options);

#endif
