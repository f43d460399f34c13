/* Events of a run: attachments that let go, warnings, the end by divergence. */
#include "world/events.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "model/scene.h"
#include "world/device.h"

const char *cab_event_kind_name(cab_event_kind kind)
{
    static const char *const names[CAB_EVENT_COUNT] = {"broke", "released", "warning", "diverged", "mated"};
    return (unsigned)kind < CAB_EVENT_COUNT ? names[kind] : "";
}

static void add_note(cab_world *world, cab_event note)
{
    cab_event *grown = realloc(world->events.list, ((size_t)world->events.count + 1) * sizeof *grown);
    if (!grown) return; /* events are lost without harm */
    world->events.list = grown;
    grown[world->events.count++] = note;
}

void cab_events_note(cab_world *world, cab_event_kind kind, int cable, const char *text)
{
    cab_event note = {.kind = kind, .frame = world->frame, .attachment = -1, .cable = cable};
    snprintf(note.text, sizeof note.text, "%s", text);
    add_note(world, note);
}

static cab_event of_attachment(const cab_world *world, cab_event_kind kind, int attachment, int frame)
{
    const cab_model_attachment *a = &world->model->attachments[attachment];
    const char *name = cab_model_attachment_def(world->model, attachment)->name;
    cab_event event = {.kind = kind, .frame = frame, .attachment = a->scene_attachment, .cable = a->body};
    if (name) snprintf(event.text, sizeof event.text, "%s", name);
    return event;
}

void cab_events_note_mated(cab_world *world, int attachment, int frame)
{
    add_note(world, of_attachment(world, CAB_EVENT_MATED, attachment, frame));
}

/* Those of the same frame stay in their order. */
static void sort_by_frame(cab_event *list, int count)
{
    for (int i = 1; i < count; i++) {
        cab_event note = list[i];
        int k = i;
        for (; k > 0 && list[k - 1].frame > note.frame; k--) list[k] = list[k - 1];
        list[k] = note;
    }
}

void cab_events_remake(cab_world *world)
{
    cab_events *events = &world->events;
    const cab_judging *j = &world->judging;
    const cab_model *m = world->model;
    int kept = 0;
    for (int i = 0; i < events->count; i++)
        if (events->list[i].frame == 0) events->list[kept++] = events->list[i];
    events->count = kept;
    for (int i = 0; i < m->attachment_count; i++)
        if (m->attachments[i].mated && m->attachments[i].mated_frame > 0)
            cab_events_note_mated(world, i, m->attachments[i].mated_frame);
    for (int i = 0; i < j->told_count; i++) {
        const cab_judgement *told = &j->found[j->told[i]];
        cab_event note = {
            .kind = CAB_EVENT_WARNING, .frame = told->frame, .attachment = -1, .cable = told->cable};
        memcpy(note.text, told->text, sizeof told->text);
        add_note(world, note);
    }
    sort_by_frame(events->list, events->count);
}

static cab_event event_of(const cab_world *world, const cab_broken *broken)
{
    cab_event_kind kind = broken->released ? CAB_EVENT_RELEASED : CAB_EVENT_BROKE;
    cab_event event = of_attachment(world, kind, broken->attachment, broken->frame);
    event.force = broken->force;
    return event;
}

/* Merges two lists that are in the order of time; a frame's warnings come first. */
int cab_world_get_events(const cab_world *world, cab_event *events, int capacity)
{
    int total = world->events.count + world->broken.count, notes = 0, broken = 0;
    double frame_rate = world->model->settings.frame_rate;
    for (int i = 0; i < total && i < capacity; i++) {
        bool note = broken == world->broken.count ||
                    (notes < world->events.count &&
                     world->events.list[notes].frame <= world->broken.list[broken].frame);
        events[i] = note ? world->events.list[notes++] : event_of(world, &world->broken.list[broken++]);
        events[i].time = events[i].frame / frame_rate;
    }
    return total;
}

cab_status cab_events_find_diverged(const cab_world *world, bool *gone, cab_error *error)
{
    int count = cab_world_get_events(world, NULL, 0);
    cab_event *events;
    cab_status status = CAB_NEW(events, count, error);
    if (!status) cab_world_get_events(world, events, count);
    for (int i = 0; i < count && !status; i++)
        if (events[i].kind == CAB_EVENT_DIVERGED && events[i].cable >= 0)
            gone[world->model->bodies[events[i].cable].group] = true;
    CAB_FREE(events);
    return status;
}
