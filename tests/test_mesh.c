/* Meshes: files, what is watertight, and cables on them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "geometry.h"
#include "io/mesh_file.h"
#include "model/mesh.h"

#define RADIUS 0.005 /* m */

/* ---- files ---- */

#define BOX_POINTS                                                                                           \
    "v -0.3 -0.2 -0.1\nv 0.3 -0.2 -0.1\nv 0.3 0.2 -0.1\nv -0.3 0.2 -0.1\n"                                   \
    "v -0.3 -0.2 0.1\nv 0.3 -0.2 0.1\nv 0.3 0.2 0.1\nv -0.3 0.2 0.1\n"
#define BOX BOX_POINTS "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
/* The same as others may write it: names, textures and normals, indices from the end. */
#define BOX_OTHERWISE                                                                                        \
    "# a box\r\nmtllib a.mtl\no box\n" BOX_POINTS "vn 0 0 1\nvt 0 0\ng sides\nusemtl grey\ns off\nl 1 2 3\n" \
    "f -8/1/1 -5/1/1 -6/1/1 -7/1/1\nf 5//1 6//1 7//1 8//1\nf 1/1 2/1 6/1 5/1\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 "  \
    "5 8"
#define INSIDE_OUT BOX_POINTS "f 2 3 4 1\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n"
#define OPEN_BOX BOX_POINTS "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
/* One face goes round the other way. */
#define TWISTED_BOX BOX_POINTS "f 2 3 4 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
#define TRIANGLE_STL                                                                                         \
    "solid part of it\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"                \
    "   vertex 0 1e0 0\n  endloop\n endfacet\nendsolid part\n"

static cab_mesh parse(const char *file, const char *text)
{
    cab_error error = {0};
    cab_mesh mesh = {0};
    must(cab_mesh_parse(file, text, strlen(text), &mesh, &error), &error);
    return mesh;
}

static cab_mesh_facts facts_of(const char *file, const char *text)
{
    cab_error error = {0};
    cab_mesh mesh = parse(file, text);
    cab_mesh_tables tables = {0};
    cab_mesh_facts facts;
    must(cab_mesh_add(&tables, &mesh, 1, 0, &facts, &error), &error);
    cab_mesh_tables_free(&tables);
    cab_mesh_free(&mesh);
    return facts;
}

static void obj_files_are_read(void **state)
{
    (void)state;
    cab_mesh a = parse("a.obj", BOX), b = parse("b.OBJ", BOX_OTHERWISE);
    assert_int_equal(a.vertex_count, 8);
    assert_int_equal(a.triangle_count, 12);
    assert_int_equal(b.triangle_count, 12);
    assert_memory_equal(a.triangles, b.triangles, 36 * sizeof(int));
    near_to(a.vertices[6].z, 0.1, 0);
    cab_mesh_free(&a);
    cab_mesh_free(&b);
}

/* The mesh as a binary STL file; free it. */
static char *binary_of(const cab_mesh *mesh, size_t *size)
{
    *size = 84 + 50 * (size_t)mesh->triangle_count;
    char *text = calloc(1, *size);
    assert_non_null(text);
    strcpy(text, "solid, though binary");
    text[80] = (char)mesh->triangle_count;
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            cab_vec3 v = mesh->vertices[mesh->triangles[3 * i + k]];
            float x[3] = {(float)v.x, (float)v.y, (float)v.z}; /* this machine is little-endian */
            memcpy(text + 84 + 50 * i + 12 + 12 * k, x, sizeof x);
        }
    }
    return text;
}

static void stl_files_are_read(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_mesh one = parse("a.stl", TRIANGLE_STL TRIANGLE_STL), box = parse("a.obj", BOX), same = {0};
    assert_int_equal(one.triangle_count, 2);
    near_to(one.vertices[5].y, 1, 0);
    size_t size;
    char *text = binary_of(&box, &size);
    must(cab_mesh_parse("a.stl", text, size, &same, &error), &error);
    assert_int_equal(same.triangle_count, 12);
    cab_mesh_tables tables = {0};
    cab_mesh_facts facts;
    must(cab_mesh_add(&tables, &same, 1, 0, &facts, &error), &error);
    assert_true(facts.watertight); /* corners are welded */
    assert_int_equal(facts.edge_count, 12);
    must_fail(cab_mesh_parse("a.stl", text, size - 1, &same, &error), CAB_ERROR_INPUT, &error,
              "a.stl: expected");
    float nan = NAN;
    memcpy(text + 84 + 50 + 12, &nan, sizeof nan);
    must_fail(cab_mesh_parse("a.stl", text, size, &same, &error), CAB_ERROR_INPUT, &error,
              "a.stl: triangle 1, corner 0: expected a number from");
    cab_mesh_tables_free(&tables);
    cab_mesh_free(&one);
    cab_mesh_free(&box);
    cab_mesh_free(&same);
    free(text);
}

