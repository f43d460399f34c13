"""clcable fit: what a simulated cable is made of is found again, from places with noise; what tracks do not tell is said; what is refused."""
import csv
import json
import math
import random
import signal
import subprocess
import sys
import time
import unittest

import commands

WIRE = "/materials/wire/"


def swing(bending_stiffness=8e-4, bending_damping=0.03, damping=0.2, **material):
    """A cable between a hand that goes to and fro and a clamp, with seven probes."""
    material.update(bending_stiffness=bending_stiffness, bending_damping=bending_damping, damping=damping)
    led = [[i / 50, 0.1 * math.sin(0.138 * i) * min(1, i / 25), 0.05 * math.sin(0.088 * i), 1] for i in range(201)]
    return {
        "clcable": 1,
        "time": {"duration": 4, "frame_rate": 50, "substeps": 10},
        "method": {"name": "direct"},
        "materials": {"wire": {"radius": 0.004, "linear_density": 0.08, **material}},
        "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.35, 0, 0.65], [0.7, 0, 1]], "segments": 30}],
        "attachments": [{"cable": "a", "at": "start", "to": {"keyframes": led}},
                        {"cable": "a", "at": "end", "to": "here", "clamp": True}],
        "probes": [{"name": f"m{i}", "cable": "a", "at": 0.12 * i} for i in range(1, 8)],
        "contact": {"cables": False, "self": False},
    }


def slide(friction):
    """A bar slides down a slope of 30 degrees from where it lies along it."""
    slope = math.radians(30)
    down, up = (math.cos(slope), -math.sin(slope)), (math.sin(slope), math.cos(slope))
    ends = [[0.005 * up[0] + s * down[0], 0, 0.005 * up[1] + s * down[1]] for s in (0, 0.3)]
    return {
        "clcable": 1,
        "time": {"duration": 1, "frame_rate": 100, "substeps": 20},
        "method": {"name": "direct"},
        "materials": {"bar": {"radius": 0.005, "linear_density": 0.2, "bending_stiffness": 0.01, "friction": friction}},
        "cables": [{"name": "a", "material": "bar", "path": ends, "segments": 10}],
        "colliders": [{"shape": "plane", "point": [0, 0, 0], "normal": [up[0], 0, up[1]], "friction": 1}],
        "probes": [{"name": "head", "cable": "a", "at": 1.0}, {"name": "tail", "cable": "a", "at": 0.0}],
    }


