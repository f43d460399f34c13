#include "view/scale/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of a step within which a number counts as a multiple of it: in binary 0.3 is none of 0.1. */
static const double slack = 1e-6;

static const double round_numbers[] = {1, 2, 5, 10};

double cab_round_below(double x)
{
    double decade = pow(10, floor(log10(x)));
    if (decade * 10 <= x * (1 + slack)) decade *= 10;
    int i = 2;
    while (i > 0 && round_numbers[i] * decade > x * (1 + slack)) i--;
    return round_numbers[i] * decade;
}

double cab_round_above(double x)
{
    double decade = pow(10, floor(log10(x)));
    int i = 0;
    while (i < 3 && round_numbers[i] * decade < x * (1 - slack)) i++;
    return round_numbers[i] * decade;
}

cab_ticks cab_ticks_make(double lowest, double highest, int most)
{
    if (!isfinite(lowest) || !isfinite(highest) || highest < lowest) return (cab_ticks){0};
    double length = highest - lowest;
    /* differences this small are rounding errors: the ticks would show the same number */
    if (length <= 1e-9 * fmax(fabs(lowest), fabs(highest))) return (cab_ticks){0, lowest, 1};
    cab_ticks ticks = {.step = cab_round_above(length / (most - 1))};
    for (;; ticks.step = cab_round_above(ticks.step * 1.5)) { /* a larger step if there are too many */
        double first = ceil(lowest / ticks.step - slack), last = floor(highest / ticks.step + slack);
        ticks.first = first * ticks.step;
        ticks.count = (int)(last - first) + 1;
        if (ticks.count <= most) return ticks;
    }
}

double cab_tick(const cab_ticks *ticks, int index)
{
    if (ticks->step <= 0) return ticks->first;
    return (round(ticks->first / ticks->step) + index) * ticks->step;
}

/* Prefixes of SI for powers of a thousand, from 1e-12 on. */
static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
enum { PREFIX_COUNT = sizeof prefixes / sizeof prefixes[0], NO_PREFIX = 4 };

static int thousands(double x)
{
    if (!(x > 0) || !isfinite(x)) return 0;
    int power = (int)floor(log10(x * (1 + slack)) / 3);
    if (power < -NO_PREFIX) return 0; /* too small for any prefix: written as 0 */
    return power >= PREFIX_COUNT - NO_PREFIX ? PREFIX_COUNT - NO_PREFIX - 1 : power;
}

cab_unit cab_unit_choose(double largest, const char *unit)
{
    cab_unit chosen = {.factor = 1};
    int power = unit[0] ? thousands(fabs(largest)) : 0;
    if (!strncmp(unit, "1/", 2)) /* 2000 1/m = 2 1/mm */
        snprintf(chosen.text, sizeof chosen.text, "1/%s%s", prefixes[NO_PREFIX - power], unit + 2);
    else
        snprintf(chosen.text, sizeof chosen.text, "%s%s", prefixes[NO_PREFIX + power], unit);
    chosen.factor = pow(1000, power);
    return chosen;
}

/* U+2212 is as wide as a digit; a hyphen is not. */
static void write_signed(char *text, size_t size, double value, int decimals)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    int is_zero = digits[strspn(digits, "0.")] == 0;
    snprintf(text, size, "%s%s", value < 0 && !is_zero ? "−" : "", digits);
}

void cab_write_number(char *text, size_t size, double value, double step)
{
    int decimals = step > 0 ? (int)ceil(-log10(step) - slack) : 0;
    write_signed(text, size, value, decimals < 0 ? 0 : decimals > 9 ? 9 : decimals);
}

void cab_write_quantity(char *text, size_t size, double value, const char *unit, int digits)
{
    if (!isfinite(value)) {
        snprintf(text, size, "–");
        return;
    }
    /* rounded first: 999.96 N with three digits is 1.00 kN */
    char rounded[64], number[80];
    snprintf(rounded, sizeof rounded, "%.*e", digits - 1, value);
    value = strtod(rounded, NULL);
    cab_unit chosen = cab_unit_choose(value, unit);
    double written = fabs(value / chosen.factor);
    int whole = written > 0 ? (int)floor(log10(written * (1 + slack))) + 1 : 1;
    int decimals = digits - (whole < 1 ? 1 : whole);
    write_signed(number, sizeof number, value / chosen.factor, decimals > 0 ? decimals : 0);
    snprintf(text, size, "%s%s%s", number, chosen.text[0] ? " " : "", chosen.text);
}

void cab_write_capitalised(char *text, size_t size, const char *word)
{
    snprintf(text, size, "%s", word);
    text[0] = (char)toupper((unsigned char)text[0]);
}
