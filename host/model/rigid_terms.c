/* Rigid bodies among the junctions of what is joined: which branches end where on them, and what each of these adds to which
 * block of the junctions' equations (kernels/rigid.cl). */
#include "model/branches_parts.h"

#include "base/array.h"
#include "base/vec3.h"
#include "model/components.h"
#include "model/rigid.h"

/* Work of one model. */
typedef struct cab_terms {
    const cab_model *model;
    cab_branches *out;
    int *member_of;          /* [P] in rigid_member; -1 = a part of no body */
    int *slot;               /* [bodies] where each is among those of the branches */
    int *first_on, *next_on; /* [bodies], [attachments] */
} cab_terms;

int cab_branches_rows(const cab_model *m, const int *junction_of_particle, int p, int rows[2])
{
    int body = cab_rigid_of_particle(m, p);
    if (body < 0) {
        rows[0] = junction_of_particle[p];
        return rows[0] >= 0;
    }
    for (int k = 0; k < 2; k++) rows[k] = junction_of_particle[m->rigid[body].point + k];
    return 2;
}

static int first_node(const cab_model *m, const cab_branch *b)
{
    return m->node_particle[b->first];
}

static int last_node(const cab_model *m, const cab_branch *b)
{
    return m->node_particle[b->first + b->count - 1];
}

/* The pairs of a branch's cable. */
static cab_range pairs_of(const cab_model *m, const cab_branch *b)
{
    int cable = cab_model_cable_of_node(m, b->first), low = 0, high = m->rigid_pair_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->rigid_pair[middle][0] < cable)
            low = middle + 1;
        else
            high = middle;
    }
    cab_range range = {low, 0};
    while (low + range.count < m->rigid_pair_count && m->rigid_pair[low + range.count][0] == cable)
        range.count++;
    return range;
}

cab_status cab_branches_all_rows(const cab_model *m, const int *junction_of_particle,
                                 const cab_branch *branch, int **rows, int *count, cab_error *error)
{
    cab_range pairs = pairs_of(m, branch);
    cab_status status = CAB_NEW(*rows, 4 + 2 * pairs.count, error);
    if (status != CAB_OK) return status;
    *count = cab_branches_rows(m, junction_of_particle, first_node(m, branch), *rows);
    *count += cab_branches_rows(m, junction_of_particle, last_node(m, branch), *rows + *count);
    for (int k = pairs.first; k < pairs.first + pairs.count; k++)
        *count +=
            cab_branches_rows(m, junction_of_particle, m->rigid[m->rigid_pair[k][1]].point, *rows + *count);
    return CAB_OK;
}

/* ---- bodies and what moves along with them ---- */

static void add_member(cab_terms *t, int body, int particle)
{
    cab_branches *b = t->out;
    cab_vec3 arm = cab_vec3_sub(t->model->place[particle], t->model->rigid[body].pivot);
    t->member_of[particle] = b->rigid_member_count;
    cab_rigid_member *member = &b->rigid_member[b->rigid_member_count++];
    *member = (cab_rigid_member){.particle = particle, .port = -1};
    cab_vec3_to_floats(arm, member->arm);
}

/* The body's mass points, then what is attached, in the order of the scene. */
static void list_members(cab_terms *t, cab_rigid *r)
{
    const cab_model *m = t->model;
    cab_branches *b = t->out;
    r->member = b->rigid_member_count;
    for (int k = 0; k < CAB_RIGID_POINTS; k++) add_member(t, r->body, m->rigid[r->body].point + k);
    for (int a = t->first_on[r->body]; a >= 0; a = t->next_on[a])
        add_member(t, r->body, m->node_particle[m->attachments[a].node]);
    r->member_count = b->rigid_member_count - r->member;
}

/* Attachments on each body, the first of the scene first. */
static cab_status list_attachments(cab_terms *t, cab_error *error)
{
    const cab_model *m = t->model;
    cab_status status = CAB_NEW(t->first_on, m->rigid_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->next_on, m->attachment_count, error);
    for (int i = 0; status == CAB_OK && i < m->rigid_count; i++) t->first_on[i] = -1;
    for (int a = m->attachment_count - 1; status == CAB_OK && a >= 0; a--) {
        int body = m->attachments[a].rigid;
        if (body < 0 || m->attachments[a].broken) continue;
        t->next_on[a] = t->first_on[body];
        t->first_on[body] = a;
    }
    return status;
}

