/* Wires as VEC: each a component with a wire element, of a part with its core, insulation and colours. Cores of a cable are wires of their
 * own, which know what the cable was called. */
#include <string.h>

#include "io/kbl/vec.h"
#include "io/kbl/vec_write.h"

static const cab_kbl_lead no_lead = {"", "", "", "", "", {{"", ""}, {"", ""}}};

static const cab_kbl_lead *lead_of(const cab_vec_writer *w, int wire)
{
    return w->kbl->contents ? &w->kbl->contents->leads[wire] : &no_lead;
}

/* ---- what wires share ---- */

/* All that is written of its part. */
static const char *part_key(cab_vec_writer *w, int wire)
{
    const cab_kbl_wire *x = &w->kbl->wires[wire];
    const cab_kbl_lead *lead = lead_of(w, wire);
    size_t room = strlen(x->part_id) + strlen(x->number) + strlen(lead->colour) + 120;
    char *key = *x->part_id || *x->number ? cab_kbl_new(w->kbl, room, 1) : NULL;
    if (!key) return "";
    snprintf(key, room, "%s\n%s\n%s\n%.17g %.17g %.17g %.17g", x->part_id, x->number, lead->colour,
             x->diameter, x->area, x->mass, x->bend_radius);
    return key;
}

/* The first one with this key; itself where it is "". */
static int first_of(cab_vec_writer *w, json_t *firsts, const char *key, int wire)
{
    const json_t *first = *key ? json_object_get(firsts, key) : NULL;
    if (first) return (int)json_integer_value(first);
    if (*key && json_object_set_new(firsts, key, json_integer(wire)) != 0) w->kbl->lost = true;
    return wire;
}

void cab_vec_sort_wires(cab_vec_writer *w)
{
    cab_kbl *kbl = w->kbl;
    size_t count = (size_t)kbl->wire_count;
    json_t *parts = json_object(), *signals = json_object();
    w->wire_part = cab_kbl_new(kbl, count, sizeof *w->wire_part);
    w->signal = cab_kbl_new(kbl, count, sizeof *w->signal);
    w->next_end = cab_kbl_new(kbl, 2 * count, sizeof *w->next_end);
    w->first_end = cab_kbl_new(kbl, (size_t)w->items.pin_count, sizeof *w->first_end);
    if (!parts || !signals) kbl->lost = true;
    for (int i = 0; i < w->items.pin_count && !kbl->lost; i++) w->first_end[i] = -1;
    for (int i = kbl->wire_count - 1; i >= 0 && !kbl->lost; i--) {
        for (int k = 1; k >= 0; k--) {
            int pin = w->items.ends[i][k];
            w->next_end[2 * i + k] = pin >= 0 ? w->first_end[pin] : -1;
            if (pin >= 0) w->first_end[pin] = 2 * i + k;
        }
    }
    for (int i = 0; i < kbl->wire_count && !kbl->lost; i++) {
        const char *signal = lead_of(w, i)->signal;
        w->wire_part[i] = first_of(w, parts, part_key(w, i), i);
        w->signal[i] = *signal ? first_of(w, signals, signal, i) : -1;
    }
    json_decref(parts);
    json_decref(signals);
}

/* ---- parts ---- */

/* Of a colour's key: letters as IEC 60757 has them, red, green and blue as #RRGGBB, a number of RAL, or not known. */
static const char *system_of(const char *key, size_t length)
{
    static const char *const iec[] = {"BK", "BN", "RD", "OG", "YE", "GN", "BU",  "VT",
                                      "GY", "WH", "PK", "GD", "TQ", "SR", "GNYE"};
    for (size_t i = 0; i < sizeof iec / sizeof *iec; i++)
        if (length == strlen(iec[i]) && strncmp(key, iec[i], length) == 0) return "IEC 60757";
    if (length == 7 && *key == '#') return "RGB";
    return length > 4 && strncmp(key, "RAL ", 4) == 0 ? "RAL" : "unknown";
}

/* "black/red": the base colour, then that of the first stripe, then all others. */
static void write_insulation(FILE *f, const char *colours, int wire)
{
    static const char *const lists[] = {"BaseColor", "FirstIdentificationColor", "SecondIdentificationColor"};
    char id[40], key[100];
    snprintf(id, sizeof id, "insulation_%d", wire);
    cab_vec_begin_specification(f, "InsulationSpecification", id);
    for (int k = 0; *colours;) {
        size_t length = strcspn(colours, "/");
        if (length) {
            const char *list = lists[k < 2 ? k : 2];
            snprintf(key, sizeof key, "%.*s", (int)(length < 99 ? length : 99), colours);
            fprintf(f, "<%s id=\"colour_%d_%d\">", list, wire, k++);
            cab_vec_print_text(f, "Key", key);
            fprintf(f, "<ReferenceSystem>%s</ReferenceSystem></%s>", system_of(colours, length), list);
        }
        colours += length + (colours[length] == '/');
    }
    cab_vec_end_specification(f);
}

