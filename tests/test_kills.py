"""Runs that are killed, at moments by chance and at calls that touch a file, and go on from their checkpoint: all that they
write and say in the end is that of a run that nobody killed.

usage: test_kills.py PROGRAM SCENES FAULTS KILLS [--pictures]

FAULTS is the library of faults.c, "-" where it cannot be used. KILLS are counted over all scenes, methods, outputs and
signals. An output of the last frame has to be the same byte for byte. One of all frames begins, resumed, at the state's frame:
its frames have to be, byte for byte, those of the whole run, and the file that of a run that nobody killed and that went on
from the same frame.
"""
import ast
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

PROGRAM, SCENES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
FAULTS = None if sys.argv[3] == "-" else os.path.abspath(sys.argv[3])
KILLS, PICTURES = int(sys.argv[4]), "--pictures" in sys.argv

LAST = ["a.csv", "a.vtp", "a.obj"] + (["a.png"] if PICTURES else [])
ALL = ["a.pvd", "a.npz", "a.usda", "a.vtkhdf"]
OF_THE_PROCESS = {"wall_s", "stages_s", "particle_substeps_per_s", "resumed_at", "device", "memory_bytes"}
WIRE = {"radius": 0.005, "linear_density": 0.05, "bending_stiffness": 1e-4, "friction": 0.4, "damping": 2}
FLOOR = {"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "friction": 0.5}


def scene(frames, **parts):
    return {"clcable": 1, "time": {"duration": frames / 60, "frame_rate": 60, "substeps": 16}, "materials": {"wire": WIRE}, **parts}


def cable(name, *path, **keys):
    return {"name": name, "material": "wire", "path": path, "segments": 10, **keys}


def held(name, at, **keys):
    return {"cable": name, "at": at, **keys}


# Cables fall on a floor and on each other; the hanging one is torn off, moved before; a load follows keyframes.
FALLING = scene(24, cables=[
    cable("a", [0, 0, 0.03], [0.3, 0, 0.03], copies={"count": [1, 3, 1], "spacing": [0, 0.02, 0]}),
    cable("b", [0.1, -0.1, 0.1], [0.1, 0.2, 0.1]), cable("c", [0.1, 0.2, 0.1], [0.1, 0.4, 0.1])], attachments=[
    held("b", "start", break_force=0.12, to={"keyframes": [[0, 0.1, -0.1, 0.1], [1, 0.1, -0.1, 0.4]]}),
    held("c", "start", to={"cable": "b", "at": "end"}, break_force=0.1)],
    loads=[{"cable": "c", "at": "end", "mass": 0.02}], colliders=[FLOOR])
# Two fall asleep on the floor, a third wakes one of them.
ASLEEP = scene(110, contact={"sleep": True}, colliders=[FLOOR], cables=[
    cable("a", [0, 0, 0.006], [0.3, 0, 0.006], segments=6), cable("b", [0.1, -0.1, 6], [0.1, 0.2, 6.0], segments=6),
    cable("c", [2, 0, 0.006], [2.3, 0, 0.006], segments=6)])
# Nothing that is right: held apart by more than its length, in a collider, and thrown at 60 m/s.
WRONG = scene(20, cables=[cable("a", [0, 0, 1], [0.5, 0, 1]), cable("b", [0, 1, 0], [0.3, 1, 0]),
                          cable("c", [0, 2, 1], [0.3, 2, 1])],
              attachments=[held("a", "start", to="here"), held("a", "end", to=[0.65, 0, 1]),
                           held("c", "start", to={"keyframes": [[0, 0, 2, 1], [0.05, 0, 2, 1], [0.1, 0, 2, 1.4]]})],
              colliders=[FLOOR])
# Cables by themselves: every way can be had.
ALONE = scene(12, contact={"cables": False, "self": False}, cables=[
    cable("a", [0, 0, 1], [0.5, 0, 1.1], copies={"count": [1, 20, 1], "spacing": [0, 0.1, 0]})],
    attachments=[held("a", "start", to={"keyframes": [[0, 0, 0, 1], [0.1, 0.1, 0.2, 1.1]]})])
SHEET = scene(10, sheets=[{"name": "cloth", "material": "wire", "corner": [-0.1, -0.1, 0.12], "along": [0.2, 0, 0],
                           "across": [0, 0.2, 0], "count": [8, 8], "diagonals": "both", "area_density": 0.2}],
              colliders=[FLOOR, {"shape": "sphere", "center": [0, 0, 0.05], "radius": 0.05}])


def from_file(name, frames):
    text = json.loads((SCENES / name).read_text())
    text["time"]["duration"] = frames / text["time"]["frame_rate"]
    text.pop("$schema", None)
    return text


def method(name, way=None, **keys):
    return ["--set", "/method=" + json.dumps({"name": name, **({"way": way} if way else {}), **keys})]


UNBENT = ["--set", "/materials/wire/bending_stiffness=0"]
RUNS = [("falling", FALLING, method("xpbd")), ("falling", FALLING, method("direct")),
        ("asleep", ASLEEP, method("xpbd", "coloured")), ("asleep", ASLEEP, method("direct", "staged")),
        ("wrong", WRONG, method("xpbd")), ("wrong", WRONG, method("direct")),
        ("alone", ALONE, method("xpbd", "coloured")), ("alone", ALONE, method("xpbd", "fused")),
        ("alone", ALONE, method("xpbd", "lanes")), ("alone", ALONE, method("direct", "lanes")),
        ("alone", ALONE, method("direct", "staged")), ("alone", ALONE, method("xpbd", "chunks")),
        ("falling", FALLING, [*method("jakobsen"), *UNBENT]), ("falling", FALLING, [*method("pbd"), *UNBENT]),
        ("falling", FALLING, [*method("jacobi", weights="mass"), *UNBENT]),
        ("alone", ALONE, [*method("stiff-springs"), *UNBENT]), ("sheet", SHEET, UNBENT),
        ("clip", from_file("clip.json", 12), []), ("connector", from_file("connector.json", 100), ["--substeps", "15"]),
        ("winch", from_file("winch.json", 12), []), ("settles", FALLING, ["--release", *method("direct")])]


def report_of(path):
    told = json.loads(path.read_text())
    return {key: value for key, value in told.items() if key not in OF_THE_PROCESS}, told["resumed_at"]


def rows_of(path):
    """{array: (bytes of a row, all rows)} of an .npz whose first axis are frames."""
    arrays = {}
    with zipfile.ZipFile(path) as file:
        for name in ("times", "positions", "velocities", "tension", "curvature", "contact"):
            data = file.read(name + ".npy")
            start = 10 + int.from_bytes(data[8:10], "little")
            frames = ast.literal_eval(data[10:start].decode())["shape"][0]
            arrays[name] = ((len(data) - start) // frames, data[start:])
    return arrays


class Run:
    """A scene by a method: the run that nobody kills, and those that go on."""

    def __init__(self, folder, name, content, options):
        self.folder, self.what = folder, f"{name} {' '.join(options)}"
        self.folder.mkdir()
        (folder / "scene.json").write_text(json.dumps(content))
        self.command = [PROGRAM, "run", "../scene.json", "--device", "native", "--threads", "1", "--quiet", *options]
        self.outputs = LAST + ALL + (["p_%04d.png"] if PICTURES else [])
        begun = time.monotonic()
        whole = self.go("whole", *self.writing())
        self.lasts = time.monotonic() - begun
        assert whole.returncode == 0, self.what + whole.stderr
        self.report, _ = report_of(folder / "whole/a.json")
        self.rows = rows_of(folder / "whole/a.npz")
        self.at_frame, self.calls = {}, 0
        if FAULTS:
            self.go("told", *self.writing(), *self.saving(), fault="kill:0", told="told")
            self.calls = int((folder / "told/told").read_text().split()[0])

    def writing(self):
        return [word for name in self.outputs for word in ("-o", name)] + ["--report", "a.json"]

    @staticmethod
    def saving():
        return ["--checkpoint", "run.state", "--checkpoint-every", "1"]

    def begin(self, place, *words, fault=None, told=None):
        (self.folder / place).mkdir(exist_ok=True)
        environment = dict(os.environ)
        if fault:
            environment.update(LD_PRELOAD=FAULTS, CLCABLE_FAULT=fault, **({"CLCABLE_FAULT_TOLD": told} if told else {}))
        return subprocess.Popen([*self.command, *words], cwd=self.folder / place, env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def go(self, place, *words, **keys):
        process = self.begin(place, *words, **keys)
        process.stderr_text = process.communicate(timeout=280)[1]
        return subprocess.CompletedProcess(process.args, process.returncode, "", process.stderr_text)

    def unkilled_from(self, frame):
        """The outputs of a run that stopped there by itself and went on."""
        if frame not in self.at_frame:
            place = f"at-{frame}"
            if frame == 0:
                self.go(place, *self.writing())
            else:
                self.go(place, "--frames", str(frame), "--checkpoint", "run.state")
                self.go(place, *self.writing(), "--resume", "run.state")
            self.at_frame[frame] = self.folder / place
        return self.at_frame[frame]

    def killed(self, chance, at_call):
        """One kill. Nothing but the state may be there after SIGKILL; after the others what was computed."""
        place = self.folder / "part"
        resume = ["--resume", "run.state"] if (place / "run.state").exists() else []
        words = [*self.writing(), *self.saving(), *resume]
        if at_call:
            process = self.begin("part", *words, fault=f"kill:{chance.randint(1, self.calls)}")
        else:
            number = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
            process = self.begin("part", *words)
            time.sleep(self.lasts * chance.uniform(0, 1.1))
            process.send_signal(number)
        said = process.communicate(timeout=280)[1]
        assert process.returncode in (0, 130, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT), self.what + said
        return process.returncode

    def same(self):
        """Goes on to the end and compares."""
        place, whole = self.folder / "part", self.folder / "whole"
        resume = ["--resume", "run.state"] if (place / "run.state").exists() else []
        last = self.go("part", *self.writing(), *self.saving(), *resume)
        assert last.returncode == 0, self.what + last.stderr
        report, frame = report_of(place / "a.json")
        for key, value in self.report.items():
            assert report[key] == value, f"{self.what}, from frame {frame}: {key}: {report[key]}, not {value}"
        left = [entry.name for entry in place.iterdir() if ".part-" in entry.name]
        assert not left, f"{self.what}: left {left}"
        for name in LAST:
            assert (place / name).read_bytes() == (whole / name).read_bytes(), f"{self.what}, from frame {frame}: {name}"
        for name in ALL:
            other = self.unkilled_from(frame) / name
            assert (place / name).read_bytes() == other.read_bytes(), f"{self.what}, from frame {frame}: {name}"
        self.same_frames(place, whole, frame)
        shutil.rmtree(place)

    def same_frames(self, place, whole, frame):
        listed = re.findall(r'file="(a_\d+\.vtp)"', (place / "a.pvd").read_text())
        assert listed == [f"a_{i:04d}.vtp" for i in range(frame, self.report["frames"] + 1)], self.what
        if PICTURES:
            listed += [f"p_{i:04d}.png" for i in range(frame, self.report["frames"] + 1)]
        for name in listed:
            assert (place / name).read_bytes() == (whole / name).read_bytes(), f"{self.what}, from frame {frame}: {name}"
        for name, (size, rows) in rows_of(place / "a.npz").items():
            assert self.rows[name] == (size, self.rows[name][1]) and size == self.rows[name][0], self.what
            assert rows == self.rows[name][1][frame * size:], f"{self.what}, from frame {frame}: {name} of a.npz"


def check_scenes(runs):
    """The scenes do what they are there for."""
    by_name = {}
    for run in runs:
        name = run.folder.name.split("-")[1]
        exact = run.report["method"] in ("xpbd", "direct")  # the others do not promise lengths and forces
        by_name.setdefault(name if exact else "", []).append(run.report)
    for report in by_name.get("falling", []):
        assert report["contacts"]["max"] > 0 and len(report["broken_attachments"]) == 2, report["events"]
    for report in by_name.get("asleep", []):
        assert report["contacts"]["asleep"] > 0, report["contacts"]
    for report in by_name.get("wrong", []):
        assert {j["judged"] for j in report["judgements"]} >= {"stretch", "overlap"}, report["judgements"]
    for report in by_name.get("connector", []):
        assert any(event["kind"] == "mated" for event in report["events"]), report["events"]


def main():
    chance, kills, early, late, ended = random.Random(18), 0, 0, 0, {}
    with tempfile.TemporaryDirectory(prefix="clcable-kills-") as home:
        chosen = RUNS if KILLS >= 3 * len(RUNS) else chance.sample(RUNS, KILLS // 3)
        if PICTURES:
            chosen = [run for run in RUNS if run[0] == "clip"]  # drawing costs more than all else
        runs = [Run(pathlib.Path(home) / f"{i:02d}-{name}", name, *rest) for i, (name, *rest) in enumerate(chosen)]
        check_scenes(runs)
        while kills < KILLS:
            for run in runs:
                for _ in range(3):  # three kills of a run, then it may end
                    code = run.killed(chance, at_call=FAULTS and kills % 2 == 0)
                    ended[code] = ended.get(code, 0) + 1
                    kills += code != 0
                    late += code == 0
                    if code == 0:
                        break
                early += not (run.folder / "part/run.state").exists()
                run.same()
                if kills >= KILLS:
                    break
    print(f"{kills} kills of {len(runs)} runs, {early} series before the first state, {late} after the end; by exit code: {ended}")


main()
