/* Planar scenes as a study, for its parts and for who draws it: study.c opens and steps it, hands.c pulls bodies, tell.c
 * has what is written of it, shape.c makes points and lines. */
#ifndef CAB_STUDY_PLANAR_STUDY_H
#define CAB_STUDY_PLANAR_STUDY_H

#include "study/planar/planar.h"
#include "study/study.h"

enum { CAB_PLANAR_PINCHES = CAB_PLANAR_FULL + 1 };

typedef struct cab_planar_study_state {
    cab_study base;
    cab_planar_scene *scenes[CAB_PLANAR_PINCHES]; /* the same but for `pinch`, where that is compared */
    int count;
    cab_planar *planar;
    cab_vec2 *centres;             /* of mass, from each body's position, m */
    cab_vec2 low, high;            /* corners of what a scene fills at the start, m */
    cab_planar_stats stats, worst; /* of the first scene: of the last frame, over the run */

    /* what was read last, of one scene */
    cab_planar_body *bodies;
    cab_planar_joint *joints;
    cab_planar_contact *contacts;
    double (*points)[2];
    int joint_count, contact_count, point_count;
    int joint_room, contact_room, point_room;

    /* what the user pulls */
    int pulled;            /* body; -1 = none; of all scenes, pulled alike */
    int held_in;           /* the scene that it was taken hold of in */
    cab_vec2 hold, target; /* m; the point, from its centre of mass, turning with it; where it is pulled to */
} cab_planar_study_state;

/* Reads a scene's bodies, joints, contacts and points. */
cab_status cab_planar_study_read(cab_planar_study_state *s, int scene, cab_error *error);

/* hands.c: where a scene is shown: those that are compared stand side by side, wide ones one below the other. m */
cab_vec2 cab_planar_study_shift(const cab_planar_study_state *s, int scene);
/* As in cab_study_kind. */
cab_status cab_planar_study_grab(cab_study *study, cab_vec2 at, double reach, bool *held, cab_error *error);
cab_status cab_planar_study_pull(cab_study *study, cab_vec2 to, cab_error *error);
cab_status cab_planar_study_let_go(cab_study *study, cab_error *error);

/* tell.c; as in cab_study_kind */
cab_status cab_planar_study_check(cab_study *study, char text[CAB_STUDY_TEXT], cab_error *error);
bool cab_planar_study_line(cab_study *study, int index, char text[CAB_STUDY_LINE]);
bool cab_planar_study_warning(const cab_study *study, int index, char text[CAB_STUDY_TEXT]);
bool cab_planar_study_stage(const cab_study *study, int index, const char **name, double *seconds);
void cab_planar_study_summary(const cab_study *study, char text[CAB_STUDY_TEXT]);
json_t *cab_planar_study_report(const cab_study *study);
void cab_planar_study_write_csv(const cab_study *study, cab_file *file);
extern const cab_study_array cab_planar_study_arrays[];
extern const cab_study_names cab_planar_study_names[];

/* shape.c; as in cab_study_kind */
cab_status cab_planar_study_fill(const cab_study *study, cab_polydata *data, cab_error *error);

#endif
