/* clcable: how a scene is computed: gravity, time, the method and the numbers of each method, contact. */
#ifndef CLCABLE_SETTINGS_H
#define CLCABLE_SETTINGS_H

#include <stdbool.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A point or a direction; metres unless a field says otherwise. */
typedef struct cab_vec3 {
    double x, y, z;
} cab_vec3;

/** How constraints are solved. docs/methods/ has a page on each. */
typedef enum cab_method {
    CAB_METHOD_XPBD = 0,      /**< extended position-based dynamics, graph coloured (Macklin et al. 2016) */
    CAB_METHOD_SPRINGS,       /**< damped springs, explicit (thesis on cable simulation, eq. 2.4) */
    CAB_METHOD_STIFF_SPRINGS, /**< one relaxation pass, each end by half (the thesis' infinitely stiff
                                 springs) */
    CAB_METHOD_JAKOBSEN,      /**< Verlet and relaxation (Jakobsen, "Advanced Character Physics") */
    CAB_METHOD_PBD,           /**< position-based dynamics with a stiffness of 0 to 1 (Mueller et al. 2006) */
    CAB_METHOD_DIRECT,        /**< exact solve along each cable, second order in time */
    CAB_METHOD_JACOBI,        /**< averaged Jacobi: every constraint at once (the cloth lab) */
    CAB_METHOD_COUNT
} cab_method;

/** How two ends share a correction. */
typedef enum cab_weights {
    CAB_WEIGHTS_METHOD = 0, /**< as the method has it: equal with stiff-springs and jacobi, else by mass */
    CAB_WEIGHTS_MASS,       /**< by inverse mass */
    CAB_WEIGHTS_EQUAL       /**< each free end the same, whatever its mass */
} cab_weights;

/** What a length may be. */
typedef enum cab_length_kind {
    CAB_LENGTH_EQUAL = 0, /**< the rest length */
    CAB_LENGTH_AT_MOST,   /**< up to the rest length: a rope */
    CAB_LENGTH_AT_LEAST   /**< from the rest length on: a support that only pushes */
} cab_length_kind;

/** The order in which a device works through a cable's constraints. The result is the same, bit for bit; with
 * the method direct it differs in rounding. */
typedef enum cab_way {
    CAB_WAY_AUTO = 0, /**< the program chooses by device and scene */
    CAB_WAY_COLOURED, /**< a launch per colour, any topology and length */
    CAB_WAY_FUSED,    /**< a work-group per cable, positions in local memory, whole substeps in one launch */
    CAB_WAY_LANES,    /**< a cable per lane, side by side in tiles, whole substeps in one launch */
    CAB_WAY_STAGED,   /**< a launch per stage, cables side by side in each; any topology */
    CAB_WAY_CHUNKS, /**< a work-item per chunk of a cable, then the seams between them (thesis, 4.3); another
                         order of the constraints, so another result */
    CAB_WAY_COUNT
} cab_way;

/** What holds against sliding. mu is the pair's Coulomb coefficient. */
typedef enum cab_friction {
    CAB_FRICTION_COULOMB = 0, /**< a force of any direction up to mu times the normal force */
    CAB_FRICTION_THRESHOLD,   /**< threshold and penetration (the thesis, 3.4): what slides slower than
                                   static_speed is stopped, whatever pushes it; what is faster is slowed by mu
                                   times the depth that it would have gone in, a substep */
    CAB_FRICTION_COUNT
} cab_friction;

/** When contacts are looked for. */
typedef enum cab_detection {
    CAB_DETECTION_SWEPT = 0, /**< along the way of a substep, where something is fast */
    CAB_DETECTION_DISCRETE, /**< where a substep ends (the thesis, 3.4): what is fast and thin gets through */
    CAB_DETECTION_COUNT
} cab_detection;

/** What of a cable touches colliders. */
typedef enum cab_touching {
    CAB_TOUCHING_SEGMENTS = 0, /**< particles, and what lies between them */
    CAB_TOUCHING_PARTICLES, /**< particles alone, as balls (the thesis, 3.3): what is thinner than the gap between two gets
                               through */
    CAB_TOUCHING_PARTICLES_AFTER, /**< the same, once a substep, after its iterations (the cloth lab): what lies in a collider
                               then goes straight out to its surface, all the way and without friction. springs,
                               stiff-springs, jakobsen, pbd, jacobi */
    CAB_TOUCHING_COUNT
} cab_touching;

/** What closes the seam between two chunks of a cable. */
typedef enum cab_seam {
    CAB_SEAM_SOLVE = 0, /**< its constraints are solved where they are, after those of the chunks */
    CAB_SEAM_SHIFT /**< whole chunks are shifted, as the thesis has it: one pass closes all lengths, but a
                        shift has no leverage, so a cable does not swing as it should */
} cab_seam;

/** How the method direct brings bending and lengths together. */
typedef enum cab_bending_way {
    CAB_BENDING_AUTO =
        0, /**< in one system what would gain energy otherwise: what is so stiff, and so curved at rest, and held or
                               joined at one place at most */
    CAB_BENDING_COUPLED, /**< in one system, all cables that bend and can be solved so */
    CAB_BENDING_SPLIT    /**< bending first, then lengths; what would gain energy is refused */
} cab_bending_way;

/** cab_settings.max_substeps: what the method needs. */
#define CAB_SUBSTEPS_AS_NEEDED (-1)

/** Double distances: particles i and i+2 are also kept at twice the segment length (the thesis' way of bending).
 * Not direct. */
