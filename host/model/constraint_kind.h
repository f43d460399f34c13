/* A kind of constraint is a module: one row of this table, in a file of its own in host/constraint (its kernel in kernels/), says
 * all that the rest of the program needs to know of it. The model, the making of a world, the order of a substep, the choice of a
 * carrier, states and hashes go through the table; none of them knows a kind by its name. docs/contributing.md has a recipe.
 *
 * A hook that is NULL does nothing. Hooks run in the order of the table. */
#ifndef CAB_CONSTRAINT_KIND_H
#define CAB_CONSTRAINT_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clcable/world.h>

typedef struct cab_entry_list cab_entry_list;       /* model/entries.h */
typedef struct cab_model cab_model;                 /* model/model.h */
typedef struct cab_method_traits cab_method_traits; /* model/method.h */
typedef struct cab_bending_draft cab_bending_draft; /* constraint/bending.h */
typedef struct cab_launches cab_launches;           /* world/launches.h */
typedef struct cab_energy cab_energy;               /* world/energy.h */

typedef struct cab_constraint_kind {
    const char *name;
    const cab_entry_list *list; /* its list in a scene; NULL = it is made of something else */

    /* Which methods simulate it. A scene that has it, with another method, is refused in one line. */
    cab_status (*check)(const cab_scene *scene, const cab_method_traits *method, cab_error *error);
    /* Which ways know it; the others are refused with this sentence where the model has it. ways: bit w = cab_way w. */
    bool (*present)(const cab_model *model);
    unsigned ways;
    const char *refusal;

    /* The model. */
    cab_status (*draft)(cab_model *model, cab_error *error); /* from the scene to the model's tables */
    cab_status (*draft_bending)(cab_model *model, cab_bending_draft *draft,
                                cab_error *error); /* bendings of its own */
    void (*set_parameters)(
        cab_model *model); /* what follows from materials and settings; again when they change */
    void (*set_time)(cab_model *model,
                     double t); /* where numbers are those of a time, s: sets them, after set_parameters */
    void (*renumber)(cab_model *model); /* a joint has broken: nodes have other particles */
    void (*hash)(const cab_model *model, uint64_t *hash);
    void (*free_model)(cab_model *model);

    /* The world. */
    size_t
        data_size; /* of what it keeps on the host: cab_kind_data() in world/device.h; zeroed at the start */
    cab_status (*start)(cab_world *world, cab_error *error);  /* once, before the first frame */
    cab_status (*upload)(cab_world *world, cab_error *error); /* its buffers; again when constraints change */
    cab_status (*update_moving)(cab_world *world,
                                cab_error *error); /* other held particles move, other masses */
    void (*plan)(const cab_world *world,
                 cab_launches *launches); /* its launches of an iteration, for carriers that iterate */
    bool chunked;                         /* the carrier chunks has launches of its own for it */
    bool whole_frames;                    /* carriers of whole frames need its buffers, too */
    void (*free_data)(void *data);
    cab_status (*resume)(
        cab_world *world,
        cab_error *error); /* world->frame is another one than the last: a state was put in */
    cab_status (*restored)(cab_world *world, cab_error *error); /* all buffers are those of a state now */
    cab_status (*go_on)(cab_world *world, cab_world *from,
                        cab_error *error); /* as another world is, with other settings */

    /* What it stores, J: reads what that takes; adds it up, where part is as for cab_world_add_energies(). */
    cab_status (*read_energy)(cab_world *world, cab_error *error);
    void (*add_energy)(const cab_world *world, const int *part, cab_energy *energy);

    /* Tables of what moves, for the substeps of world->window; after the last substep of a frame. */
    cab_status (*begin_window)(cab_world *world, cab_error *error);
    cab_status (*end_frame)(cab_world *world, cab_error *error);
    /* A substep: before the prediction; when held particles have moved; each iteration, after the planned launches; beside each
     * contact pass of the direct method; when all is solved and forces are measured. */
    cab_status (*begin)(cab_world *world, int substep, cab_error *error);
    cab_status (*predicted)(cab_world *world, int substep, cab_error *error);
    cab_status (*iterate)(cab_world *world, int substep, bool first, cab_error *error);
    cab_status (*contact_pass)(cab_world *world, bool first, cab_error *error);
    cab_status (*end)(cab_world *world, int substep, cab_error *error);
} cab_constraint_kind;

/* All kinds, in the order in which they are drafted, solved and hashed. */
extern const cab_constraint_kind *const cab_constraint_kinds[];
extern const int cab_constraint_kind_count;

#endif
