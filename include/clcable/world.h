/* clcable: devices, and worlds that live on them.
 *
 * A world is a scene in motion. Several worlds may live at once, on one device or on many; one world must not
 * be used by two threads at a time.
 */
#ifndef CLCABLE_WORLD_H
#define CLCABLE_WORLD_H

#include <stddef.h>

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The stages of a substep, in the order in which they run. */
typedef enum cab_stage {
    CAB_STAGE_FEED = 0, /**< what drums pay out and reel in */
    CAB_STAGE_PREDICT,  /**< gravity, loads, damping, drag: the inertial guess */
    CAB_STAGE_ATTACH,   /**< held particles to their targets; forces of breakable attachments */
    CAB_STAGE_GRID,     /**< uniform grid and candidate lists, when something has moved far enough */
    CAB_STAGE_NARROW,   /**< cable against cable: which candidates touch, and where */
    CAB_STAGE_CONTACT,  /**< passes over the contacts */
    CAB_STAGE_COLLIDER, /**< cable against collider: narrow phase and solve */
    CAB_STAGE_DISTANCE, /**< segment lengths */
    CAB_STAGE_BENDING,  /**< bending, clamps, double distance */
    CAB_STAGE_OWN,      /**< the user's own constraints */
    CAB_STAGE_FUSED,    /**< predict to finish in one launch */
    CAB_STAGE_DIRECT, /**< the direct method: bending and lengths along each chain; in lanes all of a substep
                       */
    CAB_STAGE_CONVERGE, /**< how far an iteration has moved things, where a tolerance ends them */
    CAB_STAGE_FINISH,   /**< velocities and positions */
    CAB_STAGE_MEASURE,  /**< stretch, penetration, speed, once a frame */
    CAB_STAGE_COUNT
} cab_stage;

/** The stage's word: "predict", "distance", ... Static storage. */
CAB_API const char *cab_stage_name(cab_stage stage);

typedef enum cab_backend_kind { CAB_BACKEND_NATIVE = 0, CAB_BACKEND_OPENCL } cab_backend_kind;

/** A device that `cab_world_def.device` accepts. */
typedef struct cab_device_info {
    char id[32];        /**< "native" or "opencl:P.D" */
    char name[256];     /**< as the driver calls it */
    char platform[128]; /**< "clcable" for native */
    char version[128];  /**< OpenCL version and driver */
    cab_backend_kind backend;
    bool gpu;
    int compute_units;   /**< cores */
    size_t memory;       /**< bytes; 0 = unknown */
    size_t local_memory; /**< bytes per work-group; 0 for native */
} cab_device_info;

/** Lists the devices, native first. Fills at most `capacity` entries; returns how many there are. */
CAB_API int cab_devices(cab_device_info *devices, int capacity);

/** How to run a scene. Fill with cab_world_default(). */
typedef struct cab_world_def {
    const char *device; /**< "native", "opencl", "opencl:P.D", part of a device name; NULL = an OpenCL GPU,
                           else native */
    const char *const *
        devices; /**< several such words: these devices share the world, and `device` does not count; the first one runs
                                   what is not shared out. What comes out is, byte for byte, what the first would
                                   compute alone. They must compute equally many cables side by side. Until the world is made; NULL */
    int device_count;       /**< how many: 0 (default) to 1,024 */
    int threads;            /**< for native; 0 = all cores (default) */
    const char *kernel_dir; /**< read kernel sources from this folder instead of the built-in ones; NULL */
    const char
        *cache_dir; /**< where compiled programs are kept; NULL = the user's cache folder; "" = keep none */
    void (*log)(
        void *user, int level,
        const char
            *text); /**< level 0 warnings and notices, 1 detail; 2: kernels are being compiled, `text` is
                            "LAST SO_FAR DEVICE": how many seconds it took the last time (0.0: not known),
                            how many so far; "": that is over for now. NULL = silent */
    void *user;     /**< handed to log */
    bool profile;   /**< time every stage: a wait after each launch, so the whole is slower; false */
    const struct cab_gl *gl; /**< an OpenGL context to draw for (draw.h), copied; NULL = none */
    bool forces; /**< measure what every attachment, clip and connector bears (cab_attachment_info.force), not
                    only those that can break; false. Ways of whole frames in one launch cannot */
} cab_world_def;

