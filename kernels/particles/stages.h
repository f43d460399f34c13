/* The stages of a step of particles under Lagrange multipliers: each a function of a system and an index. The
 * staged way launches them one by one over a large system; the fused way loops over a small one's indices. In
 * which order, says order.h.
 */
#ifndef CAB_PARTICLES_H
#define CAB_PARTICLES_H

#include "physics.h"

/* A system's part of the buffers. */
typedef struct cab_p_view {
    global const cab_p_system *s;
    global cab_p_report *report;
    global const double *mass; /* [particles] kg */
    global const cab_p_force *force;
    global const cab_p_constraint *constraint;
    global const int *table;
    global double *work;
    global const cab_p_tableau *tableau; /* all of them */
    global const cab_p_op *op;           /* all of them */
    global const double *focus;          /* all of them */
} cab_p_view;

CAB_INLINE global double *cab_p_vector(const cab_p_view *v, int id)
{
    return v->work + v->s->vectors + id * v->s->rows;
}

CAB_INLINE global const cab_p_tableau *cab_p_integrator(const cab_p_view *v)
{
    return v->tableau + (v->report->fresh ? v->s->first_integrator : v->s->integrator);
}

/* A coordinate's number c in state k of the tableau. argument: k */
CAB_INLINE void cab_p_begin(const cab_p_view *v, int c, int k)
{
    global const cab_p_tableau *t = cab_p_integrator(v);
    double h = v->s->step, place = 0, speed = 0;
    int n = 2 * v->s->particles, count = t->evaluations;
    for (int j = 0; j < count; j++) {
        double a = v->work[v->s->acceleration + j * n + c];
        /* accelerations that are not computed yet may hold anything */
        if (t->place[k][j] != 0) place = place + t->place[k][j] * a;
        if (t->speed[k][j] != 0) speed = speed + t->speed[k][j] * a;
    }
    double velocity = v->work[v->s->v + c];
    v->work[v->s->at_x + c] = v->work[v->s->x + c] + t->time[k] * h * velocity + h * h * place;
    v->work[v->s->at_v + c] = velocity + h * speed;
}

/* The value of an expression; in: x, y, vx, vy, t, m. */
CAB_INLINE double cab_p_evaluate(global const cab_p_op *op, int count, const double *in)
{
    double r[CAB_OWN_OPS];
    for (int i = 0; i < count; i++) {
        cab_p_op o = op[i];
        double a = o.op < CAB_OWN_FIRST_OF_RESULTS ? 0 : r[o.a];
        double b = o.op < CAB_OWN_FIRST_OF_TWO ? 0 : r[o.b];
        if (o.op == CAB_OWN_CONSTANT) r[i] = o.value;
        if (o.op == CAB_OWN_INPUT) r[i] = in[o.a];
        if (o.op == CAB_OWN_NEGATE) r[i] = -a;
        if (o.op == CAB_OWN_SQRT) r[i] = CAB_SQRT_DOUBLE(a);
        if (o.op == CAB_OWN_FLOOR) r[i] = CAB_FLOOR_DOUBLE(a);
        if (o.op == CAB_OWN_ADD) r[i] = a + b;
        if (o.op == CAB_OWN_SUBTRACT) r[i] = a - b;
        if (o.op == CAB_OWN_MULTIPLY) r[i] = a * b;
        if (o.op == CAB_OWN_DIVIDE) r[i] = a / b;
        if (o.op == CAB_OWN_MIN) r[i] = a < b ? a : b;
        if (o.op == CAB_OWN_MAX) r[i] = a > b ? a : b;
        if (o.op == CAB_OWN_CHOOSE) r[i] = a < 0 ? b : r[o.c];
    }
    return r[count - 1];
}

CAB_INLINE cab_p_pushes cab_p_expression_pushes(const cab_p_view *v, cab_p_force f, cab_p2 x, cab_p2 speed,
                                                int k)
{
    double in[6] = {x.x, x.y, speed.x, speed.y, 0, v->mass[f.a]};
    in[4] = v->report->time + cab_p_integrator(v)->time[k] * v->s->step;
    cab_p_pushes out;
    out.a = p2_make(cab_p_evaluate(v->op + f.first_x, f.count_x, in),
                    cab_p_evaluate(v->op + f.first_y, f.count_y, in));
    out.b = p2_make(0, 0);
    out.c = p2_make(0, 0);
    return out;
}

