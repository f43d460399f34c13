/* Planar worlds: a batch of scenes on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAB_KERNELS_AS_C
#include "kernels/planar/spool.h"

#include "base/clock.h"
#include "base/error.h"
#include "study/planar/planar.h"

typedef struct names {
    char **body, **cable;
    int bodies, cables;
} names;

struct cab_planar {
    cab_backend *backend;
    cab_planar_arrays arrays; /* as they were at the start */
    names *names;             /* [scenes] */
    double *length;           /* [cables] m, at the start */
    double seconds[CAB_PLANAR_STAGE_COUNT];
    bool profile;
    int steps;
};

_Static_assert((int)CAB_PLANAR_STAGE_COUNT == (int)CAB_PL_STAGE_COUNT, "a stage has one name");

const char *cab_planar_stage_name(cab_planar_stage stage)
{
#define WORD(word) #word,
    static const char *const words[] = {CAB_PL_STAGES(WORD)};
    return (unsigned)stage < CAB_PLANAR_STAGE_COUNT ? words[stage] : "";
}

static void free_names(names *n)
{
    for (int i = 0; n->body && i < n->bodies; i++) free(n->body[i]);
    for (int i = 0; n->cable && i < n->cables; i++) free(n->cable[i]);
    free(n->body);
    free(n->cable);
}

static cab_status keep_names(const cab_planar_scene *scene, names *n, cab_error *error)
{
    n->bodies = scene->body_count;
    n->cables = scene->cable_count;
    n->body = calloc((size_t)n->bodies + 1, sizeof *n->body);
    n->cable = calloc((size_t)n->cables + 1, sizeof *n->cable);
    bool ok = n->body && n->cable;
    for (int i = 0; ok && i < n->bodies; i++) ok = (n->body[i] = strdup(scene->bodies[i].name)) != NULL;
    for (int i = 0; ok && i < n->cables; i++) ok = (n->cable[i] = strdup(scene->cables[i].name)) != NULL;
    return ok ? CAB_OK : cab_fail_memory(error, "names", 0);
}

/* Rest and stored lengths of a cable; `joint` are its scene's. */
static double length_of(const cab_pl_cable *cable, const cab_pl_joint *joint)
{
    double sum = 0;
    for (int j = cable->first;; j = joint[j].after) {
        sum += joint[j].stored;
        if (joint[j].before >= 0) sum += joint[j].rest;
        if (j == cable->last) return sum;
    }
}

static cab_status put(cab_planar *p, cab_buffer id, size_t bytes, const void *data, cab_error *error)
{
    cab_backend *b = p->backend;
    cab_status status = b->ops->allocate(b, id, bytes, error);
    return status || !data ? status : b->ops->write(b, id, 0, bytes, data, error);
}

static cab_status upload(cab_planar *p, cab_error *error)
{
    const cab_planar_arrays *a = &p->arrays;
    const struct {
        cab_buffer id;
        int count;
        size_t size;
        const void *data;
    } list[] = {
        {CAB_BUFFER_planar_scene, a->scenes, sizeof *a->scene, a->scene},
        {CAB_BUFFER_planar_motion, a->bodies, sizeof *a->motion, a->motion},
        {CAB_BUFFER_planar_body, a->bodies, sizeof *a->body, a->body},
        {CAB_BUFFER_planar_corner, a->corners, sizeof *a->corner, a->corner},
        {CAB_BUFFER_planar_cable, a->cables, sizeof *a->cable, a->cable},
        {CAB_BUFFER_planar_joint, a->joints, sizeof *a->joint, a->joint},
        {CAB_BUFFER_planar_contact, 2 * a->contacts, sizeof(cab_pl_contact), NULL},
        {CAB_BUFFER_planar_row, a->joints, sizeof(cab_pl_row), NULL},
        {CAB_BUFFER_planar_sweep, a->bodies, sizeof *a->sweep, a->sweep},
        {CAB_BUFFER_planar_pair, a->pairs, sizeof(cab_pl_pair), NULL},
        {CAB_BUFFER_planar_hit, a->joints, sizeof(cab_pl_pair), NULL},
        {CAB_BUFFER_planar_split, a->contacts, sizeof(cab_pl_pair), NULL},
        {CAB_BUFFER_planar_unknown, 3 * a->bodies, sizeof(cab_pl_unknown), NULL},
        {CAB_BUFFER_planar_island, a->bodies, sizeof(cab_pl_island), NULL},
        {CAB_BUFFER_planar_cell, 2 * a->cells, sizeof(cab_pr), NULL},
        {CAB_BUFFER_planar_list, a->bodies + 4 * a->contacts + 3 * a->joints, sizeof(int), NULL},
        {CAB_BUFFER_planar_node, a->nodes, sizeof(cab_pl_node), NULL},
        {CAB_BUFFER_planar_chain, a->chains, sizeof *a->chain, a->chain},
    };
    cab_status status = CAB_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = put(p, list[i].id, (size_t)list[i].count * list[i].size, list[i].count ? list[i].data : NULL,
                     error);
    return status;
}

