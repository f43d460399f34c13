"""No fused multiplication and addition in what the compilers make of the kernels.

usage: test_fused.py library OBJDUMP COMPILER LIBRARY
       test_fused.py pocl OBJDUMP PROGRAM SCENES

Such an instruction rounds once where the source says twice: one in a kernel, and instruction sets and devices no longer
agree to the bit. So the machine code of the library is read, all instruction sets of it, and that which PoCL makes of
the kernels: on any processor, also one that cannot run it.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# x86: vfmadd132ps, vfnmsub..., vfmaddsub..., vfmsubadd..., vfcmaddcph; aarch64: fmadd, fnmsub, fmla, fmls, fmlal, fcmla,
# fmad, fmsb, fnmla, bfmlalb
FUSED = r"vfn?m(?:add|sub)\w*|vfc?m(?:add|ul)c[ps]h|b?fn?m(?:add|sub|la|ls|ad|sb)\w*|fcmla"
# a file's head; that of a function; an instruction that is one of these
LINE = re.compile(rf"^(?P<file>\S.*?):\s+file format |^[0-9a-f]+ <(?P<function>.+)>:$"
                  rf"|^ *[0-9a-f]+:\s+(?:\{{\w+\}} *)?(?P<fused>(?:{FUSED})\b.*)$", re.MULTILINE)

CABLES, STUDIES = {"fused", "lanes_xpbd_bending"}, {"planar", "particles_fused"}  # some of each object
KERNELS = {"baseline": CABLES | STUDIES, "avx2": CABLES | STUDIES, "avx512": CABLES}
X86 = ("x86_64", "amd64")

# Runs, and the folders of the kernels that they make PoCL compile: the work-group's shape, and whether the range begins
# at 0 and is small.
RUNS = (("run", "log-cabin.json", "--frames", "2"),
        ("run", "hang.json", "--frames", "2", "--method", "direct"),
        ("run", "particles/hair.json", "--duration", "0.01"),
        ("run", "planar/stress-cables-2.json", "--duration", "0.1"),
        ("bench", "hang-4096", "--frames", "1", "--method", "xpbd"))
SHAPES = {"0-0-0", "1-1-1-goffs0-smallgrid", "64-1-1-goffs0", "64-1-1-goffs0-smallgrid"}


def read(objdump, files):
    """Functions of these files, and a line for each fused instruction."""
    text = subprocess.run([objdump, "--disassemble", "--no-show-raw-insn", *map(str, files)], check=True,
                          capture_output=True, text=True).stdout
    functions, fused, place = set(), [], {}
    for found in LINE.finditer(text):
        place[found.lastgroup] = found[found.lastgroup]
        if found.lastgroup == "function":
            functions.add(found["function"])
        elif found.lastgroup == "fused":
            fused.append(f"{place['file']}: {place['function']}: {found['fused']}")
    return functions, fused


def tell(fused):
    for line in fused:
        print("fused:", line)
    return not fused


def check_sight(objdump, compiler, folder):
    """One that the compiler was asked for is seen."""
    (folder / "fused.c").write_text("double fused(double a, double b, double c) { return a * b + c; }\n")
    flags = ["-O2", "-ffp-contract=fast"] + ["-mfma"] * (os.uname().machine.lower() in X86)
    subprocess.run([compiler, *flags, "-c", "fused.c", "-o", "fused.o"], cwd=folder, check=True)
    functions, fused = read(objdump, [folder / "fused.o"])
    assert "fused" in functions and len(fused) == 1, (functions, fused)


def check_library(objdump, compiler, library):
    with tempfile.TemporaryDirectory() as folder:
        check_sight(objdump, compiler, pathlib.Path(folder))
    functions, fused = read(objdump, [library])
    for name, kernels in KERNELS.items():
        if name == "baseline" or os.uname().machine.lower() in X86:
            missed = {f"cab_native_run_{name}_{kernel}" for kernel in kernels} - functions
            assert not missed, f"not in {library}: {missed}"
    return 0 if tell(fused) else 1


def find_pocl(program):
    devices = json.loads(subprocess.run([program, "devices", "--json"], check=True, capture_output=True).stdout)
    return next((d["id"] for d in devices if d["platform"] == "Portable Computing Language" and not d["gpu"]), None)


def check_pocl(objdump, program, scenes):
    device = find_pocl(program)
    if not device:
        print("skipped: no PoCL here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # binaries are asked for, so that kernels that do not run here are compiled, too: those of 0-0-0
        environment = {**os.environ, "CLCABLE_SCENES": scenes, "CLCABLE_KEEP_BINARIES": "1"}
        environment["CLCABLE_CACHE_DIR"] = str(folder / "programs")  # empty, so that every program is built
        # The tests share what PoCL has compiled. It notes when it last looked at a program: others are not of these runs.
        cache = pathlib.Path(environment.setdefault("POCL_CACHE_DIR", str(folder / "pocl")))
        cache.mkdir(exist_ok=True)
        (folder / "begun").touch()
        begun = (folder / "begun").stat().st_mtime
        for command, case, *words in RUNS:
            path = os.path.join(scenes, case) if command == "run" else case
            subprocess.run([program, command, path, *words, "--device", device, "--quiet"], env=environment, check=True,
                           stdout=subprocess.DEVNULL)
        built = [path.parent for path in cache.glob("**/last_accessed") if path.stat().st_mtime >= begun]
        objects = sorted(path for place in built for path in place.glob("**/cab_*.so"))  # not those of CLBlast, which is not ours
        shapes = {path.parent.name for path in objects}
        kernels = {path.stem for path in objects}
        assert SHAPES <= shapes, shapes
        assert {f"cab_{name}" for name in CABLES | STUDIES} <= kernels, kernels
        print(f"{len(objects)} objects, {len(kernels)} kernels, {', '.join(sorted(shapes))}")
        return 0 if tell(read(objdump, objects)[1]) else 1


def main():
    what, objdump, *rest = sys.argv[1:]
    if not shutil.which(objdump):
        print("skipped: no objdump, which comes with gcc's binutils")
        return 77
    return {"library": check_library, "pocl": check_pocl}[what](objdump, *rest)


if __name__ == "__main__":
    sys.exit(main())
