/* Cables into tiles, also those of several models. Equal cables share their constants; what is left over shares tiles, longest first. */
#include "model/tiles.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/scene.h"

/* Cables with the same constants. */
typedef struct cab_class {
    float *constant; /* [2][particles][CAB_CONSTANTS] */
    int particles, members;
    cab_tile_kind kind;
} cab_class;

typedef struct cab_classes {
    cab_class *class;
    int count, room;
    int *of;         /* [cables] */
    int *slot, mask; /* hash table: class + 1 */
    float *work;
} cab_classes;

static size_t class_floats(int particles)
{
    return 2 * (size_t)particles * CAB_CONSTANTS;
}

/* FNV-1a over words */
static uint32_t hash_of(const float *data, size_t count)
{
    uint32_t hash = 2166136261u, word;
    for (size_t i = 0; i < count; i++) {
        memcpy(&word, &data[i], sizeof word);
        hash = (hash ^ word) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static cab_status add_class(cab_classes *all, int particles, cab_tile_kind kind, cab_error *error)
{
    cab_status status = CAB_ROOM(all->class, all->room, all->count + 1, error);
    if (status != CAB_OK) return status;
    cab_class *c = &all->class[all->count];
    *c = (cab_class){.particles = particles, .kind = kind};
    status = CAB_NEW(c->constant, class_floats(particles), error);
    if (status != CAB_OK) return status;
    memcpy(c->constant, all->work, class_floats(particles) * sizeof(float));
    all->count++;
    return CAB_OK;
}

/* cable: of this model; index: among those of all. */
static cab_status classify(const cab_model *m, int cable, int index, cab_classes *all, cab_error *error)
{
    int particles = m->bodies[cable].node_count;
    size_t floats = class_floats(particles);
    cab_tile_kind kind = cab_tile_kind_of(m, cable);
    cab_status status = CAB_OK;
    if (m->settings.method == CAB_METHOD_XPBD)
        cab_xpbd_constants(m, cable, all->work);
    else
        status = cab_direct_constants(m, cable, all->work, error);
    if (status != CAB_OK) return status;
    int at = (int)(hash_of(all->work, floats) & (uint32_t)all->mask);
    for (; all->slot[at]; at = (at + 1) & all->mask) {
        const cab_class *c = &all->class[all->slot[at] - 1];
        if (c->particles == particles && !memcmp(c->constant, all->work, floats * sizeof(float))) break;
    }
    if (!all->slot[at]) {
        status = add_class(all, particles, kind, error);
        if (status != CAB_OK) return status;
        all->slot[at] = all->count;
    }
    all->of[index] = all->slot[at] - 1;
    all->class[all->of[index]].members++;
    return CAB_OK;
}

static cab_status classify_all(const cab_model *const *models, int count, int cables, int longest,
                               cab_classes *all, cab_error *error)
{
    int slots = 16, index = 0;
    while (slots < 2 * cables) slots *= 2;
    all->mask = slots - 1;
    cab_status status = CAB_NEW(all->of, cables, error);
    if (status == CAB_OK) status = CAB_NEW(all->slot, slots, error);
    if (status == CAB_OK) status = CAB_NEW(all->work, class_floats(longest), error);
    for (int k = 0; k < count; k++)
        for (int c = 0; status == CAB_OK && c < models[k]->cable_count; c++)
            status = classify(models[k], c, index++, all, error);
    return status;
}

/* A cable on its way into a tile. */
typedef struct cab_place_in_tile {
    int cable, class, particles;
    int shared; /* 1: its tile is one of equal cables */
    cab_tile_kind kind;
} cab_place_in_tile;

/* Tiles of equal cables first, by kind and class; the rest by length. */
static int by_tile(const void *x, const void *y)
{
    const cab_place_in_tile *a = x, *b = y;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->shared != b->shared) return a->shared > b->shared ? -1 : 1;
    if (a->shared && a->class != b->class) return a->class < b->class ? -1 : 1;
    if (a->particles != b->particles) return a->particles > b->particles ? -1 : 1;
    return a->cable < b->cable ? -1 : 1;
}

/* Full tiles of a class, and a rest of half a tile or more, get a tile of their own. */
static void place_cables(const cab_classes *all, int cables, int width, int *seen, cab_place_in_tile *place)
{
    for (int c = 0; c < cables; c++) {
        const cab_class *class = &all->class[all->of[c]];
        int rest = class->members % width, number = seen[all->of[c]]++;
        bool own = number < class->members - rest || 2 * rest >= width || all->count == 1;
        place[c] =
            (cab_place_in_tile){c, all->of[c], class->particles, own, own ? class->kind : CAB_TILE_MIXED};
        if (class->kind == CAB_TILE_MIXED) place[c].shared = 0;
    }
    qsort(place, (size_t)cables, sizeof *place, by_tile);
}

/* Cables from `at` on that share a tile: at most `width`, all of one class where that is asked. */
static int tile_length(const cab_place_in_tile *place, int at, int count, int width)
{
    int n = 1;
    while (n < width && at + n < count && place[at + n].kind == place[at].kind &&
           place[at + n].shared == place[at].shared &&
           (!place[at].shared || place[at + n].class == place[at].class))
        n++;
    return n;
}

/* Behind its end a short cable has held particles. Segments to them pull by exactly 0, so that a cable moves by the same
 * bits in whatever tile it is: XPBD leaves out what has no positive sum of inverse masses and compliance; the direct
 * method divides by an infinite pivot, and a length whose square is infinite is never off (cab_length_off). */
static void pad_constants(float *c, int width)
{
    c[CAB_CONSTANT_REST * width] = 1e20f;
    c[CAB_CONSTANT_COMPLIANCE * width] = -1e30f;
    c[CAB_CONSTANT_DIAGONAL * width] = INFINITY;
}

/* One lane's constants among the others of its tile. */
static void spread_constants(const cab_class *class, int particles, int width, float *out)
{
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < particles; i++) {
            float *to = out + ((size_t)order * (size_t)particles + (size_t)i) * CAB_CONSTANTS * (size_t)width;
            if (i >= class->particles - 1) pad_constants(to, width);
            if (i >= class->particles) continue;
            const float *from =
                class->constant + ((size_t)order * (size_t) class->particles + (size_t)i) * CAB_CONSTANTS;
            bool last = i == class->particles - 1;
            for (int k = 0; k < CAB_CONSTANTS; k++) {
                if (last &&
                    (k == CAB_CONSTANT_REST || k == CAB_CONSTANT_COMPLIANCE || k == CAB_CONSTANT_DIAGONAL))
                    continue;
                to[k * width] = from[k];
            }
        }
    }
}

