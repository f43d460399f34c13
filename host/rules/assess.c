#include "rules/assess.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"
#include "io/writers.h"
#include "model/scene.h"
#include "world/facts.h"

#define MOVING 1e-3     /* m/s */
#define LOOKED_FOR 0.02 /* m: clearances, or twice the limit */
#define DEEP 0.01       /* of the radius: an overlap that is an error worth naming */

static const cab_requirement cable_rules[] = {CAB_REQUIREMENT_BEND,
                                              CAB_REQUIREMENT_LENGTH,
                                              CAB_REQUIREMENT_TENSION,
                                              CAB_REQUIREMENT_TORQUE,
                                              CAB_REQUIREMENT_CLEARANCE_COLLIDER,
                                              CAB_REQUIREMENT_CLEARANCE_CABLE,
                                              CAB_REQUIREMENT_SAG,
                                              CAB_REQUIREMENT_STRETCH,
                                              CAB_REQUIREMENT_OVERLAP};
enum { CABLE_RULES = sizeof cable_rules / sizeof cable_rules[0] };

void cab_assess_begin(cab_assessment *a, const cab_scene *scene, const cab_limits *limits)
{
    *a = (cab_assessment){.scene = scene, .limits = *limits, .last_frame = -1};
}

void cab_assess_free(cab_assessment *a)
{
    CAB_FREE(a->cables, a->holds, a->findings, a->time, a->series, a->arc, a->position, a->velocity,
             a->tension, a->torque, a->section_start, a->sections, a->facts, a->to_cables, a->to_colliders,
             (void *)a->tabled, (void *)a->hold_tabled);
    cab_assess_probes_free(&a->probes);
    *a = (cab_assessment){0};
}

static const cab_finding nothing = {.drawn = NAN,
                                    .attachment = -1,
                                    .node = -1,
                                    .bound = {.limit = NAN},
                                    .use = NAN,
                                    .other = -1,
                                    .frame = -1};

/* A finding for each part and rule; those of a rule one after the other. */
static void make_findings(cab_assessment *a)
{
    for (int k = 0; k < CABLE_RULES; k++) {
        for (int c = 0; c < a->cable_count; c++) {
            cab_finding *f = &a->findings[a->finding_count++];
            *f = nothing;
            f->rule = cable_rules[k];
            f->cable = c;
        }
    }
    for (int i = 0; i < a->hold_count; i++) {
        cab_finding *f = &a->findings[a->finding_count++];
        *f = nothing;
        f->rule = CAB_REQUIREMENT_HOLD;
        f->attachment = i;
    }
}

static cab_status get_sections(cab_assessment *a, const cab_world *world, cab_error *error)
{
    size_t count = 0;
    a->section_start = calloc((size_t)a->cable_count + 1, sizeof *a->section_start);
    for (int c = 0; c < a->cable_count; c++) count += (size_t)cab_world_get_sections(world, c, NULL, 0);
    a->sections = calloc(count + 1, sizeof *a->sections);
    if (!a->section_start || !a->sections)
        return cab_fail_memory(error, "the report", count * sizeof *a->sections);
    for (int c = 0; c < a->cable_count; c++) {
        int first = a->section_start[c];
        a->section_start[c + 1] =
            first + cab_world_get_sections(world, c, a->sections + first, (int)count - first);
    }
    return CAB_OK;
}

