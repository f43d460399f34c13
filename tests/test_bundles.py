"""Stiffness of bundles from wires, tapes and tubes, against answers by hand.

usage: test_bundles.py PROGRAM SCENES SHARED

Harnesses are made here: one straight segment between two nodes, with the wires and protections of a case.
"""
import json
import math
import pathlib
import re
import sys
import unittest

import commands

PROGRAM, SCENES, SHARED = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
COPPER, PVC, POLYPROPYLENE = 1.1e11, 5e7, 1.3e9  # Pa
DIGITS = 1e-5  # scenes have six digits of a stiffness
# Discs are packed by pushing them apart until none overlaps: their distances are right to a few thousandths, and what goes by their squares
# to twice that.
PACKED = 0.01
HALF, THICK = ("W05", 1.6e-3, 0.5e-6), ("W25", 3e-3, 2.5e-6)  # part, outside diameter m, copper m^2


def bending(wire):
    _, d, area = wire
    strand = 0.2e-3 if area <= 1e-6 else 0.25e-3
    core = math.sqrt(4 * area / (math.pi * 0.78))
    return COPPER * area * strand**2 / 16 + PVC * math.pi / 64 * (d**4 - core**4)


def stretching(wire):
    _, d, area = wire
    return COPPER * area + PVC * (math.pi / 4 * d * d - area / 0.78)


def pipe(modulus, inner, outer):
    return modulus * math.pi * (outer**4 - inner**4) / 64


def ring(modulus, inner, outer):
    return modulus * math.pi / 4 * (outer**2 - inner**2)


def quantity(name, unit, value):
    return f"<{name}><Unit_component>{unit}</Unit_component><Value_component>{value}</Value_component></{name}>"


def protection(number, kind, description="", mass=None):
    weight = quantity("Mass_information", "gpm", mass) if mass else ""
    return (f'<Wire_protection id="P_{number}"><Part_number>{number}</Part_number><Description>{description}</Description>{weight}'
            f"<Protection_type>{kind}</Protection_type></Wire_protection>")


def harness(wires, protections=(), areas=(), cross_section=None, more_nodes=""):
    """wires: parts, one each; protections: elements; areas: (number, from, to)."""
    parts = {w[0]: w for w in wires}
    text = ['<?xml version="1.0"?>\n<KBL_container xmlns="http://www.prostep.org/Car_electric_container/KBL2.4/KBLSchema" '
            'version_id="2.4" id="k">']
    for i, x in enumerate((0, 400)):
        text.append(f'<Cartesian_point id="p{i}">' + "".join(f"<Coordinates>{c}</Coordinates>" for c in (x, 0, 1000)) + "</Cartesian_point>")
    for name, (_, d, area) in parts.items():
        text.append(f'<General_wire id="G_{name}"><Part_number>{name}</Part_number>{quantity("Mass_information", "gpm", 6)}'
                    f'{quantity("Cross_section_area", "mm2", area * 1e6)}{quantity("Outside_diameter", "mm", d * 1e3)}</General_wire>')
    text.append('<Harness id="h">')
    for i, w in enumerate(wires):
        text.append(f'<General_wire_occurrence id="w{i}"><Part>G_{w[0]}</Part></General_wire_occurrence>')
    for number in {a[0] for a in areas}:
        text.append(f'<Wire_protection_occurrence id="O_{number}"><Id>{number}</Id><Part>P_{number}</Part></Wire_protection_occurrence>')
    text.append("</Harness>")
    text += [f'<Node id="n{i}"><Cartesian_point>p{i}</Cartesian_point></Node>' for i in range(2)]
    text += [f'<Routing id="r{i}"><Routed_wire>w{i}</Routed_wire><Segments>s</Segments></Routing>' for i in range(len(wires))]
    area = ""
    if cross_section:
        area = f'<Cross_section_area_information>{quantity("Area", "mm2", cross_section * 1e6)}</Cross_section_area_information>'
    text.append(f'<Segment id="s"><Id>trunk</Id>{quantity("Virtual_length", "mm", 400)}<End_node>n1</End_node><Start_node>n0</Start_node>'
                + area + "".join(f"<Protection_area><Start_location>{a}</Start_location><End_location>{b}</End_location>"
                                 f"<Associated_protection>O_{n}</Associated_protection></Protection_area>" for n, a, b in areas) + "</Segment>")
    text.append('<Unit id="mm"><Si_unit_name>metre</Si_unit_name><Si_prefix>milli</Si_prefix></Unit>'
                '<Unit id="mm2"><Si_unit_name>metre</Si_unit_name><Si_prefix>milli</Si_prefix><Si_dimension>square</Si_dimension></Unit>'
                '<Unit id="gpm"><Unit_name>GramPerMetre</Unit_name></Unit>')
    return "\n".join([*text, *protections, "</KBL_container>"])


