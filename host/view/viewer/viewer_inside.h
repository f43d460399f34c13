/* What the viewer's files share: the state that nobody else sees, and the functions that they call of each
 * other. The calls go in one direction: no file calls one that comes after it in this list.
 *
 *   viewer_opened.c, viewer_camera.c, viewer_hands.c       what is opened; the camera; finding and pulling
 *   viewer_coarse.c                                        pictures of fewer pixels while something moves
 *   viewer_select.c, viewer_picture.c                      the selection; pictures, and drawing over the scene
 *   viewer_trace.c, viewer_film.c                          plots over time; recording
 *   viewer_history.c                                       states to go back to
 *   viewer_cables.c, viewer_study.c                        what is opened: cables, or a study
 *   viewer_path.c, viewer_time.c, viewer_open.c            path editing; playing; opening and quitting */
#ifndef CAB_VIEWER_INSIDE_H
#define CAB_VIEWER_INSIDE_H

#include "view/camera/follow.h"
#include "view/viewer/changes.h"
#include "view/draw/overlay.h"
#include "view/gl/canvas.h"
#include "view/pictures/film.h"
#include "view/viewer/viewer.h"

enum {
    CAB_LOGGED_MOST = 32, /* messages that are remembered, so that none is logged again with each new world */
    CAB_VIEWER_FIRST_WIDTH = 1280, /* pixels, while the size of the picture is not known */
    CAB_VIEWER_FIRST_HEIGHT = 720
};

/* What the viewer can do with a scene that is opened, cables (viewer_cables.c) or a study in the plane
 * (viewer_study.c), as a table of functions. Pictures use another one: viewer->subject. */
typedef struct cab_opened {
    const char *view;                    /* from where it is seen at first, as for cab_camera_set_view() */
    double (*rate)(const cab_viewer *v); /* frames in a second of simulated time */
    /* Steps one frame. When that fails the picture stays that of the frame before. */
    cab_status (*step)(cab_viewer *v, cab_error *error);
    /* Goes back to time 0. */
    cab_status (*reset)(cab_viewer *v, cab_error *error);
    /* Reads what panels show of the frame. */
    cab_status (*measure)(cab_viewer *v, cab_error *error);
    /* Takes hold of what is at a place of the picture, pixels. Sets *held to whether anything is there, and
     * grab.point to where the pull begins. */
    cab_status (*grab)(cab_viewer *v, const float at[2], bool *held, cab_error *error);
    /* Pulls to where the mouse is: inside->drag.at. */
    cab_status (*pull)(cab_viewer *v, cab_error *error);
    /* Ends the pull. */
    cab_status (*let_go)(cab_viewer *v, cab_error *error);
    /* Where what is held is, for the viewer's line to it; false where the subject draws one itself. */
    bool (*held)(cab_viewer *v, vec3 at);
    /* Frees everything. */
    void (*close)(cab_viewer *v);
} cab_opened;

extern const cab_opened cab_opened_cables, cab_opened_study;

/* A value of the scene that moves along with the control point that is dragged. */
typedef struct cab_linked {
    char pointer[64];
    cab_vec3 start; /* its value when the drag began, m */
} cab_linked;

/* A drag of the mouse, of what is pulled or of a handle. */
typedef struct cab_drag {
    vec3 start;     /* where the dragged thing was, m */
    float mouse[2]; /* where the mouse was, pixels */
    float at[2];    /* where the mouse is now, pixels */
} cab_drag;

/* States to go back to (viewer_history.c). */
typedef struct cab_kept_state {
    int frame;
    void *bytes;
    size_t size;
} cab_kept_state;

typedef struct cab_history {
    cab_kept_state *list; /* [count] by frame */
    int count, room;
    int every;    /* frames between two */
    size_t bytes; /* of all, */
    size_t most;  /* and what they may be: when they are more every other one goes */
} cab_history;

/* A video that is being recorded (viewer_film.c). */
typedef struct cab_recording {
    cab_film *film; /* NULL = none */
    char path[CAB_VIEWER_PATH_SIZE];
    cab_canvas canvas;
    cab_picture picture;
    int frame; /* of the last picture */
} cab_recording;