CAB_API cab_world_def cab_world_default(void);

typedef struct cab_world cab_world;

/** Puts a scene on a device, held particles at their targets and segments at their lengths.
 *
 * @return CAB_OK; CAB_ERROR_INPUT or CAB_ERROR_UNSUPPORTED for the scene; CAB_ERROR_DEVICE, CAB_ERROR_MEMORY.
 *         On success *world must be freed with cab_world_destroy(). The scene may go.
 */
CAB_API cab_status cab_world_create(const cab_scene *scene, const cab_world_def *def, cab_world **world,
                                    cab_error *error);

/** Makes a new world go on where `from` is: to change method, substeps, iterations, friction, way, device and
 * other settings while something moves. `world` is made of the same scene with other settings, and has not
 * stepped yet. It takes over the frame and time, positions and velocities, what has broken, targets,
 * loads and colliders set by hand, and materials changed by cab_world_set_material() (of all materials, if
 * any was). Gravity, wind and all other settings are its own. Histories begin anew: measures, events,
 * multipliers, the first substep of the direct method is of first order, what overlaps is pushed apart slowly
 * as at the start of a run, all are awake, a hand's pull is not taken over. `from` stays as it is.
 *
 * Where method, substeps or iterations differ, lengths that are off for the new settings are corrected in place, so that they do not turn
 * into speed: places change by as much, and what has gained energy that way (its weight was lifted) moves more slowly, or not at all.
 *
 * @return CAB_OK; CAB_ERROR_INPUT: bodies, attachments, colliders, names of materials or the frame rate
 *         differ, or `world` is not new: nothing has changed, the message tells which;
 *         CAB_ERROR_DEVICE, CAB_ERROR_MEMORY: `world` is lost
 */
CAB_API cab_status cab_world_continue(cab_world *world, cab_world *from, cab_error *error);

/** Frees a world and what it holds on the device. NULL is allowed. */
CAB_API void cab_world_destroy(cab_world *world);

/** Advances by `frames` frames; returns when the device has finished. Stops at the first frame that fails.
 *
 * @return CAB_OK, CAB_ERROR_DIVERGED (the message names frame and cable), CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_step(cab_world *world, int frames, cab_error *error);

/** What a world is made of; constant over its life but for `frame` and `time`. */
typedef struct cab_world_info {
    cab_device_info device;
    cab_way way; /**< the way that was chosen */
    int cables;  /**< copies counted */
    int sheets;
    int particles; /**< a shared particle counted once */
    int nodes;     /**< rows of the output: a shared particle is listed with each of its cables and sheets */
    int segments;  /**< of cables, and links of sheets */
    int cells;     /**< faces and sticks of sheets */
    int distance_colours, bending_colours;
    int own_constraints;  /**< of the user's own: places where a stencil fits */
    int own_colours;      /**< of those that are expressions */
    int frame;            /**< frames done */
    double time;          /**< s */
    size_t device_bytes;  /**< held on the device without contact */
    size_t contact_bytes; /**< held on the device for contact */
    bool
        forces; /**< what attachments bear is known now, of all: cab_world_def.forces in a way that measures them, or a
                      rest that was solved for */
    bool
        twists; /**< some cable lies between clamps that hold its roll, and resists, or did before one let go:
                   cab_world_read_torque() */
} cab_world_info;

CAB_API cab_world_info cab_world_get_info(const cab_world *world);

/** A cable of the world. */
typedef struct cab_cable_info {
    char name[256]; /**< "a", or "a[i,j,k]" */
    int first_node; /**< index into the arrays below */
    int node_count; /**< segments + 1 */
    double radius;  /**< of its material, m; parts of it may have another: cab_world_get_sections() */
    double length;  /**< rest length, what is on a drum included, m */
    int material;   /**< index in the scene */
} cab_cable_info;

