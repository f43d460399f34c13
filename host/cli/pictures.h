/* Pictures as outputs of `run`; without the viewer, what says that they are not in this build. */
#ifndef CAB_PICTURES_H
#define CAB_PICTURES_H

#include "io/output.h"

/* The kind for .png, .mp4 and .gif as they come by default. */
const cab_output_kind *cab_cli_pictures(void);

#endif
