/* Segments and contacts that are solved together: how fast all bodies of an island go, with what holds as
 * stiff springs between them. A light body between heavy ones, or a long chain, is no obstacle then; sweeps
 * want as many rounds as one is heavier than the other.
 *
 *     (M + sum_i p_i q_i' / s_i) u = sum_i p_i w_i / s_i + sum of what is known
 *     change of impulse i = (w_i - q_i' u) / s_i
 *
 * u: change of the speeds; p_i: where impulse i pushes; q_i: the speeds it sees, p_i but for friction; w_i:
 * what it must lose; s_i: its softness. Which ones hold is found in rounds. The sweeps that follow have the
 * same solution, and what does not hold is theirs.
 */
#ifndef CAB_PLANAR_DIRECT_H
#define CAB_PLANAR_DIRECT_H

#include "planar_contacts.h"

#ifndef CAB_PL_ROUNDS
#define CAB_PL_ROUNDS 12
#endif
#ifndef STAT
#define STAT(a, b)
#endif
#define CAB_PL_FLAT 1e-2        /* of the first slope: as good as none */
#define CAB_PL_PARTS 24         /* tries to find the best part of a way */
#define CAB_PL_LEAST_PIVOT 1e-3 /* of a mass */
#define CAB_PL_STILL 1e-12      /* m/s; what is pressed together slower than that does not hold */
#define CAB_PL_TIGHT 1e-5 /* softness of what has none, of the inverse effective mass; it leaves no error */

/* A force on two bodies, turned about for a: its direction and its levers. */
typedef struct cab_pl_lever {
    cab_pr x, y, la, lb;
    int a, b;
} cab_pl_lever;

CAB_PL_FUNCTION cab_pl_lever cab_pl_row_lever(global const cab_pl_row *row)
{
    cab_pl_lever l;
    l.x = -row->ex;
    l.y = -row->ey;
    l.la = -row->ca;
    l.lb = -row->cb;
    l.a = row->a;
    l.b = row->b;
    return l;
}

CAB_PL_FUNCTION cab_pl_lever cab_pl_touch_lever(global const cab_pl_contact *c, global const cab_pl_touch *t,
                                                cab_pr x, cab_pr y)
{
    cab_pl_lever l;
    l.x = x;
    l.y = y;
    l.la = t->ax * y - t->ay * x;
    l.lb = t->bx * y - t->by * x;
    l.a = c->a;
    l.b = c->b;
    return l;
}

/* The speed that a lever sees of what lies on its bodies. */
CAB_PL_FUNCTION cab_pr cab_pl_lever_feel(const cab_pl_view *v, cab_pl_lever l)
{
    global const cab_pl_body *a = v->body + l.a, *b = v->body + l.b;
    return l.x * (b->push_x - a->push_x) + l.y * (b->push_y - a->push_y) + l.lb * b->push_w -
           l.la * a->push_w;
}

CAB_PL_FUNCTION void cab_pl_lever_push(const cab_pl_view *v, cab_pl_lever l, cab_pr impulse)
{
    global cab_pl_body *a = v->body + l.a, *b = v->body + l.b;
    a->push_x -= impulse * l.x;
    a->push_y -= impulse * l.y;
    a->push_w -= impulse * l.la;
    b->push_x += impulse * l.x;
    b->push_y += impulse * l.y;
    b->push_w += impulse * l.lb;
}

CAB_PL_FUNCTION int cab_pl_unknowns(global const cab_pl_motion *m)
{
    return (m->inverse_mass > 0 ? 2 : 0) + (m->inverse_inertia > 0 ? 1 : 0);
}

/* Pinched segments hold two bodies from both sides: together they have no single answer. */
CAB_PL_FUNCTION int cab_pl_row_has_length(const cab_pl_view *v, int row)
{
    return !(v->joint[v->row[row].joint].flags & CAB_PL_JOINT_PINCHED);
}

CAB_PL_FUNCTION int cab_pl_run_has_length(const cab_pl_view *v, int first)
{
    for (int i = first; i < first + v->row[first].run; i++) {
        if (cab_pl_row_has_length(v, i)) return 1;
    }
    return 0;
}

