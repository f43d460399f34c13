#!/usr/bin/python3
"""What each test costs: from what the last `scripts/test all` has left in build/logs, written into the tables of docs/tests.md.
Called by `scripts/test --costs`.

Seconds are by the clock, as many tests at a time as there are cores. Caches of kernels are as that run found them: for figures of
a first run it must be in a fresh clone, and the machine must have had nothing else to do.
"""
import datetime
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/tests.md"
LOGS = ROOT / "build/logs"
LINE = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*\** *(\D+?) +([\d.]+) sec", re.MULTILINE)


def tests_of(log):
    """{name, cases of validation as one for each device, fifths of throws without their number: [seconds, how many, how it ended]}"""
    rows = {}
    for name, end, seconds in LINE.findall((LOGS / log).read_text()):
        case = re.fullmatch(r"validation\..*\.(\w+)", name)
        fifth = re.fullmatch(r"(throws\.(?:many\..*|opencl))\.\d", name)
        row = rows.setdefault(f"validation.*.{case[1]}" if case else fifth[1] if fifth else name, [0, 0, ""])
        row[0] += float(seconds)
        row[1] += 1
        row[2] = row[2] or ("" if end == "Passed" else end.strip("* "))
    return rows


def word(row):
    if not row:
        return ""
    return "skipped" if row[2] == "Skipped" else f"{row[0]:.1f} {row[2]}".strip()


def table(parts, sanitized):
    lines = ["| test | part | s | s, sanitized |", "|---|---|---:|---:|"]
    for part, tests in parts.items():
        for name, row in sorted(tests.items(), key=lambda item: -item[1][0]):
            count = f" ({row[1]})" if row[1] > 1 else ""
            lines.append(f"| {name}{count} | {part} | {word(row)} | {word(sanitized.get(name))} |")
    lines += [f"| all of {part} | | {sum(r[0] for r in tests.values()):.0f} | |" for part, tests in parts.items()]
    lines.append(f"| all sanitized | | | {sum(r[0] for r in sanitized.values()):.0f} |")
    return "\n".join(lines)


def parts_table():
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
    try:
        parts = {"quick": tests_of("tests.log"), "deep": tests_of("tests-deep.log")}
        sanitized, by_part = tests_of("tests-sanitize.log"), parts_table()
    except FileNotFoundError as e:
        print(f"costs: {e.filename}: expected what `scripts/test all` leaves there; run it first", file=sys.stderr)
        return 2
    text = PAGE.read_text()
    day = datetime.date.fromtimestamp((LOGS / "tests-sanitize.log").stat().st_mtime)
    measured = f"Measured {day} on {os.cpu_count()} cores ({processor()}), by `scripts/test all` in a fresh clone."
    for mark, new in (("parts", f"{measured}\n\n{by_part}"), ("tests", table(parts, sanitized))):
        text, count = re.subn(f"(<!-- {mark} -->\n).*?(\n?<!-- end of {mark} -->)", lambda m: f"{m[1]}\n{new}\n{m[2]}", text, flags=re.DOTALL)
        assert count == 1, f"{PAGE}: no place for {mark}"
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
