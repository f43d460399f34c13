"""`clcable sweep` and `fit` by several processes: the same bytes as of one, whoever dies; what is there is not computed again.

    test_ranks.py PROGRAM SCENES

Ranks are processes with the numbers that mpirun would give them in the environment; mpirun itself is tried where it is installed.
"""
import csv
import os
import pathlib
import re
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
RUNS = ("PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEPID")
TELLERS = [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")]
LIMIT = 300  # s, for what takes a second or two

# Two cables that touch each other and themselves: a variant's last bits depend on those beside it in its world.
SCENE = {
    "clcable": 1,
    "time": {"duration": 0.2, "frame_rate": 50, "substeps": 30},
    "materials": {"wire": {"radius": 0.004, "linear_density": 0.05, "bending_stiffness": 1e-4, "damping": 0.5}},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.6, 0, 1]], "segments": 24, "length": 0.7},
               {"name": "b", "material": "wire", "path": [[0, 0.02, 0.9], [0.3, -0.02, 0.9]], "segments": 10}],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "a", "at": "end", "to": "here"},
                    {"cable": "b", "at": "start", "to": "here"}],
}
VARY = ("--vary", "/cables/0/length=0.62:0.9:10", "--batch", "2", "--columns", "cables")


class Case(commands.Case):
    program = PROGRAM

    def setUp(self):
        super().setUp()
        self.scene = self.write("scene.json", SCENE)
        self.started = []

    def tearDown(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()
        super().tearDown()

    def start(self, *words, rank=0, ranks=1, teller=TELLERS[0], run=None):
        """A process, which is a rank where there are several."""
        own = dict(os.environ)
        for name in [name for pair in TELLERS for name in pair] + [*RUNS]:
            own.pop(name, None)
        if ranks > 1:
            own.update({teller[0]: str(rank), teller[1]: str(ranks), "SLURM_STEPID": "0"})
        if run is not None:
            own["PMIX_NAMESPACE"] = f"run.{run}"
        process = subprocess.Popen([PROGRAM, *map(str, words)], cwd=self.folder, env=own, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.started.append(process)
        return process

    def end(self, process, expect=0):
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, expect, out + err)
        self.assertNotIn("Sanitizer", err)
        return out, err

    def ranks(self, count, *words, expect=0, **how):
        """What all ranks have said, when they have ended."""
        said = [self.end(process, expect) for process in
                [self.start(*words, rank=i, ranks=count, **how) for i in range(count)]]
        return "".join(out for out, _ in said), "".join(err for _, err in said)

    def files(self, *names):
        return [(self.folder / name).read_bytes() for name in names]

    def parcels(self, folder):
        return sorted(path for path in (self.folder / folder).glob("*.*") if path.suffix[1:].isdigit())

    def come(self, folder):
        """Files of the ranks that have come to it."""
        return list((self.folder / folder).glob("*.rank*"))

    def wait_for_parcels(self, folder, count, each):
        """Until so many results are there, or all is over."""
        end = time.monotonic() + LIMIT
        while len(self.parcels(folder)) < count and any(process.poll() is None for process in each):
            self.assertLess(time.monotonic(), end, "no results come")
            time.sleep(0.002)

    def midway(self, ranks, count, *words):
        """Ranks that are stopped when they have left so many results of five, and the words that did it. On a busy machine all may be
        over before this process gets its turn: then the motion is made longer."""
        for duration in ("4", "16", "64", "256"):
            shutil.rmtree(self.folder / "t.csv.parts", ignore_errors=True)
            longer = (*words, "--duration", duration)
            each = [self.start(*longer, rank=i, ranks=ranks) for i in range(ranks)]
            self.wait_for_parcels("t.csv.parts", count, each)
            for process in each:
                process.send_signal(signal.SIGSTOP)
            there = all(process.poll() is None for process in each) and len(self.come("t.csv.parts")) == ranks
            if there and count <= len(self.parcels("t.csv.parts")) <= 5 - ranks:  # each has one to compute
                return each, longer
            for process in each:
                process.kill()
                process.communicate()
        self.fail("all is over each time before it can be looked at")

    def own(self, out):
        """How many pieces a process says that it has computed."""
        return int(re.search(r"\((\d+) of \d+ pieces by this process\)", out)[1])


class Sweeps(Case):
    def alone(self, *words):
        """The table and the report of one process."""
        out, err = self.end(self.start("sweep", self.scene, *NATIVE, *words, "-o", "alone.csv", "--report", "alone.json"))
        return self.files("alone.csv", "alone.json"), err

    def test_the_same_bytes_on_any_number(self):
        expected, warnings = self.alone(*VARY)
        for count, teller in ((1, None), (2, TELLERS[0]), (3, TELLERS[1]), (5, TELLERS[2])):
            out, err = self.ranks(count, "sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json", teller=teller)
            self.assertEqual(self.files("t.csv", "t.json"), expected, count)
            self.assertEqual(err, warnings)
            self.assertEqual(out.count("10 variants, 10 ok"), 1)  # one of them speaks for all
            self.assertFalse((self.folder / "t.csv.parts").exists())

    def test_shells_beside_one_another(self):
        """Nobody has to start them together: whoever names the folder takes part, and writes what it was asked for."""
        expected, _ = self.alone(*VARY)
        each = [self.start("sweep", self.scene, *NATIVE, *VARY, "-o", f"{i}.csv", "--report", f"{i}.json", "--share", "shared")
                for i in range(2)]
        done = [self.own(self.end(process)[0]) for process in each]
        self.assertEqual(sum(done), 5)  # five worlds, none of them twice
        for i in range(2):
            self.assertEqual(self.files(f"{i}.csv", f"{i}.json"), expected)

    def test_the_best(self):
        """Later rows depend on what came out of the ones before: all ranks draw the same."""
        words = ("--vary", "/cables/0/length=0.62:0.9", "--best", "least:bend_radius_min[b]", "--batch", 1)
        expected, _ = self.alone(*words)
        self.ranks(3, "sweep", self.scene, *NATIVE, *words, "-o", "t.csv", "--report", "t.json")
        self.assertEqual(self.files("t.csv", "t.json"), expected)

    def test_what_diverges(self):
        words = ("--vary", "/cables/0/velocity=[0,0,0],[0,0,900000],[0,0,1]", "--batch", 2)
        expected, _ = self.alone(*words)
        self.assertIn(b"diverged", expected[0])
        self.ranks(2, "sweep", self.scene, *NATIVE, *words, "-o", "t.csv", "--report", "t.json")
        self.assertEqual(self.files("t.csv", "t.json"), expected)

    def test_a_rank_is_killed(self):
        """Its world is computed by another one; nothing else is lost, nor is anything of it seen."""
        for victim in (2, 0):
            each, words = self.midway(3, 1, "sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json")
            each[victim].kill()
            self.end(each[victim], -signal.SIGKILL)
            for i in {0, 1, 2} - {victim}:
                each[i].send_signal(signal.SIGCONT)
            for i in {0, 1, 2} - {victim}:
                self.end(each[i])
            self.assertEqual(self.files("t.csv", "t.json"), self.alone(*VARY, *words[-2:])[0], victim)
            (self.folder / "t.csv").unlink()

    def test_one_comes_late(self):
        """When the others have done everything and are gone, it neither computes nor says anything; the folder goes with the last."""
        words = ("sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json")
        for process in [self.start(*words, rank=i, ranks=3) for i in (0, 2)]:
            self.end(process)
        self.assertEqual(self.parcels("t.csv.parts"), [])
        (self.folder / "t.csv").unlink()
        self.assertEqual(self.end(self.start(*words, rank=1, ranks=3))[0], "")
        self.assertFalse((self.folder / "t.csv").exists())
        self.assertFalse((self.folder / "t.csv.parts").exists())

    def test_one_never_comes(self):
        """What is left then does not keep a later run from its work, whichever of its ranks is the first."""
        words = ("sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json")
        expected, _ = self.alone(*VARY)
        for first in range(3):
            for run in ("a", "b"):
                for process in [self.start(*words, rank=i, ranks=3, run=f"{first}{run}") for i in (0, 2)]:
                    self.end(process)
                (self.folder / "t.csv").unlink()
            self.end(self.start(*words, rank=first, ranks=3, run=first))
            self.assertEqual(self.files("t.csv", "t.json"), expected, first)  # it is none that comes late
            for process in [self.start(*words, rank=i, ranks=3, run=first) for i in range(3) if i != first]:
                self.end(process)
            self.assertEqual(self.files("t.csv", "t.json"), expected, first)
            self.assertFalse((self.folder / "t.csv.parts").exists())

    def test_nothing_names_the_run(self):
        """Then a rank that never came before passes for a late one. Nothing is lost: the others do all that is to do."""
        words = ("sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json")
        for _ in range(2):
            for i in (0, 2):
                self.end(self.start(*words, rank=i, ranks=3))
            self.assertEqual(self.files("t.csv", "t.json"), self.alone(*VARY)[0])
            (self.folder / "t.csv").unlink()
        self.assertEqual(self.end(self.start(*words, rank=1, ranks=3))[0], "")
        for i in (0, 2):
            self.end(self.start(*words, rank=i, ranks=3))
        self.assertEqual(self.files("t.csv", "t.json"), self.alone(*VARY)[0])

    def test_all_are_killed_and_it_goes_on(self):
        each, words = self.midway(2, 2, "sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json")
        for process in each:
            process.kill()
        for process in each:
            self.end(process, -signal.SIGKILL)
        there = self.parcels("t.csv.parts")
        before = [path.read_bytes() for path in there]
        out, _ = self.end(self.start(*words, "--share", "t.csv.parts"))
        self.assertEqual(self.own(out), 5 - len(there))
        self.assertEqual([path.read_bytes() for path in there], before)
        self.assertEqual(self.files("t.csv", "t.json"), self.alone(*VARY, *words[-2:])[0])

    def test_interrupted(self):
        """What was computed is in the table, and is not computed again."""
        each, words = self.midway(2, 2, "sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json")
        before = len(self.parcels("t.csv.parts"))
        for process in each:
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
        said = [self.end(process, 130) for process in each]
        self.assertEqual("".join(err for _, err in said).count("interrupted"), 1)
        with open(self.folder / "t.csv", newline="") as file:
            status = [row["status"] for row in csv.DictReader(file)]
        there = self.parcels("t.csv.parts")
        self.assertEqual(status.count("ok") + status.count("not run"), 10)
        self.assertGreaterEqual(status.count("ok"), 2 * before)
        self.assertLessEqual(status.count("ok"), 2 * len(there))  # one may be left after the table was written
        self.assertLess(status.count("ok"), 10)
        when = [path.stat().st_mtime_ns for path in there]
        self.end(self.start(*words, "--share", "t.csv.parts"))
        self.assertEqual([path.stat().st_mtime_ns for path in there], when)
        self.assertEqual(self.files("t.csv", "t.json"), self.alone(*VARY, *words[-2:])[0])

    def test_what_is_spoilt_is_computed_again(self):
        words = ("sweep", self.scene, *NATIVE, *VARY, "-o", "t.csv", "--report", "t.json", "--share", "shared")
        expected, _ = self.alone(*VARY)
        self.assertEqual(self.own(self.end(self.start(*words))[0]), 5)
        self.assertEqual(self.own(self.end(self.start(*words))[0]), 0)
        first, second, third, *_ = self.parcels("shared")
        first.unlink()
        second.write_bytes(second.read_bytes()[:-8])
        third.write_bytes(third.read_bytes().replace(b"AMD", b"XYZ")[:-1] + b"?")
        self.assertEqual(self.own(self.end(self.start(*words))[0]), 3)
        self.assertEqual(self.files("t.csv", "t.json"), expected)

    def test_other_work_in_the_same_folder(self):
        """Other numbers, another scene and another world size are other work; other threads and files are not."""
        words = ("sweep", self.scene, "--device", "native", *VARY, "--share", "shared")
        self.assertEqual(self.own(self.end(self.start(*words))[0]), 5)
        self.assertEqual(self.own(self.end(self.start(*words, "--threads", 2, "-o", "t.csv"))[0]), 0)
        self.assertEqual(self.own(self.end(self.start(*words, "--substeps", 40))[0]), 5)
        self.assertEqual(self.own(self.end(self.start(*words, "--batch", 5))[0]), 2)
        self.write("scene.json", {**SCENE, "gravity": [0, 0, -9]})
        self.assertEqual(self.own(self.end(self.start(*words, "-o", "t.csv"))[0]), 5)
        self.assertEqual(self.files("t.csv"), self.alone(*VARY)[0][:1])

    def test_too_few_worlds(self):
        words = ("sweep", self.scene, *NATIVE, "--vary", "/cables/0/length=0.62:0.9:10", "--frames", 1, "-o", "t.csv")
        _, err = self.ranks(3, *words)
        self.assertIn("10 variants in 1 world are work for 1 of 3 processes; --batch 3 gives each some", err)
        self.assertEqual(self.ranks(3, *words, "-q")[1], "")

    def test_refused(self):
        vary = ("--vary", "/cables/0/length=0.7,0.8")
        for words, part in ((vary, "sweep: 2 processes share it; expected -o FILE, or --share FOLDER that all of them see"),
                            ((*vary, "-o", "t.csv", "--envelope", "t.obj"), "sweep: --envelope expects one process"),
                            (("--vary", "/cables/7/length=1,2", "-o", "t.csv"), "scene.json: ")):
            for _, err in (self.end(self.start("sweep", self.scene, *NATIVE, *words, rank=i, ranks=2), 2) for i in range(2)):
                self.assertRegex(err, r"\Aclcable: [^\n]+\n\Z")
                self.assertIn(part, err)
        (self.folder / "file").write_text("")
        out, err = self.end(self.start("sweep", self.scene, *NATIVE, *vary, "--share", "file"), 1)
        self.assertRegex(err, r"\Aclcable: file: cannot share work in it: [^\n]+\n\Z")
        self.assertEqual(out, "")


class Fits(Case):
    WORDS = (SCENES / "swing.json", "swing.csv", "--settle", "--find", "/materials/wire/bending_stiffness=1e-5:1e-2", "--find",
             "/materials/wire/damping=0.01:2", "--tries", "12", "--batch", "4")

    def setUp(self):
        super().setUp()
        if "without cminpack" in self.call("fit", "--help").stdout:
            self.skipTest("this build is without cminpack")
        self.call("run", SCENES / "swing.json", "--settle", "--duration", 1, "--probes", "swing.csv", *NATIVE)

    def test_the_same_bytes(self):
        self.end(self.start("fit", *self.WORDS, *NATIVE, "-o", "alone.json"))
        for count in (2, 3):
            self.ranks(count, "fit", *self.WORDS, *NATIVE, "-o", "f.json")
            self.assertEqual(self.files("f.json"), self.files("alone.json"), count)
            self.assertFalse((self.folder / "f.json.parts").exists())

    def test_killed_and_gone_on(self):
        words = ("fit", *self.WORDS, *NATIVE, "-o", "f.json", "--share", "shared")
        self.end(self.start("fit", *self.WORDS, *NATIVE, "-o", "alone.json"))
        process = self.start(*words)
        self.wait_for_parcels("shared", 2, [process])
        process.kill()
        process.communicate()
        if process.returncode == 0:  # all was over before this process got its turn
            self.parcels("shared")[-1].unlink()
        there = self.parcels("shared")
        before = [path.stat().st_mtime_ns for path in there]
        self.end(self.start(*words))
        self.assertEqual([path.stat().st_mtime_ns for path in there], before)
        self.assertGreater(len(self.parcels("shared")), len(there))
        self.assertEqual(self.files("f.json"), self.files("alone.json"))

    def test_other_numbers(self):
        """A parcel of other sets than those that the search asks for, as from a machine that computes otherwise."""
        words = ("fit", *self.WORDS, *NATIVE, "-o", "f.json", "--share", "shared")
        self.end(self.start(*words))
        first, second, *_ = self.parcels("shared")
        first.write_bytes(second.read_bytes())
        _, err = self.end(self.start(*words), 2)
        self.assertRegex(err, r"\Aclcable: shared: another process has come to other numbers; expected machines [^\n]+\n\Z")


@unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed: scripts/setup installs it")
class Mpirun(Case):
    def mpirun(self, count, *words, options=()):
        own = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        own["OMPI_MCA_orte_tmpdir_base"] = str(self.folder)  # two mpiruns that begin or end at the same time fail in a common one
        start = ["mpirun", "--oversubscribe", *options, "-n", str(count)]
        result = subprocess.run([*start, *map(str, words)], cwd=self.folder, env=own, capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def test_the_same_bytes(self):
        words = ("sweep", self.scene, *NATIVE, *VARY)
        self.end(self.start(*words, "-o", "alone.csv", "--report", "alone.json"))
        for count in (1, 2, 3):
            said = self.mpirun(count, PROGRAM, *words, "-o", "t.csv", "--report", "t.json").stdout
            self.assertEqual(said.count("10 variants, 10 ok"), 1)
            self.assertEqual(self.files("t.csv", "t.json"), self.files("alone.csv", "alone.json"), count)

    def test_a_rank_kills_itself(self):
        """The others go on where mpirun is told that they may (docs/cluster.md)."""
        script = self.folder / "rank.sh"
        script.write_text('if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then\n'
                          '    (until ls t.csv.parts/*.[0-9] || [ -e t.csv ]; do sleep 0.01; done\n'
                          '     kill -KILL $$ && touch killed) >/dev/null 2>&1 &\n'
                          'fi\nexec "$@"\n')
        for duration in (4, 16, 64, 256):  # on a busy machine all may be over before it gets its turn to kill itself
            words = ("sweep", self.scene, *NATIVE, *VARY, "--duration", duration)
            self.mpirun(3, "sh", script, PROGRAM, *words, "-o", "t.csv", options=("--enable-recovery",))
            self.end(self.start(*words, "-o", "alone.csv"))
            self.assertEqual(self.files("t.csv"), self.files("alone.csv"))
            if (self.folder / "killed").exists():
                return
        self.fail("all is over each time before it kills itself")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
