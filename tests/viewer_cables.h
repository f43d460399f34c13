/* Two scenes of cables in the viewer: one to play with, and one that diverges. */
#ifndef CAB_TESTS_VIEWER_CABLES_H
#define CAB_TESTS_VIEWER_CABLES_H

#include "viewer.h"

/* A cable between two hooks and a joint in it, and one that lies beside it. */
static const char scene_text[] =
    "{\"clcable\": 1, \"time\": {\"duration\": 1, \"frame_rate\": 60, \"substeps\": 10},\n"
    " \"materials\": {\"wire\": {\"radius\": 0.005, \"linear_density\": 0.05, \"damping\": 1}},\n"
    " \"cables\": [\n"
    "  {\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0.3,0,0.8],[0.6,0,1]],"
    " \"curve\": \"catmull-rom\", \"segments\": 20},\n"
    "  {\"name\": \"b\", \"material\": \"wire\", \"path\": [[0.6,0,1],[0.6,0,0.7]], \"segments\": 10},\n"
    "  {\"name\": \"c\", \"material\": \"wire\", \"path\": [[0,0.4,1],[0.6,0.4,1]], \"segments\": 20,"
    " \"copies\": {\"count\": [1,2,1], \"spacing\": [0,0.2,0]}}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": [0,0,1]},\n"
    "  {\"cable\": \"b\", \"at\": \"start\", \"to\": {\"cable\": \"a\", \"at\": \"end\"}},\n"
    "  {\"cable\": \"c\", \"at\": \"start\", \"to\": \"here\"}, {\"cable\": \"c\", \"at\": \"end\", \"to\": "
    "\"here\"}]}\n";

/* The first of its cables, and two copies, with more probes than are plotted. */
static const char probes_text[] =
    "{\"clcable\": 1, \"time\": {\"substeps\": 10}, \"materials\": {\"wire\": {\"radius\": 0.005, "
    "\"linear_density\": 0.05}},\n"
    " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0.3,0,0.8],[0.6,0,1]],"
    " \"curve\": \"catmull-rom\", \"segments\": 20},\n"
    "  {\"name\": \"c\", \"material\": \"wire\", \"path\": [[0,0.4,1],[0.6,0.4,1]], \"segments\": 20,"
    " \"copies\": {\"count\": [1,6,1], \"spacing\": [0,0.2,0]}}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\"}],\n"
    " \"probes\": [{\"name\": \"third\", \"cable\": \"a\", \"at\": 0.333},"
    " {\"name\": \"end\", \"cable\": \"a\", \"at\": \"end\"},"
    " {\"name\": \"p\", \"cable\": \"c\", \"at\": 0.51}, {\"name\": \"more\", \"cable\": \"a\", \"at\": "
    "0.9}]}\n";

/* A ball that hangs on a cable, and a box that no force moves. */
static const char bodies_text[] =
    "{\"clcable\": 1, \"time\": {\"substeps\": 10}, \"method\": \"direct\",\n"
    " \"materials\": {\"wire\": {\"radius\": 0.005, \"linear_density\": 0.05, \"damping\": 1}},\n"
    " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0,0,0.6]], \"segments\": "
    "10}],\n"
    " \"bodies\": [{\"name\": \"ball\", \"position\": [0,0,0.5], \"mass\": 1, \"damping\": 1,"
    " \"shapes\": [{\"shape\": \"sphere\", \"center\": [0,0,0], \"radius\": 0.1}]},\n"
    "  {\"name\": \"box\", \"position\": [0.4,0,0.5], \"motion\": \"fixed\","
    " \"shapes\": [{\"shape\": \"box\", \"center\": [0,0,0], \"half_extents\": [0.1,0.1,0.1]}]}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\"},\n"
    "  {\"cable\": \"a\", \"at\": \"end\", \"to\": {\"body\": \"ball\", \"point\": [0,0,0.1]}}]}\n";

/* Explicit springs that are far too stiff for their step: it diverges. */
static const char wild_text[] =
    "{\"clcable\": 1, \"time\": {\"substeps\": 1}, \"method\": \"springs\",\n"
    " \"materials\": {\"wire\": {\"radius\": 0.005, \"linear_density\": 0.05, \"stretching_stiffness\": "
    "1e6}},\n"
    " \"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0,0,1],[0.6,0,1]], \"segments\": "
    "20}],\n"
    " \"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\"}]}\n";

static const text_file scene_files[] = {{"net.json", scene_text},
                                        {"wild.json", wild_text},
                                        {"probes.json", probes_text},
                                        {"bodies.json", bodies_text}};
/* What tests write. */
static const char *const written_files[] = {"moved.json", "net-0001.png", "net-0002.png",
                                            "seen.png",   "net-0001.mp4", "net-0002.mp4"};

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

/* Opened, drawn once, paused. */
static inline cab_viewer *open_viewer(const char *path)
{
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.threads = 1;
    def.look.samples = 1;
    cab_viewer *v;
    CHECK(cab_viewer_create(&v, path, &def, &error));
    assert_true(v->playing);
    cab_viewer_play(v, false);
    draw(v);
    return v;
}

static inline const float *row(const cab_viewer *v, int node)
{
    return cab_renderer_rows(v->renderer)[node];
}

/* Where a node is in the picture. */
static inline void pixel_of(const cab_viewer *v, int node, float at[2])
{
    assert_true(cab_overlay_project(&v->camera, WIDTH, HEIGHT, row(v, node), at));
}

static inline void pixel_of_point(const cab_viewer *v, cab_vec3 p, float at[2])
{
    assert_true(
        cab_overlay_project(&v->camera, WIDTH, HEIGHT, (vec3){(float)p.x, (float)p.y, (float)p.z}, at));
}

static inline void play(cab_viewer *v, int frames)
{
    cab_viewer_play(v, true);
    for (int i = 0; i < frames; i++) cab_viewer_tick(v, frame_time);
    draw(v);
}

#endif
