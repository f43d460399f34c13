/* Writers and report: contents, and that files are whole or not there. The world here is a made-up one with
 * known numbers: this file defines the few world functions that the writers call, so the real ones are not
 * linked. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include <clcable/draw.h>

#include "base/error.h"
#include "io/output.h"
#include "io/report.h"

/* Two cables of 3 and 2 nodes, the second with a name that needs quotes. */
#define CABLES 2
#define NODES 5

struct cab_world {
    bool sheets; /* also a sheet of the last node's and the four before it: a stick, a quadrangle, a triangle
                  */
    int frame, broken;
    bool fails;
    cab_measures measures;
};

cab_world_info cab_world_get_info(const cab_world *world)
{
    cab_world_info info = {
        .cables = CABLES, .particles = 4, .nodes = NODES, .segments = 3, .way = CAB_WAY_FUSED};
    if (world->sheets) info.sheets = 1, info.cells = 3, info.cables = 1;
    info.frame = world->frame;
    info.time = world->frame / 64.0;
    info.device_bytes = 1000;
    snprintf(info.device.name, sizeof info.device.name, "test device");
    return info;
}

cab_cable_info cab_world_get_cable(const cab_world *world, int index)
{
    (void)world;
    cab_cable_info cable = {
        .first_node = index ? 3 : 0, .node_count = index ? 2 : 3, .radius = index ? 0.5 : 0.25};
    snprintf(cable.name, sizeof cable.name, "%s", index ? "b \"x\"[0,1,0]" : "a");
    return cable;
}

int cab_world_get_sections(const cab_world *world, int index, cab_section_info *sections, int capacity)
{
    cab_cable_info cable = cab_world_get_cable(world, index);
    if (capacity > 0)
        sections[0] = (cab_section_info){
            .first_node = cable.first_node, .node_count = cable.node_count, .radius = cable.radius};
    return 1;
}

cab_sheet_info cab_world_get_sheet(const cab_world *world, int index)
{
    (void)world, (void)index;
    cab_sheet_info sheet = {.first_node = 3, .node_count = 2, .cell_count = 3, .radius = 0.125};
    snprintf(sheet.name, sizeof sheet.name, "cloth");
    return sheet;
}

void cab_world_get_cells(const cab_world *world, int *cells)
{
    (void)world;
    static const int three[3][4] = {{0, 1, 4, 3}, {3, 4, -1, -1}, {1, 2, 4, -1}};
    memcpy(cells, three, sizeof three);
}

static double position_at(const cab_world *world, int i)
{
    return i == 0 ? -0.0 : i == 1 ? 1.0 / 3 : i == 2 ? -2.5e-7 : i + 0.125 * world->frame;
}

cab_status cab_world_read(cab_world *world, double *position, double *velocity, double *tension,
                          cab_error *error)
{
    if (world->fails) return cab_fail(error, CAB_ERROR_DEVICE, "no read today");
    for (int i = 0; i < 3 * NODES; i++) {
        position[i] = position_at(world, i);
        velocity[i] = -i;
    }
    for (int i = 0; i < NODES; i++) tension[i] = i == 2 || i == 4 ? 0 : 10 + i;
    return CAB_OK;
}

cab_status cab_world_draw(cab_world *world, cab_quantity quantity, float *rows, cab_error *error)
{
    if (world->fails) return cab_fail(error, CAB_ERROR_DEVICE, "no drawing today");
    for (int i = 0; i < NODES; i++) rows[4 * i + 3] = (float)i + (quantity == CAB_QUANTITY_CONTACT ? 20 : 40);
    return CAB_OK;
}

bool cab_world_get_collider(const cab_world *world, int collider, cab_pose *pose)
{
    (void)world, (void)collider, (void)pose;
    return false;
}

cab_status cab_world_measure(cab_world *world, cab_measures *measures, cab_error *error)
{
    if (world->fails) return cab_fail(error, CAB_ERROR_DEVICE, "no measure today");
    *measures = world->measures;
    return CAB_OK;
}

void cab_world_get_times(const cab_world *world, double *seconds)
{
    (void)world;
    for (int i = 0; i < CAB_STAGE_COUNT; i++) seconds[i] = i;
}

const char *cab_stage_name(cab_stage stage)
{
    return stage == CAB_STAGE_PREDICT ? "predict" : stage == CAB_STAGE_DISTANCE ? "distance" : "other";
}

