#include "view/gl/picture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glad/gl.h>

#include "base/error.h"
#include "io/file.h"
#include "library/libpng.h"
#include "view/gl/gl.h"

static unsigned char divide(unsigned char value, unsigned char alpha)
{
    unsigned whole = (value * 255u + alpha / 2u) / alpha;
    return whole > 255 ? 255 : (unsigned char)whole;
}

/* OpenGL begins with the lowest row, and its colours are multiplied by alpha. */
static void turn(cab_picture *picture, const unsigned char *pixels)
{
    size_t row = (size_t)picture->width * 4;
    for (int y = 0; y < picture->height; y++)
        memcpy(picture->rgba + (size_t)y * row, pixels + (size_t)(picture->height - 1 - y) * row, row);
    for (size_t i = 0; i < row * (size_t)picture->height; i += 4) {
        unsigned char *p = picture->rgba + i;
        for (int k = 0; k < 3 && p[3] && p[3] < 255; k++) p[k] = divide(p[k], p[3]);
    }
}

cab_status cab_picture_read(cab_picture *picture, unsigned framebuffer, int width, int height,
                            cab_error *error)
{
    size_t bytes = (size_t)width * (size_t)height * 4;
    unsigned char *pixels = malloc(bytes);
    cab_picture_free(picture);
    *picture = (cab_picture){width, height, malloc(bytes)};
    if (!pixels || !picture->rgba) {
        free(pixels);
        return cab_fail_memory(error, "a picture", bytes);
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glReadBuffer(framebuffer ? GL_COLOR_ATTACHMENT0 : GL_BACK);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    turn(picture, pixels);
    free(pixels);
    return cab_gl_check("glReadPixels", error);
}

static void write_bytes(png_structp png, png_bytep data, png_size_t size)
{
    if (fwrite(data, 1, size, png_get_io_ptr(png)) != size) png_error(png, "no room");
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

/* libpng tells its own words on stderr else; ours follow. */
static void be_silent(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void go_back(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

/* When one of libpng's functions fails, it jumps back to setjmp(). */
static bool encode(const cab_picture *picture, FILE *stream, bool alpha)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, go_back, be_silent);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, stream, write_bytes, flush_bytes);
    png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
                 alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (!alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < picture->height; y++)
        png_write_row(png, picture->rgba + (size_t)y * (size_t)picture->width * 4);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

cab_status cab_picture_can_write(const char *path, cab_error *error)
{
    return cab_libpng_load(path, error);
}

cab_status cab_picture_encode(const cab_picture *picture, bool alpha, unsigned char **png, size_t *size,
                              cab_error *error)
{
    char *bytes = NULL;
    cab_status status = cab_picture_can_write("a picture", error);
    if (status) return status;
    FILE *stream = open_memstream(&bytes, size);
    bool whole = stream && encode(picture, stream, alpha);
    if (stream && fclose(stream)) whole = false;
    if (!bytes) whole = false; /* it had no memory at the end, which fclose() keeps to itself */
    if (!whole) {
        free(bytes);
        return cab_fail(error, CAB_ERROR_MEMORY, "a picture: libpng could not encode it");
    }
    *png = (unsigned char *)bytes;
    return CAB_OK;
}

cab_status cab_picture_write(const cab_picture *picture, const char *path, bool alpha, cab_error *error)
{
    unsigned char *png = NULL;
    size_t size = 0;
    cab_file file;
    cab_status status = cab_file_open(&file, path, error);
    if (status) return status;
    status = cab_picture_encode(picture, alpha, &png, &size, error);
    if (!status) {
        cab_file_write(&file, png, size);
        free(png);
        status = cab_file_finish(&file, error);
    }
    if (!status) status = cab_file_rename(&file, error);
    cab_file_close(&file);
    return status;
}

void cab_picture_free(cab_picture *picture)
{
    free(picture->rgba);
    *picture = (cab_picture){0};
}
