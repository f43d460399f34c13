"""clcable report --limits: limits by cable, part, material and hold, which of them counts, and what is refused; and that nobody says
that all limits are kept where that is not known.

usage: test_report_limits.py PROGRAM SCENES
"""
import json
import math
import os
import pathlib
import sys
import unittest
import xml.etree.ElementTree

from reports import Case

Case.program = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()

WIRE = {"radius": 0.002, "linear_density": 0.05, "damping": 5}
STILL = {"clcable": 1, "gravity": [0, 0, 0], "time": {"duration": 0.05, "substeps": 4},
         "materials": {"wire": WIRE, "stiff": {**WIRE, "min_bend_radius": 0.2}}, "cables": []}


def arc(radius, z=0, points=200):
    return [[radius * math.cos(math.pi / 2 * i / points), radius * math.sin(math.pi / 2 * i / points), z]
            for i in range(points + 1)]


def bent(name, radius, z=0, **more):
    return {"name": name, "material": "wire", "path": arc(radius, z), "segments": 20, **more}


class Tables(Case):
    def limit(self, scene, table, rule, part):
        self.write("limits.json", table)
        report, _ = self.report(scene, "--limits", "@limits.json")
        found = self.find(report, rule, part)
        return found["limit"], found["from"]

    def test_whose_limit_counts(self):
        """The cable's own before those of its parts, the strictest part before the material, that before the scene and the default."""
        table = {"cables": {"a": {"min_bend_radius": 0.06}}, "parts": {"P": {"min_bend_radius": 0.03}, "Q": {"min_bend_radius": 0.07}},
                 "materials": {"wire": {"min_bend_radius": 0.04}, "stiff": {"min_bend_radius": 0.3}}}
        scene = {**STILL, "cables": [bent("a", 0.05, parts=["P", "Q"]), bent("b", 0.05, 1, parts=["P", "Q"]), bent("c", 0.05, 2),
                                     bent("d", 0.05, 3, parts=["P"]), bent("e", 0.05, 4, material="stiff")]}
        self.write("limits.json", table)
        report, result = self.report(scene, "--limits", "@limits.json")
        wanted = {"a": (0.06, "limits.json: /cables/a/min_bend_radius"), "b": (0.07, "limits.json: /parts/Q/min_bend_radius"),
                  "c": (0.04, "limits.json: /materials/wire/min_bend_radius"), "d": (0.03, "limits.json: /parts/P/min_bend_radius"),
                  "e": (0.3, "limits.json: /materials/stiff/min_bend_radius")}
        for part, (limit, source) in wanted.items():
            found = self.find(report, "bend", part)
            self.assertEqual((found["limit"], found["from"]), (limit, source))
            self.assertEqual(found["broken"], limit > 0.05)  # the circle's radius, to 1e-4
            self.assertAlmostEqual(found["arc"], found["at"] * 0.05 * math.pi / 2, delta=1e-6)  # the path's polygon
        self.assertEqual((report["broken"], report["limits"]["table"]), (3, "limits.json"))
        self.assertIn("3 limits are not kept, the worst: bend of e", result.stdout)
        self.assertEqual(self.limit(scene, {}, "bend", "e"), (0.2, "/materials/stiff/min_bend_radius"))
        self.assertEqual(self.limit(scene, {}, "bend", "a"), (6 * 0.004, "by default: bend-at-rest"))

    def test_copies(self):
        scene = {**STILL, "cables": [bent("a", 0.05, copies={"count": [1, 1, 3], "spacing": [0, 0, 1]})]}
        table = {"cables": {"a": {"min_bend_radius": 0.01}, "a[0,0,1]": {"min_bend_radius": 0.02}}}
        self.assertEqual([self.limit(scene, table, "bend", f"a[0,0,{k}]")[0] for k in range(3)], [0.01, 0.02, 0.01])
        self.assertEqual(self.limit(scene, table, "bend", "a[0,0,1]")[1], "limits.json: /cables/a[0,0,1]/min_bend_radius")

    def test_clearances(self):
        """Cables 10 mm apart and 12 mm over a ball, surface to surface: looked for as far as the table asks."""
        scene = {**STILL, "colliders": [{"name": "ball", "shape": "sphere", "center": [0, 0, 0], "radius": 0.1}],
                 "cables": [{"name": n, "material": "wire", "path": [[-0.2, y, 0.114], [0.2, y, 0.114]], "segments": 8}
                            for n, y in (("a", 0), ("b", 0.014))]}
        both = {"cables": {"a": {"min_clearance": 0.011}}}
        for rule, limit in (("clearance-collider", 0.011), ("clearance-cable", 0.011)):
            self.assertEqual(self.limit(scene, both, rule, "a")[0], limit)
        own = {"cables": {"a": {"min_clearance": 0.011, "min_clearance_cable": 0.009}}}
        self.assertEqual(self.limit(scene, own, "clearance-cable", "a"), (0.009, "limits.json: /cables/a/min_clearance_cable"))
        self.write("limits.json", both)
        report, _ = self.report(scene, "--limits", "@limits.json")
        cable, ball = self.find(report, "clearance-cable", "a"), self.find(report, "clearance-collider", "a")
        self.assertAlmostEqual(cable["value"], 0.010, delta=1e-6)  # floats of 0.1 m
        self.assertEqual((cable["broken"], ball["broken"]), (True, False))
        self.assertIsNone(self.find(report, "clearance-cable", "b")["limit"])
        far = {**scene, "cables": [scene["cables"][0], {**scene["cables"][1], "path": [[-0.2, 0.1, 0.114], [0.2, 0.1, 0.114]]}]}
        self.write("limits.json", {"cables": {"a": {"min_clearance_cable": 0.05}}})
        report, _ = self.report(far, "--limits", "@limits.json")  # 96 mm: beyond the usual 20
        self.assertAlmostEqual(self.find(report, "clearance-cable", "a")["value"], 0.096, delta=1e-6)

    def test_parts_along_a_cable(self):
        """A piece of another material has its limits there: the rope's weight pulls more at its top, which is of a stronger one."""
        scene = {**STILL, "gravity": [0, 0, -9.81], "time": {"duration": 2, "substeps": 20}, "method": "direct",
                 "materials": {"weak": WIRE, "strong": {**WIRE, "friction": 0.2}},
                 "cables": [{"name": "a", "material": "weak", "path": [[0, 0, 2], [0, 0, 1]], "segments": 20,
                             "materials": [{"from": 0, "to": 0.5, "material": "strong", "instead": True}]}],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}]}
        self.write("limits.json", {"materials": {"weak": {"max_tension": 0.25}, "strong": {"max_tension": 1}}})
        report, _ = self.report(scene, "--limits", "@limits.json")
        found = self.find(report, "tension", "a")
        # tension of the segment below the middle: what is below its lower end, 9.5 segments; the swing of the start damps away
        self.assertEqual(found["limit"], 0.25)
        self.assertAlmostEqual(found["at"], 0.525, delta=1e-6)
        self.assertGreater(found["value"], 0.99 * 0.05 * 9.81 * 9.5 / 20)
        self.assertEqual(found["from"], "limits.json: /materials/weak/max_tension")

    def test_under_a_tube(self):
        """What lies over a cable does not take its limits away; the stricter one counts. What is in its place has its own."""
        for instead, table, wanted in ((False, {"wire": 0.06}, 0.06), (False, {"wire": 0.06, "tube": 0.04}, 0.06), (False, {"wire": 0.04, "tube": 0.06}, 0.06),
                                       (True, {"wire": 0.06, "tube": 0.04}, 0.04)):
            scene = {**STILL, "materials": {"wire": WIRE, "tube": {**WIRE, "radius": 0.003}},
                     "cables": [bent("a", 0.05, materials=[{"from": 0, "to": 1, "material": "tube", "instead": instead}])]}
            found = self.limit(scene, {"materials": {n: {"min_bend_radius": r} for n, r in table.items()}}, "bend", "a")
            self.assertEqual(found[0], wanted, (instead, table))

    def test_torque(self):
        """GJ Phi / L of a rod between clamps, rolled to the left: its size counts. By word, by material and by cable; without torsion there is none."""
        rod = {"radius": 0.001, "linear_density": 0.02, "bending_stiffness": 1e-4}
        scene = {**STILL, "method": "direct", "materials": {"rod": rod, "shaft": {**rod, "twisting_stiffness": 2e-4}},
                 "cables": [{"name": n, "material": m, "path": [[0, y, 0], [0.8, y, 0]], "segments": 16} for n, m, y in (("a", "shaft", 0), ("b", "rod", 1))],
                 "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": True},
                                 {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": -1.5}]}
        known = 2e-4 * 1.5 / 0.8
        report, _ = self.report(scene, "-o", "r.csv", "-o", "r.html")
        found = self.find(report, "torque", "a")
        self.assertAlmostEqual(found["value"], known, delta=1e-6 * known)  # computed in floats
        self.assertEqual((found["limit"], found["broken"]), (None, False))
        self.assertEqual(self.find(report, "torque", "b")["value"], 0)
        self.assertEqual((report["series"]["torque"][0], report["series"]["torque"][-1]), (0, found["value"]))
        header, *rows = (self.folder / "r.csv").read_text().splitlines()
        self.assertEqual(header.split(",")[-2:], ["speed", "torque"])
        self.assertEqual([float(row.split(",")[-1]) for row in rows[-2:]], [found["value"], 0])
        self.assertIn(f"{known:.4g} N m", (self.folder / "r.html").read_text())
        for words, limit, source in (((), 1e-3, "--limit torque"), (("--limits", '{"materials": {"shaft": {"max_torque": 3e-4}}}'), 3e-4, "--limits: /materials/shaft/max_torque"),
                                     (("--limits", '{"cables": {"a": {"max_torque": 5e-4}}}'), 5e-4, "--limits: /cables/a/max_torque")):
            report, result = self.report(scene, "--limit", "torque=1e-3", *words)
            found = self.find(report, "torque", "a")
            self.assertEqual((found["limit"], found["from"], found["broken"]), (limit, source, limit < known))
            self.assertAlmostEqual(found["use"], known / limit, delta=1e-6)
            self.assertEqual("the worst: torque of a" in result.stdout, limit < known)
        scene["attachments"].pop()
        report, _ = self.report(scene, "-o", "r.csv")
        self.assertEqual([f for f in report["findings"] if f["rule"] == "torque"], [])
        self.assertNotIn("torque", report["series"])
        self.assertNotIn("torque", (self.folder / "r.csv").read_text())

    def test_holds(self):
        """Force of a clip, a connector and an attachment: what hangs on each, less the half segment that is the hold's own."""
        scene = {**STILL, "gravity": [0, 0, -9.81], "time": {"duration": 1.5, "substeps": 40}, "method": "direct",
                 "cables": [{"name": n, "material": "wire", "path": [[x, 0, 2], [x, 0, 1]], "segments": 10}
                            for n, x in (("a", 0), ("b", 1), ("c", 2), ("d", 3))],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "d", "at": "start", "to": "here", "break_force": 5}],
                 "clips": [{"name": "F1", "cable": "b", "at": "start", "to": "here", "direction": [1, 0, 0], "grip": 100}],
                 "connectors": [{"name": "X1", "cable": "c", "at": "start", "to": "here", "direction": [0, 0, 1]}]}
        table = {"holds": {"F1": {"max_force": 0.3}}, "cables": {"b": {"max_clip_force": 9}, "c": {"max_connector_force": 0.8}},
                 "materials": {"wire": {"max_hold_force": 0.2, "max_connector_force": 9}}}
        self.write("limits.json", table)
        report, _ = self.report(scene, "--limits", "@limits.json", "--limit", "hold-force=7")
        weight = 0.05 * 9.81 * (1 - 0.5 / 10)
        wanted = {"a, attachment 0": (0.2, "/materials/wire/max_hold_force"), "d, attachment 1": (0.2, "/materials/wire/max_hold_force"),
                  "F1 (b)": (0.3, "/holds/F1/max_force"), "X1 (c)": (0.8, "/cables/c/max_connector_force")}
        for part, (limit, source) in wanted.items():
            found = self.find(report, "hold", part)
            self.assertEqual((found["limit"], found["from"]), (limit, f"limits.json: {source}"))
            self.assertEqual(found["broken"], limit < 0.4)
            self.assertGreater(found["value"], 0.99 * weight)
            self.assertLess(found["value"], 1.3 * weight)  # the worst frame swings a little
        words = ("--limit", "clip-force=1", "--limit", "connector-force=2", "--limit", "hold-force=3")
        report, _ = self.report(scene, *words)
        self.assertEqual([(self.find(report, "hold", p)["limit"], self.find(report, "hold", p)["from"]) for p in wanted],
                         [(3, "--limit hold-force"), (5, "/attachments/1/break_force"), (1, "--limit clip-force"),
                          (2, "--limit connector-force")])

    def test_what_names_nothing(self):
        scene = {**STILL, "cables": [bent("a", 0.05, parts=["P"], copies={"count": [2, 1, 1], "spacing": [1, 0, 0]})]}
        self.write("scene.json", scene)
        self.write("twice.json", {})
        (self.folder / "twice.json").write_text('{"parts": {"P": {}, "P": {}}}')
        (self.folder / "cut.json").write_text('{"parts": {"P":')
        good = {"parts": {"P": {"min_bend_radius": 1}}}
        run = ("scene.json", "-o", "r.json", "-o", "r.html", "-o", "r.csv", "--device", "native", "--limits")
        for table, text in ((json.dumps({**good, "cables": {"A": {}}}), "/cables/A: no cable of scene.json is called so"),
                            (json.dumps({"cables": {"a[2,0,0]": {}}}), "/cables/a[2,0,0]: no cable"),
                            (json.dumps({**good, "parts": {"P/1": {}}}), "/parts/P~11: no part of a cable of scene.json is called so"),
                            (json.dumps({"materials": {"wires": {}}}), "/materials/wires: no material of scene.json"),
                            (json.dumps({"holds": {"F1": {}}}), "/holds/F1: no clip or connector of scene.json"),
                            (json.dumps({"cable": {}}), '/cable: unknown key, the nearest known one is "cables"'),
                            (json.dumps({"parts": []}), "/parts: expected an object of limits by name"),
                            (json.dumps({"parts": {"P": 3}}), "/parts/P: expected an object"),
                            (json.dumps({"parts": {"P": {"min_bend_radiu": 3}}}), 'the nearest known one is "min_bend_radius"'),
                            (json.dumps({"parts": {"P": {"max_tension": -1}}}), "/parts/P/max_tension: expected a number from 0"),
                            (json.dumps({"parts": {"P": {"max_tension": "2 N"}}}), "/parts/P/max_tension: expected a number"),
                            ("limits.json", "expected @FILE or a table"), ("", "expected @FILE or a table"),
                            ("@none.json", "none.json: cannot read it: No such file"), ("@.", "cannot read it"),
                            ("@twice.json", "twice.json: line 1"), ("@cut.json", "cut.json: line 1, column")):
            self.assertIn(text, self.refused(*run, table), table)
        self.call(*run[:3], *run[7:], json.dumps(good))

    def test_parts_of_a_scene(self):
        """A list of names, none of them empty; nothing that is simulated depends on it, copies and sweeps have it, too."""
        for parts, text in (("P", "/cables/0/parts: expected an array of names"), ([3], "/cables/0/parts/0: expected the name of a part"),
                            (["P", ""], "/cables/0/parts/1: expected the name of a part")):
            self.write("scene.json", {**STILL, "cables": [bent("a", 0.05, parts=parts)]})
            self.assertIn(text, self.call("scene.json", command="check", expect=2).stderr)
        rows = []
        for parts in ({}, {"parts": ["P", "Q"]}):
            self.write("scene.json", {**STILL, "gravity": [0, 0, -9.81], "cables": [bent("a", 0.05, **parts)]})
            self.call("scene.json", "-o", "r.csv", "--device", "native", "-q", command="run")
            self.call("scene.json", "--vary", "/materials/wire/friction=0.1,0.2", "--device", "native", "-q", "-o", "s.csv", command="sweep")
            rows.append([(self.folder / name).read_bytes() for name in ("r.csv", "s.csv")])
        self.assertEqual(rows[0], rows[1])

    def test_parts_of_a_harness(self):
        """Wires have the number of their part, segments those of all wires in them: as the file's own lists say."""
        root = xml.etree.ElementTree.parse(SCENES / "loom.kbl").getroot()
        number = {p.get("id"): p.findtext("Part_number") for p in root.iter("General_wire")}
        wires = {w.get("id"): number[w.findtext("Part")] for w in root.iter("General_wire_occurrence") if w.find("Core_occurrence") is None}
        part = "W25"
        self.assertIn(part, wires.values())
        table = json.dumps({"parts": {part: {"max_tension": 1e-6}, "twisted pair": {"max_tension": 2e-6}}})
        self.call(SCENES / "loom.kbl", "-o", "r.json", "--device", "native", "--frames", "1", "--limits", table, "--set", "/kbl/as=wires")
        report = json.loads((self.folder / "r.json").read_text())
        limits = {f["cable"]: f["limit"] for f in report["findings"] if f["rule"] == "tension"}
        self.assertEqual({name: limits[name] for name in wires if wires[name] == part},
                         {name: 1e-6 for name in wires if wires[name] == part})
        self.assertEqual(sum(limit == 1e-6 for limit in limits.values()), list(wires.values()).count(part))
        self.assertEqual(sum(limit == 2e-6 for limit in limits.values()), 2)  # cores of a pair