static cab_status grow_constants(cab_tiles *t, size_t more, size_t *room, cab_error *error)
{
    if (t->constant_count + more <= *room) return CAB_OK;
    size_t larger = 2 * *room + more;
    float *grown = realloc(t->constant, larger * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "constants of tiles", larger * sizeof *grown);
    memset(grown + *room, 0, (larger - *room) * sizeof *grown);
    t->constant = grown;
    *room = larger;
    return CAB_OK;
}

#define ALIGNED 16 /* floats of the widest vector by which kernels read the constants of lanes */

/* The constants of a tile; those of a class are laid down once. */
static cab_status lay_constants(const cab_classes *all, const cab_place_in_tile *place, int n, int width,
                                int *laid, size_t *room, cab_tiles *t, cab_tile *tile, cab_error *error)
{
    bool shared = place->shared;
    if (shared && laid[place->class] >= 0) {
        tile->constants = laid[place->class];
        tile->order_apart = place->particles * CAB_CONSTANTS;
        return CAB_OK;
    }
    size_t step = shared ? 1 : (size_t)width, floats = class_floats(tile->count) * step;
    size_t begin = (t->constant_count + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (begin + floats > INT32_MAX) {
        return cab_fail(error, CAB_ERROR_MEMORY,
                        "the direct method's constants of %d cables need more than 8 GiB", n);
    }
    cab_status status = grow_constants(t, begin - t->constant_count + floats, room, error);
    if (status != CAB_OK) return status;
    tile->constants = (int)begin;
    tile->order_apart = (int)(floats / 2);
    float *out = t->constant + begin;
    for (int l = 0; l < (shared ? 1 : width); l++) {
        const cab_class *class = &all->class[place[l < n ? l : 0].class];
        if (shared)
            memcpy(out, class->constant, floats * sizeof *out);
        else
            spread_constants(class, tile->count, width, out + l);
    }
    if (shared) laid[place->class] = tile->constants;
    t->constant_count = begin + floats;
    return CAB_OK;
}

static cab_status fill_tiles(const cab_classes *all, const cab_place_in_tile *place, int cables, int width,
                             int *laid, cab_tiles *t, cab_error *error)
{
    size_t room = 0;
    long long lanes = 0, filled = 0;
    cab_status status = CAB_OK;
    int kind = 0;
    for (int at = 0; status == CAB_OK && at < cables;) {
        int n = tile_length(place, at, cables, width);
        cab_tile *tile = &t->tile[t->count];
        while (kind <= (int)place[at].kind) t->first[kind++] = t->count;
        *tile = (cab_tile){.count = place[at].particles, .kept = t->kept};
        t->kept += tile->count;
        for (int l = 0; l < width; l++) {
            int c = place[at + (l < n ? l : 0)].cable;
            t->tile_chain[t->count * width + l] = l < n ? c : ~c;
            if (l < n) filled += place[at + l].particles;
        }
        lanes += (long long)width * tile->count;
        status = lay_constants(all, place + at, n, width, laid, &room, t, tile, error);
        if (tile->count > t->longest) t->longest = tile->count;
        t->count++;
        at += n;
    }
    while (kind <= CAB_TILE_KIND_COUNT) t->first[kind++] = t->count;
    t->padding = lanes > 0 ? 1 - (double)filled / (double)lanes : 0;
    return status;
}

cab_status cab_tiles_build(const cab_model *const *models, int count, int width, cab_tiles *tiles,
                           cab_error *error)
{
    cab_classes all = {0};
    cab_place_in_tile *place = NULL;
    int *seen = NULL, *laid = NULL, longest = 0, cables = 0;
    *tiles = (cab_tiles){0};
    for (int k = 0; k < count; k++) {
        cables += models[k]->cable_count;
        for (int c = 0; c < models[k]->cable_count; c++)
            if (models[k]->bodies[c].node_count > longest) longest = models[k]->bodies[c].node_count;
    }
    cab_status status = classify_all(models, count, cables, longest, &all, error);
    if (status == CAB_OK) status = CAB_NEW(place, cables, error);
    if (status == CAB_OK) status = CAB_NEW(seen, all.count, error);
    if (status == CAB_OK) status = CAB_NEW(laid, all.count, error);
    if (status == CAB_OK) status = CAB_NEW(tiles->tile, cables, error);
    if (status == CAB_OK) status = CAB_NEW(tiles->tile_chain, (long long)cables * width, error);
    if (status == CAB_OK) {
        memset(laid, -1, ((size_t)all.count + 1) * sizeof *laid);
        place_cables(&all, cables, width, seen, place);
        status = fill_tiles(&all, place, cables, width, laid, tiles, error);
    }
    for (int i = 0; i < all.count; i++) free(all.class[i].constant);
    CAB_FREE(all.class, all.of, all.slot, all.work, place, seen, laid);
    if (status != CAB_OK) cab_tiles_free(tiles);
    return status;
}

void cab_tiles_free(cab_tiles *tiles)
{
    CAB_FREE(tiles->tile, tiles->tile_chain, tiles->constant);
    *tiles = (cab_tiles){0};
}
