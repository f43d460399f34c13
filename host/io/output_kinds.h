/* The library's own kinds of output. */
#ifndef CAB_OUTPUT_KINDS_H
#define CAB_OUTPUT_KINDS_H

#include "io/output.h"

/* The last frame. */
extern const cab_output_kind cab_output_csv, cab_output_vtp, cab_output_obj;
/* All frames: a list of .vtp; written as they come; written at the end from a scratch file. */
extern const cab_output_kind cab_output_pvd, cab_output_vtkhdf, cab_output_usda, cab_output_npz;

#endif
