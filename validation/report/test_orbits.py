"""Pages of branches, basins and Poincare sections: what they show beside their files, and a click on an orbit."""
import functools
import json
import unittest
from pathlib import Path

import h5py
import numpy as np

import browser
from support import SOURCES, InFolder, main, parts_of, program, report  # which adds folders to the path

from check_report import faults_of_file
from report import orbits, panel_branch
from report.history import InputError

DRIVEN = SOURCES / "docs" / "examples" / "orbit_driven.toml"
CLICK = """(() => {
    const host = document.getElementById("figure-branch"), full = host._fullLayout, box = host.getBoundingClientRect();
    const orbits = host.data.find(trace => trace.name === "orbits");
    return [box.left + full.xaxis._offset + full.xaxis.l2p(orbits.x[0]), box.top + full.yaxis._offset + full.yaxis.l2p(orbits.y[0])];
})()"""


def check_page(path, panels):
    page, faults = faults_of_file([path, "--panels", ",".join((*panels, "scenario"))])
    assert not faults, f"{page}: {faults}"


def figure_of(page, name):
    return json.loads(parts_of(Path(page).read_text(encoding="utf-8"))["figures"])[name]


@functools.lru_cache(maxsize=1)
def branch_bytes():
    program("orbit", DRIVEN, "--continue", "frequency=3730:3722", "--steps", "64", "--points", "20", "--quiet", "-o", "branch.h5")
    return Path("branch.h5").read_bytes()


def branch():
    Path("branch.h5").write_bytes(branch_bytes())


