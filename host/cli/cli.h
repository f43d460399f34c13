/* What the sub-commands share: exit codes, messages, the commands themselves. */
#ifndef CAB_CLI_H
#define CAB_CLI_H

#include <clcable/clcable.h>

#include "study/study.h"

/* Exit codes. */
enum {
    CAB_EXIT_DONE = 0,
    CAB_EXIT_FAILED = 1,        /* device, memory, disk, diverged */
    CAB_EXIT_USAGE = 2,         /* bad usage or bad input */
    CAB_EXIT_LIMIT = 3,         /* report --strict: a limit is not kept */
    CAB_EXIT_INTERRUPTED = 130, /* Ctrl-C, what there is was written */
};

/* One line on stderr, "clcable: ..." and "clcable: warning: ...". */
void cab_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cab_cli_warning(const char *text);

/* A warning that says how many notes a scene has; with --verbose all of them, with --quiet none. */
void cab_cli_notes(const cab_scene *scene, const char *file, bool quiet, bool verbose);

/* The kind of study of a file's scene, NULL for one of cables; false after a line on stderr: there is no memory. */
bool cab_cli_study_of(const char *path, const cab_study_kind **kind);

/* The exit code that a failed call stands for. */
int cab_cli_exit_code(cab_status status);

/* Flushes stdout; an output that could not be written is a failure. Returns `code`, or CAB_EXIT_FAILED. */
int cab_cli_finish(int code);

/* "opencl" and "native" of a device's backend. */
const char *cab_cli_backend_name(cab_backend_kind kind);

#endif
