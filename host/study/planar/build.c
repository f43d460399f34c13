/* Arrays of a batch from its scenes. Cables are laid by the kernels' own geometry. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAB_KERNELS_AS_C
#include "kernels/planar/joints.h"

#include "base/array.h"
#include "study/planar/planar.h"

#define SKIN 0.05       /* of the smallest body's size: contacts are looked for within it */
#define SLOP 5e-4       /* of the smallest body */
#define BAND 32         /* of the matrix of what is solved together, on the average */
#define REST 0.025      /* of the smallest body's size: a body that stays within it is at rest */
#define MORE_CHAINS 4   /* room for so many more slack segments than links */
#define MOST_RADII 2000 /* limit of speed, in radii of the smallest body a second */

/* Area, centre of area and the moment of area about it, of a polygon whose rounding does not count. */
typedef struct area {
    double area, x, y, moment;
} area;

static area area_of(const cab_planar_body_def *def)
{
    area a = {0};
    double about_origin = 0;
    for (int i = 0; i < def->corner_count; i++) {
        const double *p = def->corners[i], *q = def->corners[(i + 1) % def->corner_count];
        double cross = p[0] * q[1] - p[1] * q[0];
        a.area += cross / 2;
        a.x += cross * (p[0] + q[0]) / 6;
        a.y += cross * (p[1] + q[1]) / 6;
        about_origin +=
            cross * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0] + p[1] * p[1] + p[1] * q[1] + q[1] * q[1]) / 12;
    }
    a.x /= a.area;
    a.y /= a.area;
    a.moment = about_origin - a.area * (a.x * a.x + a.y * a.y);
    return a;
}

static void set_motion(const cab_planar_body_def *def, cab_pl_motion *m)
{
    area a = def->corner_count ? area_of(def) : (area){0};
    cab_p2 d = cab_pl_direction(def->angle);
    double inertia = def->inertia > 0    ? def->inertia
                     : def->corner_count ? def->mass * a.moment / a.area
                                         : def->mass * def->radius * def->radius / 2;
    *m = (cab_pl_motion){.x = def->position[0] + d.x * a.x - d.y * a.y,
                         .y = def->position[1] + d.y * a.x + d.x * a.y,
                         .angle = def->angle,
                         .vx = def->velocity[0],
                         .vy = def->velocity[1],
                         .w = def->spin};
    if (def->motion == CAB_PLANAR_AXLE) m->vx = m->vy = 0;
    if (def->motion == CAB_PLANAR_DYNAMIC) m->inverse_mass = 1 / def->mass;
    if (def->motion != CAB_PLANAR_STATIC) m->inverse_inertia = 1 / inertia;
}

/* Returns the farthest corner's distance. */
static double set_corners(const cab_planar_body_def *def, cab_pl_corner *corners, double *edges)
{
    area a = area_of(def);
    double far = 0, sum = 0;
    for (int i = 0; i < def->corner_count; i++) {
        const double *p = def->corners[i], *q = def->corners[(i + 1) % def->corner_count];
        double x = q[0] - p[0], y = q[1] - p[1], l = hypot(x, y);
        corners[i] = (cab_pl_corner){
            .x = p[0] - a.x, .y = p[1] - a.y, .nx = y / l, .ny = -x / l, .edge = l, .before = sum};
        sum += l;
        far = fmax(far, hypot(corners[i].x, corners[i].y));
    }
    *edges = sum;
    return far;
}

static void set_body(const cab_planar_body_def *def, cab_pl_body *body, cab_pl_corner *corners, int corner)
{
    cab_p2 d = cab_pl_direction(def->angle);
    double edges = 0, far = def->corner_count ? set_corners(def, corners, &edges) : 0;
    *body = (cab_pl_body){
        .c = d.x,
        .s = d.y,
        .fx = def->force[0],
        .fy = def->force[1],
        .torque = def->torque,
        .motor_speed = def->motor_speed,
        .motor_torque = def->motor_torque,
        .linear_damping = def->linear_damping,
        .angular_damping = def->angular_damping,
        .friction = def->friction,
        .cable_friction = def->cable_friction,
        .restitution = def->restitution,
        .radius = def->radius,
        .edges = edges,
        .gravity = def->gravity,
        .reach = far + def->radius,
        .corner = corner,
        .corners = def->corner_count ? def->corner_count : 1,
        .flags = (def->cables ? CAB_PL_BODY_CABLES : 0) | (def->collides ? CAB_PL_BODY_COLLIDES : 0),
        .group = def->group,
        .first_joint = -1,
        .first_contact = -1,
    };
}

static int corners_of(const cab_planar_scene *scene)
{
    int n = 0;
    for (int i = 0; i < scene->body_count; i++)
        n += scene->bodies[i].def.corner_count ? scene->bodies[i].def.corner_count : 1;
    return n;
}

static int links_of(const cab_planar_scene *scene)
{
    int n = 0;
    for (int i = 0; i < scene->cable_count; i++) n += scene->cables[i].def.link_count;
    return n;
}

