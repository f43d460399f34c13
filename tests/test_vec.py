"""VEC files as scenes. A harness of our own is written as VEC 2.1 by `clcable convert` and read again; what other programs write otherwise
(version 1.1.3, other units, turned blocks, reversed segments, NURBS with knots, cables with cores) is made of it here.

usage: test_vec.py PROGRAM SCENES
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SCENES = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
WRITTEN = 1.01e-6  # m; places are written as micrometres




def points(text, change):
    """Coordinates of all points, changed."""
    def one(match):
        x = change([float(match.group(k)) for k in (2, 3, 4)])
        return f"{match.group(1)}<X>{x[0]:.17g}</X><Y>{x[1]:.17g}</Y><Z>{x[2]:.17g}</Z>"
    return re.sub(r"(<CartesianPoint id=\"[^\"]*\">)<X>([^<]*)</X><Y>([^<]*)</Y><Z>([^<]*)</Z>", one, text)


def by_content(scene):
    """Cables with what their materials say instead of what these are called."""
    cables = [{**c, "material": scene["materials"][c["material"]]} for c in scene["cables"]]
    return {**scene, "cables": cables, "materials": None}


class Vec(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="clcable-vec-")
        self.addCleanup(home.cleanup)
        self.folder = pathlib.Path(home.name)
        self.call("convert", SCENES / "loom.kbl", "loom.vec")
        self.loom = (self.folder / "loom.vec").read_text()

    def call(self, *words, expect=0):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=300)
        self.assertEqual(done.returncode, expect, f"{words}: {done.stdout}{done.stderr}")
        return done

    def scene(self, text, *options):
        (self.folder / "a.vec").write_text(text)
        self.call("convert", "a.vec", "a.json", *options)
        return json.loads((self.folder / "a.json").read_text())

    def of_kbl(self, *options):
        self.call("convert", SCENES / "loom.kbl", "kbl.json", *options)
        return json.loads((self.folder / "kbl.json").read_text())

    def replaced(self, text, *pairs):
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def same(self, scene, other):
        """The same but for what is rounded: numbers within a micrometre, or a millionth."""
        if isinstance(scene, dict):
            self.assertEqual(set(scene) - {"notes"}, set(other) - {"notes"})
            for key in set(scene) - {"notes"}:
                self.same(scene[key], other[key])
        elif isinstance(scene, list):
            self.assertEqual(len(scene), len(other))
            for a, b in zip(scene, other):
                self.same(a, b)
        elif isinstance(scene, float) and isinstance(other, (float, int)):
            self.assertLessEqual(abs(scene - other), max(2 * WRITTEN, 2e-6 * abs(other)), (scene, other))
        else:
            self.assertEqual(scene, other)

    def test_there_and_back(self):
        """KBL, VEC, scene is KBL, scene: to the last digit, and the scene runs."""
        for options in ((), ("--as", "wires")):
            scene, other = self.scene(self.loom, *options), self.of_kbl(*options)
            scene.pop("notes"), other.pop("notes")
            self.assertEqual(by_content(scene), by_content(other))  # VEC knows parts by their numbers, KBL by ids too
        self.call("run", "loom.vec", "--frames", 2, "--device", "native", "-q")
        self.assertIn("ok", self.call("check", "loom.vec", "--set", "/kbl/resolution=0.03").stdout)
        self.call("convert", "loom.vec", "again.vec")
        again = self.scene((self.folder / "again.vec").read_text(), "--as", "wires")
        again.pop("notes")
        self.assertEqual(again, scene)

    def test_said(self):
        """What of a file goes nowhere is counted, for a scene and for a harness; options of scenes are refused for harnesses."""
        text = (SCENES / "loom.kbl").read_text()
        (self.folder / "more.kbl").write_text(self.replaced(text, ("<Harness ", '<Accessory id="A1"/><Accessory id="A2"/><Harness ')))
        for target in ("more.vec", "more.json"):
            self.assertIn("harness: not taken over: 2 Accessory\n", self.call("convert", "more.kbl", target, "--verbose").stderr)
        self.assertNotIn("not taken over", self.call("convert", SCENES / "loom.kbl", "b.vec", "--verbose").stderr)
        for options in (("--as", "wires"), ("--set", "/time/substeps=3")):
            self.assertIn("expected none for a harness", self.call("convert", "more.kbl", "c.vec", *options, expect=2).stderr)
            self.assertFalse((self.folder / "c.vec").exists())

    def test_version_1(self):
        """VEC 1.1.3 has B-splines with lists of points, and one kind of role for tapes and tubes."""
        def curve(match):
            ids = " ".join(re.findall(r"<CartesianPoint3D>([^<]*)<", match.group(0)))
            degree = re.search(r"<Degree>(\d+)<", match.group(0)).group(1)
            return f'<BSplineCurve id="{match.group(1)}"><Degree>{degree}</Degree><ControlPoint>{ids}</ControlPoint></BSplineCurve>'
        text = re.sub(r'<Curve xsi:type="vec:NURBSCurve" id="([^"]*)">.*?</Curve>', curve, self.loom, flags=re.S)
        text = self.replaced(text, ("<VecVersion>2.1.0", "<VecVersion>1.1.3"), ("vec:TapeRole", "vec:WireProtectionRole"))
        self.assertNotIn("NURBS", text)
        scene, other = self.scene(text), self.of_kbl()
        scene.pop("notes"), other.pop("notes")
        self.assertEqual(scene, other)

    def test_units(self):
        """Millimetres by prefix and by a unit of one's own, square millimetres by exponent, grams per metre as a product."""
        milli = '<SiUnitName>Metre</SiUnitName><SiPrefix>Milli</SiPrefix>'
        text = self.replaced(
            points(self.loom, lambda x: [1000 * c for c in x]),
            ("<BaseUnit>metre<", "<BaseUnit>mm<"),
            ('<Unit xsi:type="vec:SIUnit" id="metre">', f'<Unit xsi:type="vec:SIUnit" id="mm">{milli}</Unit>'
             f'<Unit xsi:type="vec:SIUnit" id="mm2"><Exponent>2</Exponent>{milli}</Unit>'
             '<Unit xsi:type="vec:SIUnit" id="g"><SiUnitName>Gram</SiUnitName></Unit>'
             '<Unit xsi:type="vec:CompositeUnit" id="gpm"><Factors>g per_metre</Factors></Unit>'
             '<Unit xsi:type="vec:SIUnit" id="metre">'))
        for unit, other, factor in (("metre", "mm", 1e3), ("square_metre", "mm2", 1e6), ("kilogram_per_metre", "gpm", 1e3)):
            text = re.sub(rf"<UnitComponent>{unit}</UnitComponent><ValueComponent>([^<]*)<",
                          lambda m: f"<UnitComponent>{other}</UnitComponent><ValueComponent>{float(m.group(1)) * factor:.17g}<", text)
        self.assertNotIn("<UnitComponent>metre<", text)
        self.same(self.scene(text), self.of_kbl())
        strange = self.replaced(text, ('id="mm">' + milli, 'id="mm"><SiUnitName>Second</SiUnitName>'))
        self.assertTrue(any("mm: an unknown unit" in note or "counts as missing" in note for note in self.scene(strange)["notes"]))

    def test_positioned_block(self):
        """A block whose coordinates are those of another frame is turned and shifted as HarnessGeometrySpecification3D says."""
        c, s, shift = math.cos(0.7), math.sin(0.7), (1.5, -0.25, 0.75)  # x' = A x + shift; here the inverse
        def back(x):
            x = [a - b for a, b in zip(x, shift)]
            return [c * x[0] + s * x[1], -s * x[0] + c * x[1], x[2]]
        def turned(match):
            x = [float(match.group(k)) for k in (2, 3, 4)]
            x = [c * x[0] + s * x[1], -s * x[0] + c * x[1], x[2]]
            return f"{match.group(1)}<X>{x[0]:.17g}</X><Y>{x[1]:.17g}</Y><Z>{x[2]:.17g}</Z>"
        text = points(self.loom, back)
        text = re.sub(r'(<(?:Start|End)Vector id="[^"]*">)<X>([^<]*)</X><Y>([^<]*)</Y><Z>([^<]*)</Z>', turned, text)
        entries = "".join(f"<A{i + 1}{k + 1}>{v:.17g}</A{i + 1}{k + 1}>" for i, row in enumerate(((c, -s, 0), (s, c, 0), (0, 0, 1)))
                          for k, v in enumerate(row))
        origin = "".join(f"<{axis}>{v}</{axis}>" for axis, v in zip("XYZ", shift))
        text = self.replaced(text, ('<Specification xsi:type="vec:PlacementSpecification"',
                                    '<Specification xsi:type="vec:HarnessGeometrySpecification3D" id="h"><Identification>h</Identification>'
                                    '<Type>Developed</Type><BuildingBlockPositionings id="p"><Referenced3DBuildingBlock>geometry'
                                    f'</Referenced3DBuildingBlock><Positioning id="t">{entries}<Origin>origin</Origin></Positioning>'
                                    '</BuildingBlockPositionings></Specification>\n'
                                    '    <Specification xsi:type="vec:PlacementSpecification"'),
                             ("<BaseUnit>metre</BaseUnit>", f'<BaseUnit>metre</BaseUnit><CartesianPoint id="origin">{origin}</CartesianPoint>'))
        self.same(self.scene(text), self.of_kbl())

    def test_reversed_geometry(self):
        """A segment may be drawn the other way round than it is in the topology."""
        def turn(match):
            text = match.group(0)
            vectors = {name: [-float(v) for v in re.search(rf"<{name}[^>]*><X>([^<]*)</X><Y>([^<]*)</Y><Z>([^<]*)", text).groups()]
                       for name in ("StartVector", "EndVector")}
            for name, other in (("StartVector", "EndVector"), ("EndVector", "StartVector")):
                x, y, z = vectors[other]
                text = re.sub(rf"(<{name}[^>]*>)<X>.*?</Z>", rf"\g<1><X>{x!r}</X><Y>{y!r}</Y><Z>{z!r}</Z>", text)
            start, end = (re.search(rf"<{n}Node>([^<]*)<", text).group(1) for n in ("Start", "End"))
            text = text.replace(f"<EndNode>{end}<", f"<EndNode>{start}<").replace(f"<StartNode>{start}<", f"<StartNode>{end}<")
            curves = re.findall(r"<Curve.*?</Curve>", text, flags=re.S)
            if not curves:
                return text
            head = text[:text.index("<Curve")]
            def flip(curve):
                control = re.findall(r"<ControlPoint.*?</ControlPoint>", curve, flags=re.S)
                return curve[:curve.index("<ControlPoint")] + "".join(reversed(control)) + "</Curve>"
            return head + "".join(flip(curve) for curve in reversed(curves)) + "</GeometrySegment>"
        text, count = re.subn(r"<GeometrySegment .*?</GeometrySegment>", turn, self.loom, flags=re.S)
        self.assertEqual(count, 12)
        self.same(self.scene(text), self.of_kbl())

    def test_rational_curve(self):
        """A quarter of a circle as NURBS with knots and weights is drawn as one."""
        centre, r, w = (0.6, 0.0, 0.62), 0.3, math.sqrt(0.5)
        place = {i: tuple(map(float, re.search(rf'id="place_{i}_0_0"><X>([^<]*)</X><Y>([^<]*)</Y><Z>([^<]*)<', self.loom).groups()))
                 for i in range(13)}
        segment = re.search(r'<TopologySegment id="segment_(\d+)"><Identification>S4</Identification>'
                            r'<EndNode>node_(\d+)</EndNode><StartNode>node_(\d+)<', self.loom)
        s, end, start = map(int, segment.groups())
        a = place[start]
        control = [a, (a[0] + r, a[1], a[2]), (a[0] + r, a[1] + r, a[2])]
        text = points(self.loom, lambda x: control[2] if tuple(x) == place[end] else x)
        extra = "".join(f'<CartesianPoint id="quarter_{k}"><X>{p[0]:.17g}</X><Y>{p[1]:.17g}</Y><Z>{p[2]:.17g}</Z></CartesianPoint>'
                        for k, p in enumerate(control))
        curve = ('<Curve xsi:type="vec:NURBSCurve" id="quarter"><Degree>2</Degree>' + "".join(f"<Knots>{k}</Knots>" for k in (0, 0, 0, 1, 1, 1)) +
                 "".join(f'<ControlPoint id="q{k}"><Weight>{v:.17g}</Weight><CartesianPoint3D>quarter_{k}</CartesianPoint3D></ControlPoint>'
                         for k, v in enumerate((1, w, 1))) + "</Curve>")
        text = text.replace("<BaseUnit>metre</BaseUnit>", "<BaseUnit>metre</BaseUnit>" + extra)
        text = re.sub(rf'(<GeometrySegment id="segment3d_{s}">.*?</StartNode>).*?</GeometrySegment>', rf"\1{curve}</GeometrySegment>", text,
                      flags=re.S)
        text = re.sub(rf'(<LengthInformation id="length_{s}">.*?<ValueComponent>)[^<]*', rf"\g<1>{math.pi / 2 * r:.17g}", text, flags=re.S)
        scene = self.scene(text)
        cable, = (c for c in scene["cables"] if c["name"] == "S4")
        self.assertGreater(len(cable["path"]), 8)
        for x, y, z in cable["path"]:
            self.assertAlmostEqual(math.dist((x, y, z), (a[0], a[1] + r, a[2])), r, delta=2 * WRITTEN)
        self.assertFalse([note for note in scene["notes"] if "S4" in note or "quarter" in note])

    def test_cable_with_cores(self):
        """A sheath is no wire: its cores share the cable's mass, and the route of the whole is theirs."""
        role = re.search(r'<WireElementReference id="(reference_\d+)">.*?</WireElementReference>', self.loom, flags=re.S)
        core = lambda k: (f'<WireElementReference id="core_ref_{k}"><Identification>core {k}</Identification>'
                          f'<ReferencedWireElement>inner_{k}</ReferencedWireElement></WireElementReference>')
        element = re.search(r"<ReferencedWireElement>(element_\d+)<", role.group(0)).group(1)
        about = re.search(rf'<WireElement id="{element}"><Identification>1</Identification>'
                          r"<WireElementSpecification>([^<]*)</WireElementSpecification></WireElement>", self.loom)
        inner = "".join(f'<SubWireElement id="inner_{k}"><Identification>{k}</Identification>'
                        f"<WireElementSpecification>{about.group(1)}</WireElementSpecification></SubWireElement>" for k in (1, 2, 3))
        text = self.replaced(self.loom, (role.group(0), role.group(0) + core(1) + core(2) + core(3)),
                             (about.group(0), about.group(0).replace("</WireElement>", inner + "</WireElement>")))
        before, after = self.scene(self.loom, "--as", "wires"), self.scene(text, "--as", "wires")
        names = lambda scene: {c["name"] for c in scene["cables"]}
        gone, = names(before) - names(after)
        self.assertEqual(names(after) - names(before), {f"{gone}.core {k}" for k in (1, 2, 3)})
        cable = lambda scene, name: next(c for c in scene["cables"] if c["name"] == name)
        mass = lambda scene, name: scene["materials"][cable(scene, name)["material"]]["linear_density"]
        self.assertAlmostEqual(3 * mass(after, f"{gone}.core 2"), mass(before, gone), delta=1e-7)

    def test_names_that_are_not_unique(self):
        """Two segments of the same name are called by their ids, so that both can be cables."""
        text = self.replaced(self.loom, ("<Identification>S3</Identification><EndNode>", "<Identification>S2</Identification><EndNode>"))
        ids = {m.group(1) for m in re.finditer(r'<TopologySegment id="([^"]*)"><Identification>S2<', text)}
        names = {c["name"] for c in self.scene(text)["cables"]}
        self.assertEqual(len(ids), 2)
        self.assertEqual(names & (ids | {"S2", "S3"}), ids)
        self.assertEqual(len(names), 12)

    def test_what_is_placed(self):
        """A fixing counted from the end, a splice that hangs, a terminal that holds, what has no connector."""
        offset = re.search(r'<Offset id="fixing_Location_offset_1">.*?<ValueComponent>([^<]*)<.*?<ReferencedSegment>(segment_\d+)<',
                           self.loom, flags=re.S)
        length = float(re.search(rf'id="{offset.group(2)}">.*?<Length id.*?<ValueComponent>([^<]*)<', self.loom, flags=re.S).group(1))
        text = self.loom.replace(offset.group(0), self.replaced(
            offset.group(0), (f">{offset.group(1)}<", f">{length - float(offset.group(1)):.17g}<"), ("FromStartNode", "FromEndNode")))
        self.assertNotEqual(text, self.loom)
        self.same(self.scene(text), self.of_kbl())
        # the connector of a node becomes a terminal, then a splice
        connector = re.search(r'<Component id="(connector_\d+)"><Identification>X N5</Identification>.*?</Component>', self.loom, flags=re.S)
        part, = re.findall(r"<ConnectorHousingSpecification>connector_specification_(\d+)<", connector.group(0))
        as_terminal = self.replaced(connector.group(0), ("vec:ConnectorHousingRole", "vec:TerminalRole"),
                                    (f"<ConnectorHousingSpecification>connector_specification_{part}</ConnectorHousingSpecification>",
                                     f"<TerminalSpecification>connector_specification_{part}</TerminalSpecification>"))
        text = self.loom.replace(connector.group(0), as_terminal)
        ends = lambda scene: [a for a in scene["attachments"] if a["cable"] == "S4" and a["at"] == "end"]
        self.assertEqual(ends(self.scene(text)), [{"cable": "S4", "at": "end", "to": "here", "clamp": True}])
        about = f'xsi:type="vec:ConnectorHousingSpecification" id="connector_specification_{part}"'
        spliced = self.replaced(text, (about, about.replace("ConnectorHousing", "SpliceTerminal")))
        # the role's own type tells it, too, and an end of a wire that is open holds nothing
        for changed in (spliced, *(self.replaced(text, ("vec:TerminalRole", f"vec:{kind}TerminalRole")) for kind in ("Splice", "OpenWireEnd"))):
            self.assertEqual(ends(self.scene(changed)), [])
        for kind in ("Ring", "Bolt", "Pluggable"):
            scene = self.scene(self.replaced(text, ("vec:TerminalRole", f"vec:{kind}TerminalRole")))
            self.assertEqual(ends(scene), [{"cable": "S4", "at": "end", "to": "here", "clamp": True}])
        scene = self.scene(spliced)
        self.assertNotIn("X N5", {c["name"] for c in scene["connectors"]})

    def test_what_is_no_vec(self):
        for text, said in ((self.loom.replace("2.1.0", "3.0.0"), "line 2: expected VEC 1.1, 1.2 or 2, got VecVersion \"3.0.0\""),
                           ("<VecContent><VecVersion>2.0.0</VecVersion></VecContent>", "no TopologySegment in it"),
                           ("<a/>", "expected the element KBL_container or VecContent"),
                           (re.sub(r"<X>[^<]*", "<X>no", self.loom), "no segment can be a cable"),
                           (self.loom[:5000], "broken XML")):
            (self.folder / "bad.vec").write_text(text)
            done = self.call("convert", "bad.vec", "bad.json", expect=2)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertFalse((self.folder / "bad.json").exists())
        self.call("convert", "loom.vec", "loom.json")
        for source, target in (("loom.json", "b.vec"), ("loom.json", "b.kbl")):
            self.assertIn("expected a name that ends in .json", self.call("convert", source, target, expect=2).stderr)


if __name__ == "__main__":
    del sys.argv[1:3]
    unittest.main()
