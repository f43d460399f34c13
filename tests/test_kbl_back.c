/* A harness that is read, written as KBL or VEC, and read again is the same harness: nodes, segments, wires, routes, fixings, connectors,
 * tapes and tubes, and all that its list of parts and its list of wires tell, field by field. Of scenes/loom.kbl, of a small harness with
 * one of everything, of VEC, and of the files from the field where they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "io/kbl/contents.h"
#include "io/kbl/write.h"
#include "io/read_file.h"

/* Asked for: 1e-6. A number of a KBL file is written so that it reads back as it was, so nothing is allowed; one that comes from another
 * unit may change by its last digit. */
typedef struct pair {
    double allowed;
    bool names; /* ids of nodes, segments, wires and their parts are the same, too */
    bool ids;   /* and those of all else, which VEC has anew */
} pair;

static void same_number(const pair *p, double a, double b)
{
    if (!(fabs(a - b) <= p->allowed * fmax(fabs(a), fabs(b)))) fail_msg("%.17g is %.17g", a, b);
}

static void same_vector(const pair *p, cab_vec3 a, cab_vec3 b)
{
    if (!(cab_vec3_distance(a, b) <= p->allowed * fmax(1, cab_vec3_length(a)))) fail_msg("a vector differs");
}

static void same_text(const char *a, const char *b)
{
    if (!a || !b)
        assert_true(a == b);
    else
        assert_string_equal(a, b);
}

static void same_id(const pair *p, const char *a, const char *b)
{
    if (p->names) assert_string_equal(a, b);
}

static void same_other_id(const pair *p, const char *a, const char *b)
{
    if (p->ids) assert_string_equal(a, b);
}

static void same_nodes(const pair *p, const cab_kbl *a, const cab_kbl *b)
{
    assert_int_equal(a->node_count, b->node_count);
    for (int i = 0; i < a->node_count; i++) {
        const cab_kbl_node *x = &a->nodes[i], *y = &b->nodes[i];
        same_id(p, x->id, y->id);
        assert_int_equal(x->placed, y->placed);
        assert_int_equal(x->plugged, y->plugged);
        same_vector(p, x->place, y->place);
        same_text(x->connector, y->connector);
        same_number(p, x->mass, y->mass);
    }
}

static void same_curves(const pair *p, const cab_kbl_segment *x, const cab_kbl_segment *y)
{
    assert_int_equal(x->curve_count, y->curve_count);
    for (int k = 0; k < x->curve_count; k++) {
        assert_int_equal(x->curves[k].degree, y->curves[k].degree);
        assert_int_equal(x->curves[k].count, y->curves[k].count);
        for (int i = 0; i < x->curves[k].count; i++)
            same_vector(p, x->curves[k].points[i], y->curves[k].points[i]);
    }
}

static void same_covers(const pair *p, const cab_kbl_segment *x, const cab_kbl_segment *y)
{
    assert_int_equal(x->cover_count, y->cover_count);
    for (int i = 0; i < x->cover_count; i++) {
        const cab_kbl_cover *c = &x->covers[i], *d = &y->covers[i];
        same_other_id(p, c->id, d->id);
        same_id(p, c->part_id, d->part_id);
        assert_string_equal(c->number, d->number);
        assert_string_equal(c->text, d->text);
        assert_int_equal(c->kind, d->kind);
        same_number(p, c->from, d->from);
        same_number(p, c->to, d->to);
        same_number(p, c->mass, d->mass);
        /* sizes stand in a text of twelve digits behind the point, mm */
        const pair sizes = {.allowed = 1e-12};
        same_number(&sizes, c->inner, d->inner);
        same_number(&sizes, c->outer, d->outer);
        same_number(&sizes, c->thickness, d->thickness);
    }
}

static void same_segments(const pair *p, const cab_kbl *a, const cab_kbl *b)
{
    assert_int_equal(a->segment_count, b->segment_count);
    for (int i = 0; i < a->segment_count; i++) {
        const cab_kbl_segment *x = &a->segments[i], *y = &b->segments[i];
        const pair unit = {.allowed = 1e-15}; /* a direction is made a unit vector anew */
        same_id(p, x->id, y->id);
        assert_int_equal(x->start, y->start);
        assert_int_equal(x->end, y->end);
        same_number(p, x->length, y->length);
        same_number(p, x->area, y->area);
        same_vector(&unit, x->direction[0], y->direction[0]);
        same_vector(&unit, x->direction[1], y->direction[1]);
        assert_int_equal(x->wire_count, y->wire_count);
        same_curves(p, x, y);
        same_covers(p, x, y);
    }
}

