/* What the panels write. No text of them lies on another one or leaves its panel, from what Nuklear was told to draw: each text where it is and as wide
 * as its font makes it, cut off where the window's clip is. At 640 x 420 and at 1280 x 720, with as much to show as there can be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "desk.h"
#include "view/scale/units.h"

enum { TEXTS_MOST = 1000, RECTS_MOST = 1000, TEXT_SIZE = 100, MATERIALS = 20, CABLES = 12 };

/* A text of a picture, points. */
typedef struct shown_text {
    char text[TEXT_SIZE];
    const struct nk_window *window;
    struct nk_rect whole, seen; /* as it would be without clip; what is left of it */
} shown_text;

/* Whatever is filled in a window: panels, cards of the legend, buttons. */
typedef struct shown_rect {
    const struct nk_window *window;
    struct nk_rect place;
} shown_rect;

static shown_text texts[TEXTS_MOST];
static shown_rect rects[RECTS_MOST];
static int text_count, rect_count;

static struct nk_rect common(struct nk_rect a, struct nk_rect b)
{
    float x = fmaxf(a.x, b.x), y = fmaxf(a.y, b.y);
    return nk_rect(x, y, fmaxf(fminf(a.x + a.w, b.x + b.w) - x, 0),
                   fmaxf(fminf(a.y + a.h, b.y + b.h) - y, 0));
}

static void note_text(const struct nk_window *window, const struct nk_command_text *t, struct nk_rect clip)
{
    struct nk_user_font *font = (struct nk_user_font *)t->font;
    float width = font->width(font->userdata, t->height, t->string, t->length);
    shown_text *to = &texts[text_count];
    assert_true(text_count < TEXTS_MOST);
    to->window = window;
    to->whole = nk_rect(t->x, t->y, width, t->height);
    to->seen = common(to->whole, clip);
    snprintf(to->text, sizeof to->text, "%.*s", t->length, t->string);
    if (to->seen.w > 0 && to->seen.h > 0) text_count++;
}

static void note_window(const struct nk_context *nk, const struct nk_window *window)
{
    const char *memory = nk->memory.memory.ptr;
    struct nk_rect clip = nk_rect(-1e4f, -1e4f, 2e4f, 2e4f);
    nk_size at = window->buffer.begin;
    if (window->buffer.begin == window->buffer.end || window->seq != nk->seq) return;
    for (;;) {
        const struct nk_command *command = (const void *)(memory + at);
        const struct nk_command_scissor *scissor = (const void *)command;
        const struct nk_command_rect_filled *rect = (const void *)command;
        if (command->type == NK_COMMAND_SCISSOR)
            clip = nk_rect(scissor->x, scissor->y, scissor->w, scissor->h);
        if (command->type == NK_COMMAND_TEXT) note_text(window, (const void *)command, clip);
        if (command->type == NK_COMMAND_RECT_FILLED && rect_count < RECTS_MOST)
            rects[rect_count++] = (shown_rect){window, nk_rect(rect->x, rect->y, rect->w, rect->h)};
        if (at == window->buffer.last) return;
        at = command->next;
    }
}

/* Instead of the function that draws them (LINKER:--wrap): reads the commands first. */
cab_status __real_cab_ui_draw(cab_ui *ui, unsigned framebuffer, cab_error *to);
cab_status __wrap_cab_ui_draw(cab_ui *ui, unsigned framebuffer, cab_error *to);

cab_status __wrap_cab_ui_draw(cab_ui *ui, unsigned framebuffer, cab_error *to)
{
    const struct nk_context *nk = cab_ui_context(ui);
    text_count = rect_count = 0;
    for (const struct nk_window *w = nk->begin; w; w = w->next) note_window(nk, w);
    return __real_cab_ui_draw(ui, framebuffer, to);
}

/* Is it in something that is filled in its window, from left to right? */
static bool is_in_a_panel(const shown_text *t)
{
    for (int i = 0; i < rect_count; i++) {
        const struct nk_rect *r = &rects[i].place;
        if (rects[i].window != t->window || t->whole.x < r->x || t->whole.x + t->whole.w > r->x + r->w + 0.5f)
            continue;
        if (t->seen.y >= r->y && t->seen.y + t->seen.h <= r->y + r->h + 0.5f) return true;
    }
    return false;
}

static bool is_modal(const struct nk_window *window)
{
    return strcmp(window->name_string, "help") == 0 || strcmp(window->name_string, "dialog") == 0;
}

/* A dialog or the help lies over the others, which are not to be read then. */
static bool may_overlap(const struct nk_window *a, const struct nk_window *b)
{
    return a == b || is_modal(a) || is_modal(b);
}

