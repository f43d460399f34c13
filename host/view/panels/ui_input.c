#include "view/panels/ui_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

static const enum nk_buttons buttons[] = {NK_BUTTON_LEFT, NK_BUTTON_RIGHT, NK_BUTTON_MIDDLE};
enum { BUTTON_COUNT = sizeof buttons / sizeof buttons[0] };

void cab_ui_input_begin(cab_ui *ui, cab_ui_input *state)
{
    struct nk_context *nk = cab_ui_context(ui);
    if (!state->drawn) return;
    state->drawn = false;
    nk_input_begin(nk);
    for (int i = 0; i < BUTTON_COUNT; i++) {
        struct nk_vec2 at = nk->input.mouse.pos;
        if (state->late >> i & 1) nk_input_button(nk, buttons[i], (int)at.x, (int)at.y, 0);
    }
    state->fresh = state->late = 0;
}

void cab_ui_input_end(cab_ui *ui)
{
    nk_input_end(cab_ui_context(ui));
}

/* A number in a property is being written; Nuklear keeps its name for that to itself. */
enum { PROPERTY_IS_WRITTEN = 1 };

static bool is_writing(const struct nk_window *window)
{
    return window->edit.active || (window->property.active && window->property.state == PROPERTY_IS_WRITTEN);
}

bool cab_ui_is_writing(cab_ui *ui)
{
    const struct nk_context *nk = cab_ui_context(ui);
    for (const struct nk_window *w = nk->begin; w; w = w->next)
        if (is_writing(w)) return true;
    return false;
}

void cab_ui_stop_writing(cab_ui *ui)
{
    struct nk_context *nk = cab_ui_context(ui);
    for (struct nk_window *w = nk->begin; w; w = w->next) w->edit.active = w->property.active = 0;
}

static bool has_menu(const struct nk_window *window)
{
    return window->popup.win && window->popup.active && window->popup.type != NK_PANEL_TOOLTIP;
}

static bool is_menu_open(const struct nk_context *nk)
{
    for (const struct nk_window *w = nk->begin; w; w = w->next)
        if (has_menu(w)) return true;
    return false;
}

bool cab_ui_is_over(cab_ui *ui)
{
    const struct nk_context *nk = cab_ui_context(ui);
    for (const struct nk_window *w = nk->begin; w; w = w->next) {
        if (w->flags & (NK_WINDOW_HIDDEN | NK_WINDOW_NO_INPUT)) continue;
        if (nk_input_is_mouse_hovering_rect(&nk->input, w->bounds)) return true;
        if (has_menu(w) && nk_input_is_mouse_hovering_rect(&nk->input, w->popup.win->bounds)) return true;
    }
    return false;
}

static bool take_move(cab_ui *ui, cab_ui_input *state, const cab_input *input)
{
    if (state->theirs) return false; /* widgets do not light up under a drag of the scene */
    float scale = cab_ui_scale(ui);
    nk_input_motion(cab_ui_context(ui), (int)(input->x / scale), (int)(input->y / scale));
    return state->ours || cab_ui_is_over(ui);
}

/* Nuklear hears of all: a press beside a text ends its writing. */
static bool take_button(cab_ui *ui, cab_ui_input *state, const cab_input *input)
{
    struct nk_context *nk = cab_ui_context(ui);
    if (input->code < 0 || input->code >= BUTTON_COUNT) return false;
    unsigned bit = 1u << input->code;
    int x = (int)(input->x / cab_ui_scale(ui)), y = (int)(input->y / cab_ui_scale(ui));
    bool ours = state->ours & bit;
    if (input->down) {
        if (!state->theirs) nk_input_motion(nk, x, y);
        ours = !state->theirs && (state->ours || cab_ui_is_over(ui) || is_menu_open(nk));
        *(ours ? &state->ours : &state->theirs) |= bit;
        state->fresh |= bit;
    } else {
        state->ours &= ~bit;
        state->theirs &= ~bit;
        state->late |= state->fresh & bit;
    }
    if (input->down || !(state->fresh & bit)) nk_input_button(nk, buttons[input->code], x, y, input->down);
    return ours;
}

