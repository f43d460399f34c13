/* clcable: what the user says. A scene is built from plain structs or read from a JSON file.
 *
 * Units are SI, axes right-handed, z up. A scene copies everything it is given, strings and arrays included,
 * so the caller's memory may go as soon as a call returns.
 *
 * Fill every def with its cab_..._default() function first: a field added later then keeps old callers right.
 */
#ifndef CLCABLE_SCENE_H
#define CLCABLE_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "body.h"
#include "settings.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cab_scene cab_scene;

/** A keyframe: at time `t` (s, from the start of the run) the target is at `position` (m). Of a load's force
 * the position is the force (N). */
typedef struct cab_keyframe {
    double t;
    cab_vec3 position;
} cab_keyframe;

/** What a cable is made of. */
typedef struct cab_material_def {
    const char *name;      /**< unique, not empty */
    double radius;         /**< m, > 0; required */
    double linear_density; /**< kg/m, > 0; required. Masses are lumped: an end particle gets half a segment */
    double stretching_stiffness; /**< EA, N, > 0; INFINITY = inextensible (default) */
    double bending_stiffness;    /**< EI, N m^2, >= 0; 0 = none (default). The same cable at any number of
                                    segments */
    double
        twisting_stiffness; /**< GJ, N m^2, >= 0; 0 = clamps do not hold the roll (default). An error with methods other than
                                    direct, between clamps without bending_stiffness, on a drum, and with bending_damping where a clamp inside holds the roll. With
                                    rest_shape_path, second_bending_stiffness or yield_curvature each segment has a director */
    double damping;  /**< 1/s, >= 0; 0. Rate at which velocity decays; does not move the static shape */
    double air_drag; /**< drag coefficient of a cylinder of that radius in air of 1.2 kg/m^3, >= 0; 0. Across
                          the cable: F = Cd rho r l v^2 (round cylinders: about 1.1) */
    double air_drag_along;  /**< the same along the cable, of the same area; >= 0; 0 (smooth cables: about
                               0.03) */
    double friction;        /**< Coulomb coefficient, >= 0; 0.3. A pair takes the geometric mean */
    double min_bend_radius; /**< m, >= 0; 0 = no limit. For reports only */
    bool rest_shape_path;   /**< the unbent shape is the initial one instead of a straight line; false */
    bool constant_volume;   /**< contact sees a stretched segment as thinner, r sqrt(rest / length), down to
                               r / 2; never as thicker than r. Drag and output keep r; false */
    double
        second_bending_stiffness; /**< EI about the section's second axis, N m^2, >= 0; 0 = bending_stiffness, which is about the
                                        first one else (cab_cable_def.section_axis). Needs twisting_stiffness */
    double
        rest_share; /**< with rest_shape_path: what share of the curvature as drawn is there at rest, 0 to 1; 1 */
    double
        yield_curvature; /**< 1/m, >= 0; what is bent by more than this beyond its rest stays so; 0 = never. Needs
                               twisting_stiffness */
    double
        bending_damping; /**< tau, s, >= 0; 0. Moment EI (kappa + tau dkappa/dt): damps how a cable bends, not how
                               it moves or turns, and does not move the static shape. An error with methods other
                               than direct */
} cab_material_def;

CAB_API cab_material_def cab_material_default(void);

typedef enum cab_curve {
    CAB_CURVE_POLYLINE = 0,
    CAB_CURVE_CATMULL_ROM /**< extended Catmull-Rom: quarter tangents, glued Bezier pieces (thesis, 2.1.7) */
} cab_curve;

/** Length of cable that has come off a drum by the time `t`. */
typedef struct cab_feed_keyframe {
    double t;      /**< s, from the start of the run */
    double length; /**< m; below 0 = reeled in */
} cab_feed_keyframe;

/** A drum at one end of a cable, which pays cable out and reels it in along keyframes: linear between them,
 * held before the first and after the last. The end must be held by a hard attachment to "here", a point or
 * keyframes, without clamp and break_force: that is where the cable leaves the drum. Nothing else may hang
 * on, hold or join what comes onto the drum. Methods xpbd, way coloured, and direct, way staged. Not with double distances, a curved
 * rest shape, air drag, bending_damping or constraints of the user's own on that cable. */
