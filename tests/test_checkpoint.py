"""Checkpoints from the outside: runs that are killed at any moment and resumed end as those that were not.

usage: test_checkpoint.py PROGRAM SCENES
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()
KILLS = 6  # of a run, at moments by chance; test_kills.py has more

# Cables fall on a floor and on each other; the hanging one is torn off by its weight, moved before.
BREAKING = {
    "clcable": 1,
    "time": {"duration": 1.0, "frame_rate": 60, "substeps": 32},
    "materials": {"wire": {"radius": 0.005, "linear_density": 0.05, "bending_stiffness": 1e-4, "friction": 0.4}},
    "cables": [
        {"name": "a", "material": "wire", "path": [[0, 0, 0.1], [0.3, 0, 0.1]], "segments": 15,
         "copies": {"count": [1, 4, 1], "spacing": [0, 0.02, 0]}},
        {"name": "b", "material": "wire", "path": [[0.1, -0.1, 0.2], [0.1, 0.2, 0.2]], "segments": 15},
        {"name": "c", "material": "wire", "path": [[0.1, 0.2, 0.2], [0.1, 0.4, 0.2]], "segments": 10},
    ],
    "attachments": [
        {"cable": "b", "at": "start", "break_force": 0.2,
         "to": {"keyframes": [[0, 0.1, -0.1, 0.2], [1, 0.1, -0.1, 0.4]]}},
        {"cable": "c", "at": "start", "to": {"cable": "b", "at": "end"}, "break_force": 0.1},
    ],
    "loads": [{"cable": "c", "at": "end", "mass": 0.02}],
    "colliders": [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "friction": 0.5}],
}

# Cables by themselves: every way can be had.
ALONE = {
    "clcable": 1,
    "time": {"duration": 1.0, "frame_rate": 60, "substeps": 32},
    "materials": {"wire": {"radius": 0.003, "linear_density": 0.05, "bending_stiffness": 1e-4}},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.5, 0, 1.1]], "segments": 24,
                "copies": {"count": [1, 200, 1], "spacing": [0, 0.1, 0]}}],
    "attachments": [{"cable": "a", "at": "start", "to": {"keyframes": [[0, 0, 0, 1], [0.7, 0.1, 0.2, 1.1]]}}],
    "contact": {"cables": False, "self": False},
}

class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-state-"))
        (self.folder / "breaking.json").write_text(json.dumps(BREAKING))
        (self.folder / "alone.json").write_text(json.dumps(ALONE))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def call(self, *words, expect=0):
        result = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                                timeout=280)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout}{result.stderr}")
        if expect == 2:
            self.assertEqual(result.stdout, "")
            self.assertRegex(result.stderr, r"\Aclcable: [^\n]+\n\Z")
        return result

    def run_whole(self, scene, *words):
        """The uninterrupted run's last frame, its broken attachments, and how long it took, s."""
        begun = time.monotonic()
        self.call("run", scene, "-o", "whole.csv", "--report", "whole.json", "--quiet", *words)
        report = json.loads((self.folder / "whole.json").read_text())
        return (self.folder / "whole.csv").read_bytes(), report, time.monotonic() - begun

    def killed_now_and_then(self, scene, chance, *words):
        """The same in pieces, each killed at some moment; how many of these had saved something new."""
        whole, report, lasts = self.run_whole(scene, *words)
        state, used = self.folder / "run.state", 0
        command = [PROGRAM, "run", scene, "-o", "part.csv", "--report", "part.json", "--quiet", "--checkpoint",
                   "run.state", "--checkpoint-every", "1", *words]
        for _ in range(KILLS):
            before = state.read_bytes() if state.exists() else None
            resume = ["--resume", "run.state"] if before else []
            process = subprocess.Popen(command + resume, cwd=self.folder, stderr=subprocess.PIPE, text=True)
            time.sleep(lasts * chance.uniform(0.05, 0.8))
            process.send_signal(signal.SIGKILL)
            said = process.communicate()[1]
            self.assertIn(process.returncode, (0, -signal.SIGKILL), said)
            used += state.exists() and state.read_bytes() != before
            if process.returncode == 0:
                break
        if not state.exists():
            self.call(*command[1:])
        self.call(*command[1:], "--resume", "run.state")
        self.assertEqual((self.folder / "part.csv").read_bytes(), whole)
        last = json.loads((self.folder / "part.json").read_text())
        for key in ("frames", "simulated_s", "stretch", "penetration", "energy", "speed_max", "contacts",
                    "broken_attachments", "way", "status"):
            self.assertEqual(last[key], report[key], key)
        state.unlink()
        return used


class Kill(Case):
    def test_opencl(self):
        devices = json.loads(self.call("devices", "--json").stdout)
        if not any(device["backend"] == "opencl" for device in devices):
            self.skipTest("no OpenCL device")
        chance = random.Random(3)
        for method in ("xpbd", "direct"):
            self.killed_now_and_then("breaking.json", chance, "--device", "opencl", "--method", method)
            report = json.loads((self.folder / "part.json").read_text())
            self.assertEqual(len(report["broken_attachments"]), 2)
            self.assertGreater(report["contacts"]["max"], 0)