class Pages(InFolder):
    def test_a_branch(self):
        branch()
        drawn = program("report", "branch.h5", "--png", "still.png")[0]
        self.assertEqual(drawn.split(), ["branch.html", "still.png"])
        check_page("branch.html", ("branch", "branch-energy", "branch-multipliers"))
        program("report", "branch.h5")  # replaces its own page without being asked
        with h5py.File("branch.h5") as file:
            value, stable, multipliers = (file[f"branch/{name}"][:] for name in ("value", "stable", "multipliers"))
            motion, place = file["branch/motion"][:], file["branch/bifurcation_0/value"][()]
        figure = figure_of("branch.html", "branch")
        by_name = {trace["name"]: trace for trace in figure["data"] if "name" in trace}
        # The stable part ends and the unstable part begins where the bifurcation is, marked with its name.
        self.assertEqual(by_name["Neimark-Sacker"]["text"], ["Neimark-Sacker"])
        for name, own in (("stable", value[stable == 1]), ("unstable", value[stable == 0])):
            shown = np.array([x for x in by_name[name]["x"] if x is not None])
            np.testing.assert_allclose(np.sort(shown), np.sort(np.append(own, place)) * 1e-3, rtol=1e-7)
        self.assertEqual((by_name["stable"]["line"]["dash"], by_name["unstable"]["line"]["dash"]), ("solid", "dash"))
        steps = figure["layout"]["sliders"][0]["steps"]
        self.assertEqual(len(steps), len(value))
        changes = steps[2]["args"][0]
        np.testing.assert_allclose(changes["x"][1], multipliers[2, :, 0], atol=1e-5)
        largest = np.abs(motion).max()
        np.testing.assert_allclose(np.array(changes["z"][2]) / np.abs(changes["z"][2]).max(), motion[2].T / np.abs(motion[2]).max(), atol=2e-2)
        self.assertGreater(largest, 0.0)
        self.assertRegex(steps[2]["label"], "orbit 2: 3.7.* kHz, .* µm, stable")
        for words in (("branch.h5", "branch.h5"), ("branch.h5", "--xdmf", "x.xdmf2")):
            self.assertRegex(report(*words, status=2), "one file|this is a branch")

    def test_orbits_with_fewer_multipliers_than_others_are_drawn(self):
        branch()
        with h5py.File("branch.h5", "a") as file:
            file["branch/multipliers"][1, 4:] = np.nan
        report("branch.h5", "--svg", "branch.svg")
        check_page("branch.html", ("branch", "branch-energy", "branch-multipliers"))
        self.assertEqual(len(figure_of("branch.html", "branch")["layout"]["sliders"][0]["steps"][1]["args"][0]["x"][1]), 4)

    def test_pieces_of_a_branch_meet(self):
        shown = orbits.Branch(path=Path("b.h5"), version="", scenario="", settings={}, value=np.arange(4.0), amplitude=np.arange(4.0),
                              stable=np.array([True, True, False, False]),
                              bifurcations=[orbits.Bifurcation("fold", 1, 1.5, 0.0, 0.0, 1.25, 1.0)])
        (first, x, y), (second, later, _) = panel_branch.pieces(shown, "amplitude")
        self.assertEqual((first, second), (True, False))
        self.assertEqual((x.tolist(), y.tolist(), later.tolist()), ([0.0, 1.0, 1.5], [0.0, 1.0, 1.25], [1.5, 2.0, 3.0]))
        shown.bifurcations = []  # a change that was not located
        self.assertEqual([piece[1].tolist() for piece in panel_branch.pieces(shown, "amplitude")], [[0.0, 1.0, 2.0], [2.0, 3.0]])

    def test_basins_and_sections(self):
        program("orbit", DRIVEN, "--frequency", "3400", "--basins", "displacement=-1e-6:1e-6", "--basins", "velocity=-0.01:0.01", "--grid",
                "3,2", "--quiet", "-o", "basins.h5")
        program("orbit", DRIVEN, "--frequency", "3400", "--basins", "drive=0.5:1", "--grid", "3", "--quiet", "-o", "row.h5")
        program("orbit", DRIVEN, "--frequency", "3400", "--poincare", "--starts", "2", "--periods", "20", "--quiet", "-o", "section.h5")
        for name, panels in (("basins", ("basins", "basins-amplitude")), ("row", ("basins", "basins-amplitude")), ("section", ("poincare",))):
            report(f"{name}.h5", "--svg", f"{name}.svg")
            check_page(f"{name}.html", panels)
        figure = figure_of("basins.html", "basins")
        self.assertEqual(figure["data"][0]["z"], [[0, 0, 0], [0, 0, 0]])
        self.assertEqual(figure["layout"]["xaxis"]["title"]["text"], "displacement (µm)")
        self.assertEqual(figure["layout"]["yaxis"]["title"]["text"], "velocity (mm/s)")
        with h5py.File("section.h5") as file:
            u = file["poincare/displacement"][:]
        points = figure_of("section.html", "poincare")["data"]
        np.testing.assert_allclose(points[1]["x"], u[1] * 1e9, rtol=1e-4)
        with h5py.File("section.h5", "a") as file:
            del file["poincare/velocity"]
        with self.assertRaises(InputError):
            orbits.read("section.h5")


@unittest.skipUnless(browser.PROGRAM, "needs Chromium")
class InBrowser(InFolder):
    def test_a_click_chooses_an_orbit(self):
        branch()
        report("branch.h5")
        with browser.Browser(1400, 900) as window:
            self.assertEqual(window.open("branch.html"), "")
            before = window.ask("document.getElementById('figure-branch').data.find(t => t.name === 'multipliers').x")
            window.ask("window.moved = new Promise(resolve => document.getElementById('figure-branch').once('plotly_relayout', resolve)), 0")
            x, y = window.ask(CLICK)
            for kind, button in (("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")):
                window.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=0 if button == "none" else 1)
            window.ask("window.moved.then(() => 0)")
            after = window.ask("document.getElementById('figure-branch').data.find(t => t.name === 'multipliers').x")
            self.assertEqual(window.errors, [])
        steps = figure_of("branch.html", "branch")["layout"]["sliders"][0]["steps"]
        self.assertEqual(after, steps[0]["args"][0]["x"][1])
        self.assertNotEqual(after, before)


main()
