/* The drawing of planar scenes; those that are compared side by side. */
#include <math.h>
#include <stdio.h>

#include "study/planar/study.h"
#include "view/study/sketch_planar.h"
#include "view/study/study.h"

#define OUTLINE_PART 0.0035 /* half the width of an outline, of the way across the scene */

typedef cab_planar_study_state state;

static const state *of(const void *self)
{
    return (const state *)((const cab_shown_study *)self)->study;
}

static double unit(const cab_study *study)
{
    const state *s = (const state *)study;
    double across = hypot(s->high.x - s->low.x, s->high.y - s->low.y);
    return OUTLINE_PART * (across > 0 ? across : 1);
}

static cab_planar_view view_of(const state *s, int scene, double size)
{
    return (cab_planar_view){.scene = s->scenes[scene],
                             .bodies = s->bodies,
                             .joints = s->joints,
                             .joint_count = s->joint_count,
                             .points = (const double(*)[2])s->points,
                             .contacts = s->contacts,
                             .contact_count = s->contact_count,
                             .centres = s->centres,
                             .unit = size,
                             .shift = cab_planar_study_shift(s, scene),
                             .pulled = s->pulled,
                             .hold = s->hold,
                             .target = s->target};
}

static cab_status draw(cab_study *study, double size, cab_sketch *sketch, cab_error *error)
{
    state *s = (state *)study;
    for (int i = 0; i < s->count; i++) {
        cab_status status = cab_planar_study_read(s, i, error);
        if (status) return status;
        cab_planar_view view = view_of(s, i, size);
        cab_sketch_planar(sketch, &view);
    }
    return CAB_OK;
}

static int name_count(const void *self, cab_paint paint)
{
    (void)self, (void)paint;
    return CAB_JOINT_COLOURS;
}

static void name(const void *self, cab_paint paint, int index, char text[CAB_NAME_SIZE],
                 unsigned char rgba[4])
{
    const char *word = "";
    (void)self, (void)paint;
    cab_joint_colour_name(index, &word, rgba);
    snprintf(text, CAB_NAME_SIZE, "%s", word);
}

/* The words of the scenes that are compared. */
static bool label(const void *self, int index, cab_label *label)
{
    static const char *const words[CAB_PLANAR_PINCHES] = {"pinch off", "contact off", "pinch full"};
    const state *s = of(self);
    if (s->count == 1 || index >= s->count) return false;
    double width = s->high.x - s->low.x, height = s->high.y - s->low.y;
    snprintf(label->text, sizeof label->text, "%s", words[index]);
    cab_vec2 shift = cab_planar_study_shift(s, index);
    label->room = (float)(0.09 * fmax(height, 0.3 * width));
    label->at[0] = (float)(s->low.x + width / 2 + shift.x);
    label->at[1] = 0;
    label->at[2] = (float)(s->high.y + 0.03 * fmax(height, 0.3 * width) + shift.y);
    return true;
}

const cab_study_drawing cab_planar_drawing = {
    .kind = &cab_planar_study,
    .quantity = CAB_QUANTITY_TENSION,
    .subject = {cab_shown_study_load, cab_shown_study_update, cab_shown_study_clock, name_count, name,
                .own_names = true, .label = label},
    .unit = unit,
    .draw = draw,
};
