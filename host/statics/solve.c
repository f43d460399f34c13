/* Newton's method for the rest: (H + M/h^2) dx = forces, island by island, with h growing. A step that would carry something further than
 * a segment is cut short, and the next is more careful. So what is far from rest goes down as something slow without momentum does, and
 * what is near to it converges at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "statics/parts.h"

#define FIRST_STEP 0.02 /* s */
#define LEAST_STEP 1e-4
#define BACK 0.4 /* what goes to and fro */
#define MOST_STEP 100.0
#define LONGER 1.6
#define SHORTER 0.9
#define EASED 1.2   /* from step to step; after a turn, steps are no longer than they were until so eased */
#define STICKING 10 /* of all steps the first of so many parts is taken with friction between cables */
#define CAREFUL 12  /* times shorter are steps without it */
#define GUESSES 3   /* at which contacts press after a step */
#define FREE_RESIDUAL 2e-6 /* N, of what touches nothing: it costs a step or two more */
#define ROUNDED                                                                                              \
    1e-13 /* m; a step by less than this is rounding: what is very stiff is balanced no better then */
#define PATIENT 10.0    /* s; what is twisted slowly leaves where it is balanced */
#define REACH_MOST 0.03 /* m, in a step */
#define NUDGE 1e-6      /* m */
#define NUDGES 8
#define FINE 1e-5  /* N; what touches is at rest with more, and then sought with this: 1 mN moves wires far */
#define REFINES 60 /* steps at most for that */
#define WAITS 20   /* steps after a nudge before it may be at rest again: what is round slips off slowly */
#define HARDER 1e6 /* times all other stiffness, for what lengths are kept with */

static cab_status fill_terms(cab_statics *s, cab_error *error)
{
    int count = s->length_count + s->model->bending_count + s->spring_count + cab_couples_count(s) +
                cab_twists_count(s);
    for (int i = 0; i < s->touch_count; i++) count += s->touch[i].near;
    cab_status status = CAB_ROOM(s->term, s->term_room, count, error);
    if (status != CAB_OK) return status;
    cab_term *end = cab_couples_act(s, cab_springs_act(s, cab_bends_act(s, cab_lengths_act(s, s->term))));
    end = cab_twists_act(s, end);
    s->steady = (int)(end - s->term);
    s->term_count = (int)(cab_touch_act(s, end) - s->term);
    return CAB_OK;
}

/* The forces on an island's particles, N, to own->move: as they are at rest, or as a step takes them. */
static void gather(const cab_statics *s, cab_island *own, bool resting)
{
    const int *particle = s->island_particle + own->first_particle;
    for (int i = 0; i < own->particle_count; i++) own->move[i] = s->weight[particle[i]];
    for (int k = own->first_term; k < own->first_term + own->term_count; k++) {
        const cab_term *t = &s->term[s->island_term[k]];
        cab_vec3 force = resting ? t->resting : t->force;
        for (int i = 0; i < t->at.count; i++) {
            int p = t->at.particle[i];
            if (!s->free[p]) continue;
            own->move[s->local[p]] = cab_vec3_add_scaled(own->move[s->local[p]], t->at.weight[i], force);
        }
    }
}

/* What is left of all forces at present. */
static void find_residual(const cab_statics *s, cab_island *own)
{
    const int *particle = s->island_particle + own->first_particle;
    gather(s, own, true);
    own->residual = 0;
    own->worst = particle[0];
    for (int i = 0; i < own->particle_count; i++) {
        double force = cab_vec3_length(own->move[i]);
        if (force > own->residual) own->residual = force, own->worst = particle[i];
    }
}

