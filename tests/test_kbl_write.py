"""Harnesses that are written as KBL 2.4: the same scene from what was written, what is lost, what the format asks for, bad input.

usage: test_kbl_write.py PROGRAM SCENES SHARED
"""
import json
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree as tree

import commands

PROGRAM, SCENES, SHARED = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
LOOM = (SCENES / "loom.kbl").read_text()


def by_content(scene):
    """Cables with what their materials say instead of what these are called, which is by ids."""
    return {**scene, "cables": [{**c, "material": scene["materials"][c["material"]]} for c in scene["cables"]], "materials": None, "notes": None}


class Write(commands.Case):
    program = PROGRAM

    def scene(self, file, *options):
        self.call("convert", file, "scene.json", "-q", *options)
        return json.loads((self.folder / "scene.json").read_text())

    def there_and_back(self, file, *formats):
        """Through files of these formats; the last one's root."""
        for k, ending in enumerate(formats):
            self.call("convert", file if k == 0 else f"{k - 1}.{formats[k - 1]}", f"{k}.{ending}", "-q")
        last = f"{len(formats) - 1}.{formats[-1]}"
        for options in ((), ("--as", "wires")):
            self.assertEqual(by_content(self.scene(file, *options)), by_content(self.scene(last, *options)), (file, formats, options))
        return tree.parse(self.folder / last).getroot()

    def test_loom(self):
        for formats in (("kbl",), ("kbl", "kbl"), ("vec", "kbl"), ("kbl", "vec", "kbl")):
            self.there_and_back(SCENES / "loom.kbl", *formats)

    @unittest.skipUnless((SHARED / "data" / "beetle.kbl").exists(), "files from the field are not here")
    def test_from_the_field(self):
        for name in ("generator", "movo", "beetle"):
            for formats in (("kbl",), ("vec", "kbl")):
                self.well_made(self.there_and_back(SHARED / "data" / f"{name}.kbl", *formats))

    def well_made(self, root):
        """Lists in the order of the schema, which goes by the alphabet; ids only once; what is referred to is there."""
        kinds = [child.tag for child in root]
        self.assertEqual(kinds, sorted(kinds))
        ids = [e.get("id") for e in root.iter() if e.get("id")]
        self.assertEqual(len(ids), len(set(ids)))
        for e in root.iter():
            if e.tag in ("Unit_component", "Part", "Start_node", "End_node", "Cartesian_point", "Control_points", "Referenced_components",
                         "Routed_wire", "Segments", "Fixing", "Associated_protection") and len(e) == 0 and e.text and not e.get("id"):
                for word in e.text.split():
                    self.assertIn(word, ids, e.tag)

    def test_well_made(self):
        root = self.there_and_back(SCENES / "loom.kbl", "kbl")
        self.assertEqual(root.tag, "{http://www.prostep.org/Car_electric_container/KBL2.3/KBLSchema}KBL_container")
        self.assertEqual(root.get("version_id"), "2.4 SR-1")
        self.well_made(root)
        self.well_made(self.there_and_back(SCENES / "loom.kbl", "vec", "kbl"))
        self.assertEqual(len(root.findall("Segment")), 12)
        s9 = root.find("Segment[@id='S9']")
        self.assertIsNone(s9.find("Cross_section_area_information"))
        # numbers as people write them: as the file had them
        self.assertEqual(root.find("General_wire[@id='W25']/Outside_diameter/Value_component").text, "3")

    def test_names(self):
        """What is no id of XML stays the name, and the count of such is told; signs that XML escapes go through."""
        self.call("convert", SCENES / "loom.kbl", "a.vec", "-q")
        text = (self.folder / "a.vec").read_text()
        text = text.replace("<Identification>S11</Identification>", "<Identification>S 11 &lt;&amp;&gt; \u00fc</Identification>")
        text = text.replace("<Identification>N3</Identification>", "<Identification>7</Identification>")
        (self.folder / "b.vec").write_text(text)
        done = self.call("convert", "b.vec", "b.kbl")
        self.assertRegex(done.stdout, r"lost: .*: 2 names are no ids of XML")
        root = tree.parse(self.folder / "b.kbl").getroot()
        self.assertIn("S 11 <&> \u00fc", [s.findtext("Id") for s in root.findall("Segment")])
        self.assertIn("7", [n.findtext("Id") for n in root.findall("Node")])
        # a measured stiffness may go by that name
        self.call("convert", "b.kbl", "c.json", "-q", "--stiffness", json.dumps({"S 11 <&> \u00fc": 0.5}))
        self.assertIn(0.5, [m["bending_stiffness"] for m in json.loads((self.folder / "c.json").read_text())["materials"].values()])

    def test_lost(self):
        """A kind a line, with how many; nothing of what is kept."""
        more = LOOM.replace("<Harness ", '<Accessory id="A1"/><Accessory id="A2"/><Harness ')
        (self.folder / "more.kbl").write_text(more)
        connections = LOOM.count("<Connection ")
        cores = LOOM.count("<Core_occurrence ")
        for target in ("a.kbl", "a.vec"):
            lines = self.call("convert", "more.kbl", target).stdout.splitlines()
            self.assertEqual(sorted(lines), sorted(["lost: 2 Accessory", f"lost: {connections} Connection",
                                                    f"lost: {cores} Core (written as wires)", f"lost: {cores} Core_occurrence (written as wires)"]))
            self.assertEqual(self.call("convert", "more.kbl", target, "-q").stdout, "")
        self.assertEqual(self.call("convert", "a.kbl", "b.kbl").stdout, "")  # what was written loses nothing more
        self.assertEqual(self.call("convert", "more.kbl", "a.json").stdout, "lost: 2 Accessory\n")
        self.call("convert", SCENES / "loom.kbl", "b.vec", "-q")
        text = (self.folder / "b.vec").read_text()
        (self.folder / "c.vec").write_text(text.replace('<Specification xsi:type="vec:RoutingSpecification"',
            '<Specification xsi:type="vec:ModuleFamilySpecification" id="s1"/><Specification xsi:type="vec:RoutingSpecification"'))
        # KBL has no place for what the cable of cores that are wires was called; VEC has
        self.assertEqual(self.call("convert", "c.vec", "c.kbl").stdout, f"lost: {cores} AliasId\nlost: 1 ModuleFamilySpecification\n")
        self.assertEqual(self.call("convert", "c.vec", "d.vec").stdout, "lost: 1 ModuleFamilySpecification\n")

    @unittest.skipUnless((SHARED / "data" / "movo.kbl").exists(), "files from the field are not here")
    def test_connections(self):
        """Wires keep colours, numbers, signals and pins, and the harness its parts: the list to cut and that of parts are the same, byte for
        byte, by either format and by both."""
        self.call("convert", SHARED / "data" / "movo.kbl", "movo.kbl", "-q")
        self.call("convert", SHARED / "data" / "movo.kbl", "movo.vec", "-q")
        (self.folder / "two").mkdir()
        self.call("convert", "movo.vec", "two/movo.kbl", "-q")
        lists = []
        for k, file in enumerate((SHARED / "data" / "movo.kbl", "movo.kbl", "movo.vec", "two/movo.kbl")):
            self.call("formboard", file, "-o", f"board{k}/", "-q")
            lists.append([(self.folder / f"board{k}" / f"movo-{name}.csv").read_text() for name in ("cut-list", "parts")])
        self.assertGreater(len(set(row.split(",")[5] for row in lists[0][0].splitlines())), 3)  # colours
        for other in lists[1:]:
            self.assertEqual(lists[0], other)
        for target in ("again.kbl", "again.vec"):
            said = self.call("convert", SHARED / "data" / "movo.kbl", target).stdout
            self.assertIn("lost: 20 Placement\n", said)
            for kept in ("Connection", "Extremities", "Cavity_seal", "Terminal_occurrence", "Slots"):
                self.assertNotIn(kept, said)

    def test_protections(self):
        """Kinds, sizes, masses and places of tapes and tubes, from a description or from VEC."""
        tape = re.search(r'<Wire_protection id="Tape">.*?</Wire_protection>', LOOM, re.S).group(0)
        for kind, text, wanted in (("WELLROHR", "PP D(i)=8,3 D(a)=13.4", ("corrugated_tube", "D(i)=8.3", "D(a)=13.4")),
                                   ("tube", "ID: 4.25 OD: 6", ("tube", "D(i)=4.25", "D(a)=6")), ("TAPE", "Vlies thickness=0.3", ("tape", "thickness=0.3"))):
            part = (f'<Wire_protection id="Tape"><Part_number>P7</Part_number><Description>{text}</Description>'
                    f"<Protection_type>{kind}</Protection_type></Wire_protection>")
            (self.folder / "p.kbl").write_text(LOOM.replace(tape, part).replace("<End_location>1<", "<End_location>0.625<"))
            for formats in (("kbl",), ("vec", "kbl")):
                written = self.there_and_back("p.kbl", *formats).find("Wire_protection")
                self.assertEqual(written.findtext("Protection_type"), wanted[0])
                self.assertEqual(written.findtext("Part_number"), "P7")
                for words in wanted[1:]:
                    name, value = words.split("=")
                    found = re.search(re.escape(name) + r"=([\d.]+)", written.findtext("Type_dependent_parameter")).group(1)
                    self.assertAlmostEqual(float(found), float(value), delta=1e-9)  # mm, of which twelve digits are written

    def test_bad_input(self):
        """One line with the file, and the line where there is one; nothing is written."""
        (self.folder / "scene.json").write_text((SCENES / "rope.json").read_text())
        (self.folder / "loom.kbl").write_text(LOOM)
        (self.folder / "broken.kbl").write_text(LOOM[:5000])
        (self.folder / "other.kbl").write_text("<root/>")
        (self.folder / "typed.kbl").write_text('<!DOCTYPE a [<!ENTITY b "c">]>' + LOOM.split("?>", 1)[1])
        for words, code, said in ((("broken.kbl", "a.kbl"), 2, r"broken.kbl: line \d+: broken XML"), (("other.kbl", "a.kbl"), 2, r"other.kbl: line 1: expected"),
                                  (("typed.kbl", "a.kbl"), 2, "document type"), (("none.kbl", "a.kbl"), 1, "none.kbl: cannot read it"),
                                  (("scene.json", "a.kbl"), 2, "a scene is no harness"), (("loom.kbl", "a.kbl", "--bond", "1"), 2, "expected none for a harness"),
                                  (("loom.kbl", "no/a.kbl"), 1, "no/a.kbl: cannot write it")):
            done = self.call("convert", *words, expect=code)
            self.assertRegex(done.stderr, said)
            self.assertEqual((done.stderr.count("\n"), done.stdout), (1, ""), done.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["broken.kbl", "loom.kbl", "other.kbl", "scene.json", "typed.kbl"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
