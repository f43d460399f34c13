#include "view/draw/look.h"

#include <stddef.h>

#include "view/gl/gl.h"

cab_look cab_look_default(void)
{
    cab_look look = {.grid = true, .marks = true};
    cab_look_set_quality(&look, CAB_QUALITY_NORMAL);
    return look;
}

/* What a quality stands for. */
static const struct {
    const char *name;
    int samples, oversampling;
    float error; /* pixels */
    int shadow_size;
    bool fast; /* flat tubes, hard shadows, no ambient occlusion; edges are smoothed afterwards */
} qualities[CAB_QUALITY_COUNT] = {
    [CAB_QUALITY_DRAFT] = {"draft", 1, 1, 0.4f, 1024, true},
    [CAB_QUALITY_NORMAL] = {"normal", 4, 1, 0.2f, 2048, false},
    [CAB_QUALITY_HIGH] = {"high", 4, 2, 0.2f, 4096, false},
};

void cab_look_set_quality(cab_look *look, cab_quality quality)
{
    look->quality = quality;
    look->samples = qualities[quality].samples;
    look->oversampling = qualities[quality].oversampling;
    look->error = qualities[quality].error;
    look->shadow_size = qualities[quality].shadow_size;
    look->soft = look->occlusion = !qualities[quality].fast;
    look->smooth = look->flat = qualities[quality].fast;
}

const char *cab_quality_name(int quality)
{
    return quality >= 0 && quality < CAB_QUALITY_COUNT ? qualities[quality].name : NULL;
}

bool cab_look_has_range(const cab_look *look)
{
    return look->lowest < look->highest;
}

bool cab_look_has_stripes(const cab_look *look, bool twists)
{
    return look->stripe == CAB_STRIPE_ON || (look->stripe == CAB_STRIPE_TWISTED && twists);
}

float cab_look_ground_grey(const cab_look *look)
{
    return look->background == CAB_BACKGROUND_DARK ? 0.05f : 0.55f;
}

cab_quality cab_quality_for_window(void)
{
    return cab_gl_is_software() ? CAB_QUALITY_DRAFT : CAB_QUALITY_NORMAL;
}