static cab_status start(cab_planar *p, const cab_planar_scene *const *scenes, int count,
                        const cab_world_def *def, cab_error *error)
{
    for (int i = 0; i < count; i++) {
        int pieces = scenes[i]->settings.slack_pieces;
        if (pieces < 0 || pieces > CAB_PLANAR_MAX_PIECES || pieces % 2)
            return cab_fail(error, CAB_ERROR_INPUT,
                            "slack_pieces: expected an even number from 0 to %d, got %d",
                            CAB_PLANAR_MAX_PIECES, pieces);
    }
    cab_status status = cab_backend_open(def, &p->backend, error);
    if (status) return status;
    if (!p->backend->doubles)
        return cab_fail(error, CAB_ERROR_DEVICE,
                        "%s: planar scenes need 64-bit numbers, this device has none", p->backend->info.name);
    status = cab_planar_build(scenes, count, &p->arrays, error);
    p->names = calloc((size_t)count, sizeof *p->names);
    p->length = calloc((size_t)p->arrays.cables + 1, sizeof *p->length);
    if (!status && (!p->names || !p->length)) status = cab_fail_memory(error, "names", (size_t)count);
    for (int i = 0; i < count && !status; i++) {
        const cab_pl_scene *s = p->arrays.scene + i;
        for (int c = 0; c < s->cables; c++)
            p->length[s->cable + c] = length_of(p->arrays.cable + s->cable + c, p->arrays.joint + s->joint);
        /* a batch of one scene many times keeps its names once */
        if (i == 0 || scenes[i] != scenes[i - 1]) status = keep_names(scenes[i], p->names + i, error);
    }
    return status ? status : upload(p, error);
}

cab_status cab_planar_create(const cab_planar_scene *const *scenes, int count, const cab_world_def *def,
                             cab_planar **planar, cab_error *error)
{
    if (count < 1) return cab_fail(error, CAB_ERROR_INPUT, "expected at least one scene");
    cab_planar *p = calloc(1, sizeof *p);
    if (!p) return cab_fail_memory(error, "a planar world", sizeof *p);
    p->profile = def->profile;
    cab_status status = start(p, scenes, count, def, error);
    if (status)
        cab_planar_destroy(p);
    else
        *planar = p;
    return status;
}

void cab_planar_destroy(cab_planar *p)
{
    if (!p) return;
    if (p->backend) p->backend->ops->destroy(p->backend);
    for (int i = 0; p->names && i < p->arrays.scenes; i++) free_names(p->names + i);
    free(p->names);
    free(p->length);
    cab_planar_free_arrays(&p->arrays);
    free(p);
}

static cab_status run(cab_planar *p, int stages, int steps, cab_error *error)
{
    return p->backend->ops->run(p->backend, CAB_KERNEL_planar, 0, p->arrays.scenes,
                                CAB_PL_ARGUMENT(stages, steps), 0, error);
}

