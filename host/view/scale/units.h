/* Round numbers for scales, and numbers with units as people write them: SI prefixes, few digits. */
#ifndef CAB_UNITS_H
#define CAB_UNITS_H

#include <stddef.h>

/* The largest 1, 2 or 5 times a power of ten that is not above x > 0, and the smallest not below. */
double cab_round_below(double x);
double cab_round_above(double x);

/* Marks of a scale: whole multiples of a round step, 1, 2 or 5 times a power of ten. */
typedef struct cab_ticks {
    double step;
    double first; /* the lowest mark; a multiple of step */
    int count;
} cab_ticks;

/* As many marks as fit from `lowest` to `highest`, both included, but no more than `most` (>= 2). A scale
 * without length, or with ends that are no numbers, has one mark (its lowest) or none. */
cab_ticks cab_ticks_make(double lowest, double highest, int most);
/* Free of rounding noise around 0. */
double cab_tick(const cab_ticks *ticks, int index);

/* A unit with a prefix. What is written before `text` is value / factor. */
typedef struct cab_unit {
    double factor;
    char text[16]; /* UTF-8: "mN", "µm/s", "1/mm" */
} cab_unit;

/* The one in which `largest` (of either sign) is from 1 to 1000.
 *
 * @param unit  "N", "m", "m/s", "1/m", "s"; "" takes no prefix
 */
cab_unit cab_unit_choose(double largest, const char *unit);

/* With as many decimals as multiples of `step` need, and a real minus sign: "0.25". */
void cab_write_number(char *text, size_t size, double value, double step);
/* With a prefix of its own and `digits` (1 to 9) digits that count: "12.3 mN"; "–" when it is no number. */
void cab_write_quantity(char *text, size_t size, double value, const char *unit, int digits);

#endif
