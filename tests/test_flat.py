"""Memory does not grow with the frames of a run, whatever it writes.

usage: test_flat.py PROGRAM [FRAMES]

A run of a small scene with all kinds of output, by a tenth of the frames (20,000 without FRAMES) and by all: the most memory that the longer
one has resident may be more by no more than MOST.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
FRAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
# What the allocator leaves between blocks: 30 kB were measured. 20 bytes a frame kept are 0.4 MB; a list of file names needs 190.
MOST = 200e3

SCENE = {
    "clcable": 1, "time": {"duration": 1e6, "frame_rate": 1000, "substeps": 1}, "method": "METHOD",
    "materials": {"wire": {"radius": 0.005, "linear_density": 0.05, "damping": 2}},
    "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.1, 0, 1]], "segments": 4}],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}],
    "colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": 0.1, "keyframes": [[0, 0, 0, 0], [1e5, 0, 0, 0.1]]}]}
KINDS = ["csv", "vtp", "obj", "vtkhdf", "usda", "npz", "pvd", "report", "state", "nothing"]


def peak(folder, words):
    """The most memory that is no file's, bytes, looked at every millisecond. What wait4() tells would be more even: it
    counts this script's own at the start."""
    process = subprocess.Popen([PROGRAM, "run", "scene.json", "--device", "native", "--threads", "1", "-q", *words], cwd=folder)
    status, most = pathlib.Path(f"/proc/{process.pid}/status"), 0
    while process.poll() is None:
        lines = [line for line in status.read_text().splitlines() if line.startswith(("RssAnon:", "Name:\tclcable"))]
        if len(lines) == 2:
            most = max(most, 1024 * int(lines[1].split()[1]))
        time.sleep(0.001)
    assert process.returncode == 0 and most, words
    return most


def words_of(kind):
    if kind == "report":
        return ["--report", "a.json"]
    if kind == "state":
        return ["--checkpoint", "a.state", "--checkpoint-every", "500"]
    return [] if kind == "nothing" else ["-o", f"a.{kind}"]


def main():
    grown = {}
    for method in sys.argv[3:] or ["xpbd"]:
        with tempfile.TemporaryDirectory(prefix="clcable-flat-") as home:
            folder = pathlib.Path(home)
            (folder / "scene.json").write_text(json.dumps({**SCENE, "method": method}))
            for kind in KINDS:
                frames = FRAMES // 10 if kind == "pvd" else FRAMES  # a file a frame
                few, many = (max(peak(folder, [*words_of(kind), "--frames", str(count)]) for _ in range(times))
                             for count, times in ((frames // 10, 3), (frames, 1)))  # a short run may be missed at its height
                print(f"{method} {kind}: {few / 1e6:.2f} MB after {frames // 10} frames, {many / 1e6:.2f} MB after {frames}")
                if many - few > MOST:
                    grown[method, kind] = many - few
                for entry in folder.glob("a*"):
                    entry.unlink()
    assert not grown, grown


main()