static cab_status step_timed(cab_planar *p, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT && !status; i++) {
        double begin = cab_now();
        status = run(p, 1 << i, 1, error);
        if (!status) status = p->backend->ops->finish(p->backend, error);
        p->seconds[i] += cab_now() - begin;
    }
    return status;
}

#define STEPS_AT_ONCE 256 /* in a launch */

cab_status cab_planar_step(cab_planar *p, int steps, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int left = steps; left > 0 && !status;) {
        int some = p->profile ? 1 : left < STEPS_AT_ONCE ? left : STEPS_AT_ONCE;
        status = p->profile ? step_timed(p, error) : run(p, CAB_PL_ALL_STAGES, some, error);
        left -= some;
    }
    if (!status) status = p->backend->ops->finish(p->backend, error);
    if (!status) p->steps += steps;
    return status;
}

const cab_planar_arrays *cab_planar_arrays_of(const cab_planar *p)
{
    return &p->arrays;
}

cab_backend *cab_planar_backend_of(cab_planar *p)
{
    return p->backend;
}

int cab_planar_scenes(const cab_planar *p)
{
    return p->arrays.scenes;
}

double cab_planar_time(const cab_planar *p)
{
    return p->steps * p->arrays.scene->step;
}

cab_device_info cab_planar_device(const cab_planar *p)
{
    return p->backend->info;
}

static const names *names_of(const cab_planar *p, int scene)
{
    while (!p->names[scene].body) scene--;
    return p->names + scene;
}

const char *cab_planar_body_name(const cab_planar *p, int scene, int body)
{
    return names_of(p, scene)->body[body];
}

const char *cab_planar_cable_name(const cab_planar *p, int scene, int cable)
{
    return names_of(p, scene)->cable[cable];
}

void cab_planar_get_times(const cab_planar *p, double seconds[CAB_PLANAR_STAGE_COUNT])
{
    memcpy(seconds, p->seconds, sizeof p->seconds);
}

/* A scene as it is on the device. */
typedef struct copy {
    cab_pl_scene scene;
    cab_pl_motion *motion;
    cab_pl_cable *cable;
    cab_pl_joint *joint;
    cab_pl_contact *contact; /* of the last step */
    cab_pl_node *node;
    int contacts;
} copy;

static void free_copy(copy *c)
{
    free(c->motion);
    free(c->cable);
    free(c->joint);
    free(c->node);
    free(c->contact);
}

static cab_status get(cab_planar *p, cab_buffer id, int first, int count, size_t size, void **data,
                      cab_error *error)
{
    *data = calloc((size_t)count + 1, size);
    if (!*data) return cab_fail_memory(error, "a copy", (size_t)count * size);
    return p->backend->ops->read(p->backend, id, (size_t)first * size, (size_t)count * size, *data, error);
}

static cab_status take(cab_planar *p, int index, copy *c, cab_error *error)
{
    *c = (copy){0};
    if (index < 0 || index >= p->arrays.scenes)
        return cab_fail(error, CAB_ERROR_INPUT, "expected a scene from 0 to %d, got %d", p->arrays.scenes - 1,
                        index);
    cab_status status =
        p->backend->ops->read(p->backend, CAB_BUFFER_planar_scene, (size_t)index * sizeof c->scene,
                              sizeof c->scene, &c->scene, error);
    const cab_pl_scene *s = &c->scene;
    int contacts = 2 * s->contact + (1 - s->list) * s->contact_room; /* the list has been turned over */
    if (!status)
        status = get(p, CAB_BUFFER_planar_motion, s->body, s->bodies + 1, sizeof *c->motion,
                     (void **)&c->motion, error);
    if (!status)
        status =
            get(p, CAB_BUFFER_planar_cable, s->cable, s->cables, sizeof *c->cable, (void **)&c->cable, error);
    if (!status)
        status = get(p, CAB_BUFFER_planar_joint, s->joint, s->joint_room, sizeof *c->joint,
                     (void **)&c->joint, error);
    if (!status)
        status = get(p, CAB_BUFFER_planar_contact, contacts, s->contacts + s->kept_contacts,
                     sizeof *c->contact, (void **)&c->contact, error);
    if (!status)
        status = get(p, CAB_BUFFER_planar_node, s->node, s->chain_room * (s->pieces + 1), sizeof *c->node,
                     (void **)&c->node, error);
    c->contacts = s->contacts + s->kept_contacts;
    return status;
}

