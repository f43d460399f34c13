/* Makes the buffers of a device from the user's definition: checks it, lists the entries of J and of its
 * transpose in compressed rows (CSR), and sets offsets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression.h"
#include "model/limits.h"
#include "study/particles/formulas.h"
#include "study/particles/parts.h"

#define PARTICLES_MAX 10000000
#define NUMBERS_MAX 2000000000 /* offsets are ints */
#define PI 3.14159265358979323846

static const cab_limit COORDINATE = {-1e6, 1e6, false}, GAIN = {0, 1e12, false}, LENGTH = {1e-9, 1e6, false},
                       SUM = {1e-9, 1e13, false};

/* Makes room for `count` more elements; returns the first one. */
static void *grow(cab_p_array *array, size_t count, size_t size, cab_error *error)
{
    size_t need = array->count + count;
    if (need > array->capacity || !array->data) {
        size_t capacity = need > 2 * array->capacity ? need : 2 * array->capacity;
        if (capacity == 0) capacity = 1;
        void *data = realloc(array->data, capacity * size);
        if (!data) {
            cab_fail_memory(error, "particles", capacity * size);
            return NULL;
        }
        array->data = data;
        array->capacity = capacity;
    }
    void *place = (char *)array->data + array->count * size;
    memset(place, 0, count * size);
    array->count = need;
    return place;
}

void cab_p_batch_free(cab_p_batch *batch)
{
    CAB_FREE(batch->systems.data, batch->mass.data, batch->start.data, batch->forces.data,
             batch->constraints.data, batch->table.data, batch->ops.data, batch->foci.data);
    *batch = (cab_p_batch){0};
}

/* Where a value stands: "/forces/3/angle". index -1: no item of a list */
typedef struct spot {
    const char *list;
    int index;
} spot;

static cab_status refuse(spot at, const char *key, const char *expected, const char *got, cab_error *error)
{
    if (at.index < 0)
        return cab_fail(error, CAB_ERROR_INPUT, "/%s/%s: expected %s, got %s", at.list, key, expected, got);
    return cab_fail(error, CAB_ERROR_INPUT, "/%s/%d/%s: expected %s, got %s", at.list, at.index, key,
                    expected, got);
}

static cab_status check(spot at, const char *key, double value, cab_limit limit, cab_error *error)
{
    char expected[80], got[40];
    if (cab_limit_holds(limit, value)) return CAB_OK;
    cab_limit_text(limit, expected, sizeof expected);
    snprintf(got, sizeof got, "%.15g", value);
    return refuse(at, key, expected, got, error);
}

static cab_status check_point(spot at, const char *key, cab_vec2 value, cab_error *error)
{
    cab_status status = check(at, key, value.x, COORDINATE, error);
    return status == CAB_OK ? check(at, key, value.y, COORDINATE, error) : status;
}

/* A list of checks in the order of the document; the first one that fails is reported. */
#define CHECK(...)                                                                                           \
    do {                                                                                                     \
        cab_status check_status = __VA_ARGS__;                                                               \
        if (check_status != CAB_OK) return check_status;                                                     \
    } while (0)