/* Bodies component by component. */
static cab_status list_bodies(cab_terms *t, cab_error *error)
{
    const cab_model *m = t->model;
    cab_branches *b = t->out;
    int next = 0;
    cab_status status = CAB_NEW(b->rigid, m->rigid_count, error);
    if (status == CAB_OK) status = CAB_NEW(b->rigid_member, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->slot, m->rigid_count, error);
    for (int n = 0; status == CAB_OK && n < b->joined_count; n++) {
        cab_joined *joined = &b->joined[n];
        joined->rigid = next;
        for (int k = b->component_start[joined->component]; k < b->component_start[joined->component + 1];
             k++) {
            int p = b->component_particle[k], body = cab_rigid_of_particle(m, p);
            if (body < 0 || p != m->rigid[body].point) continue;
            t->slot[body] = next;
            cab_rigid *r = &b->rigid[next++];
            *r = (cab_rigid){.body = body, .component = joined->component};
            r->motion = (int)cab_rigid_def(m, &m->rigid[body])->motion;
            r->shape = m->rigid[body].collider - m->led_collider_end;
            r->shape_count = m->rigid[body].shape_count;
            list_members(t, r);
        }
        joined->rigid_count = next - joined->rigid;
    }
    return status;
}

/* Cables end at what is attached: their displacements lie behind those of the junctions. */
static void number_ports(cab_terms *t)
{
    const cab_model *m = t->model;
    cab_branches *b = t->out;
    for (int i = 0; i < b->branch_count; i++) {
        cab_branch *branch = &b->branch[i];
        const int particle[2] = {first_node(m, branch), last_node(m, branch)};
        int *const end[2] = {&branch->start, &branch->end};
        for (int k = 0; k < 2; k++) {
            int member = t->member_of[particle[k]];
            if (member < 0) continue;
            int *port = &b->rigid_member[member].port;
            if (*port < 0) *port = b->junction_count + b->port_count++;
            *end[k] = *port;
        }
    }
}

static void number_junctions(cab_terms *t)
{
    cab_branches *b = t->out;
    for (int k = 0; k < b->junction_count; k++) {
        if (!b->junction[k].rigid) continue;
        int p = b->junction[k].particle, body = cab_rigid_of_particle(t->model, p);
        cab_rigid *r = &b->rigid[t->slot[body]];
        *(p == t->model->rigid[body].point ? &r->translation : &r->rotation) = k;
    }
}

/* ---- branches and the bodies that they may touch ---- */

static cab_status list_touches(cab_terms *t, cab_error *error)
{
    const cab_model *m = t->model;
    cab_branches *b = t->out;
    int total = 0;
    for (int i = 0; i < b->branch_count; i++) total += pairs_of(m, &b->branch[i]).count;
    cab_status status = CAB_NEW(b->rigid_touch, b->branch_count, error);
    if (status == CAB_OK) status = CAB_NEW(b->rigid_touched, total, error);
    for (int i = 0; status == CAB_OK && i < b->branch_count; i++) {
        cab_range pairs = pairs_of(m, &b->branch[i]);
        if (pairs.count == 0) continue;
        cab_rigid_touch *touch = &b->rigid_touch[b->rigid_touch_count++];
        *touch = (cab_rigid_touch){.branch = i,
                                   .first = b->rigid_touched_count,
                                   .count = pairs.count,
                                   .data = b->rigid_column_count};
        for (int k = pairs.first; k < pairs.first + pairs.count; k++) {
            int slot = t->slot[m->rigid_pair[k][1]];
            b->rigid_touched[b->rigid_touched_count][0] = slot;
            b->rigid_touched[b->rigid_touched_count++][1] = touch->columns;
            touch->columns += cab_rigid_columns(b->rigid[slot].motion);
        }
        b->rigid_column_count += cab_rigid_touch_floats(touch->columns);
    }
    return status;
}

/* ---- terms ---- */

/* A side of a branch as one junction sees it: an end that is a particle, an end on a body that is displaced or turns, a body that the
 * branch touches that does so. */
typedef struct cab_side {
    int side;   /* see cab_rigid_term */
    int row;    /* the junction */
    int member; /* of an end on a body; else -1 */
    int slot;   /* its body; else -1 */
    bool turns;
} cab_side;

/* The block of a row and a column that is eliminated before it; -1 - junction on the diagonal. */
static int target_of(const cab_branches *b, int row, int column)
{
    int at = b->junction[column].block;
    if (row == column) return -1 - row;
    while (b->block[at].row != row) at++;
    return at;
}

