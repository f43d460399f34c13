"""What the figures of the thesis on cable simulation show, as known answers: a rubbery cable (3.16), one that flies apart
(3.17), one too fast for its substeps, one that slides on (3.28), one that stops (3.31). Native and PoCL, bit for bit; two resolutions.

usage: test_figures.py PROGRAM SCENES
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SCENES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
G = 9.81
POCL = "Portable Computing Language"


def pocl():
    listed = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True).stdout
    return next((line.split()[0] for line in listed.splitlines() if POCL in line), None)


class Figures(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def run_on(self, device, name, words, expect):
        table, report = self.folder / f"{device}.csv", self.folder / f"{device}.json"
        result = subprocess.run([PROGRAM, "run", str(SCENES / f"{name}.json"), "--device", device, "-o", str(table),
                                 "--report", str(report), *words], capture_output=True, text=True, timeout=250)
        self.assertEqual(result.returncode, expect, result.stderr)
        return table.read_bytes(), json.loads(report.read_text()), result.stderr

    def run_scene(self, name, *words, expect=0):
        """The last frame's rows and the report; the same bytes on PoCL where there is one."""
        table, report, errors = self.run_on("native", name, words, expect)
        device = pocl()
        if device:
            self.assertEqual(table, self.run_on(device, name, words, expect)[0])
        rows = [{k: float(v) for k, v in row.items() if k != "cable"}
                for row in csv.DictReader(table.decode().splitlines())]
        return rows, report, errors

    def test_rubbery(self):
        """Springs of 60 N/m over 20 segments give as much as what hangs on each of them weighs: 16 cm of a metre. With
        twice the segments of twice the stiffness it is the same rubber."""
        rows, report, _ = self.run_scene("rubbery")
        self.assertGreater(report["stretch"]["worst_over_run"], 0.25)  # on the way down
        for segments, stiffness in ((20, 60), (40, 120)):
            rows, _, _ = self.run_scene("rubbery", "--duration", "8", "--set", f"/cables/0/segments={segments}",
                                        "--set", f"/method/spring_stiffness={stiffness}")
            weight = 0.1 / segments * G
            gives = sum((segments - 0.5 - i) * weight / stiffness for i in range(segments))
            # what still swings after 8 s: e^(-3/2 8) of 16 cm, a millionth of a metre
            self.assertAlmostEqual(rows[-1]["z"], 0.5 - gives, delta=1e-5)
            self.assertAlmostEqual(rows[0]["tension"], (segments - 0.5) * weight, delta=1e-3)

    def test_exploded(self):
        """Too stiff for its steps: told before, ended as diverged, no crash. With the substeps that the warning tells
        it hangs together."""
        _, report, errors = self.run_scene("exploded", expect=1)
        self.assertEqual(report["status"], "diverged")
        self.assertIn("springs as stiff as these may diverge with 10 substeps; 59 are enough", errors)
        self.assertIn("diverged in frame 1", errors)
        rows, report, errors = self.run_scene("exploded", "--substeps", "59")
        self.assertEqual((report["status"], errors), ("ok", ""))
        self.assertLess(report["stretch"]["worst_over_run"], 0.05)

    def test_falls_through(self):
        """A substep takes the cable 52 mm, across a bar whose reach is 16 mm: who looks only where substeps end sees
        nothing, and it is in free fall throughout, exactly: an implicit Euler scheme falls g t dt / 2 too far. Looked
        for on the way it is held up at the bar, whether a particle (20, 40) or a segment (21) meets it."""
        t, step = 0.1, 1 / 240
        fall = 0.53 - 12 * t - G * t * (t + step) / 2
        for segments in (20, 21, 40):
            words = ("--set", f"/cables/0/segments={segments}")
            rows, _, _ = self.run_scene("falls-through", *words)
            for row in rows:
                self.assertAlmostEqual(row["z"], fall, delta=2e-6)  # 24 substeps of floats
            rows, _, _ = self.run_scene("falls-through", *words, "--set", "/contact/detection=swept")
            self.assertGreater(max(row["z"] for row in rows), 0.008 - 1e-4)  # on the bar,
            self.assertGreater(min(row["z"] for row in rows), fall / 2)  # its ends 25 cm below, and what 10 iterations give

    def mean_x(self, rows):
        return sum(row["x"] for row in rows) / len(rows)

    def check_slide(self, name, friction):
        """A cable falls 5 cm on the floor at 1 m/s along it. Friction takes mu times the speed of the fall at once, then
        mu g. A first-order scheme is off by half a substep's way, 0.2 mm each at the fall, the blow and the stop."""
        for segments in (40, 80):
            words = ("--set", f"/cables/0/segments={segments}")
            start, _, _ = self.run_scene(name, "--frames", "1", *words)
            rows, report, _ = self.run_scene(name, *words)
            flight = math.sqrt(2 * 0.05 / G)
            speed = 1 - friction * G * flight
            slide = speed ** 2 / (2 * friction * G) if friction else 1 - flight
            moved = self.mean_x(rows) - self.mean_x(start) + 1 / 60
            self.assertAlmostEqual(moved, flight + slide, delta=6e-4)
            for row in rows:
                self.assertAlmostEqual(row["vx"], 0 if friction else 1, delta=1e-6 if friction else 1e-3)
                self.assertAlmostEqual(row["z"], 0.005, delta=2e-6)
            self.assertLess(report["stretch"]["worst_over_run"], 1e-4)

    def test_slides(self):
        self.check_slide("slides", 0)

    def test_stops(self):
        self.check_slide("stops", 0.3)


if __name__ == "__main__":
    unittest.main()