class Bundles(commands.Case):
    program = PROGRAM

    def convert(self, text, *options, name="a.kbl"):
        (self.folder / name).write_text(text)
        self.call("convert", name, "a.json", *options)
        return json.loads((self.folder / "a.json").read_text())

    def rows(self, text, *options, cable="s"):
        """By part: the row of the bundle, and of what it is made of; and the cable's material."""
        scene = self.convert(text, *options)
        found = next(c for c in scene["cables"] if c["name"] == cable)
        self.assertEqual(found["bundle"][0]["part"], "bundle")
        return {row["part"]: row for row in found["bundle"]}, scene["materials"][found["material"]]

    def near(self, value, wanted, share=DIGITS):
        self.assertLessEqual(abs(value - wanted), share * abs(wanted) + 1e-15, (value, wanted))

    def test_seven_equal_wires(self):
        """Six round one, in touch: the polar moment about the middle is 6 EA d^2, half of which counts."""
        for wire in (HALF, THICK):
            rows, material = self.rows(harness([wire] * 7))
            whole = rows["bundle"]
            self.near(whole["bending"][0], 7 * bending(wire))
            self.near(whole["bending"][1], 7 * bending(wire) + 3 * stretching(wire) * wire[1]**2, PACKED)
            self.assertEqual(whole["bending"][2], whole["bending"][0])
            self.assertEqual(material["bending_stiffness"], whole["bending"][2])
            for k in range(3):
                self.near(whole["stretching"][k], 7 * stretching(wire))
            self.near(material["radius"], 1.5 * wire[1], PACKED)
            self.assertEqual(rows[f"wire {wire[0]}"]["count"], 7)
            # one wire alone is one rod already
            alone, _ = self.rows(harness([wire]))
            self.assertEqual(alone["bundle"]["bending"], [alone["bundle"]["bending"][0]] * 3)

    def test_two_unlike_wires(self):
        """The neutral axis is where the middle of EA is: EA1 EA2 / (EA1 + EA2) d^2 of both, half of which counts in the mean direction."""
        for a, b in ((HALF, THICK), (("W1", 2.1e-3, 1e-6), ("W6", 4.3e-3, 6e-6))):
            self.assertNotEqual(a[0], b[0])
            reach = (a[1] + b[1]) / 2
            own = [1.1e11 * w[2] * (0.3e-3 if w[2] > 2.5e-6 else 0.25e-3 if w[2] > 1e-6 else 0.2e-3)**2 / 16
                   + PVC * math.pi / 64 * (w[1]**4 - (4 * w[2] / (math.pi * 0.78))**2) for w in (a, b)]
            lever = stretching(a) * stretching(b) / (stretching(a) + stretching(b)) * reach**2 / 2
            rows, _ = self.rows(harness([a, b]))
            self.near(rows["bundle"]["bending"][0], sum(own))
            self.near(rows["bundle"]["bending"][1], sum(own) + lever, PACKED)
            # the stiffer one is nearer to the axis, so the softer one gives more
            shares = [rows[f"wire {w[0]}"]["bending"][1] - e for w, e in zip((a, b), own)]
            self.near(shares[0] / shares[1], stretching(b) / stretching(a), 1e-3)  # differences of six digits

    def test_smooth_tube(self):
        """E pi (Da^4 - Di^4) / 64, whether it sticks or not; its pull only where it sticks."""
        for inner, outer in ((6, 8), (7.5, 8.5)):
            text = harness([HALF] * 3, [protection("T", "tube", f"PVC-Schlauch D(i)={inner} D(a)={outer}", 20)], [("T", 0, 1)])
            rows, material = self.rows(text)
            own, pull = pipe(PVC, inner * 1e-3, outer * 1e-3), ring(PVC, inner * 1e-3, outer * 1e-3)
            for k in range(3):
                self.near(rows["tube T"]["bending"][k], own)
            self.assertEqual(rows["tube T"]["stretching"][0], 0)
            self.near(rows["tube T"]["stretching"][1], pull)
            self.near(rows["bundle"]["bending"][2], 3 * bending(HALF) + own)
            self.near(rows["bundle"]["stretching"][1], 3 * stretching(HALF) + pull)
            self.near(material["radius"], outer * 0.5e-3)
            self.near(material["linear_density"], 3 * 6e-3 + 20e-3)
            # a bundle that is wider than the tube widens it, its wall stays
            wide, material = self.rows(text.replace("<Id>trunk</Id>", "<Id>trunk</Id>"), "--protection",
                                       json.dumps({"T": {"inner": 1e-3, "outer": 1e-3 * (1 + outer - inner)}}))
            radius = self.rows(harness([HALF] * 3))[1]["radius"]
            self.near(material["radius"], radius + (outer - inner) * 0.5e-3)
            self.near(wide["tube T"]["bending"][0], pipe(PVC, 2 * radius, 2 * radius + (outer - inner) * 1e-3))

    def test_tape(self):
        """As thick as its mass makes it on what it lies on; a tube where it sticks, else nothing. The area of the file is that of the wires."""
        for mass, across in ((4, 30e-6), (12, 60e-6)):
            inner = 2 * math.sqrt(across / math.pi)
            outer = math.sqrt(inner**2 + 4 * mass * 1e-3 / (1350 * math.pi))
            text = harness([HALF] * 7, [protection("T", "TAPE", "PVC-Folie", mass)], [("T", 0, 1)], across)
            rows, material = self.rows(text)
            self.assertEqual(rows["tape T"]["bending"][0], 0)
            self.near(rows["tape T"]["bending"][1], pipe(PVC, inner, outer))
            self.near(rows["tape T"]["stretching"][1], ring(PVC, inner, outer))
            self.near(material["radius"], outer / 2)
            self.assertEqual(rows["tape T"]["bending"][2], 0)
            # by the table: thickness and modulus, of the kind and, before it, of the part
            table = {"tape": {"thickness": 1e-3, "modulus": 2e8}, "T": {"thickness": 4e-4}}
            rows, material = self.rows(text, "--protection", json.dumps(table))
            self.near(rows["tape T"]["bending"][1], pipe(2e8, inner, inner + 8e-4))
            self.near(material["radius"], inner / 2 + 4e-4)
        # two of them lie one on the other
        text = harness([HALF], [protection("T", "TAPE"), protection("U", "tape")], [("T", 0, 1), ("U", 0, 1)], 30e-6)
        rows, material = self.rows(text, "--protection", '{"T": {"thickness": 3e-4}, "U": {"thickness": 2e-4}}')
        inner = 2 * math.sqrt(30e-6 / math.pi)
        self.near(rows["tape U"]["bending"][1], pipe(PVC, inner + 6e-4, inner + 1e-3))
        self.near(material["radius"], inner / 2 + 5e-4)
        # neither mass nor thickness: it is said
        self.assertTrue(any("0.15 mm are assumed" in n for n in self.convert(text)["notes"]))

    def test_corrugated_tube(self):
        """A bellows whose flanks bend: EA = q E pi D t^3 / (2 w^3), EI = EA D^2 / 8; as thick as the crests."""
        for inner, outer, mass in ((8.3, 13.4, 17), (15.3, 21.6, 33)):
            mean, height, pitch = (inner + outer) * 0.5e-3, (outer - inner) * 0.5e-3, 3e-3
            sheet = mass * 1e-3 / (905 * math.pi * mean * (1 + 2 * height / pitch))
            pull = pitch * POLYPROPYLENE * math.pi * mean * (sheet / (height - sheet))**3 / 2
            text = harness([HALF] * 3, [protection("T", "WELLROHR", f"PP-Wellschlauch D(i)={inner} D(a)={outer}".replace(".", ","), mass)],
                           [("T", 0, 1)])
            rows, material = self.rows(text)
            self.near(rows["corrugated_tube T"]["bending"][0], pull * mean**2 / 8)
            self.near(rows["corrugated_tube T"]["stretching"][1], pull)
            self.near(material["radius"], outer * 0.5e-3)
            # far softer than a smooth wall of the same plastic, and not nothing
            self.assertLess(rows["corrugated_tube T"]["bending"][0], 0.05 * pipe(POLYPROPYLENE, inner * 1e-3, outer * 1e-3))
            sheet, pitch = 4e-4, 2e-3
            pull = pitch * 2e9 * math.pi * mean * (sheet / (height - sheet))**3 / 2
            rows, _ = self.rows(text, "--protection", '{"T": {"thickness": 4e-4, "pitch": 2e-3, "modulus": 2e9}}')
            self.near(rows["corrugated_tube T"]["bending"][2], pull * mean**2 / 8)

    def test_in_series(self):
        """What lies on a part gives way beside it: 1/EI is the mean along the segment. The radius is that of the longer part."""
        tube = protection("T", "tube", "D(i)=6 D(a)=8", 20)
        for end in (0.25, 0.75):
            rows, material = self.rows(harness([HALF] * 3, [tube], [("T", 0, end)]))
            bare, own = 3 * bending(HALF), pipe(PVC, 6e-3, 8e-3)
            self.near(rows["bundle"]["bending"][2], 1 / (end / (bare + own) + (1 - end) / bare))
            self.near(rows["tube T"]["bending"][2], own)
            self.assertEqual((rows["tube T"]["from"] if "from" in rows["tube T"] else 0, rows["tube T"]["to"]), (0, end))
            radius = self.rows(harness([HALF] * 3))[1]["radius"]
            self.near(material["radius"], 4e-3 if end > 0.5 else radius)
            self.near(material["linear_density"], 18e-3 + end * 20e-3)

    def test_bond(self):
        """Between the bounds in proportion; of all, of a kind, of a part, of a bundle, the nearer name first. A tape binds the wires below it."""
        text = harness([HALF] * 6 + [THICK], [protection("T", "tape", "", 8)], [("T", 0, 1)])
        ends, _ = self.rows(text)
        slide, stick = ends["bundle"]["bending"][:2]
        wires = stick - slide - ends["tape T"]["bending"][1]
        for table, wanted in ((0.25, slide + 0.25 * (stick - slide)), ({"wire": 0.25}, slide + 0.25 * wires),
                              ({"tape": 0.5}, slide + 0.5 * (stick - slide)), ({"wire": 0.25, "T": 0.125}, None),
                              ({"s": 1}, stick), ({"trunk": 1, "wire": 0}, stick), ({"tape": 1, "T": 0}, slide)):
            rows, material = self.rows(text, "--bond", json.dumps(table))
            if wanted is None:  # wires a quarter, which is more than their tape's eighth
                wanted = slide + 0.25 * wires + 0.125 * ends["tape T"]["bending"][1]
            self.near(rows["bundle"]["bending"][2], wanted, 2e-5)  # differences of six digits
            self.assertEqual(rows["bundle"]["bending"][:2], ends["bundle"]["bending"][:2])
            self.assertEqual(material["bending_stiffness"], rows["bundle"]["bending"][2])
        # by part: six that stick, and one that slips
        rows, _ = self.rows(text, "--bond", '{"W05": 1}')
        self.assertGreater(rows["wire W05"]["bending"][2], 10 * rows["wire W05"]["bending"][0])
        self.assertEqual(rows["wire W25"]["bending"][2], rows["wire W25"]["bending"][0])
        self.assertEqual(self.rows(text, "--set", "/kbl/bond=0.25"), self.rows(text, "--bond", "0.25"))
        # only where the tape lies
        half = harness([HALF] * 7, [protection("T", "tape", "", 8)], [("T", 0, 0.5)])
        rows, _ = self.rows(half, "--bond", '{"tape": 1}')
        full, _ = self.rows(harness([HALF] * 7, [protection("T", "tape", "", 8)], [("T", 0, 1)]))
        slide, stick = full["bundle"]["bending"][:2]
        self.near(rows["bundle"]["bending"][2], 2 / (1 / slide + 1 / stick), 2e-5)

    def test_measured(self):
        """Of a bundle by its id or what people call it, of a protection by its part number or id: in place of what follows from sizes."""
        text = harness([HALF] * 3, [protection("T", "tape", "", 8)], [("T", 0, 1)])
        for name in ("s", "trunk"):
            rows, material = self.rows(text, "--stiffness", json.dumps({name: [0.02, 3e5]}))
            self.assertEqual((material["bending_stiffness"], material["stretching_stiffness"]), (0.02, 3e5))
            self.assertEqual(rows["bundle"]["bending"][2], 0.02)
            self.near(rows["bundle"]["bending"][0], 3 * bending(HALF))  # the bounds stay to be seen
        for name in ("T", "P_T", "O_T"):
            rows, _ = self.rows(text, "--stiffness", json.dumps({name: 0.005}))
            self.assertEqual(rows["tape T"]["bending"], [0.005] * 3)
            self.near(rows["bundle"]["bending"][2], 3 * bending(HALF) + 0.005)

    def test_said_and_refused(self):
        """What cannot be a tube, is of no known kind or lies nowhere is a note; names and values that are wrong are refused."""
        for protections, areas, words in (
                ([protection("T", "tube", "D(i)=9 D(a)=8", 20)], [("T", 0, 1)], "make no tube"),
                ([protection("T", "shield", "", 20)], [("T", 0, 1)], "its mass only counts"),
                ([protection("T", "tape", "", 20)], [("T", 0.5, 0.5)], "lies nowhere on s"),
                ([protection("T", "WELLROHR", "", 20)], [("T", 0, 1)], "no inner and outer diameter")):
            notes = self.convert(harness([HALF], protections, areas))["notes"]
            self.assertTrue(any(words in note and re.search(r"line \d+", note) for note in notes), (words, notes))
        # what lies on next to nothing is in no row; an area that a million wires would not fill can be read
        tiny, _ = self.rows(harness([HALF], [protection("T", "tape", "", 8)], [("T", 0.5, 0.5000001)]))
        self.assertEqual(set(tiny), {"bundle", "wire W05"})
        text = re.sub(r"<Routing .*?</Routing>", "", harness([HALF], cross_section=20))
        self.assertEqual(self.rows(text)[0]["wire assumed"]["count"], 1000000)
        text = harness([HALF], [protection("T", "tape", "", 8)], [("T", 0, 1)])
        for option, value, said in (("--bond", '{"V": 1}', "/kbl/bond/V: expected wire, tape"), ("--bond", '{"tape": 2}', "/kbl/bond/tape"),
                                    ("--bond", "-1", "/kbl/bond"), ("--bond", '"much"', "/kbl/bond"),
                                    ("--protection", '{"V": {}}', "/kbl/protection/V: expected tape"), ("--protection", "7", "/kbl/protection"),
                                    ("--protection", '{"tape": {"thick": 1}}', "/kbl/protection/tape"),
                                    ("--protection", '{"tape": {"modulus": 0}}', "/kbl/protection/tape/modulus"),
                                    ("--protection", '{"T": {"inner": 0.02, "outer": 0.01}}', "/kbl/protection/T"),
                                    ("--stiffness", '{"V": 1}', "/kbl/stiffness/V")):
            (self.folder / "b.kbl").write_text(text)
            done = self.call("convert", "b.kbl", "b.json", option, value, expect=2)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertFalse((self.folder / "b.json").exists())

    def test_shown(self):
        """convert --bundles prints the table, the report has it as page and data, a scene that was converted keeps it."""
        text = harness([HALF] * 3, [protection("T", "tape", "", 8)], [("T", 0, 0.5)])
        scene = self.convert(text)
        printed = self.call("convert", "a.kbl", "b.json", "--bundles", "-q").stdout
        for words in ("EI sliding", "3 x wire W05", "tape T from 0 to 0.5"):
            self.assertIn(words, printed)
        for name in ("a.kbl", "a.json"):
            self.call("report", name, "-o", "r.json", "-o", "r.html", "--frames", "2", "--device", "native")
            data = json.loads((self.folder / "r.json").read_text())["bundles"]
            self.assertEqual([row["part"] for row in data[0]["rows"]], ["bundle", "wire W05", "tape T"])
            self.assertEqual(data[0]["rows"][0]["bending"], scene["cables"][0]["bundle"][0]["bending"])
            page = (self.folder / "r.html").read_text()
            self.assertIn("<h2>Bundles</h2>", page)
            self.assertIn("tape T from 0 to 0.5", page)
        self.call("report", SCENES / "rope.json", "-o", "r.json", "--frames", "1", "--device", "native")
        self.assertNotIn("bundles", json.loads((self.folder / "r.json").read_text()))
        bad = {**scene, "cables": [{**scene["cables"][0], "bundle": [{"part": "bundle", "bending": [1, 2], "stretching": [1, 1, 1]}]}]}
        (self.folder / "bad.json").write_text(json.dumps(bad))
        self.assertIn("/cables/0/bundle/0/bending", self.call("check", "bad.json", expect=2).stderr)

    def test_vec(self):
        """Through VEC and back the same tubes and tapes, to the last digit."""
        text = harness([HALF] * 3, [protection("T", "tape", "", 8), protection("U", "WELLROHR", "D(i)=8.3 D(a)=13.4", 17),
                                    protection("V", "tube", "D(i)=14 D(a)=15", 20)], [("T", 0, 1), ("U", 0.25, 0.75), ("V", 0.5, 1)])
        scene = self.convert(text)
        self.call("convert", "a.kbl", "a.vec")
        self.call("convert", "a.vec", "b.json")
        other = json.loads((self.folder / "b.json").read_text())
        self.assertEqual(other["cables"][0]["bundle"], scene["cables"][0]["bundle"])
        self.assertEqual(list(other["materials"].values()), list(scene["materials"].values()))

    def stiff(self, file, *options):
        """Bonded, a harness keeps its lengths and gains no energy, and rests."""
        for bond in (0.3, 1):
            done = self.call("run", file, "--device", "native", "--duration", "0.3", "--report", "r.json", "--set", f"/kbl/bond={bond}", *options)
            self.assertNotIn("energy", done.stderr, (file, bond))
            # `direct` keeps lengths to 1e-5 of what a segment moves; harnesses that were measured are within 2e-5
            self.assertLess(json.loads((self.folder / "r.json").read_text())["stretch"]["worst_over_run"], 1e-4)
        self.call("run", file, "--device", "native", "--settle", "--set", "/kbl/bond=1", "-q", *options)

    def test_bonded_keeps_its_lengths(self):
        for resolution in ("0.01", "0.02", "0.04"):
            self.stiff(SCENES / "loom.kbl", "--set", f"/kbl/resolution={resolution}")
        (self.folder / "small.kbl").write_text(harness([HALF] * 7 + [THICK] * 3, [protection("T", "tape", "", 8)], [("T", 0, 1)]))
        for held in ("[\"n0\"]", "[\"n0\",\"n1\"]"):
            self.stiff("small.kbl", "--set", f"/kbl/hold={held}")

    @unittest.skipUnless((SHARED / "data" / "generator.kbl").exists(), "files from the field are not here")
    def test_bonded_from_the_field(self):
        """generator.kbl gained 59 % of what moved with bond 1, as 20 substeps were taken for bundles 230 times as stiff."""
        for name in ("generator.kbl", "movo.kbl"):
            self.stiff(SHARED / "data" / name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
