"""The benchmark of environments runs."""

import os
import subprocess
import sys

from conftest import SOURCE


def test_a_short_round():
    words = ["--envs", "5", "--segments", "6", "--frames", "3", "--rounds", "1", "--threads", "2"]
    program = os.path.join(SOURCE, "python", "examples", "steps.py")
    said = subprocess.run([sys.executable, program, *words], capture_output=True, text=True, check=True).stdout
    assert said.startswith("5 environments of 6 segments, direct, 20 substeps: ") and "a processor second" in said
