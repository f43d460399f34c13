"""`clcable run` on several devices and, under mpirun, by several processes: the same bytes as on one.

    test_together.py PROGRAM SCENES
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import commands

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()
NATIVE = ("--device", "native", "--threads", "1")
LIMIT = 300  # s, for what takes a second or two
LONG = 400 if os.environ.get("CLCABLE_SANITIZED") else 4000  # frames: two seconds or so
HANG = (SCENES / "hang.json", "--set", "/cables/0/copies/count=[15,7,1]", "--method", "direct", "--frames", "12")
FLOOR = (SCENES / "floor.json", "--set", "/cables/0/copies/count=[6,7,1]", "--method", "direct", "--frames", "30",
         "--set", "/contact={\"cables\":false,\"self\":false}")


class Case(commands.Case):
    program = PROGRAM

    def alone(self, *words):
        return self.call("run", *words, *NATIVE)

    def same(self, *names):
        for name in names:
            mine, other = ((self.folder / f"{who}{name}").read_bytes() for who in ("alone", "shared"))
            self.assertEqual(mine, other, name)


class Devices(Case):
    def test_the_same_bytes(self):
        for words in (HANG, FLOOR, (SCENES / "pile.json", "--frames", "5")):
            self.alone(*words, "-o", "alone.csv", "--checkpoint", "alone.state")
            self.call("run", *words, *NATIVE, "--device", "native", "-o", "shared.csv", "--checkpoint", "shared.state")
            self.same(".csv", ".state")

    def test_what_is_said(self):
        said = self.call("run", *HANG, *NATIVE, "--device", "native", "-v").stdout
        self.assertRegex(said, r"devices  2 share the world, [1-9]\d+ launches are shared out")
        self.assertIn("on native+native,", said)
        said = self.call("run", SCENES / "harness.json", *NATIVE, "--device", "native", "--frames", "2").stderr
        self.assertRegex(said, r"\Aclcable: warning: several devices were given, but nothing [^\n]+\n\Z")

    def test_mistakes(self):
        self.assertIn("no device \"nonsense\"", self.call("run", *HANG, *NATIVE, "--device", "nonsense", expect=2).stderr)
        self.assertIn("no device \"rank:1\"", self.call("run", *HANG, *NATIVE, "--device", "rank:1", expect=2).stderr)
        said = self.call("run", *HANG, *("--device", "native") * 65, expect=2).stderr
        self.assertIn("run: --device is given 65 times, expected at most 64", said)
        study = next((SCENES / "particles").glob("*.json"), None)
        if study and not os.environ.get("CLCABLE_NO_STUDIES"):
            said = self.call("run", study, *NATIVE, "--device", "native", expect=2).stderr
            self.assertIn("run: --device is given twice", said)


@unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed: scripts/setup installs it")
class Processes(Case):
    def start(self, count, *words, options=()):
        own = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        own["OMPI_MCA_orte_tmpdir_base"] = str(self.folder)  # two mpiruns that begin or end at the same time fail in a common one
        own["ASAN_OPTIONS"] = "detect_leaks=0"  # Open MPI's own
        start = ["mpirun", "--oversubscribe", *options, "-n", str(count), PROGRAM]
        return subprocess.Popen([*start, *map(str, words)], cwd=self.folder, env=own, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run_by(self, count, *words, expect=0, options=()):
        process = self.start(count, "run", *words, *NATIVE, options=options)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, expect, out + err)
        self.assertNotIn("Sanitizer", err)
        return out, err

    def test_the_same_bytes(self):
        for words in (HANG, FLOOR, (SCENES / "pile.json", "--frames", "5")):
            outputs = [(("-o", f"{who}.csv", "-o", f"{who}.vtp", "--checkpoint", f"{who}.state")) for who in ("alone", "shared")]
            self.alone(*words, *outputs[0])
            for count in (1, 2, 3, 7):
                out, _ = self.run_by(count, *words, *outputs[1])
                self.assertEqual(out.count(": ok: "), 1, out)
                self.same(".csv", ".vtp", ".state")

    def test_going_on_with_other_processes(self):
        self.alone(*HANG, "-o", "alone.csv")
        self.run_by(3, *HANG[:-1], "5", "--checkpoint", "c.state")
        self.run_by(2, *HANG, "--resume", "c.state", "-o", "shared.csv")
        self.same(".csv")
        self.alone(*HANG, "--resume", "c.state", "-o", "shared.csv")
        self.same(".csv")

    def test_an_animation(self):
        self.alone(*HANG, "-o", "alone.npz")
        _, err = self.run_by(2, *HANG, "-o", "shared.npz")
        self.assertEqual(err, "")
        self.same(".npz")

    def test_a_picture(self):
        """It is drawn in a process of its own, which is then the one that joins the others."""
        for words in (("run", "-o", "NAME.png"), ("render", "-o", "NAME.png"), ("report", "-o", "NAME.html")):
            alone, shared = ([word.replace("NAME", name) for word in words] for name in ("alone", "shared"))
            self.call(*alone[:1], *HANG, *alone[1:], *NATIVE, "--quiet")
            process = self.start(2, *shared[:1], *HANG, *shared[1:], *NATIVE, "--quiet")
            out, err = process.communicate(timeout=LIMIT)
            self.assertEqual((process.returncode, out, err), (0, "", ""))
            if words[0] != "report":  # which tells how long it took, and on what
                self.same(".png")

    def test_mistakes(self):
        process = self.start(2, "run", *HANG, "--device", "rank:1")
        _, err = process.communicate(timeout=LIMIT)
        self.assertEqual((process.returncode, err.count("clcable: ")), (2, 1), err)
        self.assertIn("--device rank:1: expected a device of this process", err)
        _, err = self.run_by(2, *HANG, "--quiet", "--verbose", expect=2)
        self.assertEqual(err.count("clcable: "), 1, err)
        _, err = self.run_by(2, "missing.json", expect=2)
        self.assertEqual(err.count("clcable: "), 1, err)
        self.assertIn("missing.json", err)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.is_file()], [])

    def test_a_device_that_a_rank_lacks(self):
        process = self.start(2, "run", *HANG, "--device", "native", "--device", "nonsense")
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 2, out + err)
        self.assertRegex(err, r"clcable: rank 1: no device \"nonsense\"")

    def long(self, *words):
        """A run that is long enough to be ended, of which there is a checkpoint; the process of mpirun, and the ranks."""
        process = self.start(2, "run", *HANG[:-2], "--frames", LONG, *NATIVE, "--checkpoint", "c.state",
                             "--checkpoint-every", "3", *words)
        end = time.monotonic() + LIMIT
        while not (self.folder / "c.state").exists():
            self.assertIsNone(process.poll(), "it ended early")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        ranks = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        self.assertEqual(len(ranks), 2)
        return process, [int(rank) for rank in ranks]

    def goes_on(self):
        """From the checkpoint, as one process that has never been ended."""
        self.alone(*HANG[:-2], "--frames", LONG, "-o", "alone.csv")
        self.run_by(3, *HANG[:-2], "--frames", LONG, "--resume", "c.state", "-o", "shared.csv")
        self.same(".csv")

    def test_a_rank_dies(self):
        """The run ends, the last checkpoint is whole."""
        process, ranks = self.long()
        os.kill(ranks[1], signal.SIGKILL)
        process.communicate(timeout=LIMIT)
        self.assertNotEqual(process.returncode, 0)
        self.goes_on()

    def test_interrupted(self):
        """The first process keeps what there is, the others wait for it."""
        process, ranks = self.long("-o", "t.csv")
        for rank in ranks:
            os.kill(rank, signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, out + err)
        self.assertIn("interrupted", out + err)
        self.assertTrue((self.folder / "t.csv").exists())
        self.goes_on()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