cab_status cab_p_settle(const cab_particles_settings *in, cab_p_system *s, cab_error *error)
{
    static const int preconditioners[CAB_PARTICLES_PRECONDITIONERS] = {CAB_P_BLOCKS, CAB_P_CHOLESKY,
                                                                       CAB_P_NONE};
    const spot at = {"settings", -1};
    CHECK(check_point(at, "gravity", in->gravity, error));
    CHECK(check(at, "drag", in->drag, (cab_limit){0, 1e9, false}, error));
    CHECK(check(at, "position_gain", in->position_gain, GAIN, error));
    CHECK(check(at, "velocity_gain", in->velocity_gain, GAIN, error));
    CHECK(check(at, "step", in->step, (cab_limit){1e-9, 10, false}, error));
    CHECK(check(at, "integrator", in->integrator, (cab_limit){0, CAB_INTEGRATOR_COUNT - 1, true}, error));
    CHECK(check(at, "solver", in->solver, (cab_limit){0, CAB_PARTICLES_SOLVERS - 1, true}, error));
    CHECK(check(at, "tolerance", in->tolerance, (cab_limit){0, 1, false}, error));
    CHECK(check(at, "iterations", in->iterations, (cab_limit){1, 1000000, true}, error));
    CHECK(check(at, "block", in->block, (cab_limit){1, CAB_P_BLOCK_MAX, true}, error));
    CHECK(check(at, "preconditioner", in->preconditioner,
                (cab_limit){0, CAB_PARTICLES_PRECONDITIONERS - 1, true}, error));
    CHECK(check(at, "guard", in->guard, (cab_limit){0, 10, false}, error));
    CHECK(check(at, "duration", in->duration, (cab_limit){0, 1e9, false}, error));
    CHECK(check(at, "off_limit", in->off_limit, (cab_limit){0, 1e6, false}, error));
    s->gravity_x = in->gravity.x;
    s->gravity_y = in->gravity.y;
    s->drag = in->drag;
    s->position_gain = in->position_gain;
    s->velocity_gain = in->velocity_gain;
    s->step = in->step;
    s->integrator = (int)in->integrator;
    s->first_integrator = cab_particles_first_tableau(in->integrator);
    s->solver = (int)in->solver;
    s->tolerance = in->tolerance;
    s->absolute = in->absolute;
    s->cap = in->iterations;
    s->cold = in->cold;
    s->preconditioner = in->solver == CAB_PARTICLES_PCG ? preconditioners[in->preconditioner] : CAB_P_NONE;
    s->block_size = in->block;
    s->blocks = (s->rows + s->block_size - 1) / s->block_size;
    s->guard = in->guard;
    s->off_limit = in->off_limit;
    s->duration = in->duration;
    return CAB_OK;
}

static cab_status add_particles(cab_p_batch *batch, const cab_particles_def *def, cab_error *error)
{
    size_t count = (size_t)def->particle_count;
    cab_particle_def *start = grow(&batch->start, count, sizeof *start, error);
    double *mass = grow(&batch->mass, count, sizeof *mass, error);
    if (!start || !mass) return CAB_ERROR_MEMORY;
    for (int i = 0; i < def->particle_count; i++) {
        const spot at = {"particles", i};
        const cab_particle_def *p = &def->particles[i];
        CHECK(check(at, "mass", p->mass, (cab_limit){1e-9, 1e9, false}, error));
        CHECK(check_point(at, "position", p->position, error));
        CHECK(check_point(at, "velocity", p->velocity, error));
        start[i] = *p;
        mass[i] = p->mass;
    }
    return CAB_OK;
}

/* `count` different particles of the system. */
static cab_status check_particles(spot at, const int *index, int count, int particles, cab_error *error)
{
    char key[32], expected[80], got[24];
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int j = 0; j < i; j++) again = again || index[i] == index[j];
        if (index[i] >= 0 && index[i] < particles && !again) continue;
        snprintf(key, sizeof key, "particles/%d", i);
        if (again)
            snprintf(expected, sizeof expected, "another particle than before");
        else
            snprintf(expected, sizeof expected, "a particle from 0 to %d", particles - 1);
        snprintf(got, sizeof got, "%d", index[i]);
        return refuse(at, key, expected, got, error);
    }
    return CAB_OK;
}

static cab_status add_expression(cab_p_batch *batch, spot at, const char *key, const char *text, int *first,
                                 int *count, cab_error *error)
{
    static const char *const names[] = {"x", "y", "vx", "vy", "t", "m"};
    cab_expression expression;
    cab_expression_fault fault;
    if (!cab_expression_parse_named(text ? text : "0", names, 6, &expression, &fault))
        return cab_fail(error, CAB_ERROR_INPUT, "/%s/%d/%s: column %d: %s", at.list, at.index, key,
                        fault.column, fault.text);
    *first = (int)batch->ops.count;
    *count = expression.count;
    cab_p_op *op = grow(&batch->ops, (size_t)expression.count, sizeof *op, error);
    if (!op) return CAB_ERROR_MEMORY;
    for (int i = 0; i < expression.count; i++) {
        const cab_own_op *from = &expression.op[i];
        op[i] = (cab_p_op){expression.number[i], from->op, from->a, from->b, from->c};
    }
    return CAB_OK;
}

