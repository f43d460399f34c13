/* The steps from a scene to bodies, nodes and particles, and what they share while a model is made. */
#ifndef CAB_EXPAND_H
#define CAB_EXPAND_H

#include "model/curve.h"
#include "model/model.h"
#include "model/scene.h"
#include "model/sheet.h"

#define CAB_NODES_MAX 100000000 /* of a model, and constraints of the user's own */

/* One cable or sheet of the scene while it is being expanded. Sheets come after the cables. */
typedef struct cab_sampled {
    int first_body; /* the first of its bodies; the copies of a cable follow one another */
    cab_sheet *net; /* of a sheet; all that follows is of a cable */
    cab_arc_table *table;
    int segments;     /* all of them, */
    int stored;       /* how many of these are on a drum, */
    int before;       /* and how many of those are at the cable's start */
    double scale;     /* rest length over path length */
    double *fraction; /* [segments + 1] of the length; on a drum below 0, or above 1 */
    double *drawn;    /* [segments + 1] the same before anything was moved; NULL = equally far apart */
    bool *placed;     /* [segments + 1] an attachment or a load names that fraction */
    cab_range *cover; /* [covers] segments that each of them covers */
} cab_sampled;

/* expand_bodies.c: samples all cables and sheets ([cables + sheets] of them) and lists the model's. */
cab_status cab_expand_bodies(cab_model *model, cab_sampled *sampled, cab_error *error);

/* divide.c: how many segments a cable has, none on a drum, and the fractions at which they begin and end; *fraction, for the
 * caller to free, is NULL where they are equal. `length`: as drawn, m; `rest`: without length_tolerance. */
cab_status cab_divide(const cab_scene *scene, int cable, double length, double rest, int *segments,
                      double **fraction, cab_error *error);

/* A place in the scene as nodes of the model: one on each of the bodies first, first + 1, ... */
typedef struct cab_found {
    int scene_body;   /* index among the sampled */
    int first, count; /* bodies */
    int node;         /* along each of them */
    bool one_copy;    /* named with its brackets */
} cab_found;

/* expand_places.c. In messages `pointer` is where the scene names the place. */

/* The node of a cable that a place names. A fraction takes the nearest inner particle and moves it there. */
cab_status cab_place_node(const cab_scene *scene, const char *pointer, cab_place place, cab_sampled *cable,
                          int *node, cab_error *error);
/* The segment of a cable in which a place lies, and where on it, 0 to 1; nothing is moved. Once all other places are known: a
 * fraction counts from where particles are then. */
cab_status cab_place_between(const cab_scene *scene, const char *pointer, cab_place place,
                             const cab_sampled *cable, int *segment, double *part, cab_error *error);
/* A scene cable by name, and one copy of it or all (copy[0] = -1). A name with brackets of its own comes first. */
cab_status cab_find_cable(const cab_scene *scene, const char *pointer, const char *name, int *cable,
                          int copy[3], cab_error *error);
/* `place_key`: the key of the place below the pointer. */
cab_status cab_find_on_cable(const cab_scene *scene, cab_sampled *sampled, const char *pointer,
                             const char *place_key, const char *name, cab_place place, cab_found *found,
                             cab_error *error);
/* `name` is a cable's, or a sheet's. */
cab_status cab_find_place(const cab_scene *scene, cab_sampled *sampled, const char *pointer, bool of_sheet,
                          const char *name, cab_place place, cab_found *found, cab_error *error);

/* expand_parts.c: each expands one item of the scene. */
cab_status cab_expand_attachment(cab_model *model, cab_sampled *sampled, int index, cab_error *error);
cab_status cab_expand_load(cab_model *model, cab_sampled *sampled, int index, cab_error *error);
cab_status cab_expand_probe(cab_model *model, const cab_sampled *sampled, int index, cab_error *error);
cab_status cab_expand_tie(cab_model *model, cab_sampled *sampled, int index, cab_error *error);
cab_status cab_expand_entry(cab_model *model, cab_sampled *sampled, int index, cab_error *error);
cab_status cab_expand_constraint(cab_model *model, cab_sampled *sampled, int index, cab_error *error);
/* Of one cable: which segments each of its covers covers. */
cab_status cab_expand_covers(const cab_scene *scene, cab_sampled *cable, int index, cab_error *error);

/* expand_edges.c. Where the nodes lie on their curves, before anything is moved to a target: *place is for the caller to
 * free, also on failure. Fills node_arc, too. */
cab_status cab_expand_nodes(cab_model *model, const cab_sampled *sampled, cab_vec3 **place, cab_error *error);
/* Edges, sections and cells of all bodies. */
cab_status cab_expand_edges(cab_model *model, const cab_sampled *sampled, cab_error *error);

/* rigid.c: the rigid bodies; before attachments. Their mass points, once `place` has room for them behind all other particles. */
cab_status cab_expand_rigid(cab_model *model, cab_error *error);
void cab_expand_mass_points(cab_model *model);

/* sockets.c: after rigid bodies. */
cab_status cab_expand_sockets(cab_model *model, cab_error *error);

/* start_velocity.c: velocities of nodes, where a cable has several. Once all places are known. */
cab_status cab_expand_start_velocities(cab_model *model, const cab_sampled *sampled, cab_error *error);

/* expand_particles.c: particles of nodes that lie at `place`, and the attachments that hold them. */
cab_status cab_expand_particles(cab_model *model, const cab_vec3 *place, cab_error *error);

#endif
