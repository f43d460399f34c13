"""Harnesses that are made for tests, and readers of what `clcable formboard` writes: SVG, DXF and PDF, each by itself."""
import math
import random
import re
import xml.etree.ElementTree as ET

LAYERS = {"PROTECTIONS", "SEGMENTS", "CONNECTORS", "SPLICES", "FIXINGS", "DIMENSIONS", "TEXT"}
TRUE = 0.01  # mm; asked for. Corners are written in micrometres: at most four pieces, each wrong by 0.0015 mm at most
CENT = 0.0051  # mm; lists have two decimals
MM = 25.4 / 72  # of a point, PDF's unit
SVG = "{http://www.w3.org/2000/svg}"


def length_of(points):
    return sum(math.dist(a, b) for a, b in zip(points, points[1:]))


def harness(edges, wires=(), name="made"):
    """A KBL file: edges (id, node, node, mm), wires (id, ids of edges)."""
    nodes = sorted({node for _, a, b, _ in edges for node in (a, b)})
    degree = {node: sum((a == node) + (b == node) for _, a, b, _ in edges) for node in nodes}
    text = ['<?xml version="1.0" encoding="UTF-8"?><kbl:KBL_container xmlns:kbl="http://www.prostep.org/Car_electric_container/KBL2.3/KBLSchema" '
            'id="k" version_id="2.4 SR-1">',
            '<Cartesian_point id="P"><Coordinates>0</Coordinates><Coordinates>0</Coordinates><Coordinates>0</Coordinates></Cartesian_point>',
            '<General_wire id="W"><Part_number>FLRY</Part_number></General_wire>',
            f'<Harness id="H"><Part_number>{name}</Part_number>']
    for node in nodes:
        if degree[node] == 1:
            text.append(f'<Connector_occurrence id="X{node}"><Id>X &amp; {node}</Id></Connector_occurrence>')
    for wire, _ in wires:
        text.append(f'<General_wire_occurrence id="{wire}"><Part>W</Part></General_wire_occurrence>'
                    f'<Connection id="C{wire}"><Wire>{wire}</Wire></Connection>')
    text.append("</Harness>")
    for node in nodes:
        plug = f"<Referenced_components>X{node}</Referenced_components>" if degree[node] == 1 else ""
        text.append(f'<Node id="{node}"><Cartesian_point>P</Cartesian_point>{plug}</Node>')
    for edge, a, b, mm in edges:
        text.append(f'<Segment id="{edge}"><Virtual_length><Unit_component>mm</Unit_component><Value_component>{mm}</Value_component></Virtual_length>'
                    f"<End_node>{b}</End_node><Start_node>{a}</Start_node></Segment>")
    for wire, route in wires:
        text.append(f'<Routing id="R{wire}"><Routed_wire>C{wire}</Routed_wire><Segments>{" ".join(route)}</Segments></Routing>')
    text.append('<Unit id="mm"><Si_unit_name>metre</Si_unit_name><Si_prefix>milli</Si_prefix><Si_dimension>none</Si_dimension></Unit></kbl:KBL_container>')
    return "\n".join(text)


def comb(teeth):
    edges = [(f"S{i}", f"N{i}", f"N{i + 1}", 60 + 7 * i) for i in range(teeth)]
    return edges + [(f"T{i}", f"N{i}", f"L{i}", 40 + 90 * (i % 4)) for i in range(1, teeth)]


def star(rays):
    return [(f"S{i}", "M", f"N{i}", 150 + 20 * (i % 5)) for i in range(rays)]


def binary(depth):
    edges = []
    for i in range(2, 2 ** (depth + 1)):
        edges.append((f"S{i}", f"N{i // 2}", f"N{i}", 400 / i.bit_length() + i % 7))
    return edges


def deep(count):
    """One long branch whose branches are long, too, and ends a few millimetres away from each other."""
    edges = [(f"S{i}", f"N{i}", f"N{i + 1}", 100) for i in range(6)]
    for i in range(1, count):
        edges.append((f"B{i}", "N3" if i == 1 else f"B{i - 1}", f"B{i}", 80))
        edges.append((f"C{i}", f"B{i}", f"C{i}", 12 + 30 * (i % 3)))
    return edges


