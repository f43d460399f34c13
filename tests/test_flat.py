"""Memory does not grow with the frames of a run, whatever it writes.

usage: test_flat.py PROGRAM LIBRARY [FRAMES [METHOD...]]

LIBRARY counts memory (faults.c). A run of a small scene with each kind of output, by a tenth of the frames (100,000 without FRAMES) and by
all: the most memory that the longer one has in use at once may be more by no more than MOST.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
FAULTS = os.path.abspath(sys.argv[2])
FRAMES = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
# 5 kB were seen, of writers that are a frame ahead or not. 20 bytes a frame kept are 1.8 MB, a list of file names 1.7 (.pvd): more than any of
# these runs needs at its start, which is what it hides behind.
MOST = 50e3

SCENE = {
    "clcable": 1, "time": {"duration": 1e6, "frame_rate": 1000, "substeps": 1}, "method": "METHOD",
    "materials": {"wire": {"radius": 0.005, "linear_density": 0.05, "damping": 2}},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.1, 0, 1]], "segments": 4}],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}],
    "colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": 0.1, "keyframes": [[0, 0, 0, 0], [1e5, 0, 0, 0.1]]}]}
KINDS = ["csv", "vtp", "obj", "vtkhdf", "usda", "npz", "pvd", "report", "state", "nothing"]


def peak(folder, words):
    """The most memory in use at once, bytes, as the library of faults.c counts it: by each call of malloc() and free(), the same in each
    run. What is resident would have to be looked at again and again, and a short run may be missed at its height."""
    environment = dict(os.environ, LD_PRELOAD=FAULTS, CLCABLE_FAULT="alloc:0", CLCABLE_FAULT_TOLD="told")
    subprocess.run([PROGRAM, "run", "scene.json", "--device", "native", "--threads", "1", "-q", *words], cwd=folder, env=environment,
                   check=True)
    return int((folder / "told").read_text().split()[3])


def words_of(kind):
    if kind == "report":
        return ["--report", "a.json"]
    if kind == "state":
        return ["--checkpoint", "a.state", "--checkpoint-every", "500"]
    return [] if kind == "nothing" else ["-o", f"a.{kind}"]


def main():
    grown = {}
    for method in sys.argv[4:] or ["xpbd"]:
        with tempfile.TemporaryDirectory(prefix="clcable-flat-") as home:
            folder = pathlib.Path(home)
            (folder / "scene.json").write_text(json.dumps({**SCENE, "method": method}))
            for kind in KINDS:
                frames = FRAMES // 10 if kind == "pvd" else FRAMES  # a file a frame
                few, many = (peak(folder, [*words_of(kind), "--frames", str(count)]) for count in (frames // 10, frames))
                print(f"{method} {kind}: {few / 1e6:.4f} MB after {frames // 10} frames, {many / 1e6:.4f} MB after {frames}")
                if many - few > MOST:
                    grown[method, kind] = many - few
                for entry in folder.glob("a*"):
                    entry.unlink()
    assert not grown, grown


main()
