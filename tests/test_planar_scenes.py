#!/usr/bin/env python3
"""Planar scenes: schema and reader agree, faults are named, `run` writes what it says, counts and machines are right.

    test_planar_scenes.py SCENES_FOLDER CLCABLE PYTHON

PYTHON has VTK and NumPy; scripts/setup makes it.
"""
import copy
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

PYTHON, PROGRAM, FOLDER = sys.argv.pop(), sys.argv.pop(), pathlib.Path(sys.argv.pop())
SCENES = {path.stem: path for path in sorted((FOLDER / "planar").glob("*.json"))}
VALIDATOR = jsonschema.Draft202012Validator(json.loads((FOLDER / "planar.schema.json").read_text()))
DELETE = object()
BODY, LINK = "/planar/bodies/0", "/planar/cables/0/links"

BASE = {
    "clcable": 1,
    "planar": {
        "time": {"duration": 0.1},
        "bodies": [{"name": "wheel", "motion": "axle", "radius": 0.1},
                   {"name": "box", "position": [0.105, -1], "box": [0.1, 0.1]}],
        "cables": [{"name": "c", "links": [{"point": [-0.2, -1]}, {"body": "wheel", "spin": -1},
                                           {"body": "box", "point": [0, 0.1]}]}],
    },
}
GOOD = [
    ("/$schema", "x"),
    ("/planar/time", DELETE),
    ("/planar/pinch", "contact-off"),
    ("/planar/gravity", [1, 0]),
    ("/planar/sleep", True),
    ("/planar/slack_pieces", 64),
    ("/planar/slack_pieces", 0),
    (BODY + "/polygon", [[0, 0], [0.2, 0], [0, 0.2]]),
    (BODY + "/cable_friction", None),
    (BODY + "/motor", {"speed": -1, "torque": 2}),
    (LINK + "/0", {"body": "box", "spin": 1, "stored": 0.5}),
    (LINK + "/0", {"body": "box", "spin": 1, "stored": 0.5, "thickening": True}),
    (LINK + "/1/turns", 2),
    ("/planar/cables/0/stretching_stiffness", 1e4),
]
# (pointer, value, part of the message, does the schema know?)
BAD = [
    ("/clcable", 2, "/clcable: expected the format version 1, got 2", True),
    ("/planar/bodys", [], "/planar/bodys: unknown key, the nearest known one is \"bodies\"", True),
    ("/planar/time/substeps", 0, "/planar/time/substeps: expected an integer from 1 to 1000, got 0", True),
    ("/planar/slack_pieces", 66, "/planar/slack_pieces: expected an integer from 0 to 64, got 66", True),
    ("/planar/slack_pieces", 5, "/planar/slack_pieces: expected an even number, got 5", True),
    ("/planar/sleep", 1, "/planar/sleep: expected true or false", True),
    ("/planar/pinch", "ful", "/planar/pinch: ", True),
    (BODY + "/mass", -1, BODY + "/mass: expected a number from 1e-09 to 1e+09, got -1", True),
    (BODY + "/radius", DELETE, BODY + "/radius: expected a circle's radius, or a box, or a polygon", True),
    (BODY + "/radius", 0, BODY + ": body \"wheel\": expected a radius from 1e-06", False),
    (BODY + "/polygon", [[0, 0], [0, 1], [1, 0]], BODY + ": body \"wheel\": expected the corners of a convex polygon", False),
    (BODY + "/name", "box", "/planar/bodies/1: body \"box\": there is one of that name already", False),
    (BODY + "/motor", {"speed": 1}, BODY + "/motor/torque: expected", True),
    (LINK, [{"point": [0, 0]}], LINK + ": expected an array of at least 2 links", True),
    (LINK + "/1/thickening", True, "/planar/cables/0: cable \"c\": link 1: only a reel thickens", False),
    (LINK + "/1/thickening", 1, LINK + "/1/thickening: expected true or false", True),
    (LINK + "/1/spin", 0, "/planar/cables/0: cable \"c\": link 1: expected the spin 1 or -1", True),
    (LINK + "/1/body", "weel", "/planar/cables/0: cable \"c\": link 1: no body \"weel\"", False),
    (LINK + "/0", {"body": "box", "spin": 1}, "link 0: expected a point or a reel, it is an end", False),
    (LINK + "/1", {"body": "wheel", "point": [0, 0]}, "link 1: expected one that rolls", False),
    ("/planar/cables/0/radius", "x", "/planar/cables/0/radius: expected a number", True),
]


