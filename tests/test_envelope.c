/* Envelopes (host/envelope): volumes that are known, meshes that are closed, and how both go with the cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "envelope/cubes.h"
#include "envelope/distances.h"
#include "envelope/surface.h"
#include "worlds.h"

#define PI 3.14159265358979323846
#define RADIUS 0.01 /* m */
#define LENGTH 0.1
#define ROOM 100000 /* blocks: no coarser grid */

/* The places are no round numbers, so that nothing lies on points of the grid; no axis is along the grid's. */
static const cab_vec3 from = {0.0123, -0.0077, 0.0041}, along = {2. / 7, 3. / 7, 6. / 7},
                      across = {6. / 7, 2. / 7, -3. / 7};

static void add(cab_distances *field, cab_vec3 start, cab_vec3 span, double radius)
{
    cab_error error = {0};
    cab_line axis = {start, span};
    if (cab_distances_add(field, &axis, radius, &error) != CAB_OK) fail_msg("%s", error.message);
}

static cab_mesh surface_of(cab_distances *field)
{
    cab_mesh mesh;
    cab_error error = {0};
    if (cab_surface_of(field, &mesh, &error) != CAB_OK) fail_msg("%s", error.message);
    return mesh;
}

static double volume_of(cab_distances *field)
{
    cab_mesh mesh = surface_of(field);
    double volume = cab_surface_volume(&mesh);
    cab_mesh_free(&mesh);
    cab_distances_free(field);
    return volume;
}

/* ---- shapes ---- */

static cab_distances straight(double cell)
{
    cab_distances field = cab_distances_of(cell, ROOM);
    add(&field, from, cab_vec3_scale(LENGTH, along), RADIUS);
    return field;
}

/* A capsule that has gone sideways by 6 radii, in small steps: beside the capsule a plate as thick as it is, whose two ends
 * are rounded as the capsule's are. */
static cab_distances sideways(double cell)
{
    cab_distances field = cab_distances_of(cell, ROOM);
    for (int i = 0; i <= 600; i++)
        add(&field, cab_vec3_add_scaled(from, i * RADIUS / 100, across), cab_vec3_scale(LENGTH, along),
            RADIUS);
    return field;
}

/* A ring whose middle line has the radius 5 RADIUS, as 720 straight pieces. */
static cab_distances ring(double cell)
{
    cab_distances field = cab_distances_of(cell, ROOM);
    cab_vec3 other = cab_vec3_cross(along, across), at[2];
    for (int i = 0; i <= 720; i++) {
        double angle = 2 * PI * (i % 720) / 720;
        at[i % 2] = cab_vec3_add_scaled(cab_vec3_add_scaled(from, 5 * RADIUS * cos(angle), across),
                                        5 * RADIUS * sin(angle), other);
        if (i > 0) add(&field, at[1 - i % 2], cab_vec3_sub(at[i % 2], at[1 - i % 2]), RADIUS);
    }
    return field;
}

/* Two balls that do not touch. */
static cab_distances balls(double cell)
{
    cab_distances field = cab_distances_of(cell, ROOM);
    add(&field, from, (cab_vec3){0}, RADIUS);
    add(&field, cab_vec3_add_scaled(from, 0.05, along), (cab_vec3){0}, RADIUS);
    return field;
}

/* A hollow ball, whose hollow is closed: balls all over a sphere of 4 radii. */
static cab_distances shell(double cell)
{
    cab_distances field = cab_distances_of(cell, ROOM);
    for (int i = 0; i < 2000;
         i++) { /* along a spiral from pole to pole, 0.18 radii apart, that turns by the golden angle */
        double z = 1 - (2 * i + 1) / 2000., out = sqrt(1 - z * z), angle = i * PI * (3 - sqrt(5));
        cab_vec3 on = {out * cos(angle), out * sin(angle), z};
        add(&field, cab_vec3_add_scaled(from, 4 * RADIUS, on), (cab_vec3){0}, RADIUS);
    }
    return field;
}

static const double ball = 4. / 3 * PI * RADIUS * RADIUS * RADIUS;

