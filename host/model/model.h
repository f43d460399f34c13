/* A model is a scene expanded for the solvers: particles, constraints sorted by colour, tables for contact. These are
 * plain arrays in the layout that devices use; beside them stands what the host needs to name things, to move them and
 * to break joints.
 *
 * A body has nodes and edges: its segments. A cable is a body whose edges form a chain, a sheet one whose
 * edges form what they like. A node is a place in the output: cable by cable, segments + 1 each, then sheet
 * by sheet. Nodes of joined bodies share a particle. */
#ifndef CAB_MODEL_H
#define CAB_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clcable/scene.h>

#include "base/array.h"
#include "kernels/types.h"
#include "model/entries.h"
#include "model/colour.h"
#include "model/mesh.h"
#include "model/settings.h"

/* What only a cable has. */
typedef struct cab_body_of_cable {
    int copy[3];
    cab_vec3 shift;      /* of this copy, m */
    int stored_segments; /* those that are on a drum at the start */
} cab_body_of_cable;

/* What only a sheet has. */
typedef struct cab_body_of_sheet {
    double area_density; /* kg/m^2; 0 = segments have the mass */
    int first_cell, cell_count;
} cab_body_of_sheet;

/* One body of the expanded scene: a copy of a cable, or a sheet. The part of the other kind is 0. */
typedef struct cab_body {
    int scene_index; /* of its def, among the scene's cables or sheets */
    int material;
    int group;         /* only bodies of the same one touch */
    cab_vec3 velocity; /* at the start, m/s; but see start_velocity below */
    int first_node, node_count;
    int first_segment, segment_count; /* of a cable one less than nodes */
    cab_body_of_cable cable;
    cab_body_of_sheet sheet;
} cab_body;

/* What segments are made of; see model/sections.h. */
typedef struct cab_section {
    int scene_cable; /* that has these covers; -1 = a material as it is */
    int material;
    uint64_t covers; /* bit k: the cable's cover k */
    cab_material_def def;
} cab_section;

/* Two nodes of a body that are kept at a length. */
typedef struct cab_edge {
    int body, section;
    int a, b;    /* nodes */
    int colour;  /* that it would like */
    double rest; /* m */
    double arc; /* where a segment starts along its cable, m; 0 in a sheet: none of its segments is far enough
                   along from another to touch it */
} cab_edge;

/* What a sheet is drawn as, and weighed by: a face, or a stick. */
typedef struct cab_cell {
    int node[4]; /* a triangle's last is -1, a stick's last two are */
    double area; /* m^2 */
} cab_cell;

/* A copy of a rigid body of the scene. Four mass points, particles without nodes, stand for its inertia; what is attached to it
 * moves along with them. */
typedef struct cab_rigid_body {
    int scene_body, copy[3];
    cab_vec3 center; /* of mass at the start, m */
    cab_vec3
        pivot; /* about which its turns are counted, at the start, m: the centre, or what its bearing holds */
    cab_vec3 axis;       /* hinge, slider: a unit vector */
    double rotation[4];  /* of its own axes at the start, a unit quaternion */
    double mass;         /* kg, without what is attached */
    double second[3][3]; /* sum of m x x^T about the centre, in the axes of space at the start, kg m^2 */
    int point;           /* the first of the mass points, a particle */
    int collider, shape_count; /* its shapes, among colliders */
    int told;                  /* its place in the order of the scene, by which bodies are told */
} cab_rigid_body;

/* A socket of the expanded scene. Of pairs the plug's comes first. */
typedef struct cab_model_socket {
    int scene_socket, copy, copies;
    int body[2];       /* in cab_model.rigid; -1 = fixed in space */
    cab_vec3 point[2]; /* at the start, m */
    cab_vec3 axis[2], up[2];
} cab_model_socket;

