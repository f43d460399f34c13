/* The formulas of particles under Lagrange multipliers: derivatives of constraints and forces against
 * differences, and what damping does to energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "particles.h"

#include "study/particles/formulas.h"
#include "study/particles/parts.h"

static const double foci[] = {0.2, -0.3, 0.7, 0.4, -1.1, 0.6, 0.2, -0.3}; /* the last place counts twice */

static cab_p_constraint constraint_of(int kind)
{
    cab_p_constraint k = {
        .kind = kind, .length = 1.7, .x = 0.2, .y = -0.3, .x2 = 0.7, .y2 = 0.4, .first_focus = 1, .foci = 3};
    if (kind == CAB_P_LINE) {
        k.x2 = 0.6;
        k.y2 = 0.8;
    }
    return k;
}

/* q: x of a, x of b */
static cab_p_rows rows_at(cab_p_constraint k, const double *q, const double *v)
{
    return cab_p_constrain(k, foci, p2_make(q[0], q[1]), p2_make(v[0], v[1]), p2_make(q[2], q[3]),
                           p2_make(v[2], v[3]));
}

/* J = dC/dq, Jdot = dJ/dt along v, Cdot = J v; differences of step 1e-6 are good for about 1e-9 of numbers
 * around 1. A row of a point holds one number. */
static void constraints_have_their_derivatives(void **state)
{
    (void)state;
    const double h = 1e-6;
    for (int kind = CAB_P_ROD_SQUARED; kind <= CAB_P_N_ELLIPSE; kind++) {
        cab_p_constraint k = constraint_of(kind);
        for (int trial = 0; trial < 5; trial++) {
            double q[4], v[4], moved[4];
            for (int i = 0; i < 4; i++) {
                q[i] = 2 * noise(100 * kind + 10 * trial + i) + (i == 0 ? 3 : 0);
                v[i] = noise(1000 + 100 * kind + 10 * trial + i);
            }
            cab_p_rows at = rows_at(k, q, v);
            int entries = cab_p_entry_count(kind);
            for (int r = 0; r < cab_p_row_count(kind); r++) {
                double rate = 0;
                for (int j = 0; j < entries; j++) {
                    int c = kind == CAB_P_POINT ? r : j;
                    memcpy(moved, q, sizeof moved);
                    moved[c] = q[c] + h;
                    double high = rows_at(k, moved, v).c[r];
                    moved[c] = q[c] - h;
                    double low = rows_at(k, moved, v).c[r];
                    close_to(at.j[r][j], (high - low) / (2 * h), 1e-8, "J");
                    rate += at.j[r][j] * v[c];
                    for (int i = 0; i < 4; i++) moved[i] = q[i] + h * v[i];
                    double later = rows_at(k, moved, v).j[r][j];
                    for (int i = 0; i < 4; i++) moved[i] = q[i] - h * v[i];
                    double before = rows_at(k, moved, v).j[r][j];
                    close_to(at.jdot[r][j], (later - before) / (2 * h), 1e-8, "Jdot");
                }
                close_to(at.rate[r], rate, 1e-12, "Cdot = J v");
            }
        }
    }
}

/* Both forms of a length say the same of how far it is off; a rod of no length has no direction, and at a focus the
 * other ones' J stays. */
