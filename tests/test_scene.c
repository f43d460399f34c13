/* Scenes: the builder functions, the JSON reader, overrides and their messages. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "io/scene_json.h"
#include "model/limits.h"
#include "model/names.h"
#include "model/scene.h"

#define HEAD "{\"clcable\": 1, "
#define WIRE "\"materials\": {\"wire\": {\"radius\": 0.003, \"linear_density\": 0.05}}"
#define LINE "\"path\": [[0, 0, 1], [1, 0, 1]]"
#define ONE "\"cables\": [{\"name\": \"a\", \"material\": \"wire\", " LINE "}]"
#define SMALL HEAD WIRE ", " ONE "}"

static cab_status parse_with(const char *text, const char *const *overrides, int count, cab_scene **scene,
                             cab_error *error)
{
    return cab_scene_parse("loom.json", text, strlen(text), overrides, count, scene, error);
}

static cab_scene *parse(const char *text)
{
    cab_scene *scene = NULL;
    cab_error error = {0};
    if (parse_with(text, NULL, 0, &scene, &error)) fail_msg("%s", error.message);
    return scene;
}

static void assert_refused(const char *text, const char *override, cab_status status, const char *message)
{
    cab_scene *scene = NULL;
    cab_error error = {0};
    assert_int_equal(parse_with(text, &override, override ? 1 : 0, &scene, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, status);
    assert_null(scene);
}

static void small_scene_has_defaults(void **state)
{
    (void)state;
    cab_scene *scene = parse(SMALL);
    const cab_settings *s = cab_scene_settings(scene);
    assert_true(s->gravity.x == 0 && s->gravity.y == 0 && s->gravity.z == -9.81);
    assert_true(s->duration == 1 && s->frame_rate == 60 && s->substeps == 20 && s->iterations == 1);
    assert_int_equal(s->method, CAB_METHOD_XPBD);
    assert_int_equal(s->way, CAB_WAY_AUTO);
    assert_true(s->contact.cables && s->contact.self && s->contact.passes == 4);
    const cab_material_def *m = &scene->materials[0];
    assert_true(isinf(m->stretching_stiffness) && m->bending_stiffness == 0 && m->friction == 0.3);
    assert_true(m->damping == 0 && m->air_drag == 0 && m->min_bend_radius == 0 && !m->rest_shape_path);
    assert_false(m->constant_volume);
    const cab_cable_def *c = &scene->cables[0];
    assert_int_equal(c->curve, CAB_CURVE_POLYLINE);
    assert_true(c->segments == 0 && c->length == 0 && c->velocity.x == 0 && c->copies[1] == 1);
    assert_string_equal(scene->source, "loom.json");
    cab_scene_destroy(scene);
}

static const char full[] = HEAD
    "\"$schema\": \"scene.schema.json\", \"gravity\": [0, 1, -2],"
    "\"time\": {\"duration\": 2, \"frame_rate\": 30, \"substeps\": 1e1, \"iterations\": 3},"
    "\"method\": {\"name\": \"xpbd\", \"way\": \"fused\", \"double_distance\": true, \"double_compliance\": "
    "0.5,"
    "\"contact_passes\": 2},"
    "\"materials\": {\"w/~\": {\"radius\": 0.1, \"linear_density\": 2, \"stretching_stiffness\": 1e4,"
    "\"bending_stiffness\": 1e-4, \"twisting_stiffness\": 0, \"damping\": 0.1, \"air_drag\": 1.2,"
    "\"friction\": 0.4, \"min_bend_radius\": 0.5, \"rest_shape\": \"path\", \"volume\": \"constant\"},"
    "\"n\": {\"radius\": 1, \"linear_density\": 1, \"stretching_stiffness\": null}},"
    "\"cables\": [{\"name\": \"a\", \"material\": \"w/~\", " LINE ", \"curve\": \"catmull-rom\","
    "\"segments\": 64, \"length\": 1.5, \"velocity\": [1, 2, 3],"
    "\"copies\": {\"count\": [1, 16, 2], \"spacing\": [0, 0.1, 0.2]}}],"
    "\"attachments\": [{\"cable\": \"a\", \"at\": \"start\", \"to\": \"here\", \"clamp\": true},"
    "{\"cable\": \"a\", \"at\": \"end\", \"to\": [1, 2, 3], \"break_force\": 20},"
    "{\"cable\": \"a\", \"at\": 0.25, \"to\": {\"keyframes\": [[0, 1, 0, 1], [0.5, 1, 0, 2]]}},"
    "{\"cable\": \"a[0,1,0]\", \"at\": {\"particle\": 7}, \"to\": {\"cable\": \"b\", \"at\": \"end\"}},"
    "{\"cable\": \"a\", \"at\": 1, \"to\": {\"collider\": \"ball\"}}],"
    "\"loads\": [{\"cable\": \"a\", \"at\": 0.25, \"mass\": 0.02},"
    "{\"cable\": \"a\", \"at\": \"end\", \"force\": [0, 0, -0.5], \"moment\": [0, 1, 0]}],"
    "\"colliders\": [{\"shape\": \"plane\", \"point\": [0, 0, 1], \"normal\": [0, 1, 0], \"friction\": 0.5},"
    "{\"name\": \"ball\", \"shape\": \"sphere\", \"center\": [1, 2, 3], \"radius\": 0.2},"
    "{\"shape\": \"capsule\", \"from\": [0, 0, 0], \"to\": [0, 3, 0], \"radius\": 0.05},"
    "{\"shape\": \"box\", \"center\": [3, 0, 0], \"half_extents\": [1, 2, 3], \"rotation\": [0, 0, 0, 2]}],"
    "\"contact\": {\"cables\": false, \"self\": false}}";

static void every_setting_is_read(void **state)
{
    (void)state;
    cab_scene *scene = parse(full);
    const cab_settings *s = &scene->settings;
    assert_true(s->gravity.y == 1 && s->gravity.z == -2 && s->duration == 2 && s->frame_rate == 30);
    assert_true(s->substeps == 10 && s->iterations == 3 && s->way == CAB_WAY_FUSED && s->doubles.on);
    assert_true(s->doubles.compliance == 0.5 && s->contact.passes == 2 && !s->contact.cables &&
                !s->contact.self && !s->contact.sleep);
    assert_int_equal(scene->material_count, 2);
    const cab_material_def *m = &scene->materials[cab_scene_find_material(scene, "w/~")];
    assert_true(m->radius == 0.1 && m->linear_density == 2 && m->stretching_stiffness == 1e4);
    assert_true(m->bending_stiffness == 1e-4 && m->damping == 0.1 && m->air_drag == 1.2 &&
                m->friction == 0.4);
    assert_true(m->min_bend_radius == 0.5 && m->rest_shape_path && m->constant_volume);
    assert_true(isinf(scene->materials[1].stretching_stiffness));
    cab_scene_destroy(scene);
}

static void every_item_is_read(void **state)
{
    (void)state;
    cab_scene *scene = parse(full);
    const cab_cable_def *c = &scene->cables[0];
    assert_true(c->path_count == 2 && c->path[1].x == 1 && c->path[0].z == 1 &&
                c->curve == CAB_CURVE_CATMULL_ROM);
    assert_true(c->segments == 64 && c->length == 1.5 && c->velocity.z == 3);
    assert_true(c->copies[0] == 1 && c->copies[1] == 16 && c->copies[2] == 2 && c->spacing[2] == 0.2);
    const cab_attachment_def *a = scene->attachments;
    assert_int_equal(scene->attachment_count, 5);
    assert_true(a[0].at.kind == CAB_PLACE_START && a[0].to == CAB_TARGET_HERE && a[0].clamp);
    assert_true(isinf(a[0].break_force) && a[1].break_force == 20 && a[1].at.kind == CAB_PLACE_END);
    assert_true(a[1].to == CAB_TARGET_POINT && a[1].point.z == 3 && !a[1].clamp);
    assert_true(a[2].at.kind == CAB_PLACE_FRACTION && a[2].at.fraction == 0.25 && a[2].keyframe_count == 2);
    assert_true(a[2].keyframes[1].t == 0.5 && a[2].keyframes[1].position.z == 2);
    assert_true(a[3].at.kind == CAB_PLACE_PARTICLE && a[3].at.particle == 7 && a[3].to == CAB_TARGET_CABLE);
    assert_string_equal(a[3].cable, "a[0,1,0]");
    assert_string_equal(a[3].target, "b");
    assert_int_equal(a[3].target_at.kind, CAB_PLACE_END);
    assert_true(a[4].at.kind == CAB_PLACE_FRACTION && a[4].at.fraction == 1 &&
                a[4].to == CAB_TARGET_COLLIDER);
    const cab_load_def *l = scene->loads;
    assert_true(scene->load_count == 2 && l[0].mass == 0.02 && l[1].force.z == -0.5 && l[1].moment.y == 1);
    const cab_collider_def *k = scene->colliders;
    assert_true(scene->collider_count == 4 && k[0].shape == CAB_SHAPE_PLANE && k[0].normal.y == 1);
    assert_true(k[0].friction == 0.5 && k[1].friction == 0.3 && k[1].radius == 0.2 && k[1].center.y == 2);
    assert_true(k[2].shape == CAB_SHAPE_CAPSULE && k[2].to.y == 3 && k[3].half_extents.z == 3);
    assert_true(k[3].rotation[0] == 0 && k[3].rotation[3] == 2 && !k[0].name);
    assert_int_equal(cab_scene_find_collider(scene, "ball"), 1);
    cab_scene_destroy(scene);
}

typedef struct refusal {
    const char *override;
    const char *message; /* after "loom.json: " */
} refusal;