/* What force i does. argument: k */
CAB_INLINE void cab_p_push(const cab_p_view *v, int i, int k)
{
    global const double *at_x = v->work + v->s->at_x, *at_v = v->work + v->s->at_v;
    global double *push = v->work + v->s->push + 6 * i;
    cab_p_force f = v->force[i];
    cab_p2 x[3], speed[3];
    const int particle[3] = {f.a, f.b, f.c};
    for (int j = 0; j < 3; j++) {
        x[j] = cab_p_at(at_x, particle[j]);
        speed[j] = cab_p_at(at_v, particle[j]);
    }
    cab_p_pushes out;
    if (f.kind == CAB_P_EXPRESSION)
        out = cab_p_expression_pushes(v, f, x[0], speed[0], k);
    else if (f.kind == CAB_P_SPRING)
        out = cab_p_spring_pushes(f, x, speed);
    else
        out = cab_p_angle_pushes(f, v->s->guard, x, speed);
    push[0] = out.a.x;
    push[1] = out.a.y;
    push[2] = out.b.x;
    push[3] = out.b.y;
    push[4] = out.c.x;
    push[5] = out.c.y;
}

/* All forces on particle p, and what they alone would accelerate it by. */
CAB_INLINE void cab_p_gather(const cab_p_view *v, int p, int unused)
{
    (void)unused;
    global const cab_p_system *s = v->s;
    global const int *start = v->table + s->incident_start;
    global const double *push = v->work + s->push;
    cab_p2 x = cab_p_at(v->work + s->at_x, p), speed = cab_p_at(v->work + s->at_v, p);
    double mass = v->mass[p];
    cab_p2 sum = p2_make(s->gravity_x * mass - s->drag * speed.x, s->gravity_y * mass - s->drag * speed.y);
    for (int k = start[p]; k < start[p + 1]; k++) {
        int which = v->table[s->incident + k]; /* 3 force + place */
        sum = p2_add(sum, cab_p_at(push, which));
    }
    for (int k = 0; k < s->mice; k++) {
        if (s->mouse_particle[k] != p) continue;
        cab_p2 l = p2_sub(x, p2_make(s->mouse[k].x, s->mouse[k].y));
        sum = p2_add(sum, cab_p_spring(l, speed, 0, s->mouse[k].stiffness, s->mouse[k].damping));
    }
    global double *force = v->work + s->force_sum, *spread = v->work + s->spread;
    force[2 * p] = sum.x;
    force[2 * p + 1] = sum.y;
    spread[2 * p] = sum.x / mass;
    spread[2 * p + 1] = sum.y / mass;
}

/* The rows of constraint i: J, and of the right side all but - J W Q. argument: k */
CAB_INLINE void cab_p_constrain_rows(const cab_p_view *v, int i, int state)
{
    global const cab_p_system *s = v->s;
    global const double *at_x = v->work + s->at_x, *at_v = v->work + s->at_v;
    cab_p_constraint k = v->constraint[i];
    int b = cab_p_has_two(k.kind) ? k.b : k.a, entries = cab_p_entry_count(k.kind);
    cab_p2 va = cab_p_at(at_v, k.a), vb = cab_p_at(at_v, b);
    cab_p_rows rows = cab_p_constrain(k, v->focus, cab_p_at(at_x, k.a), va, cab_p_at(at_x, b), vb);
    const double speed[4] = {va.x, va.y, vb.x, vb.y};
    for (int r = 0; r < cab_p_row_count(k.kind); r++) {
        double sum = 0;
        for (int j = 0; j < entries; j++) {
            v->work[s->jacobian + k.entry + r * entries + j] = rows.j[r][j];
            sum = sum + rows.jdot[r][j] * speed[j];
        }
        cab_p_vector(v, CAB_P_BIAS)[k.row + r] =
            -sum - s->position_gain * rows.c[r] - s->velocity_gain * rows.rate[r];
        if (state == 0) cab_p_vector(v, CAB_P_OFF)[k.row + r] = rows.off;
    }
}

