/* Which unknowns a system of bending and lengths has, in which order they are eliminated, and where their blocks lie. */
#include "model/coupled.h"

#include "model/branches_parts.h"
#include "model/truss_order.h"

/* Work of one model. An unknown is a free particle, or behind these a tension that no particle is left for. */
typedef struct cab_coupling {
    const cab_model *m;
    const cab_branches *b;
    cab_coupled_tables *t;
    int *unknown;  /* [P] of a particle; -1 = none */
    int *particle; /* of an unknown, */
    int *of;       /* and the coupled component */
    int free_count, count;
    int *link_start, *link_of; /* segments of a free particle */
    int *owned,
        *waiting; /* an unknown's own segment, -1 = none; how many of its segments have no owner yet */
    int *first, *neighbour; /* unknowns that share a segment or a bending */
    cab_factor_pattern pattern;
    int *place; /* [unknowns] in the order of elimination */
    int *order; /* the other way round */
    int *extra; /* [unknowns] the tension that is eliminated next after a particle, -1 = none */
} cab_coupling;

static int unknown_of(const cab_coupling *c, int particle)
{
    return particle < 0 ? -1 : c->unknown[particle];
}

static cab_status find_components(cab_coupling *c, cab_error *error)
{
    const cab_branches *b = c->b;
    cab_coupled_tables *t = c->t;
    cab_status status = CAB_NEW(t->of, b->component_count, error);
    if (status == CAB_OK)
        status = cab_model_coupled_components(c->m, b->component, b->component_count, t->of, error);
    if (status == CAB_OK) status = CAB_NEW(t->coupled, b->component_count, error);
    for (int i = 0; status == CAB_OK && i < b->component_count; i++) {
        if (!t->of[i]) continue;
        int branch = b->component_branch[b->component_branch_start[i]];
        t->coupled[t->count++] = (cab_coupled){.component = i, .branch = branch};
    }
    return status;
}

/* The free particles, component by component. */
static cab_status find_particles(cab_coupling *c, cab_error *error)
{
    const cab_model *m = c->m;
    const cab_branches *b = c->b;
    size_t room = (size_t)m->particle_count + (size_t)m->node_count;
    cab_status status = CAB_NEW(c->unknown, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(c->particle, room, error);
    if (status == CAB_OK) status = CAB_NEW(c->of, room, error);
    for (int p = 0; status == CAB_OK && p < m->particle_count; p++) c->unknown[p] = -1;
    for (int i = 0; status == CAB_OK && i < c->t->count; i++) {
        int own = c->t->coupled[i].component;
        for (int k = b->component_start[own]; k < b->component_start[own + 1]; k++) {
            int p = b->component_particle[k];
            if (!(cab_branches_mass(m, p, 0) > 0)) continue;
            c->unknown[p] = c->count;
            c->of[c->count] = i;
            c->particle[c->count++] = p;
        }
    }
    c->free_count = c->count;
    return status;
}

/* Segments that can change their lengths. a and b are unknowns here, columns later. */
static cab_status find_links(cab_coupling *c, cab_error *error)
{
    const cab_branches *b = c->b;
    cab_coupled_tables *t = c->t;
    cab_status status = CAB_NEW(t->link, c->m->node_count, error);
    for (int i = 0; status == CAB_OK && i < t->count; i++) {
        cab_coupled *own = &t->coupled[i];
        own->link = t->link_count;
        for (int j = b->component_branch_start[own->component];
             j < b->component_branch_start[own->component + 1]; j++) {
            const cab_branch *branch = &b->branch[b->component_branch[j]];
            for (int k = branch->first; k < branch->first + branch->count - 1; k++) {
                int x = unknown_of(c, b->node[k].particle), y = unknown_of(c, b->node[k + 1].particle);
                if (x < 0 && y < 0) continue;
                t->link[t->link_count++] = (cab_coupled_link){.node = k, .a = x, .b = y, .owner = -1};
            }
        }
        own->link_count = t->link_count - own->link;
    }
    return status;
}

static cab_status find_bends(cab_coupling *c, cab_error *error)
{
    const cab_model *m = c->m;
    cab_coupled_tables *t = c->t;
    int *of, count = 0;
    cab_status status = CAB_NEW(of, c->b->component_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->bend, m->bending_count, error);
    for (int i = 0; status == CAB_OK && i < t->count; i++) of[t->coupled[i].component] = i + 1;
    for (int i = 0; status == CAB_OK && i < m->bending_count; i++) {
        int own = of[c->b->component[m->bending[i].b]];
        if (own) t->coupled[own - 1].bend_count++;
    }
    for (int i = 0; status == CAB_OK && i < t->count; i++) {
        t->coupled[i].bend = count;
        count += t->coupled[i].bend_count;
        t->coupled[i].bend_count = 0;
    }
    for (int i = 0; status == CAB_OK && i < m->bending_count; i++) {
        const cab_bending_constraint *bending = &m->bending[i];
        int own = of[c->b->component[bending->b]];
        if (!own) continue;
        cab_coupled *to = &t->coupled[own - 1];
        t->bend[to->bend + to->bend_count++] = (cab_coupled_bend){.bending = i,
                                                                  .a = unknown_of(c, bending->a),
                                                                  .b = unknown_of(c, bending->b),
                                                                  .c = unknown_of(c, bending->c)};
    }
    t->bend_count = count;
    free(of);
    return status;
}

static cab_status list_links(cab_coupling *c, cab_error *error)
{
    const cab_coupled_tables *t = c->t;
    cab_status status = CAB_NEW(c->link_start, c->free_count + 2, error);
    if (status == CAB_OK) status = CAB_NEW(c->link_of, 2 * (size_t)t->link_count, error);
    if (status != CAB_OK) return status;
    int *start = c->link_start + 1; /* one ahead, so that filling leaves it in place */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->link_count; i++) {
            const int ends[2] = {t->link[i].a, t->link[i].b};
            for (int k = 0; k < 2; k++) {
                if (ends[k] < 0) continue;
                if (pass == 0)
                    start[ends[k] + 1]++;
                else
                    c->link_of[start[ends[k]]++] = i;
            }
        }
        for (int i = 0; pass == 0 && i < c->free_count; i++) start[i + 1] += start[i];
    }
    return CAB_OK;
}

