"""Reading a wire harness takes time in proportion to the size of its file: harnesses of a few shapes, each made at two
sizes, read as segments and as wires.

usage: test_kbl_size.py PROGRAM

Processor time of `convert`, which reads the file, lays out the harness and writes the scene. Of two sizes the larger may take 6 times as long
for 4 times the bytes (linear is 4, quadratic 16; what is in between is that of caches and of a machine with other work), and
no more than a second for a megabyte.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
SMALL, LARGE = (int(word) for word in sys.argv[2:4]) if len(sys.argv) > 3 else (150_000, 600_000)  # bytes, about
MOST_PER_MB = 1.0  # s
MOST_GROWTH = 6.0  # for 4 times the bytes
CLOCK = 0.05  # s: what begins and ends a process, and is too short to be compared


def quantity(name, unit, value):
    return f"<{name}><Unit_component>{unit}</Unit_component><Value_component>{value}</Value_component></{name}>"


def point(i, x, y, z):
    return f'<Cartesian_point id="P{i}">' + "".join(f"<Coordinates>{c:.3f}</Coordinates>" for c in (x, y, z)) + "</Cartesian_point>"


def node(i):
    return f'<Node id="N{i}"><Cartesian_point>P{i}</Cartesian_point></Node>'


def segment(i, start, end, length, more=""):
    return (f'<Segment id="S{i}">{quantity("Virtual_length", "mm", length)}<End_node>N{end}</End_node>'
            f'<Start_node>N{start}</Start_node>{more}</Segment>')


def part(i, diameter):
    return (f'<General_wire id="W{i}">{quantity("Mass_information", "gram_per_metre", 6 + diameter)}'
            f'{quantity("Cross_section_area", "mm2", 0.5)}{quantity("Outside_diameter", "mm", diameter)}</General_wire>')


def occurrence(i, of):
    return f'<General_wire_occurrence id="w{i}"><Part>W{of}</Part></General_wire_occurrence>'


def routing(i, segments):
    return f'<Routing id="R{i}"><Routed_wire>w{i}</Routed_wire><Segments>{" ".join(f"S{s}" for s in segments)}</Segments></Routing>'


def document(points, parts, nodes, segments, wires, routings):
    return ('<kbl:KBL_container xmlns:kbl="http://www.prostep.org/Car_electric_container/KBL2.3/KBLSchema" id="x" '
            'version_id="2.4">' + "\n".join(points + parts + nodes + segments) + '<Harness id="H">' + "\n".join(wires)
            + "</Harness>" + "\n".join(routings) + "</kbl:KBL_container>")


def chain(count, wires, distinct, reach=None):
    """Segments in a row, 0.1 m each, back and forth so that they stay within some metres; each wire through `reach` of them."""
    def place(i):
        row, column = divmod(i, 50)
        return 100 * (column if row % 2 == 0 else 49 - column), 100 * row, 0
    points = [point(i, *place(i)) for i in range(count + 1)]
    parts = [part(i, 1.5 + 0.001 * i) for i in range(distinct)]
    reach = min(reach or count, count)
    routes = [range((w * 7) % (count - reach + 1), (w * 7) % (count - reach + 1) + reach) for w in range(wires)]
    return document(points, parts, [node(i) for i in range(count + 1)],
                    [segment(i, i, i + 1, 100.5) for i in range(count)],
                    [occurrence(w, w % distinct) for w in range(wires)], [routing(w, routes[w]) for w in range(wires)])


def star(count):
    """All segments at one node, each with a wire."""
    points = [point(0, 0, 0, 0)] + [point(i + 1, 100 + i % 40, 10 * (i // 40), i % 7) for i in range(count)]
    return document(points, [part(0, 1.5)], [node(i) for i in range(count + 1)],
                    [segment(i, 0, i + 1, 150 + i // 4) for i in range(count)],
                    [occurrence(i, 0) for i in range(count)], [routing(i, [i]) for i in range(count)])


def repeated(count):
    """A chain of which every point is there twice, and wires whose routes begin nowhere."""
    text = chain(count, count // 4, 1, 3)
    points = text[text.index("<Cartesian_point"):text.index("<General_wire")]
    return text.replace(points, 2 * points).replace("<Segments>S", "<Segments>X S")


# by a number that the size of the file grows with
SHAPES = {"many segments": lambda n: chain(n, n, 1, 2), "many wires in one segment": lambda n: chain(1, n, 1),
          "long routes": lambda n: chain(n, 20, 1), "each wire another part": lambda n: chain(max(1, n // 8), n, n, 1),
          "all at one node": star, "ids twice": repeated}


def sized(make, size):
    """The document of about so many bytes."""
    count = 64
    for _ in range(4):
        count = max(8, round(count * size / len(make(count))))
    return make(count)


def seconds_of(folder, text, how):
    (folder / "x.kbl").write_text(text)
    command = [PROGRAM, "convert", "x.kbl", "x.json", "--set", f"/kbl/as={how}"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    process.stderr.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{how}: {process.returncode}: {said[-500:]}"
    return used.ru_utime + used.ru_stime


def main():
    wrong = []
    with tempfile.TemporaryDirectory(prefix="clcable-kbl-") as home:
        for name, make in SHAPES.items():
            texts = [sized(make, size) for size in (SMALL, LARGE)]
            for how in ("segments", "wires"):
                small, large = (seconds_of(pathlib.Path(home), text, how) for text in texts)
                bytes_growth = len(texts[1]) / len(texts[0])
                growth = large / max(small, CLOCK) / bytes_growth * 4
                per_mb = large / (len(texts[1]) / 1e6)
                print(f"{name}, as {how}: {len(texts[0])} bytes {small:.2f} s, {len(texts[1])} bytes {large:.2f} s, {per_mb:.2f} s a MB", flush=True)
                if growth > MOST_GROWTH or per_mb > MOST_PER_MB:
                    wrong.append(f"{name}, as {how}")
    assert not wrong, wrong


main()
