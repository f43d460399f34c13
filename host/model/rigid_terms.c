/* Rigid bodies among the junctions of what is joined: which branches end where on them, and what each of these adds to which
 * block of the junctions' equations (kernels/rigid.cl). */
#include "model/branches_parts.h"

#include "base/vec3.h"
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

/* ---- terms ---- */

/* One end of a branch: the body it ends on, or the junction. */
typedef struct cab_branch_end {
    int end, member, body; /* -1: none */
    int row[2], row_count;
} cab_branch_end;

static cab_branch_end end_of(const cab_terms *t, int branch, int end)
{
    const cab_branch *b = &t->out->branch[branch];
    int p = end ? last_node(t->model, b) : first_node(t->model, b);
    cab_branch_end e = {.end = end, .member = t->member_of[p], .body = -1};
    if (e.member >= 0) {
        e.body = t->slot[cab_rigid_of_particle(t->model, p)];
        e.row[0] = t->out->rigid[e.body].translation;
        e.row[1] = t->out->rigid[e.body].rotation;
        e.row_count = 2;
    } else {
        e.row[0] = end ? b->end : b->start;
        e.row_count = e.row[0] >= 0;
    }
    return e;
}

/* The block of a row and a column that is eliminated before it; -1 - junction on the diagonal. */
static int target_of(const cab_branches *b, int row, int column)
{
    int at = b->junction[column].block;
    if (row == column) return -1 - row;
    while (b->block[at].row != row) at++;
    return at;
}

static cab_status add_term(cab_terms *t, int branch, const cab_branch_end *r, int row,
                           const cab_branch_end *c, int column, cab_error *error)
{
    cab_branches *b = t->out;
    cab_status status =
        cab_array_one_more(&b->rigid_term, sizeof *b->rigid_term, b->rigid_term_count, "bodies", error);
    if (status != CAB_OK) return status;
    b->rigid_term[b->rigid_term_count++] = (cab_rigid_term){
        .branch = 4 * branch + 2 * r->end + c->end,
        .row = r->member,
        .column = c->member,
        .turns = (row == 1 ? CAB_RIGID_ROW_TURNS : 0) | (column == 1 ? CAB_RIGID_COLUMN_TURNS : 0),
        .row_body = r->body,
        .column_body = c->body,
        .target = target_of(b, r->row[row], c->row[column])};
    return CAB_OK;
}

/* All blocks that two ends of a branch, or one of them with itself, are in. */
static cab_status add_pair(cab_terms *t, int branch, const cab_branch_end *x, const cab_branch_end *y,
                           cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < x->row_count * y->row_count; i++) {
        int row = i / y->row_count, column = i % y->row_count;
        /* the lower triangle only; on the diagonal both ends count, each with the other */
        if (x->row[row] >= y->row[column]) status = add_term(t, branch, x, row, y, column, error);
    }
    return status;
}

static cab_status add_branch(cab_terms *t, int branch, cab_error *error)
{
    cab_branch_end end[2] = {end_of(t, branch, 0), end_of(t, branch, 1)};
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < 4; i++) {
        const cab_branch_end *x = &end[i / 2], *y = &end[i % 2];
        if (x->member < 0 && y->member < 0) continue; /* by direct_assemble */
        if (i == 0 || i == 3 ? x->member >= 0 : true) status = add_pair(t, branch, x, y, error);
    }
    return status;
}

/* All terms of a component are in the list of its first body. */
static cab_status list_terms(cab_terms *t, cab_error *error)
{
    cab_branches *b = t->out;
    cab_status status = CAB_OK;
    for (int n = 0; status == CAB_OK && n < b->joined_count; n++) {
        const cab_joined *joined = &b->joined[n];
        const int *range = &b->component_branch_start[joined->component];
        int first = b->rigid_term_count;
        if (joined->rigid_count == 0) continue;
        for (int k = range[0]; status == CAB_OK && k < range[1]; k++)
            status = add_branch(t, b->component_branch[k], error);
        b->rigid[joined->rigid].term = first;
        b->rigid[joined->rigid].term_count = b->rigid_term_count - first;
    }
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
        status = list_terms(&t, error);
    }
    CAB_FREE(t.member_of, t.slot, t.first_on, t.next_on);
    return status;
}

/* ---- numbers ---- */

/* K over the inertia that the bearing moves: a load that is new moves one that holds by so much less than freely, once. */
#define DRIVE_STIFFNESS 100.0

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
        if (r->motion != CAB_RIGID_HINGE && r->motion != CAB_RIGID_SLIDER) continue;
        r->speed = (float)(def->motor_speed * h);
        r->most = (float)(def->motor_most * h * h);
        r->friction = (float)(def->friction * h * h);
        r->stiffness = (float)(DRIVE_STIFFNESS * resisting(m, b, i));
    }
}
