"""A Gymnasium environment: lay a cable around pegs on a board, past each of them on a given side, by its free end.

    pip install clcable gymnasium
    python route.py --envs 64 --steps 300

runs many environments side by side under a simple rule and tells how many cables were routed, and how fast it went.
"""

from __future__ import annotations

import numpy as np
from hand import HandEnv, play

import clcable

PEGS = np.array([0.2, 0.4, 0.6])  # m: x of the pegs; each environment has its own y
ASIDE = 0.08  # m: |y| of a peg, at most
ROUND = 0.012  # m: radius of a peg
TALL = 0.06  # m: its height
GOAL = np.array([0.8, 0.0, 0.02])  # where the hand has to come
HOME = np.array([0.0, -0.1, 0.02])
REACH = np.array([-0.1, -0.25, 0.01]), np.array([0.9, 0.25, 0.2])
SPEED = 0.5  # m/s of the hand, at most
NEAR = 0.02  # m from the goal
PAST = 0.03  # m: how far aside of a peg's axis the rule leads the hand


def board(segments: int = 48) -> clcable.Scene:
    """A cable that lies on a board in a bight, held at its start; pegs, which friction of the cable pulls at."""
    scene = clcable.Scene(method="direct", substeps=10, contact={"cables": False, "self": False})
    scene.add_material("cord", radius=0.003, linear_density=0.03, bending_stiffness=1e-4, damping=2.0, friction=0.2)
    bight = [[0, 0, 0.004], [-0.4, 0, 0.004], [-0.45, -0.05, 0.004], [-0.4, -0.1, 0.004], HOME]
    scene.add_cable("cord", "cord", bight, segments=segments, length=1.1)
    scene.attach("cord", "end")
    scene.attach("cord", "start")
    scene.add_collider("plane", name="board", point=[0, 0, 0], normal=[0, 0, 1], friction=0.3)
    for k, x in enumerate(PEGS):
        ends = {"from": [x, 0, -0.02], "to": [x, 0, TALL]}
        scene.add_collider("capsule", name=f"peg {k}", radius=ROUND, friction=0.2, **ends)
    return scene


class Route(HandEnv):
    """Observations: the hand against the goal; of each peg its place against the hand, the side on which the cable has to pass it (1:
    where y is larger, -1: smaller), and whether it does. Reward: minus the hand's distance to the goal plus the share of pegs passed
    rightly, in 100; and 1 when all are and the hand is at the goal.
    """

    def __init__(self, num_envs: int = 64, segments: int = 48, frames: int = 2, limit: int = 150, seed: int = 0):
        """frames: of 1/60 s in a step. limit: steps in an episode."""
        chance = np.random.default_rng(seed)
        self._peg = np.zeros((num_envs, len(PEGS), 3))
        self._peg[:, :, 0] = PEGS
        self._peg[:, :, 1] = chance.uniform(-ASIDE, ASIDE, (num_envs, len(PEGS)))
        vary = {}
        for k in range(len(PEGS)):
            vary[f"/colliders/{k + 1}/from"] = self._peg[:, k] - [0, 0, 0.02]
            vary[f"/colliders/{k + 1}/to"] = self._peg[:, k] + [0, 0, TALL]
        batch = clcable.Batch(board(segments), num_envs, vary=vary, device="native")
        size = 3 + 5 * len(PEGS)
        super().__init__(batch, HOME, REACH, size, speed=SPEED, frames=frames, limit=limit)
        self._side = np.ones((num_envs, len(PEGS)))

    def passed(self) -> np.ndarray:
        """The side on which each cable passes each peg: that of where it last goes by the peg's x, below its top; 0: it does not."""
        nodes = self._nodes(slice(None))
        start, end = nodes[:, :-1], nodes[:, 1:]
        sides = np.zeros(self._side.shape)
        for k, x in enumerate(PEGS):
            crosses = (start[:, :, 0] < x) & (end[:, :, 0] >= x)
            last = crosses.shape[1] - 1 - np.argmax(crosses[:, ::-1], axis=1)
            a, b = (np.take_along_axis(p, last[:, None, None], axis=1)[:, 0] for p in (start, end))
            gap = b[:, 0] - a[:, 0]
            share = np.divide(x - a[:, 0], gap, out=np.zeros_like(gap), where=gap != 0)
            y, z = (a[:, i] + share * (b[:, i] - a[:, i]) for i in (1, 2))
            low = crosses.any(axis=1) & (z < TALL)
            sides[:, k] = np.where(low, np.sign(y - self._peg[:, k, 1]), 0)
        return sides

    def _aim(self, mask: np.ndarray) -> None:
        self._side[mask] = self.np_random.choice([-1.0, 1.0], (int(mask.sum()), len(PEGS)))

    def _observe(self) -> list[np.ndarray]:
        right = self.passed() == self._side
        pegs = self._peg - self._hand[:, None]
        return [GOAL - self._hand, np.concatenate([pegs, self._side[:, :, None], right[:, :, None]], axis=2)]

    def _judge(self) -> tuple[np.ndarray, np.ndarray]:
        right = self.passed() == self._side
        distance = np.linalg.norm(self._hand - GOAL, axis=1)
        return right.all(axis=1) & (distance < NEAR), (right.mean(axis=1) - distance) / 100


def rule(observation: np.ndarray) -> np.ndarray:
    """The hand goes to a place beside the next peg, on its side; behind the last one to the goal."""
    pegs = observation[:, 3:].reshape(-1, len(PEGS), 5)
    beside = pegs[:, :, :3] + np.stack([np.zeros_like(pegs[:, :, 3]), PAST * pegs[:, :, 3], 0 * pegs[:, :, 3]], axis=2)
    beside[:, :, 2] = observation[:, None, 2]  # at the height of the goal
    way = observation[:, :3].copy()
    for k in reversed(range(len(PEGS))):
        ahead = beside[:, k, 0] > 0.005
        way[ahead] = beside[ahead, k]
    length = np.linalg.norm(way, axis=1, keepdims=True)
    return way / np.maximum(length, 0.02)


if __name__ == "__main__":
    play(Route, rule, __doc__.splitlines()[0])
