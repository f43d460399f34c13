/* Reads sheets: a rectangle, points and sticks, or an OBJ file. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/obj.h"
#include "io/read_file.h"
#include "io/scene_json.h"

static cab_status read_counts(const cab_cursor *cursor, void *into)
{
    double counts[2] = {0};
    int *count = into;
    cab_status status = cab_read_numbers(cursor, CAB_LIMIT_ROW, counts, 2);
    for (int i = 0; i < 2; i++) count[i] = (int)counts[i];
    return status;
}

static cab_status read_sticks(const cab_cursor *sticks, void *sheet)
{
    cab_sheet_def *def = sheet;
    size_t size = json_array_size(sticks->value);
    if (size < 1 || size > CAB_SHEET_MAX)
        return cab_cursor_fail(sticks, "an array of at least one pair of points' numbers");
    int *ends = calloc(2 * size, sizeof *ends);
    if (!ends) return cab_fail_memory(sticks->reader->error, "sticks", 2 * size * sizeof *ends);
    def->sticks = ends;
    def->stick_count = (int)size;
    cab_status status = CAB_OK;
    for (size_t i = 0; i < size && !status; i++) {
        cab_cursor stick = cab_cursor_item(sticks, i);
        double numbers[2] = {0};
        status = cab_read_numbers(&stick, (cab_limit){0, def->point_count - 1, true}, numbers, 2);
        for (size_t k = 0; k < 2; k++) ends[2 * i + k] = (int)numbers[k];
    }
    return status;
}

/* Takes over points and lines; faces of three corners get a -1 at their end. */
static cab_status take_obj(cab_obj *obj, cab_sheet_def *def, cab_error *error)
{
    size_t bytes = 4 * sizeof(int) * (size_t)obj->face_count;
    int *faces = bytes ? malloc(bytes) : NULL;
    if (bytes && !faces) return cab_fail_memory(error, "faces", bytes);
    for (int face = 0, k = 0; face < obj->face_count; face++)
        for (int corner = 0; corner < 4; corner++)
            faces[4 * face + corner] = k < obj->face_end[face] ? obj->corner[k++] : -1;
    def->faces = faces;
    def->face_count = obj->face_count;
    def->points = obj->point;
    def->point_count = obj->point_count;
    def->sticks = obj->stick ? obj->stick[0] : NULL;
    def->stick_count = obj->stick_count;
    obj->point = NULL;
    obj->stick = NULL;
    return CAB_OK;
}

static cab_status load_obj(const char *path, double scale, cab_sheet_def *def, cab_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cab_obj obj = {0};
    cab_status status = cab_read_file(path, &text, &size, error);
    if (status == CAB_OK) status = cab_obj_parse(path, text, size, 4, &obj, error);
    for (int i = 0; status == CAB_OK && i < obj.point_count; i++) {
        cab_vec3 *p = &obj.point[i];
        *p = (cab_vec3){scale * p->x, scale * p->y, scale * p->z};
    }
    if (status == CAB_OK) status = take_obj(&obj, def, error);
    cab_obj_free(&obj);
    free(text);
    return status;
}

static cab_status read_file(const cab_cursor *file, void *sheet)
{
    const cab_reader *reader = file->reader;
    cab_cursor scale = cab_cursor_key(file->up, "scale");
    const char *name;
    double factor = 1;
    cab_status status = cab_read_text(file, "the name of an OBJ file", &name);
    if (!status && scale.value) status = cab_read_number(&scale, CAB_LIMIT_LENGTH, &factor);
    if (status) return status;
    char *path = cab_path_beside(reader->file, name);
    if (!path) return cab_fail_memory(reader->error, "a file's name", strlen(name) + 1);
    cab_error fault = {0};
    status = load_obj(path, factor, sheet, &fault);
    free(path);
    if (status == CAB_ERROR_IO) status = CAB_ERROR_INPUT; /* the scene names a file that is not there */
    return status ? cab_cursor_refuse(file, status, fault.message) : CAB_OK;
}

static const char *const diagonals[] = {
    [CAB_DIAGONALS_NONE] = "none", [CAB_DIAGONALS_ONE] = "one", [CAB_DIAGONALS_BOTH] = "both", NULL};
static const cab_array_form points = {
    2, CAB_SHEET_MAX, sizeof(cab_vec3), "an array of at least 2 points", CAB_LIMIT_COORDINATE, NULL};

/* Keys of all sheets, then of those of one kind. */
static const cab_key keys[] = {
    {CAB_TEXT(cab_sheet_def, name, "a name", CAB_NEEDED)},
    {CAB_TEXT(cab_sheet_def, material, "the name of a material", CAB_NEEDED)},
    {CAB_VALUE(cab_sheet_def, area_density, CAB_LIMIT_AREA_DENSITY)},
    {CAB_POINT(cab_sheet_def, velocity, CAB_LIMIT_COORDINATE)},
};
static const cab_key rectangle[] = {
    {CAB_POINT(cab_sheet_def, corner, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
    {CAB_POINT(cab_sheet_def, along, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
    {CAB_POINT(cab_sheet_def, across, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
    {CAB_READ(cab_sheet_def, count, read_counts, CAB_NEEDED)},
    {CAB_WORD(cab_sheet_def, diagonals, diagonals)},
};
static const cab_key net[] = {
    {CAB_ITEMS(cab_sheet_def, points, point_count, &points, CAB_NEEDED)},
    {.key = "sticks", .kind = CAB_KEY_READ, .read = read_sticks, CAB_NEEDED},
};
static const cab_key file[] = {{.key = "file", .kind = CAB_KEY_READ, .read = read_file}, {.key = "scale"}};

cab_status cab_read_sheet(const cab_cursor *sheet, void *scene)
{
    cab_key all[CAB_COUNT(keys) + CAB_COUNT(rectangle)];
    bool of_file = json_object_get(sheet->value, "file"), of_points = json_object_get(sheet->value, "points");
    const cab_key *own = of_file ? file : of_points ? net : rectangle;
    int own_count = of_file ? CAB_COUNT(file) : of_points ? CAB_COUNT(net) : CAB_COUNT(rectangle);
    memcpy(all, keys, sizeof keys);
    memcpy(all + CAB_COUNT(keys), own, (size_t)own_count * sizeof *own);
    cab_sheet_def def = cab_sheet_default();
    cab_status status = cab_read_object(sheet, all, CAB_COUNT(keys) + own_count, &def);
    if (!status) status = cab_scene_add_sheet(scene, &def, sheet->reader->error);
    CAB_FREE((void *)def.points, (void *)def.faces, (void *)def.sticks);
    return status;
}
