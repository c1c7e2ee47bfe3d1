"""Skrinjar2018 Figs 4 to 7: speed over overlap, and force, speeds and energy over time, of its sphere laws."""
from drawing import axes, legend_beside, legend_of_panels, line, panels, save
from sphere_loops import LAWS, PRINTED

SPEED, MASS, RESTITUTION = 0.3, 9.2, 0.5  # of the first sphere [m/s], of either [kg]; the second is at rest
BESIDE = 0.2  # of the contact of Hertz's law, shown before it and after it


def of_law(program, law, restitution=RESTITUTION):
    """Time [s], overlap [m], approach speed [m/s] and force [N], from the first contact on."""
    given = {} if law == "hertz" else {"law_restitution": restitution}
    time, overlap, speed, force = program.moments("spheres", law_name=law, **given)
    return [0.0] + time, [0.0] + overlap, [SPEED] + speed, [0.0] + force


def draw(program, folder):
    moments = {law: of_law(program, law) for law in LAWS}
    longest = moments["hertz"][0][-1]
    before, after = -BESIDE * longest, (1.0 + BESIDE) * longest

    def with_rest(law, of_speed):
        """Times in us, and a function of the approach speed, which is constant before and after contact."""
        time, _, speed, _ = moments[law]
        values = [of_speed(v) for v in speed]
        return ([1e6 * t for t in (before, *time, max(after, time[-1]))], [values[0], *values, values[-1]])

    title = f"two spheres at {SPEED} m/s, c_r = {RESTITUTION}"
    figure, panel = axes(f"Skrinjar2018 Fig. 4: {title}", "overlap [µm]", "approach speed [m/s]")
    for i, law in enumerate(LAWS):
        _, overlap, speed, _ = moments[law]
        panel.plot([1e6 * x for x in overlap], speed, **line(i), label=law)
    legend_beside(panel, "law")
    save(figure, folder / "skrinjar2018_speed_over_overlap.png")

    figure, panel = axes(f"Skrinjar2018 Fig. 5: {title}", "time [µs]", "force [kN]")
    for i, law in enumerate(LAWS):
        time, _, _, force = moments[law]
        panel.plot([1e6 * t for t in time], [1e-3 * F for F in force], **line(i), label=law)
    legend_beside(panel, "law")
    save(figure, folder / "skrinjar2018_force_over_time.png")

    # Equal masses: the centre of mass moves at half the speed of the first sphere.
    figure, panel = axes(f"Skrinjar2018 Fig. 6: {title}; falling: the first sphere", "time [µs]", "speed [m/s]")
    for i, law in enumerate(LAWS):
        panel.plot(*with_rest(law, lambda v: 0.5 * (SPEED + v)), **line(i), label=law)
        panel.plot(*with_rest(law, lambda v: 0.5 * (SPEED - v)), **line(i))
    legend_beside(panel, "law")
    save(figure, folder / "skrinjar2018_sphere_speeds.png")

    figure, panel = axes(f"Skrinjar2018 Fig. 7: {title}", "time [µs]", "kinetic energy [J]")
    for i, law in enumerate(LAWS):
        panel.plot(*with_rest(law, lambda v: 0.25 * MASS * (SPEED ** 2 + v ** 2)), **line(i), label=law)
    legend_beside(panel, "law")
    save(figure, folder / "skrinjar2018_energy_over_time.png")
    draw_all(program, folder, longest)


def draw_all(program, folder, longest):
    """The four figures at every c_r of Table 2."""
    moments = {c_r: {law: of_law(program, law, c_r) for law in LAWS} for c_r in PRINTED}
    end = 1e6 * (1.0 + BESIDE) * longest
    kinds = ((4, "speed_over_overlap", "overlap [µm]", "approach speed [m/s]",
              lambda t, x, v, F: ([1e6 * s for s in x], v)),
             (5, "force_over_time", "time [µs]", "force [kN]", lambda t, x, v, F: ([1e6 * s for s in t], [1e-3 * f for f in F])),
             (6, "sphere_speeds", "time [µs]", "speed of the first sphere [m/s]",
              lambda t, x, v, F: ([1e6 * s for s in t] + [end], [0.5 * (SPEED + s) for s in v] + [0.5 * (SPEED + v[-1])])),
             (7, "energy_over_time", "time [µs]", "kinetic energy [J]",
              lambda t, x, v, F: ([1e6 * s for s in t] + [end],
                                  [0.25 * MASS * (SPEED ** 2 + s ** 2) for s in v] + [0.25 * MASS * (SPEED ** 2 + v[-1] ** 2)])))
    for number, name, x_title, y_title, curve in kinds:
        figure, each = panels(f"Skrinjar2018 Fig. {number}: two spheres at {SPEED} m/s, at every c_r of Table 2", x_title, y_title)
        for panel, c_r in zip(each, PRINTED):
            panel.set_title(f"c_r = {c_r:.1f}", fontsize=9)
            for i, law in enumerate(LAWS):
                panel.plot(*curve(*moments[c_r][law]), **line(i), label=law)
            if number == 5:
                panel.set_ylim(-4.0, 10.0)
            if number != 4:
                panel.set_xlim(0.0, end)
        legend_of_panels(each, title="law")
        save(figure, folder / f"skrinjar2018_{name}_all.png")
