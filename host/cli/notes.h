/* Tells what the reader of a scene had to assume. */
#ifndef CAB_NOTES_H
#define CAB_NOTES_H

#include <clcable/scene.h>

/* A warning that says how many notes a scene has; with --verbose all of them, with --quiet none. */
void cab_cli_notes(const cab_scene *scene, const char *file, bool quiet, bool verbose);

#endif
