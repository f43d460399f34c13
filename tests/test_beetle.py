"""A whole car's wire harness, 183 cables joined at their ends, holds together for a second.

The scene is ../shared/data/beetle.json; where that folder is missing the test is skipped.
"""
import array
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# s; sanitizers look for wrong addresses, which a tenth of it shows as well
DURATION = 0.1 if "CLCABLE_SANITIZED" in os.environ else 1
SUBSTEPS = 80
DIRECT_SUBSTEPS = 20
JUNCTION_GAP = 1e-4  # m; asked for
MEAN_STRETCH = 0.01  # asked for
# the direct method, with and without contact: two holds of Segment_116 are 3.57 % further apart than the cable between them is long, which
# its two segments share unevenly; all others can be, and are, within 1 %
DIRECT_WORST = 0.06
DIRECT_MEAN = 0.0005  # those two make 3e-5 of it
FLUNG = 20  # m/s; asked for
HELD_MOVES = 1e-6  # m; coordinates of some metres in 32 bits


def read_vtp(path):
    """Points and velocities, lists of (x, y, z)."""
    data = path.read_bytes()
    head, _, blocks = data.partition(b"<AppendedData encoding=\"raw\">\n_")
    arrays = {}
    for name, offset in re.findall(rb'Name="(\w+)"[^/]*offset="(\d+)"', head):
        start = int(offset)
        size = int.from_bytes(blocks[start:start + 8], "little")
        if name in (b"points", b"velocity"):
            values = array.array("f", blocks[start + 8:start + 8 + size])
            arrays[name] = list(zip(values[0::3], values[1::3], values[2::3]))
    return arrays[b"points"], arrays[b"velocity"]


def distance(a, b):
    return sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5


class Places:
    """Nodes of the output by cable and place."""

    def __init__(self, scene):
        self.first, self.segments, self.count = {}, {}, 0
        for cable in scene["cables"]:
            self.first[cable["name"]] = self.count
            self.segments[cable["name"]] = cable["segments"]
            self.count += cable["segments"] + 1

    def find(self, cable, at):
        fraction = {"start": 0, "end": 1}.get(at, at)
        # the nearest, ties towards the start
        return self.first[cable] + math.ceil(fraction * self.segments[cable] - 0.5)


def check_frame(scene, places, first_points, points, velocities, worst):
    for hold in scene["attachments"]:
        node = places.find(hold["cable"], hold["at"])
        if hold["to"] == "here":
            worst["held"] = max(worst["held"], distance(points[node], first_points[node]))
        else:
            other = places.find(hold["to"]["cable"], hold["to"]["at"])
            worst["gap"] = max(worst["gap"], distance(points[node], points[other]))
    worst["speed"] = max(worst["speed"], max(distance(v, (0, 0, 0)) for v in velocities))


def check(program, scene_file, device, folder):
    scene = json.loads(scene_file.read_text())
    places = Places(scene)
    animation, report_file = folder / "beetle.pvd", folder / "report.json"
    subprocess.run([program, "run", scene_file, "--device", device, "--duration", str(DURATION), "--substeps", str(SUBSTEPS),
                    "-o", animation, "--report", report_file], check=True)
    report = json.loads(report_file.read_text())
    assert report["status"] == "ok" and report["cables"] == 183 and report["frames"] == round(60 * DURATION), report
    worst = {"gap": 0, "held": 0, "speed": 0}
    frames = sorted(folder.glob("beetle_*.vtp"))
    assert len(frames) == report["frames"] + 1, len(frames)
    first_points = read_vtp(frames[0])[0]
    assert len(first_points) == places.count
    for frame in frames:
        check_frame(scene, places, first_points, *read_vtp(frame), worst)
    mean = report["stretch"]["mean"]
    print(f"{device}: junction gap {worst['gap']:.2g} m, held ends moved {worst['held']:.2g} m, "
          f"fastest {worst['speed']:.3g} m/s, mean stretch {100 * mean:.3g} %")
    assert worst["gap"] < JUNCTION_GAP and worst["held"] < HELD_MOVES and worst["speed"] < FLUNG
    assert mean < MEAN_STRETCH


def check_direct(program, scene_file, device, folder, contact):
    report_file = folder / "direct.json"
    subprocess.run([program, "run", scene_file, "--device", device, "--duration", str(DURATION / 2), "--method", "direct",
                    "--substeps", str(DIRECT_SUBSTEPS), "--set", "/contact=" + json.dumps({"cables": contact, "self": contact}),
                    "--report", report_file], check=True)
    report = json.loads(report_file.read_text())
    stretch = report["stretch"]
    print(f"{device}, direct, contact {contact}: mean stretch {100 * stretch['mean']:.3g} %, worst {100 * stretch['worst_over_run']:.3g} %, "
          f"fastest {report['speed_max']:.3g} m/s")
    assert report["method"] == "direct" and report["status"] == "ok", report
    assert stretch["worst_over_run"] < DIRECT_WORST and stretch["mean"] < DIRECT_MEAN and report["speed_max"] < FLUNG


def main():
    program, shared = sys.argv[1], pathlib.Path(sys.argv[2])
    scene_file = shared / "data" / "beetle.json"
    if not scene_file.is_file():
        print(f"skipped: {scene_file} is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for number, device in enumerate(("native", "opencl")):
            inside = pathlib.Path(folder) / str(number)
            os.mkdir(inside)
            check(program, scene_file, device, inside)
            for contact in (False, True):
                check_direct(program, scene_file, device, inside, contact)
    return 0


if __name__ == "__main__":
    sys.exit(main())
