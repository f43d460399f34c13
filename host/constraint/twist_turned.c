/* By how much runs that resist twisting are twisted: what the buffer `twist` has counted, read, and written for what puts a world to rest
 * (host/run/rest.c). */
#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "constraint/director_runs.h"
#include "constraint/twist.h"
#include "world/device.h"

#define WHOLE_TURN 6.283185307179586

double cab_twist_turned_of(const cab_twist_run *run, const float4 *twist)
{
    double sum = 0;
    for (int k = run->start; k < run->end; k++) sum += (double)twist[k].x + WHOLE_TURN * (double)twist[k].y;
    return sum;
}

cab_status cab_twist_read_turned(cab_world *world, double *turned, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *twist = NULL;
    if (m->twist_run_count == 0) return CAB_OK;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_twist, twist, cab_twist_rows(m), error);
    for (int i = 0; status == CAB_OK && i < m->twist_run_count; i++)
        turned[i] = cab_twist_turned_of(&m->twist_run[i], twist);
    CAB_FREE(twist);
    return status;
}

cab_status cab_twist_write_turned(cab_world *world, const double *turned, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *twist = NULL;
    double *roll = NULL;
    if (m->twist_run_count == 0) return CAB_OK;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_twist, twist, cab_twist_rows(m), error);
    if (status == CAB_OK) status = CAB_NEW(roll, m->twist_hold_count, error);
    if (status == CAB_OK) status = cab_twist_read_rolls(world, roll, error);
    for (int i = 0; status == CAB_OK && i < m->twist_run_count; i++) {
        const cab_twist_run *run = &m->twist_run[i];
        double angle = remainder(turned[i], WHOLE_TURN);
        double moment = (double)run->stiffness * (turned[i] + roll[run->end] - roll[run->start]);
        for (int k = run->start; k < run->end; k++) twist[k] = (float4){0, 0, 0, 0};
        twist[run->start] =
            (float4){(float)angle, (float)round((turned[i] - angle) / WHOLE_TURN), (float)moment, 0};
    }
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_twist, 0, (size_t)cab_twist_rows(m) * sizeof *twist, twist,
                               error);
    CAB_FREE(twist, roll);
    return status;
}
