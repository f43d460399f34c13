/* Going back in time: states of the world are kept every few frames, and what lies between is stepped again, with the same bits. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "view/viewer/viewer_inside.h"

#define MEMORY_MOST ((size_t)256 << 20) /* bytes of all states together */
#define EVERY_LEAST 15                  /* frames between two states */
#define COST 0.05                       /* share of the time of stepping that keeping states may take */

static void drop_from(cab_history *h, int index)
{
    for (int i = index; i < h->count; i++) {
        h->bytes -= h->list[i].size;
        free(h->list[i].bytes);
    }
    h->count = index < h->count ? index : h->count;
}

void cab_history_free(cab_history *h)
{
    drop_from(h, 0);
    free(h->list);
    *h = (cab_history){0};
}

static void thin_out(cab_history *h)
{
    int kept = 0;
    for (int i = 0; i < h->count; i++) {
        if (i % 2 == 0) {
            h->list[kept++] = h->list[i];
            continue;
        }
        h->bytes -= h->list[i].size;
        free(h->list[i].bytes);
    }
    h->count = kept;
    h->every *= 2;
}

/* Keeps the present state. Without memory, or where a world has none, there is one less to go back to. */
static void keep(cab_viewer *v)
{
    cab_history *h = &v->inside->history;
    cab_kept_state made = {.frame = cab_world_get_info(v->world).frame};
    double start = cab_now();
    if (CAB_ROOM(h->list, h->room, h->count + 1, NULL) != CAB_OK) return;
    if (cab_world_pack(v->world, &made.bytes, &made.size, NULL) != CAB_OK) return;
    double took = cab_now() - start;
    h->list[h->count++] = made;
    h->bytes += made.size;
    int wanted = v->step_time > 0 ? (int)fmin(took / (COST * v->step_time), 10000) : 0;
    if (wanted > h->every) h->every = wanted;
    if (h->bytes > h->most && h->count > 2) thin_out(h);
}

void cab_history_begin(cab_viewer *v)
{
    cab_history *h = &v->inside->history;
    drop_from(h, 0);
    h->every = EVERY_LEAST;
    if (h->most == 0) h->most = MEMORY_MOST;
    if (!v->world || v->failed) return;
    keep(v);
    v->history_first = v->history_last = cab_world_get_info(v->world).frame;
}

void cab_history_cut(cab_viewer *v)
{
    cab_history *h = &v->inside->history;
    int last = h->count;
    while (last > 0 && h->list[last - 1].frame > v->info.frame) last--;
    drop_from(h, last);
    v->history_last = v->info.frame;
}

void cab_history_note(cab_viewer *v)
{
    const cab_history *h = &v->inside->history;
    int frame = cab_world_get_info(v->world).frame;
    if (frame > v->history_last) v->history_last = frame;
    if (h->count > 0 && frame >= h->list[h->count - 1].frame + h->every) keep(v);
}

const cab_kept_state *cab_history_find(const cab_viewer *v, int frame)
{
    const cab_history *h = &v->inside->history;
    int i = h->count - 1;
    while (i > 0 && h->list[i].frame > frame) i--;
    return i < 0 ? NULL : &h->list[i];
}
