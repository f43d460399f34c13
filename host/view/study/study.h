/* How studies look: a drawing for each kind, and an opened study together with its drawing, which pictures and the viewer
 * show as their subject. */
#ifndef CAB_STUDY_VIEW_H
#define CAB_STUDY_VIEW_H

#include "study/study.h"
#include "view/draw/subject.h"
#include "view/shapes/sketch.h"

typedef struct cab_study_drawing {
    const cab_study_kind *kind;
    cab_quantity quantity;                  /* that colours can show; none = they cannot */
    cab_subject_kind subject;               /* its `self` is a cab_shown_study */
    double (*unit)(const cab_study *study); /* m; what lines are as wide as */
    cab_status (*draw)(cab_study *study, double unit, cab_sketch *sketch, cab_error *error);
} cab_study_drawing;

extern const cab_study_drawing cab_particles_drawing, cab_planar_drawing;

const cab_study_drawing *cab_study_drawing_of(const cab_study_kind *kind);

typedef struct cab_shown_study {
    cab_study *study;
    const cab_study_drawing *drawing;
    cab_sketch sketch;
    double unit;
} cab_shown_study;

/* Opens a scene; *shown is to be closed. */
cab_status cab_shown_study_open(const cab_study_kind *kind, const cab_study_def *def, cab_shown_study **shown,
                                cab_error *error);
void cab_shown_study_close(cab_shown_study *shown);
cab_subject cab_shown_study_subject(cab_shown_study *shown);

/* For drawings: these functions of their subjects. */
cab_status cab_shown_study_load(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error);
cab_status cab_shown_study_update(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error);
cab_clock cab_shown_study_clock(const void *self);

#endif
