"""`clcable sweep`: which variants there are, what they come out as, and that each is as if run alone.

    test_sweep.py PROGRAM SCENES
"""
import csv
import json
import math
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time
import unittest

import commands

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()

# Held at both ends, or at one where a variant says so; a ball below.
SCENE = {
    "clcable": 1,
    "time": {"duration": 0.2, "frame_rate": 50, "substeps": 30},
    "materials": {"wire": {"radius": 0.004, "linear_density": 0.05, "bending_stiffness": 1e-4, "damping": 0.5}},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.6, 0, 1]], "segments": 24, "length": 0.7},
               {"name": "b", "material": "wire", "path": [[0, 0.2, 1], [0.3, 0.2, 1]], "segments": 10}],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "a", "at": "end", "to": "here"},
                    {"cable": "b", "at": "start", "to": "here", "break_force": 1e6}],
    "colliders": [{"name": "ball", "shape": "sphere", "center": [0.3, 0, 0.7], "radius": 0.2}],
    "contact": {"cables": False, "self": False},
}
NO_CONTACT = {key: value for key, value in SCENE.items() if key != "colliders"}
NUMBERS = ["tension_max", "stretch_max", "bend_radius_min", "penetration_max", "sag", "end_x", "end_y", "end_z", "broken"]


class Case(commands.Case):
    program = PROGRAM
    timeout = 800

    def setUp(self):
        super().setUp()
        self.scene = self.write("scene.json", SCENE)

    def sweep(self, *words, scene=None, expect=0):
        """Rows of the table; numbers where they are any."""
        self.said = self.call("sweep", scene or self.scene, "--device", "native", "--threads", 2, "-o", "table.csv", "--report",
                              "report.json", *words, expect=expect).stdout
        self.report = json.loads((self.folder / "report.json").read_text())
        with open(self.folder / "table.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        return [{key: float(value) if key in NUMBERS and value else value for key, value in row.items()} for row in rows]

    def column(self, rows, name):
        return [row[name] for row in rows]


class Variants(Case):
    """Which there are. A frame is enough."""

    def values(self, *words, expect=0):
        rows = self.sweep(*words, "--frames", 1, expect=expect)
        pointers = [vary["pointer"] for vary in self.report["vary"]]
        return [tuple(row[pointer] for pointer in pointers) for row in rows]

    def test_all_combinations_the_last_fastest(self):
        values = self.values("--vary", "/cables/0/length=0.65:0.75:3", "--vary", "/materials/wire/friction=0.1,0.5")
        self.assertEqual(values, [(a, b) for a in ("0.65", "0.7", "0.75") for b in ("0.1", "0.5")])
        self.assertEqual(self.report["variants"], 6)
        self.assertEqual([row["values"] for row in self.report["rows"]][1], [0.65, 0.5])
        self.assertIn("6 variants, 6 ok, 0 diverged, 1 worlds", self.said)

    def test_lists_hold_any_json(self):
        values = self.values("--vary", "/attachments/1/to=here,[0.5,0,1],{\"keyframes\":[[0,0.6,0,1],[1,0.5,0,1]]}")
        self.assertEqual([value for value, in values],
                         ["here", "[0.5,0,1]", "{\"keyframes\":[[0,0.6,0,1],[1,0.5,0,1]]}"])

    def test_whole_numbers_and_topology(self):
        rows = self.sweep("--vary", "/cables/0/segments=8:24:3", "--frames", 2)
        self.assertEqual(self.column(rows, "/cables/0/segments"), ["8", "16", "24"])
        self.assertEqual(self.column(rows, "status"), ["ok"] * 3)

    def drawn(self, *words):
        rows = self.sweep("--vary", "/cables/0/length=0.62:0.82", "--vary", "/materials/wire/damping=normal:1:0.1",
                          "--vary", "/materials/wire/friction=0.1,0.4", "--frames", 1, "--substeps", 1, *words)
        return [[float(row[key]) for row in rows]
                for key in ("/cables/0/length", "/materials/wire/damping", "/materials/wire/friction")]

    def test_random(self):
        length, damping, friction = self.drawn("--random", 400)
        self.assertTrue(all(0.62 <= x <= 0.82 for x in length))
        # means of 400: 3 standard errors are 0.0087 and 0.015, of the deviation 0.011
        self.assertAlmostEqual(statistics.mean(length), 0.72, delta=0.0087)
        self.assertAlmostEqual(statistics.mean(damping), 1, delta=0.015)
        self.assertAlmostEqual(statistics.stdev(damping), 0.1, delta=0.011)
        self.assertEqual(set(friction), {0.1, 0.4})
        again = (self.folder / "table.csv").read_bytes()
        self.drawn("--random", 400, "--seed", 1)
        self.assertEqual((self.folder / "table.csv").read_bytes(), again)
        self.assertNotEqual(self.drawn("--random", 400, "--seed", 2)[0], length)

    def test_latin_hypercube(self):
        length, damping, friction = self.drawn("--random", 50, "--latin")
        self.assertEqual(sorted(int((x - 0.62) / 0.2 * 50) for x in length), list(range(50)))
        below = sorted(int(statistics.NormalDist(1, 0.1).cdf(x) * 50) for x in damping)
        self.assertEqual(below, list(range(50)))
        self.assertEqual(friction.count(0.1), 25)

    def test_mistakes(self):
        for words, part in (
                ((), "expected --vary"),
                (("--vary", "gravity=1,2"), "got 'gravity=1,2'"),
                (("--vary", "/cables/0/length"), "got '/cables/0/length'"),
                (("--vary", "/cables/0/length=0.7:0.8"), "with --random"),
                (("--vary", "/cables/0/length=0.7:0.8:0"), "FROM:TO:COUNT"),
                (("--vary", "/cables/0/length=0.7:0.8:1.5"), "FROM:TO:COUNT"),
                (("--vary", "/cables/0/length=0.7,,0.8"), "VALUE,VALUE"),
                (("--vary", "/cables/0/length=normal:1:-1", "--random", "3"), "normal:MEAN"),
                (("--vary", "/cables/0/length=0.7,0.8", "--latin"), "--random"),
                (("--vary", "/cables/0/length=0.7,0.8", "--seed", "3"), "--random"),
                (("--vary", "/cables/0/lenght=0.7,0.8"), "/cables/0/lenght"),
                (("--vary", "/cables/7/length=0.7,0.8"), "--set /cables/7/length"),
                (("--vary", "/cables/0/length=0.7,-1"), "/cables/0/length: expected"),
                (("--vary", "/a=1:2:2000", "--vary", "/b=1:2:2000"), "at most 1000000 variants"),
                (("--vary", "/cables/0/length=0.7,0.8", "-o", "a.vtp"), "a.vtp: a sweep's table is written as .csv"),
        ):
            self.assertIn(part, self.call("sweep", self.scene, "--device", "native", *words, expect=2).stderr, words)
        for kind in ("planar", "particles"):
            scene = next((SCENES / kind).glob("*.json"))
            self.assertIn(f'"{kind}"', self.call("sweep", scene, "--vary", "/x=1,2", expect=2).stderr)


class Results(Case):
    LENGTHS = [0.65, 0.7, 0.8]

    def alone(self, scene, length, *words):
        self.call("run", scene, "--device", "native", "--threads", 2, "--set", f"/cables/0/length={length}", "-o", "alone.csv",
                  "--report", "alone.json", "--quiet", *words)
        with open(self.folder / "alone.csv", newline="") as file:
            nodes = [{key: float(value) if key != "cable" else value for key, value in row.items()}
                     for row in csv.DictReader(file)]
        return nodes, json.loads((self.folder / "alone.json").read_text())

    def check(self, scene, places, relative):
        """Against runs alone: places to so many m, numbers to so much of them."""
        self.write("scene.json", scene)
        rows = self.sweep("--vary", "/cables/0/length=" + ",".join(map(str, self.LENGTHS)))
        for row, length in zip(rows, self.LENGTHS):
            nodes, report = self.alone(self.scene, length)
            end = [node for node in nodes if node["cable"] == "a"][-1]
            for axis in "xyz":
                self.assertAlmostEqual(row[f"end_{axis}"], end[axis], delta=places)
            sag = max(1 - node["z"] for node in nodes if node["cable"] == "a")
            fall = max(0, max((node["x"] / nodes[-1]["x"]) * (nodes[-1]["z"] - 1) + 1 - node["z"]
                              for node in nodes if node["cable"] == "b"))
            self.assertAlmostEqual(row["sag"], max(sag, fall), delta=max(places, 1e-6))
            self.assertAlmostEqual(row["stretch_max"], report["stretch"]["worst_over_run"],
                                   delta=relative * report["stretch"]["worst_over_run"] + 1e-6)
            self.assertAlmostEqual(row["penetration_max"], report["penetration"]["worst_over_run"], delta=places + 1e-9)
            # of the run, so at least that of the end
            self.assertGreaterEqual(row["tension_max"] * (1 + relative), max(node["tension"] for node in nodes))
        return rows

    def test_as_alone_without_contact(self):
        rows = self.check(NO_CONTACT, 1e-9, 1e-9)  # nine digits of the same bits
        self.assertEqual(self.column(rows, "penetration_max"), [0, 0, 0])

    def test_as_alone_with_contact(self):
        rows = self.check(SCENE, 2e-6, 1e-3)  # tests/test_groups.c says why not the same bits
        self.assertGreater(max(self.column(rows, "penetration_max")), 0)

    def test_batch_of_one_is_the_same(self):
        self.write("scene.json", NO_CONTACT)
        words = ("--vary", "/cables/0/length=0.65:0.8:7")
        self.sweep(*words)
        table = (self.folder / "table.csv").read_bytes()
        self.sweep(*words, "--batch", 1)
        self.assertIn("7 worlds", self.said)
        self.assertEqual((self.folder / "table.csv").read_bytes(), table)
        self.sweep(*words, "--batch", 3)
        self.assertIn("3 worlds", self.said)
        self.assertEqual((self.folder / "table.csv").read_bytes(), table)

    def test_clips_and_tubes(self):
        for name, vary in (("clip", "/clips/0/at=0.26,0.28"), ("clip", "/clips/1/friction=0.1,0.5"),
                           ("tube", "/materials/tube/linear_density=0.01,0.05")):
            tables = []
            for batch in (10, 1):
                rows = self.sweep("--vary", vary, "--frames", 20, "--batch", batch, scene=SCENES / f"{name}.json")
                tables.append((self.folder / "table.csv").read_bytes())
            self.assertEqual({row["broken"] for row in rows}, {0}, vary)  # docs/sweep.md: else not the same bits
            self.assertEqual(tables[0], tables[1], vary)
            self.assertNotEqual(rows[0]["tension_max"], rows[1]["tension_max"], vary)

    def test_same_bytes_again(self):
        words = ("--vary", "/cables/0/length=0.65:0.8:4", "--vary", "/colliders/0/radius=0.15,0.2")
        self.sweep(*words)
        files = [(self.folder / name).read_bytes() for name in ("table.csv", "report.json")]
        self.sweep(*words, "--threads", 1)
        self.assertEqual([(self.folder / name).read_bytes() for name in ("table.csv", "report.json")], files)

    def test_bend_radius(self):
        """A cable held along a semicircle of 0.2 m, bent at rest: the polygon's circle is the semicircle."""
        path = [[0.2 * math.cos(math.pi * i / 24), 0, 1 + 0.2 * math.sin(math.pi * i / 24)] for i in range(25)]
        scene = {**NO_CONTACT, "cables": [{"name": "c", "material": "wire", "path": path, "segments": 24}],
                 "gravity": [0, 0, 0], "attachments": [{"cable": "c", "at": "start", "to": "here", "clamp": True}]}
        scene["materials"] = {"wire": {**SCENE["materials"]["wire"], "rest_shape": "path"}}
        row, _ = self.sweep("--vary", "/materials/wire/friction=0.1,0.2", scene=self.write("bent.json", scene))
        self.assertAlmostEqual(row["bend_radius_min"], 0.2, delta=1e-3)  # control points are not quite at equal arcs

    def test_colliders_that_differ(self):
        """A ball lower by 50 mm in the second: what lies on it does so, too."""
        scene = {**SCENE, "time": {"duration": 2, "frame_rate": 50, "substeps": 20}}
        scene["attachments"] = [{"cable": "b", "at": "start", "to": "here"}]
        scene["colliders"] = [{"shape": "plane", "point": [0, 0, 0.5], "normal": [0, 0, 1]}]
        rows = self.sweep("--vary", "/colliders/0/point/2=0.5,0.45", scene=self.write("floor.json", scene))
        self.assertAlmostEqual(rows[0]["end_z"], 0.504, delta=1e-3)
        self.assertAlmostEqual(rows[1]["end_z"], 0.454, delta=1e-3)

    def test_settings_that_differ_get_worlds_of_their_own(self):
        rows = self.sweep("--vary", "/gravity/2=-9.81,0", "--vary", "/cables/0/length=0.65,0.7,0.8", scene=self.write("g.json", {
            **NO_CONTACT, "gravity": [0, 0, -9.81]}))
        self.assertIn("2 worlds", self.said)
        self.assertTrue(all(row["sag"] > 0.1 for row in rows[1:3]))
        self.assertTrue(all(row["sag"] == 0 for row in rows[3:]), rows[3:])

    def test_what_breaks_is_counted(self):
        rows = self.sweep("--vary", "/attachments/2/break_force=0.01,100")
        self.assertEqual(self.column(rows, "broken"), [1, 0])

    def test_what_diverges_leaves_the_others_as_they_are(self):
        words = ("--vary", "/loads=[],[{\"cable\":\"b\",\"at\":\"end\",\"force\":[0,0,1e9]}],"
                           "[{\"cable\":\"b\",\"at\":\"end\",\"mass\":0.1}]")
        rows = self.sweep(*words)
        self.assertEqual(self.column(rows, "status"), ["ok", "diverged", "ok"])
        self.assertEqual(rows[1]["tension_max"], "")
        self.assertEqual((self.report["ok"], self.report["diverged"], self.report["rows"][1]["frame"]), (2, 1, 1))
        alone = self.sweep("--vary", "/loads=[],[{\"cable\":\"b\",\"at\":\"end\",\"mass\":0.1}]")
        for kept, other in zip(rows[::2], alone):
            self.assertEqual([kept[key] for key in NUMBERS], [other[key] for key in NUMBERS])

    def test_percentiles(self):
        rows = self.sweep("--vary", "/cables/0/length=0.65:0.8:11")
        for name in NUMBERS:
            values = sorted(self.column(rows, name))
            spread = self.report["spread"][name]
            # eleven: percentiles at tenths; 5 lies in the middle of the first two
            for key, wanted in (("min", values[0]), ("p5", (values[0] + values[1]) / 2), ("p50", values[5]),
                                ("p95", (values[9] + values[10]) / 2), ("max", values[10])):
                self.assertAlmostEqual(spread[key], wanted, delta=1e-8 * abs(wanted) + 1e-12)
            self.assertIn(name, self.said)


class Columns(Case):
    """What is measured where it is asked for."""

    MORE = ["clip_force_max", "connector_force_max", "hold_force_max", "clearance_collider_min", "clearance_cable_min"]
    PER_CABLE = [name for name in NUMBERS if not name.startswith("end_")]

    def numbers(self, rows, name):
        return [float(row[name]) for row in rows]

    def test_none_by_default(self):
        rows = self.sweep("--vary", "/cables/0/length=0.65,0.7", "--frames", 1)
        self.assertEqual(list(rows[0])[3:], NUMBERS)

    def test_forces(self):
        """Ropes of 50 g that bear a mass each, on an attachment, a clip and a connector: what hangs there, less the half segment of each."""
        wire = {"radius": 0.004, "linear_density": 0.05, "damping": 5}
        scene = {"clcable": 1, "method": "direct", "time": {"duration": 1.5, "substeps": 40}, "materials": {"wire": wire},
                 "cables": [{"name": n, "material": "wire", "path": [[x, 0, 2], [x, 0, 1]], "segments": 10} for n, x in (("a", 0), ("b", 1), ("c", 2))],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}],
                 "clips": [{"name": "F", "cable": "b", "at": "start", "to": "here", "direction": [1, 0, 0], "grip": 100}],
                 "connectors": [{"name": "X", "cable": "c", "at": "start", "to": "here", "direction": [0, 0, 1]}],
                 "loads": [{"cable": "a", "at": "end", "mass": 0.1}, {"cable": "b", "at": "end", "mass": 0.2}, {"cable": "c", "at": "end", "mass": 0.3}]}
        rows = self.sweep("--vary", "/loads/0/mass=0.1,0.4", "--columns", "forces,cables", scene=self.write("forces.json", scene))
        self.assertEqual([name for name in self.MORE if name in rows[0]], self.MORE[:3])
        for name, masses in (("hold_force_max", (0.1, 0.4)), ("clip_force_max", (0.2, 0.2)), ("connector_force_max", (0.3, 0.3))):
            for force, mass in zip(self.numbers(rows, name), masses):
                self.assertGreater(force, 0.99 * 9.81 * (mass + 0.0475))
                self.assertLess(force, 1.3 * 9.81 * (mass + 0.0475))  # the worst frame swings a little, as in test_report
        cable_of = {"hold_force_max": "a", "clip_force_max": "b", "connector_force_max": "c"}
        for name, cable in cable_of.items():
            self.assertEqual(self.column(rows, f"{name}[{cable}]"), self.column(rows, name))
            self.assertEqual({row[f"{name}[{other}]"] for row in rows for other in "abc" if other != cable}, {"0"})

    def test_force_that_breaks(self):
        """What let go counts with what it bore then: at least its break_force."""
        rows = self.sweep("--vary", "/attachments/2/break_force=0.01,100", "--columns", "forces,cables")
        self.assertEqual(self.column(rows, "broken[b]"), ["1", "0"])
        self.assertGreaterEqual(float(rows[0]["hold_force_max[b]"]), 0.01)

    def test_torque(self):
        """A straight rod between clamps bears GJ/L times its roll, the one beside it half of that, either way; a cable that does not resist none."""
        rod = {"radius": 0.004, "linear_density": 0.05, "bending_stiffness": 0.02, "twisting_stiffness": 0.01}
        scene = {"clcable": 1, "method": "direct", "gravity": [0, 0, 0], "time": {"duration": 0.1, "substeps": 10},
                 "materials": {"rod": rod, "soft": {**rod, "twisting_stiffness": 0}},
                 "cables": [{"name": n, "material": m, "path": [[0, y, 0], [0.5, y, 0]], "segments": 10} for n, m, y in (("a", "rod", 0), ("b", "rod", 1), ("c", "soft", 2))],
                 "attachments": [{"cable": c, "at": at, "to": "here", "clamp": True, **({"roll": roll} if at == "end" and roll else {})}
                                 for c, roll in (("a", 1), ("b", -0.5), ("c", 0)) for at in ("start", "end")]}
        scene = self.write("rods.json", scene)
        for settle in (), ("--settle",):
            rows = self.sweep("--vary", "/attachments/1/roll=1,-2", "--columns", "torque,cables", *settle, scene=scene)
            for name, moments in (("torque_max", (0.02, 0.04)), ("torque_max[a]", (0.02, 0.04)), ("torque_max[b]", (0.01, 0.01)), ("torque_max[c]", (0, 0))):
                for found, moment in zip(self.numbers(rows, name), moments):
                    self.assertAlmostEqual(found, moment, delta=1e-6 * moment)  # of floats
        self.sweep("--vary", "/attachments/1/roll=-1:2", "--best", "least:torque_max[a]", scene=scene)
        self.assertAlmostEqual(self.report["best"]["at"], 0, delta=0.0035)  # a thousandth of the range

    def test_clearances(self):
        """Wires 12, 17 and 40 mm over a ball, and 10 mm from each other: surface to surface; beyond 20 mm is not looked."""
        scene = {**SCENE, "gravity": [0, 0, 0], "attachments": [], "contact": {}, "colliders": [
                     {"name": "ball", "shape": "sphere", "center": [0, 0, 0], "radius": 0.1}],
                 "cables": [{"name": n, "material": "wire", "path": [[-0.2, y, 0.116], [0.2, y, 0.116]], "segments": 8} for n, y in (("a", 0), ("b", 0.018))]}
        rows = self.sweep("--vary", "/colliders/0/radius=0.1,0.095,0.072", "--columns", "clearances,cables", scene=self.write("near.json", scene))
        self.assertEqual([name for name in self.MORE if name in rows[0]], self.MORE[3:])
        for found, wanted in zip(self.numbers(rows, "clearance_collider_min"), (0.012, 0.017, math.inf)):
            self.assertTrue(found == wanted or abs(found - wanted) < 1e-6, found)  # floats of 0.1 m
        self.assertTrue(all(abs(x - 0.010) < 1e-6 for x in self.numbers(rows, "clearance_cable_min")))
        off = math.hypot(0.018, 0.116) - 0.1 - 0.004
        self.assertAlmostEqual(float(rows[0]["clearance_collider_min[b]"]), off, delta=1e-6)
        spread = self.report["spread"]["clearance_collider_min"]
        self.assertAlmostEqual(spread["p50"], 0.017, delta=1e-6)
        self.assertEqual((spread["max"], spread["p95"]), (None, None))  # infinite
        self.assertNotIn("nan", self.said)

    def test_cables(self):
        """Each column of each cable; the whole's is the worst of them. A cable that a variant does not have leaves its places empty."""
        rows = self.sweep("--vary", "/cables/1/copies/count=[1,1,1],[1,1,2]", "--vary", "/cables/0/length=0.65,0.7,0.8", "--columns", "cables",
                          "--frames", 3, scene=self.write("copies.json", {**NO_CONTACT, "cables": [
                              SCENE["cables"][0], {**SCENE["cables"][1], "copies": {"count": [1, 1, 1], "spacing": [0, 0, 1]}}]}))
        names = ["a", "b", "b[0,0,0]", "b[0,0,1]"]
        self.assertEqual(list(rows[0])[4:], NUMBERS + [f"{name}[{cable}]" for cable in names for name in self.PER_CABLE])
        for row in rows:
            there = names[:2] if row["/cables/1/copies/count"] == "[1,1,1]" else [names[0], *names[2:]]
            for cable in names:
                self.assertEqual(row[f"sag[{cable}]"] != "", cable in there)
            self.assertEqual(float(row["tension_max"]), max(float(row[f"tension_max[{cable}]"]) for cable in there))
            self.assertEqual(float(row["bend_radius_min"]), min(float(row[f"bend_radius_min[{cable}]"]) for cable in there))
        for cable, count in (("a", 6), ("b", 3), ("b[0,0,1]", 3)):
            spread = self.report["spread_by_cable"][cable]["tension_max"]
            values = sorted(float(row[f"tension_max[{cable}]"]) for row in rows if row[f"tension_max[{cable}]"])
            self.assertEqual(len(values), count)
            middle = values[1] if count == 3 else (values[2] + values[3]) / 2
            for key, wanted in (("min", values[0]), ("p50", middle), ("max", values[-1])):
                self.assertAlmostEqual(spread[key], wanted, delta=1e-8 * abs(wanted))
        self.assertEqual(set(self.report["rows"][0]["cables"]), {"a", "b"})

    def test_the_same_in_any_batch(self):
        words = ("--vary", "/cables/0/length=0.65:0.8:4", "--columns", "forces,clearances,cables", "--frames", 5)
        tables = []
        for batch in (10, 3, 1):
            self.sweep(*words, "--batch", batch, scene=self.write("scene.json", NO_CONTACT))
            tables.append((self.folder / "table.csv").read_bytes())
        self.assertEqual(tables[1:], tables[:1] * 2)

    def test_what_diverges(self):
        rows = self.sweep("--vary", "/loads=[],[{\"cable\":\"b\",\"at\":\"end\",\"force\":[0,0,1e9]}]", "--columns", "forces,cables")
        self.assertEqual(self.column(rows, "status"), ["ok", "diverged"])
        self.assertEqual((rows[1]["tension_max[a]"], "cables" in self.report["rows"][1]), ("", False))
        self.assertNotEqual(rows[0]["tension_max[a]"], "")

    def test_mistakes(self):
        for words in ("force", "forces,", "", "forces;cables"):
            said = self.call("sweep", self.scene, "--vary", "/cables/0/length=0.7,0.8", "--columns", words, expect=2).stderr
            self.assertIn("--columns: expected forces, clearances, cables or torque", said)
        said = self.call("sweep", self.write("lanes.json", NO_CONTACT), "--vary", "/cables/0/length=0.7,0.8", "--columns", "forces", "--method", "direct",
                         "--set", "/method/way=lanes", "--set", "/contact/self=false", "--set", "/attachments=[]", "--device", "native", expect=2).stderr
        self.assertIn('"lanes" cannot be had: forces are measured', said)


