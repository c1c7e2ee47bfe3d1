"""Poursina2020 Figs 11 and 12: two pendulums that strike each other, configs/pendulums.toml."""
import pathlib

import numpy as np
from drawing import axes, legend_beside, line, save

SCENARIO = pathlib.Path(__file__).resolve().parents[2] / "configs" / "pendulums.toml"
LAWS = {"impulse": "impulses", "poursina-nikravesh": "force of Eq. (50)", "flores": "force of Eqs (9) and (16)"}
IMPACTS = 3  # in 8 s, printed


def angles(result, history):
    """Impacts, times [s], and angles of both rods from the downward vertical [degrees]."""
    centre = history["particles/all/position/value"][:, :, :2]
    at = np.array([[0.0, 0.0], [-2.0, 0.0]])  # of the pins, assumed in the scenario
    arm = centre - at
    return (result["contacts"][0]["impacts"], history["particles/all/position/time"][:],
            np.degrees(np.arctan2(arm[..., 0], -arm[..., 1])))


def draw(program, folder):
    runs = {law: program.run(SCENARIO, {"law.name": law}, angles) for law in LAWS}
    counts = {len(impacts) for impacts, _, _ in runs.values()}
    piecewise = runs["impulse"][2]
    off = np.max(np.abs(runs["poursina-nikravesh"][2] - piecewise))
    figure, panel = axes("Poursina2020 Fig. 11: two pendulums, e = 0.3", "time [s]", "angle from the vertical [degrees]")
    for i, (law, label) in enumerate(LAWS.items()):
        _, time, angle = runs[law]
        style = {**line(i), "linestyle": ("-", "--", ":")[i]}
        panel.plot(time, angle[:, 0], **style, label=label)
        panel.plot(time, angle[:, 1], **style)
    legend_beside(panel)
    save(figure, folder / "poursina2020_pendulums.png",
         f"Impacts in 8 s: {', '.join(map(str, sorted(counts)))}, printed {IMPACTS}. Between impulses and Eq. (50) the angles "
         f"differ by at most {off:.1f} degrees. The figure's curves cannot be read; gravity and places are assumed, as the head of "
         "configs/pendulums.toml says.")

    figure, panel = axes("Poursina2020 Fig. 12: the first impact of the pendulums", "overlap [mm]", "force [kN]")
    worst = 0.0
    for i, law in enumerate(list(LAWS)[1:]):
        first = runs[law][0][0]
        overlap, force = program.trajectory("unit_impact", law_name=law, law_restitution=0.3, contact_stiffness=1e8,
                                            contact_effective_mass=first["effective_mass"], speed=first["impact_speed"])
        start = 1 if law == "poursina-nikravesh" else 0  # its damping acts from the first contact on
        panel.plot([1e3 * x for x in overlap[start:]], [1e-3 * F for F in force[start:]], **line(i), label=LAWS[law])
        worst = max(worst, abs(max(force) / first["peak_force"] - 1.0))
    legend_beside(panel)
    save(figure, folder / "poursina2020_pendulum_loop.png",
         "Drawn by `collide` with the effective mass and speed of the impact; its largest force differs from that of the pendulums by "
         f"{100.0 * worst:.1g} % at most.")