typedef struct cab_feed_def {
    const cab_feed_keyframe *keyframes; /**< NULL = no drum. Times increasing; 0 m at t = 0; never more than
                                             `stored`, nor less than leaves a quarter of the last segment; in
                                           a substep at most half a segment */
    int keyframe_count;
    bool at_end;   /**< the drum is at the cable's end; false: at its start */
    double stored; /**< m, >= 0; 0. On the drum at the start, beyond the cable's path. Goes into segments like
                        the others, whose particles count along the cable and lie at the drum */
} cab_feed_def;

/** Largest number of a group. */
#define CAB_GROUP_MAX 4000000
/** The group of a collider that all groups touch. */
#define CAB_GROUP_ALL (-1)

/** Most covers of a cable, and most runs of segments that are made of the same. */
#define CAB_COVERS 63
#define CAB_RUNS (2 * CAB_COVERS + 1)

/** A part of a cable that has another material, too: a tube or tape over it, or another piece of cable. The
 * nearest particles are moved to its ends. Where several cover the same part they count in their order. */
typedef struct cab_cover_def {
    double from, to;      /**< fractions of the length, 0 to 1, from < to */
    const char *material; /**< name of a material already added */
    bool instead; /**< true: its values take the place of the cable's but for rest shape and volume. false
                     (default): it lies over the cable. Linear density and bending stiffness are added,
                     damping is the mean by mass, the larger radius and smallest bend radius count, friction
                     and air drag are the cover's, stretching stiffness stays the cable's */
} cab_cover_def;

/** What some parts of a bundle, or all of it, give to its stiffness; for reports only. */
typedef struct cab_bundle_row_def {
    const char *
        part; /**< of the first row "bundle", all of it; else kind and name, "wire W05", "tape T1"; not empty */
    int count;         /**< how many, 1 to 1000000 */
    double from, to;   /**< where they lie: fractions of the length, 0 to 1, from < to */
    double bending[3]; /**< EI, N m^2, >= 0: while parts slip on one another; bonded as one rod; as taken */
    double stretching[3]; /**< EA, N, >= 0: the same */
} cab_bundle_row_def;

/** Where the particles of a cable are, where its segments are not all equal: by one of these two, the other
 * NULL. What names a fraction of the length at which no particle is still moves the nearest one there. */
typedef struct cab_division_def {
    const double
        *lengths;     /**< [length_count] rest lengths of the segments from the cable's start, m. They add up
                                to its length, but for length_tolerance, within 0.1 %; what they are off by is
                                taken up by all in proportion */
    int length_count; /**< then cab_cable_def.segments is 0, or as many */
    const double
        *places;     /**< [place_count] fractions of the length, 0 to 1, increasing: a particle is at each,
                                and the longest of the segments between them is as short as can be */
    int place_count; /**< 0 and 1 not counted fewer than segments; those by default are as many as it takes */
} cab_division_def;

/** The velocity at a place of a cable. */
typedef struct cab_velocity_row {
    double at;         /**< fraction of the length, 0 to 1 */
    cab_vec3 velocity; /**< m/s */
} cab_velocity_row;

/** How a cable moves at the start where not all of it moves alike: by one of these three, the others NULL.
 * What is held moves as what holds it. What of it would stretch the cable is gone after the first substep. */
typedef struct cab_start_motion_def {
    const cab_vec3 *velocities;    /**< [velocity_count] m/s of each particle */
    int velocity_count;            /**< segments + 1; what is on a drum does not count */
    const cab_velocity_row *along; /**< [along_count] linear between rows; the first and last hold beyond */
    int along_count;               /**< at least 1; places increasing */
    const cab_vec3 *path; /**< [path_count] where it was `before` seconds ago, m: control points of the same
                               curve, with particles at the same fractions of it as now. Velocity is the way
                               from there, as the path is drawn now, over that time */
    int path_count;       /**< at least 2 */
    double before;        /**< s, 1e-9 to 1e9 */
} cab_start_motion_def;

