"""Skrinjar2018 Figs 12 to 15: force over overlap and over time of its laws for a pin in a hole."""
from drawing import axes, legend_beside, line, save

LAWS = ("hertz", "johnson", "radzimovsky", "goldsmith", "dubowsky-freudenstein", "esdu-78035", "liu",
        "lankarani-nikravesh", "pereira", "persson")
LENGTH = 15e-3  # of the pin [m]: the paper shows force per length


def draw(program, folder):
    for number, name, restitution in ((12, "elastic", 1.0), (14, "damped", 0.7)):
        damping = "elastic" if restitution == 1.0 else f"lankarani-nikravesh's damping, c_r = {restitution}"
        figure, panel = axes(f"Skrinjar2018 Fig. {number}: a pin in a hole at 0.2 m/s, {damping}", "overlap [µm]",
                             "force per length [kN/m]")
        for i, law in enumerate(LAWS):
            collide = program.loading if restitution == 1.0 else program.trajectory
            overlap, force = collide("pin_in_hole", law_name=law, law_restitution=restitution)
            panel.plot([1e6 * x for x in overlap], [1e-3 * F / LENGTH for F in force], **line(i), label=law)
        legend_beside(panel, "law")
        save(figure, folder / f"skrinjar2018_cylinders_{name}.png")
        figure, panel = axes(f"Skrinjar2018 Fig. {number + 1}: a pin in a hole at 0.2 m/s, {damping}", "time [µs]",
                             "force per length [kN/m]")
        for i, law in enumerate(LAWS):
            time, _, _, force = program.moments("pin_in_hole", law_name=law, law_restitution=restitution)
            panel.plot([0.0] + [1e6 * t for t in time], [0.0] + [1e-3 * F / LENGTH for F in force], **line(i), label=law)
        legend_beside(panel, "law")
        save(figure, folder / f"skrinjar2018_cylinders_{name}_over_time.png")
