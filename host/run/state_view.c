/* Reads and checks the host's part of a state. */
#include "run/state_view.h"

#include <math.h>

#include "base/error.h"
#include "carrier/near_pieces.h"
#include "model/rigid.h"
#include "model/scene.h"

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static cab_status check_numbers(const cab_state_view *view, cab_state_reader *reader)
{
    const cab_state_numbers *n = view->numbers;
    int broken = (int)view->broken_count;
    bool right = n->frame >= 0 && n->ticks >= 0 && n->way > CAB_WAY_AUTO && n->way < CAB_WAY_COUNT &&
                 n->materials_changed >= -1 && n->materials_changed <= broken && all_finite(n->gravity, 3) &&
                 all_finite(n->wind, 3) && n->skin >= 0 && n->speed >= 0 && isfinite(n->skin) &&
                 n->near_skin >= 0 && isfinite(n->near_skin);
    if (!right) return cab_state_refuse(reader, "a number is out of range");
    return CAB_OK;
}

/* Attachments that had broken in this world must begin the state's list; the others must be breakable. */
static cab_status check_broken(const cab_world *world, const cab_state_view *view, cab_state_reader *reader)
{
    const cab_model *m = world->model;
    if ((size_t)world->broken.count > view->broken_count)
        return cab_state_refuse(reader, "attachments have broken in this world that are whole in the state");
    for (int i = 0; i < world->broken.count; i++) {
        if (view->broken[i].attachment != world->broken.list[i].attachment)
            return cab_state_refuse(reader, "other attachments have broken in this world than in the state");
    }
    for (size_t i = (size_t)world->broken.count; i < view->broken_count; i++) {
        int a = view->broken[i].attachment;
        bool can =
            a >= 0 && a < m->attachment_count && !m->attachments[a].broken && cab_model_can_break(m, a);
        for (size_t k = 0; can && k < i; k++) can = view->broken[k].attachment != a;
        if (!can) return cab_state_refuse(reader, "an attachment is broken that cannot break");
    }
    return CAB_OK;
}

static cab_status check_moving(const cab_world *world, const cab_state_view *view, cab_state_reader *reader)
{
    const cab_model *m = world->model;
    for (size_t i = 0; i < view->moving_count; i++) {
        const cab_state_moving *moving = &view->moving[i];
        int a = moving->attachment;
        bool can = a >= 0 && a < m->attachment_count && !m->attachments[a].joint &&
                   all_finite(moving->from, 3) && all_finite(moving->to, 3) &&
                   all_finite(moving->velocity, 3);
        for (size_t k = 0; can && k < i; k++) can = view->moving[k].attachment != a;
        for (size_t k = 0; can && k < view->broken_count; k++) can = view->broken[k].attachment != a;
        if (!can) return cab_state_refuse(reader, "an attachment moves that cannot move");
    }
    return CAB_OK;
}

static cab_status check_mated(const cab_world *world, const cab_state_view *view, cab_state_reader *reader)
{
    const cab_model *m = world->model;
    for (size_t i = 0; i < view->mated_count; i++) {
        const cab_state_mated *mated = &view->mated[i];
        int a = mated->attachment;
        bool can = a >= 0 && a < m->attachment_count && all_finite(mated->from, 3) && mated->frame > 0 &&
                   cab_model_attachment_def(m, a)->part == CAB_PART_CONNECTOR &&
                   (i == 0 || mated[-1].attachment < a);
        if (!can) return cab_state_refuse(reader, "an attachment has mated that cannot mate");
    }
    for (int i = 0; i < m->attachment_count; i++) {
        bool known = !cab_state_has_mated(&m->attachments[i]);
        for (size_t k = 0; !known && k < view->mated_count; k++) known = view->mated[k].attachment == i;
        if (!known)
            return cab_state_refuse(reader, "a connector is mated in this world but not in the state");
    }
    return CAB_OK;
}

/* A pose must have a unit quaternion, or nearly. */
static bool is_pose(const cab_state_collider *c)
{
    bool right = all_finite(c->from, 7) && all_finite(c->to, 7);
    for (int side = 0; side < 2 && right; side++) {
        const double *q = (side ? c->to : c->from) + 3;
        double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        right = fabs(square - 1) < 1e-6;
    }
    return right;
}

static cab_status check_colliders(const cab_world *world, const cab_state_view *view,
                                  cab_state_reader *reader)
{
    for (int i = 0; i < world->model->collider_count; i++)
        if (!is_pose(&view->collider[i])) return cab_state_refuse(reader, "a collider's pose is none");
    for (int i = 0; i < world->model->led_count; i++) {
        const cab_state_led *led = &view->led[i];
        if (!is_pose(&led->pose) || !all_finite(led->velocity, 3) || !all_finite(led->spin, 3))
            return cab_state_refuse(reader, "a body's pose is none");
    }
    return CAB_OK;
}

static cab_status check_loads(const cab_world *world, const cab_state_view *view, cab_state_reader *reader)
{
    for (int i = 0; i < world->model->scene->load_count; i++) {
        if (!all_finite(view->load[i].force, 3)) return cab_state_refuse(reader, "a force is not finite");
    }
    return CAB_OK;
}