static void forms_agree(void **state)
{
    (void)state;
    const double q[4] = {1, 2, -0.5, 0.3}, v[4] = {0};
    close_to(rows_at(constraint_of(CAB_P_ROD_SQUARED), q, v).off,
             rows_at(constraint_of(CAB_P_ROD_LENGTH), q, v).off, 1e-15, "rods");
    const double same[4] = {1, 2, 1, 2};
    cab_p_rows none = rows_at(constraint_of(CAB_P_ROD_LENGTH), same, v);
    for (int j = 0; j < 4; j++) assert_true(none.j[0][j] == 0 && none.jdot[0][j] == 0);
    close_to(none.c[0], -1.7, 0, "C of a rod of no length");
    const double focus[4] = {-1.1, 0.6, 0, 0}, fast[4] = {1, 1, 0, 0};
    cab_p_constraint others = constraint_of(CAB_P_N_ELLIPSE);
    others.foci = 1;
    cab_p_rows of_one = rows_at(others, focus, fast);
    others.first_focus = 3;
    cab_p_rows of_another = rows_at(others, focus, fast),
               all = rows_at(constraint_of(CAB_P_N_ELLIPSE), focus, fast);
    for (int j = 0; j < 2; j++) {
        close_to(all.j[0][j], of_one.j[0][j] + of_another.j[0][j], 1e-15, "J at a focus");
        close_to(all.jdot[0][j], of_one.jdot[0][j] + of_another.jdot[0][j], 1e-15, "Jdot at a focus");
    }
}

static cab_p_force angle_of(int kind, double angle)
{
    return (cab_p_force){
        .kind = kind, .stiffness = 3, .damping = 0, .angle = angle, .cosine = cos(angle), .sine = sin(angle)};
}

static cab_p_pushes pushes_at(cab_p_force f, double guard, const double *q, const double *u)
{
    cab_p2 x[3], v[3];
    for (int i = 0; i < 3; i++) {
        x[i] = p2_make(q[2 * i], q[2 * i + 1]);
        v[i] = p2_make(u[2 * i], u[2 * i + 1]);
    }
    return f.kind == CAB_P_SPRING ? cab_p_spring_pushes(f, x, v) : cab_p_angle_pushes(f, guard, x, v);
}

static double energy_at(cab_p_force f, const double *q)
{
    f.a = 0;
    f.b = 1;
    f.c = 2;
    double mass[3] = {1, 1, 1};
    cab_p_batch batch = {.forces = {&f, 1, 1}, .mass = {mass, 3, 3}};
    cab_p_system s = {.particles = 3, .forces = 1};
    return cab_p_potential(&batch, &s, q);
}

/* Pictures show the same newtons. */
static void pictured_as(cab_p_force f, const double *q, const double *force)
{
    cab_vec2 x[3], v[3] = {{0, 0}}, shown[3];
    for (int i = 0; i < 3; i++) x[i] = (cab_vec2){q[2 * i], q[2 * i + 1]};
    cab_particle_force_def def = {
        .kind = (cab_particle_force_kind)f.kind, .angle = f.angle, .stiffness = f.stiffness};
    cab_p_angle_forces(&def, 0, x, v, shown);
    for (int i = 0; i < 3; i++) {
        close_to(shown[i].x, force[2 * i], 1e-12, "pictured force");
        close_to(shown[i].y, force[2 * i + 1], 1e-12, "pictured force");
    }
}

/* f = -dE/dx, by differences of step 1e-6: 1e-8 of forces around 10. The guard only scales the energy's
 * force, by sqrt(1 - y^2) / sqrt(1 + guard - y^2). */
static void forces_are_gradients(void **state)
{
    (void)state;
    static const int kinds[] = {CAB_P_SPRING, CAB_P_ANGLE_ENERGY, CAB_P_ANGLE_ATAN2};
    const double h = 1e-6, still[6] = {0};
    for (int n = 0; n < COUNT_OF(kinds); n++)
        for (int trial = 0; trial < 8; trial++) {
            cab_p_force f = angle_of(kinds[n], 0.9);
            f.rest = 0.8;
            double q[6], moved[6];
            for (int i = 0; i < 6; i++) q[i] = noise(7 + 50 * n + 10 * trial + i);
            cab_p_pushes out = pushes_at(f, 0, q, still);
            const double force[6] = {out.a.x, out.a.y, out.b.x, out.b.y, out.c.x, out.c.y};
            for (int i = 0; i < 6; i++) {
                memcpy(moved, q, sizeof moved);
                moved[i] = q[i] + h;
                double high = energy_at(f, moved);
                moved[i] = q[i] - h;
                double low = energy_at(f, moved);
                double expected = -(high - low) / (2 * h);
                close_to(force[i], expected, 1e-7 * (1 + fabs(expected)), "force");
            }
            close_to(out.a.x + out.b.x + out.c.x, 0, 1e-12, "sum of forces");
            if (kinds[n] == CAB_P_SPRING) continue;
            pictured_as(f, q, force);
            if (kinds[n] != CAB_P_ANGLE_ENERGY) continue;
            double r1x = q[0] - q[2], r1y = q[1] - q[3], r3x = q[4] - q[2], r3y = q[5] - q[3];
            double y = (r1x * r3x + r1y * r3y) / hypot(r1x, r1y) / hypot(r3x, r3y);
            cab_p_pushes guarded = pushes_at(f, 0.05, q, still);
            close_to(guarded.a.x, out.a.x * sqrt(1 - y * y) / sqrt(1.05 - y * y), 1e-12 * (1 + fabs(out.a.x)),
                     "guard");
        }
}