/* Applied to the full scene one by one, so that each is the only fault. */
static const refusal refusals[] = {
    {"/clcable=2", "/clcable: expected the format version 1, got 2"},
    {"/cable=2", "/cable: unknown key, the nearest known one is \"cables\""},
    {"/cables/0/segments=-4", "/cables/0/segments: expected an integer from 1 to 1000000, got -4"},
    {"/cables/0/segments=2.5", "/cables/0/segments: expected an integer from 1 to 1000000, got 2.5"},
    {"/cables/0/segments=1000001", "/cables/0/segments: expected an integer from 1 to 1000000, got 1000001"},
    {"/cables/0/segments=\"4\"",
     "/cables/0/segments: expected an integer from 1 to 1000000 or the length of each segment, got \"4\""},
    {"/cables/0/segments=[1, -1]", "/cables/0/segments/1: expected a number from 1e-09 to 1e+06, got -1"},
    {"/cables/0/places=[0.1, 2]", "/cables/0/places/1: expected a number from 0 to 1, got 2"},
    {"/cables/0/segmnts=4", "/cables/0/segmnts: unknown key, the nearest known one is \"segments\""},
    {"/cables/0/name=", "/cables/0/name: expected a name, got \"\""},
    {"/cables/0/material=w/",
     "/cables/0/material: expected the name of a material, got \"w/\"; the nearest is \"w/~\""},
    {"/cables/0/material=steel", "/cables/0/material: expected the name of a material, got \"steel\""},
    {"/cables/0/path=[[0,0,0]]", "/cables/0/path: expected an array of at least 2 points, got an array of 1"},
    {"/cables/0/path/1=[0,0,1]", "/cables/0/path/1: expected a point other than the one before"},
    {"/cables/0/path/1=[0,0]", "/cables/0/path/1: expected an array of 3 numbers, got an array of 2"},
    {"/cables/0/path/1/2=1e300", "/cables/0/path/1/2: expected a number from -1e+06 to 1e+06, got 1e+300"},
    {"/cables/0/path/1/2=1e999", "/cables/0/path/1/2: expected a number from -1e+06 to 1e+06, got \"1e999\""},
    {"/cables/0/path/1/2=NaN", "/cables/0/path/1/2: expected a number from -1e+06 to 1e+06, got \"NaN\""},
    {"/cables/0/curve=bezier", "/cables/0/curve: expected \"polyline\" or \"catmull-rom\", got \"bezier\""},
    {"/cables/0/length=0", "/cables/0/length: expected a number from 1e-09 to 1e+06, got 0"},
    {"/cables/0/velocity=1", "/cables/0/velocity: expected a vector [x, y, z], one for each particle, "
                             "{\"along\": [[fraction, x, y, z], ...]} or "
                             "{\"path\": [[x, y, z], ...], \"before\": seconds}, got 1"},
    {"/cables/0/velocity=[1, 2]", "/cables/0/velocity: expected an array of 3 numbers, got an array of 2"},
    {"/cables/0/velocity=[[0, 0, 0], [0, 1]]",
     "/cables/0/velocity/1: expected an array of 3 numbers, got an array of 2"},
    {"/cables/0/velocity={\"along\": [[0, 0, 0]]}",
     "/cables/0/velocity/along/0: expected an array of 4 numbers, got an array of 3"},
    {"/cables/0/velocity={\"path\": [[0, 0, 0], [1, 0, 0]]}",
     "/cables/0/velocity/before: expected a number from 1e-09 to 1e+09, but it is missing"},
    {"/cables/0/copies={\"count\":[1,1,1]}",
     "/cables/0/copies/spacing: expected an array of 3 numbers, but it is missing"},
    {"/cables/0/copies/count/1=0", "/cables/0/copies/count/1: expected an integer from 1 to 1000000, got 0"},
    {"/cables/0/copies/count=[1000000,11,1]",
     "/cables/0/copies/count: expected at most 10000000 copies, got 11000000"},
    {"/cables=[]", "/cables: expected an array of at least one cable, got an array of 0"},
    {"/cables=7", "/cables: expected an array of at least one cable, got 7"},
    {"/cables/-={\"name\":\"a\",\"material\":\"n\",\"path\":[[0,0,0],[1,0,0]]}",
     "/cables/1/name: expected a unique name, \"a\" is taken by /cables/0"},
    {"/cables/-={\"name\":\"a[0,15,1]\",\"material\":\"n\",\"path\":[[0,0,0],[1,0,0]]}",
     "/cables/1/name: expected a unique name, \"a[0,15,1]\" is taken by /cables/0"},
    {"/materials/w~1~0/radius=0", "/materials/w~1~0/radius: expected a number from 1e-09 to 1e+06, got 0"},
    {"/materials/n={\"radius\":1}",
     "/materials/n/linear_density: expected a number from 1e-09 to 1e+06, but it is missing"},
    {"/materials/n/stretching_stiffness=stiff",
     "/materials/n/stretching_stiffness: expected a number or null (inextensible), got \"stiff\""},
    {"/materials/n/rest_shape=round",
     "/materials/n/rest_shape: expected \"straight\" or \"path\", got \"round\""},
    {"/materials/n/volume=1", "/materials/n/volume: expected \"none\" or \"constant\", got 1"},
    {"/materials/n/bendingstiffness=1",
     "/materials/n/bendingstiffness: unknown key, the nearest known one is \"bending_stiffness\""},
    {"/materials/n=null", "/materials/n: expected an object, got null"},
    {"/materials=[]", "/materials: expected an object of materials by name, got an array of 0"},
    {"/time/substeps=0", "/time/substeps: expected an integer from 1 to 100000, got 0"},
    {"/time/duration=-1", "/time/duration: expected a number from 1e-09 to 1e+09, got -1"},
    {"/time/fps=1", "/time/fps: unknown key, expected \"duration\", \"frame_rate\", \"substeps\", "
                    "\"max_substeps\" or \"iterations\""},
    {"/time={\"duration\":1e9}", "/time/duration: expected at most 1000000000 frames, got 60000000000"},
    {"/method=xpdb",
     "/method: expected \"xpbd\", \"springs\", \"stiff-springs\", \"jakobsen\", \"pbd\", \"direct\", "
     "\"jacobi\" or \"auto\" (the nearest is \"xpbd\"), got \"xpdb\""},
    {"/method={\"way\":\"fused\"}",
     "/method/name: expected \"xpbd\", \"springs\", \"stiff-springs\", \"jakobsen\", "
     "\"pbd\", \"direct\", \"jacobi\" or \"auto\", but it is missing"},
    {"/method/way=fast", "/method/way: expected \"auto\", \"coloured\", \"fused\", \"lanes\", \"staged\" or "
                         "\"chunks\", got \"fast\""},
    {"/method/contact_passes=0", "/method/contact_passes: expected an integer from 1 to 100, got 0"},
    {"/gravity/1=true", "/gravity/1: expected a number from -1e+06 to 1e+06, got true"},
    {"/contact/self=1", "/contact/self: expected true or false, got 1"},
    {"/contact/sleep=1", "/contact/sleep: expected true or false, got 1"},
    {"/attachments=1", "/attachments: expected an array, got 1"},
    {"/attachments/0=1", "/attachments/0: expected an object, got 1"},
    {"/attachments/0={\"cable\":\"a\",\"to\":\"here\"}",
     "/attachments/0/at: expected \"start\", \"end\", a number from 0 to 1 or {\"particle\": i}, but it is "
     "missing"},
    {"/attachments/0/at=1.5",
     "/attachments/0/at: expected \"start\", \"end\", a number from 0 to 1 or {\"particle\": i}, got 1.5"},
    {"/attachments/0/at={\"particle\":-1}",
     "/attachments/0/at/particle: expected an integer from 0 to 1000000, got -1"},
    {"/attachments/0/to=there",
     "/attachments/0/to: expected \"here\", a point [x, y, z], {\"cable\": NAME, \"at\": "
     "PLACE}, {\"sheet\": NAME, \"at\": PLACE}, {\"collider\": NAME}, {\"body\": NAME, \"point\": [x, y, z]} "
     "or {\"keyframes\": [[t, x, y, z], "
     "...]}, got \"there\""},
    {"/attachments/0/to={\"colider\":\"ball\"}",
     "/attachments/0/to/colider: unknown key, the nearest known one is \"collider\""},
    {"/attachments/2/to/keyframes=[]",
     "/attachments/2/to/keyframes: expected an array of at least one [t, x, y, z], got an array of 0"},
    {"/attachments/2/to/keyframes/1/0=0",
     "/attachments/2/to/keyframes/1/0: expected a time after that of the keyframe "
     "before, 0 s, got 0"},
    {"/attachments/2/to/keyframes/1/3=1e7",
     "/attachments/2/to/keyframes/1/3: expected a number from -1e+06 to 1e+06, got 10000000"},
    {"/attachments/0/clamp=yes", "/attachments/0/clamp: expected true or false, got \"yes\""},
    {"/attachments/1/break_force=0",
     "/attachments/1/break_force: expected a number from 1e-09 to 1e+12, got 0"},
    {"/loads/0/mass=-1", "/loads/0/mass: expected a number from 0 to 1e+09, got -1"},
    {"/loads/0/forces=1", "/loads/0/forces: unknown key, the nearest known one is \"force\""},
    {"/colliders/0/shape=plain", "/colliders/0/shape: expected \"plane\", \"sphere\", \"capsule\", \"box\", "
                                 "\"mesh\", \"cylinder\" or \"sheave\" "
                                 "(the nearest is \"plane\"), got \"plain\""},
    {"/colliders/0/normal=[0,0,0]", "/colliders/0/normal: expected a vector other than zero"},
    {"/colliders/1/half_extents=[1,1,1]",
     "/colliders/1/half_extents: unknown key, expected \"name\", \"shape\", "
     "\"friction\", \"keyframes\", \"center\" or \"radius\""},
    {"/colliders/0/name=ball",
     "/colliders/1/name: expected a unique name, \"ball\" is taken by /colliders/0"},
    {"/colliders/3/rotation=[1,0,0]",
     "/colliders/3/rotation: expected an array of 4 numbers, got an array of 3"},
    {"/colliders/3/half_extents/0=0",
     "/colliders/3/half_extents/0: expected a number from 1e-09 to 1e+06, got 0"},
    {"/cables/x/name=b", "--set /cables/x/name: expected an index below 1, got \"x\""},
    {"/cables/01=b", "--set /cables/01: expected an index below 1, got \"01\""},
    {"/tim/substeps=1", "--set /tim/substeps: there is no \"tim\", the nearest is \"time\""},
    {"/clcable/x=1", "--set /clcable/x: expected an object or an array to hold the value"},
    {"/a~2=1", "--set /a~2: expected ~0 or ~1 after ~"},
    {"/a", "--set /a: expected POINTER=VALUE, such as /materials/wire/friction=0.5"},
    {"a=1", "--set a=1: expected POINTER=VALUE, such as /materials/wire/friction=0.5"},
    {"/gravity=\xff", "--set /gravity: expected a value in UTF-8"},
};

