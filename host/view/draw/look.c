#include "view/draw/look.h"

#include <stddef.h>

#include "view/gl/gl.h"

cab_look cab_look_default(void)
{
    cab_look look = {.grid = true, .marks = true};
    cab_look_set_quality(&look, CAB_QUALITY_NORMAL);
    return look;
}

void cab_look_set_quality(cab_look *look, cab_quality quality)
{
    bool draft = quality == CAB_QUALITY_DRAFT, high = quality == CAB_QUALITY_HIGH;
    look->quality = quality;
    look->samples = draft ? 1 : 4;
    look->oversampling = high ? 2 : 1;
    look->error = draft ? 0.4f : 0.2f;
    look->shadow_size = draft ? 1024 : high ? 4096 : 2048;
    look->soft = look->occlusion = !draft;
    look->smooth = look->flat = draft;
}

const char *cab_quality_name(int quality)
{
    static const char *const names[CAB_QUALITY_COUNT] = {"draft", "normal", "high"};
    return quality >= 0 && quality < CAB_QUALITY_COUNT ? names[quality] : NULL;
}

cab_quality cab_quality_for_window(void)
{
    return cab_gl_is_software() ? CAB_QUALITY_DRAFT : CAB_QUALITY_NORMAL;
}