/* Circles on axles cannot give way. */
CAB_PL_FUNCTION int cab_pl_contact_holds(global const cab_pl_contact *c)
{
    for (int k = 0; k < c->count; k++) {
        if (c->touch[k].normal_mass > 0) return 1;
    }
    return 0;
}

/* The other end of edge `end` of the graph: contacts first, then rows. */
CAB_PL_FUNCTION int cab_pl_end_body(const cab_pl_view *v, int end)
{
    int edge = end / 2, room = v->scene->contact_room;
    if (edge < room) return end & 1 ? v->contact[edge].b : v->contact[edge].a;
    return end & 1 ? v->row[edge - room].b : v->row[edge - room].a;
}

CAB_PL_FUNCTION void cab_pl_add_edge(const cab_pl_view *v, int edge)
{
    for (int end = 2 * edge; end < 2 * edge + 2; end++) {
        global cab_pl_body *b = v->body + cab_pl_end_body(v, end);
        v->end[end] = b->first_end;
        b->first_end = end;
    }
}

/* Breadth first from a body; how many there are. */
CAB_PL_FUNCTION int cab_pl_spread(const cab_pl_view *v, int from, int first, int mark)
{
    int count = first;
    v->order[count++] = from;
    v->body[from].mark = mark;
    for (int i = first; i < count; i++) {
        for (int end = v->body[v->order[i]].first_end; end >= 0; end = v->end[end]) {
            int other = cab_pl_end_body(v, end ^ 1);
            if (v->body[other].mark == mark || cab_pl_unknowns(v->motion + other) == 0) continue;
            v->body[other].mark = mark;
            v->order[count++] = other;
        }
    }
    return count - first;
}

/* Bodies in an order in which those that are coupled are near to each other (E. Cuthill, J. McKee, 1969):
 * breadth first, from one that is farthest from some other. */
CAB_PL_FUNCTION void cab_pl_order_bodies(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    int mark = 0;
    for (int i = 0; i <= scene->bodies; i++) {
        v->body[i].first_end = -1;
        v->body[i].mark = 0;
    }
    for (int i = 0; i < scene->contacts; i++) {
        if (cab_pl_contact_holds(v->contact + i)) cab_pl_add_edge(v, i);
    }
    for (int i = 0; i < scene->rows; i++) {
        if (cab_pl_row_has_length(v, i)) cab_pl_add_edge(v, scene->contact_room + i);
    }
    scene->ordered = 0;
    for (int i = 0; i < scene->bodies; i++) {
        if (v->body[i].mark || v->body[i].first_end < 0 || cab_pl_unknowns(v->motion + i) == 0) continue;
        int count = cab_pl_spread(v, i, scene->ordered, ++mark);
        cab_pl_spread(v, v->order[scene->ordered + count - 1], scene->ordered, ++mark);
        scene->ordered += count;
    }
}

/* ---- envelope ---- */

CAB_PL_FUNCTION int cab_pl_first_of(const cab_pl_view *v, int a, int b, int first)
{
    int da = v->body[a].unknown, db = v->body[b].unknown;
    if (da >= 0 && (first < 0 || da < first)) first = da;
    if (db >= 0 && (first < 0 || db < first)) first = db;
    return first;
}

CAB_PL_FUNCTION void cab_pl_reach_back(const cab_pl_view *v, int body, int first)
{
    int at = v->body[body].unknown;
    if (at < 0) return;
    for (int i = 0; i < cab_pl_unknowns(v->motion + body); i++) {
        if (first < v->unknown[at + i].low) v->unknown[at + i].low = first;
    }
}

