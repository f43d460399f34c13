#include "view/draw/subject.h"

#include <stdio.h>

#include "model/scene.h"
#include "view/scale/colour.h"

static cab_status load(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    cab_cables *cables = self;
    cab_renderer_release(renderer, cables->world); /* in case it was loaded before */
    return cab_renderer_load(renderer, cables->scene, cables->world, look, error);
}

static cab_status update(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    return cab_renderer_update(renderer, ((cab_cables *)self)->world, look, error);
}

static cab_clock clock_of(const void *self)
{
    cab_world_info info = cab_world_get_info(((const cab_cables *)self)->world);
    return (cab_clock){info.frame, info.time};
}

static int name_count(const void *self, cab_paint paint)
{
    const cab_cables *cables = self;
    return paint == CAB_PAINT_MATERIAL ? cables->scene->material_count
                                       : cab_world_get_info(cables->world).cables;
}

static void name(const void *self, cab_paint paint, int index, char text[CAB_NAME_SIZE],
                 unsigned char rgba[4])
{
    const cab_cables *cables = self;
    bool material = paint == CAB_PAINT_MATERIAL;
    snprintf(text, CAB_NAME_SIZE, "%s",
             material ? cables->scene->materials[index].name
                      : cab_world_get_cable(cables->world, index).name);
    cab_palette(index, rgba);
}

void cab_subject_take_in_labels(const cab_subject *subject, cab_framing *fit)
{
    cab_label label;
    for (int i = 0; subject->kind->label && subject->kind->label(subject->self, i, &label); i++)
        cab_framing_add(fit, label.at, label.room);
}

cab_subject cab_subject_of_cables(cab_cables *cables)
{
    static const cab_subject_kind kind = {load, update, clock_of, name_count, name, false, NULL};
    return (cab_subject){&kind, cables};
}
