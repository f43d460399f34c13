#include "model/sheet.h"

#include <stdlib.h>

#include "base/vec3.h"
#include "model/limits.h"
#include "model/model.h"

static void put_pair(cab_pair *list, int *count, int a, int b, int colour)
{
    list[(*count)++] = (cab_pair){a, b, colour};
}

/* Rows, columns, diagonals; each kind takes two colours in turn. */
static void link_rectangle(cab_sheet *sheet, int nx, int ny, cab_diagonals diagonals)
{
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            int p = i + nx * j;
            bool right = i + 1 < nx, down = j + 1 < ny;
            if (right) put_pair(sheet->edge, &sheet->edge_count, p, p + 1, i & 1);
            if (down) put_pair(sheet->edge, &sheet->edge_count, p, p + nx, 2 + (j & 1));
            if (i + 2 < nx) put_pair(sheet->second, &sheet->second_count, p, p + 2, i >> 1 & 1);
            if (j + 2 < ny) put_pair(sheet->second, &sheet->second_count, p, p + 2 * nx, 2 + (j >> 1 & 1));
            if (!right || !down) continue;
            if (diagonals != CAB_DIAGONALS_NONE)
                put_pair(sheet->edge, &sheet->edge_count, p, p + nx + 1, 4 + (j & 1));
            if (diagonals == CAB_DIAGONALS_BOTH)
                put_pair(sheet->edge, &sheet->edge_count, p + 1, p + nx, 6 + (j & 1));
            int *cell = sheet->cell[sheet->cell_count++];
            cell[0] = p, cell[1] = p + 1, cell[2] = p + nx + 1, cell[3] = p + nx;
        }
    }
}

static cab_status make_rectangle(cab_sheet *sheet, const cab_sheet_def *def, cab_error *error)
{
    int nx = def->count[0], ny = def->count[1];
    long long n = (long long)nx * ny;
    cab_status status = CAB_NEW(sheet->point, n, error);
    if (status == CAB_OK) status = CAB_NEW(sheet->edge, 4 * n, error);
    if (status == CAB_OK) status = CAB_NEW(sheet->second, 2 * n, error);
    if (status == CAB_OK) status = CAB_NEW(sheet->cell, n, error);
    if (status != CAB_OK) return status;
    sheet->point_count = (int)n;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            cab_vec3 row = cab_vec3_add_scaled(def->corner, (double)i / (nx - 1), def->along);
            sheet->point[i + nx * j] = cab_vec3_add_scaled(row, (double)j / (ny - 1), def->across);
        }
    }
    link_rectangle(sheet, nx, ny, def->diagonals);
    return CAB_OK;
}

/* A side of a face, or a stick (face -1). a < b. */
typedef struct cab_side {
    int a, b, face, corner;
} cab_side;

static cab_side side_of(int x, int y, int face, int corner)
{
    return (cab_side){x < y ? x : y, x < y ? y : x, face, corner};
}

static int by_ends(const void *x, const void *y)
{
    const cab_side *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    if (a->b != b->b) return a->b < b->b ? -1 : 1;
    if (a->face != b->face) return a->face < b->face ? -1 : 1;
    return a->corner < b->corner ? -1 : a->corner > b->corner;
}

static int corners_of(const int *face)
{
    return face[3] < 0 ? 3 : 4;
}

/* The neighbour of `point` in a face that is not on the side that starts at `corner`. */
static int beside(const int *face, int corner, int point)
{
    int n = corners_of(face);
    return face[corner] == point ? face[(corner + n - 1) % n] : face[(corner + 2) % n];
}

static bool same_ends(const cab_side *x, const cab_side *y)
{
    return x->a == y->a && x->b == y->b;
}

/* Across a side that two faces share: from a neighbour of each of its ends to the one on the other side. Of
 * two triangles that is the same pair twice. */
static int list_seconds(const cab_sheet_def *def, const cab_side *side, int count, cab_side *out)
{
    int found = 0;
    for (int i = 0; i + 1 < count; i++) {
        const cab_side *s = &side[i], *t = &side[i + 1];
        if (s->face < 0 || t->face < 0 || !same_ends(s, t)) continue;
        const int *f = def->faces + 4 * (size_t)s->face, *g = def->faces + 4 * (size_t)t->face;
        for (int end = 0; end < 2; end++) {
            int point = end ? s->b : s->a;
            int p = beside(f, s->corner, point), q = beside(g, t->corner, point);
            if (p != q) out[found++] = side_of(p, q, -1, 0);
        }
    }
    return found;
}