CAB_PL_FUNCTION void cab_pl_number_unknowns(const cab_pl_view *v)
{
    int n = 0, island = 0, mark = -1;
    for (int i = 0; i <= v->scene->bodies; i++) v->body[i].unknown = -1;
    for (int i = 0; i < v->scene->ordered; i++) {
        global cab_pl_body *b = v->body + v->order[i];
        if (b->mark != mark) island = n;
        mark = b->mark;
        b->unknown = n;
        global const cab_pl_motion *m = v->motion + v->order[i];
        int count = cab_pl_unknowns(m);
        for (int k = 0; k < count; k++, n++) {
            v->unknown[n].low = b->unknown;
            v->unknown[n].island = island;
            v->unknown[n].mass = m->inverse_mass > 0 && k < 2 ? 1 / m->inverse_mass : 1 / m->inverse_inertia;
        }
    }
    v->scene->unknowns = n;
}

CAB_PL_FUNCTION void cab_pl_find_envelope(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    for (int i = 0; i < scene->contacts; i++) {
        global const cab_pl_contact *c = v->contact + i;
        if (!cab_pl_contact_holds(c)) continue;
        int first = cab_pl_first_of(v, c->a, c->b, -1);
        cab_pl_reach_back(v, c->a, first);
        cab_pl_reach_back(v, c->b, first);
    }
    for (int i = 0; i < scene->rows; i += v->row[i].run) {
        int first = -1;
        if (!cab_pl_run_has_length(v, i)) continue;
        for (int k = i; k < i + v->row[i].run; k++)
            first = cab_pl_first_of(v, v->row[k].a, v->row[k].b, first);
        for (int k = i; k < i + v->row[i].run; k++) {
            cab_pl_reach_back(v, v->row[k].a, first);
            cab_pl_reach_back(v, v->row[k].b, first);
        }
    }
}

/* Places for the cells of each island; one for which there are not enough is left to the sweeps. */
CAB_PL_FUNCTION void cab_pl_place_cells(const cab_pl_view *v)
{
    int room = v->scene->cell_room, used = 0, n = v->scene->unknowns;
    for (int first = 0, end; first < n; first = end) {
        int wanted = 0;
        for (end = first; end < n && v->unknown[end].island == first; end++) {
            v->unknown[end].at = used + wanted;
            wanted += end - v->unknown[end].low;
        }
        if (used + wanted <= room)
            used += wanted;
        else
            for (int i = first; i < end; i++) v->unknown[i].at = -1;
    }
    for (int i = 0; i < v->scene->ordered; i++) {
        global cab_pl_body *b = v->body + v->order[i];
        if (v->unknown[b->unknown].at < 0) b->unknown = -1;
    }
}

CAB_PL_FUNCTION int cab_pl_is_direct(const cab_pl_view *v, int a, int b)
{
    return v->body[a].unknown >= 0 || v->body[b].unknown >= 0;
}

/* Lists of the runs and the touches that are solved together. */
CAB_PL_FUNCTION void cab_pl_list_direct(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    scene->direct_runs = scene->direct_touches = 0;
    for (int i = 0; i < scene->rows; i += v->row[i].run) {
        int direct = v->row[i].mass > 0 && cab_pl_run_has_length(v, i);
        for (int k = i; k < i + v->row[i].run && direct; k++)
            direct = cab_pl_is_direct(v, v->row[k].a, v->row[k].b);
        if (direct) v->direct_run[scene->direct_runs++] = i;
    }
    for (int i = 0; i < scene->contacts; i++) {
        global const cab_pl_contact *c = v->contact + i;
        for (int k = 0; k < c->count && cab_pl_is_direct(v, c->a, c->b); k++) {
            if (c->touch[k].normal_mass > 0) v->direct_touch[scene->direct_touches++] = 2 * i + k;
        }
    }
}

CAB_PL_FUNCTION global cab_pl_row *cab_pl_direct_row(const cab_pl_view *v, int i)
{
    return v->row + v->direct_run[i];
}

CAB_PL_FUNCTION global cab_pl_contact *cab_pl_direct_contact(const cab_pl_view *v, int i)
{
    return v->contact + v->direct_touch[i] / 2;
}

CAB_PL_FUNCTION global cab_pl_touch *cab_pl_direct_touch(const cab_pl_view *v, int i)
{
    return cab_pl_direct_contact(v, i)->touch + (v->direct_touch[i] & 1);
}

