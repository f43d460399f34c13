/* Tapes and tubes round a bundle: how thick they are, how stiff. docs/harness.md has the formulas and their sources. */
#include <math.h>

#include "io/kbl/kbl.h"

#define PI 3.14159265358979323846
static const double usual_tape = 0.15e-3, usual_wall = 0.5e-3, usual_sheet = 0.25e-3; /* m; assumed */
static const double usual_wave = 2.5e-3; /* m; height of a corrugated tube's waves */

/* Thickness of a layer of this mass per length on what has this radius inside: m = rho pi ((r + t)^2 - r^2). 0 = the mass is not known. */
static double thickness_of(double mass, double density, double inside)
{
    return mass > 0 ? sqrt(inside * inside + mass / (density * PI)) - inside : 0;
}

/* The first of them that is known: as the options say, as the file says, of the mass; else the usual one, with a note. */
static double choose_thickness(cab_kbl *kbl, const cab_kbl_cover *cover, const cab_kbl_protection *of,
                               double by_mass, double usual)
{
    if (of->thickness > 0) return of->thickness;
    if (cover->thickness > 0) return cover->thickness;
    if (by_mass > 0) return by_mass;
    cab_kbl_note(kbl, cover->line, cover->id, "neither thickness nor mass of a %s; %.2f mm are assumed",
                 cab_kbl_kind_word(cover->kind), 1e3 * usual);
    return usual;
}

static double given(double option, double file)
{
    return option > 0 ? option : file;
}

/* A wall between two radii, one piece: EI = E pi (Da^4 - Di^4) / 64. */
static cab_kbl_layer wall(double modulus, double inside, double outside)
{
    double bending = modulus * PI / 4 * (pow(outside, 4) - pow(inside, 4));
    double stretching = modulus * PI * (outside * outside - inside * inside);
    return (cab_kbl_layer){.radius = outside,
                           .bending = {.sliding = bending, .bonded = bending},
                           .stretching = {.sliding = 0, .bonded = stretching}};
}

/* Windings that slip over one another bend as rings that tilt: nothing; bonded they are a tube. */
static cab_kbl_layer tape_on(cab_kbl *kbl, const cab_kbl_cover *cover, double inside,
                             const cab_kbl_protection *of)
{
    double thickness =
        choose_thickness(kbl, cover, of, thickness_of(cover->mass, of->density, inside), usual_tape);
    cab_kbl_layer layer = wall(of->modulus, inside, inside + thickness);
    layer.bending.sliding = 0;
    return layer;
}

static cab_kbl_layer tube_on(cab_kbl *kbl, const cab_kbl_cover *cover, double inside,
                             const cab_kbl_protection *of)
{
    double inner = given(of->inner, cover->inner) / 2, outer = given(of->outer, cover->outer) / 2;
    double within = fmax(inside, inner), thickness = outer - inner;
    if (!(inner > 0 && outer > inner))
        thickness =
            choose_thickness(kbl, cover, of, thickness_of(cover->mass, of->density, within), usual_wall);
    /* a tube of which only the outside is known */
    if (!(inner > 0) && outer - thickness > inside) within = outer - thickness;
    return wall(of->modulus, within, within + thickness);
}

/* A bellows. Each wave has two flanks, sheets of thickness t and height w that go round at the mean diameter D; the ends of a flank
 * stay parallel, so that it gives by F w^3 / (12 E I) with I = pi D t^3 / 12. A pitch q has two flanks: EA = q E pi D t^3 / (2 w^3), that
 * of the Expansion Joint Manufacturers Association's formula 1.7 D E t^3 / (w^3 C) with C = 1.08. A bend about the middle stretches and
 * shortens flanks by their distance from the axis, of which the mean square is D^2 / 8: EI = EA D^2 / 8. */
static cab_kbl_layer corrugated_on(cab_kbl *kbl, const cab_kbl_cover *cover, double inside,
                                   const cab_kbl_protection *of)
{
    double inner = given(of->inner, cover->inner), outer = given(of->outer, cover->outer), pitch = of->pitch;
    bool known = inner > 0 && outer > inner;
    double height = known ? (outer - inner) / 2 : usual_wave;
    double within = known || inner > 0 ? fmax(inside, inner / 2) : fmax(inside, outer / 2 - height);
    double mean = 2 * within + height, unrolled = 1 + 2 * height / pitch;
    double sheet = choose_thickness(kbl, cover, of,
                                    cover->mass > 0 ? cover->mass / (of->density * PI * mean * unrolled) : 0,
                                    usual_sheet);
    double flank = height - sheet;
    if (!known)
        cab_kbl_note(kbl, cover->line, cover->id, "no inner and outer diameter; waves of %.1f mm are assumed",
                     1e3 * height);
    if (flank <= sheet) return wall(of->modulus, within, within + height); /* no bellows */
    double stretching = pitch * of->modulus * PI * mean * pow(sheet / flank, 3) / 2,
           bending = stretching * mean * mean / 8;
    return (cab_kbl_layer){.radius = within + height,
                           .bending = {.sliding = bending, .bonded = bending},
                           .stretching = {.sliding = 0, .bonded = stretching}};
}

static void interpolate(cab_kbl_stiffness *of, double bond)
{
    of->taken = of->sliding + bond * (of->bonded - of->sliding);
}

cab_kbl_layer cab_kbl_layer_on(cab_kbl *kbl, const cab_kbl_cover *cover, double inside,
                               const cab_kbl_options *options)
{
    const char *const names[] = {kbl->segments[cover->segment].id,
                                 kbl->segments[cover->segment].name,
                                 cover->id,
                                 cover->number,
                                 cover->part_id,
                                 cab_kbl_kind_word(cover->kind),
                                 NULL};
    cab_kbl_protection of = cab_kbl_protection_of(cover, options);
    cab_kbl_layer layer = {.radius = inside};
    if (cover->kind == CAB_KBL_COVER_OTHER)
        cab_kbl_note(kbl, cover->line, cover->id, "a protection of unknown kind; its mass only counts");
    if (cover->kind == CAB_KBL_TAPE) layer = tape_on(kbl, cover, inside, &of);
    if (cover->kind == CAB_KBL_CORRUGATED) layer = corrugated_on(kbl, cover, inside, &of);
    if (cover->kind == CAB_KBL_TUBE) layer = tube_on(kbl, cover, inside, &of);
    layer.bond = cab_kbl_bond_of(options, names);
    interpolate(&layer.bending, layer.bond);
    interpolate(&layer.stretching, layer.bond);
    double bending, stretching = -1;
    if (!cab_kbl_measured(options->stiffness, names + 2, 3, &bending, &stretching)) return layer;
    layer.bending = (cab_kbl_stiffness){bending, bending, bending};
    if (stretching >= 0) layer.stretching = (cab_kbl_stiffness){stretching, stretching, stretching};
    return layer;
}
