"""`clcable run --probes`: the table, that it changes nothing else, going on from a state, what is refused.

usage: test_probes.py PROGRAM
"""
import csv
import json
import math
import os
import signal
import subprocess
import sys
import unittest

import tables
from tables import PROGRAM

FRAMES, COPIES = 18, 2
SCENE = {
    "clcable": 1, "time": {"duration": FRAMES / 60, "substeps": 10},
    "materials": {"w": {"radius": 0.004, "linear_density": 0.1, "bending_stiffness": 1e-3}},
    "cables": [{"name": "a", "material": "w", "path": [[0, 0, 1], [1, 0, 1]], "segments": 8},
               {"name": "b", "material": "w", "path": [[0, 1, 1], [1, 1, 1]], "segments": 8,
                "copies": {"count": [1, COPIES, 1], "spacing": [0, 1, 0]}}],
    "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": True}, {"cable": "a", "at": 0.57, "to": "here"},
                    {"cable": "b", "at": "start", "to": {"keyframes": [[0, 0, 1, 1], [0.2, 0.1, 1, 1.1]]}}],
    "colliders": [{"shape": "plane", "point": [0, 0, 0.9], "normal": [0, 0, 1]}],
}
PROBES = [{"name": "root", "cable": "a", "at": "start"}, {"name": "over, there", "cable": "a", "at": 0.3},
          {"name": "b", "cable": "b", "at": {"particle": 3}}]
HEADER = ["t", "probe", "x", "y", "z", "tension", "moment", "torque"]
NAMES = ["root", "over, there", "b[0,0,0]", "b[0,1,0]"]


class Case(tables.Case):
    option, scene, without, names = "probes", {**SCENE, "probes": PROBES}, SCENE, NAMES