/** One cable, or a grid of equal cables. */
typedef struct cab_cable_def {
    const char *name;        /**< unique, not empty */
    const char *material;    /**< name of a material already added */
    const cab_vec3 *path;    /**< control points, m; neighbours must differ */
    int path_count;          /**< at least 2 */
    cab_curve curve;         /**< CAB_CURVE_POLYLINE */
    int segments;            /**< 1 to 1000000; 0 = one per 20 mm of path, at least 2 */
    double length;           /**< rest length, m, > 0; 0 = the path's own length */
    double length_tolerance; /**< share by which it is longer than that, -0.5 to 10; 0 */
    cab_vec3 velocity;       /**< initial, m/s; 0 */
    cab_vec3
        section_axis; /**< first axis of the section at the cable's start, made at right angles to it there; it
                              goes along the cable as drawn without twisting. 0 = z, or where the cable goes along z
                              the axis that is most at right angles to it */
    cab_division_def division;   /**< into segments that are not equal; none. Not with a feed */
    cab_start_motion_def motion; /**< counts instead of `velocity`, the same for each copy; none */
    int copies[3];               /**< along x, y, z, each >= 1; 1, 1, 1. Copies are called "a[i,j,k]" */
    double spacing[3];           /**< between copies, m; 0, 0, 0 */
    cab_feed_def feed;           /**< none. Each copy has a drum of its own */
    const cab_cover_def *covers; /**< [cover_count] NULL. Not with a feed */
    int cover_count;             /**< 0 to CAB_COVERS; 0 */
    const char *const *parts;    /**< [part_count] names of the parts that it is made of, as the wires of a
                                    bundle, none empty: for limits of reports only. NULL */
    int part_count;              /**< 0 */
    const cab_bundle_row_def
        *bundle;      /**< [bundle_count] what its stiffness comes from: for reports only. NULL */
    int bundle_count; /**< 0 */
    int group; /**< 0 to CAB_GROUP_MAX; 0. Cables, sheets and colliders of different groups do not touch:
                  worlds side by side in one. Of scenes built in memory only, files have no key for it */
} cab_cable_def;

CAB_API cab_cable_def cab_cable_default(void);

/** Links across the cells of a rectangle: what keeps it from shearing. */
typedef enum cab_diagonals {
    CAB_DIAGONALS_NONE = 0,
    CAB_DIAGONALS_ONE, /**< from (i, j) to (i + 1, j + 1) */
    CAB_DIAGONALS_BOTH
} cab_diagonals;

/** Particles and the links between them: a piece of cloth, a net, a plant, a stick. Either a rectangle
 * (count[0] > 0) or points. Its links are pieces of the material, as the segments of a cable are, and are
 * kept at the lengths that they start with. Segments of a sheet touch colliders and cables, not one another.
 */
typedef struct cab_sheet_def {
    const char *name;     /**< unique among cables and sheets, not empty */
    const char *material; /**< name of a material already added; without bending_stiffness: sheets bend by
                             double_distance */
    cab_vec3 corner;      /**< rectangle: where particle (0, 0) is, m */
    cab_vec3 along;       /**< from there to the end of the first row, m; not 0 */
    cab_vec3 across;      /**< from there to the start of the last row, m; not 0, not parallel to `along` */
    int count[2];         /**< rectangle: particles along and across, each 2 to 1000000, at most 10000000
                             together; 0, 0 = points. Particle (i, j) is number i + count[0] j */
    cab_diagonals diagonals; /**< rectangle: CAB_DIAGONALS_NONE */
    const cab_vec3 *points;  /**< [point_count] m; each has a face or a stick */
    int point_count;
    const int *faces; /**< [face_count][4] point numbers, around; the last -1 = a triangle. Their edges are
                         links, each once */
    int face_count;
    const int *sticks; /**< [stick_count][2] point numbers: more links */
    int stick_count;
    double area_density; /**< kg/m^2, >= 0; each corner of a face takes an equal share of it, and links weigh
                            nothing. 0 (default) = links weigh their length times the material's
                            linear_density */
    cab_vec3 velocity;   /**< initial, m/s; 0 */
    int group;           /**< as of a cable */
} cab_sheet_def;

CAB_API cab_sheet_def cab_sheet_default(void);

typedef enum cab_place_kind {
    CAB_PLACE_START = 0,
    CAB_PLACE_END,
    CAB_PLACE_FRACTION, /**< 0 to 1 of the length; the nearest particle is moved to that place of the curve */
    CAB_PLACE_PARTICLE, /**< an index: 0 to the number of segments, or to that of a sheet's particles - 1 */
    CAB_PLACE_CORNER    /**< of a sheet that is a rectangle */
} cab_place_kind;

