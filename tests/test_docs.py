"""README.md and docs/: their commands run, their options exist, their links hold, and they make a site without network.

usage: test_docs.py PROGRAM ROOT
"""
import html.parser
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(sys.argv[2]).resolve()
PAGES = sorted([ROOT / "README.md", ROOT / "benchmarks/README.md", *(ROOT / "docs").rglob("*.md")])

# What takes minutes runs shorter here: the same words, and these options behind them.
SHORTER = {
    "clcable sweep scenes/one.json --vary /cables/0/length=1.3:1.4:50 "
    "--vary /materials/wire/bending_stiffness=0.0001,0.001 --set /contact/self=false -o table.csv": "--frames 2",
    "clcable bench hang-256 pile-256 --device native --device opencl --duration 0.5": "--duration 0.02",
    "clcable bench hang-1024 --repeat 3 --json results.json": "--device native --method direct --frames 1",
    "clcable bench --scale cables=4096 --device native": "--frames 1 --method direct",
    "clcable bench --shootout --csv shootout.csv": "--device native --frames 1",
    "clcable bench --repeat 3 --csv bench.csv": "hang-16 --repeat 1 --frames 1 --device native",
    "clcable report scenes/loom.kbl -o loom.html": "--frames 2",
    "clcable report scenes/loom.kbl -o loom.html --limits "
    "'{\"parts\": {\"W25\": {\"min_bend_radius\": 0.02}}, \"cables\": {\"S1\": {\"max_tension\": 3}}}'": "--frames 2",
    "clcable report scenes/car-harness.json -o harness.html -o harness.json -o harness.csv": "--frames 2",
    "clcable render scenes/knot.json --method auto -o knot.mp4 --colour tension": "--frames 2 --size 320x240",
    "clcable run scenes/log-cabin.json --method auto -o log-cabin.csv -o log-cabin.pvd": "--frames 2",
    "clcable render scenes/car-harness.json -o harness.mp4 --colour tension --range 0:30": "--frames 2 --size 320x240",
    "clcable render scenes/log-cabin.json -o log-cabin.png": "--frames 2 --size 320x240",
    "clcable render scenes/planar/stress-2.json -o pinch.png --compare pinch": "--frames 2 --size 320x240",
    "clcable run scenes/log-cabin.json --verbose": "--frames 2",
    "clcable render scenes/car-harness.json -o harness.png --colour tension": "--frames 2 --size 320x240",
}

# What runs in other tests, or builds, or needs a window: not here.
ELSEWHERE = {
    "scripts/demo": "builds by itself",
    "scripts/test": "is what runs this",
    "scripts/setup": "installs packages",
    "scripts/pictures": "draws for minutes; test_golden draws the same scenes",
    "scripts/plot-bench": "test_cli",
    "scripts/planar-scenes": "test_planar_scenes",
    "cmake": "builds; test_install does the same",
    "ctest": "is what runs this",
    "build/examples/fit": "test_install",
    "build/examples/hello": "test_install",
    "build/examples/settle": "test_install",
    "build/bin/validate": "the tests validation.*",
    "clcable view": "test_window, by the same command",
    "clcable bench --scale cables --scale segments --scale substeps": "test_cli, up to a smaller end",
    "clcable study": "test_study, by the same commands",
    "python3 tests/test_golden.py": "is a test",
    "pip": "test_python",
    "cpack": "test_install",
    "python3 python/examples/insert.py": "test_python, by the same rule",
    "python3 python/examples/arm.py": "test_python (test_arm.py)",
    "python3 python/examples/motions.py": "test_python (test_motions.py)",
    "python3 python/examples/reach.py": "test_python, by the same rule",
    "python3 python/examples/route.py": "test_python, by the same rule",
    "python3 python/examples/steps.py": "test_python, by the same rule",
}

WORDS = ("clcable", "scripts/", "cmake", "cpack", "ctest", "build/", "python3", "pip", "mkdocs")


