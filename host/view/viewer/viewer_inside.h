/* What the parts of the viewer share: viewer.c (what is opened), viewer_cables.c, viewer_study.c,
 * viewer_time.c, viewer_picture.c, viewer_hands.c, viewer_path.c. */
#ifndef CAB_VIEWER_INSIDE_H
#define CAB_VIEWER_INSIDE_H

#include "view/viewer/changes.h"
#include "view/viewer/opened.h"
#include "view/draw/overlay.h"
#include "view/viewer/viewer.h"

/* Worlds are made anew often, and mostly have the same to say. */
enum { CAB_LOGGED_MOST = 32 };

/* A value of the scene that goes along with the control point that is dragged. */
typedef struct cab_linked {
    char pointer[64];
    cab_vec3 start; /* when the drag began, m */
} cab_linked;

/* A drag of the mouse: something goes along from where it was taken. */
typedef struct cab_drag {
    vec3 start;     /* of what is dragged, m */
    float mouse[2]; /* where it was taken, pixels */
    float at[2];    /* where the mouse is */
} cab_drag;

struct cab_viewer_inside {
    cab_viewer_def def;
    char device[256];         /* "" = the library's choice */
    const cab_opened *opened; /* NULL before the first scene is */
    cab_overlay overlay;
    bool moved;     /* rows of the renderer are older than what is opened */
    bool drop_told; /* the message is that of may_drop in viewer.c */
    bool fit_due;   /* as soon as the size of the picture is known */

    double debt; /* simulated seconds that stepping is behind, while playing */

    cab_drag drag; /* of what is held or a handle; one at a time */

    /* Of cables. */
    cab_cables cables;
    cab_changes changes;
    char *logged[CAB_LOGGED_MOST]; /* what the log has had of worlds, a ring */
    int logged_next;
    cab_geometry geometry; /* for picking */
    cab_linked *linked;    /* the first is the held point itself */
    int linked_count;
    cab_changes before; /* when the drag began */
    bool saved_before;
    cab_vec3 shift;   /* of the selected copy from the first, m */
    double remade_at; /* when the scene was last made anew, and how long that took, s */
    double remade_took;
};

/* --- viewer.c --- */

/* Tells an error and returns false, for commands. */
bool cab_viewer_refuse(cab_viewer *viewer, const cab_error *error);
/* True for cables; else tells that `what` is for them only. */
bool cab_viewer_has_cables(cab_viewer *viewer, const char *what);
/* What was opened goes, and something else is opened instead, which `renderer` knows how to draw: its subject
 * was loaded and updated. */
void cab_viewer_put(cab_viewer *viewer, const cab_opened *opened, cab_renderer *renderer);
/* Something begins, anew or for the first time: nothing has failed, nothing is held. */
void cab_viewer_begin(cab_viewer *viewer);

/* --- viewer_cables.c --- */

/* Puts the cables of a file in the place of what is opened. `changes` are taken over (emptied) whatever comes
 * of it; so are those of the next. */
cab_status cab_viewer_open_cables(cab_viewer *viewer, const char *path, cab_changes *changes,
                                  cab_error *error);
/* The same of the file that is open, as when its paths have changed. `go_on`: in the motion of the world that
 * there is. */
cab_status cab_viewer_remake(cab_viewer *viewer, cab_changes *changes, bool go_on, cab_error *error);

/* --- viewer_study.c --- */

cab_status cab_viewer_open_study(cab_viewer *viewer, const cab_study_kind *kind, const cab_study_def *def,
                                 cab_error *error);

/* --- viewer_time.c --- */

/* Clock and measures of what is opened as it is now. */
void cab_viewer_measure(cab_viewer *viewer);

/* --- viewer_picture.c --- */

/* Brings the renderer's rows up to date where they are not read with each picture. */
bool cab_viewer_read_rows(cab_viewer *viewer);

/* --- viewer_hands.c --- */

/* The ray through a place of the picture, pixels. */
void cab_viewer_ray(const cab_viewer *viewer, const float at[2], vec3 origin, vec3 direction);
/* How many metres a pixel is at a place. */
float cab_viewer_pixel(const cab_viewer *viewer, const vec3 at);
/* The node of a cable, or of a sheet (cable -1), that is under the mouse or a little beside it. */
bool cab_viewer_find_node(cab_viewer *viewer, const float at[2], int *cable, int *node);
/* Where the mouse is on the plane through `through` that faces the camera. */
void cab_viewer_on_plane(const cab_viewer *viewer, const float at[2], const vec3 through, vec3 point);
/* The same on the line through `through` along `axis`; false when one looks along it. */
bool cab_viewer_on_axis(const cab_viewer *viewer, const float at[2], const vec3 through, const vec3 axis,
                        vec3 point);
/* Where the mouse has taken what was at drag.start, in the plane that faces the camera. */
void cab_viewer_dragged(const cab_viewer *viewer, vec3 point);

/* --- viewer_path.c --- */

/* The control points of what is selected, as they are in the scene. */
void cab_path_load(cab_viewer *viewer);
/* Makes the scene anew of what was dragged, when it is due. */
void cab_path_tick(cab_viewer *viewer);
void cab_path_draw(cab_viewer *viewer);
void cab_path_free(cab_viewer *viewer);

#endif