/** A place along a cable, or a particle of a sheet (CAB_PLACE_PARTICLE, CAB_PLACE_CORNER). */
typedef struct cab_place {
    cab_place_kind kind;
    double fraction; /**< for CAB_PLACE_FRACTION */
    int particle; /**< for CAB_PLACE_PARTICLE; for CAB_PLACE_CORNER 0 to 3: bit 0 = at the end along, bit 1 =
                     at the end across */
} cab_place;

typedef enum cab_target_kind {
    CAB_TARGET_HERE = 0,  /**< the particle's initial place */
    CAB_TARGET_POINT,     /**< a fixed point */
    CAB_TARGET_CABLE,     /**< a place on another cable: both share one particle from then on */
    CAB_TARGET_COLLIDER,  /**< rides along with a collider, where it starts or, with `at_point`, at `point` */
    CAB_TARGET_KEYFRAMES, /**< linear between keyframes, held before the first and after the last */
    CAB_TARGET_SHEET,     /**< a particle of a sheet, shared from then on */
    CAB_TARGET_BODY       /**< a place of a rigid body, as of a collider; it pulls at that */
} cab_target_kind;

/** What holds: under which key a scene file lists it. */
typedef enum cab_part {
    CAB_PART_ATTACHMENT = 0,
    CAB_PART_CLIP,     /**< the cable slides through it with friction */
    CAB_PART_CONNECTOR /**< a lump at a cable's end that mates with its counterpart */
} cab_part;

/** A keyframe of a clamp's roll. */
typedef struct cab_roll_keyframe {
    double t;    /**< s, from the start of the run */
    double roll; /**< rad */
} cab_roll_keyframe;

/** Holds a place of a cable or of a sheet. On a cable with copies it applies to each of them.
 *
 * A clip is a soft attachment whose target moves as Coulomb's friction lets it: along `direction` it slides
 * when it bears more than grip + friction times the force across; across it is free within `play`. The place
 * of the cable that it holds stays the same. It lets go by `break_force`. Start with cab_clip_default().
 *
 * A connector is a soft attachment of a cable's end to where it mates. Until then the end is led along
 * `hand_keyframes`, or is free where there are none; it latches at the end of the first frame in which it is
 * no further than `capture_radius` from the line of insertion and has come in, that is between
 * `insertion_depth` before its place and `capture_radius` behind; over the next frame it is drawn home.
 * Pulled by more than `break_force` it comes out, and stays out. Start with cab_connector_default(). */
