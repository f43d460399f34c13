/* The library's own kinds of output. */
#ifndef CAB_OUTPUT_KINDS_H
#define CAB_OUTPUT_KINDS_H

#include "io/output.h"
#include "io/polydata.h"

/* The last frame. */
extern const cab_output_kind cab_output_csv, cab_output_vtp, cab_output_obj;
/* All frames: a list of .vtp; written as they come; written at the end from a scratch file. */
extern const cab_output_kind cab_output_pvd, cab_output_vtkhdf, cab_output_usda, cab_output_npz;

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

/* All moments: a .vtp each, and a list. The `user` of a kind with these three is a cab_polydata_source. */
cab_status cab_output_open_pvd(void *user, const char *path, const cab_scene *scene, void **writer,
                               cab_error *error);
cab_status cab_output_frame_pvd(void *writer, cab_world *world, cab_error *error);
cab_status cab_output_close_pvd(void *writer, cab_world *world, bool commit, cab_error *error);

#endif
