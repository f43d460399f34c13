#include "io/obj.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/error.h"
#include "model/limits.h"

#define LINE_MAX_BYTES 4096
#define ITEMS_MAX 20000000 /* points, faces, pieces of lines: each */

typedef struct cab_obj_reader {
    const char *path;
    cab_obj *obj;
    int line;
    cab_error *error;
} cab_obj_reader;

static cab_status refuse(const cab_obj_reader *r, const char *expected)
{
    return cab_fail(r->error, CAB_ERROR_INPUT, "%s: line %d: expected %s", r->path, r->line, expected);
}

/* Room for one item more; the capacity is the next power of two. */
static cab_status grow(const cab_obj_reader *r, void *list, int count, size_t size)
{
    void **items = list;
    if (count & (count - 1)) return CAB_OK;
    if (count >= ITEMS_MAX) return refuse(r, "a smaller file");
    size_t bytes = (count ? 2 * (size_t)count : 1) * size;
    void *larger = realloc(*items, bytes);
    if (!larger) return cab_fail_memory(r->error, "an OBJ file", bytes);
    *items = larger;
    return CAB_OK;
}

static cab_status read_point(cab_obj_reader *r, char *text)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        char *end;
        x[i] = strtod(text, &end);
        if (end == text || !cab_limit_holds(CAB_LIMIT_COORDINATE, x[i]))
            return refuse(r, "three numbers from -1e6 to 1e6 after \"v\"");
        text = end;
    }
    cab_status status = grow(r, &r->obj->point, r->obj->point_count, sizeof *r->obj->point);
    if (status == CAB_OK) r->obj->point[r->obj->point_count++] = (cab_vec3){x[0], x[1], x[2]};
    return status;
}

/* The next "i", "i/t", "i//n" or "i/t/n": i counts from 1, or back from the last point. False at the end. */
static bool next_corner(const cab_obj_reader *r, char **text, int *corner, bool *good)
{
    *text += strspn(*text, " \t\r\n");
    if (!**text) return false;
    char *end;
    long long i = strtoll(*text, &end, 10);
    i = i < 0 ? r->obj->point_count + i : i - 1;
    *good = end != *text && i >= 0 && i < r->obj->point_count;
    *corner = *good ? (int)i : -1;
    *text = end + strcspn(end, " \t\r\n");
    return true;
}

static cab_status read_face(cab_obj_reader *r, char *text)
{
    int face[4] = {-1, -1, -1, -1}, corner, count = 0;
    bool good;
    while (next_corner(r, &text, &corner, &good)) {
        if (!good) return refuse(r, "numbers of points that stand before");
        if (count == 4) return refuse(r, "a face of 3 or 4 corners");
        face[count++] = corner;
    }
    if (count < 3) return refuse(r, "a face of 3 or 4 corners");
    cab_status status = grow(r, &r->obj->face, r->obj->face_count, sizeof face);
    if (status == CAB_OK) memcpy(r->obj->face + 4 * (size_t)r->obj->face_count++, face, sizeof face);
    return status;
}

static cab_status read_line(cab_obj_reader *r, char *text)
{
    int last = -1, corner;
    bool good;
    cab_status status = CAB_OK;
    while (status == CAB_OK && next_corner(r, &text, &corner, &good)) {
        if (!good) return refuse(r, "numbers of points that stand before");
        if (last >= 0) {
            const int stick[2] = {last, corner};
            status = grow(r, &r->obj->stick, r->obj->stick_count, sizeof stick);
            if (status == CAB_OK)
                memcpy(r->obj->stick + 2 * (size_t)r->obj->stick_count++, stick, sizeof stick);
        }
        last = corner;
    }
    return status;
}

static cab_status read_item(cab_obj_reader *r, char *text)
{
    text += strspn(text, " \t");
    bool ends = text[0] && (text[1] == ' ' || text[1] == '\t');
    if (text[0] == 'v' && ends) return read_point(r, text + 1);
    if (text[0] == 'f' && ends) return read_face(r, text + 1);
    return text[0] == 'l' && ends ? read_line(r, text + 1) : CAB_OK;
}

cab_status cab_obj_read(const char *path, cab_obj *obj, cab_error *error)
{
    char text[LINE_MAX_BYTES];
    cab_obj_reader reader = {.path = path, .obj = obj, .error = error};
    *obj = (cab_obj){0};
    FILE *file = fopen(path, "r");
    if (!file) return cab_fail(error, CAB_ERROR_IO, "%s: cannot read it: %s", path, strerror(errno));
    cab_status status = CAB_OK;
    while (status == CAB_OK && fgets(text, sizeof text, file)) {
        reader.line++;
        if (!strchr(text, '\n') && !feof(file))
            status = refuse(&reader, "a line of at most 4094 bytes");
        else
            status = read_item(&reader, text);
    }
    if (status == CAB_OK && ferror(file))
        status = cab_fail(error, CAB_ERROR_IO, "%s: cannot read it: %s", path, strerror(errno));
    fclose(file);
    return status;
}

void cab_obj_free(cab_obj *obj)
{
    free(obj->point);
    free(obj->face);
    free(obj->stick);
    *obj = (cab_obj){0};
}
