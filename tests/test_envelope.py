"""`--envelope` of `clcable run` and `sweep`: what is written and said, known volumes and clearances, what is refused.

    test_envelope.py PROGRAM SCENES
"""
import collections
import json
import math
import os
import pathlib
import re
import struct
import sys
import unittest

import commands

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()

RADIUS, LENGTH, FAR = 0.01, 0.2, 0.1  # m

# Straight and held at both ends, which go sideways by FAR in half a second. It is heavy for its stiffness, and gravity is off.
SCENE = {
    "clcable": 1,
    "gravity": [0, 0, 0],
    "time": {"duration": 0.5, "frame_rate": 50, "substeps": 20},
    "method": {"name": "direct"},
    "materials": {"rod": {"radius": RADIUS, "linear_density": 0.1, "bending_stiffness": 1, "damping": 1}},
    "cables": [{"name": "rod", "material": "rod", "path": [[0, 0, 0.5], [LENGTH, 0, 0.5]], "segments": 10}],
    "attachments": [{"cable": "rod", "at": at, "clamp": True, "to": {"keyframes": [[0, x, 0, 0.5], [0.5, x, FAR, 0.5]]}}
                    for at, x in (("start", 0), ("end", LENGTH))],
}
DISC = math.pi * RADIUS**2
STRAIGHT = DISC * LENGTH + 4 / 3 * math.pi * RADIUS**3
SIDEWAYS = STRAIGHT + (2 * RADIUS * LENGTH + DISC) * FAR
# What is missing of a volume, at most, as test_envelope.c has it: its surface's curvatures, 1 / RADIUS each, over the surface x cell^2 / 8.
BENT = (2 * DISC * LENGTH + 6 * 4 / 3 * math.pi * RADIUS**3) / STRAIGHT / 8
FLOOR = {"name": "floor", "shape": "plane", "point": [0, 0, 0.45], "normal": [0, 0, 1]}
BALL = {"name": "ball", "shape": "sphere", "center": [0.1, FAR + 0.05, 0.5], "radius": 0.02}
BOX = {"shape": "box", "center": [0.1, FAR / 2, 0.6], "half_extents": [0.05, 0.01, 0.06]}


def read_obj(path):
    points, triangles = [], []
    for line in path.read_text().splitlines():
        word, *rest = line.split()
        if word == "v":
            points.append(tuple(map(float, rest)))
        elif word == "f":
            triangles.append(tuple(int(index) - 1 for index in rest))
    return points, triangles


def read_stl(path):
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    rows = [struct.unpack_from("<12f", data, 84 + 50 * i) for i in range(count)]
    points, triangles = {}, []
    for row in rows:
        corners = [row[3:6], row[6:9], row[9:12]]
        triangles.append(tuple(points.setdefault(corner, len(points)) for corner in corners))
        a, b, c = ([y - x for x, y in zip(corners[0], corner)] for corner in (corners[1], corners[2], row[0:3]))
        normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        assert sum(x * y for x, y in zip(normal, row[0:3])) > 0
    return list(points), triangles


def volume(points, triangles):
    total = 0
    for i, j, k in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[i], points[j], points[k]
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6


def distance_to_line(x, a, b):
    span = [q - p for p, q in zip(a, b)]
    length2 = sum(s * s for s in span)
    t = min(max(sum((q - p) * s for p, q, s in zip(a, x, span)) / length2, 0), 1) if length2 else 0
    return math.dist(x, [p + t * s for p, s in zip(a, span)])


