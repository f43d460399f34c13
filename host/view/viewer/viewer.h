/* The viewer: an opened scene in motion, cables or a study in the plane, and everything that a user can do
 * with it. It has no window, keys or buttons: those call the commands below, and so do tests.
 *
 * Panels read the fields of cab_viewer; a field may be written where its comment says so. A command returns
 * whether it worked. One that fails leaves everything as it was, and puts the reason into `message`.
 *
 * Needs a current OpenGL context, the same one in all calls. */
#ifndef CAB_VIEWER_H
#define CAB_VIEWER_H

#include <stdbool.h>

#include <clcable/draw.h>

#include "view/camera/camera.h"
#include "view/draw/look.h"
#include "view/draw/renderer.h"
#include "view/study/study.h"
#include "view/draw/subject.h"

enum { CAB_VIEWER_MESSAGE_SIZE = CAB_MESSAGE_SIZE, CAB_VIEWER_PATH_SIZE = 4096, CAB_VIEWER_LINES = 8 };

/* How scenes are opened. */
typedef struct cab_viewer_def {
    const char *device; /* as cab_world_def.device; NULL = the library's choice */
    int threads;        /* for native; 0 = all cores */
    const char *kernel_dir;
    const char *const *overrides; /* POINTER=VALUE, as `--set` */
    int override_count;
    /* These three as in cab_study_def, for the first scene where it is a study. */
    long substeps, iterations;
    const char *compare;
    const cab_gl
        *gl;       /* the OpenGL context that buffers are shared with; NULL = none. Must outlive the viewer */
    cab_look look; /* at first */
    /* Gets the library's messages, as cab_world_def.log, and the message line's (level 1); may be NULL. */
    void (*log)(void *user, int level, const char *text);
    void *user;
} cab_viewer_def;

cab_viewer_def cab_viewer_default(void);

/* The dialog that is open. The panels draw it. */
typedef enum cab_dialog { CAB_DIALOG_NONE = 0, CAB_DIALOG_OPEN, CAB_DIALOG_SAVE } cab_dialog;

/* The pull of the mouse. */
typedef struct cab_grab {
    bool held;
    int node;   /* what is held: row of the world; of cables only. -1: a body, */
    int body;   /* as cab_world_get_bodies() counts them; -1 = none */
    vec3 at;    /* and the place of it, in its own axes, m */
    vec3 point; /* where it is pulled to, m */
} cab_grab;

/* Path editing: the control points of the selected cable are handles that can be dragged. */
typedef struct cab_path_edit {
    bool on;
    int cable;        /* index in the scene of the cable that has these points; -1 = none is selected */
    int count;        /* points; 0 where there is no cable */
    cab_vec3 *points; /* [count] m, of the copy that is selected */
    int held;         /* the point that is dragged; -1 = none */
    int under;        /* the point under the mouse; -1 = none */
    char axis;        /* it moves along 'x', 'y' or 'z'; 0 = in the plane of the view */
    bool changed;     /* a point was moved since the scene was last made anew */
} cab_path_edit;

enum {
    CAB_TRACES_MOST = 8,      /* places that are plotted at once */
    CAB_TRACE_SAMPLES = 1024, /* kept of each; when there are more, every other one goes */
    CAB_TRACE_NAME = 256,
    CAB_TRACED_QUANTITIES = 2 /* tension (N) and curvature (1/m), as cab_world_draw() has them */
};

/* What a place of a cable went through since it was picked, or a probe of the scene since it was opened. */
typedef struct cab_trace {
    char name[CAB_TRACE_NAME]; /* of the probe; empty: the place was picked */
    int cable,
        index; /* of the world; the node, counted from the cable's first. Tension is of the segment that starts there */
    double
        at; /* where that is on the cable, 0 to 1 of the length of the line through the nodes, when it was picked */
    double part; /* of a probe: where it is on the segment that starts at the node, 0 to 1 */
    int colour;  /* of the palette; no other trace has it */
    float values[CAB_TRACED_QUANTITIES][CAB_TRACE_SAMPLES]; /* NAN: it was not picked yet */
} cab_trace;

/* Plots over time, of cables only. Samples are of frames, in their order; all traces have the same ones. */
typedef struct cab_traces {
    int count;
    cab_trace list[CAB_TRACES_MOST];
    bool with_energy;
    int samples, every; /* how many there are; of so many frames one is kept, and the last one */
    int frame[CAB_TRACE_SAMPLES];
    double time[CAB_TRACE_SAMPLES];   /* s */
    double energy[CAB_TRACE_SAMPLES]; /* kinetic and potential, as cab_measures, J */
} cab_traces;