typedef struct cab_attachment_def {
    const char *cable; /**< "a", or one copy "a[0,1,0]" */
    const char *sheet; /**< instead of `cable`; NULL. Then `clamp`, `break_force` and `release_distance` must
                          be as by default, as they must with CAB_TARGET_SHEET */
    cab_place at;      /**< CAB_PLACE_START */
    cab_target_kind to;
    cab_vec3 point; /**< for CAB_TARGET_POINT, and with at_point for _COLLIDER, m; moves with the copy. With
                       at_point for CAB_TARGET_BODY: in the body's own axes, m */
    bool at_point;  /**< for CAB_TARGET_COLLIDER and _BODY: it is held at `point`, as if drawn there; false */
    const char *target;            /**< for CAB_TARGET_CABLE, _SHEET, _COLLIDER and _BODY: its name */
    cab_place target_at;           /**< for CAB_TARGET_CABLE and CAB_TARGET_SHEET */
    const cab_keyframe *keyframes; /**< for CAB_TARGET_KEYFRAMES, times increasing; move with the copy */
    int keyframe_count;
    bool
        clamp; /**< also hold the direction, to a cable the angle; false. Of a cable with twisting_stiffness the roll, too, and two of
                           them that it puts end to end pass their roll on to one another (docs/scene.md, Twist). Of a connector only with
                           hand_keyframes or CAB_TARGET_HERE */
    double break_force; /**< N, > 0; INFINITY = never (default). Compared with the mean over a frame */
    double compliance;  /**< m/N, >= 0; 0 = hard (default): the particle is where it is held. Else soft: it is
                             free and a spring of 1/compliance pulls it there. Not to a cable; xpbd coloured,
                             direct staged */
    double
        release_distance; /**< m, > 0; INFINITY = never (default). A soft one lets go for good at the end of
                               the first frame in which the particle is further than this from its target */
    cab_part part;        /**< CAB_PART_ATTACHMENT. What follows is for clips and connectors */
    const char *name;     /**< for reports; NULL. At most 200 bytes, need not be unique */
    cab_vec3 direction; /**< clip: its axis; (0, 0, 0) = as the cable is drawn there (default). Connector: in
                           which it is pushed in; required. Any length but 0; fixed in space */
    double play;        /**< clip: how far the cable may be off the axis before it is held, m, >= 0; 0 */
    double friction;    /**< clip: Coulomb coefficient along the axis, >= 0; 0.3 */
    double grip;        /**< clip: friction without any force across, N, >= 0; 0 */
    double travel; /**< clip: how far the cable may slide from where it began, either way, m, >= 0; INFINITY
                      = as far as it will (default). There it stops */
    double mass;   /**< connector: at the end, kg, >= 0; 0 */
    double insertion_depth;             /**< connector: m, > 0; 0.01 */
    double capture_radius;              /**< connector: m, > 0; 0.005 */
    const cab_keyframe *hand_keyframes; /**< connector: where a hand leads the end until it is mated; NULL =
                                           it is free. As `keyframes` */
    int hand_keyframe_count;
    double
        roll; /**< with `clamp`, of a cable with twisting_stiffness: by how much it is rolled about the tangent, from start to
                    end of the cable and right-handed, rad; 0 = as the cable is drawn, which is untwisted */
    const cab_roll_keyframe *
        roll_keyframes; /**< count instead of `roll`; NULL = none. Times increasing; linear between them, held
                                                before the first and after the last. At most half a turn a substep */
    int roll_keyframe_count;
    bool roll_free; /**< the clamp holds the direction, but not the roll; false */
} cab_attachment_def;

CAB_API cab_attachment_def cab_attachment_default(void);
/** The same with part CAB_PART_CLIP and a compliance of 2e-5 m/N. `to` may be here, a point, keyframes or a
 * collider. */
CAB_API cab_attachment_def cab_clip_default(void);
/** With part CAB_PART_CONNECTOR and a compliance of 1e-6 m/N. `to` may be here, a point or a collider. */
CAB_API cab_attachment_def cab_connector_default(void);

/** Most cables of a tie. */
#define CAB_TIE_CABLES 64

/** A ring around some cables that keeps them together: a cable tie, or a stretch of tape. Every two of them
 * are kept no further apart than in a ring of that radius; they may slide along one another by as much as
 * they lie apart along the bundle at the start. Methods xpbd (coloured) and direct (staged), without sleep.
 */
typedef struct cab_tie_def {
    const char *name;          /**< for reports; NULL */
    const char *const *cables; /**< [cable_count] "a", or one copy "a[0,1,0]"; all different */
    int cable_count;           /**< 2 to CAB_TIE_CABLES */
    cab_place
        from;   /**< on the first cable; the others are tied where they are drawn nearest. CAB_PLACE_START */
    bool range; /**< a tape: at every particle of the first cable from there to `to`; false */
    cab_place to;
    double
        radius; /**< of the ring, inside, m; 0 = as the cables need: their cross section fills 0.64 of it */
} cab_tie_def;

CAB_API cab_tie_def cab_tie_default(void);

/** Something that hangs on, pulls at or turns a place of a cable. On a cable with copies it applies to each.
 */
typedef struct cab_load_def {
    const char *cable;
    const char *sheet; /**< instead of `cable`; NULL. Without moment */
    cab_place at;
    double mass;                         /**< kg, >= 0 */
    cab_vec3 force;                      /**< N; where there are keyframes they count instead */
    const cab_keyframe *force_keyframes; /**< NULL = the force stays as it is. Times increasing; linear
                                              between, held before the first and after the last */
    int force_keyframe_count;
    cab_vec3 moment; /**< N m; only at an end: a couple on the end segment, turning with it */
} cab_load_def;

CAB_API cab_load_def cab_load_default(void);

/** A place along a cable that is watched (cab_world_read_probes()). Nothing is held, loaded or moved there, and
 * the cable's particles stay where they are: all that is simulated is the same without it. */
