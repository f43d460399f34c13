/* Contact of a static problem. What overlaps is pushed apart by a spring and, once all is balanced, by the force that it had as well, so that
 * no overlap is left. Friction is a force along the surface, of Coulomb's size at most, that what sticks adds to as it moves. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/closest.h"
#include "base/vec3.h"
#include "model/near_pairs.h"
#include "model/scene.h"
#include "statics/parts.h"
#include "statics/surface.h"

#define SOFTER                                                                                               \
    0.03 /* of the hardest bending, what contacts are, and at least so hard that the heaviest particle */
#define SUNK                                                                                                 \
    0.01 /* sinks in by no more than this of the thinnest radius; overlaps are gone in the end all the same */
#define SKIN_MOST 0.06   /* m */
#define SKIN_LEAST 0.002 /* m */
#define NEAR 0.1    /* radii; what is so near is in the matrix before it presses, so that its pattern stays */
#define PART 0.7    /* of both radii, which nothing comes nearer to the other side in a step */
#define CROSSING 4  /* place of a pair: the others are its four ends */
#define INSIDE 1e-3 /* of a segment: nearer to its end it is the end that touches */
#define OVERLAP_MOST 0.01 /* of both radii, that may be left */
#define PART_LEAST 1e-3
#define BRAKED 8.0
#define LET_GO 0.5
#define FREE_LEAST 1e-6
#define FREE 0.1 /* of the stiffness of a contact, where it slides */

struct cab_touch_search {
    cab_near_pairs near;
    bool cables, found;
    double skin; /* m */
};

static int by_key(const void *x, const void *y)
{
    const cab_rest_touch *a = x, *b = y;
    if (a->segment != b->segment) return a->segment < b->segment ? -1 : 1;
    if (a->other != b->other) return a->other < b->other ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_segments(const void *x, const void *y)
{
    const cab_rest_pair *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

double cab_touch_hardness(const cab_statics *s)
{
    const cab_model *m = s->model;
    double thinnest = INFINITY, heaviest = 0;
    for (int i = 0; i < m->segment_count; i++) {
        double radius = (double)m->segment[i].radius;
        if (radius > 0) thinnest = fmin(thinnest, radius);
    }
    for (int p = 0; p < s->count; p++) heaviest = fmax(heaviest, cab_vec3_length(s->weight[p]));
    return fmax(SOFTER * cab_bends_hardest(s), heaviest / (SUNK * thinnest));
}

cab_status cab_touch_start(cab_statics *s, cab_error *error)
{
    const cab_model *m = s->model;
    const cab_contact_settings *contact = &m->settings.contact;
    cab_status status = CAB_NEW(s->search, 1, error);
    if (status != CAB_OK) return status;
    s->search->cables = (contact->cables || contact->self) && m->cable_count > 0;
    return s->search->cables ? cab_near_pairs_start(&s->search->near, m, error) : CAB_OK;
}

void cab_touch_end(cab_statics *s)
{
    if (s->search) cab_near_pairs_end(&s->search->near);
    CAB_FREE(s->search, s->touch, s->pair);
}

static double friction_of(const cab_statics *s, int segment, double other)
{
    return sqrt((double)s->model->segment[segment].friction * other);
}

static cab_status add(cab_statics *s, int segment, int other, int place, double friction, cab_error *error)
{
    cab_status status = CAB_ROOM(s->touch, s->touch_room, s->touch_count + 1, error);
    if (status != CAB_OK) return status;
    s->touch[s->touch_count++] = (cab_rest_touch){
        .segment = segment, .other = other, .place = place, .friction = friction, .brake = FREE};
    return CAB_OK;
}

/* ---- what could touch ---- */

/* Places of a segment that a collider of this shape touches: bits of 0 and 1, its ends that it owns, and 2, between them. */
static int places_of(const cab_segment *segment, int shape)
{
    int ends = segment->owner & (CAB_SEGMENT_OWNS_A | CAB_SEGMENT_OWNS_B);
    if (shape == CAB_SHAPE_IS_PLANE || shape == CAB_SHAPE_IS_MESH) return ends;
    bool searched =
        shape == CAB_SHAPE_IS_BOX || shape == CAB_SHAPE_IS_CYLINDER || shape == CAB_SHAPE_IS_SHEAVE;
    return searched ? ends | 4 : 4;
}

static cab_status add_collider(cab_statics *s, int collider, cab_error *error)
{
    const cab_model *m = s->model;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++) {
        cab_surface surface;
        if (!cab_surface_is_near(s, collider, i, s->search->skin, &surface)) continue;
        int places = places_of(&m->segment[i], surface.shape);
        for (int place = 0; status == CAB_OK && place < 3; place++)
            if (places & (1 << place))
                status = add(s, i, -1 - collider, place, friction_of(s, i, surface.friction), error);
    }
    return status;
}

/* Contacts with colliders; those that were there go on with their forces. */
static cab_status list_colliders(cab_statics *s, const cab_rest_touch *old, int old_count, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int c = 0; status == CAB_OK && c < cab_surface_count(s->model); c++)
        status = add_collider(s, c, error);
    if (status != CAB_OK || s->touch_count == 0) return status;
    qsort(s->touch, (size_t)s->touch_count, sizeof *s->touch, by_key);
    for (int i = 0, k = 0; i < s->touch_count; i++) {
        while (k < old_count && by_key(&old[k], &s->touch[i]) < 0) k++;
        if (k < old_count && by_key(&old[k], &s->touch[i]) == 0) s->touch[i] = old[k];
    }
    return CAB_OK;
}

