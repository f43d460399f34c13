/* clcable render: a run whose outputs are pictures, without a screen. */

#include "base/path.h"
#include "cli/guard.h"
#include "cli/interrupt.h"
#include "cli/picture_options.h"
#include "cli/render_study.h"
#include "cli/run.h"
#include "cli/together.h"

static bool check(const cab_study_kind *study, const cab_options *options, const cab_shots *shots)
{
    int pictures = 0, animations = 0;
    for (int i = 0; i < options->outputs.count; i++) {
        pictures += cab_shots_is_picture(options->outputs.word[i]);
        animations += cab_shots_is_animation(options->outputs.word[i]);
    }
    if (!pictures) {
        cab_cli_error("render: expected -o NAME.png, NAME_%%04d.png, NAME.mp4 or NAME.gif");
    } else if (!animations && (shots->every > 1 || shots->shot.looks_first)) {
        cab_cli_error("render: --%s expects an animation: -o NAME_%%04d.png, NAME.mp4 or NAME.gif",
                      shots->every > 1 ? "every" : "fit first");
    } else if (!cab_options_agree(options, "render", study ? 1 : CAB_OPTION_DEVICES)) {
        return false;
    } else if (study && options->verbose) {
        cab_cli_error("%s: --verbose is for cables; see docs/view.md", study->key);
    } else {
        return true;
    }
    return false;
}

static int render_here(const cab_options *options, const char *path)
{
    const cab_study_kind *study;
    if (!cab_cli_study_of(path, &study)) return CAB_EXIT_FAILED;
    cab_shots shots = study ? cab_study_shots(study) : cab_shots_default();
    if (!(study ? cab_study_takes(study, options) : cab_cables_take(options)) ||
        !cab_picture_options(options, "render", &shots) || !check(study, options, &shots))
        return CAB_EXIT_USAGE;
    char title[256];
    cab_path_stem(path, title, sizeof title);
    shots.shot.title = title;
    cab_interrupt_install();
    int code;
    if (cab_guard_draws(options, path, &code)) return code;
    if (study) return cab_render_study(study, path, options, &shots);
    cab_output_kind kind = cab_shots_kind(&shots);
    cab_run run = {.options = options, .path = path, .extra = &kind, .saved = -1};
    code = cab_run_all(&run);
    cab_run_free(&run);
    return code;
}

static int render(const cab_options *options, const char *path)
{
    return cab_together(render_here, options, path);
}

const cab_command cab_cmd_render = {"render",
                                    CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE |
                                        CAB_TAKES_RUN | CAB_TAKES_STATE | CAB_TAKES_PICTURE,
                                    "a scene", render, NULL};
