/* The folder where compiled programs and the results of `clcable tune` are kept. */
#ifndef CAB_FOLDER_H
#define CAB_FOLDER_H

/* `cache_dir` of cab_world_def, else $CLCABLE_CACHE_DIR, else the user's cache folder. The caller frees it.
 * NULL: nothing is kept. */
char *cab_cache_folder(const char *cache_dir);

/* Makes the folder and those above it. Errors show when a file is made in it. */
void cab_make_folder(const char *path);

#endif