static cab_status add_pair_touches(cab_statics *s, cab_rest_pair *p, cab_error *error)
{
    cab_status status = CAB_OK;
    bool slips = s->slips && (s->slips[s->model->segment[p->a].a] || s->slips[s->model->segment[p->b].a]);
    double friction = slips ? 0 : friction_of(s, p->a, (double)s->model->segment[p->b].friction);
    p->touch = s->touch_count;
    for (int place = 0; place < CAB_PAIR_PLACES && status == CAB_OK; place++)
        status = add(s, p->a, p->b, place, friction, error);
    return status;
}

static cab_status list_pairs(cab_statics *s, const cab_rest_touch *old, cab_error *error)
{
    const cab_model *m = s->model;
    cab_near_pairs *near = &s->search->near;
    cab_rest_pair *before = s->pair;
    int before_count = s->pair_count;
    cab_status status = cab_near_pairs_find(near, s->x, s->search->skin, error);
    if (status == CAB_OK) status = CAB_NEW(s->pair, near->pair_count, error);
    s->pair_count = status == CAB_OK ? near->pair_count : 0;
    for (int i = 0; i < s->pair_count; i++) {
        int a = near->pair[i].a, b = near->pair[i].b;
        double radii = (double)m->segment[a].radius + (double)m->segment[b].radius;
        s->pair[i] = (cab_rest_pair){.a = a, .b = b, .radii = radii, .touch = -1};
    }
    qsort(s->pair, (size_t)s->pair_count, sizeof *s->pair, by_segments);
    for (int i = 0, k = 0; i < s->pair_count && status == CAB_OK; i++) {
        cab_rest_pair *p = &s->pair[i];
        while (k < before_count && by_segments(&before[k], p) < 0) k++;
        if (k == before_count || by_segments(&before[k], p) != 0 || before[k].touch < 0) continue;
        status = add_pair_touches(s, p, error);
        for (int place = 0; place < CAB_PAIR_PLACES && status == CAB_OK; place++)
            s->touch[p->touch + place] = old[before[k].touch + place];
    }
    free(before);
    return status;
}

static cab_status look(cab_statics *s, cab_error *error)
{
    cab_rest_touch *old = s->touch;
    int old_colliders = 0;
    while (old_colliders < s->touch_count && old[old_colliders].other < 0) old_colliders++;
    s->search->skin = fmin(SKIN_MOST, fmax(SKIN_LEAST, 8 * s->last));
    s->search->found = true;
    s->since = 0;
    s->touch = NULL;
    s->touch_count = s->touch_room = 0;
    cab_status status = list_colliders(s, old, old_colliders, error);
    if (status == CAB_OK && s->search->cables) status = list_pairs(s, old, error);
    free(old);
    return status;
}

/* ---- what is near ---- */