class Case(commands.Case):
    program = PROGRAM

    def envelope(self, *words, scene=SCENE, command="run", file="e.obj", expect=0):
        """What the report says about it."""
        name = scene if isinstance(scene, pathlib.Path) else self.write("scene.json", scene)
        self.result = self.call(command, name, "--envelope", file, "--report", "r.json", "--device", "native", *words, expect=expect)
        return json.loads((self.folder / "r.json").read_text())["envelope"]

    def check_closed(self, points, triangles, euler):
        edges = collections.Counter()
        for i, j, k in triangles:
            edges.update([(i, j), (j, k), (k, i)])
        self.assertEqual(set(edges.values()), {1})
        self.assertTrue(all((j, i) in edges for i, j in edges))
        self.assertEqual(len(points) - len(edges) // 2 + len(triangles), euler)


class Runs(Case):
    def test_a_rod_that_goes_sideways(self):
        """Known volumes: what is missing goes with the square of the cell, and is less than of the rod alone, as the plate is flat."""
        missing = []
        for cell in RADIUS / 3, RADIUS / 6:
            told = self.envelope("--envelope-cell", cell)
            points, triangles = read_obj(self.folder / "e.obj")
            self.check_closed(points, triangles, 2)
            self.assertEqual(told["triangles"], len(triangles))
            self.assertAlmostEqual(told["volume"], volume(points, triangles), delta=1e-6 * SIDEWAYS)  # nine digits of places
            missing.append(1 - told["volume"] / SIDEWAYS)
            self.assertLess(missing[-1], BENT * (cell / RADIUS) ** 2)
        self.assertGreater(missing[1], 0)
        self.assertGreater(missing[0] / missing[1], 3)

    def test_a_rod_that_turns_about_its_end(self):
        """A quarter of a disc, and what is within RADIUS of it (J. Steiner 1840): 2 A r + pi / 2 P r^2 + 4 / 3 pi r^3. Between frames ends go
        straight: of LENGTH x (1 - cos(1.8 degrees)) less than 0.05 % are missing of the disc's radius, 0.1 % of its area."""
        count = 100
        arc = [[0.5 * i / count, LENGTH * math.cos(math.pi / 2 * i / count), LENGTH * math.sin(math.pi / 2 * i / count), 0.5]
               for i in range(count + 1)]
        scene = {**SCENE, "cables": [{**SCENE["cables"][0], "segments": 1}],
                 "attachments": [{"cable": "rod", "at": "start", "to": "here"}, {"cable": "rod", "at": "end", "to": {"keyframes": arc}}]}
        told = self.envelope(scene=scene)
        area, around = math.pi / 4 * LENGTH**2, (2 + math.pi / 2) * LENGTH
        exact = 2 * area * RADIUS + math.pi / 2 * around * RADIUS**2 + 4 / 3 * math.pi * RADIUS**3
        self.assertAlmostEqual(told["volume"], exact, delta=(0.001 + BENT / 9) * exact)

    def test_what_is_there_at_rest(self):
        told = self.envelope("--settle")
        self.assertLess(abs(told["volume"] / STRAIGHT - 1), BENT / 9)  # the cell is a third of the radius
        self.assertAlmostEqual(told["cell"], RADIUS / 3, delta=1e-3 * RADIUS)  # three digits
        self.assertEqual(told["file"], "e.obj")
        self.assertIsNone(told["clearance"])
        self.assertIsNone(told["collider"])
        self.assertRegex(self.result.stdout, r", envelope [0-9.e-]+ m\^3 \(cells of 3.33 mm\), wrote e.obj r.json\n$")

    def test_formats_hold_the_same_mesh(self):
        told = [self.envelope(file=file) for file in ("e.obj", "e.stl", "e.vtp")]
        points, triangles = read_obj(self.folder / "e.obj")
        stl_points, stl_triangles = read_stl(self.folder / "e.stl")
        self.check_closed(stl_points, stl_triangles, 2)
        self.assertEqual(len(stl_triangles), len(triangles))
        self.assertEqual(len(stl_points), len(points))
        for one, other in zip(triangles, stl_triangles):
            for i, j in zip(one, other):
                self.assertLess(math.dist(points[i], stl_points[j]), 1e-6 * LENGTH)  # floats
        data = (self.folder / "e.vtp").read_bytes()
        self.assertIn(f'NumberOfPoints="{len(points)}"'.encode(), data)
        self.assertIn(f'NumberOfPolys="{len(triangles)}"'.encode(), data)
        for one in told:
            self.assertEqual({**one, "file": None}, {**told[0], "file": None})

    def test_the_same_run_gives_the_same_bytes(self):
        self.envelope("--threads", 1)
        first = (self.folder / "e.obj").read_bytes()
        self.envelope("--threads", 2)
        self.assertEqual((self.folder / "e.obj").read_bytes(), first)

    def test_a_scene_can_have_it_as_a_collider(self):
        self.envelope()
        solid = {"shape": "mesh", "file": "e.obj"}
        other = {**SCENE, "attachments": [], "colliders": [solid],
                 "cables": [{"name": "b", "material": "rod", "path": [[0, 0, 0.6], [LENGTH, 0, 0.6]], "segments": 10}]}
        told = self.envelope("--settle", scene=other, file="f.obj")
        self.assertAlmostEqual(told["clearance"], 0.1 - 2 * RADIUS, delta=RADIUS / 3)  # a cell

    def test_nothing_else_changes(self):
        self.write("scene.json", SCENE)
        self.call("run", "scene.json", "-o", "a.csv", "--device", "native")
        self.envelope("-o", "b.csv")
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())