static void fill_matrix(const cab_statics *s, const cab_island *own, bool with_loss)
{
    const int *particle = s->island_particle + own->first_particle;
    cab_mat3 *diagonal = cab_blocks_diagonal(own->matrix), *beside = cab_blocks_beside(own->matrix);
    cab_vec3 *askew = cab_blocks_askew(own->matrix);
    for (int i = 0; i < own->particle_count; i++) {
        double h = s->step[particle[i]];
        diagonal[i] = cab_mat3_along((cab_vec3){0, 0, 0}, 0, s->model->mass[particle[i]] / (h * h));
    }
    for (int k = own->first_term; k < own->first_term + own->term_count; k++) {
        const cab_term *t = &s->term[s->island_term[k]];
        cab_mat3 stiffness = t->stiffness;
        if (with_loss) cab_mat3_add(&stiffness, 1, &t->loss);
        for (int i = 0; i < t->at.count; i++) {
            int p = t->at.particle[i];
            if (s->free[p])
                cab_mat3_add(&diagonal[s->local[p]], t->at.weight[i] * t->at.weight[i], &stiffness);
            for (int j = 0; j < i; j++, beside++) {
                memset(beside, 0, sizeof *beside);
                cab_mat3_add(beside, t->at.weight[i] * t->at.weight[j], &stiffness);
                double turn = t->at.weight[i] * t->second[j] - t->second[i] * t->at.weight[j];
                *askew++ = cab_vec3_scale(with_loss ? turn : 0, t->turns);
            }
        }
    }
}

/* How far a stencil's place goes in a whole step. */
static cab_vec3 way_of(const cab_statics *s, const cab_island *own, const cab_point *at)
{
    cab_vec3 way = {0, 0, 0};
    for (int i = 0; i < at->count; i++)
        if (s->free[at->particle[i]])
            way = cab_vec3_add_scaled(way, at->weight[i], own->move[s->local[at->particle[i]]]);
    return way;
}

static double longest_move(const cab_island *own)
{
    double most = 0;
    for (int i = 0; i < own->particle_count; i++) most = fmax(most, cab_vec3_length(own->move[i]));
    return most;
}

/* The step with contacts that press as their terms say. */
static void solve_step(const cab_statics *s, cab_island *own)
{
    gather(s, own, false);
    fill_matrix(s, own, own->whole);
    own->stable = cab_blocks_factor(own->matrix) && own->whole;
    if (!own->stable && own->whole) {
        fill_matrix(s, own, false);
        cab_blocks_factor(own->matrix);
    }
    cab_blocks_solve(own->matrix, own->move);
}

/* The share of a step that goes no further than the reach. */
static double share_in_reach(const cab_statics *s, const cab_island *own)
{
    bool touches = own->term_count > own->steady_count;
    double most = longest_move(own), reach = s->reach / (touches && s->slips ? CAREFUL : 1);
    return most > reach ? reach / most : 1;
}

/* Corrects which contacts press after a step, and slide in it, as far as the step is linear. Returns whether that makes it another step. */
static bool correct_contacts(const cab_statics *s, const cab_island *own)
{
    bool changed = false;
    double share = share_in_reach(s, own);
    for (int k = own->first_term + own->steady_count; k < own->first_term + own->term_count; k++) {
        cab_term *t = &s->term[s->island_term[k]];
        changed = cab_touch_correct(s, t, cab_vec3_scale(share, way_of(s, own, &t->at))) || changed;
    }
    return changed;
}

/* A contact that does not press yet knows nothing of a step that would carry it deep inside: so the step is solved again with those that it
 * brings to press, and without those that it would pull at, the semi-smooth Newton method (M. Hintermueller, K. Ito, K. Kunisch,
 * "The primal-dual active set strategy as a semismooth Newton method", 2002). */
static void aim(cab_statics *s, cab_island *own)
{
    solve_step(s, own);
    for (int i = 1; i < GUESSES && correct_contacts(s, own); i++) solve_step(s, own);
    own->share = share_in_reach(s, own);
}

/* Multipliers and friction go along with the step. */
static void follow(cab_statics *s, const cab_island *own)
{
    for (int k = own->first_term; k < own->first_term + own->term_count; k++) {
        int index = s->island_term[k];
        cab_vec3 way = way_of(s, own, &s->term[index].at);
        if (index < s->length_count) cab_lengths_follow(s, index, way, own->share);
        if (index >= s->steady) cab_touch_follow(s, s->term[index].touch, cab_vec3_scale(own->share, way));
    }
}