/** A run of a cable's segments that are made of the same. */
typedef struct cab_section_info {
    int first_node;              /**< row of cab_world_read() */
    int node_count;              /**< segments + 1; the next run begins at the last of them */
    int material;                /**< index in the scene: of the last cover, else of the cable */
    double radius;               /**< m */
    double linear_density;       /**< kg/m */
    double bending_stiffness;    /**< N m^2 */
    double min_bend_radius;      /**< m; 0 = no limit */
    double stretching_stiffness; /**< N; INFINITY = inextensible */
} cab_section_info;

/** The runs of the cable at `index`, from its start. Fills at most `capacity`; returns how many there are. */
CAB_API int cab_world_get_sections(const cab_world *world, int index, cab_section_info *sections,
                                   int capacity);

/** The cable at `index` (0 to cables-1, scene order, copies with x fastest). */
CAB_API cab_cable_info cab_world_get_cable(const cab_world *world, int index);

/** How far along its cable each node is: the rest length from the cable's start to there.
 *
 * @param arc  [nodes] m, as rows of cab_world_read(); 0 in sheets
 */
CAB_API void cab_world_get_arcs(const cab_world *world, double *arc);

/** A sheet of the world. */
typedef struct cab_sheet_info {
    char name[256];
    int first_node; /**< index into the arrays below */
    int node_count;
    int first_cell; /**< index into the array of cab_world_get_cells() */
    int cell_count;
    double radius; /**< m */
} cab_sheet_info;

/** The sheet at `index` (0 to sheets-1, scene order). */
CAB_API cab_sheet_info cab_world_get_sheet(const cab_world *world, int index);

/** What sheets are drawn as: nodes of each cell around, a triangle's last -1, a stick's last two.
 *
 * @param cells  [cells][4]
 */
CAB_API void cab_world_get_cells(const cab_world *world, int *cells);

/** Read back one row per node, cables in scene order, then sheets. Any pointer may be NULL.
 *
 * @param position  [nodes][3] m
 * @param velocity  [nodes][3] m/s
 * @param tension   [nodes] N, positive when pulled, of the segment that starts there; 0 at a cable's last
 * node and in sheets, whose nodes have many
 */
CAB_API cab_status cab_world_read(cab_world *world, double *position, double *velocity, double *tension,
                                  cab_error *error);

/** Reads the moments of twist, one row per node as cab_world_read() has them.
 *
 * @param torque  [nodes] N m, of the segment that starts there, at a cable's last node of the one that ends there; positive where
 * what comes after is turned right-handed about the tangent, as by a positive cab_attachment_def.roll at the end. 0 where nothing
 * holds the roll at both sides, in materials without twisting_stiffness, and before the first substep but for a rest that was solved for
 */
CAB_API cab_status cab_world_read_torque(cab_world *world, double *torque, cab_error *error);

/** Reads how the sections of cables are rolled: a unit vector in the section, at right angles to the cable, that turns with the material;
 * one row per node as cab_world_read() has them. A line on the surface, a radius that way from the nodes, is one that was painted along
 * the cable as it was drawn.
 *
 * At a clamp that holds the roll it is the clamp's, as it is rolled now. Between two of them it is the first one's, carried along the
 * segments without twisting, and turned about the tangent by the twist up to there, which divides as l/GJ. Before the first clamp and
 * past the last one, and where a segment without twisting_stiffness lies between two, a cable goes along with the clamp beside it; what
 * is between two such segments goes with the clamp before. In a cable that resists twisting, but that no clamp rolls, nothing is known
 * of the roll: it is any director, not twisted along the cable. At a cable's first clamp the director at roll 0 is the axis, z, y or x,
 * that is least along the cable, without its part along it.
 *
 * @param director  [nodes][3]; (0, 0, 0) in cables whose materials all have no twisting_stiffness, and in sheets
 * @return CAB_OK, CAB_ERROR_DEVICE or CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_read_directors(cab_world *world, double *director, cab_error *error);

/** Moves the target of attachment `attachment` (index in the scene, not to a cable) over the next frame to
 * `point` (m; for a cable with copies the first copy's; the others keep their offsets), where it stays. */