class Clearances(Case):
    """The rod's surface is RADIUS around lines at z = 0.5 from y = 0 to y = FAR. The simulation's places are exact to 1e-5 m here: ends are
    held, and what is between is stiff."""

    def nearest(self, *colliders, **more):
        return self.envelope(scene={**SCENE, "colliders": list(colliders)}, **more)

    def test_to_a_plane_a_ball_and_a_box(self):
        told = self.nearest(FLOOR)
        self.assertAlmostEqual(told["clearance"], 0.05 - RADIUS, delta=1e-5)
        self.assertEqual((told["collider"], told["collider_name"], told["cable"]), (0, "floor", "rod"))
        self.assertIn(', 40 mm from collider "floor", wrote', self.result.stdout)
        told = self.nearest(FLOOR, BALL)
        self.assertAlmostEqual(told["clearance"], 0.05 - 0.02 - RADIUS, delta=1e-5)
        self.assertEqual((told["collider"], told["collider_name"]), (1, "ball"))
        self.assertAlmostEqual(told["time"], 0.5, delta=1e-6)
        self.assertLess(math.dist(told["place"], [0.1, FAR, 0.5]), 1e-4)
        told = self.nearest(BOX, FLOOR)
        self.assertAlmostEqual(told["clearance"], 0.1 - 0.06 - RADIUS, delta=1e-5)
        self.assertEqual(told["collider"], 0)
        self.assertNotIn("collider_name", told)
        self.assertIn(" mm from collider 0, wrote", self.result.stdout)

    def test_between_frames(self):
        """A wire over the way, passed between two frames: ten of them, 10 mm apart. The way is looked at in steps of half a cell's
        length or so, and the wire is as thin as a thousandth of it."""
        wire = {"shape": "capsule", "from": [0.1, 0.045, 0.52], "to": [0.1, 0.045, 0.6], "radius": 1e-4}
        told = self.envelope("--set", "/time/frame_rate=20", scene={**SCENE, "colliders": [wire]})
        self.assertAlmostEqual(told["clearance"], 0.02 - 1e-4 - RADIUS, delta=1e-4)

    def test_to_one_that_moves(self):
        """It comes down to the rod's height, 0.01 m above it, when that has gone on by FAR / 2, and is away at the end."""
        ball = {**BALL, "center": [0, 0, 0], "keyframes": [[0, 0.1, 0.05, 0.9], [0.24, 0.1, 0.05, 0.54], [0.26, 0.1, 0.05, 0.54], [0.5, 0.1, 0.05, 0.9]]}
        told = self.nearest(ball)
        self.assertAlmostEqual(told["time"], 0.25, delta=0.021)  # a frame
        self.assertAlmostEqual(told["clearance"], 0.04 - 0.02 - RADIUS, delta=5e-4)  # it is 2 mm aside in the frames beside

    def test_overlap(self):
        told = self.envelope("--frames", 1, scene={**SCENE, "colliders": [{**FLOOR, "point": [0, 0, 0.495]}]})
        self.assertAlmostEqual(told["clearance"], 0.005 - RADIUS, delta=1e-5)
        self.assertIn(', 5 mm into collider "floor"', self.result.stdout)

    def test_what_it_is_attached_to_does_not_count(self):
        held = {**SCENE, "attachments": [{"cable": "rod", "at": "start", "to": {"collider": "ball"}}],
                "colliders": [{**BALL, "center": [0, 0, 0.5]}, {**FLOOR, "point": [0, 0, 0.485]}]}
        self.assertEqual(self.envelope("--frames", 1, scene=held)["collider_name"], "floor")


