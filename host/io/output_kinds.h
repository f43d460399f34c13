/* The library's own kinds of output. */
#ifndef CAB_OUTPUT_KINDS_H
#define CAB_OUTPUT_KINDS_H

#include "io/output.h"

/* The last frame. */
extern const cab_output_kind cab_output_csv, cab_output_vtp;
/* All frames, for ParaView. */
extern const cab_output_kind cab_output_pvd;

#endif
