#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "model/pose.h"
#include "model/scene.h"
#include "world/colliders.h"
#include "world/world.h"

/* part: of the frame that is over */
static bool look(judge *j, double part, moment *m, cab_error *error)
{
    const throw_core *core = &j->thrown->core;
    if (cab_world_read(j->world, j->read, NULL, NULL, error)) return false;
    for (int i = 0; i < j->info.nodes; i++)
        m->node[i] = (cab_vec3){j->read[3 * i], j->read[3 * i + 1], j->read[3 * i + 2]};
    if (core->count == 0) return true;
    cab_pose pose = cab_colliders_pose(j->world, 0, part);
    for (int l = 0; l < core->count; l++)
        for (int end = 0; end < 2; end++)
            m->line[l][end] =
                cab_pose_from_collider(&j->world->model->scene->colliders[0], &pose, core->line[l][end]);
    return true;
}

/* fmin() and fmax() of the library took a third of the time of a throw. */
static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static box box_of(const cab_vec3 from[2], const cab_vec3 to[2])
{
    box b;
    for (int axis = 0; axis < 3; axis++) {
        double p = (&from[0].x)[axis], q = (&from[1].x)[axis], r = (&to[0].x)[axis], s = (&to[1].x)[axis];
        b.low[axis] = least(least(p, q), least(r, s));
        b.high[axis] = most(most(p, q), most(r, s));
    }
    return b;
}

static void add_box(box *sum, const box *b)
{
    for (int axis = 0; axis < 3; axis++) {
        sum->low[axis] = least(sum->low[axis], b->low[axis]);
        sum->high[axis] = most(sum->high[axis], b->high[axis]);
    }
}

static bool overlap(const box *a, const box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->low[axis] > b->high[axis] || b->low[axis] > a->high[axis]) return false;
    return true;
}

/* The boxes of all segments and bodies. */
static void sweep(judge *j)
{
    for (int s = 0; s < j->segments; s++) {
        int node = j->segment[s], body = j->body[s];
        j->way[s] = box_of(j->before.node + node, j->after.node + node);
        if (s == j->first[body])
            j->whole[body] = j->way[s];
        else
            add_box(&j->whole[body], &j->way[s]);
    }
}

static void note(throw_result *result, int substep, const char *what, int a, int b)
{
    if (!result->through)
        snprintf(result->what, sizeof result->what, "substep %d: segment %d goes through %s %d", substep, a,
                 what, b);
    result->through = true;
}

/* Does segment s meet a line in the piece? line: where it is before and after */
static bool meets(const judge *j, int s, const cab_vec3 before[2], const cab_vec3 after[2])
{
    const cab_vec3 *a = j->before.node + j->segment[s], *b = j->after.node + j->segment[s];
    const cab_vec3 from[4] = {a[0], a[1], before[0], before[1]}, to[4] = {b[0], b[1], after[0], after[1]};
    return throw_meet(from, to) <= 1;
}

static void judge_collider(const judge *j)
{
    const throw_core *core = &j->thrown->core;
    for (int l = 0; l < core->count; l++) {
        const cab_vec3 *before = j->before.line[l], *after = j->after.line[l];
        box line = box_of(before, after);
        for (int body = 0; body < j->info.cables; body++) {
            if (!overlap(&line, &j->whole[body])) continue;
            for (int s = j->first[body]; s < j->first[body + 1]; s++)
                if (overlap(&line, &j->way[s]) && meets(j, s, before, after))
                    note(j->result, j->substep, "the collider's line", s, l);
        }
    }
    for (int s = 0; core->plane && s < j->segments; s++) {
        const cab_vec3 *to = j->after.node + j->segment[s];
        if (to[0].z < -core->depth || to[1].z < -core->depth) note(j->result, j->substep, "the plane", s, 0);
    }
}

/* Segment a and those from `from` to before `to`. */
static void judge_segments(const judge *j, int a, int from, int to)
{
    for (int b = from; b < to; b++) {
        int node = j->segment[b];
        if (overlap(&j->way[a], &j->way[b]) && meets(j, a, j->before.node + node, j->after.node + node))
            note(j->result, j->substep, "segment", a, b);
    }
}

static void judge_cables(const judge *j)
{
    for (int a = 0; a < j->segments; a++) {
        judge_segments(j, a, a + j->apart[a], j->first[j->body[a] + 1]);
        for (int body = j->body[a] + 1; body < j->info.cables; body++)
            if (overlap(&j->way[a], &j->whole[body]))
                judge_segments(j, a, j->first[body], j->first[body + 1]);
    }
}

void judge_piece(judge *j, double part)
{
    cab_error error;
    if (!look(j, part, &j->after, &error)) {
        j->failed = true;
        return;
    }
    sweep(j);
    judge_collider(j);
    judge_cables(j);
    moment swap = j->before;
    j->before = j->after;
    j->after = swap;
    j->result->pieces++;
}

static bool allocate(judge *j)
{
    size_t nodes = (size_t)j->info.nodes, bodies = (size_t)j->info.cables;
    j->read = calloc(3 * nodes, sizeof *j->read);
    j->before.node = calloc(nodes, sizeof *j->before.node);
    j->after.node = calloc(nodes, sizeof *j->after.node);
    j->segment = calloc(nodes, sizeof *j->segment);
    j->body = calloc(nodes, sizeof *j->body);
    j->apart = calloc(nodes, sizeof *j->apart);
    j->way = calloc(nodes, sizeof *j->way);
    j->first = calloc(bodies + 1, sizeof *j->first);
    j->whole = calloc(bodies, sizeof *j->whole);
    return j->read && j->before.node && j->after.node && j->segment && j->body && j->apart && j->way &&
           j->first && j->whole;
}

bool judge_start(judge *j, cab_error *error)
{
    j->info = cab_world_get_info(j->world);
    if (!allocate(j)) return false;
    bool self = cab_scene_settings(j->thrown->scene)->contact_self;
    for (int c = 0; c < j->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(j->world, c);
        double rest = cable.length / (cable.node_count - 1);
        for (int i = 0; i + 1 < cable.node_count; i++) {
            j->apart[j->segments] = self ? 3 + (int)ceil(2 * cable.radius / rest) : cable.node_count;
            j->segment[j->segments] = cable.first_node + i;
            j->body[j->segments++] = c;
        }
        j->first[c + 1] = j->segments;
    }
    return look(j, 0, &j->before, error);
}

void judge_end(judge *j)
{
    free(j->read);
    free(j->before.node);
    free(j->after.node);
    free(j->segment);
    free(j->body);
    free(j->apart);
    free(j->way);
    free(j->first);
    free(j->whole);
    cab_world_destroy(j->world);
}
