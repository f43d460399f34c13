/* A scene from the inside: what the builder functions of <clcable/scene.h> have collected. */
#ifndef CAB_SCENE_H
#define CAB_SCENE_H

#include <clcable/scene.h>

#include "model/entries.h"
#include "model/names.h"
#include "model/parts.h"

struct cab_scene {
    char *source; /* file name for messages; "scene" when built in memory */
    cab_settings settings;
    cab_material_def *materials;
    cab_cable_def *cables; /* `material` is a valid name */
    cab_attachment_def *attachments;
    int *attachment_index;                  /* [attachment_count] of each among those of its part, */
    int part_count[CAB_PART_CONNECTOR + 1]; /* of which there are so many */
    cab_load_def *loads;
    cab_probe_def *probes;
    int probe_count;
    cab_socket_def *sockets;
    int socket_count;
    cab_tie_def *ties;
    int tie_count;
    cab_entry *entries; /* of lists that kinds of constraints have of their own */
    int entry_count;
    cab_collider_def *colliders;
    cab_body_def *bodies;
    int body_count;
    cab_sheet_def *sheets;
    cab_constraint_def *constraints;
    int material_count, cable_count, attachment_count, load_count, collider_count, constraint_count,
        sheet_count;
    cab_name_table material_names, cable_names, body_names, collider_names, constraint_names, sheet_names,
        probe_names, socket_names;
    char **notes; /* what whoever made the scene has to say */
    int note_count;
    bool method_chosen;                    /* by cab_scene_choose_method() */
    char method_against[CAB_MESSAGE_SIZE]; /* which key speaks against `direct`, and why; empty: none does */
    char substeps_for[256]; /* by cab_scene_choose_substeps(): the cable that needs more; empty: none */
    int copy_like_names;    /* cables whose own name reads like a copy's, "a[0,1,0]" */
};

/* How many copies a scene's cable has, and which of them one is by its three numbers. */
static inline int cab_copy_count(const cab_cable_def *def)
{
    return def->copies[0] * def->copies[1] * def->copies[2];
}

static inline int cab_copy_index(const cab_cable_def *def, const int copy[3])
{
    return copy[0] + def->copies[0] * (copy[1] + def->copies[1] * copy[2]);
}

/* scene_items.c: frees all lists and their tables of names. */
void cab_items_free(cab_scene *scene);

/* Sets the name that messages begin with. */
cab_status cab_scene_set_source(cab_scene *scene, const char *source, cab_error *error);

cab_status cab_scene_add_note(cab_scene *scene, const char *text, cab_error *error);

/* Copies an item of a list that a kind of constraint has of its own; its index is counted here. Errors name its place in a scene file. */
cab_status cab_scene_add_entry(cab_scene *scene, const cab_entry *entry, cab_error *error);

/* Checks what the builder functions cannot: the settings, which may be changed at any time, and whether the
 * method is built and can honour every material. */
cab_status cab_scene_check_settings(const cab_scene *scene, cab_error *error);

/* Index by name, or -1. */
/* EI about the section's second axis, N m^2. */
double cab_material_second(const cab_material_def *def);
int cab_scene_find_material(const cab_scene *scene, const char *name);
int cab_scene_find_cable(const cab_scene *scene, const char *name);
int cab_scene_find_collider(const cab_scene *scene, const char *name);
int cab_scene_find_body(const cab_scene *scene, const char *name);
/* The body that "b" or "b[1,0,2]" names; *all: with all its copies, else that with the numbers at[], which may be none of it. -1 = none */
int cab_scene_body_of(const cab_scene *scene, const char *name, bool *all, int at[3]);
int cab_scene_find_sheet(const cab_scene *scene, const char *name);
int cab_scene_find_socket(const cab_scene *scene, const char *name);
int cab_scene_find_probe(const cab_scene *scene, const char *name);

/* "/attachments/2", "/clips/0": where a scene file has an attachment. Within a scene attachments are
 * numbered through, whatever part they are. */
typedef struct cab_pointer {
    char text[48];
} cab_pointer;
cab_pointer cab_attachment_pointer(const cab_scene *scene, int attachment);
/* "xpbd", "springs", ...; NULL past the end. */
const char *cab_method_name(cab_method method);

/* "auto", "coloured", ... */
const char *cab_way_name(cab_way way);

/* The method with this name, or -1. */
int cab_method_find(const char *name);

#endif
