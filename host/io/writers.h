/* The formats. Each writes one moment into an open file; failures are remembered by the file. */
#ifndef CAB_WRITERS_H
#define CAB_WRITERS_H

#include "io/file.h"
#include "io/snapshot.h"

/* A text with commas, quotes or line breaks stands in quotes, quotes within it twice. */
void cab_write_csv_text(cab_file *file, const char *text);

/* One row a particle, nine significant digits, quoted as in RFC 4180. Does not fail. */
cab_status cab_write_csv(cab_file *file, const cab_snapshot *snapshot, cab_error *error);

/* Wavefront OBJ, nine significant digits: an object a cable or sheet, its points, then lines and faces. Fails
 * when memory is out. */
cab_status cab_write_obj(cab_file *file, const cab_snapshot *snapshot, cab_error *error);

/* VTK PolyData: a polyline per cable, a line per stick and a polygon per face of a sheet; a snapshot of all.
 * Fails when memory is out. */
cab_status cab_write_vtp(cab_file *file, const cab_snapshot *snapshot, cab_error *error);

/* A ParaView collection of `count` files NAME_0000.vtp, ... with the times they show, s; `first` is the
 * number of the first. `name` is without folder. */
void cab_write_pvd(cab_file *file, const char *name, const double *times, int first, int count);

#endif