/* One attachment of the expanded scene: it holds a particle, or joins two bodies. */
typedef struct cab_model_attachment {
    int scene_attachment;
    int body, node;               /* what is attached; node counts over all bodies */
    bool joint;                   /* to another body's node */
    int target_node;              /* joint: the other node */
    cab_vec3 shift;               /* of point and keyframes, m */
    cab_vec3 place;               /* held: where it is now, soft: its target, m */
    int rigid;                    /* that it pulls at; -1 = none */
    int led;                      /* the led body that holds it, in cab_model.rigid; -1 = none */
    cab_vec3 on_body;             /* where on either in its own axes, m */
    int collider;                 /* that it rides along with; -1 = none */
    cab_vec3 on_collider;         /* the place as seen from it, m */
    cab_vec3 direction;           /* clamp: the held direction, a unit vector */
    int spare;                    /* joint that can break: the particle the cable takes then; -1 */
    int first_clamp, clamp_count; /* bending constraints (before sorting) that go with it */
    bool broken;
    cab_vec3 axis; /* clip, connector: its direction, a unit vector */
    cab_vec3 mate; /* connector: where it mates, as of the start, m */
    bool mated;
    int mated_frame;    /* at whose end; 0 = at the start, */
    cab_vec3 mate_from; /* and where it was then, m */
} cab_model_attachment;

/* Of its segment's length: what comes off a drum is a particle of its own from then on. Until then the next segment is longer by that
 * much. So no segment is ever shorter, and no particle lighter than about as much. */
#define CAB_DRUM_LEAST 0.25

/* A drum at one end of a cable; see constraint/drum_table.h. */
typedef struct cab_drum {
    int cable;
    int attachment;   /* of the model: what holds the end, and all that is on the drum */
    int first, count; /* in drum_node: the drum's own node, and all that ever come onto it but the last */
    bool at_end;
    double stored; /* m on the drum at the start */
    double now;    /* m on the drum for which the model is set, */
    int free;      /* and its first free node then */
} cab_drum;

/* A node of a fed cable, counted from the drum, and its segment on the drum's side. */
typedef struct cab_drum_node {
    int particle;
    int edge, distance; /* the segment, among edges and among distances; -1 = the drum itself */
    int bending;        /* centred at the node; -1 = none */
    double arc;         /* from the drum when all is paid out, m */
    double length;      /* of the segment when it is whole, m */
    double after;       /* of the next one; 0 at the cable's last node, m */
    double load;        /* what hangs there, kg */
} cab_drum_node;

/* A hand's damped spring at a node, or at a body that forces move. */
typedef struct cab_pull {
    bool on;
    int node;                  /* that it pulls at; -1: at a body */
    int body;                  /* in rigid */
    cab_vec3 place;            /* of the body, where that is at the start, m */
    double stiffness, damping; /* N/m, N s/m */
    double reach;              /* m; farther away it pulls no harder */
} cab_pull;

/* One load of the expanded scene. */
typedef struct cab_placed_load {
    int scene_load;
    int body, node; /* node counts over all bodies */
} cab_placed_load;

/* A probe on one cable. */
typedef struct cab_placed_probe {
    int scene_probe;
    int body, node;    /* of the segment in which it lies the first node, which counts over all bodies */
    double part;       /* of that segment's rest length, 0 to 1 */
    bool one_copy;     /* its cable is named with its brackets, or has no copies */
    cab_range bend[2]; /* in probe_bending: what bends about the first and the second node of the segment */
} cab_placed_probe;

typedef struct cab_probe_bending {
    int bending;
    double share; /* of it that is moment at that end of the probe's segment */
} cab_probe_bending;

/* A tie or tape on the first of its cables. */
typedef struct cab_placed_tie {
    int scene_tie;
    int first_member, member_count; /* in tie_member */
    int first_node, last_node;      /* over all cables */
} cab_placed_tie;

/* Where a constraint came from; sorted like the constraints. */
typedef struct cab_origin {
    int body;
    int node;          /* distance: first node; bending: centre node */
    int far_node;      /* distance: second node */
    int section;       /* whose stiffness */
    double cell;       /* length that it stands for, m */
    int other_body;    /* angle at a joint: the other body; -1 = none */
    int other_section; /* where two sections meet, */
    double other_cell; /* the length for which this one stands, m; else 0 */
} cab_origin;