def read_outputs(*paths):
    """What VTK and NumPy find in files, by a Python that has them; None where scripts/setup could not make it."""
    if not pathlib.Path(PYTHON).exists():
        return None
    script = pathlib.Path(__file__).parent / "read_outputs.py"
    result = subprocess.run([PYTHON, script, *map(str, paths)], capture_output=True, text=True, check=True, timeout=250)
    return json.loads(result.stdout)


def changed(pointer, value):
    document = copy.deepcopy(BASE)
    *path, last = pointer.strip("/").split("/")
    at = document
    for key in path:
        at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
    if isinstance(at, list):
        at[int(last)] = value
    elif value is DELETE:
        del at[last]
    else:
        at[last] = value
    return document


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, code=0):
        result = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=600)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def check(self, document, code=0):
        path = self.folder / "scene.json"
        path.write_text(json.dumps(document))
        return self.call("check", path, code=code)

    def run_scene(self, scene, *words):
        report, table = self.folder / "report.json", self.folder / "out.csv"
        self.call("run", SCENES[scene], "--device", "native", "--threads", 1, "-q", "--report", report, "-o", table, *words)
        with open(table, newline="") as file:
            return json.loads(report.read_text()), list(csv.DictReader(file))


class Reader(Case):
    def test_shipped(self):
        for name, path in SCENES.items():
            VALIDATOR.validate(json.loads(path.read_text()))
            self.assertIn(": ok: ", self.call("check", path).stdout)

    def test_good(self):
        for pointer, value in GOOD:
            with self.subTest(pointer):
                document = changed(pointer, value)
                VALIDATOR.validate(document)
                self.check(document)

    def test_bad(self):
        for pointer, value, message, known in BAD:
            with self.subTest(pointer, value=value):
                document = changed(pointer, value)
                self.assertEqual(not VALIDATOR.is_valid(document), known)
                error = self.check(document, 2).stderr
                self.assertIn(message, error)
                self.assertEqual(error.count("\n"), 1)

    def test_options_that_mean_nothing(self):
        for words in (("--method", "xpbd"), ("--settle",), ("-o", "x.obj")):
            self.assertIn("planar", self.call("run", SCENES["atwood"], *words, code=2).stderr)


