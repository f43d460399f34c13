/* Islands: sets of bodies that segments and contacts hold to each other. Each is put into an order in which
 * the matrix that solves it has a narrow envelope, and gets the cells for that matrix.
 */
#ifndef CAB_PLANAR_ISLANDS_H
#define CAB_PLANAR_ISLANDS_H

#include "contacts.h"

#define CAB_PL_FOR_BODIES(g, i) for (int i = (g)->body; i < (g)->body + (g)->bodies; i++)
#define CAB_PL_FOR_UNKNOWNS(g, i) for (int i = (g)->unknown; i < (g)->unknown + (g)->unknowns; i++)
#define CAB_PL_FOR_RUNS(g, i) for (int i = (g)->run; i < (g)->run + (g)->runs; i++)
#define CAB_PL_FOR_TOUCHES(g, i) for (int i = (g)->touch; i < (g)->touch + (g)->touches; i++)

CAB_PL_FUNCTION int cab_pl_unknowns(global const cab_pl_motion *m)
{
    return (m->inverse_mass > 0 ? 2 : 0) + (m->inverse_inertia > 0 ? 1 : 0);
}

/* Runs of pinched segments are left to the sweeps: their two bodies are held from both sides, so the system
 * would have no unique solution. */
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

/* 1 = an impulse can change the speed at a contact. Between two circles on axles it cannot. */
CAB_PL_FUNCTION int cab_pl_contact_holds(global const cab_pl_contact *c)
{
    for (int k = 0; k < c->count; k++) {
        if (c->touch[k].normal_mass > 0) return 1;
    }
    return 0;
}

/* A cable that slides over a body that cannot move couples the bodies before and after that one. */
CAB_PL_FUNCTION void cab_pl_find_behind(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->rows; i++) {
        global cab_pl_row *row = v->row + i;
        int before = v->joint[row->joint].before;
        int on = i > 0 && v->row[i - 1].joint == before && v->joint[before].grip >= 0;
        row->behind = on && cab_pl_unknowns(v->motion + row->a) == 0 ? v->row[i - 1].behind : row->a;
    }
}

/* The body at an end of an edge of the graph: contacts first, then rows. */
CAB_PL_FUNCTION int cab_pl_end_body(const cab_pl_view *v, int end)
{
    int edge = end / 2, room = v->scene->contact_room;
    if (edge < room) return end & 1 ? v->contact[edge].b : v->contact[edge].a;
    return end & 1 ? v->row[edge - room].b : v->row[edge - room].behind;
}

CAB_PL_FUNCTION void cab_pl_add_edge(const cab_pl_view *v, int edge)
{
    for (int end = 2 * edge; end < 2 * edge + 2; end++) {
        global cab_pl_body *b = v->body + cab_pl_end_body(v, end);
        v->end[end] = b->first_end;
        b->first_end = end;
    }
}

/* Visits a body's island breadth first, and returns the number of its bodies. */
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

CAB_PL_FUNCTION void cab_pl_add_edges(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    for (int i = 0; i <= scene->bodies; i++) {
        v->body[i].first_end = -1;
        v->body[i].mark = 0;
        v->body[i].unknown = -1;
    }
    for (int i = 0; i < scene->contacts; i++) {
        if (cab_pl_contact_holds(v->contact + i)) cab_pl_add_edge(v, i);
    }
    cab_pl_find_behind(v);
    for (int i = 0; i < scene->rows; i++) cab_pl_add_edge(v, scene->contact_room + i);
}

/* Finds the islands; their bodies are not in order yet. */
CAB_PL_FUNCTION void cab_pl_find_islands(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    int ordered = 0;
    cab_pl_add_edges(v);
    scene->islands = scene->swept = 0;
    for (int i = 0; i < scene->bodies; i++) {
        if (v->body[i].mark || v->body[i].first_end < 0 || cab_pl_unknowns(v->motion + i) == 0) continue;
        global cab_pl_island *g = v->island + scene->islands++;
        g->way = CAB_PL_UNDECIDED;
        g->body = ordered;
        g->bodies = cab_pl_spread(v, i, ordered, scene->islands);
        ordered += g->bodies;
    }
}

CAB_PL_FUNCTION void cab_pl_number_unknowns(const cab_pl_view *v, global cab_pl_island *g)
{
    int n = g->unknown = 3 * g->body;
    CAB_PL_FOR_BODIES(g, i)
    {
        global const cab_pl_motion *m = v->motion + v->order[i];
        int count = cab_pl_unknowns(m);
        v->body[v->order[i]].unknown = n;
        for (int k = 0; k < count; k++, n++)
            v->unknown[n].mass = m->inverse_mass > 0 && k < 2 ? 1 / m->inverse_mass : 1 / m->inverse_inertia;
    }
    g->unknowns = n - g->unknown;
}

/* Orders the bodies of an island so that coupled ones are near to each other (E. Cuthill, J. McKee, 1969):
 * breadth first, from a body that is as far as possible from another one. */
