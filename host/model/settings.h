/* The settings of a run as the solvers read them: the scene's flat list of values (cab_settings, which the public
 * header promises) sorted by what uses them. A method's own numbers have a struct named for the method; what several
 * methods share has one named for what it is. */
#ifndef CAB_MODEL_SETTINGS_H
#define CAB_MODEL_SETTINGS_H

#include <clcable/scene.h>

/* Lengths between particles i and i+2, kept at twice the segment length. All methods but direct. */
typedef struct cab_double_settings {
    bool on;
    cab_length_kind kind;
    double compliance; /* m/N; xpbd, springs */
} cab_double_settings;

/* Methods that remember nothing between iterations: springs, stiff-springs, jakobsen, pbd, jacobi. */
typedef struct cab_relaxation_settings {
    double dampening;      /* share of the velocity that a substep takes away */
    bool equal_weights;    /* both ends take the same share of a correction, whatever they weigh */
    bool approximate_root; /* lengths by one Newton step; jakobsen, pbd */
} cab_relaxation_settings;

typedef struct cab_spring_settings {
    double stiffness; /* N/m, where a material has none */
    double damping;   /* N s/m */
} cab_spring_settings;

typedef struct cab_pbd_settings {
    double stiffness;        /* share of a length error that an iteration takes away */
    double double_stiffness; /* the same of double distances */
    bool corrected;          /* the share is that of all iterations together */
} cab_pbd_settings;

typedef struct cab_jacobi_settings {
    double averaging_weight; /* how many corrections a particle's own place counts as */
} cab_jacobi_settings;

/* The way chunks. */
typedef struct cab_chunk_settings {
    int count; /* per cable; 0 = so many that all compute units have work */
    cab_seam seam;
} cab_chunk_settings;

/* When iterations end before their number is reached. */
typedef struct cab_tolerance_settings {
    bool on;        /* either of them is above 0 */
    double move;    /* m; no particle has moved further in the last iteration; 0 = off */
    double stretch; /* no length is further off than this share of it; 0 = off */
} cab_tolerance_settings;

typedef struct cab_contact_settings {
    bool cables; /* between segments of different cables */
    bool self;   /* between segments of one cable */
    bool sleep;  /* cables at rest fall asleep */
    int passes;  /* solves in each iteration */
    cab_friction friction_model;
    double static_speed; /* m/s; for CAB_FRICTION_THRESHOLD */
    cab_detection detection;
} cab_contact_settings;

typedef struct cab_model_settings {
    cab_vec3 gravity, wind; /* m/s^2, m/s */
    double frame_rate;      /* 1/s */
    int substeps;           /* per frame */
    int max_pieces;         /* of a substep, where something is fast near what it may touch; a power of two */
    int iterations;         /* per substep */
    cab_method method;
    cab_way way;
    cab_length_kind length_kind; /* of segments */
    cab_double_settings doubles;
    cab_relaxation_settings relaxation;
    cab_spring_settings springs;
    cab_pbd_settings pbd;
    cab_jacobi_settings jacobi;
    cab_chunk_settings chunks;
    cab_tolerance_settings tolerance;
    cab_contact_settings contact;
} cab_model_settings;

/* What a scene that has been checked says. */
/* max_substeps, where what the method needs is resolved: CAB_SUBSTEPS_AS_NEEDED = as many as there are. */
int cab_max_substeps(const cab_settings *settings);

cab_model_settings cab_model_settings_of(const cab_settings *settings);

#endif
