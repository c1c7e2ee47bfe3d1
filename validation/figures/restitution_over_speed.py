"""Restitution over impact speed under the elastoplastic laws."""
from drawing import axes, legend_beside, line, save

LAWS = ("ma-liu", "thornton", "stronge", "vu-quoc-zhang", "kogut-etsion", "jackson-green", "du-wang", "brake",
        "burgoyne-daraio", "yigit")
SPEEDS = [10.0 ** (-2.0 + 0.1 * k) for k in range(37)]  # 0.01 to 40 m/s


def draw(program, folder):
    figure, panel = axes("A steel bead of 2.38 mm onto a fixed one, σ_y = 900 MPa", "impact speed [m/s]",
                         "coefficient of restitution [-]")
    for i, law in enumerate(LAWS):
        e = [program.collide("steel_bead", law_name=law, speed=v)["restitution"] for v in SPEEDS]
        panel.semilogx(SPEEDS, e, **line(i), label=law)
    panel.set_ylim(0.0, 1.05)
    legend_beside(panel, "law")
    save(figure, folder / "restitution_over_speed.png")