CAB_API cab_status cab_world_set_target(cab_world *world, int attachment, cab_vec3 point, cab_error *error);

/** Rolls the clamp of attachment `attachment` (index in the scene; with copies all of them) about its tangent over the next frame to
 * `roll` (rad, as cab_attachment_def has it), where it stays. States keep it.
 *
 * @return CAB_OK; CAB_ERROR_INPUT and nothing has changed: no clamp belongs to it that holds the roll of a cable with
 * twisting_stiffness, or a number that is none; CAB_ERROR_DEVICE: the world is lost
 */
CAB_API cab_status cab_world_set_roll(cab_world *world, int attachment, double roll, cab_error *error);

/** Sets the force of load `load` (index in the scene) to `force` (N) from the next frame on; its keyframes
 * count no more. Its mass and moment stay. In the way "fused", which knows no forces, the world goes on
 * "coloured", with the same bits.
 *
 * @return CAB_OK; CAB_ERROR_INPUT and nothing has changed: no such load, a number that is none, or a scene
 * that asks for the way "fused" by name; CAB_ERROR_DEVICE, CAB_ERROR_MEMORY: the world is lost
 */
CAB_API cab_status cab_world_set_load(cab_world *world, int load, cab_vec3 force, cab_error *error);

/** Pulls a node towards `point` as a hand or a mouse does: by a damped spring, from the next frame on until
 * cab_world_let_go(). Called again for the same node it moves the spring's other end to `point` over the next
 * frame, for another node it lets go first. The spring is implicit in time: no stiffness makes it unstable.
 * What hangs on it hangs m g / stiffness below the point. Farther than 0.3 m from it the spring pulls no
 * harder than there: three times the weight by default. More force than a method can hand on would tear a
 * cable.
 *
 * Works with every method. A world in a way that takes whole frames in one launch ("fused", "lanes")
 * goes on "coloured" or "staged" while it is pulled: grabbing and letting go cost making their
 * tables, and frames in between are slower.
 *
 * @param node       row of cab_world_read()
 * @param point      m
 * @param stiffness  N/m, >= 0; 0 = M / (0.1 s)^2, M the mass of its cable or sheet and of all that is joined
 *                   to it: its weight hangs 0.1 m below the point. The damper is stiffness times 0.1 s: a
 *                   light node follows 0.1 s behind
 * @return CAB_OK; CAB_ERROR_INPUT and nothing has changed: no such node, a node that an attachment holds
 * (hard or soft), a number that is none, or a scene that asks for one of these ways by name;
 *         CAB_ERROR_DEVICE, CAB_ERROR_MEMORY: the world is lost
 */
CAB_API cab_status cab_world_pull(cab_world *world, int node, cab_vec3 point, double stiffness,
                                  cab_error *error);

/** Pulls a place of a rigid body towards `point`, as cab_world_pull() does a node, and instead of that. Its force has an arm,
 * so it turns the body, too.
 *
 * @param body       index into cab_world_get_bodies(); one that forces move
 * @param at         the place, in the body's own axes, m
 * @param point      m
 * @param stiffness  N/m, >= 0; 0 = M / (0.1 s)^2, M the mass of the body and of all that is joined to it
 * @return CAB_OK; CAB_ERROR_INPUT and nothing has changed: no such body, one that no force moves (fixed, led along
 * keyframes, given), a number that is none; CAB_ERROR_DEVICE, CAB_ERROR_MEMORY: the world is lost
 */
CAB_API cab_status cab_world_pull_body(cab_world *world, int body, cab_vec3 at, cab_vec3 point,
                                       double stiffness, cab_error *error);

