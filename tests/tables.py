"""What tests of a table that a run writes share: `--probes`, `--bodies`."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])


class Case(unittest.TestCase):
    """In a folder of its own with two scenes: one whose table has rows for `names`, by `--option`, and one without such a table."""
    option = ""
    scene, without = {}, {}
    names = []

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix=f"clcable-{self.option}-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "without.json").write_text(json.dumps(self.without))
        (self.folder / "scene.json").write_text(json.dumps(self.scene))

    def words(self, command, *more, device="native"):
        return [PROGRAM, command, *more, "--device", device, "--threads", "1"]

    def call(self, command, *words, device="native", expect=0):
        done = subprocess.run(self.words(command, *words, device=device), cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def read(self, name):
        return (self.folder / name).read_bytes()

    def refused(self, part, *words):
        before = {p.name: p.read_bytes() for p in self.folder.iterdir()}
        said = self.call("run", *words, expect=2).stderr
        self.assertIn(part, said)
        self.assertEqual(len(said.splitlines()), 1, said)
        self.assertEqual({p.name: p.read_bytes() for p in self.folder.iterdir()}, before)

    def goes_on(self):
        """From a state: the header, and the whole run's rows from the state's frame on, byte for byte."""
        option, rows = "--" + self.option, len(self.names)
        self.call("run", "scene.json", option, "whole.csv")
        self.call("run", "scene.json", option, "part.csv", "--checkpoint", "s", "--frames", "7")
        whole = self.read("whole.csv").splitlines(keepends=True)
        self.assertEqual(self.read("part.csv"), b"".join(whole[:1 + 8 * rows]))
        self.call("run", "scene.json", option, "part.csv", "--resume", "s")
        self.assertEqual(self.read("part.csv"), b"".join(whole[:1] + whole[1 + 7 * rows:]))
