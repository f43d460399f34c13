"""Large scenes: what a particle costs in memory does not grow with their number, nor does what a cable costs that is read.

    test_large.py PROGRAM [ten-million]

With `ten-million` that many particles are built, stepped and written, where there is memory for it.
"""
import os
import pathlib
import re
import resource
import sys
import unittest

import commands

PROGRAM = os.path.abspath(sys.argv[1])
TEN_MILLION = "ten-million" in sys.argv[2:]
NEEDED = 9  # GiB: 6.6 are taken


def scene(cables):
    return {"clcable": 1, "method": {"name": "direct"}, "time": {"duration": 0.02, "frame_rate": 50, "substeps": 10}, "contact": {"cables": False, "self": False},
            "materials": {"wire": {"radius": 0.004, "linear_density": 0.05, "bending_stiffness": 1e-4, "damping": 0.5}},
            "cables": cables,
            "attachments": [{"cable": cable["name"], "at": at, "to": "here"} for cable in cables for at in ("start", "end")]}


def copies(count):
    """So many cables of 100 particles."""
    return scene([{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.6, 0, 1]], "segments": 99, "length": 0.7,
                   "copies": {"count": [1, count, 1], "spacing": [0, 0.01, 0]}}])


def listed(count):
    """So many cables that stand in the file one by one, each with two attachments."""
    return scene([{"name": f"c{i}", "material": "wire", "path": [[0, 0.1 * i, 1], [0.6, 0.1 * i, 1]], "segments": 4, "length": 0.7}
                  for i in range(count)])


class Case(commands.Case):
    program = PROGRAM


@unittest.skipIf(TEN_MILLION, "only the large one was asked for")
class Costs(Case):
    def costs(self, cables):
        """Microseconds and bytes a particle."""
        said = self.call("run", self.write("scene.json", copies(cables)), "--device", "native").stdout
        return [float(number) for number in re.search(r"set up in (\S+) us and (\S+) B a particle", said).groups()]

    def test_memory_is_flat(self):
        """10^4 to 10^6 particles. What does not grow with them, such as threads' stacks and buffers of files, is 0.8 MB, at 10^4 particles 80 B each."""
        bytes_of = {particles: self.costs(particles // 100)[1] for particles in (10_000, 100_000, 1_000_000)}
        self.assertLess(bytes_of[1_000_000], 750)
        self.assertLess(bytes_of[10_000], 160 + bytes_of[1_000_000])
        self.assertLess(bytes_of[100_000], 1.1 * bytes_of[1_000_000])
        self.assertLess(bytes_of[1_000_000], 1.1 * bytes_of[100_000])

    def test_few_tell_nothing(self):
        self.assertNotIn("a particle", self.call("run", self.write("scene.json", copies(99)), "--device", "native").stdout)

    def processor_time(self, cables):
        name = self.write(f"{cables}.json", listed(cables))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.call("check", name)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime

    def test_reading_is_linear(self):
        """Ten times the cables take ten times as long, and not a hundred times; the better of two, as others may be at work."""
        few, many = (min(self.processor_time(cables) for _ in range(2)) for cables in (3_000, 30_000))
        self.assertLess(many, 25 * few)
        self.assertLess(many, 2.0)


@unittest.skipUnless(TEN_MILLION, "ten million particles are a test of their own")
class TenMillion(Case):
    timeout = 1500

    def test_built_stepped_written(self):
        free = int(re.search(r"MemAvailable:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text())[1]) / 2**20
        if free < NEEDED:
            self.skipTest(f"{free:.1f} GiB of memory are free, {NEEDED} are needed")
        said = self.call("run", self.write("scene.json", copies(100_000)), "--device", "native", "-o", "last.vtp").stdout
        self.assertIn("100000 cables, 10000000 particles, 1 frames", said)
        self.assertLess(float(re.search(r"and (\S+) B a particle", said)[1]), 750)
        with open(self.folder / "last.vtp", "rb") as file:
            self.assertIn(b'NumberOfPoints="10000000"', file.read(4096))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