static void each_fault_has_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char message[CAB_MESSAGE_SIZE];
        snprintf(message, sizeof message, "loom.json: %s", refusals[i].message);
        assert_refused(full, refusals[i].override, CAB_ERROR_INPUT, message);
    }
}

static void unbuilt_things_say_so(void **state)
{
    (void)state;
    assert_refused(
        full, "/method=pbd", CAB_ERROR_UNSUPPORTED,
        "loom.json: /materials/w~1~0/bending_stiffness: the method \"pbd\" does not simulate bending "
        "by it, but by double_distance; expected 0, got 0.0001");
    assert_refused(
        full, "/materials/w~1~0/twisting_stiffness=0.5", CAB_ERROR_UNSUPPORTED,
        "loom.json: /materials/w~1~0/twisting_stiffness: the method \"xpbd\" does not simulate torsion, but "
        "\"direct\" does; expected 0, got 0.5");
}

static void syntax_errors_have_line_and_column(void **state)
{
    (void)state;
    assert_refused("{\"clcable\": 1,\n \"a\": }", NULL, CAB_ERROR_INPUT,
                   "loom.json: line 2, column 7: unexpected token near '}'");
    assert_refused("{\"clcable\": 1,\n \"clcable\": 1}", NULL, CAB_ERROR_INPUT,
                   "loom.json: line 2, column 10: duplicate object key near '\"clcable\"'");
    assert_refused("{\"clcable\": 1e999}", NULL, CAB_ERROR_INPUT,
                   "loom.json: line 1, column 17: real number overflow near '1e999'");
    assert_refused("", NULL, CAB_ERROR_INPUT,
                   "loom.json: line 1, column 0: '[' or '{' expected near end of file");
    assert_refused("[]", NULL, CAB_ERROR_INPUT, "loom.json: expected an object, got an array of 0");
    assert_refused("{} x", NULL, CAB_ERROR_INPUT,
                   "loom.json: line 1, column 4: end of file expected near 'x'");
    char deep[6000];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_refused(deep, NULL, CAB_ERROR_INPUT, "loom.json: line 1, column 2049: nested too deeply");
}

