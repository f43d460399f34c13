/* The matrix of an island that is solved together, its factors L U, and the copying of speeds and impulses
 * between bodies and unknowns. */
#ifndef CAB_PLANAR_MATRIX_H
#define CAB_PLANAR_MATRIX_H

#include "springs.h"

#define CAB_PL_LEAST_PIVOT 1e-3 /* the least pivot, as a share of a mass */

CAB_PL_FUNCTION void cab_pl_add_cell(const cab_pl_view *v, int row, int column, cab_pr value)
{
    if (row == column)
        v->unknown[row].diagonal += value;
    else if (row > column)
        v->cell[2 * (v->unknown[row].at + column - v->unknown[row].low)] += value;
    else
        v->cell[2 * (v->unknown[column].at + row - v->unknown[column].low) + 1] += value;
}

/* A lever's three numbers for one of its bodies, in the order of the body's unknowns. */
CAB_PL_FUNCTION int cab_pl_lever_part(const cab_pl_view *v, cab_pl_lever l, int of_b, cab_pr part[3])
{
    int body = of_b ? l.b : l.a, n = 0;
    cab_pr sign = of_b ? 1 : -1;
    if (v->body[body].unknown < 0) return 0;
    if (v->motion[body].inverse_mass > 0) {
        part[n++] = sign * l.x;
        part[n++] = sign * l.y;
    }
    if (v->motion[body].inverse_inertia > 0) part[n++] = sign * (of_b ? l.lb : l.la);
    return n;
}

/* Adds p q' k to the matrix. */
CAB_PL_FUNCTION void cab_pl_couple(const cab_pl_view *v, cab_pl_lever p, cab_pl_lever q, cab_pr k)
{
    for (int i = 0; i < 2; i++) {
        cab_pr push[3], feel[3];
        int np = cab_pl_lever_part(v, p, i, push), at = v->body[i ? p.b : p.a].unknown;
        for (int j = 0; j < 2 && np > 0; j++) {
            int nq = cab_pl_lever_part(v, q, j, feel), to = v->body[j ? q.b : q.a].unknown;
            for (int r = 0; r < np; r++) {
                for (int c = 0; c < nq; c++) cab_pl_add_cell(v, at + r, to + c, k * push[r] * feel[c]);
            }
        }
    }
}

/* Adds the springs to the matrix, and their impulses to their bodies. */
CAB_PL_FUNCTION void cab_pl_lay_run(const cab_pl_view *v, global const cab_pl_row *row)
{
    cab_pr impulse = row->holds ? row->left / row->soft : -row->impulse;
    for (int i = 0; i < row->run; i++) {
        cab_pl_lever p = cab_pl_row_lever(row + i);
        cab_pl_lever_push(v, p, row[i].weight * impulse);
        for (int n = 0; n < row->run && row->holds; n++)
            cab_pl_couple(v, p, cab_pl_row_lever(row + n), row[i].weight / row->soft);
    }
}

CAB_PL_FUNCTION void cab_pl_lay_touch(const cab_pl_view *v, global const cab_pl_contact *c,
                                      global const cab_pl_touch *t)
{
    cab_pl_lever n = cab_pl_touch_lever(c, t, c->nx, c->ny), along = cab_pl_touch_lever(c, t, -c->ny, c->nx);
    cab_pr free = cab_pl_tangent_spring(t, 0), bound = cab_pl_tangent_sum(t, 0);
    cab_pl_lever_push(v, n, t->holds & CAB_PL_HOLDS_NORMAL ? t->left / t->soft : -t->normal);
    cab_pl_lever_push(v, along, (t->holds & CAB_PL_HOLDS_FRICTION ? free : bound) - t->tangent);
    if (t->holds & CAB_PL_HOLDS_NORMAL) cab_pl_couple(v, n, n, 1 / t->soft);
    if (t->holds & CAB_PL_HOLDS_FRICTION) cab_pl_couple(v, along, along, t->tangent_mass / CAB_PL_TIGHT);
}

CAB_PL_FUNCTION void cab_pl_clear_push(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_BODIES(g, i)
    {
        global cab_pl_body *b = v->body + v->order[i];
        b->push_x = b->push_y = b->push_w = 0;
    }
}

