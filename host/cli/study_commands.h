/* The studies of `clcable study`. */
#ifndef CAB_STUDY_COMMANDS_H
#define CAB_STUDY_COMMANDS_H

#include "cli/options.h"
#include "io/file.h"

/* Both return the exit code. */
int cab_study_stiffness(const cab_options *options);
int cab_study_particles(const cab_options *options);

/* cmd_study.c: a file of what `content` writes of `of`, in a folder that is made when it is not there. */
cab_status cab_study_write_file(const char *folder, const char *name, cab_file_content *content,
                                const void *of, cab_error *error);

#endif
