#include "rules/bundles.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "model/scene.h"

static const char *const columns[] = {"EI sliding", "EI bonded", "EI taken",
                                      "EA sliding", "EA bonded", "EA taken"};
enum { COLUMNS = 6 };

static double value_of(const cab_bundle_row_def *row, int column)
{
    return column < 3 ? row->bending[column] : row->stretching[column - 3];
}

/* "4 x wire W05", "tape T1 from 0.1 to 0.4" */
static void describe(const cab_bundle_row_def *row, char *text, size_t size)
{
    char count[24] = "", where[64] = "";
    if (row->count != 1) snprintf(count, sizeof count, "%d x ", row->count);
    if (row->from > 0 || row->to < 1) snprintf(where, sizeof where, " from %.3g to %.3g", row->from, row->to);
    snprintf(text, size, "%s%.300s%s", count, row->part, where);
}

static bool tells(const cab_scene *scene)
{
    for (int i = 0; i < scene->cable_count; i++)
        if (scene->cables[i].bundle_count) return true;
    return false;
}

static void write_row(const char *cable, const cab_bundle_row_def *row, cab_file *file)
{
    char text[400];
    cab_file_print(file, "<tr><td>");
    cab_file_print_xml(file, cable);
    cab_file_print(file, "</td><td>");
    describe(row, text, sizeof text);
    cab_file_print_xml(file, text);
    cab_file_print(file, "</td>");
    for (int k = 0; k < COLUMNS; k++) cab_file_print(file, "<td class=\"n\">%.3g</td>", value_of(row, k));
    cab_file_print(file, "</tr>\n");
}

void cab_bundles_html(const cab_scene *scene, cab_file *file)
{
    if (!tells(scene)) return;
    cab_file_print(
        file,
        "<h2>Bundles</h2>\n<p class=\"soft\">Bending stiffness EI in N m&#178;, stretching stiffness EA in "
        "N: "
        "while all parts slip on one another, while all are bonded as one rod, and as taken; below each "
        "bundle what its parts give.</p>\n<table><thead><tr><th>Cable</th><th>Part</th>");
    for (int k = 0; k < COLUMNS; k++) cab_file_print(file, "<th class=\"n\">%s</th>", columns[k]);
    cab_file_print(file, "</tr></thead><tbody>\n");
    for (int i = 0; i < scene->cable_count; i++)
        for (int k = 0; k < scene->cables[i].bundle_count; k++)
            write_row(k ? "" : scene->cables[i].name, &scene->cables[i].bundle[k], file);
    cab_file_print(file, "</tbody></table>\n");
}

static json_t *row_json(const cab_bundle_row_def *r)
{
    return json_pack("{s:s, s:i, s:f, s:f, s:[f,f,f], s:[f,f,f]}", "part", r->part, "count", r->count, "from",
                     r->from, "to", r->to, "bending", r->bending[0], r->bending[1], r->bending[2],
                     "stretching", r->stretching[0], r->stretching[1], r->stretching[2]);
}

json_t *cab_bundles_json(const cab_scene *scene)
{
    json_t *list = json_array();
    for (int i = 0; i < scene->cable_count; i++) {
        const cab_cable_def *cable = &scene->cables[i];
        if (!cable->bundle_count) continue;
        json_t *rows = json_array();
        for (int k = 0; k < cable->bundle_count; k++)
            json_array_append_new(rows, row_json(&cable->bundle[k]));
        json_array_append_new(list, json_pack("{s:s, s:o}", "cable", cable->name, "rows", rows));
    }
    return list;
}

void cab_bundles_print(const cab_scene *scene)
{
    char text[400];
    if (!tells(scene)) return;
    printf("EI in N m^2, EA in N:\n%-40s", "");
    for (int k = 0; k < COLUMNS; k++) printf(" %10s", columns[k]);
    printf("\n");
    for (int i = 0; i < scene->cable_count; i++)
        for (int k = 0; k < scene->cables[i].bundle_count; k++) {
            describe(&scene->cables[i].bundle[k], text, sizeof text);
            if (k)
                printf("  %-38s", text);
            else
                printf("%-40s", scene->cables[i].name);
            for (int c = 0; c < COLUMNS; c++) printf(" %10.3g", value_of(&scene->cables[i].bundle[k], c));
            printf("\n");
        }
}
