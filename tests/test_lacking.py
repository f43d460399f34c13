"""Libraries that are loaded when used, on a machine that lacks them: one line that names what to install, nothing written, and all
that does not need them goes on.

usage: test_lacking.py PROGRAM SCENES

Empty files stand where the loader looks first: they are no libraries.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SCENES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
FILES = ("libhdf5_serial.so.103", "libhdf5.so.103", "libhdf5_serial.so.310", "libhdf5.so.310", "libhdf5.so.200",
         "libzip.so.4", "libzip.so.5", "libxml2.so.2", "libpng16.so.16", "libEGL.so.1", "libglfw.so.3", "libmpi.so.40",
         "libmpi.so.20")
RUN = ("run", "pendulum.json", "--device", "native", "--frames", "2", "--quiet", "-o")
CASES = {"HDF5": (*RUN, "a.vtkhdf"), "libzip": (*RUN, "a.npz"), "libxml2": ("check", "loom.kbl"), "libpng": (*RUN, "a.png"),
         "EGL": (*RUN, "a.gif"), "GLFW": ("view", "pendulum.json", "--device", "native")}


def call(folder, *words, **more):
    environment = {**os.environ, **more, "LD_LIBRARY_PATH": str(folder / "lacking")}
    return subprocess.run([PROGRAM, *words], cwd=folder, env=environment, capture_output=True, text=True)


with tempfile.TemporaryDirectory(prefix="clcable-lacking-") as home:
    here = pathlib.Path(home)
    (here / "lacking").mkdir()
    for file in FILES:
        (here / "lacking" / file).touch()
    for scene in ("pendulum.json", "loom.kbl"):
        shutil.copy(SCENES / scene, here)
    before = sorted(entry.name for entry in here.iterdir())
    for library, command in CASES.items():
        done = call(here, *command)
        assert done.returncode == 2 and not done.stdout, done
        built_without = re.search(f"without ({library}|the viewer)", done.stderr)
        expected = rf"clcable: (a\.\w+|loom\.kbl|a picture without a screen|view: a window): needs {library}, which is not there \(.*lib.*\); install lib[^\n]*\n"
        assert built_without or re.fullmatch(expected, done.stderr), done.stderr
    for rank in ("0", "1"):  # of a run that processes share; one of them says why it cannot be
        ranks = {"OMPI_COMM_WORLD_RANK": rank, "OMPI_COMM_WORLD_SIZE": "2"}
        done = call(here, *RUN, "a.csv", **ranks)
        expected = r"clcable: several processes: needs Open MPI, which is not there \(.*libmpi.*\); install lib[^\n]*\n"
        assert done.returncode == 2 and not done.stdout, done
        assert re.fullmatch(expected if rank == "0" else "", done.stderr), done.stderr
    assert sorted(entry.name for entry in here.iterdir()) == before
    assert call(here, *RUN, "a.csv").returncode == 0 and (here / "a.csv").exists()
