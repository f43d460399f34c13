/* clcable: cables as joints between planar rigid bodies, with pinch joints.
 *
 * A cable is massless: straight segments between bodies, and links that hold on to a body or are wrapped
 * round it. It rolls, slides with friction, is caught by bodies that run into it, and where two bodies come
 * close it is pinched between them (docs/methods/planar.md). Everything lies in a plane, x to the right, y
 * up, angles counterclockwise; SI units. One world holds any number of scenes that know nothing of each
 * other.
 */
#ifndef CLCABLE_PLANAR_H
#define CLCABLE_PLANAR_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a body may move. */
typedef enum cab_planar_motion {
    CAB_PLANAR_DYNAMIC = 0, /**< freely */
    CAB_PLANAR_AXLE,        /**< it turns about a fixed centre */
    CAB_PLANAR_STATIC       /**< not at all, or at the given constant speeds */
} cab_planar_motion;

#define CAB_PLANAR_MAX_CORNERS 8

/** A body. Fill with cab_planar_body_default(). */
typedef struct cab_planar_body_def {
    const char *name; /**< unique in its scene, not NULL; copied */
    cab_planar_motion motion;
    double position[2]; /**< m; of a circle's centre, of a polygon's origin; [0, 0] */
    double angle;       /**< rad; 0 */
    double radius;    /**< m; of a circle, 1e-6 to 1e6; round the corners of a polygon, 0 to 1e6; default 0 */
    int corner_count; /**< 0 = a circle (default); 3 to 8 = a convex polygon */
    double corners[CAB_PLANAR_MAX_CORNERS][2]; /**< m, from `position`, counterclockwise */
    double mass;                               /**< kg, 1e-9 to 1e9; 1; no meaning for a static one */
    double inertia;        /**< kg m^2 about the centre of mass; 0 = of a uniform body (default) */
    double velocity[2];    /**< m/s; [0, 0] */
    double spin;           /**< rad/s; 0 */
    double force[2];       /**< N, constant; [0, 0] */
    double torque;         /**< N m, constant; 0 */
    double motor_speed;    /**< rad/s; what the motor aims at; 0 */
    double motor_torque;   /**< N m, at most; 0 = no motor (default) */
    double friction;       /**< Coulomb, against bodies, 0 to 1000; a pair takes the geometric mean; 0.3 */
    double restitution;    /**< 0 to 1; a pair takes the larger; 0 */
    double cable_friction; /**< Coulomb, of cables that slide on it, 0 to 1000; -1 = they only roll; -1 */
    double linear_damping, angular_damping; /**< 1/s; 0 */
    double gravity;                         /**< factor of the scene's gravity; 1 */
    bool cables;                            /**< cables run against it; true */
    bool collides;                          /**< it meets other bodies; true */
    int group; /**< bodies of one group do not meet each other; 0 = none (default) */
} cab_planar_body_def;

CAB_API cab_planar_body_def cab_planar_body_default(void);

typedef enum cab_planar_link_kind {
    CAB_PLANAR_LINK_POINT = 0, /**< fixed to a point of the body: ends of a cable */
    CAB_PLANAR_LINK_ROLL,      /**< wrapped on the body: not an end */
    CAB_PLANAR_LINK_REEL       /**< an end that is wound up on the body */
} cab_planar_link_kind;

/** Where a cable touches a body. */
typedef struct cab_planar_link_def {
    const char *body; /**< NULL = the world: a point that stays where it is */
    cab_planar_link_kind kind;
    double point[2]; /**< m; of a point, from the body's position, turning with it */
    int spin;        /**< of roll and reel: 1 = the cable runs counterclockwise round the body, -1 */
    int turns;       /**< of roll: whole turns more than the way from tangent to tangent; 0 */
    double stored;   /**< of a reel: cable on it, m */
    bool thickening; /**< of a reel: its turns lie on each other, the n-th (2 n - 1) half widths outside of
                        the body, instead of side by side; false */
} cab_planar_link_def;