typedef struct cab_probe_def {
    const char
        *name; /**< unique among probes, not empty, at most 200 bytes. On a cable with copies there is one on
                          each, called "name[i,j,k]" */
    const char *cable; /**< "a", or one copy "a[0,1,0]" */
    cab_place at;      /**< CAB_PLACE_START. A fraction is exactly that place, between two particles too */
} cab_probe_def;

CAB_API cab_probe_def cab_probe_default(void);

typedef enum cab_shape {
    CAB_SHAPE_PLANE = 0,
    CAB_SHAPE_SPHERE,
    CAB_SHAPE_CAPSULE,
    CAB_SHAPE_BOX,
    CAB_SHAPE_MESH, /**< triangles. Where every edge belongs to two of them that go round it in opposite ways
                        the mesh is watertight and solid: what is inside is pushed out. Otherwise it is a
                        surface with two sides */
    CAB_SHAPE_CYLINDER, /**< with flat ends */
    CAB_SHAPE_SHEAVE    /**< a wheel with a groove */
} cab_shape;

/** Triangles. */
typedef struct cab_mesh {
    cab_vec3 *vertices; /**< m; equal ones are taken for one */
    int vertex_count;   /**< 3 to 3000000 */
    int *triangles;     /**< [3 triangle_count] indices of vertices, counter-clockwise seen from outside. A
                             watertight mesh that is inside out is turned */
    int triangle_count; /**< 1 to 1000000; triangles without area are left out */
} cab_mesh;

/** Reads an OBJ file (points and polygons) or an STL file (binary or ASCII), by its ending. On success *mesh
 * must be freed with cab_mesh_free().
 *
 * @return CAB_OK, CAB_ERROR_IO, CAB_ERROR_MEMORY or CAB_ERROR_INPUT (the message names file, line and what
 * was expected)
 */
CAB_API cab_status cab_mesh_load(const char *path, cab_mesh *mesh, cab_error *error);

/** Frees what cab_mesh_load() allocated and clears the struct. */
CAB_API void cab_mesh_free(cab_mesh *mesh);

/** A rigid part of the world. Fields that a shape does not name are ignored. */
typedef struct cab_collider_def {
    const char *name; /**< NULL or unique */
    cab_shape shape;
    cab_vec3 center; /**< a point of the plane; the centre of sphere and box; `from`; the mesh's origin; m */
    cab_vec3 to;     /**< capsule, cylinder, sheave: the other end of its axis, m; only of a capsule `from` */
    cab_vec3 normal; /**< plane: pointing to the free side; any length but 0; (0, 0, 1) */
    double radius;   /**< sphere, capsule, cylinder; sheave: at the bottom of its groove; m, > 0 */
    cab_groove groove;                  /**< sheave; its angle 45 degrees */
    cab_vec3 half_extents;              /**< box; m, > 0 */
    double rotation[4];                 /**< box, mesh: quaternion w, x, y, z; any length but 0; 1, 0, 0, 0 */
    cab_mesh mesh;                      /**< mesh; copied with the rest */
    double scale;                       /**< mesh: of its coordinates, 1e-9 to 1e6; 1 */
    double friction;                    /**< Coulomb coefficient, >= 0; 0.3 */
    const cab_pose_keyframe *keyframes; /**< NULL = it stays. Times increasing; straight and at one rate of
                                             turning between them, held before the first and after the last.
                                             A plane can turn about its normal only */
    int keyframe_count;
    int group; /**< as of a cable; or CAB_GROUP_ALL */
} cab_collider_def;

CAB_API cab_collider_def cab_collider_default(void);

/** A number with a name, for an expression. */
typedef struct cab_parameter {
    const char *name; /**< letters, digits and "_"; not one that expressions know already */
    double value;
} cab_parameter;

/** Longest stencil of a constraint, particles. */
#define CAB_STENCIL_PARTICLES 8

typedef enum cab_constraint_type {
    CAB_CONSTRAINT_EQUALITY = 0, /**< C = 0 is kept */
    CAB_CONSTRAINT_INEQUALITY    /**< C >= 0 is kept: the constraint only ever pushes */
} cab_constraint_type;