static int force_particles(int kind)
{
    return kind == CAB_PARTICLE_SPRING ? 2 : kind == CAB_PARTICLE_EXPRESSION ? 1 : 3;
}

/* A force that an expression gives for all particles becomes one force for each particle. */
static cab_status append_force(cab_p_batch *batch, const cab_p_force *force, bool all, int particles,
                               cab_error *error)
{
    int count = all ? particles : 1;
    cab_p_force *place = grow(&batch->forces, (size_t)count, sizeof *place, error);
    if (!place) return CAB_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        place[i] = *force;
        if (all) place[i].a = place[i].b = place[i].c = i;
    }
    return CAB_OK;
}

static cab_status add_force(cab_p_batch *batch, const cab_particles_def *def, int index, cab_error *error)
{
    const spot at = {"forces", index};
    const cab_particle_force_def *in = &def->forces[index];
    CHECK(check(at, "kind", in->kind, (cab_limit){0, CAB_PARTICLE_FORCE_KINDS - 1, true}, error));
    int count = force_particles(in->kind);
    bool own = in->kind == CAB_PARTICLE_EXPRESSION, all = own && in->particles[0] == -1;
    bool angle = count == 3;
    if (!all) CHECK(check_particles(at, in->particles, count, def->particle_count, error));
    cab_p_force f = {.kind = (int)in->kind, .a = in->particles[0]};
    f.b = count > 1 ? in->particles[1] : f.a;
    f.c = count > 2 ? in->particles[2] : f.a;
    if (own) {
        CHECK(add_expression(batch, at, "fx", in->fx, &f.first_x, &f.count_x, error));
        CHECK(add_expression(batch, at, "fy", in->fy, &f.first_y, &f.count_y, error));
        return append_force(batch, &f, all, def->particle_count, error);
    }
    double least = in->kind == CAB_PARTICLE_ANGLE_ENERGY ? 0 : -PI;
    CHECK(check(at, "stiffness", in->stiffness, GAIN, error));
    CHECK(check(at, "damping", in->damping, GAIN, error));
    if (angle) CHECK(check(at, "angle", in->angle, (cab_limit){least, PI, false}, error));
    if (!angle) CHECK(check(at, "rest_length", in->rest_length, (cab_limit){0, 1e6, false}, error));
    f.stiffness = in->stiffness;
    f.damping = in->damping;
    f.rest = in->rest_length;
    f.angle = in->angle;
    f.cosine = cos(in->angle);
    f.sine = sin(in->angle);
    return append_force(batch, &f, false, 0, error);
}

/* start: where the particle begins. On a focus there is no direction in which the curve could hold it. */
static cab_status check_foci(spot at, const cab_particle_constraint_def *in, cab_vec2 start, cab_error *error)
{
    char key[32], expected[80], got[40];
    cab_vec2 inside;
    double least;
    CHECK(check(at, "foci", in->focus_count, (cab_limit){1, PARTICLES_MAX, true}, error));
    for (int i = 0; i < in->focus_count; i++) {
        snprintf(key, sizeof key, "foci/%d", i);
        CHECK(check_point(at, key, in->foci[i], error));
        if (in->foci[i].x == start.x && in->foci[i].y == start.y)
            return refuse(at, key, "another place than the particle's", "where it begins", error);
    }
    CHECK(check(at, "length", in->length, SUM, error));
    if (cab_p_inside_foci(in->foci, in->focus_count, in->length, &inside, &least)) return CAB_OK;
    snprintf(expected, sizeof expected, "more than %.9g m, the least sum of distances to its foci", least);
    snprintf(got, sizeof got, "%.15g", in->length);
    return refuse(at, "length", expected, got, error);
}

