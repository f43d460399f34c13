/* How a kind of output file is written, and the library's own kinds. */
#ifndef CAB_OUTPUT_KIND_H
#define CAB_OUTPUT_KIND_H

#include <stdbool.h>

#include <clcable/world.h>

/* `writer` is what open made; the calls come in the order of this list. */
typedef struct cab_output_kind {
    const char *endings; /* ".png .mp4", in small letters */
    void *user;          /* handed to open */
    cab_status (*open)(void *user, const char *path, const cab_scene *scene, void **writer, cab_error *error);
    /* Does this file need to see all frames before the first is written? NULL = no. */
    bool (*looks_ahead)(const void *writer);
    /* Each frame of a rehearsal, which is the same run before the one that is written. */
    cab_status (*look_ahead)(void *writer, cab_world *world, cab_error *error);
    cab_status (*frame)(void *writer, cab_world *world, cab_error *error); /* NULL = only the last counts */
    /* Frees the writer, whatever the status. */
    cab_status (*close)(void *writer, cab_world *world, bool commit, cab_error *error);
} cab_output_kind;

/* The last frame. */
extern const cab_output_kind cab_output_csv, cab_output_vtp, cab_output_obj;
/* All frames: a list of .vtp; written as they come; written at the end from a scratch file. */
extern const cab_output_kind cab_output_pvd, cab_output_vtkhdf, cab_output_usda, cab_output_npz;

#endif
