/* The factor of M/h_s^2 + K (times h_s^2) of everything that bends together: inside the branches two bands
 * and the spikes of the separators at their start; among the separators what is left, sparse, eliminated by
 * least degree. */
#include "model/separators.h"

#include <string.h>

#include "model/drums.h"
#include "model/rigid.h"
#include "model/tiles.h"

#define HELD_LENGTH                                                                                          \
    1e30 /* compliance of a segment between two held particles: its tension cannot be known                  \
          */

static bool is_free(const cab_model *m, int particle)
{
    return m->held[particle] < 0 && m->mass[particle] > 0;
}

double cab_branches_mass(const cab_model *m, int particle, int order)
{
    double h = cab_model_substep_of(m, particle), hs = order ? h : 2 * h / 3;
    if (!is_free(m, particle)) return 0;
    return m->mass[particle] * (1 + m->damping[particle] * hs) + cab_model_soft_mass(m, particle, hs);
}

/* Every node inside a run knows itself; all others are separators. */
static cab_status find_separators(const cab_branches *b, cab_bending_factor *f, cab_error *error)
{
    const cab_model *m = f->model;
    int count = 0;
    cab_status status = CAB_NEW(f->separator, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(f->particle, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(f->node, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(f->row, m->node_count + 2, error);
    if (status == CAB_OK) status = CAB_NEW(f->body, m->particle_count, error);
    if (status != CAB_OK) return status;
    memset(f->node, -1, (size_t)m->particle_count * sizeof *f->node);
    memset(f->separator, -1, (size_t)m->particle_count * sizeof *f->separator);
    for (int i = 0; i < b->branch_count; i++) {
        const cab_branch *r = &b->branch[i];
        for (int k = r->run; k < r->run + r->run_count; k++) f->node[m->node_particle[k]] = k;
    }
    for (int i = 0; i < m->node_count; i++) {
        int p = m->node_particle[i];
        if (f->node[p] >= 0 || f->separator[p] >= 0) continue;
        f->particle[count] = p;
        f->separator[p] = count++;
    }
    cab_separators_find_bodies(b, f, &count);
    status = cab_sparse_create(&f->left, count, error);
    if (status == CAB_OK) status = CAB_NEW(f->diagonal, count, error);
    if (status == CAB_OK) status = CAB_NEW(f->sequence, count, error);
    if (status == CAB_OK) status = CAB_NEW(f->place, count, error);
    return status;
}

cab_status cab_separators_add(cab_bending_factor *f, int i, int j, double value, cab_error *error)
{
    if (i == j) {
        f->diagonal[i] += value;
        return CAB_OK;
    }
    int entry = cab_sparse_entry(&f->left, i, j, error);
    if (entry < 0) return CAB_ERROR_MEMORY;
    if (entry >= f->entry_room) {
        int room = 2 * entry + 64;
        double *grown = realloc(f->entry, (size_t)room * sizeof *grown);
        if (!grown) return cab_fail_memory(error, "junctions", (size_t)room * sizeof *grown);
        memset(grown + f->entry_room, 0, (size_t)(room - f->entry_room) * sizeof *grown);
        f->entry = grown;
        f->entry_room = room;
    }
    f->entry[entry] += value;
    return CAB_OK;
}

/* Adds to the matrix at two particles of one element, at most two nodes apart when one is inside a branch. */
static cab_status add(cab_bending_factor *f, int p, int q, double value, cab_error *error)
{
    const cab_model *m = f->model;
    if (!is_free(m, p) || !is_free(m, q)) return CAB_OK;
    int x = f->node[p], y = f->node[q];
    if (x < 0 && y < 0) return cab_separators_add(f, f->separator[p], f->separator[q], value, error);
    if (p == q) {
        f->row[x].diagonal += value;
        return CAB_OK;
    }
    int inside = x >= 0 ? x : y, other = x >= 0 ? q : p, apart = -2;
    while (apart < 2 && (apart == 0 || inside + apart < 0 || inside + apart >= m->node_count ||
                         m->node_particle[inside + apart] != other))
        apart++;
    cab_run_row *row = &f->row[inside];
    if (apart == 1) row->next += value;
    if (apart == 2) row->after += value;
    if (apart == -1) {
        if (f->node[other] >= 0)
            f->row[inside - 1].next += value;
        else
            row->spike_next += value;
    }
    if (apart == -2) {
        if (f->node[other] >= 0)
            f->row[inside - 2].after += value;
        else if (f->node[m->node_particle[inside - 1]] >= 0)
            row->spike_next += value; /* one node stands between it and the separator next to the start */
        else
            row->spike += value;
    }
    return CAB_OK;
}

/* A body resists what bends at it; kernel rigid_fit gives it the momentum. One that cables are clamped to has unknowns of its own. */
static double bending_mass(const cab_bending_factor *f, int p)
{
    double mass = cab_branches_mass(f->model, p, f->order);
    bool on_body = f->model->rigid_of[p] >= 0 && f->body[f->separator[p]] == 0;
    return on_body ? mass * cab_rigid_heavier(f->model, p) : mass;
}

static cab_status assemble(const cab_branches *b, cab_bending_factor *f, cab_error *error)
{
    const cab_model *m = f->model;
    double scale = f->order ? 1 : 4 / 9.0; /* h_s^2 / h^2 */
    cab_status status = CAB_OK;
    for (int p = 0; status == CAB_OK && p < m->particle_count; p++)
        if (f->node[p] >= 0 || f->separator[p] >= 0)
            if (cab_rigid_of_particle(m, p) < 0 || m->rigid_of[p] >= 0)
                status = add(f, p, p, bending_mass(f, p), error);
    for (int i = 0; status == CAB_OK && i < m->bending_count; i++) {
        const cab_bending_constraint *c = &m->bending[i];
        const int at[3] = {c->a, c->b, c->c};
        const double g[3] = {c->ga, -((double)c->ga + c->gc), c->gc};
        double h = cab_model_substep_of(m, c->b), hs = f->order ? h : 2 * h / 3;
        double k = c->compliance > 0 ? scale / c->compliance * cab_model_viscous_factor(m, i, hs) : 0;
        for (int x = 0; status == CAB_OK && x < 3; x++) {
            for (int y = x; status == CAB_OK && y < 3; y++) {
                if (at[x] < 0 || at[y] < 0) continue;
                status = add(f, at[x], at[y], k * g[x] * g[y], error);
            }
        }
    }
    return status == CAB_OK ? cab_separators_add_bodies(b, f, error) : status;
}

/* What the elimination of a branch has left in the rows of its separators. */
static cab_status leave_branch(cab_bending_factor *f, const cab_branch *b, cab_run_row *beyond,
                               const double start[3], cab_error *error)
{
    const int *s = b->separator;
    struct {
        int p, q;
        double value;
    } rest[] = {{s[0], s[0], start[0]},        {s[0], s[1], start[1]},
                {s[1], s[1], start[2]},        {s[2], s[2], beyond[0].diagonal},
                {s[2], s[3], beyond[0].next},  {s[3], s[3], beyond[1].diagonal},
                {s[0], s[2], beyond[0].spike}, {s[1], s[2], beyond[0].spike_next},
                {s[0], s[3], beyond[1].spike}, {s[1], s[3], beyond[1].spike_next}};
    cab_status status = CAB_OK;
    for (size_t k = 0; status == CAB_OK && k < sizeof rest / sizeof *rest; k++) {
        if (rest[k].p >= 0 && rest[k].q >= 0) {
            double twice = rest[k].p == rest[k].q && (k == 1 || k == 4 || k > 5) ? 2 : 1;
            status = add(f, rest[k].p, rest[k].q, twice * rest[k].value, error);
        }
    }
    return status;
}

/* Eliminates the nodes of a run from its start to its end. rows: of the run's nodes; beyond, start: what that leaves of those
 * after it and of the separators at its start */
static void eliminate_run(const cab_model *m, const cab_branch *b, const cab_run_row *rows,
                          cab_branch_factor *out, cab_run_row *beyond, double start[3])
{
    cab_run_row now = {0}, next = {0}, after = {0};
    int end = b->run + b->run_count;
    start[0] = start[1] = start[2] = 0;
    for (int k = b->run; k < end; k++) {
        const cab_run_row *own = &rows[k - b->run];
        now.diagonal += own->diagonal;
        now.next += own->next;
        now.after += own->after;
        now.spike += own->spike;
        now.spike_next += own->spike_next;
        bool moves = is_free(m, m->node_particle[k]) && now.diagonal > 0;
        double pivot = moves ? 1 / now.diagonal : 0;
        double l = now.next * pivot, l2 = now.after * pivot, s = now.spike * pivot,
               s1 = now.spike_next * pivot;
        out[k].band = (float)l;
        out[k].band_next = (float)l2;
        out[k].spike = (float)s;
        out[k].spike_next = (float)s1;
        out[k].pivot = (float)pivot;
        next.diagonal -= l * now.next;
        next.next -= l * now.after;
        next.spike -= l * now.spike;
        next.spike_next -= l * now.spike_next;
        after.diagonal -= l2 * now.after;
        after.spike -= l2 * now.spike;
        after.spike_next -= l2 * now.spike_next;
        start[0] -= s * now.spike;
        start[1] -= s * now.spike_next;
        start[2] -= s1 * now.spike_next;
        now = next;
        next = after;
        after = (cab_run_row){0};
    }
    beyond[0] = now;
    beyond[1] = next;
}

static cab_status eliminate_branch(cab_bending_factor *f, const cab_branch *b, cab_branch_factor *out,
                                   cab_error *error)
{
    cab_run_row beyond[2];
    double start[3];
    eliminate_run(f->model, b, &f->row[b->run], out, beyond, start);
    return leave_branch(f, b, beyond, start, error);
}

/* Adds the bendings about node k to the rows of a branch that is a cable by itself. */
static void add_bendings_about(const cab_model *m, const cab_branches *b, const cab_branch *branch, int k,
                               double scale, cab_run_row *rows)
{
    int p = m->node_particle[k];
    for (int item = b->bend_start[p]; item < b->bend_start[p + 1]; item++) {
        const cab_bending_constraint *c = &m->bending[b->bend_item[item] >> 2];
        if ((b->bend_item[item] & 3) != 1 || !(c->compliance > 0)) continue;
        bool forwards = k > branch->first && m->node_particle[k - 1] == c->a;
        if (k == branch->first) forwards = m->node_particle[k + 1] == c->c;
        const double ends[2] = {forwards ? c->ga : c->gc, forwards ? c->gc : c->ga};
        const double g[3] = {ends[0], -((double)c->ga + c->gc), ends[1]};
        for (int x = 0; x < 3; x++) {
            for (int y = x; y < 3; y++) {
                int from = k - 1 + x, to = k - 1 + y;
                if (from < branch->first || to >= branch->first + branch->count) continue;
                if (!is_free(m, m->node_particle[from]) || !is_free(m, m->node_particle[to])) continue;
                cab_run_row *row = &rows[from - branch->first];
                *(y == x       ? &row->diagonal
                  : y == x + 1 ? &row->next
                               : &row->after) += scale / c->compliance * g[x] * g[y];
            }
        }
    }
}

cab_status cab_branches_factor_alone(const cab_model *m, cab_branches *b, const cab_branch *branch,
                                     cab_error *error)
{
    cab_run_row *rows, beyond[2];
    double start[3];
    cab_status status = CAB_NEW(rows, branch->count, error);
    for (int order = 0; status == CAB_OK && order < 2; order++) {
        for (int k = 0; k < branch->count; k++)
            rows[k] =
                (cab_run_row){.diagonal = cab_branches_mass(m, m->node_particle[branch->first + k], order)};
        for (int k = branch->first; k < branch->first + branch->count; k++)
            add_bendings_about(m, b, branch, k, order ? 1 : 4 / 9.0, rows);
        eliminate_run(m, branch, rows, b->factor + (size_t)order * (size_t)m->node_count, beyond, start);
    }
    free(rows);
    return status;
}

static cab_status eliminate_row(cab_bending_factor *f, int i, cab_error *error)
{
    const cab_sparse_row *row = &f->left.row[i];
    cab_status status = CAB_OK;
    double pivot = f->diagonal[i] > 0 ? 1 / f->diagonal[i] : 0;
    for (int x = 0; status == CAB_OK && x < row->count; x++) {
        for (int y = 0; status == CAB_OK && y <= x; y++) {
            double value = f->entry[row->link[x].entry] * f->entry[row->link[y].entry] * pivot;
            status = cab_separators_add(f, row->link[x].column, row->link[y].column, -value, error);
        }
    }
    return status;
}

/* Where the next column goes: its row in `left`, its number, its first entry. */
typedef struct cab_column {
    int row, column, entry, room;
} cab_column;

static cab_status grow_rows(cab_branches *b, int more, int *room, cab_error *error)
{
    if (b->row_count + more <= *room) return CAB_OK;
    size_t larger = 2 * (size_t)*room + (size_t)more + 64;
    cab_status status = CAB_RESIZE(b->separator_row, larger, error);
    if (status == CAB_OK) status = CAB_RESIZE(b->separator_factor, 2 * larger, error);
    if (status == CAB_OK) *room = (int)larger;
    return status;
}

/* A column of the factor: rows as they are numbered now, renamed when the order is known. The second order
 * lays the lists down, the first fills in its numbers, in the same order. pivot: 1 over the diagonal */
static cab_status write_column(cab_bending_factor *f, cab_branches *b, cab_column *at, double pivot,
                               const cab_separator_share *share, int count, cab_error *error)
{
    cab_separator *s = &b->separator[at->column];
    cab_status status = f->order ? CAB_OK : grow_rows(b, count, &at->room, error);
    if (status != CAB_OK) return status;
    if (f->order)
        s->pivot_first = (float)pivot;
    else
        *s = (cab_separator){.particle = f->particle[at->row], .row = b->row_count, .pivot = (float)pivot};
    for (int k = 0; k < count; k++) {
        b->separator_factor[2 * at->entry + f->order] = (float)share[k].value;
        b->separator_row[at->entry++] = share[k].row;
    }
    if (!f->order) b->row_count = at->entry;
    f->sequence[at->column] = at->row;
    f->place[at->row] = at->column++;
    cab_sparse_remove(&f->left, at->row);
    return CAB_OK;
}

/* A row that is a place of a body follows the body's unknowns, without a way of its own. */
static cab_status write_place(cab_bending_factor *f, cab_branches *b, cab_column *at, cab_error *error)
{
    cab_separator_share share[CAB_BODY_ROWS];
    int count;
    cab_status status = cab_separators_fold(b, f, at->row, share, &count, error);
    for (int k = 0; k < count; k++) share[k].value = -share[k].value;
    return status == CAB_OK ? write_column(f, b, at, 0, share, count, error) : status;
}

static cab_status write_row(cab_bending_factor *f, cab_branches *b, cab_column *at, cab_error *error)
{
    int i = at->row, count = f->left.row[i].count;
    double pivot = f->diagonal[i] > 0 ? 1 / f->diagonal[i] : 0;
    cab_separator_share *share;
    cab_status status = eliminate_row(f, i, error);
    if (status == CAB_OK) status = CAB_NEW(share, count, error);
    if (status != CAB_OK) return status;
    for (int k = 0; k < count; k++) {
        const cab_sparse_link *link = &f->left.row[i].link[k];
        double value = f->diagonal[i] > 0 ? f->entry[link->entry] / f->diagonal[i] : 0;
        share[k] = (cab_separator_share){link->column, value};
    }
    status = write_column(f, b, at, pivot, share, count, error);
    free(share);
    return status;
}

/* The members of a net that are separators. */
static int list_members(const cab_branches *b, const cab_bending_factor *f, int component, int *members)
{
    int count = 0;
    for (int k = b->component_start[component]; k < b->component_start[component + 1]; k++) {
        int row = f->separator[b->component_particle[k]];
        if (row >= 0) members[count++] = row;
    }
    return count;
}

/* Places of bodies first: what is linked to them is linked to the bodies then. */
static cab_status eliminate_net(cab_bending_factor *f, cab_branches *b, cab_column *at, const int *members,
                                int count, cab_error *error)
{
    cab_status status = CAB_OK;
    int places = 0;
    for (int k = 0; status == CAB_OK && k < count; k++) {
        if (f->body[members[k]] == 0) continue;
        at->row = members[k];
        status = write_place(f, b, at, error);
        places++;
    }
    for (int k = places; status == CAB_OK && k < count; k++) {
        at->row = cab_sparse_least(&f->left, members, count);
        status = write_row(f, b, at, error);
    }
    return status;
}

static cab_status eliminate_separators(cab_bending_factor *f, cab_branches *b, cab_error *error)
{
    int *members;
    cab_column at = {.room = b->row_count};
    cab_status status = CAB_NEW(members, f->left.count, error);
    for (int n = 0; status == CAB_OK && n < b->joined_count; n++) {
        int count = list_members(b, f, b->joined[n].component, members);
        b->joined[n].separator = at.column;
        b->joined[n].separator_count = count;
        status = eliminate_net(f, b, &at, members, count, error);
    }
    for (int k = 0; status == CAB_OK && k < at.entry; k++)
        b->separator_row[k] = f->place[b->separator_row[k]];
    b->separator[at.column].row = at.entry;
    b->separator_count = at.column;
    free(members);
    return status;
}

/* Which of the branches' leftovers a separator takes. */
static cab_status list_items(const cab_bending_factor *f, cab_branches *b, cab_error *error)
{
    int *at;
    cab_status status = CAB_NEW(at, b->separator_count + 1, error);
    free(b->separator_item);
    b->separator_item = NULL;
    if (status == CAB_OK) status = CAB_NEW(b->separator_item, 4 * (long long)b->branch_count, error);
    for (int pass = 0; status == CAB_OK && pass < 2; pass++) {
        for (int i = 0; i < b->branch_count; i++) {
            for (int k = 0; k < 4; k++) {
                int p = b->branch[i].separator[k];
                if (p < 0) continue;
                int column = f->place[f->separator[p]];
                if (pass == 0)
                    at[column + 1]++;
                else
                    b->separator_item[at[column]++] = 4 * i + k;
            }
        }
        for (int k = 0; pass == 0 && k < b->separator_count; k++)
            b->separator[k + 1].item = at[k + 1] += at[k];
    }
    free(at);
    return status;
}

static cab_status factor_order(const cab_model *m, cab_branches *b, int order, cab_error *error)
{
    cab_bending_factor f = {.model = m, .order = order};
    cab_status status = find_separators(b, &f, error);
    if (status == CAB_OK && !b->separator) status = CAB_NEW(b->separator, f.left.count + 1, error);
    if (status == CAB_OK) status = assemble(b, &f, error);
    cab_branch_factor *out = b->factor + (size_t)order * (size_t)m->node_count;
    for (int i = 0; status == CAB_OK && i < b->branch_count; i++)
        status = eliminate_branch(&f, &b->branch[i], out, error);
    if (status == CAB_OK) status = eliminate_separators(&f, b, error);
    if (status == CAB_OK) status = list_items(&f, b, error);
    cab_sparse_free(&f.left);
    CAB_FREE(f.separator, f.particle, f.body, f.node, f.row, f.diagonal, f.entry, f.sequence, f.place);
    return status;
}

cab_status cab_branches_factor_bending(const cab_model *model, cab_branches *branches, cab_error *error)
{
    branches->row_count = 0;
    cab_status status = factor_order(model, branches, 0, error);
    if (status == CAB_OK) status = factor_order(model, branches, 1, error);
    return status;
}

void cab_branches_fill_segment(const cab_model *m, double regularisation, cab_branch_node *out)
{
    const cab_distance_constraint *d = &m->distance[out->distance];
    bool free_a = is_free(m, d->a), free_b = is_free(m, d->b);
    out->rest = out->wanted = d->rest;
    out->compliance = d->compliance;
    if (!free_a && !free_b) out->compliance = (float)HELD_LENGTH;
    double w = (free_a ? 1 / m->mass[d->a] : 0) + (free_b ? 1 / m->mass[d->b] : 0);
    out->regularisation = (float)(regularisation * w);
}

bool cab_branches_is_alone(const cab_branches *b, const cab_branch *branch)
{
    const int *start = &b->component_branch_start[branch->component];
    return start[1] - start[0] == 1 && branch->start < 0 && branch->end < 0;
}

double cab_branches_regularisation(const cab_model *m, const cab_branches *b, const cab_branch *branch)
{
    return cab_branches_is_alone(b, branch) ? cab_direct_regularisation(m, branch->first, branch->count)
                                            : CAB_REGULARISATION;
}

/* What is joined pulls at each other. Lengths by masses alone hold until a segment is ten times as stiff across as what a
 * lone cable is allowed: docs/design.md, "Heavy loads". */
#define JOINED_HARD 10.0

static double heaviest_of(const cab_model *m, const cab_branches *b, int component)
{
    double heaviest = 0;
    for (int i = b->component_start[component]; i < b->component_start[component + 1]; i++) {
        int p = b->component_particle[i];
        if (is_free(m, p)) heaviest = fmax(heaviest, m->mass[p]);
    }
    return heaviest;
}

/* A cable that is held once more than by its drum may be reeled in until it is straight. heaviest: kg, of its net; rigid: a body
 * is in that */
static void fill_branch(const cab_model *m, cab_branches *b, cab_branch *branch, double heaviest, bool rigid)
{
    bool alone = cab_branches_is_alone(b, branch);
    bool loaded = alone ? cab_direct_is_loaded(m, branch->first, branch->count)
                        : branch->count > 1 &&
                              cab_direct_pulls_hard(m, branch->first, branch->count, heaviest, JOINED_HARD);
    double regularisation = cab_branches_regularisation(m, b, branch);
    branch->fed = cab_drum_among(m, branch->first, branch->count) != NULL;
    branch->taut = (regularisation == (double)CAB_REGULARISATION &&
                    (branch->count > CAB_STIFF_LONG ||
                     (alone && (branch->fed || cab_direct_is_straight(m, branch->first, branch->count))))) ||
                   loaded;
    if (rigid) branch->taut = CAB_TAUT_RIGID;
    if (branch->taut) b->any_taut = true;
    for (int i = branch->first; i < branch->first + branch->count; i++) {
        b->node[i] =
            (cab_branch_node){.particle = m->node_particle[i],
                              .distance = m->node_segment[i],
                              .segment = m->node_segment[i] < 0 ? -1 : branch->segment + i - branch->first};
        if (m->node_segment[i] >= 0) cab_branches_fill_segment(m, regularisation, &b->node[i]);
    }
}

cab_status cab_branches_factorise(const cab_model *m, cab_branches *b, cab_error *error)
{
    cab_status status = CAB_OK;
    if (!b->node) status = CAB_NEW(b->node, m->node_count, error);
    if (status == CAB_OK && !b->factor) status = CAB_NEW(b->factor, 2 * (long long)m->node_count, error);
    if (status != CAB_OK) return status;
    bool *joint;
    status = CAB_NEW(joint, m->particle_count, error);
    if (status != CAB_OK) return status;
    for (int p = 0; p < m->particle_count; p++) joint[p] = cab_rigid_of_particle(m, p) >= 0;
    for (int k = 0; k < b->junction_count; k++) {
        if (b->junction[k].rigid) continue;
        joint[b->junction[k].particle] = true;
        b->junction[k].mass = (float)cab_branches_mass(m, b->junction[k].particle, 0);
        b->junction[k].mass_first = (float)cab_branches_mass(m, b->junction[k].particle, 1);
    }
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < m->node_count; i++) {
            int p = m->node_particle[i];
            double mass = cab_branches_mass(m, p, order);
            b->factor[(size_t)order * (size_t)m->node_count + (size_t)i].weight =
                mass > 0 && !joint[p] ? (float)(1 / mass) : 0;
        }
    }
    for (int c = 0; c < b->component_count; c++) {
        double heaviest = heaviest_of(m, b, c);
        bool rigid = cab_rigid_of_particle(m, b->component_particle[b->component_start[c + 1] - 1]) >= 0;
        for (int k = b->component_branch_start[c]; k < b->component_branch_start[c + 1]; k++)
            fill_branch(m, b, &b->branch[b->component_branch[k]], heaviest, rigid);
    }
    free(joint);
    cab_branches_weigh_rigid(m, b);
    return cab_branches_factor_bending(m, b, error);
}
