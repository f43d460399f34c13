/* The page: one file, nothing fetched, prints well. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rules/assess.h"
#include "rules/bundles.h"
#include "rules/page.h"
#include "rules/plot_svg.h"

enum { WORST_MOST = 25, TEXT_SIZE = 400 };

/* Base64. */
static void write_data(cab_file *file, const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned three = (unsigned)data[i] << 16 | (left > 1 ? (unsigned)data[i + 1] << 8 : 0) |
                         (left > 2 ? data[i + 2] : 0);
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                        left > 1 ? digits[three >> 6 & 63] : '=', left > 2 ? digits[three & 63] : '='};
        cab_file_write(file, four, 4);
    }
}

static void write_quantity(cab_file *file, cab_requirement rule, double value)
{
    char text[64];
    cab_page_quantity(text, sizeof text, cab_requirement_kind_of(rule)->unit, value);
    cab_file_print(file, "<td class=\"n\">%s</td>", text);
}

static void write_use(cab_file *file, double use)
{
    if (isnan(use)) {
        cab_file_print(file, "<td></td>");
        return;
    }
    double width = isfinite(use) ? fmin(use, 1) * 100 : 100;
    if (use < 100)
        cab_file_print(file,
                       "<td class=\"n\">%.0f %%<div class=\"bar\"><i style=\"width:%.0f%%\"></i></div></td>",
                       100 * use, width);
    else
        cab_file_print(file,
                       "<td class=\"n\">broken<div class=\"bar\"><i style=\"width:100%%\"></i></div></td>");
}

static void write_row(const cab_assessment *a, const cab_finding *f, cab_file *file)
{
    char text[TEXT_SIZE], from[2 * TEXT_SIZE];
    cab_file_print(file, "<tr%s><td>", f->use > 1 ? " class=\"bad\"" : "");
    cab_assess_part(a, f, text, sizeof text);
    cab_file_print_xml(file, text);
    cab_file_print(file, "</td><td>%s", cab_requirement_kind_of(f->rule)->title);
    cab_assess_other(a, f, text, sizeof text);
    if (*text) {
        cab_file_print(file, ": ");
        cab_file_print_xml(file, text);
    }
    if (f->rule == CAB_REQUIREMENT_BEND) cab_file_print(file, f->moving ? ", moving" : ", at rest");
    cab_file_print(file, "</td>");
    if (a->drawn) write_quantity(file, f->rule, f->drawn);
    write_quantity(file, f->rule, f->value);
    write_quantity(file, f->rule, f->bound.limit);
    write_use(file, f->use);
    cab_file_print(file, "<td class=\"n\">%.0f %%, %.3f m</td><td class=\"n\">%.2f s</td>", 100 * f->at,
                   f->at * a->cables[f->cable].length, f->time);
    cab_file_print(file, "<td class=\"n soft\">%.3f, %.3f, %.3f</td><td class=\"soft\">", f->place.x,
                   f->place.y, f->place.z);
    cab_assess_from(a, f, from, sizeof from);
    cab_file_print_xml(file, from);
    cab_file_print(file, "</td></tr>\n");
}

static void begin_table(const cab_assessment *a, cab_file *file)
{
    cab_file_print(file,
                   "<table><thead><tr><th>Part</th><th>What</th>%s<th class=\"n\">Limit</th>"
                   "<th class=\"n\">Used</th><th class=\"n\">Along</th><th class=\"n\">When</th>"
                   "<th class=\"n\">Where, m</th><th>Limit from</th></tr></thead><tbody>\n",
                   a->drawn ? "<th class=\"n\">As drawn</th><th class=\"n\">At rest</th>"
                            : "<th class=\"n\">Worst</th>");
}