class Verdicts(Case):
    """Nobody says that all limits are kept where something else is known, or nothing."""

    def verdict(self, scene, *words, expect=0, strict=3):
        report, result = self.report(scene, *words, expect=expect)
        for said in (report["said"], result.stdout):
            self.assertNotIn("all limits are kept", said)
        self.assertNotEqual(report["verdict"], "kept")
        if not expect:
            self.call("scene.json", "-o", "s.json", "--device", "native", "--strict", *words, expect=strict)
        return report

    def test_overlap_of_cables(self):
        """1 mm deep, too little for a warning of the run; with contact off, nobody pushes them apart."""
        scene = {**STILL, "contact": {"cables": False, "self": False}, "cables": [
            {"name": c, "material": "wire", "path": [[-0.3, y, 1], [0.3, y, 1]], "segments": 5} for c, y in (("a", 0), ("b", 0.003))]}
        report = self.verdict(scene)
        self.assertIn("the deepest overlap is 1 mm (a in b)", report["said"])
        self.call("scene.json", "-o", "r.html", "--device", "native")
        page = (self.folder / "r.html").read_text()
        self.assertIn(report["said"], page)
        self.assertNotIn("all limits are kept", page)
        report = self.verdict(scene, "--limit", "clearance-cable=0")
        self.assertEqual((report["verdict"], report["broken"]), ("broken", 2))

    def test_overlap_with_a_collider(self):
        scene = {**STILL, "colliders": [{"name": "ball", "shape": "sphere", "center": [0, 0, 0], "radius": 0.1}],
                 "cables": [{"name": "a", "material": "wire", "path": [[-0.2, 0, 0.1015], [0.2, 0, 0.1015]], "segments": 8}],
                 "attachments": [{"cable": "a", "at": at, "to": "here", "clamp": True} for at in ("start", "end")]}
        report = self.verdict(scene)
        self.assertIn("(a in ball)", report["said"])

    def test_the_run_judges_itself(self):
        """A weight that stretches the first two of a hundred segments by far, and so the whole by less than 0.5 %: told by the run alone."""
        scene = {**STILL, "gravity": [0, 0, -9.81], "method": "xpbd", "time": {"duration": 0.1, "substeps": 200},
                 "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [0, 0, 1]], "segments": 100}],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}], "loads": [{"cable": "a", "at": 0.02, "mass": 8}]}
        report = self.verdict(scene)
        self.assertEqual((report["errors"]["lengths"], report["broken"], report["verdict"]), (0, 0, "in doubt"))
        self.assertRegex(report["said"], r"errors of the simulation: stretch up to 0\.\d+ of its length, where 0\.1 is right")

    def test_a_run_that_diverges(self):
        """One that ends early has not shown that what comes after is right."""
        scene = {**STILL, "gravity": [0, 0, -9.81], "method": "springs", "time": {"duration": 1, "substeps": 1},
                 "materials": {"wire": {**WIRE, "stretching_stiffness": 1e6}},
                 "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [1, 0, 2]], "segments": 100, "length": 1.01}],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}]}
        report = self.verdict(scene, expect=1)
        self.assertEqual(report["status"], "diverged")
        self.assertIn("the run ended early (diverged)", report["said"])

    def test_forces_that_are_not_measured(self):
        """In the ways of whole frames nobody knows what holds bear: a limit of them is not kept for that."""
        scene = {**STILL, "gravity": [0, 0, -9.81], "method": {"name": "direct", "way": "lanes"},
                 "contact": {"cables": False, "self": False}, "time": {"duration": 0.5, "substeps": 20},
                 "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [0, 0, 1]], "segments": 10}],
                 "attachments": [{"cable": "a", "at": "start", "to": "here"}]}
        report = self.verdict(scene, "--limit", "hold-force=0.2")
        self.assertEqual(report["verdict"], "in doubt")
        self.assertIn("no limit is broken, but 1 limit of holds is not judged", report["said"])
        self.assertFalse([f for f in report["findings"] if f["rule"] == "hold"])
        report, result = self.report(scene)
        self.assertEqual((report["verdict"], report["said"]), ("kept", "all limits are kept"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
