/* Colours: a palette for things that have names, a map for numbers. sRGB, 0 to 255. */
#ifndef CAB_VIEW_COLOUR_H
#define CAB_VIEW_COLOUR_H

enum { CAB_MAP_SIZE = 256 };

/* The colour of the cable or material with this index. There are ten, which repeat. */
void cab_palette(int index, unsigned char rgba[4]);

/* The colour map viridis, dark (low) to bright (high), readable for the colour-blind and in grey, too. */
void cab_colour_map(unsigned char map[CAB_MAP_SIZE][4]);

#endif
