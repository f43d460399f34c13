/* Parts of file names. */
#ifndef CAB_PATH_H
#define CAB_PATH_H

#include <stdbool.h>

/* The last part of a path: "knot.json" of "scenes/knot.json". */
const char *cab_path_name(const char *path);
/* A file name's ending from its last point on, ".json"; NULL = none. */
const char *cab_path_ending(const char *path);
/* Has the path this ending, in upper or lower case? ending: with its point, ".obj". A name that is only an
 * ending has none. */
bool cab_path_ends(const char *path, const char *ending);
/* The last part of a path without its ending: "knot". A name that is only an ending stays as it is. */
void cab_path_stem(const char *path, char *text, int size);

#endif
