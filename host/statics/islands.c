/* What hangs together is an island: its own matrix, its own steps. Made anew when other contacts take part; an island that is what it was
 * goes on as it was. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/union.h"
#include "model/hash.h"
#include "statics/parts.h"

static void free_islands(cab_island *island, int count)
{
    for (int i = 0; island && i < count; i++) {
        cab_blocks_destroy(island[i].matrix);
        CAB_FREE(island[i].pairs, island[i].move);
    }
    free(island);
}

void cab_islands_free(cab_statics *s)
{
    free_islands(s->island, s->island_count);
    CAB_FREE(s->island_particle, s->island_term);
    s->island = NULL;
    s->island_particle = s->island_term = NULL;
    s->island_count = 0;
}

/* The first free particle of a term; -1 = none, it acts on nothing. */
static int first_free(const cab_statics *s, const cab_point *at)
{
    for (int i = 0; i < at->count; i++)
        if (s->free[at->particle[i]]) return at->particle[i];
    return -1;
}

/* island_of[particle] */
static cab_status join(cab_statics *s, cab_error *error)
{
    int *root;
    cab_status status = CAB_NEW(root, s->count, error);
    if (status != CAB_OK) return status;
    for (int p = 0; p < s->count; p++) root[p] = p;
    for (int k = 0; k < s->term_count; k++) {
        const cab_point *at = &s->term[k].at;
        int first = first_free(s, at);
        for (int i = 0; i < at->count; i++)
            if (first >= 0 && s->free[at->particle[i]]) cab_union_join(root, first, at->particle[i]);
    }
    for (int p = 0; p < s->count; p++) { /* a root is the lowest of its set */
        int r = s->free[p] ? cab_union_root(root, p) : -1;
        s->island_of[p] = r < 0 ? -1 : r == p ? s->island_count++ : s->island_of[r];
    }
    free(root);
    return CAB_OK;
}

/* Sorts particles and terms by island. */
static cab_status sort(cab_statics *s, cab_error *error)
{
    cab_status status = CAB_NEW(s->island, s->island_count, error);
    if (status == CAB_OK) status = CAB_NEW(s->island_particle, s->count, error);
    if (status == CAB_OK) status = CAB_NEW(s->island_term, s->term_count, error);
    if (status != CAB_OK) return status;
    for (int p = 0; p < s->count; p++)
        if (s->island_of[p] >= 0) s->island[s->island_of[p]].particle_count++;
    for (int k = 0; k < s->term_count; k++) {
        int p = first_free(s, &s->term[k].at);
        if (p >= 0) s->island[s->island_of[p]].term_count++;
    }
    for (int i = 0, particle = 0, term = 0; i < s->island_count; i++) {
        cab_island *own = &s->island[i];
        own->first_particle = particle;
        own->first_term = term;
        particle += own->particle_count;
        term += own->term_count;
        own->particle_count = own->term_count = 0;
    }
    for (int p = 0; p < s->count; p++) {
        if (s->island_of[p] < 0) continue;
        cab_island *own = &s->island[s->island_of[p]];
        s->local[p] = own->particle_count++;
        s->island_particle[own->first_particle + s->local[p]] = p;
    }
    for (int k = 0; k < s->term_count; k++) {
        int p = first_free(s, &s->term[k].at);
        if (p < 0) continue;
        cab_island *own = &s->island[s->island_of[p]];
        s->island_term[own->first_term + own->term_count++] = k;
        own->steady_count += k < s->steady;
        own->twists = own->twists || s->term[k].twists;
    }
    return CAB_OK;
}

static int row_of(const cab_statics *s, int particle)
{
    return s->free[particle] ? s->local[particle] : -1;
}

/* The pairs of its terms, in their order: those of a term with n particles are n (n - 1) / 2. */
static cab_status make_matrix(cab_statics *s, cab_island *own, cab_error *error)
{
    cab_status status = CAB_NEW(own->pairs, 6LL * own->term_count, error);
    if (status == CAB_OK) status = CAB_NEW(own->move, own->particle_count, error);
    if (status != CAB_OK) return status;
    int count = 0;
    for (int k = own->first_term; k < own->first_term + own->term_count; k++) {
        const cab_point *at = &s->term[s->island_term[k]].at;
        for (int i = 1; i < at->count; i++)
            for (int j = 0; j < i; j++)
                own->pairs[count++] = (cab_row_pair){row_of(s, at->particle[i]), row_of(s, at->particle[j])};
    }
    own->matrix = cab_blocks_create(own->particle_count, own->pairs, count, error);
    return own->matrix ? CAB_OK : CAB_ERROR_MEMORY;
}

/* What has merged goes on with the shortest of its steps. */
static void share_steps(cab_statics *s, const cab_island *own)
{
    const int *particle = s->island_particle + own->first_particle;
    double step = s->step[particle[0]];
    for (int i = 1; i < own->particle_count; i++)
        if (s->step[particle[i]] < step) step = s->step[particle[i]];
    for (int i = 0; i < own->particle_count; i++) s->step[particle[i]] = step;
}

/* Terms but contacts follow from the particles. */
static void sign(const cab_statics *s, cab_island *own)
{
    uint64_t hash = 0;
    own->lowest = s->island_particle[own->first_particle];
    cab_hash_array(&hash, s->island_particle + own->first_particle, own->particle_count, sizeof(int));
    for (int k = own->first_term + own->steady_count; k < own->first_term + own->term_count; k++) {
        const cab_rest_touch *t = &s->touch[s->term[s->island_term[k]].touch];
        const int key[] = {t->segment, t->other, t->place};
        cab_hash_words(&hash, key, sizeof key);
    }
    own->signature = hash;
}

/* Takes over from an island that was the same. */
static void take_over(cab_island *own, cab_island *old)
{
    cab_island before = *own;
    *own = *old;
    own->first_particle = before.first_particle;
    own->first_term = before.first_term;
    old->matrix = NULL;
    old->pairs = NULL;
    old->move = NULL;
}

static bool is_the_same(const cab_island *a, const cab_island *b)
{
    return a->signature == b->signature && a->particle_count == b->particle_count &&
           a->term_count == b->term_count && a->steady_count == b->steady_count;
}

/* old: [old_count] islands before; before[particle]: which of them begins with it, -1 = none. */
static cab_status make_all(cab_statics *s, cab_island *old, const int *before, cab_error *error)
{
    cab_status status = join(s, error);
    if (status == CAB_OK) status = sort(s, error);
    for (int i = 0; status == CAB_OK && i < s->island_count; i++) {
        cab_island *own = &s->island[i];
        sign(s, own);
        int was = before[own->lowest];
        if (was >= 0 && is_the_same(own, &old[was])) {
            take_over(own, &old[was]);
            continue;
        }
        share_steps(s, own);
        own->moved = s->reach;
        status = make_matrix(s, own, error);
    }
    return status;
}

cab_status cab_islands_make(cab_statics *s, cab_error *error)
{
    cab_island *old = s->island;
    int old_count = s->island_count, *before;
    s->island = NULL;
    cab_islands_free(s);
    cab_status status = CAB_NEW(before, s->count, error);
    for (int p = 0; status == CAB_OK && p < s->count; p++) before[p] = -1;
    for (int i = 0; status == CAB_OK && i < old_count; i++) before[old[i].lowest] = i;
    if (status == CAB_OK) status = make_all(s, old, before, error);
    free_islands(old, old_count);
    free(before);
    return status;
}