static bool is_among(const cab_side *list, int count, const cab_side *wanted)
{
    int low = 0, high = count; /* the first that is not before it */
    while (low < high) {
        int middle = low + (high - low) / 2;
        bool before =
            list[middle].a < wanted->a || (list[middle].a == wanted->a && list[middle].b < wanted->b);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && same_ends(&list[low], wanted);
}

static cab_status link_points(cab_sheet *sheet, const cab_sheet_def *def, cab_side *side, cab_side *second,
                              cab_error *error)
{
    int sides = 0;
    for (int f = 0; f < def->face_count; f++) {
        const int *face = def->faces + 4 * (size_t)f;
        int n = corners_of(face);
        for (int k = 0; k < n; k++) side[sides++] = side_of(face[k], face[(k + 1) % n], f, k);
    }
    for (int i = 0; i < def->stick_count; i++)
        side[sides++] = side_of(def->sticks[2 * (size_t)i], def->sticks[2 * (size_t)i + 1], -1, 0);
    qsort(side, (size_t)sides, sizeof *side, by_ends);
    int seconds = list_seconds(def, side, sides, second);
    qsort(second, (size_t)seconds, sizeof *second, by_ends);
    cab_status status = CAB_NEW(sheet->edge, sides, error);
    if (status == CAB_OK) status = CAB_NEW(sheet->second, seconds, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < sides; i++) {
        if (i > 0 && same_ends(&side[i], &side[i - 1])) continue;
        put_pair(sheet->edge, &sheet->edge_count, side[i].a, side[i].b, 0);
    }
    for (int i = 0; i < seconds; i++) {
        if ((i > 0 && same_ends(&second[i], &second[i - 1])) || is_among(side, sides, &second[i])) continue;
        put_pair(sheet->second, &sheet->second_count, second[i].a, second[i].b, 0);
    }
    return CAB_OK;
}

static cab_status make_points(cab_sheet *sheet, const cab_sheet_def *def, cab_error *error)
{
    long long sides = 4ll * def->face_count + def->stick_count;
    cab_side *side, *second = NULL;
    cab_status status = CAB_NEW(side, sides, error);
    if (status == CAB_OK) status = CAB_NEW(second, 2 * sides, error);
    if (status == CAB_OK) status = CAB_NEW(sheet->point, def->point_count, error);
    if (status == CAB_OK) status = CAB_NEW(sheet->cell, (long long)def->face_count + def->stick_count, error);
    if (status == CAB_OK) status = link_points(sheet, def, side, second, error);
    CAB_FREE(side, second);
    if (status != CAB_OK) return status;
    sheet->point_count = def->point_count;
    for (int i = 0; i < def->point_count; i++) sheet->point[i] = def->points[i];
    for (int f = 0; f < def->face_count; f++, sheet->cell_count++)
        for (int k = 0; k < 4; k++) sheet->cell[sheet->cell_count][k] = def->faces[4 * (size_t)f + (size_t)k];
    for (int i = 0; i < def->stick_count; i++, sheet->cell_count++) {
        int *cell = sheet->cell[sheet->cell_count];
        cell[0] = def->sticks[2 * (size_t)i], cell[1] = def->sticks[2 * (size_t)i + 1];
        cell[2] = cell[3] = -1;
    }
    return CAB_OK;
}

static cab_status check_sheet_links(const cab_scene *scene, int index, const cab_sheet *sheet,
                                    cab_error *error)
{
    bool *linked;
    cab_status status = CAB_NEW(linked, sheet->point_count, error);
    for (int i = 0; status == CAB_OK && i < sheet->edge_count; i++) {
        const cab_pair *e = &sheet->edge[i];
        linked[e->a] = linked[e->b] = true;
        if (cab_vec3_length(cab_vec3_sub(sheet->point[e->a], sheet->point[e->b])) > CAB_POINT_GAP) continue;
        status = cab_fail(error, CAB_ERROR_INPUT,
                          "%s: /sheets/%d: particles %d and %d are linked and lie at the same place",
                          scene->source, index, e->a, e->b);
    }
    for (int i = 0; status == CAB_OK && i < sheet->point_count; i++) {
        if (linked[i]) continue;
        status = cab_fail(error, CAB_ERROR_INPUT, "%s: /sheets/%d: particle %d has no face and no stick",
                          scene->source, index, i);
    }
    free(linked);
    return status;
}

cab_status cab_sheet_create(const cab_scene *scene, int index, cab_sheet **out, cab_error *error)
{
    const cab_sheet_def *def = &scene->sheets[index];
    cab_sheet *sheet;
    cab_status status = CAB_NEW(sheet, 1, error);
    if (status != CAB_OK) return status;
    status = def->count[0] > 0 ? make_rectangle(sheet, def, error) : make_points(sheet, def, error);
    if (status == CAB_OK) status = check_sheet_links(scene, index, sheet, error);
    if (status == CAB_OK)
        *out = sheet;
    else
        cab_sheet_destroy(sheet);
    return status;
}

void cab_sheet_destroy(cab_sheet *sheet)
{
    if (!sheet) return;
    CAB_FREE(sheet->point, sheet->edge, sheet->second, sheet->cell, sheet);
}

double cab_sheet_cell_area(const cab_sheet *sheet, int cell)
{
    const int *c = sheet->cell[cell];
    const cab_vec3 *x = sheet->point;
    if (c[2] < 0) return 0;
    cab_vec3 u = cab_vec3_sub(x[c[2]], x[c[0]]);
    cab_vec3 v = c[3] < 0 ? cab_vec3_sub(x[c[1]], x[c[0]]) : cab_vec3_sub(x[c[3]], x[c[1]]);
    return cab_vec3_length(cab_vec3_cross(u, v)) / 2;
}
