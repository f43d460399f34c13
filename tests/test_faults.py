"""Memory that runs out, OpenCL that fails, a driver of OpenGL that crashes, at any call: the program ends in order.

usage: test_faults.py PROGRAM SCENES FAULTS alloc|opencl|crash STRIDE [COMMAND...]

FAULTS is the library of faults.c. Each command is run once to count its calls, and then again and again with one of them failing:
every STRIDE-th, first the first, in the next command the second and so on. STRIDE "places" or "places/N" (of alloc) is the first
call at each place, or at every N-th of them: over each chain of callers once, however often it is gone through. In each case
- it ends by itself, with exit code 0 (what was missing did no harm) or 1,
- code 1 comes with one line that begins with "clcable: ", warnings apart, and code 0 with none,
  (one that speaks of the driver where it crashed),
- files are whole, or are not there: with code 0 all of them, and none is left half-written beside its place,
- with code 0 the files are byte for byte what they are where nothing fails (times that a run notes in its report apart),
- the program has freed what it has asked for, and released what it has made of OpenCL, as it does where nothing fails.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import vec_files

PROGRAM, SCENES, FAULTS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), os.path.abspath(sys.argv[3])
KIND, ONLY = sys.argv[4], sys.argv[6:]
PLACES, STRIDE = sys.argv[5].startswith("places"), int(sys.argv[5].removeprefix("places").lstrip("/") or 1)

WIRE = {"radius": 0.005, "linear_density": 0.05, "bending_stiffness": 1e-4, "friction": 0.4}
SCENE = {
    "clcable": 1, "time": {"duration": 0.05, "frame_rate": 60, "substeps": 12}, "materials": {"wire": WIRE},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 0.01], [0.1, 0, 0.01]], "segments": 4},
               {"name": "b", "material": "wire", "path": [[0.05, -0.05, 0.02], [0.05, 0.05, 0.02]], "segments": 4}],
    "attachments": [{"cable": "a", "at": "start", "to": "here", "break_force": 0.001},
                    {"cable": "b", "at": "start", "to": {"keyframes": [[0, 0.05, -0.05, 0.02], [1, 0.05, -0.05, 0.2]]}}],
    "loads": [{"cable": "b", "at": "end", "mass": 0.01}], "probes": [{"name": "p", "cable": "b", "at": 0.3}],
    "colliders": [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}]}
TWIST = {
    "clcable": 1, "time": {"duration": 0.05, "frame_rate": 60, "substeps": 4}, "method": "direct",
    "materials": {"wire": {**WIRE, "twisting_stiffness": 1e-4}},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.1, 0, 1]], "segments": 6}],
    "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": True},
                    {"cable": "a", "at": 0.5, "to": "here", "clamp": True, "break_force": 1e-3},
                    {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": [[0, 0], [1, 5]]}]}
# The motor drives, so that energy is not judged: without memory for its bounds it is not, and a state says so.
BODIES = {
    "clcable": 1, "time": {"duration": 0.05, "frame_rate": 60, "substeps": 4}, "method": "direct", "materials": {"wire": WIRE},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.1, 0, 1]], "segments": 6}],
    "bodies": [{"name": "b", "position": [0.1, 0, 1], "mass": 0.1, "shapes": [
        {"shape": "cylinder", "from": [0, 0, 0], "to": [0, 0, -0.02], "radius": 0.01}, {"shape": "sphere", "center": [0, 0, 0], "radius": 0.01}],
        "motion": {"hinge": {"point": [0.1, 0, 1.02], "axis": [0, 1, 0], "motor": {"speed": 1, "torque": 0.01}}}}],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "a", "at": "end", "to": {"body": "b"}, "clamp": True}]}
LIMITS = json.dumps({"materials": {"wire": {"max_tension": 1, "min_clearance": 0.001}}, "cables": {"a": {"max_hold_force": 1}}})
NATIVE = ["--device", "native", "--threads", "1"]
RUN = ["-o", "a.csv", "-o", "a.vtp", "-o", "a.obj", "-o", "a.pvd", "-o", "a.npz", "-o", "a.usda", "--report", "a.json",
       "--checkpoint", "a.state", "--checkpoint-every", "2"]
BOARD = ["-o", "a.svg", "-o", "a.dxf", "-o", "a.pdf", "-o", "a-cut-list.csv", "-o", "a-parts.csv"]
FOLDER = ["a.board/loom" + end for end in (".svg", ".dxf", ".pdf", "-cut-list.csv", "-parts.csv")]
HARNESS = [*NATIVE, "--frames", "2", "--limits", '{"cables": {"S6": {"max_tension": 50}}, "parts": {"W05": {"min_bend_radius": 0.02}}}']
# what is run, and what it writes
MEMORY = {
    "check": (["check", "scene.json"], []),
    "run": (["run", "scene.json", *NATIVE, *RUN], RUN),
    "direct": (["run", "scene.json", *NATIVE, "--method", "direct", "--checkpoint", "a.state", "--probes", "a.probes.csv"],
               ["a.state", "a.probes.csv"]),
    "resume": (["run", "scene.json", *NATIVE, "--resume", "old.state", "-o", "a.csv"], ["a.csv"]),
    "twist": (["run", "twist.json", *NATIVE, "-o", "a.csv", "--checkpoint", "a.state"], ["a.csv", "a.state"]),
    "bodies": (["run", "bodies.json", *NATIVE, "--bodies", "a.bodies.csv", "-o", "a.csv", "--checkpoint", "a.state"],
               ["a.bodies.csv", "a.csv", "a.state"]),
    "fit": (["fit", "scene.json", "tracks.csv", "--find", "/materials/wire/friction=0.1:1", "--tries", "2", "-o", "a.json", "-q", *NATIVE], ["a.json"]),
    "vtkhdf": (["run", "scene.json", *NATIVE, "-o", "a.vtkhdf"], ["a.vtkhdf"]),
    "kbl": (["check", "loom.kbl"], []),
    "convert": (["convert", "loom.kbl", "a.json"], ["a.json"]),
    "vec": (["convert", "loom.vec", "a.json"], ["a.json"]),
    "to_vec": (["convert", "loom.kbl", "a.vec"], ["a.vec"]),
    "to_kbl": (["convert", "loom.kbl", "a.kbl"], ["a.kbl"]),
    "from_vec": (["convert", "small.vec", "a.kbl"], ["a.kbl"]),
    "vec_to_vec": (["convert", "small.vec", "a.vec"], ["a.vec"]),
    "formboard": (["formboard", "loom.kbl", "-q", *BOARD], BOARD[1::2]),
    "board": (["formboard", "loom.kbl", "-o", "a.board/", "--paper", "none", "--allowance", "20"], FOLDER),
    "board_vec": (["formboard", "loom.vec", "-q", *BOARD, "--paper", "a3"], BOARD[1::2]),
    "report": (["report", "scene.json", "-o", "a.html", *NATIVE], ["a.html"]),
    "drawn": (["report", "scene.json", "-o", "a.html", "-o", "a.csv", "-o", "a.json", "-o", "a.usda", "--limits", LIMITS, "--frames", "2", *NATIVE],
              ["a.html", "a.csv", "a.json", "a.usda"]),
    "drawn_kbl": (["report", "loom.kbl", "-o", "a.html", "-o", "a.csv", *HARNESS], ["a.html", "a.csv"]),
    "report_kbl": (["report", "loom.kbl", "-o", "a.csv", "-o", "a.json", *HARNESS], ["a.csv", "a.json"]),
    "settled": (["report", "scene.json", "-o", "a.json", *NATIVE, "--frames", "2", "--settle", "--limit", "tension=1000", "--limits", "@table.json"], ["a.json"]),
    "limits": (["report", "scene.json", "-o", "a.json", *NATIVE, "--limits", LIMITS], ["a.json"]),
    "compare": (["report", "old.json", "--compare", "new.json", "-o", "a.html", "-o", "a.json", "-o", "a.csv"], ["a.html", "a.json", "a.csv"]),
    "sweep": (["sweep", "scene.json", "--vary", "/loads/0/mass=0.01,0.02", "--columns", "forces,clearances,cables", "-o", "a.csv", "--report", "a.json",
               "--frames", "2", "-q", *NATIVE], ["a.csv", "a.json"]),
    "envelope": (["run", "scene.json", "--envelope", "a.vtp", "-o", "a.csv", "--report", "a.json", "--frames", "2", *NATIVE], ["a.vtp", "a.csv", "a.json"]),
    "envelopes": (["sweep", "scene.json", "--vary", "/loads/0/mass=0.01,0.02", "--batch", "1", "--envelope", "a.obj", "--envelope-cell", "0.0005",
                   "--report", "a.json", "--frames", "2", "-q", *NATIVE], ["a.obj", "a.json"]),
    "planar": (["run", "planar.json", *NATIVE, "-o", "a.csv", "--report", "a.json", "--frames", "2"], ["a.csv", "a.json"]),
    "render": (["render", "scene.json", "-o", "a.png", "--size", "64x64", "--frames", "1", *NATIVE], ["a.png"]),
    "render_bodies": (["render", "bodies.json", "-o", "a.png", "--size", "64x64", "--frames", "1", *NATIVE], ["a.png"])}
# HDF5 writes in a process of its own, which counts on from where it began, and is not in the count
BEYOND = {"vtkhdf": 2}
OPENCL = {"devices": (["devices"], []),
          "run": (["run", "scene.json", "-q", "--device", "opencl", "-o", "a.csv", "--checkpoint", "a.state"], ["a.csv", "a.state"]),
          "direct": (["run", "scene.json", "-q", "--device", "opencl", "--method", "direct", "-o", "a.csv"], ["a.csv"]),
          "bench": (["bench", "hang-16", "-q", "--device", "opencl", "--frames", "1"], [])}
PICTURE = ["--size", "64x64", "--frames", "1", *NATIVE]
CRASH = {"render": (["render", "scene.json", "-o", "a.png", "-o", "a_%04d.png", "-o", "a.mp4", "-o", "a.csv", *PICTURE], ["a.png", "a.csv"]),
         "run": (["run", "scene.json", "-o", "a.png", "-o", "a.csv", "--checkpoint", "a.state", *NATIVE], ["a.png", "a.csv"]),
         "formboard": (["formboard", "loom.kbl", "-q", *BOARD], BOARD[1::2]),
         "report": (["report", "scene.json", "-o", "a.html", *NATIVE], ["a.html"]),
         "planar": (["render", "planar.json", "-o", "a.png", "--size", "64x64", "--frames", "1"], ["a.png"])}


def names_of(words):
    return [word for word in words if word.startswith("a.") and word != "a.state"] + (["a.state"] if "a.state" in words else [])


def prepare(folder):
    (folder / "scene.json").write_text(json.dumps(SCENE))
    for name, place in (("loom.kbl", SCENES), ("capstan-brake.json", SCENES / "planar")):
        shutil.copy(place / name, folder / ("planar.json" if name.endswith("json") else name))
    (folder / "small.vec").write_text(vec_files.small("2.1.0"))
    (folder / "table.json").write_text(LIMITS)
    (folder / "twist.json").write_text(json.dumps(TWIST))
    (folder / "bodies.json").write_text(json.dumps(BODIES))
    subprocess.run([PROGRAM, "run", "scene.json", *NATIVE, "--probes", "tracks.csv", "-q"], cwd=folder, check=True)
    subprocess.run([PROGRAM, "convert", "loom.kbl", "loom.vec", "-q"], cwd=folder, check=True)
    for name, limits in (("old.json", "{}"), ("new.json", LIMITS)):
        subprocess.run([PROGRAM, "report", "scene.json", *NATIVE, "-o", name, "-q", "--limits", limits], cwd=folder, check=True)
    subprocess.run([PROGRAM, "run", "scene.json", *NATIVE, "--frames", "1", "--checkpoint", "old.state", "-q"], cwd=folder, check=True)


def failing(folder, words, number, **more):
    """(exit code, stderr, calls, blocks not freed, objects of OpenCL not released)"""
    for entry in folder.glob("a*"):
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    (folder / "told").unlink(missing_ok=True)
    environment = dict(os.environ, LD_PRELOAD=FAULTS, CLCABLE_FAULT=f"{KIND}:{number}", CLCABLE_FAULT_TOLD="told", **more)
    done = subprocess.run([PROGRAM, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    told = folder / "told"
    # the process that draws does all, and comes first; the one of HDF5 has copies of all that is not its own, and HDF5 may end it by exit()
    lines = told.read_text().splitlines() if told.exists() else []
    line = (lines[-1] if "a.vtkhdf" in words else lines[0]) if lines else "0 0 0 0"
    calls, left, objects, _ = map(int, line.split())
    return done.returncode, done.stderr, calls, left, objects


def wrong(folder, outputs, result, whole, kept):
    code, said, _, left, objects = result
    # a C library that aborts, as NSS does without memory, says so before the guard can (host/cli/guard.c)
    lines = [line for line in said.splitlines() if not line.startswith("clcable: warning: ") and not ("Assertion `" in line and line.endswith("' failed."))]
    if code not in (0, 1):
        return f"exit code {code}: {said[-200:]}"
    if code == 1 and (len(lines) != 1 or not lines[0].startswith("clcable: ")):
        return f"expected one line, got {lines}"
    if code == 0 and lines:
        return f"done, but said {lines}"
    if KIND == "crash" and not (code == 1 and "the process that draws ended by itself (Segmentation fault)" in said):
        return f"exit code {code}, {lines}"
    missing = [name for name in outputs if not (folder / name).exists()]
    if code == 0 and missing:
        return f"done, but not there: {missing}"
    other = [name for name, content in contents(folder, kept).items() if content != kept[name]]
    if code == 0 and other:
        return f"done, but other than where nothing fails: {other}"
    parts = [entry.name for entry in folder.rglob("*") if ".part-" in entry.name]
    if parts:
        return f"left {parts}"
    if left > whole[3] or objects > whole[4]:
        return f"{left} blocks not freed, {whole[3]} where nothing fails; {objects} objects not released, {whole[4]}"
    return None


def first_calls(folder, words):
    """The number of the first call at each place."""
    places = folder / "places"
    places.unlink(missing_ok=True)
    failing(folder, words, 0, CLCABLE_FAULT_PLACES="places")
    return sorted({int(line) for line in places.read_text().split()})


def contents(folder, outputs):
    return {name: (folder / name).read_bytes() for name in outputs if (folder / name).exists()}


def main():
    failed, codes = [], {}
    commands = {"alloc": MEMORY, "opencl": OPENCL, "crash": CRASH}[KIND]
    with tempfile.TemporaryDirectory(prefix="clcable-faults-") as home:
        folder = pathlib.Path(home)
        prepare(folder)
        for index, (name, (words, outputs)) in enumerate(commands.items()):
            if ONLY and name not in ONLY:
                continue
            whole = failing(folder, words, 0)
            if whole[0] != 0:
                print(f"{name}: left out: {whole[1].strip()}")
                continue
            outputs = names_of(outputs)
            kept = contents(folder, outputs)
            whole = failing(folder, words, 0)
            kept = {name: content for name, content in contents(folder, outputs).items() if content == kept[name]}
            calls, tried, bad = whole[2] * BEYOND.get(name, 1), 0, []
            numbers = first_calls(folder, words) if PLACES else range(1, calls + 1)
            for number in numbers[index % STRIDE::STRIDE]:
                result = failing(folder, words, number)
                tried += 1
                codes[result[0]] = codes.get(result[0], 0) + 1
                what = wrong(folder, outputs, result, whole, kept)
                if what:
                    bad.append(f"{name}, call {number} of {calls}: {what}")
            print(f"{name}: {calls} calls{f' at {len(numbers)} places' if PLACES else ''}, {tried} failed, {len(bad)} not in order", flush=True)
            failed += bad
    print("by exit code:", codes)
    assert not failed, "\n" + "\n".join(failed[:40])


main()
