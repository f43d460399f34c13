/* Reads sheets: a rectangle, points and sticks, or an OBJ file. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/obj.h"
#include "io/read_file.h"
#include "io/scene_json.h"
#include "model/limits.h"

/* What a sheet is made of, unless it is a rectangle. */
typedef struct cab_net {
    cab_vec3 *point;
    int *face; /* [face_count][4]; the last of a triangle is -1 */
    int (*stick)[2];
    int point_count, face_count, stick_count;
} cab_net;

static void free_net(cab_net *net)
{
    free(net->point);
    free(net->face);
    free(net->stick);
}

static cab_status read_rectangle(const cab_cursor *sheet, cab_sheet_def *def)
{
    static const char *const words[] = {
        [CAB_DIAGONALS_NONE] = "none", [CAB_DIAGONALS_ONE] = "one", [CAB_DIAGONALS_BOTH] = "both"};
    cab_cursor corner = cab_cursor_key(sheet, "corner");
    cab_cursor along = cab_cursor_key(sheet, "along");
    cab_cursor across = cab_cursor_key(sheet, "across");
    cab_cursor count = cab_cursor_key(sheet, "count");
    cab_cursor diagonals = cab_cursor_key(sheet, "diagonals");
    double counts[2] = {0};
    int word = 0;
    cab_status status = cab_read_vec3(&corner, CAB_LIMIT_COORDINATE, &def->corner);
    if (!status) status = cab_read_vec3(&along, CAB_LIMIT_COORDINATE, &def->along);
    if (!status) status = cab_read_vec3(&across, CAB_LIMIT_COORDINATE, &def->across);
    if (!status) status = cab_read_numbers(&count, CAB_LIMIT_ROW, counts, 2);
    if (!status && diagonals.value) status = cab_read_word(&diagonals, words, CAB_COUNT(words), &word);
    def->count[0] = (int)counts[0];
    def->count[1] = (int)counts[1];
    def->diagonals = (cab_diagonals)word;
    return status;
}

static cab_status read_points(const cab_cursor *sheet, cab_net *net)
{
    cab_cursor points = cab_cursor_key(sheet, "points");
    size_t size = json_array_size(points.value);
    if (size < 2 || size > CAB_SHEET_MAX) return cab_cursor_fail(&points, "an array of at least 2 points");
    net->point = calloc(size, sizeof *net->point);
    if (!net->point) return cab_fail_memory(sheet->reader->error, "points", size * sizeof *net->point);
    cab_status status = CAB_OK;
    for (size_t i = 0; i < size && !status; i++) {
        cab_cursor point = cab_cursor_item(&points, i);
        status = cab_read_vec3(&point, CAB_LIMIT_COORDINATE, &net->point[i]);
    }
    net->point_count = (int)size;
    return status;
}

static cab_status read_sticks(const cab_cursor *sheet, cab_net *net)
{
    cab_cursor sticks = cab_cursor_key(sheet, "sticks");
    size_t size = json_array_size(sticks.value);
    if (size < 1 || size > CAB_SHEET_MAX)
        return cab_cursor_fail(&sticks, "an array of at least one pair of points' numbers");
    net->stick = calloc(size, sizeof *net->stick);
    if (!net->stick) return cab_fail_memory(sheet->reader->error, "sticks", size * sizeof *net->stick);
    cab_status status = CAB_OK;
    for (size_t i = 0; i < size && !status; i++) {
        cab_cursor stick = cab_cursor_item(&sticks, i);
        double ends[2] = {0};
        status = cab_read_numbers(&stick, (cab_limit){0, net->point_count - 1, true}, ends, 2);
        net->stick[i][0] = (int)ends[0];
        net->stick[i][1] = (int)ends[1];
    }
    net->stick_count = (int)size;
    return status;
}

static void scale_points(cab_net *net, double factor)
{
    for (int i = 0; i < net->point_count; i++) {
        cab_vec3 *p = &net->point[i];
        *p = (cab_vec3){factor * p->x, factor * p->y, factor * p->z};
    }
}

/* Takes over points and lines; faces of three corners get a -1 at their end. */
static cab_status net_of_obj(cab_obj *obj, cab_net *net, cab_error *error)
{
    size_t bytes = 4 * sizeof(int) * (size_t)obj->face_count;
    net->face = bytes ? malloc(bytes) : NULL;
    if (bytes && !net->face) return cab_fail_memory(error, "faces", bytes);
    for (int face = 0, k = 0; face < obj->face_count; face++) {
        for (int corner = 0; corner < 4; corner++)
            net->face[4 * face + corner] = k < obj->face_end[face] ? obj->corner[k++] : -1;
    }
    net->face_count = obj->face_count;
    net->point = obj->point;
    net->point_count = obj->point_count;
    net->stick = obj->stick;
    net->stick_count = obj->stick_count;
    obj->point = NULL;
    obj->stick = NULL;
    return CAB_OK;
}

