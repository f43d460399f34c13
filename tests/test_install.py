"""Installs the project and builds the examples against what was installed, and nothing else."""
import os
import pathlib
import re
import shutil
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


def check_settle(build, scenes):
    text = call(build / "settle", scenes / "catenary.json", "60", capture_output=True, text=True).stdout
    assert text.startswith("33 particles rest after "), text
    # mm; the cable's own rest, but for 2e-6 N that may be left of 1.5e-2 N a particle, and for rounding
    assert float(text.split("by more than")[1].split()[0]) < 0.01, text


def check_fit(build, prefix, scenes, folder):
    """It finds again what the scene has."""
    tracks = folder / "swing.csv"
    call(prefix / "bin/clcable", "run", scenes / "swing.json", "--settle", "--duration", "2", "--device", "native", "--probes", tracks, "-q")
    words = (scenes / "swing.json", tracks, "/materials/wire/bending_stiffness", "1e-5", "1e-2")
    text = call(build / "fit", *words, capture_output=True, text=True).stdout
    assert text.startswith("/materials/wire/bending_stiffness: 0.0008 +- "), text
    none = subprocess.run([str(build / "fit"), *map(str, words[:1]), "none.csv", *words[2:]], capture_output=True, text=True)
    assert none.returncode == 1 and none.stderr.startswith("none.csv: "), none


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


def check_words(prefix, program):
    """The manual page has every text of --help; completions know the commands and options, and their shells read them."""
    share = prefix / "share"
    page = (share / "man/man1/clcable.1").read_text()
    overview = call(program, "--help", capture_output=True, text=True).stdout
    commands = re.findall(r"(?m)^  ([a-z]+) .*", overview)
    assert len(commands) > 8 and "render" in commands, commands
    bash = share / "bash-completion/completions/clcable"
    for command in commands:
        text = call(program, command, "--help", capture_output=True, text=True).stdout
        if "Not here" in text:  # a build without the viewer has another text
            continue
        plain = page.replace("\\&", "").replace("\\-", "-").replace("\\e", "\\")
        assert text in plain, command
        options = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", text))
        for name in ("zsh/site-functions/_clcable", "fish/vendor_completions.d/clcable.fish"):
            words = (share / name).read_text()
            assert command in words, (name, command)
        for cur, expected in (("--", options | {"--help"}), ("--he", {"--help"})):
            script = f'. "$1"; COMP_WORDS=(clcable {command} {cur}); COMP_CWORD=2; _clcable; echo "${{COMPREPLY[@]}}"'
            found = set(call("bash", "-c", script, "bash", bash, capture_output=True, text=True).stdout.split())
            assert found == expected, (command, found ^ expected)
    script = '. "$1"; COMP_WORDS=(clcable re); COMP_CWORD=1; _clcable; echo "${COMPREPLY[@]}"'
    assert call("bash", "-c", script, "bash", bash, capture_output=True, text=True).stdout.split() == ["render", "report"]
    for shell, name in (("zsh", "zsh/site-functions/_clcable"), ("fish", "fish/vendor_completions.d/clcable.fish")):
        if shutil.which(shell):
            call(shell, "-n", share / name)
    if shutil.which("groff"):
        printed = call("groff", "-man", "-ww", "-Tutf8", share / "man/man1/clcable.1", capture_output=True, text=True)
        assert printed.stderr == "" and "--checkpoint-every" in printed.stdout, printed.stderr


def check_deb(build, config, folder):
    """The package for Debian: what is in it, and that its program starts."""
    if not shutil.which("dpkg-shlibdeps"):
        print("skipped: no dpkg-shlibdeps, so no .deb")
        return
    call("cpack", "--config", build / "CPackConfig.cmake", "-C", config, "-G", "DEB", "-B", folder, stdout=subprocess.DEVNULL)
    package, = folder.glob("clcable_*.deb")
    field = call("dpkg-deb", "-f", package, capture_output=True, text=True).stdout
    assert re.search(r"(?m)^Depends: .*libjansson4", field), field
    call("dpkg-deb", "-x", package, folder / "root")
    root = folder / "root/usr"
    for name in ("bin/clcable", "share/man/man1/clcable.1", "include/clcable/clcable.h"):
        assert (root / name).is_file(), name
    program, scenes = root / "bin/clcable", root / "share/clcable/scenes"
    assert call(program, "--version", capture_output=True, text=True).stdout.startswith("clcable ")
    call(program, "run", scenes / "cantilever.json", "--device", "native", "--frames", "2", "--probes", folder / "p.csv", "-q")
    assert (folder / "p.csv").read_text().count("\n") == 1 + 3 * 3
    cache = (build / "CMakeCache.txt").read_text()
    recommended = re.search(r"(?m)^Recommends: (.*)", field).group(1)
    for option, package in (("VIEW", "libglfw3, libpng16-16"), ("CLBLAST", "libclblast1"), ("HDF5", "libhdf5-103-1"),
                            ("KBL", "libxml2"), ("LIBZIP", "libzip4")):
        assert (package in recommended) == bool(re.search(f"(?m)^CLCABLE_{option}:BOOL=(ON|1|TRUE|YES)$", cache)), (package, recommended)
    if "libpng" in recommended:
        call(program, "render", scenes / "cantilever.json", "-o", folder / "p.png", "--size", "160x120", "--frames", "2", "--device", "native", "-q")
        assert (folder / "p.png").read_bytes().startswith(b"\x89PNG")


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
        check_words(prefix, prefix / "bin/clcable")
        if not any(flag.startswith("-DCMAKE_C_FLAGS") for flag in flags):  # sanitizers are nothing to be packed
            check_deb(build, config, pathlib.Path(folder))
        check_hello(out)
        check_settle(out, pathlib.Path(examples).parent / "scenes")
        if re.search(r"(?m)^CLCABLE_FIT:BOOL=(ON|1|TRUE|YES)$", cache):
            check_fit(out, prefix, pathlib.Path(examples).parent / "scenes", pathlib.Path(folder))
    print("install: ok")


if __name__ == "__main__":
    main()