/* Room for all parts of the world. */
static cab_status set_up(cab_assessment *a, const cab_world *world, cab_error *error)
{
    cab_world_info info = cab_world_get_info(world);
    size_t n = (size_t)info.cables, rows = (size_t)info.nodes;
    a->cable_count = info.cables;
    a->hold_count = cab_world_get_attachments(world, NULL, 0);
    size_t holds = (size_t)a->hold_count, findings = n * CABLE_RULES + holds;
    a->cables = calloc(n + 1, sizeof *a->cables);
    a->holds = calloc(holds + 1, sizeof *a->holds);
    a->findings = calloc(findings + 1, sizeof *a->findings);
    a->arc = calloc(rows + 1, sizeof *a->arc);
    a->position = calloc(3 * rows + 1, sizeof *a->position);
    a->velocity = calloc(3 * rows + 1, sizeof *a->velocity);
    a->tension = calloc(rows + 1, sizeof *a->tension);
    a->facts = calloc(n + 1, sizeof *a->facts);
    a->to_cables = calloc(n + 1, sizeof *a->to_cables);
    a->to_colliders = calloc(n + 1, sizeof *a->to_colliders);
    if (!a->cables || !a->holds || !a->findings || !a->arc || !a->position || !a->velocity || !a->tension ||
        !a->facts || !a->to_cables || !a->to_colliders)
        return cab_fail_memory(error, "the report", findings * sizeof *a->findings);
    for (int c = 0; c < a->cable_count; c++) a->cables[c] = cab_world_get_cable(world, c);
    cab_world_get_arcs(world, a->arc);
    make_findings(a);
    if (info.twists && CAB_NEW(a->torque, info.nodes, error) != CAB_OK) return CAB_ERROR_MEMORY;
    cab_world_get_attachments(world, a->holds, a->hold_count);
    cab_status status = get_sections(a, world, error);
    return status ? status : cab_assess_look_up(a, error);
}

static cab_vec3 place_of(const cab_assessment *a, int node)
{
    const double *x = a->position + 3 * (size_t)node;
    return (cab_vec3){x[0], x[1], x[2]};
}

/* Is the new one worse? By the share of its limit, which may differ from frame to frame; else by value. */
static bool is_worse(const cab_finding *old, const cab_finding *now)
{
    if (old->frame < 0) return true;
    if (!isnan(now->use) && !isnan(old->use)) return now->use > old->use;
    return cab_requirement_kind_of(now->rule)->at_least ? now->value < old->value : now->value > old->value;
}

typedef struct moment {
    int frame;
    double time;
    double *series; /* [CAB_REQUIREMENT_COUNT] of this frame */
} moment;

static void note(cab_finding *worst, cab_finding now, const moment *m)
{
    now.drawn = worst->drawn;
    now.frame = m->frame;
    now.time = m->time;
    now.use = cab_requirement_use(now.rule, now.value, now.bound.limit);
    if (!isfinite(now.value)) return;
    if (is_worse(worst, &now)) *worst = now;
    bool least = cab_requirement_kind_of(now.rule)->at_least;
    double *series = &m->series[now.rule];
    if (isnan(*series) || (least ? now.value < *series : now.value > *series)) *series = now.value;
}

static cab_finding *of(cab_assessment *a, cab_requirement rule, int cable)
{
    int place = 0;
    while (cable_rules[place] != rule) place++;
    return &a->findings[place * a->cable_count + cable];
}

/* Where a share of the segment that starts at a node is, as a fraction of its cable's length. */
static double part_along(const cab_assessment *a, int c, int node, double share)
{
    const cab_cable_info *cable = &a->cables[c];
    int next = node + 1 < cable->first_node + cable->node_count ? node + 1 : node;
    return (a->arc[node] + share * (a->arc[next] - a->arc[node])) / cable->length;
}

static void take_clearance(cab_assessment *a, cab_requirement rule, const cab_clearance *c, cab_finding now,
                           const moment *m)
{
    if (c->node < 0) return;
    const cab_cable_info *cable = &a->cables[now.cable];
    now.rule = rule;
    now.value = c->distance;
    now.bound = cab_assess_bound(a, rule, a->section_start[now.cable], false);
    now.node = c->node;
    now.place = c->place;
    now.at = part_along(a, now.cable, c->node, c->at);
    now.other = c->other;
    now.to_cable = now.rule == CAB_REQUIREMENT_CLEARANCE_CABLE;
    note(of(a, rule, now.cable), now, m);
    if (c->distance >= 0) return;
    now.rule = CAB_REQUIREMENT_OVERLAP;
    now.value = -c->distance;
    now.bound = (cab_bound){.limit = DEEP * cable->radius, .from = CAB_FROM_RADIUS};
    note(of(a, CAB_REQUIREMENT_OVERLAP, now.cable), now, m);
}

