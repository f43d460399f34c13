"""What VEC files tell beside shapes: colours, numbers, signals, pins, parts, in every version; what of it goes into KBL, VEC and scenes, and
what is lost; files that contradict themselves or break off.

usage: test_vec_contents.py PROGRAM
"""
import csv
import json
import pathlib
import re
import sys
import unittest

import commands
import vec_files

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
# id: number, cable, part, colours, signal, from, pin, to, pin, length mm
WIRES = {
    "W1": ("101", "", "P-W", "BK/RD", "KL30", "X1", "1", "X2", "2", 705),
    "W2": ("102", "", "P-W", "BK/RD", "signal 31", "X1", "2", "M1", "", 706),
    "W3": ("103", "", "P-W", "BK/RD", "", "BOX", "F1", "X2", "3", 707),
    "K1.a": ("a", "K1", "P-K", "WH/BU/GN", "", "X1", "3", "SP1", "Left", 401),
    "K1.b": ("b", "K1", "P-K", "YE", "", "X1", "3", "ECU", "7", 402),
}
PARTS = {("connector", "P-X", "a housing for three"): 2, ("terminal", "P-M", "M6"): 1, ("splice", "P-S", ""): 1, ("box", "P-B", ""): 1,
         ("seal", "P-L", ""): 1, ("component", "P-U", ""): 1, ("fixing", "P-F", ""): 1, ("protection", "P-T", ""): 1,
         ("wire", "P-W", ""): 3, ("cable", "P-K", ""): 1}