static bool take_wheel(cab_ui *ui, const cab_ui_input *state, const cab_input *input)
{
    if (state->theirs || !cab_ui_is_over(ui)) return false;
    nk_input_scroll(cab_ui_context(ui), nk_vec2(input->wheel_x, input->wheel_y));
    return true;
}

static bool take_control_key(struct nk_context *nk, const cab_input *input)
{
    static const struct {
        int code;
        enum nk_keys key;
    } keys[] = {
        {GLFW_KEY_A, NK_KEY_TEXT_SELECT_ALL},
        {GLFW_KEY_C, NK_KEY_COPY},
        {GLFW_KEY_V, NK_KEY_PASTE},
        {GLFW_KEY_X, NK_KEY_CUT},
        {GLFW_KEY_Z, NK_KEY_TEXT_UNDO},
        {GLFW_KEY_Y, NK_KEY_TEXT_REDO},
        {GLFW_KEY_LEFT, NK_KEY_TEXT_WORD_LEFT},
        {GLFW_KEY_RIGHT, NK_KEY_TEXT_WORD_RIGHT},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].code == input->code) nk_input_key(nk, keys[i].key, input->down);
    return true;
}

static void take_plain_key(struct nk_context *nk, const cab_input *input)
{
    static const struct {
        int code;
        enum nk_keys key;
    } keys[] = {
        {GLFW_KEY_LEFT_SHIFT, NK_KEY_SHIFT},
        {GLFW_KEY_RIGHT_SHIFT, NK_KEY_SHIFT},
        {GLFW_KEY_ENTER, NK_KEY_ENTER},
        {GLFW_KEY_KP_ENTER, NK_KEY_ENTER},
        {GLFW_KEY_BACKSPACE, NK_KEY_BACKSPACE},
        {GLFW_KEY_DELETE, NK_KEY_DEL},
        {GLFW_KEY_LEFT, NK_KEY_LEFT},
        {GLFW_KEY_RIGHT, NK_KEY_RIGHT},
        {GLFW_KEY_HOME, NK_KEY_TEXT_LINE_START},
        {GLFW_KEY_END, NK_KEY_TEXT_LINE_END},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].code == input->code) nk_input_key(nk, keys[i].key, input->down);
}

static bool take_key(cab_ui *ui, const cab_input *input)
{
    struct nk_context *nk = cab_ui_context(ui);
    bool writing = cab_ui_is_writing(ui);
    if (!writing && input->down) return false;
    if (input->code == GLFW_KEY_ESCAPE) {
        if (writing && input->down) cab_ui_stop_writing(ui);
        return writing;
    }
    /* Nuklear looks at changes: a key that repeats goes up in between */
    cab_input up = *input;
    up.down = false;
    bool control = input->mods & GLFW_MOD_CONTROL;
    if (input->repeat && control) take_control_key(nk, &up);
    if (input->repeat && !control) take_plain_key(nk, &up);
    if (control && input->down)
        take_control_key(nk, input);
    else
        take_plain_key(nk, input);
    if (!input->down) take_control_key(nk, input);
    return writing && input->down;
}

bool cab_ui_take_input(cab_ui *ui, cab_ui_input *state, const cab_input *input)
{
    switch (input->kind) {
    case CAB_INPUT_MOVE:
        return take_move(ui, state, input);
    case CAB_INPUT_BUTTON:
        return take_button(ui, state, input);
    case CAB_INPUT_WHEEL:
        return take_wheel(ui, state, input);
    case CAB_INPUT_KEY:
        return take_key(ui, input);
    case CAB_INPUT_TEXT:
        if (!cab_ui_is_writing(ui)) return false;
        nk_input_unicode(cab_ui_context(ui), input->character);
        return true;
    }
    return false;
}
