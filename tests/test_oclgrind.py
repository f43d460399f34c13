"""Every kernel under oclgrind, on tiny scenes: no race, no access out of bounds, no uninitialised read.

usage: test_oclgrind.py PART PROGRAM FOLDER       runs the scenes of a part; FOLDER/PART.txt tells the kernels that ran
       test_oclgrind.py --ran FOLDER LIST...      all kernels of the lists have run, after all parts
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from oclgrind_scenes import SCENES, WEDGE

# Several tests, so that cores share them: about equally long. `limits` and `groups` are other commands.
PARTS = {
    "contact": ("discrete", "sleep", "apart", "crossed", "thrown"),
    "direct": ("direct-discrete", "sleep-direct", "nets", "branches"),
    "everything": ("everything", "sheet", "sheet-jacobi", "groups", "jacobi", "pbd", "springs", "stiff-springs"),
    "feed": ("feed", "direct", "limits", "own", "own-alone"),
    "spans": ("spans", "loaded", "coupled"),
    "span_frames": ("span-frames",),
    "studies": ("planar", "planar-off", "planar-rest", "particles-fused", "particles-staged", "particles-cholesky",
                "particles-jacobi"),
    "ways": ("fused", "chunks", "chunks-double", "launches", "lanes", "lanes-bending", "lanes-mixed", "viscous", "viscous-mixed", "viscous-staged", "twist", "twist-staged", "directors", "bodies", "far", "curved", "near", "near-mixed", "near-pieces", "xpbd-lanes",
             "xpbd-lanes-bending", "xpbd-lanes-mixed"),
}
PARTS = {part: names for part, names in PARTS.items() if all(n in SCENES or n in ("limits", "groups") for n in names)}
# Nothing optimised, nothing inlined: of what LLVM makes of inlined functions, oclgrind does not know all.
BUILD = "-cl-opt-disable -Dalways_inline=noinline"
# The first three report struct sizes to test_kernels and take no part in a run. A drum by direct has not ended under oclgrind yet: of
# a scene as small as "feed" nothing was seen after 110 s.
NOT_RUN = {"layout", "particles_layout", "planar_layout", "direct_feed"}


def words_of(name, folder):
    """The program's, for what is run under this name."""
    if name == "limits":
        return ("bench", "--limits")
    scene = "sheet" if name == "groups" else name
    file = folder / f"{scene}.json"
    file.write_text(json.dumps(SCENES[scene]))
    if name == "groups":
        return ("sweep", str(file), "--vary", "/colliders/0/friction=0.1,0.3")
    return ("run", str(file))


def run(program, name, folder):
    """Names of the kernels that ran, None if anything is wrong: faults are printed."""
    log = folder / f"{name}.log"
    result = subprocess.run(["oclgrind", "--build-options", BUILD, "--uninitialized", "--data-races", "--log", str(log),
                             program, *words_of(name, folder), "--device", "opencl"],
                            env={**os.environ, "CLCABLE_CACHE_DIR": str(folder / "cache")}, capture_output=True, text=True)
    kernels = set(re.findall(r"^ran cab_(\w+)$", result.stdout, re.MULTILINE))
    faults = log.read_text() if log.exists() else ""
    ok = result.returncode == 0 and not faults and kernels
    print(f"{name}: {len(kernels)} kernels, {'ok' if ok else 'FAULTS'}, exit {result.returncode}", flush=True)
    if ok:
        return kernels
    print(faults[:5000], result.stderr[-3000:])
    return None


def run_part(part, program, notes):
    note = notes / f"{part}.txt"
    notes.mkdir(parents=True, exist_ok=True)
    note.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "wedge.obj").write_text(WEDGE)
        ran = [run(program, name, folder) for name in PARTS[part]]
    if None in ran:
        return 1
    note.write_text("".join(f"{kernel}\n" for kernel in sorted(set().union(*ran))))
    return 0


def check_ran(notes, lists):
    """No scene is in no part or in two, no kernel is left out."""
    runs = [name for part in PARTS.values() for name in part]
    assert sorted(runs) == sorted([*SCENES, "limits", "groups"]), "PARTS is not what there is in SCENES"
    wanted = set(re.findall(r"X\((\w+), \w+, (?:item|block|group)", "".join(path.read_text() for path in lists))) - NOT_RUN
    missed = wanted.difference(*((notes / f"{part}.txt").read_text().split() for part in PARTS))
    print(f"{len(wanted)} kernels in the list, {len(missed)} never ran:", *sorted(missed))
    return 1 if missed else 0


def main():
    what, *paths = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    if not shutil.which("oclgrind"):
        print("skipped: oclgrind is not installed")
        return 77
    return check_ran(paths[0], paths[1:]) if what == "--ran" else run_part(what, *paths)


if __name__ == "__main__":
    sys.exit(main())