/** Ends the pull: the world goes on as one in this state of motion that was never pulled, in the way that it
 * had before. Nothing when nothing is pulled. */
CAB_API cab_status cab_world_let_go(cab_world *world, cab_error *error);

/** Moves collider `collider` (index in the scene) over the next frame to `pose`, where it stays; what touches
 * it is carried along by friction, what is attached to it rides along. Its keyframes count no more.
 *
 * @return CAB_OK; CAB_ERROR_INPUT for an index or a pose that cannot be; CAB_ERROR_UNSUPPORTED when a plane
 * would tilt, or the direction of a clamp would have to turn with the collider
 */
CAB_API cab_status cab_world_set_collider(cab_world *world, int collider, cab_pose pose, cab_error *error);

/** Where collider `collider` (index in the scene) is now, moved by keyframes or by the user; the rotation is
 * a unit quaternion. False, and nothing filled in, where there is no such collider. */
CAB_API bool cab_world_get_collider(const cab_world *world, int collider, cab_pose *pose);

/** Material `index` (in the order of the scene) as it is now, changes included. Its name lives as long as the
 * world. False, and nothing filled in, where there is none. */
CAB_API bool cab_world_get_material(const cab_world *world, int index, cab_material_def *def);

/** Changes a material from the next frame on; `def->name` says which. Radius and rest shape cannot change. */
CAB_API cab_status cab_world_set_material(cab_world *world, const cab_material_def *def, cab_error *error);

/** Changes the wind (m/s) from the next frame on. Materials without air drag do not feel it. */
CAB_API cab_status cab_world_set_wind(cab_world *world, cab_vec3 wind, cab_error *error);

/** Changes gravity (m/s^2) from the next frame on. */
CAB_API cab_status cab_world_set_gravity(cab_world *world, cab_vec3 gravity, cab_error *error);

/** Errors and energies of the last frame, and the worst over all frames so far. */
typedef struct cab_measures {
    double stretch_max, stretch_mean, stretch_worst; /**< |l - l0| / l0 over segments */
    double penetration_max, penetration_worst;       /**< m, deepest overlap; excluded pairs not counted */
    double speed_max;                                /**< m/s */
    double kinetic, potential;  /**< J; potential: gravity, bending, stretching, soft attachments */
    int contacts, contacts_max; /**< touching pairs in the last frame's last substep; most so far */
    int rebuilds;               /**< of the candidate lists, so far */
    int asleep;                 /**< cables that sleep (cab_settings.contact_sleep) */
    int calm;               /**< frames in a row up to the last one in which nothing was faster than 1 mm/s */
    double iterations_mean; /**< per substep so far; less than asked for where a tolerance ends them. 0 in
                                 ways that take whole substeps in one launch */
    int iterations_max;     /**< most in a substep so far */
} cab_measures;

CAB_API cab_status cab_world_measure(cab_world *world, cab_measures *measures, cab_error *error);

/** How cab_world_settle() works. All zero: the defaults. */
typedef struct cab_settle_def {
    int iterations; /**< the most steps of Newton's method; 0 = 2000 */
    double
        residual; /**< a force that may be left on a particle where something touches, N; 0 = 0.001. Where nothing does, no
                                    more than 2e-6 N is left */
    bool (*stop)(void *user); /**< NULL, or asked before each step: true ends it where it is */
    void *user;               /**< given to stop */
} cab_settle_def;

/** What cab_world_settle() has come to. */
typedef struct cab_equilibrium {
    bool
        settled; /**< all forces are balanced. Where that was so on a ridge, it was moved off it, up to eight times */
    double residual; /**< the largest force on a particle that nothing balances, N */
    int body; /**< what that particle belongs to: index of a cable; of a sheet the number of cables more */
    int iterations; /**< steps of Newton's method */
    double moved;   /**< how far the last of them has moved anything, m */
    double
        overlap; /**< the deepest in a contact that is left, m; a hundredth of both radii at most when settled */
    bool
        slipped; /**< with friction between cables there was no end to it after a tenth of the steps. So what did not rest went back to
                      where it was, and down without that friction in short steps, as a slow release that shakes would let it:
                      friction holds that rest, too */
    int broken;  /**< attachments that have let go on the way */
} cab_equilibrium;

