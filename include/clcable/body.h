/* clcable: rigid bodies of a scene, on which cables end and which they touch. cab_scene_add_body() in scene.h adds one. */
#ifndef CLCABLE_BODY_H
#define CLCABLE_BODY_H

#include "settings.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a collider or a led body is, relative to where its def puts it: turned about its own point (a collider's `center`, the origin of a
 * body's axes), then moved. */
typedef struct cab_pose {
    cab_vec3 position;  /**< m */
    double rotation[4]; /**< quaternion w, x, y, z; any length but 0 */
} cab_pose;

/** Such a pose at time `t` (s, from the start of the run). */
typedef struct cab_pose_keyframe {
    double t;
    cab_pose pose;
} cab_pose_keyframe;

typedef enum cab_body_shape_kind {
    CAB_BODY_SPHERE = 0,
    CAB_BODY_CAPSULE,
    CAB_BODY_BOX,
    CAB_BODY_CYLINDER,
    CAB_BODY_SHEAVE
} cab_body_shape_kind;

/** The groove of a sheave, a wheel of `radius` at the bottom of that and as wide as it is from `from` to `to`: a part of a circle, then
 * straight flanks out to the rim. A cable fits into it whose radius is not above the groove's.
 */
typedef struct cab_groove {
    double radius; /**< of the circle, m, > 0 */
    double
        flange; /**< outer radius of the wheel, m, >= its `radius` + the groove's; the rim is wider than the groove opens there */
    double angle; /**< between both flanks, 0 to 3 rad; 0 = they are parallel */
} cab_groove;

/** A shape of a body, in the body's own axes. Cables touch it, colliders and other bodies. Fields that a kind does not name are ignored.
 */
typedef struct cab_body_shape_def {
    cab_body_shape_kind kind;
    cab_vec3 center; /**< sphere, box: m; capsule, cylinder, sheave: `from`, the centre of its first end, m */
    cab_vec3 to;     /**< capsule, cylinder, sheave: the centre of its other end, not `from`, m */
    double radius;   /**< all but the box; m, > 0 */
    cab_vec3 half_extents; /**< box; m, > 0 */
    double rotation[4];    /**< box: quaternion w, x, y, z; any length but 0; 1, 0, 0, 0 */
    cab_groove groove;     /**< sheave */
} cab_body_shape_def;

/** How a body can move. */
typedef enum cab_body_motion {
    CAB_BODY_FREE = 0, /**< as forces move it */
    CAB_BODY_HINGE,    /**< turns about an axis that is fixed in space */
    CAB_BODY_SLIDER,   /**< moves along an axis, without turning */
    CAB_BODY_BALL,     /**< turns about a point that is fixed in space */
    /* Led: nothing that pulls at it moves it. It needs neither mass nor inertia, and velocity and spin are 0. */
    CAB_BODY_FIXED,     /**< stays where it is */
    CAB_BODY_KEYFRAMES, /**< goes along keyframes */
    CAB_BODY_GIVEN      /**< goes where cab_world_set_body_pose() says, and else stays where it is */
} cab_body_motion;

/** A rigid body. Cables end on it (CAB_TARGET_BODY), with their places held, and with `clamp` their directions, and pull at
 * it; cables of its group touch its shapes, and push it. One that is led is moved by nothing, but takes along what ends on it and rubs
 * on what it touches. Bodies touch colliders, and each other within a group (`collide`). Method direct, staged, without sleep. Start
 * with cab_body_default(). */