static cab_line axis_of(const cab_statics *s, int segment)
{
    const cab_segment *own = &s->model->segment[segment];
    return (cab_line){s->x[own->a], cab_vec3_sub(s->x[own->b], s->x[own->a])};
}

/* Where on both segments a contact of this place is: an end of one and what is nearest to it on the other, or where they cross. */
static void places_of_pair(const cab_line *p, const cab_line *q, int place, double *s, double *t)
{
    *s = place & 1, *t = place & 1;
    if (place < 2)
        *t = cab_line_nearest(q, cab_line_point(p, *s));
    else
        *s = cab_line_nearest(p, cab_line_point(q, *t));
}

static bool is_inside(double s)
{
    return s > INSIDE && s < 1 - INSIDE;
}

static void measure_at(const cab_statics *s, cab_rest_touch *touch, const cab_line *p, const cab_line *q,
                       double at_p, double at_q)
{
    const cab_segment *a = &s->model->segment[touch->segment], *b = &s->model->segment[touch->other];
    cab_vec3 between = cab_vec3_sub(cab_line_point(q, at_q), cab_line_point(p, at_p));
    double distance = cab_vec3_length(between);
    touch->at = (cab_point){{a->a, a->b, b->a, b->b}, {at_p - 1, -at_p, 1 - at_q, at_q}, 4};
    if (distance > 0) touch->normal = cab_vec3_scale(1 / distance, between); /* else the last one */
    touch->radii = (double)a->radius + (double)b->radius;
    touch->gap = distance - touch->radii;
    touch->along = is_inside(at_q)   ? cab_vec3_unit(q->span)
                   : is_inside(at_p) ? cab_vec3_unit(p->span)
                                     : (cab_vec3){0, 0, 0};
}

/* Segments that lie side by side touch at two ends: at one place, it would jump from one end to the other as they turn. */
static cab_status measure_pair(cab_statics *s, cab_rest_pair *pair, cab_error *error)
{
    cab_line p = axis_of(s, pair->a), q = axis_of(s, pair->b);
    cab_approach c = cab_approach_of(&p, &q);
    pair->gap = c.distance - pair->radii;
    if (pair->touch < 0 && pair->gap >= NEAR * pair->radii) return CAB_OK;
    cab_status status = pair->touch < 0 ? add_pair_touches(s, pair, error) : CAB_OK;
    bool crossing = is_inside(c.s) && is_inside(c.t);
    for (int place = 0; place < CAB_PAIR_PLACES && status == CAB_OK; place++) {
        cab_rest_touch *touch = &s->touch[pair->touch + place];
        double at_p = c.s, at_q = c.t;
        if (place < CROSSING) places_of_pair(&p, &q, place, &at_p, &at_q);
        measure_at(s, touch, &p, &q, at_p, at_q);
        if (place == CROSSING && !crossing) touch->gap = fmax(touch->gap, touch->radii);
    }
    return status;
}

static void measure_collider(const cab_statics *s, cab_rest_touch *t)
{
    const cab_segment *a = &s->model->segment[t->segment];
    double place = t->place;
    double outside = cab_surface_outside(s, -1 - t->other, t->segment, t->place, &place, &t->normal);
    t->at = (cab_point){{a->a, a->b}, {1 - place, place}, 2};
    t->radii = (double)a->radius;
    t->gap = outside - t->radii;
}

cab_status cab_touch_find(cab_statics *s, bool *changed, cab_error *error)
{
    struct cab_touch_search *search = s->search;
    if (!search->cables && s->model->collider_count == 0) return CAB_OK;
    cab_status status = CAB_OK;
    if (!search->found || s->since > search->skin / 2) {
        status = look(s, error);
        *changed = true;
    }
    for (int i = 0; i < s->touch_count && s->touch[i].other < 0; i++) measure_collider(s, &s->touch[i]);
    for (int i = 0; i < s->pair_count && status == CAB_OK; i++) status = measure_pair(s, &s->pair[i], error);
    for (int i = 0; i < s->touch_count; i++) {
        cab_rest_touch *t = &s->touch[i];
        t->press = fmax(0, t->known - s->gentle * t->gap);
        bool near = t->press > 0 || t->gap < NEAR * t->radii;
        *changed = *changed || near != t->near;
        t->near = near;
    }
    return status;
}

