"""What the tests of `clcable report` share: running it in a folder of its own, and finding what it found."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest


class Case(unittest.TestCase):
    program = None  # set by the test

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-report-"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def call(self, *words, expect=0, command="report"):
        result = subprocess.run([self.program, command, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                                timeout=600)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout}{result.stderr}")
        if "Sanitizer" in result.stderr or "runtime error" in result.stderr:
            self.fail(result.stderr)
        return result

    def refused(self, *words, expect=2):
        """One line on stderr, nothing written; the line."""
        before = sorted(self.folder.iterdir())
        result = self.call(*words, expect=expect)
        self.assertRegex(result.stderr, r"\A(clcable: [^\n]+\n)\Z")
        self.assertEqual(result.stdout, "")
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return result.stderr

    def write(self, name, document):
        (self.folder / name).write_text(json.dumps(document))
        return name

    def report(self, scene, *words, expect=0, out="r.json"):
        """The report's data and the process that wrote it."""
        self.write("scene.json", scene)
        result = self.call("scene.json", "-o", out, "--device", "native", *words, expect=expect)
        return json.loads((self.folder / out).read_text()), result

    def find(self, report, rule, part):
        found = [f for f in report["findings"] if f["rule"] == rule and f["part"] == part]
        self.assertEqual(len(found), 1, (rule, part))
        return found[0]