/* Pairs of a cable and a body; those that the model has are sorted, each once. */
static cab_status check_touching(const cab_world *world, const cab_state_view *view, cab_state_reader *reader)
{
    const cab_model *m = world->model;
    for (size_t i = 0; i < view->nearing_count; i++) {
        const int32_t *now = view->nearing[i];
        if (now[0] < 0 || now[0] >= m->cable_count || now[1] < 0 || now[1] >= m->rigid_count)
            return cab_state_refuse(reader, "a cable comes near a body that there is not");
    }
    for (size_t i = 0; i < view->touching_count; i++) {
        const int32_t *now = view->touching[i], *last = i > 0 ? view->touching[i - 1] : NULL;
        bool right = now[0] >= 0 && now[0] < m->cable_count && now[1] >= 0 && now[1] < m->rigid_count &&
                     (!last || now[0] > last[0] || (now[0] == last[0] && now[1] > last[1]));
        if (!right) return cab_state_refuse(reader, "a cable touches a body that there is not");
    }
    return CAB_OK;
}

static cab_status check_pieces(const cab_state_view *view, cab_state_reader *reader)
{
    for (size_t c = 0; c < view->pieces_count; c++) {
        int n = view->pieces[c];
        if (n < 1 || n > CAB_PIECES_MOST || (n & (n - 1)))
            return cab_state_refuse(reader, "a number of pieces is none");
    }
    return CAB_OK;
}

/* An island is named by its first component, which is in it. */
static cab_status check_sleep(const cab_state_view *view, cab_state_reader *reader)
{
    int n = (int)view->sleep_count;
    for (int c = 0; view->sleep && c < n; c++) {
        const cab_state_sleep *s = &view->sleep[c];
        bool right = s->island >= -1 && s->island <= c && s->quiet >= 0 && (s->due == 0 || s->due == 1) &&
                     (s->island < 0 || view->sleep[s->island].island == s->island);
        if (!right) return cab_state_refuse(reader, "it is not told who sleeps");
    }
    return CAB_OK;
}

/* Distances must be numbers; only sums of ways cannot be negative. */
static cab_status check_clear(const cab_state_view *view, cab_state_reader *reader)
{
    const cab_state_clear *c = view->clear;
    if (view->clear_count == 0) return CAB_OK;
    if (view->clear_count > 1 || !all_finite(&c->gap, 6) || !(c->moved >= 0) || !(c->led >= 0) ||
        c->wait < 0 || c->left < 0 || c->near_wait < 0 || c->near_left < 0 || c->near_level < 0 ||
        c->near_level > CAB_NEAR_LEVEL_MOST)
        return cab_state_refuse(reader, "a distance is out of range");
    return CAB_OK;
}

cab_status cab_state_read_view(const cab_world *world, cab_state_reader *reader, cab_state_view *view)
{
    const cab_model *m = world->model;
    size_t materials = (size_t)m->scene->material_count, attachments = (size_t)m->attachment_count;
    view->numbers = cab_state_take(reader, "numbers", 1, sizeof *view->numbers);
    view->material = cab_state_take(reader, "material", materials, sizeof *view->material);
    view->broken = cab_state_take_any(reader, "broken", sizeof *view->broken, &view->broken_count);
    view->place = cab_state_take(reader, "place", attachments, sizeof *view->place);
    view->moving = cab_state_take_any(reader, "moving", sizeof *view->moving, &view->moving_count);
    view->collider = cab_state_take(reader, "collider", (size_t)m->collider_count, sizeof *view->collider);
    if (cab_model_all_rigid(m) > 0)
        view->borne = cab_state_take_any(reader, "borne", sizeof *view->borne, &view->borne_count);
    if (m->led_count > 0) view->led = cab_state_take(reader, "led", (size_t)m->led_count, sizeof *view->led);
    if (cab_state_has_connectors(m))
        view->mated = cab_state_take_any(reader, "mated", sizeof *view->mated, &view->mated_count);
    if (m->rigid_count > 0)
        view->touching =
            cab_state_take_any(reader, "touching", sizeof *view->touching, &view->touching_count);
    if (m->rigid_count > 0)
        view->nearing = cab_state_take_any(reader, "nearing", sizeof *view->nearing, &view->nearing_count);
    view->load = cab_state_take(reader, "load", (size_t)m->scene->load_count, sizeof *view->load);
    view->pieces = cab_state_take_any(reader, "pieces", sizeof *view->pieces, &view->pieces_count);
    view->clear = cab_state_take_any(reader, "clear", sizeof *view->clear, &view->clear_count);
    if (world->sleep.on)
        view->sleep = cab_state_take_any(reader, "sleep", sizeof *view->sleep, &view->sleep_count);
    if (reader->status != CAB_OK) return reader->status;
    if (view->borne_count > 0 && view->borne_count != attachments)
        return cab_state_refuse(reader, "other attachments that bear forces");
    if (view->broken_count > attachments || view->moving_count > attachments)
        return cab_state_refuse(reader, "more attachments than there are");
    cab_status status = check_numbers(view, reader);
    if (status == CAB_OK) status = check_broken(world, view, reader);
    if (status == CAB_OK) status = check_moving(world, view, reader);
    if (status == CAB_OK) status = check_mated(world, view, reader);
    if (status == CAB_OK) status = check_colliders(world, view, reader);
    if (status == CAB_OK) status = check_loads(world, view, reader);
    if (status == CAB_OK) status = check_touching(world, view, reader);
    if (status == CAB_OK) status = check_pieces(view, reader);
    if (status == CAB_OK) status = check_clear(view, reader);
    if (status == CAB_OK) status = check_sleep(view, reader);
    if (status == CAB_OK) status = cab_state_read_judging(world, reader, view);
    return status;
}