CAB_PL_FUNCTION void cab_pl_direct_init(const cab_pl_view *v)
{
    cab_pl_number_unknowns(v);
    cab_pl_find_envelope(v);
    cab_pl_place_cells(v);
    cab_pl_list_direct(v);
}

/* ---- matrix ---- */

CAB_PL_FUNCTION void cab_pl_add_cell(const cab_pl_view *v, int row, int column, cab_pr value)
{
    if (row == column)
        v->unknown[row].diagonal += value;
    else if (row > column)
        v->cell[2 * (v->unknown[row].at + column - v->unknown[row].low)] += value;
    else
        v->cell[2 * (v->unknown[column].at + row - v->unknown[column].low) + 1] += value;
}

/* The part of a body in a lever, as its unknowns are counted. */
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

/* Adds p q' k. */
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

/* ---- springs ---- */

/* The impulse that a spring has where its bodies have got to, within its bounds. */
CAB_PL_FUNCTION cab_pr cab_pl_run_sum(global const cab_pl_row *row, cab_pr part)
{
    return cab_pl_max(row->impulse + (row->left - part * row->see) / row->soft, 0);
}

CAB_PL_FUNCTION cab_pr cab_pl_normal_sum(global const cab_pl_touch *t, cab_pr part)
{
    return cab_pl_max(t->normal + (t->left - part * t->see) / t->soft, 0);
}

CAB_PL_FUNCTION cab_pr cab_pl_tangent_spring(global const cab_pl_touch *t, cab_pr part)
{
    return t->tangent + (t->tangent_left - part * t->tangent_see) * t->tangent_mass / CAB_PL_TIGHT;
}

CAB_PL_FUNCTION cab_pr cab_pl_tangent_sum(global const cab_pl_touch *t, cab_pr part)
{
    return cab_pl_max(-t->most_tangent, cab_pl_min(t->most_tangent, cab_pl_tangent_spring(t, part)));
}

CAB_PL_FUNCTION void cab_pl_begin_run(const cab_pl_view *v, global cab_pl_row *row, cab_pr h, int correct)
{
    cab_pr soft;
    row->wish = cab_pl_run_wish(v, row, h, correct, &soft);
    row->soft = (soft > 0 ? soft : CAB_PL_TIGHT) / row->mass;
    if (soft > 0) row->wish -= row->soft * row->impulse;
    row->left = row->wish;
    row->holds = row->impulse > 0 || row->wish > 0;
}

CAB_PL_FUNCTION void cab_pl_begin_touch(const cab_pl_view *v, global const cab_pl_contact *c,
                                        global cab_pl_touch *t, cab_pr h, int correct)
{
    cab_pr soft, bias = cab_pl_touch_bias(v, c, t, h, correct, &soft);
    t->soft = (soft > 0 ? soft : CAB_PL_TIGHT) / t->normal_mass;
    t->wish = -cab_pl_approach(v, c, t, c->nx, c->ny) - bias - (soft > 0 ? t->soft * t->normal : 0);
    t->left = t->wish;
    t->tangent_wish = t->tangent_left = -cab_pl_approach(v, c, t, -c->ny, c->nx);
    t->most_tangent = c->friction * t->normal;
    t->holds = (t->normal > 0 || t->wish > 0) +
               2 * (cab_pl_abs(t->tangent) < t->most_tangent || t->tangent * t->tangent_wish < 0);
}

CAB_PL_FUNCTION void cab_pl_begin(const cab_pl_view *v, cab_pr h, int correct)
{
    for (int i = 0; i < v->scene->direct_runs; i++) cab_pl_begin_run(v, cab_pl_direct_row(v, i), h, correct);
    for (int i = 0; i < v->scene->direct_touches; i++)
        cab_pl_begin_touch(v, cab_pl_direct_contact(v, i), cab_pl_direct_touch(v, i), h, correct);
    for (int i = 0; i < v->scene->unknowns; i++) v->unknown[i].gone = 0;
}

