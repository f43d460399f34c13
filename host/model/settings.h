/* The settings of a run as the solvers read them: the scene's (cab_settings), where what depends on the method is
 * resolved. */
#ifndef CAB_MODEL_SETTINGS_H
#define CAB_MODEL_SETTINGS_H

#include <clcable/scene.h>

typedef struct cab_model_settings {
    cab_vec3 gravity, wind; /* m/s^2, m/s */
    double frame_rate;      /* 1/s */
    int substeps;           /* per frame */
    int max_pieces;         /* of a substep, where something is fast near what it may touch; a power of two */
    int iterations;         /* per substep, at most */
    cab_method method;
    cab_way way;
    cab_bending_way bending;
    cab_length_kind length_kind; /* of segments */
    cab_double_settings doubles;
    cab_relaxation_settings relaxation;
    bool equal_weights; /* both ends take the same share of a correction, whatever they weigh */
    cab_spring_settings springs;
    cab_pbd_settings pbd;
    cab_jacobi_settings jacobi;
    cab_chunk_settings chunks;
    cab_tolerance_settings tolerance;
    bool adaptive; /* either of them is above 0 */
    cab_contact_settings contact;
} cab_model_settings;

/* max_substeps, where what the method needs is resolved: CAB_SUBSTEPS_AS_NEEDED = as many as there are. */
int cab_max_substeps(const cab_settings *settings);

/* What a scene that has been checked says. */
cab_model_settings cab_model_settings_of(const cab_settings *settings);

#endif
