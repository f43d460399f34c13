/* Colours of what is drawn: a palette for names, a map for numbers. sRGB, 0 to 255. */
#ifndef CAB_VIEW_COLOUR_H
#define CAB_VIEW_COLOUR_H

enum { CAB_MAP_SIZE = 256 };

/* The colour of the index-th cable or material; they come again after ten. */
void cab_palette(int index, unsigned char rgba[4]);

/* The map from dark (low) to bright (high), CAB_MAP_SIZE colours: viridis, even for the colour-blind and in
 * grey. */
void cab_colour_map(unsigned char map[CAB_MAP_SIZE][4]);

#endif