/* Which ones hold now. 1 = others than before. */
CAB_PL_FUNCTION int cab_pl_find_holding(const cab_pl_view *v)
{
    int changed = 0;
    for (int i = 0; i < v->scene->direct_runs; i++) {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        int holds = cab_pl_run_sum(row, 0) * row->soft > CAB_PL_STILL;
        changed |= holds != row->holds;
        row->holds = holds;
    }
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        int holds = (cab_pl_normal_sum(t, 0) * t->soft > CAB_PL_STILL) +
                    2 * (cab_pl_abs(cab_pl_tangent_spring(t, 0)) < t->most_tangent);
        changed |= holds != t->holds;
        t->holds = holds;
    }
    return changed;
}

/* Friction's bounds from the normal impulses of now. 1 = they are others, and something slips. */
CAB_PL_FUNCTION int cab_pl_set_bounds(const cab_pl_view *v)
{
    int changed = 0;
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pr before = t->most_tangent;
        t->most_tangent = c->friction * cab_pl_normal_sum(t, 0);
        changed |= cab_pl_abs(cab_pl_tangent_spring(t, 0)) >= cab_pl_min(before, t->most_tangent) &&
                   cab_pl_abs(t->most_tangent - before) > 1e-6 * before;
    }
    return changed;
}

/* Lays springs into the matrix, their impulses on the bodies. */
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
    cab_pl_lever_push(v, n, t->holds & 1 ? t->left / t->soft : -t->normal);
    cab_pl_lever_push(v, along, (t->holds & 2 ? free : bound) - t->tangent);
    if (t->holds & 1) cab_pl_couple(v, n, n, 1 / t->soft);
    if (t->holds & 2) cab_pl_couple(v, along, along, t->tangent_mass / CAB_PL_TIGHT);
}

CAB_PL_FUNCTION void cab_pl_clear_push(const cab_pl_view *v)
{
    for (int i = 0; i <= v->scene->bodies; i++) v->body[i].push_x = v->body[i].push_y = v->body[i].push_w = 0;
}

CAB_PL_FUNCTION void cab_pl_clear_matrix(const cab_pl_view *v)
{
    int cells = 0;
    for (int i = 0; i < v->scene->unknowns; i++) {
        if (v->unknown[i].at >= 0) cells = v->unknown[i].at + i - v->unknown[i].low;
        v->unknown[i].diagonal = v->unknown[i].mass;
    }
    for (int i = 0; i < 2 * cells; i++) v->cell[i] = 0;
}

CAB_PL_FUNCTION void cab_pl_fill_matrix(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    cab_pl_clear_matrix(v);
    cab_pl_clear_push(v);
    for (int i = 0; i < scene->direct_runs; i++) cab_pl_lay_run(v, cab_pl_direct_row(v, i));
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global const cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pl_lay_touch(v, c, t);
    }
}

/* L U in the envelope, row by row and column by column (A. Jennings, 1966), then u from what lies on the
 * bodies. */
CAB_PL_FUNCTION void cab_pl_eliminate(const cab_pl_view *v)
{
    for (int r = 0; r < v->scene->unknowns; r++) {
        global cab_pl_unknown *row = v->unknown + r;
        if (row->at < 0) continue;
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
        /* friction of cables that slide can turn its sign */
        row->inverse = 1 / (diagonal > CAB_PL_LEAST_PIVOT * row->mass ? diagonal : row->mass);
    }
}

CAB_PL_FUNCTION void cab_pl_substitute(const cab_pl_view *v)
{
    for (int r = 0; r < v->scene->unknowns; r++) {
        global cab_pl_unknown *row = v->unknown + r;
        if (row->at < 0) continue;
        global const cab_pr *mine = v->cell + 2 * (row->at - row->low);
        for (int c = row->low; c < r; c++) row->change -= mine[2 * c] * v->unknown[c].change;
    }
    for (int r = v->scene->unknowns - 1; r >= 0; r--) {
        global cab_pl_unknown *row = v->unknown + r;
        if (row->at < 0) continue;
        global const cab_pr *mine = v->cell + 2 * (row->at - row->low);
        row->change = row->change * row->inverse;
        for (int c = row->low; c < r; c++) v->unknown[c].change -= mine[2 * c + 1] * row->change;
    }
}

