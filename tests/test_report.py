"""clcable report: what it finds against known answers, its page, its limits, its exit codes.

usage: test_report.py PROGRAM SCENES
"""
import base64
import csv
import html.parser
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()
HAS_VIEW = "--size" in subprocess.run([PROGRAM, "render", "--help"], capture_output=True, text=True).stdout

# A rope of 50 g/m hangs straight down; a wire lies in a quarter circle on nothing, and does not move; a third one is held
# 12 mm over a ball.
STILL = {
    "clcable": 1,
    "gravity": [0, 0, 0],
    "time": {"duration": 0.1, "substeps": 4},
    "materials": {"wire": {"radius": 0.002, "linear_density": 0.05},
                  "stiff": {"radius": 0.002, "linear_density": 0.05, "min_bend_radius": 0.2}},
    "cables": [],
    "colliders": [{"name": "ball", "shape": "sphere", "center": [0, 0, 5], "radius": 0.1}],
}


def arc(radius, points):
    return [[radius * math.cos(math.pi / 2 * i / points), radius * math.sin(math.pi / 2 * i / points), 0]
            for i in range(points + 1)]


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.sources, self.pictures, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in ("img", "meta", "line"):
            self.open.append(tag)
        source = attributes.get("src") or attributes.get("href")
        if source and source.startswith("data:image/png;base64,"):
            self.pictures.append(base64.b64decode(source.split(",", 1)[1], validate=True))
        elif source:
            self.sources.append(source)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-report-"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def call(self, *words, expect=0):
        result = subprocess.run([PROGRAM, "report", *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                                timeout=600)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout}{result.stderr}")
        return result

    def report(self, scene, *words, expect=0):
        (self.folder / "scene.json").write_text(json.dumps(scene))
        result = self.call("scene.json", "-o", "r.json", "--device", "native", *words, expect=expect)
        return json.loads((self.folder / "r.json").read_text()), result

    def find(self, report, rule, part):
        found = [f for f in report["findings"] if f["rule"] == rule and f["part"] == part]
        self.assertEqual(len(found), 1, (rule, part))
        return found[0]

    def test_bends(self):
        """A circle's radius at two resolutions; its limit by material, at rest, by option."""
        for segments in (10, 40):
            scene = {**STILL, "cables": [
                {"name": "a", "material": "wire", "path": arc(0.05, 200), "segments": segments},
                {"name": "b", "material": "stiff", "path": [[x, y, 1] for x, y, _ in arc(0.1, 200)], "segments": segments}]}
            report, result = self.report(scene)
            a, b = self.find(report, "bend", "a"), self.find(report, "bend", "b")
            # Segments are as long as the arc that they stand for, so their corners lie on a circle that is a little
            # larger. XPBD in floats leaves 1.2e-7 m of a segment's sagitta open; the path's polygon is 1e-5 off.
            for found, radius in ((a, 0.05), (b, 0.1)):
                turn = math.pi / 2 / segments
                corners = radius * turn / (2 * math.sin(turn / 2))
                self.assertAlmostEqual(found["value"], corners, delta=radius * (1e-5 + 1.2e-7 / (radius * turn**2 / 8)))
            self.assertAlmostEqual(a["limit"], 6 * 0.004, delta=1e-12)
            self.assertAlmostEqual(a["use"], 0.024 / a["value"], delta=1e-9)
            self.assertEqual((a["broken"], a["moving"]), (False, False))
            self.assertEqual((b["limit"], b["broken"]), (0.2, True))
            self.assertEqual(report["findings"][0]["part"], "b")  # the worst comes first
            self.assertEqual(report["broken"], 1)
            self.assertIn("1 limit is not kept, the worst: bend of b", result.stdout)
        report, _ = self.report(scene, "--limit", "bend-at-rest=20")
        self.assertTrue(self.find(report, "bend", "a")["broken"])

    def test_moving_cables_have_another_limit(self):
        scene = {**STILL, "cables": [{"name": "a", "material": "wire", "path": arc(0.05, 200), "segments": 20,
                                      "velocity": [0, 0, 1]}]}
        report, _ = self.report(scene)
        a = self.find(report, "bend", "a")
        self.assertEqual((a["limit"], a["moving"]), (10 * 0.004, True))

    def test_tension_and_sag(self):
        """A straight rope bears its weight at the top; a slack one hangs as a catenary does."""
        for segments in (10, 40):
            scene = {**STILL, "gravity": [0, 0, -9.81], "method": "direct",
                     "materials": {"wire": {"radius": 0.002, "linear_density": 0.05, "damping": 5}},
                     "time": {"duration": 3, "substeps": 20},
                     "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [0, 0, 1]], "segments": segments},
                                {"name": "b", "material": "wire", "path": [[1, 0, 2], [2, 0, 2]], "length": 1.2,
                                 "segments": segments}],
                     "attachments": [{"cable": c, "at": at, "to": "here"}
                                     for c, at in (("a", "start"), ("b", "start"), ("b", "end"))]}
            report, _ = self.report(scene)
            rows = self.rows_of(scene)
            last = [r for r in rows if r["cable"] == "a"][-1]
            weight = 0.05 * 9.81 * (1 - 0.5 / segments)
            self.assertAlmostEqual(float(last["tension"]), weight, delta=0.01 * weight)  # rounding of a rigid length
            # y = c (cosh(x/c) - 1) through 1 m by 1.2 m of cable: c from 2 c sinh(1 / 2c) = 1.2
            c = 0.4693
            for _ in range(50):
                f = 2 * c * math.sinh(0.5 / c) - 1.2
                c -= f / (2 * math.sinh(0.5 / c) - math.cosh(0.5 / c) / c)
            sag = c * (math.cosh(0.5 / c) - 1)
            hanging = float([r for r in rows if r["cable"] == "b"][-1]["sag"])
            # straight segments hang higher by the sagitta of one, 1/8 (l/c) l: 4 mm with 10, 0.2 mm with 40
            self.assertAlmostEqual(hanging, sag, delta=0.001 + (1.2 / segments) ** 2 / (4 * c))
            self.assertGreaterEqual(self.find(report, "sag", "b")["value"], hanging - 1e-9)

    def rows_of(self, scene):
        (self.folder / "scene.json").write_text(json.dumps(scene))
        self.call("scene.json", "-o", "rows.csv", "--device", "native")
        with open(self.folder / "rows.csv") as file:
            return list(csv.DictReader(file))

    def test_clearances(self):
        scene = {**STILL, "cables": [
            {"name": "over", "material": "wire", "path": [[-0.3, 0, 5.114], [0.3, 0, 5.114]], "segments": 7},
            {"name": "beside", "material": "wire", "path": [[-0.3, 0.01, 5.114], [0.3, 0.01, 5.114]], "segments": 5},
            {"name": "far", "material": "wire", "path": [[-0.3, 9, 0], [0.3, 9, 0]], "segments": 5}]}
        report, _ = self.report(scene, "--limit", "clearance-collider=0.015", "--limit", "clearance-cable=0.005")
        ball, cable = self.find(report, "clearance-collider", "over"), self.find(report, "clearance-cable", "over")
        self.assertAlmostEqual(ball["value"], 0.012, delta=2e-6)  # floats of 5 m
        self.assertEqual((ball["other"], ball["broken"]), ("ball", True))
        self.assertAlmostEqual(ball["use"], 0.015 / 0.012, delta=1e-3)
        self.assertAlmostEqual(ball["at"], 0.5, delta=0.01)
        self.assertAlmostEqual(cable["value"], 0.006, delta=2e-6)
        self.assertEqual((cable["other"], cable["broken"]), ("beside", False))
        self.assertFalse([f for f in report["findings"] if f["part"] == "far" and f["rule"].startswith("clearance")])

    def test_holds(self):
        """A hold bears what hangs on it; one that breaks is told with the force that broke it."""
        for method in ("direct", "xpbd"):
            scene = {**STILL, "gravity": [0, 0, -9.81], "method": method,
                     "materials": {"wire": {"radius": 0.002, "linear_density": 0.05, "damping": 5}},
                     "time": {"duration": 2, "substeps": 40},
                     "cables": [{"name": c, "material": "wire", "path": [[x, 0, 2], [x, 0, 1]], "segments": 10}
                                for c, x in (("a", 0), ("b", 1))],
                     "attachments": [{"cable": "a", "at": "start", "to": "here"},
                                     {"cable": "b", "at": "start", "to": "here", "break_force": 0.6}],
                     "loads": [{"cable": "b", "at": "end", "mass": 0.1}]}
            report, _ = self.report(scene)
            a, b = self.find(report, "hold", "a, attachment 0"), self.find(report, "hold", "b, attachment 1")
            # all of the cable but the half segment that is the hold's own; the worst frame swings a little
            weight = 0.05 * 9.81 * (1 - 0.5 / 10)
            self.assertGreater(a["value"], 0.99 * weight)
            self.assertLess(a["value"], 1.3 * weight)
            self.assertEqual((a["limit"], a["broken"]), (None, False))
            self.assertEqual((b["limit"], b["broken"]), (0.6, True))
            self.assertGreater(b["value"], 0.6)
            self.assertEqual(report["findings"][0]["part"], "b, attachment 1")

    def test_arcs_of_unequal_segments(self):
        """Where a hold is goes by the length of cable up to there, not by the number of the particle. Tension is greatest in the first
        of the segments, whose middle is there."""
        lengths = [0.3, 0.1, 0.1, 0.1, 0.4]
        scene = {**STILL, "method": "direct",
                 "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0, 0, 0]], "segments": lengths}],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "a", "at": {"particle": 3}, "to": "here"}]}
        report, _ = self.report(scene)
        self.assertAlmostEqual(self.find(report, "hold", "a, attachment 1")["arc"], 0.5, delta=1e-9)
        hung = {**scene, "attachments": scene["attachments"][:1], "gravity": [0, 0, -9.81]}
        report, _ = self.report(hung)
        self.assertAlmostEqual(self.find(report, "tension", "a")["at"], 0.15, delta=1e-3)

    def test_parts_of_a_cable(self):
        """A tube over a part of a cable has its own limit there."""
        scene = {**STILL, "cables": [{"name": "a", "material": "wire", "path": arc(0.05, 200), "segments": 20,
                                      "materials": [{"from": 0.5, "to": 1, "material": "stiff"}]}]}
        report, _ = self.report(scene)
        a = self.find(report, "bend", "a")
        self.assertEqual((a["limit"], a["broken"]), (0.2, True))
        self.assertGreaterEqual(a["at"], 0.5)

    def test_the_page(self):
        """One file that needs nothing else, with well-formed tags, plots, pictures, and names that are no tags."""
        scene = {**STILL, "cables": [{"name": "a<b>&\"c\"", "material": "stiff", "path": arc(0.05, 200), "segments": 20}]}
        self.report(scene, "-o", "r.html")
        page = Page()
        page.feed((self.folder / "r.html").read_text())
        self.assertEqual((page.open, page.sources), ([], []))
        text = "".join(page.text)
        self.assertIn("a<b>&\"c\"", text)
        self.assertIn("1 limit is not kept", text)
        self.assertRegex(text, r"50(\.0\d)? mm")
        self.assertNotIn("http", re.sub(r"base64,[^\"]*", "", (self.folder / "r.html").read_text()))
        self.assertEqual(len(page.pictures), 2 if HAS_VIEW else 0)
        for picture in page.pictures:
            self.assertTrue(picture.startswith(b"\x89PNG\r\n\x1a\n") and picture.endswith(b"IEND\xaeB`\x82"))

    def test_errors_are_kept_apart(self):
        """A rope that cannot stretch, by a method that stretches it: no limit is broken, but nobody says that all are kept."""
        scene = {**STILL, "gravity": [0, 0, -9.81], "time": {"duration": 0.5, "substeps": 16}, "method": "xpbd",
                 "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [0, 0, 1]], "segments": 40}],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}],
                 "loads": [{"cable": "a", "at": "end", "mass": 1}]}
        report, result = self.report(scene, "-o", "r.html", "--strict", expect=3)
        self.assertEqual((report["broken"], report["verdict"], report["errors"]["lengths"]), (0, "in doubt", 1))
        length, error = self.find(report, "length", "a"), self.find(report, "stretch-error", "a")
        self.assertEqual((length["value"], length["broken"], length["error"]), (0, False, False))
        self.assertGreater(error["value"], 0.005)
        self.assertEqual((error["broken"], error["error"]), (False, True))
        self.assertRegex(result.stdout, r"no limit is broken, but for errors of the simulation: 1 length is off by more than "
                                        r"0.5 %, a by [\d.]+ %\n")
        self.assertNotIn("all limits are kept", (self.folder / "r.html").read_text())
        report, result = self.report({**scene, "method": "direct"}, "--strict")
        self.assertEqual((report["verdict"], report["errors"]["lengths"]), ("kept", 0))

    def test_what_stretches_is_no_error(self):
        """Hooke: a rope of EA 200 N under 0.3 kg at its end, and its own weight, half of which counts; at two resolutions."""
        for segments in (10, 40):
            scene = {**STILL, "gravity": [0, 0, -9.81], "time": {"duration": 4, "substeps": 20}, "method": "direct",
                     "materials": {"wire": {"radius": 0.002, "linear_density": 0.05, "damping": 8, "stretching_stiffness": 200}},
                     "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [0, 0, 0.9848]], "length": 1,
                                 "segments": segments}],
                     "attachments": [{"cable": "a", "at": "start", "to": "here"}],
                     "loads": [{"cable": "a", "at": "end", "mass": 0.3}]}
            report, _ = self.report(scene)
            length, error = self.find(report, "length", "a"), self.find(report, "stretch-error", "a")
            self.assertGreater(length["value"], 0.99 * (0.3 + 0.025) * 9.81 / 200)  # the worst frame may swing beyond it
            self.assertLess(error["value"], 1e-3)
            self.assertTrue(length["broken"])
            self.assertEqual(report["errors"]["lengths"], 0)

    def test_an_overlap_is_told(self):
        """Cables in one another, which nobody asked to be apart."""
        scene = {**STILL, "contact": {"cables": False}, "cables": [
            {"name": c, "material": "wire", "path": [[-0.3, y, 1], [0.3, y, 1]], "segments": 5} for c, y in (("a", 0), ("b", 0.003))]}
        report, result = self.report(scene, "--strict", expect=3)
        overlap = self.find(report, "overlap", "a")
        self.assertAlmostEqual(overlap["value"], 0.001, delta=1e-6)
        self.assertAlmostEqual(self.find(report, "clearance-cable", "a")["value"], -0.001, delta=1e-6)
        self.assertEqual((overlap["other"], report["broken"], report["verdict"], report["errors"]["overlaps"]),
                         ("b", 0, "in doubt", 2))
        self.assertIn("the deepest overlap is 1 mm (a in b)", result.stdout)
        report, result = self.report(scene, "--limit", "clearance-cable=0.001")
        self.assertEqual((report["broken"], report["verdict"]), (2, "broken"))

    def test_strict(self):
        good = {**STILL, "cables": [{"name": "a", "material": "wire", "path": arc(0.05, 200), "segments": 20}]}
        bad = {**STILL, "cables": [{"name": "a", "material": "stiff", "path": arc(0.05, 200), "segments": 20}]}
        _, result = self.report(good, "--strict")
        self.assertIn("all limits are kept", result.stdout)
        self.report(bad)
        self.report(bad, "--strict", expect=3)

    def test_twice_the_same(self):
        scene = {**STILL, "gravity": [0, 0, -9.81], "cables": [
            {"name": "a", "material": "wire", "path": [[0, 0, 1], [1, 0, 1]], "segments": 30}]}
        kept = []
        for _ in range(2):
            self.report(scene, "-o", "r.html", "-o", "r.csv")
            kept.append([(self.folder / name).read_bytes() for name in ("r.json", "r.html", "r.csv")])
        self.assertEqual(kept[0], kept[1])
        with open(self.folder / "r.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 7)  # frames 0 to 6
        self.assertEqual(rows[0]["bend_radius"], "")  # straight
        self.assertEqual(rows, self.rows_of(scene))  # without looking ahead

    def test_bad_use(self):
        cable = {"name": "a", "material": "wire", "path": [[0, 0, 1], [1, 0, 1]]}
        (self.folder / "scene.json").write_text(json.dumps({**STILL, "cables": [cable]}))
        particles = next((SCENES / "particles").glob("*.json"))
        for words, text in ((("scene.json",), "expected -o NAME.html, NAME.json or NAME.csv"),
                            (("scene.json", "-o", "r.vtp"), "expected -o NAME.html"),
                            (("scene.json", "-o", "r.json", "--limit", "bend=3"), "WORD one of bend-at-rest"),
                            (("scene.json", "-o", "r.json", "--limit", "sag"), "expected WORD=VALUE"),
                            (("scene.json", "-o", "r.json", "--limit", "sag=-1"), "expected a number from 0, got '-1'"),
                            (("scene.json", "-o", "r.json", "--limit", "sag=nan"), "expected a number from 0"),
                            (("scene.json", "-o", "no/r.html"), "no/r.html"),
                            ((particles, "-o", "r.html"), "have no report")):
            result = self.call(*words, expect=1 if "no/r.html" in words else 2)
            self.assertIn(text, result.stderr)
            self.assertRegex(result.stderr, r"\A(clcable: [^\n]+\n)\Z")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["scene.json"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