/* ---- its forces ---- */

/* Across the normal. */
static cab_vec3 along_surface(const cab_rest_touch *t, cab_vec3 v)
{
    return cab_vec3_reject(v, t->normal);
}

/* Friction as it is now: what slides has all of it, and nothing has more. */
static cab_vec3 friction_now(const cab_rest_touch *t)
{
    double size = cab_vec3_length(t->drag), most = t->friction * t->press;
    cab_vec3 drag = along_surface(t, t->drag);
    return size > 0 && (t->slides || size > most) ? cab_vec3_scale(most / size, drag) : drag;
}

/* N/m against moving along the surface in a step. */
static double stuck(const cab_statics *s, const cab_rest_touch *t, bool slides)
{
    if (!(t->friction > 0)) return 0;
    return slides ? t->brake * s->gentle : s->gentle;
}

/* What two ends, or an end on a segment, lose in stiffness: they are round, so one slides off the other. Where segments cross, they do not. */
static cab_mat3 slips_off(const cab_rest_touch *t)
{
    cab_mat3 loss = {{{0}}};
    double turns = t->press / (t->radii + t->gap);
    if (t->other < 0 || t->place == CROSSING || !(turns > 0)) return loss;
    loss = cab_mat3_along(t->normal, 0, -turns);
    cab_mat3 kept = cab_mat3_along(t->along, turns, 0); /* along a segment nothing falls off */
    cab_mat3_add(&loss, 1, &kept);
    return loss;
}

/* Its force and stiffness where it presses after a step, or not, and slides in it. */
static void act(const cab_statics *s, const cab_rest_touch *t, bool presses, bool slides, cab_term *term)
{
    double press = t->known - s->gentle * t->gap; /* negative where it is to come to press */
    term->presses = presses;
    term->slides = slides;
    term->force = presses ? cab_vec3_add_scaled(friction_now(t), press, t->normal) : (cab_vec3){0, 0, 0};
    term->stiffness =
        cab_mat3_along(t->normal, presses ? s->gentle : 0, t->press > 0 && presses ? stuck(s, t, slides) : 0);
    term->loss = presses ? slips_off(t) : (cab_mat3){{{0}}};
}

cab_term *cab_touch_act(const cab_statics *s, cab_term *term)
{
    for (int i = 0; i < s->touch_count; i++) {
        const cab_rest_touch *t = &s->touch[i];
        if (!t->near) continue;
        *term = (cab_term){.at = t->at, .touch = i};
        act(s, t, t->press > 0, t->slides, term);
        term->resting = term->force;
        term++;
    }
    return term;
}

/* Would its friction be more than it can bear after a step? */
static bool would_slide(const cab_statics *s, const cab_rest_touch *t, double press, cab_vec3 way)
{
    cab_vec3 drag = cab_vec3_add_scaled(friction_now(t), -s->gentle, along_surface(t, way));
    return cab_vec3_length(drag) > t->friction * press;
}

bool cab_touch_correct(const cab_statics *s, cab_term *term, cab_vec3 way)
{
    const cab_rest_touch *t = &s->touch[term->touch];
    double press = t->known - s->gentle * (t->gap + cab_vec3_dot(t->normal, way));
    bool presses = press > 0, slides = term->slides;
    if (presses && t->friction > 0) slides = would_slide(s, t, press, way);
    if (presses == term->presses && slides == term->slides) return false;
    act(s, t, presses, slides, term);
    return true;
}

/* What goes to and fro is braked, what slides on is let go. */
static void brake(cab_rest_touch *t, cab_vec3 way)
{
    if (t->slides) {
        bool back = cab_vec3_dot(way, t->slip) < 0;
        t->brake = back ? fmin(1, t->brake * BRAKED) : fmax(FREE_LEAST, t->brake * LET_GO);
    }
    t->slip = t->slides ? way : (cab_vec3){0, 0, 0};
}

