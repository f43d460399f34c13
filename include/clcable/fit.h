/* clcable: numbers of a scene by which its probes come nearest to where they were measured: stiffness, damping,
 * friction from tracks, with how sure each is (docs/fit.md). `clcable fit` is this function.
 *
 *   cab_tracks tracks;
 *   cab_tracks_read("swing.csv", &tracks, &error);
 *   cab_fit_clip clip = cab_fit_clip_of(&tracks, "swing.json", "swing.csv");
 *   cab_fit_sought sought = {"/materials/wire/bending_stiffness", {1e-5, 1e-2, true}};
 *   cab_fit_def def = cab_fit_default();
 *   def.sought = &sought, def.sought_count = 1, def.clips = &clip, def.clip_count = 1;
 *   cab_fit_found found;
 *   if (cab_fit(&def, &found, &error) == CAB_OK && found.any) printf("%g\n", found.values[0].value);
 *   cab_fit_free(&found);
 *   cab_tracks_free(&tracks);
 *
 * examples/fit.c is a whole program. What is given must stay as it is until cab_fit() returns; nothing of it is kept.
 */
#ifndef CLCABLE_FIT_H
#define CLCABLE_FIT_H

#include <stdbool.h>

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CAB_FIT_VALUES = 12 };          /* numbers that can be sought at once */
enum { CAB_FIT_TRIES_MOST = 1000000 }; /* sets of numbers that are drawn */
enum { CAB_FIT_WARNING_SIZE = 512 };   /* bytes of a warning, its terminating zero included */

/** A place of a probe that was measured. */
typedef struct cab_track_sample {
    double t;       /**< s from the start, >= 0 */
    int probe;      /**< index in the names of probes */
    cab_vec3 place; /**< m, in the scene's axes; NAN where that was not measured */
} cab_track_sample;

/** Places of probes over time, of a file. */
typedef struct cab_tracks {
    char **probe;             /**< [probe_count] names, in the order in which the file has them first */
    int probe_count;          /**< at least 1 */
    cab_track_sample *sample; /**< [count] by time; of one time as in the file */
    int count;                /**< at least 1 */
} cab_tracks;

/** Reads a table (.csv) with the columns t, probe, x, y, z, as `clcable run --probes` writes it. Other columns are left
 * aside, and so are rows without a place: x, y and z empty or "nan".
 *
 * @return CAB_OK; CAB_ERROR_INPUT names the line; CAB_ERROR_IO, CAB_ERROR_MEMORY. *tracks must be freed with
 *         cab_tracks_free(), after a failure, too
 */
CAB_API cab_status cab_tracks_read(const char *path, cab_tracks *tracks, cab_error *error);

/** Frees what cab_tracks_read() has filled. */
CAB_API void cab_tracks_free(cab_tracks *tracks);

/** Where a number is sought. */
typedef struct cab_fit_range {
    double from, to; /**< in its unit; from < to */
    bool by_ratio;   /**< sought by its logarithm, so that wide ranges cost little; from > 0 */
} cab_fit_range;

/** A number that is sought. */
typedef struct cab_fit_sought {
    /** JSON pointer, "/materials/wire/bending_stiffness": any number but those of /gravity, /wind, /time, /method and
     * /contact, which all tries have in common. */
    const char *pointer;
    cab_fit_range range;
} cab_fit_sought;

/** A motion that was measured, and the scene of it. */
typedef struct cab_fit_clip {
    const char *scene; /**< its file; with cab_fit_def.make what messages call it, or NULL: "the scene" */
    const char *file;  /**< what messages call the tracks; NULL: "tracks" */
    const char *const *probes; /**< [probe_count] names; the scene has each of them */
    int probe_count;           /**< at least 1 */
    /** [count] with times that do not fall, to 1e9 s and 1e9 frames of the scene; more than one at a time is fine.
     * The scene is run to the last one, whatever its own duration. */
    const cab_track_sample *sample;
    int count; /**< at least 1 */
} cab_fit_clip;

/** A clip of tracks that were read. It is good as long as they and the texts are. */
CAB_API cab_fit_clip cab_fit_clip_of(const cab_tracks *tracks, const char *scene, const char *file);

/** What is to be found, and how. Fill with cab_fit_default(). Its functions are called in the thread that has called
 * cab_fit(). */
