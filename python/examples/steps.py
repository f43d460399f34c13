"""Steps of environments a second: a `clcable.Batch` of one hanging cable each, without contact or over a floor.

    python3 python/examples/steps.py --envs 1024 --segments 32 --method direct --threads 2
    python3 python/examples/steps.py --device opencl --each-step reset
    python3 python/examples/steps.py --envs 64 --floor 1.1

A step is a frame of 1/60 s, after which all positions are read. Before it the held ends of all are led on, all free ends are
pulled, or one environment in 200 is reset (--each-step). Processor time is what counts on a machine that does other work,
too; the time by the clock is that of all threads together. The best of some rounds.
"""

import argparse
import time

import numpy as np

import clcable


def hanging(options: argparse.Namespace) -> clcable.Scene:
    """A cable of 1 m that falls from aslant, held at one end; if it twists it is clamped at both, and rolled."""
    scene = clcable.Scene(
        substeps=options.substeps, method=options.method, contact={"cables": False, "self": options.self_contact}
    )
    if options.floor is not None:
        scene.add_collider("plane", name="floor", point=[0, 0, options.floor], normal=[0, 0, 1], friction=0.4)
    more = {"twisting_stiffness": 1e-4} if options.twist else {}
    if options.damping:
        more["bending_damping"] = options.damping
    scene.add_material("wire", radius=0.003, linear_density=0.05, bending_stiffness=1e-4, **more)
    scene.add_cable(
        "a", "wire", [[0, 0, 2], [0.6, 0, 1.2]], segments=options.segments, length=1.1 if options.twist else 1
    )
    scene.attach("a", "start", clamp=options.twist)
    if options.twist:
        scene.attach("a", "end", clamp=True, roll=1)
    if options.each_step == "forces":
        scene.add_load("a", 0.5 if options.twist else "end", force=[0, 0, 0])
    return scene


def act(batch: clcable.Batch, what: str, step: int) -> None:
    """What happens to environments before a step."""
    env = np.arange(len(batch))
    some = 0.01 * ((step + env) % 7)[:, None]
    if what == "targets":
        batch.set_targets(0, [0, 0, 2] + some * [1, 0, 0])
    elif what == "forces":
        batch.set_loads(0, some * [1, 0, 0])
    elif what == "reset":
        batch.reset((env + step) % 200 == 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--envs", type=int, default=1024)
    parser.add_argument("--segments", type=int, default=32)
    parser.add_argument("--substeps", type=int, default=20)
    parser.add_argument("--method", default="direct")
    parser.add_argument("--device", default="native")
    parser.add_argument("--threads", type=int, default=0, help="0 = all cores")
    parser.add_argument("--each-step", choices=["targets", "forces", "reset"], default="", help="what happens before")
    parser.add_argument("--twist", action="store_true", help="cables that twist, rolled at a clamp")
    parser.add_argument("--damping", type=float, default=0, help="of the bending, s")
    parser.add_argument("--floor", type=float, help="height of a floor, m; the cable begins at 1.2 to 2, and reaches 1")
    parser.add_argument("--self-contact", action="store_true", help="cables may touch themselves")
    parser.add_argument("--frames", type=int, default=60, help="in a round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    scene = hanging(options)
    begun = time.perf_counter()
    batch = clcable.Batch(scene, options.envs, device=options.device, threads=options.threads)
    made = time.perf_counter() - begun
    positions = batch.positions()
    batch.step(3)  # tables are made, memory is touched
    best_wall = best_cpu = float("inf")
    for _ in range(options.rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        for step in range(options.frames):
            act(batch, options.each_step, step)
            batch.step()
        best_wall = min(best_wall, time.perf_counter() - wall)
        best_cpu = min(best_cpu, time.process_time() - cpu)
    steps = options.envs * options.frames
    print(
        f"{options.envs} environments of {options.segments} segments, {options.method}, {options.substeps} substeps: "
        f"{steps / best_wall:,.0f} steps/s, {steps / best_cpu:,.0f} a processor second, made in {made:.2f} s; "
        f"lowest point {positions[..., 2].min():.3f} m"
    )


if __name__ == "__main__":
    main()
