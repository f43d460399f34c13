/* Islands: bodies that segments and contacts hold to each other, in an order in which the matrix of what is
 * solved together is narrow, and the cells that it needs.
 */
#ifndef CAB_PLANAR_ISLANDS_H
#define CAB_PLANAR_ISLANDS_H

#include "planar_contacts.h"

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

/* None of the two is left to the sweeps. */
CAB_PL_FUNCTION int cab_pl_is_direct(const cab_pl_view *v, int a, int b)
{
    return (v->body[a].unknown >= 0 || cab_pl_unknowns(v->motion + a) == 0) &&
           (v->body[b].unknown >= 0 || cab_pl_unknowns(v->motion + b) == 0);
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

#endif