static void faults_name_file_and_line(void **state)
{
    (void)state;
    static const char *const faults[][3] = {
        {"a.obj", "v 0 0\n", "a.obj: line 1: expected a number from -1e+06 to 1e+06, got nothing more"},
        {"a.obj", "v 0 0 nan\n", "a.obj: line 1: expected a number from -1e+06 to 1e+06, got \"nan\""},
        {"a.obj", "v 0 0 0\n\nf 1 1 2\n",
         "a.obj: line 3: expected the index of a point given before, got \"2\""},
        {"a.obj", "v 0 0 0\nf 1 1 0\n", "expected the index of a point given before, got \"0\""},
        {"a.obj", "v 0 0 0\nf -2 1 1\n", "expected the index of a point given before, got \"-2\""},
        {"a.obj", "v 0 0 0\nf 99999999999999999999 1 1\n", "expected the index of a point given before"},
        {"a.obj", "v 0 0 0\nf 1 1\n", "a.obj: line 2: expected a face of at least 3 corners"},
        {"a.obj", "surf 0 1 0 1 1\n", "a.obj: line 1: expected points, polygons and lines"},
        {"a.obj", "", "a.obj: expected at least one triangle"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n",
         "a.stl: line 4: expected a number"},
        {"a.stl", "solid\nfacet\n", "a.stl: line 3: expected \"normal\", got nothing more"},
        {"a.stl", "solid\nvertex\n", "a.stl: line 2: expected \"facet\" or \"endsolid\", got \"vertex\""},
        {"a.stl", "hello", "a.stl: expected \"solid\" or a binary file of at least 84 bytes, got 5 bytes"},
        {"a.ply", "ply", "a.ply: expected a mesh file that ends in .obj or .stl"},
    };
    for (int i = 0; i < COUNT_OF(faults); i++) {
        cab_error error = {0};
        cab_mesh mesh = {0};
        must_fail(cab_mesh_parse(faults[i][0], faults[i][1], strlen(faults[i][1]), &mesh, &error),
                  CAB_ERROR_INPUT, &error, faults[i][2]);
        assert_null(mesh.vertices);
    }
}

/* Every start of a file, and files with one byte wrong: a mesh or a message, no crash. */
static void damaged_files_are_met(void **state)
{
    (void)state;
    static const char *const files[][2] = {{"a.obj", BOX_OTHERWISE}, {"a.stl", TRIANGLE_STL}};
    for (int f = 0; f < COUNT_OF(files); f++) {
        size_t size = strlen(files[f][1]);
        for (size_t i = 0; i < 2 * size; i++) {
            char *text = malloc(size); /* exactly: for ASan */
            assert_non_null(text);
            memcpy(text, files[f][1], size);
            if (i >= size) text[i - size] = (char)(37 * i);
            cab_error error = {0};
            cab_mesh mesh = {0};
            cab_mesh_tables tables = {0};
            cab_mesh_facts facts;
            cab_status status = cab_mesh_parse(files[f][0], text, i < size ? i : size, &mesh, &error);
            if (status == CAB_OK) status = cab_mesh_add(&tables, &mesh, 1, 0, &facts, &error);
            if (status != CAB_OK) assert_true(error.message[0] != '\0');
            cab_mesh_tables_free(&tables);
            cab_mesh_free(&mesh);
            free(text);
        }
    }
}

