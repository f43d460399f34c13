/* The formats. Each writes one moment into an open file; failures are remembered by the file. */
#ifndef CAB_WRITERS_H
#define CAB_WRITERS_H

#include "io/file.h"
#include "io/polydata.h"
#include "io/snapshot.h"

/* A text with commas, quotes or line breaks stands in quotes, quotes within it twice. */
void cab_write_csv_text(cab_file *file, const char *text);

/* One row a particle, nine significant digits, quoted as in RFC 4180. Does not fail. */
cab_status cab_write_csv(cab_file *file, const cab_snapshot *snapshot, cab_error *error);

/* Wavefront OBJ, nine digits: an object a cable or sheet, its points, lines, faces. Fails without memory. */
cab_status cab_write_obj(cab_file *file, const cab_snapshot *snapshot, cab_error *error);

/* Cables and sheets: a polyline per cable, a line per stick and a polygon per face of a sheet; triangles of bodies. The `take` of a
 * cab_polydata_source. */
cab_status cab_polydata_of_cables(void *self, cab_world *world, cab_polydata *data, cab_error *error);

#endif