/**
 * Puts everything to rest: solves for the places at which all forces are balanced, those of lengths, bending, gravity, loads,
 * attachments, clips, ties, twist, contact and friction, and goes on from there without velocity. Time stands still; colliders and held
 * places are where they are now, and nothing mates on the way. What bears more at rest than its `break_force`, or is pulled further
 * than its `release_distance`, lets go, of what hangs together the most overloaded first, and rest is sought again. From where things are it goes down as a slow motion without
 * momentum would, so of several rests it is the one that a slow release finds. What is balanced but would tip over is moved on.
 * Until the next frame cab_world_read() tells the tensions of this rest, and cab_world_get_attachments() what each attachment bears
 * in it, with or without cab_world_def.forces and in all ways of running.
 *
 * @param def       NULL = the defaults
 * @param result    filled on success, whether a rest was found or not: see `settled`. The world is at the places that were
 *                  reached in any case.
 * @return CAB_ERROR_UNSUPPORTED where forces do not follow from places: constraints of one's own, wind on cables with drag, the pull
 *         of a hand, bodies, cables that resist twisting and have axes, are curved at rest or yield, methods without physical stiffness; nothing has changed then.
 */
CAB_API cab_status cab_world_settle(cab_world *world, const cab_settle_def *def, cab_equilibrium *result,
                                    cab_error *error);

/** Seconds spent in each stage so far, [CAB_STAGE_COUNT]. All zero unless cab_world_def.profile. */
CAB_API void cab_world_get_times(const cab_world *world, double *seconds);

/** Attachments broken so far: their indices in the scene, in the order in which they broke, a copy each.
 *  Fills at most `capacity`; returns how many there are. `cables` (may be NULL) gets the cable's index. */
CAB_API int cab_world_get_broken(const cab_world *world, int *attachments, int *cables, int capacity);

/** A place that is held, or joined to another. An attachment of the scene makes one for each copy. */
typedef struct cab_attachment_info {
    int attachment;     /**< index in the scene */
    int body;           /**< what is attached: index of a cable; of a sheet the number of cables more */
    int node;           /**< row of cab_world_read() that is attached */
    int target_node;    /**< joined: the row of what it is joined to; -1 = held */
    int collider;       /**< that it rides along with, index in the scene; -1 = none */
    cab_vec3 target;    /**< held: where it is held now, soft: is pulled to; broken: where it last was, on a
                           collider where it would be; on a body where it started; m. Joined: 0 */
    cab_vec3 shift;     /**< of the copy against the scene's point or keyframes, m */
    cab_vec3 direction; /**< clamped and held: the direction that is kept, a unit vector; else 0 */
    bool clamped;       /**< the direction is held, too */
    bool soft;          /**< held by a spring */
    bool broken;        /**< has broken or let go */
    bool free;          /**< a connector that is not mated and that no hand leads: it holds nothing yet */
    bool mated;         /**< a connector that has latched */
    cab_vec3 mate;      /**< where a connector mates, now, m; else 0 */
    cab_vec3 axis;      /**< of a clip or a connector: its direction, a unit vector; else 0 */
    cab_vec3 force; /**< on what is attached, mean over the last frame as break_force counts it, N; of a clip
                       friction included. 0 before the first frame, where nothing holds (broken, free), and
                       where it is not measured: without cab_world_def.forces of all that cannot break */
} cab_attachment_info;

/** All attachments, in the order of the scene, with copies x fastest. Fills at most `capacity`; returns how
 * many there are, which stays the same. */
CAB_API int cab_world_get_attachments(const cab_world *world, cab_attachment_info *infos, int capacity);

