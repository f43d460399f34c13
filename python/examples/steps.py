"""Steps of environments a second: a `clcable.Batch` of one hanging cable each, without contact.

    python3 python/examples/steps.py --envs 1024 --segments 32 --method direct --threads 2

A step is a frame of 1/60 s, after which all positions are read. Processor time is what counts on a machine that does other work,
too; the time by the clock is that of all threads together. The best of some rounds.
"""

import argparse
import time

import clcable


def hanging(segments: int, substeps: int, method: str) -> clcable.Scene:
    """A cable of 1 m that falls from aslant, held at one end."""
    scene = clcable.Scene(substeps=substeps, method=method, contact={"cables": False, "self": False})
    scene.add_material("wire", radius=0.003, linear_density=0.05, bending_stiffness=1e-4)
    scene.add_cable("a", "wire", [[0, 0, 2], [0.6, 0, 1.2]], segments=segments)
    scene.attach("a", "start")
    return scene


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--envs", type=int, default=1024)
    parser.add_argument("--segments", type=int, default=32)
    parser.add_argument("--substeps", type=int, default=20)
    parser.add_argument("--method", default="direct")
    parser.add_argument("--device", default="native")
    parser.add_argument("--threads", type=int, default=0, help="0 = all cores; native only")
    parser.add_argument("--frames", type=int, default=60, help="in a round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    scene = hanging(options.segments, options.substeps, options.method)
    batch = clcable.Batch(scene, options.envs, device=options.device, threads=options.threads)
    positions = batch.positions()
    batch.step(3)  # tables are made, memory is touched
    best_wall = best_cpu = float("inf")
    for _ in range(options.rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(options.frames):
            batch.step()
        best_wall = min(best_wall, time.perf_counter() - wall)
        best_cpu = min(best_cpu, time.process_time() - cpu)
    steps = options.envs * options.frames
    print(
        f"{options.envs} environments of {options.segments} segments, {options.method}, {options.substeps} substeps: "
        f"{steps / best_wall:,.0f} steps/s, {steps / best_cpu:,.0f} a processor second; lowest point {positions[..., 2].min():.3f} m"
    )


if __name__ == "__main__":
    main()
