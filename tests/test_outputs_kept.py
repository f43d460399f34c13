"""Files of `-o` when something comes between: a full disk or device, no folder, Ctrl-C, a run that diverges.

    test_outputs_kept.py PROGRAM PYTHON
"""
import json
import resource
import signal
import subprocess
import sys
import time
import unittest

from outputs import FRAMES, PROGRAM, SCENE, Case, np, run
from pxr import Usd
from vtkmodules.vtkIOHDF import vtkHDFReader

ANIMATIONS = ["run.vtkhdf", "run.usda", "run.npz", "run.obj"]


class BadDays(Case):
    def test_full_disk_keeps_the_old_file(self):
        """No file may be longer than so much: met while frames come, and at the end."""
        scratch = (FRAMES + 1) * 55 * 9 * 4  # bytes of all frames: nine floats a node
        for name in ANIMATIONS:
            for limit in (100, scratch // 2, scratch + 1000)[:1 if name == "run.obj" else 3]:
                (self.folder / name).write_text("old")
                result = run(self.folder, SCENE, "-o", name, expect=1,
                             prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertRegex(result.stderr, rf"\Aclcable: {name}: [^\n]+\n\Z")
                self.assertIn("File too large", result.stderr)
                self.assertEqual((self.folder / name).read_text(), "old")
                self.assertEqual(self.files(), [name, "scene.json"])
                (self.folder / name).unlink()

    def test_full_device(self):
        for name in ANIMATIONS:
            (self.folder / name).symlink_to("/dev/full")
            result = run(self.folder, SCENE, "-o", name, expect=1)
            self.assertRegex(result.stderr, rf"\Aclcable: {name}: [^\n]+\n\Z")
            self.assertEqual(self.files(), [name, "scene.json"])
            (self.folder / name).unlink()

    def test_missing_folder(self):
        for name in ANIMATIONS:
            self.assertIn("No such file", run(self.folder, SCENE, "-o", f"no/{name}", expect=1).stderr)

    def test_interrupted(self):
        scene = {**SCENE, "time": {"duration": 1e6, "frame_rate": 50, "substeps": 10}}
        (self.folder / "scene.json").write_text(json.dumps(scene))
        process = subprocess.Popen([PROGRAM, "run", "scene.json", "--device", "native", "--threads", "1", "--quiet",
                                    *self.outputs(*ANIMATIONS)], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        self.assertFalse({*ANIMATIONS} & {*self.files()})  # no name before the end
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(self.files(), sorted([*ANIMATIONS, "scene.json"]))
        frames = len(np.load(self.folder / "run.npz")["times"])
        self.assertGreater(frames, 1)
        reader = vtkHDFReader()
        reader.SetFileName(str(self.folder / "run.vtkhdf"))
        reader.UpdateInformation()
        self.assertEqual(reader.GetNumberOfSteps(), frames)
        self.assertEqual(Usd.Stage.Open(str(self.folder / "run.usda")).GetEndTimeCode(), frames - 1)

    def test_diverged_is_kept(self):
        scene = {**SCENE, "loads": [{"cable": "a[0,1,0]", "at": "end", "force": [0, 0, 1e9]}]}
        run(self.folder, scene, *self.outputs("a.npz", "a.usda", "a.vtkhdf"), expect=1)
        self.assertEqual(len(np.load(self.folder / "a.npz")["times"]), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
