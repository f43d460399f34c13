/* What readers of KBL and VEC share: places and directions, names, routes, lists of contents. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "io/kbl/contents.h"
#include "io/kbl/xml.h"
#include "model/limits.h"

bool cab_kbl_is_within(cab_vec3 place, double most)
{
    return fabs(place.x) <= most && fabs(place.y) <= most && fabs(place.z) <= most;
}

cab_vec3 cab_kbl_direction_of(const double v[3])
{
    cab_vec3 direction = {v[0], v[1], v[2]};
    double length = cab_vec3_length(direction);
    return length > 1e-9 && length < 1e9 ? cab_vec3_scale(1 / length, direction) : (cab_vec3){0, 0, 0};
}

/* What people call an element: its Id, else its id. */
const char *cab_xml_name_of(cab_xml *xml, const xmlNode *element)
{
    const char *name = cab_xml_text(xml, element, "Id");
    return *name && strlen(name) <= CAB_NAME_MAX ? name : cab_xml_id_of(xml, element);
}

int cab_kbl_words_in(const char *text)
{
    int count = *text != '\0';
    for (; *text; text++) count += *text == ' ';
    return count;
}

void cab_xml_read_route(cab_xml *xml, const xmlNode *path, const char *list, const char *kind,
                        cab_kbl_wire *wire)
{
    char *rest = cab_xml_words(xml, path, list);
    int line = cab_xml_line(path);
    if (wire->route_count) {
        cab_kbl_note(xml->kbl, line, wire->id, "routed more than once; the first one is taken");
        return;
    }
    wire->route = rest ? cab_kbl_new(xml->kbl, (size_t)cab_kbl_words_in(rest), sizeof *wire->route) : NULL;
    if (!wire->route) return;
    for (char *id; (id = cab_xml_word(&rest));) {
        int segment = cab_xml_index_of(cab_xml_find(xml, id), kind);
        if (segment < 0)
            cab_kbl_note(xml->kbl, line, wire->id,
                         "routed through %.60s, which is no segment; left out of the route", id);
        else if (cab_kbl_index(wire->route, wire->route_count, segment) >= 0)
            cab_kbl_note(xml->kbl, line, wire->id, "routed through %.60s twice; once is taken", id);
        else
            wire->route[wire->route_count++] = segment;
    }
}

void cab_kbl_add_spot(cab_kbl *kbl, cab_kbl_spot spot)
{
    cab_kbl_contents *c = kbl->contents;
    cab_kbl_spot *larger = cab_kbl_one_more(kbl, c->spots, c->spot_count, sizeof spot);
    if (!larger) return;
    c->spots = larger;
    c->spots[c->spot_count++] = spot;
}

void cab_kbl_add_piece(cab_kbl *kbl, cab_kbl_piece piece)
{
    cab_kbl_contents *c = kbl->contents;
    cab_kbl_piece *larger = cab_kbl_one_more(kbl, c->pieces, c->piece_count, sizeof piece);
    if (!larger) return;
    c->pieces = larger;
    c->pieces[c->piece_count++] = piece;
}

const char *cab_kbl_shorter(const char *name, const char *id)
{
    return strlen(name) > strlen(id) && *id ? id : name;
}