static const struct shape {
    const char *name;
    cab_distances (*make)(double cell);
    int euler; /* of its surface: 2 for each that is like a ball's, 0 for a ring's */
} shapes[] = {{"straight", straight, 2},
              {"sideways", sideways, 2},
              {"ring", ring, 0},
              {"balls", balls, 4},
              {"shell", shell, 4}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- volumes ---- */

/* Between two points of an arc, a cell apart, a straight line lies inside it, by its curvature x cell^2 / 8 in the middle and / 12 in
 * the mean. Summed over the surface with both of its curvatures, 1 / RADIUS each, it is what is missing: the mean was measured, the greatest is
 * asked for. `bent`: the integral of (k1 + k2) RADIUS^2 over the surface, m^3. Halving the cell divides that by 4; at least 3 is asked for, as how the grid lies counts. */
static void check_volume(const struct shape *shape, double exact, double bent)
{
    double missing[2];
    for (int fine = 0; fine < 2; fine++) {
        double ratio = fine ? 0.125 : 0.25;
        cab_distances field = shape->make(ratio * RADIUS);
        double volume = volume_of(&field);
        missing[fine] = 1 - volume / exact;
        print_message("%s: cell %g of the radius: %.4f %% missing\n", shape->name, ratio,
                      100 * missing[fine]);
        at_most(missing[fine], bent / exact * ratio * ratio / 8);
        at_least(missing[fine], 0);
    }
    at_least(missing[0] / missing[1], 3);
}

static void volumes_are_right(void **state)
{
    (void)state;
    double disc = PI * RADIUS * RADIUS, far = 6 * RADIUS, round = 2 * PI * 5 * RADIUS;
    double tube = 2 * disc,
           balls_bent = 6 * ball; /* of a tube: a metre of it; of a ball: 2 x 4 pi RADIUS^3 */
    check_volume(&shapes[0], disc * LENGTH + ball, tube * LENGTH + balls_bent);
    /* its plate is as long and wide as the capsule seen from the side it goes to; the edges are half a tube each */
    check_volume(&shapes[1], disc * LENGTH + ball + (2 * RADIUS * LENGTH + disc) * far,
                 tube * (LENGTH + far) + balls_bent);
    check_volume(&shapes[2], disc * round,
                 tube * round); /* its other curvature is inwards inside and outwards outside */
    check_volume(&shapes[3], 2 * ball, 2 * balls_bent);
}

/* ---- meshes ---- */

static int by_ends(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(int[2]));
}

/* Each edge is gone along once in each direction: closed, and all triangles face the same side. Returns how many edges there are. */
static int count_edges(const cab_mesh *mesh)
{
    int count = 3 * mesh->triangle_count, twice = 0;
    int(*edge)[2] = calloc((size_t)count + 1, sizeof *edge);
    int(*back)[2] = calloc((size_t)count + 1, sizeof *back);
    assert_non_null(edge);
    assert_non_null(back);
    for (int i = 0; i < count; i++) {
        edge[i][0] = back[i][1] = mesh->triangles[i];
        edge[i][1] = back[i][0] = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        assert_true(edge[i][0] != edge[i][1]);
    }
    qsort(edge, (size_t)count, sizeof *edge, by_ends);
    qsort(back, (size_t)count, sizeof *back, by_ends);
    assert_memory_equal(edge, back, (size_t)count * sizeof *edge);
    for (int i = 1; i < count; i++) twice += by_ends(edge[i], edge[i - 1]) == 0;
    assert_int_equal(twice, 0);
    free(edge);
    free(back);
    return count / 2;
}

static double area_of(const cab_mesh *mesh, int triangle)
{
    const int *t = mesh->triangles + 3 * (size_t)triangle;
    cab_vec3 a = cab_vec3_sub(mesh->vertices[t[1]], mesh->vertices[t[0]]),
             b = cab_vec3_sub(mesh->vertices[t[2]], mesh->vertices[t[0]]);
    return 0.5 * cab_vec3_length(cab_vec3_cross(a, b));
}

static void meshes_are_closed(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        for (int coarse = 0; coarse < 2; coarse++) {
            double cell = (coarse ? 0.9 : 0.3) * RADIUS; /* no round shares of the lengths */
            cab_distances field = shapes[i].make(cell);
            cab_mesh mesh = surface_of(&field);
            int edges = count_edges(&mesh);
            assert_int_equal(mesh.vertex_count - edges + mesh.triangle_count, shapes[i].euler);
            assert_true(cab_surface_volume(&mesh) > 0);
            for (int t = 0; t < mesh.triangle_count; t++) assert_true(area_of(&mesh, t) > 0);
            cab_mesh_free(&mesh);
            cab_distances_free(&field);
        }
    }
}

/* m, of a point from the straight capsule. */
static double off_straight(cab_vec3 x)
{
    cab_line axis = {from, cab_vec3_scale(LENGTH, along)};
    return cab_vec3_distance(x, cab_line_point(&axis, cab_line_nearest(&axis, x))) - RADIUS;
}