static void same_wires(const pair *p, const cab_kbl *a, const cab_kbl *b)
{
    assert_int_equal(a->wire_count, b->wire_count);
    for (int i = 0; i < a->wire_count; i++) {
        const cab_kbl_wire *x = &a->wires[i], *y = &b->wires[i];
        same_id(p, x->id, y->id);
        same_id(p, x->part_id, y->part_id);
        assert_string_equal(x->number, y->number);
        same_number(p, x->diameter, y->diameter);
        same_number(p, x->area, y->area);
        same_number(p, x->mass, y->mass);
        same_number(p, x->bend_radius, y->bend_radius);
        same_number(p, x->length, y->length);
        assert_int_equal(x->route_count, y->route_count);
        for (int k = 0; k < x->route_count; k++) assert_int_equal(x->route[k], y->route[k]);
    }
}

static void same_fixings(const pair *p, const cab_kbl *a, const cab_kbl *b)
{
    assert_int_equal(a->fixing_count, b->fixing_count);
    for (int i = 0; i < a->fixing_count; i++) {
        const cab_kbl_fixing *x = &a->fixings[i], *y = &b->fixings[i];
        same_other_id(p, x->id, y->id);
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->segment, y->segment);
        same_number(p, x->location, y->location);
        assert_int_equal(x->placed, y->placed);
        same_vector(p, x->place, y->place);
    }
}

/* ---- contents ---- */

/* The next spot from i on; tapes that lie nowhere are left out of a harness, with a note. */
static int next_spot(const cab_kbl_contents *c, int i)
{
    while (i < c->spot_count && c->spots[i].kind == CAB_KBL_PROTECTION && c->spots[i].from == c->spots[i].to)
        i++;
    return i;
}

static void same_spots(const pair *p, const cab_kbl_contents *a, const cab_kbl_contents *b)
{
    int i = next_spot(a, 0), k = next_spot(b, 0);
    for (; i < a->spot_count && k < b->spot_count; i = next_spot(a, i + 1), k = next_spot(b, k + 1)) {
        const cab_kbl_spot *x = &a->spots[i], *y = &b->spots[k];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->node, y->node);
        assert_int_equal(x->segment, y->segment);
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->part, y->part);
        assert_string_equal(x->text, y->text);
        same_number(p, x->mass, y->mass);
        same_number(p, x->from, y->from);
        same_number(p, x->to, y->to);
    }
    assert_true(i == a->spot_count && k == b->spot_count);
}

static void same_pieces(const cab_kbl_contents *a, const cab_kbl_contents *b)
{
    assert_int_equal(a->piece_count, b->piece_count);
    for (int i = 0; i < a->piece_count; i++) {
        const cab_kbl_piece *x = &a->pieces[i], *y = &b->pieces[i];
        assert_int_equal(x->kind, y->kind);
        assert_string_equal(x->word, y->word);
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->part, y->part);
        assert_string_equal(x->text, y->text);
    }
}

/* vec: what KBL as it is written does not hold is asked for, too. */
static void same_leads(const cab_kbl *there, const cab_kbl_contents *a, const cab_kbl_contents *b, bool vec)
{
    for (int i = 0; i < there->wire_count; i++) {
        const cab_kbl_lead *x = &a->leads[i], *y = &b->leads[i];
        assert_string_equal(x->part, y->part);
        assert_string_equal(x->colour, y->colour);
        if (*x->number) assert_string_equal(x->number, y->number);
        if (vec) assert_string_equal(x->cable, y->cable); /* cores are written as wires */
        bool told = *x->ends[0].name && *x->ends[1].name; /* a connection has two ends */
        if (!vec && !told) continue;
        assert_string_equal(x->signal, y->signal);
        for (int k = 0; k < 2; k++) {
            assert_string_equal(x->ends[k].name, y->ends[k].name);
            assert_string_equal(x->ends[k].pin, y->ends[k].pin);
        }
    }
}