int cab_world_get_broken(const cab_world *world, int *attachments, int *cables, int capacity)
{
    for (int i = 0; i < world->broken && i < capacity; i++) {
        attachments[i] = 7 + i;
        cables[i] = 1;
    }
    return world->broken;
}

const char *cab_event_kind_name(cab_event_kind kind)
{
    return kind == CAB_EVENT_BROKE ? "broke" : "other";
}

int cab_world_get_events(const cab_world *world, cab_event *events, int capacity)
{
    for (int i = 0; i < world->broken && i < capacity; i++) {
        events[i] = (cab_event){.kind = CAB_EVENT_BROKE,
                                .frame = 2 + i,
                                .time = 0.5,
                                .attachment = 7 + i,
                                .cable = 1,
                                .force = 20};
    }
    return world->broken;
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/clcable-output-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static void in_folder(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
}

/* Removes all files of the folder and returns how many there were. */
static int empty_folder(void)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries));) {
        char path[400];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
        count++;
    }
    closedir(entries);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

/* The whole file, zero-terminated, to be freed. */
static char *slurp(const char *name, size_t *size)
{
    char path[128];
    in_folder(name, path);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    char *text = calloc(1, 65536);
    *size = fread(text, 1, 65535, file);
    fclose(file);
    return text;
}

