/* The viewer: an opened scene in motion, cables or a study in the plane, and what a user does with it. No
 * window, no keys, no buttons: those call what is here, and a test does, too.
 *
 * Panels read the fields of cab_viewer and call the commands below; a field may be written where its comment
 * says so. A command that fails leaves everything as it was and tells why in `message`; it returns whether it
 * worked.
 *
 * Needs a current GL context, the same one in all calls.
 */
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

/* Where the pictures of cab_viewer_screenshot go, and how worlds are made. */
typedef struct cab_viewer_def {
    const char *device; /* as cab_world_def.device; NULL = the library's choice */
    int threads;        /* for native; 0 = all cores */
    const char *kernel_dir;
    const char *const *overrides; /* POINTER=VALUE, as `--set` */
    int override_count;
    long substeps,
        iterations; /* of the first scene where it is a study; as of cab_study_def, so is the next */
    const char *compare;
    const cab_gl *gl; /* to share buffers with; NULL = none. Must outlive the viewer */
    cab_look look;
    void (*log)(void *user, int level, const char *text); /* of the library, as cab_world_def.log; NULL */
    void *user;
} cab_viewer_def;

cab_viewer_def cab_viewer_default(void);

/* A dialog that is open; whoever draws panels draws it. */
typedef enum cab_dialog { CAB_DIALOG_NONE = 0, CAB_DIALOG_OPEN, CAB_DIALOG_SAVE } cab_dialog;

/* What the mouse pulls at. */
typedef struct cab_grab {
    bool held;
    int node;   /* row of the world, of cables */
    vec3 point; /* where it is pulled to, m */
} cab_grab;

/* The control points of the selected cable, to be dragged. */
typedef struct cab_path_edit {
    bool on;
    int cable;        /* index in the scene whose points these are; -1 = none is selected */
    int count;        /* points; 0 where there is no cable */
    cab_vec3 *points; /* [count] m, of the copy that is selected */
    int held;         /* point that is dragged; -1 = none */
    int under;        /* point under the mouse; -1 = none */
    char axis;        /* it moves along 'x', 'y' or 'z'; 0 = in the plane of the view */
    bool changed;     /* since the scene was last made anew */
} cab_path_edit;

typedef struct cab_viewer {
    /* The opened scene. */
    char path[CAB_VIEWER_PATH_SIZE];
    cab_subject subject; /* what pictures and the legend are made of */
    cab_clock clock;     /* up to date */
    cab_renderer *renderer;
    bool failed; /* it has diverged or the device failed: only reset or opening help */

    /* Of cables; of a study NULL and zero. */
    cab_scene *scene; /* as it is now, all changes in it */
    cab_world *world;
    cab_world_info info;   /* of the world, its frame and time up to date */
    cab_measures measures; /* of the last frame */
    bool unsaved;          /* points of paths were moved that are in no file */

    /* Of a study; of cables NULL and zero. */
    const cab_study_kind *study;                  /* its `self` is the subject's */
    char lines[CAB_VIEWER_LINES][CAB_STUDY_LINE]; /* statistics of the last frame */
    int line_count;

    /* Time. */
    bool playing;
    double speed; /* simulated seconds per second, CAB_SPEED_LEAST to CAB_SPEED_MOST; cab_viewer_set_speed */
    double pace;  /* what is reached while playing: simulated seconds per second, smoothed */
    double step_time; /* s that a frame's stepping takes, smoothed */

    /* The picture. */
    cab_camera camera; /* may be written */
    cab_look look;     /* cab_viewer_set_look */
    float scale;       /* of the display: how many pixels handles have for one; 1. May be written */
    int width, height; /* pixels of the last picture */
    float covered;     /* pixels at the left edge that panels cover: fits leave them free. May be written */
    bool changed;      /* a new picture is due. May be set true by anyone */

    /* Hands. */
    int selected;      /* cable; -1 = none */
    int selected_node; /* row of the world that was clicked; -1 = none */
    cab_grab grab;
    cab_path_edit edit;

    /* What is asked of whoever draws panels and holds the window. May be written. */
    cab_dialog dialog;
    char dialog_path[CAB_VIEWER_PATH_SIZE]; /* of the dialog's file; what it begins with is put here */
    bool show_help, show_panels;
    bool quit;

    /* The line of text at the picture's edge. */
    char message[CAB_VIEWER_MESSAGE_SIZE]; /* "" = none */
    bool message_is_error;
    double message_age; /* s since it was told */

    struct cab_viewer_inside *inside; /* viewer_inside.h */
} cab_viewer;

#define CAB_SPEED_LEAST 0.01
#define CAB_SPEED_MOST 10.0

/* Opens `path`. On failure nothing is left, and the error has the message: a viewer always has a scene. */
cab_status cab_viewer_create(cab_viewer **viewer, const char *path, const cab_viewer_def *def,
                             cab_error *error);
/* NULL is allowed. */
void cab_viewer_destroy(cab_viewer *viewer);

