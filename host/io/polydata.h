/* A moment as points and cells through them, with numbers at both: what formats for points and lines write. Cables
 * and studies both come as one. */
#ifndef CAB_POLYDATA_H
#define CAB_POLYDATA_H

#include <stdbool.h>

#include <clcable/world.h>

#include "io/file.h"

enum { CAB_POLYDATA_ARRAYS = 8, CAB_POLYDATA_BLOCKS = 16 };

/* Numbers of each point or each cell. One of the three pointers is set; doubles are written as floats. */
typedef struct cab_polydata_array {
    const char *name; /* static storage */
    int width;        /* numbers of one point or cell */
    const double *doubles;
    const float *floats;
    const int *ints;
} cab_polydata_array;

/* Cell i has the points corner[end[i - 1]] to corner[end[i] - 1]. */
typedef struct cab_polydata_cells {
    int count;
    int *corner;
    int *end; /* [count] */
} cab_polydata_cells;

typedef struct cab_polydata {
    int frame;
    double time; /* s */
    int points;
    const double *position;                               /* [points][3] m */
    cab_polydata_array point_arrays[CAB_POLYDATA_ARRAYS]; /* up to the first without a name */
    cab_polydata_array cell_arrays[CAB_POLYDATA_ARRAYS];  /* numbers of dots, then of lines, then of faces */
    const char *scalars, *vectors; /* point arrays that programs show first; NULL = none */
    cab_polydata_cells dots, lines, faces;
    void *block[CAB_POLYDATA_BLOCKS]; /* memory that goes with it */
    int block_count;
} cab_polydata;

/* Where moments come from. */
typedef struct cab_polydata_source {
    void *self;
    /* The moment that there is now, to be freed. world: of cables, else NULL. */
    cab_status (*take)(void *self, cab_world *world, cab_polydata *data, cab_error *error);
} cab_polydata_source;

/* Zeroed memory that is freed with the moment; NULL, with an error, when there is none. */
void *cab_polydata_allocate(cab_polydata *data, size_t count, size_t size, cab_error *error);
/* Room for `count` cells of `corners` points altogether. */
cab_status cab_polydata_make_cells(cab_polydata *data, cab_polydata_cells *cells, int count, int corners,
                                   cab_error *error);
void cab_polydata_free(cab_polydata *data);

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CAB_VTK_BYTE_ORDER "BigEndian"
#else
#define CAB_VTK_BYTE_ORDER "LittleEndian"
#endif

/* VTK's XML PolyData, its data appended raw. Failures are remembered by the file. */
void cab_write_polydata(cab_file *file, const cab_polydata *data);

#endif
