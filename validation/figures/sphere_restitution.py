"""Skrinjar2018 Figs 2, 8, 9 and 16: what its sphere laws make of the restitution that they are given, by one sweep of collisions."""
from drawing import axes, legend_beside, line, save
from sphere_loops import LAWS

STIFFNESS, SPEED = 5.2e9, 0.3  # [N/m^1.5], [m/s]
GIVEN = LAWS[1:]  # all but hertz, which takes no restitution
NOTE = "In absolute value, Eq. (49). The restitutions that Table 2 prints are in [the tables](../validation/papers/TABLES.md#skrinjar2018)."
FACTORS = GIVEN[:-2]  # without jankowski and anagnostopoulos, whose damping is no factor of the elastic force


def damping_factor(program, law, restitution):
    """chi of F = K delta^(3/2) + chi delta^(3/2) delta_dot [N s/m^2.5], from the force in the middle of the approach."""
    _, overlap, speed, force = program.moments("spheres", law_name=law, law_restitution=restitution)
    middle = next(k for k, v in enumerate(speed) if v < 0.5 * SPEED)
    return (force[middle] / overlap[middle] ** 1.5 - STIFFNESS) / speed[middle]


def draw(program, folder):
    asked = [0.05 * k for k in range(1, 21)]
    figure, panel = axes("Skrinjar2018 Fig. 2: two spheres at 0.3 m/s", "coefficient of restitution c_r [-]",
                         "hysteresis damping factor [N s/m^2.5]")
    for i, law in enumerate(FACTORS):
        panel.plot(asked, [damping_factor(program, law, e) for e in asked], **line(i), label=law)
    panel.set_ylim(0.0, 1e11)
    legend_beside(panel, "law")
    save(figure, folder / "skrinjar2018_damping_factors.png")

    rows = program.sweep("spheres", {"law_name": ",".join(GIVEN), "law_restitution": "0.05:1:20"})
    hertz = program.collide("spheres", law_name="hertz")
    energy = 0.5 * 4.6 * SPEED ** 2
    for number, name, title, value in (
            (8, "energy_loss", "lost part of the energy [-]", lambda row, c_r: float(row["dissipated_energy_J"]) / energy),
            (9, "contact_time", "contact time, of Hertz's [-]", lambda row, c_r: float(row["duration_s"]) / hertz["duration"]),
            (16, "restitution_error", "relative error of the restitution [%]",
             lambda row, c_r: 100.0 * abs(float(row["restitution"]) - c_r) / c_r)):
        figure, panel = axes(f"Skrinjar2018 Fig. {number}: two spheres at 0.3 m/s", "coefficient of restitution c_r [-]", title)
        for i, law in enumerate(GIVEN):
            own = [(float(row["law.restitution"]), row) for row in rows if row["law.name"] == law]
            panel.plot([c_r for c_r, _ in own], [value(row, c_r) for c_r, row in own], **line(i), label=law)
        if number == 16:
            panel.set_ylim(0.0, 300.0)
        legend_beside(panel, "law")
        save(figure, folder / f"skrinjar2018_{name}.png", NOTE if number == 16 else "")