static void what_is_watertight(void **state)
{
    (void)state;
    cab_mesh_facts facts = facts_of("a.obj", BOX);
    assert_true(facts.watertight && !facts.turned);
    assert_int_equal(facts.edge_count, 12); /* the diagonals are flat */
    near_to(facts.extent, sqrt(0.09 + 0.04 + 0.01), 1e-12);
    facts = facts_of("a.obj", INSIDE_OUT);
    assert_true(facts.watertight && facts.turned);
    assert_int_equal(facts.edge_count, 12);
    assert_false(facts_of("a.obj", OPEN_BOX).watertight);
    assert_int_equal(facts_of("a.obj", OPEN_BOX).edge_count, 12);
    assert_false(facts_of("a.obj", TWISTED_BOX).watertight);
    assert_false(facts_of("a.stl", TRIANGLE_STL).watertight);
    cab_error error = {0};
    cab_mesh flat = parse("a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    cab_mesh_tables tables = {0};
    must_fail(cab_mesh_add(&tables, &flat, 1, 0, &facts, &error), CAB_ERROR_INPUT, &error,
              "no triangle of the mesh has an area");
    cab_mesh_free(&flat);
}

/* ---- cables on meshes ---- */

static cab_collider_def mesh_def(const char *text)
{
    cab_collider_def def = shape_at(CAB_SHAPE_MESH, (cab_vec3){0, 0, 0});
    def.mesh = parse("a.obj", text);
    def.friction = 0.5;
    return def;
}

static cab_collider_def box_def(void)
{
    cab_collider_def def = shape_at(CAB_SHAPE_BOX, (cab_vec3){0, 0, 0});
    def.half_extents = (cab_vec3){0.3, 0.2, 0.1};
    def.friction = 0.5;
    return def;
}

static void add_mesh(cab_scene *scene, cab_collider_def def)
{
    add_collider(scene, def);
    cab_mesh_free(&def.mesh);
}

/* A cable laid over the box across its long edges, its ends hanging. */
static cab_scene *over_the_box(int segments, cab_method method)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->method = method;
    settings->contact.self = false;
    cab_material_def wire = wire_of("wire", RADIUS, 1e-4);
    wire.damping = 2;
    wire.friction = 0.5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0.013, -0.4, 0.11}, (cab_vec3){0.017, 0.4, 0.11}, segments);
    return scene;
}

static void settle_on(cab_scene *scene, snapshot *out, double *penetration)
{
    cab_world *world = native_world(scene);
    step(world, 120);
    *out = read_world(world);
    *penetration = measure(world).penetration_worst;
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* At rest on the mesh of a box and on the box: the middle lies at the same height, ends hang alike. The box
 * has one contact between a segment's ends and the mesh one for each edge, so the way there differs a little:
 * a tenth of the radius. */
static void a_mesh_box_is_a_box(void **state)
{
    (void)state;
    const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int i = 0; i < 4; i++) {
        int segments = i < 2 ? 16 : 33;
        snapshot s, t;
        double deep, same;
        cab_scene *scene = over_the_box(segments, methods[i % 2]);
        add_mesh(scene, mesh_def(BOX));
        settle_on(scene, &s, &deep);
        scene = over_the_box(segments, methods[i % 2]);
        add_collider(scene, box_def());
        settle_on(scene, &t, &same);
        near_to(s.x[segments / 2][2], 0.1 + RADIUS, 2e-5); /* floats, and what a pass leaves of g h^2 */
        at_most(largest_difference(&s, &t), 0.1 * RADIUS);
        at_most(deep, 0.02 * RADIUS + same);
        snapshot_free(&s);
        snapshot_free(&t);
    }
}

/* Segments longer than the box: only edges hold them. */
static void long_segments_lie_on_edges(void **state)
{
    (void)state;
    snapshot s;
    double deep;
    cab_scene *scene = over_the_box(2, CAB_METHOD_XPBD);
    add_straight(scene, "b", (cab_vec3){-0.1, -0.5, 0.13}, (cab_vec3){-0.12, 0.5, 0.13}, 1);
    add_mesh(scene, mesh_def(BOX));
    settle_on(scene, &s, &deep);
    at_most(deep, 0.05 * RADIUS);
    near_to(s.x[3][2], 0.1 + RADIUS, 1e-4); /* the rod lies level on both edges; ends 2.5 times as far out */
    near_to(s.x[4][2], 0.1 + RADIUS, 1e-4); /* as these move 2.5 times as much: 40 micrometres there */
    snapshot_free(&s);
}

/* Scaled, turned by 90 degrees about y and moved: the top is where the box's side was. */
static void meshes_are_placed(void **state)
{
    (void)state;
    snapshot s;
    double deep;
    cab_scene *scene = over_the_box(16, CAB_METHOD_XPBD);
    cab_collider_def def = mesh_def(BOX);
    def.scale = 2;
    def.rotation[0] = def.rotation[2] = 3; /* any length */
    def.center = (cab_vec3){0.1, 0, -0.5}; /* half of 0.6 m is above: up to z = 0.1 */
    add_mesh(scene, def);
    settle_on(scene, &s, &deep);
    near_to(s.x[8][2], 0.1 + RADIUS, 2e-5);
    snapshot_free(&s);
}