CAB_PL_FUNCTION void cab_pl_order_bodies(const cab_pl_view *v, global cab_pl_island *g)
{
    int island = v->body[v->order[g->body]].mark - 1;
    cab_pl_spread(v, v->order[g->body + g->bodies - 1], g->body, -1);
    CAB_PL_FOR_BODIES(g, i) v->body[v->order[i]].mark = island + 1;
    cab_pl_number_unknowns(v, g);
}

/* The island of a constraint to which one more body is added. `island` is that of the bodies before: -1 =
 * they have none. The answer -2 means that the bodies belong to two islands. */
CAB_PL_FUNCTION int cab_pl_common_island(const cab_pl_view *v, int island, int body)
{
    int its = v->body[body].mark - 1;
    return its < 0 || its == island ? island : island == -1 ? its : -2;
}

/* The island of a run. Less than 0: the run is left to the sweeps, since it has none, or has come to join two
 * islands within this step. */
CAB_PL_FUNCTION int cab_pl_run_island(const cab_pl_view *v, int first)
{
    int island = -1;
    if (v->row[first].mass == 0 || !cab_pl_run_has_length(v, first)) return -1;
    for (int i = first; i < first + v->row[first].run; i++)
        island = cab_pl_common_island(v, cab_pl_common_island(v, island, v->row[i].a), v->row[i].b);
    return island;
}

CAB_PL_FUNCTION int cab_pl_touch_island(const cab_pl_view *v, global const cab_pl_contact *c, int touch)
{
    return c->touch[touch].normal_mass > 0 ? cab_pl_common_island(v, cab_pl_common_island(v, -1, c->a), c->b)
                                           : -1;
}

/* Counts the runs and the touches of each island. With `place` it also writes them to the island's lists. */
CAB_PL_FUNCTION void cab_pl_count_direct(const cab_pl_view *v, int place)
{
    for (int i = 0; i < v->scene->islands; i++) v->island[i].runs = v->island[i].touches = 0;
    for (int i = 0; i < v->scene->rows; i += v->row[i].run) {
        int island = cab_pl_run_island(v, i);
        if (island < 0) continue;
        global cab_pl_island *g = v->island + island;
        if (place) v->direct_run[g->run + g->runs] = i;
        g->runs++;
    }
    for (int i = 0; i < 2 * v->scene->contacts; i++) {
        int island = i % 2 < v->contact[i / 2].count ? cab_pl_touch_island(v, v->contact + i / 2, i % 2) : -1;
        if (island < 0) continue;
        global cab_pl_island *g = v->island + island;
        if (place) v->direct_touch[g->touch + g->touches] = i;
        g->touches++;
    }
}

/* Makes the lists of the runs and the touches of each island. */
CAB_PL_FUNCTION void cab_pl_list_direct(const cab_pl_view *v)
{
    int run = 0, touch = 0;
    cab_pl_count_direct(v, 0);
    for (int i = 0; i < v->scene->islands; i++) {
        global cab_pl_island *g = v->island + i;
        g->run = run;
        g->touch = touch;
        g->cells = -1;
        run += g->runs;
        touch += g->touches;
    }
    cab_pl_count_direct(v, 1);
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

CAB_PL_FUNCTION void cab_pl_find_envelope(const cab_pl_view *v, global const cab_pl_island *g)
{
    CAB_PL_FOR_BODIES(g, i)
    {
        int at = v->body[v->order[i]].unknown;
        for (int k = 0; k < cab_pl_unknowns(v->motion + v->order[i]); k++) v->unknown[at + k].low = at;
    }
    CAB_PL_FOR_TOUCHES(g, i)
    {
        global const cab_pl_contact *c = cab_pl_direct_contact(v, i);
        int first = cab_pl_first_of(v, c->a, c->b, -1);
        cab_pl_reach_back(v, c->a, first);
        cab_pl_reach_back(v, c->b, first);
    }
    CAB_PL_FOR_RUNS(g, i)
    {
        global const cab_pl_row *row = cab_pl_direct_row(v, i);
        int first = -1;
        for (int k = 0; k < row->run; k++) first = cab_pl_first_of(v, row[k].a, row[k].b, first);
        for (int k = 0; k < row->run; k++) {
            cab_pl_reach_back(v, row[k].a, first);
            cab_pl_reach_back(v, row[k].b, first);
        }
    }
}

/* Gives an island its cells. All islands have the same ones, since they are solved one after the other. */
CAB_PL_FUNCTION void cab_pl_place_cells(const cab_pl_view *v, global cab_pl_island *g)
{
    cab_pl_find_envelope(v, g);
    g->cells = 0;
    CAB_PL_FOR_UNKNOWNS(g, i)
    {
        v->unknown[i].at = g->cells;
        g->cells += i - v->unknown[i].low;
    }
}

#endif