typedef struct cab_viewer {
    /* The opened scene. */
    char path[CAB_VIEWER_PATH_SIZE];
    cab_subject subject; /* what pictures and the legend show */
    cab_clock clock;     /* its frame and time */
    cab_renderer *renderer;
    bool failed; /* it has diverged, or the device has failed: only resetting or opening a scene helps */

    /* Of cables; with a study all of these are NULL or zero. */
    cab_scene *scene; /* with all changes */
    cab_world *world;
    cab_world_info info;   /* of the world, after the last frame */
    cab_measures measures; /* of the last frame */
    cab_traces traces;     /* what is plotted */
    bool unsaved;          /* points of paths were moved, and not saved */

    /* Of a study; with cables these are NULL or zero. */
    cab_shown_study *study;
    char lines[CAB_VIEWER_LINES][CAB_STUDY_LINE]; /* statistics of the last frame */
    int line_count;

    /* Time. */
    bool playing;
    double speed;     /* wanted: simulated seconds per second, CAB_SPEED_LEAST to CAB_SPEED_MOST */
    double pace;      /* reached while playing: simulated seconds per second, smoothed */
    double step_time; /* that stepping a frame takes, s, smoothed */
    int history_first, history_last; /* frames between which cab_viewer_seek() can go; of cables only */

    /* The picture. */
    cab_camera camera; /* may be written, by which following ends */
    bool
        following; /* the camera follows what leaves the picture: since it was fitted to all, until it is moved otherwise */
    cab_look look;     /* set by cab_viewer_set_look() */
    float scale;       /* of the display: pixels in a point; 1. May be written */
    int width, height; /* pixels of the last picture */
    float covered; /* by panels at the left edge, pixels: the scene is fitted into the rest. May be written */
    bool changed;  /* a new picture is needed. Anyone may set it to true */
    bool dragging; /* the mouse moves the camera or something in the scene. May be written */
    float
        coarse; /* while something moves: pixels of the picture along each side of one that is drawn; 1 = all are */
    double draw_time;    /* that drawing a picture takes, s, smoothed; 0 = not known */
    double picture_rate; /* pictures a second, smoothed; 0 = not known */

    /* The mouse. */
    int selected;      /* the selected cable; -1 = none */
    int selected_node; /* the node that was clicked, row of the world; -1 = none */
    cab_grab grab;
    cab_path_edit edit;

    /* For the panels and the window to follow. May be written. */
    cab_dialog dialog;
    char dialog_path[CAB_VIEWER_PATH_SIZE]; /* the file in the dialog, which begins with a proposal */
    bool show_help, show_panels, quit;

    /* The message line at the picture's edge. */
    char message[CAB_VIEWER_MESSAGE_SIZE]; /* "" = none */
    bool message_is_error;
    double message_age; /* s */
    int warnings;       /* that the library has given so far, each counted once */

    struct cab_viewer_inside *inside; /* viewer_inside.h */
} cab_viewer;

#define CAB_SPEED_LEAST 0.01
#define CAB_SPEED_MOST 10.0

/* Makes a viewer and opens a scene in it. When the scene cannot be opened there is no viewer. */
cab_status cab_viewer_create(cab_viewer **viewer, const char *path, const cab_viewer_def *def,
                             cab_error *error);
/* NULL is allowed. */
void cab_viewer_destroy(cab_viewer *viewer);

