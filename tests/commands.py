"""What tests of the command line share: a folder of their own, scenes in it, and commands that end as they must."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest


class Case(unittest.TestCase):
    program = None  # set by the test
    timeout = 280  # s, of a command

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-test-"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, scene):
        (self.folder / name).write_text(json.dumps(scene))
        return name

    def call(self, *words, expect=0):
        """The process, ended with this code; with 2 it has said one line and nothing else."""
        result = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                                timeout=self.timeout)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout}{result.stderr}")
        if expect == 2:
            self.assertEqual(result.stdout, "")
            self.assertRegex(result.stderr, r"\Aclcable: [^\n]+\n\Z")
        if "Sanitizer" in result.stderr or "runtime error" in result.stderr:
            self.fail(result.stderr)
        return result
