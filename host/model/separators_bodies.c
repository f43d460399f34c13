/* Rigid bodies that cables are clamped to among the separators of the bending: kernels/rigid_types.h, cab_rigid_bent. */
#include "base/vec3.h"
#include "model/rigid.h"
#include "model/separators.h"

static int first_point(const cab_bending_factor *f, const cab_branches *b, int slot)
{
    return f->model->rigid[b->rigid[slot].body].point;
}

void cab_separators_find_bodies(const cab_branches *b, cab_bending_factor *f, int *count)
{
    for (int i = 0; i < f->model->rigid_count; i++) {
        const cab_rigid *r = &b->rigid[i];
        const cab_rigid_bent *bent = &b->rigid_bent[i];
        if (!(bent->mass > 0)) continue;
        for (int k = bent->moves ? 0 : 1; k <= bent->count; k++) {
            int p = first_point(f, b, i) + k;
            f->particle[*count] = p;
            f->separator[p] = (*count)++;
        }
        for (int k = r->member + CAB_RIGID_POINTS; k < r->member + r->member_count; k++)
            f->body[f->separator[b->rigid_member[k].particle]] = i + 1;
    }
}

/* What the clamp adds besides what its bending does among particles: k (C + shares . g)^2. */
static cab_status add_clamp(const cab_branches *b, cab_bending_factor *f, int slot,
                            const cab_rigid_clamp *clamp, cab_error *error)
{
    const cab_model *m = f->model;
    const cab_bending_constraint *c = &m->bending[clamp->bending];
    const int at[3] = {c->a, c->b, c->c}, *row = &f->separator[first_point(f, b, slot) + 1];
    const double g[3] = {c->ga, -((double)c->ga + c->gc), c->gc};
    double k = c->compliance > 0 ? (f->order ? 1 : 4 / 9.0) / c->compliance : 0;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < b->rigid_bent[slot].count; i++) {
        double own = -(double)clamp->share[i];
        for (int j = 0; status == CAB_OK && j <= i; j++)
            status = cab_separators_add(f, row[j], row[i], -k * own * (double)clamp->share[j], error);
        for (int x = 0; status == CAB_OK && x < 3; x++) {
            bool moves = at[x] >= 0 && m->held[at[x]] < 0 && m->mass[at[x]] > 0;
            if (moves) status = cab_separators_add(f, row[i], f->separator[at[x]], k * own * g[x], error);
        }
    }
    return status;
}

cab_status cab_separators_add_bodies(const cab_branches *b, cab_bending_factor *f, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < f->model->rigid_count; i++) {
        const cab_rigid_bent *bent = &b->rigid_bent[i];
        if (!(bent->mass > 0)) continue;
        double mass = (double)(f->order ? bent->mass_first : bent->mass);
        for (int k = bent->moves ? 0 : 1; k <= bent->count; k++)
            f->diagonal[f->separator[first_point(f, b, i) + k]] += mass;
        for (int k = bent->clamp; status == CAB_OK && k < bent->clamp + bent->clamp_count; k++)
            status = add_clamp(b, f, i, &b->rigid_clamp[k], error);
    }
    return status;
}

/* The shares of a place of a body: 1 of its displacement, d_k . r of the vectors in which it turns. */
static int list_shares(const cab_branches *b, const cab_bending_factor *f, int i,
                       cab_separator_share share[CAB_BODY_ROWS])
{
    int slot = f->body[i] - 1, point = first_point(f, b, slot), count = 0;
    const cab_rigid_bent *bent = &b->rigid_bent[slot];
    cab_vec3 r = cab_vec3_sub(f->model->place[f->particle[i]], f->model->rigid[b->rigid[slot].body].pivot);
    if (bent->moves) share[count++] = (cab_separator_share){f->separator[point], 1};
    for (int k = 0; k < bent->count; k++) {
        const double *d = b->rigid_dual[slot][k];
        share[count++] =
            (cab_separator_share){f->separator[point + 1 + k], d[0] * r.x + d[1] * r.y + d[2] * r.z};
    }
    return count;
}

cab_status cab_separators_fold(const cab_branches *b, cab_bending_factor *f, int i,
                               cab_separator_share share[CAB_BODY_ROWS], int *count, cab_error *error)
{
    cab_status status = CAB_OK;
    int links = f->left.row[i].count;
    *count = list_shares(b, f, i, share);
    for (int s = 0; status == CAB_OK && s < *count; s++) {
        for (int k = 0; status == CAB_OK && k < links; k++) {
            const cab_sparse_link link = f->left.row[i].link[k];
            double value = f->entry[link.entry] * share[s].value;
            if (link.column == share[s].row) value *= 2;
            status = cab_separators_add(f, share[s].row, link.column, value, error);
        }
        for (int t = 0; status == CAB_OK && t <= s; t++)
            status = cab_separators_add(f, share[t].row, share[s].row,
                                        f->diagonal[i] * share[t].value * share[s].value, error);
    }
    return status;
}