def blocks(page):
    """Commands in blocks of code: indented ones, and fenced ones without a language or with sh."""
    fence, previous = None, ""
    for line in page.read_text().splitlines():
        mark = re.match(r"\s*```(\w*)", line)
        if mark:
            fence = None if fence is not None else mark.group(1)
        elif fence in ("", "sh") or fence is None and re.match(r" {4,}\S", line):
            text = previous + line.strip()
            if text.endswith("\\"):
                previous = text[:-1]
                continue
            previous = ""
            command = re.split(r"\s#\s", text.removeprefix("$ "))[0].strip()
            if command.startswith(WORDS) and not command.startswith("clcable:"):
                yield command


def inline(page):
    """`clcable ...` within a sentence."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for words in re.findall(r"`(clcable [^`]+)`", text):
        yield " ".join(words.split())


def usage(*words):
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, timeout=60).stdout


def slug(heading):
    """The anchor of a heading, as GitHub and MkDocs have it."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[^\w\- ]", "", text.replace("`", "").strip().lower())
    return text.replace(" ", "-")


def anchors(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    return {slug(h) for h in re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)}


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-docs-"))
        for name in ("scenes", "examples"):
            (self.folder / name).symlink_to(ROOT / name)
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "clcable").symlink_to(PROGRAM)
        self.environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
        line = re.search(r"```json\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
        (self.folder / "line.json").write_text(line)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def call(self, command):
        begun = time.monotonic()
        result = subprocess.run(command, shell=True, cwd=self.folder, env=self.environment, capture_output=True,
                                text=True, timeout=600)
        print(f"{time.monotonic() - begun:6.1f} s  {command}", flush=True)
        self.assertEqual(result.returncode, 0, f"{command}: {result.stdout}{result.stderr}")
        for option, name in re.findall(r"(-o|--report|--json|--csv) (\S+\.\w+)", command):
            self.assertTrue(list(self.folder.glob(name.replace("%04d", "*"))), f"{command}: {option} {name}")

    def test_blocks(self):
        """Each command of a block of code does what its page says: it ends well, and its files are there."""
        used = set()
        for page in PAGES:
            for command in blocks(page):
                command = re.sub(r"^build/(demo|release)/bin/", "", command).replace("$folder/", "")
                other = next((e for e in ELSEWHERE if command == e or command.startswith(e + " ")), None)
                if other:
                    used.add(other)
                    continue
                if command in used:
                    continue
                with self.subTest(page=str(page.relative_to(ROOT)), command=command):
                    self.call(f"{command} {SHORTER.get(command, '')}")
                used.add(command)
        self.assertEqual(set(SHORTER) - used, set(), "stands in no page")
        self.assertGreater(len(used), 20)

    def test_inline(self):
        """Commands and options that a sentence names exist."""
        listed, seen = usage(), 0
        for page in PAGES:
            for words in inline(page):
                with self.subTest(page=str(page.relative_to(ROOT)), words=words):
                    parts = words.split()[1:]
                    name = next((p for p in parts if not p.startswith("-")), None)
                    if name and name != "COMMAND":
                        self.assertRegex(listed, rf"(?m)^\s+{name}\b")
                    help_text = usage(name) if name and name != "COMMAND" else listed
                    if name == "study" and len(parts) > 1 and not parts[1].startswith("-"):
                        help_text += usage(name, parts[1])
                    for option in (p.split("=")[0] for p in parts if p.startswith("-")):
                        self.assertRegex(help_text, rf"(?m)(^|[\s,\[]){re.escape(option)}\b")
                    seen += 1
        self.assertGreater(seen, 10)

    def test_own_words(self):
        """Options of a shortened command come from the same page as the command: nothing is dead here."""
        every = {c.split()[0] for page in PAGES for c in blocks(page)}
        for name in ELSEWHERE:
            if "/" in name:
                mentioned = any(name in page.read_text() for page in PAGES)
                self.assertTrue(mentioned or name in every, name)


class Numbers(Commands):
    """The figures of README.md are those that its commands give."""
    test_blocks = test_inline = test_own_words = None

    def test_line(self):
        """The rows below the command that writes them, and what the sentence makes of them."""
        text = (ROOT / "README.md").read_text()
        command, shown, said = re.search(r"(?m)^    (clcable run line\.json .*)\n(?:.*\n)*?```\n(.*\n.*)\n```\n\n(.*)", text).groups()
        self.call(command)
        rows = (self.folder / "line.csv").read_text().splitlines()
        self.assertEqual(shown.splitlines(), rows[:2])
        start, end = ([float(x) for x in row.split(",")[2:]] for row in rows[1:3])
        length = sum((b - a) ** 2 for a, b in zip(start[:3], end[:3])) ** 0.5
        upwards = start[-1] * (start[2] - end[2]) / length
        self.assertIn(f"{start[-1]:.3f} N along the first segment, {upwards:.3f} N of it upwards", said)
        scene = json.loads((self.folder / "line.json").read_text())
        material = scene["materials"]["rope"]
        rope = scene["cables"][0]["length"] * material["linear_density"]
        end_particle = rope / scene["cables"][0]["segments"] / 2
        weight = ((rope + scene["loads"][0]["mass"]) / 2 - end_particle) * 9.81
        self.assertIn(f"half of {1000 * (rope + scene['loads'][0]['mass']):.0f} g, less the {1000 * end_particle:.1f} g", said)
        self.assertIn(f"weigh {weight:.3f} N", said)
        self.assertAlmostEqual(upwards, weight, delta=0.001)


    def test_report(self):
        """The last line of the report, as docs/report.md shows it."""
        text = (ROOT / "docs/report.md").read_text()
        command, shown = re.search(r"(?m)^    (clcable report .*)\n(?:.*\n)*?```\n(.*)\n```", text).groups()
        result = subprocess.run(f"{command} -o short.json".replace("-o harness.html", ""), shell=True, cwd=self.folder,
                                env=self.environment, capture_output=True, text=True, timeout=600)
        self.assertEqual(result.stdout.splitlines()[-1], shown)


class Links(unittest.TestCase):
    def test_links_hold(self):
        seen = 0
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
                if re.match(r"https?:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                with self.subTest(page=str(page.relative_to(ROOT)), target=target):
                    self.assertTrue(file.exists())
                    if anchor and file.suffix == ".md":
                        self.assertIn(anchor, anchors(file))
                seen += 1
        self.assertGreater(seen, 50)


class Sources(html.parser.HTMLParser):
    """What a page fetches by itself."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in ("script", "img", "iframe"):
            self.found.append(attributes.get("src"))
        if tag == "link" and attributes.get("rel") != "canonical":
            self.found.append(attributes.get("href"))


class Site(unittest.TestCase):
    def test_site(self):
        """Every page is in the site; what a page shows lies in it; formulas are marked up for KaTeX."""
        if not shutil.which("mkdocs"):
            self.skipTest("mkdocs is not installed")
        with tempfile.TemporaryDirectory(prefix="clcable-site-") as folder:
            result = subprocess.run([ROOT / "scripts/site", folder], capture_output=True, text=True, timeout=300)
            self.assertEqual(result.returncode, 0, result.stderr)
            site = pathlib.Path(folder)
            navigation = (ROOT / "mkdocs.yml").read_text()
            for page in (ROOT / "docs").rglob("*.md"):
                name = page.relative_to(ROOT / "docs")
                self.assertIn(f": {name}\n", navigation, "is in no menu")
                made = site / name.with_suffix(".html")
                sources = Sources()
                sources.feed(made.read_text())
                for source in filter(None, sources.found):
                    self.assertFalse(re.match(r"(https?:)?//", source), f"{name}: {source}")
                    self.assertTrue((made.parent / source.split("?")[0]).exists(), f"{name}: {source}")
            self.assertIn('class="arithmatex"', (site / "methods.html").read_text())
            self.assertTrue((site / "katex/fonts").is_dir())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