/** What a callback sees of a constraint, and may change of it. Lives as long as the call. */
typedef struct cab_constraint_state {
    cab_vec3 *position;         /**< [count] m; of a `solve` to change. What it does to a held particle is
                                   dropped */
    const double *inverse_mass; /**< [count] 1/kg; 0 = held */
    int count;                  /**< particles of the stencil */
    double *lambda;    /**< the multiplier, 0 at the start of each substep; of a `solve` to use as it likes */
    double substep;    /**< h, s */
    double compliance; /**< as in the def */
    double rest;       /**< mean rest length of the stencil's segments, m */
    int cable;         /**< index into the world's cables */
    int particle;      /**< of that cable; the stencil's first */
    double
        stiffness; /**< pbd: the share k of the error to take away now, corrected if the method's is; else 1 */
} cab_constraint_state;

/** A constraint of the user's own on neighbouring particles of a cable: C(x) = 0 or C(x) >= 0, solved as in
 * XPBD (Macklin et al. 2016) with a gradient by central differences. The stencil slides along the cable:
 * there is a constraint at each place where it fits. On a cable with copies it applies to each copy.
 *
 * C is an `expression`, an `evaluate` or, in its place, a whole `solve`: one of the three. Callbacks run on
 * the device "native" only, on the thread that calls cab_world_step(), one after the other in the order of
 * the scene, cables and particles; they must not touch the world. Methods "xpbd" and "pbd" in the way
 * "coloured", "direct" in the way "staged".
 */
typedef struct cab_constraint_def {
    const char *name;   /**< NULL or unique; for messages */
    const char *cable;  /**< "a", or one copy "a[0,1,0]" */
    const int *stencil; /**< [stencil_count] offsets of the particles along the cable, from 0, increasing */
    int stencil_count;  /**< 1 to CAB_STENCIL_PARTICLES */
    bool once;          /**< only one, its first particle at `from`; false */
    cab_place from;     /**< no particle of a stencil lies before; CAB_PLACE_START */
    cab_place to;       /**< nor after; CAB_PLACE_END. Without meaning where `once` */
    cab_constraint_type type; /**< CAB_CONSTRAINT_EQUALITY; not with `solve` */
    double compliance; /**< alpha, >= 0; 0 = rigid. Energy C^2/(2 alpha): 1/(N m) times the square of C's
                          unit, so m/N where C is a length. xpbd, direct */
    double stiffness;  /**< pbd: the share k of the error that an iteration takes away, 1e-6 to 1; 1. With the
                          method's corrected_stiffness what all of them take away */
    double h; /**< half the span of a central difference, m, > 0; 0 = a hundredth of the stencil's mean rest
                 length (default). Not with `solve` */
    const char *expression;          /**< see docs/methods/own-constraints.md; NULL */
    const cab_parameter *parameters; /**< [parameter_count] names in the expression */
    int parameter_count;             /**< 0 to 64 */
    cab_vec3 origin; /**< places in the expression are counted from here, m; moves with the copy; (0, 0, 0) */
    /** C for these places, m; NULL. Must return the same for the same places. */
    double (*evaluate)(void *user, const cab_vec3 *positions, int count);
    /** Moves the particles itself, once an iteration; NULL. */
    void (*solve)(void *user, cab_constraint_state *state);
    void *user; /**< handed to the callbacks; what it points to must outlive every world of the scene */
} cab_constraint_def;

CAB_API cab_constraint_def cab_constraint_default(void);

/** An empty scene with default settings; NULL when memory is out. Free with cab_scene_destroy(). */
CAB_API cab_scene *cab_scene_create(void);

/** Reads a JSON scene file. On success *scene must be freed with cab_scene_destroy().
 *
 * @param overrides  "POINTER=VALUE" strings applied to the JSON before it is checked; may be NULL
 * @return CAB_OK, CAB_ERROR_IO (unreadable), CAB_ERROR_INPUT or CAB_ERROR_UNSUPPORTED (the message names the
 * file, the JSON pointer and what was expected)
 */
CAB_API cab_status cab_scene_load(const char *path, const char *const *overrides, int override_count,
                                  cab_scene **scene, cab_error *error);

/** The same from memory.
 *
 * @param file  begins messages; names of files in the scene are relative to its folder. Need not exist
 * @param text  JSON, `size` bytes of UTF-8
 */