/* A place where a stencil of the user's own constraints lies. */
typedef struct cab_own_place {
    int scene_constraint;
    int cable, node; /* of the stencil's first particle; node counts over all cables */
    bool one_copy;   /* the cable is named with its brackets */
} cab_own_place;

typedef struct cab_model {
    cab_scene *scene;            /* our own copy */
    cab_model_settings settings; /* the scene's at first; a world may change them afterwards */

    cab_section *section;
    int section_count;
    cab_body *bodies; /* cables, then sheets */
    int cable_count, body_count, node_count;
    cab_edge *edge; /* [distances] segments, body by body, then double distances */
    cab_cell *cell; /* sheet by sheet */
    int cell_count;
    int *node_particle; /* [nodes] */
    double *node_arc;   /* [nodes] rest length from the cable's start, m; 0 in a sheet */
    double *node_mass;  /* [nodes] kg, loads included */
    int *node_segment;  /* [nodes] distance constraint of the segment that starts there, -1 at a cable's last
                           node  and in sheets */

    cab_rigid_body
        *rigid; /* bodies of the scene, copy by copy: those that forces move, then those that are led */
    int rigid_count;
    int led_count;          /* of those that are led, behind these */
    int own_collider_count; /* behind the colliders of the scene, in the copy that the model has, lie the shapes
                               of bodies: */
    int led_collider_end;   /* to here those of led ones, then those of all others */
    double
        rigid_reach; /* the most by which a place of a body's surface moves, over the most by which one of its
                           mass points does; 0 = there are none */
    int (*rigid_pair)
        [2]; /* a cable and a body that may touch, by cable, then by body; set by constraint/rigid_pairs.c */
    int rigid_pair_count;
    int (*rigid_mate)[2]; /* two bodies that may touch; set by constraint/rigid_contact.c */
    int rigid_mate_count;
    cab_model_socket *socket;
    int socket_count;
    int *rigid_of; /* [P] the attachment by which a particle is a part of a rigid body; -1 = none */

    cab_vec3 *start_velocity; /* [nodes] m/s; NULL = each body has its own */

    int particle_count;  /* spare ones included */
    cab_vec3 *place;     /* [P] where it starts, m */
    double *mass;        /* [P] kg */
    int *held;           /* [P] attachment that holds it hard, -1 = free */
    int *soft;           /* [P] attachment that pulls at it like a spring, -1 = none */
    cab_pull pull;       /* by the world's user */
    double *damping;     /* [P] 1/s */
    float *decay;        /* [P] factor of velocity per substep */
    double equal_weight; /* 1 over the mean mass of the free particles, 1/kg */

    cab_distance_constraint *distance; /* by colour: segments first, then double distances */
    cab_origin *distance_origin;
    int segment_count, distance_count;
    cab_range *distance_colour;
    int segment_colour_count, distance_colour_count;

    cab_bending_constraint *bending; /* by colour */
    cab_origin *bending_origin;
    int bending_count;
    cab_range *bending_colour;
    int bending_colour_count;
    float4 *bending_target;
    int bending_target_count;
    float *viscous_time;          /* [B] s; NULL = no bending is damped */
    float *viscous_node;          /* [nodes] tau of what bends about it along its cable; NULL */
    float *viscous_share;         /* [B] of the twist of its run; NULL as above */
    cab_viscous_run *viscous_run; /* along cables */
    int viscous_run_count;
    bool viscous_whole;                  /* cables are damped all along or not at all */
    int *viscous_bending;                /* of the runs */
    struct cab_twist_place *twist_place; /* nodes of cables that resist twisting, chain by chain, along it */
    int twist_place_count;
    struct cab_twist_chain *twist_chain; /* constraint/twist_chains.h */
    int twist_chain_count;
    struct cab_twist_hold *twist_hold; /* places that hold the roll, in the order of the chains' places */
    int twist_hold_count;
    cab_twist_run *twist_run; /* along chains; constraint/twist_runs.h */
    int twist_run_count;
    cab_twist_link *twist_link; /* of the runs */
    int twist_link_count;
    int *
        node_twist; /* [nodes] in twist_link, the segment that starts there; -1 = it is in no run; NULL = no cable resists twisting */
    struct cab_director_cable
        *director_cable; /* with a director for each segment; constraint/director_runs.h */
    int director_cable_count, director_node_count, director_link_count;
    cab_director_run *director_run;
    int director_run_count;
    cab_director_vertex *director_vertex;   /* [director nodes][2] */
    cab_director_bending *director_bending; /* of their bendings */
    int director_bending_count;
    float4 *
        bending_target_now; /* [bending_targets] as they were last read from a world; NULL = they do not change */
    int *director_of;       /* [B] in director_bending, -1 = another; NULL = no cable has directors */
    float4 *director_rest; /* [director_bendings] the kink at rest as drawn; see director.h */
    float4 *director;      /* [director links] as drawn */
    bool has_twist;        /* some run was there at first; clamps may have let go since */
    int *bending_order;    /* [B] sorted place of a constraint by its place before sorting */

    cab_segment *segment;   /* [segments] in the order of the edges */
    cab_segment_drag *drag; /* [segments] all 0 = no drag */
    bool has_drag;
    int *incident_start; /* [P + 1] */
    int *incident;       /* 2 segment + end */

    cab_placed_entry *placed_entries; /* copy by copy, in the order of the scene */
    int placed_entry_count;
    cab_placed_tie *placed_ties;
    int placed_tie_count;
    int *tie_member; /* model cables */
    int tie_member_count;
    cab_distance_constraint *tie; /* by colour: lengths at most */
    int (*tie_node)[2];           /* whose particles they are */
    int tie_count;
    cab_range *tie_colour;
    int tie_colour_count;

    cab_placed_probe *placed_probes; /* copy by copy, in the order of the scene */
    int placed_probe_count;
    cab_probe_bending *probe_bending;
    int probe_bending_count;

    cab_placed_load *placed_loads;
    int placed_load_count;
    cab_load_force *load; /* forces and couples, sorted by particle */
    int load_count;
    int *load_start; /* [loaded + 1] */
    int loaded_count;
    bool loads_move; /* some force has keyframes */

    cab_model_attachment *attachments;
    int attachment_count;

    cab_collider *collider;
    cab_mesh_facts *mesh_facts; /* [colliders] */
    cab_mesh_tables meshes;
    int collider_count;
    int *group_collider; /* colliders by group: entry 0 says where those of all groups begin in this array,
                            entry 1 + g where those of group g do, the one after the last where it ends */
    int group_collider_count;
    bool bodies_meet; /* two bodies are of one group */
    /* Into how many pieces a substep of the settings is cut: in what is stepped now, and, unless NULL, for each particle. */
    int pieces;
    int *particle_pieces; /* [P] */

    /* Contact pairs that never count: for each segment the sorted others beyond those that its own cable's
     * order rules out, and colliders as -1 - index. */
    int *exclude_start; /* [segments + 1] */
    int *exclude;

    cab_drum *drum; /* by cable */
    int drum_count;
    cab_drum_node *drum_node; /* drum by drum */
    int drum_node_count;

    cab_own_place *own_place; /* in the order of the scene, cables, nodes */
    int own_place_count;
    cab_own_constraint *own; /* expressions, by kind and colour */
    int own_count;
    cab_range *own_colour;
    int own_colour_count;
    cab_own_kind *own_kind; /* [scene constraints]; op_count 0 = a callback */
    cab_own_op *own_op;
    int own_op_count;
    float4
        *own_origin; /* [places][2] what places are counted from, and what rounding has left out of it, m */
    int own_origin_count;
    cab_own_place *callback; /* those that are callbacks, in order */
    int callback_count;

    cab_chain *chain; /* [cables] for the fused way; NULL when cables are joined or clamped inside */
    cab_chain_node *chain_node; /* [P] */
    double start_error;         /* largest relative length error before the first substep */
} cab_model;

