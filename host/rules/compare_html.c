/* The page of a comparison. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rules/compare.h"
#include "rules/page.h"

static const cab_requirement_kind *kind_of(const char *rule)
{
    for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) {
        const cab_requirement_kind *kind = cab_requirement_kind_of((cab_requirement)k);
        if (strcmp(kind->word, rule) == 0) return kind;
    }
    return NULL;
}

static void write_arrow(const char *old, const char *now, cab_file *file)
{
    cab_file_print(file, "<td class=\"n\">");
    if (strcmp(old, now) == 0)
        cab_file_print_xml(file, now);
    else {
        cab_file_print(file, "<span class=\"soft\">");
        cab_file_print_xml(file, old);
        cab_file_print(file, "</span> → ");
        cab_file_print_xml(file, now);
    }
    cab_file_print(file, "</td>");
}

static void write_quantities(double old, double now, const char *unit, cab_file *file)
{
    char before[64], after[64];
    cab_page_quantity(before, sizeof before, unit, old);
    cab_page_quantity(after, sizeof after, unit, now);
    write_arrow(before, after, file);
}

static void write_uses(double old, double now, cab_file *file)
{
    char text[2][32];
    const double uses[] = {old, now};
    for (int i = 0; i < 2; i++) {
        if (isnan(uses[i]))
            snprintf(text[i], sizeof text[i], "–");
        else if (uses[i] < 100)
            snprintf(text[i], sizeof text[i], "%.0f %%", 100 * uses[i]);
        else
            snprintf(text[i], sizeof text[i], "broken");
    }
    write_arrow(text[0], text[1], file);
}

static void write_cable(const cab_comparison *c, const cab_cable_change *cable, cab_file *file)
{
    static const cab_requirement shown[] = {CAB_REQUIREMENT_BEND, CAB_REQUIREMENT_TENSION,
                                            CAB_REQUIREMENT_CLEARANCE_COLLIDER,
                                            CAB_REQUIREMENT_CLEARANCE_CABLE};
    bool worse = cable->now.standing > cable->old.standing && cable->now.standing >= CAB_STANDING_DOUBT;
    cab_file_print(file, "<tr%s><td>", worse ? " class=\"bad\"" : "");
    cab_file_print_xml(file, cable->name);
    cab_file_print(file, "</td>");
    write_arrow(cable->old.there ? cab_standing_word(cable->old.standing) : "not there",
                cable->now.there ? cab_standing_word(cable->now.standing) : "not there", file);
    write_uses(cable->old.use, cable->now.use, file);
    write_quantities(cable->old.rest_length, cable->now.rest_length, "m", file);
    write_quantities(cable->old.length, cable->now.length, "m", file);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        int k = cable->change[shown[i]];
        double old = k >= 0 && c->changes[k].old.there ? c->changes[k].old.value : NAN;
        double now = k >= 0 && c->changes[k].now.there ? c->changes[k].now.value : NAN;
        write_quantities(old, now, cab_requirement_kind_of(shown[i])->unit, file);
    }
    cab_file_print(file, "</tr>\n");
}

static void write_cables(const cab_comparison *c, cab_file *file)
{
    cab_file_print(
        file,
        "<h2>Cables</h2>\n<p class=\"soft\">Those whose verdict changed most come "
        "first.</p>\n<table><thead><tr>"
        "<th>Cable</th><th class=\"n\">Verdict</th><th class=\"n\">Used</th><th class=\"n\">Rest length</th>"
        "<th class=\"n\">Length</th><th class=\"n\">Bend radius</th><th class=\"n\">Tension</th>"
        "<th class=\"n\">To a collider</th><th class=\"n\">To a cable</th></tr></thead><tbody>\n");
    for (int i = 0; i < c->cable_count; i++) write_cable(c, &c->cables[i], file);
    cab_file_print(file, "</tbody></table>\n");
}

static void write_place(const cab_side *side, cab_file *file)
{
    cab_file_print(file, "<td class=\"n soft\">");
    if (side->there && isfinite(side->arc)) cab_file_print(file, "%.3f m", side->arc);
    cab_file_print(file, "</td><td class=\"soft\">");
    if (side->from) cab_file_print_xml(file, side->from);
    cab_file_print(file, "</td></tr>\n");
}

static void write_change(const cab_change *change, cab_file *file)
{
    const cab_requirement_kind *kind = kind_of(change->rule);
    const char *unit = kind ? kind->unit : "m";
    const cab_side *old = &change->old, *now = &change->now, *side = now->there ? now : old;
    bool bad = change->kind == CAB_CHANGE_BROKEN || change->kind == CAB_CHANGE_FURTHER;
    cab_file_print(file, "<tr%s><td>", bad ? " class=\"bad\"" : "");
    cab_file_print_xml(file, change->part);
    cab_file_print(file, "</td><td>");
    cab_file_print_xml(file, kind ? kind->title : change->rule);
    if (side->other) {
        cab_file_print(file, ": ");
        cab_file_print_xml(file, side->other);
    }
    cab_file_print(file, "</td><td>%s</td>", cab_change_word(change->kind));
    write_quantities(old->there ? old->value : NAN, now->there ? now->value : NAN, unit, file);
    write_quantities(old->there ? old->limit : NAN, now->there ? now->limit : NAN, unit, file);
    write_uses(old->there ? old->use : NAN, now->there ? now->use : NAN, file);
    write_place(side, file);
}

static void write_changes(const cab_comparison *c, cab_file *file)
{
    cab_file_print(file, "<h2>What changed</h2>\n");
    if (c->counts[CAB_CHANGE_NONE] == c->count) {
        cab_file_print(file, "<p>Nothing.</p>\n");
        return;
    }
    cab_file_print(
        file,
        "<table><thead><tr><th>Part</th><th>What</th><th>Change</th><th class=\"n\">Worst</th>"
        "<th class=\"n\">Limit</th><th class=\"n\">Used</th><th class=\"n\">Where</th><th>Limit from</th>"
        "</tr></thead><tbody>\n");
    for (int i = 0; i < c->count; i++)
        if (c->changes[i].kind != CAB_CHANGE_NONE) write_change(&c->changes[i], file);
    cab_file_print(file, "</tbody></table>\n");
    if (c->counts[CAB_CHANGE_NONE])
        cab_file_print(file, "<p class=\"soft\">%d values are the same.</p>\n", c->counts[CAB_CHANGE_NONE]);
}

static void write_report(const char *word, const char *file_name, const json_t *report, cab_file *file)
{
    const char *said = json_string_value(json_object_get(report, "said"));
    cab_file_print(file, "<p><b>%s</b> ", word);
    cab_file_print_xml(file, file_name);
    if (said) {
        cab_file_print(file, ": ");
        cab_file_print_xml(file, said);
    }
    cab_file_print(file, "</p>\n");
}

void cab_compare_write_html(const cab_comparison *c, cab_file *file)
{
    char said[2000];
    cab_compare_say(c, said, sizeof said);
    cab_page_begin("Two reports compared", file);
    cab_file_print(file, "<p class=\"verdict %s\">", cab_compare_is_good(c) ? "good" : "bad");
    cab_file_print_xml(file, said);
    cab_file_print(file, "</p>\n");
    write_report("Before:", c->old_file, c->old, file);
    write_report("Now:", c->now_file, c->now, file);
    write_cables(c, file);
    write_changes(c, file);
    cab_file_print(file,
                   "<h2>How to read this</h2>\n<p class=\"soft\">Worst: over all frames of its run. Used: "
                   "the share of a "
                   "limit that a value takes up; above 100 %% the limit is not kept. Parts are matched by "
                   "their names. A "
                   "clearance that is missing was further than what was looked for.</p>\n</body></html>\n");
}