static void write_document(cab_vec_writer *w, int i)
{
    FILE *f = w->f;
    const cab_kbl_wire *wire = &w->kbl->wires[i];
    const char *colours = lead_of(w, i)->colour;
    char id[40];
    cab_vec_begin_part(f, "wire", i, wire->mass, "kilogram_per_metre", "");
    snprintf(id, sizeof id, "core_%d", i);
    cab_vec_begin_specification(f, "CoreSpecification", id);
    cab_vec_print_quantity(f, "CrossSectionArea", "square_metre", wire->area, "core", i);
    cab_vec_end_specification(f);
    if (*colours) write_insulation(f, colours, i);
    snprintf(id, sizeof id, "wire_element_%d", i);
    cab_vec_begin_specification(f, "WireElementSpecification", id);
    cab_vec_print_quantity(f, "MinBendRadiusStatic", "metre", wire->bend_radius, "wire", i);
    cab_vec_print_quantity(f, "OutsideDiameter", "metre", wire->diameter, "wire", i);
    fprintf(f, "<ConductorSpecification>core_%d</ConductorSpecification>", i);
    if (*colours) fprintf(f, "<InsulationSpecification>insulation_%d</InsulationSpecification>", i);
    cab_vec_end_specification(f);
    snprintf(id, sizeof id, "wire_specification_%d", i);
    cab_vec_begin_specification(f, "WireSpecification", id);
    fprintf(f,
            "<DescribedPart>wire_part_%d</DescribedPart>"
            "<WireElementSpecification>wire_element_%d</WireElementSpecification>"
            "<WireElement id=\"element_%d\"><Identification>1</Identification>"
            "<WireElementSpecification>wire_element_%d</WireElementSpecification></WireElement>",
            i, i, i, i);
    cab_vec_end_specification(f);
    fprintf(f, "  </DocumentVersion>\n");
}

void cab_vec_write_wire_documents(cab_vec_writer *w)
{
    for (int i = 0; i < w->kbl->wire_count; i++)
        if (w->wire_part[i] == i) write_document(w, i);
}

void cab_vec_write_wire_parts(cab_vec_writer *w)
{
    for (int i = 0; i < w->kbl->wire_count; i++) {
        const cab_kbl_wire *wire = &w->kbl->wires[i];
        if (w->wire_part[i] == i)
            cab_vec_print_part(w->f, "wire", i, wire->number, "", "Wire", wire->part_id);
    }
}

/* ---- wires ---- */

static void write_ends(cab_vec_writer *w, int i)
{
    for (int k = 0; k < 2; k++)
        fprintf(w->f, "<WireEnd id=\"end_%d_%d\"><PositionOnWire>%d</PositionOnWire></WireEnd>", i, k, k);
}

static void write_component(cab_vec_writer *w, int i)
{
    FILE *f = w->f;
    const cab_kbl_wire *wire = &w->kbl->wires[i];
    const cab_kbl_lead *lead = lead_of(w, i);
    int part = w->wire_part[i];
    fprintf(f, "      <Component id=\"wire_%d\">", i);
    cab_vec_print_text(f, "Identification", wire->id);
    cab_vec_print_alias(f, CAB_VEC_CABLE, lead->cable, "wire", i);
    fprintf(f,
            "<Role xsi:type=\"vec:WireRole\" id=\"wire_role_%d\">"
            "<WireSpecification>wire_specification_%d</WireSpecification>"
            "<WireElementReference id=\"reference_%d\">",
            i, part, i);
    if (*lead->number) cab_vec_print_text(f, "Identification", lead->number);
    fprintf(f, "<ReferencedWireElement>element_%d</ReferencedWireElement>", part);
    if (w->signal[i] >= 0) fprintf(f, "<Signal>signal_%d</Signal>", w->signal[i]);
    if (w->items.ends[i][0] >= 0 || w->items.ends[i][1] >= 0) write_ends(w, i);
    if (wire->length > 0) {
        fprintf(f, "<WireLength id=\"wire_length_%d\"><LengthType>Production</LengthType>", i);
        cab_vec_print_quantity(f, "LengthValue", "metre", wire->length, "wire", i);
        fprintf(f, "</WireLength>");
    }
    fprintf(f, "</WireElementReference></Role><Part>wire_part_%d</Part></Component>\n", part);
}

void cab_vec_write_wire_components(cab_vec_writer *w)
{
    for (int i = 0; i < w->kbl->wire_count; i++) write_component(w, i);
}

void cab_vec_write_signals(cab_vec_writer *w)
{
    bool any = false;
    for (int i = 0; i < w->kbl->wire_count; i++) {
        if (w->signal[i] != i) continue;
        if (!any) cab_vec_begin_specification(w->f, "SignalSpecification", "signals");
        any = true;
        fprintf(w->f, "\n      <Signal id=\"signal_%d\">", i);
        cab_vec_print_text(w->f, "Identification", lead_of(w, i)->signal);
        cab_vec_print_text(w->f, "SignalName", lead_of(w, i)->signal);
        fprintf(w->f, "</Signal>");
    }
    if (any) cab_vec_end_specification(w->f);
}

static void write_route(cab_vec_writer *w, int i)
{
    const cab_kbl_wire *wire = &w->kbl->wires[i];
    bool any = false;
    fprintf(w->f,
            "      <Routing id=\"route_%d\"><Identification>%d</Identification>"
            "<RoutedElement>reference_%d</RoutedElement><Path id=\"path_%d\"><Segment>",
            i, i, i, i);
    for (int k = 0; k < wire->route_count; k++, any = true)
        fprintf(w->f, "%ssegment_%d", any ? " " : "", wire->route[k]);
    fprintf(w->f, "</Segment></Path></Routing>\n");
}

void cab_vec_write_routing(cab_vec_writer *w)
{
    cab_vec_begin_specification(w->f, "RoutingSpecification", "routing");
    fprintf(w->f, "\n");
    for (int i = 0; i < w->kbl->wire_count; i++)
        if (w->kbl->wires[i].route_count) write_route(w, i);
    cab_vec_end_specification(w->f);
}