/* Row r of J times what is spread over the coordinates. */
CAB_INLINE double cab_p_row_sum(const cab_p_view *v, int r)
{
    global const cab_p_system *s = v->s;
    global const int *start = v->table + s->row_start, *column = v->table + s->column;
    double sum = 0;
    for (int e = start[r]; e < start[r + 1]; e++)
        sum = sum + v->work[s->jacobian + e] * v->work[s->spread + column[e]];
    return sum;
}

/* Coordinate c of J^T times a vector. */
CAB_INLINE double cab_p_column_sum(const cab_p_view *v, int c, int id)
{
    global const cab_p_system *s = v->s;
    global const int *start = v->table + s->column_start, *item = v->table + s->transpose;
    global const double *vector = cab_p_vector(v, id);
    double sum = 0;
    for (int k = start[c]; k < start[c + 1]; k++)
        sum = sum + v->work[s->jacobian + item[2 * k]] * vector[item[2 * k + 1]];
    return sum;
}

CAB_INLINE void cab_p_right_side(const cab_p_view *v, int r, int unused)
{
    (void)unused;
    cab_p_vector(v, CAB_P_B)[r] = cab_p_vector(v, CAB_P_BIAS)[r] - cab_p_row_sum(v, r);
}

/* W J^T of a vector, for coordinate c. argument: the vector */
CAB_INLINE void cab_p_spread(const cab_p_view *v, int c, int id)
{
    v->work[v->s->spread + c] = cab_p_column_sum(v, c, id) / v->mass[c >> 1];
}

/* Row r of J W J^T of what was spread. argument: where to; CAB_P_R: what it leaves of the right side */
CAB_INLINE void cab_p_apply(const cab_p_view *v, int r, int id)
{
    double sum = cab_p_row_sum(v, r);
    cab_p_vector(v, id)[r] = id == CAB_P_R ? cab_p_vector(v, CAB_P_B)[r] - sum : sum;
}

/* Where multipliers begin. argument: CAB_P_FROM_LAST and so on */
CAB_INLINE void cab_p_guess(const cab_p_view *v, int r, int from)
{
    int last = !v->s->cold && v->report->bb != 0 && !v->report->fresh;
    int kept = from == CAB_P_FROM_LAST ? last : !v->report->anew;
    if (!kept) cab_p_vector(v, CAB_P_LAMBDA)[r] = 0;
}

/* Two dot products over a part of the rows. argument: CAB_P_DOTS */
CAB_INLINE void cab_p_sums(const cab_p_view *v, int part, int which)
{
    global const double *a = cab_p_vector(v, CAB_P_VECTOR_OF(which, 0)),
                        *b = cab_p_vector(v, CAB_P_VECTOR_OF(which, 1));
    global const double *c = cab_p_vector(v, CAB_P_VECTOR_OF(which, 2)),
                        *d = cab_p_vector(v, CAB_P_VECTOR_OF(which, 3));
    int first = part * CAB_P_PART, end = first + CAB_P_PART;
    if (end > v->s->rows) end = v->s->rows;
    double ab = 0, cd = 0;
    for (int r = first; r < end; r++) {
        ab = ab + a[r] * b[r];
        cd = cd + c[r] * d[r];
    }
    v->work[v->s->partial + 2 * part] = ab;
    v->work[v->s->partial + 2 * part + 1] = cd;
}

