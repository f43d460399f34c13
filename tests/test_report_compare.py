"""clcable report --compare: what changed between two reports, what comes first, and the exit code.

usage: test_report_compare.py PROGRAM
"""
import csv
import html.parser
import json
import os
import sys
import unittest

from reports import Case

Case.program = os.path.abspath(sys.argv[1])

WIRE = {"radius": 0.002, "linear_density": 0.05, "damping": 5, "stretching_stiffness": 1e4}


def hanging(masses, **more):
    """Ropes of 1 m that each bear a mass, at rest but for what it swings at first."""
    return {"clcable": 1, "method": "direct", "time": {"duration": 3, "substeps": 20}, "materials": {"wire": WIRE},
            "cables": [{"name": n, "material": "wire", "path": [[i, 0, 2], [i, 0, 1]], "segments": 4, "length": l}
                       for i, (n, (m, l)) in enumerate(masses.items())],
            "attachments": [{"cable": n, "at": "start", "to": "here"} for n in masses],
            "loads": [{"cable": n, "at": "end", "mass": m} for n, (m, l) in masses.items()], **more}


def finding(rule, part, value, limit=None, use=None, **more):
    broken = use is not None and use > 1 and not more.get("error", False)
    return {"rule": rule, "cable": part, "part": part, "value": value, "limit": limit, "use": use, "broken": broken, "error": False,
            "at": 0.5, "arc": 0.25, "place": [0, 0, 0], "frame": 1, "time": 0.1, "moving": False, **more}


def made_up(*findings, verdict="kept"):
    return {"clcable": "0.1.0", "scene": "s.json", "status": "ok", "verdict": verdict, "said": "so", "findings": list(findings)}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)


