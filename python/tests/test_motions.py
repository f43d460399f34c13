"""The benchmark of environments with measured motions runs."""

import os
import subprocess
import sys

from conftest import SOURCE


def test_a_few():
    words = ["--envs", "3", "--segments", "6", "--rows", "20"]
    program = os.path.join(SOURCE, "python", "examples", "motions.py")
    said = subprocess.run([sys.executable, program, *words], capture_output=True, text=True, check=True).stdout
    assert said.startswith("3 environments of 6 segments, two motions of 20 rows: ") and said.count(" ms as ") == 2