/* The largest of a part of the state after the step, and of how far constraints were off before. */
CAB_INLINE void cab_p_inspect(const cab_p_view *v, int part, int unused)
{
    (void)unused;
    global const cab_p_system *s = v->s;
    double most = 0, off = 0;
    int first = part * CAB_P_PART, end = first + CAB_P_PART;
    for (int c = first; c < end && c < 2 * s->particles; c++) {
        double x = v->work[s->at_x + c], u = v->work[s->at_v + c];
        x = x < 0 ? -x : x;
        u = u < 0 ? -u : u;
        most = most > x ? most : x; /* a NaN is taken, too, and becomes 1e30 below */
        most = most > u ? most : u;
        if (!(x < 1e30) || !(u < 1e30)) most = 1e30;
    }
    for (int r = first; r < end && r < s->rows; r++) {
        double o = cab_p_vector(v, CAB_P_OFF)[r];
        off = off > o ? off : o;
    }
    v->work[s->partial + 2 * part] = most;
    v->work[s->partial + 2 * part + 1] = off;
}

/* The element of J W J^T in rows r and q. */
CAB_INLINE double cab_p_element(const cab_p_view *v, int r, int q)
{
    global const int *start = v->table + v->s->row_start, *column = v->table + v->s->column;
    global const double *j = v->work + v->s->jacobian;
    double sum = 0;
    for (int e = start[r]; e < start[r + 1]; e++)
        for (int f = start[q]; f < start[q + 1]; f++)
            if (column[e] == column[f]) sum = sum + j[e] * j[f] / v->mass[column[e] >> 1];
    return sum;
}

#include "cholesky.h" /* a preconditioner; the other is blocks: */

CAB_INLINE int cab_p_below(int row, int column)
{
    return row * (row - 1) / 2 + column;
}

/* Numbers of a block's factor: those below the diagonal, then those on it. */
CAB_INLINE int cab_p_factor_size(int block_size)
{
    return cab_p_below(block_size + 1, 0);
}

/* L D L^T of a block on the diagonal; kept: L below the diagonal, 1/D. Where rows depend on one another, the
 * pivot is that of the row alone: the preconditioner stays positive. */
CAB_INLINE void cab_p_factor(const cab_p_view *v, int block, int unused)
{
    (void)unused;
    int first = block * v->s->block_size, size = v->s->rows - first;
    if (size > v->s->block_size) size = v->s->block_size;
    double low[CAB_P_BLOCK_MAX * (CAB_P_BLOCK_MAX - 1) / 2], d[CAB_P_BLOCK_MAX];
    global double *kept = v->work + v->s->factor + block * cab_p_factor_size(v->s->block_size);
    for (int r = 0; r < size; r++) {
        double alone = cab_p_element(v, first + r, first + r), pivot = alone;
        for (int q = 0; q < r; q++) {
            double sum = cab_p_element(v, first + r, first + q);
            for (int k = 0; k < q; k++) sum = sum - low[cab_p_below(r, k)] * low[cab_p_below(q, k)] * d[k];
            low[cab_p_below(r, q)] = sum / d[q];
            pivot = pivot - sum * (sum / d[q]);
        }
        d[r] = pivot > 1e-10 * alone ? pivot : alone > 0 ? alone : 1;
        for (int q = 0; q < r; q++) kept[cab_p_below(r, q)] = low[cab_p_below(r, q)];
        kept[cab_p_below(v->s->block_size, 0) + r] = 1 / d[r];
    }
}

/* w = M^-1 r, of a block. */
CAB_INLINE void cab_p_precondition(const cab_p_view *v, int block, int unused)
{
    (void)unused;
    int first = block * v->s->block_size, size = v->s->rows - first;
    if (size > v->s->block_size) size = v->s->block_size;
    global const double *kept = v->work + v->s->factor + block * cab_p_factor_size(v->s->block_size);
    global const double *r = cab_p_vector(v, CAB_P_R);
    double y[CAB_P_BLOCK_MAX];
    for (int i = 0; i < size; i++) {
        y[i] = r[first + i];
        for (int k = 0; k < i; k++) y[i] = y[i] - kept[cab_p_below(i, k)] * y[k];
    }
    for (int i = size - 1; i >= 0; i--) {
        y[i] = y[i] * kept[cab_p_below(v->s->block_size, 0) + i];
        for (int k = i + 1; k < size; k++) y[i] = y[i] - kept[cab_p_below(k, i)] * y[k];
        cab_p_vector(v, CAB_P_W)[first + i] = y[i];
    }
}