static cab_status check_shape(spot at, const cab_particle_constraint_def *in, cab_vec2 start,
                              cab_error *error)
{
    char expected[80], got[40];
    bool has_length = in->kind != CAB_PARTICLE_POINT && in->kind != CAB_PARTICLE_LINE;
    if (in->kind == CAB_PARTICLE_N_ELLIPSE) return check_foci(at, in, start, error);
    if (has_length) CHECK(check(at, "length", in->length, LENGTH, error));
    if (!cab_p_has_two((int)in->kind)) CHECK(check_point(at, "point", in->point, error));
    if (in->kind == CAB_PARTICLE_ELLIPSE) {
        CHECK(check_point(at, "point2", in->point2, error));
        double apart = hypot(in->point2.x - in->point.x, in->point2.y - in->point.y);
        if (in->length > apart) return CAB_OK;
        snprintf(expected, sizeof expected, "more than the %.15g m between its points", apart);
        snprintf(got, sizeof got, "%.15g", in->length);
        return refuse(at, "length", expected, got, error);
    }
    if (in->kind == CAB_PARTICLE_LINE) {
        CHECK(check_point(at, "direction", in->direction, error));
        if (!(hypot(in->direction.x, in->direction.y) > 1e-9))
            return refuse(at, "direction", "a direction longer than 1e-09", "next to nothing", error);
    }
    return CAB_OK;
}

static cab_status add_foci(cab_p_batch *batch, const cab_particle_constraint_def *in, cab_p_constraint *k,
                           cab_error *error)
{
    size_t count = (size_t)in->focus_count;
    if (batch->foci.count + count > NUMBERS_MAX / 2)
        return cab_fail_memory(error, "foci", (unsigned long long)count * sizeof *in->foci);
    k->first_focus = (int)batch->foci.count;
    k->foci = in->focus_count;
    cab_vec2 *place = grow(&batch->foci, count, sizeof *place, error);
    if (!place) return CAB_ERROR_MEMORY;
    memcpy(place, in->foci, count * sizeof *place);
    return CAB_OK;
}

static cab_status add_constraint(cab_p_batch *batch, const cab_particles_def *def, int index, cab_p_system *s,
                                 cab_error *error)
{
    const spot at = {"constraints", index};
    const cab_particle_constraint_def *in = &def->constraints[index];
    CHECK(check(at, "kind", in->kind, (cab_limit){0, CAB_PARTICLE_CONSTRAINT_KINDS - 1, true}, error));
    int kind = (int)in->kind;
    CHECK(check_particles(at, in->particles, cab_p_has_two(kind) ? 2 : 1, def->particle_count, error));
    CHECK(check_shape(at, in, def->particles[in->particles[0]].position, error));
    cab_p_constraint *k = grow(&batch->constraints, 1, sizeof *k, error);
    if (!k) return CAB_ERROR_MEMORY;
    *k = (cab_p_constraint){.kind = kind, .a = in->particles[0], .length = in->length};
    k->b = cab_p_has_two(kind) ? in->particles[1] : k->a;
    k->x = in->point.x;
    k->y = in->point.y;
    k->x2 = in->point2.x;
    k->y2 = in->point2.y;
    if (kind == CAB_P_LINE) {
        double length = hypot(in->direction.x, in->direction.y);
        k->x2 = in->direction.x / length;
        k->y2 = in->direction.y / length;
    }
    if (kind == CAB_P_N_ELLIPSE) CHECK(add_foci(batch, in, k, error));
    k->row = s->rows;
    k->entry = s->entries;
    s->rows += cab_p_row_count(kind);
    s->entries += cab_p_row_count(kind) * cab_p_entry_count(kind);
    return CAB_OK;
}

