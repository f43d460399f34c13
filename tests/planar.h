/* Planar scenes for tests, in few words. Include cmocka first. */
#ifndef CAB_TESTS_PLANAR_H
#define CAB_TESTS_PLANAR_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/planar.h>

#define PL_R 0.1   /* m; radius of a pulley */
#define PL_W 0.005 /* m; half the width of a cable */

static cab_error pl_error;

#define PL_OK(call)                                                                                          \
    do {                                                                                                     \
        pl_error.message[0] = 0;                                                                             \
        if ((call) != CAB_OK) fail_msg("%s: %s", #call, pl_error.message);                                   \
    } while (0)

static inline cab_planar_scene *pl_scene(void)
{
    cab_planar_scene *scene = cab_planar_scene_create();
    assert_non_null(scene);
    return scene;
}

static inline void pl_put(cab_planar_scene *scene, cab_planar_body_def def)
{
    PL_OK(cab_planar_add_body(scene, &def, &pl_error));
}

static inline cab_planar_body_def pl_circle(const char *name, cab_planar_motion motion, double x, double y,
                                            double radius, double mass)
{
    cab_planar_body_def def = cab_planar_body_default();
    def.name = name;
    def.motion = motion;
    def.position[0] = x;
    def.position[1] = y;
    def.radius = radius;
    def.mass = mass;
    return def;
}

static inline cab_planar_body_def pl_box(const char *name, cab_planar_motion motion, double x, double y,
                                         double half_x, double half_y, double mass)
{
    cab_planar_body_def def = pl_circle(name, motion, x, y, 0, mass);
    const double corners[4][2] = {{-half_x, -half_y}, {half_x, -half_y}, {half_x, half_y}, {-half_x, half_y}};
    def.corner_count = 4;
    memcpy(def.corners, corners, sizeof corners);
    return def;
}

static inline cab_planar_link_def pl_world(double x, double y)
{
    return (cab_planar_link_def){.kind = CAB_PLANAR_LINK_POINT, .point = {x, y}};
}

static inline cab_planar_link_def pl_at(const char *body, double x, double y)
{
    return (cab_planar_link_def){.body = body, .kind = CAB_PLANAR_LINK_POINT, .point = {x, y}};
}

static inline cab_planar_link_def pl_roll(const char *body, int spin)
{
    return (cab_planar_link_def){.body = body, .kind = CAB_PLANAR_LINK_ROLL, .spin = spin};
}

static inline cab_planar_link_def pl_reel(const char *body, int spin, double stored)
{
    return (cab_planar_link_def){.body = body, .kind = CAB_PLANAR_LINK_REEL, .spin = spin, .stored = stored};
}

static inline void pl_cable(cab_planar_scene *scene, const char *name, const cab_planar_link_def *links,
                            int count, double length_factor)
{
    cab_planar_cable_def def = cab_planar_cable_default();
    def.name = name;
    def.radius = PL_W;
    def.links = links;
    def.link_count = count;
    def.length_factor = length_factor;
    PL_OK(cab_planar_add_cable(scene, &def, &pl_error));
}

static inline cab_planar *pl_open(const cab_planar_scene *const *scenes, int count, const char *device,
                                  int threads)
{
    cab_planar *planar = NULL;
    cab_world_def def = cab_world_default();
    def.device = device;
    def.threads = threads;
    PL_OK(cab_planar_create(scenes, count, &def, &planar, &pl_error));
    return planar;
}

/* One scene natively; the scene is gone afterwards. */
static inline cab_planar *pl_native(cab_planar_scene *scene)
{
    const cab_planar_scene *one = scene;
    cab_planar *planar = pl_open(&one, 1, "native", 1);
    cab_planar_scene_destroy(scene);
    return planar;
}

static inline void pl_step(cab_planar *planar, int steps)
{
    PL_OK(cab_planar_step(planar, steps, &pl_error));
}

static inline cab_planar_stats pl_stats(cab_planar *planar)
{
    cab_planar_stats stats;
    PL_OK(cab_planar_get_stats(planar, 0, &stats, &pl_error));
    return stats;
}

static inline cab_planar_body pl_body(cab_planar *planar, int index)
{
    cab_planar_body bodies[256];
    assert_true(pl_stats(planar).bodies <= 256);
    PL_OK(cab_planar_read_bodies(planar, 0, bodies, &pl_error));
    return bodies[index];
}

static inline cab_planar_joint pl_joint(cab_planar *planar, int index)
{
    cab_planar_joint joints[1024];
    assert_true(index < pl_stats(planar).joints && pl_stats(planar).joints <= 1024);
    PL_OK(cab_planar_read_joints(planar, 0, joints, &pl_error));
    return joints[index];
}

static inline double pl_tension(cab_planar *planar, int joint)
{
    return pl_joint(planar, joint).tension;
}

/* `load` groups of 2 x 2 pulleys that turn about fixed axles, a cable through all of them: over the upper
 * left, under both lower ones, over the upper right. `pitch` from axle to axle. No sliding, all taut. */
static inline cab_planar_scene *pl_stress(int load, double pitch, cab_planar_pinch pinch)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_link_def links[4 * 20 + 2];
    char names[4 * 20][16];
    int n = 0;
    cab_planar_scene_settings(scene)->pinch = pinch;
    links[n++] = pl_world(-pitch, pitch + PL_R + PL_W);
    for (int i = 0; i < 4 * load; i++) {
        int k = i % 4; /* upper left, lower left, lower right, upper right */
        snprintf(names[i], sizeof names[i], "p%d", i);
        pl_put(scene, pl_circle(names[i], CAB_PLANAR_AXLE, (2 * (i / 4) + (k >= 2)) * pitch,
                                k == 0 || k == 3 ? pitch : 0, PL_R, 1));
        links[n++] = pl_roll(names[i], k == 0 || k == 3 ? -1 : 1);
    }
    links[n++] = pl_world(2 * load * pitch, pitch + PL_R + PL_W);
    pl_cable(scene, "c", links, n, 0.999);
    return scene;
}

#define PL_TOUCHING (0.999 * 2 * (PL_R + PL_W)) /* m; pitch at which all are pinched */
#define PL_APART (1.5 * 2 * (PL_R + PL_W))      /* and none */

#endif