/* What lies on the bodies goes to the unknowns. */
CAB_PL_FUNCTION void cab_pl_push_to_unknowns(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->ordered; i++) {
        global const cab_pl_body *b = v->body + v->order[i];
        global const cab_pl_motion *m = v->motion + v->order[i];
        int at = b->unknown;
        if (at < 0) continue;
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

/* Changes of the speeds come back to the bodies; those that cannot move have none. */
CAB_PL_FUNCTION void cab_pl_unknowns_to_push(const cab_pl_view *v)
{
    cab_pl_clear_push(v);
    for (int i = 0; i < v->scene->ordered; i++) {
        global cab_pl_body *b = v->body + v->order[i];
        global const cab_pl_motion *m = v->motion + v->order[i];
        int at = b->unknown;
        if (at < 0) continue;
        if (m->inverse_mass > 0) {
            b->push_x = v->unknown[at++].change;
            b->push_y = v->unknown[at++].change;
        }
        if (m->inverse_inertia > 0) b->push_w = v->unknown[at].change;
    }
}

/* How the springs see the way that the bodies go. */
CAB_PL_FUNCTION void cab_pl_look(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->direct_runs; i++) {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        row->see = 0;
        for (int k = 0; k < row->run; k++) row->see += cab_pl_lever_feel(v, cab_pl_row_lever(row + k));
    }
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        t->see = cab_pl_lever_feel(v, cab_pl_touch_lever(c, t, c->nx, c->ny));
        t->tangent_see = cab_pl_lever_feel(v, cab_pl_touch_lever(c, t, -c->ny, c->nx));
    }
}

/* How the energy of bodies and springs grows along the way, after a part of it. */
CAB_PL_FUNCTION cab_pr cab_pl_slope(const cab_pl_view *v, cab_pr part)
{
    cab_pr slope = 0;
    for (int i = 0; i < v->scene->unknowns; i++) {
        global const cab_pl_unknown *u = v->unknown + i;
        if (u->at >= 0) slope += u->mass * (u->gone + part * u->change) * u->change;
    }
    for (int i = 0; i < v->scene->direct_runs; i++) {
        global const cab_pl_row *row = cab_pl_direct_row(v, i);
        slope -= row->see * (cab_pl_run_sum(row, part) - row->impulse);
    }
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global const cab_pl_touch *t = cab_pl_direct_touch(v, i);
        slope -= t->see * (cab_pl_normal_sum(t, part) - t->normal);
        slope -= t->tangent_see * (cab_pl_tangent_sum(t, part) - t->tangent);
    }
    return slope;
}

/* The part of the way just gone to where the energy is least: its slope only grows. False position, an end
 * that stays counts half (the Illinois rule). */
CAB_PL_FUNCTION cab_pr cab_pl_best_part(const cab_pl_view *v)
{
    cab_pr low = 0, high = 1, at_low = cab_pl_slope(v, -1), at_high = cab_pl_slope(v, 0);
    cab_pr flat = CAB_PL_FLAT * cab_pl_abs(at_low);
    if (at_high <= 0) return 1;
    if (at_low >= 0) return 0;
    int side = 0;
    for (int i = 0; i < CAB_PL_PARTS; i++) {
        cab_pr part = low - at_low * (high - low) / (at_high - at_low), slope = cab_pl_slope(v, part - 1);
        if (cab_pl_abs(slope) <= flat) return part;
        if (slope > 0) {
            high = part;
            at_high = slope;
            if (side == 1) at_low = at_low / 2;
            side = 1;
        } else {
            low = part;
            at_low = slope;
            if (side == -1) at_high = at_high / 2;
            side = -1;
        }
    }
    return low;
}

CAB_PL_FUNCTION void cab_pl_go(const cab_pl_view *v, cab_pr part)
{
    for (int i = 0; i < v->scene->unknowns; i++) v->unknown[i].gone += part * v->unknown[i].change;
    for (int i = 0; i < v->scene->direct_runs; i++) {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        row->left -= part * row->see;
    }
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        t->left -= part * t->see;
        t->tangent_left -= part * t->tangent_see;
    }
}

