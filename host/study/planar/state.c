/* What there is of a planar scene at the moment, read back from the device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAB_KERNELS_AS_C
#include "kernels/planar/spool.h"

#include "base/array.h"
#include "study/planar/planar.h"

double cab_planar_length_of(const cab_pl_cable *cable, const cab_pl_joint *joint)
{
    double sum = 0;
    for (int j = cable->first;; j = joint[j].after) {
        sum += joint[j].stored;
        if (joint[j].before >= 0) sum += joint[j].rest;
        if (j == cable->last) return sum;
    }
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
    CAB_FREE(c->motion, c->cable, c->joint, c->node, c->contact);
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
    int contacts = 2 * s->contact + (1 - s->list) * s->contact_room; /* the step has swapped the two lists */
    c->contacts = s->contacts + s->kept_contacts;
    const struct {
        cab_buffer id;
        int first, count;
        size_t size;
        void **data;
    } list[] = {
        {CAB_BUFFER_planar_motion, s->body, s->bodies + 1, sizeof *c->motion, (void **)&c->motion},
        {CAB_BUFFER_planar_cable, s->cable, s->cables, sizeof *c->cable, (void **)&c->cable},
        {CAB_BUFFER_planar_joint, s->joint, s->joint_room, sizeof *c->joint, (void **)&c->joint},
        {CAB_BUFFER_planar_contact, contacts, c->contacts, sizeof *c->contact, (void **)&c->contact},
        {CAB_BUFFER_planar_node, s->node, s->chain_room * (s->pieces + 1), sizeof *c->node,
         (void **)&c->node},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = get(p, list[i].id, list[i].first, list[i].count, list[i].size, list[i].data, error);
    return status;
}

/* A pinched segment has no length, so it has no points. */
static double slack_of(const cab_pl_joint *joint)
{
    if (joint->before < 0 || (joint->flags & CAB_PL_JOINT_PINCHED)) return 0;
    return fmax(joint->rest - joint->length, 0);
}

static void sum_cables(const cab_planar *p, const copy *c, cab_planar_stats *stats)
{
    for (int i = 0; i < c->scene.cables; i++) {
        double length = cab_planar_length_of(c->cable + i, c->joint), before = p->length[c->scene.cable + i];
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