/* Texts that a window hides which is no dialog. */
static int count_hidden(cab_ui *ui, const char *what)
{
    int hidden = 0;
    for (const struct nk_window *w = cab_ui_context(ui)->begin; w; w = w->next) {
        for (int i = 0; i < text_count && strcmp(w->name_string, "legend") != 0; i++) {
            struct nk_rect both = common(texts[i].seen, w->bounds);
            if (may_overlap(w, texts[i].window) || both.w <= 0.5f || both.h <= 0.5f) continue;
            print_error("%s: \"%s\" (%s) is behind \"%s\"\n", what, texts[i].text,
                        texts[i].window->name_string, w->name_string);
            hidden++;
        }
    }
    return hidden;
}

/* Returns how many faults there are; says each. */
static int count_faults(cab_ui *ui, const char *what)
{
    struct nk_vec2 size = cab_ui_size(ui);
    int faults = count_hidden(ui, what);
    for (int i = 0; i < text_count; i++) {
        const shown_text *t = &texts[i];
        bool cut = t->seen.w < t->whole.w - 0.5f;
        bool outside = t->seen.x < 0 || t->seen.x + t->seen.w > size.x || !is_in_a_panel(t);
        if (cut || outside)
            print_error("%s: \"%s\" at %g, %g (%g wide) leaves its panel \"%s\"\n", what, t->text, t->whole.x,
                        t->whole.y, t->whole.w, t->window->name_string);
        faults += cut || outside;
        for (int k = 0; k < i; k++) {
            struct nk_rect both = common(t->seen, texts[k].seen);
            bool apart = t->window != texts[k].window && may_overlap(t->window, texts[k].window);
            if (both.w <= 0.5f || both.h <= 0.5f || apart) continue;
            print_error("%s: \"%s\" (%s) on \"%s\" (%s) at %g, %g\n", what, t->text, t->window->name_string,
                        texts[k].text, texts[k].window->name_string, both.x, both.y);
            faults++;
        }
    }
    return faults;
}

static struct nk_window *find_side(desk *d)
{
    return nk_window_find(cab_ui_context(cab_panels_ui(d->panels)), "side");
}

/* All of the side panel, a piece of it after the other. */
static int scroll_through(desk *d, const char *what)
{
    int faults = 0;
    float height = cab_panels_side(d->panels).h;
    for (nk_uint scrolled = 0; scrolled < 4000; scrolled += (nk_uint)height / 2) {
        find_side(d)->scrollbar.y = scrolled;
        draw_desk(d);
        if (find_side(d)->scrollbar.y < scrolled) break; /* beyond its end */
        assert_true(text_count > 5);
        faults += count_faults(cab_panels_ui(d->panels), what);
    }
    find_side(d)->scrollbar.y = 0;
    draw_desk(d);
    return faults;
}

enum { PROBES = 3 };

/* A harness of materials, cables and probes with long names. */
static void write_harness(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "{\"clcable\": 1, \"time\": {\"duration\": 1, \"frame_rate\": 60, \"substeps\": 10}, "
                  "\"materials\": {");
    for (int i = 0; i < MATERIALS; i++)
        fprintf(
            file,
            "%s\"FLRY-B %d.35 mm² shielded twisted pair, violet\": {\"radius\": 0.00%d, \"linear_density\": "
            "0.0%d, \"bending_stiffness\": 1e-5, \"min_bend_radius\": 0.02, \"stretching_stiffness\": "
            "12345.678}",
            i ? ", " : "", i, 2 + i % 7, 1 + i % 8);
    fprintf(file, "}, \"cables\": [");
    for (int i = 0; i < CABLES; i++)
        fprintf(file,
                "%s{\"name\": \"engine compartment, left branch %d\", \"material\": \"FLRY-B %d.35 mm² "
                "shielded twisted pair, "
                "violet\", \"path\": [[0,%g,1],[0.3,%g,0.8],[0.6,%g,1]], \"segments\": 12}",
                i ? ", " : "", i, i, 0.1 * i, 0.1 * i, 0.1 * i);
    fprintf(file, "], \"attachments\": [");
    for (int i = 0; i < CABLES; i++)
        fprintf(file,
                "%s{\"cable\": \"engine compartment, left branch %d\", \"at\": \"start\", \"to\": \"here\"}",
                i ? ", " : "", i);
    fprintf(file, "], \"probes\": [");
    for (int i = 0; i < PROBES; i++)
        fprintf(file,
                "%s{\"name\": \"behind the grommet at the bulkhead, number %d\", \"cable\": \"engine "
                "compartment, left branch "
                "%d\", \"at\": 0.437}",
                i ? ", " : "", i, i);
    fprintf(file, "]}\n");
    assert_int_equal(fclose(file), 0);
}