static void required_sections_are_missed(void **state)
{
    (void)state;
    assert_refused("{}", NULL, CAB_ERROR_INPUT,
                   "loom.json: /clcable: expected the format version 1, but it is missing");
    assert_refused(HEAD ONE "}", NULL, CAB_ERROR_INPUT,
                   "loom.json: /materials: expected an object of materials by name, but it is missing");
    assert_refused(HEAD WIRE "}", NULL, CAB_ERROR_INPUT,
                   "loom.json: /cables: expected an array of at least one cable, but it is missing");
}

static void overrides_reach_what_was_left_out(void **state)
{
    (void)state;
    const char *const overrides[] = {"/method/way=\"fused\"",       "/time/substeps=7",
                                     "/contact/self=false",         "/gravity/2=-1",
                                     "/cables/0/name=plain text",   "/cables/0/path/-=[2,0,1]",
                                     "/materials/wire/friction=0.5"};
    cab_scene *scene = NULL;
    cab_error error = {0};
    assert_int_equal(parse_with(SMALL, overrides, 7, &scene, &error), CAB_OK);
    assert_int_equal(scene->settings.way, CAB_WAY_FUSED);
    assert_int_equal(scene->settings.substeps, 7);
    assert_false(scene->settings.contact.self);
    assert_true(scene->settings.gravity.z == -1 && scene->settings.gravity.x == 0);
    assert_string_equal(scene->cables[0].name, "plain text");
    assert_int_equal(scene->cables[0].path_count, 3);
    assert_true(scene->materials[0].friction == 0.5);
    cab_scene_destroy(scene);
    /* a plain name becomes an object, and keeps its name */
    scene = NULL;
    assert_int_equal(
        parse_with(HEAD "\"method\": \"xpbd\", " WIRE ", " ONE "}", overrides, 1, &scene, &error), CAB_OK);
    assert_int_equal(scene->settings.way, CAB_WAY_FUSED);
    cab_scene_destroy(scene);
}

