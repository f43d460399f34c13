"""`clcable run --bodies`: the table, that it changes nothing else, going on from a state, what is refused.

usage: test_bodies_run.py PROGRAM
"""
import csv
import json
import math
import os
import subprocess
import sys
import unittest

import tables
from tables import PROGRAM

FRAMES = 12
# A plug on a cable; rods that fly and spin by themselves about their longest axis, whose own origin is not their centre; a wheel on its axle.
SCENE = {
    "clcable": 1, "method": "direct", "time": {"duration": FRAMES / 60, "substeps": 10}, "contact": {"cables": False, "self": False},
    "materials": {"w": {"radius": 0.004, "linear_density": 0.1, "bending_stiffness": 1e-3}},
    "cables": [{"name": "a", "material": "w", "path": [[0, 0, 1], [1, 0, 1]], "segments": 8}],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "a", "at": "end", "to": {"body": "the, plug"}}],
}
BALL = {"shape": "sphere", "center": [0, 0, 0], "radius": 0.05}
RODS = {"name": "rod", "position": [0, 1, 1], "mass": 2, "velocity": [1, 0, 2], "spin": [0, 0, 3], "copies": {"count": [1, 1, 2], "spacing": [0, 0, 3]},
        "shapes": [{"shape": "cylinder", "from": [0.1, 0, -0.5], "to": [0.1, 0, 0.5], "radius": 0.03}]}
WHEEL = {"name": "wheel", "position": [0, 2, 1], "mass": 1, "spin": [0, 5, 0], "shapes": [BALL],
         "motion": {"hinge": {"point": [0, 2, 1], "axis": [0, 1, 0]}}}
BODIES = [{"name": "the, plug", "position": [1, 0, 1], "mass": 0.2, "shapes": [BALL]}, RODS, WHEEL]
WITHOUT = {**SCENE, "attachments": SCENE["attachments"][:1]}
HEADER = "t body x y z qw qx qy qz vx vy vz wx wy wz fx fy fz tx ty tz".split()
NAMES = ["the, plug", "rod[0,0,0]", "rod[0,0,1]", "wheel"]
G = 9.81


class Case(tables.Case):
    option, scene, without, names = "bodies", {**SCENE, "bodies": BODIES}, WITHOUT, NAMES

    def rows(self, name):
        """By body, each row's numbers."""
        with open(self.folder / name, newline="") as file:
            rows = list(csv.DictReader(file))
        return {body: [{key: float(value) for key, value in row.items() if key != "body"} for row in rows if row["body"] == body]
                for body in NAMES}