/* lambda += alpha p, r -= alpha q */
CAB_INLINE void cab_p_advance(const cab_p_view *v, int r, int unused)
{
    (void)unused;
    double alpha = v->report->alpha;
    cab_p_vector(v, CAB_P_LAMBDA)[r] = cab_p_vector(v, CAB_P_LAMBDA)[r] + alpha * cab_p_vector(v, CAB_P_P)[r];
    cab_p_vector(v, CAB_P_R)[r] = cab_p_vector(v, CAB_P_R)[r] - alpha * cab_p_vector(v, CAB_P_Q)[r];
}

/* into = from + beta into; the first time, beta = 0, `into` may hold anything. argument: CAB_P_FROM_INTO */
CAB_INLINE void cab_p_direct(const cab_p_view *v, int r, int which)
{
    global const double *from = cab_p_vector(v, CAB_P_VECTOR_OF(which, 0));
    global double *into = cab_p_vector(v, CAB_P_VECTOR_OF(which, 1));
    double beta = v->report->beta;
    into[r] = beta == 0 ? from[r] : from[r] + beta * into[r];
}

/* lambda += r / A_rr */
CAB_INLINE void cab_p_jacobi(const cab_p_view *v, int r, int unused)
{
    (void)unused;
    double diagonal = cab_p_element(v, r, r);
    if (!(diagonal > 0)) return;
    cab_p_vector(v, CAB_P_LAMBDA)[r] =
        cab_p_vector(v, CAB_P_LAMBDA)[r] + cab_p_vector(v, CAB_P_R)[r] / diagonal;
}

/* Coordinate c: W (Q + J^T lambda). argument: k */
CAB_INLINE void cab_p_accelerate(const cab_p_view *v, int c, int k)
{
    global const cab_p_system *s = v->s;
    double force = v->work[s->force_sum + c] + cab_p_column_sum(v, c, CAB_P_LAMBDA);
    v->work[s->acceleration + 2 * k * s->particles + c] = force / v->mass[c >> 1];
}

CAB_INLINE void cab_p_accept(const cab_p_view *v, int c, int unused)
{
    (void)unused;
    v->work[v->s->x + c] = v->work[v->s->at_x + c];
    v->work[v->s->v + c] = v->work[v->s->at_v + c];
}

CAB_INLINE int cab_p_small(const cab_p_view *v, double rr)
{
    double limit = v->s->tolerance * v->s->tolerance;
    return rr <= (v->s->absolute ? limit : limit * v->report->bb);
}

/* Ends an iteration: notes its residual, and whether the solve is done. */
CAB_INLINE void cab_p_iterated(const cab_p_view *v, double rr)
{
    global cab_p_report *report = v->report;
    report->rr = rr;
    report->iterations = report->iterations + 1;
    report->done = cab_p_small(v, rr) || !(rr < 1e200);
}

CAB_INLINE void cab_p_end_solve(const cab_p_view *v)
{
    global cab_p_report *report = v->report;
    double residual = report->bb > 0 ? CAB_SQRT_DOUBLE(report->rr / report->bb) : 0;
    if (residual > report->residual_worst) report->residual_worst = residual;
    if (report->broke && !cab_p_small(v, report->rr)) {
        report->inconsistent = report->inconsistent + 1;
        report->capped = report->capped + !report->done; /* the cap ended least squares */
    }
    if (report->iterations > report->iterations_most) report->iterations_most = report->iterations;
    report->iterations_sum = report->iterations_sum + report->iterations;
    report->solves = report->solves + 1;
}

CAB_INLINE void cab_p_end_step(const cab_p_view *v, double most, double off)
{
    global cab_p_report *report = v->report;
    report->off = off;
    if (off > report->off_worst) report->off_worst = off;
    if (v->s->off_limit > 0 && off > v->s->off_limit) report->stopped = CAB_P_OFF_LIMIT;
    if (!(most < 1e12)) report->stopped = CAB_P_DIVERGED;
    if (report->stopped) return;
    report->speed = most;
    report->fresh = 0;
    report->steps = report->steps + 1;
    report->time = report->time + v->s->step;
}