static int joint_room(const cab_planar_scene *scene)
{
    int links = links_of(scene), wish = scene->settings.max_joints;
    int room = links + 16 + 4 * scene->body_count + 2 * links;
    return wish == 0 ? room : wish > links ? wish : links;
}

/* Room for the whole matrix of a small scene, or for a band of a large one's. */
static int cell_room(const cab_planar_scene *scene)
{
    int unknowns = 3 * scene->body_count, all = unknowns * (unknowns - 1) / 2;
    return unknowns < 2 * BAND ? all : unknowns * BAND;
}

static void set_settings(const cab_planar_scene *from, cab_pl_scene *s)
{
    const cab_planar_settings *set = &from->settings;
    double least = INFINITY;
    for (int i = 0; i < from->body_count; i++) {
        area a = from->bodies[i].def.corner_count ? area_of(&from->bodies[i].def) : (area){0};
        least = fmin(least, from->bodies[i].def.radius + CAB_SQRT_DOUBLE(a.area) / 2);
    }
    if (!isfinite(least)) least = 1;
    s->step = 1 / set->frame_rate;
    s->gx = set->gravity[0];
    s->gy = set->gravity[1];
    s->skin = SKIN * least;
    s->slop = SLOP * least;
    s->rest = REST * least;
    s->sleep = set->sleep;
    s->push_out = 60 * least;
    s->restitution_speed = 0.05;
    s->max_speed = MOST_RADII * least;
    s->pinch_friction = set->pinch_friction;
    s->substeps = set->substeps;
    s->iterations = set->iterations;
    s->pinch = (int)set->pinch;
    s->pieces = set->slack_pieces;
    s->hand.body = -1;
    for (int i = 0; i < from->cable_count; i++) s->width = fmax(s->width, from->cables[i].def.radius);
}

static void set_links(const cab_planar_scene *from, int c, cab_pl_view *v, int first)
{
    const cab_planar_cable *cable = &from->cables[c];
    int n = cable->def.link_count, loop = cable->def.loop;
    v->cable[c] = (cab_pl_cable){
        .width = cable->def.radius,
        .compliance = cable->def.stretching_stiffness > 0 ? 1 / cable->def.stretching_stiffness : 0,
        .first = first,
        .last = first + n - 1,
        .loop = loop,
        .count = n};
    for (int i = 0; i < n; i++) {
        const cab_planar_link_def *link = &cable->links[i];
        cab_pl_joint *j = v->joint + first + i;
        bool world = cable->link_bodies[i] == CAB_PLANAR_WORLD;
        const cab_planar_body_def *def = world ? NULL : &from->bodies[cable->link_bodies[i]].def;
        area a = def && def->corner_count ? area_of(def) : (area){0};
        *j = (cab_pl_joint){.px = link->point[0] - a.x,
                            .py = link->point[1] - a.y,
                            .body = world ? from->body_count : cable->link_bodies[i],
                            .cable = c,
                            .chain = -1,
                            .before = i > 0  ? first + i - 1
                                      : loop ? first + n - 1
                                             : -1,
                            .after = i + 1 < n ? first + i + 1
                                     : loop    ? first
                                               : -1,
                            .kind = link->kind == CAB_PLANAR_LINK_POINT ? CAB_PL_POINT : CAB_PL_ROLL,
                            .spin = link->kind == CAB_PLANAR_LINK_POINT ? 1 : link->spin,
                            .flags = (link->kind == CAB_PLANAR_LINK_REEL ? CAB_PL_JOINT_REEL : 0) |
                                     (link->thickening ? CAB_PL_JOINT_SPOOL : 0),
                            .stored = link->kind == CAB_PLANAR_LINK_REEL ? link->stored : 0};
    }
}

static void lay_cable(const cab_planar_scene *from, int c, cab_pl_view *v, int first)
{
    const cab_planar_cable *cable = &from->cables[c];
    int n = cable->def.link_count;
    for (int i = 0; i < n; i++) {
        cab_pl_joint *j = v->joint + first + i;
        if (j->before < 0) continue;
        cab_pl_lay(v, first + i);
        j->rest = j->length * cable->def.length_factor;
    }
    for (int i = 0; i < n; i++) {
        cab_pl_joint *j = v->joint + first + i;
        double r = cab_pl_rim(v, first + i);
        if (cable->links[i].kind != CAB_PLANAR_LINK_ROLL) continue;
        j->stored = cab_pl_arc(v, j->body, r, j->spin, &j->tail, &j->head) +
                    cable->links[i].turns * cab_pl_round(v, j->body, r);
    }
}

