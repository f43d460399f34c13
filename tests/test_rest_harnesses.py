"""Harnesses made by random numbers rest, each of them.

    test_rest_harnesses.py PROGRAM [FIRST [COUNT]]

A harness is a tree of bundles, clamped to each other where they meet, whose thickness goes by the ends that they lead to. Two of three ends
are held, and so is where it begins. Bundles meet at nodes and touch there, as in a car.
"""
import json
import math
import os
import random
import sys
import unittest

import commands

PROGRAM = os.path.abspath(sys.argv[1])
FIRST = int(sys.argv[2]) if len(sys.argv) > 2 else 0
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 20


def tree(chance):
    """Places of nodes, m, and of each but the first the one that it hangs on."""
    places = [[chance.uniform(0, 2), chance.uniform(0, 0.8), chance.uniform(0, 0.4)] for _ in range(chance.choice([8, 15, 30, 60]))]
    near = [None]
    for i in range(1, len(places)):
        near.append(min(range(i), key=lambda k: math.dist(places[i], places[k]) + chance.uniform(0, 0.2)))
    return places, near


def ends_behind(near):
    """How many ends each node leads to."""
    ends = [0] * len(near)
    for i in range(len(near) - 1, 0, -1):
        ends[i] = ends[i] or 1
        ends[near[i]] += ends[i]
    return ends


def bundle(chance, ends):
    radius = 0.0015 * math.sqrt(ends) * chance.uniform(0.8, 1.6)
    return {"radius": radius, "linear_density": 3000 * math.pi * radius**2, "damping": 1, "friction": 0.3,
            "bending_stiffness": 3e6 * radius**4 * chance.uniform(0.2, 2)}


def harness(seed):
    chance = random.Random(seed)
    places, near = tree(chance)
    ends = ends_behind(near)
    scene = {"clcable": 1, "method": "direct", "time": {"duration": 2}, "contact": {"self": False, "parted": True},
             "materials": {}, "cables": [], "attachments": []}
    at = {}  # the first cable that begins or ends at a node, and at which of its ends
    for i in range(1, len(places)):
        a, b, name = places[near[i]], places[i], f"c{i}"
        scene["materials"][name] = bundle(chance, ends[i])
        middle = [(p + q) / 2 + chance.uniform(-0.05, 0.05) for p, q in zip(a, b)]
        scene["cables"].append({"name": name, "material": name, "path": [a, middle, b],
                                "segments": max(3, int(math.dist(a, b) / 0.02))})
        for node, end in ((near[i], "start"), (i, "end")):
            if node in at:
                scene["attachments"].append({"cable": name, "at": end, "clamp": True, "to": dict(zip(("cable", "at"), at[node]))})
            else:
                at[node] = (name, end)
    for i in range(len(places)):
        if i == 0 or (i not in near and chance.random() < 2 / 3):
            scene["attachments"].append({"cable": at[i][0], "at": at[i][1], "to": "here"})
    return scene


class Harnesses(commands.Case):
    program = PROGRAM

    def test_all_of_them_rest(self):
        for seed in range(FIRST, FIRST + COUNT):
            scene = harness(seed)
            self.write("scene.json", scene)
            self.call("run", "scene.json", "--settle", "--device", "native", "--report", "r.json", "--quiet")
            report = json.loads((self.folder / "r.json").read_text())
            rest = report["equilibrium"]
            self.assertTrue(report["settled"], seed)
            self.assertLess(rest["residual_N"], 1e-3, seed)  # what is asked for where something touches
            thickest = max(material["radius"] for material in scene["materials"].values())
            self.assertLess(rest["overlap"], 0.01 * 2 * thickest, seed)  # OVERLAP_MOST of host/statics/touch.c
            print(f"{seed}: {len(scene['cables'])} cables, {rest['iterations']} steps, {rest['residual_N']:.1g} N left")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
