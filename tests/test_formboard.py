"""Harnesses on a board: lengths are true in every format, nothing crosses, pages cover the board, lists say what the harness file says.

usage: test_formboard.py PROGRAM SCENES SHARED

Harnesses are scenes/loom.kbl, trees that are made here, and files from the field in SHARED/data, without which their tests are skipped.
"""
import csv
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

from boards import CENT, LAYERS, MADE, SVG, TRUE, Harness, Pdf, comb, crossings, harness, least_angle, length_of, read_dxf, read_svg

PROGRAM, SCENES, SHARED = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
FIELD = [SHARED / "data" / f"{name}.kbl" for name in ("generator", "movo", "beetle")]


class Case(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory(prefix="clcable-board-")
        self.addCleanup(self.home.cleanup)
        self.folder = pathlib.Path(self.home.name)

    def call(self, *words, expect=0):
        done = subprocess.run([PROGRAM, "formboard", *map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=100)
        self.assertEqual(done.returncode, expect, f"{words}: {done.stdout}{done.stderr}")
        if expect:
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"\Aclcable: [^\n]+\n\Z")
        return done

    def refuse(self, part, *words, expect=2):
        before = sorted(self.folder.rglob("*"))
        self.assertIn(part, self.call(*words, expect=expect).stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def make(self, name, edges, *options, wires=()):
        (self.folder / f"{name}.kbl").write_text(harness(edges, wires, name))
        return self.board(self.folder / f"{name}.kbl", *options)

    def board(self, file, *options):
        """Writes all that there is: what was said, the segments' lines, the sheet's size."""
        said = self.call(file, "-o", "out/", *options).stdout
        lines, size = read_svg(self.folder / f"out/{file.stem}.svg")
        return said, lines, size

    def check_lengths(self, file, lines):
        """In SVG and DXF alike."""
        said = Harness(file).length
        drawn, layers = read_dxf(self.folder / f"out/{file.stem}.dxf")
        self.assertEqual(set(lines), set(said))
        self.assertEqual(set(drawn), set(said))
        self.assertLessEqual(layers, LAYERS)
        for segment, mm in said.items():
            self.assertAlmostEqual(length_of(lines[segment]), mm, delta=TRUE, msg=segment)
            self.assertAlmostEqual(length_of(drawn[segment]), mm, delta=TRUE, msg=segment)

    def check_ends(self, file, lines):
        """Segments that share a node meet there."""
        places = {}
        for segment in Harness(file).root.iter("Segment"):
            points = lines[segment.get("id")]
            for node, point in ((segment.findtext("Start_node"), points[0]), (segment.findtext("End_node"), points[-1])):
                self.assertLess(math.dist(places.setdefault(node, point), point), TRUE, node)


class Drawn(Case):
    def check(self, file, *options):
        said, lines, size = self.board(file, *options)
        self.check_lengths(file, lines)
        self.check_ends(file, lines)
        self.assertIn(" 0 crossings", said)
        self.assertEqual(crossings(lines), 0)
        self.assertGreater(least_angle(lines), 14.9)  # directions are multiples of 15 degrees
        for x, y in (point for points in lines.values() for point in points):
            self.assertTrue(8 < x < size[0] - 8 and 8 < y < size[1] - 8)  # inside the frame
        return said, lines, size

    def test_loom(self):
        said, lines, _ = self.check(SCENES / "loom.kbl")
        self.assertIn("12 segments, 24 wires", said)
        trunk = [lines[name] for name in ("S1", "S2", "S3", "S10", "S11")]  # its longest path, reckoned by hand
        self.assertEqual({round(y, 2) for points in trunk for _, y in points}, {round(trunk[0][0][1], 2)})

    def test_picture_of_the_page(self):
        """docs/images/formboard.svg is what the program draws now. Other processors may round the third decimal another way."""
        picture = SCENES.parent / "docs/images/formboard.svg"
        if not picture.exists():
            self.skipTest("no docs here")
        _, lines, size = self.board(SCENES / "loom.kbl")
        shown, shown_size = read_svg(picture)
        self.assertEqual(size, shown_size)
        self.assertEqual(set(lines), set(shown))
        for name, points in lines.items():
            self.assertLess(max(map(math.dist, points, shown[name])), 0.0021)

    def test_made(self):
        for name, edges in MADE.items():
            with self.subTest(name):
                (self.folder / f"{name}.kbl").write_text(harness(edges, name=name))
                self.check(self.folder / f"{name}.kbl")

    def test_from_the_field(self):
        if not FIELD[0].exists():
            self.skipTest(f"{FIELD[0].parent} is missing")
        for file in FIELD:
            with self.subTest(file.name):
                self.check(file)

    def test_crossings_are_counted(self):
        """Where there is no room at all, what is said is what is drawn."""
        edges = [(f"S{i}", "M", f"N{i}", 200) for i in range(40)]  # more than there are directions
        said, lines, _ = self.make("crowd", edges)
        counted = int(re.search(r"(\d+) crossing", said)[1])
        self.assertEqual(counted, crossings(lines))

    def test_same_bytes(self):
        for folder in ("a/", "b/"):
            self.call(SCENES / "loom.kbl", "-o", folder)
        for file in sorted((self.folder / "a").iterdir()):
            self.assertEqual(file.read_bytes(), (self.folder / "b" / file.name).read_bytes(), file.name)
        self.assertEqual(len(list((self.folder / "a").iterdir())), 5)

    def test_loops_are_cut(self):
        edges = [("A", "N1", "N2", 300), ("B", "N2", "N3", 200), ("C", "N3", "N4", 250), ("D", "N4", "N2", 100), ("E", "N4", "N5", 60),
                 ("F", "N5", "N5", 90)]
        done_said, lines, _ = self.make("loop", edges)
        self.assertIn("2 loops cut", done_said)
        file = self.folder / "loop.kbl"
        self.check_lengths(file, lines)
        self.assertEqual(crossings(lines), 0)
        self.assertGreater(math.dist(lines["D"][1], lines["A"][-1]), 10)  # the shortest of the loop ends apart from its node
        self.assertGreater(math.dist(lines["F"][0], lines["F"][-1]), 10)
        notes = self.call(file, "-o", "x.svg", "--verbose").stderr
        self.assertRegex(notes, r"line \d+: D: it closes a loop, which is cut: its end at N2")
        self.assertIn("cut: joins N2", (self.folder / "x.svg").read_text())

    def test_two_parts(self):
        edges = [("A", "N1", "N2", 300), ("B", "N2", "N3", 200), ("C", "M1", "M2", 500), ("D", "M2", "M3", 60), ("E", "M2", "M4", 70)]
        _, lines, _ = self.make("parts", edges)
        self.check_lengths(self.folder / "parts.kbl", lines)
        self.assertEqual(crossings(lines), 0)
        low = min(y for name in "CDE" for _, y in lines[name]), max(y for name in "CDE" for _, y in lines[name])
        high = min(y for name in "AB" for _, y in lines[name]), max(y for name in "AB" for _, y in lines[name])
        self.assertTrue(low[1] < high[0] or high[1] < low[0])

    def test_no_length(self):
        edges = [("A", "N1", "N2", 300), ("B", "N2", "N3", 0), ("C", "N3", "N4", 200), ("D", "N3", "N5", 100)]
        _, lines, _ = self.make("zero", edges)
        self.assertEqual(set(lines), {"A", "C", "D"})
        self.assertLess(math.dist(lines["A"][-1], lines["C"][0]), TRUE)
        self.assertIn("B: it has no length", self.call("zero.kbl", "-o", "x.svg", "-v").stderr)

    def test_texts_lie_apart(self):
        """In the loom there is room for all: boxes round its texts, by Helvetica's widths at their widest."""
        self.board(SCENES / "loom.kbl")
        boxes = []
        for text in ET.parse(self.folder / "out/loom.svg").getroot().iter(f"{SVG}text"):
            place = re.match(r"translate\((\S+) (\S+)\)(?: rotate\((\S+)\))?", text.get("transform"))
            size, half = float(text.get("font-size")), 0.5 * 0.5 * float(text.get("font-size")) * len(text.text)
            angle = math.radians(float(place[3] or 0))
            reach = abs(half * math.cos(angle)) + 0.3 * size, abs(half * math.sin(angle)) + 0.3 * size
            boxes.append((float(place[1]), float(place[2]), *reach, text.text))
        names = [box[4] for box in boxes]
        for name in ("X N1", "X N13", "F1", "F4", "145.5", "119.1", "S1 = 264.6"):  # F1 is at 0.55 of S1, 264.62 mm
            self.assertIn(name, names)
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                self.assertTrue(abs(a[0] - b[0]) > a[2] + b[2] or abs(a[1] - b[1]) > a[3] + b[3], (a, b))

    def test_fixings(self):
        """At their fraction of the segment, from its start."""
        _, lines, size = self.board(SCENES / "loom.kbl")
        said = Harness(SCENES / "loom.kbl")
        group = next(g for g in ET.parse(self.folder / "out/loom.svg").getroot().iter(f"{SVG}g") if g.get("id") == "FIXINGS")
        drawn = {c.get("data-name"): (float(c.get("cx")), size[1] - float(c.get("cy"))) for c in group.iter(f"{SVG}circle")}
        self.assertEqual(len(drawn), 4)
        for segment in said.root.iter("Segment"):
            for fixing in segment.iter("Fixing_assignment"):
                (ax, ay), (bx, by) = lines[segment.get("id")]  # straight: all are on the trunk
                t = float(fixing.findtext("Location"))
                place = drawn[fixing.findtext("Fixing").strip()]
                self.assertLess(math.dist(place, (ax + t * (bx - ax), ay + t * (by - ay))), TRUE)

    def test_names_in_all_formats(self):
        edges = [("A", "N1", "N2", 300), ("B", "N2", "N3", 200)]
        text = harness(edges).replace("X &amp; N1", "Stecker (Tür) &lt;1&gt; Ω")
        (self.folder / "names.kbl").write_text(text, "utf-8")
        self.board(self.folder / "names.kbl")
        self.assertIn("Stecker (Tür) &lt;1&gt; Ω</text>", (self.folder / "out/names.svg").read_text("utf-8"))
        self.assertIn("\nStecker (T\\U+00FCr) <1> \\U+03A9\n", (self.folder / "out/names.dxf").read_text("ascii"))
        self.assertIn(b"(Stecker \\(T\\374r\\) <1> ?) Tj", (self.folder / "out/names.pdf").read_bytes())


class Paged(Case):
    PAPERS = {"a4": (210, 297), "a3": (297, 420), "letter": (215.9, 279.4), "a0": (841, 1189)}

    def check(self, file, paper):
        _, lines, size = self.board(file, "--paper", paper)
        pages = Pdf(self.folder / f"out/{file.stem}.pdf").pages
        wide, high = self.PAPERS[paper]
        for page in pages:
            self.assertIn((round(page["width"], 1), round(page["height"], 1)), ((wide, high), (high, wide)))
            left, bottom, right, top = page["window"]
            self.assertAlmostEqual(right - left, page["width"] - 16, delta=0.01)
            self.assertAlmostEqual(top - bottom, page["height"] - 16, delta=0.01)
        for points in lines.values():
            flat = [value for point in points for value in point]
            for a, b in zip(points, points[1:]):
                for k in range(41):
                    x, y = (p + k / 40 * (q - p) for p, q in zip(a, b))
                    shown = [page for page in pages if page["window"][0] <= x <= page["window"][2] and page["window"][1] <= y <= page["window"][3]]
                    self.assertTrue(shown, (x, y))
                    for page in shown:  # the line itself is in that page's content, where SVG has it; both are rounded to 0.001
                        self.assertTrue(any(len(path) == len(flat) and max(map(abs, (p - q for p, q in zip(path, flat)))) < 0.0021
                                            for path in page["paths"]), (page["name"], points))
        return pages, size

    def test_pages(self):
        for paper in self.PAPERS:
            with self.subTest(paper):
                pages, size = self.check(SCENES / "loom.kbl", paper)
                names = [page["name"] for page in pages]
                self.assertEqual(len(set(names)), len(names))
                by_name = {page["name"]: page["window"] for page in pages}
                self.assertAlmostEqual(by_name.get("A1", (0,))[0], 0, delta=0.001)
                for name, window in by_name.items():
                    beside = by_name.get(chr(ord(name[0]) + 1) + name[1:])
                    below = by_name.get(name[0] + str(int(name[1:]) + 1))
                    if beside:
                        self.assertAlmostEqual(window[2] - beside[0], 10, delta=0.01)
                    if below:
                        self.assertAlmostEqual(below[3] - window[1], 10, delta=0.01)

    def test_crosses_are_the_same_places(self):
        pages, _ = self.check(SCENES / "loom.kbl", "a4")
        by_name = {page["name"]: page for page in pages}
        compared = 0
        for name, page in by_name.items():
            beside = by_name.get(chr(ord(name[0]) + 1) + name[1:])
            if not beside:
                continue
            same = [a for a in page["crosses"] for b in beside["crosses"] if math.dist(a, b) < 0.002]
            self.assertEqual(len(same), 2, name)
            compared += 1
        self.assertGreater(compared, 5)

    def test_one_page(self):
        said, _, size = self.board(SCENES / "loom.kbl", "--paper", "none")
        self.assertIn("1 page of its own size", said)
        (page,) = Pdf(self.folder / "out/loom.pdf").pages
        self.assertAlmostEqual(page["width"], size[0], delta=0.01)
        self.assertAlmostEqual(page["height"], size[1], delta=0.01)

    def test_longer_than_a_page_may_be(self):
        edges = [(f"S{i}", f"N{i}", f"N{i + 1}", 900) for i in range(12)]
        _, _, size = self.make("long", edges, "--paper", "none")
        (page,) = Pdf(self.folder / "out/long.pdf").pages
        self.assertGreater(size[0], 10800)
        self.assertAlmostEqual(page["width"], size[0], delta=0.01)
        self.assertAlmostEqual(page["height"], size[1], delta=0.01)
        self.assertIn(b"/UserUnit 3.0000", (self.folder / "out/long.pdf").read_bytes())  # 10.9 m are 31,000 points: three times 14,400

    def test_from_the_field(self):
        if not FIELD[0].exists():
            self.skipTest(f"{FIELD[0].parent} is missing")
        self.check(FIELD[1], "a3")

    def test_another_reader(self):
        """poppler, where it is installed."""
        tool = shutil.which("pdfinfo")
        if not tool:
            self.skipTest("pdfinfo is not installed")
        self.board(SCENES / "loom.kbl", "--paper", "a3")
        said = subprocess.run([tool, self.folder / "out/loom.pdf"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0)
        self.assertEqual(said.stderr, "")
        self.assertRegex(said.stdout, r"Page size: +\d+\.?\d* x \d+\.?\d* pts \(A3\)")


class Listed(Case):
    def lists(self, file, *options):
        self.board(file, *options)
        tables = []
        for kind in ("cut-list", "parts"):
            data = (self.folder / f"out/{file.stem}-{kind}.csv").read_bytes().decode("utf-8")
            self.assertEqual(data.count("\n"), data.count("\r\n"))
            tables.append(list(csv.DictReader(data.splitlines())))
            self.assertTrue(all(None not in row and None not in row.values() for row in tables[-1]))  # as many cells as the head has
        return tables

    def check(self, file):
        said = Harness(file)
        wires, parts = self.lists(file, "--allowance", "12.5")
        routes, seen = said.routes(), set()
        occurrences = [wire for harness in said.root.iter("Harness") for wire in harness.findall("General_wire_occurrence")]
        expected = [core.get("id") for wire in occurrences for core in (wire.findall("Core_occurrence") or [wire])]
        self.assertEqual([row["id"] for row in wires], expected)
        for row in wires:
            if row["id"] not in routes:
                self.assertEqual((row["remark"], row["route_mm"], row["cut_mm"]), ("not routed", "", ""))
                continue
            seen.add(row["id"])
            self.assertAlmostEqual(float(row["route_mm"]), routes[row["id"]], delta=CENT, msg=row["id"])
            self.assertAlmostEqual(float(row["cut_mm"]), routes[row["id"]] + 25, delta=CENT, msg=row["id"])
            self.assertEqual(row["allowance_per_end_mm"], "12.50")
        self.assertEqual(seen, set(routes) & set(expected))
        self.assertGreater(len(seen), 0.9 * len(wires))
        self.check_parts(said, parts)
        return said, wires, parts

    def check_parts(self, said, parts):
        """Counts by kind, and lengths of tapes by segment."""
        occurrences = [e for harness in said.root.iter("Harness") for e in harness]
        splices = [e for e in occurrences if e.tag == "Connector_occurrence" and (e.findtext("Usage") or "").strip() == "splice"]
        expected = {"splice": len(splices), "connector": sum(e.tag == "Connector_occurrence" for e in occurrences) - len(splices),
                    "fixing": sum(e.tag == "Fixing_occurrence" for e in occurrences),
                    "seal": sum(e.tag == "Cavity_seal_occurrence" for e in occurrences),
                    "protection": sum(e.tag == "Wire_protection_occurrence" for e in occurrences)}
        for kind, count in expected.items():
            self.assertEqual(sum(int(row["count"]) for row in parts if row["kind"] == kind), count, kind)
        areas = [(segment.get("id"), area) for segment in said.root.iter("Segment") for area in segment.iter("Protection_area")]
        rows = [row for row in parts if row["kind"] == "protection on segment"]
        self.assertEqual([row["segment"] for row in rows], [segment for segment, _ in areas])
        for row, (segment, area) in zip(rows, areas):
            share = abs(float(area.findtext("End_location")) - float(area.findtext("Start_location")))
            self.assertAlmostEqual(float(row["length_mm"]), share * said.length[segment], delta=CENT)

    def test_loom(self):
        _, wires, parts = self.check(SCENES / "loom.kbl")
        self.assertEqual((wires[0]["from"], wires[0]["to"], wires[0]["segments"]), ("X N1", "X N5", "S1 S2 S3 S4"))
        self.assertEqual(wires[0]["part_number"], "W05")
        cables = [row for row in parts if row["kind"] == "cable"]
        self.assertEqual([row["count"] for row in cables], ["1"])  # a pair: two cores, one cable

    def test_from_the_field(self):
        if not FIELD[0].exists():
            self.skipTest(f"{FIELD[0].parent} is missing")
        for file in FIELD:
            with self.subTest(file.name):
                said, wires, _ = self.check(file)
                ends = {}
                for connection in said.root.iter("Connection"):
                    points = {int(e.findtext("Position_on_wire")): said.by_id[e.findtext("Contact_point").strip()] for e in connection.iter("Extremities")}
                    ends[connection.findtext("Wire").strip()] = points
                owner = {point: e for e in said.root.iter() for point in e if point.tag == "Contact_points"}
                told = 0
                for row in wires:
                    for place, name, pin in ((0, "from", "from_pin"), (1, "to", "to_pin")):
                        contact = ends.get(row["id"], {}).get(place)
                        if contact is None or owner[contact].tag != "Connector_occurrence":
                            continue
                        self.assertEqual(row[name], owner[contact].findtext("Id").strip())
                        cavity = said.by_id[contact.findtext("Contacted_cavity").strip()]
                        self.assertEqual(row[pin], said.by_id[cavity.findtext("Part").strip()].findtext("Cavity_number").strip())
                        told += 1
                self.assertGreater(told, len(wires) / 2)

    def test_gaps(self):
        edges = comb(4)
        wires, _ = (self.folder / "gap.kbl").write_text(harness(edges, [("w", ["T1", "S2"]), ("g", ["T1", "T3"])])), None
        rows, _ = self.lists(self.folder / "gap.kbl")
        self.assertEqual([row["remark"] for row in rows], ["the route has a gap or a branch"] * 2)  # T1 is at N1, S2 begins at N2

    def test_quotes(self):
        text = harness([("A", "N1", "N2", 300)], [("w", ["A"])]).replace("FLRY", 'FLRY, "red"; 1')
        (self.folder / "q.kbl").write_text(text)
        wires, parts = self.lists(self.folder / "q.kbl")
        self.assertEqual(wires[0]["part_number"], 'FLRY, "red"; 1')
        self.assertEqual([row["part_number"] for row in parts if row["kind"] == "wire"], ['FLRY, "red"; 1'])

    def test_vec(self):
        """The same harness as VEC has the same lengths and parts."""
        subprocess.run([PROGRAM, "convert", SCENES / "loom.kbl", self.folder / "loom.vec", "-q"], check=True)
        kbl, _ = self.lists(SCENES / "loom.kbl")
        _, lines, _ = self.board(self.folder / "loom.vec")
        said = Harness(SCENES / "loom.kbl")
        for segment, mm in said.length.items():
            self.assertAlmostEqual(length_of(lines[segment]), mm, delta=TRUE)
        vec = list(csv.DictReader((self.folder / "out/loom-cut-list.csv").read_text().splitlines()))
        self.assertEqual([row["route_mm"] for row in vec], [row["route_mm"] for row in kbl])
        self.assertEqual([(row["from"], row["to"]) for row in vec], [(row["from"], row["to"]) for row in kbl])


class Refused(Case):
    def setUp(self):
        super().setUp()
        shutil.copy(SCENES / "loom.kbl", self.folder)

    def test_words(self):
        self.refuse("expected a wire harness", "-o", "x.svg")
        self.refuse("expected -o FOLDER/", "loom.kbl")
        self.refuse("expected a folder (FOLDER/)", "loom.kbl", "-o", "x.png")
        self.refuse("expected a folder (FOLDER/)", "loom.kbl", "-o", "x.csv")
        self.refuse("unknown option '--papers', did you mean '--paper'", "loom.kbl", "-o", "x.svg", "--papers", "a4")
        self.refuse("--paper: expected a4, a3", "loom.kbl", "-o", "x.svg", "--paper", "a9")
        for word in ("-1", "1e9", "nan", "x", "3mm", ""):
            self.refuse("--allowance: expected millimetres from 0", "loom.kbl", "-o", "x.svg", f"--allowance={word}")
        self.refuse("would be written twice", "loom.kbl", "-o", "x.svg", "-o", "./x.svg")

    def test_files(self):
        (self.folder / "none.vec").write_text("<a/>")
        (self.folder / "broken.kbl").write_text("<a>")
        self.refuse("missing.kbl", "missing.kbl", "-o", "x.svg")
        self.refuse("expected a name that ends in .kbl or .vec", SCENES / "one.json", "-o", "x.svg")
        self.refuse("expected the element KBL_container or VecContent", "none.vec", "-o", "out/")
        self.refuse("broken XML", "broken.kbl", "-o", "out/")
        edges = [("A", "N1", "N2", 0)]
        (self.folder / "zero.kbl").write_text(harness(edges))
        self.refuse("nothing to lay out", "zero.kbl", "-o", "out/")

    def test_too_large(self):
        edges = [(f"S{i}", f"N{i}", f"N{i + 1}", 10) for i in range(4001)]
        (self.folder / "many.kbl").write_text(harness(edges))
        self.refuse("4001 segments; expected 4000 at most", "many.kbl", "-o", "out/")
        edges = [(f"S{i}", f"N{i}", f"N{i + 1}", 150000) for i in range(20)]
        (self.folder / "far.kbl").write_text(harness(edges))
        self.refuse("expected a larger paper, or --paper none", "far.kbl", "-o", "x.pdf")

    def test_outputs(self):
        os.symlink("loom.kbl", self.folder / "over.svg")
        before = (self.folder / "loom.kbl").read_bytes()
        self.refuse("it has been read from", "loom.kbl", "-o", "over.svg")
        self.assertEqual((self.folder / "loom.kbl").read_bytes(), before)
        self.refuse("no/x.svg", "loom.kbl", "-o", "no/x.svg", expect=1)
        self.refuse("no/out/: cannot make this folder", "loom.kbl", "-o", "no/out/", expect=1)

    def test_full_disk(self):
        """Nothing is left of what else was to be written."""
        for name in ("full.svg", "full.dxf", "full.pdf", "full-cut-list.csv", "full-parts.csv"):
            os.symlink("/dev/full", self.folder / name)
            self.refuse("No space left on device", "loom.kbl", "-o", "out/", "-o", name, expect=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