/* Newton's way to where the energy of bodies and springs is least. 1 = it has got there: what held before a
 * whole step holds after it. */
CAB_PL_FUNCTION int cab_pl_find_balance(const cab_pl_view *v)
{
    int found = 0;
    for (int round = 0; round < CAB_PL_ROUNDS; round++) {
        STAT(1, round)
        cab_pl_fill_matrix(v);
        cab_pl_push_to_unknowns(v);
        cab_pl_eliminate(v);
        cab_pl_substitute(v);
        cab_pl_unknowns_to_push(v);
        cab_pl_look(v);
        cab_pl_go(v, 1);
        found = !cab_pl_find_holding(v);
        if (found && (round + 1 == CAB_PL_ROUNDS || !cab_pl_set_bounds(v))) return 1;
        if (found) {
            cab_pl_find_holding(v);
            continue;
        }
        cab_pr part = cab_pl_best_part(v);
        if (part < 1) {
            cab_pl_go(v, part - 1);
            cab_pl_find_holding(v);
        }
    }
    return found;
}

/* What a change of the impulses adds to d' (J M^-1 J' + S) d / 2 - d' w, which is to be least. */
CAB_PL_FUNCTION cab_pr cab_pl_gain(const cab_pl_view *v)
{
    cab_pr gain = 0;
    cab_pl_clear_push(v);
    for (int i = 0; i < v->scene->direct_runs; i++) {
        global const cab_pl_row *row = cab_pl_direct_row(v, i);
        cab_pr d = cab_pl_run_sum(row, 0) - row->impulse;
        gain += d * (0.5 * row->soft * d - row->wish);
        for (int k = 0; k < row->run; k++) cab_pl_lever_push(v, cab_pl_row_lever(row + k), d * row[k].weight);
    }
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global const cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pr n = cab_pl_normal_sum(t, 0) - t->normal, along = cab_pl_tangent_sum(t, 0) - t->tangent;
        gain += n * (0.5 * t->soft * n - t->wish) - along * t->tangent_wish;
        cab_pl_lever_push(v, cab_pl_touch_lever(c, t, c->nx, c->ny), n);
        cab_pl_lever_push(v, cab_pl_touch_lever(c, t, -c->ny, c->nx), along);
    }
    for (int i = 0; i < v->scene->bodies; i++) {
        global const cab_pl_body *b = v->body + i;
        global const cab_pl_motion *m = v->motion + i;
        gain += 0.5 * m->inverse_mass * (b->push_x * b->push_x + b->push_y * b->push_y) +
                0.5 * m->inverse_inertia * b->push_w * b->push_w;
    }
    return gain;
}

CAB_PL_FUNCTION void cab_pl_take_impulses(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->direct_runs; i++) {
        global cab_pl_row *row = cab_pl_direct_row(v, i);
        cab_pl_run_pull(v, row, cab_pl_run_sum(row, 0) - row->impulse);
    }
    for (int i = 0; i < v->scene->direct_touches; i++) {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        global cab_pl_touch *t = cab_pl_direct_touch(v, i);
        cab_pr along = cab_pl_tangent_sum(t, 0) - t->tangent;
        cab_pl_change_normal(v, c, t, cab_pl_normal_sum(t, 0) - t->normal);
        cab_pl_change_tangent(v, c, t, t->most_tangent, along);
    }
}

/* All of them together, then sweeps over what is not part of it. Where the balance is not found, what there
 * is of it is taken only if it is better than nothing. */
CAB_PL_FUNCTION void cab_pl_solve_together(const cab_pl_view *v, cab_pr h, int correct)
{
    if (v->scene->unknowns > 0) {
        cab_pl_begin(v, h, correct);
        int found = cab_pl_find_balance(v);
        STAT(0, found)
        if (cab_pl_gain(v) <= 0) cab_pl_take_impulses(v);
        cab_pl_clear_push(v);
    }
    for (int i = 0; i < v->scene->rows; i += v->row[i].run) cab_pl_solve_run(v, v->row + i, h, correct);
    cab_pl_solve_contacts(v, h, correct);
}

#endif
