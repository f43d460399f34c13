"""`clcable study stiffness`: what the thesis on cable simulation says of its figures 3.37 to 3.39, and the files.

usage: test_study.py PROGRAM [Study | Particles]
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = sys.argv.pop(1)
ITERATIONS, STEPS = (1, 12, 25), (0.02, 0.002, 0.0002)
POCL = "Portable Computing Language"


def call(*words):
    return subprocess.run([PROGRAM, "study", *words], capture_output=True, text=True, timeout=250)


class Study(unittest.TestCase):
    def run_study(self, *words):
        folder = self.folder / "out"
        result = call("stiffness", "--out", str(folder), *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(folder / "stiffness.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 27)
        return {(r["method"], int(r["iterations"]), float(r["step_s"])): r for r in rows}, result.stdout

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def check_stiffening(self, rows):
        """Jakobsen's and PBD's cable swings further with more iterations and with smaller steps. 0.05 degrees are what
        the rounding of 1e-7 m over 1,250 steps could do at most."""
        for method in ("jakobsen", "pbd"):
            swing = {key[1:]: float(row["swing_degrees"]) for key, row in rows.items() if key[0] == method}
            for step in STEPS:
                for few, many in zip(ITERATIONS, ITERATIONS[1:]):
                    self.assertGreater(swing[many, step], swing[few, step] + 0.05, (method, step, many))
            for iterations in ITERATIONS:
                for long, short in zip(STEPS, STEPS[1:]):
                    self.assertGreater(swing[iterations, short], swing[iterations, long] + 0.05, (method, iterations))

    def check_xpbd(self, rows):
        """XPBD's ends where it has converged: all that stretch by less than 1 % in the mean are within 4 degrees (the
        step's own first order: 2 degrees from 0.002 s on), at the smallest step within half of one."""
        swing = {key[1:]: float(row["swing_degrees"]) for key, row in rows.items()
                 if key[0] == "xpbd" and float(row["stretch_mean"]) < 0.01}
        self.assertEqual(set(swing), {(12, 0.002), (25, 0.002), (1, 0.0002), (12, 0.0002), (25, 0.0002)})
        right = swing[25, 0.0002]
        for (iterations, step), degrees in swing.items():
            self.assertLess(abs(degrees - right), 0.5 if step == STEPS[2] else 4, (iterations, step))

    def test_statements(self):
        for segments in (30, 40):
            rows, _ = self.run_study("--set", f"/cables/0/segments={segments}")
            self.check_stiffening(rows)
            self.check_xpbd(rows)

    def test_steps_of_20_ms_make_methods_alike(self):
        """At equal iterations; at 0.2 ms they part. That iterations do not matter at 20 ms, as the thesis also has it,
        is not so: a cable that stretches by 15 % with one stretches by 2 to 6 % with 25."""
        rows, _ = self.run_study()

        def spread(iterations, step):
            swings = [float(rows[m, iterations, step]["swing_degrees"]) for m in ("jakobsen", "pbd", "xpbd")]
            return max(swings) - min(swings)

        for iterations in ITERATIONS:
            self.assertLess(spread(iterations, 0.02), 15)
        self.assertGreater(spread(25, 0.0002), 30)
        for method in ("jakobsen", "pbd", "xpbd"):
            self.assertLess(float(rows[method, 25, 0.02]["stretch_mean"]),
                            0.5 * float(rows[method, 1, 0.02]["stretch_mean"]))

    def test_files(self):
        rows, table = self.run_study()
        self.assertEqual(len(table.splitlines()), 3 + 27)
        with open(self.folder / "out" / "positions.csv") as file:
            places = list(csv.DictReader(file))
        self.assertEqual(len(places), 27 * 31)
        for row in places:
            if row["particle"] == "0":
                self.assertEqual((row["x"], row["y"], row["z"]), ("0", "0", "1"))
        for method in ("jakobsen", "pbd", "xpbd"):
            svg = xml.etree.ElementTree.parse(self.folder / "out" / f"{method}.svg").getroot()
            name = "{http://www.w3.org/2000/svg}"
            panels = svg.findall(name + "g")
            self.assertEqual(len(panels), 9)
            for panel in panels:
                circles = panel.findall(name + "circle")
                self.assertEqual(len(circles), 31)
                for circle in circles:
                    for word in ("cx", "cy"):
                        self.assertTrue(0 <= float(circle.get(word)) <= 220)

    def test_devices_agree(self):
        listed = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True).stdout
        if POCL not in listed and "pocl" not in listed.lower():
            self.skipTest("no PoCL")
        self.run_study()
        native = (self.folder / "out" / "positions.csv").read_bytes()
        device = next(line.split()[0] for line in listed.splitlines() if "pocl" in line.lower() or POCL in line)
        self.run_study("--device", device)
        self.assertEqual(native, (self.folder / "out" / "positions.csv").read_bytes())

    def test_mistakes(self):
        for words, part in ((("loudness",), "expected \"stiffness\" or \"particles\", got 'loudness'"),
                            ((), 'expected "stiffness" or "particles"'),
                            (("stiffness", "--json"), "takes no --json"),
                            (("particles", "--set", "/a=1"), "no scene"),
                            (("stiffness", "--out", "a", "--out", "b"), "--out is given twice"),
                            (("stiffness", "--method", "pbd"), "unknown option '--method'"),
                            (("stiffness", "--set", "/cables/0/segments=0"), "/cables/0/segments"),
                            (("stiffness", "--set", "/materials/cable/bending_stiffness=1"), "bending_stiffness")):
            result = call(*words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(part, result.stderr)
        result = call("stiffness", "--out", "/dev/null/x")
        self.assertEqual(result.returncode, 1)


class Particles(unittest.TestCase):
    """A search over thousands of runs."""

    def test_particles(self):
        """Tables, CSV and JSON say the same; what holds of the scores is test_particle_scores' to say."""
        if os.environ.get("CLCABLE_SANITIZED"): # a search over thousands of runs
            print("skipped: study particles under sanitizers, test_particles runs all of its engine")
            return
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            result = call("particles", "--json", "--out", str(folder))
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(folder / "integrators.csv") as file:
                rows = list(csv.DictReader(file))
            with open(folder / "solvers.csv") as file:
                solvers = list(csv.DictReader(file))
        found = json.loads(result.stdout)
        self.assertEqual([r["integrator"] for r in rows], [r["name"] for r in found["integrators"]])
        self.assertEqual(len(rows), 8)
        for row, one in zip(rows, found["integrators"]):
            self.assertAlmostEqual(float(row["pendulum_step_s"]) / one["pendulum_step_s"], 1, 4)
            self.assertAlmostEqual(float(row["damped_step_s"]) / one["damped_step_s"], 1, 4)
            self.assertGreater(one["ellipse_speed"], 1)
        orders = {r["name"]: round(r["order"]) for r in found["integrators"]}
        self.assertEqual(orders, {"euler": 1, "midpoint": 2, "leapfrog": 1, "leapfrog-2": 2, "rk4": 4, "verlet": 1,
                                  "midpoint-verlet": 1, "midpoint-verlet-2": 2})
        self.assertEqual(len(solvers), len(found["solvers"]))
        self.assertEqual(found["setup"]["ellipse"]["step"], 0.01)
        self.assertEqual(found["setup"]["damped"], {"position_gain": 100, "velocity_gain": 40})


if __name__ == "__main__":
    unittest.main()
