#include "model/sparse.h"

cab_status cab_sparse_create(cab_sparse *s, int rows, cab_error *error)
{
    *s = (cab_sparse){.count = rows};
    return CAB_NEW(s->row, rows, error);
}

void cab_sparse_free(cab_sparse *s)
{
    for (int i = 0; s->row && i < s->count; i++) free(s->row[i].link);
    free(s->row);
    *s = (cab_sparse){0};
}

static bool add_link(cab_sparse_row *row, int column, int entry)
{
    if (row->count == row->room) {
        int room = 2 * row->room + 4;
        cab_sparse_link *grown = realloc(row->link, (size_t)room * sizeof *grown);
        if (!grown) return false;
        row->link = grown;
        row->room = room;
    }
    row->link[row->count++] = (cab_sparse_link){column, entry};
    return true;
}

int cab_sparse_entry(cab_sparse *s, int i, int j, cab_error *error)
{
    const cab_sparse_row *row = &s->row[i];
    for (int k = 0; k < row->count; k++)
        if (row->link[k].column == j) return row->link[k].entry;
    if (add_link(&s->row[i], j, s->entry_count) && add_link(&s->row[j], i, s->entry_count))
        return s->entry_count++;
    cab_fail_memory(error, "junctions", sizeof(cab_sparse_link));
    return -1;
}

int cab_sparse_least(const cab_sparse *s, const int *rows, int count)
{
    int best = -1;
    for (int k = 0; k < count; k++) {
        const cab_sparse_row *row = &s->row[rows[k]];
        if (!row->gone && (best < 0 || row->count < s->row[best].count)) best = rows[k];
    }
    return best;
}

void cab_sparse_remove(cab_sparse *s, int i)
{
    cab_sparse_row *row = &s->row[i];
    row->gone = true;
    for (int k = 0; k < row->count; k++) {
        cab_sparse_row *other = &s->row[row->link[k].column];
        int at = 0;
        while (other->link[at].column != i) at++;
        other->link[at] = other->link[--other->count];
    }
}
