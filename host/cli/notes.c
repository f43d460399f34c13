#include "cli/notes.h"

#include <stdio.h>

#include "cli/cli.h"
#include "model/scene.h"

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