/* Between two points that are at most sqrt(3) cells apart a distance from something round bends away from a straight line by at most
 * (sqrt(3) cell)^2 / (8 x radius): where the line is 0, at most that; and 0.01 cells for points too near to the surface. The middle of a triangle may be
 * as much off again. */
static void points_lie_on_the_surface(void **state)
{
    (void)state;
    for (int fine = 0; fine < 2; fine++) {
        double cell = (fine ? 0.125 : 0.5) * RADIUS,
               allowed = 3 * cell * cell / (8 * (RADIUS - cell)) + 0.01 * cell;
        cab_distances field = straight(cell);
        cab_mesh mesh = surface_of(&field);
        for (int i = 0; i < mesh.vertex_count; i++) at_most(fabs(off_straight(mesh.vertices[i])), allowed);
        for (int i = 0; i < mesh.triangle_count; i++) {
            const int *t = mesh.triangles + 3 * (size_t)i;
            cab_vec3 sum =
                cab_vec3_add(mesh.vertices[t[0]], cab_vec3_add(mesh.vertices[t[1]], mesh.vertices[t[2]]));
            at_most(fabs(off_straight(cab_vec3_scale(1. / 3, sum))), 2 * allowed);
        }
        cab_mesh_free(&mesh);
        cab_distances_free(&field);
    }
}

/* The lines on a face, of edges as both cubes at it number them: the axis across is left out. */
static uint64_t lines_on(const cab_cube_cut *cut, int axis, int side)
{
    uint64_t lines = 0;
    for (int i = 0; i < 3 * cut->count; i++) {
        int a = cut->edge[i / 3][i % 3], b = cut->edge[i / 3][(i + 1) % 3];
        bool on = a / 8 != axis && b / 8 != axis && (a >> axis & 1) == side && (b >> axis & 1) == side;
        if (!on) continue;
        int from_edge = side ? b : a,
            to_edge = side ? a : b; /* neighbours go along it in opposite directions */
        uint64_t one = (uint64_t)(100 * (from_edge & ~(1 << axis)) + (to_edge & ~(1 << axis)) + 1);
        lines += one * one * one; /* so that sums of other pairs of the same edges differ */
    }
    return lines;
}

/* Whatever else a cube has inside, its lines on a face depend on the face's corners. */
static void neighbours_agree(void **state)
{
    (void)state;
    cab_cube_cut cuts[256];
    uint64_t lines[3][256];
    bool seen[3][256] = {{false}};
    cab_cube_cuts(cuts);
    for (int inside = 0; inside < 256; inside++)
        for (int face = 0; face < 6; face++) {
            int axis = face / 2, side = face % 2, corners = 0;
            for (int corner = 0; corner < 8; corner++)
                if ((corner >> axis & 1) == side)
                    corners |= (inside >> corner & 1) << (corner & ~(1 << axis));
            uint64_t own = lines_on(&cuts[inside], axis, side);
            if (seen[axis][corners]) assert_true(own == lines[axis][corners]);
            seen[axis][corners] = true;
            lines[axis][corners] = own;
        }
}

/* No edge is there twice. Each cut cube has a surface around all
 * of its edges that are crossed. */
static void cuts_end_on_faces(void **state)
{
    (void)state;
    cab_cube_cut cuts[256];
    cab_cube_cuts(cuts);
    assert_int_equal(cuts[0].count, 0);
    assert_int_equal(cuts[255].count, 0);
    for (int inside = 0; inside < 256; inside++) {
        int crossed = 0, on_surface = 0, border[CAB_CUBE_EDGES][CAB_CUBE_EDGES] = {{0}};
        for (int edge = 0; edge < CAB_CUBE_EDGES; edge++) {
            int low = edge % 8, high = low | 1 << edge / 8;
            if (low != high) crossed += (inside >> low & 1) != (inside >> high & 1);
        }
        for (int i = 0; i < cuts[inside].count; i++)
            for (int k = 0; k < 3; k++) border[cuts[inside].edge[i][k]][cuts[inside].edge[i][(k + 1) % 3]]++;
        for (int a = 0; a < CAB_CUBE_EDGES; a++)
            for (int b = 0; b < CAB_CUBE_EDGES; b++) {
                assert_true(border[a][b] <= 1);
                if (border[a][b] == border[b][a]) continue;
                on_surface += border
                    [a]
                    [b]; /* the border of the surface, which goes over faces: once through each crossed edge */
            }
        assert_int_equal(on_surface, crossed);
    }
}

/* ---- grids ---- */

