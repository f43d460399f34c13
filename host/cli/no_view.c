/* What needs the viewer, in a build without it. */
#include "base/error.h"
#include "cli/run.h"
#include "cli/report_pictures.h"

#define WITHOUT                                                                                              \
    "this build is without the viewer; `scripts/setup` installs what it needs, then configure anew with "    \
    "-DCLCABLE_VIEW=ON"

static cab_status refuse(void *user, const char *path, const cab_scene *scene, void **writer,
                         cab_error *error)
{
    (void)user, (void)scene, (void)writer;
    return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: " WITHOUT, path);
}

const cab_output_kind *cab_cli_pictures(void)
{
    static const cab_output_kind kind = {.endings = ".png .mp4 .gif", .open = refuse};
    return &kind;
}

bool cab_report_pictures_are_built(void)
{
    return false;
}

static cab_status no_picture(cab_error *error)
{
    return cab_fail(error, CAB_ERROR_UNSUPPORTED, "a picture: " WITHOUT);
}

cab_status cab_report_picture_whole(cab_report_pictures *pictures, const cab_scene *scene, cab_world *world,
                                    cab_error *error)
{
    (void)pictures, (void)scene, (void)world;
    return no_picture(error);
}

cab_status cab_report_picture_finding(cab_report_pictures *pictures, const cab_assessment *a,
                                      const cab_finding *f, cab_world *world, cab_error *error)
{
    (void)pictures, (void)a, (void)f, (void)world;
    return no_picture(error);
}

void cab_report_pictures_free(cab_report_pictures *pictures)
{
    (void)pictures;
}

static int refuse_command(const char *name)
{
    cab_cli_error("%s: " WITHOUT, name);
    return CAB_EXIT_USAGE;
}

static int render(const cab_options *options, const char *scene)
{
    (void)options, (void)scene;
    return refuse_command("render");
}

static int view(const cab_options *options, const char *scene)
{
    (void)options, (void)scene;
    return refuse_command("view");
}

const cab_command cab_cmd_render = {"render", ~0u, NULL, render,
                                    "usage: clcable render SCENE -o knot.png\n\nNot here: " WITHOUT
                                    ".\n\nexample: clcable render scenes/knot.json -o knot.png\n"};
const cab_command cab_cmd_view = {"view", ~0u, NULL, view,
                                  "usage: clcable view SCENE\n\nNot here: " WITHOUT
                                  ".\n\nexample: clcable view scenes/knot.json\n"};
