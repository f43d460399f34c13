#!/usr/bin/env python3
"""Scenes of particles: schema and reader agree, faults are named, `run` writes what it says, everywhere the same.

    test_particle_scenes.py SCENES_FOLDER CLCABLE PYTHON

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
SCENES = sorted((FOLDER / "particles").glob("*.json"))
VALIDATOR = jsonschema.Draft202012Validator(json.loads((FOLDER / "particles.schema.json").read_text()))
SHORTER = {"long-chain": ("--threads", "1", "--set", "/particles/chains/0/links=5000", "--set",
                          "/particles/chains/0/to=[50, 0]")}
CONTRADICTS = {"contradictory"}
DELETE = object()
P = "/particles/particles"

BASE = {
    "clcable": 1,
    "particles": {
        "time": {"duration": 0.1},
        "settings": {"solver": {"name": "pcg", "block": 4}},
        "particles": [{"position": [0, 0]}, {"position": [1, 0], "mass": 2}, {"position": [1, 1], "velocity": [0, 1]}],
        "forces": [{"kind": "spring", "particles": [0, 1], "stiffness": 1}],
        "constraints": [{"kind": "rod", "particles": [1, 2]}, {"kind": "point", "particles": [0]}],
        "chains": [{"from": [3, 0], "to": [4, 0], "links": 4}],
        "hands": [{"particle": 1, "point": [1, 2], "stiffness": 3}],
    },
}
GOOD = [
    ("/$schema", "x"),
    ("/particles/time", DELETE),
    ("/particles/settings/solver", "jacobi"),
    ("/particles/settings/solver/preconditioner", "block-jacobi"),
    ("/particles/settings/solver", {"name": "pcg", "preconditioner": "incomplete-cholesky", "iterations": 20}),
    ("/particles/settings/solver", {"name": "pcg", "preconditioner": "none"}),
    ("/particles/settings/integrator", "leapfrog-2"),
    ("/particles/settings/way", "staged"),
    ("/particles/forces/0", {"kind": "expression", "fx": "x*2"}),
    ("/particles/forces/0", {"kind": "angle-goal", "particles": [0, 1, 2], "angle": -30, "stiffness": 1}),
    ("/particles/constraints/1/point", [0, 1]),
    ("/particles/constraints/0", {"kind": "ellipse", "particles": [1], "point": [0, 0], "point2": [1, 0], "length": 2}),
    ("/particles/constraints/0", {"kind": "line", "particles": [1], "point": [0, 0], "direction": [1, 0]}),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [1], "foci": [[0, 0], [2, 1], [1, 3]]}),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [1], "foci": [[0, 0]], "length": 1.5}),
    ("/particles/chains/0", {"from": [0, 3], "to": [1, 3], "link": "spring", "stiffness": 3, "fixed": "both",
                             "bend": {"kind": "angle-atan2", "stiffness": 1}}),
]
# (pointer, value, part of the message)
BAD = [
    ("/clcable", 2, "/clcable: expected the format version 1, got 2"),
    ("/particles/times", {}, "/particles/times: unknown key, the nearest known one is \"time\""),
    ("/particles/time/steps", 0, "/particles/time/steps: expected an integer from 1 to 100000, got 0"),
    ("/particles/settings/integrator", "rk5", "(the nearest is \"rk4\"), got \"rk5\""),
    ("/particles/settings/solver", {"name": "cg", "block": 2}, "/particles/settings/solver/block: only the solver"),
    ("/particles/settings/solver/preconditioner", "ilu", "/particles/settings/solver/preconditioner: expected"),
    ("/particles/settings/solver/preconditioner", "incomplete-cholesky",
     "/particles/settings/solver/block: only the solver \"pcg\" with the preconditioner \"block-jacobi\" has blocks"),
    ("/particles/settings/solver", {"name": "cg", "preconditioner": "incomplete-cholesky"},
     "/particles/settings/solver/preconditioner: only the solver \"pcg\" has a preconditioner"),
    ("/particles/settings/gravity", [0, 0, -9.81], "/particles/settings/gravity: expected an array of 2 numbers"),
    ("/particles/settings/drag", -1, "/particles/settings/drag: expected a number from 0 to 1e+09, got -1"),
    (P + "/0/position", DELETE, P + "/0/position: expected an array of 2 numbers, but it is missing"),
    (P + "/1/mass", 0, P + "/1/mass: expected a number from 1e-09 to 1e+09, got 0"),
    ("/particles/forces/0/kind", "sprang", "the nearest is \"spring\""),
    ("/particles/forces/0/angle", 3, "/particles/forces/0/angle: unknown key"),
    ("/particles/forces/0/particles", [0], "/particles/forces/0/particles: expected an array of 2 particles"),
    ("/particles/constraints/0/length", -2, "/particles/constraints/0/length: expected a number from 1e-09"),
    ("/particles/constraints/0/particles", [1, 1], "/particles/constraints/0/"),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [1], "foci": []},
     "/particles/constraints/0/foci: expected an array of at least one place"),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [1]},
     "/particles/constraints/0/foci: expected an array of at least one place, but it is missing"),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [1], "foci": [[0, 0], [1]]},
     "/particles/constraints/0/foci/1: expected an array of 2 numbers"),
    ("/particles/chains/0/stiffness", 3, "/particles/chains/0/stiffness: only a chain of springs has it"),
    ("/particles/chains/0/links", 0, "/particles/chains/0/links: expected an integer from 1"),
    ("/particles/hands/0/stiffness", DELETE, "/particles/hands/0/stiffness: expected a number"),
]
# What a schema cannot say.
READER_ONLY = [
    ("/particles/forces/0/particles", [0, 30], "/particles/forces/0/particles/1: expected a particle from 0 to 7, got 30"),
    ("/particles/forces/0", {"kind": "expression", "fx": "z"}, "/particles/forces/0/fx: column 1: unknown name \"z\""),
    ("/particles/chains/0/to", [3, 0], "/particles/chains/0/to: expected another place than \"from\""),
    ("/particles/constraints/0", {"kind": "ellipse", "particles": [1], "point": [0, 0], "point2": [3, 0], "length": 2},
     "/particles/constraints/0/length: expected more than the 3 m"),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [1], "foci": [[0, 0], [3, 0], [0, 4]], "length": 6},
     "/particles/constraints/0/length: expected more than 6.76"),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [1], "foci": [[0, 0], [1, 0]]},
     "/particles/constraints/0/foci/1: expected another place than the particle's, got where it begins"),
    ("/particles/constraints/0", {"kind": "n-ellipse", "particles": [4], "foci": [[0, 0]]},
     "/particles/constraints/0/length: expected a number"),
    ("/particles/hands/0/particle", 99, "/particles/hands/0/particle: expected an integer from 0 to 7"),
]


def call(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=250)


def read_outputs(*paths):
    """What VTK and NumPy find in files, by a Python that has them; None where scripts/setup could not make it."""
    if not pathlib.Path(PYTHON).exists():
        return None
    script = pathlib.Path(__file__).parent / "read_outputs.py"
    result = subprocess.run([PYTHON, script, *map(str, paths)], capture_output=True, text=True, check=True, timeout=250)
    return json.loads(result.stdout)


def changed(pointer, value):
    document = copy.deepcopy(BASE)
    at, keys = document, pointer.strip("/").split("/")
    for key in keys[:-1]:
        at = at[int(key)] if isinstance(at, list) else at[key]
    key = int(keys[-1]) if isinstance(at, list) else keys[-1]
    if value is DELETE:
        del at[key]
    else:
        at[key] = value
    return document


class Scenes(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, document):
        path = self.folder / "scene.json"
        path.write_text(json.dumps(document))
        return call("check", path)

    def test_schema_and_reader_agree(self):
        VALIDATOR.check_schema(VALIDATOR.schema)
        for pointer, value in [("/clcable", 1), *GOOD]:
            document = changed(pointer, value)
            VALIDATOR.validate(document)
            result = self.check(document)
            self.assertEqual(result.returncode, 0, (pointer, value, result.stderr))
        for cases, valid in ((BAD, False), (READER_ONLY, True)):
            for pointer, value, part in cases:
                document = changed(pointer, value)
                self.assertEqual(VALIDATOR.is_valid(document), valid, (pointer, value))
                result = self.check(document)
                self.assertEqual(result.returncode, 2, (pointer, value))
                self.assertIn(part, result.stderr)
                self.assertIn("scene.json: ", result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def run_scene(self, path, *words):
        out, report = self.folder / "o.csv", self.folder / "r.json"
        result = call("run", path, "-o", out, "--report", report, "--quiet", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(out) as file:
            return list(csv.DictReader(file)), json.loads(report.read_text()), out.read_bytes()

    def test_scenes_run(self):
        self.assertGreater(len(SCENES), 10)
        for path in SCENES:
            VALIDATOR.validate(json.loads(path.read_text()))
            rows, report, _ = self.run_scene(path, "--device", "native", *SHORTER.get(path.stem, ()))
            self.assertEqual(len(rows), report["particles"])
            self.assertTrue(all(math.isfinite(float(v)) for row in rows for v in row.values()))
            self.assertEqual(report["status"], "ok")
            limit = 1 if path.stem in CONTRADICTS else 1e-3
            self.assertLess(report["off"]["worst_over_run"], limit, path.stem)
            self.assertEqual(report["solves"]["inconsistent"] > 0, path.stem in CONTRADICTS, path.stem)

    def test_angles_rest(self):
        """From 149 degrees on to 60: all three there; drag leaves e^(-t / 4 s) of the way."""
        rows, *_ = self.run_scene(FOLDER / "particles" / "angles.json", "--device", "native", "--duration", "60")
        x = [(float(r["x"]), float(r["y"])) for r in rows]
        for i in range(3):
            a, b, c = x[3 * i:3 * i + 3]
            turn = math.atan2(c[1] - b[1], c[0] - b[0]) - math.atan2(a[1] - b[1], a[0] - b[0])
            self.assertAlmostEqual(math.degrees(turn), 60, 2)

    def test_same_on_opencl(self):
        if '"opencl"' not in call("devices", "--json").stdout:
            self.skipTest("no OpenCL device")
        for name in ("mixture", "hair", "user-force", "contradictory"):
            path = FOLDER / "particles" / f"{name}.json"
            *_, native = self.run_scene(path, "--device", "native", "--frames", "20")
            *_, opencl = self.run_scene(path, "--device", "opencl", "--frames", "20")
            self.assertEqual(native, opencl, name)

    def test_options(self):
        path = FOLDER / "particles" / "mixture.json"
        for words, part in ((("--method", "xpbd"), "--method is for cables"), (("--settle",), "--settle is for cables"),
                            (("-o", "a.obj"), "a.obj: scenes of \"particles\" are written as .csv, .vtp, .pvd")):
            result = call("run", path, *words)
            self.assertEqual(result.returncode, 2)
            self.assertIn(part, result.stderr)
        _, report, _ = self.run_scene(path, "--device", "native", "--frames", "3", "--substeps", "7", "--set",
                                      "/particles/settings/integrator=euler")
        self.assertEqual((report["steps"], report["integrator"]), (21, "euler"))
        self.assertEqual(report["preconditioner"], None)
        _, report, _ = self.run_scene(FOLDER / "particles" / "pendulums.json", "--device", "native", "--frames", "1", "--set",
                                      '/particles/settings/solver={"name": "pcg", "preconditioner": "incomplete-cholesky"}')
        self.assertEqual(report["preconditioner"], "incomplete-cholesky")
        self.assertEqual((report["solves"]["iterations_most"], report["solves"]["capped"]), (1, 0))
        result = call("run", FOLDER / "particles" / "pendulums.json", "--device", "native", "--frames", "1", "--set",
                      '/particles/settings/solver={"name": "cg", "iterations": 2}')
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"warning: [0-9]+ of [0-9]+ solves ended at the cap of 2 iterations, with up to ")
        result = call("run", path, "--device", "native", "--set", "/particles/settings/integrator=euler",
                      "--set", "/particles/time/steps=1", "--set", "/particles/settings/off_limit=0.05")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a constraint was off by", result.stderr)

    def test_outputs_are_read_back(self):
        """All hold the same run: the last frame of .npz and of .pvd is .vtp's, which is .csv's; floats have 24 bits."""
        path = FOLDER / "particles" / "mixture.json"
        out = [self.folder / name for name in ("a.csv", "a.vtp", "a.pvd", "a.npz")]
        result = call("run", path, "--device", "native", "--frames", "8", "-q", *(w for o in out for w in ("-o", o)))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(out[0]) as file:
            rows = list(csv.DictReader(file))
        listed = re.findall(r'timestep="([^"]+)" group="" part="0" file="([^"]+)"', out[2].read_text())
        self.assertEqual([name for _, name in listed], [f"a_{i:04d}.vtp" for i in range(9)])
        self.assertEqual(out[1].read_bytes(), (self.folder / "a_0008.vtp").read_bytes())
        found = read_outputs(out[1], self.folder / "a_0000.vtp", out[3])
        if found is None:
            self.skipTest(f"{PYTHON} is not there")
        last, first, arrays = found
        for i, row in enumerate(rows):
            for axis, (x, v) in enumerate((("x", "vx"), ("y", "vy"))):
                self.assertAlmostEqual(last["points"][i][axis], float(row[x]), delta=1e-6)
                self.assertAlmostEqual(last["point_data"]["velocity"][i][axis], float(row[v]), delta=1e-6)
                self.assertAlmostEqual(arrays["positions"]["values"][-1][i][axis], float(row[x]), delta=1e-8)
                self.assertAlmostEqual(arrays["velocities"]["values"][-1][i][axis], float(row[v]), delta=1e-8)
        self.assertEqual(arrays["positions"]["shape"], [9, len(rows), 2])
        self.assertEqual(arrays["positions"]["type"], "<f8")
        self.assertEqual([d[2] for d in last["points"]], [0] * len(rows))
        self.assertEqual(arrays["times"]["values"], [i / 60 for i in range(9)])
        self.assertEqual(last["point_data"]["mass"], arrays["masses"]["values"])
        self.assertEqual(last["dots"], [[i] for i in range(len(rows))])
        self.assertEqual(first["time"], 0)
        self.assertAlmostEqual(last["time"], 8 / 60, delta=1e-12)
        self.assertEqual(len(last["lines"]), last["cell_data"]["kind"].count(1) + last["cell_data"]["kind"].count(2))
        self.assertEqual(len(arrays["constraint_kinds"]["values"]), len(arrays["constraint_particles"]["values"]))
        rods = [pair for kind, pair in zip(arrays["constraint_kinds"]["values"], arrays["constraint_particles"]["values"])
                if kind in (0, 1)]
        self.assertEqual([line for line, kind in zip(last["lines"], last["cell_data"]["kind"][len(rows):]) if kind == 1], rods)
        for a, b in rods:  # a rod is as long as it was
            before, now = (math.dist(data["points"][a], data["points"][b]) for data in (first, last))
            self.assertAlmostEqual(before, now, delta=1e-4)


if __name__ == "__main__":
    unittest.main()
