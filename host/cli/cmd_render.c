/* clcable render: a run whose outputs are pictures, without a screen. */
#include <stdio.h>

#include "base/path.h"
#include "cli/interrupt.h"
#include "cli/picture_options.h"
#include "cli/render_study.h"
#include "cli/run.h"

static const char help[] =
    "usage: clcable render SCENE -o NAME.png [options]\n"
    "\n"
    "Simulates a scene as `clcable run` does and makes pictures of it, without a screen (EGL).\n"
    "\n"
    "  -o, --out NAME.png   picture of the last frame\n"
    "      NAME_%04d.png    every frame, by its number; frame 0 is the start\n"
    "      NAME.mp4 .gif    video; needs the program ffmpeg. GIF has 50 pictures a second at most\n"
    "                       repeatable; other files, such as .csv, are written as by `run`\n"
    "  --every N            of an animation, every N-th frame\n"
    "  --size WxH           pixels; 1280x720\n"
    "  --quality Q          draft, normal or high: shadows, edges, smoothness; normal\n"
    "\n"
    "The camera stands still. By default it looks from a corner, from where all can be seen, in\n"
    "an animation of all frames: it is then simulated twice, the first time only to see that.\n"
    "  --view V             corner, front, back, left, right, top or bottom (orthographic but corner)\n"
    "  --fit all|first      of an animation: fit all frames or the first\n"
    "  --zoom F             so many times nearer than what fits\n"
    "  --target x,y,z       in the middle of the picture, m\n"
    "  --camera x,y,z       stands there, m; with --target nothing is left to fit\n"
    "  --fov A              vertical angle of view, degrees; 39.5\n"
    "  --orthographic       parallel\n"
    "\n"
    "  --colour C           cable, material, tension, curvature, speed or contact; cable\n"
    "  --range LOW:HIGH     of the quantity; default: all that occurs in the pictures\n"
    "  --legend on|off      what colours and lengths mean; on where a quantity is coloured\n"
    "  --grid on|off        on the ground; on\n"
    "  --marks on|off       where cables are held, loaded or broken; on\n"
    "  --compare pinch      planar scenes: off, contact-off and full side by side\n"
    "  --background B       light, dark or transparent (PNG, GIF)\n"
    "\n"
    "Scenes of particles and planar scenes are looked at from the front, orthographic; options that\n"
    "mean nothing there are errors (docs/view.md).\n"
    "\n"
    "As for `run`: --report --device --threads --kernels --method --frames --duration --substeps\n"
    "--iterations --set --settle --resume --checkpoint -q -v --version --help\n"
    "\n"
    "Ctrl-C ends it after the current frame and keeps what there is: numbered pictures, the video\n"
    "so far. Exit code: 0 done, 1 it failed, 2 bad usage or scene, 130 ended by Ctrl-C.\n"
    "\n"
    "example: clcable render scenes/log-cabin.json -o log-cabin.mp4 --colour tension --range 0:2\n";

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
    } else if (!cab_options_agree(options, "render")) {
        return false;
    } else if (study && options->verbose) {
        cab_cli_error("%s: --verbose is for cables; see docs/view.md", study->key);
    } else {
        return true;
    }
    return false;
}

static int render(const cab_options *options, const char *path)
{
    const cab_study_kind *study = cab_study_of_file(path);
    cab_shots shots = study ? cab_study_shots(study) : cab_shots_default();
    if (!(study ? cab_study_takes(study, options) : cab_cables_take(options)) ||
        !cab_picture_options(options, "render", &shots) || !check(study, options, &shots))
        return CAB_EXIT_USAGE;
    char title[256];
    cab_path_stem(path, title, sizeof title);
    shots.shot.title = title;
    cab_interrupt_install();
    if (study) return cab_render_study(study, path, options, &shots);
    cab_output_kind kind = cab_shots_kind(&shots);
    cab_run run = {.options = options, .path = path, .extra = &kind, .saved = -1};
    int code = cab_run_all(&run);
    cab_run_free(&run);
    return code;
}

const cab_command cab_cmd_render = {"render",
                                    CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE |
                                        CAB_TAKES_RUN | CAB_TAKES_STATE | CAB_TAKES_PICTURE,
                                    help, "a scene", render};