class Cells(Case):
    def wide(self, *words):
        """A thin cable of 3 m goes sideways by 4 m."""
        return self.envelope(*words, scene={
            **SCENE, "time": {"duration": 0.5, "frame_rate": 20}, "materials": {"rod": {**SCENE["materials"]["rod"], "radius": 0.001}},
            "cables": [{"name": "rod", "material": "rod", "path": [[0, 0, 0.5], [3, 0, 0.5]], "segments": 1}],
            "attachments": [{"cable": "rod", "at": at, "to": {"keyframes": [[0, x, 0, 0.5], [0.5, x, 4, 0.5]]}} for at, x in (("start", 0), ("end", 3))]})

    def test_a_full_grid_is_made_coarser(self):
        told = self.wide("--envelope-cell", 0.001)
        self.assertEqual(told["cell"], 0.002)
        self.assertIn("clcable: warning: envelope: its cells are 2 mm wide instead of 1, to stay within 256 MiB\n", self.result.stderr)

    def test_what_is_not_asked_for_is_as_coarse_as_a_collider_may_be(self):
        told = self.wide()
        self.assertEqual(self.result.stderr, "")
        self.assertGreater(told["cell"], 0.001 / 3)
        self.assertLessEqual(told["triangles"], 1000000)
        self.assertGreater(told["volume"], 3 * 4 * 0.002)  # cables are made thicker than they are, not thinner

    def test_a_cable_thinner_than_a_cell_stays_whole(self):
        told = self.envelope("--envelope-cell", 0.05)
        points, triangles = read_obj(self.folder / "e.obj")
        self.check_closed(points, triangles, 2)
        self.assertGreater(told["volume"], SIDEWAYS)
        line = lambda y: ((0, y, 0.5), (LENGTH, y, 0.5))
        for x in points:  # within a cell
            nearest = min(distance_to_line(x, *line(FAR * i / 50)) for i in range(51)) - RADIUS
            self.assertLess(abs(nearest), 0.05)

    def test_refused(self):
        self.write("scene.json", SCENE)
        for words, said in [
                (["--envelope", "e.ply"], r"e.ply: an envelope is written as .obj, .vtp or .stl"),
                (["--envelope", "e"], r"e: an envelope is written as"),
                (["--envelope", "scene.json"], r"scene.json: an envelope is written as"),
                (["--envelope", "e.obj", "-o", "e.obj"], r"e.obj: .*twice"),
                (["--envelope", "e.obj", "--envelope-cell", "0"], r"--envelope-cell: expected metres above 0, got '0'"),
                (["--envelope", "e.obj", "--envelope-cell", "2mm"], r"--envelope-cell: expected metres above 0, got '2mm'"),
                (["--envelope", "e.obj", "--envelope-cell", "nan"], r"--envelope-cell: expected metres above 0, got 'nan'"),
                (["--envelope-cell", "0.01"], r"run: --envelope-cell expects --envelope FILE, too"),
                (["--envelope", "e.obj", "--envelope-cell", "1e-6"],
                 r"envelope: cells of 1e-06 m take more than 256 MiB for the cables as they are drawn; expected at least 0\.\d+ m"),
        ]:
            with self.subTest(words):
                self.assertRegex(self.call("run", "scene.json", *words, expect=2).stderr, said)
                self.assertEqual(os.listdir(self.folder), ["scene.json"])
        sheet = {**SCENE, "cables": [], "attachments": [], "sheets": [
            {"name": "s", "material": "cloth", "corner": [0, 0, 0], "along": [1, 0, 0], "across": [0, 1, 0], "segments": [4, 4]}]}
        self.assertEqual(self.call("run", SCENES / "cloth.json", "--envelope", "e.obj", expect=2).stderr,
                         "clcable: envelope: expected a scene with cables\n")
        self.assertEqual(os.listdir(self.folder), ["scene.json"])

    def test_the_cell_that_is_asked_for_is_enough(self):
        self.write("scene.json", SCENE)
        said = self.call("run", "scene.json", "--envelope", "e.obj", "--envelope-cell", "1e-6", expect=2).stderr
        least = re.search(r"at least (\S+) m", said).group(1)
        self.envelope("--envelope-cell", least, "--settle")

    @unittest.skipIf(os.environ.get("CLCABLE_NO_STUDIES"), "a build without studies")
    def test_other_scenes_are_refused(self):
        particles = sorted((SCENES / "particles").glob("*.json"))[0]
        self.assertIn("--envelope is for", self.call("run", particles, "--envelope", "e.obj", expect=2).stderr)

    def test_it_cannot_be_written(self):
        self.write("scene.json", SCENE)
        said = self.call("run", "scene.json", "--envelope", "none/e.obj", expect=1).stderr
        self.assertIn("none/e.obj: cannot write it", said)