static void write_worst(const cab_assessment *a, cab_file *file)
{
    int limited = 0;
    while (limited < a->finding_count && !isnan(a->findings[limited].use) &&
           a->findings[limited].frame >= 0 && !cab_requirement_kind_of(a->findings[limited].rule)->error)
        limited++;
    cab_file_print(file, "<h2>Worst first</h2>\n");
    if (limited == 0) {
        cab_file_print(file, "<p>Nothing here has a limit.</p>\n");
        return;
    }
    begin_table(a, file);
    for (int i = 0; i < limited && i < WORST_MOST; i++) write_row(a, &a->findings[i], file);
    cab_file_print(file, "</tbody></table>\n");
    if (limited > WORST_MOST)
        cab_file_print(file, "<p class=\"soft\">%d more have a limit; all are below.</p>\n",
                       limited - WORST_MOST);
}

/* Larger ones only; they stand behind the limits. */
static void write_errors(const cab_assessment *a, cab_file *file)
{
    int count = cab_assess_errors(a, CAB_REQUIREMENT_STRETCH) + cab_assess_errors(a, CAB_REQUIREMENT_OVERLAP),
        shown = 0;
    if (!count) return;
    cab_file_print(file, "<h2>Errors of the simulation</h2>\n<p>No fault of the cables: more substeps or "
                         "<code>--method direct</code> make "
                         "them smaller. Beside what has such errors, values above are in doubt.</p>\n");
    begin_table(a, file);
    for (int i = 0; i < a->finding_count && shown < WORST_MOST; i++) {
        const cab_finding *f = &a->findings[i];
        if (f->frame < 0 || !(f->use > 1) || !cab_requirement_kind_of(f->rule)->error) continue;
        write_row(a, f, file);
        shown++;
    }
    cab_file_print(file, "</tbody></table>\n");
    if (count > shown) cab_file_print(file, "<p class=\"soft\">%d more are below.</p>\n", count - shown);
}

static void write_all(const cab_assessment *a, cab_file *file)
{
    cab_file_print(file, "<h2>All parts</h2>\n");
    for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) {
        int count = 0;
        for (int i = 0; i < a->finding_count; i++)
            count += (int)a->findings[i].rule == k && a->findings[i].frame >= 0;
        if (!count) continue;
        cab_file_print(file, "<details><summary>%s (%d)</summary>\n",
                       cab_requirement_kind_of((cab_requirement)k)->title, count);
        begin_table(a, file);
        for (int i = 0; i < a->finding_count; i++)
            if ((int)a->findings[i].rule == k && a->findings[i].frame >= 0)
                write_row(a, &a->findings[i], file);
        cab_file_print(file, "</tbody></table></details>\n");
    }
}

/* A limit that all parts share can be drawn; bends have one each. */
static double shared_limit(const cab_assessment *a, cab_requirement rule)
{
    double limit = NAN;
    for (int i = 0; i < a->finding_count; i++) {
        const cab_finding *f = &a->findings[i];
        if (f->rule != rule || isnan(f->bound.limit)) continue;
        if (!isnan(limit) && limit != f->bound.limit) return NAN;
        limit = f->bound.limit;
    }
    return limit;
}

static void write_plots(const cab_assessment *a, cab_file *file)
{
    if (a->frame_count < 2) return;
    cab_file_print(file, "<h2>Over time</h2>\n<p class=\"soft\">In each frame the worst of all "
                         "parts.</p>\n<div class=\"plots\">\n");
    for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) {
        const cab_requirement_kind *kind = cab_requirement_kind_of((cab_requirement)k);
        double scale = *kind->unit == 'm' ? 1000 : *kind->unit ? 1 : 100;
        cab_plot_write(&(cab_plot){.title = kind->title,
                                   .unit = *kind->unit == 'm' ? "mm"
                                           : *kind->unit      ? kind->unit
                                                              : "%",
                                   .time = a->time,
                                   .value = a->series + k,
                                   .count = a->frame_count,
                                   .stride = CAB_REQUIREMENT_COUNT,
                                   .scale = scale,
                                   .limit = shared_limit(a, (cab_requirement)k) * scale},
                       file);
    }
    cab_file_print(file, "</div>\n");
}

