#include "view/scale/colour.h"

#include <math.h>

/* The colours of Okabe and Ito, for the colour-blind, too, a little softened; then violet, brown and grey. */
static const unsigned char palette[][3] = {
    {0, 114, 178},   {230, 145, 40}, {0, 145, 110},   {205, 85, 50}, {120, 170, 225},
    {200, 120, 165}, {235, 205, 80}, {110, 100, 160}, {130, 90, 60}, {120, 130, 135},
};
enum { PALETTE_COUNT = sizeof palette / sizeof palette[0] };

void cab_palette(int index, unsigned char rgba[4])
{
    const unsigned char *from = palette[(unsigned)index % PALETTE_COUNT];
    for (int k = 0; k < 3; k++) rgba[k] = from[k];
    rgba[3] = 255;
}

/* Viridis at nine places, linear between them, which the eye cannot tell from the true map. */
static const float stops[9][3] = {
    {68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142}, {38, 130, 142},
    {31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {253, 231, 37},
};

void cab_colour_map(unsigned char map[CAB_MAP_SIZE][4])
{
    for (int i = 0; i < CAB_MAP_SIZE; i++) {
        float place = 8.0f * (float)i / (CAB_MAP_SIZE - 1);
        int stop = place < 7 ? (int)place : 7;
        float part = place - (float)stop;
        for (int k = 0; k < 3; k++)
            map[i][k] = (unsigned char)lrintf(stops[stop][k] + part * (stops[stop + 1][k] - stops[stop][k]));
        map[i][3] = 255;
    }
}