/* Where two bodies pinch it there is none to hang. */
static double slack_of(const cab_pl_joint *joint)
{
    if (joint->before < 0 || (joint->flags & CAB_PL_JOINT_PINCHED)) return 0;
    return fmax(joint->rest - joint->length, 0);
}

static void sum_cables(const cab_planar *p, const copy *c, cab_planar_stats *stats)
{
    for (int i = 0; i < c->scene.cables; i++) {
        double length = length_of(c->cable + i, c->joint), before = p->length[c->scene.cable + i];
        stats->length += length;
        stats->length_error =
            fmax(stats->length_error, fabs(length - before) / fmax(before, c->cable[i].width));
        for (int j = c->cable[i].first;; j = c->joint[j].after) {
            stats->joints++;
            if (c->joint[j].before >= 0) {
                stats->segments++;
                stats->slack += slack_of(c->joint + j);
                stats->points += c->joint[j].chain >= 0 ? c->scene.pieces + 1 : 0;
                stats->tension_max = fmax(stats->tension_max, c->joint[j].tension);
                stats->stretch_max = fmax(stats->stretch_max, c->joint[j].length - c->joint[j].rest);
            }
            if (j == c->cable[i].last) break;
        }
    }
}

static void sum_contacts(const copy *c, cab_planar_stats *stats)
{
    double least = INFINITY;
    for (int i = 0; i < c->contacts; i++) {
        const cab_pl_contact *k = c->contact + i;
        for (int n = 0; k->pinched && n < k->count; n++) least = fmin(least, k->touch[n].gap - k->margin);
    }
    stats->clearance_min = isfinite(least) ? least : 0;
}

static bool is_somewhere(const copy *c)
{
    double sum = 0;
    for (int i = 0; i < c->scene.bodies; i++) sum += c->motion[i].x + c->motion[i].y + c->motion[i].angle;
    return isfinite(sum);
}

cab_status cab_planar_get_stats(cab_planar *p, int scene, cab_planar_stats *stats, cab_error *error)
{
    copy c;
    cab_status status = take(p, scene, &c, error);
    if (!status && !is_somewhere(&c))
        status = cab_fail(error, CAB_ERROR_DIVERGED, "a body of scene %d is nowhere any more", scene);
    if (!status) {
        const cab_pl_scene *s = &c.scene;
        *stats = (cab_planar_stats){.bodies = s->bodies,
                                    .cables = s->cables,
                                    .transitional = s->transitional,
                                    .non_transitional = s->non_transitional,
                                    .contacts = s->pinch_contacts,
                                    .body_contacts = c.contacts,
                                    .asleep = s->asleep,
                                    .broad_pairs = s->pairs,
                                    .narrow_pairs = s->near_contacts,
                                    .added = s->added,
                                    .removed = s->removed,
                                    .merged = s->merged,
                                    .dropped = s->dropped};
        sum_cables(p, &c, stats);
        sum_contacts(&c, stats);
    }
    free_copy(&c);
    return status;
}

cab_status cab_planar_read_bodies(cab_planar *p, int scene, cab_planar_body *bodies, cab_error *error)
{
    copy c;
    cab_status status = take(p, scene, &c, error);
    for (int i = 0; !status && i < c.scene.bodies; i++) {
        const cab_pl_motion *m = c.motion + i;
        bodies[i] = (cab_planar_body){{m->x, m->y}, m->angle, {m->vx, m->vy}, m->w};
    }
    free_copy(&c);
    return status;
}

