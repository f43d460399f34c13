#!/usr/bin/python3
"""What each test costs: runs the tests of build/release and build/sanitize, caches of kernels empty at first, and writes the
tables of docs/tests.md. Called by `scripts/test --costs`, after `scripts/test all` has built and noted the parts.

Counted are seconds of processor time of the test and of all that it starts: a busy machine makes them larger by little.
"""
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/tests.md"
LOGS = ROOT / "build/logs"
JOBS = int(os.environ.get("CLCABLE_TEST_JOBS", os.cpu_count()))


def tests_of(preset):
    listed = subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], cwd=ROOT, check=True, capture_output=True,
                            text=True)
    tests = []
    for test in json.loads(listed.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test["properties"]}
        tests.append({"name": test["name"], "command": test["command"], "labels": properties.get("LABELS", []),
                      "after": "FIXTURES_REQUIRED" in properties, "folder": properties["WORKING_DIRECTORY"],
                      "environment": dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))})
    return tests


def run(test, cache):
    """Processor seconds, how it ended."""
    environment = {**os.environ, **test["environment"], "CLCABLE_CACHE_DIR": f"{cache}/clcable",
                   "POCL_CACHE_DIR": f"{cache}/pocl"}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(test["command"], cwd=test["folder"], env=environment, stdout=log, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    end = {0: "", 77: "skipped"}.get(process.returncode, "FAILED")
    print(f"{seconds:8.1f} s  {test['name']} {end}", flush=True)
    return seconds, end


def measure(preset, cache):
    """{name: (label, seconds, how it ended)}"""
    tests = tests_of(preset)
    found = {}
    for after in (False, True):
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            runs = {t["name"]: pool.submit(run, t, cache) for t in tests if t["after"] == after}
        found |= {name: done.result() for name, done in runs.items()}
    return {t["name"]: ("quick" if "quick" in t["labels"] else "deep", *found[t["name"]]) for t in tests}


def gathered(tests):
    """Cases of validation as one row for each device, with their number."""
    rows = {}
    for name, (label, seconds, end) in tests.items():
        case = re.fullmatch(r"validation\..*\.(\w+)", name)
        row = rows.setdefault(f"validation.*.{case[1]}" if case else name, [label, 0, 0, ""])
        row[1] += seconds
        row[2] += 1
        row[3] = row[3] or end
    return rows


def word(row):
    if not row:
        return ""
    return "skipped" if row[3] == "skipped" else f"{row[1]:.1f}" + (" FAILED" if row[3] else "")


def table(release, sanitized):
    lines = ["| test | part | s | s, sanitized |", "|---|---|---:|---:|"]
    for name, row in sorted(release.items(), key=lambda item: (item[1][0] != "quick", -item[1][1])):
        count = f" ({row[2]})" if row[2] > 1 else ""
        lines.append(f"| {name}{count} | {row[0]} | {word(row)} | {word(sanitized.get(name))} |")
    for part in ("quick", "deep"):
        lines.append(f"| all of {part} | | {sum(r[1] for r in release.values() if r[0] == part):.0f} | |")
    lines.append(f"| all sanitized | | | {sum(r[1] for r in sanitized.values()):.0f} |")
    return "\n".join(lines)


def parts():
    """The last time of each part, as scripts/test has noted it."""
    rows = dict(re.findall(r"^(\S+) (.*)$", (LOGS / "parts").read_text(), re.MULTILINE))
    lines = ["| part | s by the clock | s of processor time |", "|---|---:|---:|"]
    for name, times in rows.items():
        wall, processor = re.match(r"(\d+) s \((\d+) s", times).groups()
        lines.append(f"| {name} | {wall} | {processor} |")
    return "\n".join(lines)


def processor():
    return re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())[1].strip()


def main():
    with tempfile.TemporaryDirectory() as cache:
        for kind in ("clcable", "pocl"):
            (pathlib.Path(cache) / kind).mkdir()
        release, sanitized = measure("release", cache), measure("sanitize", cache)
    text = PAGE.read_text()
    measured = f"Measured {datetime.date.today()} on {os.cpu_count()} cores ({processor()}), by `scripts/test --costs`."
    for mark, new in (("parts", f"{measured}\n\n{parts()}"), ("tests", f"{measured}\n\n{table(gathered(release), gathered(sanitized))}")):
        text, count = re.subn(f"(<!-- {mark} -->\n).*?(\n<!-- end of {mark} -->)", lambda m: f"{m[1]}\n{new}\n{m[2]}", text, flags=re.DOTALL)
        assert count == 1, f"{PAGE}: no place for {mark}"
    PAGE.write_text(text)
    return any(end == "FAILED" for tests in (release, sanitized) for _, _, end in tests.values())


if __name__ == "__main__":
    sys.exit(main())