typedef void cab_warn(void *user, const char *text);

/* Expands a scene. Messages name a JSON pointer. `warn` may be NULL. Free with cab_model_destroy(). */
cab_status cab_model_create(const cab_scene *scene, cab_warn *warn, void *user, cab_model **model,
                            cab_error *error);
void cab_model_destroy(cab_model *model);

/* A deep copy of a scene. */
cab_status cab_scene_copy(const cab_scene *scene, cab_scene **copy, cab_error *error);

/* Steps of cab_model_create, in this order; each fills its part. */
cab_status cab_model_add_bodies(cab_model *model, cab_error *error); /* nodes, places, joints, particles */
cab_status cab_model_add_loads(cab_model *model, cab_warn *warn, void *user, cab_error *error);
cab_status cab_model_add_contact(cab_model *model,
                                 cab_error *error); /* segments, incidence, colliders, exclusions */
cab_status
cab_model_settle(cab_model *model,
                 cab_error *error); /* held to targets, lengths right, overlaps apart where asked */
cab_status cab_model_meet_lengths(cab_model *model,
                                  cab_error *error); /* moves what is free until lengths are right */
/* overlap.c: moves cables that overlap apart, as far as what is held allows. */
cab_status cab_model_part_overlaps(cab_model *model, cab_error *error);
cab_status cab_model_add_chains(cab_model *model, cab_error *error);

