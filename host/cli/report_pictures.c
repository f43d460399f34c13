#include "cli/report_pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/scene.h"
#include "view/pictures/studio.h"

/* Of a near view: so many diameters of the cable, and at least so many metres away. */
#define NEAR_DIAMETERS 25
#define NEAR_LEAST 0.12f

bool cab_report_pictures_are_built(void)
{
    return true;
}

static cab_status take(cab_report_pictures *list, const cab_shot *shot, const cab_scene *scene,
                       cab_world *world, cab_error *error)
{
    cab_studio *studio;
    const cab_picture *picture;
    cab_assess_picture *out = &list->picture[list->count];
    unsigned char *png = NULL;
    cab_status status = cab_studio_create(shot, &studio, error);
    if (status) return status;
    cab_cables cables = {scene, world};
    cab_subject subject = cab_subject_of_cables(&cables);
    status = cab_studio_take(studio, &subject, &picture, error);
    if (!status) status = cab_picture_encode(picture, false, &png, &out->size, error);
    cab_studio_destroy(studio);
    if (status) return status;
    out->png = png;
    out->caption = list->caption[list->count++];
    return CAB_OK;
}

cab_status cab_report_picture_whole(cab_report_pictures *list, const cab_scene *scene, cab_world *world,
                                    cab_error *error)
{
    cab_shot shot = cab_shot_default();
    shot.look.quantity = CAB_QUANTITY_TENSION;
    shot.legend = true;
    snprintf(list->caption[list->count], sizeof list->caption[0], "At the end, %.2f s: tension",
             cab_world_get_info(world).time);
    cab_status status = take(list, &shot, scene, world, error);
    if (status) return status;
    cab_assess_picture whole = list->picture[list->count - 1]; /* taken last, seen first */
    memmove(list->picture + 1, list->picture, (size_t)(list->count - 1) * sizeof whole);
    list->picture[0] = whole;
    return CAB_OK;
}

static cab_quantity quantity_for(cab_requirement rule)
{
    return rule == CAB_REQUIREMENT_BEND                                      ? CAB_QUANTITY_CURVATURE
           : rule == CAB_REQUIREMENT_TORQUE                                  ? CAB_QUANTITY_TORQUE
           : rule == CAB_REQUIREMENT_TENSION || rule == CAB_REQUIREMENT_HOLD ? CAB_QUANTITY_TENSION
                                                                             : CAB_QUANTITY_NONE;
}

static double colour_end(const cab_finding *f)
{
    if (quantity_for(f->rule) == CAB_QUANTITY_CURVATURE) return f->value > 0 ? 1 / f->value : 0;
    return quantity_for(f->rule) == CAB_QUANTITY_NONE ? 0 : f->value;
}

cab_status cab_report_picture_finding(cab_report_pictures *list, const cab_assessment *a,
                                      const cab_finding *f, cab_world *world, cab_error *error)
{
    cab_shot shot = cab_shot_default();
    shot.width = 720;
    shot.height = 480;
    shot.look.quantity = quantity_for(f->rule);
    shot.legend = shot.look.quantity != CAB_QUANTITY_NONE;
    shot.look.highest = (float)colour_end(f); /* the brightest colour is the finding's own */
    if (f->rule == CAB_REQUIREMENT_TORQUE) shot.look.lowest = -shot.look.highest; /* it has two directions */
    float away = fmaxf((float)(NEAR_DIAMETERS * 2 * a->cables[f->cable].radius), NEAR_LEAST);
    const float from[3] = {0.55f, -0.7f, 0.45f};
    const double place[3] = {f->place.x, f->place.y, f->place.z};
    for (int k = 0; k < 3; k++) {
        shot.aim.target[k] = (float)place[k];
        shot.aim.eye[k] = (float)place[k] + away * from[k];
    }
    shot.aim.eye_fixed = shot.aim.target_fixed = true;
    char part[300], other[300];
    cab_assess_part(a, f, part, sizeof part);
    cab_assess_other(a, f, other, sizeof other);
    snprintf(list->caption[list->count], sizeof list->caption[0], "%s: %s%s%s, %.2f s", part,
             cab_requirement_kind_of(f->rule)->title, *other ? " " : "", other, f->time);
    return take(list, &shot, a->scene, world, error);
}

void cab_report_pictures_free(cab_report_pictures *list)
{
    for (int i = 0; i < list->count; i++) free((void *)list->picture[i].png);
    list->count = 0;
}