/* As the kernels' cab_pl_rim. */
static double rim_of(const cab_pl_joint *joint, const cab_pl_body *body, const cab_pl_cable *cable)
{
    if (joint->kind == CAB_PL_POINT) return 0;
    if (!(joint->flags & CAB_PL_JOINT_SPOOL)) return body->radius + cable->width;
    return cab_pl_spool(body->radius, body->edges, cable->width, joint->under + joint->stored);
}

static cab_planar_joint joint_of(const cab_planar *p, const copy *c, int j)
{
    const cab_pl_joint *joint = c->joint + j;
    const cab_pl_motion *m = c->motion + joint->body;
    bool reel = joint->flags & CAB_PL_JOINT_REEL;
    cab_planar_joint out = {
        .cable = joint->cable,
        .body = joint->body,
        .kind = reel                          ? CAB_PLANAR_LINK_REEL
                : joint->kind == CAB_PL_POINT ? CAB_PLANAR_LINK_POINT
                                              : CAB_PLANAR_LINK_ROLL,
        .spin = joint->spin,
        .stored = joint->stored,
        .radius = rim_of(joint, p->arrays.body + c->scene.body + joint->body, c->cable + joint->cable),
        .tail = {m->x + joint->tail.ox, m->y + joint->tail.oy},
        .head = {m->x + joint->head.ox, m->y + joint->head.oy},
        .has_segment = joint->before >= 0,
        .length = joint->length,
        .rest = joint->rest,
        .slack = slack_of(joint),
        .points = joint->before >= 0 && joint->chain >= 0 ? c->scene.pieces + 1 : 0,
        .tension = joint->tension,
        .pinched = joint->flags & CAB_PL_JOINT_PINCHED,
        .middle = joint->flags & CAB_PL_JOINT_MIDDLE,
        .slide = joint->slide};
    if (joint->before < 0) memcpy(out.tail, out.head, sizeof out.tail);
    if (joint->after < 0) memcpy(out.head, out.tail, sizeof out.head);
    return out;
}

cab_status cab_planar_read_joints(cab_planar *p, int scene, cab_planar_joint *joints, cab_error *error)
{
    copy c;
    cab_status status = take(p, scene, &c, error);
    int n = 0;
    for (int i = 0; !status && i < c.scene.cables; i++) {
        for (int j = c.cable[i].first;; j = c.joint[j].after) {
            joints[n++] = joint_of(p, &c, j);
            if (j == c.cable[i].last) break;
        }
    }
    free_copy(&c);
    return status;
}

cab_status cab_planar_read_points(cab_planar *p, int scene, double (*points)[2], cab_error *error)
{
    copy c;
    cab_status status = take(p, scene, &c, error);
    int n = 0, count = c.scene.pieces + 1;
    for (int i = 0; !status && i < c.scene.cables; i++) {
        for (int j = c.cable[i].first;; j = c.joint[j].after) {
            int chain = c.joint[j].before >= 0 ? c.joint[j].chain : -1;
            for (int k = 0; chain >= 0 && k < count; k++, n++) {
                points[n][0] = c.node[chain * count + k].x;
                points[n][1] = c.node[chain * count + k].y;
            }
            if (j == c.cable[i].last) break;
        }
    }
    free_copy(&c);
    return status;
}

cab_status cab_planar_read_contacts(cab_planar *p, int scene, cab_planar_contact *contacts, cab_error *error)
{
    copy c;
    cab_status status = take(p, scene, &c, error);
    for (int i = 0; !status && i < c.contacts; i++) {
        const cab_pl_contact *k = c.contact + i;
        cab_planar_contact *out = contacts + i;
        *out = (cab_planar_contact){.a = k->a,
                                    .b = k->b,
                                    .count = k->count,
                                    .pinched = k->pinched,
                                    .normal = {k->nx, k->ny},
                                    .margin = k->margin};
        for (int n = 0; n < k->count; n++) {
            out->point[n][0] = c.motion[k->a].x + k->touch[n].ax;
            out->point[n][1] = c.motion[k->a].y + k->touch[n].ay;
            out->gap[n] = k->touch[n].gap;
            out->impulse[n] = k->touch[n].normal;
        }
    }
    free_copy(&c);
    return status;
}
