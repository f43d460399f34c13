"""Outputs never destroy inputs; pipes and devices never hang a run that is told to end; what killed runs left is removed.

    test_inputs_kept.py PROGRAM
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SCENE = {
    "clcable": 1, "time": {"duration": 0.1, "substeps": 5},
    "materials": {"w": {"radius": 0.005, "linear_density": 0.1}},
    "cables": [{"name": "a", "material": "w", "path": [[0, 0, 3], [1, 0, 3]], "segments": 8}],
    "colliders": [{"shape": "mesh", "file": "mesh.obj"}],
}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clcable-inputs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "scene.json").write_text(json.dumps(SCENE))
        (self.folder / "mesh.obj").write_text(TETRAHEDRON)

    def words(self, *more, scene="scene.json"):
        return [PROGRAM, "run", scene, "--device", "native", "--threads", "1", "--quiet", *more]

    def run_it(self, *more, expect=0, scene="scene.json", **options):
        done = subprocess.run(self.words(*more, scene=scene), cwd=self.folder, capture_output=True, text=True, timeout=120, **options)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stderr

    def start(self, *more, **options):
        process = subprocess.Popen(self.words(*more, **options), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process


class Inputs(Case):
    def refused(self, *words, part, **more):
        before = {p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}
        said = self.run_it(*words, expect=2, **more)
        self.assertIn(part, said)
        self.assertEqual(len(said.splitlines()), 1)
        self.assertEqual({p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}, before)

    def test_inputs_are_refused_by_any_name(self):
        os.link(self.folder / "scene.json", self.folder / "hard.csv")
        os.symlink("mesh.obj", self.folder / "soft.npz")
        for words in (["--report", "scene.json"], ["-o", "hard.csv"], ["-o", "mesh.obj"], ["-o", "./../" + self.folder.name + "/mesh.obj"],
                      ["-o", "soft.npz"], ["--checkpoint", "scene.json"], ["--report", "mesh.obj"]):
            with self.subTest(words):
                self.refused(*words, part="it has been read from")

    def test_nothing_is_written_twice(self):
        self.refused("-o", "a.csv", "-o", "./a.csv", part="written twice")
        self.refused("-o", "a.csv", "--report", "a.csv", part="written twice")
        self.refused("--checkpoint", "b", "--report", "b", part="written twice")
        (self.folder / "c.csv").write_text("old")
        os.link(self.folder / "c.csv", self.folder / "d.csv")
        self.refused("-o", "c.csv", "-o", "d.csv", part="written twice")
        self.run_it("-o", "e.csv", "-o", "e.npz")

    def test_a_state_is_kept(self):
        self.run_it("--checkpoint", "state", "--frames", "2")
        self.refused("--resume", "state", "--report", "state", part="state to go on from")
        self.run_it("--resume", "state", "--checkpoint", "state")  # the next one of the same run

    def test_convert(self):
        done = subprocess.run([PROGRAM, "convert", "scene.json", "-o", "scene.json"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(json.loads((self.folder / "scene.json").read_text()), SCENE)


class Pipes(Case):
    def ends(self, process, number=signal.SIGTERM):
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(number)
        self.assertNotEqual(process.wait(30), 0)

    def test_a_scene_that_nobody_writes(self):
        os.mkfifo(self.folder / "pipe.json")
        self.ends(self.start(scene="pipe.json"))

    def test_a_scene_that_comes_late(self):
        os.mkfifo(self.folder / "pipe.json")
        process = self.start("-o", "out.csv", scene="pipe.json")
        time.sleep(0.3)
        with open(self.folder / "pipe.json", "w") as pipe:
            text = json.dumps(SCENE)
            pipe.write(text[:50])
            pipe.flush()
            time.sleep(0.3)
            pipe.write(text[50:])
        self.assertEqual(process.wait(60), 0, process.stderr.read())
        self.assertTrue((self.folder / "out.csv").exists())

    def test_a_scene_that_stops(self):
        os.mkfifo(self.folder / "pipe.json")
        process = self.start(scene="pipe.json")
        with open(self.folder / "pipe.json", "w") as pipe:
            pipe.write("{")
            pipe.flush()
            self.ends(process)

    def test_a_mesh_that_nobody_writes(self):
        (self.folder / "mesh.obj").unlink()
        os.mkfifo(self.folder / "mesh.obj")
        self.ends(self.start())

    def test_an_output_that_nobody_reads(self):
        os.mkfifo(self.folder / "pipe.csv")
        self.ends(self.start("-o", "pipe.csv"))

    def start_stalled(self, name):
        """A run that waits for the reader of its output, which takes nothing."""
        cable = {**SCENE["cables"][0], "path": [[0, 0, 3], [100, 0, 3]], "segments": 2000}  # more than a pipe takes at once
        (self.folder / "long.json").write_text(json.dumps({**SCENE, "cables": [cable]}))
        os.mkfifo(self.folder / name)
        reader = os.open(self.folder / name, os.O_RDONLY | os.O_NONBLOCK)
        process = self.start("-o", name, "-o", "out.npz", scene="long.json")
        time.sleep(1)
        return process, reader

    def test_an_output_whose_reader_stalls(self):
        for name in ("pipe.csv", "pipe.vtp"):
            process, reader = self.start_stalled(name)
            self.ends(process)
            os.close(reader)
            self.assertEqual([*self.folder.glob("*.part-*")], [])

    def test_an_output_whose_reader_leaves(self):
        process, reader = self.start_stalled("pipe.csv")
        self.assertIsNone(process.poll())
        os.close(reader)
        self.assertEqual(process.wait(30), 1)
        self.assertIn("pipe.csv: cannot write it: Broken pipe", process.stderr.read())
        self.assertEqual([*self.folder.glob("*.part-*")], [])

    def test_an_output_that_is_read(self):
        os.mkfifo(self.folder / "pipe.csv")
        read = []

        def reader():  # the first time it is asked whether it can be written
            while not read or not read[-1]:
                with open(self.folder / "pipe.csv") as pipe:
                    read.append(pipe.read())
        thread = threading.Thread(target=reader, daemon=True)
        thread.start()
        self.run_it("-o", "pipe.csv")
        thread.join(30)
        self.assertTrue(read and read[-1].startswith("cable,particle"))

    def test_a_state_that_is_a_pipe(self):
        os.mkfifo(self.folder / "state")
        self.assertIn("state: cannot read it", self.run_it("--resume", "state", expect=2))

    def test_tuned_ways_that_are_a_pipe(self):
        cache = self.folder / "cache"
        cache.mkdir()
        os.mkfifo(cache / "ways.json")
        environment = {**os.environ, "CLCABLE_CACHE_DIR": str(cache)}
        environment.pop("CLCABLE_IGNORE_TUNING", None)
        self.run_it(env=environment)


class Signals(Case):
    def long_run(self, *more):
        # without weight: what falls for 100 s diverges, by its speed, and ends by itself
        process = self.start("--duration", "100000", "--set", "/gravity=[0, 0, 0]", *more)
        for _ in range(600):
            if list(self.folder.glob("*.part-*")):
                break
            time.sleep(0.05)
        time.sleep(0.3)
        return process

    def test_a_terminal_that_goes(self):
        codes = []
        for number in (signal.SIGINT, signal.SIGHUP):
            process = self.long_run("-o", f"out-{number}.npz")
            process.send_signal(number)
            codes.append(process.wait(60))
            self.assertTrue((self.folder / f"out-{number}.npz").exists())
        self.assertEqual(codes, [130, 130])

    def test_what_a_kill_left_goes(self):
        process = self.long_run("-o", "out.npz", "-o", "run.pvd")
        process.kill()
        process.wait()
        self.assertTrue(list(self.folder.glob("out.npz.part-*")))
        self.assertTrue(list(self.folder.glob("run*.part-*")))
        others = [f"out.npz.part-{os.getpid()}-0", "out.npz.part-x", "other.npz.part-999999999-0", "out.npz.part-1-2-3"]
        for name in others:
            (self.folder / name).write_text("")
        self.run_it("-o", "out.npz", "-o", "run.pvd")
        self.assertEqual(sorted(p.name for p in self.folder.glob("*.part-*")), sorted(others))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
