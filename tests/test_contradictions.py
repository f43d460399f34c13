"""`clcable check` and `run` tell beforehand what a scene asks for that cannot be met: a line each, with the JSON pointer.

    test_contradictions.py PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
FLOOR = {"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}
START = {"cable": "a", "at": "start", "to": "here"}


def scene(z=1, radius=0.005, **more):
    material = {"radius": radius, "linear_density": 0.1, **more.pop("material", {})}
    return {"clcable": 1, "time": {"duration": 0.3, "substeps": 20}, "materials": {"w": material}, "method": "direct",
            "cables": [{"name": "a", "material": "w", "path": [[0, 0, z], [1, 0, z]], "segments": 20}], **more}


def lid(z, *keyframes):
    """A box whose underside is at z."""
    box = {"shape": "box", "center": [0.5, 0, z + 0.1], "half_extents": [1, 1, 0.1]}
    return {**box, "keyframes": list(keyframes)} if keyframes else box


class Contradictions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clcable-contradictions-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def said(self, scene, command="check", expect=0):
        (self.folder / "scene.json").write_text(json.dumps(scene))
        words = [] if command == "check" else ["--device", "native", "--report", "report.json"]
        done = subprocess.run([PROGRAM, command, "scene.json", *words], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, expect, done.stderr)
        return [line.removeprefix("clcable: warning: ") for line in done.stderr.splitlines()]

    def one(self, scene, *parts):
        lines = self.said(scene)
        self.assertEqual(len(lines), 1, lines)
        for part in parts:
            self.assertIn(part, lines[0])

    def none(self, scene):
        self.assertEqual(self.said(scene), [])

    def test_holds_too_far_apart(self):
        def held(x, **more):
            return scene(attachments=[START, {"cable": "a", "at": "end", "to": [x, 0, 1]}], **more)
        self.one(held(1.5), '/attachments/1: cable "a" is held 1.5 m from /attachments/0 at 0 s', "1 m long", "0.5 m (50 %) too far")
        self.none(held(1.0))
        self.none(held(1.005))
        self.none(held(1.02, material={"stretching_stiffness": 100}))  # a string
        self.one(held(1.5, material={"stretching_stiffness": 100}), "too far")
        middle = {"cable": "a", "at": 0.5, "to": [0.5, 0, 2]}
        self.one(scene(attachments=[START, middle, {"cable": "a", "at": "end", "to": "here"}]), "/attachments/1", "0.5 m long")

    def test_holds_led_apart(self):
        keys = [[0, 1, 0, 1], [0.1, 1.2, 0, 1], [0.2, 0.9, 0, 1], [9, 9, 0, 1]]
        led = scene(attachments=[START, {"cable": "a", "at": "end", "to": {"keyframes": keys}}])
        self.one(led, "/attachments/1", "1.2 m from /attachments/0 at 0.1 s", "20 %")
        self.assertIn("20 %", self.said({**led, "method": "xpbd"}, "run")[0])
        self.assertIn("20 %", json.loads((self.folder / "report.json").read_text())["warnings"][0])

    def test_a_place_held_twice(self):
        twice = scene(attachments=[START, {"cable": "a", "at": "start", "to": [0, 0, 2]}])
        self.assertIn("/attachments/1: this place is held by /attachments/0 already", self.said(twice, expect=2)[0])

    def test_starts_inside(self):
        self.one(scene(z=-100, colliders=[FLOOR]), '/cables/0: cable "a" starts inside or behind /colliders/0', "100 m (2e+04 radii)")
        self.one(scene(z=0.5, colliders=[FLOOR, lid(0.4)]), "/colliders/1", "particle")
        self.none(scene(z=0.005, colliders=[FLOOR]))
        self.none(scene(z=0.003, colliders=[FLOOR]))
        # what is attached to it may be there
        ball = {"name": "ball", "shape": "sphere", "center": [0, 0, 1], "radius": 0.03}
        self.none(scene(attachments=[{"cable": "a", "at": "start", "to": {"collider": "ball"}}], colliders=[ball]))

    def test_a_gap_too_narrow(self):
        self.one(scene(z=0.004, colliders=[FLOOR, lid(0.008)]), "/colliders/1: at 0 s only 0.008 m", "/colliders/0", "0.01 m lies")
        self.none(scene(z=0.005, colliders=[FLOOR, lid(0.0101)]))
        down = lid(0.1, [0, 0, 0, 0], [0.2, 0, 0, -0.095])
        self.one(scene(z=0.05, colliders=[FLOOR, down]), "/colliders/1: at 0.2 s only 0.005 m")
        self.none(scene(z=0.05, colliders=[FLOOR, lid(0.1, [0, 0, 0, 0], [0.2, 0, 0, -0.08])]))
        self.none(scene(z=0.4, colliders=[FLOOR, lid(0.0, [0, 0, 0, 0.1], [0.2, 0, 0, 0])]))  # it lies above both

    def test_led_too_fast(self):
        def led(to):
            return scene(attachments=[{**START, "to": {"keyframes": [[0, 0, 0, 1], [0.1, 0, 0, 1], [0.11, to, 0, 1]]}}])
        self.one(led(1.0), "/attachments/0: it is led at 100 m/s from 0.1 s on", "34 substeps")
        self.none(led(0.5))

    def test_colliders_led_too_fast(self):
        def led(speed, **more):
            ball = {"shape": "sphere", "center": [0.5, 1, 1], "radius": 0.05, "keyframes": [[0, 0, 0, 0], [1 / speed, 0, -1, 0]]}
            return scene(colliders=[ball], **more)
        slow = {"duration": 0.3, "substeps": 20, "max_substeps": 0}
        self.one(led(31, time=slow), "/colliders/0: it is led at 31 m/s from 0 s on", "0.0258 m in a substep", "21 substeps")
        self.none(led(29, time=slow))  # half a segment of 5 cm is 30 m/s with 1,200 substeps a second
        self.none(led(31))  # substeps are cut
        self.one(led(6.1, method="xpbd"), "/colliders/0", "0.1 of a segment", "21 substeps")
        self.none(led(5.9, method="xpbd"))
        self.none(led(31, method="xpbd", time={**slow, "max_substeps": 10240}))

    def test_masses(self):
        def loaded(mass):
            return scene(attachments=[START], loads=[{"cable": "a", "at": 0.5, "mass": mass}])
        self.one(loaded(100), "/cables/0: particle 10", "2e+04 times")
        self.none(loaded(10))

    def test_substeps_that_are_enough(self):
        """A scene that gives no substeps takes as many as `direct` needs where something is curved at rest, and says for whom; with a
        number of one's own that is too small it is refused."""
        def run(substeps, method="direct", expect=0):
            time = {"duration": 0.05, **({"substeps": substeps} if substeps else {})}
            curved = scene(material={"bending_stiffness": 1, "rest_shape": "path"}, attachments=[START], method=method, time=time)
            curved["cables"][0]["path"] = [[0, 0, 1], [0.5, 0.3, 1], [1, 0, 1]]
            said = self.said(curved, "run", expect)
            return json.loads((self.folder / "report.json").read_text()) if expect == 0 else said[0]
        report = run(None)
        needed = report["substeps"]
        self.assertGreater(needed, 20)
        self.assertEqual(report["substeps_for"], "a")
        for few in (20, needed - 1):
            self.assertIn(f"with {few} substeps", run(few, expect=2))
        self.assertNotIn("substeps_for", run(needed))
        self.assertEqual(run(None, "xpbd")["substeps"], 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