/** A cable, its links from start to end. Fill with cab_planar_cable_default(). */
typedef struct cab_planar_cable_def {
    const char *name;            /**< unique among the scene's cables, not NULL; copied */
    double radius;               /**< m; half of its width, 1e-9 to 1e6; 0.005 */
    double stretching_stiffness; /**< EA, N; 0 = it does not stretch (default) */
    double length_factor; /**< rest lengths of the straight parts at the start, over their lengths; 1; less
                             than 1 = it is taut */
    bool loop;            /**< the last link is followed by the first; then all links roll; false */
    const cab_planar_link_def *links; /**< copied */
    int link_count;                   /**< at least 2 */
} cab_planar_cable_def;

CAB_API cab_planar_cable_def cab_planar_cable_default(void);

/** What a cable does where bodies pinch it. */
typedef enum cab_planar_pinch {
    CAB_PLANAR_OFF = 0,     /**< nothing: bodies meet through it */
    CAB_PLANAR_CONTACT_OFF, /**< it is led between them, but keeps them no distance apart */
    CAB_PLANAR_FULL         /**< it keeps them its width apart (default) */
} cab_planar_pinch;

#define CAB_PLANAR_MAX_PIECES 64

/** Settings of a scene, made with their defaults by cab_planar_scene_create(). */
typedef struct cab_planar_settings {
    double gravity[2];     /**< m/s^2; [0, -9.81] */
    double duration;       /**< s; 1 */
    double frame_rate;     /**< 1/s, steps; 60 */
    int substeps;          /**< of the solver in a step, 1 to 1000; 8 */
    int iterations;        /**< of the solver in a substep, 1 to 1000; 2 */
    double pinch_friction; /**< what takes the place of mu theta where a wrapped cable is pinched; 0.5 */
    cab_planar_pinch pinch;
    int slack_pieces; /**< pieces that a slack segment is subdivided into, an even number up to
                         CAB_PLANAR_MAX_PIECES; 0 = it stays straight; 16 */
    bool sleep;       /**< what rests falls asleep, until something awake comes near; false */
    int max_joints;   /**< room for joints; 0 = by the number of bodies and links (default) */
} cab_planar_settings;

typedef struct cab_planar_scene cab_planar_scene;

/** NULL when there is no memory. Free with cab_planar_scene_destroy(). */
CAB_API cab_planar_scene *cab_planar_scene_create(void);
CAB_API void cab_planar_scene_destroy(cab_planar_scene *scene);
CAB_API cab_planar_settings *cab_planar_scene_settings(cab_planar_scene *scene);

/** Both: CAB_OK, CAB_ERROR_INPUT (the message says what is wrong) or CAB_ERROR_MEMORY. */
CAB_API cab_status cab_planar_add_body(cab_planar_scene *scene, const cab_planar_body_def *def,
                                       cab_error *error);
CAB_API cab_status cab_planar_add_cable(cab_planar_scene *scene, const cab_planar_cable_def *def,
                                        cab_error *error);

/** Reads a scene whose top-level key is "planar" (docs/scene.md). `overrides` as in cab_scene_load(). */
CAB_API cab_status cab_planar_scene_load(const char *path, const char *const *overrides, int override_count,
                                         cab_planar_scene **scene, cab_error *error);

/** The stages of a step, in their order: the words of Algorithm 1 of the thesis on pinched cable joints. */
typedef enum cab_planar_stage {
    CAB_PLANAR_UPDATE_SEGMENTS = 0,   /**< tangents; what has rolled on and off */
    CAB_PLANAR_REMOVE_JOINTS,         /**< where the cable has left a body */
    CAB_PLANAR_SEGMENT_INTERSECTIONS, /**< bodies that a segment has met */
    CAB_PLANAR_ADD_JOINTS,
    CAB_PLANAR_PINCH_BROAD,     /**< pairs of bodies by their boxes */
    CAB_PLANAR_PINCH_NARROW,    /**< by their shapes */
    CAB_PLANAR_PINCH_CONFIRM,   /**< is there a cable between them? */
    CAB_PLANAR_CONFIGURE_PINCH, /**< joints that lead it there */
    CAB_PLANAR_SLIDING_UPDATE,
    CAB_PLANAR_SEGMENTS_INIT,
    CAB_PLANAR_CONTACTS_INIT,
    CAB_PLANAR_SOLVER,
    CAB_PLANAR_SLACK, /**< not of the thesis: slack segments hang */
    CAB_PLANAR_SLEEP, /**< not of the thesis: what rests is frozen */
    CAB_PLANAR_STAGE_COUNT
} cab_planar_stage;