/* Row starts and columns of J. Counts the entries of each column, into column_start one place further on. */
static void fill_rows(const cab_p_constraint *constraints, const cab_p_system *s, int *table)
{
    int *row_start = table + s->row_start, *column = table + s->column, *count = table + s->column_start + 1;
    for (int i = 0; i < s->constraints; i++) {
        const cab_p_constraint *k = &constraints[i];
        int entries = cab_p_entry_count(k->kind);
        for (int r = 0; r < cab_p_row_count(k->kind); r++) {
            row_start[k->row + r] = k->entry + r * entries;
            for (int j = 0; j < entries; j++) {
                int c = k->kind == CAB_P_POINT ? 2 * k->a + r : 2 * (j < 2 ? k->a : k->b) + (j & 1);
                column[k->entry + r * entries + j] = c;
                count[c]++;
            }
        }
    }
    row_start[s->rows] = s->entries;
}

/* The transpose: entry and row of each column's numbers, in the order of the rows. */
static cab_status fill_columns(const cab_p_system *s, int *table, cab_error *error)
{
    int columns = 2 * s->particles, *start = table + s->column_start;
    int *next = malloc(((size_t)columns + 1) * sizeof *next);
    if (!next) return cab_fail_memory(error, "particles", (size_t)columns * sizeof *next);
    for (int c = 0; c < columns; c++) start[c + 1] += start[c];
    memcpy(next, start, (size_t)columns * sizeof *next);
    for (int r = 0; r < s->rows; r++)
        for (int e = table[s->row_start + r]; e < table[s->row_start + r + 1]; e++) {
            int *item = table + s->transpose + 2 * next[table[s->column + e]]++;
            item[0] = e;
            item[1] = r;
        }
    free(next);
    return CAB_OK;
}

/* Lists for each particle the numbers of `push` that it adds up. */
static cab_status fill_incident(const cab_p_force *forces, const cab_p_system *s, int *table,
                                cab_error *error)
{
    int *start = table + s->incident_start, *item = table + s->incident;
    int *next = malloc(((size_t)s->particles + 1) * sizeof *next);
    if (!next) return cab_fail_memory(error, "particles", (size_t)s->particles * sizeof *next);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->forces; i++) {
            const int of[3] = {forces[i].a, forces[i].b, forces[i].c};
            for (int j = 0; j < force_particles(forces[i].kind); j++) {
                if (pass == 0) start[of[j] + 1]++;
                if (pass == 1) item[next[of[j]]++] = 3 * i + j;
            }
        }
        for (int p = 0; pass == 0 && p < s->particles; p++) {
            start[p + 1] += start[p];
            next[p] = start[p];
        }
    }
    free(next);
    return CAB_OK;
}

static cab_status add_table(cab_p_batch *batch, cab_p_system *s, cab_error *error)
{
    size_t count = 0;
    int *const places[] = {&s->row_start, &s->column,         &s->column_start,
                           &s->transpose, &s->incident_start, &s->incident};
    const int sizes[] = {s->rows + 1,    s->entries,       2 * s->particles + 1,
                         2 * s->entries, s->particles + 1, 3 * s->forces};
    for (int i = 0; i < 6; i++) {
        *places[i] = (int)count;
        count += (size_t)sizes[i];
    }
    s->table = (int)batch->table.count;
    int *table = grow(&batch->table, count, sizeof *table, error);
    if (!table) return CAB_ERROR_MEMORY;
    fill_rows(CAB_P_AT(batch->constraints, cab_p_constraint, s->constraint), s, table);
    cab_status status = fill_columns(s, table, error);
    if (status != CAB_OK) return status;
    return fill_incident(CAB_P_AT(batch->forces, cab_p_force, s->force), s, table, error);
}

/* The order of elimination, appended to the table. */
static cab_status add_elimination(cab_p_batch *batch, cab_p_system *s, cab_error *error)
{
    cab_p_elimination e;
    CHECK(cab_p_eliminate_rows(CAB_P_AT(batch->table, int, s->table), s, &e, error));
    const struct {
        const cab_p_list *list;
        int *place; /* in the system's table */
    } lists[] = {
        {&e.level_start, &s->level_start},     {&e.row_of, &s->row_of},
        {&e.later_start, &s->later_start},     {&e.later, &s->later},
        {&e.earlier_start, &s->earlier_start}, {&e.earlier, &s->earlier},
        {&e.update_start, &s->update_start},   {&e.update, &s->update},
    };
    const int list_count = (int)(sizeof lists / sizeof *lists);
    int first = (int)batch->table.count - s->table, count = first;
    for (int i = 0; i < list_count; count += lists[i++].list->count) *lists[i].place = count;
    int *table = grow(&batch->table, (size_t)(count - first), sizeof *table, error);
    for (int i = 0; table && i < list_count; table += lists[i++].list->count)
        memcpy(table, lists[i].list->item, (size_t)lists[i].list->count * sizeof *table);
    s->levels = e.level_start.count - 1;
    s->slots = e.later.count;
    cab_p_elimination_free(&e);
    return table ? CAB_OK : CAB_ERROR_MEMORY;
}