class Fit(commands.Case):
    def measure(self, scene, name, noise, *options):
        """Tracks of a run of the scene, with noise on every number."""
        self.write("true.json", scene)
        self.call("run", "true.json", "--device", "native", "--probes", "true.csv", *options)
        chance = random.Random(3)
        with open(self.folder / "true.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        with open(self.folder / name, "w") as file:
            file.write("t,probe,x,y,z\n")
            for row in rows:
                places = [float(row[c]) + chance.gauss(0, noise) for c in "xyz"]
                file.write(f"{row['t']},{row['probe']},{places[0]},{places[1]},{places[2]}\n")
        return name

    def fit(self, *words, expect=0):
        words = words if "--tries" in words else (*words, "--tries", "48")
        result = self.call("fit", *words, "--report", "fit.json", expect=expect)
        report = json.loads((self.folder / "fit.json").read_text())
        return {v["pointer"]: v for v in report["values"]}, report, result

    def assert_found(self, values, pointer, truth, share):
        value = values[pointer]
        self.assertAlmostEqual(value["found"] / truth, 1, delta=share, msg=pointer)
        # what it says of itself: not more than four standard deviations off
        self.assertLess(abs(math.log(value["found"] / truth)), 4 * value["spread"], msg=pointer)
        self.assertTrue(value["told"] and not value["at_end"])

    def test_stiffness_and_damping_are_found_again(self):
        """With noise of 1 mm on 200 frames of seven probes; asked are 5 %, found are 0.4 % and less."""
        self.measure(swing(), "swing.csv", 1e-3, "--settle", "--duration", "4")
        self.write("guess.json", swing(1e-4, 0.001, 0))
        values, report, result = self.fit("guess.json", "swing.csv", "--settle", "--find", WIRE + "bending_stiffness=1e-5:1e-2",
                                          "--find", WIRE + "bending_damping=0.001:0.2", "--find", WIRE + "damping=0.01:2", "--tries", "96",
                                          "--device", "native", "-o", "fitted.json")
        self.assert_found(values, WIRE + "bending_stiffness", 8e-4, 0.02)
        # of 3,360 numbers with noise of 1 mm; half and twice what it says now
        self.assertGreater(values[WIRE + "bending_stiffness"]["spread"], 0.0005)
        self.assertLess(values[WIRE + "bending_stiffness"]["spread"], 0.002)
        self.assert_found(values, WIRE + "bending_damping", 0.03, 0.05)
        self.assert_found(values, WIRE + "damping", 0.2, 0.05)
        self.assertNotIn("warning", result.stderr)
        clip = report["clips"][0]
        # noise of 1 mm: its mean without sign is sqrt(2/pi) mm; of 3,360 and 840 numbers within a few per cent
        self.assertAlmostEqual(clip["fitted"]["mean"], 0.798e-3, delta=0.04e-3)
        self.assertAlmostEqual(clip["held_out"]["mean"], 0.798e-3, delta=0.06e-3)
        self.assertEqual(clip["fitted"]["numbers"] + clip["held_out"]["numbers"], 3 * 7 * 201)
        self.call("check", "fitted.json")
        wire = json.loads((self.folder / "fitted.json").read_text())["materials"]["wire"]
        self.assertAlmostEqual(wire["bending_stiffness"], values[WIRE + "bending_stiffness"]["found"], delta=1e-12)

    def test_friction_is_found_again(self):
        self.measure(slide(0.15), "slide.csv", 1e-3)
        self.write("guess.json", slide(0.1))
        values, _, _ = self.fit("guess.json", "slide.csv", "--find", "/materials/bar/friction=0.01:1", "--device", "native")
        # a pair takes the geometric mean with the plane's 1: it slides below 1/3
        self.assert_found(values, "/materials/bar/friction", 0.15, 0.05)

    def test_a_droop_is_enough_for_stiffness(self):
        """One height of a clamped length, as a ruler tells it: the other two coordinates are left out."""
        scene = {
            "clcable": 1,
            "method": {"name": "direct"},
            "materials": {"wire": {"radius": 0.003, "linear_density": 0.05, "bending_stiffness": 0.02}},
            "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 0], [0.4, 0, 0]], "segments": 40}],
            "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": True}],
            "probes": [{"name": "tip", "cable": "a", "at": "end"}],
        }
        self.write("true.json", scene)
        self.call("run", "true.json", "--settle", "--probes", "true.csv")
        with open(self.folder / "true.csv", newline="") as file:
            height = list(csv.DictReader(file))[-1]["z"]
        (self.folder / "ruler.csv").write_text(f"t,probe,x,y,z\n0,tip,,,{height}\n")
        scene["materials"]["wire"]["bending_stiffness"] = 0.5
        self.write("guess.json", scene)
        values, _, _ = self.fit("guess.json", "ruler.csv", "--settle", "--hold-out", "0", "--find", WIRE + "bending_stiffness=1e-3:1")
        self.assertAlmostEqual(values[WIRE + "bending_stiffness"]["found"] / 0.02, 1, delta=1e-3)
        self.assertIsNone(values[WIRE + "bending_stiffness"]["spread"])  # one height for one number: how sure it is nobody knows
        self.assertTrue(values[WIRE + "bending_stiffness"]["told"])

    def test_clips_are_fitted_together(self):
        """The same motion twice is off by the same twice."""
        self.measure(swing(), "swing.csv", 1e-3)
        self.write("guess.json", swing(1e-4))
        values, report, _ = self.fit("guess.json", "swing.csv", "guess.json", "swing.csv", "--find", WIRE + "bending_stiffness=1e-5:1e-2",
                                     "--tries", "32", "--device", "native")
        self.assertEqual(len(report["clips"]), 2)
        self.assertEqual(report["clips"][0]["fitted"], report["clips"][1]["fitted"])
        self.assert_found(values, WIRE + "bending_stiffness", 8e-4, 0.02)

    def test_what_tracks_do_not_tell_is_said(self):
        """Friction of what touches nothing; and a stiffness whose range ends below it."""
        self.measure(swing(), "swing.csv", 1e-3)
        self.write("guess.json", swing(1e-4))
        values, _, result = self.fit("guess.json", "swing.csv", "--find", WIRE + "friction=0.01:1", "--find",
                                     WIRE + "bending_stiffness=1e-5:7e-4", "--device", "native")
        self.assertFalse(values[WIRE + "friction"]["told"])
        self.assertIn(f"{WIRE}friction: these tracks do not tell it", result.stderr)
        self.assertTrue(values[WIRE + "bending_stiffness"]["at_end"])
        self.assertIn("found at the end of its range", result.stderr)

    def test_what_cannot_be_told_apart_is_said(self):
        """A swinging cable that hangs free moves alike with twice the mass and twice the stiffness."""
        self.measure(swing(), "swing.csv", 1e-3)
        self.write("guess.json", swing(1e-4))
        _, report, result = self.fit("guess.json", "swing.csv", "--find", WIRE + "linear_density=0.02:0.5", "--find",
                                     WIRE + "bending_stiffness=1e-5:1e-2", "--device", "native")
        self.assertGreater(report["correlation"][0][1], 0.98)
        self.assertEqual([v["told"] for v in report["values"]], [False, False])
        self.assertIn("can hardly be told apart", result.stderr)

    def test_the_same_seed_finds_the_same(self):
        self.measure(swing(), "swing.csv", 1e-3)
        self.write("guess.json", swing(1e-4))
        words = ("guess.json", "swing.csv", "--find", WIRE + "bending_stiffness=1e-5:1e-2", "--tries", "20", "--device", "native")
        found = [self.fit(*words)[1]["values"] for _ in range(2)]
        self.assertEqual(*found)
        self.assertNotEqual(self.fit(*words, "--seed", "5")[1]["values"], found[0])

    def test_what_diverges_is_no_reason_to_stop(self):
        """Tries that fly apart count as far off; the others go on."""
        self.measure(swing(), "swing.csv", 1e-3)
        self.write("guess.json", swing(1e-4))
        values, _, _ = self.fit("guess.json", "swing.csv", "--find", WIRE + "bending_stiffness=1e-5:1e5", "--device", "native")
        self.assertAlmostEqual(values[WIRE + "bending_stiffness"]["found"] / 8e-4, 1, delta=0.02)

    def test_ctrl_c_tells_the_best_until_then(self):
        """Some tries must have been done: a slow build gets longer."""
        self.measure(swing(), "swing.csv", 1e-3)
        self.write("guess.json", swing(1e-4))
        for wait in (1, 10, 60):
            run = subprocess.Popen([self.program, "fit", "guess.json", "swing.csv", "--find", WIRE + "bending_stiffness=1e-5:1e-2",
                                    "--tries", "1000000", "--device", "native", "--report", "fit.json"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(wait)
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=120)
            self.assertEqual(run.returncode, 130, errors)
            self.assertIn("interrupted", errors)
            if (self.folder / "fit.json").exists():
                break
            self.assertIn("before any try was done", errors)
        self.assertEqual(json.loads((self.folder / "fit.json").read_text())["status"], "interrupted")

    def test_bad_input_is_one_line(self):
        self.write("s.json", swing())
        good = "t,probe,x,y,z\n0,m1,0,0,0\n"
        find = ("--find", WIRE + "bending_stiffness=1e-5:1e-2")
        for text, line in (("", "expected a table"), ("t,probe,x,y\n", '"z" is missing'), ("t,probe,x,y,z\n", "expected a row"),
                           ("t,probe,x,y,z\n0,m1,a,0,0\n", "line 2: expected a number for x, got 'a'"),
                           ("t,probe,x,y,z\n-1,m1,0,0,0\n", "line 2: expected a time of 0 s or later"),
                           ("t,probe,x,y,z\n1e300,m1,0,0,0\n", "line 2: expected a time of 0 s or later, up to 1e9 s, got '1e300'"),
                           ("t,probe,x,y,z\n0,,0,0,0\n", "line 2: expected the name of a probe"),
                           (good + "0.1,nose,0,0,0\n", 'probe "nose": expected one that s.json has')):
            (self.folder / "t.csv").write_text(text)
            self.assertIn(line, self.call("fit", "s.json", "t.csv", *find, expect=2).stderr)
        (self.folder / "t.csv").write_text(good)
        for words, line in (((), "expected SCENE TRACKS.csv"), (("s.json",), "expected SCENE TRACKS.csv"), (("s.json", "t.csv"), "expected 1 to 12 --find"),
                            (("s.json", "t.csv", "--find", "stiffness=1:2"), "expected POINTER=FROM:TO"),
                            (("s.json", "t.csv", "--find", "/materials/wire/damping=2:1"), "expected POINTER=FROM:TO"),
                            (("s.json", "t.csv", "--find", "/time/substeps=1:9"), "is one of the whole scene"),
                            (("s.json", "t.csv", "--find", "/materials/nose/damping=1:2"), "/materials/nose"),
                            (("s.json", "t.csv", *find, *("--find", WIRE + "damping=0.1:1") * 3), "expected at least as many coordinates"),
                            (("s.json", "t.csv", *find, "--hold-out", "1"), "expected a share of the time"),
                            (("s.json", "none.csv", *find), "none.csv"), (("none.json", "t.csv", *find), "none.json")):
            self.assertIn(line, self.call("fit", *words, expect=1 if "none.csv" in words else 2).stderr)


if __name__ == "__main__":
    Fit.program = sys.argv.pop(1)
    unittest.main()