static void go(cab_statics *s, cab_island *own)
{
    const int *particle = s->island_particle + own->first_particle;
    double along = 0, h = s->step[particle[0]];
    follow(s, own);
    own->moved = own->share * longest_move(own);
    own->whole = own->share == 1;
    for (int i = 0; i < own->particle_count; i++) {
        int p = particle[i];
        along += cab_vec3_dot(own->move[i], s->went[p]);
        s->went[p] = own->move[i];
        s->x[p] = cab_vec3_add_scaled(s->x[p], own->share, own->move[i]);
    }
    double longest = s->longest[particle[0]] * EASED;
    if (along < 0) longest = fmin(longest, h);
    h = fmin(h * (along < 0 ? BACK : own->whole ? LONGER : SHORTER), longest);
    for (int i = 0; i < own->particle_count; i++) {
        s->step[particle[i]] = fmin(fmax(h, LEAST_STEP), MOST_STEP);
        s->longest[particle[i]] = fmin(fmax(longest, LEAST_STEP), MOST_STEP);
    }
}

/* A place between -1 and 1 that is the same for a particle in each run. */
static double anywhere(unsigned particle, unsigned k)
{
    unsigned hash = (particle * 3 + k) * 2654435761u;
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    return (double)(hash ^ (hash >> 13)) / 2147483648.0 - 1;
}

/* What is balanced on a ridge stands there by accident: it is moved a little, and goes on down. */
static void nudge(cab_statics *s, cab_island *own)
{
    own->nudges++;
    own->waits = WAITS;
    own->whole = false;
    for (int i = 0; i < own->particle_count; i++) {
        int p = s->island_particle[own->first_particle + i];
        cab_vec3 way = {anywhere((unsigned)p, 0), anywhere((unsigned)p, 1), anywhere((unsigned)p, 2)};
        s->x[p] = cab_vec3_add_scaled(s->x[p], NUDGE, way);
        s->step[p] = FIRST_STEP;
    }
}

/* Were its steps so short that what slowly grows would not be seen? Rounding may keep them short. */
static bool is_hasty(const cab_statics *s, cab_island *own)
{
    return s->step[s->island_particle[own->first_particle]] < PATIENT && own->short_steps++ < WAITS;
}

/* Is it balanced, and would it stay so? */
static bool is_at_rest(cab_statics *s, cab_island *own)
{
    bool touches = own->term_count > own->steady_count, apart = true, met = true;
    bool rounded = own->moved < ROUNDED;
    own->overlap = 0;
    if (own->waits > 0 && (touches || own->twists)) {
        own->waits--;
        return false;
    }
    double most = s->fine ? fmin(FINE, s->setup.residual) : s->setup.residual;
    if (own->residual > (rounded ? s->setup.residual : touches ? most : FREE_RESIDUAL)) return false;
    if (own->twists && !touches && is_hasty(s, own)) return false;
    own->overlap = cab_touch_learn(s, own, &apart);
    cab_lengths_learn(s, own, &met);
    if (!apart || !met) return false;
    if (own->stable || own->nudges >= NUDGES) return true;
    if (own->whole) nudge(s, own); /* else its stability is not known before the next step */
    return false;
}

static void aim_island(void *data, int i)
{
    cab_statics *s = data;
    cab_island *own = &s->island[i];
    find_residual(s, own);
    own->at_rest = is_at_rest(s, own);
    if (!own->at_rest) aim(s, own);
}

static void move_island(void *data, int i)
{
    cab_statics *s = data;
    if (!s->island[i].at_rest) go(s, &s->island[i]);
}

/* One step of all that is not at rest. */
static void step_all(cab_statics *s, cab_rest *rest)
{
    const cab_statics_setup *setup = &s->setup;
    setup->share_out(setup->by, s->island_count, aim_island, s);
    cab_touch_limit(s);
    cab_twists_limit(s);
    setup->share_out(setup->by, s->island_count, move_island, s);
    rest->residual = rest->moved = rest->overlap = 0;
    rest->settled = true;
    for (int i = 0; i < s->island_count; i++) {
        const cab_island *own = &s->island[i];
        if (own->residual > rest->residual) rest->residual = own->residual, rest->particle = own->worst;
        rest->overlap = fmax(rest->overlap, own->overlap);
        if (own->at_rest) continue;
        rest->settled = false;
        rest->moved = fmax(rest->moved, own->moved);
    }
    s->last = rest->moved;
    s->since += rest->moved;
    cab_springs_slide(s);
}

static bool is_stopped(const cab_statics *s)
{
    return s->setup.stop && s->setup.stop(s->setup.user);
}

