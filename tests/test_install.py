"""Installs the project and builds the examples against what was installed, and nothing else."""
import os
import pathlib
import subprocess
import sys
import tempfile


def call(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=True, **options)


def check_program(prefix):
    program = prefix / "bin" / "clcable"
    environment = {key: value for key, value in os.environ.items() if key != "CLCABLE_SCENES"}
    text = call(program, "--version", capture_output=True, text=True).stdout
    assert text.startswith("clcable "), text
    text = call(program, "bench", "hang-16", "--device", "native", "--frames", "2", env=environment,
                capture_output=True, text=True).stdout
    assert "hang-16" in text, text


def check_hello(build):
    text = call(build / "hello", "native", capture_output=True, text=True).stdout
    lines = {line.split("middle")[0].strip(): line for line in text.splitlines()}
    assert set(lines) == {"at first", "hanging", "lifted"}, text

    def number(line, before):
        return float(line.split(before)[1].split()[0])

    # 1.2 m over 1 m hang through by 0.29 m (catenary: sag/span 0.2923); 3 mm: not quite at rest, 40 segments.
    assert abs(number(lines["hanging"], "middle at z =") - (1 - 0.2923)) < 3e-3, text
    assert abs(number(lines["lifted"], "right end at z =") - 1.2) < 1e-6, text
    # Half of the weight hangs on each end: 0.05 kg/m, 1.2 m; with the pull 0.4695 of the weight of one span.
    weight = 0.05 * 9.81
    assert abs(number(lines["hanging"], "left end") - ((0.6 * weight) ** 2 + (0.4695 * weight) ** 2) ** 0.5) \
        < 0.03 * weight, text  # a segment is 1/40 of the length


def main():
    build, examples, config = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    with tempfile.TemporaryDirectory() as folder:
        prefix, out = pathlib.Path(folder) / "prefix", pathlib.Path(folder) / "build"
        call("cmake", "--install", build, "--prefix", prefix, "--config", config, stdout=subprocess.DEVNULL)
        for name in ("include/clcable/clcable.h", "share/clcable/scenes/hang.json"):
            assert (prefix / name).is_file(), name
        flags = []
        cache = (build / "CMakeCache.txt").read_text()
        for line in cache.splitlines():
            if line.startswith("CMAKE_C_COMPILER:"):
                flags.append("-DCMAKE_C_COMPILER=" + line.split("=", 1)[1])
            if line.startswith("CLCABLE_SANITIZE:") and line.split("=", 1)[1]:
                flags.append("-DCMAKE_C_FLAGS=-fsanitize=" + line.split("=", 1)[1].replace(";", ","))
        call("cmake", "-S", examples, "-B", out, f"-DCMAKE_PREFIX_PATH={prefix}", *flags,
             stdout=subprocess.DEVNULL)
        call("cmake", "--build", out, stdout=subprocess.DEVNULL)
        check_program(prefix)
        check_hello(out)
    print("install: ok")


if __name__ == "__main__":
    main()
