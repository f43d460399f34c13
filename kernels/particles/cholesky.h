/* Incomplete Cholesky of J W J^T as a preconditioner: L D L^T in an order of elimination that the host has
 * chosen (host/study/particles/elimination.c): levels of rows that do not meet, so that all of a level go at
 * once. In the table, by place in the order k:
 *
 *     row_of[k]                     its row
 *     later_start[k] ...            its slots: the numbers of L below it, one for each row `later` that is
 *                                   eliminated after it and has something in common with it
 *     earlier_start[k] ...          pairs: a slot of an earlier row that leads here, and the row it is of
 *     update_start[slot] ...        pairs of slots, of one earlier row, whose product goes into this slot
 *
 * Each number is summed up by the one item that it belongs to, in the order of the table. Before include:
 * particles.h's view and cab_p_element().
 */
#ifndef CAB_PARTICLES_CHOLESKY_H
#define CAB_PARTICLES_CHOLESKY_H

/* Pivots less than this of their row's own diagonal are rounding: the row depends on those before it. */
#define CAB_P_PIVOT 1e-13

CAB_INLINE int cab_p_place(const cab_p_view *v, int i, int level)
{
    return v->table[v->s->level_start + level] + i;
}

/* 1/D, L D and L of the places of a level. A pivot that is none becomes that of the row alone: the
 * preconditioner stays positive. */
CAB_INLINE void cab_p_eliminate(const cab_p_view *v, int i, int level)
{
    global const cab_p_system *s = v->s;
    global const int *later_start = v->table + s->later_start, *later = v->table + s->later;
    global const int *earlier_start = v->table + s->earlier_start, *earlier = v->table + s->earlier;
    global const int *update_start = v->table + s->update_start, *update = v->table + s->update;
    global double *inverse = v->work + s->factor, *scaled = inverse + s->rows, *low = scaled + s->slots;
    int k = cab_p_place(v, i, level), row = v->table[s->row_of + k];
    double alone = cab_p_element(v, row, row), pivot = alone;
    for (int e = earlier_start[k]; e < earlier_start[k + 1]; e++)
        pivot = pivot - low[earlier[2 * e]] * scaled[earlier[2 * e]];
    pivot = pivot > CAB_P_PIVOT * alone ? pivot : alone > 0 ? alone : 1;
    inverse[k] = 1 / pivot;
    for (int slot = later_start[k]; slot < later_start[k + 1]; slot++) {
        double sum = cab_p_element(v, row, later[slot]);
        for (int u = update_start[slot]; u < update_start[slot + 1]; u++)
            sum = sum - low[update[2 * u]] * scaled[update[2 * u + 1]];
        scaled[slot] = sum;
        low[slot] = sum * inverse[k];
    }
}

/* w = L^-1 r, of the places of a level; levels upwards. */
CAB_INLINE void cab_p_forward(const cab_p_view *v, int i, int level)
{
    global const cab_p_system *s = v->s;
    global const int *start = v->table + s->earlier_start, *earlier = v->table + s->earlier;
    global const double *low = v->work + s->factor + s->rows + s->slots;
    global double *w = cab_p_vector(v, CAB_P_W);
    int k = cab_p_place(v, i, level), row = v->table[s->row_of + k];
    double sum = cab_p_vector(v, CAB_P_R)[row];
    for (int e = start[k]; e < start[k + 1]; e++) sum = sum - low[earlier[2 * e]] * w[earlier[2 * e + 1]];
    w[row] = sum;
}

/* w = (D L^T)^-1 w, of the places of a level; levels downwards. */
CAB_INLINE void cab_p_backward(const cab_p_view *v, int i, int level)
{
    global const cab_p_system *s = v->s;
    global const int *start = v->table + s->later_start, *later = v->table + s->later;
    global const double *inverse = v->work + s->factor, *low = inverse + s->rows + s->slots;
    global double *w = cab_p_vector(v, CAB_P_W);
    int k = cab_p_place(v, i, level), row = v->table[s->row_of + k];
    double sum = w[row] * inverse[k];
    for (int slot = start[k]; slot < start[k + 1]; slot++) sum = sum - low[slot] * w[later[slot]];
    w[row] = sum;
}

#endif
