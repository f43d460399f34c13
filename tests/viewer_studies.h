/* Studies in the viewer: particles and planar scenes. */
#ifndef CAB_TESTS_VIEWER_STUDIES_H
#define CAB_TESTS_VIEWER_STUDIES_H

#include "viewer.h"

/* A spring whose frequency times the step is 1,000/60 x 100 / 100: Euler diverges at anything above 0. */
static const char wild_text[] =
    "{\"clcable\": 1, \"particles\": {\"time\": {\"duration\": 1, \"steps\": 1},\n"
    " \"settings\": {\"integrator\": \"euler\"},\n"
    " \"particles\": [{\"position\": [0, 0]}, {\"position\": [1.2, 0]}],\n"
    " \"forces\": [{\"kind\": \"spring\", \"particles\": [0, 1], \"rest_length\": 1, \"stiffness\": "
    "1e6}]}}\n";

/* A chain that is held at one end and swings down from (1, 0). */
static const char chain_text[] =
    "{\"clcable\": 1, \"particles\": {\"time\": {\"duration\": 1}, \"settings\": {\"drag\": 0.2},\n"
    " \"chains\": [{\"from\": [0, 0], \"to\": [1, 0], \"links\": 5, \"fixed\": \"start\", \"mass\": "
    "0.2}]}}\n";

static const char wire_text[] =
    "{\"clcable\": 1, \"materials\": {\"wire\": {\"radius\": 0.005, \"linear_density\": 0.05}},\n"
    " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0.6,0,1]], \"segments\": "
    "20}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\"}]}\n";

static const char broken_text[] = "{\"clcable\": 1, \"planar\": {\"bodies\": 3}}\n";

static const text_file scene_files[] = {{"wild.json", wild_text},
                                        {"wire.json", wire_text},
                                        {"chain.json", chain_text},
                                        {"broken.json", broken_text}};
/* What tests write. */
static const char *const written_files[] = {"pendulums-0001.png"};

static inline int setup(void **state)
{
    (void)state;
    return start_viewers(scene_files, COUNT(scene_files));
}

static inline int teardown(void **state)
{
    (void)state;
    return stop_viewers(scene_files, COUNT(scene_files), written_files, COUNT(written_files));
}

/* Without a folder in its name the scene is one of the above. */
static inline void find_scene(char path[1000], const char *scene)
{
    if (strchr(scene, '/')) {
        scene_path(path, scene);
    } else {
        snprintf(path, 1000, "%s", scene);
    }
}

/* Opened, drawn once, paused. */
static inline cab_viewer *open_viewer(const char *scene)
{
    char path[1000];
    find_scene(path, scene);
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.threads = 1;
    cab_look_set_quality(&def.look, CAB_QUALITY_DRAFT);
    cab_viewer *v;
    CHECK(cab_viewer_create(&v, path, &def, &error));
    cab_viewer_play(v, false);
    draw(v);
    return v;
}

static inline int find_choice(const cab_viewer *v, const char *name, cab_choice *choice)
{
    for (int i = 0; cab_viewer_choice(v, i, choice); i++)
        if (strcmp(choice->name, name) == 0) return i;
    fail_msg("no choice %s", name);
    return -1;
}

#endif