struct cab_viewer_inside {
    cab_viewer_def def;
    char device[256];         /* "" = the library's choice */
    const cab_opened *opened; /* NULL before the first scene */
    cab_overlay overlay;
    bool moved;     /* the renderer does not have the last frame yet */
    bool drop_told; /* the message says that moved points are not saved */
    bool fit_due;   /* the scene is to be fitted as soon as the size of the picture is known */
    cab_follow follow;
    cab_camera followed; /* the camera as following left it: when it is another one the user has moved it */
    double followed_at;  /* the scene's time then, s */
    double debt;         /* simulated seconds that are still to be stepped while playing */
    cab_drag drag;
    cab_canvas canvas; /* for pictures of fewer pixels */
    bool coarse_seen;  /* the last picture was one */
    cab_recording recording;

    /* Of cables. */
    cab_cables cables;
    cab_changes changes;
    cab_history history;
    char *logged[CAB_LOGGED_MOST]; /* the last messages of worlds in the log, a ring */
    int logged_next;
    cab_geometry geometry; /* for picking */
    cab_linked *linked;    /* the first one is the held point itself */
    int linked_count;
    cab_changes before; /* the changes when the drag began */
    bool saved_before;  /* whether they were saved */
    cab_vec3 shift;     /* from the first copy of a cable to the selected one, m */
    double remade_at;   /* when the scene was last made anew, as of cab_now() */
    double remade_took; /* s */
};

/* --- viewer_opened.c --- */

/* Tells an error in the message line and returns false, as the result of a command. */
bool cab_viewer_refuse(cab_viewer *viewer, const cab_error *error);
/* Something has worked since: what an error said is not true any more. */
void cab_viewer_forget_error(cab_viewer *viewer);
/* Returns whether cables are opened; else tells that `what` is for cables only. */
bool cab_viewer_has_cables(cab_viewer *viewer, const char *what);

/* Frees what is opened, and its renderer. */
void cab_viewer_close_opened(cab_viewer *viewer);
/* Puts something in the place of what is opened, freeing that. `renderer` has its subject loaded. */
void cab_viewer_put(cab_viewer *viewer, const cab_opened *opened, cab_renderer *renderer);
/* To be called when something begins, anew or for the first time: nothing has failed, nothing is held. */
void cab_viewer_begin(cab_viewer *viewer);
/* Reads the clock and the measures of what is opened. */
void cab_viewer_measure(cab_viewer *viewer);
/* Plays or pauses, whatever else is going on. */
void cab_viewer_set_playing(cab_viewer *viewer, bool playing);

/* Gives the renderer the frame that what is opened has reached. */
cab_status cab_viewer_catch_up(cab_viewer *viewer, cab_error *error);
/* Brings the renderer's rows up to date where they are not read with each picture. */
bool cab_viewer_read_rows(cab_viewer *viewer);

/* --- viewer_picture.c --- */

/* Finds the first free name SCENE-0001 with this ending in the working directory, and makes an empty file of it. False: it has told why
 * not. */
bool cab_viewer_take_name(cab_viewer *viewer, const char *ending, char *path, size_t size);

/* --- viewer_trace.c --- */

/* Of a world that has just been opened: plots its probes. Of one that has taken another's place: finds them again. Without memory
 * for their names there are none. */
void cab_traces_begin(cab_viewer *viewer);
void cab_traces_find_probes(cab_viewer *viewer);
/* Adds the present frame to what is plotted. */
cab_status cab_traces_note(cab_viewer *viewer, cab_error *error);

/* --- viewer_film.c --- */

/* Adds a picture to the video that is being recorded, where frames have been stepped. */
void cab_film_tick(cab_viewer *viewer);

/* --- viewer_coarse.c --- */

/* Draws the scene without handles and pull; while something moves perhaps with fewer pixels. */
cab_status cab_viewer_draw_scene(cab_viewer *viewer, unsigned framebuffer, int width, int height,
                                 cab_error *error);