CAB_PL_FUNCTION void cab_pl_clear_matrix(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_UNKNOWNS(g, i) v->unknown[i].diagonal = v->unknown[i].mass;
    for (int i = 0; i < 2 * g->cells; i++) v->cell[i] = 0;
}

CAB_PL_FUNCTION void cab_pl_fill_matrix(const cab_pl_view *v, global const cab_pl_island *g)
{
    cab_pl_clear_matrix(v, g);
    cab_pl_clear_push(v, g);
    CAB_PL_FOR_RUNS(g, i) cab_pl_lay_run(v, cab_pl_direct_row(v, i));
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global const cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pl_lay_touch(v, c, t);
    }
}

/* Factors the matrix into L U within its envelope, row by row and column by column (A. Jennings, 1966), then
 * solves for u from the impulses on the bodies. */
CAB_PL_FUNCTION void cab_pl_eliminate(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_UNKNOWNS(g, r)
    {
        global cab_pl_unknown *row = v->unknown + r;
        global cab_pr *mine = v->cell + 2 * (row->at - row->low);
        cab_pr diagonal = row->diagonal;
        for (int c = row->low; c < r; c++) {
            global const cab_pl_unknown *other = v->unknown + c;
            global const cab_pr *its = v->cell + 2 * (other->at - other->low);
            cab_pr lower = mine[2 * c], upper = mine[2 * c + 1];
            for (int k = row->low > other->low ? row->low : other->low; k < c; k++) {
                lower -= mine[2 * k] * its[2 * k + 1];
                upper -= its[2 * k] * mine[2 * k + 1];
            }
            lower = lower * other->inverse;
            mine[2 * c] = lower;
            mine[2 * c + 1] = upper;
            diagonal -= lower * upper;
        }
        /* friction of sliding cables can make a pivot negative */
        row->inverse = 1 / (diagonal > CAB_PL_LEAST_PIVOT * row->mass ? diagonal : row->mass);
    }
}

CAB_PL_FUNCTION void cab_pl_substitute(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_UNKNOWNS(g, r)
    {
        global cab_pl_unknown *row = v->unknown + r;
        global const cab_pr *mine = v->cell + 2 * (row->at - row->low);
        for (int c = row->low; c < r; c++) row->change -= mine[2 * c] * v->unknown[c].change;
    }
    for (int r = g->unknown + g->unknowns - 1; r >= g->unknown; r--) {
        global cab_pl_unknown *row = v->unknown + r;
        global const cab_pr *mine = v->cell + 2 * (row->at - row->low);
        row->change = row->change * row->inverse;
        for (int c = row->low; c < r; c++) v->unknown[c].change -= mine[2 * c + 1] * row->change;
    }
}

/* Copies the impulses on the bodies to the unknowns. */
CAB_PL_FUNCTION void cab_pl_push_to_unknowns(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_BODIES(g, i)
    {
        global const cab_pl_body *b = v->body + v->order[i];
        global const cab_pl_motion *m = v->motion + v->order[i];
        int at = b->unknown;
        if (m->inverse_mass > 0) {
            v->unknown[at].change = b->push_x - v->unknown[at].mass * v->unknown[at].gone;
            at++;
            v->unknown[at].change = b->push_y - v->unknown[at].mass * v->unknown[at].gone;
            at++;
        }
        if (m->inverse_inertia > 0)
            v->unknown[at].change = b->push_w - v->unknown[at].mass * v->unknown[at].gone;
    }
}

/* Copies the changes of the speeds back to the bodies; a body that cannot move has none. */
CAB_PL_FUNCTION void cab_pl_unknowns_to_push(const cab_pl_view *v, global const cab_pl_island *g)
{
    cab_pl_clear_push(v, g);
    CAB_PL_FOR_BODIES(g, i)
    {
        global cab_pl_body *b = v->body + v->order[i];
        global const cab_pl_motion *m = v->motion + v->order[i];
        int at = b->unknown;
        if (m->inverse_mass > 0) {
            b->push_x = v->unknown[at++].change;
            b->push_y = v->unknown[at++].change;
        }
        if (m->inverse_inertia > 0) b->push_w = v->unknown[at].change;
    }
}

#endif