static cab_status add_term(cab_terms *t, int branch, const cab_side *r, const cab_side *c, cab_error *error)
{
    cab_branches *b = t->out;
    cab_status status = CAB_ONE_MORE(b->rigid_term, b->rigid_term_count, error);
    if (status != CAB_OK) return status;
    b->rigid_term[b->rigid_term_count++] = (cab_rigid_term){.branch = branch,
                                                            .sides = CAB_RIGID_SIDES * r->side + c->side,
                                                            .row = r->member,
                                                            .column = c->member,
                                                            .turns = (r->turns ? CAB_RIGID_ROW_TURNS : 0) |
                                                                     (c->turns ? CAB_RIGID_COLUMN_TURNS : 0),
                                                            .row_body = r->slot,
                                                            .column_body = c->slot,
                                                            .target = target_of(b, r->row, c->row)};
    return CAB_OK;
}

/* An end of a branch: as one side, two, or none. Returns how many. */
static int end_sides(const cab_terms *t, const cab_branch *b, int end, cab_side *out)
{
    int p = end ? last_node(t->model, b) : first_node(t->model, b), member = t->member_of[p];
    if (member < 0) {
        *out = (cab_side){end, end ? b->end : b->start, -1, -1, false};
        return out->row >= 0;
    }
    int slot = t->slot[cab_rigid_of_particle(t->model, p)];
    const cab_rigid *r = &t->out->rigid[slot];
    out[0] = (cab_side){end, r->translation, member, slot, false};
    out[1] = (cab_side){end, r->rotation, member, slot, true};
    return 2;
}

static int touched_sides(const cab_terms *t, const cab_rigid_touch *touch, cab_side *out)
{
    int count = 0;
    for (int k = 0; k < touch->count; k++) {
        const cab_rigid *r = &t->out->rigid[t->out->rigid_touched[touch->first + k][0]];
        if (r->motion == CAB_RIGID_FREE || r->motion == CAB_RIGID_SLIDER)
            out[count++] = (cab_side){2 + 2 * k, r->translation, -1, -1, false};
        if (r->motion != CAB_RIGID_SLIDER) out[count++] = (cab_side){3 + 2 * k, r->rotation, -1, -1, true};
    }
    return count;
}

/* All blocks that two sides of a branch, or one of them with itself, are in: of the lower triangle only. On the diagonal both of two
 * sides count, each with the other. branch: or the touch. What two particles add is added by direct_assemble, and two ends stand
 * in no touch. */
static cab_status add_pairs(cab_terms *t, int branch, const cab_side *side, int count, bool touched,
                            cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < count * count; i++) {
        const cab_side *r = &side[i / count], *c = &side[i % count];
        bool ends = r->side < 2 && c->side < 2, particles = r->slot < 0 && c->slot < 0;
        if (ends && (touched || particles)) continue;
        if (r->row >= c->row) status = add_term(t, branch, r, c, error);
    }
    return status;
}

static cab_status add_branch(cab_terms *t, int branch, cab_error *error)
{
    cab_side side[4];
    const cab_branch *b = &t->out->branch[branch];
    int count = end_sides(t, b, 0, side);
    count += end_sides(t, b, 1, side + count);
    return add_pairs(t, branch, side, count, false, error);
}

static cab_status add_touch(cab_terms *t, int index, cab_error *error)
{
    const cab_rigid_touch *touch = &t->out->rigid_touch[index];
    const cab_branch *b = &t->out->branch[touch->branch];
    cab_side *side;
    cab_status status = CAB_NEW(side, 4 + 2 * touch->count, error);
    if (status != CAB_OK) return status;
    int count = end_sides(t, b, 0, side);
    count += end_sides(t, b, 1, side + count);
    count += touched_sides(t, touch, side + count);
    status = add_pairs(t, index, side, count, true, error);
    free(side);
    return status;
}

/* All terms of a component are in the list of its first body. Touches lie in the order of their branches, and those of a component in that
 * of its list. */
