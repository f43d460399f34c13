/* The shader files of host/view/shaders, built into the program: cmake/Embed.cmake writes the table. */
#ifndef CAB_SHADERS_H
#define CAB_SHADERS_H

#include "embedded.h"

extern const cab_embedded cab_shaders[];
extern const int cab_shaders_count;

#endif