/* The particles of a stencil; `particle` has room for CAB_OWN_PARTICLES. Returns how many. */
int cab_model_own_particles(const cab_model *model, const cab_own_place *place, int *particle);
/* Mean rest length of its segments, m. */
double cab_model_own_rest(const cab_model *model, const cab_own_place *place);

/* Everything that follows from materials and settings alone: masses, compliances, damping, friction. May be
 * called again when a material has changed. */
void cab_model_set_parameters(cab_model *model);
/* m/N of a length. */
double cab_model_distance_compliance(const cab_model *model, int distance);
/* Of one constraint, where its length has changed. */
void cab_model_set_distance_compliance(cab_model *model, int distance);
/* A clamp of a cable that has no bending stiffness: what a method makes of it is no energy of the cable's. */
/* The bending of a clamp that holds a direction, of an attachment that has one. */
static inline int cab_model_clamp_bending(const cab_model *model, const cab_model_attachment *attachment)
{
    return model->bending_order[attachment->first_clamp];
}

/* Does a clamp add it, which holds a direction, at an end of its cable or inside? */
bool cab_model_bending_is_clamp(const cab_model *model, int bending);
bool cab_model_bending_is_rigid(const cab_model *model, int bending);
/* Is the bending of some cable damped? */
bool cab_model_damps_bending(const cab_model *model);
/* Is some cable held so that it can twist? */
bool cab_model_twists(const cab_model *model);
/* Neither: carriers that take over frames from others know only such. */
static inline bool cab_model_bends_plainly(const cab_model *model)
{
    return !cab_model_damps_bending(model) && !cab_model_twists(model);
}
/* 1 + tau/h_s: by how much damping makes a bending stiffer in a substep of h_s seconds. */
double cab_model_viscous_factor(const cab_model *model, int bending, double hs);
/* alpha / h^2 that stands for it where a bending without compliance cannot be taken, 1/(kg m^2). */
double cab_model_hard_clamp(const cab_model *model, int bending);
void cab_model_set_bending_compliance(cab_model *model, int bending);
/* What damping of so many 1/s leaves of a particle's velocity in its substep. */
float cab_model_decay(const cab_model *model, int particle, double damping);

/* The nodes that an attachment holds: all at its particle; of a joint those that go with its cable when it
 * breaks, which may include others joined to it there. Fills nodes (free it) and count. */
cab_status cab_model_attached_nodes(const cab_model *model, int attachment, int **nodes, int *count,
                                    cab_error *error);

/* A broken joint's nodes go on with its spare particle; constraints, masses, loads, holds follow. */
cab_status cab_model_split(cab_model *model, int attachment, cab_error *error);

/* "p" or "p[i,j,k]". What bends about the particles beside each probe, after all bendings have been drafted. */
void cab_model_probe_name(const cab_model *model, const cab_placed_probe *probe, char *name, size_t size);
cab_status cab_model_list_probe_bendings(cab_model *model, cab_error *error);