/* Each part of a cable by what it is made of. */
static void take_bends(cab_assessment *a, cab_finding now, const moment *m)
{
    int c = now.cable;
    now.rule = CAB_REQUIREMENT_BEND;
    for (int i = a->section_start[c]; i < a->section_start[c + 1]; i++) {
        const cab_section_info *section = &a->sections[i];
        cab_cable_info part = {.first_node = section->first_node, .node_count = section->node_count};
        cab_cable_facts f;
        cab_facts_of(&part, a->position, a->velocity, a->tension, (cab_vec3){0, 0, 0}, &f);
        if (f.bend_node < 0) continue;
        now.value = f.bend_radius;
        now.bound = cab_assess_bound(a, CAB_REQUIREMENT_BEND, i, now.moving);
        now.node = f.bend_node;
        now.at = part_along(a, c, now.node, 0);
        now.place = place_of(a, now.node);
        note(of(a, CAB_REQUIREMENT_BEND, c), now, m);
    }
}

/* By what share its tension stretches a cable: the mean of T / EA along it. */
static double elastic_stretch(const cab_assessment *a, int c)
{
    double sum = 0;
    for (int i = a->section_start[c]; i < a->section_start[c + 1]; i++) {
        const cab_section_info *section = &a->sections[i];
        for (int k = 0; k < section->node_count - 1 && isfinite(section->stretching_stiffness); k++) {
            int node = section->first_node + k;
            sum += a->tension[node] / section->stretching_stiffness * (a->arc[node + 1] - a->arc[node]);
        }
    }
    return sum / a->cables[c].length;
}

/* A value at a node, or of the whole cable (-1), which is shown at its middle. */
static void take_value(cab_assessment *a, cab_requirement rule, cab_finding now, double value, int node,
                       double at, const moment *m)
{
    const cab_cable_info *cable = &a->cables[now.cable];
    now.rule = rule;
    now.value = value;
    now.bound = cab_assess_bound(a, rule, a->section_start[now.cable], false);
    now.node = node;
    now.at = at;
    now.place = place_of(a, node < 0 ? cable->first_node + cable->node_count / 2 : node);
    note(of(a, rule, now.cable), now, m);
}

/* Each part of a cable by what it is made of, where its limits differ. */
static void take_tensions(cab_assessment *a, cab_finding now, const moment *m)
{
    int c = now.cable;
    const cab_cable_facts *whole = &a->facts[c];
    if (a->section_start[c + 1] - a->section_start[c] < 2 || !a->limits.table) {
        take_value(a, CAB_REQUIREMENT_TENSION, now, fmax(whole->tension, 0), whole->tension_node,
                   whole->tension_at, m);
        return;
    }
    now.rule = CAB_REQUIREMENT_TENSION;
    for (int i = a->section_start[c]; i < a->section_start[c + 1]; i++) {
        const cab_section_info *section = &a->sections[i];
        int most = section->first_node;
        for (int k = 1; k < section->node_count - 1; k++)
            if (a->tension[section->first_node + k] > a->tension[most]) most = section->first_node + k;
        now.value = fmax(a->tension[most], 0);
        now.bound = cab_assess_bound(a, CAB_REQUIREMENT_TENSION, i, false);
        now.node = most;
        now.at = part_along(a, c, most, 0.5);
        now.place = place_of(a, most);
        note(of(a, CAB_REQUIREMENT_TENSION, c), now, m);
    }
}

