/* Numbers that follow from materials and settings alone: masses, compliances, damping, friction; and whether
 * XPBD can converge with them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/constraint_kind.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "model/sections.h"

#define AIR_DENSITY 1.2 /* kg/m^3 */

static const cab_material_def *material_of(const cab_model *model, int section)
{
    return &model->section[section].def;
}

double cab_model_substep(const cab_model *model)
{
    const cab_model_settings *s = &model->settings;
    return 1 / (s->frame_rate * s->substeps * model->pieces);
}

double cab_model_substep_of(const cab_model *model, int particle)
{
    const cab_model_settings *s = &model->settings;
    int pieces = model->particle_pieces ? model->particle_pieces[particle] : model->pieces;
    return 1 / (s->frame_rate * s->substeps * pieces);
}

/* Half of each neighbouring segment, or a share of each face. */
static void set_node_masses(cab_model *model)
{
    memset(model->node_mass, 0, (size_t)model->node_count * sizeof *model->node_mass);
    for (int i = 0; i < model->segment_count; i++) {
        const cab_edge *e = &model->edge[i];
        if (model->bodies[e->body].sheet.area_density > 0) continue;
        double half = material_of(model, e->section)->linear_density * e->rest / 2;
        model->node_mass[e->a] += half;
        model->node_mass[e->b] += half;
    }
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_body *body = &model->bodies[b];
        for (int i = body->sheet.first_cell; i < body->sheet.first_cell + body->sheet.cell_count; i++) {
            const cab_cell *cell = &model->cell[i];
            int corners = cell->node[3] < 0 ? 3 : 4;
            if (!(cell->area > 0)) continue;
            for (int k = 0; k < corners; k++)
                model->node_mass[cell->node[k]] += body->sheet.area_density * cell->area / corners;
        }
    }
}

float cab_model_decay(const cab_model *model, int particle, double damping)
{
    return (float)(exp(-damping * cab_model_substep_of(model, particle)) *
                   (1 - model->settings.relaxation.dampening));
}

/* Where two sections meet the mean of both by mass. */
static double node_damping(const cab_model *model, int body, int node)
{
    const cab_body *cable = &model->bodies[body];
    int i = node - cable->first_node, last = cable->segment_count - 1;
    if (body >= model->cable_count) return material_of(model, cable->material)->damping;
    const cab_edge *before = &model->edge[cable->first_segment + (i > 0 ? i - 1 : 0)];
    const cab_edge *after = &model->edge[cable->first_segment + (i < last ? i : last)];
    const cab_material_def *a = material_of(model, before->section), *b = material_of(model, after->section);
    double m = a->linear_density * before->rest, n = b->linear_density * after->rest;
    return a->damping == b->damping ? a->damping : (m * a->damping + n * b->damping) / (m + n);
}

/* A particle has the mass of its nodes, and what hangs there. Damping is the mean by mass. */
static void set_masses(cab_model *model)
{
    memset(model->mass, 0, (size_t)model->particle_count * sizeof *model->mass);
    set_node_masses(model);
    for (int i = 0; i < model->placed_load_count; i++) {
        const cab_placed_load *load = &model->placed_loads[i];
        model->node_mass[load->node] += model->scene->loads[load->scene_load].mass;
    }
    for (int i = 0; i < model->attachment_count; i++)
        model->node_mass[model->attachments[i].node] += cab_model_attachment_def(model, i)->mass;
    for (int i = 0; i < model->particle_count; i++) model->damping[i] = 0;
    for (int c = 0; c < model->body_count; c++) {
        const cab_body *cable = &model->bodies[c];
        for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
            int p = model->node_particle[node];
            model->mass[p] += model->node_mass[node];
            model->damping[p] += model->node_mass[node] * node_damping(model, c, node);
        }
    }
    cab_rigid_set_masses(model);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < model->particle_count; i++) {
        model->damping[i] = model->mass[i] > 0 ? model->damping[i] / model->mass[i] : 0;
        if (model->mass[i] > 0 && model->held[i] < 0) sum += model->mass[i], count++;
        model->decay[i] = cab_model_decay(model, i, model->damping[i]);
    }
    model->equal_weight = count > 0 ? count / sum : 0;
}

/* The fused way has its own copy of the compliances, by node. */
static void set_chain_nodes(cab_model *model)
{
    for (int i = 0; i < model->segment_count; i++)
        model->chain_node[model->distance_origin[i].node].compliance = model->distance[i].compliance;
    for (int i = 0; i < model->bending_count; i++)
        model->chain_node[model->bending_origin[i].node].bending_compliance = model->bending[i].compliance;
}

