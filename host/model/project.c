/* The initial projection: links are sorted into components, and each component is brought to its lengths. */
#include "model/net.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/union.h"
#include "base/vec3.h"

/* How often a component that is stuck is bowed and tried again. */
#define ROUNDS_MAX 3

/* Component c has list[first[c]] to list[first[c + 1] - 1]. Links between held particles have none. */
typedef struct grouping {
    int count;
    int *first, *list;
    int *root;   /* of each particle; union-find */
    int *number; /* of each root */
} grouping;

static cab_status check_link(const cab_link *link, int index, int particle_count, cab_error *error)
{
    if (link->a < 0 || link->a >= particle_count || link->b < 0 || link->b >= particle_count)
        return cab_fail(error, CAB_ERROR_INPUT, "link %d joins particles %d and %d of %d", index, link->a,
                        link->b, particle_count);
    if (link->a == link->b)
        return cab_fail(error, CAB_ERROR_INPUT, "link %d joins particle %d to itself", index, link->a);
    if (!(link->rest > 0) || !isfinite(link->rest))
        return cab_fail(error, CAB_ERROR_INPUT, "link %d: expected a length above 0, got %g m", index,
                        link->rest);
    return CAB_OK;
}

static cab_status check_input(const cab_net *net, cab_error *error)
{
    for (int i = 0; i < net->particle_count; i++) {
        double inverse_mass = net->inverse_mass[i];
        if (!cab_vec3_finite(net->position[i]))
            return cab_fail(error, CAB_ERROR_INPUT, "particle %d: its position is not finite", i);
        if (!(inverse_mass >= 0) || !isfinite(inverse_mass))
            return cab_fail(error, CAB_ERROR_INPUT,
                            "particle %d: expected an inverse mass from 0, got %g 1/kg", i, inverse_mass);
    }
    for (int i = 0; i < net->link_count; i++) {
        cab_status status = check_link(&net->links[i], i, net->particle_count, error);
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status net_allocate(cab_net *net, cab_error *error)
{
    size_t particles = (size_t)net->particle_count + 1, links = (size_t)net->link_count + 1;
    net->first = calloc(particles + 1, sizeof *net->first);
    net->incident = malloc(2 * links * sizeof *net->incident);
    net->link_slot = malloc(links * sizeof *net->link_slot);
    net->particle_slot = malloc(particles * sizeof *net->particle_slot);
    if (net->first && net->incident && net->link_slot && net->particle_slot) return CAB_OK;
    return cab_fail_memory(error, "initial lengths", (2 * particles + 3 * links) * sizeof(int));
}

static void net_fill(cab_net *net)
{
    int *first = net->first;
    for (int i = 0; i < net->link_count; i++) {
        first[net->links[i].a]++;
        first[net->links[i].b]++;
    }
    for (int i = 0; i < net->particle_count; i++) first[i + 1] += first[i];
    /* filled from the back, so that first[i] ends at the start of its list */
    for (int i = net->link_count - 1; i >= 0; i--) {
        net->incident[--first[net->links[i].b]] = i;
        net->incident[--first[net->links[i].a]] = i;
    }
    for (int i = 0; i < net->particle_count; i++) net->particle_slot[i] = -1;
}

/* The free particle that says which component a link belongs to, or -1. */
static int speaker(const cab_net *net, int link)
{
    if (cab_net_free(net, net->links[link].a)) return net->links[link].a;
    return cab_net_free(net, net->links[link].b) ? net->links[link].b : -1;
}

static void join_particles(const cab_net *net, int *root)
{
    for (int i = 0; i < net->particle_count; i++) root[i] = i;
    for (int i = 0; i < net->link_count; i++) {
        int a = net->links[i].a, b = net->links[i].b;
        if (cab_net_free(net, a) && cab_net_free(net, b)) cab_union_join(root, a, b);
    }
}

static cab_status group_allocate(const cab_net *net, grouping *groups, cab_error *error)
{
    size_t particles = (size_t)net->particle_count + 1, links = (size_t)net->link_count + 1;
    groups->root = malloc(particles * sizeof(int));
    groups->number = malloc(particles * sizeof(int));
    groups->list = malloc(links * sizeof(int));
    groups->first = calloc(links + 2, sizeof(int));
    if (groups->root && groups->number && groups->list && groups->first) return CAB_OK;
    return cab_fail_memory(error, "initial lengths", 2 * (particles + links) * sizeof(int));
}

/* Components are numbered by their first link; links keep their order. */
static void group_links(const cab_net *net, grouping *groups)
{
    join_particles(net, groups->root);
    for (int i = 0; i < net->particle_count; i++) groups->number[i] = -1;
    for (int i = 0; i < net->link_count; i++) {
        int particle = speaker(net, i);
        if (particle < 0) continue;
        int root = cab_union_root(groups->root, particle);
        if (groups->number[root] < 0) groups->number[root] = groups->count++;
        groups->first[groups->number[root] + 1]++;
    }
    for (int c = 0; c < groups->count; c++) groups->first[c + 1] += groups->first[c];
    for (int i = 0; i < net->link_count; i++) {
        int particle = speaker(net, i);
        if (particle >= 0)
            groups->list[groups->first[groups->number[cab_union_root(groups->root, particle)]]++] = i;
    }
    for (int c = groups->count; c > 0; c--) groups->first[c] = groups->first[c - 1];
    groups->first[0] = 0;
}

static double worst_error(const cab_net *net)
{
    double worst = 0;
    for (int i = 0; i < net->link_count; i++) {
        const cab_link *link = &net->links[i];
        double length = cab_vec3_distance(net->position[link->a], net->position[link->b]);
        worst = fmax(worst, fabs(length - link->rest) / link->rest);
    }
    return worst;
}

static cab_status project_component(const cab_component *component, cab_error *error)
{
    int bowed;
    double worst;
    cab_status status = cab_bow_runs(component, false, &bowed, error);
    if (!status) status = cab_newton_lengths(component, &worst, error);
    for (int round = 0; round < ROUNDS_MAX && !status && worst > 10 * CAB_LENGTH_TOLERANCE; round++) {
        status = cab_bow_runs(component, true, &bowed, error);
        if (status || bowed == 0) break;
        status = cab_newton_lengths(component, &worst, error);
    }
    return status;
}

static cab_status project_all(const cab_net *net, cab_error *error)
{
    grouping groups = {0};
    cab_status status = group_allocate(net, &groups, error);
    if (!status) group_links(net, &groups);
    for (int c = 0; c < groups.count && !status; c++) {
        int first = groups.first[c], count = groups.first[c + 1] - first;
        cab_component component = {.net = net, .links = groups.list + first, .link_count = count};
        for (int i = 0; i < count; i++) net->link_slot[component.links[i]] = i;
        status = project_component(&component, error);
    }
    CAB_FREE(groups.root, groups.number, groups.list, groups.first);
    return status;
}

cab_status cab_project_lengths(cab_vec3 *position, const double *inverse_mass, int particle_count,
                               const cab_link *links, int link_count, cab_vec3 down, double *worst,
                               cab_error *error)
{
    cab_net net = {.position = position,
                   .inverse_mass = inverse_mass,
                   .particle_count = particle_count,
                   .links = links,
                   .link_count = link_count,
                   .down = cab_vec3_unit(down)};
    cab_status status = check_input(&net, error);
    if (!status) status = net_allocate(&net, error);
    if (!status) {
        net_fill(&net);
        status = project_all(&net, error);
    }
    if (!status && worst) *worst = worst_error(&net);
    CAB_FREE(net.first, net.incident, net.link_slot, net.particle_slot);
    return status;
}