/* The row with the largest moment of twist, either way, of some that show segments but for the last. */
static int most_twisted(const cab_assessment *a, int first, int count)
{
    int most = first;
    for (int node = first + 1; node < first + count - 1; node++)
        if (fabs(a->torque[node]) > fabs(a->torque[most])) most = node;
    return most;
}

static void take_torques(cab_assessment *a, cab_finding now, const moment *m)
{
    int c = now.cable;
    now.rule = CAB_REQUIREMENT_TORQUE;
    for (int i = a->section_start[c]; i < a->section_start[c + 1]; i++) {
        const cab_section_info *section = &a->sections[i];
        int most = most_twisted(a, section->first_node, section->node_count);
        now.value = fabs(a->torque[most]);
        now.bound = cab_assess_bound(a, CAB_REQUIREMENT_TORQUE, i, false);
        now.node = most;
        now.at = part_along(a, c, most, 0.5);
        now.place = place_of(a, most);
        note(of(a, CAB_REQUIREMENT_TORQUE, c), now, m);
    }
}

static void take_cable(cab_assessment *a, int c, const moment *m)
{
    const cab_cable_facts *f = &a->facts[c];
    cab_finding now = {.cable = c, .attachment = -1, .other = -1, .moving = f->speed > MOVING};
    take_bends(a, now, m);
    take_tensions(a, now, m);
    if (a->torque) take_torques(a, now, m);
    double elastic = elastic_stretch(a, c), all = f->length / f->rest_length - 1;
    take_value(a, CAB_REQUIREMENT_LENGTH, now, fabs(elastic), -1, 0.5, m);
    take_value(a, CAB_REQUIREMENT_STRETCH, now, fabs(all - elastic), -1, 0.5, m);
    take_value(a, CAB_REQUIREMENT_SAG, now, f->sag, f->sag_node,
               f->sag_node < 0 ? 0.5 : part_along(a, c, f->sag_node, 0), m);
    take_clearance(a, CAB_REQUIREMENT_CLEARANCE_COLLIDER, &a->to_colliders[c], now, m);
    take_clearance(a, CAB_REQUIREMENT_CLEARANCE_CABLE, &a->to_cables[c], now, m);
}

/* What a hold bears; of a cable only. */
static void take_hold(cab_assessment *a, int i, double force, const moment *m)
{
    const cab_attachment_info *h = &a->holds[i];
    if (h->body >= a->cable_count) return;
    cab_finding now = {.rule = CAB_REQUIREMENT_HOLD,
                       .cable = h->body,
                       .attachment = i,
                       .value = force,
                       .bound = cab_assess_hold_bound(a, i),
                       .node = h->node,
                       .at = part_along(a, h->body, h->node, 0),
                       .place = place_of(a, h->node),
                       .other = -1,
                       .moving = a->facts[h->body].speed > MOVING};
    note(&a->findings[CABLE_RULES * a->cable_count + i], now, m);
}

/* What has let go has broken its limit, whatever it bears afterwards. */
static void take_event(cab_assessment *a, const cab_event *e, const moment *m)
{
    if (e->kind != CAB_EVENT_BROKE && e->kind != CAB_EVENT_RELEASED) return;
    for (int i = 0; i < a->hold_count; i++) {
        if (a->holds[i].attachment != e->attachment || a->holds[i].body != e->cable) continue;
        cab_finding *f = &a->findings[CABLE_RULES * a->cable_count + i];
        f->frame = -1; /* the end of it counts more than what was before */
        take_hold(a, i, e->force, m);
        if (f->frame >= 0 && !(f->use > 1)) f->use = INFINITY;
    }
}

