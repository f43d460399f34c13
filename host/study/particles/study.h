/* Particles as a study, for its parts and for who draws it: study.c opens and steps it, choices.c switches what can be
 * switched, tell.c has what is written of it. */
#ifndef CAB_STUDY_PARTICLES_STUDY_H
#define CAB_STUDY_PARTICLES_STUDY_H

#include "study/particles/scene.h"
#include "study/study.h"

/* What pulls at a particle. */
typedef struct cab_p_hand {
    bool holds;
    int particle;
    cab_vec2 point; /* m; where it is pulled to */
} cab_p_hand;

typedef struct cab_particles_study_state {
    cab_study base;
    cab_particles_scene scene;
    cab_particles_def system; /* the scene's with what was chosen */
    cab_particle_def *start;  /* [particles] where a system that is made anew begins */
    cab_particles *particles;
    cab_p_hand hands[CAB_PARTICLES_HANDS]; /* of the scene, and behind them the user's */
    int form, angle; /* what was chosen of constraints and angular springs; 0 = as in the scene */
    /* what was read last */
    cab_vec2 *x, *v; /* [particles] m, m/s */
    cab_particles_report report;
} cab_particles_study_state;

/* choices.c: a system of what was chosen; as at the start, or in the motion of the one that there is. */
cab_status cab_p_remake(cab_particles_study_state *s, bool go_on, cab_error *error);
/* As in cab_study_kind. */
bool cab_p_choice(const cab_study *study, int index, cab_choice *choice);
cab_status cab_p_choose(cab_study *study, int index, int value, cab_error *error);

/* tell.c; as in cab_study_kind */
cab_status cab_p_check(cab_study *study, char text[CAB_STUDY_TEXT], cab_error *error);
bool cab_p_line(cab_study *study, int index, char text[CAB_STUDY_LINE]);
bool cab_p_warning(const cab_study *study, int index, char text[CAB_STUDY_TEXT]);
void cab_p_summary(const cab_study *study, char text[CAB_STUDY_TEXT]);
json_t *cab_p_report_json(const cab_study *study);
void cab_p_write_csv(const cab_study *study, cab_file *file);
cab_status cab_p_fill(const cab_study *study, cab_polydata *data, cab_error *error);
extern const cab_study_array cab_p_arrays[];

#endif
