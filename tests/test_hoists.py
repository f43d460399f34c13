"""Pulleys, blocks, a crane and a robot on cables, as scenes/ has them and finer: known answers, and the same bytes on OpenCL.

usage: test_hoists.py PROGRAM
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import hoists
from tables import PROGRAM

SCENES = pathlib.Path(__file__).parent.parent / "scenes"
G = hoists.G


class Run:
    """A scene that was run: bodies and probes in each frame."""

    def __init__(self, scene, duration, device="native"):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "scene.json")
            with open(name, "w") as file:
                json.dump(scene, file)
            tables = {k: os.path.join(folder, f"{k}.csv") for k in ("bodies", "probes") if k in scene}
            options = ["-q", "--device", device, "-o", os.path.join(folder, "last.csv"), *(o for k, v in tables.items() for o in (f"--{k}", v))]
            subprocess.run([PROGRAM, "run", name, *options, "--duration", str(duration)], check=True)
            self.bytes = {k: pathlib.Path(v).read_bytes() for k, v in tables.items()}
            self.last = list(csv.DictReader(pathlib.Path(folder, "last.csv").read_text().splitlines()))
        self.of = {}
        for text in self.bytes.values():
            for row in csv.DictReader(text.decode().splitlines()):
                name = row.pop("body", None) or row.pop("probe")
                self.of.setdefault(name, []).append({k: float(v) for k, v in row.items() if v})

    def read(self, name, what, t):
        return self.of[name][round(60 * t)][what]


def has_opencl():
    listed = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True).stdout
    return "opencl" in listed


def differential(hand, density=0.02):
    """The angular acceleration of the upper sheaves: hand and rope drive them, all that moves resists. Lengths of rope as drawn, m."""
    big, small, load = hoists.BIG, hoists.SMALL, hoists.LOAD
    block = math.hypot(big + small, 2 * hoists.APART) / 2
    half = (big - small) / 2
    upper = 0.5 * hoists.moment(big) / (hoists.volume(big) + hoists.volume(small))
    upper += 0.5 * hoists.moment(small) / (hoists.volume(big) + hoists.volume(small))
    drive = G * (hand * big - hoists.TAIL * small - load * half)
    drive += density * G * (0.25 * big - 0.6 * big + 0.6 * small - 0.45 * small)
    resists = hand * big ** 2 + hoists.TAIL * small ** 2 + load * half ** 2 + upper
    resists += hoists.inertia(block, load) * ((big + small) / 2 / block) ** 2
    resists += density * (big ** 2 * (0.25 + math.pi * big + 0.6) + small ** 2 * (0.6 + math.pi * small + 0.45))
    return drive / (resists + density * math.pi * block * ((big + small) / 2) ** 2)


def tackle(haul, density=0.05):
    """The acceleration of the block. The k-th fall and the k-th wheel's rope go k times as fast as it, or k - 1 and so on, as drawn."""
    wheel, low, above = hoists.WHEEL, 0.6, hoists.ABOVE
    across = math.hypot(wheel, hoists.BESIDE)
    drive = G * (4 * haul - hoists.BLOCK) + density * G * (4 * 0.35 - 4 * low - 4 * above)
    resists = hoists.BLOCK + 16 * haul
    resists += 4 * hoists.inertia(across, 0.2) / across ** 2 + 16 * hoists.inertia(wheel, 0.2) / wheel ** 2
    resists += density * (2 * low * 4 + (low + above) * 16 + 0.35 * 16)
    return drive / (resists + density * math.pi * (wheel * (1 + 9 + 16) + across * 4))