typedef struct cab_double_settings {
    bool on;              /**< false */
    cab_length_kind kind; /**< CAB_LENGTH_EQUAL */
    double compliance;    /**< m/N, >= 0; 0 = rigid. xpbd, springs */
} cab_double_settings;

/** What methods have in common that remember nothing between iterations: springs, stiff-springs, jakobsen, pbd,
 * jacobi. */
typedef struct cab_relaxation_settings {
    double dampening;      /**< share of the velocity that a substep takes away, 0 to 1; 0. Jakobsen's 2 - d
                                instead of 2 */
    cab_weights weights;   /**< CAB_WEIGHTS_METHOD. Not springs */
    bool approximate_root; /**< length by one Newton step from the rest length instead of a square root
                                (Jakobsen, section 4); false. jakobsen, pbd */
} cab_relaxation_settings;

/** The method springs. */
typedef struct cab_spring_settings {
    double
        stiffness;  /**< N/m of a segment whose material has no stretching_stiffness; 0 = every material must
                           have one */
    double damping; /**< N s/m along each spring, >= 0; 0 */
} cab_spring_settings;

/** The method pbd. */
typedef struct cab_pbd_settings {
    double stiffness; /**< share of a length error that an iteration takes away, 1e-6 to 1; 1. Plain k, as
                                  in the thesis: with more iterations a cable is stiffer */
    double double_stiffness; /**< the same of double distances; 1 */
    bool corrected;          /**< 1 - (1 - k)^(1/iterations) instead of k (Mueller et al. 2006, 3.3); false */
} cab_pbd_settings;

/** The method jacobi. */
typedef struct cab_jacobi_settings {
    double averaging_weight; /**< how many corrections a particle's own place counts as, >= 0; 0.2 */
} cab_jacobi_settings;

/** CAB_WAY_CHUNKS. */
typedef struct cab_chunk_settings {
    int count; /**< chunks of a cable, 1 to 100000, of 8 particles at least; 1 = serial; 0 = so many that all
                        compute units have work (default) */
    cab_seam seam; /**< CAB_SEAM_SOLVE */
} cab_chunk_settings;

/** When iterations end before their number is reached. Not springs, stiff-springs, direct. */
typedef struct cab_tolerance_settings {
    double move; /**< m: no particle has moved further in the last one; `iterations` is the most; 0 = always
                         all */
    double stretch; /**< they also end when no length is further off than this share of it; 0 = off */
} cab_tolerance_settings;

/** Contact. */
typedef struct cab_contact_settings {
    bool cables; /**< segments of different cables collide; true */
    bool self;   /**< segments of one cable collide; true */
    bool
        sleep; /**< cables at rest fall asleep until something wakes them; false. xpbd in the way coloured, direct
                      in the way staged */
    bool
        parted; /**< cables that overlap at the start are moved apart before it, as far as what is held allows; false */
    int passes; /**< solves per iteration, 1 to 100; 4. Friction that must hold a pile still needs some: 1 creeps
                      at mm/s, 4 at a tenth of that */
    cab_friction friction_model; /**< CAB_FRICTION_COULOMB */
    double static_speed;     /**< m/s, >= 0, for CAB_FRICTION_THRESHOLD; 0.05. It must exceed what a substep's
                                      pull gives, g h on a steep slope */
    cab_detection detection; /**< CAB_DETECTION_SWEPT */
    cab_touching touching;   /**< CAB_TOUCHING_SEGMENTS */
} cab_contact_settings;

/** Everything in a scene that is not a list. */
typedef struct cab_settings {
    cab_vec3 gravity;  /**< m/s^2; (0, 0, -9.81) */
    cab_vec3 wind;     /**< velocity of the air, m/s; 0. Acts on materials with air_drag */
    double duration;   /**< s, > 0; 1. Rounded to whole frames, at least one */
    double frame_rate; /**< 1/s, > 0; 60 */
    int substeps;      /**< per frame, 1 to 100000; 20 */
    int max_substeps; /**< per frame, up to 51200000: a substep is cut into 2, 4, ... up to 512 pieces while something is fast
                               near what it may touch, as far as this allows. 0 = always `substeps`; CAB_SUBSTEPS_AS_NEEDED = all
                               512 by direct with swept contact, none by the others. Methods xpbd and direct */
    int iterations;                /**< per substep, 1 to 10000; 1 */
    cab_method method;             /**< CAB_METHOD_XPBD */
    cab_way way;                   /**< CAB_WAY_AUTO */
    cab_bending_way bending;       /**< CAB_BENDING_AUTO. direct */
    cab_length_kind distance_kind; /**< of segments; CAB_LENGTH_EQUAL. Not direct */
    cab_double_settings doubles;   /**< keys double_distance, double_kind, double_compliance of a scene */
    cab_relaxation_settings relaxation; /**< keys dampening, weights, approximate_root */
    cab_spring_settings springs;        /**< keys spring_stiffness, spring_damping */
    cab_pbd_settings pbd;               /**< keys stiffness, double_stiffness, corrected_stiffness */
    cab_jacobi_settings jacobi;         /**< key averaging_weight */
    cab_chunk_settings chunks;          /**< keys chunks, seam */
    cab_tolerance_settings tolerance;   /**< keys tolerance, stretch_tolerance */
    cab_contact_settings contact;       /**< the scene's `contact`, and the method's contact_passes */
} cab_settings;

/** Defaults as noted at each field. */
CAB_API cab_settings cab_settings_default(void);

#ifdef __cplusplus
}
#endif

#endif
