"""What `-o` writes, read back by the programs that people use for it: VTK, OpenUSD and NumPy, against the CSV of the same run.

    test_outputs.py PROGRAM PYTHON
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from outputs import (CLOSE, EVERY_FORMAT, FRAMES, PROGRAM, SCENE, Case, arrays_of, curvature_of, lines_of, np, read_csv, run,
                     vtk_to_numpy)
from pxr import Gf, Usd, UsdGeom
from vtkmodules.vtkIOGeometry import vtkOBJReader
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


class ReadBack(Case):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        run(cls.folder, SCENE, *Case.outputs(cls, *EVERY_FORMAT), "--report", "report.json")
        cls.names, cls.counts, cls.rows = read_csv(cls.folder / "run.csv")
        cls.ends = np.cumsum([0, *cls.counts])
        cls.report = json.loads((cls.folder / "report.json").read_text())
        cls.npz = np.load(cls.folder / "run.npz")

    def setUp(self):
        pass

    def body(self, name):
        i = self.names.index(name)
        return slice(self.ends[i], self.ends[i + 1])

    def test_the_scene_has_what_it_should(self):
        self.assertEqual(self.names, ["a[0,0,0]", "a[0,1,0]", "Käbel \"x\"", "cloth", "tent"])
        self.assertEqual(len(self.report["broken_attachments"]), 1)
        self.assertGreater(self.report["contacts"]["last"], 0)

    def test_npz(self):
        z, nodes = self.npz, len(self.rows)
        self.assertEqual(z["positions"].shape, (FRAMES + 1, nodes, 3))
        self.assertEqual(z["positions"].dtype, np.float32)
        self.assertEqual(z["names"].tolist(), self.names)
        self.assertEqual(z["offsets"].tolist(), self.ends.tolist())
        self.assertEqual((int(z["cables"]), int(z["first_frame"])), (3, 0))
        self.close(z["radius"], [0.004, 0.004, 0.002, 0.002, 0.002])
        self.close(z["times"], np.arange(FRAMES + 1) / 50)
        self.close(z["positions"][-1], self.rows[:, :3])
        self.close(z["velocities"][-1], self.rows[:, 3:6])
        self.close(z["tension"][-1], self.rows[:, 6])
        self.assertEqual(z["cells"].shape, (4 * 3 + 3, 4))
        self.assertEqual(z["cells"][0].tolist(), [self.ends[3], self.ends[3] + 1, self.ends[3] + 6, self.ends[3] + 5])
        self.assertEqual(z["cells"][-1, 2:].tolist(), [-1, -1])
        # frame 0 is the start: drawn level at 0.3 m
        self.close(z["positions"][0, :13, 2], 0.3)
        self.assertFalse(np.array_equal(z["positions"][1], z["positions"][0]))

    def test_curvature_and_contact(self):
        x = self.rows[:, :3]
        for name in self.names[:3]:
            nodes = self.body(name)
            # differences of places that are floats, 50 mm apart: 3e-8 m of each end
            np.testing.assert_allclose(self.npz["curvature"][-1, nodes], curvature_of(x[nodes]), rtol=1e-3, atol=1e-4)
        self.assertTrue(np.all(self.npz["curvature"][-1, self.body("cloth")] == 0))
        self.assertTrue(np.all(self.npz["contact"][0] == 0))
        self.assertGreater(self.npz["contact"][-1].max(), 0)

    def check_poly_data(self, data, frame):
        z = self.npz
        self.close(vtk_to_numpy(data.GetPoints().GetData()), z["positions"][frame], 0)
        arrays = arrays_of(data.GetPointData())
        self.close(arrays["velocity"], z["velocities"][frame], 0)
        self.close(arrays["tension"], z["tension"][frame], 0)
        self.close(arrays["curvature"], z["curvature"][frame], 0)
        self.close(arrays["contact"], z["contact"][frame], 0)
        self.close(arrays["radius"], np.repeat(z["radius"], self.counts), 0)
        lines = [list(range(a, b)) for a, b in zip(self.ends[:3], self.ends[1:4])]
        lines += [row[:2] for row in z["cells"].tolist() if row[2] < 0]
        self.assertEqual(lines_of(data.GetLines()), lines)
        self.assertEqual(lines_of(data.GetPolys()), [row for row in z["cells"].tolist() if row[2] >= 0])
        self.assertEqual(vtk_to_numpy(data.GetCellData().GetArray("cable")).tolist(), [0, 1, 2] + 3 * [4] + 12 * [3])
        return arrays

    def test_vtp_and_pvd(self):
        self.check_poly_data(self.read_vtp("run.vtp"), FRAMES)
        for frame in (0, 7, FRAMES):
            data = self.read_vtp(f"run_{frame:04d}.vtp")
            self.check_poly_data(data, frame)
            self.close(vtk_to_numpy(data.GetFieldData().GetArray("TimeValue")), frame / 50)

    def test_vtkhdf(self):
        reader = vtkHDFReader()
        path = str(self.folder / "run.vtkhdf")
        self.assertTrue(reader.CanReadFile(path))
        reader.SetFileName(path)
        reader.UpdateInformation()
        self.assertEqual(reader.GetNumberOfSteps(), FRAMES + 1)
        times = reader.GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS())
        self.close(times, np.arange(FRAMES + 1) / 50)
        for frame in (FRAMES, 0, 7):
            reader.SetStep(frame)
            reader.Update()
            arrays = self.check_poly_data(reader.GetOutput(), frame)
            self.close(arrays["speed"], np.linalg.norm(self.npz["velocities"][frame].astype(float), axis=1))

    def test_obj(self):
        reader = vtkOBJReader()
        reader.SetFileName(str(self.folder / "run.obj"))
        reader.Update()
        data = reader.GetOutput()
        self.close(vtk_to_numpy(data.GetPoints().GetData()), self.rows[:, :3])
        lines = lines_of(data.GetLines())
        self.assertEqual([len(line) for line in lines], self.counts[:3] + 3 * [2])
        self.assertEqual(lines[1], list(range(self.ends[1], self.ends[2])))
        self.assertEqual(data.GetPolys().GetNumberOfCells(), 12)
        self.assertIn("\no Käbel \"x\"\n", (self.folder / "run.obj").read_text())

    def test_obj_is_a_sheet_of_a_scene(self):
        scene = {"clcable": 1, "materials": SCENE["materials"], "contact": {"cables": False, "self": False},
                 "sheets": [{"name": "all", "material": "thread", "file": str(self.folder / "run.obj")}]}
        with tempfile.TemporaryDirectory() as folder:
            run(pathlib.Path(folder), scene, "--frames", 1, "--report", "report.json")
            report = json.loads((pathlib.Path(folder) / "report.json").read_text())
        self.assertEqual(report["particles"], len(self.rows))

    def stage(self):
        stage = Usd.Stage.Open(str(self.folder / "run.usda"))
        self.assertEqual(stage.GetDefaultPrim().GetPath(), "/scene")
        return stage

    def test_usda_stage(self):
        stage = self.stage()
        self.assertEqual(UsdGeom.GetStageMetersPerUnit(stage), 1)
        self.assertEqual(UsdGeom.GetStageUpAxis(stage), UsdGeom.Tokens.z)
        self.assertEqual((stage.GetStartTimeCode(), stage.GetEndTimeCode()), (0, FRAMES))
        self.close(stage.GetTimeCodesPerSecond(), 50)
        names = [prim.GetName() for prim in stage.GetDefaultPrim().GetChildren()]
        self.assertEqual(names, ["cables", "sheet_0", "sticks_1"] + [f"collider_{i}" for i in range(4)])

    def check_prim(self, prim, nodes, frame, radius):
        points = np.array(prim.GetPointsAttr().Get(frame))
        self.close(points, self.npz["positions"][frame][nodes], 0)
        self.close(np.array(prim.GetVelocitiesAttr().Get(frame)), self.npz["velocities"][frame][nodes], 0)
        extent = np.array(prim.GetExtentAttr().Get(frame))
        self.close(extent, [points.min(axis=0) - radius, points.max(axis=0) + radius], 1e-7)
        api = UsdGeom.PrimvarsAPI(prim)
        for name, track in (("tension", "tension"), ("curvature", "curvature"), ("contact", "contact")):
            primvar = api.GetPrimvar(name)
            self.assertEqual(primvar.GetInterpolation(), UsdGeom.Tokens.vertex)
            self.close(np.array(primvar.Get(frame)), self.npz[track][frame][nodes], 0)

    def test_usda_cables(self):
        stage = self.stage()
        prim = UsdGeom.BasisCurves(stage.GetPrimAtPath("/scene/cables"))
        self.assertEqual(prim.GetTypeAttr().Get(), UsdGeom.Tokens.linear)
        self.assertEqual(list(prim.GetCurveVertexCountsAttr().Get()), self.counts[:3])
        widths = np.repeat([0.008, 0.008, 0.004], np.array(prim.GetCurveVertexCountsAttr().Get()))
        self.close(np.array(prim.GetWidthsAttr().Get()), widths)
        self.assertEqual(prim.GetWidthsInterpolation(), UsdGeom.Tokens.vertex)
        self.assertEqual(prim.GetPointsAttr().GetTimeSamples(), list(range(FRAMES + 1)))
        self.assertEqual(list(UsdGeom.PrimvarsAPI(prim).GetPrimvar("cable").Get()), self.names[:3])
        colours = list(prim.GetDisplayColorPrimvar().Get())
        self.assertEqual(colours[0], colours[1])
        self.assertNotEqual(colours[0], colours[2])
        for frame in (0, 7, FRAMES):
            self.check_prim(prim, slice(0, self.ends[3]), frame, 0.004)

    def test_usda_sheets(self):
        stage = self.stage()
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/scene/sheet_0"))
        self.assertEqual(list(mesh.GetFaceVertexCountsAttr().Get()), 12 * [4])
        self.assertEqual(list(mesh.GetFaceVertexIndicesAttr().Get())[:4], [0, 1, 6, 5])
        self.assertEqual(mesh.GetPrim().GetCustomDataByKey("name"), "cloth")
        self.check_prim(mesh, self.body("cloth"), FRAMES, 0.002)
        sticks = UsdGeom.BasisCurves(stage.GetPrimAtPath("/scene/sticks_1"))
        nodes = self.npz["cells"][-3:, :2].ravel()
        self.assertEqual(list(sticks.GetCurveVertexCountsAttr().Get()), [2, 2, 2])
        self.check_prim(sticks, nodes, FRAMES, 0.002)

    def test_usda_colliders(self):
        stage = self.stage()

        def place(i, frame):
            prim = UsdGeom.Xformable(stage.GetPrimAtPath(f"/scene/collider_{i}"))
            return prim.GetPrim(), prim.ComputeLocalToWorldTransform(frame)

        floor, at = place(0, 0)
        self.assertEqual(floor.GetTypeName(), "Plane")
        self.close(at.TransformDir(Gf.Vec3d(0, 0, 1)), [0, 0, 1])
        ball, at = place(1, FRAMES)
        self.close(UsdGeom.Sphere(ball).GetRadiusAttr().Get(), 0.1)
        self.close(at.ExtractTranslation(), [0, 0, 0.15])
        self.assertEqual(ball.GetCustomDataByKey("name"), "ball")
        capsule, at = place(2, 0)
        half = UsdGeom.Capsule(capsule).GetHeightAttr().Get() / 2
        self.close(at.Transform(Gf.Vec3d(0, 0, -half)), [-0.2, -0.1, 0.1], 1e-7)
        self.close(at.Transform(Gf.Vec3d(0, 0, half)), [-0.2, 0.3, 0.3], 1e-7)
        lift, at = place(3, 0)
        # a corner, turned by 45 degrees (the quaternion has three digits); up 0.2 m a second and a turn of as much again
        c = 0.924 ** 2 - 0.383 ** 2
        s, norm = 2 * 0.924 * 0.383, 0.924 ** 2 + 0.383 ** 2
        self.close(at.Transform(Gf.Vec3d(1, 1, 1)),
                   [0.9 + (c * 0.3 - s * 0.2) / norm, (s * 0.3 + c * 0.2) / norm, 0.15], 1e-7)
        _, later = place(3, FRAMES)
        t = FRAMES / 50
        self.close(later.ExtractTranslation(), [0.9, 0, 0.1 + 0.2 * t], 1e-7)
        turn = np.arctan2(s, c)
        direction = later.TransformDir(Gf.Vec3d(1, 0, 0))
        self.close(np.arctan2(direction[1], direction[0]), turn * (1 + t), 1e-6)

    def test_same_bytes_again(self):
        with tempfile.TemporaryDirectory() as folder:
            again = pathlib.Path(folder)
            run(again, SCENE, *Case.outputs(self, *EVERY_FORMAT))
            for name in EVERY_FORMAT:
                self.assertEqual((again / name).read_bytes(), (self.folder / name).read_bytes(), name)


class Ways(Case):
    def test_resumed(self):
        names = ["run.vtkhdf", "run.usda", "run.npz"]
        run(self.folder, SCENE, "--checkpoint", "state", "--frames", 10)
        run(self.folder, SCENE, "--resume", "state", "--frames", 15, *self.outputs(*names))
        z = np.load(self.folder / "run.npz")
        self.assertEqual((len(z["times"]), int(z["first_frame"])), (6, 10))
        stage = Usd.Stage.Open(str(self.folder / "run.usda"))
        self.assertEqual((stage.GetStartTimeCode(), stage.GetEndTimeCode()), (10, 15))
        reader = vtkHDFReader()
        reader.SetFileName(str(self.folder / "run.vtkhdf"))
        reader.UpdateInformation()
        np.testing.assert_allclose(reader.GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS()),
                                   np.arange(10, 16) / 50)

    def test_one_cable_without_contact_by_lanes(self):
        scene = {"clcable": 1, "method": "direct", "time": {"duration": 0.1},
                 "materials": {"w": {"radius": 0.003, "linear_density": 0.05}},
                 "cables": [{"name": "a", "material": "w", "path": [[0, 0, 1], [0.4, 0, 1]], "segments": 20}],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}],
                 "contact": {"cables": False, "self": False}}
        run(self.folder, scene, *self.outputs("a.npz", "a.vtkhdf", "a.csv", "a.usd"))
        _, _, rows = read_csv(self.folder / "a.csv")
        z = np.load(self.folder / "a.npz")
        np.testing.assert_allclose(z["positions"][-1], rows[:, :3], rtol=CLOSE, atol=1e-12)
        np.testing.assert_allclose(z["tension"][-1], rows[:, 6], rtol=CLOSE)
        self.assertEqual(z["cells"].shape, (0, 4))
        stage = Usd.Stage.Open(str(self.folder / "a.usd"))
        points = UsdGeom.BasisCurves(stage.GetPrimAtPath("/scene/cables"))
        np.testing.assert_allclose(np.array(points.GetPointsAttr().Get(6)), z["positions"][-1], rtol=CLOSE)

    def test_torque(self):
        """GJ Phi / L at all nodes of a rod between clamps, in every format; that of a free cable is 0. Without torsion nothing has it."""
        wire = {"radius": 0.001, "linear_density": 0.02, "bending_stiffness": 1e-4}
        rod = {"clcable": 1, "method": "direct", "gravity": [0, 0, 0], "time": {"duration": 0.05},
               "materials": {"shaft": {**wire, "twisting_stiffness": 2e-4}, "wire": wire},
               "cables": [{"name": "a", "material": "shaft", "path": [[0, 0, 0], [0.8, 0, 0]], "segments": 16},
                          {"name": "b", "material": "wire", "path": [[0, 1, 0], [0.8, 1, 0]], "segments": 4}],
               "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": True},
                               {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": -1.5}]}
        names = ("a.npz", "a.vtkhdf", "a.csv", "a.usda", "a.vtp")
        run(self.folder, rod, *self.outputs(*names))
        wanted = np.array(17 * [2e-4 * -1.5 / 0.8] + 5 * [0])
        close = {"rtol": 1e-6, "atol": 0}  # computed in floats
        with open(self.folder / "a.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0])[-2:], ["tension", "torque"])
        torque = np.array([float(row["torque"]) for row in rows])
        np.testing.assert_allclose(torque, wanted, **close)
        z = np.load(self.folder / "a.npz")
        self.assertEqual((z["torque"].shape, z["torque"].dtype), ((4, 22), np.float32))
        np.testing.assert_allclose(z["torque"], [0 * wanted, *3 * [wanted]], **close)  # frame 0 is before the first substep
        np.testing.assert_allclose(z["contact"], 0 * z["torque"])
        vtp, hdf = vtkXMLPolyDataReader(), vtkHDFReader()
        for reader, name in ((vtp, "a.vtp"), (hdf, "a.vtkhdf")):
            reader.SetFileName(str(self.folder / name))
            reader.UpdateInformation()
            if reader is hdf:
                reader.SetStep(2)
            reader.Update()
            np.testing.assert_allclose(arrays_of(reader.GetOutput().GetPointData())["torque"], wanted, **close)
        stage = Usd.Stage.Open(str(self.folder / "a.usda"))
        primvar = UsdGeom.PrimvarsAPI(stage.GetPrimAtPath("/scene/cables")).GetPrimvar("torque")
        self.assertEqual(primvar.GetInterpolation(), UsdGeom.Tokens.vertex)
        np.testing.assert_allclose(np.array(primvar.Get(3)), wanted, **close)
        rod["attachments"].pop()
        run(self.folder, rod, *self.outputs(*names))
        self.assertNotIn("torque", np.load(self.folder / "a.npz").files)
        for name in names[1:]:
            self.assertNotIn(b"torque", (self.folder / name).read_bytes())

    def test_bodies(self):
        """Rigid bodies: poses in NPZ and USD are those of --bodies, and the shapes lie where these put them. Resumed, too."""
        half = 0.5 ** 0.5
        shapes = [{"shape": "box", "center": [0.1, 0, 0], "half_extents": [0.1, 0.2, 0.05], "rotation": [half, 0, 0, half]},
                  {"shape": "capsule", "from": [0, 0, 0], "to": [0, 0.3, 0], "radius": 0.02},
                  {"shape": "cylinder", "from": [0, 0, 0], "to": [0.2, 0, 0], "radius": 0.05},
                  {"shape": "sphere", "center": [0, 0, 0.4], "radius": 0.03}]
        scene = {"clcable": 1, "method": "direct", "time": {"duration": 0.2, "frame_rate": 50, "substeps": 5},
                 "materials": SCENE["materials"],
                 "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.3, 0, 1]], "segments": 6}],
                 "bodies": [{"name": "Röller", "position": [1, 2, 3], "shapes": shapes, "density": 100, "velocity": [1, 0, 0],
                             "spin": [0, 3, 1], "copies": {"count": [1, 2, 1], "spacing": [0, 5, 0]}},
                            {"name": "point", "position": [3, 0, 0], "mass": 1, "inertia": [1, 1, 1]}]}
        names = ("a.npz", "a.usda")
        run(self.folder, scene, *self.outputs(*names), "--bodies", "b.csv")
        with open(self.folder / "b.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        z = np.load(self.folder / "a.npz")
        self.assertEqual(list(z["body_names"]), ["Röller[0,0,0]", "Röller[0,1,0]", "point"])
        places = np.array([[float(row[k]) for k in "xyz"] for row in rows]).reshape(11, 3, 3)
        turns = np.array([[float(row["q" + k]) for k in "wxyz"] for row in rows]).reshape(11, 3, 4)
        np.testing.assert_allclose(z["body_positions"], places, rtol=CLOSE)
        np.testing.assert_allclose(z["body_rotations"], turns, rtol=CLOSE, atol=1e-9)
        self.assertGreater(np.abs(places[-1, 0] - places[0, 0]).max(), 0.1)
        stage = Usd.Stage.Open(str(self.folder / "a.usda"))
        self.check_shapes(stage, shapes, places, turns)
        self.assertEqual(stage.GetPrimAtPath("/scene/body_0").GetCustomDataByKey("name"), "Röller[0,0,0]")
        self.assertEqual(list(stage.GetPrimAtPath("/scene/body_2").GetChildren()), [])
        run(self.folder, scene, "--checkpoint", "state", "--frames", 4)
        run(self.folder, scene, "--resume", "state", "-o", "rest.npz")
        for name in ("body_positions", "body_rotations"):
            np.testing.assert_array_equal(np.load(self.folder / "rest.npz")[name], z[name][4:])
        del scene["bodies"]
        run(self.folder, scene, *self.outputs(*names))
        self.assertNotIn("body_names", np.load(self.folder / "a.npz").files)
        self.assertNotIn(b"body_", (self.folder / "a.usda").read_bytes())

    def check_shapes(self, stage, shapes, places, turns):
        """A corner of the box, the capsule's and the cylinder's end and the ball's centre are where the body's pose has them."""
        corners = [("Cube", [1, 1, 1], [-0.1, 0.1, 0.05]), ("Capsule", [0, 0, 0.15], shapes[1]["to"]),
                   ("Cylinder", [0, 0, 0.1], shapes[2]["to"]), ("Sphere", [0, 0, 0], shapes[3]["center"])]
        for body, frame in ((0, 0), (0, 7), (1, 10)):
            w, *v = turns[frame, body]
            for k, (kind, own, place) in enumerate(corners):
                prim = stage.GetPrimAtPath(f"/scene/body_{body}/shape_{k}")
                self.assertEqual(prim.GetTypeName(), kind)
                at = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(frame).Transform(Gf.Vec3d(*own))
                turned = np.array(place) + 2 * np.cross(v, np.cross(v, place) + w * np.array(place))
                np.testing.assert_allclose(at, places[frame, body] + turned, atol=1e-6)  # USD's turns are floats

    def test_studies_refuse(self):
        """What is for cables alone; test_particle_scenes and test_planar_scenes read back what studies write."""
        for kind in ("planar", "particles"):
            scene = next((pathlib.Path(__file__).parent.parent / "scenes" / kind).glob("*.json"))
            for ending in ("usda", "vtkhdf", "obj"):
                result = subprocess.run([PROGRAM, "run", scene, "-o", f"a.{ending}", "--frames", "2"], cwd=self.folder,
                                        capture_output=True, text=True)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(kind.removesuffix("s"), result.stderr)
        self.assertEqual(self.files(), [])


class RigidBodies(Case):
    """Their shapes as triangles in .vtp, .pvd and .vtkhdf, where and as fast as --bodies has them."""

    SHAPES = {
        "ball": ({"shape": "sphere", "center": [0, 0, 0.1], "radius": 0.1}, 4 / 3 * np.pi * 1e-3),
        "pill": ({"shape": "capsule", "from": [0, 0, 0], "to": [0.2, 0, 0], "radius": 0.05}, np.pi * 0.0025 * (0.2 + 0.2 / 3)),
        "can": ({"shape": "cylinder", "from": [0, 0, 0], "to": [0, 0.1, 0.1], "radius": 0.05}, np.pi * 0.0025 * 0.1 * 2**0.5),
        "box": ({"shape": "box", "center": [0, 0, 0], "half_extents": [0.1, 0.05, 0.02], "rotation": [0.8, 0, 0.6, 0]}, 8e-4),
        # its groove: a half circle of 10 mm, at 100 mm from the axis; by Guldin
        "wheel": ({"shape": "sheave", "from": [0, -0.02, 0], "to": [0, 0.02, 0], "radius": 0.1, "groove": 0.01, "flange": 0.11, "angle": 0},
                  np.pi * 0.11**2 * 0.04 - 2 * np.pi * (0.11 - 4 * 0.01 / 3 / np.pi) * np.pi * 1e-4 / 2),
    }

    def scene(self):
        scene = {key: SCENE[key] for key in ("clcable", "materials", "cables", "sheets")}
        scene |= {"time": {"frame_rate": 50, "substeps": 10}, "method": "direct", "sheets": []}
        scene["attachments"] = [{"cable": "a[0,1,0]", "at": "start", "to": "here"}]
        scene["bodies"] = [{"name": name, "position": [k, 5, 0], "density": 1000, "spin": [1, 2 + k, 3], "shapes": [shape]}
                           for k, (name, (shape, _)) in enumerate(self.SHAPES.items())]
        scene["bodies"].append({"name": "point", "position": [0, 9, 0], "mass": 1, "inertia": [1, 1, 1]})
        scene["bodies"].append({"name": "pair", "position": [0, 20, 0], "mass": 1, "shapes": [self.SHAPES["box"][0], self.SHAPES["can"][0]],
                                "copies": {"count": [1, 2, 1], "spacing": [0, 1, 0]}})
        return scene

    def check(self, data, frame, rows):
        x, arrays = vtk_to_numpy(data.GetPoints().GetData()).astype(float), arrays_of(data.GetPointData())
        nodes, faces, lines = len(rows), lines_of(data.GetPolys()), data.GetLines().GetNumberOfCells()
        numbers = arrays_of(data.GetCellData())["cable"]
        self.close(x[:nodes], rows[:, :3])
        self.assertEqual(numbers[:lines].tolist(), [0, 1, 2])
        self.assertEqual(sorted(set(numbers[lines:].tolist())), [3, 4, 5, 6, 7, 9, 10])
        one, other = (x[[face for face, number in zip(faces, numbers[lines:]) if number == k]] for k in (9, 10))
        self.close(other - [0, 1, 0], one, 4e-6)  # copies fall side by side; floats of 20 m
        for name in ("tension", "curvature", "contact", "radius"):
            self.assertFalse(arrays[name][nodes:].any())
        for k, (name, (_, volume)) in enumerate(self.SHAPES.items()):
            own = np.array([face for face, number in zip(faces, numbers[lines:]) if number == 3 + k])
            a, b, c = (x[own[:, i]] for i in range(3))
            middle = x[own].mean(axis=(0, 1))
            found = np.einsum("ij,ij->i", a - middle, np.cross(b - middle, c - middle)).sum() / 6
            edges = [tuple(edge) for face in own for edge in zip(face, np.roll(face, -1))]
            self.assertEqual(sorted(edges), sorted((j, i) for i, j in edges), name)  # closed, one way round
            # 48 sides have (pi/24)^2/6 = 0.3 % less than a circle, a ball with 24 from pole to pole twice that; a groove's arc with 24 less
            self.assertLess(found, volume * 1.001)
            self.assertGreater(found, volume * (1 - 1e-6 if name == "box" else 0.99))
            # where --bodies has it
            row = next(r for r in self.table if r["body"] == name and int(round(float(r["t"]) * 50)) == frame)
            place, turn, spin, speed = ([float(row[key]) for key in keys.split()]
                                        for keys in ("x y z", "qw qx qy qz", "wx wy wz", "vx vy vz"))
            corners = x[np.unique(own)] - place
            matrix = np.array(Gf.Matrix3d(Gf.Rotation(Gf.Quatd(turn[0], *turn[1:])))).T
            local = corners @ matrix  # in its own axes
            if name == "box":
                half = Gf.Rotation(Gf.Quatd(0.8, 0, 0.6, 0))
                local = local @ np.array(Gf.Matrix3d(half)).T
                self.close(np.abs(local), np.tile([0.1, 0.05, 0.02], (8, 1)), 2e-6)
            if name == "ball":
                self.close(np.linalg.norm(local - [0, 0, 0.1], axis=1), 0.1 * np.ones(len(local)), 2e-6)
            # the origin's velocity, and that the body turns with
            given = arrays["velocity"][np.unique(own)].astype(float)
            self.close(given, np.array(speed) + np.cross(spin, corners), 2e-5)

    def test_as_triangles(self):
        run(self.folder, self.scene(), "--frames", 8, "--bodies", "bodies.csv",
            *(word for name in ("run.csv", "run.vtp", "run.pvd", "run.vtkhdf", "run.npz") for word in ("-o", name)))
        self.table = list(csv.DictReader((self.folder / "bodies.csv").read_text(encoding="utf-8").splitlines()))
        last = read_csv(self.folder / "run.csv")[2]
        self.check(self.read_vtp("run.vtp"), 8, last)
        self.check(self.read_vtp("run_0008.vtp"), 8, last)
        frames = np.load(self.folder / "run.npz")["positions"]
        self.assertEqual(frames.shape[1], len(last))
        reader = vtkHDFReader()
        reader.SetFileName(str(self.folder / "run.vtkhdf"))
        reader.UpdateInformation()
        for frame in (8, 0, 3):
            reader.SetStep(frame)
            reader.Update()
            self.check(reader.GetOutput(), frame, frames[frame])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