/* Tells something in the message line; also on the log, level 1. */
void cab_viewer_tell(cab_viewer *viewer, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- Time --- */

/* Lets `seconds` of the wall's clock pass: steps as many whole frames as keep pace, makes the scene anew when
 * a path was dragged, and lets messages age. To be called once a picture. Takes no longer than about 30 ms
 * and a frame; what it falls behind by is dropped. */
void cab_viewer_tick(cab_viewer *viewer, double seconds);
void cab_viewer_play(cab_viewer *viewer, bool playing);
/* One frame, paused. */
bool cab_viewer_step(cab_viewer *viewer);
/* To time 0: the same bytes as the first time. Changes of the scene stay. */
bool cab_viewer_reset(cab_viewer *viewer);
void cab_viewer_set_speed(cab_viewer *viewer, double speed);
/* Is there anything to be done without a user: stepping, a drag to be worked in? Else a window may wait. */
bool cab_viewer_is_busy(const cab_viewer *viewer);

/* --- Scene --- */

/* Another scene, of any kind, as it is in its file and with the device of before; at time 0, paused when this
 * one is. One of another kind has colours and direction of view as they are at first. With points that are in
 * no file it first tells so, and only opens when asked again. */
bool cab_viewer_open(cab_viewer *viewer, const char *path);
/* The scene with its changes into a file, as JSON. An existing file is replaced. Cables only, as all below
 * but the dialog of opening and what is said to be of studies: with a study the others tell so and do
 * nothing. */
bool cab_viewer_save(cab_viewer *viewer, const char *path);
/* Opens a dialog for either, with a name to begin with in dialog_path. */
void cab_viewer_ask(cab_viewer *viewer, cab_dialog dialog);

/* The following make a new world of the scene and go on in the motion of the old one. */
bool cab_viewer_set_method(cab_viewer *viewer, cab_method method);
bool cab_viewer_set_substeps(cab_viewer *viewer, int substeps);
bool cab_viewer_set_iterations(cab_viewer *viewer, int iterations);
/* id: cab_device_info.id, or as `--device`. */
bool cab_viewer_set_device(cab_viewer *viewer, const char *id);
/* Any value of the scene, as `--set`: pointer "/contact/self", value as JSON. Lengths and counts must stay as
 * they are. */
bool cab_viewer_set(cab_viewer *viewer, const char *pointer, const char *value);
/* Of material `material` (index in the scene); the world stays. */
bool cab_viewer_set_friction(cab_viewer *viewer, int material, double friction);

/* What of a study can be switched while it runs: false past the last; cables have none. */
bool cab_viewer_choice(const cab_viewer *viewer, int index, cab_choice *choice);
/* Of a study. `value` as cab_choice.now. It goes on in its motion or from the start, as the choice has it;
 * what has failed begins anew. */
bool cab_viewer_choose(cab_viewer *viewer, int index, int value);

/* Materials of the scene, for lists. Must not be asked of a study. */
int cab_viewer_material_count(const cab_viewer *viewer);
const cab_material_def *cab_viewer_material(const cab_viewer *viewer, int index);

/* --- Picture --- */

void cab_viewer_set_look(cab_viewer *viewer, const cab_look *look);
/* Into `framebuffer`, 0 = the window. Handles, the pull and all else that is not a panel is in it. A failure
 * here is OpenGL's: the program cannot go on. */
cab_status cab_viewer_draw(cab_viewer *viewer, unsigned framebuffer, int width, int height, cab_error *error);
/* All, or the selected cable. */
void cab_viewer_fit(cab_viewer *viewer);
void cab_viewer_fit_selected(cab_viewer *viewer);
/* As cab_camera_orbit, about the middle of what is not covered. */
void cab_viewer_orbit(cab_viewer *viewer, float yaw, float pitch);
/* As cab_camera_zoom; what is at this place of the picture (pixels from its upper left corner) stays there. */
void cab_viewer_zoom_at(cab_viewer *viewer, const float at[2], float factor);
/* As cab_camera_set_view. */
void cab_viewer_set_view(cab_viewer *viewer, const char *name);
/* The picture without handles and panels, into the working directory as SCENE-0001.png or the next number
 * that is free. */
bool cab_viewer_screenshot(cab_viewer *viewer);
/* The same into this file, which is replaced. */
bool cab_viewer_save_picture(cab_viewer *viewer, const char *path);

/* --- Hands: places are pixels of the picture from its upper left corner --- */

/* Selects the cable that is there, or nothing. Returns whether something is. */
bool cab_viewer_pick(cab_viewer *viewer, float x, float y);
/* A cable by its index, as from a list; -1 = none. */
void cab_viewer_select(cab_viewer *viewer, int cable);
/* Takes hold of what is there: true when something is held. While playing it follows cab_viewer_grab_to. */
bool cab_viewer_grab(cab_viewer *viewer, float x, float y);
void cab_viewer_grab_to(cab_viewer *viewer, float x, float y);
void cab_viewer_let_go(cab_viewer *viewer);

/* On: back to time 0 and paused, with the control points of the selected cable as handles. Off: as it is. */
bool cab_viewer_edit_path(cab_viewer *viewer, bool on);
/* The mouse is there: marks the handle under it. */
void cab_viewer_edit_hover(cab_viewer *viewer, float x, float y);
/* Takes hold of the handle there; false when there is none. Points of other cables at the same place, as at
 * joints, go along. */
bool cab_viewer_edit_hold(cab_viewer *viewer, float x, float y);
void cab_viewer_edit_to(cab_viewer *viewer, float x, float y);
/* 'x', 'y', 'z', or 0 for the plane of the view; the same axis again frees it. */
void cab_viewer_edit_axis(cab_viewer *viewer, char axis);
/* Lets go; `keep` false puts the point back. */
void cab_viewer_edit_drop(cab_viewer *viewer, bool keep);

/* Sets `quit`; with points that are in no file it first tells so, and only quits when asked again. */
void cab_viewer_quit(cab_viewer *viewer);

/* Lets go of what is held, else leaves path editing, else deselects: Escape. */
void cab_viewer_escape(cab_viewer *viewer);

#endif