/** What ties and tape keep together: rows of cab_world_read(), two by two. Fills at most `capacity` pairs;
 * returns how many there are. */
CAB_API int cab_world_get_ties(const cab_world *world, int (*nodes)[2], int capacity);

/** A load where it acts. A load of the scene makes one for each copy. */
typedef struct cab_load_info {
    int load;        /**< index in the scene */
    int body;        /**< as in cab_attachment_info */
    int node;        /**< row of cab_world_read() */
    double mass;     /**< kg */
    cab_vec3 force;  /**< now, N */
    cab_vec3 moment; /**< N m */
} cab_load_info;

/** All loads, as cab_world_get_attachments(). */
CAB_API int cab_world_get_loads(const cab_world *world, cab_load_info *infos, int capacity);

/** A rigid body. A body of the scene makes one for each copy. */
typedef struct cab_body_info {
    char name[256];       /**< "b", or "b[i,j,k]" of a copy */
    int body;             /**< index in the scene */
    double mass;          /**< kg, without what is attached to it */
    cab_vec3 center;      /**< of mass, in its own axes, m */
    double inertia[3][3]; /**< about that centre, in its own axes, kg m^2 */
} cab_body_info;

/** All rigid bodies, in the order of the scene, with copies x fastest. Fills at most `capacity`; returns how many there
 * are, which stays the same. */
CAB_API int cab_world_get_bodies(const cab_world *world, cab_body_info *infos, int capacity);

/** Where a rigid body is, and how it moves. */
typedef struct cab_body_reading {
    cab_vec3 position;  /**< of the origin of its own axes, m */
    double rotation[4]; /**< of its own axes, a unit quaternion w, x, y, z */
    cab_vec3 center;    /**< of mass, m, */
    cab_vec3 velocity;  /**< and its velocity, m/s */
    cab_vec3 spin;      /**< angular velocity, in the axes of space, rad/s */
    cab_vec3
        force; /**< with which cables pull and press on it, friction included: its mean over the last frame, N, so that it times the
                    frame's time is the momentum that they gave it. What hangs on their ends counts, gravity on the body itself does not */
    cab_vec3
        torque; /**< of that force about the origin of its own axes, which moves along; in the axes of space, N m, the mean as well; with
                     what twist turns it by at its clamps, which is that of the last substep */
} cab_body_reading;

/** Reads all rigid bodies as they are after the last frame. Force and torque are 0 before the first frame.
 *
 * @param readings  [cab_world_get_bodies()] in the same order
 * @return CAB_OK, CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_read_bodies(cab_world *world, cab_body_reading *readings, cab_error *error);

/** Where a body is to be whose motion is CAB_BODY_GIVEN at the end of the next frame; it stays there until it gets another pose. On the
 * way its origin goes straight, and it turns the shorter way at one rate: all substeps know it.
 *
 * @param body  as cab_world_get_bodies() counts them
 * @param pose  in space, as cab_body_reading has it: where the origin of its own axes is, and how they are turned; a quaternion of
 *              any length but 0
 * @return CAB_OK; CAB_ERROR_INPUT for a body or a pose that cannot be, or another motion
 */
CAB_API cab_status cab_world_set_body_pose(cab_world *world, int body, cab_pose pose, cab_error *error);

/** A probe where it is. A probe of the scene makes one for each copy of its cable. */
typedef struct cab_probe_info {
    char name[256]; /**< "p", or "p[i,j,k]" on a copy */
    int probe;      /**< index in the scene */
    int cable;      /**< index in the world, 0 to cables-1 */
    int node;       /**< row of cab_world_read() at which the segment starts in which it lies */
    double part; /**< where on that segment, 0 to 1; 1 only at the cable's end. By rest length, so it stays */
} cab_probe_info;

/** All probes, in the order of the scene, with copies x fastest. Fills at most `capacity`; returns how many there
 * are, which stays the same. */
CAB_API int cab_world_get_probes(const cab_world *world, cab_probe_info *infos, int capacity);