static cab_status take_holds(cab_assessment *a, const cab_world *world, const moment *m, cab_error *error)
{
    cab_world_get_attachments(world, a->holds, a->hold_count);
    cab_world_info info = cab_world_get_info(world);
    if (!info.forces && info.frame > 0) a->unmeasured = true;
    for (int i = 0; i < a->hold_count && info.forces; i++)
        if (!a->holds[i].broken && !a->holds[i].free) take_hold(a, i, cab_vec3_length(a->holds[i].force), m);
    int count = cab_world_get_events(world, NULL, 0);
    if (count == a->event_count) return CAB_OK;
    cab_event *events = calloc((size_t)count, sizeof *events);
    if (!events) return cab_fail_memory(error, "the report", (size_t)count * sizeof *events);
    cab_world_get_events(world, events, count);
    for (int i = a->event_count; i < count; i++) take_event(a, &events[i], m);
    a->event_count = count;
    free(events);
    return CAB_OK;
}

static double looked_for(const cab_limits *limits)
{
    double range = LOOKED_FOR;
    if (limits->clearance_collider > 0) range = fmax(range, 2 * limits->clearance_collider);
    if (limits->clearance_cable > 0) range = fmax(range, 2 * limits->clearance_cable);
    for (int i = 0; limits->table && i < limits->table->count; i++) {
        const cab_limit_entry *e = &limits->table->entries[i];
        for (int k = CAB_TABLED_CLEARANCE_COLLIDER; k <= CAB_TABLED_CLEARANCE_CABLE; k++)
            if (e->key[k]) range = fmax(range, 2 * e->value[k]);
    }
    return range;
}

static cab_status read(cab_assessment *a, cab_world *world, cab_error *error)
{
    cab_status status = cab_world_read(world, a->position, a->velocity, a->tension, error);
    if (!status && a->torque) status = cab_world_read_torque(world, a->torque, error);
    if (!status) status = cab_world_get_facts(world, a->facts, error);
    return status ? status
                  : cab_world_get_clearances(world, looked_for(&a->limits), a->to_cables, a->to_colliders,
                                             error);
}

static cab_status grow_series(cab_assessment *a, double time, cab_error *error)
{
    size_t count = (size_t)a->frame_count + 1;
    if ((count & (count - 1)) == 0) { /* doubled at each power of two */
        cab_status status = CAB_RESIZE(a->time, 2 * count, error);
        if (status == CAB_OK) status = CAB_RESIZE(a->series, 2 * count * CAB_REQUIREMENT_COUNT, error);
        if (status != CAB_OK) return status;
    }
    a->time[a->frame_count] = time;
    for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++)
        a->series[(size_t)a->frame_count * CAB_REQUIREMENT_COUNT + (size_t)k] = NAN;
    a->frame_count++;
    return CAB_OK;
}

static void write_csv_header(const cab_assessment *a)
{
    cab_file_print(
        a->csv,
        "frame,time,cable,length,tension,bend_radius,sag,clearance_collider,clearance_cable,speed%s\n",
        a->torque ? ",torque" : "");
}

/* What is not there, such as the radius of a straight cable, stays empty. */
static void write_number(cab_file *file, double value)
{
    if (isfinite(value))
        cab_file_print(file, ",%.9g", value + 0);
    else
        cab_file_write(file, ",", 1);
}

static void write_rows(const cab_assessment *a, int frame, double time)
{
    for (int c = 0; c < a->cable_count; c++) {
        const cab_cable_facts *f = &a->facts[c];
        cab_file_print(a->csv, "%d,%.9g,", frame, time);
        cab_write_csv_text(a->csv, a->cables[c].name);
        const double values[] = {f->length,
                                 f->tension,
                                 f->bend_radius,
                                 f->sag,
                                 a->to_colliders[c].distance,
                                 a->to_cables[c].distance,
                                 f->speed};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) write_number(a->csv, values[k]);
        if (a->torque) {
            const cab_cable_info *cable = &a->cables[c];
            write_number(a->csv, fabs(a->torque[most_twisted(a, cable->first_node, cable->node_count)]));
        }
        cab_file_write(a->csv, "\n", 1);
    }
}

