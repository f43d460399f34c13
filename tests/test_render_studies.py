"""`clcable render` of particles and planar scenes: each scene of the folders, places of pixels that are known, options.

usage: test_render_studies.py PROGRAM SCENES. Skipped (77) where there is no OpenGL without a screen.
"""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import png

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()

SIZE = 200
# The camera of KNOWN: 10 m away, at its own angle; parallel, that is so many metres over the height.
METRES = 20 * math.tan(math.radians(39.5 / 2))
KNOWN = ("--size", f"{SIZE}x{SIZE}", "--camera", "0,-10,0", "--target", "0,0,0", "--orthographic", "--grid", "off",
         "--device", "native", "--frames", 1)
STILL = {"gravity": [0, 0]}
# A heavy and a light particle on a wire of radius 2 m, at rest.
WIRE = {"clcable": 1, "particles": {
    "settings": STILL,
    "particles": [{"position": [2, 0], "mass": 8}, {"position": [-2, 0], "mass": 1}],
    "constraints": [{"kind": "circle", "particles": [0], "point": [0, 0], "length": 2}]}}
# Two bodies held, a cable of 0.1 m half width from one to the other over the top of a third.
PULLEY = {"clcable": 1, "planar": {
    "gravity": [0, 0], "time": {"duration": 0.1},
    "bodies": [{"name": "wheel", "motion": "axle", "position": [0, 0], "radius": 1}],
    "cables": [{"name": "c", "radius": 0.1, "length_factor": 0.99,
                "links": [{"point": [-1.1, -3]}, {"body": "wheel", "spin": -1}, {"point": [1.1, -3]}]}]}}


def call(folder, *words):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=280)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-studies-"))
        for name, scene in (("wire", WIRE), ("pulley", PULLEY)):
            (self.folder / f"{name}.json").write_text(json.dumps(scene))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def call(self, *words, expect=0):
        result = call(self.folder, *words)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout}{result.stderr}")
        if "Sanitizer" in result.stderr or "runtime error" in result.stderr:
            self.fail(result.stderr)
        if expect:
            self.assertRegex(result.stderr, r"\Aclcable: [^\n]+\n\Z")
        return result

    def picture(self, *words):
        self.call("render", *words, "-o", "x.png")
        return png.read(self.folder / "x.png")


class EveryScene(Case):
    def drawn(self, scene):
        """The share of pixels that are no background: that is grey, about, and lighter."""
        width, height, channels, data = self.picture(scene, "--size", "160x100", "--quality", "draft", "--legend", "off",
                                                     "--grid", "off", "--device", "native", "--frames", 2)
        pixels = [data[i:i + 3] for i in range(0, len(data), channels)]
        return sum(max(p) - min(p) > 40 or max(p) < 120 for p in pixels) / (width * height)

    def check(self, folder):
        scenes = sorted((SCENES / folder).glob("*.json"))
        self.assertGreater(len(scenes), 10)
        for scene in scenes:
            with self.subTest(scene=scene.name):
                # a thin cable across the picture is a row of its pixels, 1/100; a few dots are less
                self.assertGreater(self.drawn(scene), 0.001)

    def test_particles(self):
        self.check("particles")

    def test_planar(self):
        self.check("planar")


