#include "view/study/study.h"

#include <stdlib.h>

#include "base/error.h"

const cab_study_drawing *cab_study_drawing_of(const cab_study_kind *kind)
{
    static const cab_study_drawing *const drawings[] = {&cab_particles_drawing, &cab_planar_drawing};
    for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++)
        if (drawings[i]->kind == kind) return drawings[i];
    return NULL;
}

cab_status cab_shown_study_open(const cab_study_kind *kind, const cab_study_def *def, cab_shown_study **shown,
                                cab_error *error)
{
    cab_shown_study *s = calloc(1, sizeof *s);
    if (!s) return cab_fail_memory(error, "a study", sizeof *s);
    cab_status status = cab_study_open(kind, def, &s->study, error);
    if (status) {
        free(s);
        return status;
    }
    s->drawing = cab_study_drawing_of(kind);
    s->unit = s->drawing->unit(s->study);
    *shown = s;
    return CAB_OK;
}

void cab_shown_study_close(cab_shown_study *s)
{
    if (!s) return;
    cab_study_close(s->study);
    cab_sketch_free(&s->sketch);
    free(s);
}

cab_subject cab_shown_study_subject(cab_shown_study *s)
{
    return (cab_subject){&s->drawing->subject, s};
}

cab_status cab_shown_study_load(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    (void)self, (void)renderer, (void)look, (void)error;
    return CAB_OK; /* a sketch is made anew each time */
}

cab_clock cab_shown_study_clock(const void *self)
{
    const cab_study *study = ((const cab_shown_study *)self)->study;
    return (cab_clock){study->frame, cab_study_time(study)};
}

cab_status cab_shown_study_update(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    cab_shown_study *s = self;
    cab_sketch_clear(&s->sketch);
    cab_status status = s->drawing->draw(s->study, s->unit, &s->sketch, error);
    return status ? status
                  : cab_renderer_show(renderer, &s->sketch, cab_shown_study_clock(s).time, look, error);
}