cab_status cab_assess_take(cab_assessment *a, cab_world *world, cab_error *error)
{
    cab_world_info info = cab_world_get_info(world);
    if (info.frame <= a->last_frame) return CAB_OK;
    cab_status status = a->cables ? CAB_OK : set_up(a, world, error);
    if (!status) status = read(a, world, error);
    if (!status) status = grow_series(a, info.time, error);
    if (!status) status = cab_assess_probes_take(&a->probes, world, error);
    if (status) return status;
    moment m = {info.frame, info.time, a->series + (size_t)(a->frame_count - 1) * CAB_REQUIREMENT_COUNT};
    for (int c = 0; c < a->cable_count; c++) take_cable(a, c, &m);
    status = take_holds(a, world, &m, error);
    if (a->csv && a->frame_count == 1) write_csv_header(a);
    if (a->csv) write_rows(a, info.frame, info.time);
    a->last_frame = info.frame;
    return status;
}

static bool follows_from_places(cab_requirement rule)
{
    return rule == CAB_REQUIREMENT_BEND || rule == CAB_REQUIREMENT_CLEARANCE_COLLIDER ||
           rule == CAB_REQUIREMENT_CLEARANCE_CABLE || rule == CAB_REQUIREMENT_SAG ||
           rule == CAB_REQUIREMENT_OVERLAP;
}

cab_status cab_assess_take_drawn(cab_assessment *a, cab_world *world, cab_error *error)
{
    double series[CAB_REQUIREMENT_COUNT];
    moment m = {0, 0, series};
    cab_status status = a->cables ? CAB_OK : set_up(a, world, error);
    if (!status) status = read(a, world, error);
    if (status) return status;
    for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) series[k] = NAN;
    for (int c = 0; c < a->cable_count; c++) take_cable(a, c, &m);
    for (int i = 0; i < a->finding_count; i++) {
        cab_finding *f = &a->findings[i], was = *f;
        *f = nothing;
        f->rule = was.rule;
        f->cable = was.cable;
        f->attachment = was.attachment;
        if (was.frame >= 0 && follows_from_places(was.rule)) f->drawn = was.value;
    }
    a->drawn = true;
    return CAB_OK;
}

static int rank(const cab_finding *f)
{
    return f->frame < 0 ? 3 : isnan(f->use) ? 2 : cab_requirement_kind_of(f->rule)->error ? 1 : 0;
}

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_weight(const void *x, const void *y)
{
    const cab_finding *a = x, *b = y;
    int order = rank(a) - rank(b);
    if (!order && rank(a) < 2) order = by_number(b->use, a->use);
    if (!order) order = (int)a->rule - (int)b->rule;
    if (!order) order = by_number(a->value, b->value) * (cab_requirement_kind_of(a->rule)->at_least ? 1 : -1);
    if (!order) order = a->cable - b->cable;
    return order ? order : a->attachment - b->attachment;
}

void cab_assess_sort(cab_assessment *a)
{
    if (a->finding_count) qsort(a->findings, (size_t)a->finding_count, sizeof *a->findings, by_weight);
}

void cab_assess_part(const cab_assessment *a, const cab_finding *f, char *text, size_t size)
{
    const char *name = a->cables[f->cable].name;
    const cab_attachment_info *hold = f->attachment < 0 ? NULL : &a->holds[f->attachment];
    const char *own = hold ? a->scene->attachments[hold->attachment].name : NULL;
    if (!hold)
        snprintf(text, size, "%s", name);
    else if (own && *own)
        snprintf(text, size, "%s (%s)", own, name);
    else
        snprintf(text, size, "%s, attachment %d", name, hold->attachment);
}

void cab_assess_other(const cab_assessment *a, const cab_finding *f, char *text, size_t size)
{
    *text = 0;
    if (f->frame < 0 || f->other < 0) return;
    if (f->to_cable) {
        snprintf(text, size, "%s", a->cables[f->other].name);
        return;
    }
    const char *name = a->scene->colliders[f->other].name;
    if (name && *name)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "collider %d", f->other);
}