typedef struct cab_body_def {
    const char *name;   /**< unique among bodies, at most 200 bytes */
    cab_vec3 position;  /**< of the origin of its own axes at the start, m */
    double rotation[4]; /**< of its own axes at the start, quaternion w, x, y, z; any length but 0 */
    cab_vec3 velocity;  /**< of its centre of mass at the start, m/s; of a slider that along its axis; 0 */
    cab_vec3 spin;      /**< angular velocity at the start, in the axes of space, rad/s; of a hinge that about
                            its axis; 0 */
    const cab_body_shape_def *shapes; /**< of one density; NULL. Where two overlap they weigh twice */
    int shape_count;
    double mass;     /**< kg, > 0; 0 = density times the volume of its shapes, or of a led one none */
    double density;  /**< of its shapes, kg/m^3, > 0; 0 = as the mass says. Not both */
    cab_vec3 center; /**< of mass, in its own axes, m; not looked at where there are shapes; 0 */
    cab_vec3
        inertia; /**< about the centre of mass and about its own axes, kg m^2, each > 0 and none above the
                         sum of both others; 0, 0, 0 = of its shapes */
    cab_body_motion motion;
    cab_vec3 point; /**< hinge: a point of the axis, ball: the point; in space at the start, m; moves with the
                       copy */
    cab_vec3 axis;  /**< hinge, slider: its direction in space; any length but 0 */
    double bearing_friction; /**< hinge: N m, slider: N; >= 0: Coulomb's, whatever the bearing carries; 0 */
    double motor_speed;      /**< hinge: rad/s, slider: m/s, which the motor would keep; 0 */
    double motor_most; /**< hinge: N m, slider: N; >= 0: the most that the motor gives; 0 = there is none */
    double friction;   /**< Coulomb coefficient of its surface, >= 0; 0.3 */
    int group;         /**< as of a cable; 0 */
    bool collide; /**< its shapes touch colliders and other bodies of its group that do so, too; true. What it
                             overlaps at the start by more than a twentieth of its reach it never touches */
    double damping; /**< of its motion through space, 1/s, >= 0: as cab_material_def.damping; 0 */
    const cab_pose_keyframe
        *keyframes;     /**< [keyframe_count] for CAB_BODY_KEYFRAMES, else NULL. Times increasing;
                                             straight and at one rate of turning between them, held before the
                                             first and after the last; of copies each from its own place */
    int keyframe_count; /**< for CAB_BODY_KEYFRAMES at least 1 */
    int copies[3]; /**< along x, y, z, each >= 1; 1, 1, 1. Copies are called "b[i,j,k]". Cables with as many
                          copies end on them one by one */
    double spacing[3]; /**< between copies, m; 0, 0, 0 */
} cab_body_def;

CAB_API cab_body_def cab_body_default(void);

/** One side of a socket: a place of a rigid body with axes, or of space. */
typedef struct cab_socket_side {
    const char
        *body; /**< "b", or one copy "b[0,1,0]"; NULL: of the socket only, which is fixed in space then */
    cab_vec3
        point; /**< in the body's own axes, or in space, m. Of the plug its foremost point, of the socket where that comes to */
    cab_vec3 axis; /**< in which the plug goes in, any length but 0; there */
    cab_vec3
        up; /**< a direction that is not along the axis, by which both sides see how the plug is rolled; (0, 0, 0) = z, and x
                           where the axis is nearer to z than 45 degrees (default) */
} cab_socket_side;

/** A row of a socket's friction. */
typedef struct cab_socket_row_def {
    double depth; /**< how deep the plug is in it, from its mouth, m, >= 0 */
    double force; /**< N, >= 0 */
} cab_socket_row_def;

/** A socket, into which a plug goes: both are rigid bodies, or the socket is fixed in space; one of them at least is moved by forces. Where the plug's
 * point comes to the mouth near the socket's axis it is caught, led onto that axis like by a chamfer within the first
 * `capture_radius` of its way, and goes along it, against friction, up to a stop; there a latch holds it. As long as it is in it both
 * bodies' shapes do not touch each other. Bodies with copies: as many of both, or of the plug alone where the socket is in
 * space, which is moved along then. Method direct (staged), without sleep. */
typedef struct cab_socket_def {
    const char *name;      /**< unique among sockets, not empty, at most 200 bytes */
    cab_socket_side plug;  /**< `body` is required */
    cab_socket_side to;    /**< where the plug is when it is home */
    double depth;          /**< from the mouth to home, m, > 0; required */
    double capture_radius; /**< how far beside the axis it is caught, m, > 0; 0.002 */
    double
        capture_angle; /**< at what angle between axes, and between `up` where it is keyed, rad, > 0 to 1; 0.2 */
    const cab_socket_row_def *
        friction; /**< against going in and out, depths increasing; linear between the rows, and as in the first and the last
                                             before and behind them; NULL = none. It holds the plug as long as less pushes */
    int friction_count;
    double
        compliance; /**< m/N, > 0; 1e-6: how far its guides, its stop and its latch give way; against turning as if they were
                                     half of `depth` away */
    bool keyed; /**< it keeps the plug from turning about the axis, too; true */
    bool latch; /**< it holds the plug when that is home; true */
    double
        pull_out_force; /**< N, > 0; INFINITY = never (default). Pulled by more, smoothed over 2 ms, the latch gives way; when the plug has been out it can latch again */
} cab_socket_def;

CAB_API cab_socket_def cab_socket_default(void);

#ifdef __cplusplus
}
#endif
#endif