static cab_status add_work(cab_p_batch *batch, cab_p_system *s, cab_error *error)
{
    int larger = 2 * s->particles > s->rows ? 2 * s->particles : s->rows, n = 2 * s->particles;
    s->parts = (larger + CAB_P_PART - 1) / CAB_P_PART;
    s->sum_parts = s->parts;
    int *const places[] = {&s->x,      &s->v,       &s->at_x,     &s->at_v,   &s->acceleration, &s->force_sum,
                           &s->spread, &s->vectors, &s->jacobian, &s->factor, &s->push,         &s->partial};
    const double sizes[] = {n,
                            n,
                            n,
                            n,
                            4.0 * n,
                            n,
                            n,
                            8.0 * s->rows,
                            s->entries,
                            fmax(5.0 * (s->rows + CAB_P_BLOCK_MAX), /* of any block size */
                                 s->rows + 2.0 * s->slots),
                            6.0 * s->forces,
                            2.0 * s->parts};
    double count = 0;
    for (int i = 0; i < 12; i++) {
        *places[i] = (int)count;
        count += sizes[i];
        if (count > NUMBERS_MAX) return cab_fail_memory(error, "a system", (unsigned long long)count * 8);
    }
    s->work = (int)batch->work;
    batch->work += (size_t)count;
    if (batch->work > NUMBERS_MAX || batch->table.count > NUMBERS_MAX)
        return cab_fail_memory(error, "a batch of systems", (unsigned long long)batch->work * 8);
    return CAB_OK;
}

cab_status cab_p_batch_add(cab_p_batch *batch, const cab_particles_def *def, cab_error *error)
{
    cab_p_system s = {.particle = (int)batch->mass.count,
                      .force = (int)batch->forces.count,
                      .constraint = (int)batch->constraints.count,
                      .particles = def->particle_count,
                      .constraints = def->constraint_count};
    for (int i = 0; i < CAB_P_MICE; i++) s.mouse_particle[i] = -1;
    if (def->particle_count < 0 || def->particle_count > PARTICLES_MAX)
        return cab_fail(error, CAB_ERROR_INPUT, "/particles: expected at most %d, got %d", PARTICLES_MAX,
                        def->particle_count);
    CHECK(add_particles(batch, def, error));
    for (int i = 0; i < def->force_count; i++) CHECK(add_force(batch, def, i, error));
    s.forces = (int)batch->forces.count - s.force;
    for (int i = 0; i < def->constraint_count; i++) CHECK(add_constraint(batch, def, i, &s, error));
    CHECK(cab_p_settle(&def->settings, &s, error));
    CHECK(add_table(batch, &s, error));
    CHECK(add_elimination(batch, &s, error));
    CHECK(add_work(batch, &s, error));
    cab_p_system *place = grow(&batch->systems, 1, sizeof *place, error);
    if (!place) return CAB_ERROR_MEMORY;
    *place = s;
    return CAB_OK;
}

cab_particles_settings cab_particles_default(void)
{
    return (cab_particles_settings){.gravity = {0, -9.81},
                                    .position_gain = 100,
                                    .velocity_gain = 20,
                                    .step = 1e-3,
                                    .integrator = CAB_INTEGRATOR_MIDPOINT_VERLET_2,
                                    .tolerance = 1e-3,
                                    .iterations = 1000,
                                    .block = CAB_P_BLOCK_MAX,
                                    .guard = 0.05};
}
