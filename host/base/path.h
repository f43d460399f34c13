/* Parts of file names. */
#ifndef CAB_PATH_H
#define CAB_PATH_H

#include <stdbool.h>

/* The last part of a path: "knot.json" of "scenes/knot.json". */
const char *cab_path_name(const char *path);
/* From its last point on, ".json"; NULL = it has none. */
const char *cab_path_ending(const char *path);
/* Does it end so, in capitals or not? ending: with its point, ".obj". An ending alone is no name. */
bool cab_path_ends(const char *path, const char *ending);
/* The last part without its ending: "knot". A name that is only an ending stays. */
void cab_path_stem(const char *path, char *text, int size);

#endif