/** "update_segments" and so on. Static storage. */
CAB_API const char *cab_planar_stage_name(cab_planar_stage stage);

typedef struct cab_planar cab_planar;

/** Puts scenes on a device. The same scene may be given many times. `def` is that of a world; `profile` times
 * the stages and `threads`, `device`, `kernel_dir`, `cache_dir` and `log` mean the same.
 *
 * @return CAB_OK; CAB_ERROR_DEVICE: none, or one without 64-bit numbers; CAB_ERROR_MEMORY. On success *planar
 *         must be freed with cab_planar_destroy(). The scenes may go.
 */
CAB_API cab_status cab_planar_create(const cab_planar_scene *const *scenes, int count,
                                     const cab_world_def *def, cab_planar **planar, cab_error *error);
CAB_API void cab_planar_destroy(cab_planar *planar);

/** Takes all scenes through so many steps.
 *
 * @return CAB_OK; CAB_ERROR_DEVICE */
CAB_API cab_status cab_planar_step(cab_planar *planar, int steps, cab_error *error);

/** Pulls a point of a body to a place, from the next step on: a spring, critically damped, that has the
 * frequency with the body's mass. One body of a scene is pulled at a time; the one before is let go. The same
 * body with another target goes on being pulled.
 *
 * @param point m; from the body's centre of mass, turning with it
 * @param target m
 * @param frequency 1/s; 1e-3 to 1e3. Steps stay stable with any
 * @param force N; the spring's is never more: above 0, up to 1e12
 * @return CAB_OK; CAB_ERROR_INPUT: no such scene or body, one that is static, or a number that is not in its
 *         range; CAB_ERROR_DEVICE
 */
CAB_API cab_status cab_planar_pull(cab_planar *planar, int scene, int body, const double point[2],
                                   const double target[2], double frequency, double force, cab_error *error);

/** Lets go of what is pulled, if anything is.
 *
 * @return CAB_OK; CAB_ERROR_INPUT: no such scene; CAB_ERROR_DEVICE */
CAB_API cab_status cab_planar_let_go(cab_planar *planar, int scene, cab_error *error);

/** A body as it is now. */
typedef struct cab_planar_body {
    double position[2]; /**< m; of the centre of mass */
    double angle;       /**< rad, all turns counted */
    double velocity[2]; /**< m/s */
    double spin;        /**< rad/s */
} cab_planar_body;

/** A joint as it is now: its link, and the segment that leads to it. */
typedef struct cab_planar_joint {
    int cable, body; /**< indices, in the order in which they were added; the world's body is their count */
    cab_planar_link_kind kind;
    int spin;         /**< of roll and reel: 1 or -1 */
    double stored;    /**< cable on the body, m */
    double radius;    /**< of roll and reel: from the body's shape without its rounding to the middle of the
                         cable, of a thickening reel's outermost turn, m; of a point 0 */
    double tail[2];   /**< m; where the cable meets the body */
    double head[2];   /**< m; where it leaves it */
    bool has_segment; /**< false for the first joint of a cable that is no loop */
    double length;    /**< m; of the segment; it runs from the head of the joint before to the tail */
    double rest;      /**< m; may be negative where it is pinched */
    double slack;     /**< m; of the segment, rest over length; 0 where it is taut or pinched */
    int points;       /**< of the segment, as it hangs (cab_planar_read_points); 0 = it is straight */
    double tension;   /**< N, mean over the last step */
    bool pinched;     /**< the segment has no length: two bodies pinch it */
    bool middle;      /**< it leads a wrapped cable past a body that pinches it: a non-transitional pinch */
    int slide;        /**< on the link: 0 = it holds, 1 = cable slides towards the head, -1 the tail */
} cab_planar_joint;