/* Elastic up to its limit. */
void cab_touch_follow(cab_statics *s, int index, cab_vec3 way)
{
    cab_rest_touch *t = &s->touch[index];
    way = along_surface(t, way);
    cab_vec3 drag = cab_vec3_add_scaled(friction_now(t), -s->gentle, way);
    double size = cab_vec3_length(drag), most = t->friction * t->press;
    t->slides = size > most;
    t->drag = t->slides ? cab_vec3_scale(most / size, drag) : drag;
    brake(t, way);
}

static bool is_at_rest(const cab_statics *s, const cab_rest_touch *t)
{
    for (int i = 0; i < t->at.count; i++)
        if (s->free[t->at.particle[i]]) return s->island[s->island_of[t->at.particle[i]]].at_rest;
    return true;
}

bool cab_touch_jams(const cab_statics *s)
{
    for (int i = 0; i < s->touch_count; i++) {
        const cab_rest_touch *t = &s->touch[i];
        if (t->other >= 0 && t->press > 0 && t->friction > 0 && !is_at_rest(s, t)) return true;
    }
    return false;
}

/* Can anything be done about it? Where what is free has no part in a contact, or nothing is, it stays as it is. */
static bool can_part(const cab_statics *s, const cab_rest_touch *t)
{
    double part = 0;
    for (int i = 0; i < t->at.count; i++)
        if (s->free[t->at.particle[i]]) part += fabs(t->at.weight[i]);
    return part > PART_LEAST;
}

double cab_touch_learn(cab_statics *s, const cab_island *own, bool *settled)
{
    double deepest = 0, share = 0;
    for (int k = own->first_term + own->steady_count; k < own->first_term + own->term_count; k++) {
        const cab_rest_touch *t = &s->touch[s->term[s->island_term[k]].touch];
        if (!can_part(s, t)) continue;
        deepest = fmax(deepest, -t->gap);
        share = fmax(share, -t->gap / t->radii);
    }
    *settled = share <= OVERLAP_MOST;
    if (*settled) return deepest;
    for (int k = own->first_term + own->steady_count; k < own->first_term + own->term_count; k++) {
        cab_rest_touch *t = &s->touch[s->term[s->island_term[k]].touch];
        t->known = t->press;
    }
    return deepest;
}

static cab_vec3 move_of(const cab_statics *s, int particle)
{
    if (!s->free[particle] || s->island[s->island_of[particle]].at_rest) return (cab_vec3){0, 0, 0};
    return s->island[s->island_of[particle]].move[s->local[particle]];
}

/* How far two places of a contact can come towards each other at most. */
static double closing(const cab_statics *s, const cab_point *at)
{
    double most = 0;
    if (at->count == 2)
        return fmax(cab_vec3_length(move_of(s, at->particle[0])),
                    cab_vec3_length(move_of(s, at->particle[1])));
    for (int i = 0; i < 2; i++)
        for (int j = 2; j < 4; j++)
            most = fmax(most, cab_vec3_distance(move_of(s, at->particle[i]), move_of(s, at->particle[j])));
    return most;
}

/* Takes no more of a step than what lets nothing pass: of different islands, that are not in one matrix, not even touch by much. */
static void limit(const cab_statics *s, const cab_point *at, double gap, double radii)
{
    const int *p = at->particle;
    bool one = at->count == 2 || s->island_of[p[0]] == s->island_of[p[at->count - 1]];
    double room = fmax(gap, 0) + (one ? PART : NEAR / 2) * radii, way = closing(s, at);
    if (way <= room) return;
    for (int k = 0; k < at->count; k++) {
        if (!s->free[p[k]]) continue;
        cab_island *own = &s->island[s->island_of[p[k]]];
        own->share = fmin(own->share, room / way);
    }
}

void cab_touch_limit(const cab_statics *s)
{
    for (int i = 0; i < s->touch_count && s->touch[i].other < 0; i++) {
        const cab_rest_touch *t = &s->touch[i];
        if (!cab_surface_is_plane(s, -1 - t->other)) limit(s, &t->at, t->gap, t->radii);
    }
    for (int i = 0; i < s->pair_count; i++) {
        const cab_rest_pair *p = &s->pair[i];
        const cab_segment *a = &s->model->segment[p->a], *b = &s->model->segment[p->b];
        cab_point at = {{a->a, a->b, b->a, b->b}, {0}, 4};
        limit(s, &at, p->gap, p->radii);
    }
}
