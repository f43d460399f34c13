"""The operations that kernels/counts.h counts, against those that oclgrind sees.

usage: test_counts.py PROGRAM COUNTS_H

What a kernel does at ends of cables, once a launch or once a frame drops out of the second difference over segments and
substeps; what is left is one particle's in one substep.
"""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

OPERATIONS = ("fadd", "fsub", "fmul", "fdiv", "call _Z4sqrtf()")
SEGMENTS, SUBSTEPS, CABLES = (15, 31), (2, 4), 2
WIRE = {"radius": 0.01, "linear_density": 0.05, "damping": 0.1}


def scene(method, way, stiffness, iterations, segments, substeps):
    return {
        "clcable": 1,
        "time": {"duration": 0.01, "frame_rate": 100, "substeps": substeps, "iterations": iterations},
        "method": {"name": method, "way": way},
        "materials": {"wire": {**WIRE, "bending_stiffness": stiffness}},
        "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [1, 0, 2]], "segments": segments,
                    "copies": {"count": [1, CABLES, 1], "spacing": [0, 0.1, 0]}}],
        "attachments": [{"cable": "a", "at": "start", "to": "here"}],
        "contact": {"cables": False, "self": False},
    }


def operations(program, document, folder):
    """Of each kernel, over the run."""
    file = folder / "scene.json"
    file.write_text(json.dumps(document))
    result = subprocess.run(["oclgrind", "--inst-counts", program, "run", file, "--device", "opencl"], check=True,
                            capture_output=True, text=True)
    sums, kernel = collections.Counter(), None
    for line in result.stdout.splitlines():
        head = re.match(r"Instructions executed for kernel 'cab_(\w+)'", line)
        count = re.match(r" *(\d+) - (.*)", line)
        if head:
            kernel = head[1].removesuffix("_merged")  # the same work in another launch
        elif count and count[2] in OPERATIONS:
            sums[kernel] += int(count[1])
    return sums


def per_particle(program, folder, *what):
    sums = {(n, s): operations(program, scene(*what, n, s), folder) for n in SEGMENTS for s in SUBSTEPS}
    (n, more), (s, later) = SEGMENTS, SUBSTEPS
    return {k: (sums[more, later][k] - sums[more, s][k] - sums[n, later][k] + sums[n, s][k])
            / (CABLES * (more - n) * (later - s)) for k in sums[n, s]}


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2]).read_text()
    if not shutil.which("oclgrind"):
        print("skipped: oclgrind is not installed")
        return 77
    cost = {name: float(flops) for name, flops in re.findall(r"CAB_COST\((\w+), (\d+)", source)}
    chain = cost["lanes_xpbd"] + cost["lanes_xpbd_distance"]
    again = cost["lanes_xpbd_distance"] + cost["lanes_xpbd_bend_again"]
    staged = {f"direct_{k}": cost[f"direct_{k}"]
              for k in ("predict", "bend", "gather", "forward", "back", "condense", "substitute", "finish")}
    expected = {
        ("xpbd", "coloured", 1e-4, 1): {k: cost[k] for k in ("predict", "distance", "bending", "finish")},
        ("xpbd", "lanes", 0, 1): {"lanes_xpbd_lengths": chain},
        ("xpbd", "lanes", 1e-4, 1): {"lanes_xpbd_bending": chain + cost["lanes_xpbd_bend"]},
        ("xpbd", "lanes", 1e-4, 2): {"lanes_xpbd_bending": chain + cost["lanes_xpbd_bend"] + again},
        ("direct", "lanes", 0, 1): {"lanes_lengths": cost["lanes_lengths"]},
        ("direct", "lanes", 1e-4, 1): {"lanes_bending": cost["lanes_bending"]},
        ("direct", "staged", 1e-4, 1): staged,
    }
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for what, kernels in expected.items():
            seen = per_particle(program, pathlib.Path(folder), *what)
            for kernel, count in kernels.items():
                # gathering does less at the ends of a cable
                tolerance = 0.02 * count if kernel == "direct_gather" else 0
                ok = abs(seen.get(kernel, 0) - count) <= tolerance
                good &= ok
                print(*what, kernel, "expected", count, "seen", seen.get(kernel), "ok" if ok else "WRONG")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