static cab_status solve(cab_statics *s, cab_rest *rest, cab_error *error)
{
    int most = s->setup.steps_most;
    for (rest->steps = 0; rest->steps < most && !rest->settled && !is_stopped(s); rest->steps++) {
        if (rest->steps >= most / STICKING && !s->slips && !s->fine && cab_touch_jams(s)) break;
        bool changed = rest->steps == 0;
        cab_status status = cab_touch_find(s, &changed, error);
        if (status == CAB_OK) status = fill_terms(s, error);
        if (status == CAB_OK && changed) status = cab_islands_make(s, error);
        if (status != CAB_OK) return status;
        step_all(s, rest);
    }
    return CAB_OK;
}

static double longest_segment(const cab_model *m)
{
    double longest = 0;
    for (int i = 0; i < m->segment_count; i++) longest = fmax(longest, (double)m->segment[i].rest);
    return longest;
}

static cab_status start(cab_statics *s, cab_error *error)
{
    const cab_model *m = s->model;
    cab_status status = CAB_NEW(s->free, s->count, error);
    if (status == CAB_OK) status = CAB_NEW(s->weight, s->count, error);
    if (status == CAB_OK) status = CAB_NEW(s->step, s->count, error);
    if (status == CAB_OK) status = CAB_NEW(s->longest, s->count, error);
    if (status == CAB_OK) status = CAB_NEW(s->island_of, s->count, error);
    if (status == CAB_OK) status = CAB_NEW(s->local, s->count, error);
    if (status == CAB_OK) status = CAB_NEW(s->went, s->count, error);
    double heaviest = 0;
    for (int p = 0; status == CAB_OK && p < s->count; p++) {
        s->free[p] = m->held[p] < 0 && m->mass[p] > 0;
        s->step[p] = FIRST_STEP;
        s->longest[p] = MOST_STEP;
        s->weight[p] = cab_vec3_scale(m->mass[p], m->settings.gravity);
        heaviest = fmax(heaviest, m->mass[p]);
    }
    for (int k = 0; status == CAB_OK && k < m->load_count; k++) {
        const cab_load_force *f = &m->load[k];
        if (f->far < 0) s->weight[f->particle] = cab_vec3_add(s->weight[f->particle], s->setup.load[k]);
    }
    s->last = REACH_MOST;
    s->reach = fmin(REACH_MOST, 1.5 * longest_segment(m));
    if (status == CAB_OK) status = cab_statics_add_lengths(s, error);
    if (status == CAB_OK) status = cab_statics_add_springs(s, error);
    if (status == CAB_OK) status = cab_statics_add_twists(s, error);
    s->gentle = status == CAB_OK ? cab_touch_hardness(s) : 0;
    s->hard = HARDER * fmax(cab_bends_hardest(s), heaviest / (FIRST_STEP * FIRST_STEP));
    for (int i = 0; status == CAB_OK && i < s->length_count; i++)
        if (!(s->length[i].compliance * s->hard > 1)) s->length[i].softness = 1 / s->hard;
    return status == CAB_OK ? cab_touch_start(s, error) : status;
}

static void tell_moving(const cab_statics *s, bool *moving)
{
    for (int p = 0; p < s->count; p++) {
        int own = s->island_of[p];
        moving[p] = s->free[p] && !(s->island_count > 0 && s->island[own].at_rest);
    }
}

/* The places, clips and twist; makes the room for them where there is none. */
static cab_status copy_places(const cab_model *m, const cab_rest_shape *shape, cab_rest_shape *copy,
                              cab_error *error)
{
    cab_status status = copy->x ? CAB_OK : CAB_NEW(copy->x, m->particle_count, error);
    if (status == CAB_OK && !copy->slid) status = CAB_NEW(copy->slid, m->attachment_count, error);
    if (status == CAB_OK && !copy->turned) status = CAB_NEW(copy->turned, m->twist_run_count, error);
    if (status != CAB_OK) return status;
    for (int p = 0; p < m->particle_count; p++) copy->x[p] = shape->x[p];
    for (int a = 0; a < m->attachment_count; a++) copy->slid[a] = shape->slid[a];
    for (int k = 0; k < m->twist_run_count; k++) copy->turned[k] = shape->turned[k];
    return CAB_OK;
}