class Places(Case):
    """What is drawn lies where it is: a pixel is 0.036 m wide, all tubes below are wider than two."""

    def at(self, picture, x, y):
        width, height, channels, data = picture
        column, row = (int(SIZE * (0.5 + way / METRES)) for way in (x, -y))
        first = channels * (row * width + column)
        return data[first:first + 3]

    def is_blue(self, colour):
        return colour[2] > colour[0] + 40

    def is_background(self, colour):
        return max(colour) - min(colour) < 40 and min(colour) > 120

    def test_particles(self):
        picture = self.picture("wire.json", *KNOWN)
        self.assertTrue(self.is_blue(self.at(picture, 2, 0)))
        self.assertTrue(self.is_blue(self.at(picture, -2, 0)))
        self.assertTrue(self.is_background(self.at(picture, 0, 0)))
        self.assertTrue(self.is_background(self.at(picture, 3, 3)))

    def test_mass_is_volume(self):
        """8 kg beside 1 kg: twice the radius. Pixels of the dots are counted."""
        width, height, channels, data = self.picture("wire.json", *KNOWN)
        halves = [0, 0]
        for i in range(width * height):
            if self.is_blue(data[channels * i:channels * i + 3]):
                halves[i % width < width / 2] += 1
        # (radius ratio)^2 = 4; a pixel at the edge of a dot of 3 pixels' radius is a third of it
        self.assertGreater(halves[0], 2.2 * halves[1])

    def test_wrap(self):
        """The cable lies on the wheel at 1 m + 0.1 m: there above, at 45 degrees, but not below."""
        picture = self.picture("pulley.json", *KNOWN, "--colour", "cable", "--legend", "off")
        slant = 1.1 * math.sqrt(0.5)
        for x, y in ((0, 1.1), (slant, slant), (-slant, slant), (1.1, -2), (-1.1, -2)):
            self.assertTrue(self.is_blue(self.at(picture, x, y)), (x, y))
        self.assertFalse(self.is_blue(self.at(picture, 0, -1.15)))
        self.assertTrue(self.is_background(self.at(picture, -3, 0)))

    def test_compare(self):
        one = self.picture("pulley.json", "--size", "300x150", "--device", "native", "--frames", 1)
        three = self.picture("pulley.json", "--size", "300x150", "--device", "native", "--frames", 1, "--compare", "pinch")
        self.assertNotEqual(one[3], three[3])


class Options(Case):
    def test_numbers(self):
        self.call("render", "wire.json", "-o", "x_%02d.png", "--size", "64x64", "--device", "native", "--frames", 3)
        self.assertEqual(sorted(p.name for p in self.folder.glob("x_*.png")), [f"x_{i:02}.png" for i in range(4)])

    def test_errors(self):
        for scene, words in (("wire.json", ("--colour", "tension")), ("wire.json", ("--range", "0:1")),
                             ("wire.json", ("--marks", "on")), ("wire.json", ("--stripe", "on")), ("wire.json", ("--iterations", 3)),
                             ("wire.json", ("--compare", "pinch")), ("wire.json", ("--method", "xpbd")),
                             ("pulley.json", ("--colour", "curvature")), ("pulley.json", ("--settle",)),
                             ("pulley.json", ("--compare", "colour")), ("pulley.json", ("--report", "r.json")),
                             ("pulley.json", ("-o", "x.csv")), ("wire.json", ("--set", "/particles/none=1"))):
            with self.subTest(scene=scene, words=words):
                self.call("render", scene, "-o", "x.png", "--device", "native", *words, expect=2)
                self.assertFalse((self.folder / "x.png").exists())

    def test_errors_of_the_window(self):
        for scene, words in (("wire.json", ("--method", "xpbd")), ("wire.json", ("--interop", "auto")),
                             ("wire.json", ("--marks", "on")), ("wire.json", ("--range", "0:1")),
                             ("wire.json", ("--colour", "tension")), ("wire.json", ("--iterations", 3)),
                             ("wire.json", ("--compare", "pinch")), ("pulley.json", ("--method", "xpbd")),
                             ("pulley.json", ("--colour", "curvature")), ("pulley.json", ("--compare", "colour")),
                             (SCENES / "rope.json", ("--compare", "pinch"))):
            with self.subTest(scene=scene, words=words):
                self.assertIn(words[0], self.call("view", scene, *words, expect=2).stderr)

    def test_broken_scenes_have_no_window(self):
        (self.folder / "broken.json").write_text('{"clcable": 1, "particles": {"chains": 3}}')
        said = self.call("view", "broken.json", expect=2).stderr
        self.assertIn("broken.json", said)
        self.assertIn("/particles/chains", said)
        said = self.call("view", "pulley.json", "--set", "/planar/none=1", expect=2).stderr
        self.assertIn("/planar/none", said)

    def test_cables_have_no_pinch(self):
        self.call("render", SCENES / "rope.json", "-o", "x.png", "--compare", "pinch", expect=2)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        probe = call(folder, "render", SCENES / "particles" / "wires.json", "-o", "x.png", "--frames", 1, "--device", "native",
                     "--size", "64x64")
    if "libegl1" in probe.stderr:
        print("skipped: no OpenGL without a screen:", probe.stderr.strip())
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