static cab_status list_terms(cab_terms *t, cab_error *error)
{
    cab_branches *b = t->out;
    int *touch_of;
    cab_status status = CAB_NEW(touch_of, b->branch_count, error);
    for (int i = 0; status == CAB_OK && i < b->rigid_touch_count; i++)
        touch_of[b->rigid_touch[i].branch] = i + 1;
    for (int n = 0; status == CAB_OK && n < b->joined_count; n++) {
        const cab_joined *joined = &b->joined[n];
        const int *range = &b->component_branch_start[joined->component];
        int first = b->rigid_term_count;
        if (joined->rigid_count == 0) continue;
        for (int k = range[0]; status == CAB_OK && k < range[1]; k++) {
            int branch = b->component_branch[k];
            status = add_branch(t, branch, error);
            if (status == CAB_OK && touch_of[branch] > 0) status = add_touch(t, touch_of[branch] - 1, error);
        }
        b->rigid[joined->rigid].term = first;
        b->rigid[joined->rigid].term_count = b->rigid_term_count - first;
    }
    free(touch_of);
    return status;
}

cab_status cab_branches_add_rigid(const cab_model *model, cab_branches *branches, cab_error *error)
{
    cab_terms t = {.model = model, .out = branches};
    if (model->rigid_count == 0) return CAB_OK;
    cab_status status = CAB_NEW(t.member_of, model->particle_count, error);
    for (int p = 0; status == CAB_OK && p < model->particle_count; p++) t.member_of[p] = -1;
    if (status == CAB_OK) status = list_attachments(&t, error);
    if (status == CAB_OK) status = list_bodies(&t, error);
    if (status == CAB_OK) {
        number_junctions(&t);
        number_ports(&t);
        status = list_touches(&t, error);
        if (status == CAB_OK) status = list_terms(&t, error);
    }
    CAB_FREE(t.member_of, t.slot, t.first_on, t.next_on);
    return status;
}

/* ---- numbers ---- */

/* K over the inertia that the bearing moves: a load that is new moves one that holds by so much less than freely, once. */
#define DRIVE_STIFFNESS 100.0

/* Where cables are clamped, bending has unknowns of the body. */
static void weigh_clamped(cab_branches *b, int slot)
{
    const cab_rigid *r = &b->rigid[slot];
    cab_rigid_bent *bent = &b->rigid_bent[slot];
    if (bent->clamp_count == 0) return;
    bent->mass = bent->mass_first = 0;
    for (int k = 0; k < r->member_count; k++) {
        cab_rigid_member *member = &b->rigid_member[r->member + k];
        bool point = k < CAB_RIGID_POINTS;
        member->bending = point ? 0 : 1;
        bent->mass += point ? member->mass : 0;
        bent->mass_first += point ? member->mass_first : 0;
    }
}

static void weigh_member(const cab_model *m, cab_rigid_member *member)
{
    int p = member->particle;
    member->mass = (float)cab_branches_mass(m, p, 0);
    member->mass_first = (float)cab_branches_mass(m, p, 1);
    member->bending = m->rigid_of[p] >= 0 ? (float)cab_rigid_heavier(m, p) : 1;
}

/* What resists the motion that a bearing leaves: mass along the axis, or inertia about it. */
static double resisting(const cab_model *m, const cab_branches *b, int body)
{
    const cab_rigid *r = &b->rigid[body];
    const cab_rigid_body *own = &m->rigid[r->body];
    double sum = 0;
    for (int k = r->member; k < r->member + r->member_count; k++) {
        const cab_rigid_member *member = &b->rigid_member[k];
        cab_vec3 arm = {(double)member->arm[0], (double)member->arm[1], (double)member->arm[2]};
        cab_vec3 across = cab_vec3_reject(arm, own->axis);
        double by = r->motion == CAB_RIGID_HINGE ? cab_vec3_dot(across, across) : 1;
        sum += (double)member->mass_first * by;
    }
    return sum;
}

void cab_branches_weigh_rigid(const cab_model *m, cab_branches *b)
{
    for (int k = 0; k < b->rigid_member_count; k++) weigh_member(m, &b->rigid_member[k]);
    for (int i = 0; i < m->rigid_count; i++) {
        cab_rigid *r = &b->rigid[i];
        const cab_rigid_body *own = &m->rigid[r->body];
        const cab_body_def *def = cab_rigid_def(m, own);
        double h = cab_model_substep_of(m, own->point);
        cab_vec3_to_floats(own->axis, r->axis);
        weigh_clamped(b, i);
        if (r->motion != CAB_RIGID_HINGE && r->motion != CAB_RIGID_SLIDER) continue;
        r->speed = (float)(def->motor_speed * h);
        r->most = (float)(def->motor_most * h * h);
        r->friction = (float)(def->bearing_friction * h * h);
        r->stiffness = (float)(DRIVE_STIFFNESS * resisting(m, b, i));
    }
}