static void put(const char *name, const char *text)
{
    char path[128];
    in_folder(name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static cab_status write_once(const char *name, cab_world *world, cab_error *error)
{
    char path[128];
    cab_output *output = NULL;
    in_folder(name, path);
    cab_status status = cab_output_open(path, NULL, NULL, &output, error);
    if (!status) status = cab_output_frame(output, world, error);
    bool commit = status == CAB_OK;
    cab_status closed = cab_output_close(output, world, commit, error);
    return status ? status : closed;
}

static void csv_has_nine_digits_and_quotes(void **state)
{
    (void)state;
    cab_world world = {.frame = 0};
    cab_error error;
    assert_int_equal(write_once("last.csv", &world, &error), CAB_OK);
    size_t size;
    char *text = slurp("last.csv", &size);
    assert_string_equal(text, "cable,particle,x,y,z,vx,vy,vz,tension\n"
                              "a,0,0,0.333333333,-2.5e-07,0,-1,-2,10\n"
                              "a,1,3,4,5,-3,-4,-5,11\n"
                              "a,2,6,7,8,-6,-7,-8,0\n"
                              "\"b \"\"x\"\"[0,1,0]\",0,9,10,11,-9,-10,-11,13\n"
                              "\"b \"\"x\"\"[0,1,0]\",1,12,13,14,-12,-13,-14,0\n");
    free(text);
    assert_int_equal(empty_folder(), 1);
}

/* The raw block that belongs to an array of this name. */
static const char *find_block(const char *text, size_t size, const char *name, uint64_t *bytes)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
    const char *array = strstr(text, wanted);
    assert_non_null(array);
    unsigned long offset = strtoul(strstr(array, "offset=\"") + strlen("offset=\""), NULL, 10);
    const char *start = strstr(text, "encoding=\"raw\">\n_");
    assert_non_null(start);
    start += strlen("encoding=\"raw\">\n_") + offset;
    memcpy(bytes, start, sizeof *bytes);
    assert_true(start + sizeof *bytes + *bytes <= text + size);
    return start + sizeof *bytes;
}

static void check_reals(const char *text, size_t size, const char *name, const float *expected, int count)
{
    uint64_t bytes;
    const char *block = find_block(text, size, name, &bytes);
    assert_int_equal(bytes, (size_t)count * sizeof *expected);
    assert_memory_equal(block, expected, bytes);
}

static void check_integers(const char *text, size_t size, const char *name, const int32_t *expected,
                           int count)
{
    uint64_t bytes;
    const char *block = find_block(text, size, name, &bytes);
    assert_int_equal(bytes, (size_t)count * sizeof *expected);
    assert_memory_equal(block, expected, bytes);
}

static void vtp_holds_lines_and_values(void **state)
{
    (void)state;
    cab_world world = {.frame = 32};
    cab_error error;
    assert_int_equal(write_once("last.vtp", &world, &error), CAB_OK);
    size_t size;
    char *text = slurp("last.vtp", &size);
    float points[3 * NODES], velocity[3 * NODES];
    for (int i = 0; i < 3 * NODES; i++) {
        points[i] = (float)position_at(&world, i);
        velocity[i] = (float)-i;
    }
    check_reals(text, size, "points", points, 3 * NODES);
    check_reals(text, size, "velocity", velocity, 3 * NODES);
    check_reals(text, size, "tension", (const float[]){10, 11, 0, 13, 0}, NODES);
    check_reals(text, size, "curvature", (const float[]){40, 41, 42, 43, 44}, NODES);
    check_reals(text, size, "contact", (const float[]){20, 21, 22, 23, 24}, NODES);
    check_reals(text, size, "radius", (const float[]){0.25f, 0.25f, 0.25f, 0.5f, 0.5f}, NODES);
    check_integers(text, size, "cable", (const int32_t[]){0, 1}, CABLES);
    check_integers(text, size, "connectivity", (const int32_t[]){0, 1, 2, 3, 4}, NODES);
    check_integers(text, size, "offsets", (const int32_t[]){3, 5}, CABLES);
    assert_non_null(strstr(text, "NumberOfPoints=\"5\""));
    assert_non_null(strstr(text, "NumberOfLines=\"2\""));
    assert_non_null(strstr(text, "format=\"ascii\">0.5<"));
    static const char tail[] = "\n</AppendedData>\n</VTKFile>\n";
    assert_string_equal(text + size - strlen(tail), tail);
    free(text);
    assert_int_equal(empty_folder(), 1);
}

/* Sheets come after the cables: rows; sticks as lines, faces as polygons. */
static void sheets_are_written(void **state)
{
    (void)state;
    cab_world world = {.sheets = true};
    cab_error error;
    size_t size;
    assert_int_equal(write_once("last.csv", &world, &error), CAB_OK);
    char *text = slurp("last.csv", &size);
    assert_non_null(strstr(text, "\na,2,6,7,8,-6,-7,-8,0\ncloth,0,9,10,11,-9,-10,-11,13\n"
                                 "cloth,1,12,13,14,-12,-13,-14,0\n"));
    free(text);
    assert_int_equal(write_once("last.vtp", &world, &error), CAB_OK);
    text = slurp("last.vtp", &size);
    check_reals(text, size, "radius", (const float[]){0.25f, 0.25f, 0.25f, 0.125f, 0.125f}, NODES);
    check_integers(text, size, "cable", (const int32_t[]){0, 1, 1, 1}, 4);
    check_integers(text, size, "connectivity", (const int32_t[]){0, 1, 2, 3, 4}, 5);
    check_integers(text, size, "offsets", (const int32_t[]){3, 5}, 2);
    assert_non_null(strstr(text, "NumberOfLines=\"2\""));
    assert_non_null(strstr(text, "NumberOfPolys=\"2\""));
    const char *polys = strstr(text, "<Polys>");
    const int32_t corners[] = {0, 1, 4, 3, 1, 2, 4}, ends[] = {4, 7};
    assert_non_null(polys);
    uint64_t bytes;
    const char *raw = strstr(text, "encoding=\"raw\">\n_") + strlen("encoding=\"raw\">\n_");
    const char *block = raw + strtoul(strstr(polys, "offset=\"") + strlen("offset=\""), NULL, 10);
    memcpy(&bytes, block, sizeof bytes);
    assert_int_equal(bytes, sizeof corners);
    assert_memory_equal(block + sizeof bytes, corners, sizeof corners);
    block += sizeof bytes + bytes;
    memcpy(&bytes, block, sizeof bytes);
    assert_int_equal(bytes, sizeof ends);
    assert_memory_equal(block + sizeof bytes, ends, sizeof ends);
    free(text);
    assert_int_equal(empty_folder(), 2);
}

static cab_output *open_in_folder(const char *name)
{
    char path[128];
    cab_output *output = NULL;
    cab_error error = {0};
    in_folder(name, path);
    if (cab_output_open(path, NULL, NULL, &output, &error)) fail_msg("%s", error.message);
    assert_string_equal(cab_output_path(output), path);
    return output;
}

static void write_frames(cab_output *output, cab_world *world, int count)
{
    for (world->frame = 0; world->frame < count; world->frame++)
        assert_int_equal(cab_output_frame(output, world, NULL), CAB_OK);
}

static bool is_there(const char *name)
{
    char path[128];
    in_folder(name, path);
    return access(path, F_OK) == 0;
}

static void pvd_lists_its_frames(void **state)
{
    (void)state;
    cab_world world = {0};
    cab_output *output = open_in_folder("a&b.pvd");
    write_frames(output, &world, 3);
    assert_false(is_there("a&b_0000.vtp")); /* no name before the end */
    assert_int_equal(cab_output_close(output, &world, true, NULL), CAB_OK);
    assert_true(is_there("a&b_0000.vtp") && is_there("a&b_0001.vtp") && is_there("a&b_0002.vtp"));
    size_t size;
    char *text = slurp("a&b.pvd", &size);
    assert_non_null(strstr(text, "timestep=\"0\" group=\"\" part=\"0\" file=\"a&amp;b_0000.vtp\""));
    assert_non_null(strstr(text, "timestep=\"0.03125\" group=\"\" part=\"0\" file=\"a&amp;b_0002.vtp\""));
    assert_null(strstr(text, "_0003"));
    free(text);
    text = slurp("a&b_0002.vtp", &size);
    assert_non_null(strstr(text, ">0.03125<"));
    free(text);
    assert_int_equal(empty_folder(), 4);
}

static void nothing_is_left_without_commit(void **state)
{
    (void)state;
    static const char *const names[] = {"x.pvd", "x.csv", "x.vtp"};
    for (int i = 0; i < 3; i++) {
        cab_world world = {0};
        put(names[i], "old");
        cab_output *output = open_in_folder(names[i]);
        write_frames(output, &world, 3);
        assert_int_equal(cab_output_close(output, NULL, false, NULL), CAB_OK);
        size_t size;
        char *text = slurp(names[i], &size);
        assert_string_equal(text, "old");
        free(text);
        assert_int_equal(empty_folder(), 1);
    }
    assert_int_equal(cab_output_close(NULL, NULL, false, NULL), CAB_OK);
}

static void nothing_is_left_when_the_device_fails(void **state)
{
    (void)state;
    cab_world world = {.fails = true};
    cab_error error = {0};
    assert_int_equal(write_once("x.csv", &world, &error), CAB_ERROR_DEVICE);
    assert_string_equal(error.message, "no read today");
    assert_int_equal(write_once("x.pvd", &world, &error), CAB_ERROR_DEVICE);
    assert_int_equal(empty_folder(), 0);
}

static void assert_not_opened(const char *path, cab_status status, const char *message)
{
    cab_output *output = NULL;
    cab_error error = {0};
    assert_int_equal(cab_output_open(path, NULL, NULL, &output, &error), status);
    assert_string_equal(error.message, message);
    assert_null(output);
}

static void endings_are_known_unbuilt_or_wrong(void **state)
{
    (void)state;
#if defined CAB_HAVE_HDF5 && defined CAB_HAVE_LIBZIP
#define BUILT ".csv, .vtp, .pvd, .usda, .usd, .obj, .vtkhdf and .npz"
    assert_not_opened("a.json", CAB_ERROR_UNSUPPORTED,
                      "a.json: the format .json is not built yet, built are " BUILT);
    assert_not_opened("a.doc", CAB_ERROR_INPUT, "a.doc: unknown format .doc, built are " BUILT);
    assert_not_opened("a.b/c", CAB_ERROR_INPUT,
                      "a.b/c: expected an ending that tells the format, built are " BUILT);
#endif
#ifndef CAB_HAVE_HDF5
    assert_not_opened("a.VTKHDF", CAB_ERROR_UNSUPPORTED,
                      "a.VTKHDF: this clcable was built without HDF5, which .vtkhdf needs");
#endif
#ifndef CAB_HAVE_LIBZIP
    assert_not_opened("a.npz", CAB_ERROR_UNSUPPORTED,
                      "a.npz: this clcable was built without libzip, which .npz needs");
#endif
}

static void bad_places_are_told_before_the_run(void **state)
{
    (void)state;
    assert_not_opened("/no/such/place/a.csv", CAB_ERROR_IO,
                      "/no/such/place/a.csv: cannot write it: No such file or directory");
    char path[128], message[256];
    in_folder("folder.csv", path);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(message, sizeof message, "%s: cannot write it: Is a directory", path);
    assert_not_opened(path, CAB_ERROR_IO, message);
    rmdir(path);
    in_folder("plain", path);
    put("plain", "");
    strcat(path, "/a.csv");
    snprintf(message, sizeof message, "%s: cannot write it: Not a directory", path);
    assert_not_opened(path, CAB_ERROR_IO, message);
    assert_int_equal(cab_report_check(path, NULL), CAB_ERROR_IO);
    in_folder("report.json", path);
    assert_int_equal(cab_report_check(path, NULL), CAB_OK);
    assert_int_equal(empty_folder(), 1);
}

/* A file may be no longer than `bytes` while `write` runs: as good as a full disk. */
static cab_status with_file_limit(rlim_t bytes, const char *name, cab_world *world, cab_error *error)
{
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = bytes;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    cab_status status = write_once(name, world, error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    return status;
}

static void full_disk_is_one_line_and_keeps_the_old_file(void **state)
{
    (void)state;
    static const char *const names[] = {"x.csv", "x.vtp", "x.pvd"};
    for (int i = 0; i < 3; i++) {
        cab_world world = {0};
        cab_error error = {0};
        put(names[i], "old");
        assert_int_equal(with_file_limit(100, names[i], &world, &error), CAB_ERROR_IO);
        assert_non_null(strstr(error.message, ": cannot write it: File too large"));
        assert_non_null(strstr(error.message, folder));
        size_t size;
        char *text = slurp(names[i], &size);
        assert_string_equal(text, "old");
        free(text);
        assert_int_equal(empty_folder(), 1);
    }
}

static void devices_are_written_straight_and_links_followed(void **state)
{
    (void)state;
    cab_world world = {0};
    cab_error error = {0};
    char path[128], target[128], message[256];
    in_folder("full.csv", path);
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_int_equal(write_once("full.csv", &world, &error), CAB_ERROR_IO);
    snprintf(message, sizeof message, "%s: cannot write it: No space left on device", path);
    assert_string_equal(error.message, message);
    assert_true(is_there("full.csv"));
    in_folder("link.csv", path);
    in_folder("target", target);
    put("target", "old");
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(write_once("link.csv", &world, &error), CAB_OK);
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    size_t size;
    char *text = slurp("target", &size);
    assert_memory_equal(text, "cable,", 6);
    free(text);
    assert_int_equal(empty_folder(), 3);
}

static json_t *write_report(cab_report *report, cab_world *world)
{
    char path[128];
    in_folder("r.json", path);
    cab_error error = {0};
    if (cab_report_collect(report, world, &error)) fail_msg("%s", error.message);
    if (cab_report_write(report, path, &error)) fail_msg("%s", error.message);
    cab_report_free(report);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    assert_int_equal(empty_folder(), 1);
    return root;
}

static double number_at(const json_t *root, const char *outer, const char *inner)
{
    const json_t *part = json_object_get(root, outer);
    const json_t *value = inner ? json_object_get(part, inner) : part;
    if (!json_is_number(value)) fail_msg("no number at %s %s", outer, inner ? inner : "");
    return json_number_value(value);
}

static const char *text_at(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text ? text : "(none)";
}

static cab_report plain_report(void)
{
    return (cab_report){.scene = "loom.json",
                        .method = "xpbd",
                        .substeps = 20,
                        .iterations = 1,
                        .wall_total = 5,
                        .wall_setup = 1,
                        .wall_step = 4,
                        .wall_output = 0.5,
                        .status = "ok"};
}

static void report_says_what_was_run(void **state)
{
    (void)state;
    cab_world world = {.frame = 120};
    world.measures = (cab_measures){.stretch_max = 0.5,
                                    .stretch_mean = 0.25,
                                    .stretch_worst = 0.75,
                                    .penetration_max = 0.125,
                                    .penetration_worst = 2,
                                    .kinetic = 3,
                                    .potential = -4,
                                    .contacts = 5,
                                    .contacts_max = 6};
    cab_report report = plain_report();
    report.profiled = true;
    json_t *root = write_report(&report, &world);
    assert_string_equal(text_at(root, "clcable"), cab_version());
    assert_string_equal(text_at(root, "scene"), "loom.json");
    assert_string_equal(text_at(root, "device"), "test device");
    assert_string_equal(text_at(root, "backend"), "native");
    assert_string_equal(text_at(root, "method"), "xpbd");
    assert_string_equal(text_at(root, "way"), "fused");
    assert_string_equal(text_at(root, "status"), "ok");
    assert_true(number_at(root, "cables", NULL) == 2 && number_at(root, "particles", NULL) == 4);
    assert_true(number_at(root, "frames", NULL) == 120 && number_at(root, "substeps", NULL) == 20);
    assert_true(number_at(root, "wall_s", "total") == 5 && number_at(root, "wall_s", "setup") == 1);
    assert_true(number_at(root, "wall_s", "step") == 4 && number_at(root, "wall_s", "output") == 0.5);
    /* 4 particles, 120 frames, 20 substeps, 4 s */
    assert_true(number_at(root, "particle_substeps_per_s", NULL) == 2400);
    assert_true(number_at(root, "stages_s", "distance") == CAB_STAGE_DISTANCE);
    assert_true(number_at(root, "stretch", "max") == 0.5 && number_at(root, "stretch", "mean") == 0.25);
    assert_true(number_at(root, "stretch", "worst_over_run") == 0.75);
    assert_true(number_at(root, "penetration", "max") == 0.125);
    assert_true(number_at(root, "penetration", "worst_over_run") == 2);
    assert_true(number_at(root, "energy", "kinetic") == 3 && number_at(root, "energy", "potential") == -4);
    assert_true(number_at(root, "contacts", "max") == 6 && number_at(root, "iterations", NULL) == 1);
    assert_int_equal(json_array_size(json_object_get(root, "broken_attachments")), 0);
    assert_true(json_is_array(json_object_get(root, "warnings")));
    assert_null(json_object_get(root, "frame"));
    json_decref(root);
}

static void report_of_a_bad_run(void **state)
{
    (void)state;
    cab_world world = {.frame = 3, .broken = 2};
    world.measures.stretch_max = NAN;
    world.measures.kinetic = INFINITY;
    static const char *const warnings[] = {"too soft", "not \xff UTF-8"};
    cab_report report = plain_report();
    report.status = "diverged", report.message = "it flew", report.diverged_frame = 4;
    report.diverged_cable = "a", report.warnings = warnings, report.warning_count = 2;
    json_t *root = write_report(&report, &world);
    assert_string_equal(text_at(root, "status"), "diverged");
    assert_string_equal(text_at(root, "message"), "it flew");
    assert_string_equal(text_at(root, "cable"), "a");
    assert_true(number_at(root, "frame", NULL) == 4);
    assert_true(json_is_null(json_object_get(json_object_get(root, "stretch"), "max")));
    assert_true(json_is_null(json_object_get(json_object_get(root, "energy"), "kinetic")));
    assert_int_equal(json_object_size(json_object_get(root, "stages_s")), 0);
    json_t *broken = json_object_get(root, "broken_attachments");
    assert_int_equal(json_array_size(broken), 2);
    assert_true(number_at(json_array_get(broken, 1), "attachment", NULL) == 8);
    assert_string_equal(text_at(json_array_get(broken, 1), "cable"), "b \"x\"[0,1,0]");
    const json_t *event = json_array_get(json_object_get(root, "events"), 1);
    assert_int_equal(json_array_size(json_object_get(root, "events")), 2);
    assert_string_equal(text_at(event, "kind"), "broke");
    assert_string_equal(text_at(event, "cable"), "b \"x\"[0,1,0]");
    assert_true(number_at(event, "frame", NULL) == 3 && number_at(event, "force", NULL) == 20);
    assert_true(json_is_null(json_object_get(event, "text")));
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 2);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_has_nine_digits_and_quotes),
        cmocka_unit_test(vtp_holds_lines_and_values),
        cmocka_unit_test(sheets_are_written),
        cmocka_unit_test(pvd_lists_its_frames),
        cmocka_unit_test(nothing_is_left_without_commit),
        cmocka_unit_test(nothing_is_left_when_the_device_fails),
        cmocka_unit_test(endings_are_known_unbuilt_or_wrong),
        cmocka_unit_test(bad_places_are_told_before_the_run),
        cmocka_unit_test(full_disk_is_one_line_and_keeps_the_old_file),
        cmocka_unit_test(devices_are_written_straight_and_links_followed),
        cmocka_unit_test(report_says_what_was_run),
        cmocka_unit_test(report_of_a_bad_run),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
