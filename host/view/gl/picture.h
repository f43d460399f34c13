/* A picture in memory, and as a PNG file. */
#ifndef CAB_PICTURE_H
#define CAB_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>

typedef struct cab_picture {
    int width, height;
    unsigned char *rgba; /* [height][width][4] sRGB, top row first; colours are not multiplied by alpha */
} cab_picture;

/* Reads a framebuffer of this size, with colours multiplied by alpha. Frees what the picture held. */
cab_status cab_picture_read(cab_picture *picture, unsigned framebuffer, int width, int height,
                            cab_error *error);

/* Is libpng there? To be asked before a run whose pictures are to be written; the errors of cab_library_load(). */
cab_status cab_picture_can_write(const char *path, cab_error *error);

/* Writes a PNG file, under its name only when complete. Without `alpha` all pixels are opaque. */
cab_status cab_picture_write(const cab_picture *picture, const char *path, bool alpha, cab_error *error);

/* The same into memory, which is to be freed with free(). */
cab_status cab_picture_encode(const cab_picture *picture, bool alpha, unsigned char **png, size_t *size,
                              cab_error *error);

void cab_picture_free(cab_picture *picture);

#endif
