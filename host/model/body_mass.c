#include "model/body_mass.h"

#include <math.h>

#include "base/quaternion.h"
#include "model/sheave.h"

#define PI 3.14159265358979323846

/* m^3 of a shape, its middle, and its second moment about that over its mass, m^2: `along` its axis and `across` it; of a box along
 * each of its axes. */
typedef struct solid {
    double volume;
    cab_vec3 middle, axis[3];
    double moment[3];
} solid;

static void set_axes(solid *s, cab_vec3 x)
{
    s->axis[0] = x;
    s->axis[1] = cab_vec3_any_normal(x);
    s->axis[2] = cab_vec3_cross(x, s->axis[1]);
}

static solid box_of(const cab_body_shape_def *def)
{
    const double half[3] = {def->half_extents.x, def->half_extents.y, def->half_extents.z};
    solid s = {.volume = 8 * half[0] * half[1] * half[2], .middle = def->center};
    const cab_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cab_quaternion turn = cab_quaternion_unit(def->rotation);
    for (int k = 0; k < 3; k++) {
        s.axis[k] = cab_quaternion_rotate(turn, unit[k]);
        s.moment[k] = half[k] * half[k] / 3;
    }
    return s;
}

/* A cylinder of length l and radius r, with or without half a ball at each end (whose centre is 3 r/8 from its flat side). */
static solid round_of(const cab_body_shape_def *def)
{
    cab_vec3 along = cab_vec3_sub(def->to, def->center);
    double l = cab_vec3_length(along), r = def->radius, tube = PI * r * r * l;
    double balls = def->kind == CAB_BODY_CAPSULE ? 4 * PI * r * r * r / 3 : 0;
    solid s = {.volume = tube + balls, .middle = cab_vec3_scale(0.5, cab_vec3_add(def->center, def->to))};
    set_axes(&s, l > 0 ? cab_vec3_scale(1 / l, along) : (cab_vec3){1, 0, 0});
    s.moment[0] = (tube * l * l / 12 + balls * (l * l / 4 + 3 * l * r / 8 + r * r / 5)) / s.volume;
    s.moment[1] = s.moment[2] = (tube * r * r / 4 + balls * r * r / 5) / s.volume;
    return s;
}

static solid sheave_of(const cab_body_shape_def *def)
{
    cab_sheave sheave = cab_sheave_of(def->center, def->to, def->radius, &def->groove);
    solid s = {.middle = cab_vec3_scale(0.5, cab_vec3_add(def->center, def->to))};
    s.volume = cab_sheave_volume(&sheave, &s.moment[0], &s.moment[1]);
    s.moment[2] = s.moment[1];
    set_axes(&s, cab_vec3_unit(cab_vec3_sub(def->to, def->center)));
    return s;
}

static solid solid_of(const cab_body_shape_def *def)
{
    if (def->kind == CAB_BODY_SHEAVE) return sheave_of(def);
    if (def->kind == CAB_BODY_BOX) return box_of(def);
    if (def->kind != CAB_BODY_SPHERE) return round_of(def);
    cab_body_shape_def ball = *def;
    ball.kind = CAB_BODY_CAPSULE;
    ball.to = ball.center;
    return round_of(&ball);
}

static void add_outer(double sum[3][3], double scale, cab_vec3 a)
{
    const double v[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum[i][j] += scale * v[i] * v[j];
}

/* About the own axes' origin at first, of density 1. */
static cab_body_mass mass_of_shapes(const cab_body_def *def)
{
    cab_body_mass sum = {0};
    for (int i = 0; i < def->shape_count; i++) {
        solid s = solid_of(&def->shapes[i]);
        sum.mass += s.volume;
        sum.center = cab_vec3_add_scaled(sum.center, s.volume, s.middle);
        for (int k = 0; k < 3; k++) add_outer(sum.second, s.volume * s.moment[k], s.axis[k]);
        add_outer(sum.second, s.volume, s.middle);
    }
    sum.center = cab_vec3_scale(1 / sum.mass, sum.center);
    add_outer(sum.second, -sum.mass, sum.center);
    return sum;
}

cab_body_mass cab_body_mass_of(const cab_body_def *def)
{
    cab_body_mass own = {.mass = def->mass, .center = def->center};
    if (def->shape_count > 0) {
        own = mass_of_shapes(def);
        double density = def->density > 0 ? def->density : def->mass / own.mass;
        own.mass *= density;
        for (int i = 0; i < 9; i++) own.second[i / 3][i % 3] *= density;
    }
    const double i[3] = {def->inertia.x, def->inertia.y, def->inertia.z};
    for (int k = 0; k < 9 && i[0] > 0; k++) {
        int row = k / 3, column = k % 3;
        own.second[row][column] = row == column ? (i[0] + i[1] + i[2]) / 2 - i[row] : 0;
    }
    return own;
}

void cab_body_inertia(const double second[3][3], double inertia[3][3])
{
    double trace = second[0][0] + second[1][1] + second[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia[i][j] = (i == j ? trace : 0) - second[i][j];
}

/* By Cramer's rule. */
cab_vec3 cab_body_spin(const double i[3][3], cab_vec3 l)
{
    cab_vec3 x = {i[0][0], i[1][0], i[2][0]}, y = {i[0][1], i[1][1], i[2][1]},
             z = {i[0][2], i[1][2], i[2][2]};
    double whole = cab_vec3_dot(x, cab_vec3_cross(y, z));
    return (cab_vec3){cab_vec3_dot(l, cab_vec3_cross(y, z)) / whole,
                      cab_vec3_dot(x, cab_vec3_cross(l, z)) / whole,
                      cab_vec3_dot(x, cab_vec3_cross(y, l)) / whole};
}

void cab_body_factorise(const double second[3][3], double l[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double rest = second[i][j];
            for (int k = 0; k < j; k++) rest -= l[i][k] * l[j][k];
            if (i == j)
                l[i][i] = sqrt(fmax(rest, 0));
            else
                l[i][j] = l[j][j] > 0 ? rest / l[j][j] : 0;
        }
    }
}