class Resume(Case):
    def test_devices_take_turns(self):
        devices = json.loads(self.call("devices", "--json").stdout)
        pocl = [device["id"] for device in devices if "Portable Computing Language" in device["platform"]]
        if not pocl:
            self.skipTest("no PoCL")
        whole, _, _ = self.run_whole("breaking.json", "--device", "native")
        words = ("run", "breaking.json", "--checkpoint", "a.state", "-o", "a.csv")
        self.call(*words, "--device", "native", "--frames", "23")
        self.call(*words, "--device", pocl[0], "--resume", "a.state", "--frames", "41")
        self.call(*words, "--device", "native", "--resume", "a.state")
        self.assertEqual((self.folder / "a.csv").read_bytes(), whole)

    def test_settling_is_counted_on(self):
        words = ("--device", "native", "--release", "--duration", "3", "--set", "/materials/wire/damping=20")
        whole, report, _ = self.run_whole("breaking.json", *words)
        self.assertLess(report["frames"], 180)
        self.call("run", "breaking.json", *words[:2], *words[5:], "--frames", report["frames"] - 3, "--checkpoint",
                  "a.state")
        self.call("run", "breaking.json", *words, "--resume", "a.state", "-o", "a.csv", "--report", "a.json")
        self.assertEqual((self.folder / "a.csv").read_bytes(), whole)
        again = json.loads((self.folder / "a.json").read_text())
        self.assertEqual(again["frames"], report["frames"])
        self.assertEqual(again["resumed_at"], report["frames"] - 3)

    def test_a_run_that_is_done_does_nothing(self):
        words = ("run", "alone.json", "--device", "native", "--frames", "5", "--checkpoint", "a.state", "-o", "a.csv")
        self.call(*words)
        first = (self.folder / "a.csv").read_bytes()
        self.call(*words, "--resume", "a.state")
        self.assertEqual((self.folder / "a.csv").read_bytes(), first)

    def test_animation_goes_on(self):
        words = ("run", "alone.json", "--device", "native", "--checkpoint", "a.state", "-o", "a.pvd")
        self.call(*words, "--frames", "2")
        begun = (self.folder / "a_0001.vtp").read_bytes()
        self.call(*words, "--frames", "4", "--resume", "a.state")
        listed = (self.folder / "a.pvd").read_text()
        self.assertNotIn("a_0001.vtp", listed)
        for frame in (2, 3, 4):
            self.assertIn(f'timestep="{frame / 60:.12g}" group="" part="0" file="a_{frame:04d}.vtp"', listed)
        self.assertEqual((self.folder / "a_0001.vtp").read_bytes(), begun)

    def test_interrupted_runs_can_go_on(self):
        whole, _, _ = self.run_whole("breaking.json", "--device", "native")
        words = ["run", "breaking.json", "--device", "native", "--checkpoint", "a.state", "-o", "a.csv"]
        process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate()
        if process.returncode == 130:  # else it was too early, or too late
            self.call(*words, "--resume", "a.state")
            self.assertEqual((self.folder / "a.csv").read_bytes(), whole)


class Refuse(Case):
    def refused(self, text, *words):
        said = self.call("run", "alone.json", "--device", "native", "--report", "r.json", *words, expect=2).stderr
        self.assertIn(text, said)
        self.assertFalse((self.folder / "r.json").exists())

    def test_bad_states(self):
        self.call("run", "alone.json", "--device", "native", "--frames", "2", "--checkpoint", "a.state")
        whole = (self.folder / "a.state").read_bytes()
        self.refused("a.state: it is the state of another scene", "--resume", "a.state", "--substeps", "33")
        self.refused("no.state: cannot read it", "--resume", "no.state")
        self.refused('saved in the way "fused"', "--resume", "a.state", "--set", '/method={"name":"xpbd","way":"lanes"}')
        for name, content, text in (("cut", whole[:-1], "not whole"), ("empty", b"", "expected a state file"),
                                    ("json", b"{}" * 100, "expected a state file"),
                                    ("bit", whole[:99] + bytes([whole[99] ^ 4]) + whole[100:], "damaged"),
                                    ("new", whole[:12] + bytes([whole[12] + 1]) + whole[13:], "version"),
                                    ("swapped", whole[:8] + whole[8:12][::-1] + whole[12:], "byte order")):
            (self.folder / name).write_bytes(content)
            self.refused(f"{name}: ", "--resume", name)
            self.refused(text, "--resume", name)
        self.call("run", "alone.json", "--device", "native", "--frames", "3", "--resume", "a.state")

    def test_usage(self):
        self.refused("--checkpoint-every expects --checkpoint", "--checkpoint-every", "5")
        self.refused("an integer from 1", "--checkpoint", "a.state", "--checkpoint-every", "0")
        said = self.call("run", "alone.json", "--checkpoint", "no/a.state", expect=1).stderr
        self.assertIn("no/a.state: cannot write it", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