/* What is thinner than the grid can show is made so thick that it stays in one piece. */
static void thin_cables_stay_whole(void **state)
{
    (void)state;
    cab_distances field = cab_distances_of(RADIUS, ROOM);
    add(&field, from, cab_vec3_scale(20 * RADIUS, along), 0.01 * RADIUS);
    cab_mesh mesh = surface_of(&field);
    assert_int_equal(mesh.vertex_count - count_edges(&mesh) + mesh.triangle_count, 2);
    at_least(cab_surface_volume(&mesh), PI * 0.01 * 0.01 * RADIUS * RADIUS * 20 * RADIUS);
    cab_mesh_free(&mesh);
    cab_distances_free(&field);
}

/* With room for few blocks the same shape comes out, with a larger cell, as if it had been made with that, to a fifth of a cell: beyond
 * the band of the finer grid, t >= 1.05 of its cells wide, distances are those to its points that are nearest to the straight way, at most
 * s = sqrt(3) / 2 of its cells aside, which is longer by s^2 / 2 t = 0.36 of its cells. */
static void a_full_grid_is_coarsened(void **state)
{
    (void)state;
    cab_distances field = cab_distances_of(RADIUS / 8, 64);
    add(&field, from, cab_vec3_scale(LENGTH, along), RADIUS);
    assert_true(field.coarsened >= 1 && field.count <= 64);
    assert_true(field.cell == ldexp(RADIUS / 8, field.coarsened));
    double cell = field.cell, ratio = cell / RADIUS;
    assert_true(field.least >= CAB_DISTANCES_THIN * cell);
    cab_mesh mesh = surface_of(&field);
    assert_int_equal(mesh.vertex_count - count_edges(&mesh) + mesh.triangle_count, 2);
    double exact = PI * RADIUS * RADIUS * LENGTH + ball, missing = 1 - cab_surface_volume(&mesh) / exact;
    print_message("coarsened %d times, to %g of the radius: %.3f %% missing\n", field.coarsened, ratio,
                  100 * missing);
    at_most(fabs(missing),
            0.4 * ratio * ratio +
                2 * 0.1 * ratio); /* a layer of that thickness is 2 x its share of the radius */
    cab_mesh_free(&mesh);
    cab_distances_free(&field);
}

/* Cables that become too thin for the larger cell are made thicker, and stay in one piece. */
static void thin_cables_stay_whole_when_coarsened(void **state)
{
    (void)state;
    cab_distances field = cab_distances_of(RADIUS / 2, 64);
    for (int i = 0; i < 8; i++)
        add(&field, cab_vec3_add_scaled(from, 40 * i * RADIUS, across), cab_vec3_scale(30 * RADIUS, along),
            RADIUS);
    assert_true(field.coarsened >= 2 && field.cell > 1.2 * RADIUS);
    cab_mesh mesh = surface_of(&field);
    assert_int_equal(mesh.vertex_count - count_edges(&mesh) + mesh.triangle_count, 8 * 2);
    double thick = CAB_DISTANCES_THIN * field.cell, thin = RADIUS / field.cell;
    assert_true(thin < CAB_DISTANCES_THIN);
    at_least(cab_surface_volume(&mesh), /* less what check_volume() allows of tubes */
             8 * PI * thick * thick * 30 * RADIUS * (1 - 0.25 / (CAB_DISTANCES_THIN * CAB_DISTANCES_THIN)));
    for (int i = 0; i < mesh.vertex_count; i++) { /* within a cell of the surface */
        double nearest = INFINITY;
        for (int k = 0; k < 8; k++) {
            cab_line axis = {cab_vec3_add_scaled(from, 40 * k * RADIUS, across),
                             cab_vec3_scale(30 * RADIUS, along)};
            cab_vec3 x = mesh.vertices[i];
            nearest = fmin(nearest,
                           cab_vec3_distance(x, cab_line_point(&axis, cab_line_nearest(&axis, x))) - RADIUS);
        }
        at_most(fabs(nearest), field.cell);
    }
    cab_mesh_free(&mesh);
    cab_distances_free(&field);
}

/* Coarsening keeps what is added before and after it: distances at points that both grids share are the same but for
 * rounding, and those beyond are not less. Rows are taken in floats from a line's beginning, LENGTH away at most: four roundings. */
