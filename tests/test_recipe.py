"""Follows the recipe "to add a constraint" of docs/contributing.md in a copy of the sources: the constraint `level` (tests/recipe), built
and run on both backends. It may touch ten files at most, and must do what it says.

usage: test_recipe.py ROOT FOLDER"""
import csv
import filecmp
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT, FOLDER = Path(sys.argv[1]), Path(sys.argv[2])
MOST_FILES = 10
COPIED = ["CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake", "host", "include", "kernels", "scenes"]
NEW = {"level.h": "kernels", "level.cl": "kernels", "level.c": "host/constraint"}
# (file, a piece of text in it, what takes its place)
EDITS = [
    ("host/backend/kernels.h", "    X(own_colour) ", "    X(level) /* cab_level */ X(level_lambda) /* float, like level */ \\\n    X(own_colour) "),
    ("host/backend/kernels.h", "    X(own, own, item,",
     "    X(level, level, item, params, offset, level_lambda, position, level) \\\n    X(own, own, item,"),
    ("host/backend/native/native_kernels.c", '#include "kernels/limits.cl"', '#include "kernels/level.cl"\n#include "kernels/limits.cl"'),
    ("host/constraint/kinds.c", "extern const cab_constraint_kind ", "extern const cab_constraint_kind cab_level_kind, "),
    ("host/constraint/kinds.c", "cab_constraint_kinds[] = {", "cab_constraint_kinds[] = {&cab_level_kind, "),
    ("host/constraint/CMakeLists.txt", "  kinds.c", "  kinds.c\n  level.c"),
    ("scenes/scene.schema.json", '    "loads": {', '    "levels": {"type": "array", "items": {"type": "object"}},\n    "loads": {'),
]
SCENE = {
    "clcable": 1,
    "time": {"duration": 3, "substeps": 20},
    "materials": {"rope": {"radius": 0.004, "linear_density": 0.06, "damping": 4}},
    "cables": [{"name": "line", "material": "rope", "path": [[0, 0, 1], [1, 0, 1]], "length": 1.2, "segments": 20,
                "copies": {"count": [1, 2, 1], "spacing": [0, 0.5, 0]}}],
    "attachments": [{"cable": "line", "at": "start", "to": "here"}, {"cable": "line", "at": "end", "to": "here"}],
    "levels": [{"cable": "line", "at": 0.5, "height": 0.9}],
}


def edit(file, text, instead):
    path = FOLDER / file
    before = path.read_text()
    assert before.count(text) == 1, f"{file}: expected one {text!r}, found {before.count(text)}"
    path.write_text(before.replace(text, instead))


def changed_files():
    return [str(p.relative_to(FOLDER)) for part in COPIED for p in sorted((FOLDER / part).rglob("*") if (FOLDER / part).is_dir() else [FOLDER / part])
            if p.is_file() and not ((ROOT / p.relative_to(FOLDER)).is_file() and filecmp.cmp(p, ROOT / p.relative_to(FOLDER), shallow=False))]


def build():
    options = ["-DCMAKE_BUILD_TYPE=Debug", "-DCLCABLE_VIEW=OFF", "-DCLCABLE_TESTS=OFF", "-DCLCABLE_EXAMPLES=OFF", "-DCLCABLE_KBL=OFF",
               "-DCLCABLE_HDF5=OFF", "-DCLCABLE_LIBZIP=OFF", "-DCLCABLE_CLBLAST=OFF", "-DCLCABLE_STUDIES=OFF", "-DCLCABLE_WERROR=ON"]
    for command in (["cmake", "-S", FOLDER, "-B", FOLDER / "build", "-G", "Ninja", *options], ["cmake", "--build", FOLDER / "build"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return FOLDER / "build/bin/clcable"


def run(program, device, *more):
    scene, out = FOLDER / "level.json", FOLDER / f"{device}.csv"
    scene.write_text(json.dumps(SCENE))
    done = subprocess.run([program, "run", scene, "--device", device, "--quiet", "-o", out, *more], capture_output=True, text=True)
    return done, out


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for part in COPIED:
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, FOLDER / part)
    for name, room in NEW.items():
        shutil.copy(ROOT / "tests/recipe" / name, FOLDER / room / name)
    for file, text, instead in EDITS:
        edit(file, text, instead)
    files = changed_files()
    assert len(files) <= MOST_FILES, files
    program, places = build(), {}
    for device in ("native", "opencl"):
        done, out = run(program, device)
        assert done.returncode == 0, done.stderr
        with open(out, newline="") as text:
            rows = [r for r in csv.DictReader(text) if r["particle"] == "10"]
        assert len(rows) == 2, rows  # both copies of the cable
        # after 3 s of damping of 4/s what is left of the fall is exp(-6) of it; the spring that the height is has no compliance
        assert all(abs(float(r["z"]) - 0.9) < 1e-6 for r in rows), rows
        places[device] = out.read_bytes()
    assert places["native"] == places["opencl"], "the backends differ"
    done, _ = run(program, "native", "--set", '/method={"name":"xpbd","way":"fused"}', "--set", '/contact={"cables":false,"self":false}')
    assert done.returncode == 2 and "a place is kept at a height" in done.stderr, done.stderr
    done, _ = run(program, "native", "--method", "direct")
    assert done.returncode == 2 and "/levels" in done.stderr, done.stderr
    done, _ = run(program, "native", "--set", "/levels/0/height=1e9")
    assert done.returncode == 2 and "/levels/0/height" in done.stderr, done.stderr
    print(f"{len(files)} files for a constraint: {' '.join(files)}")
    shutil.rmtree(FOLDER)


os.environ["CLCABLE_IGNORE_TUNING"] = "1"
main()