static void write_pictures(const cab_assess_picture *pictures, int count, cab_file *file)
{
    if (!count) return;
    cab_file_print(file, "<h2>Pictures</h2>\n<div class=\"pictures\">\n");
    for (int i = 0; i < count; i++) {
        cab_file_print(file, "<figure><img alt=\"");
        cab_file_print_xml(file, pictures[i].caption);
        cab_file_print(file, "\" src=\"data:image/png;base64,");
        write_data(file, pictures[i].png, pictures[i].size);
        cab_file_print(file, "\"><figcaption>");
        cab_file_print_xml(file, pictures[i].caption);
        cab_file_print(file, "</figcaption></figure>\n");
    }
    cab_file_print(file, "</div>\n");
}

static void write_facts(const cab_assessment *a, const cab_assess_run *run, cab_file *file)
{
    cab_file_print(file, "<div class=\"facts\">\n<div>Cables<b>%d</b></div>", a->cable_count);
    if (run->rest)
        cab_file_print(file, "<div>Rest, force left<b>%.2g N</b></div><div>Steps to it<b>%d</b></div>",
                       run->rest->residual, run->rest->iterations);
    if (run->frames > 0) cab_file_print(file, "<div>Simulated<b>%.3g s</b></div>", run->duration);
    cab_file_print(file, "<div>Method<b>%s</b></div><div>Substeps a frame<b>%d</b></div>", run->method,
                   run->substeps);
    cab_file_print(file,
                   "<div>Largest stretch<b>%.2g %%</b></div><div>Deepest overlap<b>%.2g mm</b></div></div>\n",
                   100 * run->measures.stretch_worst, 1000 * run->measures.penetration_worst);
}

static void write_head(const cab_assessment *a, const cab_assess_run *run, cab_file *file)
{
    cab_page_begin(run->title, file);
    cab_file_print(file, "<p class=\"soft\">");
    cab_file_print_xml(file, run->scene);
    cab_file_print(file, run->frames > 0 ? ", simulated by clcable %s on " : ", put to rest by clcable %s, ",
                   cab_version());
    cab_file_print_xml(file, run->device);
    cab_file_print(file, ". Judged is %s.</p>\n", cab_assess_judged(run));
    if (strcmp(run->status, "unsettled") == 0)
        cab_file_print(file, "<p class=\"verdict bad\">No rest was found</p>\n");
    else if (strcmp(run->status, "ok") != 0)
        cab_file_print(file, "<p class=\"verdict bad\">The run ended early: %s</p>\n", run->status);
    static const char *const classes[] = {"good", "doubt", "bad"};
    char said[2000];
    cab_verdict verdict = cab_assess_verdict(a, run, said, sizeof said);
    cab_file_print(file, "<p class=\"verdict %s\">", classes[verdict]);
    cab_file_print_xml(file, said);
    cab_file_print(file, "</p>\n");
}

void cab_assess_write_html(const cab_assessment *a, const cab_assess_run *run,
                           const cab_assess_picture *pictures, int picture_count, cab_file *file)
{
    write_head(a, run, file);
    write_facts(a, run, file);
    write_worst(a, file);
    write_errors(a, file);
    write_pictures(pictures, picture_count, file);
    write_plots(a, file);
    cab_assess_probes_html(&a->probes, a->time, file);
    write_all(a, file);
    cab_bundles_html(a->scene, file);
    cab_file_print(
        file,
        "<h2>How to read this</h2>\n<p class=\"soft\">Worst: over all frames. Used: the share of a limit "
        "that a value "
        "takes up; above 100 %% the limit is not kept. A bend radius is that of the circle through three "
        "neighbouring points; a cable that moves faster than 1 mm/s is held to the limit for moving ones. "
        "Clearances are between surfaces and looked for nearby only. Largest stretch and deepest overlap are "
        "errors of the simulation itself.</p>\n</body></html>\n");
}
