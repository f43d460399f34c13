"""clcable itself, through its command line, measured with the yardstick of the peers."""
import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import scene as scenes


def read_vtp(path):
    """Points of a .vtp as clcable writes it: they are the first array."""
    blocks = open(path, "rb").read().split(b'<AppendedData encoding="raw">\n_', 1)[1]
    size = int(np.frombuffer(blocks, "<u8", 1, 0)[0])
    return np.frombuffer(blocks, "<f4", size // 4, 8).reshape(-1, 3).astype(float)


def settings(case):
    return [f"--set={pointer}={json.dumps(value)}" for pointer, value in scenes.overrides(case).items()]


def command(options, case, *more):
    words = [options.clcable, "run", str(scenes.scene_file(case)), *settings(case), "--device", options.device,
             "--substeps", str(options.substeps), "--quiet", *more]
    if options.device == "native":
        words += ["--threads", str(options.threads)]
    if options.method != "xpbd":
        words += ["--method", options.method]
    return words


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_once(options, case, folder):
    """Stepping time, all processor time, the report, and the last frame."""
    report, last = f"{folder}/report.json", f"{folder}/last.vtp"
    before = cpu()
    subprocess.run(command(options, case, "--report", report, "-o", last), check=True)
    spent = cpu() - before
    report = json.load(open(report))
    return report["wall_s"]["step"], spent, report, read_vtp(last)


def watch(options, scene, folder):
    """One cable, frame by frame."""
    if scene.contact:
        return []
    subprocess.run(command(options, "hang-1", "-o", f"{folder}/one.pvd"), check=True)
    return [read_vtp(f"{folder}/one_{frame:04}.vtp") for frame in range(1, scene.frames + 1)]


def version(program):
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"[\d.]+", text).group()


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", required=True)
    parser.add_argument("--clcable", default=shutil.which("clcable"))
    parser.add_argument("--device", default="native")
    parser.add_argument("--method", default="xpbd")
    parser.add_argument("--substeps", type=int)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    if not options.clcable:
        parser.error("no clcable in PATH; name it with --clcable")
    return options


def main():
    options = parse()
    scene = scenes.load(options.case)
    options.substeps = options.substeps or scene.substeps
    with tempfile.TemporaryDirectory() as folder:
        try:
            # compiles kernels, and tells whether there is such a method
            subprocess.run(command(options, options.case, "--frames", "1"), check=True)
        except subprocess.CalledProcessError as failure:
            sys.exit(failure.returncode)
        runs = [run_once(options, options.case, folder) for _ in range(options.repeat)]
        path = watch(options, scene, folder)
    report, x = runs[-1][2], runs[-1][3].reshape(scene.x.shape)
    method = f"{report['method']} {report['way']} {options.device.split(':')[0]}"
    row = scenes.row("clcable", version(options.clcable), method, scene, options, [r[:2] for r in runs], x, path)
    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
