/* The junctions' system of lengths: 3 x 3 blocks, eliminated by least degree, which takes a tree from its
 * leaves to its root without fill. Order and terms are made here; the numbers change with every substep. */
#include "model/branches_parts.h"

#include "model/rigid.h"
#include "model/sockets.h"
#include "model/sparse.h"

/* Work of one model. */
typedef struct cab_junctions {
    cab_sparse graph; /* of junctions; an entry is a block */
    int *of_particle; /* [P] junction in the order of finding; -1 = none, or held */
    int *particle;    /* of a junction */
    int count;
    int *place;       /* [junctions] in the order of elimination */
    int *block_place; /* [entries] */
    cab_block_term
        *term; /* row and column junctions, not blocks, while the order is not known; target: entry or -1 */
    int (*term_of)[2]; /* entries of row and column */
    int *term_column;  /* junction being eliminated */
    int term_count, term_room;
} cab_junctions;

static cab_status find_junctions(const cab_model *m, const cab_cut *cut, cab_junctions *j, cab_error *error)
{
    cab_status status = CAB_NEW(j->of_particle, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(j->particle, m->particle_count, error);
    for (int p = 0; status == CAB_OK && p < m->particle_count; p++) {
        bool free_junction = cut->nodes[p] > 1 && m->held[p] < 0 && m->rigid_of[p] < 0 && m->mass[p] > 0;
        int body = cab_rigid_of_particle(m, p);
        if (body >= 0 && m->rigid_of[p] < 0) free_junction = p < m->rigid[body].point + 2;
        j->of_particle[p] = free_junction ? j->count : -1;
        if (!free_junction) continue;
        j->particle[j->count++] = p;
    }
    return status;
}

static cab_status add_term(cab_junctions *j, int column, cab_block_term term, int row_entry, int column_entry,
                           cab_error *error)
{
    if (j->term_count == j->term_room) {
        int room = 2 * j->term_room + 64;
        cab_status status = CAB_RESIZE(j->term, room, error);
        if (status == CAB_OK) status = CAB_RESIZE(j->term_of, room, error);
        if (status == CAB_OK) status = CAB_RESIZE(j->term_column, room, error);
        if (status != CAB_OK) return status;
        j->term_room = room;
    }
    j->term[j->term_count] = term;
    j->term_of[j->term_count][0] = row_entry;
    j->term_of[j->term_count][1] = column_entry;
    j->term_column[j->term_count++] = column;
    return CAB_OK;
}

/* The terms of a column, each pair of its rows once. */
static cab_status eliminate(cab_junctions *j, int column, cab_error *error)
{
    const cab_sparse_row *row = &j->graph.row[column];
    cab_status status = CAB_OK;
    for (int x = 0; status == CAB_OK && x < row->count; x++) {
        for (int y = 0; status == CAB_OK && y <= x; y++) {
            int a = row->link[x].column, b = row->link[y].column;
            int target = x == y ? -1 : cab_sparse_entry(&j->graph, a, b, error);
            if (x != y && target < 0) return CAB_ERROR_MEMORY;
            status = add_term(j, column, (cab_block_term){.row = a, .column = b, .target = target},
                              row->link[x].entry, row->link[y].entry, error);
        }
    }
    cab_sparse_remove(&j->graph, column);
    return status;
}

/* Junctions component by component in the order of elimination: order[place]. */
static cab_status order_junctions(cab_branches *b, cab_junctions *j, int *order, cab_error *error)
{
    int *members, done = 0;
    cab_status status = CAB_NEW(members, j->count, error);
    for (int n = 0; status == CAB_OK && n < b->joined_count; n++) {
        int count = 0;
        cab_joined *joined = &b->joined[n];
        for (int k = b->component_start[joined->component]; k < b->component_start[joined->component + 1];
             k++) {
            int junction = j->of_particle[b->component_particle[k]];
            if (junction >= 0) members[count++] = junction;
        }
        joined->junction = done;
        joined->junction_count = count;
        for (int k = 0; status == CAB_OK && k < count; k++) {
            int next = cab_sparse_least(&j->graph, members, count);
            j->place[next] = done;
            order[done++] = next;
            status = eliminate(j, next, error);
        }
    }
    free(members);
    return status;
}

static void set_ends(const cab_model *m, const cab_branches *b, const cab_junctions *j)
{
    for (int i = 0; i < b->branch_count; i++) {
        cab_branch *branch = &b->branch[i];
        branch->start = j->of_particle[m->node_particle[branch->first]];
        branch->end = j->of_particle[m->node_particle[branch->first + branch->count - 1]];
    }
}

/* Two bodies that may touch each other, or of which one is plugged into the other; led ones are no unknowns. */
static bool link_bodies(const cab_model *m, cab_junctions *j, const int pair[2], cab_error *error)
{
    int own[2], other[2];
    if (!cab_socket_moves(m, pair[0]) || !cab_socket_moves(m, pair[1])) return true;
    cab_branches_rows(m, j->of_particle, m->rigid[pair[0]].point, own);
    cab_branches_rows(m, j->of_particle, m->rigid[pair[1]].point, other);
    for (int k = 0; k < 4; k++)
        if (cab_sparse_entry(&j->graph, own[k & 1], other[k >> 1], error) < 0) return false;
    return true;
}

static cab_status link_branches(const cab_model *m, const cab_branches *b, cab_junctions *j, cab_error *error)
{
    for (int i = 0; i < b->branch_count; i++) {
        const cab_branch *branch = &b->branch[i];
        int *row, count;
        cab_status status = cab_branches_all_rows(m, j->of_particle, branch, &row, &count, error);
        for (int k = 0; status == CAB_OK && k < count * count; k++) {
            int x = row[k / count], y = row[k % count];
            if (x != y && cab_sparse_entry(&j->graph, x, y, error) < 0) status = CAB_ERROR_MEMORY;
        }
        free(row);
        if (status != CAB_OK) return status;
    }
    for (int i = 0; i < m->rigid_count; i++) {
        int own[2];
        cab_branches_rows(m, j->of_particle, m->rigid[i].point, own);
        if (cab_sparse_entry(&j->graph, own[0], own[1], error) < 0) return CAB_ERROR_MEMORY;
    }
    for (int k = 0; k < m->rigid_mate_count; k++)
        if (!link_bodies(m, j, m->rigid_mate[k], error)) return CAB_ERROR_MEMORY;
    for (int k = 0; k < m->socket_count; k++)
        if (!link_bodies(m, j, m->socket[k].body, error)) return CAB_ERROR_MEMORY;
    return CAB_OK;
}

/* Blocks of each column one behind the other. */
static cab_status number_blocks(cab_branches *b, cab_junctions *j, const int *order, cab_error *error)
{
    cab_status status = CAB_NEW(b->block, j->graph.entry_count + 1, error);
    if (status == CAB_OK) status = CAB_NEW(j->block_place, j->graph.entry_count, error);
    int t = 0;
    for (int k = 0; status == CAB_OK && k < j->count; k++) {
        b->junction[k].block = b->block_count;
        /* each block of the column has its diagonal term */
        for (; t < j->term_count && j->term_column[t] == order[k]; t++) {
            if (j->term[t].target >= 0) continue;
            j->block_place[j->term_of[t][0]] = b->block_count;
            b->block[b->block_count++].row = j->place[j->term[t].row];
        }
    }
    return status;
}

static cab_status number_terms(cab_branches *b, cab_junctions *j, const int *order, cab_error *error)
{
    cab_status status = CAB_NEW(b->term, j->term_count, error);
    int t = 0;
    for (int k = 0; status == CAB_OK && k < j->count; k++) {
        b->junction[k].update = t;
        for (; t < j->term_count && j->term_column[t] == order[k]; t++) {
            const cab_block_term *from = &j->term[t];
            int row = j->block_place[j->term_of[t][0]], column = j->block_place[j->term_of[t][1]];
            /* the target lies in the column that is eliminated first */
            bool turned = j->place[from->row] < j->place[from->column];
            b->term[t] = (cab_block_term){.row = turned ? column : row, .column = turned ? row : column};
            b->term[t].target = from->target < 0 ? -1 - j->place[from->row] : j->block_place[from->target];
        }
    }
    b->term_count = j->term_count;
    return status;
}

/* Branches at each junction, and at each block: counted, then filled in. */
static cab_status list_items(cab_branches *b, cab_junctions *j, cab_error *error)
{
    cab_status status = CAB_NEW(b->junction_item, 2 * (long long)b->branch_count, error);
    if (status == CAB_OK) status = CAB_NEW(b->block_item, b->branch_count, error);
    int *junction_at = NULL, *block_at = NULL;
    if (status == CAB_OK) status = CAB_NEW(junction_at, j->count + 1, error);
    if (status == CAB_OK) status = CAB_NEW(block_at, b->block_count + 1, error);
    for (int pass = 0; status == CAB_OK && pass < 2; pass++) {
        for (int i = 0; i < b->branch_count; i++) {
            const cab_branch *r = &b->branch[i];
            int s = r->start, e = r->end;
            const int ends[2] = {s, s == e ? -1 : e}, what[2] = {s == e ? 2 : 0, 1};
            for (int k = 0; k < 2; k++) {
                if (ends[k] < 0) continue;
                if (pass == 0)
                    junction_at[ends[k] + 1]++;
                else
                    b->junction_item[junction_at[ends[k]]++] = 4 * i + what[k];
            }
            if (s < 0 || e < 0 || s == e) continue;
            int column = s < e ? s : e, row = s < e ? e : s, block = b->junction[column].block;
            while (b->block[block].row != row) block++;
            if (pass == 0)
                block_at[block + 1]++;
            else
                b->block_item[block_at[block]++] = 2 * i + (row == e);
        }
        for (int k = 0; pass == 0 && k < j->count; k++)
            b->junction[k + 1].item = junction_at[k + 1] += junction_at[k];
        for (int k = 0; pass == 0 && k < b->block_count; k++)
            b->block[k + 1].item = block_at[k + 1] += block_at[k];
    }
    CAB_FREE(junction_at, block_at);
    return status;
}

static void number_branches(const cab_branches *b, const cab_junctions *j)
{
    for (int i = 0; i < b->branch_count; i++) {
        cab_branch *branch = &b->branch[i];
        if (branch->start >= 0) branch->start = j->place[branch->start];
        if (branch->end >= 0) branch->end = j->place[branch->end];
    }
}

static cab_status fill(const cab_model *m, cab_junctions *j, int *order, cab_branches *out, cab_error *error)
{
    cab_status status = order_junctions(out, j, order, error);
    if (status == CAB_OK) status = CAB_NEW(out->junction, j->count + 1, error);
    if (status != CAB_OK) return status;
    out->junction_count = j->count;
    for (int k = 0; k < j->count; k++) {
        out->junction[k].particle = j->particle[order[k]];
        out->junction[k].rigid = cab_rigid_of_particle(m, out->junction[k].particle) >= 0;
    }
    number_branches(out, j);
    status = number_blocks(out, j, order, error);
    if (status == CAB_OK) status = number_terms(out, j, order, error);
    if (status == CAB_OK) status = list_items(out, j, error);
    out->junction[j->count].block = out->block_count;
    out->junction[j->count].update = out->term_count;
    return status;
}

cab_status cab_branches_add_junctions(const cab_model *model, const cab_cut *cut, cab_branches *branches,
                                      cab_error *error)
{
    cab_junctions j = {0};
    int *order = NULL;
    cab_status status = find_junctions(model, cut, &j, error);
    if (status == CAB_OK) status = cab_sparse_create(&j.graph, j.count, error);
    if (status == CAB_OK) status = CAB_NEW(j.place, j.count, error);
    if (status == CAB_OK) status = CAB_NEW(order, j.count, error);
    if (status == CAB_OK) {
        set_ends(model, branches, &j);
        status = link_branches(model, branches, &j, error);
    }
    if (status == CAB_OK) status = fill(model, &j, order, branches, error);
    cab_sparse_free(&j.graph);
    CAB_FREE(j.of_particle, j.particle, j.place, j.block_place, j.term, j.term_of, j.term_column, order);
    return status;
}