class Table(Case):
    def test_rows(self):
        """Times, names and order; a probe at a particle is that row of the last frame."""
        said = self.call("run", "scene.json", "--probes", "p.csv", "-o", "last.csv").stdout
        self.assertIn("p.csv", said)
        with open(self.folder / "p.csv", newline="") as file:
            header, *rows = csv.reader(file)
        self.assertEqual(header, HEADER)
        self.assertEqual(len(rows), (FRAMES + 1) * len(NAMES))
        for i, row in enumerate(rows):
            self.assertEqual(row[0], "%.9g" % (i // len(NAMES) / 60))
            self.assertEqual(row[1], NAMES[i % len(NAMES)])
        with open(self.folder / "last.csv", newline="") as file:
            last = {(row["cable"], int(row["particle"])): row for row in csv.DictReader(file)}
        for name in NAMES[2:]:
            row = rows[-len(NAMES) + NAMES.index(name)]
            at = last[name, 3]
            self.assertEqual(row[2:6], [at["x"], at["y"], at["z"], at["tension"]])
            self.assertGreater(float(row[6]), 0)

    def test_nothing_else_changes(self):
        outputs = ["last.csv", "all.pvd", "all.obj", "all.usda", "state"]

        def written(scene, *more):
            words = [word for name in outputs[:-1] for word in ("-o", name)]
            self.call("run", scene, *words, "--checkpoint", "state", *more)
            frames = sorted(p.name for p in self.folder.glob("all_*.vtp"))
            return {name: self.read(name) for name in [*outputs, *frames]}

        plain = written("without.json")
        self.assertEqual(len(plain), len(outputs) + FRAMES + 1)
        self.assertEqual(written("scene.json", "--probes", "p.csv"), plain)
        self.assertEqual(written("scene.json"), plain)

    def test_devices_and_methods(self):
        devices = json.loads(subprocess.run([PROGRAM, "devices", "--json"], capture_output=True, text=True).stdout)
        pocl = [d["id"] for d in devices if "Portable Computing Language" in d["platform"]]
        for method in ("xpbd", "direct"):
            self.call("run", "scene.json", "--method", method, "--probes", "n.csv")
            for device in pocl[:1]:
                words = [PROGRAM, "run", "scene.json", "--method", method, "--probes", "o.csv", "--device", device, "-q"]
                subprocess.run(words, cwd=self.folder, check=True, timeout=120)
                self.assertEqual(self.read("o.csv"), self.read("n.csv"))


class Report(Case):
    def test_extremes_are_those_of_the_table(self):
        """The report's JSON and its page against the rows of a run; a name stands as text in the page."""
        name = '<b>&"'
        (self.folder / "scene.json").write_text(json.dumps({**SCENE, "probes": [*PROBES, {"name": name, "cable": "a", "at": 0.9}]}))
        self.call("run", "scene.json", "--probes", "p.csv")
        self.call("report", "scene.json", "-o", "r.json", "-o", "r.html")
        with open(self.folder / "p.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        told = json.loads(self.read("r.json"))["probes"]
        self.assertEqual([probe["probe"] for probe in told], [*NAMES, name])
        for probe in told:
            own = [row for row in rows if row["probe"] == probe["probe"]]
            far = [math.dist(*([float(row[k]) for k in "xyz"] for row in (own[0], now))) for now in own]
            self.assertAlmostEqual(probe["farthest"]["value"], max(far), delta=1e-8)
            for key in ("tension", "moment", "torque"):
                values = [float(row[key]) for row in own]
                self.assertEqual(probe[key]["series"], values)
                for word, value in (("least", min(values)), ("largest", max(values))):
                    frame = values.index(value)
                    self.assertEqual(probe[key][word], {"value": value, "frame": frame, "time": float(own[frame]["t"]),
                                                        "place": [float(own[frame][k]) for k in "xyz"]})
        page = self.read("r.html").decode()
        self.assertNotIn(name, page)
        self.assertEqual(page.count("&lt;b&gt;&amp;&quot;: "), 4)  # a title and a line for each of two curves; one that is 0 all the time is left out
        self.assertIn(f'{max(float(row["moment"]) for row in rows if row["probe"] == "root"):.4g} N m', page)

    def test_none(self):
        self.call("report", "without.json", "-o", "r.json")
        self.assertEqual(json.loads(self.read("r.json"))["probes"], [])


class Resume(Case):
    def test_it_goes_on(self):
        self.goes_on()

    def test_killed(self):
        """A run that is killed leaves no table; what it leaves beside one is gone after the next."""
        self.call("run", "scene.json", "--probes", "whole.csv", "--frames", "300")
        process = subprocess.Popen(self.words("run", "scene.json", "--probes", "p.csv", "--checkpoint", "s", "--checkpoint-every",
                                              "1", "--frames", "100000", "-q"), cwd=self.folder)
        while not (self.folder / "s").exists() and process.poll() is None:
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertFalse((self.folder / "p.csv").exists())
        self.assertEqual(len(list(self.folder.glob("p.csv.part-*"))), 1)
        self.call("run", "scene.json", "--resume", "s", "--probes", "p.csv", "--report", "r.json", "--frames", "300")
        self.assertEqual(list(self.folder.glob("p.csv.part-*")), [])
        first = json.loads(self.read("r.json"))["resumed_at"]
        whole = self.read("whole.csv").splitlines(keepends=True)
        if first < 300: # else a busy machine came too late
            self.assertEqual(self.read("p.csv"), b"".join(whole[:1] + whole[1 + first * len(NAMES):]))


class Mistakes(Case):
    def test_outputs(self):
        self.call("run", "scene.json", "--checkpoint", "s", "--frames", "2")
        os.symlink("scene.json", self.folder / "link.csv")
        self.refused("it has been read from", "scene.json", "--probes", "link.csv")
        self.refused("written twice", "scene.json", "--probes", "p.csv", "-o", "./p.csv")
        self.refused("written twice", "scene.json", "--probes", "p.csv", "--report", "p.csv")
        self.refused("state to go on from", "scene.json", "--probes", "s", "--resume", "s")
        self.refused("p.txt: probes are written as .csv", "scene.json", "--probes", "p.txt")
        self.refused("without.json: /probes: expected at least one", "without.json", "--probes", "p.csv")
        said = self.call("run", "scene.json", "--probes", "no/p.csv", expect=1).stderr
        self.assertIn("no/p.csv: cannot write it", said)

    def test_scenes(self):
        for value, part in ((5, "/probes: expected an array"), ([{"cable": "a", "at": 0}], "/probes/0/name: expected a name"),
                            ([{"name": "p", "cable": "c", "at": 0}], '/probes/0/cable: no cable is called "c"'),
                            ([{"name": "p", "cable": "a"}], "/probes/0/at: expected"),
                            ([{"name": "p", "cable": "a", "at": 1.2}], "/probes/0/at: expected"),
                            ([{"name": "p", "cable": "a", "at": {"particle": 9}}], "/probes/0/at/particle: expected an integer from 0 to 8"),
                            ([{"name": "p", "sheet": "a", "at": 0}], '/probes/0/sheet: unknown key'),
                            ([PROBES[0], PROBES[0]], '/probes/1/name: expected a unique name, "root" is taken by /probes/0')):
            with self.subTest(value):
                (self.folder / "bad.json").write_text(json.dumps({**SCENE, "probes": value}))
                self.refused(part, "bad.json", "--probes", "p.csv")
                self.assertIn(part, self.call("check", "bad.json", expect=2).stderr)

    def call(self, command, *words, expect=0):
        if command == "check":
            done = subprocess.run([PROGRAM, command, *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, expect, done.stderr)
            return done
        return super().call(command, *words, expect=expect)


class Changes(Case):
    def test_set_and_sweep(self):
        """--set moves a probe, and adds one to a scene without; a sweep with probes is one without."""
        self.call("run", "scene.json", "--probes", "p.csv", "--frames", "2", "--set", "/probes/0/at=0.3")
        rows = self.read("p.csv").decode().splitlines()
        self.assertEqual(rows[1].split(",", 2)[2], rows[2].rsplit('",', 1)[1])
        self.call("run", "without.json", "--probes", "q.csv", "--frames", "2", "--set",
                  '/probes=[{"name": "over, there", "cable": "a", "at": 0.3}]')
        self.assertEqual(self.read("q.csv").decode().splitlines()[1:], rows[2::len(NAMES)])
        for scene in ("scene", "without"):
            self.call("sweep", f"{scene}.json", "--vary", "/materials/w/friction=0.1,0.5", "--frames", "3", "-o", f"{scene}.csv")
        self.assertEqual(self.read("scene.csv"), self.read("without.csv"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