static void set_segments(cab_model *model)
{
    model->has_drag = false;
    for (int i = 0; i < model->segment_count; i++) {
        cab_segment *s = &model->segment[i];
        const cab_material_def *material = material_of(model, model->edge[i].section);
        s->friction = (float)material->friction;
        double area = 0.5 * AIR_DENSITY * material->radius * s->rest;
        model->drag[i] =
            (cab_segment_drag){(float)(material->air_drag * area), (float)(material->air_drag_along * area)};
        if (material->air_drag > 0 || material->air_drag_along > 0) model->has_drag = true;
    }
}

void cab_model_set_parameters(cab_model *model)
{
    cab_sections_update(model);
    set_masses(model);
    for (int k = 0; k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->set_parameters) cab_constraint_kinds[k]->set_parameters(model);
    set_segments(model);
    if (model->chain_node) set_chain_nodes(model);
}

/* Two rules from trials with coloured XPBD (docs/design.md): bending comes out too soft by about 2.3 EI
 * h^2/(m l^3), a segment under tension T too long by about 2 T h^2/(m l); more iterations allow more, about
 * as n^2.77. */
#define ALLOWED_ERROR 0.01
#define ITERATION_POWER 2.77

typedef struct cab_convergence {
    double bending, stretching; /* relative errors to expect */
    double stretching_tension;  /* N */
} cab_convergence;

/* Of the sections of a cable the least density, the largest stiffness over density. */
typedef struct cab_hardest {
    double density, bending, stretching;
} cab_hardest;

static cab_hardest hardest_of(const cab_model *model, const cab_body *cable)
{
    cab_hardest hardest = {.density = INFINITY};
    for (int i = cable->first_segment; i < cable->first_segment + cable->segment_count; i++) {
        const cab_material_def *m = material_of(model, model->edge[i].section);
        hardest.density = fmin(hardest.density, m->linear_density);
        hardest.bending =
            fmax(hardest.bending, fmax(m->bending_stiffness, cab_material_second(m)) / m->linear_density);
        hardest.stretching = fmax(hardest.stretching, m->stretching_stiffness / m->linear_density);
    }
    return hardest;
}

#define SOFT_RUN                                                                                             \
    4 /* segments; fewer short ones among longer ones add little to how a cable bends or stretches */

/* The mean length of `run` segments in a row of a cable that is not divided equally, where that is least; else of all its segments, m. */
static double shortest_mean(const cab_model *model, const cab_body *cable, int run)
{
    const cab_division_def *division = &model->scene->cables[cable->scene_index].division;
    const double *arc = model->node_arc + cable->first_node;
    int count = cable->node_count - 1;
    double least = arc[count] / count;
    if (!division->lengths && !division->places) return least;
    for (int i = 0; i + run <= count; i++) least = fmin(least, (arc[i + run] - arc[i]) / run);
    return least;
}

static cab_convergence expect_errors(const cab_model *model, int c)
{
    const cab_body *cable = &model->bodies[c];
    const cab_hardest hardest = hardest_of(model, cable);
    const cab_vec3 g = model->settings.gravity;
    double h = cab_model_substep(model), gravity = sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    int last = cable->first_node + cable->node_count - 1;
    double l = shortest_mean(model, cable, SOFT_RUN), m = hardest.density * l;
    double mass = 0;
    bool hangs = false;
    for (int node = cable->first_node; node <= last; node++) {
        mass += model->node_mass[node];
        int p = model->node_particle[node];
        if (model->held[p] >= 0 || model->soft[p] >= 0) hangs = true;
    }
    double gain = pow(model->settings.iterations, ITERATION_POWER);
    cab_convergence e = {0};
    e.bending = 2.3 * hardest.bending * h * h / (l * l * l * l) / gain;
    e.stretching_tension = hangs ? mass * gravity : 0;
    e.stretching = 2 * e.stretching_tension * h * h / (m * l) / gain;
    return e;
}

static void warn_one(const cab_model *model, int cable, const char *what, double error, cab_warn *warn,
                     void *user)
{
    char name[256], text[512];
    const cab_model_settings *s = &model->settings;
    cab_model_body_name(model, cable, name, sizeof name);
    double needed = ceil(s->substeps * sqrt(error / ALLOWED_ERROR));
    snprintf(text, sizeof text,
             "cable \"%s\" will %s by about %.2g %% with %d substeps of %d iteration%s; %.0f substeps would "
             "keep it "
             "under 1 %%",
             name, what, 100 * error, s->substeps, s->iterations, s->iterations == 1 ? "" : "s", needed);
    warn(user, text);
}

