"""clcable's Python module: each cable an environment of its own, whose positions are read after each frame."""
import argparse
import json
import sys

import clcable
import scene as scenes


class Environments:
    def __init__(self, scene, options):
        document = json.loads(scenes.scene_file("hang-1").read_text())
        document["cables"][0]["copies"]["count"] = [1, 1, 1]
        document["time"]["substeps"] = options.substeps
        document["method"] = METHOD
        one = clcable.Scene.from_dict(document)
        self.batch = clcable.Batch(one, scene.cables, device="native", threads=options.threads)
        self.x = self.batch.positions()

    def reset(self):
        self.batch.reset()

    def step(self):
        self.batch.step()

    def positions(self):
        return self.x

    def watch(self):
        return self.x[len(self.x) // 2].copy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--method", default="direct")
    own, sys.argv[1:] = parser.parse_known_args()
    METHOD = own.method
    options, scene = scenes.parse_arguments({"hang": 20}, hang_cables=64)
    scenes.run("clcable", clcable.__version__, f"{METHOD}, batch", scene, options, Environments)