class Hoists(unittest.TestCase):
    maxDiff = None

    def test_the_scenes_are_as_they_are_made(self):
        for name, make in hoists.SCENES.items():
            with self.subTest(name):
                self.assertEqual((SCENES / f"{name}.json").read_text(), hoists.text_of(make()))

    def test_a_differential_pulley(self):
        """0.25 kg balance 2 kg. Corners of the rope on the wheels make it uneven by their sagitta, 0.3 % of the radius."""
        for segment in (0.01, 0.0075):
            for hand in (0.35, 0.15):
                with self.subTest(segment=segment, hand=hand):
                    run = Run(hoists.differential(segment, hand=hand), 0.6)
                    turned = -(run.read("upper", "wy", 0.55) - run.read("upper", "wy", 0.15)) / 0.4
                    expected = differential(hand)
                    self.assertAlmostEqual(turned, expected, delta=0.03 * abs(expected))
                    spun, rise = run.read("upper", "wy", 0.55), run.read("load", "vz", 0.55)
                    self.assertAlmostEqual(rise, -spun * (hoists.BIG - hoists.SMALL) / 2, delta=0.03 * abs(rise))

    def test_a_block_on_four_falls(self):
        """1 kg balances 4 kg. The rope's corners make it bob: places over 0.8 s tell its acceleration to 0.005 m/s^2."""
        for segment in (0.01, 0.008):
            with self.subTest(segment=segment):
                run = Run(hoists.tackle(segment), 1)
                z = [run.read("block", "z", t) for t in (0.1, 0.5, 0.9)]
                gained, expected = (z[0] - 2 * z[1] + z[2]) / 0.16, tackle(1.2)
                self.assertAlmostEqual(gained, expected, delta=0.05 * expected)

    def test_a_crane(self):
        """The load rises by r omega / 2, of which the corners of the rope on the drum are 0.03 %, and it comes to hang still meanwhile."""
        for segment in (0.01, 0.0075):
            with self.subTest(segment=segment):
                run = Run(hoists.crane(segment), 2.5)
                rose = run.read("hook", "z", 2.4) - run.read("hook", "z", 0.4)
                self.assertAlmostEqual(rose, hoists.DRUM * hoists.SPEED, delta=0.01 * hoists.DRUM * hoists.SPEED)
                turned = run.read("drum", "wy", 2.4)
                self.assertAlmostEqual(turned, -hoists.SPEED, delta=0.003 * hoists.SPEED)

    def windings(self, run):
        """Of the rope on the drum: after how many turns it lies how far from the axis and from the middle, m."""
        out, turns, before = [], 0.0, None
        for row in run.last:
            x, y, z = (float(row[c]) for c in "xyz")
            angle = math.atan2(z, x)
            if math.hypot(x, z) > 0.08:
                break
            turns += 0 if before is None else abs((angle - before + math.pi) % (2 * math.pi) - math.pi) / (2 * math.pi)
            out.append((turns, math.hypot(x, z), y))
            before = angle
        return out

    def test_a_drum_is_wound_in_layers(self):
        """The first layer takes up omega (R + r); its windings lie side by side, no nearer than the rope is thick but for 0.1 mm that
        contact may overlap. The second one lies in the valleys of the first or higher, and takes up as much more: between sqrt(3) r and
        2 r higher, and a few tenths of a millimetre where it crosses them."""
        layer, r = hoists.WINCH, hoists.ROPE
        for segment in (0.01, 0.0075):
            with self.subTest(segment=segment):
                run = Run(hoists.winch(segment), 3.4)
                rise = [(run.read("end", "z", b) - run.read("end", "z", a)) / (b - a) for a, b in ((0.8, 2.0), (2.9, 3.3))]
                self.assertAlmostEqual(rise[0], hoists.WINCH_SPEED * layer, delta=0.01 * hoists.WINCH_SPEED * layer)
                self.assertGreater(rise[1], hoists.WINCH_SPEED * (layer + 1.6 * r))
                self.assertLess(rise[1], hoists.WINCH_SPEED * (layer + 2.2 * r))
                wound = self.windings(run)
                self.assertGreater(wound[-1][0], 4.8)
                first = [w for w in wound if w[1] < layer + 0.5 * r and w[0] > 0.3]
                self.assertGreater(first[-1][0], 3.5)  # three windings and a half lie on the drum itself
                for turns, _, y in first:
                    for other, _, beside in first:
                        if abs(other - turns - 1) < 0.01:
                            self.assertGreater(beside - y, 2 * r - 1e-4)
                            self.assertLess(beside - y, 2.5 * r)

    def test_a_robot(self):
        """Where inverse kinematics has the platform, but for what its formulas leave out: that pulleys do not swivel, that cables have
        corners, and that they stretch by what they pull at the start, not by what they pull there. All of these together are 2 mm."""
        for segment in (0.015, 0.01):
            with self.subTest(segment=segment):
                run = Run(hoists.robot(segment), hoists.TIME)
                for k in range(40, round(60 * hoists.TIME) + 1, 20):
                    at, to = run.of["platform"][k], hoists.commanded(k / 60)
                    for n, axis in enumerate("xyz"):
                        self.assertAlmostEqual(at[axis], to[n], delta=2e-3)
                    self.assertAlmostEqual(2 * math.atan2(at["qz"], at["qw"]), to[3], delta=2e-3)
                    for cable in range(1, 9):
                        self.assertGreater(run.of[f"cable-{cable}"][k]["tension"], 20)
                self.check_statics(run)

    def check_statics(self, run):
        """At rest forces and moments about the platform's centre are balanced: to 0.5 % of what a cable pulls."""
        pull, moment = [0, 0, -hoists.WEIGHT * G], [0, 0, 0]
        for k in range(8):
            nodes = [r for r in run.last if r["cable"] == f"cable-{k + 1}"][-2:]
            a, b = ([float(n[c]) for c in "xyz"] for n in nodes)
            tension, length = run.of[f"cable-{k + 1}"][-1]["tension"], math.dist(a, b)
            force = [tension * (p - q) / length for p, q in zip(a, b)]
            arm = [b[n] - run.of["platform"][-1]["xyz"[n]] for n in range(3)]
            pull = [p + f for p, f in zip(pull, force)]
            moment = [m + arm[(n + 1) % 3] * force[(n + 2) % 3] - arm[(n + 2) % 3] * force[(n + 1) % 3] for n, m in enumerate(moment)]
        for n in range(3):
            self.assertAlmostEqual(pull[n], 0, delta=0.3)
            self.assertAlmostEqual(moment[n], 0, delta=0.03)

    @unittest.skipUnless(has_opencl(), "no OpenCL")
    def test_opencl_says_the_same(self):
        for name, make in hoists.SCENES.items():
            with self.subTest(name):
                native, opencl = (Run(make(), 0.25, device) for device in ("native", "opencl"))
                self.assertEqual(native.bytes, opencl.bytes)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