/* Puts a text into the message line and the log. */
void cab_viewer_tell(cab_viewer *viewer, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- Time --- */

/* Lets `seconds` of real time pass: steps as many whole frames as keep up with the speed, makes the scene
 * anew when a path was dragged, and lets messages age. To be called once for each picture. It takes no longer
 * than about 30 ms and one frame; frames that it could not make in that time are left out for good. */
void cab_viewer_tick(cab_viewer *viewer, double seconds);
void cab_viewer_play(cab_viewer *viewer, bool playing);
/* Pauses, and steps one frame. */
bool cab_viewer_step(cab_viewer *viewer);
/* Goes back to time 0; the same bytes as the first time follow. Changes of the scene stay. */
bool cab_viewer_reset(cab_viewer *viewer);
/* Goes on from a state of the scene in a file. On an error there may be no world to go on with. Of cables only. */
cab_status cab_viewer_resume(cab_viewer *viewer, const char *path, cab_error *error);
/* Pauses, and goes to a frame that was there since the scene was opened or changed last: its bytes are the same as then, unless the mouse
 * has pulled on the way there. Of cables only. */
bool cab_viewer_seek(cab_viewer *viewer, int frame);
void cab_viewer_set_speed(cab_viewer *viewer, double speed);
/* Is there work without the user: stepping, or a drag to work into the scene? Else a window may wait. */
bool cab_viewer_is_busy(const cab_viewer *viewer);

/* --- Scene --- */

/* Opens another scene of any kind, as it is in its file, on the same device, at time 0; it is paused when
 * this one is. For one of another kind colours and direction of view are set back. Where moved points are not
 * saved, it first says so, and opens the scene only when called again. */
bool cab_viewer_open(cab_viewer *viewer, const char *path);
/* Writes the scene with its changes into a file, as JSON; an existing file is replaced. This and what follows
 * is for cables only, unless it says otherwise: with a study it does nothing but say so. */
bool cab_viewer_save(cab_viewer *viewer, const char *path);
/* Opens a dialog, with a proposal in dialog_path. That for opening is for all scenes. */
void cab_viewer_ask(cab_viewer *viewer, cab_dialog dialog);

/* These make a new world of the scene, which continues the motion of the old one. */
/* method: CAB_METHOD_COUNT is "auto" */
bool cab_viewer_set_method(cab_viewer *viewer, cab_method method);
bool cab_viewer_set_substeps(cab_viewer *viewer, int substeps);
bool cab_viewer_set_iterations(cab_viewer *viewer, int iterations);
/* `id`: cab_device_info.id, or as for `--device`. */
bool cab_viewer_set_device(cab_viewer *viewer, const char *id);
/* Sets any value of the scene, as `--set` does: a pointer such as "/contact/self", a value as JSON. Lengths
 * and counts must stay as they are. */
bool cab_viewer_set(cab_viewer *viewer, const char *pointer, const char *value);
/* The numbers of a material that can be set. */
typedef enum cab_material_number {
    CAB_MATERIAL_FRICTION = 0,
    CAB_MATERIAL_DENSITY,    /* kg/m */
    CAB_MATERIAL_STRETCHING, /* N; INFINITY = inextensible */
    CAB_MATERIAL_BENDING,    /* N m^2 */
    CAB_MATERIAL_DAMPING,    /* 1/s */
    CAB_MATERIAL_DRAG,
    CAB_MATERIAL_DRAG_ALONG,
    CAB_MATERIAL_RADIUS, /* m */
    CAB_MATERIAL_NUMBERS
} cab_material_number;
double cab_viewer_material_number(const cab_material_def *material, cab_material_number which);
/* Sets a number of a material (index in the scene) while everything moves on: in the world that there is, or, where that cannot take
 * it, as a radius, in a new one that continues the motion. */
bool cab_viewer_set_material(cab_viewer *viewer, int material, cab_material_number which, double value);

/* A choice that a study offers while it runs; false past the last. Cables have none. */
bool cab_viewer_choice(const cab_viewer *viewer, int index, cab_choice *choice);
/* Sets a study's choice; `value` as cab_choice.now. The study goes on in its motion or begins anew, as the
 * choice says; one that has failed begins anew. */
bool cab_viewer_choose(cab_viewer *viewer, int index, int value);

/* The materials of the scene. Must not be called with a study. */
int cab_viewer_material_count(const cab_viewer *viewer);
const cab_material_def *cab_viewer_material(const cab_viewer *viewer, int index);

/* --- Picture --- */

void cab_viewer_set_look(cab_viewer *viewer, const cab_look *look);
/* Are stripes along cables shown that tell how these are rolled? */
bool cab_viewer_has_stripes(const cab_viewer *viewer);
/* Shows them, or no longer. */
void cab_viewer_toggle_stripes(cab_viewer *viewer);
/* Draws the scene, the handles and the pull, but no panels, into `framebuffer`; 0 = the window. An error here
 * is one of OpenGL: the program cannot go on. */
cab_status cab_viewer_draw(cab_viewer *viewer, unsigned framebuffer, int width, int height, cab_error *error);
/* To be called after each picture: how long drawing it took, s, with all that OpenGL does, and how long ago the one before was begun,
 * s; 0 where that does not count, as nothing moved in between. While something moves the next pictures have so few pixels that
 * drawing takes a thirtieth of a second at most; what stands still is drawn with all. */
void cab_viewer_drawn(cab_viewer *viewer, double took, double since);
/* Fits what moves, with what is close beside it, into the picture, and follows it from now on (view/camera/follow.h); or fits the
 * selected cable, without following. */
void cab_viewer_fit(cab_viewer *viewer);
void cab_viewer_fit_selected(cab_viewer *viewer);
/* As cab_camera_orbit(), about the middle of the part of the picture that panels do not cover. */
void cab_viewer_orbit(cab_viewer *viewer, float yaw, float pitch);
/* As cab_camera_zoom(). What is at this place of the picture (pixels from its upper left) stays there. */
void cab_viewer_zoom_at(cab_viewer *viewer, const float at[2], float factor);
/* As cab_camera_set_view(). */
void cab_viewer_set_view(cab_viewer *viewer, const char *name);
/* Writes the picture without handles and panels into the working directory, as SCENE-0001.png or with the
 * next number that is free. */
bool cab_viewer_screenshot(cab_viewer *viewer);
/* The same into a file of this name, which is replaced. */
bool cab_viewer_save_picture(cab_viewer *viewer, const char *path);

/* Begins to record a video into the working directory, as SCENE-0001.mp4 or with the next number that is free, or ends it. It has a
 * picture for each frame that is stepped, of the size that pictures have when it begins, as cab_viewer_screenshot() draws them. Needs
 * ffmpeg. A video that is not ended is whole, too, when another scene is opened or the viewer is destroyed. */
bool cab_viewer_record(cab_viewer *viewer);
bool cab_viewer_is_recording(const cab_viewer *viewer);

/* --- The mouse: places are pixels of the picture from its upper left corner --- */

/* Selects the cable at this place, or nothing where there is none. Returns whether anything is there. */
bool cab_viewer_pick(cab_viewer *viewer, float x, float y);
/* Selects a cable by its index; -1 = none. */
void cab_viewer_select(cab_viewer *viewer, int cable);
/* Begins to plot tension and curvature at a node of a cable (row of the world) from now on; where it is plotted already, ends that.
 * Refuses when there are CAB_TRACES_MOST. Going back in time takes what came later off the plots. */
bool cab_viewer_trace(cab_viewer *viewer, int cable, int node);
/* The same where a cable was clicked. */
bool cab_viewer_trace_selected(cab_viewer *viewer);
/* Plots the scene's probes, as many as there is room for, or ends that. They are plotted when a scene is opened. */
bool cab_viewer_trace_probes(cab_viewer *viewer, bool on);
/* How many probes the world has; whether so many are plotted as can be. */
int cab_viewer_probes(const cab_viewer *viewer);
bool cab_viewer_traces_probes(const cab_viewer *viewer);
/* Ends trace `trace`. */
void cab_viewer_untrace(cab_viewer *viewer, int trace);
/* Begins or ends the plot of energy. */
bool cab_viewer_trace_energy(cab_viewer *viewer, bool on);
/* The node of trace `trace`, row of the world; false past the last. */
bool cab_viewer_trace_node(const cab_viewer *viewer, int trace, int *node);
/* Takes hold of what is at this place; returns whether anything is. While playing it is pulled to where
 * cab_viewer_grab_to() says. */
bool cab_viewer_grab(cab_viewer *viewer, float x, float y);
void cab_viewer_grab_to(cab_viewer *viewer, float x, float y);
void cab_viewer_let_go(cab_viewer *viewer);

/* Begins path editing: goes to time 0, pauses, makes handles of the selected cable's points. Or ends it. */
bool cab_viewer_edit_path(cab_viewer *viewer, bool on);
/* Highlights the handle at this place. */
void cab_viewer_edit_hover(cab_viewer *viewer, float x, float y);
/* Takes hold of the handle at this place; false when there is none. Points of other cables at the same place,
 * as in joints, move along with it. */
bool cab_viewer_edit_hold(cab_viewer *viewer, float x, float y);
/* Drags the handle to this place. */
void cab_viewer_edit_to(cab_viewer *viewer, float x, float y);
/* Restricts the drag to an axis, 'x', 'y' or 'z'; the same axis again, or 0, allows the plane of the view. */
void cab_viewer_edit_axis(cab_viewer *viewer, char axis);
/* Lets go of the handle. Without `keep` the point goes back to where it was. */
void cab_viewer_edit_drop(cab_viewer *viewer, bool keep);

/* Sets `quit`. Where moved points are not saved, it first says so, and quits only when called again. */
void cab_viewer_quit(cab_viewer *viewer);

/* What Escape does: lets go of what is held, else ends path editing, else deselects. */
void cab_viewer_escape(cab_viewer *viewer);

#endif