class Runs(Case):
    def test_tables(self):
        """5.1 and 5.2 of the thesis."""
        for i in (1, 2, 5, 10, 20):
            report, rows = self.run_scene(f"stress-{i}")
            got = [report[key] for key in ("bodies", "non_transitional", "transitional", "contacts", "joints", "segments")]
            self.assertEqual(got, [4 * i, 4 * i - 2, 2 * i, 4 * i - 1, 12 * i - 2, 12 * i - 3])
            self.assertEqual(sum(row["kind"] == "pinch" for row in rows), 4 * i - 2)
            self.assertEqual(len(rows), 4 * i + 12 * i - 2)
            report, _ = self.run_scene(f"stress-cables-{i}")
            self.assertEqual([report["bodies"], report["joints"], report["segments"]], [4 * i, 4 * i + 2, 4 * i + 1])

    def test_intersections(self):
        """Near bodies pass the narrow phase, only pinching ones are confirmed (figure 5.4)."""
        for load in (1, 2, 5, 10, 20):
            for name, pinching, near in (("both", 1, 1), ("pinching", 1, 0), ("near", 0, 1), ("neither", 0, 0)):
                report, _ = self.run_scene(f"intersection-{name}-{load}")
                pinched, bodies = pinching * load, (2 + pinching + near) * load
                got = [report[key] for key in ("bodies", "joints", "non_transitional", "transitional", "contacts")]
                self.assertEqual(got, [bodies, 2 * load + 2 + 2 * pinched, pinched, 0, pinched])

    def test_tackles(self):
        """What holds the end is the weight over the parts, within 1 %."""
        for parts, name in ((1, "pulley"), (2, "tackle-2"), (3, "tackle-3"), (4, "tackle-4")):
            report, rows = self.run_scene(name)
            self.assertAlmostEqual(100 * 9.81 / float(rows[-1]["tension"]) / parts, 1, delta=0.01)

    def test_capstan_brake(self):
        report, rows = self.run_scene("capstan-brake")
        right = next(row for row in rows if row["name"] == "right")
        self.assertAlmostEqual(float(right["vy"]), 0, delta=1e-6)
        _, rows = self.run_scene("capstan-brake", "--duration", 0.5,
                                 "--set", "/planar/cables/0/links/1/turns=0")  # e^(0.3 pi) = 2.6
        left, right = (next(float(row["vy"]) for row in rows if row["name"] == name) for name in ("left", "right"))
        self.assertTrue(left > 0.5 and right < -0.5)

    def test_slack(self):
        """What is written of a slack cable is as long as it is, and on no side of the floor but the upper one."""
        report, rows = self.run_scene("slack")
        for cable in report["cables"]:
            self.assertAlmostEqual(cable["slack"], sum(cable["segments_slack"]), delta=1e-9)
            points, drawn, segments = [], 0, 0
            for row in (row for row in rows if row["name"] == cable["name"]):
                if row["kind"] == "slack":
                    points.append((float(row["x"]), float(row["y"])))
                    self.assertGreater(points[-1][1], -0.75 + 0.005 * 0.9)
                elif row["rest"]:
                    drawn += sum(map(math.dist, points, points[1:])) if points else float(row["length"])
                    self.assertAlmostEqual(float(row["slack"]), float(row["rest"]) - float(row["length"]), delta=1e-8)
                    points, segments = [], segments + 1
            self.assertEqual(segments, len(cable["segments_slack"]))
            self.assertAlmostEqual(drawn, cable["straight"], delta=0.01 * cable["straight"])
        self.assertGreater(report["cables"][2]["slack"], 1)

    def test_sleep(self):
        """All but the driven pair, the ball and what it hit."""
        report, rows = self.run_scene("rest")
        self.assertTrue(30 <= report["asleep"] < 42, report["asleep"])
        still = [row for row in rows if row["kind"] == "body" and float(row["vx"]) == float(row["vy"]) == float(row["spin"]) == 0]
        self.assertEqual(len(still), report["asleep"] + 1)  # and the floor
        report, _ = self.run_scene("rest", "--set", "/planar/sleep=false")
        self.assertEqual(report["asleep"], 0)

    def test_spool(self):
        """What is wound on it covers its area: (R^2 - r^2) pi = 2 w s."""
        for duration in (4, 8):
            _, rows = self.run_scene("spool", "--duration", duration)
            spool, reel = (next(row for row in rows if row["name"] == name) for name in ("spool", "cable"))
            radius = math.hypot(float(reel["head_x"]), float(reel["head_y"]))
            self.assertAlmostEqual(radius, math.sqrt(0.1 ** 2 + 2 * 0.005 * float(reel["stored"]) / math.pi),
                                   delta=2e-5)  # what a substep winds
            turns = float(spool["angle"]) / (2 * math.pi)
            self.assertAlmostEqual(radius, 0.1 + 2 * 0.005 * turns, delta=0.0005)  # a tenth of half the width

    def test_heavy(self):
        """Piles under up to a thousand times their mass stand; 1 t on a plank and on a belt of light wheels hangs."""
        _, rows = self.run_scene("heavy-piles")
        for row in rows:
            if row["name"].startswith("top"):
                self.assertAlmostEqual(float(row["y"]), 0.7, delta=2e-3)
                self.assertLess(math.hypot(float(row["vx"]), float(row["vy"])), 1e-6)
        _, rows = self.run_scene("heavy-plank")
        at = {row["name"]: row for row in rows}
        self.assertAlmostEqual(float(at["ball"]["y"]), 0.25, delta=2e-3)
        self.assertAlmostEqual(float(rows[-1]["tension"]) / (1000 * 9.81), 1, delta=1e-6)

    def test_length_is_kept(self):
        for name in SCENES:
            report, _ = self.run_scene(name)
            self.assertLess(report["length_error"]["worst_over_run"], 1e-10, name)
            self.assertEqual([report["status"], report["over_run"]["dropped"]], ["ok", 0])
            self.assertAlmostEqual(sum(c["straight"] + c["stored"] for c in report["cables"]),
                                   sum(c["length"] for c in report["cables"]), delta=1e-6)
            self.assertTrue(math.isfinite(report["tension_max"]["worst_over_run"]))

    def test_devices_agree(self):
        if not any(line.startswith("opencl") for line in self.call("devices").stdout.splitlines()):
            self.skipTest("no OpenCL device")
        tables = []
        for device in ("native", "opencl"):
            table = self.folder / f"{device}.csv"
            self.call("run", SCENES["demo-5"], "--device", device, "-q", "-o", table)
            tables.append(table.read_text())
        self.assertEqual(*tables)

    def read_all(self, scene, *words):
        """Rows of .csv, and what VTK and NumPy find in .vtp, the frames of .pvd, .npz, of one run."""
        out = [self.folder / name for name in ("a.csv", "a.vtp", "a.pvd", "a.npz")]
        self.call("run", SCENES[scene], "--device", "native", "--threads", 1, "-q",
                  *(word for path in out for word in ("-o", path)), *words)
        with open(out[0], newline="") as file:
            rows = list(csv.DictReader(file))
        listed = re.findall(r'timestep="([^"]+)" group="" part="0" file="([^"]+)"', out[2].read_text())
        found = read_outputs(out[1], *(self.folder / name for _, name in listed), out[3])
        if found is None:
            self.skipTest(f"{PYTHON} is not there")
        self.assertEqual(out[1].read_bytes(), (self.folder / listed[-1][1]).read_bytes())
        return rows, found[0], found[1:-1], {name: array["values"] for name, array in found[-1].items()}

    def test_outputs_are_read_back(self):
        """All hold the same run; of .npz a frame's joints are those between its offsets."""
        rows, last, frames, arrays = self.read_all("slack", "--frames", 30)
        self.assertEqual(len(frames), 31)
        for frame, time in zip(frames, arrays["times"]):
            self.assertAlmostEqual(frame["time"], time, delta=1e-12)
        bodies = [row for row in rows if row["kind"] == "body"]
        joints = [row for row in rows if row["kind"] in ("point", "roll", "reel", "pinch")]
        points = [row for row in rows if row["kind"] == "slack"]
        self.assertEqual(arrays["names"], [row["name"] for row in bodies])
        begin, end = arrays["joint_offsets"][-2:]
        self.assertEqual(end, len(arrays["joint_tails"]))
        for i, row in enumerate(bodies):
            for key, value in (("x", arrays["positions"][-1][i][0]), ("y", arrays["positions"][-1][i][1]),
                               ("angle", arrays["angles"][-1][i]), ("vx", arrays["velocities"][-1][i][0]),
                               ("spin", arrays["spins"][-1][i])):
                self.assertAlmostEqual(value, float(row[key]), delta=1e-8)
        self.assertEqual(end - begin, len(joints))
        for i, row in enumerate(joints, begin):
            self.assertEqual(arrays["cable_names"][arrays["joint_cables"][i]], row["name"])
            self.assertEqual([*arrays["names"], ""][min(arrays["joint_bodies"][i], len(bodies))], row["body"])
            self.assertAlmostEqual(arrays["joint_heads"][i][1], float(row["head_y"]), delta=1e-8)
            self.assertAlmostEqual(arrays["joint_stored"][i], float(row["stored"]), delta=1e-8)
            if row["rest"]:
                self.assertAlmostEqual(arrays["joint_tensions"][i], float(row["tension"]), delta=1e-6)
                self.assertEqual(arrays["joint_pinched"][i], row["pinched"] == "1")
        begin, end = arrays["point_offsets"][-2:]
        self.assertEqual(sum(arrays["joint_points"][arrays["joint_offsets"][-2]:]), end - begin)
        self.assertEqual(len(points), end - begin)
        for i, row in enumerate(points, begin):
            self.assertAlmostEqual(math.dist(arrays["points"][i], (float(row["x"]), float(row["y"]))), 0, delta=1e-8)
        self.assertEqual(len(last["faces"]), len(bodies))
        self.assertEqual(last["cell_data"]["cable"], list(range(len(last["lines"]) + len(bodies))))

    def test_lines_are_as_long_as_their_cables(self):
        """Slack or wrapped, a cable's line in .vtp is as long as the cable but for what is on reels, of which a turn at most is
        shown: within 1 %, for what arcs are cut into. Faces keep their areas."""
        for scene in ("slack", "belt", "corners", "capstan-brake"):
            rows, last, frames, _ = self.read_all(scene, "--frames", 20)
            report, _ = self.run_scene(scene, "--frames", 20)
            places = last["points"]
            for cable, line in zip(report["cables"], last["lines"]):
                drawn = sum(math.dist(places[a], places[b]) for a, b in zip(line, line[1:]))
                reels = [row for row in rows if row["kind"] == "reel" and row["name"] == cable["name"]]
                hidden = sum(float(row["stored"]) for row in reels)
                self.assertAlmostEqual((drawn - len(reels) * 2 * math.pi * 0.105) / (cable["length"] - hidden), 1, delta=0.01,
                                       msg=f"{scene}: {cable['name']}")
            for row, face, before in zip((r for r in rows if r["kind"] == "body"), last["faces"], frames[0]["faces"]):
                sizes = []
                for data, corners in ((frames[0], before), (last, face)):
                    at = [data["points"][i] for i in corners]
                    sizes.append(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(at, [*at[1:], at[0]])) / 2)
                self.assertGreater(sizes[0], 0)
                self.assertAlmostEqual(sizes[0] / sizes[1], 1, delta=1e-4, msg=row["name"])


if __name__ == "__main__":
    unittest.main()