static void files_are_read_or_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/clcable-scene-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "\xEF\xBB\xBF" SMALL, strlen(SMALL) + 3), strlen(SMALL) + 3);
    cab_scene *scene = NULL;
    cab_error error = {0};
    assert_int_equal(cab_scene_load(path, NULL, 0, &scene, &error), CAB_OK);
    assert_string_equal(scene->source, path);
    cab_scene_destroy(scene);
    /* sparse: takes no space */
    assert_int_equal(ftruncate(file, ((off_t)1 << 30) + 1), 0);
    close(file);
    assert_int_equal(cab_scene_load(path, NULL, 0, &scene, &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, ": larger than 1 GiB"));
    unlink(path);
    assert_int_equal(cab_scene_load(path, NULL, 0, &scene, &error), CAB_ERROR_IO);
    assert_non_null(strstr(error.message, ": cannot read it: No such file or directory"));
    assert_int_equal(cab_scene_load("/", NULL, 0, &scene, &error), CAB_ERROR_IO);
    assert_string_equal(error.message, "/: cannot read it: Is a directory");
}

static void builder_copies_what_it_gets(void **state)
{
    (void)state;
    cab_scene *scene = cab_scene_create();
    char name[] = "wire", cable_name[] = "a";
    cab_vec3 path[] = {{0, 0, 0}, {1, 0, 0}};
    cab_keyframe frames[] = {{0, {1, 2, 3}}};
    cab_material_def material = cab_material_default();
    material.name = name, material.radius = 0.01, material.linear_density = 1;
    assert_int_equal(cab_scene_add_material(scene, &material, NULL), CAB_OK);
    cab_cable_def cable = cab_cable_default();
    cable.name = cable_name, cable.material = name, cable.path = path, cable.path_count = 2;
    assert_int_equal(cab_scene_add_cable(scene, &cable, NULL), CAB_OK);
    cab_attachment_def hold = cab_attachment_default();
    hold.cable = cable_name, hold.to = CAB_TARGET_KEYFRAMES, hold.keyframes = frames, hold.keyframe_count = 1;
    assert_int_equal(cab_scene_add_attachment(scene, &hold, NULL), CAB_OK);
    name[0] = cable_name[0] = '?';
    path[1].x = frames[0].position.x = -1;
    assert_int_equal(cab_scene_find_material(scene, "wire"), 0);
    assert_string_equal(scene->cables[0].material, "wire");
    assert_true(scene->cables[0].path[1].x == 1);
    assert_string_equal(scene->attachments[0].cable, "a");
    assert_true(scene->attachments[0].keyframes[0].position.x == 1);
    cab_scene_destroy(scene);
}