static void same_contents(const pair *p, const cab_kbl *there, const cab_kbl *back, bool vec)
{
    const cab_kbl_contents *a = there->contents, *b = back->contents;
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->text, b->text);
    for (int i = 0; i < there->node_count; i++) assert_string_equal(a->node_names[i], b->node_names[i]);
    for (int i = 0; i < there->segment_count; i++)
        assert_string_equal(a->segment_names[i], b->segment_names[i]);
    same_spots(p, a, b);
    same_pieces(a, b);
    same_leads(there, a, b, vec);
}

/* ---- there and back ---- */

static void read_text(cab_kbl *kbl, cab_kbl_contents *contents, const char *text, size_t size)
{
    cab_error error = {.message = ""};
    cab_status status = cab_kbl_read_all(kbl, contents, "a harness", text, size, &error);
    if (status) fail_msg("%s", error.message);
}

typedef cab_status writer(cab_kbl *kbl, char **bytes, size_t *size, cab_error *error);

/* Writes it, reads that, and compares. */
static void go_and_return(const char *text, size_t size, writer *write, const pair *p)
{
    cab_kbl there, back;
    cab_kbl_contents known, read;
    cab_error error;
    char *bytes;
    size_t written;
    read_text(&there, &known, text, size);
    assert_int_equal(write(&there, &bytes, &written, &error), CAB_OK);
    read_text(&back, &read, bytes, written);
    assert_true(there.node_count > 1 && there.wire_count > 0 && there.segment_count > 0);
    same_nodes(p, &there, &back);
    same_segments(p, &there, &back);
    same_wires(p, &there, &back);
    same_fixings(p, &there, &back);
    if (p->names) same_contents(p, &there, &back, write == cab_kbl_write_vec);
    free(bytes);
    cab_kbl_free(&back);
    cab_kbl_free(&there);
}

/* Fractions of a segment are lengths in VEC: metres from its start, divided by its length again. */
static const pair as_kbl = {.allowed = 0, .names = true, .ids = true},
                  as_vec = {.allowed = 1e-15, .names = true};

static char *read_harness(const char *variable, const char *name, size_t *size)
{
    char path[1000], *text = NULL;
    cab_error error;
    const char *folder = getenv(variable);
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    return cab_read_file(path, &text, size, &error) == CAB_OK ? text : NULL;
}

static void loom_comes_back(void **state)
{
    (void)state;
    size_t size;
    char *text = read_harness("CLCABLE_SCENES", "loom.kbl", &size);
    assert_non_null(text);
    go_and_return(text, size, cab_kbl_write_kbl, &as_kbl);
    go_and_return(text, size, cab_kbl_write_vec, &as_vec);
    free(text);
}

static void loom_comes_back_from_vec(void **state)
{
    (void)state;
    cab_kbl kbl;
    cab_kbl_contents contents;
    cab_error error;
    char *text = NULL, *vec = NULL;
    size_t size, vec_size;
    text = read_harness("CLCABLE_SCENES", "loom.kbl", &size);
    assert_non_null(text);
    read_text(&kbl, &contents, text, size);
    assert_int_equal(cab_kbl_write_vec(&kbl, &vec, &vec_size, &error), CAB_OK);
    cab_kbl_free(&kbl);
    /* metres there, millimetres here; names such as "X N1" are no ids */
    go_and_return(vec, vec_size, cab_kbl_write_kbl, &(pair){.allowed = 1e-15});
    go_and_return(vec, vec_size, cab_kbl_write_vec, &as_vec);
    free(vec);
    free(text);
}

static void files_from_the_field_come_back(void **state)
{
    (void)state;
    static const char *const names[] = {"data/generator.kbl", "data/movo.kbl", "data/beetle.kbl"};
    for (int i = 0; i < 3; i++) {
        size_t size;
        char *text = read_harness("CLCABLE_SHARED", names[i], &size);
        if (!text) skip();
        go_and_return(text, size, cab_kbl_write_kbl, &as_kbl);
        go_and_return(text, size, cab_kbl_write_vec, &as_vec);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loom_comes_back),
        cmocka_unit_test(loom_comes_back_from_vec),
        cmocka_unit_test(files_from_the_field_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
