/* Round numbers for scales, and numbers with units as people write them: SI prefixes, few digits. */
#ifndef CAB_UNITS_H
#define CAB_UNITS_H

#include <stddef.h>

/* A round number is 1, 2 or 5 times a power of ten. These are the largest one not above x > 0, and the
 * smallest one not below it. */
double cab_round_below(double x);
double cab_round_above(double x);

/* Ticks of a scale: the multiples of a round step. */
typedef struct cab_ticks {
    double step;
    double first; /* the lowest tick; a multiple of the step */
    int count;
} cab_ticks;

/* As many ticks as fit from `lowest` to `highest`, both included, but no more than `most` (at least 2). A
 * scale without length has one tick, at `lowest`; one whose ends are no numbers, or in the wrong order, has
 * none. */
cab_ticks cab_ticks_make(double lowest, double highest, int most);
/* The value of a tick, where 0 is exactly 0. */
double cab_tick(const cab_ticks *ticks, int index);

/* A unit with a prefix: the number to write before `text` is value / factor. */
typedef struct cab_unit {
    double factor;
    char text[16]; /* UTF-8: "mN", "µm/s", "1/mm" */
} cab_unit;

/* The prefix with which `largest` (of either sign) is written as a number from 1 to 1000.
 *
 * @param unit  "N", "m", "m/s", "1/m", "s"; "" takes no prefix */
cab_unit cab_unit_choose(double largest, const char *unit);

/* Writes a number with as many decimals as multiples of `step` need, and with a true minus sign: "0.25". */
void cab_write_number(char *text, size_t size, double value, double step);
/* Writes a number with a unit, a prefix that suits it, and `digits` (1 to 9) significant digits: "12.3 mN".
 * Writes "–" for what is no number. */
void cab_write_quantity(char *text, size_t size, double value, const char *unit, int digits);
/* Writes a word with a capital letter. */
void cab_write_capitalised(char *text, size_t size, const char *word);

#endif
