#include "view/look.h"

#include <stddef.h>

#include "view/gl.h"

cab_look cab_look_default(void)
{
    cab_look look = {.grid = true, .marks = true};
    cab_look_set_quality(&look, CAB_QUALITY_GOOD);
    return look;
}

void cab_look_set_quality(cab_look *look, cab_quality quality)
{
    bool fast = quality == CAB_QUALITY_FAST, best = quality == CAB_QUALITY_BEST;
    look->samples = fast ? 1 : 4;
    look->oversampling = best ? 2 : 1;
    look->error = fast ? 0.4f : 0.2f;
    look->shadow_size = best ? 4096 : 2048;
    look->soft = look->occlusion = !fast;
    look->smooth = look->flat = fast;
}

const char *cab_quality_name(int quality)
{
    static const char *const names[CAB_QUALITY_COUNT] = {"fast", "good", "best"};
    return quality >= 0 && quality < CAB_QUALITY_COUNT ? names[quality] : NULL;
}

cab_quality cab_quality_for_window(void)
{
    return cab_gl_is_software() ? CAB_QUALITY_FAST : CAB_QUALITY_GOOD;
}