static void builder_refuses_faults(void **state)
{
    (void)state;
    cab_scene *scene = parse(SMALL);
    cab_error error = {0};
    cab_material_def material = cab_material_default();
    material.name = "b", material.radius = NAN, material.linear_density = 1;
    assert_int_equal(cab_scene_add_material(scene, &material, &error), CAB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "loom.json: /materials/b/radius: expected a number from 1e-09 to 1e+06, got nan");
    const cab_vec3 path[] = {{0, 0, 0}, {1, 0, INFINITY}};
    cab_cable_def cable = cab_cable_default();
    cable.name = "b", cable.material = "wire", cable.path = path, cable.path_count = 2;
    assert_int_equal(cab_scene_add_cable(scene, &cable, &error), CAB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "loom.json: /cables/1/path/1/2: expected a number from -1e+06 to 1e+06, got inf");
    cab_load_def load = cab_load_default();
    assert_int_equal(cab_scene_add_load(scene, &load, &error), CAB_ERROR_INPUT);
    assert_string_equal(error.message, "loom.json: /loads/0/cable: expected the name of a cable");
    cab_collider_def box = cab_collider_default();
    box.shape = CAB_SHAPE_MESH;
    assert_int_equal(cab_scene_add_collider(scene, &box, &error), CAB_ERROR_INPUT);
    assert_string_equal(error.message, "loom.json: /colliders/0/mesh/vertices: expected 3 to 3000000 points");
    assert_int_equal(scene->material_count + scene->cable_count + scene->load_count + scene->collider_count,
                     2);
    scene->settings.substeps = 0;
    assert_int_equal(cab_scene_check_settings(scene, &error), CAB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "loom.json: /time/substeps: expected an integer from 1 to 100000, got 0");
    cab_scene_destroy(scene);
}

