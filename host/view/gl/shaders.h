/* The shader files that are built in; cmake/Embed.cmake writes the table. */
#ifndef CAB_SHADERS_H
#define CAB_SHADERS_H

#include "embedded.h"

extern const cab_embedded cab_shaders[];
extern const int cab_shaders_count;

#endif