class Contents(commands.Case):
    program = PROGRAM

    def file(self, text, name="a.vec"):
        (self.folder / name).write_text(text)
        return name

    def lists(self, name):
        self.call("formboard", name, "-o", "board/", "-q")
        stem = pathlib.Path(name).stem
        wires, parts = ([*csv.DictReader((self.folder / f"board/{stem}-{k}.csv").read_text().splitlines())] for k in ("cut-list", "parts"))
        keys = ("number", "cable", "part_number", "colour", "signal", "from", "from_pin", "to", "to_pin")
        return ({w["id"]: (*(w[k] for k in keys), float(w["length_in_file_mm"])) for w in wires},
                {(p["kind"], p["part_number"], p["description"]): int(p["count"]) for p in parts if p["count"]})

    def scene(self, name, *options):
        self.call("convert", name, "scene.json", "-q", *options)
        scene = json.loads((self.folder / "scene.json").read_text())
        return {**scene, "notes": None}

    def replaced(self, text, *pairs):
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def test_versions(self):
        """The same harness from each version: its lists, and its scene."""
        scenes = []
        for version in vec_files.VERSIONS:
            name = self.file(vec_files.small(version))
            wires, parts = self.lists(name)
            self.assertEqual(wires, WIRES, version)
            self.assertEqual(parts, PARTS, version)
            scenes.append([self.scene(name, *options) for options in ((), ("--as", "wires"))])
            self.assertEqual(scenes[-1], scenes[0], version)
        kinds = {c["name"] for c in scenes[0][0]["clips"]}, {c["name"] for c in scenes[0][0]["connectors"]}
        self.assertEqual(kinds, ({"F1"}, {"X1", "X2"}))
        ends = [(a["cable"], a["at"]) for a in scenes[0][0]["attachments"] if a["to"] == "here"]
        self.assertEqual(ends, [("S3", "end")])  # the ring terminal holds, the splice does not

    def test_through(self):
        """Into VEC all goes but ends that are only planned; into KBL neither those, nor ends in terminals without a housing, nor cables."""
        for version in vec_files.VERSIONS:
            name = self.file(vec_files.small(version))
            self.call("convert", name, "b.vec", "-q")
            self.call("convert", "b.vec", "c.vec", "-q")
            self.call("convert", name, "d.kbl", "-q")
            for other in ("b.vec", "c.vec"):
                wires, parts = self.lists(other)
                self.assertEqual(wires, {**WIRES, "K1.b": (*WIRES["K1.b"][:7], "", "", 402)}, version)
                self.assertEqual(parts, PARTS, version)
            wires, parts = self.lists("d.kbl")
            for key, row in wires.items():
                self.assertEqual(row[3], WIRES[key][3], version)
                if key not in ("W2", "K1.b"):
                    self.assertEqual((row[0], *row[4:]), (WIRES[key][0], *WIRES[key][4:]), version)
            cores = {("wire", "P-K", ""): 2, ("cable", "P-K", ""): 0}
            self.assertEqual({**parts, ("cable", "P-K", ""): 0}, {**PARTS, **cores}, version)

    def test_lost(self):
        """What a file has and the other one has not is told, by kind."""
        name = self.file(vec_files.small("2.1.0"))
        said = self.call("convert", name, "b.vec").stdout.splitlines()
        for kept in ("ContactPoint", "CavityMounting", "WireMounting", "WireMountingDetail", "Signal", "SignalSpecification", "BaseColor",
                     "FirstIdentificationColor", "SecondIdentificationColor", "InsulationSpecification", "HousingComponentRef",
                     "ContactingSpecification", "CavitySealRole"):
            self.assertFalse([line for line in said if line.endswith(f" {kept}")], said)
        for lost in ("1 CavityReference", "1 Connection", "2 ConnectionEnd", "1 ComponentNode", "2 ComponentPort", "1 FuseSpecification", "2 SubWireElement"):
            self.assertIn(f"lost: {lost}", said)
        said = self.call("convert", name, "b.kbl").stdout.splitlines()
        for lost in ("2 ContactPoint", "2 WireMounting", "1 Signal", "1 Connection"):  # of the wire to the ring terminal, and with it the signal
            self.assertIn(f"lost: {lost}", said)
        self.assertFalse([line for line in said if "Color" in line], said)
        self.assertEqual(self.call("convert", name, "b.json").stdout, "lost: 1 CavitySealSpecification\n")
        # and none of it when what was written is written again
        self.assertEqual(self.call("convert", "b.vec", "c.vec").stdout, "")

    def test_colours(self):
        """Keys as they are; what reference system they seem to be of is written."""
        text = vec_files.small("2.1.0")
        text = self.replaced(text, ("<Key>YE</Key>", "<Key>#FFD700</Key>"), ("<Key>GN</Key>", "<Key>RAL 6018</Key>"), ("<Key>BU</Key>", "<Key>bl&amp;&lt;</Key>"))
        self.call("convert", self.file(text), "b.vec", "-q")
        self.assertEqual([row[3] for row in self.lists("b.vec")[0].values()], ["BK/RD"] * 3 + ["WH/bl&</RAL 6018", "#FFD700"])
        written = (self.folder / "b.vec").read_text()
        systems = dict(re.findall("<Key>([^<]*)</Key><ReferenceSystem>([^<]*)<", written))
        self.assertEqual(systems, {"BK": "IEC 60757", "RD": "IEC 60757", "WH": "IEC 60757", "bl&amp;&lt;": "unknown", "RAL 6018": "RAL", "#FFD700": "RGB"})

    def test_what_is_missing(self):
        """References that lead nowhere, a unit of another kind, an id twice: a note with line and id each; the rest is read."""
        good = vec_files.small("2.1.0")
        for change, note, wires in (
                (("<EquippedCavityRef>X1_1<", "<EquippedCavityRef>X1_9<"), r"line \d+: k1: a contact point without a cavity or terminal of the harness",
                 {"W1": (*WIRES["W1"][:5], "", "", "X2", "2", 705)}),
                (("<MountedTerminal>M1_role<", "<MountedTerminal>nobody<"), r"line \d+: k4: a contact point without", {"W2": (*WIRES["W2"][:7], "", "", 706)}),
                (("<ReferencedWireEnd>W1_1<", "<ReferencedWireEnd>W1_2<"), r"line \d+: k2: W1_2 is no end of a wire of the harness",
                 {"W1": (*WIRES["W1"][:7], "", "", 705)}),
                (("<ReferencedCavity>cavity_2<", "<ReferencedCavity>X1<"), None, {"W1": (*WIRES["W1"][:8], "", 705), "W2": (*WIRES["W2"][:6], "", "M1", "", 706)}),
                (("<Signal>s30<", "<Signal>s99<"), None, {"W1": (*WIRES["W1"][:4], "", *WIRES["W1"][5:])}),
                (("<InsulationSpecification>single_insulation<", "<InsulationSpecification>none<"), None,
                 {k: (*WIRES[k][:3], "", *WIRES[k][4:]) for k in ("W1", "W2", "W3")}),
                (('<Cavity id="cavity_3"', '<Cavity id="cavity_2"'), r"line \d+: cavity_2: this id stands in the file more than once",
                 {"W3": (*WIRES["W3"][:8], "", 707), "K1.a": (*WIRES["K1.a"][:6], "", "SP1", "Left", 401), "K1.b": (*WIRES["K1.b"][:6], "", "ECU", "7", 402)}),
                (('<Unit xsi:type="vec:SIUnit" id="mm2"><Exponent>2<', '<Unit xsi:type="vec:SIUnit" id="mm2"><Exponent>3<'),
                 "CrossSectionArea has a unit of another kind than square millimetres", {}),
                (("<VecVersion>2.1.0<", "<VecVersion>2.7.1<"), "VecVersion 2.7.1 is not known; it is read as VEC 2.2", {})):
            name = self.file(self.replaced(good, change))
            self.assertEqual(self.lists(name)[0], {**WIRES, **wires}, change)
            if note:
                done = self.call("convert", name, "b.vec", "--verbose")
                self.assertRegex(done.stdout + done.stderr, note)
            self.call("convert", name, "b.kbl", "-q")
            self.lists("b.kbl")

    def test_what_is_no_vec(self):
        """One line, exit code 2, and nothing written: files that break off anywhere, versions that are none."""
        text = vec_files.small("1.1.3")
        self.file(text)
        cut = [text[: len(text) * k // 40] for k in range(40)]
        versions = [self.replaced(text, ("1.1.3", version)) for version in ("1.0.0", "3.0.0", "1.10.1", "21", "two")]
        for bad in cut + versions:
            for target in ("b.json", "b.kbl", "b.vec"):
                done = self.call("convert", self.file(bad, "bad.vec"), target, expect=2)
                self.assertRegex(done.stderr, r"bad.vec: line \d+: (broken XML|expected VEC 1.1, 1.2 or 2, got VecVersion)")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"a.vec", "bad.vec"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