def grown(count, seed):
    draw = random.Random(seed)
    return [(f"S{i}", f"N{draw.randrange(max(0, i - 12), i)}", f"N{i}", round(draw.uniform(25, 350), 3)) for i in range(1, count)]


MADE = {"comb": comb(12), "star": star(11), "binary": binary(4), "deep": deep(9), "grown": grown(60, 3)}


class Harness:
    """What a KBL file says, by nothing but Python's XML."""

    def __init__(self, file):
        self.root = ET.parse(file).getroot()
        self.by_id = {element.get("id"): element for element in self.root.iter() if element.get("id")}
        self.length = {segment.get("id"): self.mm(segment.find("Virtual_length")) for segment in self.root.iter("Segment")}

    def mm(self, quantity):
        unit = self.by_id[quantity.findtext("Unit_component").strip()]
        assert unit.findtext("Si_unit_name").strip() == "metre" and unit.findtext("Si_prefix").strip() == "milli"
        return float(quantity.findtext("Value_component"))

    def routes(self):
        """Ids of wires and cores, and the sum of the segments that they go through."""
        sums = {}
        for routing in self.root.iter("Routing"):
            wired = self.by_id[routing.findtext("Routed_wire").strip()]
            if wired.tag == "Connection":
                wired = self.by_id[wired.findtext("Wire").strip()]
            cores = [core.get("id") for core in wired.iter("Core_occurrence")] if wired.tag == "General_wire_occurrence" else []
            total = sum(self.length[segment] for element in routing.findall("Segments") for segment in element.text.split())
            for wire in cores or [wired.get("id")]:
                sums.setdefault(wire, total)
        return {wire: total for wire, total in sums.items() if total}  # some bridge cavities of one connector


