/* Closed surfaces as files: .obj, .vtp and .stl. */
#ifndef CAB_SURFACE_WRITE_H
#define CAB_SURFACE_WRITE_H

#include <clcable/scene.h>

/* Fails, in one line, where a name's ending is none of these, or where there cannot be a file. what: "an envelope", for that line. */
cab_status cab_surface_check(const char *path, const char *what, cab_error *error);

/* Writes it, in m: .obj with nine digits, .vtp and .stl (binary) in floats. The file is whole or not there. */
cab_status cab_surface_write(const char *path, const cab_mesh *mesh, cab_error *error);

#endif