/* Asks for a picture of all pixels when nothing moves any more. */
void cab_viewer_refine(cab_viewer *viewer);

/* --- viewer_cables.c --- */

/* Opens the cables of a file in the place of what is opened. The changes are taken over (`changes` is empty
 * afterwards), also on an error; so are those of the next function. */
cab_status cab_viewer_open_cables(cab_viewer *viewer, const char *path, cab_changes *changes,
                                  cab_error *error);
/* Sets a value of a material, as cab_viewer_set(); the world stays the same, and takes it while it runs. */
bool cab_viewer_set_live(cab_viewer *viewer, const char *pointer, const char *value, int material);
/* Opens the same file with other changes. `go_on`: its world continues the present one's motion. */
cab_status cab_viewer_remake(cab_viewer *viewer, cab_changes *changes, bool go_on, cab_error *error);

/* Puts the world, or a new one where that cannot take it, into a state. */
cab_status cab_viewer_put_state(cab_viewer *viewer, const void *state, size_t size, cab_error *error);

/* --- viewer_history.c --- */

/* Another scene or other numbers: what has been kept is of no use, and the present state is the first one. */
void cab_history_begin(cab_viewer *viewer);
/* The last state that is kept of this frame or before; the first one where all come later; NULL = there is none. */
const cab_kept_state *cab_history_find(const cab_viewer *viewer, int frame);
/* A frame has been stepped: keeps its state if it is due. */
void cab_history_note(cab_viewer *viewer);
/* From now on all goes another way: what comes after the present frame is forgotten. */
void cab_history_cut(cab_viewer *viewer);
void cab_history_free(cab_history *history);

/* --- viewer_study.c --- */

cab_status cab_viewer_open_study(cab_viewer *viewer, const cab_study_kind *kind, const cab_study_def *def,
                                 cab_error *error);

/* --- viewer_camera.c: places of the picture are pixels from its upper left corner --- */

/* Before each picture: cab_viewer_catch_up(), then the camera follows what moves, if the viewer follows and the user has not moved
 * the camera since. */
cab_status cab_viewer_follow(cab_viewer *viewer, cab_error *error);
/* The ray through a place of the picture. */
void cab_viewer_ray(const cab_viewer *viewer, const float at[2], vec3 origin, vec3 direction);
/* The size of a pixel at a place of the scene, m. */
float cab_viewer_pixel(const cab_viewer *viewer, const vec3 at);
/* The point under a place of the picture on the plane through `through` that faces the camera. */
void cab_viewer_on_plane(const cab_viewer *viewer, const float at[2], const vec3 through, vec3 point);
/* The same on the line through `through` along `axis`; false when one looks along it. */
bool cab_viewer_on_axis(const cab_viewer *viewer, const float at[2], const vec3 through, const vec3 axis,
                        vec3 point);
/* Where the mouse has dragged what was at drag.start, in the plane that faces the camera. */
void cab_viewer_dragged(const cab_viewer *viewer, vec3 point);

/* --- viewer_hands.c --- */

/* The node under the mouse, or a little beside it: of a cable, or of a sheet (cable -1). */
bool cab_viewer_find_node(cab_viewer *viewer, const float at[2], int *cable, int *node);
/* The body under the mouse that forces move, with nothing before it: which place of it, in its own axes, and where that is. */
bool cab_viewer_find_body(cab_viewer *viewer, const float at[2], int *body, vec3 place, vec3 point);

/* --- viewer_select.c --- */

/* Reads the control points of the selected cable from the scene. */
void cab_path_load(cab_viewer *viewer);
/* Control point `index`, m. */
void cab_path_point(const cab_viewer *viewer, int index, vec3 point);
/* The unit vector of axis 'x', 'y' or 'z'. */
const float *cab_path_axis(char axis);

/* --- viewer_path.c --- */

/* Makes the scene anew of what was dragged, when it is time to. */
void cab_path_tick(cab_viewer *viewer);
void cab_path_free(cab_viewer *viewer);

#endif
