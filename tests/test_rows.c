/* Rows in the order of their first numbers (base/rows.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rows.h"

typedef struct row {
    double at, what[2];
} row;

/* Of one row to nine, with another number between them, at each row and beside it: what walking along finds. */
static void the_last_row_not_above_is_found(void **state)
{
    (void)state;
    row rows[9];
    for (int i = 0; i < 9; i++) rows[i] = (row){i * i - 10, {99, -99}};
    for (int count = 1; count <= 9; count++) {
        for (int i = 0; i < 9; i++) {
            for (int beside = -1; beside <= 1; beside++) {
                double at = rows[i].at + 0.5 * beside;
                int walked = 0;
                while (walked + 1 < count && rows[walked + 1].at <= at) walked++;
                assert_int_equal(cab_row_at(&rows->at, CAB_DOUBLES_APART(rows), count, at), walked);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_row_not_above_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
