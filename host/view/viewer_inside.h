/* What the parts of the viewer share: viewer.c (scene), viewer_time.c, viewer_picture.c, viewer_hands.c,
 * viewer_path.c. */
#ifndef CAB_VIEWER_INSIDE_H
#define CAB_VIEWER_INSIDE_H

#include "view/overlay.h"
#include "view/viewer.h"

/* Worlds are made anew often, and mostly have the same to say. */
enum { CAB_LOGGED_MOST = 32 };

/* POINTER=VALUE, each pointer once; later ones are applied later. */
typedef struct cab_changes {
    char **text;
    int count;
} cab_changes;

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
    char device[256]; /* "" = the library's choice */
    cab_changes changes;
    char *logged[CAB_LOGGED_MOST]; /* what the log has had of worlds, a ring */
    int logged_next;
    cab_overlay overlay;
    cab_geometry geometry; /* for picking */
    bool moved;            /* rows of the renderer are older than the world */
    bool drop_told;        /* the message is that of may_drop in viewer.c */
    bool fit_due;          /* as soon as the size of the picture is known */

    double debt; /* simulated seconds that stepping is behind, while playing */

    cab_drag drag;      /* of a cable or a handle; one at a time */
    cab_linked *linked; /* the first is the held point itself */
    int linked_count;
    cab_changes before; /* when the drag began */
    bool saved_before;
    cab_vec3 shift;   /* of the selected copy from the first, m */
    double remade_at; /* when the scene was last made anew, and how long that took, s */
    double remade_took;
};

/* Seconds on a clock that never jumps. */
double cab_viewer_now(void);

/* Tells an error and returns false, for commands. */
bool cab_viewer_refuse(cab_viewer *viewer, const cab_error *error);

/* --- viewer.c --- */

/* False when memory is out; the list may be freed then. */
bool cab_changes_copy(cab_changes *copy, const cab_changes *changes);
/* One more, or one replaced. */
bool cab_changes_put(cab_changes *changes, const char *pointer, const char *value);
void cab_changes_drop(cab_changes *changes, const char *pointer);
void cab_changes_free(cab_changes *changes);

/* Makes scene and world of the file and `changes`, which are taken over (emptied) whatever comes of it.
 * `go_on`: in the motion of the world that there is. */
cab_status cab_viewer_remake(cab_viewer *viewer, const char *path, cab_changes *changes, bool go_on,
                             cab_error *error);
/* A new world of the scene that there is. */
cab_status cab_viewer_remake_world(cab_viewer *viewer, bool go_on, cab_error *error);

/* --- viewer_time.c --- */

/* Info and measures of the world as it is now. */
void cab_viewer_look_at_world(cab_viewer *viewer);

/* --- viewer_picture.c --- */

/* Brings the renderer's rows up to date where they are not read with each picture. */
bool cab_viewer_read_rows(cab_viewer *viewer);

/* --- viewer_hands.c --- */

/* Where the mouse is on the plane through `through` that faces the camera. */
void cab_viewer_on_plane(const cab_viewer *viewer, const float at[2], const vec3 through, vec3 point);
/* The same on the line through `through` along `axis`; false when one looks along it. */
bool cab_viewer_on_axis(const cab_viewer *viewer, const float at[2], const vec3 through, const vec3 axis,
                        vec3 point);

/* --- viewer_path.c --- */

/* The control points of what is selected, as they are in the scene. */
void cab_path_load(cab_viewer *viewer);
/* Makes the scene anew of what was dragged, when it is due. */
void cab_path_tick(cab_viewer *viewer);
void cab_path_draw(cab_viewer *viewer);
void cab_path_free(cab_viewer *viewer);

#endif