/* Again after a joint has broken. */
cab_status cab_model_update_loads(cab_model *model, cab_error *error);
cab_status cab_model_update_incidence(cab_model *model, cab_error *error);
cab_status cab_model_update_exclusions(cab_model *model, cab_error *error);
/* Is `other`, a segment or -1 - collider, among those that a segment never touches? */
bool cab_model_is_excluded(const cab_model *model, int segment, int other);
/* How far a place is outside of a collider at the start, m; negative inside. */
double cab_model_outside(const cab_model *model, int collider, cab_vec3 place);
/* The same of particles: out[count]. */
void cab_model_outside_each(const cab_model *model, int collider, const int *particle, int count,
                            double *out);
/* How often a segment has no contact with a collider. */
int cab_model_excluded_colliders(const cab_model *model);
/* May two segments of cables touch, as contact has it: of one group, no neighbours, and contact of such is on? */
bool cab_model_may_touch(const cab_model *model, int a, int b);

/* A warning for each material that cannot converge at the scene's settings. */
void cab_model_warn_convergence(const cab_model *model, cab_warn *warn, void *user);

/* What a scene asks for that cannot be met: a warning for each of holds further apart than the cable between them, what is
 * led further than a segment in a substep, masses that differ too much, and those of the second one: cables that start inside a
 * collider, and gaps between two colliders that are, or become, narrower than a cable that lies in them. */
void cab_model_warn_contradictions(const cab_model *model, cab_warn *warn, void *user);
void cab_model_warn_inside(const cab_model *model, cab_warn *warn, void *user);

/* By the direct method: CAB_ERROR_UNSUPPORTED where a cable that is held or joined at one place at most is so stiff, and so
 * curved at rest, that it would gain energy. */
cab_status cab_model_check_curved(const cab_model *model, cab_error *error);
/* How many substeps would be enough for that, and the body that needs them; -1: those of the model are. */
int cab_model_curved_substeps(const cab_model *model, int *body);

/* Is a body the first of the copies that its entry in the scene makes? */
bool cab_model_is_first_copy(const cab_model *model, int body);
/* "a" or "a[i,j,k]" */
void cab_model_body_name(const cab_model *model, int body, char *name, size_t size);

/* m/s at the start: of a body's node; the largest speed of all nodes. */
cab_vec3 cab_model_start_velocity(const cab_model *model, int body, int node);
double cab_model_start_speed(const cab_model *model);

/* The cable that a node belongs to. */
int cab_model_cable_of_node(const cab_model *model, int node);

/* The first body that has a particle; 0 for none, -1. */
int cab_model_body_of_particle(const cab_model *model, int particle);

/* Can it break or let go? */
bool cab_model_can_break(const cab_model *model, int attachment);

/* Its def. A connector that is neither mated nor led by a hand: it holds nothing. */
const cab_attachment_def *cab_model_attachment_def(const cab_model *model, int attachment);
bool cab_model_is_free(const cab_model *model, int attachment);
/* Is a connector's end, at a place, so near to where it mates that it latches? */
bool cab_model_is_home(const cab_model *model, int attachment, cab_vec3 place, cab_vec3 mate);

/* N/m of the soft attachment at a particle; 0 = none. */
double cab_model_spring(const cab_model *model, int particle);
/* kg by which it, or a hand's pull, makes a particle heavier in a step of hs seconds: k hs^2 + c hs. */
double cab_model_soft_mass(const cab_model *model, int particle, double hs);

/* Between keyframes, linear; held before the first and after the last. */
cab_vec3 cab_keyframes_at(const cab_keyframe *keyframes, int count, double t);
/* The same for one number: keyframes {t, number}, as cab_feed_keyframe and cab_roll_keyframe are. */
double cab_numbers_at(const double (*keyframes)[2], int count, double t);
/* A load's force at time t, s; N. */
cab_vec3 cab_load_force_at(const cab_load_def *def, double t);

/* Where a held attachment wants its particle at time t, s. */
cab_vec3 cab_model_target(const cab_model *model, const cab_model_attachment *attachment, double t);

/* The length of a substep as it is taken now, s: of a piece of one of the settings' (cab_model.pieces); and for a particle. */
double cab_model_substep(const cab_model *model);
double cab_model_substep_of(const cab_model *model, int particle);

#endif
