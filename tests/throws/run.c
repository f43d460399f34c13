/* A throw is stepped, and each substep is judged. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/pose.h"
#include "model/scene.h"
#include "throws.h"
#include "world/colliders.h"
#include "world/world.h"

#define NEIGHBOURS                                                                                           \
    3 /* segments of a cable that are closer along it are not judged: they turn about a common node */

typedef struct moment {
    cab_vec3 *node; /* [nodes] m */
    cab_pose pose;  /* of the collider */
} moment;

typedef struct judge {
    const throw_case *thrown;
    cab_world *world;
    cab_world_info info;
    int *segment; /* [segments] its first node */
    int *body;    /* [segments] */
    int *
        apart; /* [segments] of its own cable only those touch it that are so many further on: two radii, a segment's
                       length and one more; more than there are where cables do not touch themselves */
    int segments;
    double *read; /* [nodes][3] */
    moment before, after;
    throw_result *result;
    int substep;
    int pieces; /* that were looked at */
    bool failed;
} judge;

/* A point of the collider, as seen from it, where the collider is at a moment. */
static cab_vec3 placed(const judge *j, const moment *m, cab_vec3 point)
{
    return cab_pose_from_collider(&j->world->model->scene->colliders[0], &m->pose, point);
}

/* part: of the frame that is over */
static bool look(judge *j, double part, moment *m, cab_error *error)
{
    if (cab_world_read(j->world, j->read, NULL, NULL, error)) return false;
    for (int i = 0; i < j->info.nodes; i++)
        m->node[i] = (cab_vec3){j->read[3 * i], j->read[3 * i + 1], j->read[3 * i + 2]};
    m->pose = (cab_pose){{0, 0, 0}, {1, 0, 0, 0}};
    if (j->thrown->core.count > 0) m->pose = cab_colliders_pose(j->world, 0, part);
    return true;
}

/* Do the boxes around the ways of two segments overlap? */
static bool near(const cab_vec3 from[4], const cab_vec3 to[4])
{
    for (int axis = 0; axis < 3; axis++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 4; i++) {
            double a = (&from[i].x)[axis], b = (&to[i].x)[axis];
            low[i / 2] = fmin(low[i / 2], fmin(a, b));
            high[i / 2] = fmax(high[i / 2], fmax(a, b));
        }
        if (low[0] > high[1] || low[1] > high[0]) return false;
    }
    return true;
}

static bool passes(const cab_vec3 from[4], const cab_vec3 to[4])
{
    return near(from, to) && throw_meet(from, to) <= 1;
}

static void segment_ends(const judge *j, int s, cab_vec3 from[2], cab_vec3 to[2])
{
    for (int end = 0; end < 2; end++) {
        from[end] = j->before.node[j->segment[s] + end];
        to[end] = j->after.node[j->segment[s] + end];
    }
}

static void note(throw_result *result, int substep, const char *what, int a, int b)
{
    if (!result->through)
        snprintf(result->what, sizeof result->what, "substep %d: segment %d goes through %s %d", substep, a,
                 what, b);
    result->through = true;
}

static void judge_collider(const judge *j, int substep, throw_result *result)
{
    const throw_core *core = &j->thrown->core;
    for (int s = 0; s < j->segments; s++) {
        cab_vec3 from[4], to[4];
        segment_ends(j, s, from, to);
        if (core->plane && (to[0].z < -core->depth || to[1].z < -core->depth))
            note(result, substep, "the plane", s, 0);
        for (int l = 0; l < core->count; l++) {
            for (int end = 0; end < 2; end++) {
                from[2 + end] = placed(j, &j->before, core->line[l][end]);
                to[2 + end] = placed(j, &j->after, core->line[l][end]);
            }
            if (passes(from, to)) note(result, substep, "the collider's line", s, l);
        }
    }
}

static void judge_cables(const judge *j, int substep, throw_result *result)
{
    for (int a = 0; a < j->segments; a++) {
        cab_vec3 from[4], to[4];
        segment_ends(j, a, from, to);
        for (int b = a + 1; b < j->segments; b++) {
            if (j->body[a] == j->body[b] && b - a < j->apart[a]) continue;
            segment_ends(j, b, from + 2, to + 2);
            if (passes(from, to)) note(result, substep, "segment", a, b);
        }
    }
}