/* Everything open that there is, a cable selected, a material unfolded, plots, warnings. */
static void fill(desk *d)
{
    cab_viewer *v = d->viewer;
    for (int i = 0; i < CAB_SECTION_COUNT; i++) cab_panels_open(d->panels, (cab_section)i, true);
    for (int i = 0; i < 3; i++)
        assert_true(cab_viewer_trace(v, i, cab_world_get_cable(v->world, i).first_node + 3 * i));
    assert_true(cab_viewer_trace_energy(v, true));
    cab_viewer_select(v, CABLES - 1);
    for (int i = 0; i < 10; i++) cab_viewer_step(v);
    v->warnings = 123;
}

static void tell_much(desk *d)
{
    cab_viewer_tell(
        d->viewer, true,
        "engine compartment, left branch 3: stretched by 3.7 %% at 0.35 s; substeps of 20 or more would "
        "keep it below 0.1 %% (stretching_stiffness 12345.678 N)");
    settle(d);
}

static void set_colours(desk *d, cab_paint paint, cab_quantity quantity)
{
    cab_look look = d->viewer->look;
    look.paint = paint;
    look.quantity = quantity;
    cab_viewer_set_look(d->viewer, &look);
    settle(d);
}

/* With each kind of legend, then with the windows that lie over all. */
static int look_at_all(desk *d)
{
    int faults = 0;
    set_colours(d, CAB_PAINT_CABLE, CAB_QUANTITY_NONE);
    faults += scroll_through(d, "cables");
    set_colours(d, CAB_PAINT_MATERIAL, CAB_QUANTITY_NONE);
    faults += scroll_through(d, "materials");
    for (int q = CAB_QUANTITY_NONE + 1; q < CAB_QUANTITY_COUNT; q++) {
        set_colours(d, CAB_PAINT_CABLE, (cab_quantity)q);
        faults += count_faults(cab_panels_ui(d->panels), cab_quantity_name((cab_quantity)q));
    }
    d->viewer->show_help = true;
    settle(d);
    faults += count_faults(cab_panels_ui(d->panels), "help");
    d->viewer->show_help = false;
    cab_viewer_ask(d->viewer, CAB_DIALOG_SAVE);
    settle(d);
    faults += count_faults(cab_panels_ui(d->panels), "dialog");
    d->viewer->dialog = CAB_DIALOG_NONE;
    settle(d);
    return faults;
}

static const int sizes[][2] = {{640, 420}, {1280, 720}};

static void open_harness(desk *d, int width, int height)
{
    char folder[] = "/tmp/clcable-texts-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a harness with a long name of its own.json", folder);
    write_harness(path);
    open_desk_of(d, path, width, height, 1);
    unlink(path);
    rmdir(folder);
}

static void test_texts_keep_apart(void **state)
{
    (void)state;
    desk d;
    int faults = 0;
    open_harness(&d, sizes[0][0], sizes[0][1]);
    fill(&d);
    keep_desk(&d, "texts");
    d.bare = true;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        resize_desk(&d, sizes[i][0], sizes[i][1], 1);
        faults += look_at_all(&d);
        tell_much(&d);
        faults += look_at_all(&d);
        d.viewer->message[0] = 0;
    }
    assert_int_equal(faults, 0);
    close_desk(&d);
}

#ifdef CAB_HAVE_STUDIES
static void test_texts_of_studies_keep_apart(void **state)
{
    (void)state;
    static const char *const scenes[] = {"particles/angles.json", "planar/stress-2.json"};
    int faults = 0;
    for (size_t i = 0; i < COUNT(scenes); i++) {
        desk d;
        open_desk(&d, scenes[i], sizes[0][0], sizes[0][1], 1);
        for (int k = 0; k < CAB_SECTION_COUNT; k++) cab_panels_open(d.panels, (cab_section)k, true);
        for (int k = 0; k < 5; k++) cab_viewer_step(d.viewer);
        d.bare = true;
        settle(&d);
        faults += scroll_through(&d, scenes[i]);
        close_desk(&d);
    }
    assert_int_equal(faults, 0);
}
#endif

static const shown_text *find_text(const char *text)
{
    for (int i = 0; i < text_count; i++)
        if (strstr(texts[i].text, text)) return &texts[i];
    return NULL;
}

static void type_all(desk *d, const unsigned *letters)
{
    while (*letters) type(d, *letters++);
    draw_desk(d);
}

