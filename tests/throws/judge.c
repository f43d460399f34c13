#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/pose.h"
#include "model/scene.h"
#include "world/colliders.h"
#include "world/world.h"

/* The lines where they are when `part` of the frame is over. */
static void place_lines(const judge *j, double part, cab_vec3 (*line)[2])
{
    cab_pose pose = {0};
    for (int l = 0; l < j->lines; l++) {
        const core_line *of = &j->line[l];
        const cab_collider_def *def = &j->world->model->scene->colliders[of->collider];
        if (l == 0 || of->collider != of[-1].collider)
            pose = cab_colliders_pose(j->world, of->collider, part);
        for (int end = 0; end < 2; end++) line[l][end] = cab_pose_from_collider(def, &pose, of->end[end]);
    }
}

static bool look(judge *j, moment *m, cab_error *error)
{
    if (cab_world_read(j->world, j->read, NULL, NULL, error)) return false;
    for (int i = 0; i < j->info.nodes; i++)
        m->node[i] = (cab_vec3){j->read[3 * i], j->read[3 * i + 1], j->read[3 * i + 2]};
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

/* Is the segment held while others take their pieces of the substep? Then the colliders move past it, and again in its turn. */
static bool waits(const judge *j, int s)
{
    const cab_vec3 *a = j->before.node + j->segment[s], *b = j->after.node + j->segment[s];
    return j->world->params.cut && memcmp(a, b, 2 * sizeof *a) == 0;
}

static void judge_colliders(const judge *j)
{
    for (int l = 0; l < j->lines; l++) {
        const cab_vec3 *before = j->before.line[l], *after = j->after.line[l];
        box line = box_of(before, after);
        for (int body = 0; body < j->info.cables; body++) {
            if (!overlap(&line, &j->whole[body])) continue;
            for (int s = j->first[body]; s < j->first[body + 1]; s++)
                if (overlap(&line, &j->way[s]) && !waits(j, s) && meets(j, s, before, after))
                    note(j->result, j->substep, "the colliders' line", s, l);
        }
    }
}

/* The centre line is behind none by more than its radius. */
static void judge_planes(const judge *j, double part)
{
    const cab_scene *scene = j->world->model->scene;
    for (int c = 0; c < scene->collider_count; c++) {
        const cab_collider_def *def = &scene->colliders[c];
        if (def->shape != CAB_SHAPE_PLANE) continue;
        cab_pose pose = cab_colliders_pose(j->world, c, part);
        cab_vec3 n = cab_vec3_unit(def->normal), at = cab_vec3_add(def->center, pose.position);
        for (int s = 0; s < j->segments; s++)
            for (int end = 0; end < 2; end++)
                if (cab_vec3_dot(n, cab_vec3_sub(j->after.node[j->segment[s] + end], at)) <
                    -j->radius[j->body[s]])
                    note(j->result, j->substep, "the plane", s, c);
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

/* What has happened, where after.line is. */
static void judge_way(judge *j, double part)
{
    cab_error error;
    if (!look(j, &j->after, &error)) {
        j->failed = true;
        return;
    }
    sweep(j);
    judge_colliders(j);
    judge_planes(j, part);
    judge_cables(j);
    moment swap = j->before;
    j->before = j->after;
    j->after = swap;
    j->result->pieces++;
}

void judge_back(judge *j)
{
    memcpy(j->before.node, j->start.node, (size_t)j->info.nodes * sizeof *j->start.node);
    *j->result = j->so_far;
    j->part = -1;
}

bool judge_in_lanes(const judge *j)
{
    return j->world->lanes.ahead;
}

/* Is it where a substep begins? In lanes a frame is taken again as a whole. */
static bool begins(const judge *j, double part)
{
    if (judge_in_lanes(j)) return fabs(part) < 1e-9;
    double substep = part * cab_scene_settings(j->thrown->scene)->substeps;
    return fabs(substep - round(substep)) < 1e-9;
}

void judge_piece(judge *j, double from, double to)
{
    if (begins(j, from) && (!j->world->params.cut || j->world->pace.first)) {
        memcpy(j->start.node, j->before.node, (size_t)j->info.nodes * sizeof *j->start.node);
        j->so_far = *j->result;
    }
    if (from != j->part) place_lines(j, from, j->before.line);
    place_lines(j, to, j->after.line);
    j->part = to;
    judge_way(j, to);
}

void judge_frame(judge *j)
{
    /* the frame that comes begins where this one ended */
    if (j->part != 1) {
        place_lines(j, 0, j->after.line);
        judge_way(j, 0);
    }
    j->part = 0;
}

static bool allocate(judge *j)
{
    size_t nodes = (size_t)j->info.nodes, bodies = (size_t)j->info.cables;
    j->read = calloc(3 * nodes, sizeof *j->read);
    j->before.node = calloc(nodes, sizeof *j->before.node);
    j->after.node = calloc(nodes, sizeof *j->after.node);
    j->start.node = calloc(nodes, sizeof *j->start.node);
    j->segment = calloc(nodes, sizeof *j->segment);
    j->body = calloc(nodes, sizeof *j->body);
    j->apart = calloc(nodes, sizeof *j->apart);
    j->way = calloc(nodes, sizeof *j->way);
    j->before.line = calloc((size_t)j->lines + 1, sizeof *j->before.line);
    j->after.line = calloc((size_t)j->lines + 1, sizeof *j->after.line);
    j->radius = calloc(bodies, sizeof *j->radius);
    j->first = calloc(bodies + 1, sizeof *j->first);
    j->whole = calloc(bodies, sizeof *j->whole);
    return j->start.node && j->before.line && j->after.line && j->radius && j->read && j->before.node &&
           j->after.node && j->segment && j->body && j->apart && j->way && j->first && j->whole;
}

bool judge_start(judge *j, cab_error *error)
{
    j->info = cab_world_get_info(j->world);
    if (!core_make(j, j->world->model->scene) || !allocate(j)) return false;
    bool self = cab_scene_settings(j->thrown->scene)->contact.self;
    for (int c = 0; c < j->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(j->world, c);
        j->radius[c] = cable.radius;
        double rest = cable.length / (cable.node_count - 1);
        for (int i = 0; i + 1 < cable.node_count; i++) {
            j->apart[j->segments] = self ? 3 + (int)ceil(2 * cable.radius / rest) : cable.node_count;
            j->segment[j->segments] = cable.first_node + i;
            j->body[j->segments++] = c;
        }
        j->first[c + 1] = j->segments;
    }
    place_lines(j, 0, j->before.line);
    return look(j, &j->before, error);
}

void judge_end(judge *j)
{
    free(j->read);
    free(j->line);
    free(j->before.line);
    free(j->after.line);
    free(j->radius);
    free(j->before.node);
    free(j->after.node);
    free(j->start.node);
    free(j->segment);
    free(j->body);
    free(j->apart);
    free(j->way);
    free(j->first);
    free(j->whole);
    cab_world_destroy(j->world);
}