/* A particle takes the first of its segments that has no owner. Returns the segment's other end. */
static int own_one(cab_coupling *c, int unknown)
{
    for (int k = c->link_start[unknown]; k < c->link_start[unknown + 1]; k++) {
        cab_coupled_link *l = &c->t->link[c->link_of[k]];
        if (l->owner >= 0) continue;
        int other = l->a == unknown ? l->b : l->a;
        l->owner = unknown;
        c->owned[unknown] = c->link_of[k];
        c->waiting[unknown]--;
        if (other >= 0) c->waiting[other]--;
        return other;
    }
    return -1;
}

/* Each segment's tension goes along with a particle at one of its ends, from the ends of trees on; tensions that are left, as in
 * loops and between two holds, are unknowns by themselves. */
static cab_status find_owners(cab_coupling *c, cab_error *error)
{
    cab_coupled_tables *t = c->t;
    cab_status status = list_links(c, error);
    if (status == CAB_OK) status = CAB_NEW(c->owned, c->free_count + t->link_count, error);
    if (status == CAB_OK) status = CAB_NEW(c->waiting, c->free_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < c->free_count; i++) {
        c->owned[i] = -1;
        c->waiting[i] = c->link_start[i + 1] - c->link_start[i];
    }
    for (int loops = 0; loops < 2; loops++)
        for (int i = 0; i < c->free_count; i++) {
            int next = i;
            while (next >= 0 && c->owned[next] < 0 && (c->waiting[next] == 1 || (loops && next == i)))
                next = own_one(c, next);
        }
    for (int i = 0; i < t->link_count; i++) {
        cab_coupled_link *l = &t->link[i];
        if (l->owner >= 0) continue;
        c->of[c->count] = c->of[l->a >= 0 ? l->a : l->b];
        c->particle[c->count] = -1;
        c->owned[c->count] = i;
        l->owner = c->count++;
    }
    return CAB_OK;
}