/* The names of materials that are listed: of which numbers, as bits. They differ in the number after "FLRY-B ". */
static unsigned listed(void)
{
    unsigned bits = 0;
    for (int i = 0; i < MATERIALS; i++) {
        char name[40];
        snprintf(name, sizeof name, "FLRY-B %d.35", i);
        if (find_text(name)) bits |= 1u << i;
    }
    return bits;
}

/* Of twenty materials twelve are listed; with a filter those whose names have its text, wherever. */
static void test_materials_are_filtered_by_name(void **state)
{
    (void)state;
    desk d;
    open_harness(&d, 400, 900);
    d.bare = true;
    for (int i = 0; i < CAB_SECTION_COUNT; i++)
        cab_panels_open(d.panels, (cab_section)i, i == CAB_SECTION_MATERIALS);
    set_colours(&d, CAB_PAINT_CABLE, CAB_QUANTITY_SPEED); /* no names in the legend */
    assert_int_equal(listed(), 0xfff);
    assert_non_null(find_text("and 8 more"));
    const shown_text *label = find_text("Filter");
    assert_non_null(label);
    click(&d, label->seen.x + 100, label->seen.y + 8);
    type_all(&d, (unsigned[]){'B', ' ', '1', 0}); /* 1 and 10 to 19: "0.35" has none after the B */
    assert_int_equal(listed(), 0xffc02);
    assert_null(find_text("more"));
    type_all(&d, (unsigned[]){'7', '.', 0});
    assert_int_equal(listed(), 1u << 17);
    click(&d, find_text("FLRY-B 17")->seen.x + 20, find_text("FLRY-B 17")->seen.y + 5); /* unfolds that one */
    settle(&d);
    assert_non_null(find_text("Friction"));
    click(&d, find_text("Filter")->seen.x + 100, find_text("Filter")->seen.y + 8);
    key(&d, GLFW_KEY_END);
    for (int i = 0; i < 5; i++) key(&d, GLFW_KEY_BACKSPACE);
    draw_desk(&d);
    assert_int_equal(listed(), 0xfff);
    type_all(&d, (unsigned[]){'m', 'm', 0xB2, ' ', 's', 0}); /* a letter that is two bytes */
    assert_int_equal(listed(), 0xfff);
    type_all(&d, (unsigned[]){'x', 0});
    assert_int_equal(listed(), 0);
    close_desk(&d);
}

static void click_text(desk *d, const char *text)
{
    const shown_text *t = find_text(text);
    assert_non_null(t);
    click(d, t->seen.x + 4, t->seen.y + t->seen.h / 2);
    settle(d);
}

/* A place is plotted by the button, has a line with its figures, and goes by the button at the end of that line. */
static void test_plots_have_buttons(void **state)
{
    (void)state;
    desk d;
    open_harness(&d, 400, 900);
    d.bare = true;
    cab_viewer *v = d.viewer;
    for (int i = 0; i < CAB_SECTION_COUNT; i++)
        cab_panels_open(d.panels, (cab_section)i, i == CAB_SECTION_PLOTS);
    settle(&d);
    assert_non_null(find_text("behind")); /* without being picked */
    assert_int_equal(v->traces.count, PROBES);
    click_text(&d, "Probes");
    assert_null(find_text("behind"));
    assert_int_equal(v->traces.count, 0);
    click_text(&d, "Plot this place"); /* nothing was clicked */
    assert_int_equal(v->traces.count, 0);
    cab_viewer_select(v, 3);
    settle(&d); /* what comes below has moved */
    for (int node = 4; node <= 7; node += 3) {
        v->selected_node = cab_world_get_cable(v->world, 3).first_node + node;
        click_text(&d, "Plot this place");
    }
    assert_int_equal(v->traces.count, 2);
    cab_viewer_step(v);
    settle(&d);
    char figure[40];
    cab_write_quantity(figure, sizeof figure, v->traces.list[1].values[0][1], "N", 3);
    assert_non_null(find_text(figure));
    click_text(&d, "Energy");
    assert_true(v->traces.with_energy);
    assert_non_null(find_text(" J"));
    const shown_text *line = find_text("0.33 of ");
    struct nk_rect side = cab_panels_side(d.panels);
    assert_non_null(line);
    click(&d, side.x + side.w - 22, line->seen.y + 8);
    settle(&d);
    assert_int_equal(v->traces.count, 1);
    assert_int_equal(v->traces.list[0].index, 7);
    assert_null(find_text("0.33 of "));
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_keep_apart),
        cmocka_unit_test(test_materials_are_filtered_by_name),
        cmocka_unit_test(test_plots_have_buttons),
#ifdef CAB_HAVE_STUDIES
        cmocka_unit_test(test_texts_of_studies_keep_apart),
#endif
    };
    return cmocka_run_group_tests(tests, start_headless, stop_headless);
}