/** What a probe says. */
typedef struct cab_probe_reading {
    cab_vec3 position; /**< m, on the straight line between its two particles */
    double tension;    /**< N, of its segment, positive when pulled; as cab_world_read() has it */
    double
        moment; /**< N m, >= 0: length of EI times the vector of curvature (less that of the rest shape), as
                          bending about particles and clamps stores energy by it, linear between particles. At an
                          end that turns freely it is the moment of the loads there, 0 without; 0 in cables without
                          bending stiffness */
    double torque; /**< N m, of twist in its segment, as cab_world_read_torque() has it */
} cab_probe_reading;

/** Reads all probes as they are after the last frame.
 *
 * @param readings  [cab_world_get_probes()] in the same order
 * @return CAB_OK, CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_read_probes(cab_world *world, cab_probe_reading *readings, cab_error *error);

/** What can happen on the way. */
typedef enum cab_event_kind {
    CAB_EVENT_BROKE = 0, /**< an attachment bore more than its break_force */
    CAB_EVENT_RELEASED,  /**< a soft attachment was pulled further than its release_distance */
    CAB_EVENT_WARNING,   /**< something about the scene that is worth a word */
    CAB_EVENT_DIVERGED,  /**< the end: the simulation left the range of sensible numbers */
    CAB_EVENT_MATED,     /**< a connector has latched */
    CAB_EVENT_COUNT
} cab_event_kind;

/** The kind's word: "broke", "released", "warning", "diverged", "mated". Static storage. */
CAB_API const char *cab_event_kind_name(cab_event_kind kind);

typedef struct cab_event {
    cab_event_kind kind;
    int frame;      /**< at whose end; 0 = before the first */
    double time;    /**< of that, s */
    int attachment; /**< its index in the scene: attachments of a file, then clips, then connectors; -1 = none
                     */
    int cable;      /**< -1 = none */
    double force; /**< N that the attachment bore; broke: the mean over the frame; released: at its end; else
                       0 */
    char text[256]; /**< of a warning and of diverging; the name of a clip or a connector; else empty */
} cab_event;

/** Everything that has happened so far, in the order of time. A world that has loaded a state knows what
 * broke before, too. Fills at most `capacity`; returns how many there are. */
CAB_API int cab_world_get_events(const cab_world *world, cab_event *events, int capacity);

/** Saves the state of a world: all that its next frame depends on and that the scene does not tell. A world
 * that is made of the same scene and loads it goes on bit for bit as this one, on this device or on another.
 * The file is complete or not there: it is written beside its place, synchronised with the disk and renamed,
 * so that whatever happens the last whole one stays. docs/formats.md describes it.
 *
 * @return CAB_OK, CAB_ERROR_IO, CAB_ERROR_DEVICE (also: the world has failed before), CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_save(cab_world *world, const char *path, cab_error *error);

/** Puts a world into a saved state. Material values, gravity, targets, broken attachments and worst errors
 * are those of the state, too. The scene must be the one that the state was saved with; its duration, its way
 * and names do not matter, but the ways must give the same bits. What has broken in this world cannot be made
 * whole: a state from before that is refused.
 *
 * @return CAB_OK; CAB_ERROR_IO (cannot be read), CAB_ERROR_INPUT (damaged, not whole, of another scene,
 *         version or way), CAB_ERROR_DEVICE, CAB_ERROR_MEMORY. A file that is damaged, cut or of another
 *         scene leaves the world as it was; where the ways differ, or the device fails, the world is lost.
 */
CAB_API cab_status cab_world_load(cab_world *world, const char *path, cab_error *error);

/** The same in memory: *state is an array of *size bytes, to be freed with free(). */
CAB_API cab_status cab_world_pack(cab_world *world, void **state, size_t *size, cab_error *error);
CAB_API cab_status cab_world_unpack(cab_world *world, const void *state, size_t size, cab_error *error);

#ifdef __cplusplus
}
#endif
#endif