class Sweeps(Case):
    HANGING = {
        "clcable": 1,
        "time": {"duration": 0.2, "frame_rate": 50, "substeps": 30},
        "materials": {"wire": {"radius": 0.004, "linear_density": 0.05, "bending_stiffness": 1e-4, "damping": 0.5}},
        "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.6, 0, 1]], "segments": 24, "length": 0.7}],
        "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "a", "at": "end", "to": "here"}],
        "colliders": [{"name": "floor", "shape": "plane", "point": [0, 0, 0.5], "normal": [0, 0, 1]}],
    }
    VARY = ["--vary", "/cables/0/length=0.62,0.7,0.78", "--settle"]

    def inside(self, points, triangles, x):
        """How often a surface turns around a point (A. Van Oosterom, J. Strackee 1983): 1 inside, 0 outside."""
        total = 0
        for triangle in triangles:
            a, b, c = ([q - p for p, q in zip(x, points[i])] for i in triangle)
            la, lb, lc = (math.hypot(*v) for v in (a, b, c))
            volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
            dot = lambda u, v: sum(p * q for p, q in zip(u, v))
            total += 2 * math.atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
        return total / (4 * math.pi)

    def rests(self, lengths):
        """Nodes of each variant by itself."""
        found = []
        for length in lengths:
            self.call("run", self.write("one.json", self.HANGING), "--set", f"/cables/0/length={length}", "--settle", "-o", "one.csv",
                      "--device", "native")
            rows = [line.split(",") for line in (self.folder / "one.csv").read_text().splitlines()]
            at = [rows[0].index(key) for key in ("x", "y", "z")]
            found.append([tuple(float(row[i]) for i in at) for row in rows[1:]])
        return found

    def test_it_has_each_variant_in_it(self):
        told = self.envelope(*self.VARY, "--envelope-cell", 0.004, scene=self.HANGING, command="sweep")
        self.assertEqual(told["variants"], 3)
        points, triangles = read_obj(self.folder / "e.obj")
        alone = []
        for nodes in self.rests((0.62, 0.7, 0.78)):
            for node in nodes[1:-1:4]:
                self.assertAlmostEqual(self.inside(points, triangles, node), 1, delta=1e-3)  # rounding of 1e5 angles; else 0
            alone.append(nodes)
        lowest = min(z for nodes in alone for _, _, z in nodes)
        self.assertAlmostEqual(min(z for _, _, z in points), lowest - 0.004, delta=told["cell"])
        self.assertEqual((told["variant"], told["collider_name"], told["cable"]), (2, "floor", "a"))
        self.assertAlmostEqual(told["clearance"], lowest - 0.004 - 0.5, delta=1e-5)
        self.assertRegex(self.result.stdout, r"of 3 variants envelope .* mm from collider \"floor\" \(variant 2\), wrote e.obj\n")
        for x in points[::4]:  # nothing else: within a cell of one of them
            nearest = min(distance_to_line(x, a, b) for nodes in alone for a, b in zip(nodes, nodes[1:])) - 0.004
            self.assertLess(abs(nearest), told["cell"])

    def test_worlds_make_no_difference(self):
        """But for the rests, which are found by as many steps for all of a world: they differ by less than 1e-9 m, and a surface that is
        moved by that changes by its area times that."""
        one = self.envelope(*self.VARY, scene=self.HANGING, command="sweep")
        each = self.envelope(*self.VARY, "--batch", 1, scene=self.HANGING, command="sweep")
        for told in one, each:
            told["place"] = [round(x, 8) for x in told["place"]]
        area = 3 * 0.8 * 2 * math.pi * 0.004
        self.assertAlmostEqual(one.pop("volume"), each.pop("volume"), delta=area * 1e-9)
        self.assertAlmostEqual(one.pop("clearance"), each.pop("clearance"), delta=1e-9)
        self.assertEqual(one, each)

    def test_colliders_that_vary(self):
        scene = {**self.HANGING, "colliders": [{"name": "far", "shape": "sphere", "center": [0, 0, 9], "radius": 0.1},
                                               *self.HANGING["colliders"]]}
        told = self.envelope("--vary", "/colliders/1/point=[0,0,0.4],[0,0,0.5],[0,0,0.3]", "--settle", scene=scene, command="sweep")
        self.assertEqual((told["variant"], told["collider"], told["collider_name"]), (1, 1, "floor"))

    def test_what_diverges_is_not_in_it(self):
        told = self.envelope("--vary", "/cables/0/velocity=[0,0,0],[0,0,900000]", "--frames", 2, scene=self.HANGING, command="sweep")
        self.assertEqual(told["variants"], 1)
        self.assertIn("1 diverged", self.result.stdout)
        points, _ = read_obj(self.folder / "e.obj")
        self.assertLess(max(z for _, _, z in points), 1.1)

    def test_what_finds_no_rest_is_not_in_it(self):
        """Where nothing holds it, it falls for ever."""
        scene = {key: value for key, value in self.HANGING.items() if key != "colliders"}
        held = json.dumps(scene["attachments"])
        alone = self.envelope("--vary", f"/attachments={held}", "--settle", scene=scene, command="sweep")
        told = self.envelope("--vary", f"/attachments=[],{held}", "--settle", scene=scene, command="sweep", expect=1)
        self.assertEqual(told["variants"], 1)
        self.assertAlmostEqual(told["volume"], alone["volume"], delta=0.01 * alone["volume"])  # the grid's place may differ; with both it is twice as much

    def test_refused(self):
        self.write("scene.json", self.HANGING)
        for words, said in [(["--envelope", "e.csv"], r"e.csv: an envelope is written as"),
                            (["--envelope", "e.obj", "--envelope-cell", "-1"], r"expected metres above 0"),
                            (["--envelope", "r.obj", "--report", "r.obj"], r"r.obj: .*twice")]:
            with self.subTest(words):
                self.assertRegex(self.call("sweep", "scene.json", *self.VARY, *words, expect=2).stderr, said)
                self.assertEqual(os.listdir(self.folder), ["scene.json"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