static void add_pair(cab_coupling *c, int pass, int x, int y)
{
    if (x < 0 || y < 0 || x == y) return;
    if (pass == 0) {
        c->first[x]++;
        c->first[y]++;
        return;
    }
    c->neighbour[--c->first[x]] =
        y; /* filled from the back, so that first[] ends at the starts of the lists */
    c->neighbour[--c->first[y]] = x;
}

/* The particles' graph, and the order in which they are eliminated. */
static cab_status order_particles(cab_coupling *c, cab_error *error)
{
    const cab_coupled_tables *t = c->t;
    cab_status status = CAB_NEW(c->first, c->free_count + 1, error);
    if (status == CAB_OK)
        status = CAB_NEW(c->neighbour, 2 * (size_t)t->link_count + 6 * (size_t)t->bend_count, error);
    if (status != CAB_OK) return status;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->link_count; i++) add_pair(c, pass, t->link[i].a, t->link[i].b);
        for (int i = 0; i < t->bend_count; i++) {
            add_pair(c, pass, t->bend[i].a, t->bend[i].b);
            add_pair(c, pass, t->bend[i].b, t->bend[i].c);
            add_pair(c, pass, t->bend[i].a, t->bend[i].c);
        }
        for (int i = 0; pass == 0 && i < c->free_count; i++) c->first[i + 1] += c->first[i];
    }
    return cab_factor_pattern_make(&c->pattern, c->free_count, c->first, c->neighbour, error);
}

/* A tension by itself comes right after the first end of its segment that is eliminated: before it there is nothing that the tension
 * could pull. */
static cab_status place_unknowns(cab_coupling *c, cab_error *error)
{
    cab_coupled_tables *t = c->t;
    cab_status status = CAB_NEW(c->extra, c->count, error);
    if (status == CAB_OK) status = CAB_NEW(c->place, c->count, error);
    if (status == CAB_OK) status = CAB_NEW(c->order, c->count, error);
    if (status != CAB_OK) return status;
    const int *rank = c->pattern.rank;
    for (int i = 0; i < c->count; i++) {
        c->extra[i] = -1;
        t->coupled[c->of[i]].column_count++;
    }
    for (int i = c->free_count; i < c->count; i++) {
        const cab_coupled_link *l = &t->link[c->owned[i]];
        int to = l->a < 0 || (l->b >= 0 && rank[l->b] < rank[l->a]) ? l->b : l->a;
        while (c->extra[to] >= 0) to = c->extra[to];
        c->extra[to] = i;
    }
    for (int i = 0; i < t->count; i++) {
        t->coupled[i].column = t->column_count;
        t->column_count += t->coupled[i].column_count;
        t->coupled[i].column_count = 0;
    }
    for (int j = 0; j < c->free_count; j++) {
        for (int i = c->pattern.order[j]; i >= 0; i = c->extra[i]) {
            cab_coupled *own = &t->coupled[c->of[i]];
            c->place[i] = own->column + own->column_count++;
            c->order[c->place[i]] = i;
        }
    }
    return CAB_OK;
}

/* The rows of an unknown's column; rows = NULL: only counts them. The particle that comes first: `lead`. */
static int rows_of(const cab_coupling *c, int unknown, int lead, int *rows)
{
    int count = 0, j = c->pattern.rank[lead];
    for (int i = c->extra[unknown]; i >= 0; i = c->extra[i], count++)
        if (rows) rows[count] = c->place[i];
    for (size_t e = c->pattern.first[j]; e < c->pattern.first[j + 1]; e++, count++)
        if (rows) rows[count] = c->place[c->pattern.order[c->pattern.row[e]]];
    return count;
}

/* The block of two columns. */
static int block_of(const cab_coupled_tables *t, int x, int y)
{
    if (x < 0 || y < 0 || x == y) return -1;
    int column = x < y ? x : y, row = x < y ? y : x;
    for (int k = t->column[column].block; k < t->column[column + 1].block; k++)
        if (t->row[k] == row) return k;
    return -1;
}

