/* What a run has found out about itself, in states: the judgements and what they are judged against, so that a run
 * that goes on ends with the same ones. */
#include <string.h>

#include "base/array.h"
#include "judge/judge.h"
#include "run/state_view.h"
#include "world/device.h"
#include "world/events.h"

static void pack_found(const cab_judging *j, cab_state_writer *writer)
{
    cab_state_judged *to = cab_state_add(writer, "judged", (size_t)j->told_count, sizeof *to);
    for (int i = 0; to && i < j->told_count; i++) {
        const cab_judgement *from = &j->found[j->told[i]];
        to[i] = (cab_state_judged){.judged = (int32_t)from->judged,
                                   .cable = from->cable,
                                   .other = from->other,
                                   .frame = from->frame,
                                   .worst_frame = from->worst_frame,
                                   .figure = from->figure,
                                   .bound = from->bound,
                                   .worst = from->worst};
        memcpy(to[i].text, from->text, strlen(from->text));
    }
}

void cab_state_pack_judging(const cab_world *world, cab_state_writer *writer)
{
    const cab_judging *j = &world->judging;
    size_t particles = (size_t)world->model->particle_count;
    cab_state_judging *to = cab_state_add(writer, "judging", 1, sizeof *to);
    if (to)
        *to = (cab_state_judging){j->first_frame, j->overlap_next, j->length_next, j->energy_next, j->changes,
                                  j->referenced,  j->driven,       j->known,       j->all_held,    0,
                                  j->led,         j->forces,       j->hand,        j->pulled,      j->stored,
                                  j->mass,        j->lightest,     j->longest,     j->speed_seen,  j->allowed,
                                  j->reference,   j->gained,       j->moved};
    pack_found(j, writer);
    size_t nets = j->load ? (size_t)j->components.count : 0;
    double *weight = cab_state_add(writer, "weight", nets, sizeof *weight);
    if (weight && nets) memcpy(weight, j->load, nets * sizeof *weight);
    int32_t *net = cab_state_add(writer, "net", nets ? particles : 0, sizeof *net);
    for (size_t p = 0; net && nets && p < particles; p++) net[p] = j->components.of[p];
}

static bool can_be_judged(const cab_world *world, const cab_state_judged *found, size_t index)
{
    const cab_state_judged *f = &found[index];
    bool can = f->judged >= 0 && f->judged < CAB_JUDGED_COUNT && f->cable >= -1 &&
               f->cable < world->model->body_count && f->frame >= 0 && f->worst_frame >= f->frame &&
               memchr(f->text, 0, sizeof f->text);
    for (size_t k = 0; can && k < index; k++) can = found[k].judged != f->judged;
    return can;
}

cab_status cab_state_read_judging(const cab_world *world, cab_state_reader *reader, cab_state_view *view)
{
    size_t particles;
    view->judging = cab_state_take(reader, "judging", 1, sizeof *view->judging);
    view->judged = cab_state_take_any(reader, "judged", sizeof *view->judged, &view->judged_count);
    view->weight = cab_state_take_any(reader, "weight", sizeof *view->weight, &view->weight_count);
    view->net = cab_state_take_any(reader, "net", sizeof *view->net, &particles);
    if (reader->status != CAB_OK) return reader->status;
    for (size_t i = 0; i < view->judged_count; i++)
        if (!can_be_judged(world, view->judged, i)) return cab_state_refuse(reader, "a judgement is none");
    bool right = particles == (view->weight_count ? (size_t)world->model->particle_count : 0);
    for (size_t p = 0; right && p < particles; p++)
        right = view->net[p] >= 0 && (size_t)view->net[p] < view->weight_count;
    return right ? CAB_OK : cab_state_refuse(reader, "it is not told what is joined");
}

static void set_numbers(cab_judging *j, const cab_state_judging *from)
{
    j->first_frame = from->first_frame;
    j->overlap_next = from->overlap_next;
    j->length_next = from->length_next;
    j->energy_next = from->energy_next;
    j->changes = from->changes;
    j->referenced = from->referenced != 0;
    j->driven = from->driven != 0;
    j->known = from->known != 0;
    j->all_held = from->all_held != 0;
    j->led = from->led;
    j->forces = from->forces;
    j->hand = from->hand;
    j->pulled = from->pulled;
    j->stored = from->stored;
    j->mass = from->mass;
    j->lightest = from->lightest;
    j->longest = from->longest;
    j->speed_seen = from->speed_seen;
    j->allowed = from->allowed;
    j->reference = from->reference;
    j->gained = from->gained;
    j->moved = from->moved;
}

/* Weights and forces on what is joined. */
static cab_status set_weights(cab_world *world, const cab_state_view *view, cab_error *error)
{
    cab_judging *j = &world->judging;
    int particles = world->model->particle_count;
    if (view->weight_count == 0) return CAB_OK;
    cab_status status = CAB_NEW(j->load, view->weight_count, error);
    if (status == CAB_OK) status = CAB_NEW(j->components.of, particles, error);
    if (status != CAB_OK) return status;
    memcpy(j->load, view->weight, view->weight_count * sizeof *j->load);
    for (int p = 0; p < particles; p++) j->components.of[p] = view->net[p];
    j->components.count = (int)view->weight_count;
    return CAB_OK;
}

/* Tells again what was told before, unless this world has. */
static void set_found(cab_world *world, const cab_state_view *view, const bool *told)
{
    cab_judging *j = &world->judging;
    for (size_t i = 0; i < view->judged_count; i++) {
        const cab_state_judged *from = &view->judged[i];
        cab_judgement *to = &j->found[from->judged];
        *to = (cab_judgement){.judged = (cab_judged)from->judged,
                              .cable = from->cable,
                              .other = from->other,
                              .frame = from->frame,
                              .time = from->frame / world->model->settings.frame_rate,
                              .figure = from->figure,
                              .bound = from->bound,
                              .worst_frame = from->worst_frame,
                              .worst = from->worst};
        memcpy(to->text, from->text, sizeof to->text);
        j->beyond[from->judged] = true;
        j->told[j->told_count++] = to->judged;
        if (!told[from->judged]) cab_world_log(world, 0, "%s", to->text);
    }
}

cab_status cab_state_set_judging(cab_world *world, const cab_state_view *view, cab_error *error)
{
    bool told[CAB_JUDGED_COUNT];
    memcpy(told, world->judging.beyond, sizeof told);
    cab_judge_end(world);
    set_numbers(&world->judging, view->judging);
    cab_status status = set_weights(world, view, error);
    set_found(world, view, told);
    cab_judge_resume_drums(world);
    cab_events_remake(world);
    return status;
}
