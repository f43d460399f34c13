/* clcable run: simulates a scene. */
#include "cli/interrupt.h"
#include "cli/run.h"
#include "cli/run_study.h"

static const char help[] =
    "usage: clcable run SCENE [options]\n"
    "\n"
    "Simulates a scene. A progress bar on a terminal, one summary line at the end.\n"
    "\n"
    "  -o, --out FILE       write FILE, the format by its ending; repeatable\n"
    "                       .csv .vtp .obj .png: the last frame; .vtkhdf and .pvd (for\n"
    "                       ParaView), .usda, .npz (NumPy), .mp4, .gif, NAME_%04d.png: the\n"
    "                       animation; `clcable render` tells more of pictures\n"
    "  --report FILE.json   what was run and what came out\n"
    "  --device D           native, opencl, opencl:P.D or part of a device's name\n"
    "                       (`clcable devices` lists them); default: an OpenCL GPU,\n"
    "                       else any OpenCL device, else native\n"
    "  --method M           override the scene's method\n"
    "  --threads N          for native; default: all cores\n"
    "  --frames N, --duration S, --substeps N, --iterations N\n"
    "                       override the scene's\n"
    "  --set POINTER=VALUE  any value of the scene by its JSON pointer; repeatable\n"
    "  --settle             end early once all speeds stay under 1 mm/s for 0.1 s\n"
    "  --checkpoint FILE    keep the run's state in FILE: when the run ends or is\n"
    "                       interrupted and, with --checkpoint-every N, after every N\n"
    "                       frames; a run that is killed leaves the last whole one\n"
    "  --resume FILE        go on from a state of this scene; the result is the same, bit for\n"
    "                       bit, as without the break. .pvd then begins at that frame\n"
    "  --kernels DIR        read kernel sources from DIR instead of the built-in ones\n"
    "  -q, --quiet          nothing but errors\n"
    "  -v, --verbose        device, memory, time per stage (slower: waits after each)\n"
    "  --version, --help\n"
    "\n"
    "Environment: CLCABLE_IGNORE_TUNING=1 leaves aside what `clcable tune` has noted.\n"
    "\n"
    "Ctrl-C ends the run after the current frame and writes what there is.\n"
    "Exit code: 0 done, 1 the run failed, 2 bad usage or scene, 130 ended by Ctrl-C.\n"
    "\n"
    "example: clcable run scenes/curtain.json -o curtain.pvd --report curtain-report.json \\\n"
    "           --set /materials/cord/friction=0.5\n";

static int run(const cab_options *options, const char *path)
{
    if (!cab_options_agree(options, "run")) return CAB_EXIT_USAGE;
    cab_interrupt_install();
    const cab_study_kind *kind = cab_study_of_file(path);
    if (kind) return cab_run_study(kind, path, options);
    cab_run run = {.options = options, .path = path, .extra = cab_cli_pictures(), .saved = -1};
    int code = cab_run_all(&run);
    cab_run_free(&run);
    return code;
}

const cab_command cab_cmd_run = {"run",
                                 CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE |
                                     CAB_TAKES_RUN | CAB_TAKES_STATE,
                                 help, "a scene", run};