static cab_status make_blocks(cab_coupling *c, cab_error *error)
{
    cab_coupled_tables *t = c->t;
    long long terms = 0, blocks = 0;
    cab_status status = CAB_NEW(t->column, t->column_count + 1, error);
    for (int pass = 0; status == CAB_OK && pass < 2; pass++) {
        int lead = -1, at = 0;
        for (int k = 0; k < t->column_count; k++) {
            int i = c->order[k];
            if (c->particle[i] >= 0) lead = i;
            int count = rows_of(c, i, lead, pass == 1 ? t->row + at : NULL);
            t->column[k].block = at;
            at += count;
            blocks += pass == 0 ? count : 0;
            terms += pass == 0 ? (long long)count * (count - 1) / 2 : 0;
        }
        t->column[t->column_count].block = at;
        if (pass == 0) status = CAB_NEW(t->row, blocks + terms, error);
    }
    t->block_count = t->row_count = (int)blocks;
    for (int k = 0; status == CAB_OK && k < t->column_count; k++) {
        t->column[k].term = t->row_count;
        for (int x = t->column[k].block; x < t->column[k + 1].block; x++)
            for (int y = t->column[k].block; y < x; y++)
                t->row[t->row_count++] = block_of(t, t->row[x], t->row[y]);
    }
    if (status == CAB_OK) t->column[t->column_count].term = t->row_count;
    return status;
}

static int column_of(const cab_coupling *c, int unknown)
{
    return unknown < 0 ? -1 : c->place[unknown];
}

/* Twice the block of an owner and an end, + 1 where the owner is the row. */
static int owner_block(const cab_coupled_tables *t, int owner, int end)
{
    int block = block_of(t, owner, end);
    return block < 0 ? -1 : 2 * block + (owner > end);
}

static void fill(cab_coupling *c)
{
    cab_coupled_tables *t = c->t;
    for (int i = 0; i < t->count; i++) t->coupled[i].columns = t->column_count;
    for (int k = 0; k < t->column_count; k++) {
        int i = c->order[k], p = c->particle[i];
        t->column[k].particle = p;
        t->column[k].link = c->owned[i];
        t->column[k].mass = p < 0 ? 0 : (float)cab_branches_mass(c->m, p, 0);
        t->column[k].mass_first = p < 0 ? 0 : (float)cab_branches_mass(c->m, p, 1);
    }
    for (int i = 0; i < t->link_count; i++) {
        cab_coupled_link *l = &t->link[i];
        l->a = column_of(c, l->a);
        l->b = column_of(c, l->b);
        l->owner = column_of(c, l->owner);
        l->between = block_of(t, l->a, l->b);
        l->to_a = owner_block(t, l->owner, l->a);
        l->to_b = owner_block(t, l->owner, l->b);
    }
    for (int i = 0; i < t->bend_count; i++) {
        cab_coupled_bend *b = &t->bend[i];
        b->a = column_of(c, b->a);
        b->b = column_of(c, b->b);
        b->c = column_of(c, b->c);
        b->ab = block_of(t, b->a, b->b);
        b->bc = block_of(t, b->b, b->c);
        b->ac = block_of(t, b->a, b->c);
    }
}

cab_status cab_coupled_build(const cab_model *model, const cab_branches *branches, cab_coupled_tables *tables,
                             cab_error *error)
{
    cab_coupling c = {.m = model, .b = branches, .t = tables};
    *tables = (cab_coupled_tables){0};
    cab_status status = find_components(&c, error);
    if (status == CAB_OK && tables->count > 0) {
        status = find_particles(&c, error);
        if (status == CAB_OK) status = find_links(&c, error);
        if (status == CAB_OK) status = find_bends(&c, error);
        if (status == CAB_OK) status = find_owners(&c, error);
        if (status == CAB_OK) status = order_particles(&c, error);
        if (status == CAB_OK) status = place_unknowns(&c, error);
        if (status == CAB_OK) status = make_blocks(&c, error);
        if (status == CAB_OK) fill(&c);
    }
    cab_factor_pattern_free(&c.pattern);
    CAB_FREE(c.unknown, c.particle, c.of, c.link_start, c.link_of, c.owned, c.waiting, c.first, c.neighbour,
             c.place, c.order, c.extra);
    return status;
}

void cab_coupled_free(cab_coupled_tables *t)
{
    CAB_FREE(t->coupled, t->of, t->column, t->row, t->link, t->bend);
    *t = (cab_coupled_tables){0};
}