/* From a rest to one that is better balanced, if there is one near. */
static cab_status refine(cab_statics *s, cab_rest_shape *shape, cab_rest *rest, cab_error *error)
{
    cab_rest_shape found = {0};
    cab_rest better = {.particle = 0};
    if (!rest->settled || rest->residual <= FINE) return CAB_OK;
    s->fine = true;
    s->setup.steps_most = REFINES;
    cab_status status = copy_places(s->model, shape, &found, error);
    if (status == CAB_OK) status = solve(s, &better, error);
    better.steps += rest->steps;
    if (status == CAB_OK && better.settled) {
        cab_lengths_tell(s, shape->tension);
        *rest = better;
    } else if (status == CAB_OK) {
        rest->steps = better.steps;
        status = copy_places(s->model, &found, shape, error);
    }
    CAB_FREE(found.x, found.slid, found.turned);
    return status;
}

/* From the places in `shape`, in so many steps at most. slips: NULL, or [particles] what has no friction with other cables. */
static cab_status descend(const cab_model *model, const cab_statics_setup *setup, const bool *slips,
                          int steps_most, cab_rest_shape *shape, cab_rest *rest, cab_error *error)
{
    cab_statics s = {.model = model,
                     .setup = *setup,
                     .slips = slips,
                     .count = model->particle_count,
                     .x = shape->x,
                     .slid = shape->slid,
                     .turned = shape->turned};
    s.setup.steps_most = steps_most;
    *rest = (cab_rest){.particle = 0};
    cab_status status = start(&s, error);
    if (status == CAB_OK) status = solve(&s, rest, error);
    if (status == CAB_OK) cab_lengths_tell(&s, shape->tension);
    if (status == CAB_OK) tell_moving(&s, shape->moving);
    if (status == CAB_OK) status = refine(&s, shape, rest, error);
    if (status == CAB_OK) cab_twists_tell(&s, shape->twist);
    rest->stuck = !rest->settled && !slips && cab_touch_jams(&s) && !is_stopped(&s);
    cab_islands_free(&s);
    cab_touch_end(&s);
    cab_twists_free(&s);
    CAB_FREE(s.free, s.weight, s.step, s.longest, s.length, s.spring, s.term, s.island_of, s.local, s.went);
    return status;
}

/* The places, clips and twist as they were, of what does not rest. */
static void go_back(const cab_model *m, cab_rest_shape *shape, const cab_rest_shape *from)
{
    for (int p = 0; p < m->particle_count; p++) {
        if (!shape->moving[p]) continue;
        shape->x[p] = from->x[p];
        if (m->soft[p] >= 0) shape->slid[m->soft[p]] = from->slid[m->soft[p]];
    }
    for (int k = 0; k < m->twist_run_count; k++) {
        const cab_twist_run *run = &m->twist_run[k];
        bool moving = false;
        for (int i = run->first; i < run->first + run->count; i++)
            moving = moving || shape->moving[m->twist_link[i].a] || shape->moving[m->twist_link[i].b];
        if (moving) shape->turned[k] = from->turned[k];
    }
}

/* What rests without friction between cables rests with it, too, and where it comes to rest does not hang on which contacts were the first to
 * hold; so what jams is taken back to where it began and goes down without that friction, in short steps. */
cab_status cab_statics_solve(const cab_model *model, const cab_statics_setup *setup, cab_rest_shape *shape,
                             cab_rest *rest, cab_error *error)
{
    cab_rest_shape from = {0};
    bool *slips = NULL;
    cab_status status = copy_places(model, shape, &from, error);
    if (status == CAB_OK) status = CAB_NEW(slips, model->particle_count, error);
    if (status == CAB_OK) status = descend(model, setup, NULL, setup->steps_most, shape, rest, error);
    if (status == CAB_OK && rest->stuck) {
        int first = rest->steps;
        go_back(model, shape, &from);
        memcpy(slips, shape->moving, (size_t)model->particle_count * sizeof *slips);
        status = descend(model, setup, slips, setup->steps_most - first, shape, rest, error);
        rest->steps += first;
        rest->slippery = true;
    }
    CAB_FREE(from.x, from.slid, from.turned, slips);
    return status;
}