/* Symplectic Euler with explicit damping is stable while omega^2 h^2 + 2 c h <= 4, omega^2 and c the largest
 * eigenvalues of stiffness and damping over mass (Jury's criterion). By Gershgorin's circles these are at
 * most 4 (k + k_double) / m + 16 EI / (m l^3) and 4 c_spring / m for each kind of springs. Returns that h. */
static double largest_spring_step(const cab_model *model, int c)
{
    const cab_model_settings *s = &model->settings;
    const cab_body *cable = &model->bodies[c];
    const cab_hardest hardest = hardest_of(model, cable);
    double l = shortest_mean(model, cable, 1);
    double mass = hardest.density * l, ea = hardest.stretching;
    double k = isfinite(ea) ? ea / l * hardest.density : s->springs.stiffness;
    if (s->doubles.on) k += 1 / s->doubles.compliance;
    double square = 4 * k / mass + 16 * hardest.bending / (l * l * l * l);
    double damping = 4 * s->springs.damping * (s->doubles.on ? 2 : 1) / mass;
    return 4 / (damping + sqrt(damping * damping + 4 * square)); /* the root, without cancellation */
}

static void warn_springs(const cab_model *model, cab_warn *warn, void *user)
{
    const cab_model_settings *s = &model->settings;
    double h = cab_model_substep(model), least = INFINITY;
    int cable = 0;
    for (int c = 0; c < model->cable_count; c++) {
        double step = largest_spring_step(model, c);
        if (step < least) least = step, cable = c;
    }
    if (h <= least) return;
    char name[256], text[512];
    cab_model_body_name(model, cable, name, sizeof name);
    snprintf(text, sizeof text,
             "cable \"%s\": springs as stiff as these may diverge with %d substeps; %.0f are enough", name,
             s->substeps, ceil(s->substeps * h / least));
    warn(user, text);
}

/* The same for sheets, where any number of links meet: omega^2 is at most 2 sum k / m. */
static void warn_sheet_springs(const cab_model *model, cab_warn *warn, void *user)
{
    const cab_model_settings *s = &model->settings;
    double h = cab_model_substep(model);
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_body *sheet = &model->bodies[b];
        double *stiffness, worst = 0;
        if (CAB_NEW(stiffness, sheet->node_count, NULL) != CAB_OK) return; /* it is only a warning */
        for (int i = 0; i < model->distance_count; i++) {
            const cab_origin *o = &model->distance_origin[i];
            if (o->body != b) continue;
            double k = 1 / cab_model_distance_compliance(model, i);
            stiffness[o->node - sheet->first_node] += k;
            stiffness[o->far_node - sheet->first_node] += k;
        }
        for (int i = 0; i < sheet->node_count; i++) {
            int p = model->node_particle[sheet->first_node + i];
            if (model->held[p] < 0) worst = fmax(worst, 2 * stiffness[i] / model->mass[p]);
        }
        free(stiffness);
        if (h * h * worst <= 4) continue;
        char text[512];
        snprintf(text, sizeof text,
                 "sheet \"%s\": springs as stiff as these may diverge with %d substeps; %.0f are enough",
                 model->scene->sheets[sheet->scene_index].name, s->substeps,
                 ceil(s->substeps * h * sqrt(worst) / 2));
        warn(user, text);
    }
}

void cab_model_warn_convergence(const cab_model *model, cab_warn *warn, void *user)
{
    int worst_bending = 0, worst_stretching = 0;
    cab_convergence bending = {0}, stretching = {0};
    if (warn && model->settings.method == CAB_METHOD_SPRINGS) {
        warn_springs(model, warn, user);
        warn_sheet_springs(model, warn, user);
    }
    if (!warn || model->settings.method != CAB_METHOD_XPBD) return;
    for (int c = 0; c < model->cable_count; c++) {
        cab_convergence e = expect_errors(model, c);
        if (e.bending > bending.bending) {
            bending = e;
            worst_bending = c;
        }
        if (e.stretching > stretching.stretching) {
            stretching = e;
            worst_stretching = c;
        }
    }
    if (bending.bending > ALLOWED_ERROR)
        warn_one(model, worst_bending, "bend too softly", bending.bending, warn, user);
    if (stretching.stretching > ALLOWED_ERROR)
        warn_one(model, worst_stretching, "stretch", stretching.stretching, warn, user);
}