def read_svg(file):
    """{segment: points, y upwards} and the sheet's size."""
    root = ET.parse(file).getroot()
    assert {group.get("id") for group in root.iter(f"{SVG}g")} == LAYERS
    width, height = (float(root.get(name).removesuffix("mm")) for name in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"  # a unit is a millimetre
    group = next(g for g in root.iter(f"{SVG}g") if g.get("id") == "SEGMENTS")
    lines = {}
    for line in group.iter(f"{SVG}polyline"):
        points = [tuple(map(float, pair.split(","))) for pair in line.get("points").split()]
        lines[line.get("data-name")] = [(x, height - y) for x, y in points]
    return lines, (width, height)


def read_dxf(file):
    """{segment: points}, and the layers in use: a reader of groups, code and value in turn."""
    lines = file.read_text("ascii").splitlines()
    groups = [(int(code), value.strip()) for code, value in zip(lines[::2], lines[1::2])]
    assert groups[-1] == (0, "EOF") and (1, "AC1009") in groups
    found, layers, kind, name, points, layer = {}, set(), None, None, [], None
    for code, value in groups:
        if code == 0:
            if value == "SEQEND" and layer == "SEGMENTS":
                found[name] = points
            if value == "POLYLINE":
                name, points = None, []
            kind = value
        elif code == 8:
            layer = value
            layers.add(layer)
        elif code == 1000:
            name = value
        elif kind == "VERTEX" and code == 10:
            points.append([float(value)])
        elif kind == "VERTEX" and code == 20:
            points[-1].append(float(value))
    return found, layers


class Pdf:
    """The pages of a file without compression: their size, and what each shows of the board."""

    def __init__(self, file):
        data = file.read_bytes()
        start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n\Z", data).group(1))
        table = data[start:].split(b"\n")
        count = int(table[1].split()[1])
        objects = {}
        for number in range(1, count):
            at = int(table[2 + number].split()[0])
            assert data[at:].startswith(b"%d 0 obj\n" % number), number
            objects[number] = data[at:data.index(b"endobj", at)].decode("latin-1")
        self.pages = []
        for page in re.findall(r"(\d+) 0 R", re.search(r"/Kids \[(.*?)\]", objects[2]).group(1)):
            text = objects[int(page)]
            content = objects[int(re.search(r"/Contents (\d+) 0 R", text).group(1))]
            stream = content[content.index("stream\n") + 7:content.index("endstream")]
            length = objects[int(re.search(r"/Length (\d+) 0 R", content).group(1))].split("\n")[1]
            assert int(length) == len(stream)
            box = [float(word) for word in re.search(r"/MediaBox \[(.*?)\]", text).group(1).split()]
            unit = float((re.search(r"/UserUnit (\S+)", text) or [0, 1])[1])
            self.pages.append(self.read(stream, box[2] * unit * MM, box[3] * unit * MM, unit))

    @staticmethod
    def read(stream, width, height, unit):
        scale = re.match(r"(\S+) 0 0 (\S+) 0 0 cm", stream)
        assert abs(float(scale[1]) * unit * MM - 1) < 1e-6 and scale[1] == scale[2]  # a unit is a millimetre on paper
        clip = [float(word) for word in re.search(r"q (\S+) (\S+) (\S+) (\S+) re W n", stream).groups()]
        shift = [float(word) for word in re.search(r"n 1 0 0 1 (\S+) (\S+) cm", stream).groups()]
        paths = {tuple(float(word) for word in re.findall(r"-?[\d.]+", path)) for path in
                 re.findall(r"((?:-?[\d.]+ -?[\d.]+ [ml] ?)+)", stream)}
        crosses = [(float(x) + 5 - shift[0], float(y) - shift[1]) for x, y in
                   re.findall(r"^(?:0 G 0.20 w \[\] 0 d )?(\S+) (\S+) m \S+ \S+ l \S+ \S+ m \S+ \S+ l S$", stream[stream.rindex("Q\n"):], re.M)]
        name = re.search(r"\((\w+) of A1 to (\w+),", stream)
        return {"width": width, "height": height, "paths": paths, "crosses": crosses, "name": name and name[1],
                "window": (clip[0] - shift[0], clip[1] - shift[1], clip[0] + clip[2] - shift[0], clip[1] + clip[3] - shift[1])}


def crossings(lines):
    """Pairs of straight pieces that meet but share no end: by the signs of areas, or an end of one lies on the other."""
    pieces = [piece for points in lines.values() for piece in zip(points, points[1:])]

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    def off(p, a, b):
        t = max(0, min(1, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / math.dist(a, b) ** 2))
        return math.dist(p, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))

    count = 0
    for i, (a, b) in enumerate(pieces):
        for c, d in pieces[:i]:
            if max(a[0], b[0]) < min(c[0], d[0]) - 1 or max(c[0], d[0]) < min(a[0], b[0]) - 1:
                continue
            shared = [(p, q) for p in ((a, b), (b, a)) for q in ((c, d), (d, c)) if math.dist(p[0], q[0]) < TRUE]
            if shared:  # over each other, or only from one place on
                (p, q), (_, r) = shared[0]
                shorter, longer = sorted((q, r), key=lambda end: math.dist(p, end))
                count += off(shorter, p, longer) < TRUE
                continue
            touch = min(off(a, c, d), off(b, c, d), off(c, a, b), off(d, a, b)) < TRUE
            count += touch or side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
    return count


def least_angle(lines):
    """Between two pieces that leave one place, degrees."""
    rays = {}
    for points in lines.values():
        for a, b in zip(points, points[1:]):
            for p, q in ((a, b), (b, a)):
                rays.setdefault((round(p[0], 1), round(p[1], 1)), []).append(math.degrees(math.atan2(q[1] - p[1], q[0] - p[0])))
    least = 360
    for angles in rays.values():
        angles.sort()
        for a, b in zip(angles, angles[1:] + [angles[0] + 360]):
            if len(angles) > 1:
                least = min(least, b - a)
    return least
