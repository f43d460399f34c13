"""What tests of `-o` share: the programs that people read its files with, a scene that has something of everything, a run of it.

Who imports it is called with PROGRAM PYTHON. PYTHON has the readers; scripts/setup makes it. Without it the test is skipped.
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PYTHON = sys.argv[1:3]
if pathlib.Path(sys.prefix).resolve() != pathlib.Path(PYTHON).parent.parent.resolve():
    if not pathlib.Path(PYTHON).exists():
        print(f"skipped: {PYTHON} is not there: scripts/setup had no network to fetch VTK, OpenUSD and NumPy")
        sys.exit(77)
    os.execv(PYTHON, [PYTHON, *sys.argv])

import numpy as np  # noqa: E402
from vtkmodules.util.numpy_support import vtk_to_numpy  # noqa: E402
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader  # noqa: E402

# Files hold floats (24 bits), the CSV nine digits of doubles: half a unit in the last place of a float, 6e-8, and a little.
CLOSE = 1e-7
FRAMES = 40
EVERY_FORMAT = ["run.csv", "run.vtp", "run.pvd", "run.vtkhdf", "run.usda", "run.obj", "run.npz"]

SCENE = {
    "clcable": 1,
    "time": {"duration": FRAMES / 50, "frame_rate": 50, "substeps": 10},
    "materials": {
        "wire": {"radius": 0.004, "linear_density": 0.05, "bending_stiffness": 1e-4, "damping": 1},
        "thread": {"radius": 0.002, "linear_density": 0.01, "damping": 1},
    },
    "cables": [
        # falls on the ball; the last comes off its end after a while: what it was joined to keeps its nodes
        {"name": "a", "material": "wire", "path": [[-0.3, 0, 0.3], [0.3, 0, 0.3]], "segments": 12,
         "copies": {"count": [1, 2, 1], "spacing": [0, 0.05, 0]}},
        {"name": "Käbel \"x\"", "material": "thread", "path": [[0.3, 0, 0.3], [0.3, 0, 0.1]], "segments": 5},
    ],
    "sheets": [
        {"name": "cloth", "material": "thread", "corner": [-1, -0.2, 0.4], "along": [0.4, 0, 0], "across": [0, 0.4, 0],
         "count": [5, 4], "area_density": 0.1},
        {"name": "tent", "material": "thread", "points": [[1, 0, 0.5], [1.2, 0, 0.5], [1.1, 0, 0.7]],
         "sticks": [[0, 1], [1, 2], [0, 2]]},
    ],
    "attachments": [
        {"cable": "a[0,1,0]", "at": "start", "to": "here"},
        {"cable": "Käbel \"x\"", "at": "start", "to": {"cable": "a[0,0,0]", "at": "end"}, "break_force": 1e-3},
    ],
    "colliders": [
        {"name": "floor", "shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 2]},
        {"name": "ball", "shape": "sphere", "center": [0, 0, 0.15], "radius": 0.1},
        {"shape": "capsule", "from": [-0.2, -0.1, 0.1], "to": [-0.2, 0.3, 0.3], "radius": 0.03},
        {"name": "lift", "shape": "box", "center": [0.9, 0, 0.1], "half_extents": [0.3, 0.2, 0.05],
         "rotation": [0.924, 0, 0, 0.383], "keyframes": [[0, 0, 0, 0], [1, 0, 0, 0.2, 0.924, 0, 0, 0.383]]},
    ],
}


def run(folder, scene, *words, expect=0, prepare=None):
    (folder / "scene.json").write_text(json.dumps(scene))
    command = [PROGRAM, "run", "scene.json", "--device", "native", "--threads", "1", "--quiet", *map(str, words)]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, preexec_fn=prepare)
    assert result.returncode == expect, (result.returncode, result.stderr)
    return result


def read_csv(path):
    """Bodies' names in order, and numbers by node: x y z vx vy vz tension."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    names = list(dict.fromkeys(row[0] for row in rows))
    counts = [sum(row[0] == name for row in rows) for name in names]
    return names, counts, np.array([[float(x) for x in row[2:]] for row in rows])


def curvature_of(x):
    """Of a cable's nodes: 1 over the radius of the circle through three; ends have their neighbours'."""
    a, b = x[1:-1] - x[:-2], x[2:] - x[1:-1]
    sides = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1) * np.linalg.norm(a + b, axis=1)
    inner = 2 * np.linalg.norm(np.cross(a, b), axis=1) / sides
    return np.concatenate([inner[:1], inner, inner[-1:]])


def lines_of(cells):
    ends, corners = vtk_to_numpy(cells.GetOffsetsArray()), vtk_to_numpy(cells.GetConnectivityArray())
    return [corners[a:b].tolist() for a, b in zip(ends[:-1], ends[1:])]


def arrays_of(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def outputs(self, *names):
        return [word for name in names for word in ("-o", name)]

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def close(self, got, wanted, absolute=1e-12):
        np.testing.assert_allclose(got, wanted, rtol=CLOSE, atol=absolute)

    def read_vtp(self, name):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(self.folder / name))
        reader.Update()
        self.assertEqual(reader.GetErrorCode(), 0)
        return reader.GetOutput()