class Compare(Case):
    def compare(self, old, now, expect=0):
        """The comparison's data; the line is in self.said, rows of the table in self.rows, the page's text in self.page."""
        for name, report in (("old.json", old), ("new.json", now)):
            if report is not None:
                self.write(name, report)
        self.said = self.call("--compare", "old.json", "new.json", "-o", "d.json", "-o", "d.csv", "-o", "d.html", expect=expect).stdout
        self.assertEqual(self.call("new.json", "--compare", "old.json", expect=expect).stdout, self.said)
        data = json.loads((self.folder / "d.json").read_text())
        with open(self.folder / "d.csv", newline="") as file:
            self.rows = list(csv.DictReader(file))
        page = Page()
        page.feed((self.folder / "d.html").read_text())
        self.assertEqual(page.open, [])
        self.page = "".join(page.text)
        self.assertIn(data["said"], self.page)
        self.assertEqual(data["said"] + "\n", self.said)
        self.assertEqual(len(self.rows), len(data["changes"]))
        self.assertEqual(data["good"], expect == 0)
        return data

    def kinds(self, data):
        return [(c["change"], c["part"]) for c in data["changes"]]

    def test_a_revision(self):
        """One rope bears twice as much, one is longer, one is gone, one is new: tensions and lengths as weights and lengths say."""
        words = ("-o", "r.html", "--device", "native", "--limits", json.dumps({"materials": {"wire": {"max_tension": 30, "max_hold_force": 60}}}))
        for out, masses in (("old.json", {"a": (1, 1), "b": (1, 1), "c": (1, 1)}), ("new.json", {"a": (2, 1), "b": (1, 1.002), "d": (1, 1)})):
            self.write("scene.json", hanging(masses))
            self.call("scene.json", "-o", out, *words[2:])
        data = self.compare(None, None, expect=1)
        of = {(c["rule"], c["cable"]): c for c in data["changes"]}
        for name, old, now in (("a", 1, 2), ("b", 1, 1)):
            # a load that is there at once pulls up to twice as much as one that rests: the mass and what hangs below the first segment's middle
            for side, mass in (("old", old), ("new", now)):
                share = of["tension", name][side]["value"] / (9.81 * (mass + 0.05 * 0.875))
                self.assertGreater(share, 1)
                self.assertLess(share, 2)
        first = data["changes"][0]
        self.assertEqual((first["change"], first["rule"], first["part"], first["new"]["limit"]), ("broken now", "tension", "a", 30))
        self.assertEqual(first["new"]["from"], "--limits: /materials/wire/max_tension")
        cables = {c["cable"]: c for c in data["by_cable"]}
        self.assertEqual((cables["a"]["old"]["verdict"], cables["a"]["new"]["verdict"]), ("kept", "broken"))
        self.assertEqual(data["by_cable"][0]["cable"], "a")
        self.assertEqual([(cables["b"][k]["rest_length"]) for k in ("old", "new")], [1, 1.002])
        for side, mass in (("old", 1), ("new", 2)):  # Hooke: half of the rope's weight, less a quarter segment's, counts; the swing of 2 mm has died down to 1 um
            self.assertAlmostEqual(cables["a"][side]["length"], 1 + 9.81 * (mass + 0.025) / 1e4, delta=2e-5)
        self.assertEqual((cables["c"]["new"], cables["d"]["old"]), (None, None))
        self.assertEqual((data["cables_added"], data["cables_removed"]), (1, 1))
        self.assertIn("1 limit is newly broken, the worst: tension of a, ", self.said)
        self.assertIn("1 cable is new (d); 1 cable is gone (c)", self.said)
        self.assertIn(("removed", "c"), self.kinds(data))
        self.assertIn("not there", self.page)

    def test_the_same(self):
        self.write("scene.json", hanging({"a": (1, 1)}))
        for out in ("old.json", "new.json"):
            self.call("scene.json", "-o", out, "--device", "native")
        data = self.compare(None, None)
        self.assertEqual(set(k for k, _ in self.kinds(data)), {"the same"})
        self.assertRegex(self.said, r"\Ano limit is newly broken; 0 of \d+ values differ\n\Z")
        self.assertIn("Nothing.", self.page)

    def test_the_order(self):
        """First what is broken now, then what is kept now, then by how much of its limit it has moved, at last what is the same."""
        old = made_up(finding("bend", "same", 0.05, 0.02, 0.4), finding("bend", "little", 0.05, 0.02, 0.4), finding("bend", "breaks", 0.05, 0.02, 0.4),
                      finding("tension", "heals", 9, 8, 9 / 8), finding("tension", "worse", 9, 8, 9 / 8), finding("tension", "less", 20, 8, 2.5),
                      finding("bend", "breaks far", 0.05, 0.02, 0.4), finding("sag", "free", 0.1), finding("tension", "gone", 9, 8, 9 / 8),
                      verdict="broken")
        now = made_up(finding("bend", "same", 0.05, 0.02, 0.4), finding("bend", "little", 0.04, 0.02, 0.5), finding("bend", "breaks", 0.019, 0.02, 20 / 19),
                      finding("tension", "heals", 7, 8, 7 / 8), finding("tension", "worse", 12, 8, 1.5), finding("tension", "less", 16, 8, 2),
                      finding("bend", "breaks far", 0.01, 0.02, 2), finding("sag", "free", 0.2), finding("tension", "new", 9, 8, 9 / 8),
                      verdict="broken")
        data = self.compare(old, now, expect=1)
        # moved by: new 9/8, gone 9/8, less 0.5, worse 0.375, heals 0.25, little 0.1
        self.assertEqual(self.kinds(data), [("broken now", "breaks far"), ("broken now", "new"), ("broken now", "breaks"), ("kept now", "gone"),
                                            ("kept now", "heals"), ("broken by less", "less"), ("broken by more", "worse"),
                                            ("another value", "little"), ("another value", "free"), ("the same", "same")])
        self.assertEqual(data["counts"], {"broken now": 3, "kept now": 2, "broken by more": 1, "broken by less": 1, "another value": 2, "added": 0,
                                          "removed": 0, "the same": 1})
        self.assertIn("3 limits are newly broken, the worst: bend of breaks far, 50 mm before, 10 mm now, limit 20 mm", self.said)
        self.assertIn("2 limits are kept again; 1 is broken by more; 4 of 10 values differ", self.said)
        self.assertEqual({c["cable"] for c in data["by_cable"][:5]}, {"breaks far", "breaks", "new", "gone", "heals"})
        row = self.rows[0]
        self.assertEqual((row["part"], row["old_value"], row["new_value"], row["new_limit"], row["new_use"]), ("breaks far", "0.05", "0.01", "0.02", "2"))
        # what was broken, and is no more: good
        good = self.compare(old, made_up(*[f for f in now["findings"] if f["use"] is None or f["use"] <= 1]))
        self.assertEqual(good["counts"]["broken now"], 0)

    def test_another_limit(self):
        """The same value held to a stricter limit: broken."""
        data = self.compare(made_up(finding("tension", "a", 5, 8, 5 / 8)), made_up(finding("tension", "a", 5, 4, 5 / 4), verdict="broken"), expect=1)
        self.assertEqual((data["changes"][0]["old"]["limit"], data["changes"][0]["new"]["limit"]), (8, 4))
        data = self.compare(made_up(finding("tension", "a", 5, 8, 5 / 8)), made_up(finding("tension", "a", 5, 7, 5 / 7)))
        self.assertEqual(self.kinds(data), [("another value", "a")])

    def test_what_let_go(self):
        """A hold that came off without a limit of its force: null in JSON, broken all the same."""
        hold = lambda **more: {**finding("hold", "F1 (a)", 9, **more), "cable": "a"}
        bend = lambda use: finding("bend", "a", 0.02 / use, 0.02, use)
        data = self.compare(made_up(bend(0.5), hold()), made_up(bend(50), {**hold(), "broken": True}), expect=1)
        self.assertEqual(self.kinds(data), [("broken now", "F1 (a)"), ("broken now", "a")])  # beyond any share of a limit
        self.assertEqual(data["by_cable"][0]["new"]["use"], None)

    def test_the_same_name(self):
        """Clips that share a name are matched in their order along the cable, whatever comes first in the report."""
        clip = lambda at, value, limit: {**finding("hold", "F (a)", value, limit, value / limit), "cable": "a", "at": at}
        data = self.compare(made_up(clip(0.2, 1, 10), clip(0.8, 5, 10)), made_up(clip(0.8, 5, 10), clip(0.2, 2, 10)))
        self.assertEqual([(c["change"], c["new"]["at"]) for c in data["changes"]], [("another value", 0.2), ("the same", 0.8)])

    def test_doubt(self):
        """A new report that cannot be believed is no good news; one that is as doubtful as the old one is no news."""
        overlap = finding("overlap", "a", 0.001, 2e-5, 50, error=True, other="b<i>")
        tension = finding("tension", "a", 5, 8, 5 / 8)
        data = self.compare(made_up(tension), made_up(tension, overlap, verdict="in doubt"), expect=1)
        self.assertIn("no limit is newly broken; 1 error of the simulation came up; the new report is in doubt, and the old one was not", self.said)
        self.assertEqual(data["by_cable"][0]["new"]["verdict"], "in doubt")
        self.assertIn("b<i>", self.page)
        self.compare(made_up(tension, verdict="in doubt"), made_up(tension, verdict="in doubt"))
        self.compare(made_up(tension), made_up(tension, verdict="in doubt"), expect=1)  # it ended early, say

    def test_bad_use(self):
        self.write("old.json", made_up(finding("bend", "a", 0.05, 0.02, 0.4)))
        self.write("scene.json", hanging({"a": (1, 1)}))
        self.write("odd.json", made_up({**finding("bend", "a", 0.05), "value": "5"}))
        self.write("list.json", made_up(3))
        self.write("nameless.json", made_up({"rule": "bend"}))
        (self.folder / "cut.json").write_text('{"findings": [')
        for words, text in ((("old.json", "--compare", "scene.json"), "scene.json: expected a report as `clcable report SCENE"),
                            (("old.json", "--compare", "none.json"), "none.json: cannot read it"),
                            (("old.json", "--compare", "odd.json"), "odd.json: /findings/0/value: expected a number"),
                            (("list.json", "--compare", "old.json"), "list.json: /findings/0: expected an object"),
                            (("nameless.json", "--compare", "old.json"), "nameless.json: /findings/0/cable: expected the name of a cable"),
                            (("cut.json", "--compare", "old.json"), "cut.json: line 1"),
                            (("--compare", "old.json"), "expected a scene, or with --compare a report"),
                            (("old.json", "--compare", "old.json", "-o", "d.vtp"), "d.vtp: comparisons are written as .html, .json or .csv"),
                            (("old.json", "--compare", "old.json", "--frames", "3"), "--frames says how to run a scene"),
                            (("old.json", "--compare", "old.json", "--limits", "{}"), "--limits says how to run a scene"),
                            (("old.json", "--compare", "old.json", "-o", "old.json"), "old.json: it has been read from")):
            self.assertIn(text, self.refused(*words), words)
        self.assertIn("no/d.json", self.refused("old.json", "--compare", "old.json", "-o", "no/d.json", expect=1))
        self.assertEqual(self.call("old.json", "--compare", "old.json", "-q").stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