static void fill_scene(const cab_planar_scene *from, cab_planar_arrays *a, int index)
{
    cab_pl_scene *s = a->scene + index;
    cab_pl_view v = {.scene = s,
                     .motion = a->motion + s->body,
                     .body = a->body + s->body,
                     .corner = a->corner + s->corner,
                     .cable = a->cable + s->cable,
                     .joint = a->joint + s->joint,
                     .sweep = a->sweep + s->body};
    set_settings(from, s);
    for (int i = 0, corner = 0; i < from->body_count; i++) {
        const cab_planar_body_def *def = &from->bodies[i].def;
        set_motion(def, v.motion + i);
        set_body(def, v.body + i, a->corner + s->corner + corner, corner);
        v.sweep[i].body = i;
        corner += v.body[i].corners;
    }
    v.body[s->bodies] = (cab_pl_body){.c = 1, .corners = 1, .first_joint = -1, .first_contact = -1};
    int first = 0;
    for (int c = 0; c < from->cable_count; c++) {
        set_links(from, c, &v, first);
        lay_cable(from, c, &v, first);
        first += from->cables[c].def.link_count;
    }
    s->joints = first;
    for (int j = first; j < s->joint_room; j++) v.joint[j].after = j + 1 < s->joint_room ? j + 1 : -1;
    s->free_joint = first < s->joint_room ? first : -1;
}

/* Scenes that are copies of one scene are filled once and copied. */
static void copy_scene(cab_planar_arrays *a, int from, int to)
{
    const cab_pl_scene *s = a->scene + from;
    cab_pl_scene *t = a->scene + to, place = *t;
    *t = *s;
    t->body = place.body;
    t->corner = place.corner;
    t->cable = place.cable;
    t->joint = place.joint;
    t->contact = place.contact;
    t->pair = place.pair;
    t->chain = place.chain;
    t->node = place.node;
    t->cell = place.cell;
    memcpy(a->motion + t->body, a->motion + s->body, (size_t)(s->bodies + 1) * sizeof *a->motion);
    memcpy(a->body + t->body, a->body + s->body, (size_t)(s->bodies + 1) * sizeof *a->body);
    memcpy(a->sweep + t->body, a->sweep + s->body, (size_t)s->bodies * sizeof *a->sweep);
    memcpy(a->corner + t->corner, a->corner + s->corner, (size_t)s->corners * sizeof *a->corner);
    memcpy(a->cable + t->cable, a->cable + s->cable, (size_t)s->cables * sizeof *a->cable);
    memcpy(a->joint + t->joint, a->joint + s->joint, (size_t)s->joint_room * sizeof *a->joint);
}

static void place_scene(const cab_planar_scene *from, cab_planar_arrays *a, cab_pl_scene *s)
{
    *s = (cab_pl_scene){.body = a->bodies,
                        .bodies = from->body_count,
                        .corner = a->corners,
                        .corners = corners_of(from),
                        .cable = a->cables,
                        .cables = from->cable_count,
                        .joint = a->joints,
                        .joint_room = joint_room(from),
                        .contact = a->contacts,
                        .contact_room = 4 * from->body_count + 16,
                        .pair = a->pairs,
                        .pair_room = 8 * from->body_count + 32,
                        .cell = a->cells,
                        .chain = a->chains,
                        .chain_room = from->settings.slack_pieces ? links_of(from) + MORE_CHAINS : 0,
                        .node = a->nodes,
                        .cell_room = cell_room(from)};
    a->bodies += s->bodies + 1;
    a->corners += s->corners;
    a->cables += s->cables;
    a->joints += s->joint_room;
    a->contacts += s->contact_room;
    a->pairs += s->pair_room;
    a->chains += s->chain_room;
    a->nodes += s->chain_room * (from->settings.slack_pieces + 1);
    a->cells += s->cell_room;
}

cab_status cab_planar_build(const cab_planar_scene *const *scenes, int count, cab_planar_arrays *a,
                            cab_error *error)
{
    *a = (cab_planar_arrays){.scenes = count};
    a->scene = calloc((size_t)count, sizeof *a->scene);
    if (!a->scene) return cab_fail_memory(error, "planar scenes", (size_t)count * sizeof *a->scene);
    for (int i = 0; i < count; i++) place_scene(scenes[i], a, a->scene + i);
    a->motion = calloc((size_t)a->bodies + 1, sizeof *a->motion);
    a->body = calloc((size_t)a->bodies + 1, sizeof *a->body);
    a->corner = calloc((size_t)a->corners + 1, sizeof *a->corner);
    a->cable = calloc((size_t)a->cables + 1, sizeof *a->cable);
    a->joint = calloc((size_t)a->joints + 1, sizeof *a->joint);
    a->sweep = calloc((size_t)a->bodies + 1, sizeof *a->sweep);
    a->chain = calloc((size_t)a->chains + 1, sizeof *a->chain);
    if (!a->motion || !a->body || !a->corner || !a->cable || !a->joint || !a->sweep || !a->chain) {
        cab_planar_free_arrays(a);
        return cab_fail_memory(error, "planar scenes", (size_t)a->joints * sizeof *a->joint);
    }
    for (int i = 0; i < a->chains; i++) a->chain[i] = -1;
    for (int i = 0; i < count; i++)
        if (i > 0 && scenes[i] == scenes[i - 1])
            copy_scene(a, i - 1, i);
        else
            fill_scene(scenes[i], a, i);
    return CAB_OK;
}

void cab_planar_free_arrays(cab_planar_arrays *a)
{
    CAB_FREE(a->scene, a->motion, a->body, a->corner, a->cable, a->joint, a->sweep, a->chain);
    *a = (cab_planar_arrays){0};
}