static cab_status load_obj(const char *path, cab_net *net, cab_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cab_obj obj = {0};
    cab_status status = cab_read_file(path, &text, &size, error);
    if (status == CAB_OK) status = cab_obj_parse(path, text, size, 4, &obj, error);
    if (status == CAB_OK) status = net_of_obj(&obj, net, error);
    cab_obj_free(&obj);
    free(text);
    return status;
}

static cab_status read_file(const cab_cursor *sheet, cab_net *net)
{
    cab_cursor file = cab_cursor_key(sheet, "file"), scale = cab_cursor_key(sheet, "scale");
    const cab_reader *reader = sheet->reader;
    const char *name;
    double factor = 1;
    cab_status status = cab_read_text(&file, "the name of an OBJ file", &name);
    if (!status && scale.value) status = cab_read_number(&scale, CAB_LIMIT_LENGTH, &factor);
    if (status) return status;
    char *path = cab_path_beside(reader->file, name);
    if (!path) return cab_fail_memory(reader->error, "a file's name", strlen(name) + 1);
    cab_error fault = {0};
    status = load_obj(path, net, &fault);
    free(path);
    if (status == CAB_ERROR_IO) status = CAB_ERROR_INPUT; /* the scene names a file that is not there */
    if (status) return cab_cursor_refuse(&file, status, fault.message);
    scale_points(net, factor);
    return CAB_OK;
}

static cab_status read_shape(const cab_cursor *sheet, cab_sheet_def *def, cab_net *net)
{
    cab_status status;
    if (json_object_get(sheet->value, "file")) {
        status = read_file(sheet, net);
    } else if (json_object_get(sheet->value, "points")) {
        status = read_points(sheet, net);
        if (!status) status = read_sticks(sheet, net);
    } else {
        return read_rectangle(sheet, def);
    }
    def->points = net->point;
    def->point_count = net->point_count;
    def->faces = net->face;
    def->face_count = net->face_count;
    def->sticks = net->stick ? net->stick[0] : NULL;
    def->stick_count = net->stick_count;
    return status;
}

/* Keys of all sheets, then of those of one kind. */
static cab_status check_keys(const cab_cursor *sheet)
{
    static const char *const rectangle[] = {"name",  "material", "area_density", "velocity", "corner",
                                            "along", "across",   "count",        "diagonals"};
    static const char *const points[] = {"name", "material", "area_density", "velocity", "points", "sticks"};
    static const char *const file[] = {"name", "material", "area_density", "velocity", "file", "scale"};
    if (json_object_get(sheet->value, "file")) return cab_cursor_check_keys(sheet, file, CAB_COUNT(file));
    if (json_object_get(sheet->value, "points"))
        return cab_cursor_check_keys(sheet, points, CAB_COUNT(points));
    return cab_cursor_check_keys(sheet, rectangle, CAB_COUNT(rectangle));
}

static cab_status read_sheet(const cab_cursor *sheet)
{
    cab_sheet_def def = cab_sheet_default();
    cab_net net = {0};
    cab_status status = check_keys(sheet);
    if (status) return status;
    cab_cursor name = cab_cursor_key(sheet, "name");
    cab_cursor material = cab_cursor_key(sheet, "material");
    cab_cursor density = cab_cursor_key(sheet, "area_density");
    cab_cursor velocity = cab_cursor_key(sheet, "velocity");
    status = cab_read_text(&name, "a name", &def.name);
    if (!status) status = cab_read_text(&material, "the name of a material", &def.material);
    if (!status && density.value)
        status = cab_read_number(&density, CAB_LIMIT_AREA_DENSITY, &def.area_density);
    if (!status && velocity.value) status = cab_read_vec3(&velocity, CAB_LIMIT_COORDINATE, &def.velocity);
    if (!status) status = read_shape(sheet, &def, &net);
    if (!status) status = cab_scene_add_sheet(sheet->reader->scene, &def, sheet->reader->error);
    free_net(&net);
    return status;
}

cab_status cab_read_sheets(const cab_cursor *document)
{
    return cab_read_list(document, "sheets", read_sheet);
}
