"""CorralReview section 3.1, the impulse ratio, slip, stick and reverse slip: impulse diagrams of a rod that falls on its end."""
import math

from drawing import COLOURS, legend_of_panels, panels, save

LENGTH, MASS, SPEED, RESTITUTION = 1.0, 1.0, 1.0, 0.7  # of cases/falling_rod.toml [m], [kg], [m/s], [-]
CASES = (  # angle of the rod [rad], friction, slip [m/s]
    (1.0, 0.1, 3.0), (1.0, 0.7, 0.3), (1.0, 0.1, 0.05), (1.0, 2.0, -0.3))


def inverse_masses(angle):
    """Along the normal, along the tangent, and their coupling [1/kg]."""
    x, y = -0.5 * LENGTH * math.cos(angle), -0.5 * LENGTH * math.sin(angle)
    inertia = MASS * LENGTH ** 2 / 12.0
    return 1.0 / MASS + x * x / inertia, 1.0 / MASS + y * y / inertia, -x * y / inertia


def path(angle, friction, slip, end):
    """The corners (normal, tangential impulse) of the path up to the normal impulse `end`, from Routh's construction [N s]."""
    _, tangential, coupling = inverse_masses(angle)
    corners, sign = [(0.0, 0.0)], math.copysign(1.0, slip)
    growth = coupling - friction * sign * tangential  # of the slip per normal impulse
    stops = -slip / growth if slip * growth < 0.0 else math.inf
    if stops >= end:
        return [*corners, (end, -friction * sign * end)]
    corners.append((stops, -friction * sign * stops))
    stick = -coupling / tangential
    slope = stick if abs(stick) <= friction else math.copysign(friction, stick)
    return [*corners, (end, corners[-1][1] + slope * (end - stops))]


def draw(program, folder):
    figure, each = panels("CorralReview section 3.1: impulse diagrams of a rod that falls on its end, e = 0.7 by energies",
                          "normal impulse [N s]", "tangential impulse [N s]", rows=2, columns=2, share=False)
    worst = 0.0
    for panel, (angle, friction, slip) in zip(each, CASES):
        result = program.collide("falling_rod", impact_friction=friction, **{"impact_slip_speed": slip, "impact_a.angle": angle})
        stronge = result["impacts"]["stronge"]
        end = stronge["normal_impulse"]
        corners = path(angle, friction, slip, end)
        worst = max(worst, abs(corners[-1][1] - stronge["tangential_impulse"]))
        normal, tangential, coupling = inverse_masses(angle)
        reach = [0.0, 1.15 * end]
        panel.fill_between(reach, [-friction * p for p in reach], [friction * p for p in reach], color="#eeeeee", label="cone of friction")
        panel.plot(reach, [-(slip + coupling * p) / tangential for p in reach], color=COLOURS[1], linestyle="--", label="no slip")
        panel.plot(reach, [(SPEED - normal * p) / coupling for p in reach], color=COLOURS[2], linestyle=":", label="end of compression")
        panel.plot(*zip(*corners), color=COLOURS[0], linewidth=2.2, marker="o", markersize=4, label="impulses")
        panel.set_title(f"µ = {friction}, slip {slip} m/s: " + ", ".join(stronge["phases"]), fontsize=9, loc="left")
        largest = max(abs(t) for _, t in corners)
        panel.set_xlim(0.0, reach[1])
        panel.set_ylim(-1.4 * largest, 1.4 * largest)
    legend_of_panels(each, columns=2)
    save(figure, folder / "corralreview_impulse_diagrams.png",
         f"The paths are Routh's construction; their ends differ from the program's tangential impulses by at most {worst:.1g} N s. "
         "The paper prints no diagram: it names the phases.")