typedef struct cab_fit_def {
    const cab_fit_sought *sought; /**< [sought_count] */
    int sought_count; /**< 1 to CAB_FIT_VALUES, and no more than there are coordinates that are fitted */
    const cab_fit_clip *clips; /**< [clip_count], fitted together */
    int clip_count;            /**< at least 1 */
    double hold_out; /**< 0 to 0.9: this last part of each clip's time is not fitted, only compared; 0.2 */
    int tries; /**< spread evenly over the ranges before the best are followed, at most CAB_FIT_TRIES_MOST; 0 = 64 a number (default) */
    unsigned long seed;  /**< of the tries; the same gives the same; 1 */
    bool settle;         /**< cables hung at rest before, as by cab_world_settle(); false */
    cab_world_def world; /**< the device; cab_world_default() */
    /** Makes the scene of clip `clip`, an index in clips, with `count` changes "POINTER=VALUE" as of cab_scene_load(). What
     * it puts into *scene belongs to cab_fit() from then on. A failure ends the search with that status and what was
     * written into *error, which is never NULL. NULL: scenes are loaded from the clips' files. */
    cab_status (*make)(void *user, int clip, const char *const *changes, int count, cab_scene **scene,
                       cab_error *error);
    /** NULL, or asked between frames: true ends the search with the best until then. */
    bool (*stop)(void *user);
    /** NULL, or told how many sets of numbers have been run so far. */
    void (*progress)(void *user, int runs);
    void *user; /**< handed to make, stop and progress */
} cab_fit_def;

/** The defaults above; what is sought and clips are to be filled in. */
CAB_API cab_fit_def cab_fit_default(void);

/** A number that was found. */
typedef struct cab_fit_value {
    double value; /**< in its unit, within its range */
    /** Standard deviation: in its unit, or where it is sought by its ratio a share of it. INFINITY: it has no influence, or
     * there are no more coordinates than numbers, or the search was stopped, so nobody knows. */
    double spread;
    /** The tracks tell it: the deviation is less than a quarter of the range, and no other number could take its place; where
     * there are no more coordinates than numbers, it has an influence. */
    bool told;
    bool at_end; /**< within a hundredth of an end of its range: it may lie beyond */
} cab_fit_value;

/** By how much a scene is off its tracks, a coordinate. */
typedef struct cab_fit_off {
    int numbers; /**< coordinates that were compared */
    double mean; /**< m, of what they are off by without signs, */
    double root; /**< m, and the root of the mean of its square */
} cab_fit_off;

/** What became of a clip. */
typedef struct cab_fit_clip_found {
    double until;         /**< s; what is later was held out */
    cab_fit_off fitted;   /**< with what was found; no numbers where it was stopped before it came to them */
    cab_fit_off held_out; /**< likewise */
} cab_fit_clip_found;

/** What the tracks do not tell. */
typedef struct cab_fit_warning {
    char text[CAB_FIT_WARNING_SIZE]; /**< a line of plain English that begins with the pointer */
} cab_fit_warning;

/** What was found. */
typedef struct cab_fit_found {
    bool any; /**< there are values: some try could be run. Without, nothing below but runs says anything */
    bool
        interrupted; /**< cab_fit_def.stop has ended it: the best until then; how sure it is may not be known */
    cab_fit_value values[CAB_FIT_VALUES]; /**< [sought_count] */
    /** [sought_count][sought_count] of the values, -1 to 1; near either, two can hardly be told apart. 0: not known. */
    double correlation[CAB_FIT_VALUES][CAB_FIT_VALUES];
    cab_fit_clip_found *clips; /**< [clip_count] */
    cab_fit_warning *warnings; /**< [warning_count]; none after a search that was stopped */
    int warning_count;
    int places;       /**< of all clips, that were fitted: three coordinates each, measured or not */
    int runs;         /**< sets of numbers that were run */
    char device[256]; /**< its name */
} cab_fit_found;

/** Finds them: tries drawn evenly from the ranges (Latin hypercube), then the method of Levenberg and Marquardt from the best
 * three that differ, sets of numbers side by side in one world. Sets that diverge count as 10 m off. The scene of a clip is
 * made once for each set that is run, and once more for those beside a set that diverges. cminpack is loaded when this is
 * called first. Several may run at once, in threads of their own.
 *
 * @return CAB_OK, also when stopped: see `any` and `interrupted`; CAB_ERROR_INPUT: what is sought, a clip or a scene cannot
 *         be; CAB_ERROR_UNSUPPORTED: this build is without cminpack, or it is not on this machine, or a scene asks for what is
 *         not built; CAB_ERROR_IO: a scene's file cannot be read; CAB_ERROR_DEVICE, CAB_ERROR_MEMORY; what `make` has returned.
 *         *found must be freed with cab_fit_free(), after a failure, too
 */
CAB_API cab_status cab_fit(const cab_fit_def *def, cab_fit_found *found, cab_error *error);

/** Frees what cab_fit() has filled. */
CAB_API void cab_fit_free(cab_fit_found *found);

#ifdef __cplusplus
}
#endif
#endif