class Table(Case):
    def test_rows(self):
        """Times, names and order; frame 0 is the start."""
        self.assertIn("b.csv", self.call("run", "scene.json", "--bodies", "b.csv", "-o", "last.csv").stdout)
        with open(self.folder / "b.csv", newline="") as file:
            header, *rows = csv.reader(file)
        self.assertEqual(header, HEADER)
        self.assertEqual(len(rows), (FRAMES + 1) * len(NAMES))
        for i, row in enumerate(rows):
            self.assertEqual(row[0], "%.9g" % (i // len(NAMES) / 60))
            self.assertEqual(row[1], NAMES[i % len(NAMES)])
        start = [[float(value) for value in row[2:]] for row in rows[:len(NAMES)]]
        for body, expected in enumerate(([1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0, 0, 1, -0.3, 2, 0, 0, 3],
                                         [0, 1, 4, 1, 0, 0, 0, 1, -0.3, 2, 0, 0, 3], [0, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0])):
            for value, right in zip(start[body], expected):
                self.assertAlmostEqual(value, right, delta=1e-6)  # floats; of 3 rad/s a few 1e-7

    def test_flight(self):
        """The rods' centres fly on a parabola, 0.1 m off their origins, which go round them; the wheel only turns; at two resolutions."""
        for substeps in ("10", "40"):
            self.call("run", "scene.json", "--bodies", "b.csv", "--substeps", substeps)
            step, rows = 1 / 60 / int(substeps), self.rows("b.csv")
            for copy in (0, 1):
                for row in rows[NAMES[1 + copy]]:
                    t, turn = row["t"], 3 * row["t"]
                    c, s = math.cos(turn), math.sin(turn)
                    right = [0.1 + t - 0.1 * c, 1 - 0.1 * s, 1 + 3 * copy + 2 * t - G * t * t / 2, math.cos(turn / 2), 0, 0, math.sin(turn / 2),
                             1 + 0.3 * s, -0.3 * c, 2 - G * t, 0, 0, 3]
                    for key, value in zip(HEADER[2:], right):
                        # The first substep is of first order: it falls by g h^2/2 too far, and by that much times t/h in all. Turning
                        # goes as BDF2 has it, by (omega h)^2/3 of its angle too slowly; 1e-5: floats, in which 0.1 m hold a turn
                        bound = G * step * (t + step) + 3 * t * (3 * step) ** 2 + 1e-5
                        self.assertAlmostEqual(row[key], value, delta=bound, msg=f"{key} at {t}")
            for row in rows["wheel"]:
                for key, value in zip(HEADER[2:5], (0, 2, 1)):
                    self.assertAlmostEqual(row[key], value, delta=1e-6)
                self.assertAlmostEqual(2 * math.atan2(row["qy"], row["qw"]), 5 * row["t"], delta=1e-3)  # (5 h)^2/3 of 1 rad: 2e-5

    def test_nothing_else_changes(self):
        outputs = ["last.csv", "all.obj", "all.usda", "state"]

        def written(*more):
            words = [word for name in outputs[:-1] for word in ("-o", name)]
            self.call("run", "scene.json", *words, "--checkpoint", "state", *more)
            return {name: self.read(name) for name in outputs}

        plain = written()
        self.assertEqual(written("--bodies", "b.csv"), plain)

    def test_devices(self):
        devices = json.loads(subprocess.run([PROGRAM, "devices", "--json"], capture_output=True, text=True).stdout)
        pocl = [d["id"] for d in devices if "Portable Computing Language" in d["platform"]]
        self.call("run", "scene.json", "--bodies", "n.csv")
        for device in pocl[:1]:
            self.call("run", "scene.json", "--bodies", "o.csv", device=device)
            self.assertEqual(self.read("o.csv"), self.read("n.csv"))


class Resume(Case):
    def test_it_goes_on(self):
        self.goes_on()


class Mistakes(Case):
    def test_outputs(self):
        self.call("run", "scene.json", "--checkpoint", "s", "--frames", "2")
        os.symlink("scene.json", self.folder / "link.csv")
        self.refused("it has been read from", "scene.json", "--bodies", "link.csv")
        self.refused("written twice", "scene.json", "--bodies", "b.csv", "-o", "./b.csv")
        self.refused("state to go on from", "scene.json", "--bodies", "s", "--resume", "s")
        self.refused("b.txt: bodies are written as .csv", "scene.json", "--bodies", "b.txt")
        self.refused("without.json: /bodies: expected at least one, for --bodies", "without.json", "--bodies", "b.csv")
        self.assertIn("no/b.csv: cannot write it", self.call("run", "scene.json", "--bodies", "no/b.csv", expect=1).stderr)


class Told(Case):
    def test_check_counts_them(self):
        done = subprocess.run([PROGRAM, "check", "scene.json"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertIn(", 2 attachments, 4 bodies, ", done.stdout)

    def test_a_report_looks_past_them(self):
        """Clearances are those from colliders: a body that a cable is nearer to is no collider."""
        scene = {**SCENE, "contact": {"self": False}, "colliders": [{"name": "wall", "shape": "plane", "point": [0, 0.15, 0], "normal": [0, -1, 0]}],
                 "bodies": [{"name": "post", "position": [0.5, 0.09, 1], "mass": 1, "shapes": [BALL],
                             "motion": {"ball": {"point": [0.5, 0.09, 1]}}}],
                 "attachments": [*WITHOUT["attachments"], {"cable": "a", "at": "end", "to": "here"}]}
        (self.folder / "near.json").write_text(json.dumps(scene))
        self.call("report", "near.json", "-o", "r.json", "-o", "r.html", "--frames", "1", "--limit", "clearance-collider=0.2")
        findings = [f for f in json.loads(self.read("r.json"))["findings"] if f["rule"] == "clearance-collider"]
        self.assertEqual([f["other"] for f in findings], ["wall"])
        self.assertAlmostEqual(findings[0]["value"], 0.15 - 0.004, delta=1e-5)


class Judged(Case):
    """What a run says of itself where bodies move."""

    def said(self, body):
        scene = {**WITHOUT, "bodies": [{**WHEEL, "position": [0, 2, 1], **body}]}
        (self.folder / "judged.json").write_text(json.dumps(scene))
        return self.call("run", "judged.json", "--frames", "60").stderr

    def test_a_motor_drives(self):
        """A motor's work is no energy from nowhere; a wheel that goes on turning has none, either."""
        hinge = {"point": [0, 2, 1], "axis": [0, 1, 0]}
        self.assertEqual(self.said({"spin": [0, 0, 0], "motion": {"hinge": {**hinge, "motor": {"speed": 50, "torque": 1}}}}), "")
        self.assertEqual(self.said({}), "")

    def test_a_hand_lifts_by_a_socket(self):
        """What a led body has in its socket is led, though no cable and no shape of it is."""
        hand = {"name": "hand", "position": [0, 2, 1], "motion": {"keyframes": [[0, 0, 0, 0], [0.5, 0, 0, 0.5]]}}
        plug = {"name": "wheel", "position": [0, 2, 1], "mass": 1, "shapes": [BALL]}
        grip = {"name": "grip", "plug": {"body": "wheel", "axis": [1, 0, 0]}, "to": {"body": "hand", "axis": [1, 0, 0]}, "depth": 0.02}
        scene = {**WITHOUT, "bodies": [hand, plug], "sockets": [grip]}
        (self.folder / "lifted.json").write_text(json.dumps(scene))
        said = self.call("run", "lifted.json", "--frames", "60", "--report", "r.json")
        self.assertEqual(said.stderr, "")
        self.assertEqual(json.loads(self.read("r.json"))["sockets"][0]["phase"], "mated")

    def test_a_fast_body_is_no_fault(self):
        """A body that is thrown at 300 m/s, far beyond what gravity gives, is as fast as the scene has it."""
        self.assertEqual(self.said({"velocity": [300, 0, 0], "motion": "free"}), "")


class Shapes(tables.Case):
    """A box that flies and spins, out of which a cable comes, while a hand leads another one: a state puts shapes where bodies are."""

    option, without, names = "bodies", WITHOUT, ["box", "hand"]
    scene = {
        "clcable": 1, "method": "direct", "time": {"duration": 0.2, "substeps": 20}, "gravity": [0, 0, 0],
        "materials": {"rod": {"radius": 0.002, "linear_density": 0.01, "bending_stiffness": 2e-3}},
        "bodies": [{"name": "box", "position": [0, 0, 1], "mass": 0.5, "spin": [-0.81, 2.69, -0.46], "velocity": [-0.078, -0.162, 0.005],
                    "shapes": [{"shape": "box", "center": [0, 0, 0], "half_extents": [0.0285, 0.0168, 0.0143]}]},
                   {"name": "hand", "position": [0, 0, 1.3], "motion": {"keyframes": [[0, 0, 0, 0], [0.5, -0.06, 0, 0]]}}],
        "cables": [{"name": "a", "material": "rod", "segments": 10, "path": [[0, 0, 1], [-0.1619, -0.1349, 1.0009]]},
                   {"name": "b", "material": "rod", "segments": 12, "path": [[0, 0, 1.3], [0.1, 0, 1.15], [0, 0.01, 1.02]]}],
        "attachments": [{"cable": "a", "at": "start", "to": {"body": "box"}}, {"cable": "b", "at": "start", "to": {"body": "hand"}},
                        {"cable": "b", "at": "end", "to": {"body": "box"}}]}

    def test_goes_on(self):
        self.goes_on()


class Sockets(tables.Case):
    """What a run tells of a plug that flies into its socket: m v^2/2 = F s."""

    option = "bodies"
    plug = {"name": "plug", "position": [0, 0, 0], "mass": 0.02, "velocity": [0.3, 0, 0], "shapes": [BALL]}
    box = {"name": "box", "position": [0.1, 0, 0], "motion": "fixed"}
    socket = {"name": "X1", "plug": {"body": "plug", "point": [0.05, 0, 0], "axis": [1, 0, 0]}, "to": {"body": "box", "axis": [1, 0, 0]},
              "depth": 0.02, "friction": 0.1}
    without = WITHOUT
    scene = {**WITHOUT, "gravity": [0, 0, 0], "time": {"duration": 0.5, "substeps": 20}, "bodies": [plug, box], "sockets": [socket]}
    names = ["plug", "box"]

    def test_report(self):
        self.call("run", "scene.json", "--report", "r.json")
        (told,) = json.loads((self.folder / "r.json").read_text())["sockets"]
        self.assertEqual((told["name"], told["phase"]), ("X1", "guided"))
        self.assertAlmostEqual(told["depth"], 0.02 * 0.3**2 / 2 / 0.1, delta=0.3 / 60 / 20)  # the way of a substep
        self.assertEqual(told["frame"], 6)  # its mouth is 0.03 m away, and it is caught 2 mm before it: after 5.6 frames

    def test_without(self):
        (self.folder / "w.json").write_text(json.dumps({key: value for key, value in self.scene.items() if key != "sockets"}))
        self.call("run", "w.json", "--report", "r.json")
        self.assertNotIn("sockets", json.loads((self.folder / "r.json").read_text()))

    def test_check_counts_them(self):
        done = subprocess.run([PROGRAM, "check", "scene.json"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertIn(", 2 bodies, 1 socket, ", done.stdout)

    def test_table(self):
        """A row a frame, that friction alone acts while the plug is on its way, and the last row is what the report tells."""
        self.assertIn("s.csv", self.call("run", "scene.json", "--sockets", "s.csv", "--report", "r.json").stdout)
        with open(self.folder / "s.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), "t socket phase depth pull fx fy fz tx ty tz".split())
        self.assertEqual([row["t"] for row in rows], ["%.9g" % (frame / 60) for frame in range(31)])
        self.assertEqual({row["socket"] for row in rows}, {"X1"})
        self.assertEqual([row["phase"] for row in rows], ["out"] * 6 + ["guided"] * 25)
        self.assertAlmostEqual(float(rows[0]["depth"]), -0.03, delta=1e-7)
        on_its_way = [row for row in rows[1:] if 0 < float(row["depth"]) < 0.008][1:]
        self.assertGreater(len(on_its_way), 1)
        for row in on_its_way:
            self.assertAlmostEqual(float(row["fx"]), -0.1, delta=1e-4)
            for key in ("pull", "fy", "fz", "tx", "ty", "tz"):
                self.assertAlmostEqual(float(row[key]), 0, delta=1e-6)
        (told,) = json.loads((self.folder / "r.json").read_text())["sockets"]
        self.assertAlmostEqual(told["depth"], float(rows[-1]["depth"]), delta=1e-9)

    def test_table_goes_on(self):
        self.option, self.names = "sockets", ["X1"]
        self.goes_on()

    def test_table_is_refused(self):
        self.refused("without.json: /sockets: expected at least one, for --sockets", "without.json", "--sockets", "s.csv")
        self.refused("s.txt: sockets are written as .csv", "scene.json", "--sockets", "s.txt")

    def test_said(self):
        self.assertIn("socket X1: the plug is in its socket at frame", self.call("run", "scene.json", "--verbose").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
