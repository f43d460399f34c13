#include "view/panels/ui_input.h"

#include "library/glfw.h"

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

/* The state of a property whose number is being typed; Nuklear has no public name for it. */
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
    if (state->theirs) return false; /* a drag of the scene does not highlight widgets */
    float scale = cab_ui_scale(ui);
    nk_input_motion(cab_ui_context(ui), (int)(input->x / scale), (int)(input->y / scale));
    return state->ours || cab_ui_is_over(ui);
}

/* Nuklear gets all presses: one beside a text field ends typing in it. */
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

/* Keys that edit a text; with Ctrl some of them do something else. */
static const struct {
    int code;
    bool control;
    enum nk_keys key;
} keys[] = {
    {GLFW_KEY_A, true, NK_KEY_TEXT_SELECT_ALL},
    {GLFW_KEY_C, true, NK_KEY_COPY},
    {GLFW_KEY_V, true, NK_KEY_PASTE},
    {GLFW_KEY_X, true, NK_KEY_CUT},
    {GLFW_KEY_Z, true, NK_KEY_TEXT_UNDO},
    {GLFW_KEY_Y, true, NK_KEY_TEXT_REDO},
    {GLFW_KEY_LEFT, true, NK_KEY_TEXT_WORD_LEFT},
    {GLFW_KEY_RIGHT, true, NK_KEY_TEXT_WORD_RIGHT},
    {GLFW_KEY_LEFT_SHIFT, false, NK_KEY_SHIFT},
    {GLFW_KEY_RIGHT_SHIFT, false, NK_KEY_SHIFT},
    {GLFW_KEY_ENTER, false, NK_KEY_ENTER},
    {GLFW_KEY_KP_ENTER, false, NK_KEY_ENTER},
    {GLFW_KEY_BACKSPACE, false, NK_KEY_BACKSPACE},
    {GLFW_KEY_DELETE, false, NK_KEY_DEL},
    {GLFW_KEY_LEFT, false, NK_KEY_LEFT},
    {GLFW_KEY_RIGHT, false, NK_KEY_RIGHT},
    {GLFW_KEY_HOME, false, NK_KEY_TEXT_LINE_START},
    {GLFW_KEY_END, false, NK_KEY_TEXT_LINE_END},
};

/* Passes a key on to Nuklear, as one with Ctrl or as one without. */
static void send_key(struct nk_context *nk, int code, bool control, bool down)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].code == code && keys[i].control == control) nk_input_key(nk, keys[i].key, down);
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
    bool control = input->mods & GLFW_MOD_CONTROL;
    if (input->down) {
        /* Nuklear acts when a key goes down: one that repeats must go up in between */
        if (input->repeat) send_key(nk, input->code, control, false);
        send_key(nk, input->code, control, true);
    } else { /* whether Ctrl was there when it went down or not */
        send_key(nk, input->code, false, false);
        send_key(nk, input->code, true, false);
    }
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