/* Damping takes energy out: the power of its forces is never positive. Goals count as standing still, so
 * theirs holds for a middle at rest. */
static void damping_takes_energy(void **state)
{
    (void)state;
    for (int kind = CAB_P_SPRING; kind <= CAB_P_ANGLE_ATAN2; kind++)
        for (int trial = 0; trial < 20; trial++) {
            cab_p_force f = angle_of(kind, 0.9);
            f.stiffness = 0;
            f.damping = 2;
            double q[6], v[6];
            for (int i = 0; i < 6; i++) q[i] = noise(11 + 10 * trial + i);
            for (int i = 0; i < 6; i++)
                v[i] = i / 2 == 1 && kind == CAB_P_ANGLE_GOAL ? 0 : noise(500 + 10 * trial + i);
            cab_p_pushes out = pushes_at(f, 0.05, q, v);
            double power = out.a.x * v[0] + out.a.y * v[1] + out.b.x * v[2] + out.b.y * v[3] +
                           out.c.x * v[4] + out.c.y * v[5];
            if (power > 1e-12) fail_msg("kind %d gives %g W", kind, power);
            if (trial == 0) assert_true(power < -1e-3);
        }
}

/* Our atan2 is within a few units in the last place of the library's. */
static void arcs_are_right(void **state)
{
    (void)state;
    for (int i = 0; i <= 720; i++) {
        double a = (i - 360) * PI / 360, size = pow(10, i % 7 - 3);
        close_to(cab_p_atan2(size * sin(a), size * cos(a)), atan2(size * sin(a), size * cos(a)), 2e-15,
                 "atan2");
    }
    assert_true(cab_p_atan2(0, 0) == 0);
}

