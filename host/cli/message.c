/* Errors and warnings of the program, on the standard error stream. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>

#include "model/scene.h"

void cab_cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("clcable: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void cab_cli_warning(const char *text)
{
    fprintf(stderr, "clcable: warning: %s\n", text);
}

void cab_cli_notes(const cab_scene *scene, const char *file, bool quiet, bool verbose)
{
    char text[600];
    if (quiet || !scene->note_count) return;
    for (int i = 0; i < scene->note_count && verbose; i++) cab_cli_warning(scene->notes[i]);
    if (verbose) return;
    snprintf(text, sizeof text, "%.400s: %d thing%s missing or contradictory, something was assumed%s", file,
             scene->note_count, scene->note_count == 1 ? " was" : "s were",
             "; `clcable check --verbose` lists them");
    cab_cli_warning(text);
}

bool cab_cli_study_of(const char *path, const cab_study_kind **kind)
{
    cab_error error;
    if (cab_study_of_file(path, kind, &error) == CAB_OK) return true;
    cab_cli_error("%s", error.message);
    return false;
}

int cab_cli_exit_code(cab_status status)
{
    switch (status) {
    case CAB_OK:
        return CAB_EXIT_DONE;
    case CAB_ERROR_INPUT:
    case CAB_ERROR_UNSUPPORTED:
        return CAB_EXIT_USAGE;
    default:
        return CAB_EXIT_FAILED;
    }
}

int cab_cli_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    cab_cli_error("standard output: could not be written");
    return code == CAB_EXIT_DONE ? CAB_EXIT_FAILED : code;
}

const char *cab_cli_backend_name(cab_backend_kind kind)
{
    return kind == CAB_BACKEND_NATIVE ? "native" : "opencl";
}
