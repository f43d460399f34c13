"""How long it takes to make environments of measured motions: each with keyframes of its own at both ends of a cable.

    python3 python/examples/motions.py --envs 256 --rows 1000

Prints milliseconds an environment of a `clcable.Batch`, with motions as arrays of NumPy and as lists. The best of three.
"""

import argparse
import time

import clcable
import numpy as np


def motion(rows: int, place: float, faster: float) -> np.ndarray:
    """Rows t, x, y, z of ten seconds."""
    t = np.linspace(0, 10, rows)
    return np.stack([t, place + 0.1 * np.sin(faster * t), 0.1 * np.cos(t) - 0.1, 0 * t], axis=1)


def led(segments: int) -> clcable.Scene:
    """A cable of 1 m that both ends lead."""
    scene = clcable.Scene(method="direct")
    scene.add_material("wire", radius=0.003, linear_density=0.05, bending_stiffness=1e-4)
    scene.add_cable("a", "wire", [[0, 0, 0], [1, 0, 0]], segments=segments)
    for end, place in (("start", 0.0), ("end", 1.0)):
        scene.attach("a", end, {"keyframes": motion(2, place, 0)})
    return scene


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--segments", type=int, default=64)
    options = parser.parse_args()
    motions = {
        f"/attachments/{i}/to/keyframes": [motion(options.rows, i, 1 + env / options.envs) for env in range(options.envs)]
        for i in range(2)
    }
    best = {}
    for kind in ("arrays", "lists"):
        vary = motions if kind == "arrays" else {key: [rows.tolist() for rows in each] for key, each in motions.items()}
        best[kind] = float("inf")
        for _ in range(3):
            begun = time.perf_counter()
            clcable.Batch(led(options.segments), options.envs, vary=vary, device="native").close()
            best[kind] = min(best[kind], time.perf_counter() - begun)
    told = ", ".join(f"{1e3 * seconds / options.envs:.2f} ms as {kind}" for kind, seconds in best.items())
    print(f"{options.envs} environments of {options.segments} segments, two motions of {options.rows} rows: {told}")


if __name__ == "__main__":
    main()