/* C itself at places where it is known: derivatives alone would agree with a wrong C as well. */
static void constraints_are_what_they_say(void **state)
{
    (void)state;
    const double v[4] = {0};
    const double apart[4] = {2, 3, -1, -1}; /* 5 m */
    close_to(rows_at(constraint_of(CAB_P_ROD_LENGTH), apart, v).c[0], 5 - 1.7, 1e-15, "rod");
    close_to(rows_at(constraint_of(CAB_P_ROD_SQUARED), apart, v).c[0], (25 - 1.7 * 1.7) / 2, 1e-14,
             "rod, squared");
    const double beside[4] = {3.2, 3.7, 0, 0}; /* 3, 4 from the centre */
    close_to(rows_at(constraint_of(CAB_P_CIRCLE_LENGTH), beside, v).c[0], 5 - 1.7, 1e-14, "circle");
    close_to(rows_at(constraint_of(CAB_P_CIRCLE_SQUARED), beside, v).c[0], (25 - 1.7 * 1.7) / 2, 1e-14,
             "circle, squared");
    close_to(rows_at(constraint_of(CAB_P_POINT), beside, v).c[0], 3, 1e-15, "point, x");
    close_to(rows_at(constraint_of(CAB_P_POINT), beside, v).c[1], 4, 1e-15, "point, y");
    cab_p_constraint wire = {.kind = CAB_P_ELLIPSE, .x = -3, .x2 = 3, .length = 10}; /* half axes 5 and 4 */
    for (int i = 0; i < 12; i++) {
        const double on[4] = {5 * cos(0.5 * i), 4 * sin(0.5 * i), 0, 0};
        close_to(rows_at(wire, on, v).c[0], 0, 1e-14, "ellipse");
    }
    const double far[4] = {8, 0, 0, 0}; /* 11 and 5 m from the foci */
    close_to(rows_at(wire, far, v).c[0], 6, 1e-14, "beside the ellipse");
    cab_p_constraint sum = constraint_of(CAB_P_N_ELLIPSE); /* foci (0.7, 0.4), (-1.1, 0.6), (0.2, -0.3) */
    const double above[4] = {0.7, 3.4, 0, 0};
    close_to(rows_at(sum, above, v).c[0], 3 + hypot(1.8, 2.8) + hypot(0.5, 3.7) - 1.7, 1e-14, "n-ellipse");
    close_to(rows_at(sum, above, v).off, 3 + hypot(1.8, 2.8) + hypot(0.5, 3.7) - 1.7, 1e-14,
             "n-ellipse, off");
    cab_p_constraint line = constraint_of(CAB_P_LINE); /* through (0.2, -0.3) along (0.6, 0.8) */
    for (int i = -2; i <= 2; i++) {
        const double on[4] = {0.2 + 0.6 * i, -0.3 + 0.8 * i, 0, 0};
        const double off[4] = {0.2 + 0.6 * i + 0.8 * 2, -0.3 + 0.8 * i - 0.6 * 2, 0, 0};
        close_to(rows_at(line, on, v).c[0], 0, 1e-15, "line");
        close_to(rows_at(line, off, v).off, 2, 1e-15, "beside the line");
    }
}

/* A spring's force, and that of goals, which have no energy of their own, where they can be told by hand. */
static void forces_are_what_they_say(void **state)
{
    (void)state;
    /* from (0, 0) to (3, 4), 5 m long, 2 m at rest; along it the end goes away at 1.5 * 0.6 + 2 * 0.8 = 2.5 m/s */
    cab_p2 f = cab_p_spring(p2_make(3, 4), p2_make(1.5, 2), 2, 7, 11);
    close_to(f.x, -(7 * 3 + 11 * 2.5) * 0.6, 1e-12, "spring and damper");
    close_to(f.y, -(7 * 3 + 11 * 2.5) * 0.8, 1e-12, "spring and damper");
    f = cab_p_spring(p2_make(3, 4), p2_make(-4, 3), 2, 0, 11);
    close_to(hypot(f.x, f.y), 0, 1e-12, "across");
    /* a right angle that wants to be of 60 degrees: each end is pulled to where 15 degrees more would take it */
    cab_p_force goal = angle_of(CAB_P_ANGLE_GOAL, PI / 3);
    const double q[6] = {2, 0, 0, 0, 0, 3}, still[6] = {0};
    cab_p_pushes out = pushes_at(goal, 0, q, still);
    close_to(out.a.x, 3 * (2 * cos(PI / 12) - 2), 1e-12, "goal of a");
    close_to(out.a.y, 3 * 2 * sin(PI / 12), 1e-12, "goal of a");
    close_to(out.c.x, 3 * 3 * sin(PI / 12), 1e-12, "goal of c");
    close_to(out.c.y, 3 * (3 * cos(PI / 12) - 3), 1e-12, "goal of c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_have_their_derivatives),
        cmocka_unit_test(constraints_are_what_they_say),
        cmocka_unit_test(forms_agree),
        cmocka_unit_test(forces_are_what_they_say),
        cmocka_unit_test(forces_are_gradients),
        cmocka_unit_test(damping_takes_energy),
        cmocka_unit_test(arcs_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