static void many_names_are_found(void **state)
{
    (void)state;
    cab_scene *scene = parse(SMALL);
    const cab_vec3 path[] = {{0, 0, 0}, {1, 0, 0}};
    cab_cable_def cable = cab_cable_default();
    char name[32];
    cable.name = name, cable.material = "wire", cable.path = path, cable.path_count = 2;
    for (int i = 1; i < 20000; i++) {
        snprintf(name, sizeof name, "cable %d", i);
        assert_int_equal(cab_scene_add_cable(scene, &cable, NULL), CAB_OK);
    }
    assert_int_equal(cab_scene_find_cable(scene, "cable 12345"), 12345);
    assert_int_equal(cab_scene_find_cable(scene, "cable 20000"), -1);
    assert_int_equal(cab_scene_find_cable(scene, "a"), 0);
    assert_int_equal(cab_scene_add_cable(scene, &cable, NULL), CAB_ERROR_INPUT);
    /* names that read like copies' */
    snprintf(name, sizeof name, "b[1,0,0]");
    assert_int_equal(cab_scene_add_cable(scene, &cable, NULL), CAB_OK);
    cable.name = "b", cable.copies[0] = 2;
    assert_int_equal(cab_scene_add_cable(scene, &cable, NULL), CAB_ERROR_INPUT);
    cable.copies[0] = 1;
    assert_int_equal(cab_scene_add_cable(scene, &cable, NULL), CAB_OK);
    cab_scene_destroy(scene);
}