static bool start(judge *j, cab_error *error)
{
    j->info = cab_world_get_info(j->world);
    size_t nodes = (size_t)j->info.nodes;
    j->read = calloc(3 * nodes, sizeof *j->read);
    j->before.node = calloc(nodes, sizeof *j->before.node);
    j->after.node = calloc(nodes, sizeof *j->after.node);
    j->segment = calloc(nodes, sizeof *j->segment);
    j->body = calloc(nodes, sizeof *j->body);
    j->apart = calloc(nodes, sizeof *j->apart);
    if (!j->read || !j->before.node || !j->after.node || !j->segment || !j->body || !j->apart) return false;
    bool self = cab_scene_settings(j->thrown->scene)->contact_self;
    for (int c = 0; c < j->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(j->world, c);
        double rest = cable.length / (cable.node_count - 1);
        for (int i = 0; i + 1 < cable.node_count; i++) {
            j->apart[j->segments] = self ? 3 + (int)ceil(2 * cable.radius / rest) : cable.node_count;
            j->segment[j->segments] = cable.first_node + i;
            j->body[j->segments++] = c;
        }
    }
    return look(j, 0, &j->before, error);
}

static void end(judge *j)
{
    free(j->read);
    free(j->before.node);
    free(j->after.node);
    free(j->segment);
    free(j->body);
    free(j->apart);
    cab_world_destroy(j->world);
}

static bool pull(judge *j, double time, cab_error *error)
{
    const throw_case *t = j->thrown;
    double s = fmin(1, 2 * time / t->duration);
    cab_vec3 at = cab_vec3_add_scaled(t->pull_from, s, cab_vec3_sub(t->pull_to, t->pull_from));
    return t->pulled < 0 || cab_world_pull(j->world, t->pulled, at, 0, error) == CAB_OK;
}

/* After each substep, or piece of one. */
static void watch(void *user, cab_world *world, double part)
{
    judge *j = user;
    cab_error error;
    (void)world;
    if (!look(j, part, &j->after, &error)) {
        j->failed = true;
        return;
    }
    judge_collider(j, j->substep, j->result);
    judge_cables(j, j->substep, j->result);
    moment swap = j->before;
    j->before = j->after;
    j->after = swap;
    j->pieces++;
}

/* False: something else than the physics failed. */
static bool steps(judge *j, const throw_options *options, throw_result *result, cab_error *error)
{
    int count = (int)ceil(j->thrown->duration * 60 * options->substeps);
    for (int i = 0; i < count; i++) {
        if (i % options->substeps == 0 && !pull(j, (double)i / (60 * options->substeps), error)) return false;
        j->substep = i;
        cab_status status = cab_world_step(j->world, 1, error);
        if (status == CAB_ERROR_DIVERGED) {
            result->diverged = true;
            snprintf(result->what, sizeof result->what, "substep %d: %.120s", i, error->message);
            return true;
        }
        if (status || j->failed) return false;
        cab_measures measures;
        if (cab_world_measure(j->world, &measures, error)) return false;
        result->stretch = fmax(result->stretch, measures.stretch_max);
        result->overlap = fmax(result->overlap, measures.penetration_max);
    }
    return true;
}

bool throw_run(const throw_case *thrown, const throw_options *options, throw_result *result)
{
    cab_error error = {0};
    cab_world_def def = cab_world_default();
    judge j = {.thrown = thrown, .result = result};
    *result = (throw_result){0};
    def.device = options->device;
    def.threads = 1;
    bool good = cab_world_create(thrown->scene, &def, &j.world, &error) == CAB_OK;
    if (good) {
        j.world->pace.watch = watch;
        j.world->pace.user = &j;
    }
    good = good && start(&j, &error) && steps(&j, options, result, &error);
    if (!good) fprintf(stderr, "throws: %s\n", error.message);
    result->pieces = j.pieces;
    end(&j);
    return good;
}