static void coarse_points_keep_their_distance(void **state)
{
    (void)state;
    cab_distances field = cab_distances_of(RADIUS / 8, 200), plain = cab_distances_of(RADIUS / 4, ROOM);
    for (int i = 0; i < 4; i++) {
        cab_vec3 start = cab_vec3_add_scaled(from, 1.5 * i * RADIUS, across);
        add(&field, start, cab_vec3_scale(LENGTH, along), RADIUS);
        add(&plain, start, cab_vec3_scale(LENGTH, along), RADIUS);
    }
    assert_int_equal(field.coarsened, 1);
    const double rounding = 4 * 6e-8 * LENGTH;
    int same = 0;
    for (int i = 0; i < plain.count; i++) {
        const int *at = plain.blocks[i].at;
        const cab_distances_block *block = cab_distances_find(&field, at[0], at[1], at[2]);
        for (int k = 0; k < CAB_DISTANCES_POINTS; k++) {
            float right = plain.blocks[i].value[k];
            float value = block ? block->value[k] : (float)(CAB_DISTANCES_BAND * plain.cell);
            double more = (double)value - (double)right;
            bool known = (double)right < CAB_DISTANCES_BAND * field.cell / 2;
            at_least(more, -rounding);
            at_most(more, known ? rounding : 0.2 * field.cell); /* as above */
            same += known;
        }
    }
    assert_true(same > 0);
    cab_distances_free(&field);
    cab_distances_free(&plain);
}

/* Two grids together are that of both, whatever their order, and when one of them is coarser. */
static void grids_are_joined(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3; turn++) {
        cab_distances one = cab_distances_of(RADIUS / 4, ROOM),
                      other = cab_distances_of(turn == 2 ? RADIUS / 2 : RADIUS / 4, ROOM),
                      both = cab_distances_of(RADIUS / 4, ROOM);
        cab_error error = {0};
        add(turn == 1 ? &other : &one, from, (cab_vec3){0}, RADIUS);
        add(turn == 1 ? &one : &other, cab_vec3_add_scaled(from, 0.05, along), (cab_vec3){0}, RADIUS);
        add(&both, from, (cab_vec3){0}, RADIUS);
        add(&both, cab_vec3_add_scaled(from, 0.05, along), (cab_vec3){0}, RADIUS);
        assert_int_equal(cab_distances_join(&one, &other, &error), CAB_OK);
        assert_true(one.cell == (turn == 2 ? RADIUS / 2 : RADIUS / 4));
        cab_mesh a = surface_of(&one), b = surface_of(&both);
        if (turn < 2) {
            assert_int_equal(a.vertex_count, b.vertex_count);
            assert_memory_equal(a.vertices, b.vertices, (size_t)a.vertex_count * sizeof *a.vertices);
            assert_memory_equal(a.triangles, b.triangles, 3 * (size_t)a.triangle_count * sizeof *a.triangles);
        }
        assert_int_equal(a.vertex_count - count_edges(&a) + a.triangle_count, 4);
        cab_mesh_free(&a);
        cab_mesh_free(&b);
        cab_distances_free(&one);
        cab_distances_free(&other);
        cab_distances_free(&both);
    }
}

static void far_places_are_refused(void **state)
{
    (void)state;
    const double bad[] = {1e9, -1e9, INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cab_distances field = cab_distances_of(RADIUS, ROOM);
        cab_error error = {0};
        cab_line axis = {{0, bad[i], 0}, {0, 0, 0}};
        assert_int_equal(cab_distances_add(&field, &axis, RADIUS, &error), CAB_ERROR_INPUT);
        assert_non_null(strstr(error.message, "within 1e+07 m of the origin"));
        cab_distances_free(&field);
    }
}

static void nothing_has_no_surface(void **state)
{
    (void)state;
    cab_distances field = cab_distances_of(RADIUS, ROOM);
    cab_mesh mesh = surface_of(&field);
    assert_int_equal(mesh.vertex_count, 0);
    assert_int_equal(mesh.triangle_count, 0);
    assert_true(cab_surface_volume(&mesh) == 0);
    cab_mesh_free(&mesh);
    cab_distances_free(&field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_right),
        cmocka_unit_test(meshes_are_closed),
        cmocka_unit_test(points_lie_on_the_surface),
        cmocka_unit_test(neighbours_agree),
        cmocka_unit_test(cuts_end_on_faces),
        cmocka_unit_test(thin_cables_stay_whole),
        cmocka_unit_test(a_full_grid_is_coarsened),
        cmocka_unit_test(thin_cables_stay_whole_when_coarsened),
        cmocka_unit_test(coarse_points_keep_their_distance),
        cmocka_unit_test(grids_are_joined),
        cmocka_unit_test(far_places_are_refused),
        cmocka_unit_test(nothing_has_no_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
