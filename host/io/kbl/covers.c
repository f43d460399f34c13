/* Tapes and tubes as files tell them: their kind, their diameters, where they lie. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/kbl/kbl.h"

#define DIAMETER_MAX 0.5 /* m; no harness is wider */

static const char *const kind_words[CAB_KBL_COVER_KINDS] = {[CAB_KBL_COVER_OTHER] = "other",
                                                            [CAB_KBL_TAPE] = "tape",
                                                            [CAB_KBL_CORRUGATED] = "corrugated_tube",
                                                            [CAB_KBL_TUBE] = "tube"};

const char *cab_kbl_kind_word(cab_kbl_cover_kind kind)
{
    return kind_words[kind];
}

/* What stands in a word says the kind; the first of the list that is found. German words come from the field. */
static const struct {
    const char *part;
    cab_kbl_cover_kind kind;
} words[] = {
    {"corrugat", CAB_KBL_CORRUGATED}, {"convolut", CAB_KBL_CORRUGATED}, {"wellrohr", CAB_KBL_CORRUGATED},
    {"wellschl", CAB_KBL_CORRUGATED}, {"tape", CAB_KBL_TAPE},           {"klebeband", CAB_KBL_TAPE},
    {"wickel", CAB_KBL_TAPE},         {"folie", CAB_KBL_TAPE},          {"vlies", CAB_KBL_TAPE},
    {"tube", CAB_KBL_TUBE},           {"hose", CAB_KBL_TUBE},           {"sleev", CAB_KBL_TUBE},
    {"schlauch", CAB_KBL_TUBE},       {"rohr", CAB_KBL_TUBE},           {"pipe", CAB_KBL_TUBE},
};

static bool has(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0) return true;
    return false;
}

cab_kbl_cover_kind cab_kbl_kind_of(const char *type, const char *text)
{
    const char *const texts[] = {type, text};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (has(texts[k], words[i].part)) return words[i].kind;
    return CAB_KBL_COVER_OTHER;
}

/* A number at the start of a text, with a point or a comma; 0 = none. No strtod(): it goes by the user's language. */
static double number_at(const char *text)
{
    double value = 0, unit = 1;
    int digits = 0;
    for (; isdigit((unsigned char)*text) && digits < 9; text++, digits++) value = 10 * value + (*text - '0');
    if (!digits || (*text != '.' && *text != ',')) return value;
    for (text++; isdigit((unsigned char)*text) && digits < 15; text++, digits++)
        value += (*text - '0') * (unit /= 10);
    return value;
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t') text++;
    return text;
}

double cab_kbl_length_in(const char *text, const char *const *names)
{
    for (; *names; names++) {
        size_t length = strlen(*names);
        for (const char *at = text; *at; at++) {
            if (at > text && isalnum((unsigned char)at[-1])) continue;
            if (strncasecmp(at, *names, length) != 0) continue;
            const char *sign = skip_blanks(at + length);
            double value = *sign == '=' || *sign == ':' ? number_at(skip_blanks(sign + 1)) : 0;
            if (value > 0) return value / 1000;
        }
    }
    return 0;
}

static double size_in(const char *parameter, const char *text, const char *const *names)
{
    double size = cab_kbl_length_in(parameter, names);
    return size > 0 ? size : cab_kbl_length_in(text, names);
}

void cab_kbl_read_sizes(cab_kbl *kbl, cab_kbl_cover *cover, const char *parameter)
{
    static const char *const inside[] = {"D(i)", "Di", "ID", NULL};
    static const char *const outside[] = {"D(a)", "Da", "OD", NULL}, *const across[] = {"thickness", NULL};
    cover->inner = size_in(parameter, cover->text, inside);
    cover->outer = size_in(parameter, cover->text, outside);
    cover->thickness = size_in(parameter, cover->text, across);
    cab_kbl_check_diameters(kbl, cover);
}

void cab_kbl_check_diameters(cab_kbl *kbl, cab_kbl_cover *cover)
{
    bool known = cover->inner > 0 && cover->outer > 0;
    if (cover->inner <= DIAMETER_MAX && cover->outer <= DIAMETER_MAX &&
        (!known || cover->inner < cover->outer))
        return;
    cab_kbl_note(kbl, cover->line, cover->id,
                 "diameters of %.1f mm inside and %.1f mm outside make no tube; they are not taken",
                 1e3 * cover->inner, 1e3 * cover->outer);
    cover->inner = cover->outer = 0;
}

void cab_kbl_add_cover(cab_kbl *kbl, cab_kbl_cover cover)
{
    double from = fmin(cover.from, cover.to), to = fmax(cover.from, cover.to);
    if (!(to > 0 && from < 1 && to > from)) { /* not with NAN */
        cab_kbl_note(kbl, cover.line, cover.id, "lies nowhere on %.60s; left out",
                     kbl->segments[cover.segment].id);
        return;
    }
    cover.from = fmax(from, 0);
    cover.to = fmin(to, 1);
    cab_kbl_cover *larger = cab_kbl_one_more(kbl, kbl->covers, kbl->cover_count, sizeof *larger);
    if (!larger) return;
    kbl->covers = larger;
    kbl->covers[kbl->cover_count++] = cover;
}

static int by_part(const void *x, const void *y)
{
    const cab_kbl_cover *a = *(const cab_kbl_cover *const *)x, *b = *(const cab_kbl_cover *const *)y;
    int order = strcmp(cab_kbl_part_of(a), cab_kbl_part_of(b));
    return order ? order : (a > b) - (a < b);
}

static bool alike(const cab_kbl_cover *a, const cab_kbl_cover *b)
{
    return *cab_kbl_part_of(a) && strcmp(cab_kbl_part_of(a), cab_kbl_part_of(b)) == 0 && a->kind == b->kind &&
           a->mass == b->mass && a->inner == b->inner && a->outer == b->outer && a->thickness == b->thickness;
}

static void find_same(cab_kbl *kbl)
{
    cab_kbl_cover **order = cab_kbl_new(kbl, (size_t)kbl->cover_count, sizeof *order);
    if (!order) return;
    for (int i = 0; i < kbl->cover_count; i++) order[i] = &kbl->covers[i];
    qsort(order, (size_t)kbl->cover_count, sizeof *order, by_part);
    const cab_kbl_cover *first = NULL;
    for (int i = 0; i < kbl->cover_count; i++) {
        if (!first || !alike(first, order[i])) first = order[i];
        order[i]->same = (int)(first - kbl->covers);
    }
}

void cab_kbl_sort_covers(cab_kbl *kbl)
{
    cab_kbl_cover *sorted = cab_kbl_new(kbl, (size_t)kbl->cover_count, sizeof *sorted);
    if (!sorted) return;
    for (int i = 0; i < kbl->cover_count; i++) kbl->segments[kbl->covers[i].segment].cover_count++;
    int begin = 0;
    for (int s = 0; s < kbl->segment_count; s++) {
        kbl->segments[s].covers = sorted + begin;
        begin += kbl->segments[s].cover_count;
        kbl->segments[s].cover_count = 0;
    }
    for (int i = 0; i < kbl->cover_count; i++) {
        cab_kbl_segment *segment = &kbl->segments[kbl->covers[i].segment];
        segment->covers[segment->cover_count++] = kbl->covers[i];
    }
    kbl->covers = sorted;
    find_same(kbl);
}