/* Ends a step whose state is accepted. The time is compared with a little less than the duration, because
 * the sum of steps is rounded. */
CAB_INLINE void cab_p_end(const cab_p_view *v)
{
    if (v->s->duration > 0 && v->report->time > v->s->duration - 0.5 * v->s->step)
        v->report->stopped = CAB_P_ENDED;
}

/* Both numbers of all parts together: the largest of a step, else the sums. */
CAB_INLINE void cab_p_totals(const cab_p_view *v, int phase, double *first, double *second)
{
    global const double *partial = v->work + v->s->partial;
    int parts = phase == CAB_P_ONCE_STEP ? v->s->parts : v->s->sum_parts;
    for (int i = 0; i < parts; i++) {
        if (phase == CAB_P_ONCE_STEP) {
            *first = *first > partial[2 * i] ? *first : partial[2 * i];
            *second = *second > partial[2 * i + 1] ? *second : partial[2 * i + 1];
        } else {
            *first = *first + partial[2 * i];
            *second = *second + partial[2 * i + 1];
        }
    }
}

CAB_INLINE void cab_p_once(const cab_p_view *v, int phase)
{
    global cab_p_report *report = v->report;
    double first = 0, second = 0;
    if (report->done && phase < CAB_P_ONCE_SOLVE) return;
    cab_p_totals(v, phase, &first, &second);
    if (phase == CAB_P_ONCE_SOLVE) {
        report->done = 0;
        report->broke = 0;
        report->anew = v->s->solver == CAB_P_JACOBI;
        report->iterations = 0;
    } else if (phase == CAB_P_ONCE_RIGHT_SIDE) {
        report->bb = first;
        report->rr = first; /* there are no multipliers */
    } else if (phase == CAB_P_ONCE_START) {
        report->rr = first;
        report->rho = second;
        report->scale = 0;
        report->beta = 0;
        report->done = cab_p_small(v, first);
    } else if (phase == CAB_P_ONCE_ALPHA) {
        /* a direction that J W J^T does not feel, up to rounding: the constraints depend on one another */
        if (second > 0 && first > report->scale * second) report->scale = first / second;
        int stuck = !(first > 1e-13 * report->scale * second) || !(report->rho > 0);
        report->alpha = stuck ? 0 : report->rho / first;
        if (stuck) report->done = 1;
    } else if (phase == CAB_P_ONCE_BETA) {
        report->beta = second / report->rho;
        report->rho = second;
        cab_p_iterated(v, first);
    } else if (phase == CAB_P_ONCE_RESIDUAL) {
        cab_p_iterated(v, first);
    } else if (phase == CAB_P_ONCE_LEAST) {
        report->anew = report->done || v->s->solver == CAB_P_LEAST || !(report->rr < report->bb);
        if (!cab_p_small(v, report->rr)) {
            report->broke = 1;
            report->least = report->least + (v->s->solver != CAB_P_LEAST);
        }
        report->done = !report->broke;
    } else if (phase == CAB_P_ONCE_LEAST_START) {
        report->rho = first;
        report->scale = first;
        report->rr = second;
        report->beta = 0;
        report->done = !(first > 0) || cab_p_small(v, second);
    } else if (phase == CAB_P_ONCE_LEAST_ALPHA) {
        report->alpha = first > 0 ? report->rho / first : 0;
        if (!(first > 0)) report->done = 1;
    } else if (phase == CAB_P_ONCE_LEAST_BETA) {
        report->beta = first / report->rho;
        report->rho = first;
        cab_p_iterated(v, second);
        /* the gradient of |r|^2 is zero: no multipliers are better */
        double limit = 1e-6 * v->s->tolerance * v->s->tolerance;
        if (!(first > (limit > 1e-28 ? limit : 1e-28) * report->scale)) report->done = 1;
    } else if (phase == CAB_P_ONCE_SOLVED) {
        cab_p_end_solve(v);
    } else if (phase == CAB_P_ONCE_STEP) {
        cab_p_end_step(v, first, second);
    } else {
        cab_p_end(v);
    }
}

#endif