/** Two bodies that touch, or may within a step. */
typedef struct cab_planar_contact {
    int a, b;           /**< bodies */
    int count;          /**< of points, 1 or 2 */
    bool pinched;       /**< there is a cable between them */
    double point[2][2]; /**< m */
    double normal[2];   /**< from a to b */
    double gap[2];      /**< m, between the surfaces of the bodies, at the start of the step */
    double margin;      /**< m, that they keep */
    double impulse[2];  /**< N s, of the last substep */
} cab_planar_contact;

/** Counts and sums of one scene. */
typedef struct cab_planar_stats {
    int bodies, cables;
    int joints, segments;          /**< now */
    int transitional;              /**< pinched segments between two wraps */
    int non_transitional;          /**< bodies that pinch a wrapped cable */
    int contacts;                  /**< pairs of bodies with a cable between them */
    int body_contacts;             /**< all pairs of bodies that touch or may within a step */
    int asleep;                    /**< bodies that sleep */
    int broad_pairs, narrow_pairs; /**< that the phases found in the last step */
    int added, removed, merged;    /**< joints, since the start */
    int dropped;   /**< times that there was no room for a joint, a pair or a contact, since the start */
    int points;    /**< of all slack segments that are subdivided */
    double slack;  /**< m; of all segments */
    double length; /**< m; rest and stored lengths of all cables */
    double length_error;  /**< the largest over its cables of |length now/at the start - 1| */
    double tension_max;   /**< N */
    double stretch_max;   /**< m; of a segment over its rest length */
    double clearance_min; /**< m; smallest gap between bodies with a cable between them, less what it keeps
                             them apart; 0 without any */
} cab_planar_stats;

CAB_API int cab_planar_scenes(const cab_planar *planar);
CAB_API double cab_planar_time(const cab_planar *planar); /**< s, of the first scene */
CAB_API cab_device_info cab_planar_device(const cab_planar *planar);
CAB_API const char *cab_planar_body_name(const cab_planar *planar, int scene, int body);
CAB_API const char *cab_planar_cable_name(const cab_planar *planar, int scene, int cable);

/** Each reads one scene from the device. Counts come from the stats; joints are in the order of the cables.
 * Points are those of the subdivided segments, in the order of their joints, each from the head of the joint
 * before to its tail. Of contacts those that are pinched and those that are not.
 *
 * @return CAB_OK; CAB_ERROR_INPUT: no such scene; CAB_ERROR_DEVICE; of the stats also CAB_ERROR_DIVERGED: a
 *         body is nowhere any more
 */
CAB_API cab_status cab_planar_get_stats(cab_planar *planar, int scene, cab_planar_stats *stats,
                                        cab_error *error);
CAB_API cab_status cab_planar_read_bodies(cab_planar *planar, int scene, cab_planar_body *bodies,
                                          cab_error *error);
CAB_API cab_status cab_planar_read_joints(cab_planar *planar, int scene, cab_planar_joint *joints,
                                          cab_error *error);
CAB_API cab_status cab_planar_read_points(cab_planar *planar, int scene, double (*points)[2],
                                          cab_error *error);
CAB_API cab_status cab_planar_read_contacts(cab_planar *planar, int scene, cab_planar_contact *contacts,
                                            cab_error *error);

/** Seconds spent in each stage since the start; zeros unless the world was made with `profile`. */
CAB_API void cab_planar_get_times(const cab_planar *planar, double seconds[CAB_PLANAR_STAGE_COUNT]);

#ifdef __cplusplus
}
#endif
#endif