CAB_API cab_status cab_scene_parse(const char *file, const char *text, size_t size,
                                   const char *const *overrides, int override_count, cab_scene **scene,
                                   cab_error *error);

/** Writes a scene file with changes: of the file at `path_in`, with overrides as of cab_scene_load(), a new
 * one at `path_out`, which may be the same. Layout is made anew, two spaces to a level, lines of 110 columns;
 * the order of keys stays, numbers are as short as they read back. Where `path_out` lies in another folder,
 * relative names of files in the scene are changed so that they name the same files. What is written can be
 * read: the changed scene is checked before. The file is complete or not there, as with cab_world_save().
 *
 * @return CAB_OK; as cab_scene_load(), cab_scene_check(); CAB_ERROR_IO (cannot be written)
 */
CAB_API cab_status cab_scene_save(const char *path_in, const char *const *overrides, int override_count,
                                  const char *path_out, cab_error *error);

/** Takes CAB_METHOD_DIRECT if it honours the scene, else CAB_METHOD_XPBD. The key against it; "": none; NULL: not asked. */
CAB_API void cab_scene_choose_method(cab_scene *scene);
CAB_API const char *cab_scene_method_against(const cab_scene *scene);

/** Takes as many substeps as CAB_METHOD_DIRECT needs, at least cab_settings.substeps: a cable that is curved at rest and hangs at one
 * place would gain energy with fewer. A scene file without `/time/substeps` is read so. Nothing changes with another method, with cables
 * of more than 200,000 segments in all, nor where no world can be made of the scene: whoever makes one is told why. */
CAB_API void cab_scene_choose_substeps(cab_scene *scene);
/** The cable for which cab_scene_choose_substeps() took more; NULL: none, or not asked. Lives as long as the scene. */
CAB_API const char *cab_scene_substeps_for(const cab_scene *scene);
/** Frees a scene. NULL is allowed. Worlds made from it live on. */
CAB_API void cab_scene_destroy(cab_scene *scene);
/** The scene's settings, to be read or changed until a world is made of them. Lives as long as the scene. */
CAB_API cab_settings *cab_scene_settings(cab_scene *scene);

/** Add one item. CAB_ERROR_INPUT names the item as a JSON pointer would, such as "/cables/3/segments". */
CAB_API cab_status cab_scene_add_material(cab_scene *scene, const cab_material_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_cable(cab_scene *scene, const cab_cable_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_sheet(cab_scene *scene, const cab_sheet_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_body(cab_scene *scene, const cab_body_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_attachment(cab_scene *scene, const cab_attachment_def *def,
                                            cab_error *error);
/** Other keyframes in the place of those that lead an attachment: as many as there are of a measured motion, without a text of them.
 *
 * @param attachment  counted over attachments, clips and connectors in the order in which they were added; its `to` is
 *                    CAB_TARGET_KEYFRAMES
 * @param keyframes   [count] is copied; times in s, increasing, positions in m; of copies of a cable for the first one, as in a file
 * @return CAB_OK; CAB_ERROR_INPUT (another attachment, none, a number that cannot be: the message names the row), CAB_ERROR_MEMORY;
 *         then the scene is as it was
 */
CAB_API cab_status cab_scene_set_keyframes(cab_scene *scene, int attachment, const cab_keyframe *keyframes,
                                           int count, cab_error *error);
CAB_API cab_status cab_scene_add_tie(cab_scene *scene, const cab_tie_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_load(cab_scene *scene, const cab_load_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_socket(cab_scene *scene, const cab_socket_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_probe(cab_scene *scene, const cab_probe_def *def, cab_error *error);
CAB_API cab_status cab_scene_add_collider(cab_scene *scene, const cab_collider_def *def, cab_error *error);
/** Of an expression that cannot be read the message tells the column, counted from 1. */
CAB_API cab_status cab_scene_add_constraint(cab_scene *scene, const cab_constraint_def *def,
                                            cab_error *error);

/** Checks a whole scene: names, joints, loads. Runs nothing and needs no device.
 *
 * @param warnings  called once for each warning with a line of text; may be NULL
 */
CAB_API cab_status cab_scene_check(const cab_scene *scene, void (*warnings)(void *user, const char *text),
                                   void *user, cab_error *error);

#ifdef __cplusplus
}
#endif
#endif