class Warnings(Case):
    def said_of(self, *words, scene=None):
        result = self.call("sweep", scene or self.scene, "--device", "native", "-o", "table.csv", *words)
        return result.stderr.splitlines()

    def test_one_line_a_kind(self):
        """Ropes that XPBD bends and stretches with two substeps, in a world each and in one: two kinds, two lines and how many more there are."""
        words = ("--vary", "/cables/0/length=0.65:0.8:6", "--method", "xpbd", "--substeps", 2, "--frames", 1)
        lines = self.said_of(*words, "--batch", 1)
        self.assertGreaterEqual(len(lines), 2)
        for line in lines:
            self.assertRegex(line, r'\Aclcable: warning: variant \d: .*cable "[ab]" .*\(and 5 more like it\)\Z')
        shapes = [re.sub(r"[\d.e+]+", "#", line) for line in lines]
        self.assertEqual(len(set(shapes)), len(shapes))
        together = self.said_of(*words)
        self.assertEqual(len(together), len(lines))
        self.assertFalse([line for line in together if '"0/' in line])
        self.assertEqual(self.said_of(*words, "--quiet"), [])

    def test_notes_of_a_harness_once(self):
        lines = self.said_of("--vary", "/clips/0/play=0:0.001:5", "--frames", 1, scene=SCENES / "loom.kbl")
        self.assertEqual(len([line for line in lines if "missing or contradictory" in line]), 1)


class BadDays(Case):
    WORDS = ("--device", "native", "--vary", "/cables/0/length=0.65:0.8:4")

    def test_full_disk_and_missing_folder(self):
        (self.folder / "full.csv").symlink_to("/dev/full")
        said = self.call("sweep", self.scene, *self.WORDS, "-o", "full.csv", expect=1).stderr
        errors = "".join(line for line in said.splitlines(True) if not line.startswith("clcable: warning: "))
        self.assertRegex(errors, r"\Aclcable: full.csv: [^\n]+\n\Z")
        said = self.call("sweep", self.scene, *self.WORDS, "-o", "no/a.csv", expect=1)
        self.assertIn("No such file", said.stderr)
        self.assertEqual(said.stdout, "")  # before anything is run

    def test_interrupted(self):
        words = [PROGRAM, "sweep", self.scene, *self.WORDS, "--batch", "1", "--duration", "1e5", "-o", "table.csv"]
        process = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130, err)
        with open(self.folder / "table.csv", newline="") as file:
            self.assertEqual([row["status"] for row in csv.DictReader(file)], ["not run"] * 4)

    def test_help_has_an_example_that_runs(self):
        text = self.call("sweep", "--help").stdout
        self.assertIn("example: clcable sweep scenes/one.json", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
