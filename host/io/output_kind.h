/* How a kind of output file is written, and the library's own kinds. */
#ifndef CAB_OUTPUT_KIND_H
#define CAB_OUTPUT_KIND_H

#include <stdbool.h>

#include <clcable/world.h>

#include "io/polydata.h"

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

/* What probes say, frame by frame; no format of `-o`. */
extern const cab_output_kind cab_output_probes;
/* Where bodies are, frame by frame; no format of `-o`. */
extern const cab_output_kind cab_output_bodies;
extern const cab_output_kind cab_output_sockets;

/* The parts that kinds of the program, such as those of a study, can be made of. */

/* Writes the moment that there is at the end. The `user` of a kind with these two functions is a cab_last_format. */
typedef struct cab_last_format {
    void *self;
    cab_status (*write)(void *self, cab_world *world, cab_file *file, cab_error *error);
} cab_last_format;
cab_status cab_output_open_last(void *user, const char *path, const cab_scene *scene, void **writer,
                                cab_error *error);
cab_status cab_output_close_last(void *writer, cab_world *world, bool commit, cab_error *error);

/* The `write` of .vtp; `self` is a cab_polydata_source. */
cab_status cab_output_write_vtp(void *self, cab_world *world, cab_file *file, cab_error *error);

/* Writes each moment as it comes into one file, as rows, so that memory holds one moment. The `user` of a kind with these three
 * functions is a cab_table_format. */
typedef struct cab_table_format {
    /* With the first moment: writes the header, and makes what rows are read into, which may be left half made in `rows`. */
    cab_status (*begin)(const cab_world *world, cab_file *file, void **rows, cab_error *error);
    cab_status (*write)(void *rows, cab_world *world, cab_file *file, cab_error *error);
    void (*free)(void *rows); /* NULL, too */
} cab_table_format;
cab_status cab_output_open_table(void *user, const char *path, const cab_scene *scene, void **writer,
                                 cab_error *error);
cab_status cab_output_frame_table(void *writer, cab_world *world, cab_error *error);
cab_status cab_output_close_table(void *writer, cab_world *world, bool commit, cab_error *error);

/* All moments: a .vtp each, and a list. The `user` of a kind with these three is a cab_polydata_source. */
cab_status cab_output_open_pvd(void *user, const char *path, const cab_scene *scene, void **writer,
                               cab_error *error);
cab_status cab_output_frame_pvd(void *writer, cab_world *world, cab_error *error);
cab_status cab_output_close_pvd(void *writer, cab_world *world, bool commit, cab_error *error);

#endif
