"""The chain of 70 beads under ma-liu, under the paper's own dashpot and under others: WangLiu2022 Figs 11 and 12, and the peaks along it."""
import pathlib

from drawing import axes, legend_beside, line, save

SCENARIO = pathlib.Path(__file__).parents[2] / "configs" / "chain70.toml"
E = {"law.restitution": 0.65}
PAPER = {"ma-liu": {"law.name": "ma-liu"}, "wang-liu, as printed": {"law.name": "wang-liu"} | E,
         "wang-liu, continuous": {"law.name": "wang-liu", "law.transition": "continuous"} | E}
ALONG = {"ma-liu": {"law.name": "ma-liu"}, "kogut-etsion, 1366 MPa": {"law.name": "kogut-etsion", "material.steel316.yield_stress": 1366e6},
         "herbert-mcwhannell, e = 0.65": {"law.name": "herbert-mcwhannell"} | E, "tsuji, e = 0.65": {"law.name": "tsuji"} | E,
         "wang-liu, printed": PAPER["wang-liu, as printed"], "wang-liu, continuous": PAPER["wang-liu, continuous"],
         "hertz": {"law.name": "hertz"}}


def traces(program, folder):
    def read(_, history):
        force, velocity = (history[f"observables/sensor_{name}"] for name in ("force", "velocity"))
        return force["time"][:], force["value"][:], velocity["value"][:]

    both = {name: program.run(SCENARIO, settings, read) for name, settings in PAPER.items()}
    for number, column, unit, file in ((11, 1, "force on the bead [N]", "forces"), (12, 2, "velocity of the bead [m/s]", "speeds")):
        figure, panel = axes(f"WangLiu2022 Fig. {number}: beads 9, 16, 24, 31, 40, 50, 56 and 63, e = 0.65", "time [µs]", unit)
        for i, (name, columns) in enumerate(both.items()):
            for k in range(columns[column].shape[1]):
                panel.plot(1e6 * columns[0], columns[column][:, k], **(line(i) | {"linewidth": 1.1}), label=name if k == 0 else None)
        panel.legend(fontsize=9)
        save(figure, folder / f"wangliu2022_chain_{file}.png",
             "Why the two differ: [the paper's own dashpot](DASHPOT_OR_ELASTOPLASTIC.md#the-papers-own-dashpot).")


def along(program, folder):
    figure, panel = axes("70 steel beads struck at 1.77 m/s: largest force along the chain", "bead", "peak force [N]")
    beads = list(range(2, 68))
    for i, (name, settings) in enumerate(ALONG.items()):
        peaks = program.run(SCENARIO, settings | {"sensors.beads": beads}, lambda result, _: [one["peak_force"] for one in result["sensors"]])
        reached = [(bead, peak) for bead, peak in zip(beads, peaks) if peak is not None]
        panel.loglog(*zip(*reached), **line(i), label=name)
    panel.set_xticks([2, 5, 10, 20, 50], ["2", "5", "10", "20", "50"])
    panel.set_yticks([5, 10, 20, 50], ["5", "10", "20", "50"])
    legend_beside(panel, "law")
    save(figure, folder / "chain70_dashpots.png")


def draw(program, folder):
    traces(program, folder)
    along(program, folder)