static void nearest_names(void **state)
{
    (void)state;
    static const char *const names[] = {"radius", "linear_density", "friction", "damping"};
    assert_string_equal(cab_nearest("raduis", names, 4), "radius");
    assert_string_equal(cab_nearest("Friction", names, 4), "friction");
    assert_null(cab_nearest("density", names, 4)); /* half the letters are missing */
    assert_null(cab_nearest("x", names, 4));
    assert_null(cab_nearest("", names, 4));
    char endless[5000];
    memset(endless, 'r', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(cab_nearest(endless, names, 4));
}

static void copies_are_split(void **state)
{
    (void)state;
    size_t length;
    int copy[3];
    assert_true(cab_name_split_copy("a[1,20,3]", &length, copy));
    assert_true(length == 1 && copy[0] == 1 && copy[1] == 20 && copy[2] == 3);
    static const char *const others[] = {
        "a",         "a[1,2]",  "a[1,2,3,4]",         "[1,2,3]", "a[01,2,3]", "a[-1,2,3]",
        "a[1,2,3]x", "a[1,,3]", "a[99999999999,0,0]", "a[1,2,3"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(cab_name_split_copy(others[i], &length, copy));
}

static void messages_are_one_line(void **state)
{
    (void)state;
    cab_error error = {0};
    assert_int_equal(cab_fail(&error, CAB_ERROR_IO, "a\nb\t%s", "c\r"), CAB_ERROR_IO);
    assert_string_equal(error.message, "a b c ");
    assert_int_equal(cab_fail(&error, CAB_ERROR_INPUT, "x: %s", error.message), CAB_ERROR_INPUT);
    assert_string_equal(error.message, "x: a b c ");
    /* a letter of two bytes that does not fit whole is left out */
    char text[CAB_MESSAGE_SIZE + 2];
    memset(text, 'x', CAB_MESSAGE_SIZE - 2);
    strcpy(text + CAB_MESSAGE_SIZE - 2, "\xC3\xA9");
    cab_fail(&error, CAB_ERROR_INPUT, "%s", text);
    assert_int_equal(strlen(error.message), CAB_MESSAGE_SIZE - 2);
    assert_int_equal(cab_fail(NULL, CAB_ERROR_MEMORY, "x"), CAB_ERROR_MEMORY);
}

static void words_for_enums(void **state)
{
    (void)state;
    assert_string_equal(cab_status_name(CAB_ERROR_DIVERGED), "diverged");
    assert_string_equal(cab_version(), CLCABLE_VERSION);
    for (int i = 0; i < CAB_METHOD_COUNT; i++)
        assert_int_equal(cab_method_find(cab_method_name((cab_method)i)), i);
    assert_null(cab_method_name(CAB_METHOD_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_scene_has_defaults),
        cmocka_unit_test(every_setting_is_read),
        cmocka_unit_test(every_item_is_read),
        cmocka_unit_test(each_fault_has_its_line),
        cmocka_unit_test(unbuilt_things_say_so),
        cmocka_unit_test(syntax_errors_have_line_and_column),
        cmocka_unit_test(required_sections_are_missed),
        cmocka_unit_test(overrides_reach_what_was_left_out),
        cmocka_unit_test(files_are_read_or_refused),
        cmocka_unit_test(builder_copies_what_it_gets),
        cmocka_unit_test(builder_refuses_faults),
        cmocka_unit_test(many_names_are_found),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test(copies_are_split),
        cmocka_unit_test(messages_are_one_line),
        cmocka_unit_test(words_for_enums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