/* Two triangles as a sheet in z = 0, and a bar's worth of a folded one, thrown at from above at 25 m/s: 21 mm
 * a substep. Nothing is ever below. */
static void nothing_falls_through_a_sheet(void **state)
{
    (void)state;
    const cab_vec3 directions[] = {{1, 0, 0}, {0.9, 0.1, 0.42}, {0.01, 0, 1}};
    for (int k = 0; k < 18; k++) {
        cab_scene *scene = scene_of(1);
        cab_scene_settings(scene)->frame_rate = 1200;
        add_material(scene, wire_of("wire", 0.001, 0));
        cab_vec3 d = directions[k % 3];
        double height = 0.05 + 0.0035 * (k / 3);
        cab_vec3 ends[2] = {{-0.1 * d.x, -0.1 * d.y, height}, {0.1 * d.x, 0.1 * d.y, height + 0.2 * d.z}};
        cab_cable_def cable = straight_of("thrown", "wire", ends, k < 9 ? 12 : 25);
        cable.velocity = (cab_vec3){0, 0, -25};
        add_cable(scene, cable);
        add_mesh(scene, mesh_def(k % 2 ? "v -3 -3 0\nv 3 -3 0\nv 3 3 0\nv -3 3 0\nf 1 2 3 4\n"
                                       : "v -3 -3 0\nv 3 -3 0\nv 3 3 0\nv -3 3 0\nf 4 3 2 1\n"));
        cab_world *world = native_world(scene);
        for (int i = 0; i < 60; i++) {
            step(world, 1);
            snapshot s = read_world(world);
            for (int node = 0; node < s.nodes; node++)
                if (!(s.x[node][2] > 0)) fail_msg("throw %d: node %d is behind after %d", k, node, i);
            snapshot_free(&s);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A cable that starts 20 mm below the top of the solid, without gravity: out through the top, no faster than
 * 0.1 m/s, and no other way. In a surface it stays where it is. */
static void what_is_inside_is_pushed_out(void **state)
{
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        cab_scene *scene = scene_of(20);
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        add_material(scene, wire_of("wire", RADIUS, 0));
        add_straight(scene, "a", (cab_vec3){-0.05, 0, 0.08}, (cab_vec3){0.05, 0, 0.08}, 10);
        add_mesh(scene, mesh_def(solid ? BOX : OPEN_BOX));
        cab_world *world = native_world(scene);
        for (int i = 0; i < 60; i++) {
            step(world, 1);
            at_most(measure(world).speed_max, 0.1);
        }
        double x[3];
        node_place(world, 5, x);
        if (solid)
            at_least(x[2], 0.1 + RADIUS - 1e-5);
        else
            near_to(x[2], 0.08, 1e-6); /* the open box has no top: 80 mm of air all around */
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A rough hill of n by n squares, to be walked by tree. */
static cab_mesh hill(int n)
{
    cab_mesh mesh = {.vertices = calloc((size_t)(n + 1) * (size_t)(n + 1), sizeof(cab_vec3)),
                     .triangles = calloc(6 * (size_t)n * (size_t)n, sizeof(int))};
    assert_true(mesh.vertices && mesh.triangles);
    for (int j = 0; j <= n; j++) {
        for (int i = 0; i <= n; i++) {
            double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
            mesh.vertices[mesh.vertex_count++] =
                (cab_vec3){0.5 * x, 0.5 * y, -0.3 * (x * x + y * y) + 0.01 * ((i * 7 + j * 5) % 3)};
        }
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            int a = j * (n + 1) + i, *t = mesh.triangles + 3 * mesh.triangle_count;
            const int corners[6] = {a, a + 1, a + n + 2, a, a + n + 2, a + n + 1};
            memcpy(t, corners, sizeof corners);
            mesh.triangle_count += 2;
        }
    }
    return mesh;
}

static double point_to_triangle(const double *p, const double *a, const double *b, const double *c)
{
    double u[3], v[3], n[3], r[3], across[3];
    double best = fmin(point_to_segment(p, a, b), fmin(point_to_segment(p, b, c), point_to_segment(p, c, a)));
    const double *corner[4] = {a, b, c, a};
    sub3(b, a, u);
    sub3(c, a, v);
    cross3(u, v, n);
    for (int k = 0; k < 3; k++) {
        sub3(corner[k + 1], corner[k], u);
        sub3(p, corner[k], r);
        cross3(n, u, across);
        if (dot3(across, r) < 0) return best;
    }
    return fmin(best, fabs(dot3(n, r)) / sqrt(dot3(n, n)));
}

/* The measure on a rough surface is what all triangles and segments by themselves give: points to triangles,
 * and segments to sides. */
static void the_measure_is_right(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(20);
    add_material(scene, wire_of("wire", RADIUS, 1e-5));
    add_straight(scene, "a", (cab_vec3){-0.4, -0.1, 0.05}, (cab_vec3){0.4, 0.15, 0.05}, 24);
    cab_collider_def def = shape_at(CAB_SHAPE_MESH, (cab_vec3){0, 0, 0});
    def.mesh = hill(12);
    add_collider(scene, def);
    cab_world *world = native_world(scene);
    for (int frame = 0; frame < 40; frame++) {
        step(world, 1);
        snapshot s = read_world(world);
        double nearest = 1;
        for (int t = 0; t < def.mesh.triangle_count; t++) {
            double corner[3][3];
            for (int k = 0; k < 3; k++) {
                cab_vec3 v = def.mesh.vertices[def.mesh.triangles[3 * t + k]];
                memcpy(corner[k], (double[3]){v.x, v.y, v.z}, sizeof corner[k]);
            }
            for (int i = 0; i < s.nodes; i++) {
                nearest = fmin(nearest, point_to_triangle(s.x[i], corner[0], corner[1], corner[2]));
                for (int k = 0; i + 1 < s.nodes && k < 3; k++)
                    nearest =
                        fmin(nearest, segment_to_segment(s.x[i], s.x[i + 1], corner[k], corner[(k + 1) % 3]));
            }
        }
        near_to(measure(world).penetration_max, fmax(0, RADIUS - nearest), 1e-6); /* floats at 1 m */
        at_most(RADIUS - nearest, 0.25 * RADIUS);
        snapshot_free(&s);
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    cab_mesh_free(&def.mesh);
}

/* Native and PoCL, bit for bit, on the box and on the hill. */
static void the_same_bits(void **state)
{
    (void)state;
    char id[32];
    if (!find_device(POCL, id)) skip();
    cab_scene *scene = over_the_box(16, CAB_METHOD_XPBD);
    add_mesh(scene, mesh_def(BOX));
    cab_collider_def def = shape_at(CAB_SHAPE_MESH, (cab_vec3){0, 0.3, 0.05});
    def.mesh = hill(8);
    add_mesh(scene, def);
    cab_world *native = native_world(scene), *opencl = world_on(scene, id, 0);
    step(native, 20);
    step(opencl, 20);
    snapshot a = read_world(native), b = read_world(opencl);
    same_bytes(&a, &b, "mesh");
    near_to(measure(native).penetration_worst, measure(opencl).penetration_worst, 0);
    snapshot_free(&a);
    snapshot_free(&b);
    cab_world_destroy(native);
    cab_world_destroy(opencl);
    cab_scene_destroy(scene);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = over_the_box(4, CAB_METHOD_XPBD);
    cab_collider_def def = mesh_def(BOX);
    def.scale = 0;
    must_fail(cab_scene_add_collider(scene, &def, &error), CAB_ERROR_INPUT, &error, "/colliders/0/scale");
    def.scale = 1;
    def.mesh.triangles[7] = 8;
    must_fail(cab_scene_add_collider(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/colliders/0/mesh/triangles: expected indices of its vertices");
    def.mesh.triangles[7] = 0;
    def.mesh.triangle_count = 1000001;
    must_fail(cab_scene_add_collider(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/colliders/0/mesh/triangles: expected 1 to 1000000 triangles");
    cab_mesh_free(&def.mesh);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_files_are_read),
        cmocka_unit_test(stl_files_are_read),
        cmocka_unit_test(faults_name_file_and_line),
        cmocka_unit_test(damaged_files_are_met),
        cmocka_unit_test(what_is_watertight),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(a_mesh_box_is_a_box),
        cmocka_unit_test(long_segments_lie_on_edges),
        cmocka_unit_test(meshes_are_placed),
        cmocka_unit_test(nothing_falls_through_a_sheet),
        cmocka_unit_test(what_is_inside_is_pushed_out),
        cmocka_unit_test(the_measure_is_right),
        cmocka_unit_test(the_same_bits),
    };
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
